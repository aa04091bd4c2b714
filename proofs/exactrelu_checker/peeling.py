"""Networks of any depth that their function determines, layer by layer from the first.

The theorems and their proofs are on the page ``identifiable`` of the rules. ``tracks``,
among the networks in general position on D (see ``tracks``), for any depth: in each layer,
the ones before it being known, every neuron has a track that is surely in this layer, by a
chain of ordered classes above it or by the search there; tracks of different neurons do not
fit together; those that fit one neuron only have a kernel of dimension 1, its row; and no
neurons can be turned around. In the last hidden layer the equations for all rows together,
from the values on cells, have one solution for no neurons turned around, and none
otherwise.

``ridges``, among all networks, for two hidden layers: ridges of two layers lie in
hyperplanes of the first layer of any network with the values of N. If they have more affine
hulls on a hyperplane of N than there are hyperplanes that are not known, it is one of them;
facets take the place of tracks in the second layer.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from .file import Proof, need
from .numbers import (
    Row,
    Rows,
    bits,
    dots,
    longest,
    paired,
    pivot_place,
    plane_of,
    substituted,
)
from .objects import Network, System
from .tracks import Tracks, cut, may_be_later, units
from .unions import Signs, layers_of

Groups = Mapping[Signs, list[Signs]]  # tracks, or single facets, with their facets


def identifiable_by_tracks(
    proof: Proof, network: Network, among: str, domain: System
) -> None:
    """Among networks in general position: one layer after the other, from the first."""
    need(
        among == "general-position", "wrong-method", "the method is not about all networks"
    )
    found = Tracks(proof, network, domain)
    for layer, width in enumerate(network.widths[1:-1]):
        sure = found.ended(layer)
        shown = {found.facets[track].neuron for track in sure}
        own = (
            t for t in found.tracks if found.facets[t].layer == layer and len(shown) < width
        )
        others = (t for t in own if found.facets[t].neuron not in shown)
        sure |= {track for track in others if not may_be_later(found, track)}
        _require_rows(found, layer, {t: found.tracks[t] for t in sure}, True)
        if layer < found.last:
            _require_signs(found, layer, found.ended(layer + 1))
        else:
            _require_last(found)


def identifiable_by_ridges(
    proof: Proof, network: Network, among: str, domain: System
) -> None:
    """Among all networks, two hidden layers: bends show the first, facets the second."""
    need(
        among == "all" and len(network.hidden) == 2,
        "wrong-method",
        "all networks, three layers",
    )
    found = Tracks(proof, network, domain)
    hulls: list[set[Row]] = [set() for _ in network.layers[0].rows]
    for straight, bent, _ in found.crossings:
        size = bits(straight.row) + bits(bent.row)
        proof.spend(16 * len(bent.row), size, size)
        trace = substituted(bent.row, straight.row, pivot_place(straight.row) or 0)
        hulls[straight.neuron].add(plane_of(trace))
    counts = sorted(map(len, hulls), reverse=True)
    ok = all(count > len(hulls) - known for known, count in enumerate(counts))
    need(ok, "too-few-bends", "too few bends on the hyperplanes of layer 1")
    _require_signs(found, 0, ())
    _require_rows(
        found, 1, {f: [f] for f, x in found.facets.items() if x.layer == 1}, False
    )
    _require_last(found)


def _require_rows(found: Tracks, layer: int, tracks: Groups, are_general: bool) -> None:
    """Refuse unless tracks show the rows of a layer, up to their order and factors."""
    inputs = {f: found.passed(f, layer) for facets in tracks.values() for f in facets}
    own: dict[int, list[Signs]] = {}
    sizes = {t: (len(found.kernel(tracks[t], inputs)), min(tracks[t])) for t in tracks}
    for track in sorted(tracks, key=lambda t: sizes[t]):
        own.setdefault(found.facets[track].neuron, []).append(track)
    ok = len(own) == found.network.widths[layer + 1]
    need(ok, "no-sure-track", "no sure track of a neuron")

    def kernel_of(group: Iterable[Signs]) -> Rows:
        return found.kernel([facet for track in group for facet in tracks[track]], inputs)

    def fits(track: Signs, others: Sequence[Signs]) -> bool:
        found.proof.spend(len(others) * len(track))
        if are_general and any({track, other} in found.apart for other in others):
            return False
        return bool(kernel_of((track, *others)))

    chosen = _grouped(found, own, fits)
    for neuron, mine in chosen.items():
        is_whole = are_general and layer == found.last and len(mine) == len(own[neuron])
        ok = len(kernel_of(mine)) == 1 or is_whole
        need(ok, "row-not-shown", "facets do not determine a row")


def _grouped(
    found: Tracks,
    own: Mapping[int, list[Signs]],
    fits: Callable[[Signs, Sequence[Signs]], bool],
) -> dict[int, list[Signs]]:
    """Return for each neuron its first track, and all others that fit no other neuron."""
    chosen = {neuron: [mine[0]] for neuron, mine in own.items()}
    for one, two in combinations(chosen.values(), 2):
        together = fits(one[0], two)
        need(not together, "tracks-together", "tracks of two neurons may be those of one")
    known = 0
    while known < sum(map(len, chosen.values())):
        known = sum(map(len, chosen.values()))
        for neuron, mine in own.items():
            found.proof.spend(len(mine) * known)
            others = [each for other, each in chosen.items() if other != neuron]
            left = [t for t in mine if t not in chosen[neuron]]
            chosen[neuron] += [t for t in left if not any(fits(t, each) for each in others)]
    return chosen


def _require_signs(found: Tracks, layer: int, later: Iterable[Signs]) -> None:
    """Refuse unless no neurons of a layer can be turned around.

    Either the slope of f on a cell is none of its active neurons, or a track does not fit.
    """
    for turned in product((1, -1), repeat=found.network.widths[layer + 1]):
        found.proof.spend(16 * len(turned))
        ok = -1 not in turned or any(
            _has_other_slope(found, c, layer, turned) for c in found.walls
        )
        for track in () if ok else later:
            inputs = {f: found.passed(f, layer + 1, turned) for f in found.tracks[track]}
            ok = ok or not found.kernel(found.tracks[track], inputs)
        need(ok, "signs-not-shown", "neurons of a layer may be turned around")


def _has_other_slope(found: Tracks, cell: Signs, layer: int, turned: Row) -> bool:
    """Tell whether the slope of the network is not in the span of those of active
    neurons.
    """
    slopes = [row[:-1] for row in found.passed(cell, layer + 1, turned)]
    normal = cut(found.proof, units(found.proof, len(slopes[0])), slopes)
    outputs = (row[:-1] for row in found.cells[cell][-1])
    return any(any(dots(found.proof, normal, row, longest(normal))) for row in outputs)


def _require_last(found: Tracks) -> None:
    """Refuse unless rows of the last hidden layer fit only as they are: unknown rows,
    biases, 1.
    """
    m, n, n_out = found.network.widths[-3:]
    space = units(found.proof, n * (m + 1) + n_out + 1)
    for turned in product((1, -1), repeat=n):
        found.proof.spend(16 * n)
        rest = space
        for cell, stack in found.cells.items():
            rest = cut(found.proof, rest, _rows_of_values(found, cell, stack[-1], turned))
            if len(rest) == 1 if -1 not in turned else not any(v[-1] for v in rest):
                break
        else:
            need(False, "last-layer-not-shown", "another last hidden layer fits")


def _rows_of_values(
    found: Tracks, cell: Signs, outputs: Rows, turned: Row
) -> Iterator[Row]:
    """Yield what the values of f on a cell ask of the rows of the last hidden layer."""
    signs = layers_of(found.network, cell)[-1]
    active = [turn * (turn == sign) for turn, sign in paired(turned, signs)]
    across = list(paired(*found.passed(cell, found.last)))
    size = len(outputs) * len(across) * len(active) * len(across[0])
    found.proof.spend(4 * size, found.network.layers[-1].bits, longest(across))
    for o, (weights, output) in enumerate(paired(found.network.layers[-1].rows, outputs)):
        used = [weight * turn for weight, turn in zip(weights, active)]
        for q, (entries, value) in enumerate(paired(across, output)):
            ones = (int(o == k and q == len(output) - 1) for k in range(len(outputs)))
            yield (*(weight * x for weight in used for x in entries), *ones, -value)
