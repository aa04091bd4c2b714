"""Are two networks isomorphic: equal up to permutation and positive scaling of hidden neurons?

This is about parameters, not functions: isomorphic networks compute the same function,
but not conversely.  Both verdicts come from canonical forms (``network.isomorphism``):
equal forms give the symmetry, different ones a proof by colours.
"""

from __future__ import annotations

from dataclasses import dataclass

from exactrelu.certificates.certificate import Certificate, Record, claim, record
from exactrelu.certificates.moves import symmetry_records
from exactrelu.network.isomorphism.canonical import canonical_form
from exactrelu.network.isomorphism.refutation import Imbalance, Pair
from exactrelu.network.isomorphism.search import Effort, SearchLimit
from exactrelu.network.network import Network
from exactrelu.network.symmetry import Symmetry
from exactrelu.verdict import Verdict

#: How many refinements a question may take before it is undecided.
MAX_REFINEMENTS = 20_000


@dataclass(frozen=True)
class Canonical:
    """``network`` represents the class of ``original``, and ``symmetry`` takes it there."""

    original: Network
    network: Network
    symmetry: Symmetry

    @property
    def certificate(self) -> Certificate:
        """The certificate of the claim ``isomorphic``."""
        records = symmetry_records(self.symmetry)
        return claim("isomorphic", records, a=self.original, b=self.network)


def canonical(
    network: Network, max_refinements: int = MAX_REFINEMENTS, timeout: float | None = None
) -> Canonical:
    """The canonical representative; isomorphic networks have the same one, byte by byte.

    Raises :class:`SearchLimit` over a limit.

    >>> one = Network.from_arrays([[[1], [2]], [[3, 5]]], [[0, 1], [0]])
    >>> two = Network.from_arrays([[[4], [3]], [[5/2, 1]]], [[2, 0], [0]])
    >>> canonical(one).network.canonical_bytes() == canonical(two).network.canonical_bytes()
    True
    """
    form = canonical_form(network, Effort(max_refinements, timeout))
    return Canonical(network, form.network, form.symmetry)


def isomorphic(
    a: Network,
    b: Network,
    max_refinements: int = MAX_REFINEMENTS,
    timeout: float | None = None,
) -> Verdict:
    """Whether some permutations and positive scalings of hidden neurons take a to b.

    The witness of a yes is the :class:`Symmetry`.

    >>> a = Network.from_arrays([[[1], [2]], [[3, 5]]], [[0, 1], [0]])
    >>> b = Network.from_arrays([[[4], [3]], [["5/2", 1]]], [[2, 0], [0]])
    >>> isomorphic(a, b).witness
    Symmetry(permutations=((1, 0),), scalings=((2, 3),))
    """
    difference = _difference_outside(a, b)
    if difference is not None:
        return Verdict(False, difference, certificate=claim("not-isomorphic", a=a, b=b))
    effort = Effort(max_refinements, timeout)
    try:
        pair = Pair(a, b, effort)
        symmetry = pair.symmetry()
        if a.transformed(symmetry) == b:
            certificate = claim("isomorphic", symmetry_records(symmetry), a=a, b=b)
            return Verdict(True, "a permutation and positive scaling", symmetry, certificate)
        imbalance = pair.imbalance()
        choices = [] if imbalance is not None else list(pair.tree())
    except SearchLimit as limit:
        return Verdict(None, str(limit))
    reason = f"no neuron fits, after a search with {len(choices)} choices"
    if imbalance is not None:
        reason = _describe(imbalance)
    # The tree of neurons that are told apart, in preorder; none where colours differ at once.
    records = [_record(choice.network, *choice.neuron) for choice in choices]
    return Verdict(False, reason, certificate=claim("not-isomorphic", records, a=a, b=b))


def _record(network: int, layer: int, neuron: int) -> Record:
    """A neuron of a (0) or b (1), by hidden layer and number from 0."""
    return record("individualise", network=network, layer=layer, neuron=neuron)


def _difference_outside(a: Network, b: Network) -> str | None:
    """What differs apart from hidden neurons."""
    if a.widths != b.widths:
        return f"the widths {_dashed(a)} and {_dashed(b)} differ"
    if a.layers[-1].bias != b.layers[-1].bias:
        return "the output biases differ"
    if len(a.layers) == 1 and a != b:
        return "the affine maps differ"
    return None


def _dashed(network: Network) -> str:
    return "-".join(map(str, network.widths))


def _describe(imbalance: Imbalance) -> str:
    l, i = imbalance.neuron
    name = "AB"[imbalance.network]
    ours, theirs = imbalance.counts
    return (
        f"neuron ({l + 1},{i + 1}) of {name}: {ours} in A and {theirs} in B look like it, "
        "by normalised weights and colour refinement"
    )
