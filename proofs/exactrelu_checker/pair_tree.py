"""Split trees of two networks: an open polyhedron cut by hidden neurons of either one.

A cell is given by strict rows a·x + b > 0: those of the domain, then one for each cut on the way
from the root. Neurons that are not decided on it stay as atoms (``forms``), so that any neuron
whose preactivation is an affine function of x on the cell may be decided next. A neuron is named
by ``network`` (0 is A, 1 is B), hidden layer and number, all from 0. The records, in preorder:

``split``  the cell is cut by a neuron; the side where it is negative comes first.
``sides``  some neurons have one sign on the whole cell, by multipliers as in ``split_tree``.
``empty``  the cell is empty, by multipliers.

Every other record ends its branch too; the rule that walks the tree says what it proves.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from .budget import Budget
from .canonical import Fields
from .forms import Atoms, Form, Passed
from .integers import multiply
from .network import Network
from .reader import Certificate
from .split_tree import Row, require_empty
from .system import System
from .values import read_index, read_list
from .verdicts import Reason, Refused

_INNER: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "empty": frozenset({"rows", "values"}),
        "sides": frozenset({"neurons", "rows", "signs", "values"}),
        "split": frozenset({"neuron"}),
    }
)


class PairCell(NamedTuple):
    """A node of the tree: its rows, and the atoms that are positive or negative on it."""

    rows: Sequence[Row]
    positive: Mapping[int, bool]


class Cut(NamedTuple):
    """The preactivation of a neuron on a cell, up to a factor > 0, and ± the atom that it is."""

    row: Row
    number: int
    sign: int


class PairTree:
    """The tree of two networks on a domain."""

    def __init__(self, a: Network, b: Network, domain: System, budget: Budget) -> None:
        self._networks = (a, b)
        self._domain = domain
        self._budget = budget
        self._atoms = Atoms(domain.dim, budget)

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
            elif name == "empty":
                require_empty(cell.rows, record["rows"], record["values"], self._budget)
            else:
                yield record, cell

    def differences(self, cell: PairCell) -> tuple[list[Form], int]:
        """Return the outputs of A minus those of B on a cell, over a denominator > 0."""
        left, right = (self._atoms.through(n, cell.positive) for n in self._networks)
        pairs = zip(left.outputs, right.outputs, strict=True)
        forms = [self._atoms.total([(right.den, f), (-left.den, g)]) for f, g in pairs]
        den = multiply(left.den, right.den, self._budget)
        return [self._atoms.plain(form) for form in forms], den

    def row(self, form: Form) -> Row | None:
        """Return a form as a row, or None if it has atoms."""
        return self._atoms.row(form)

    def _halves(self, cell: PairCell, record: Fields) -> tuple[PairCell, PairCell]:
        """Cut a cell; return its positive side and its negative side, which is read first."""
        passed = [self._atoms.through(n, cell.positive) for n in self._networks]
        cut = self._cut(passed, cell.positive, record["neuron"])
        self._budget.spend(len(cell.rows) + len(cell.positive))
        opposite = [-entry for entry in cut.row]
        return (
            PairCell([*cell.rows, cut.row], {**cell.positive, cut.number: cut.sign > 0}),
            PairCell([*cell.rows, opposite], {**cell.positive, cut.number: cut.sign < 0}),
        )

    def _with_sides(self, cell: PairCell, record: Fields) -> PairCell:
        """Return a cell with more neurons decided, each by its own multipliers."""
        neurons = read_list(record["neurons"])
        if not neurons:
            raise Refused(Reason.DEPENDENCY_EMPTY, "the sides of no neuron")
        signs, rows, values = (
            read_list(record[name], len(neurons)) for name in ("signs", "rows", "values")
        )
        passed = [self._atoms.through(n, cell.positive) for n in self._networks]
        positive = dict(cell.positive)
        for neuron, sign, used, weights in zip(neurons, signs, rows, values, strict=True):
            cut = self._cut(passed, positive, neuron)
            if sign not in ("+", "-"):
                raise Refused(Reason.UNKNOWN_SENSE, "the sign of a neuron is + or -")
            beyond = [-entry for entry in cut.row] if sign == "+" else cut.row
            self._budget.spend(len(cell.rows))
            require_empty([*cell.rows, beyond], used, weights, self._budget)
            positive[cut.number] = (cut.sign > 0) == (sign == "+")
        return PairCell(cell.rows, positive)

    def _cut(self, passed: Sequence[Passed], positive: Mapping[int, bool], neuron: object) -> Cut:
        """Find a neuron that is affine on a cell, neither constant nor decided."""
        layers: Sequence[Sequence[Form]]
        network, layer, number = (read_index(entry) for entry in read_list(neuron, 3))
        layers = passed[_below(network, len(passed))].preactivations
        forms = layers[_below(layer, len(layers))]
        form = self._atoms.plain(forms[_below(number, len(forms))])
        row = self._atoms.row(form)
        if row is None:
            raise Refused(Reason.NEURON_NOT_AFFINE, "an earlier neuron is not decided on the cell")
        if not any(row[:-1]):
            raise Refused(Reason.NEURON_DECIDED, "the neuron is constant on the cell")
        common, sign, atom = self._atoms.atom(form)
        if atom in positive:
            raise Refused(Reason.NEURON_DECIDED, "the neuron is decided already")
        return Cut([entry // common for entry in row], atom, sign)


def _below(index: int, count: int) -> int:
    if index >= count:
        raise Refused(Reason.INDEX_OUT_OF_RANGE, f"index {index}, there are {count}")
    return index
