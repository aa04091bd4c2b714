"""Split trees of two networks: an open polyhedron cut by hidden neurons of either one.

A cell is given by strict rows a·x + b > 0: those of the domain, then one for each cut on the way
from the root. Neurons that are not decided on it stay as atoms (``forms``), so that any neuron
whose preactivation is an affine function of x on the cell may be decided next. A neuron is named
by ``network`` (0 is A, 1 is B), hidden layer and number, all from 0. The records, in preorder:

``split``  the cell is cut by a neuron; the side where it is negative comes first.
``sides``  some neurons have one sign on the whole cell: the opposite side is refuted.
``bounds`` some neurons have one sign on the cell by interval arithmetic (see ``bounds``).
``empty``  the cell is refuted.

A refutation of a cell and perhaps of one more form f > 0 are positive weights on rows of the cell
and, as the last one, on f, and *facts*: weights u, v >= 0 on s(z) >= 0 and on s(z) - z >= 0, z the
preactivation of a hidden neuron. Their sum is a form: a constant that is not positive.

Every other record ends its branch too; the rule that walks the tree says what it proves.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from .bounds import is_dead, is_linear, ranges
from .budget import Budget
from .canonical import Fields
from .evidence import require_positive
from .forms import Atoms, Form, Passed
from .integers import multiply
from .network import Network
from .reader import Certificate
from .system import System
from .tree import Row
from .values import RationalVector, read_index, read_indices, read_integer, read_list, read_vector
from .verdicts import Reason, Refused

_REFUTATION = frozenset({"facts", "rows", "values"})
_INNER: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "bounds": frozenset({"neurons"}),
        "empty": _REFUTATION,
        "sides": _REFUTATION | {"neurons", "signs"},
        "split": frozenset({"neuron"}),
    }
)


class PairCell(NamedTuple):
    """A node of the tree: its rows, and the atoms that are positive or negative on it."""

    rows: Sequence[Row]
    positive: Mapping[int, bool]


class Cut(NamedTuple):
    """The preactivation of a neuron on a cell, up to a factor > 0: an atom, upright or negative."""

    form: Form
    atom: int
    upright: bool


class PairTree:
    """The tree of two networks on a domain."""

    def __init__(self, a: Network, b: Network, domain: System, budget: Budget) -> None:
        self._networks = (a, b)
        self._domain = domain
        self._budget = budget
        self._atoms = Atoms(domain.dim, budget)
        self._last: tuple[Mapping[int, bool] | None, Sequence[Passed]] = (None, ())

    def leaves(
        self, certificate: Certificate, types: Mapping[str, frozenset[str]]
    ) -> Iterator[tuple[Fields, PairCell]]:
        """Read the tree; yield every record of the given types with the cell that it closes."""
        known = {**_INNER, **types}
        stack = [PairCell(self._domain.rows, {})]
        while stack:
            cell = stack.pop()
            name, record = certificate.one_of(known)
            if name == "split":
                stack.extend(self._halves(cell, record))
            elif name == "sides":
                stack.append(self._with_sides(cell, record))
            elif name == "bounds":
                stack.append(self._within_bounds(cell, record))
            elif name == "empty":
                self.refute(cell, [], *(record[name] for name in ("rows", "values", "facts")))
            else:
                yield record, cell

    def differences(self, cell: PairCell) -> tuple[list[Form], int]:
        """Return the outputs of A minus those of B on a cell, over a denominator > 0."""
        left, right = self._passed(cell)
        pairs = zip(left.outputs, right.outputs, strict=True)
        forms = [self._atoms.total([(right.den, f), (-left.den, g)]) for f, g in pairs]
        den = multiply(left.den, right.den, self._budget)
        return [self._atoms.plain(form) for form in forms], den

    def beyond(self, cell: PairCell, bound: RationalVector) -> list[Form]:
        """Return for every output what is positive where A is above B by more than a bound >= 0,
        and then the same for A below B.
        """
        forms, den = self.differences(cell)
        limit = {self._domain.dim: multiply(den, bound.nums[0], self._budget)}
        signs = (bound.den, -bound.den)
        return [self._atoms.total([(sign, f), (-1, limit)]) for f in forms for sign in signs]

    def refute(
        self, cell: PairCell, more: Sequence[Form], used: object, weights: object, facts: object
    ) -> None:
        """Refuse unless multipliers show that no point of the cell makes another form positive."""
        count = len(cell.rows) + len(more)
        positions = read_indices(used, count)
        if not positions:
            raise Refused(Reason.DEPENDENCY_EMPTY, "multipliers on no row")
        self._budget.spend(count)
        forms = [*map(self._form, cell.rows), *more]
        parts: list[tuple[int, Form]] = []
        values = read_vector(weights, len(positions), self._budget)
        for position, value in zip(positions, values, strict=True):
            require_positive(value, position)
            parts.append((value, forms[position]))
        passed = self._passed(cell)
        for fact in read_list(facts):
            neuron, *shares = read_list(fact, 3)
            before, after = self._neuron(passed, neuron)
            above, over = (read_integer(share, self._budget) for share in shares)
            if min(above, over) < 0:
                raise Refused(Reason.MULTIPLIER_NOT_POSITIVE, "a multiplier of a fact is negative")
            parts += [(above, after), (over, after), (-over, before)]
        row = self._atoms.row(self._atoms.plain(self._atoms.total(parts)))
        if row is None or any(row[:-1]):
            raise Refused(Reason.COMBINATION_NOT_ZERO, "the combination is not constant")
        if row[-1] > 0:
            raise Refused(Reason.OFFSET_POSITIVE, "the combination of the offsets is positive")

    def _passed(self, cell: PairCell) -> Sequence[Passed]:
        """Return both networks on a cell; those of the last one are kept."""
        if self._last[0] is not cell.positive:
            passed = [self._atoms.through(network, cell.positive) for network in self._networks]
            self._last = cell.positive, passed
        return self._last[1]

    def _form(self, row: Row) -> Form:
        self._budget.spend(len(row))
        return dict(enumerate(row))

    def _halves(self, cell: PairCell, record: Fields) -> tuple[PairCell, PairCell]:
        """Cut a cell; return its positive side and its negative side, which is read first."""
        cut = self._cut(self._passed(cell), cell.positive, record["neuron"])
        row = self._atoms.row(cut.form)
        if row is None:
            raise Refused(Reason.NEURON_NOT_AFFINE, "an earlier neuron is not decided on the cell")
        self._budget.spend(len(cell.rows) + len(cell.positive))
        opposite = [-entry for entry in row]
        return (
            PairCell([*cell.rows, row], {**cell.positive, cut.atom: cut.upright}),
            PairCell([*cell.rows, opposite], {**cell.positive, cut.atom: not cut.upright}),
        )

    def _with_sides(self, cell: PairCell, record: Fields) -> PairCell:
        """Return a cell with more neurons decided, each by its own refutation."""
        neurons = read_list(record["neurons"])
        if not neurons:
            raise Refused(Reason.DEPENDENCY_EMPTY, "the sides of no neuron")
        signs, rows, values, facts = (
            read_list(record[name], len(neurons)) for name in ("signs", "rows", "values", "facts")
        )
        passed = self._passed(cell)
        positive = dict(cell.positive)
        for neuron, sign, *proof in zip(neurons, signs, rows, values, facts, strict=True):
            cut = self._cut(passed, positive, neuron)
            if sign not in ("+", "-"):
                raise Refused(Reason.UNKNOWN_SENSE, "the sign of a neuron is + or -")
            beyond = self._atoms.total([(-1 if sign == "+" else 1, cut.form)])
            self.refute(cell, [beyond], *proof)
            positive[cut.atom] = cut.upright == (sign == "+")
        return PairCell(cell.rows, positive)

    def _within_bounds(self, cell: PairCell, record: Fields) -> PairCell:
        """Return a cell with neurons decided whose bounds have one sign."""
        found = [ranges(network, cell.rows, self._budget) for network in self._networks]
        passed = self._passed(cell)
        positive = dict(cell.positive)
        for neuron in read_list(record["neurons"]):
            cut = self._cut(passed, positive, neuron)
            network, layer, number = (read_index(entry) for entry in read_list(neuron, 3))
            bounds = found[network][layer][number]
            if not is_linear(bounds) and not is_dead(bounds):
                raise Refused(Reason.NEURON_UNDECIDED, "the bounds of the neuron have no sign")
            positive[cut.atom] = cut.upright == is_linear(bounds)
        return PairCell(cell.rows, positive)

    def _cut(self, passed: Sequence[Passed], positive: Mapping[int, bool], neuron: object) -> Cut:
        """Find a neuron that is neither constant nor decided."""
        form = self._atoms.plain(self._neuron(passed, neuron)[0])
        if not form.keys() - {self._domain.dim}:
            raise Refused(Reason.NEURON_DECIDED, "the neuron is constant on the cell")
        common, upright, atom = self._atoms.atom(form)
        if atom in positive:
            raise Refused(Reason.NEURON_DECIDED, "the neuron is decided already")
        return Cut({term: value // common for term, value in form.items()}, atom, upright)

    def _neuron(self, passed: Sequence[Passed], neuron: object) -> tuple[Form, Form]:
        """Return the preactivation z of a neuron, and s(z)."""
        network, layer, number = (read_index(entry) for entry in read_list(neuron, 3))
        before, after, _, _ = passed[_below(network, len(passed))]
        forms = before[_below(layer, len(before))]
        return forms[_below(number, len(forms))], after[layer][number]


def _below(index: int, count: int) -> int:
    if index >= count:
        raise Refused(Reason.INDEX_OUT_OF_RANGE, f"index {index}, there are {count}")
    return index
