"""The questions that ``certify`` asks of every network.

Each entry of the catalogue has names, one for each thing that is asked, and takes a network and an
effort to yield an answer to each: a verdict, or why it is left out.  What is too large for
``certify`` is left out with its size; what does not apply is left out with the reason.  A name that
an entry does not come to, as its time is over, is told by whoever asks
(:mod:`exactrelu.questions.catalogue`), so that nothing is omitted in silence.

They are about all of space, and about layers on the orthant, so that no signs are known beforehand.

To add a question, write it as a function from values to :class:`Verdict` and list it in
``CATALOGUE``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from exactrelu.certificates.certificate import Verdict
from exactrelu.certificates.evidence import rank_claim, value_claim
from exactrelu.digits import at_least, at_most
from exactrelu.effort import Effort, Stopped
from exactrelu.exact.linear import rank_proof
from exactrelu.exact.scalar import ONE, ZERO
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network, plain, trace_batch, widths_text
from exactrelu.questions.activity import is_transparent
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.equivalence.canonical_forms import canonical
from exactrelu.questions.equivalence.simplify import simplify
from exactrelu.questions.faces import (
    cancellation_free_verdict,
    honest_verdict,
    supertransversal_verdict,
    zero_optimum_verdict,
)
from exactrelu.questions.fibers.shallow import shallow_fiber
from exactrelu.questions.fibers.three_layers import three_layer_fiber
from exactrelu.questions.folds.folds import folds
from exactrelu.questions.genericity.masked_products import stages
from exactrelu.questions.genericity.proportional import n_units
from exactrelu.questions.genericity.senses import is_generic
from exactrelu.questions.identifiability.identifiable import identifiable
from exactrelu.questions.injectivity.network import is_injective
from exactrelu.questions.linear import nonnegative_column_rank, require_elimination
from exactrelu.questions.regions import regions
from exactrelu.questions.singular_values import sigma_min_bounds

#: Beyond these a network's regions are not counted by ``certify``: it would take long.
MAX_HIDDEN_NEURONS = 32
MAX_REGIONS = 2_000
#: Beyond this many regions their images are not compared in pairs.
MAX_PAIRED_REGIONS = 30
#: Beyond this many faces the questions that rest on all of them are not asked.
MAX_FACES = 600
#: Beyond this many minors or affine functions genericity is not asked.
MAX_MASKS = 20_000
#: Beyond this many parameters the canonical form is not written.
MAX_PARAMETERS = 100_000
#: Beyond this many hidden neurons the orientations of a fiber are not listed.
MAX_FIBER_NEURONS = 6

#: How the reason begins of what is left out for its size.
TOO_LARGE = "too large: "


class LeftOut(Exception):
    """Why a question is left out; it may be raised too, for all that an entry has left."""


class TooLargeToAsk(LeftOut):
    """Its size, and what would be small enough."""

    def __init__(self, found: str) -> None:
        super().__init__(f"{TOO_LARGE}{found}")


Answer = tuple[str, Verdict | LeftOut]
Question = Callable[[Network, Effort], Iterator[Answer]]


@dataclass(frozen=True)
class QuestionEntry:
    """A question, and the names of its answers about a network."""

    ask: Question
    names: Callable[[Network], tuple[str, ...]]

    @classmethod
    def of(cls, ask: Question, *names: str) -> QuestionEntry:
        """One with the same names for all networks; ``{l}`` is the number of each layer."""

        def expanded(network: Network) -> tuple[str, ...]:
            layers = range(1, len(network.layers) + 1)
            found = ([n.format(l=l) for l in layers] if "{l}" in n else [n] for n in names)
            return tuple(name for part in found for name in part)

        return cls(ask, expanded)


def _require(n: int, most: int, things: str) -> None:
    if n > most:
        found = f"{n:,}" if n < 10**9 else f"about 10^{len(str(n)) - 1}"
        raise TooLargeToAsk(f"{found} {things}, and at most {most:,} are tried here")


def _require_few_neurons(network: Network) -> None:
    _require(network.n_hidden_neurons, MAX_HIDDEN_NEURONS, "hidden neurons")


def values(network: Network, effort: Effort) -> Iterator[Answer]:
    """The values at 0 and at (1, …, 1)."""
    n = network.n_inputs
    for name, evaluation in zip(
        ("value-at-0", "value-at-1"), trace_batch(network, [(ZERO,) * n, (ONE,) * n]), strict=True
    ):
        certificate = value_claim(network, evaluation)
        yield name, Verdict(True, "evaluated exactly", evaluation.flint_output, certificate)


def ranks(network: Network, effort: Effort) -> Iterator[Answer]:
    """The rank of every weight matrix."""
    for l, layer in enumerate(network.layers, 1):
        r = min(layer.weights.shape)
        require_elimination(layer.weights, r * (layer.n_inputs - r), effort)
        proof = rank_proof(layer.weights)
        certificate = rank_claim(layer.weights, proof)
        yield f"rank-W{l}", Verdict(True, f"rank {proof.rank}", proof.rank, certificate)


def nonnegative_ranks(network: Network, effort: Effort) -> Iterator[Answer]:
    """The nonnegative column rank of every weight matrix."""
    for l, layer in enumerate(network.layers, 1):
        found = nonnegative_column_rank(layer.weights, effort=effort)
        reason = f"nonnegative column rank {found.value}"
        yield f"nnrank-W{l}", Verdict(True, reason, found.value, found.certificate)


def singular_values(network: Network, effort: Effort) -> Iterator[Answer]:
    """Bounds of the least singular value of every weight matrix."""
    for l, layer in enumerate(network.layers, 1):
        bounds = sigma_min_bounds(layer.weights, effort=effort)
        if bounds.lower_certificate is not None:
            reason = f"σ_min ≥ {at_least(bounds.lower)}"
            verdict = Verdict(True, reason, bounds.lower, bounds.lower_certificate)
            yield f"sigma-lower-W{l}", verdict
        reason = f"σ_min ≤ {at_most(bounds.upper)}"
        yield f"sigma-upper-W{l}", Verdict(True, reason, bounds.upper, bounds.upper_certificate)


def activation_regions(network: Network, effort: Effort) -> Iterator[Answer]:
    """The number of activation regions on all of space, for networks of moderate size."""
    _require_few_neurons(network)
    found = regions(network, effort=effort.part(regions=MAX_REGIONS))
    if found.is_complete:
        reason = f"{found.n_regions} activation regions"
        yield "regions", Verdict(True, reason, found.n_regions, found.certificate)
    else:
        try:
            effort.spend()
        except Stopped as stopped:
            so_far = f"at least {found.n_regions_at_least} activation regions"
            yield "regions", Verdict.undecided(stopped, so_far)
        else:
            yield "regions", Verdict(None, f"more than {MAX_REGIONS} activation regions")


def faces(network: Network, effort: Effort) -> Iterator[Answer]:
    """The canonical complex on all of space, and what rests on all of its faces."""
    _require_few_neurons(network)
    found = polyhedral_complex(network, effort=effort.part(faces=MAX_FACES))
    if not found.is_complete:
        effort.spend()
        raise TooLargeToAsk(f"more than {MAX_FACES:,} faces")
    f_vector = ", ".join(map(str, found.f_vector_at_least))
    yield "complex", Verdict(True, f"f-vector ({f_vector})", found.f_vector, found.certificate)
    plain(network, "supertransversality, honesty or freedom from cancellation")
    yield "supertransversal", supertransversal_verdict(found)
    yield "honest", honest_verdict(found)
    yield "cancellation-free", cancellation_free_verdict(found)
    yield "no-zero-optimum", zero_optimum_verdict(found)


def fold_set(network: Network, effort: Effort) -> Iterator[Answer]:
    """The fold-set on all of space, for networks of moderate size."""
    _require_few_neurons(network)
    found = folds(network, effort=effort.part(faces=MAX_FACES))
    if found.is_complete:
        reason = f"{len(found.facets)} facets in {len(found.hyperplanes)} hyperplanes"
        yield "folds", Verdict(True, reason, found, found.certificate)
    else:
        effort.spend()
        raise TooLargeToAsk(f"more than {MAX_FACES:,} faces")


def masked_ranks(network: Network, effort: Effort) -> Iterator[Answer]:
    """Genericity by masked ranks, where there are not too many."""
    _require(_n_masks(network), MAX_MASKS, "masked products of weights")
    yield "masked-rank", is_generic(network, sense="masked-rank", effort=effort)


def _n_masks(network: Network) -> int:
    return sum(stage.n_masks for stage in stages(network.widths))


def proportional_units(network: Network, effort: Effort) -> Iterator[Answer]:
    """Genericity by proportional affine functions, where there are not too many."""
    _require(n_units(network.widths), MAX_MASKS, "affine functions")
    yield "non-proportional", is_generic(network, sense="non-proportional", effort=effort)


def transparency(network: Network, effort: Effort) -> Iterator[Answer]:
    """Whether every layer has an active unit everywhere, for networks of moderate size."""
    _require_few_neurons(network)
    yield "transparent", is_transparent(network, effort=effort.part(regions=MAX_REGIONS))


def symmetries(network: Network, effort: Effort) -> Iterator[Answer]:
    """The canonical network, isomorphic to this one."""
    _require(network.n_parameters, MAX_PARAMETERS, "parameters")
    try:
        found = canonical(network, effort=effort)
    except Stopped as stopped:
        yield "canonical", Verdict.undecided(stopped)
    else:
        reason = "isomorphic to its canonical form"
        yield "canonical", Verdict(True, reason, found.symmetry, found.certificate)


def names_of_fibers(network: Network) -> tuple[str, ...]:
    """Of one hidden layer more is known; an affine map is given by its parameters."""
    depths = {1: (), 2: ("fiber", "minimal", "fiber-on-orthant", "minimal-on-orthant")}
    return depths.get(len(network.layers), ("fiber",))


def fibers(network: Network, effort: Effort) -> Iterator[Answer]:
    """The components of the fiber on R^n, and for one hidden layer on the orthant too."""
    if not names_of_fibers(network):
        return
    _require(len(network.layers) - 1, 2, "hidden layers")
    _require(network.n_hidden_neurons, MAX_FIBER_NEURONS, "hidden neurons")
    if len(network.layers) == 3:
        deep = three_layer_fiber(network, effort=effort)
        # Why a theorem does not apply is no part of this certificate.
        part = f"components with members: {len(deep.nonempty)}, perhaps not all"
        reason = deep.reason if deep.is_complete else part
        is_known = True if deep.certificate is not None else None
        yield "fiber", Verdict(is_known, reason, deep, deep.certificate)
        return
    orthant = LinearSystem.orthant(network.n_inputs)
    for name, domain in (("fiber", None), ("fiber-on-orthant", orthant)):
        found = shallow_fiber(network, domain, effort=effort)
        reason = f"{len(found.nonempty)} of {len(found.components)} orientations have members"
        is_known = True if found.certificate is not None else None
        yield name, Verdict(is_known, reason, found, found.certificate)
        yield name.replace("fiber", "minimal"), found.minimality


def smaller_network(network: Network, effort: Effort) -> Iterator[Answer]:
    """A smaller network with the same function, where there is one."""
    found = simplify(network, effort=effort)
    if found.network != network:
        reason = f"the same function with widths {widths_text(found.network)}"
        yield "simplify", Verdict(True, reason, found.network, found.certificate)
    else:
        yield "simplify", LeftOut("no step of simplify makes the network smaller")


def identifiability(network: Network, effort: Effort) -> Iterator[Answer]:
    """Whether the function determines the network; if undecided, the functional dimension."""
    _require_few_neurons(network)
    _require(_n_masks(network), MAX_MASKS, "masked products of weights")
    part = effort.part(masks=MAX_MASKS, regions=MAX_REGIONS)
    verdict = identifiable(network, effort=part)
    if verdict.answer is not None:
        yield "identifiable", verdict
        return
    # Its certificate is that of another claim.
    yield "identifiable", Verdict(None, verdict.reason)
    if verdict.certificate is not None:
        value = verdict.witness.dimension.value
        reason = f"functional dimension at least {value}"
        yield "functional-dimension", Verdict(True, reason, value, verdict.certificate)


def injectivity(network: Network, effort: Effort) -> Iterator[Answer]:
    """Whether each layer is injective: the first on all of space, the others on the orthant.

    And whether the whole network is, where there are not too many pairs of regions.
    """
    layers = network.layers if network.is_plain else ()
    for l, layer in enumerate(layers, 1):
        name = f"injective-layer-{l}"
        try:
            _require(max(layer.weights.shape), MAX_HIDDEN_NEURONS, "inputs or neurons of the layer")
        except TooLargeToAsk as large:
            yield name, large
            continue
        domain = None if l == 1 else LinearSystem.orthant(layer.n_inputs)
        part = effort.part(regions=MAX_REGIONS)
        yield name, is_injective(network, domain, layer=l, effort=part)
    if network.n_hidden_neurons <= MAX_HIDDEN_NEURONS:
        yield "injective", is_injective(network, effort=effort.part(regions=MAX_PAIRED_REGIONS))
    plain(network, "injectivity of a single layer")
    _require_few_neurons(network)


CATALOGUE: tuple[QuestionEntry, ...] = (
    QuestionEntry.of(values, "value-at-0", "value-at-1"),
    QuestionEntry.of(ranks, "rank-W{l}"),
    QuestionEntry.of(nonnegative_ranks, "nnrank-W{l}"),
    # And a lower bound where there is one.
    QuestionEntry.of(singular_values, "sigma-upper-W{l}"),
    QuestionEntry.of(activation_regions, "regions"),
    QuestionEntry.of(
        faces, "complex", "supertransversal", "honest", "cancellation-free", "no-zero-optimum"
    ),
    QuestionEntry.of(fold_set, "folds"),
    QuestionEntry.of(masked_ranks, "masked-rank"),
    QuestionEntry.of(proportional_units, "non-proportional"),
    QuestionEntry.of(transparency, "transparent"),
    QuestionEntry.of(symmetries, "canonical"),
    QuestionEntry.of(smaller_network, "simplify"),
    QuestionEntry(fibers, names_of_fibers),
    QuestionEntry.of(identifiability, "identifiable"),
    QuestionEntry.of(injectivity, "injective-layer-{l}", "injective"),
)
