"""Which hidden neurons are settled: those whose rows the function determines, near the network.

A neuron (l, j) is *determined* if every network θ' of the same widths that is close enough to θ and
has the same function on the domain has the row of (l, j), up to positive scaling of hidden neurons.
It is *free* if there are networks as close as one likes that have the function and another row.  A
neuron is *settled* if one of the two is proved here, else *open*.  All neurons may be determined
although the network is not identifiable: there may be another network far away.

*Free*: a neuron with weights that are not all 0 whose bias can be moved by any small amount, and
what it adds be taken back.  It is *dead* or *linear*, never positive or never negative, by the
bounds of :mod:`exactrelu.network.roles` or on all regions in the domain; or it is *hidden* by the
next layer (:mod:`exactrelu.network.hiding`).  What a linear or a hidden neuron adds is taken back
by the biases of the next layer where its weights are not 0: those neurons *move* with it.

*Determined*, by *kinks*.  A kink of (l, j) is a point p inside the domain where z_lj is 0, no
other hidden neuron is, and the gradient of f jumps.  In a neighbourhood U of p and for θ' near θ
all other neurons keep their signs, so f_θ' is affine on both sides of z'_lj = 0 in U.  If
f_θ' = f_θ, this is the hyperplane z_lj = 0, and z'_lj = c_p·z_lj on U with c_p > 0.

For l = 1 this says that the row of θ' is c_p times that of θ.  Let all neurons i of layer l − 1
that are active at p be determined, z'_i = c_i·z_i.  With u_i = W'_ji·c_i, over these i,

    Σ u_i z_i + b'_j = c_p z_j         as affine functions of x on U,

n_0 + 1 linear equations for (u, b'_j, c_p).  All kinks of (l, j) together have one solution up to
a factor, that of θ itself, iff their matrix has a rank one less than the number of unknowns; then
u = c·W_j and b'_j = c·b_j, and (l, j) is determined.  The c_p are eliminated, and the rank is
computed modulo a prime: there it can only be too small.

Kinks are found on lines.  A line walks from region to region: where it meets a facet, the
neurons that are 0 there are known exactly.

Symbols: p ``point``, the i that are active at p ``active``, the equations for (u, b') ``rows``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from flint import fmpq, nmod_mat

from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.exact.linear import LARGE_PRIME
from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.network.network import Network, Pattern, preactivation_maps, trace
from exactrelu.network.roles import Role, neuron_roles
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.identifiability.second import translation
from exactrelu.questions.regions import regions

#: Lines that are walked before it is given up, and the lines in a row that may bring nothing.
N_LINES = 400
N_VAIN = 40
#: Networks with more regions, or more open neurons, are not searched for free neurons by regions.
MAX_REGIONS = 500
MAX_HIDDEN = 24

#: (layer, index), from 1.
Neuron = tuple[int, int]


@dataclass(frozen=True)
class SettledNeurons:
    """For hidden neurons (layer, index), from 1: "determined", or "dead", "linear", "hidden" or
    "moves", which are free; the others are open.
    """

    words: dict[Neuron, str]
    open: tuple[Neuron, ...]

    @property
    def n_neurons(self) -> int:
        return len(self.words) + len(self.open)

    @property
    def is_free(self) -> bool:
        """Whether some neuron is free, so that networks near by have the same function."""
        return any(word != "determined" for word in self.words.values())

    @property
    def listed(self) -> list[dict[str, Any]]:
        """The neurons that are settled, each with how, as JSON has them."""
        return [{"neuron": neuron, "how": word} for neuron, word in self.words.items()]

    def _plain(self) -> dict[str, Any]:
        return {"settled": self.listed, "open": self.open}

    def text(self, shown: int = 4) -> str:
        """``settled: 3 of 4 hidden neurons ((1,1), (1,2) dead, (2,1))``.

        >>> SettledNeurons({(1, 1): "determined", (1, 2): "dead"}, ((2, 1),)).text()
        'settled: 2 of 3 hidden neurons ((1,1), (1,2) dead)'
        """
        names = [
            f"({l},{i})" + ("" if word == "determined" else f" {word}")
            for (l, i), word in self.words.items()
        ]
        more = " …" if len(names) > shown else ""
        listed = f" ({', '.join(names[:shown])}{more})" if names else ""
        return f"settled: {len(names)} of {self.n_neurons} hidden neurons{listed}"


def all_determined(network: Network) -> SettledNeurons:
    """What holds if the network is identifiable, or locally identifiable."""
    return SettledNeurons(dict.fromkeys(_neurons(network), "determined"), ())


def settled(network: Network, place: Domain, effort: Effort = UNLIMITED) -> SettledNeurons:
    """The neurons that are settled on a domain; over a limit those that are settled by then.

    >>> net = Network.from_arrays([[[1], [1]], [[1, 1], [-1, -1]], [[1, 1]]],
    ...                           [[0, -1], ["-1/2", -1], [0]])
    >>> settled(net, Domain.of(None, 1)).text()
    'settled: 2 of 4 hidden neurons ((1,2), (2,2) dead)'
    """
    search = NeuronSearch(network, place, effort)
    with suppress(Stopped):
        search.run()
    return search.found


def _neurons(network: Network) -> Iterator[Neuron]:
    for l, n in enumerate(network.hidden_widths, 1):
        yield from ((l, i) for i in range(1, n + 1))


@dataclass(frozen=True)
class _Kink:
    """What a point says about (u, b') of a neuron after layer 1: equations modulo the prime."""

    neuron: Neuron
    #: The neurons of the layer before that are active there, from 0.
    active: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]


class NeuronSearch:
    """What is settled so far, line by line."""

    def __init__(self, network: Network, place: Domain, effort: Effort) -> None:
        self._network, self._place, self._effort = network, place, effort
        self._words: dict[Neuron, str] = {}
        #: Kinks that wait until the neurons before are determined.
        self._waiting: list[_Kink] = []
        #: For each neuron the equations so far, reduced.
        self._equations: dict[Neuron, nmod_mat] = {}

    @property
    def found(self) -> SettledNeurons:
        """What is settled by now, in the order of the neurons."""
        words = {n: self._words[n] for n in _neurons(self._network) if n in self._words}
        return SettledNeurons(words, tuple(n for n in _neurons(self._network) if n not in words))

    def run(self) -> None:
        """Walk lines until everything is settled, or they bring nothing new."""
        if self._place.is_flat:
            # Equations of the domain can be added to rows: nothing is determined.
            return
        self._words |= _free(self._network)
        rng = random.Random(0)
        n_vain = 0
        for number in range(N_LINES):
            if not self.found.open:
                return
            if n_vain == N_VAIN:
                break
            is_new = False
            for pattern, l, i in _line(self._network, self._place, number, rng, self._effort):
                if (l + 1, i + 1) in self._words or not _is_seen(self._network, pattern, l, i):
                    continue
                if l == 0:
                    self._words[1, i + 1] = "determined"
                    is_new = True
                else:
                    self._waiting += _kinks(self._network, pattern, l, i)
                is_new |= self._use_waiting()
            n_vain = 0 if is_new else n_vain + 1
        if len(self.found.open) <= MAX_HIDDEN:
            free = _free_on_regions(self._network, self._place, self._effort)
            self._words |= {n: word for n, word in free.items() if n not in self._words}

    def _use_waiting(self) -> bool:
        """Use the kinks that can be used; whether they said something new."""
        is_new = False
        while True:
            ready = [kink for kink in self._waiting if self._is_ready(kink)]
            self._waiting = [
                kink
                for kink in self._waiting
                if kink.neuron not in self._words and not self._is_ready(kink)
            ]
            if not ready:
                return is_new
            for kink in ready:
                self._effort.spend()
                is_new |= self._use(kink)

    def _is_ready(self, kink: _Kink) -> bool:
        l, _ = kink.neuron
        return all(self._words.get((l - 1, i + 1)) == "determined" for i in kink.active)

    def _use(self, kink: _Kink) -> bool:
        """Add the equations of a kink; whether they are new."""
        if kink.neuron in self._words:
            return False
        width = len(kink.rows[0])
        known = self._equations.get(kink.neuron, nmod_mat(0, width, LARGE_PRIME))
        entries: list[Any] = [*known.entries(), *(x for row in kink.rows for x in row)]
        rows = nmod_mat(known.nrows() + len(kink.rows), width, entries, LARGE_PRIME)
        reduced, rank = rows.rref()
        kept = reduced.entries()[: rank * width]
        self._equations[kink.neuron] = nmod_mat(rank, width, kept, LARGE_PRIME)
        if rank == width - 1:
            self._words[kink.neuron] = "determined"
            del self._equations[kink.neuron]
        return rank > known.nrows()


def _free(network: Network) -> dict[Neuron, str]:
    """The neurons that are dead, linear or hidden on all of space, and whose bias can be moved."""
    words = {Role.DEAD: "dead", Role.LINEAR: "linear"}
    found: dict[Neuron, str] = {}
    for l, roles in enumerate(neuron_roles(network, n_samples=0), 1):
        rows = network.layers[l - 1].weights.flint_rows()
        for i, (role, row) in enumerate(zip(roles, rows, strict=True), 1):
            if role in words and any(row):
                found[l, i] = words[role]
    for l in range(1, len(network.hidden_widths)):
        moved = translation(network, l)
        if moved is not None and any(network.layers[l - 1].weights.flint_row(moved.neuron)):
            found.setdefault((l, moved.neuron + 1), "hidden")
    return _moving(network, found)


def _free_on_regions(network: Network, place: Domain, effort: Effort) -> dict[Neuron, str]:
    """The neurons that have one sign on all regions, if there are not too many of them."""
    listed = regions(network, place, certify=False, effort=effort.part(regions=MAX_REGIONS))
    if not listed.is_complete:
        return {}
    found: dict[Neuron, str] = {}
    for l, i in _neurons(network):
        signs = {region.pattern[l - 1][i - 1] for region in listed.regions}
        if any(network.layers[l - 1].weights.flint_row(i - 1)) and not signs >= {-1, 1}:
            found[l, i] = "dead" if 1 not in signs else "linear"
    return _moving(network, found)


def _moving(network: Network, free: dict[Neuron, str]) -> dict[Neuron, str]:
    """With the neurons whose biases take back what linear and hidden ones add."""
    found = dict(free)
    for (l, i), word in free.items():
        if word != "dead" and l < len(network.hidden_widths):
            column = network.layers[l].weights.flint_column(i - 1)
            for j, weight in enumerate(column, 1):
                if weight:
                    found.setdefault((l + 1, j), "moves")
    return found


# --- Kinks on a line


def _line(
    network: Network, place: Domain, number: int, rng: random.Random, effort: Effort
) -> Iterator[tuple[Pattern, int, int]]:
    """Where a line from a point inside the domain meets neuron i of layer l, from 0, and no other.

    With the pattern on the side that it comes from.  The line ends where it leaves the domain, or
    two neurons are 0 at one point.
    """
    scale = fmpq(2) ** (number % 8 - 4)
    start = tuple(x + scale * fmpq(rng.randint(-999, 999), 1000) for x in place.flint_point)
    direction = tuple(fmpq(rng.randint(-999, 999)) for _ in start)
    if not place.inside.contains(start) or not any(direction):
        return
    pattern = trace(network, start).pattern
    if any(s == 0 for signs in pattern for s in signs):
        return
    time = ZERO
    while True:
        effort.spend()
        crossing = _next_crossing(network, pattern, start, direction, time)
        if crossing is None:
            return
        time, (l, i) = crossing
        point = tuple(x + time * d for x, d in zip(start, direction, strict=True))
        if not place.inside.contains(point):
            return
        yield pattern, l, i
        turned = (*pattern[l][:i], -pattern[l][i], *pattern[l][i + 1 :])
        pattern = (*pattern[:l], turned, *pattern[l + 1 :])


def _next_crossing(
    network: Network, pattern: Pattern, start: Vector, direction: Vector, after: fmpq
) -> tuple[fmpq, tuple[int, int]] | None:
    """When the first neuron becomes 0 after a time, and which; None if none or several do."""
    best: fmpq | None = None
    which: list[tuple[int, int]] = []
    values, speeds = start, direction
    for l, (layer, signs) in enumerate(zip(network.layers, pattern, strict=False)):
        values, speeds = (
            layer.affine.flint_apply((*values, ONE)),
            layer.affine.flint_apply((*speeds, ZERO)),
        )
        for i, (value, speed) in enumerate(zip(values, speeds, strict=True)):
            if speed == 0:
                continue
            time = -value / speed
            if time <= after or (best is not None and time > best):
                continue
            if best is None or time < best:
                best, which = time, []
            which.append((l, i))
        values, speeds = _masked(values, signs), _masked(speeds, signs)
    return None if best is None or len(which) > 1 else (best, which[0])


def _masked(values: Vector, signs: Sequence[int]) -> Vector:
    return tuple(x if s > 0 else ZERO for x, s in zip(values, signs, strict=True))


def _is_seen(network: Network, pattern: Pattern, l: int, i: int) -> bool:
    """Whether the outputs depend on neuron i of layer l (from 0) where a pattern holds."""
    values: Vector = network.layers[l + 1].weights.flint_column(i)
    for layer, signs in zip(network.layers[l + 2 :], pattern[l + 1 :], strict=True):
        values = layer.weights.flint_apply(_masked(values, signs))
    return any(values)


def _kinks(network: Network, pattern: Pattern, l: int, i: int) -> Iterator[_Kink]:
    """The kink of neuron i of layer l > 0, from 0, with its equations; none for a bad prime."""
    maps = preactivation_maps(network.truncate(1, l + 1), pattern[:l])
    wanted = maps[l].flint_row(i)
    n, size = len(wanted), len(pattern[l - 1])
    active = tuple(a for a, s in enumerate(pattern[l - 1]) if s > 0)
    constant = tuple(fmpq(int(k == n - 1)) for k in range(n))
    affine = (wanted, *(maps[l - 1].flint_row(a) for a in active), constant)
    if any(x.q % LARGE_PRIME == 0 for row in affine for x in row):
        return
    target, *columns = ([_residue(x) for x in row] for row in affine)
    places = [*active, size]
    pivot = next((k for k, x in enumerate(target) if x), None)
    if pivot is None:
        return
    rows = []
    for k in range(n):
        if k != pivot:
            row = [0] * (size + 1)
            for place, column in zip(places, columns, strict=True):
                row[place] = (column[k] * target[pivot] - column[pivot] * target[k]) % LARGE_PRIME
            rows.append(tuple(row))
    yield _Kink((l + 1, i + 1), active, tuple(rows))


def _residue(x: fmpq) -> int:
    """A rational modulo the prime."""
    return int(x.p) * pow(int(x.q), -1, LARGE_PRIME) % LARGE_PRIME
