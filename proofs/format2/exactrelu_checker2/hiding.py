"""Fibers of networks with three layers, by what layer 2 sees of layer 1.

A neuron of layer 2 is *dead* if its row of [W_2 | b_2] is <= 0, else *live*. A live one *hides*
neuron i of layer 1 if its weight from i is positive, and its other weights and its bias are
negative. N is *generic* if its masked ranks are maximal and it is supertransversal on R^n0.

**fiber-half-lines.** There is a live neuron of layer 2, and all live ones hide neuron i of layer 1.
For a set A of other neurons of layer 1 let N_A be N after the flips of A: with w the row of the one
live neuron, row a of layer 1 becomes -(row a) for a in A, and Σ_{a in A} (w_a/w_i)·(row a) is added
to row i. For more live neurons only A = ∅ is allowed, and N_∅ = N. Let N_A(t) be N_A with t added
to the bias of i and t·W_2[j,i] taken from the bias of each live neuron j. For each A and each t >
max_j b_2[j]/W_2[j,i] (j live) N_A(t) has the values of N on R^n0.

``flips``       no records: the checker finds i. *Sound.* Let a live neuron have the row w, with
w_i > 0, its other entries and its bias b negative, and y be the preactivations of layer 1. Its
value is s(E), E = w_i·y_i + Σ_{a≠i} w_a·s(y_a) + b: if y_i >= 0 this is its preactivation, and if
y_i < 0 both are <= b < 0. In N_A this is E' = w_i·y_i + Σ_A w_a·y_a + Σ_A w_a·s(-y_a) + Σ_{others}
w_a·s(y_a) + b; as s(y) = s(-y) + y, E' = E. The same after a translation: y_i + t instead of y_i
and b - w_i·t < 0 instead of b give the same E. Dead neurons stay 0, whatever layer 1 gives.

``bottleneck``  the same, ``complete``: N is also generic, with n_0 >= n_1 >= 2, and every generic
network of its widths with its values is some N_A(t), t as above, up to permutation and positive
scaling of hidden neurons and up to the rows and output weights of dead neurons of layer 2, with A
any set (one live neuron) or A = ∅ (more). These half-lines (2^(n_1 - 1) of them, or one) are
disjoint. The proofs of masked-rank and supertransversal follow, each with its ``by``. Completeness
is taken from the paper: the two propositions on hiding parameters in Section 6 of *The symmetries
of three-layer ReLU networks* (arXiv 2605.18319), with the number of live neurons of layer 2 in the
place of n_2 (a dead neuron adds nothing to the function, and the network without it is generic).

**fiber-layerwise.** Let R be layers 2 and 3 of N, and D the orthant of their inputs. The networks
with the first layer of N, and on top of it a network with the widths of R and its values on D, have
the values of N, as the activations of layer 1 are in D. Strata are those of ``fibers`` about R on
D: each one in ``nonempty`` has a member, and none in ``empty`` has one.

``members``     as for ``fiber-strata`` about R and D.

``visibility``  the same, ``complete``: N is also generic, with n_0 >= n_1 >= 2; some neuron of
layer 2 is live, and no neuron of layer 1 is hidden; every stratum with one neuron on each bend and
no other hyperplanes is listed; and every generic network with the widths and the values of N is in
one of these, listed as nonempty, up to permutation and positive scaling of hidden neurons. The
proofs of masked-rank and supertransversal come first. *Sound.* Let η be generic, with the widths
and the values of N. (1) A neuron i of layer 1 is not hidden: some live row of [W_2 | b_2] has a
positive entry other than the weight from i, so that some neuron of layer 2 is positive at a point
of the hyperplane H_i. By the theorem on visibility (Section 3 of the paper) H_i is a hyperplane of
the first layer of η too; these are n_1 different ones, hence all. (2) They are turned to the same
side: W_1 has rank n_1, so that y = W_1 x + b_1 takes all values; if η had -y_i, its function would
not depend on y_i where y_i > 0, and that of N does not where y_i < 0, so that f would not depend on
y_i and not bend at H_i, which a generic network does where it is visible. (3) So up to permutation
and scaling the first layers agree, and R and the layers 2 and 3 of η have the same values on D. As
η is generic no two rows of its W_2 are parallel and no output column is 0: each of its neurons that
changes its sign on D makes a bend of R, alone on its hyperplane. The others are linear or dead.
"""

from typing import Any

from . import claims
from .claims import Claim, Field, kind, prove
from .fibers import Stratum, prove_strata, strata, strata_fit
from .file import Proof, form, need
from .objects import Network, System


def _read_complete(value: Any) -> bool:
    form(type(value) is bool, "not-yes-or-no", "complete is true or false")
    return bool(value)


def _complete(words: str) -> Field:
    """Return a field that adds words to the sentence if it is true."""
    return Field(_read_complete, lambda found, value, book: words if found else "")


@kind(
    "fiber-half-lines",
    "layer 2 of {network} hides a neuron of layer 1: its translations on a half-line, those after "
    "flips too if one neuron of layer 2 is live, have its values{complete}",
    network=claims.plain_network,
    complete=_complete(
        "; it is generic, and these are all generic networks with its widths and its values, up to "
        "permutation and positive scaling of hidden neurons and up to dead neurons of layer 2"
    ),
)
def fiber_half_lines(network: Network, complete: bool) -> None:
    """Three layers."""
    _three_layers(network)


def fiber_half_lines_by_flips(proof: Proof, network: Network, complete: bool) -> None:
    """Layer 2 hides a neuron."""
    need(not complete, "wrong-method", "flips do not show that these are all")
    need(hidden_neuron(network) is not None, "neuron-not-hidden", "layer 2 hides no neuron")


def fiber_half_lines_by_bottleneck(proof: Proof, network: Network, complete: bool) -> None:
    """Layer 2 hides a neuron, and the network is a generic bottleneck."""
    need(hidden_neuron(network) is not None, "neuron-not-hidden", "layer 2 hides no neuron")
    _prove_generic(proof, network)


@kind(
    "fiber-layerwise",
    "of the networks with the widths, the first layer and the values of {network} whose layers 2 "
    "and 3 have the values of its own on the orthant, each of the strata {nonempty} of sides of "
    "neurons of layer 2 has one, and none of {empty} has one{complete}",
    network=claims.plain_network,
    nonempty=strata,
    empty=strata,
    complete=_complete(
        "; it is generic, and all generic networks with its widths and its values are in the "
        "former, up to permutation and positive scaling of hidden neurons"
    ),
)
def fiber_layerwise(
    network: Network, nonempty: list[Stratum], empty: list[Stratum], complete: bool
) -> None:
    """Three layers; strata with all neurons of layer 2."""
    _three_layers(network)
    strata_fit(network.widths[2], nonempty, empty)


def fiber_layerwise_by_members(
    proof: Proof, network: Network, nonempty: list[Stratum], empty: list[Stratum], complete: bool
) -> None:
    """Members of the first strata; of the others there are none."""
    need(not complete, "wrong-method", "members do not show that these are all")
    prove_strata(proof, Network(network.layers[1:]), True, nonempty, empty)


def fiber_layerwise_by_visibility(
    proof: Proof, network: Network, nonempty: list[Stratum], empty: list[Stratum], complete: bool
) -> None:
    """The same about all strata of generic networks; layer 2 hides nothing."""
    ok = live_neurons(network) and hidden_neuron(network) is None
    need(ok, "neuron-hidden", "layer 2 hides a neuron, or has no live one")
    _prove_generic(proof, network)
    shape = prove_strata(proof, Network(network.layers[1:]), True, nonempty, empty)
    alone = {
        stratum
        for stratum in (*nonempty, *empty)
        if not stratum.others and all(len(sides) == 1 for sides in stratum.bends)
    }
    m = len(shape.bends)
    many = (network.widths[2] - m + 1) << m
    need(len(alone) == many, "not-all-listed", f"{many} strata have one neuron on each bend")


def _three_layers(network: Network) -> None:
    form(len(network.layers) == 3, "not-three-layers", "a network with three layers is needed")


def _prove_generic(proof: Proof, network: Network) -> None:
    """Check that a bottleneck with n_0 >= n_1 >= 2 is generic on all of space."""
    n0, n1, *_ = network.widths
    need(n0 >= n1 >= 2, "not-a-bottleneck", "n_0 >= n_1 >= 2 is needed")
    prove(proof, Claim("masked-rank", True, {"network": network}, (), ""))
    about = {"network": network, "domain": System(n0, (), ())}
    prove(proof, Claim("supertransversal", True, about, (), ""))


def live_neurons(network: Network) -> list[int]:
    """Return the neurons of layer 2 that are not dead."""
    return [j for j, row in enumerate(network.layers[1].rows) if max(row) > 0]


def hidden_neuron(network: Network) -> int | None:
    """Return the neuron of layer 1 that all live neurons of layer 2 hide, and there is one."""
    live = [network.layers[1].rows[j] for j in live_neurons(network)]
    places = {tuple(i for i, entry in enumerate(row) if entry >= 0) for row in live}
    width = network.widths[1]
    return next((p[0] for p in places if len(places) == len(p) == 1 and p[0] < width), None)
