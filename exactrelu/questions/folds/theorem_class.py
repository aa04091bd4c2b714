"""Networks in the class of the repaired theorem of Phuong & Lampert (theory 4).

Let d_0 ≥ d_1 ≥ … ≥ d_{L−1}, d_L = 1, and let h be general and transparent on an open Z, such that
a chain of bends starts at every hidden unit, and Z^{L−1} has interior points.  Then every network
of the same widths that is general on Z and has the function of h on Z equals h up to permutation
and positive scaling of hidden units.  The proof is on the page of the claim ``determined``.

The paper asks, for each l, for d_l dependency paths of length L−1−l with distinct starting
vertices. This does not suffice on a set that is not convex [S001-E1], and not with starting
vertices in distinct hyperplanes on a cube either [S001-E3]: paths have to be paths of bends.

*Chains of bends* force the units of a layer to be units of that layer (:mod:`.chains`).

*Identification*: the argument of the proof, run on two networks.  θ is in the theorem's class on
Z, η is general on Z, and both have the same function there.  The proof is by induction over the
layers: if h_θ^{1:l−1} = M P h_η^{1:l−1} with permutations P and positive scalings M, then the units
of layer l of both fold h^{l:L} along the same d_l hyperplanes, those at which chains of bends
start.  So each row (w, b) of θ is a multiple of one row of η, seen through M P; and the multiple is
positive, since the gradient vanishes in its direction where the unit is inactive.

Here the rows are matched, layer by layer.  The first step that fails says why η is not θ up to
permutation and scaling; the theorem says that then θ is not in the class, or η is not general,
or the functions differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Unpack

from flint import fmpq

from exactrelu.answer import Part
from exactrelu.cells.facets import ZeroOptimum, zero_optima
from exactrelu.certificates.certificate import Certificate, Found, Verdict, claim, point_record
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network, widths_text
from exactrelu.network.symmetry import Symmetry
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.activity import is_transparent
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.faces import has_no_zero_optimum, too_few, zero_optimum_verdict
from exactrelu.questions.folds.cells import Cells, RegionLike, cells
from exactrelu.questions.folds.chains import Chains, NoChain, find_chains
from exactrelu.questions.genericity.masked_rank import masked_rank
from exactrelu.questions.genericity.proportional import non_proportional
from exactrelu.questions.linear import is_nonempty
from exactrelu.questions.question import Call, question
from exactrelu.words import Words

THEOREM = "the theorem of Phuong and Lampert, with chains of bends for dependency paths"


def has_widths_of_class(widths: tuple[int, ...]) -> bool:
    """Whether the theorem is about networks of these widths."""
    hidden = widths[:-1]
    return len(widths) > 2 and widths[-1] == 1 and list(hidden) == sorted(hidden, reverse=True)


def _chains(found: ClassMembership, words: Words) -> Iterator[str]:
    """A line for each unit, with the points of its chain."""
    if found.network is not None and isinstance(found.witness, Chains):
        for l, layer in enumerate(found.witness.points, 1):
            for i, chain in enumerate(layer, 1):
                places = " ".join(map(words.said, chain))
                yield f"  unit {found.network.neuron_name(l, i)}: {places}"


@dataclass(frozen=True, eq=False, repr=False)
class ClassMembership(Verdict):
    """Whether a network is in the theorem's class; the ``witness`` says why."""

    PARTS = (
        Part(
            "chains",
            "of a yes, for each `unit` the `points` of a chain of bends; else null",
            proved=True,
            said=_chains,
        ),
    )

    network: Network | None = None

    @property
    def chains(self) -> tuple[dict[str, Any], ...] | None:
        """For each unit the points of a chain of bends."""
        if not isinstance(self.witness, Chains):
            return None
        return tuple(
            {"unit": (l, i), "points": chain}
            for l, layer in enumerate(self.witness.points, 1)
            for i, chain in enumerate(layer, 1)
        )


@question(plain="the theorem on folds")
def is_in_theorem_class(
    call: Call[ClassMembership],
    network: Network,
    domain: RegionLike = None,
    **limits: Unpack[Limits],
) -> ClassMembership:
    """Whether the theorem on folds applies, by which the function determines the network.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends, Domain or BoxUnion, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    ClassMembership
        A yes: no other network of these widths that is general on the domain has this function
        there, up to permutation and scaling; the ``witness`` are chains of bends.  A no: a
        hypothesis fails, and the theorem is silent.

    Notes
    -----
    All faces are listed: see :func:`polyhedral_complex`.  On a union of boxes one box that does is
    enough.

    References
    ----------
    Phuong & Lampert, *Functional vs. parametric equivalence of ReLU networks*, Theorem A.1,
    repaired.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays(
    ...     [[[1, 0], [-1, "1/3"]], [[1, "11/10"], [-1, "-9/10"]], [[1, "3/2"]]],
    ...     [["1/2", "1/4"], ["-4/5", 1], ["1/7"]])
    >>> er.is_in_theorem_class(net, "box:-1..1").answer
    True
    """
    effort, network = call.effort, call.plain(network)
    if not has_widths_of_class(network.widths):
        wanted = "the theorem wants n0 >= n1 >= …, a hidden layer and one output"
        reason = f"widths {widths_text(network)}: {wanted}"
        return ClassMembership(False, reason, network=network)
    parts: list[Domain] = []
    if isinstance(domain, BoxUnion):
        parts = [Domain.of(box, domain.dimension) for box in domain.parts]
    else:
        domain = call.place
        if domain.is_flat:
            reason = "the domain has no interior points, and the theorem is about open sets"
            empty = is_nonempty(_interior(domain)).certificate
            return ClassMembership(False, reason, certificate=empty, network=network)
    # What is proved on the whole domain so far, and why it is not decided there, if so.
    proved: list[str] = []
    verdict: Verdict | None = None

    def so_far(stopped: Stopped) -> ClassMembership:
        left = _undecided(Verdict.undecided(stopped), proved) if verdict is None else verdict
        return ClassMembership.of(left, network=network)

    call.knows(so_far)
    verdict = _hypotheses(network, domain, parts, effort, proved)
    for part in parts:
        # Networks that are general on the union are general on the part.
        if not verdict.answer:
            effort.spend()
            on_part = _hypotheses(network, part, [], effort, [])
            verdict = on_part if on_part.answer else verdict
    return ClassMembership.of(verdict, network=network)


def _undecided(verdict: Verdict, proved: Sequence[str]) -> Verdict:
    """Why a hypothesis is not decided, and those that were proved before it."""
    known = ", ".join(proved) if proved else "nothing"
    return replace(verdict, reason=f"{verdict.reason}; proved so far: {known}")


def _hypotheses(
    network: Network,
    domain: Domain | BoxUnion,
    parts: Sequence[Domain],
    effort: Effort,
    proved: list[str],
) -> Verdict:
    """The verdict about one domain; ``parts`` are open sets, dense in it if it is not convex.

    What is proved on the way is added to ``proved``.
    """
    for part in [domain] if isinstance(domain, Domain) else parts:
        few = effort.part(regions=effort.left("faces"))
        transparent = is_transparent(network, part, effort=few)
        if not transparent.answer:
            return _known(transparent, proved, effort)
    proved.append("transparent")
    ranks = masked_rank(network, effort=effort)
    if not ranks.answer:
        return _known(ranks, proved, effort)
    proved.append("masked ranks are maximal")
    functions = non_proportional(network, effort=effort)
    if not functions.answer:
        return _known(functions, proved, effort)
    proved.append("no affine functions are proportional")
    found = cells(network, domain, certify=True, effort=effort)
    if not found.is_complete:
        return _known(too_few(found.found), proved, effort)
    effort.spend()
    optimum = next(zero_optima(found.faces, network.n_inputs), None)
    if optimum is not None:
        return _optimum(found, optimum, effort)
    proved.append("no preactivation has a local optimum 0")
    points = ((found.own_signs(face), face.flint_point) for face in found.faces)
    chains = find_chains(points, network.widths, effort)
    if isinstance(chains, NoChain):
        return _no_chain(found, chains)
    proofs = (verdict.certificate for verdict in (ranks, functions))
    evidence = [proof.evidence for proof in proofs if isinstance(proof, Certificate)]
    return _in_class(found, chains, evidence)


def _in_class(found: Cells, chains: Chains, evidence: Sequence[list[str]]) -> Verdict:
    """The yes: the proofs about masked ranks and affine functions, all faces, and chains."""
    points = [x for layer in chains.points for chain in layer for x in chain]
    records = [
        *(line for proof in evidence for line in proof),
        *found.found.listed,
        *(point_record("point", x) for x in (*points, chains.image)),
    ]
    subjects: dict[str, Any] = {"network": found.asked, "domain": found.region}
    certificate = claim("determined", "chains", records, **subjects)
    n_points = sum(len(chain) for layer in chains.points for chain in layer)
    reason = (
        "general, transparent, and a chain of bends starts at each of "
        f"{found.network.n_hidden_neurons} units ({n_points} points): determined by its function "
        f"among general networks, by {THEOREM}"
    )
    return Verdict(True, reason, chains, certificate)


def _no_chain(found: Cells, missing: NoChain) -> Verdict:
    certificate = claim(
        "no-chain",
        "faces",
        found.found.listed,
        network=found.asked,
        domain=found.region,
        layer=missing.layer - 1,
        neuron=max(missing.index - 1, 0),
    )
    return Verdict(False, missing.text(), missing, certificate)


def _interior(domain: Domain) -> LinearSystem:
    """The points where all rows of a domain are strict; an equation is two of them."""
    rows: list[tuple[int, ...]] = []
    for sense, row in domain.rows:
        rows += [row, tuple(-entry for entry in row)] if sense == "eq" else [row]
    strict = (Row.of(row[:-1], row[-1], Sense.GREATER) for row in rows)
    return LinearSystem(domain.dimension, tuple(strict))


def _known(verdict: Verdict, proved: Sequence[str], effort: Effort) -> Verdict:
    """A hypothesis that fails, or is not decided; raises if it is the whole that is over."""
    if verdict.answer is False:
        return verdict
    effort.spend()
    return _undecided(verdict, proved)


def _optimum(found: Cells, optimum: ZeroOptimum, effort: Effort) -> Verdict:
    """The no, proved on a convex domain, or on a box of the union around the point."""
    if found.union is None:
        return zero_optimum_verdict(found.found)
    around = found.union.box_around(optimum.face.flint_point)
    return has_no_zero_optimum(found.network, around, effort=effort)


def _of_symmetry(name: str, said: Callable[[Any, Words], Iterable[str]] | None = None) -> Part:
    """A part of the symmetry, if there is one."""
    of = attrgetter(f"symmetry.{name}")
    return Part(
        name, "of the symmetry, or null", of=lambda f: of(f) if f.symmetry else None, said=said
    )


@dataclass(frozen=True, repr=False)
class Identification(Found):
    """How far the layers could be matched.

    ``symmetry`` takes η to θ if all layers match; else ``layer`` (from 1) is the first that does
    not, and ``reason`` says which row has no partner.
    """

    PARTS = (
        Part("reason", "why it is one, or which row has no partner"),
        Part("layer", "the first layer that does not match, or null"),
        _of_symmetry("permutations", lambda f, w: f.symmetry.lines(w) if f.symmetry else ()),
        _of_symmetry("scalings"),
    )

    symmetry: Symmetry | None
    layer: int | None
    reason: str

    @property
    def answer(self) -> bool:
        """Whether all layers match."""
        return self.symmetry is not None

    @property
    def is_complete(self) -> bool:
        """It is decided at once."""
        return True


@question(plain="the theorem on folds")
def identify(call: Call[Identification], theta: Network, eta: Network) -> Identification:
    """The permutations and positive scalings that take η to θ, layer by layer.

    Parameters
    ----------
    theta : Network
        θ, in the class of :func:`is_in_theorem_class`.
    eta : Network
        η, with the same function.

    Returns
    -------
    Identification
        ``symmetry``, or None with the first ``layer`` (from 1) that does not match and the
        ``reason``.

    References
    ----------
    Phuong & Lampert, *Functional vs. parametric equivalence of ReLU networks*, proof of Theorem
    A.1.

    Examples
    --------
    >>> import exactrelu as er
    >>> theta = er.Network.from_arrays([[[1, 0], [0, 1]], [[1, 2]]], [[0, 3], [0]])
    >>> eta = er.Network.from_arrays([[[0, 2], [1, 0]], [[1, 1]]], [[6, 0], [0]])
    >>> er.identifiability.identify(theta, eta).symmetry.apply(eta) == theta
    True
    """
    theta, eta = call.plain(theta), call.plain(eta)
    if theta.widths != eta.widths:
        return Identification(None, 1, "the widths differ")
    permutations: list[tuple[int, ...]] = []
    scalings: list[Vector] = []
    before: tuple[int, ...] = tuple(range(theta.n_inputs))
    factors: Vector = (fmpq(1),) * theta.n_inputs
    for l, (ours, theirs) in enumerate(zip(theta.layers, eta.layers, strict=True), 1):
        seen = _seen(theirs.affine, before, factors)
        if l == len(theta.layers):
            if seen != ours.affine:
                return Identification(None, l, "the last layers differ")
            break
        matched = _match(ours.affine.flint_rows(), seen.flint_rows())
        if isinstance(matched, str):
            return Identification(None, l, f"layer {l}: {matched}")
        before, factors = matched
        permutations.append(before)
        scalings.append(factors)
    symmetry = Symmetry.from_indices(permutations, scalings)
    return Identification(symmetry, None, "every row has a partner, with a positive factor")


@question
def have_same_function(
    call: Call[bool | None],
    theta: Network,
    eta: Network,
    domain: RegionLike,
    **limits: Unpack[Limits],
) -> bool | None:
    """Whether two networks agree on a domain; None if that is not decided."""
    if theta.n_inputs != eta.n_inputs or theta.n_outputs != eta.n_outputs:
        return False
    parts: Sequence[DomainLike] = domain.parts if isinstance(domain, BoxUnion) else [domain]
    answers = [equivalent(theta, eta, part, effort=call.effort).answer for part in parts]
    if False in answers:
        return False
    return None if None in answers else True


def _seen(affine: Matrix, before: tuple[int, ...], factors: Vector) -> Matrix:
    """A layer of η as a function of what θ passes to it."""
    columns = [
        [row[old] / factor for old, factor in zip(before, factors, strict=True)] + [row[-1]]
        for row in affine.flint_rows()
    ]
    return Matrix(columns)


def _match(
    ours: tuple[Vector, ...], theirs: tuple[Vector, ...]
) -> tuple[tuple[int, ...], Vector] | str:
    """For each of our rows the row of η on the same hyperplane, and the factor to ours."""
    order, factors = [], []
    for i, row in enumerate(ours, 1):
        ratios = {j: _ratio(row, other) for j, other in enumerate(theirs) if j not in order}
        positive = [j for j, ratio in ratios.items() if ratio is not None and ratio > 0]
        if not positive:
            if any(ratio is not None for ratio in ratios.values()):
                return f"unit {i} has its hyperplane in the other network, turned round"
            return f"unit {i} has its hyperplane at no unit of the other network"
        order.append(positive[0])
        factors.append(ratios[positive[0]])
    return tuple(order), tuple(factor for factor in factors if factor is not None)


def _ratio(row: Vector, other: Vector) -> fmpq | None:
    """c ≠ 0 with row = c·other, if there is one."""
    place = next((k for k, x in enumerate(other) if x != 0), None)
    if place is None or row[place] == 0:
        return None
    factor = row[place] / other[place]
    return factor if all(x == factor * y for x, y in zip(row, other, strict=True)) else None
