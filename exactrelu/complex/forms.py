"""Networks as formal functions: affine up to ReLUs that are left as they are.

With s = ReLU, a *form* is a sum of integers times numbered terms: 0 … n−1 are the
coordinates of x, n is the constant 1, n+1+2i is s(h_i) and n+2+2i is s(−h_i).  The
*atoms* h_i are earlier forms: coprime integers, that of the lowest term positive, no
terms s(−h_j).  Since s(gt) = g·s(t) for g > 0 and s(−t) = s(t) − t, each function
g·s(±h) is written in one way, and sums of terms ≥ 0 pass through s unchanged.  So
neurons that are permuted, scaled, split into collinear ones, turned around, linear or dead
by signs disappear from the difference of two networks without any cutting of space.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from exactrelu.network.network import Network
from exactrelu.polyhedra.integer_rows import IntegerRow

#: Term to an integer that is not 0.
Form = Mapping[int, int]

#: A layer scaled to integers: its scale, and [w…, b] for each neuron.
IntegerLayer = tuple[int, tuple[tuple[int, ...], ...]]


def integer_layers(network: Network) -> tuple[IntegerLayer, ...]:
    """All layers, each scaled to integers."""
    pairs = (layer.affine.integer_form for layer in network.layers)
    return tuple(
        (int(scale), tuple(tuple(map(int, row)) for row in matrix.tolist()))
        for matrix, scale in pairs
    )


@dataclass(frozen=True)
class Passed:
    """A network where some atoms are known to be positive or negative.

    ``outputs`` are over the denominator ``den``; ``neurons`` has a neuron for each atom h
    that is left: hidden layer and number, from 0, and the factor g ≠ 0 for which the integer
    row of the neuron is g·h.  ``signs`` has the others: 1 if ReLU leaves them as they are, else −1.
    """

    outputs: Sequence[Form]
    den: int
    neurons: Mapping[int, tuple[int, int, int]]
    signs: Mapping[tuple[int, int], int]


class Atoms:
    """The atoms of forms in n coordinates, numbered as they appear."""

    def __init__(self, n_inputs: int, tick: Callable[[], None] = lambda: None) -> None:
        """``tick`` is called for each neuron that is passed, and may raise."""
        self.n_inputs = n_inputs
        self._tick = tick
        self.forms: list[Form] = []
        self._numbers: dict[frozenset[tuple[int, int]], int] = {}

    def plain(self, form: Form) -> Form:
        """The same function without terms s(−h)."""
        first = self.n_inputs + 1
        parts: list[tuple[int, Form]] = []
        for term in form:
            if term > first and (term - first) % 2:
                value = form[term]
                parts += [(value, {term - 1: 1}), (-value, self.forms[(term - first) // 2])]
        if not parts:
            return form
        kept = {t: v for t, v in form.items() if t < first or (t - first) % 2 == 0}
        return total([(1, kept), *parts])

    def row(self, form: Form) -> IntegerRow | None:
        """(a, b) of a form a·x + b, or None if it has atoms."""
        n = self.n_inputs
        if any(term > n for term in form):
            return None
        return tuple(form.get(term, 0) for term in range(n + 1))

    def inside(self, form: Form) -> list[int]:
        """The numbers of the atoms in a plain form."""
        first = self.n_inputs + 1
        return [(term - first) // 2 for term in form if term >= first]

    def value(self, number: int, point: Sequence[int], known: dict[int, int]) -> int:
        """An atom at a point (X, D), D > 0: D·h(X/D).  ``known`` are values at that point."""
        if number not in known:
            first = self.n_inputs + 1
            known[number] = sum(
                value
                * (point[t] if t < first else max(0, self.value((t - first) // 2, point, known)))
                for t, value in self.forms[number].items()
            )
        return known[number]

    def is_affine(self, number: int) -> bool:
        """Whether an atom is an affine function of x."""
        return all(term <= self.n_inputs for term in self.forms[number])

    def atom(self, form: Form) -> tuple[int, int, int]:
        """(g, sign, number) with form = sign·g·h, g > 0; the form is plain and not 0."""
        common = math.gcd(*form.values())
        sign = 1 if form[min(form)] > 0 else -1
        divided = {term: sign * (value // common) for term, value in form.items()}
        number = self._numbers.setdefault(frozenset(divided.items()), len(self.forms))
        if number == len(self.forms):
            self.forms.append(divided)
        return common, sign, number

    def through(self, layers: Sequence[IntegerLayer], positive: Mapping[int, bool]) -> Passed:
        """A network, given by its integer layers, where some atoms have a known sign."""
        n = self.n_inputs
        inputs: list[Form] = [{i: 1} for i in range(n)]
        neurons: dict[int, tuple[int, int, int]] = {}
        signs: dict[tuple[int, int], int] = {}
        den = 1
        for l, (scale, rows) in enumerate(layers):
            inputs.append({n: den})
            before = []
            for row in rows:
                self._tick()
                before.append(total(zip(row, inputs, strict=True)))
            den *= scale
            if l == len(layers) - 1:
                return Passed(before, den, neurons, signs)
            inputs = []
            for i, form in enumerate(before):
                out, atom = self._relu(form, positive)
                inputs.append(out)
                if atom is None:
                    signs[l, i] = 1 if out else -1
                else:
                    neurons.setdefault(atom[0], (l, i, atom[1]))
        raise ValueError("a network without layers")

    def _relu(
        self, form: Form, positive: Mapping[int, bool]
    ) -> tuple[Form, tuple[int, int] | None]:
        """s(form), and the number and factor of the atom that stayed in it."""
        n = self.n_inputs
        plain = self.plain(form)
        for version in (form,) if plain is form else (form, plain):
            if not any(term < n for term in version):
                if all(value > 0 for value in version.values()):
                    return version, None
                if all(value < 0 for value in version.values()):
                    return {}, None
        common, sign, number = self.atom(plain)
        if number in positive:
            return (plain if positive[number] == (sign > 0) else {}), None
        return {n + 1 + 2 * number + (sign < 0): common}, (number, sign * common)


def total(parts: Iterable[tuple[int, Form]]) -> Form:
    """A sum of forms times integers."""
    sums: dict[int, int] = {}
    for factor, form in parts:
        if factor:
            for term, value in form.items():
                sums[term] = sums.get(term, 0) + factor * value
    return {term: value for term, value in sums.items() if value}
