"""Functions of x that are affine up to ReLUs that are left as they are.

With s = ReLU, a form is a sum of integers times numbered *terms*: 0 to n - 1 are the coordinates of
x in R^n, n is the constant 1, n + 1 + 2i is s(h_i) and n + 2 + 2i is s(-h_i). The h_i, called
*atoms*, are forms made before, with coprime integers, the one of the lowest term positive, and
without terms s(-h_j). They are numbered as they appear, so that the same form gets the same number.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from .budget import Budget
from .integers import combine, multiply, pay_euclid
from .network import Network
from .values import RationalMatrix

Form = Mapping[int, int]  # term to an integer that is not 0


class Passed(NamedTuple):
    """A network on a cell: its hidden layers before and after s, its outputs over den."""

    before: Sequence[Sequence[Form]]
    after: Sequence[Sequence[Form]]
    outputs: Sequence[Form]
    den: int


class Atoms:
    """The atoms of forms in n coordinates."""

    def __init__(self, inputs: int, budget: Budget) -> None:
        self._inputs = inputs
        self._budget = budget
        self._forms: list[Form] = []
        self._numbers: dict[tuple[tuple[int, int], ...], int] = {}

    def total(self, parts: Iterable[tuple[int, Form]]) -> Form:
        """Return a sum of forms times integers."""
        sums: dict[int, int] = {}
        for factor, form in parts:
            columns = [(value,) for value in form.values()]
            self._budget.spend(len(columns))
            for term, value in zip(form, combine((factor,), columns, self._budget), strict=True):
                sums[term] = sums.get(term, 0) + value
        return {term: value for term, value in sums.items() if value}

    def plain(self, form: Form) -> Form:
        """Return the same function without terms s(-h), which are s(h) - h."""
        first = self._inputs + 1
        kept: dict[int, int] = {}
        parts: list[tuple[int, Form]] = [(1, kept)]
        self._budget.spend(len(form))
        for term, value in form.items():
            number, is_reversed = divmod(term - first, 2)
            if number >= 0 and is_reversed:
                parts += [(value, {term - 1: 1}), (-value, self._forms[number])]
            else:
                kept[term] = value
        return self.total(parts)

    def row(self, form: Form) -> tuple[int, ...] | None:
        """Return a_1, …, a_n, b of a plain form a·x + b, or None if it has atoms."""
        self._budget.spend(len(form) + self._inputs)
        if any(term > self._inputs for term in form):
            return None
        return tuple(form.get(term, 0) for term in range(self._inputs + 1))

    def atom(self, form: Form) -> tuple[int, bool, int]:
        """Return g > 0, whether form = g·h or -g·h, and the number of h; form is plain, not 0."""
        common = 0
        for value in form.values():
            pay_euclid(common, value, self._budget)
            common = math.gcd(common, value)
        ours = tuple(sorted((term, value // common) for term, value in form.items()))
        opposite = tuple((term, -value) for term, value in ours)
        # The larger one: positive where they differ first, at the lowest term.
        key = max(ours, opposite)
        if key not in self._numbers:
            self._numbers[key] = len(self._forms)
            self._forms.append(dict(key))
        return common, key is ours, self._numbers[key]

    def relu(self, form: Form, positive: Mapping[int, bool]) -> Form:
        """Return s(form) where some atoms are known to be positive or negative."""
        plain = self.plain(form)
        for version in (form, plain):
            if not any(term < self._inputs for term in version):
                # Every term is >= 0.
                if version == {term: abs(value) for term, value in version.items()}:
                    return version
                if version == {term: -abs(value) for term, value in version.items()}:
                    return {}
        common, upright, number = self.atom(plain)
        if number in positive:
            return plain if positive[number] == upright else {}
        return {self._inputs + 1 + 2 * number + (not upright): common}

    def through(self, network: Network, positive: Mapping[int, bool]) -> Passed:
        """Return the forms of a network where some atoms are known to be positive or negative.

        Those of layer l are den_1·…·den_l times the preactivations.
        """
        *hidden, last = network.layers
        inputs: Sequence[Form] = [{number: 1} for number in range(self._inputs)]
        scale = 1
        before: list[Sequence[Form]] = []
        after: list[Sequence[Form]] = []
        for layer in hidden:
            before.append(self._affine(layer, inputs, scale))
            inputs = [self.relu(form, positive) for form in before[-1]]
            after.append(inputs)
            scale = multiply(scale, layer.den, self._budget)
        outputs = self._affine(last, inputs, scale)
        return Passed(before, after, outputs, multiply(scale, last.den, self._budget))

    def _affine(self, layer: RationalMatrix, inputs: Sequence[Form], scale: int) -> list[Form]:
        seen = [*inputs, {self._inputs: scale}]
        return [self.total(zip(row, seen, strict=True)) for row in layer.rows]
