"""Does a simple stratum have a generic point?  It may have none [S002-E01].

Masked ranks (theory 2.2b) of the neurons on bends alone are the same for all members: they are
ranks of the signed products V diag(ε) W, ε_i = −1 where the neuron is turned.  If one of them
is too small, no member is generic.  Otherwise members are tried.  The bends are the same for
all members, and linear neurons add none inside the domain, so all members are supertransversal
there, or none is.
"""

from __future__ import annotations

from random import Random

from exactrelu.exact.linear import rank
from exactrelu.network.network import Layer, Network
from exactrelu.questions.fibers.filling import compensation
from exactrelu.questions.fibers.moves import linear_places, random_member
from exactrelu.questions.fibers.strata import Stratum
from exactrelu.questions.fibers.target import Target
from exactrelu.questions.genericity.masked_rank import masked_rank

#: How many members are tried.
N_TRIED = 12


def has_generic_points(target: Target, stratum: Stratum, sample: Network | None) -> bool | None:
    """Whether some member has full masked ranks; None if no member that was tried has."""
    if sample is None:
        return False
    is_constant = not target.on_orthant and stratum.n_neurons > len(target.bends)
    if not stratum.is_simple or is_constant:
        # Two parallel rows, or a row that is 0.
        return False
    n, k = target.n_inputs, stratum.n_linear
    if rank(compensation(target, stratum.bends).take(columns=range(n))) < min(
        n, k, target.n_outputs
    ):
        # V W of the linear neurons is A_S for all members.
        return False
    layout = stratum.layout(target)
    bending = [i for i, neuron in enumerate(layout) if neuron.kind == "bend"]
    if bending and masked_rank(_restricted(sample, bending)).answer is False:
        return False
    rng = Random(0)
    places = linear_places(target, stratum)
    candidate = sample
    for _ in range(N_TRIED):
        if masked_rank(candidate).answer:
            return True
        candidate = random_member(candidate if rng.random() < 0.5 else sample, places, rng)
    return None


def _restricted(network: Network, neurons: list[int]) -> Network:
    """The network with some of its hidden neurons only."""
    first, last = network.layers
    columns = [*neurons, first.n_outputs]
    return Network(
        (Layer(first.affine.take(rows=neurons)), Layer(last.affine.take(columns=columns)))
    )
