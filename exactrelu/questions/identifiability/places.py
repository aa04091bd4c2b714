"""Where tracks may be in another network: a search that refutes places.

Let the layers before l of a competitor η be those of N (see :mod:`.tracks`).  Each track of a
layer ≥ l of N is in some neuron of a layer ≥ l of η.  To show that a track t of layer l of N is in
layer l of η, all other ways to place the tracks are refuted, layer by layer:

- tracks that are level are in one layer, tracks that are ordered in layers of this order, tracks
  that are apart in different neurons, and a layer has as many neurons as in N;
- the tracks of one neuron are *possible* together: there is a row for them, for the inputs of the
  layer;
- the sign of a neuron changes exactly across its own facets, so that live cells, joined through
  visible facets, fall into sets on which it has one sign;
- *inputs of the next layer*, near a facet that is not placed yet: all rows of the kernel of each
  neuron, with coefficients of their own for each of these sets (more than one row can do, so that
  what is refuted is refuted for η too); and if fewer neurons than the layer has were given tracks,
  the others have no visible facet, so that on each *part* of the live cells they are on or off, and
  what they pass on is a combination of the inputs of their layer, with coefficients for each part.

What is left when the bound of the effort is met counts as not refuted.  The number of cases is
exponential in the number of tracks.

Symbols: t ``track``, l ``layer``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import networkx as nx

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.questions.identifiability.tracks import Inputs, Tracks, nullspace


@dataclass(frozen=True)
class State:
    """Tracks to be placed, those that wait for a later layer, those of the neurons of this one."""

    layer: int
    todo: tuple[int, ...]
    waiting: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    inputs: Mapping[int, Inputs]


class Places:
    """The search for other places of the tracks of a network."""

    def __init__(self, tracks: Tracks, effort: Effort = UNLIMITED) -> None:
        self._tracks, self._effort = tracks, effort

    def may_be_later(self, track: int) -> bool:
        """Whether places for all tracks, with this one in a later layer, are not refuted."""
        found = self._tracks
        layer = found.tracks[track].layer
        rest = tuple(t for t, other in enumerate(found.tracks) if other.layer >= layer)
        inputs = {k: found.inputs(k, layer) for t in rest for k in found.tracks[t].facets}
        todo = tuple(t for t in rest if t != track)
        return self._survives(State(layer, todo, (track,), (), inputs))

    def _survives(self, state: State) -> bool:
        self._effort.spend("places")
        if not state.todo and not state.waiting:
            return True
        following = self._placed(state) if state.todo else self._next_layer(state)
        return any(self._survives(after) for after in following)

    def _placed(self, state: State) -> Iterator[State]:
        """The states after the next track, which waits, or is in this layer."""
        found = self._tracks
        track, *rest = state.todo
        kind, after = found.class_of[track], replace(state, todo=tuple(rest))
        if found.height[kind] < found.n_hidden - state.layer:
            yield replace(after, waiting=(*state.waiting, track))
        present = {
            found.class_of[t]
            for t in (*rest, *state.waiting, *(t for g in state.groups for t in g))
        }
        if any(high == kind and low in present for low, high in found.order):
            return
        width = found.network.widths[state.layer]
        for i, group in enumerate((*state.groups, ())[:width]):
            larger = (*group, track)
            is_apart = any(frozenset((track, other)) in found.apart for other in group)
            if not is_apart and self._kernel(larger, state.inputs):
                yield replace(after, groups=(*state.groups[:i], larger, *state.groups[i + 1 :]))

    def _facets(self, tracks: Sequence[int]) -> list[int]:
        return [k for t in tracks for k in self._tracks.tracks[t].facets]

    def _kernel(self, group: Sequence[int], inputs: Mapping[int, Inputs]) -> list[Vector]:
        return self._tracks.kernel({k: inputs[k] for k in self._facets(group)})

    @cached_property
    def _doors(self) -> nx.Graph:
        """The live cells, joined through visible facets; edges have the facet."""
        graph = nx.Graph()
        for k in self._tracks.track_of:
            live = self._tracks.live_beside(k)
            graph.add_nodes_from(live)
            if len(live) == 2:
                graph.add_edge(*live, facet=k)
        return graph

    def _sheets(self, own: set[int]) -> list[set[tuple[int, int]]]:
        """Sets of live cells, with a side, on which a neuron with these facets has one sign."""
        graph = nx.Graph()
        graph.add_nodes_from((cell, s) for cell in self._doors for s in (1, -1))
        for a, b, facet in self._doors.edges(data="facet"):
            turn = -1 if facet in own else 1
            graph.add_edges_from(((a, s), (b, s * turn)) for s in (1, -1))
        sheets = nx.connected_components(graph)
        return [sheet for sheet in sheets if any(side > 0 for _, side in sheet)]

    def _next_layer(self, state: State) -> Iterator[State]:
        """The state at the start of the next layer, unless level tracks are in two layers."""
        found = self._tracks
        placed = {found.class_of[t] for group in state.groups for t in group}
        if any(found.class_of[t] in placed for t in state.waiting):
            return
        sources = [
            (set(self._facets(group)), self._kernel(group, state.inputs)) for group in state.groups
        ]
        n = found.network.n_inputs
        zero, one = (ZERO,) * (n + 1), (*[ZERO] * n, ONE)
        if len(state.groups) < found.network.widths[state.layer]:
            width = len(next(iter(state.inputs.values())))
            sources.append((set(), nullspace([], width)))
        inputs: dict[int, list[Vector]] = {k: [one] for k in self._facets(state.waiting)}
        for own, kernel in sources:
            sheets = self._sheets(own)
            for k, columns in inputs.items():
                self._effort.spend()
                cell = found.live_beside(k)[0]
                passed = [_combined(vector, state.inputs[k]) for vector in kernel]
                for sheet in sheets:
                    columns += passed if (cell, 1) in sheet else [zero] * len(passed)
        yield State(state.layer + 1, state.waiting, (), (), inputs)


def _combined(vector: Vector, columns: Inputs) -> Vector:
    """Σ entry·column."""
    pairs = [(x, column) for x, column in zip(vector, columns, strict=True) if x != 0]
    return tuple(sum((x * column[q] for x, column in pairs), ZERO) for q in range(len(columns[0])))
