"""Networks of any depth that their function determines: layer by layer, from the first.

The theorem is on the page ``identifiable`` of the rules; see :mod:`.tracks` for words.  Let N be
in general position on D, and η a competitor whose layers before l are those of N.  Layer l of η is
that of N, up to the order and the positive factors of its neurons, if

1. each neuron i of layer l has tracks that are *surely* in layer l of η: by a chain above them, or
   since all other places are refuted (:mod:`.places`);
2. one of them for each neuron can be chosen so that no two of these are in one neuron of η, as
   they are apart or not possible together: these are n_l neurons, all of the layer.  A further
   track that fits none of the other neurons is in the neuron of the one chosen for i; in the end
   the kernel of those has dimension 1, and gives the row up to a factor;
3. no neurons can be turned around: for each choice of signs ε ≠ 1 there is a live cell on which the
   gradient of f is not in the span of those of the neurons that are then active, or a track of the
   next layer, by a chain, that is not possible with the inputs s(ε·z).

For the last hidden layer kernels may be larger, and 3 is another condition: for each ε the
equations for all its rows, from its facets and from the values of f on all cells, have no solution,
and for ε = 1 just one.

*Among all networks*, for two hidden layers: every ridge at which a neuron of layer 2 bends lies in
a hyperplane of the first layer of *any* network η of the widths with the values of N.  If those on
H_i have more different affine hulls than η has hyperplanes left, H_i is one of them; and facets
take the place of tracks.

Symbols: ε ``turned``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, product

from flint import fmpq

from exactrelu.certificates.certificate import Certificate, claim
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import ZERO, Vector, dot
from exactrelu.network.network import PlainNetwork
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.identifiability.general_position import is_in_general_position
from exactrelu.questions.identifiability.places import Places
from exactrelu.questions.identifiability.tracks import Tracks, nullspace

#: Layers with more neurons are not tried: all choices of signs are refuted one by one.
MAX_WIDTH = 10
#: Steps of a search for other places of tracks; what is not refuted by then is taken as possible.
MAX_PLACES = 3_000

ALL = (
    "every network of these widths with its function is this one up to order and scaling, by the "
    "bends of its two hidden layers"
)
GENERAL = (
    "every network of these widths in general position with its function is this one up to order "
    "and scaling, by the tracks of its kinks; networks in special position are not excluded"
)


class NotShown(Exception):
    """What the function does not show, as far as the method sees."""


def track_proof(
    network: PlainNetwork, place: Domain, effort: Effort = UNLIMITED
) -> tuple[str, Certificate]:
    """Why a network is identifiable, among all networks or those in general position, with proof.

    Raises :class:`NotShown` with the reason why the method does not show it.

    >>> from exactrelu.network.network import Network, plain
    >>> net = Network.from_arrays(
    ...     [[[-3, 1], [2, 3], [2, 1]], [[-2, -1, 2], [-1, -1, 2]], [[-3, 2]]],
    ...     [[0, -1, 0], [2, 3], [0]])
    >>> track_proof(plain(net, ""), Domain.of(None, 2))[0] == GENERAL
    True
    """
    if max(network.hidden_widths, default=0) > MAX_WIDTH:
        raise NotShown(f"a layer has more than {MAX_WIDTH} neurons")
    found = is_in_general_position(network, place, effort)
    if not found.answer:
        raise NotShown(
            f"not in general position: {found.reason}" if found.answer is False else found.reason
        )
    tracks = Tracks(found)
    try:
        Ridges(tracks, effort).show()
        among, method, reason = "all", "ridges", ALL
    except NotShown:
        Peeling(tracks, effort).show()
        among, method, reason = "general-position", "tracks", GENERAL
    listed = polyhedral_complex(network, place, effort=effort)
    if listed.tree is None:
        raise NotShown(listed.reason)
    about = {"network": network, "among": among, "domain": place}
    return reason, claim("identifiable", method, listed.listed, holds=True, **about)


class Peeling:
    """The layers of a network in general position, from the first, among such networks."""

    #: Whether competitors are in general position.
    are_general = True

    def __init__(self, tracks: Tracks, effort: Effort = UNLIMITED) -> None:
        self.tracks, self.effort = tracks, effort
        self.widths, self.n_hidden = tracks.network.widths, tracks.n_hidden

    def show(self) -> None:
        """All layers; raises :class:`NotShown`."""
        for layer in range(1, self.n_hidden + 1):
            self._show_rows(layer, self._sure(layer))
            if layer < self.n_hidden:
                self._show_signs(layer, self.tracks.ended(layer + 1))
            else:
                self._show_last()

    def _sure(self, layer: int) -> list[list[tuple[int, ...]]]:
        """For each neuron of a layer the facets of its sure tracks."""
        found = self.tracks
        sure = set(found.ended(layer))
        shown = {found.tracks[t].neuron for t in sure}
        for t, track in enumerate(found.tracks):
            if track.layer == layer and track.neuron not in shown and not self._may_be_later(t):
                sure.add(t)
        return [
            [found.tracks[t].facets for t in sorted(sure) if found.tracks[t].neuron == (layer, i)]
            for i in range(1, self.widths[layer] + 1)
        ]

    def _may_be_later(self, track: int) -> bool:
        found = self.effort.tried(
            lambda part: Places(self.tracks, part).may_be_later(track), places=MAX_PLACES
        )
        return found is not False

    def _show_rows(self, layer: int, sure: Sequence[Sequence[tuple[int, ...]]]) -> None:
        """The rows of a layer, up to their order and factors, from sets of facets.

        First one set of each neuron, so that no two of them are in one neuron of η; then those that
        cannot be in any of the other neurons.
        """
        chosen: list[list[tuple[int, ...]]] = []
        for i, own in enumerate(sure, 1):
            if not own:
                raise NotShown(f"neuron ({layer},{i}) may be in a later layer")
            chosen.append([min(own, key=lambda facets: self._rank(facets, layer))])
        for (i, one), (j, two) in combinations(enumerate(chosen, 1), 2):
            if self._fits(layer, one, two[0]):
                raise NotShown(f"kinks of ({layer},{i}) and ({layer},{j}) may be those of one")
        has_grown = True
        while has_grown:
            has_grown = False
            for i, own in enumerate(sure):
                others = [sets for j, sets in enumerate(chosen) if j != i]
                for facets in own:
                    if facets not in chosen[i] and not any(
                        self._fits(layer, sets, facets) for sets in others
                    ):
                        chosen[i].append(facets)
                        has_grown = True
        for i, (own, sets) in enumerate(zip(sure, chosen, strict=True), 1):
            is_last = self.are_general and layer == self.n_hidden and len(sets) == len(own)
            if not is_last and len(self.tracks.own_kernel(_joined(sets), layer)) != 1:
                raise NotShown(f"the kinks of neuron ({layer},{i}) do not show its weights")

    def _rank(self, facets: tuple[int, ...], layer: int) -> tuple[int, tuple[int, ...]]:
        """The dimension of the kernel of facets, and their first signs, as the checker has them."""
        signs = (chain.from_iterable(self.tracks.facet(k).signs) for k in facets)
        return len(self.tracks.own_kernel(facets, layer)), min(map(tuple, signs))

    def _fits(self, layer: int, sets: Sequence[tuple[int, ...]], more: tuple[int, ...]) -> bool:
        """Whether facets may be those of a neuron that has some sets of facets."""
        self.effort.spend()
        track_of, apart = self.tracks.track_of, self.tracks.apart
        if self.are_general and any(
            frozenset((track_of[facets[0]], track_of[more[0]])) in apart for facets in sets
        ):
            return False
        return bool(self.tracks.own_kernel((*_joined(sets), *more), layer))

    def _show_signs(self, layer: int, later: Sequence[int]) -> None:
        """No neurons of a layer can be turned around."""
        for turned in product((1, -1), repeat=self.widths[layer]):
            self.effort.spend()
            if -1 in turned and not (
                any(self._has_other_slope(cell, layer, turned) for cell in self.tracks.cells)
                or any(self._does_not_fit(track, layer + 1, turned) for track in later)
            ):
                names = ", ".join(f"({layer},{i})" for i, turn in enumerate(turned, 1) if turn < 0)
                raise NotShown(f"the sides of {names} are not shown")

    def _has_other_slope(self, cell: int, layer: int, turned: Sequence[int]) -> bool:
        normal = nullspace(self.tracks.slopes(cell, layer, turned), self.widths[0])
        return any(dot(row[:-1], v) != 0 for row in self.tracks.outputs(cell) for v in normal)

    def _does_not_fit(self, track: int, layer: int, turned: Sequence[int]) -> bool:
        return not self.tracks.own_kernel(self.tracks.tracks[track].facets, layer, turned)

    def _show_last(self) -> None:
        """The rows of the last hidden layer and the output biases: no others fit.

        Unknowns are the rows one after the other, the biases, and 1.
        """
        found, layer = self.tracks, self.n_hidden
        n, size, n_out = self.widths[layer], self.widths[layer - 1] + 1, self.widths[-1]
        on_facets = []
        for k, facet in enumerate(found.found.facets):
            if facet.neuron[0] == layer:
                columns = found.inputs(k, layer)
                for q, entry in enumerate(facet.function):
                    row = [ZERO] * (n * size + n_out + 1)
                    start = (facet.neuron[1] - 1) * size
                    row[start : start + size] = [column[q] for column in columns]
                    row[-1] = -entry
                    on_facets.append(row)
        for turned in product((1, -1), repeat=n):
            self.effort.spend()
            rows = [
                *on_facets,
                *(row for cell in found.cells for row in self._values(cell, turned)),
            ]
            solutions = nullspace(rows, n * size + n_out + 1)
            is_fine = len(solutions) == 1 if -1 not in turned else not any(v[-1] for v in solutions)
            if not is_fine:
                raise NotShown(f"the values may be those of another layer {layer}")

    def _values(self, cell: int, turned: Sequence[int]) -> Iterator[list[fmpq]]:
        """What the values on a cell ask of the rows of the last hidden layer."""
        found, layer = self.tracks, self.n_hidden
        signs = found.found.cells[cell].signs
        columns = found.passed(cell, signs, layer)
        active = [turn if turn == s else 0 for turn, s in zip(turned, signs[-1], strict=True)]
        weights = found.network.layers[-1].weights.flint_rows()
        outputs = found.outputs(cell)
        for o, (row, output) in enumerate(zip(weights, outputs, strict=True)):
            used = [w * turn for w, turn in zip(row, active, strict=True)]
            for q, value in enumerate(output):
                parts = [w * column[q] for w in used for column in columns]
                ones = [fmpq(o == k and q == len(output) - 1) for k in range(len(outputs))]
                yield [*parts, *ones, -value]


def _joined(sets: Sequence[tuple[int, ...]]) -> list[int]:
    return [k for facets in sets for k in facets]


class Ridges(Peeling):
    """Two hidden layers, among all networks."""

    are_general = False

    def show(self) -> None:
        """Both layers; raises :class:`NotShown`."""
        if self.n_hidden != 2:
            raise NotShown("not two hidden layers")
        counts = sorted((len(hulls) for hulls in self._hulls().values()), reverse=True)
        n = self.widths[1]
        if not all(count > n - known for known, count in enumerate(counts)):
            raise NotShown("too few bends on the hyperplanes of layer 1")
        self._show_signs(1, ())
        facets = [(k, facet.neuron) for k, facet in enumerate(self.tracks.found.facets)]
        self._show_rows(
            2, [[(k,) for k, own in facets if own == (2, i + 1)] for i in range(self.widths[2])]
        )
        self._show_last()

    def _hulls(self) -> Mapping[int, set[Vector]]:
        """For each neuron of layer 1 the affine hulls of the ridges at which others bend on it.

        On {g = 0} a hull is where another function is 0: this without the first coordinate of g,
        with the first entry that is not 0 made 1.
        """
        found = self.tracks.found
        hulls: dict[int, set[Vector]] = {i: set() for i in range(1, self.widths[1] + 1)}
        for ridge in found.ridges:
            if ridge.first[0] < ridge.second[0] and any(
                k in self.tracks.track_of for k in ridge.facets
            ):
                straight, bent = (found.facets[ridge.facets[i]].function for i in (1, 2))
                p = next(q for q, entry in enumerate(straight) if entry != 0)
                trace = [x - bent[p] / straight[p] * y for x, y in zip(bent, straight, strict=True)]
                lead = next(x for x in trace if x != 0)
                hulls[ridge.first[1]].add(tuple(x / lead for x in trace))
        return hulls
