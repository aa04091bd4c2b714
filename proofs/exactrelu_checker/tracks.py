"""Networks in general position: visible facets, tracks, and the rows that these allow.

The theorem and its proof are on the page ``identifiable`` of the rules, under ``tracks``. D
is not flat; cells, facets, ridges are the faces of codimension 0, 1, 2. A facet is
*visible* if the affine functions of the network on the two cells beside it differ. *General
position*:

(T1) a face of codimension k <= 2 lies in the zero sets of exactly k hidden neurons; (T2) a
facet of a neuron is visible if each later hidden layer has a positive neuron on it; (T3) if
neurons of two layers are 0 on a ridge that touches a visible facet, the two facets of the
     later one at it lie in different hyperplanes.

Four facets are around each ridge: two of each of its neurons, on the two sides of the
other. If one of them is visible, so is one of the other neuron. Visible facets of one
neuron at a ridge are of one *track*. Tracks that meet at a ridge of one layer are of one
*class*, all in one layer of every other network in question; at a ridge of two layers their
classes are *ordered*. A cell is *live* if the network is not constant on it; facets of one
live cell, of different neurons, are *apart*.

*Kernel.* Near a facet its neuron is one affine function g. A neuron that combines some
inputs there, affine functions a_1, …, has the facet in its zero set iff Σ w·a = μ·g with μ
!= 0. The kernel of some facets are the w with this equation for all of them, whatever μ;
none of them will do if some μ is 0 on the whole kernel.

*Places.* Let η have the values of N and be in general position, with the layers before the
first one here as in N. Every track of N of this or a later layer is in the zero set of one
neuron of η of such a layer; what is known of classes, order and tracks that are apart holds
there. The search tries all ways to place the tracks, layer by layer, with a given track in
a later layer than in N. Tracks of one neuron must have a kernel, with these inputs near
facets: at first what N passes on, and 1; then 1, and for each neuron of a layer all vectors
of its kernel, each once for each set of live cells on which it has one sign; and, if some
neurons of the layer got no tracks, the inputs of that layer, once for each part of the live
cells.

*Signs.* A neuron of η changes its sign on live cells exactly across its own facets. Parts
are live cells joined through visible facets. Two sheets of each part are joined so that the
sign changes where it must: cells on one sheet have one sign. (If there are no such signs
they are one.)
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from .file import Proof, need
from .numbers import (
    Entries,
    Row,
    bits,
    dots,
    longest,
    multiplied,
    paired,
    pivot_place,
    plane_of,
    primitive,
    total,
)
from .objects import Network, System, chart
from .unions import Signs, components, layers_of, read_faces

Space = list[Row]  # a basis


class Facet(NamedTuple):
    """A visible facet: number, layer and row of its neuron, and the live cells beside
    it.
    """

    neuron: int
    layer: int
    row: Row
    live: list[Signs]


def units(proof: Proof, width: int) -> Space:
    """Return the standard basis."""
    proof.spend(16 * width * width)  # it takes memory too
    return [tuple(int(i == j) for j in range(width)) for i in range(width)]


def cut(proof: Proof, space: Space, rows: Iterable[Entries]) -> Space:
    """Return a basis of the vectors v in a space with row·v = 0 for all rows."""
    for row in rows:
        proof.spend(16 * len(row))
        size = longest(space)
        values = dots(proof, space, row, size)
        at = next((i for i, value in enumerate(values) if value), None)
        if at is not None:
            size += bits(values)
            proof.spend(8 * len(space) * len(row), size, size)  # common divisors are slow
            pivot, factor = space[at], values[at]
            pairs = [*paired(space, values)]
            del pairs[at]
            space = [primitive(total((factor, -value), (v, pivot))) for v, value in pairs]
    return space


class Tracks:
    """The cells, visible facets and tracks of a network, which must be in general
    position.
    """

    def __init__(self, proof: Proof, network: Network, domain: System) -> None:
        need("eq" not in domain.senses, "domain-flat", "the domain is flat")
        faces = read_faces(proof, network, domain)
        self.proof, self.network, found = proof, network, faces.codimensions
        ok = all(signs.count(0) == k for signs, k in found.items() if k <= 2)
        need(ok, "too-many-zeros", "a face of codimension <= 2 in more zero sets than that")
        base, self.last = chart(proof, domain), len(self.network.hidden) - 1
        self.one, self.zero = (0,) * base.dim + (1,), (0,) * (base.dim + 1)
        layers = [l for l, layer in enumerate(self.network.hidden) for _ in layer.rows]
        self.cells: dict[Signs, Any] = {}  # the rows over t of the inputs and of all layers
        self.facets: dict[Signs, Facet] = {}
        self.walls: dict[Signs, list[Signs]] = {}  # the visible facets of live cells
        for signs, ((cell, rows), (other, others)) in faces.sides().items():
            self.cells |= {cell: (base.inputs, *rows), other: (base.inputs, *others)}
            neuron, is_visible = signs.index(0), rows[-1] != others[-1]
            after = layers_of(self.network, signs)[layers[neuron] + 1 :]
            ok = is_visible or any(1 not in part for part in after)
            need(ok, "facet-cancelled", "a facet without a jump in an active network")
            if is_visible:
                row = [row for layer in rows for row in layer][neuron]
                live = [
                    c for c in (cell, other) if any(any(r[:-1]) for r in self.cells[c][-1])
                ]
                self.facets[signs] = Facet(neuron, layers[neuron], row, live)
                for side in live:
                    self.walls.setdefault(side, []).append(signs)
        self._link([signs for signs, codimension in found.items() if codimension == 2])

    def _link(self, ridges: Iterable[Signs]) -> None:
        """Join visible facets of a neuron at ridges to tracks, and compare these."""
        joined: list[tuple[Signs, Signs]] = [(f, f) for f in self.facets]
        level, crossed = list[Sequence[Signs]](), list[Sequence[Signs]]()
        for signs in ridges:
            one, two = self._visible_at(signs)
            if one:
                joined += [(one[0], one[-1]), (two[0], two[1])]
                is_level = self.facets[one[0]].layer == self.facets[two[0]].layer
                (level if is_level else crossed).append((one[0], two[0], two[1]))
        self.crossings = [[self.facets[f] for f in crossing] for crossing in crossed]
        self._require_bent()
        self.track_of = components(joined)
        self.tracks: dict[Signs, list[Signs]] = {}
        for facet, track in self.track_of.items():
            self.tracks.setdefault(track, []).append(facet)
        same = [(self.track_of[a], self.track_of[b]) for a, b, _ in level]
        self.class_of = components([*((t, t) for t in self.track_of.values()), *same])
        classes = [
            [self.class_of[self.track_of[f]] for f in crossing] for crossing in crossed
        ]
        self.order = {(low, high) for low, high, _ in classes}
        self.above = dict.fromkeys(self.class_of.values(), 0)  # the longest chain
        for _ in self.network.hidden:
            for low, high in self.order:
                self.above[low] = max(self.above[low], self.above[high] + 1)
        work = (len(cell) * len(walls) ** 2 for cell, walls in self.walls.items())
        self.proof.spend(sum(work))
        beside = (pair for walls in self.walls.values() for pair in combinations(walls, 2))
        # Pairs of tracks of different neurons.
        self.apart = {frozenset((self.track_of[a], self.track_of[b])) for a, b in beside}

    def _visible_at(self, ridge: Signs) -> list[list[Signs]]:
        """Return the visible facets of both neurons at a ridge."""
        self.proof.spend((16 + self.last) * len(ridge))
        first, second = (i for i, sign in enumerate(ridge) if sign == 0)
        pairs = (
            [(*ridge[:i], side, *ridge[i + 1 :]) for side in (-1, 1)]
            for i in (second, first)
        )
        return [[facet for facet in pair if facet in self.facets] for pair in pairs]

    def _require_bent(self) -> None:
        """Refuse a neuron that goes straight on where it crosses an earlier layer."""
        for _, side, other in self.crossings:
            size = longest((side.row, other.row))
            self.proof.spend(16 * len(side.row), size, size)
            ok = plane_of(side.row) != plane_of(other.row)
            need(ok, "ridge-straight", "a neuron does not bend at an earlier one")

    def ended(self, layer: int) -> set[Signs]:
        """Return the tracks of a layer with a chain above them that leaves no later
        layer.
        """
        tracks = (t for t in self.tracks if self.facets[t].layer == layer)
        return {t for t in tracks if self.above[self.class_of[t]] == self.last - layer}

    def passed(self, cell: Signs, layer: int, turned: Entries = ()) -> list[Row]:
        """Return what layer - 1 passes on, on a cell or facet, if its neurons are turned;
        and 1.
        """
        self.proof.spend(16 * len(cell))
        stack = self.cells[self.facets[cell].live[0] if cell in self.facets else cell]
        signs = layers_of(self.network, cell)[layer - 1] if layer else (1,) * len(stack[0])
        sides = paired(stack[layer], signs, turned or (1,) * len(signs))
        return [
            *(tuple(row) if s * turn > 0 else self.zero for row, s, turn in sides),
            self.one,
        ]

    def kernel(self, facets: Iterable[Signs], inputs: dict[Signs, list[Row]]) -> Space:
        """Return a basis of the (w, b) with w·a + b = μ·g near facets, or [] if a μ must be
        0.
        """
        width, scales = len(next(iter(inputs.values()))), []
        space = units(self.proof, width)
        for facet in facets:
            g = self.facets[facet].row
            place, across = pivot_place(g) or 0, list(paired(*inputs[facet]))
            self.proof.spend(2 * len(g) * width, bits(g), longest(across))
            pairs = paired(g, across)
            rows = [total((g[place], -x), (row, across[place])) for x, row in pairs]
            space = cut(self.proof, space, rows)
            scales.append(across[place])
        sizes = [dots(self.proof, space, scale, longest(space)) for scale in scales]
        return space if all(map(any, sizes)) else []


class State(NamedTuple):
    """Tracks to be placed, those that wait for a later layer, those of the neurons of this
    one.
    """

    layer: int
    todo: tuple[Signs, ...]
    waiting: tuple[Signs, ...]
    groups: tuple[tuple[Signs, ...], ...]
    inputs: dict[Signs, list[Row]]  # at facets, what a neuron may combine


def may_be_later(found: Tracks, track: Signs) -> bool:
    """Tell whether the search finds places for all tracks, with one in a later layer."""
    first = found.facets[track].layer
    todo = tuple(t for t in found.tracks if found.facets[t].layer >= first and t != track)
    inputs = {f: found.passed(f, first) for f in _facets(found, (*todo, track))}
    stack: list[Iterator[State]] = [iter([State(first, todo, (track,), (), inputs)])]
    while stack:
        state = next(stack[-1], None)
        if state is None:
            stack.pop()
        elif not state.todo and not state.waiting:
            return True
        else:
            stack.append((_placed if state.todo else _following)(found, state))
    return False


def _facets(found: Tracks, tracks: Iterable[Signs]) -> list[Signs]:
    return [facet for track in tracks for facet in found.tracks[track]]


def _placed(found: Tracks, state: State) -> Iterator[State]:
    """Yield the states after the next track, which waits, or is in this layer."""
    layer, (track, *todo), waiting, groups, inputs = state
    kind, here = found.class_of[track], (t for group in groups for t in group)
    found.proof.spend((len(found.tracks) + len(found.order)) * len(track))
    if found.above[kind] < found.last - layer:
        yield state._replace(todo=tuple(todo), waiting=(*waiting, track))
    present = {found.class_of[t] for t in (*todo, *waiting, *here)}
    if any(high == kind and low in present for low, high in found.order):
        return
    for i, group in enumerate((*groups, ())[: found.network.widths[layer + 1]]):
        larger = (*group, track)
        ok = not any({track, other} in found.apart for other in group)
        if ok and found.kernel(_facets(found, larger), inputs):
            yield state._replace(
                todo=tuple(todo), groups=(*groups[:i], larger, *groups[i + 1 :])
            )


def _following(found: Tracks, state: State) -> Iterator[State]:
    """Yield the state at the start of the next layer, unless level tracks are in two
    layers.
    """
    layer, _, waiting, groups, inputs = state
    kinds = {found.class_of[track] for group in groups for track in group}
    if any(found.class_of[track] in kinds for track in waiting):
        return
    parts = [set(_facets(found, group)) for group in groups]
    sources = [(own, found.kernel(own, inputs)) for own in parts]
    if len(groups) < found.network.widths[layer + 1]:
        sources.append((set(), units(found.proof, len(next(iter(inputs.values()))))))
    doors = [(f, *facet.live) for f, facet in found.facets.items() if len(facet.live) == 2]
    columns = {facet: [found.one] for facet in _facets(found, waiting)}
    for own, kernel in sources:
        found.proof.spend(8 * (len(doors) + len(found.walls)) * sum(found.network.widths))
        pairs = (((a, s), (b, -s if f in own else s)) for f, a, b in doors for s in (-1, 1))
        sheet = components([*(((c, 1), (c, 1)) for c in found.walls), *pairs])
        sheets = sorted({sheet[cell, 1] for cell in found.walls})
        for facet, new in columns.items():
            passed = multiplied(found.proof, kernel, inputs[facet], len(found.one))
            found.proof.spend(16 * len(sheets) * (len(passed) + len(facet)))
            for each in sheets:
                is_here = each == sheet[found.facets[facet].live[0], 1]
                new += passed if is_here else [found.zero] * len(passed)
    yield State(layer + 1, waiting, (), (), columns)
