"""Which engine finds the signs of neurons on a domain: the one place that chooses.

*Bounds* of the checker on the box of the domain: intervals, and backward linear bounds in integers
(``exactrelu_checker.bounds``).  They are their own proof, as the checker computes the same.

*Cells* of the network that they leave (:attr:`Knowledge.reduced`): a neuron is off if it is active
on none of them, on if it is inactive on none, and bent otherwise.  Their tree is the proof.

Measured on ACAS Xu 1-1 and 3-5 (300 neurons) on boxes of radius r around 0, neurons with a sign,
and seconds of CPU:

========================  ================  ================  ================  ================
engine                    r = 0.01          0.05              0.1               0.25
========================  ================  ================  ================  ================
intervals                 130, 135; 0.02    68, 65; 0.02      45, 37; 0.02      9; 0.02
linear programs           131, 136; 5       68, 66; 14        more than 60 s    –
CROWN in floats           275, 272; 0.02    142, 125; 0.02    59, 67; 0.02      10; 0.02
bounds of the checker     275, 272; 0.02    142, 125; 0.04    59, 67; 0.07      10; 0.1
cells, all of them        285, 279; 0.4, 3  245; 42           more than 60 s    –
cells of what is left     285; 0.06         –                 –                 –
========================  ================  ================  ================  ================

So on these floats and intervals find nothing that the bounds of the checker do not find at once,
with their proof; linear programs find half as much in a hundred times the time.  Where weights are
short intervals find more, as they do not round, and see that s(x) ≥ 0: of 3,578 neurons of 400
networks with weights of one digit, on boxes, intervals find 2,039, bounds 1,862, both together
2,113.  They need no more than one end, and so are what is cheap on orthants and half-spaces.
784-256-256-10 has 352 of 512 by intervals, 478 by either kind of bounds (radius 1/1000), in 0.6,
0.5 and 1.3 s; bounds of the first layer take no products, as its terms are the inputs.

On a domain with rows and no box there is a linear program for each neuron of the first layer, and
of the next ones while nothing is cut: a ``decided`` without a cut is their proof.  It takes 2, 10
and 17 ms for 2-24-24-1, 5-40-20-1 and 8-64-8-1 on an orthant, nothing on all of space, where 0.1 ms
is spent at most; small networks have their cells in that time.  Trees of programs come where cells
are too many and time is no matter: by 7 of them a neuron of 8-12-8-4-1 is off on all of space (0.07
s), where 1,380 cells are four per cent.  On all of space nothing is tried unless cells are asked
for.  3-32-32-32-1 on boxes of radius 1, 0.2, 0.05: intervals 0, 2, 18; bounds 0, 2, 26; cells 2,
16, 50, in 28, 14, 1.5 s.

*Cells are a question of their number*, which nobody knows before.  Points tell: where most of a few
hundred lie in cells of their own there are many, and where all neurons that are left were seen to
bend there is nothing to find.  Floats go to corners of the box for signs that the sample has not
shown (:mod:`.corners`): of the 72 neurons of 784-256-256-10 that bounds leave at radius 1/500 they
show 66 to bend, by 57 points in 0.7 s, of the 362 of mnist_256x2 around 0 they show 251. Then cells
are listed up to a number: ACAS Xu 2-1 on a box of radius 1/50 has 9,811, which settle 83 more
neurons in 0.6 s.  In more than a dozen inputs a cell takes linear programs, of a second each with
784, and cells are not begun where points saw many.

Bounds are not monotone: parts of a box may show less than the box.  What is known on a domain holds
on its parts, so hand it on and do not ask again there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import IntEnum
from itertools import chain
from typing import Any, NamedTuple

from exactrelu.cells.box_bounds import SHARE, bounded, has_box, has_ends, interval_ends
from exactrelu.cells.corners import corner_points
from exactrelu.cells.dead_neurons import ActivePoint, bound_tree
from exactrelu.cells.forms import root_signs
from exactrelu.cells.knowledge import Knowledge, ShownSigns, Unit
from exactrelu.cells.regions import MAX_BOUNDED, list_regions, uncut_sides
from exactrelu.cells.samples import sampled_in_turn
from exactrelu.cells.tree import Region
from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network, trace
from exactrelu.network.rewriting import Tree
from exactrelu.network.roles import Interval
from exactrelu.polyhedra.domain import Domain

#: So many cells are listed at most.
MAX_CELLS = 20_000
#: In more than ``MAX_BOUNDED`` inputs a cell takes a linear program for each neuron that is left.
#: Where the cells that points have seen take more entries of such programs, none is begun.
MAX_ENTRIES = 50_000
#: Cells are listed unless more than this share of the points tried lie in different ones.
MAX_APART = 0.7
#: From so many neurons on cells are listed for the signs of two networks, and bounds are asked for
#: before regions are.
MANY_NEURONS = 40
#: Linear programs for the first layer are solved if they have so many entries together.
MAX_SIZE = 2**18
#: Nodes of a tree of linear programs, and variables of each: more take seconds each.
MAX_NODES, MAX_VARIABLES = 200, 100
#: The answers that were given last are kept: questions ask several times for the same.
N_KEPT = 8


class KnowledgeStage(IntEnum):
    """How much is tried."""

    #: What takes no longer than evaluating the network some hundred times: bounds on a box, and on
    #: other domains a linear program for each neuron of the first layer.
    BOUNDS = 1
    #: Cells too, where there are few.
    CELLS = 2


class _KeptAnswers(NamedTuple):
    """The answers for a network on a domain, each by its stage: the same whoever asked before."""

    network: Network
    domain: Domain
    found: dict[KnowledgeStage, Knowledge]


_LAST: list[_KeptAnswers] = []


def known(
    network: Network,
    domain: Domain,
    effort: Effort = UNLIMITED,
    stage: KnowledgeStage = KnowledgeStage.BOUNDS,
) -> Knowledge:
    """What is known of the signs of the hidden neurons of a network on a domain.

    It costs nothing where nothing can be found by bounds, and where it was asked before.

    >>> net = Network.from_arrays([[[1], [1]], [[1, -1]], [[1]]], [[1, 0], [0], [0]])
    >>> known(net, Domain.of("box:-1/2..1/2", 1)).signs
    ((1, None), (1,))
    >>> known(net, Domain.of(None, 1)).n_settled
    0
    """
    if stage is KnowledgeStage.BOUNDS and not (has_ends(domain) or _is_for_sides(network, domain)):
        return Knowledge(network, domain)
    kept = _kept(network, domain)
    found = Knowledge(network, domain)
    for one in KnowledgeStage:
        if one in kept.found:
            found = kept.found[one]
        else:
            new = _FIND[one](found, effort)
            if new is None:
                break
            kept.found[one] = found = new
        if one is stage:
            break
    return found if found.network is network else replace(found, network=network)


def has_many_neurons(*networks: Network) -> bool:
    """Whether networks together are large enough that signs are worth their cost."""
    return sum(network.n_hidden_neurons for network in networks) >= MANY_NEURONS


def known_of_many(network: Network, domain: Domain, effort: Effort = UNLIMITED) -> Knowledge:
    """What bounds show of a large network; small ones have their regions as fast as bounds."""
    large = has_many_neurons(network)
    return known(network, domain, effort) if large else Knowledge(network, domain)


def known_of_faces(network: Network, place: Domain, n_grid: int, effort: Effort) -> Knowledge:
    """The same where faces are asked for, without the grid of so many neurons of the first layer.

    There are more faces than cells, so that all cells are looked at if they are few.  On a line
    faces are found without linear programs, as fast as signs.
    """
    if n_grid == sum(network.hidden_widths) or place.inner_dimension <= 1:
        return Knowledge(network, place)
    if n_grid:
        first, second, *others = network.layers
        own = range(first.n_outputs - n_grid)
        first = first.with_affine(first.affine.take(own))
        second = second.with_affine(second.affine.take(None, [*own, second.n_inputs]))
        network = Network((first, second, *others))
    found = known_of_many(network, place, effort)
    return known(network, place, effort, KnowledgeStage.CELLS) if found else found


def _kept(network: Network, domain: Domain) -> _KeptAnswers:
    """What is kept about a network on a domain, as the last that was asked for.

    Signs are those of hidden neurons: another last layer does not change them.
    """
    for k, kept in enumerate(_LAST):
        if _has_same_neurons(kept.network, network) and kept.domain == domain:
            _LAST.insert(0, _LAST.pop(k))
            break
    else:
        _LAST.insert(0, _KeptAnswers(network, domain, {}))
        del _LAST[N_KEPT:]
    return _LAST[0]


def _has_same_neurons(network: Network, other: Network) -> bool:
    is_alike = network.widths[:-1] == other.widths[:-1]
    return network is other or (is_alike and network.layers[:-1] == other.layers[:-1])


def by_bounds(found: Knowledge, effort: Effort = UNLIMITED) -> Knowledge | None:
    """Signs that bounds on the box of a domain show; None if not in time."""
    network, part = found.network, effort.part(share=SHARE)
    shown: list[tuple[Unit, int, tuple[Any, Any]]] = []
    try:
        for l, ends in enumerate(interval_ends(network, found.domain, part)):
            shown += [((l, i), _sign(one), one) for i, one in enumerate(ends)]
        bounds_and_node = bounded(network, found.domain, effort)
    except Stopped:
        effort.spend()
        return None
    if bounds_and_node is not None:
        bounds, node = bounds_and_node
        for l, signs_of_layer in enumerate(bounds.signs(node)):
            for i, sign in enumerate(signs_of_layer):
                shown.append(((l, i), sign, node.ends[l][i]))
    signs: dict[Unit, int] = {}
    weak = set()
    for (l, i), sign, (low, high) in shown:
        if sign and not network.layers[l].passes[i] and (l, i) not in signs:
            signs[l, i] = sign
            if not (low or 0) > 0 and not (high or 0) < 0:
                weak.add((l, i))
    for unit in _never_seen_positive(found, {unit for unit in weak if signs[unit] > 0}):
        # It may be 0 on all of the domain: then it is off.
        del signs[unit]
        weak.remove(unit)
    proofs = (ShownSigns("bounds", dict(sorted(signs.items()))),) if signs else ()
    return replace(found, proofs=proofs, weak=frozenset(weak))


def _sign(ends: Interval) -> int:
    """The sign that ends show, 0 if they show none; that of 0 is −."""
    low, high = ends
    return -1 if high is not None and high <= 0 else 1 if low is not None and low >= 0 else 0


def by_bounds_and_sides(found: Knowledge, effort: Effort = UNLIMITED) -> Knowledge | None:
    """What is found in little time: by bounds, and without a box by linear programs too."""
    known = by_bounds(found, effort)
    return known if known is None else by_sides(known, effort)


def by_sides(found: Knowledge, effort: Effort = UNLIMITED) -> Knowledge | None:
    """Signs that linear programs show without a cut, after what is known; None if not in time."""
    if not (found.n_left and _is_for_sides(found.network, found.domain)):
        return found
    reduced, inside = found.reduced, found.domain.inside
    sides = effort.tried(lambda part: [*uncut_sides(reduced.restricted, inside, part)], share=SHARE)
    if sides is None:
        return None
    signs = {
        (node.layer, reduced.units[node.layer][side.neuron]): side.sign
        for node in sides
        for side in node.neurons
    }
    return replace(found, proofs=(*found.proofs, ShownSigns("sides", signs))) if signs else found


def _is_for_sides(network: Network, domain: Domain) -> bool:
    """Whether a domain has rows and no box, and linear programs on it are few and small."""
    n_rows = len(domain.system.rows)
    if not n_rows or network.n_hidden_neurons < MANY_NEURONS:
        return False
    size = network.hidden_widths[0] * domain.dimension * (domain.dimension + n_rows)
    return size <= MAX_SIZE and domain.inner_dimension > 0 and not has_box(domain)


def _never_seen_positive(found: Knowledge, units: set[Unit]) -> set[Unit]:
    """Those of some neurons that are positive at no point of a few of the domain."""
    place = found.domain
    if units:
        pattern = trace(found.network, place.flint_point).pattern
        units = {(l, i) for l, i in units if pattern[l][i] <= 0}
    if units:
        inner, start = place.restricted(found.network), place.coordinates(place.flint_point)
        for region in chain.from_iterable(sampled_in_turn(inner, place.inside, start)):
            units = {(l, i) for l, i in units if region.pattern[l][i] <= 0}
            if not units:
                break
    return units


def by_cells(
    found: Knowledge, effort: Effort = UNLIMITED, most: int | None = None
) -> Knowledge | None:
    """The signs of all others if cells are few, else points show some bent; None if not in time."""
    inner, place = found.reduced.restricted, found.domain
    if not found.n_left:
        return found
    most = MAX_CELLS if most is None else min(most, MAX_CELLS)
    start = place.coordinates(place.flint_point)
    samples: list[Region] = []
    seen = _SeenSigns(found)
    for some in sampled_in_turn(inner, place.inside, start):
        seen.see(some)
        if seen.n_bent == found.n_left:
            return seen.known(is_all=False)
        samples += some
    n_apart = len({region.pattern for region in samples})
    corners = corner_points(inner, place.inside, samples[0].flint_point, seen.unseen)
    seen.see(corners.points)
    if seen.n_bent == found.n_left or n_apart > MAX_APART * len(samples):
        return seen.known(is_all=False)
    n_cells = max(n_apart, corners.n_patterns)
    if inner.n_inputs > MAX_BOUNDED and inner.n_inputs * found.n_left * n_cells > MAX_ENTRIES:
        return seen.known(is_all=False)
    # Cells of the question itself are counted by the question.
    part = effort.part(share=SHARE).apart(regions=most)
    try:
        return _SeenSigns(found, list_regions(inner, place.inside, part)).known(is_all=True)
    except Stopped:
        effort.spend()
        return None if part.seconds_left() == 0 else seen.known(is_all=False)


def by_all_cells(found: Knowledge, effort: Effort = UNLIMITED) -> Knowledge:
    """The signs of all others, by however many cells; raises :class:`Stopped` over a bound."""
    if found.n_left == len(found.bent):
        return found
    regions = list_regions(found.reduced.restricted, found.domain.inside, effort)
    return _SeenSigns(found, regions).known(is_all=True)


def by_programs(network: Network, domain: Domain, effort: Effort = UNLIMITED) -> Knowledge:
    """What linear programs show without a cut: signs for a guess, which come without a proof."""
    signs = root_signs(network, domain.inside, effort)
    return Knowledge(network, domain, (ShownSigns("programs", signs),) if signs else ())


def never_active(
    network: Network, domain: LinearSystem, unit: Unit, effort: Effort = UNLIMITED
) -> Tree | None:
    """A tree of linear programs that shows a neuron to be off; None if there is no small one."""
    if sum(network.widths[: unit[0] + 1]) > MAX_VARIABLES:
        return None
    tree = bound_tree(network, domain, unit, MAX_NODES, effort)
    return None if isinstance(tree, ActivePoint) else tree


class _SeenSigns:
    """The signs, in some cells of the reduced network, of the neurons that have none everywhere."""

    def __init__(self, found: Knowledge, regions: Iterable[Region] = ()) -> None:
        self._found = found
        # Where they are among the units that are left.
        self._places = [
            (l, i, k)
            for l, units in enumerate(found.reduced.units)
            for k, i in enumerate(units)
            if (l, i) not in found.settled and not found.network.layers[l].passes[i]
        ]
        self._signs: set[tuple[Unit, int]] = set()
        self._points: list[tuple[set[tuple[Unit, int]], Vector]] = []
        self.see(regions)

    def see(self, regions: Iterable[Region]) -> None:
        """Take note of cells, or of points in them."""
        for region in regions:
            new = {((l, i), region.pattern[l][k]) for l, i, k in self._places} - self._signs
            if new:
                self._signs |= new
                self._points.append((new, region.flint_point))

    @property
    def unseen(self) -> list[tuple[int, int, int]]:
        """Layer and unit of the reduced network of each neuron, and a sign that it did not show."""
        return [
            (l, k, sign)
            for l, i, k in self._places
            for sign in (1, -1)
            if ((l, i), sign) not in self._signs
        ]

    @property
    def _bent(self) -> set[Unit]:
        units = {(l, i) for l, i, _ in self._places}
        return {unit for unit in units if {(unit, 1), (unit, -1)} <= self._signs}

    @property
    def n_bent(self) -> int:
        """How many neurons have both signs."""
        return len(self._bent)

    def known(self, is_all: bool) -> Knowledge:
        """What that shows; all other neurons have one sign if these are all cells."""
        found, bent = self._found, self._bent
        wanted = {(unit, sign) for unit in bent for sign in (1, -1)}
        lift = found.domain.flint_lift
        points = tuple(lift(t) for new, t in self._points if new & wanted)
        found = replace(found, bent=frozenset(bent), points=points)
        left = [(l, i) for l, i, _ in self._places if (l, i) not in bent]
        if not (is_all and left):
            return found
        signs = {unit: 1 if (unit, 1) in self._signs else -1 for unit in left}
        weak = {unit for unit in left if (unit, 0) in self._signs}
        return replace(
            found, proofs=(*found.proofs, ShownSigns("cells", signs)), weak=found.weak | weak
        )


_FIND = {KnowledgeStage.BOUNDS: by_bounds_and_sides, KnowledgeStage.CELLS: by_cells}
