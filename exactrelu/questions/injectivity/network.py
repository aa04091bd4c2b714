"""Is a network, a layer of it or a stage of it injective on a domain?  (Theory 6.5.)

**Stages.**  A stage is the map from what layer a passes on to what layer b passes on.  Layer 0
passes the input x on, hidden layer l its activations, the last layer the output.  The stage is
one-to-one on the image of D under layers 1, …, a iff for all x, y in D

    f_b(x) = f_b(y)  implies  f_a(x) = f_a(y).

The whole network is the stage from 0 to L, layer b on what it really sees that from b − 1.

**Pairs of closed cells.**  Cut D into closed cells by the hidden neurons, with the records that
prove they cover it.  Two points x ≠ y with one image lie in one cell, or the deepest node of the
split tree that has both of them is cut between them by some preactivation p, p(x) < 0 < p(y).
So f is one-to-one on D iff

* on each cell f(x) = f(y) implies x = y: for every coordinate r the system
  {x, y in the cell, f(x) = f(y), y_r > x_r} has no solution;
* for any two cells, parted by p, {x and y in the cells, f(x) = f(y), p(x) < 0 < p(y)} has none.

These are LPs in 2d variables, d the dimension of D, n of them for each cell and one for each pair;
a solution is the witness of a no.  For a stage from layer a read f_a(x) = f_a(y) for x = y.  A pair
of cells whose images under f meet, though f_a agrees wherever they do, then takes two LPs for each
output of layer a.  The number of cells is that of the activation regions, so the work grows with
its square.

**A whole network** is first taken layer by layer, the final affine map included: the first layer
on D, the others on the orthant, where everything lies that hidden layers pass on (Puthawala et
al., corollary 1, which forgets the last map).  This is sufficient only.  If the first layer takes
two points to one, so does the network.  Otherwise pairs of regions decide.

**One layer** on a domain of its inputs: :mod:`exactrelu.questions.injectivity.layer`, here with
the certificate.

Symbols: a → ``first``, b → ``last``, f_l → ``LayerStage.output``, D → ``domain``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Unpack

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Certificate, Verdict, claim, point_record
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.network.network import Layer, Network, evaluate, plain
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.injectivity.cells import CellPair, ProvedCell, proved_cells
from exactrelu.questions.injectivity.collisions import Collision
from exactrelu.questions.injectivity.covers import LayerProblem, integer_rows
from exactrelu.questions.injectivity.layer import LayerSoFar, Method, problem_injective
from exactrelu.questions.question import Call, question
from exactrelu.words import Words
from exactrelu.work.crew import shared

#: A layer that needs more covers than this is left to the pairs of regions.
MAX_COVERS = 20_000
#: Pairs of regions that are one piece of work for somebody else.
PAIRS = 50


@dataclass(frozen=True)
class LayerStage:
    """Layers first + 1, …, last of ``network`` on the image of ``domain``."""

    network: Network
    domain: Domain
    first: int
    last: int

    @classmethod
    def of(
        cls, network: Network, domain: DomainLike, first: int = 0, last: int | None = None
    ) -> LayerStage:
        """A stage of a network, all of it on all of space by default."""
        n_layers = len(network.layers)
        last = n_layers if last is None else last
        if not 0 <= first < last <= n_layers:
            raise InputError(f"layers {first + 1} to {last}: the network has {n_layers}")
        return cls(network, Domain.of(domain, network.n_inputs), first, last)

    def injective(self, method: str, records: Iterable[str]) -> Certificate:
        """The claim that it is one-to-one."""
        return self._claim(method, records, holds=True)

    def not_injective(self, x: Vector, y: Vector) -> Certificate:
        """The claim that it is not, by two points."""
        points = (point_record("point", point) for point in (x, y))
        return self._claim("points", points, holds=False)

    def _claim(self, method: str, records: Iterable[str], *, holds: bool) -> Certificate:
        return claim(
            "injective",
            method,
            records,
            holds=holds,
            network=self.network,
            domain=self.domain,
            first=self.first,
            last=self.last,
        )

    @property
    def up_to_last(self) -> Network:
        """The network with at most one layer after the last of the stage."""
        return self.network.truncate(1, min(self.last + 1, len(self.network.layers)))

    def output(self, layer: int, x: Vector) -> Vector:
        """f_layer(x): what the layer passes on."""
        if layer == 0:
            return x
        values = evaluate(self.network.truncate(1, layer), x)
        if layer == len(self.network.layers):
            return values
        passes = self.network.layers[layer - 1].passes
        pairs = zip(values, passes, strict=True)
        return tuple(value if is_linear else max(value, ZERO) for value, is_linear in pairs)


# --- Answers


def two_points(found: Any, words: Words) -> Iterator[str]:
    """The two points of a no."""
    if found.answer is False:
        for name, x in zip("xy", found.witness, strict=True):
            yield words.equation(f"  {name}", x)


@dataclass(frozen=True, eq=False, repr=False)
class Injectivity(Verdict):
    """The verdict, and what was settled on the way to it.

    ``injective_layers`` (from 1) are one-to-one on what they can get.  There are ``n_covers`` for a
    layer, or for the next one; no two points in ``n_regions`` have one image, which took
    ``n_pairs``.  ``n_left`` spans, or pairs of regions, are known to be left.
    """

    PARTS = (
        Part("witness", "null, or two points with one image", proved=True, said=two_points),
        Part("injective_layers", "layers that are one-to-one on what they can get"),
        Part("n_covers", "null, or how many spans were found to be covered"),
        Part("n_regions", "null, or of how many regions no two points have one image"),
        Part("n_pairs", "null, or how many pairs of regions that took"),
        Part("n_left", "null, or how many are known to be left"),
    )

    injective_layers: tuple[int, ...] = ()
    n_covers: int | None = None
    n_regions: int | None = None
    n_pairs: int | None = None
    n_left: int | None = None


class _Settled:
    """What is settled so far."""

    def __init__(self) -> None:
        self.layers: list[int] = []
        self.covers = LayerSoFar()
        self.by_pairs = False
        self.n_regions = self.n_pairs = self.n_pairs_left = 0

    def undecided(self, stopped: Stopped) -> Injectivity:
        """The answer if the work is stopped now."""
        shown = ", ".join(map(str, self.layers))
        words = f"layers one-to-one on what they can get: {shown}; " if shown else ""
        if not self.by_pairs:
            return Injectivity.undecided(
                stopped,
                f"{words}{self.covers}",
                injective_layers=tuple(self.layers),
                n_covers=self.covers.n_covers,
                n_left=self.covers.n_left,
            )
        return Injectivity.undecided(
            stopped,
            f"{words}no collision among {self.n_regions:,} regions so far",
            injective_layers=tuple(self.layers),
            n_regions=self.n_regions,
            n_pairs=self.n_pairs,
            n_left=self.n_pairs_left,
        )


# --- Pairs of closed cells


@question
def injective_by_pairs(
    call: Call[Injectivity],
    stage: LayerStage,
    **limits: Unpack[Limits],
) -> Injectivity:
    """Whether a stage is one-to-one; the witness of a no are two points.

    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> injective_by_pairs(LayerStage.of(absolute, None)).answer
    False
    >>> injective_by_pairs(LayerStage.of(absolute, "box:0,1")).answer
    True
    """
    settled = _Settled()
    call.knows(settled.undecided)
    return _by_pairs(stage, call.effort, settled)


def _by_pairs(stage: LayerStage, effort: Effort, settled: _Settled) -> Injectivity:
    settled.by_pairs = True
    cells = _PairsOfCells(stage, effort, settled)
    records: list[str] = []
    work, words = partial(_refuted, stage.first, stage.last), f"pairs of regions of {stage.network}"
    for answers in shared(work, cells.pairs(), effort, describe=lambda _: words):
        before, n_done = cells.before.popleft()
        records += before
        for answer in answers:
            if isinstance(answer, Solution):
                return _collision(stage, answer.flint_point)
            records += answer
            effort.spend("pairs")
            settled.n_pairs += 1
            settled.n_pairs_left -= 1
        settled.n_regions = n_done
    # A bound may have been reached after these: they come first, wherever they were compared.
    if cells.stopped is not None:
        raise cells.stopped
    records += cells.records
    n = settled.n_regions
    words = "region" if n == 1 else "regions, and no two of their images meet"
    return Injectivity(
        True,
        f"one-to-one on each of {n:,} {words}",
        certificate=stage.injective("pairs", records),
        n_regions=n,
        n_pairs=settled.n_pairs,
    )


class _PairsOfCells:
    """The cells in order, each with those before it and with itself as pairs to be compared."""

    def __init__(self, stage: LayerStage, effort: Effort, settled: _Settled) -> None:
        self._stage, self._effort, self._settled = stage, effort, settled
        #: Records that come before the next pairs.
        self.records: list[str] = []
        #: Those before pairs that are on their way, and how many cells are done after them.
        self.before: deque[tuple[list[str], int]] = deque()
        self.stopped: Stopped | None = None

    def pairs(self) -> Iterator[_Pairs]:
        """Some pairs at a time, one if nobody else compares them."""
        size = PAIRS if self._effort.is_shared else 1
        cells: list[ProvedCell] = []
        stage, alone = self._stage, self._effort.alone()
        try:
            for part in proved_cells(stage.up_to_last, stage.domain, alone):
                if isinstance(part, str):
                    self.records.append(part)
                    continue
                self._effort.spend("regions")
                self.records.append("cell")
                cells.append(part)
                self._settled.n_pairs_left += len(cells)
                for k in range(0, len(cells), size):
                    is_last = k + size >= len(cells)
                    self.before.append((self.records, len(cells) - (not is_last)))
                    self.records = []
                    yield _Pairs(tuple(cells[k : k + size]), part)
        except Stopped as stopped:
            self.stopped = stopped


class _Pairs(NamedTuple):
    """A cell, and those that it is compared with; it may be one of them."""

    lefts: tuple[ProvedCell, ...]
    right: ProvedCell


def _refuted(first: int, last: int, pairs: _Pairs, effort: Effort) -> list[list[str] | Solution]:
    """The records of some pairs, up to two points that have one image."""
    found: list[list[str] | Solution] = []
    for left in pairs.lefts:
        found.append(CellPair(left, pairs.right, first, last).refuted(effort))
        if isinstance(found[-1], Solution):
            break
    return found


def _collision(stage: LayerStage, point: Vector) -> Injectivity:
    d = stage.domain.inner_dimension
    x, y = stage.domain.flint_lift(point[:d]), stage.domain.flint_lift(point[d:])
    return Injectivity(False, "two points have one image", (x, y), stage.not_injective(x, y))


# --- Whole networks, and one layer


@question
def network_injective(
    call: Call[Injectivity],
    network: Network,
    domain: DomainLike = None,
    **limits: Unpack[Limits],
) -> Injectivity:
    """Whether the network is one-to-one on the domain; the witness of a no is a pair of points.

    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> network_injective(absolute).witness
    ((-1,), (1,))
    """
    return _of_network(call, network)


def _of_network(call: Call[Injectivity], network: Network) -> Injectivity:
    """By its layers where that will do, and else by pairs of regions."""
    effort, stage, settled = call.effort, LayerStage.of(network, call.place), _Settled()
    call.knows(settled.undecided)
    # What a layer with linear units can get is no orthant.
    found = _by_layers(stage, effort, settled) if network.is_plain else None
    return _by_pairs(stage, effort, settled) if found is None else found


def _by_layers(stage: LayerStage, effort: Effort, settled: _Settled) -> Injectivity | None:
    """An answer layer by layer; None where it is left to the pairs of regions."""
    network = stage.network
    records: list[str] = []
    where = stage.domain
    for number, layer in enumerate(network.layers, 1):
        left, settled.covers = effort.left("regions"), LayerSoFar()
        problem = LayerProblem(integer_rows(layer.weights, layer.flint_bias), where)
        try:
            answer = problem_injective(
                problem,
                effort.part(covers=MAX_COVERS if left is None else left),
                so_far=settled.covers,
                is_affine=number == len(network.layers),
            )
        except Stopped:
            effort.spend()
            return None
        if isinstance(answer, Collision):
            if number > 1:
                return None
            points = answer.x, answer.y
            reason = "the first layer takes two points to one"
            return Injectivity(False, reason, points, stage.not_injective(*points))
        settled.layers.append(number)
        records += answer.records
        where = Domain.of("orthant", layer.n_outputs)
    return Injectivity(
        True,
        "every layer is, on what it can get",
        certificate=stage.injective("layers", records),
        injective_layers=tuple(settled.layers),
    )


@question
def is_injective(
    call: Call[Injectivity],
    network: Network,
    domain: DomainLike = None,
    *,
    layer: int | None = None,
    method: Method = "auto",
    **limits: Unpack[Limits],
) -> Injectivity:
    """Whether a network, or one of its layers, is one-to-one.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    layer : int, optional
        Only this layer, from 1, on a domain of its inputs; hidden layers have ReLU, the last has
        not.
    method : str, optional
        ``"flats"``, ``"tree"`` or ``"auto"``: how the covers of a layer are searched.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Injectivity
        A verdict; the ``witness`` of a no is a pair of points with one image.

    Notes
    -----
    For a layer of m rows in n inputs there are about C(m, n − 1) linear programs at worst
    (``max_covers``).  The whole network is coNP-complete: pairs of regions may have to be compared
    (``max_regions``).

    References
    ----------
    Puthawala et al., *Globally injective ReLU networks*, Theorem 1; Lemma 1 in its repaired form.

    Examples
    --------
    >>> import exactrelu as er
    >>> both = er.Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> er.is_injective(both, layer=1).answer, er.is_injective(both).answer
    (True, False)
    >>> er.is_injective(both, layer=2).witness
    ((0, 0), (-1, 1))
    """
    if layer is None:
        return _of_network(call, network)
    network = plain(network, "injectivity of a single layer")
    chosen = layer_of(network, layer)
    effort, place = call.effort, call.place_in(chosen.n_inputs)
    is_last = layer == len(network.layers)
    problem = LayerProblem(integer_rows(chosen.weights, chosen.flint_bias), place)
    bounded, settled = effort.part(covers=effort.left("regions")), _Settled()
    call.knows(settled.undecided)
    answer = problem_injective(
        problem, bounded, so_far=settled.covers, is_affine=is_last, method=method
    )
    if isinstance(answer, Collision):
        return collision_verdict(network, layer, place, answer)
    certificate = layer_claim(network, layer, place, "spanning", answer.records)
    if is_last:
        reason = "its rows span"
    else:
        reason = f"the active rows span everywhere, by {answer.n_covers:,} covers ({answer.method})"
    return Injectivity(
        True, reason, certificate=certificate, injective_layers=(layer,), n_covers=answer.n_covers
    )


def layer_claim(
    network: Network, layer: int, domain: Domain, method: str, records: Iterable[str]
) -> Certificate:
    """The claim that a layer (from 1), alone, is one-to-one, or by points that it is not."""
    holds = method != "points"
    return claim(
        "layer-injective",
        method,
        records,
        holds=holds,
        network=network,
        layer=layer,
        domain=domain,
    )


def collision_verdict(
    network: Network, layer: int, domain: Domain, found: Collision
) -> Injectivity:
    """A no: the layer takes two points of the domain to one."""
    points = (found.x, found.y)
    records = [point_record("point", point) for point in points]
    certificate = layer_claim(network, layer, domain, "points", records)
    return Injectivity(False, "two points have one image", points, certificate)


def layer_of(network: Network, layer: int) -> Layer:
    """Layer number ``layer``, from 1."""
    if not 1 <= layer <= len(network.layers):
        raise InputError(f"layer {layer}: the network has layers 1 to {len(network.layers)}")
    return network.layers[layer - 1]
