"""Proportional affine functions (Phuong & Lampert, Lemma A.11; theory 4).

A unit (l, i), l = 1, …, L, with an activation indicator I_1, …, I_{l−1}, none of them empty
("nontrivial up to l − 1"), has the affine function [w, b] with

    w = e_i W_l I_{l−1} W_{l−1} … I_1 W_1,   b = e_i (b_l + W_l I_{l−1} b_{l−1} + …),

its preactivation where just the neurons of I are active.  The condition: for different
pairs (unit, I), (unit', I') no [w, b] is a multiple c·[w', b'], c any number, 0 too.  (The
paper's condition 3 speaks of all regions, and no network satisfies it [S001-E2].)

[w, b] is linear in the parameters, so s·[w, b] for a vector s is computed like a value
of the network at s, with masks in the place of ReLU.  Two vectors s, t and a prime are
chosen; proportional functions have one quotient t·[w, b] / s·[w, b].  Equal quotients are
compared exactly; if all are different, s, t and the prime are the certificate.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar, Unpack

from exactrelu.certificates.certificate import Certificate, Verdict, claim, record
from exactrelu.digits import say
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.exact.linear import LARGE_PRIME
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import Vector, to_texts
from exactrelu.network.network import Network, preactivation_maps
from exactrelu.questions.genericity.masked_products import mask_number
from exactrelu.questions.question import Call, question
from exactrelu.words import figure

#: What a function takes that is remembered: its quotient, its unit, and their places.
BYTES_OF_FUNCTION = 400

#: (t·v, s·v) of one function, or of the constant 1.
_Pair = tuple[int, int]
#: The vectors s and t.
_Points = tuple[Sequence[int], Sequence[int]]


@dataclass(frozen=True)
class MaskedUnit:
    """Neuron ``index`` (from 0) of the layer after the indicator ``masks``, sets of neurons."""

    masks: tuple[tuple[int, ...], ...]
    index: int

    @property
    def layer(self) -> int:
        return len(self.masks) + 1

    def text(self) -> str:
        """``(2,1) with active {1,3}``."""
        active = " ".join("{" + ",".join(str(i + 1) for i in mask) + "}" for mask in self.masks)
        return f"({self.layer},{self.index + 1})" + (f" with active {active}" if active else "")

    def _plain(self) -> dict[str, Any]:
        return {
            "unit": [self.layer, self.index + 1],
            "indicator": [[i + 1 for i in mask] for mask in self.masks],
        }


@dataclass(frozen=True)
class ProportionalFunctions(Outward):
    """Two units with indicators whose affine functions are multiples of each other."""

    PROVED: ClassVar[tuple[str, ...]] = ("units.unit", "units.indicator")
    COMPUTED: ClassVar[str] = "the two functions"

    first: MaskedUnit
    second: MaskedUnit
    functions: tuple[Vector, Vector]

    def text(self) -> str:
        """Both units and their functions."""
        values = " and ".join(map(say, self.functions))
        return f"{self.first.text()} and {self.second.text()} are proportional: [w, b] = {values}"

    def _plain(self) -> dict[str, Any]:
        pairs = zip((self.first, self.second), self.functions, strict=True)
        return {
            "condition": "non-proportional",
            "units": [{**unit._plain(), "function": to_texts(v)} for unit, v in pairs],
        }


def affine_function(network: Network, unit: MaskedUnit) -> Vector:
    """[w, b] of a unit with an indicator.

    >>> net = Network.from_arrays([[[1], [2]], [[3, 1]]], [[1, -1], [5]])
    >>> affine_function(net, MaskedUnit(((0, 1),), 0))
    (5, 7)
    """
    part = network.truncate(1, unit.layer)
    pattern = tuple(
        tuple(1 if i in mask else -1 for i in range(n))
        for mask, n in zip(unit.masks, part.hidden_widths, strict=True)
    )
    return preactivation_maps(part, pattern)[-1].flint_row(unit.index)


def n_units(widths: Sequence[int]) -> int:
    """How many pairs of a unit and a nontrivial indicator there are."""
    layers = range(1, len(widths))
    return sum(widths[l] * prod((1 << n) - 1 for n in widths[1:l]) for l in layers)


@question
def non_proportional(
    call: Call[Verdict],
    network: Network,
    *,
    all_failures: bool = False,
    **limits: Unpack[Limits],
) -> Verdict:
    """Whether no two units with nontrivial indicators have proportional affine functions.

    The witness of a no is a tuple of :class:`ProportionalFunctions`: the first found, or with
    ``all_failures`` each function with the first one that it is proportional to.  The layers
    are gone through as far as the quotients of their functions fit into memory.

    >>> net = Network.from_arrays([[[1], [2]], [[3, 1]]], [[1, 2], [5]])
    >>> non_proportional(net).reason
    '(1,1) and (1,2) are proportional: [w, b] = (1, 1) and (2, 2)'
    """
    search = _FunctionSearch(network, call.effort)
    call.knows(search.so_far)
    seed = 0
    while not search.run(_points(network, seed), all_failures=all_failures):
        seed += 1
    if search.failures:
        return _no(network, search.failures, "")
    reason = f"no two of {search.total:,} affine functions are proportional"
    return Verdict(True, reason, certificate=_certificate(network, _points(network, seed)))


class _FunctionSearch:
    """The affine functions of a network, for one pair of vectors after another."""

    def __init__(self, network: Network, effort: Effort) -> None:
        self._network = network
        self._effort = effort
        #: How many functions there are.
        self.total = n_units(network.widths)
        self._n_seen = 0
        self.failures: list[ProportionalFunctions] = []

    def run(self, points: _Points, *, all_failures: bool) -> bool:
        """Find one failure, or all; whether the vectors tell all other functions apart."""
        self._n_seen, self.failures = 0, []
        is_misled = False
        for first, second in _suspects(self._network, points, self._effort):
            self._effort.spend("masks")
            self._n_seen += 1
            if first == second:
                continue
            failure = _compared(self._network, first, second)
            if failure is None:
                is_misled = True
                continue
            self.failures.append(failure)
            if not all_failures:
                break
        return bool(self.failures) or not is_misled

    def so_far(self, stopped: Stopped) -> Verdict:
        """What is known by now."""
        how_far = f"{self._n_seen:,} of {figure(self.total)} affine functions"
        if self.failures:
            return _no(self._network, self.failures, f"; {stopped}: {how_far}")
        return Verdict.undecided(stopped, how_far)


def _certificate(network: Network, points: _Points) -> Certificate:
    """The two vectors that tell all functions apart modulo the prime."""
    s, t = points
    records = [record("points", LARGE_PRIME, *s, *t)]
    return claim("non-proportional", "quotients", records, holds=True, network=network)


def _suspects(
    network: Network, points: _Points, effort: Effort
) -> Iterator[tuple[MaskedUnit, MaskedUnit]]:
    """Every unit with an indicator, after the first one that it may be proportional to."""
    seen: dict[int, MaskedUnit] = {}
    for unit, above, below in _values(network, points, effort):
        if below:
            quotient = above * pow(below, -1, LARGE_PRIME) % LARGE_PRIME
            yield seen.setdefault(quotient, unit), unit
        else:
            # A function that is 0 is a multiple of whatever else there is.
            yield _another(network, unit), unit


def _no(network: Network, failures: list[ProportionalFunctions], more: str) -> Verdict:
    first = failures[0]
    if len(failures) > 1:
        more = f"; {len(failures):,} failures in all{more}"
    records = (
        record("unit", unit.index, *map(mask_number, unit.masks))
        for unit in (first.first, first.second)
    )
    certificate = claim("non-proportional", "units", records, holds=False, network=network)
    return Verdict(False, first.text() + more, tuple(failures), certificate)


def _another(network: Network, unit: MaskedUnit) -> MaskedUnit:
    """Any other unit with an indicator; the same one if there is no other."""
    if unit != MaskedUnit((), 0):
        return MaskedUnit((), 0)
    if network.widths[1] > 1:
        return MaskedUnit((), 1)
    return MaskedUnit(((0,),), 0) if len(network.layers) > 1 else unit


def _compared(
    network: Network, first: MaskedUnit, second: MaskedUnit
) -> ProportionalFunctions | None:
    """The failure, if the functions are dependent."""
    v, w = affine_function(network, first), affine_function(network, second)
    pivot = next((i for i, x in enumerate(v) if x != 0), 0)
    if any(v[pivot] * y != w[pivot] * x for x, y in zip(v, w, strict=True)):
        return None
    return ProportionalFunctions(first, second, (v, w))


def _points(network: Network, seed: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The vectors s and t."""
    rng = random.Random(seed)
    s, t = ([rng.getrandbits(48) for _ in range(network.n_inputs + 1)] for _ in range(2))
    return tuple(s), tuple(t)


def _values(
    network: Network, points: _Points, effort: Effort
) -> Iterator[tuple[MaskedUnit, int, int]]:
    """t·v and s·v modulo the prime for all units and indicators, layer by layer."""
    q = LARGE_PRIME
    s, t = points
    layers = []
    for layer in network.layers:
        matrix, scale = layer.affine.integer_form
        layers.append(([[int(x % q) for x in row] for row in matrix.tolist()], int(scale % q)))
    # Each level has the values of the layer's neurons for every indicator before it.
    start = list(zip(t[:-1], s[:-1], strict=True))
    one = (t[-1], s[-1])
    level: list[tuple[tuple[tuple[int, ...], ...], list[_Pair]]] = [((), start)]
    for depth, (rows, denominator) in enumerate(layers):
        n_functions = n_units(network.widths[: depth + 2])
        effort.need(
            BYTES_OF_FUNCTION * n_functions, f"a table of {figure(n_functions)} affine functions"
        )
        width = network.widths[depth]
        choices = _nonempty(width) if depth else [tuple(range(width))]
        following = []
        for masks, inputs in level:
            for chosen in choices:
                indicator = (*masks, chosen) if depth else ()
                values = [_value(row, chosen, inputs, one, q) for row in rows]
                for i, (above, below) in enumerate(values):
                    yield MaskedUnit(indicator, i), above, below
                if depth < len(layers) - 1:
                    following.append((indicator, values))
        level = following
        one = (one[0] * denominator % q, one[1] * denominator % q)


def _value(
    row: Sequence[int], chosen: Sequence[int], inputs: Sequence[_Pair], one: _Pair, q: int
) -> _Pair:
    above, below = row[-1] * one[0], row[-1] * one[1]
    for j in chosen:
        above += row[j] * inputs[j][0]
        below += row[j] * inputs[j][1]
    return above % q, below % q


def _nonempty(n: int) -> list[tuple[int, ...]]:
    masks = (tuple(i for i in range(n) if bits >> i & 1) for bits in range(1, 1 << n))
    return sorted(masks, key=lambda mask: (len(mask), mask))
