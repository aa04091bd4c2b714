"""Lower bound of the stability of a layer on a polyhedron.

Statement. |F(x) - F(y)| >= r·|x - y| for all x, y in the polyhedron D, where r >= 0 and F is the
layer x -> ReLU(Wx + b), or Wx + b if it is the last of the network N.

Evidence. ``equations``: a dependency as in ``spanning``, a factor c for the normals of the
equations, and a list ``always`` of rows of the layer, each of which gets an ``empty`` record:
multipliers that refute that it is negative, and rows of D. Then a tree of cells in preorder:
``split`` by a row k of the layer, first k < 0, then k >= 0; ``empty``: multipliers that refute the
rows of the cell and of D; ``bound``: a factor L that shows |A·v|² >= 2r²·|v|² for every v, where A
has c times the normals of the equations, twice the rows that are always active, and once the other
rows that are active on the cell. Of the last layer all rows are always active, without proof.

Sound. Let d = y - x. A row that is active on a part T of the segment from x to y changes by
T·|w·d|. With weights 4s for s <= 1/2 and 4(1 - s) beyond, the weight of an interval of length T at
an end of [0, 1] is at most 2T². So 2·|F(x) - F(y)|² is at least the mean, over points of the
segment, of Σ (w·d)² over the rows active there, those that are always active counted twice. On
each cell that is at least 2r²·|d|²: the equations are constant on D, and do not count for A·d.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from ..bound import read_bound
from ..budget import Budget
from ..canonical import Fields
from ..describe import rational_text
from ..evidence import refute
from ..integers import multiply
from ..layer import LAYER_FIELDS, LayerOnDomain, read_layer_on_domain
from ..reader import Certificate
from ..semidefinite import require_semidefinite
from ..spanning import equation_normals
from ..statement import Claim, Rule
from ..system import System
from ..tree import opposite
from ..values import (
    RationalMatrix,
    RationalVector,
    read_index,
    read_indices,
    read_integer,
    read_rational_matrix,
)
from ..verdicts import Reason, Refused

_EQUATIONS = frozenset({"always", "factor", "rows", "values"})
_EMPTY = frozenset({"rows", "values"})
_NODES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "bound": frozenset({"factor"}),
        "empty": _EMPTY,
        "split": frozenset({"neuron"}),
    }
)


class _Cell(NamedTuple):
    """Rows that hold, those of the domain first, and the rows of the layer known to be active."""

    system: System
    active: frozenset[int]


def _read(claim: Fields, budget: Budget) -> Claim:
    layer = read_layer_on_domain(claim, budget)
    bound = read_bound(claim["bound"], budget)
    return Claim(
        f"{layer.text()} satisfies |F(x) - F(y)| >= {rational_text(bound)} |x - y| "
        f"for all x, y in {layer.place()}",
        layer.subjects,
        partial(check_stability, layer, bound),
        (layer.network,),
    )


def check_stability(
    layer: LayerOnDomain, bound: RationalVector, certificate: Certificate, budget: Budget
) -> None:
    """Read the proof that a layer keeps points at least ``bound`` times as far apart."""
    matrix = layer.matrix()
    record = certificate.record("equations", _EQUATIONS)
    factor = read_integer(record["factor"], budget)
    normals = equation_normals(record, layer.domain, budget)
    always = _always(layer, record["always"], certificate, budget)
    fixed: list[Sequence[int]] = [
        [multiply(factor, entry, budget) for entry in normal] for normal in normals
    ]
    fixed += [matrix.rows[k][:-1] for k in always for _ in range(2)]
    shift = 2 * multiply(bound.nums[0], bound.nums[0], budget)
    shift_den = multiply(bound.den, bound.den, budget)
    stack = [_Cell(layer.domain, frozenset())]
    while stack:
        cell = stack.pop()
        name, record = certificate.one_of(_NODES)
        if name == "split":
            stack.extend(_sides(cell, record["neuron"], matrix, budget))
        elif name == "empty":
            refute(record, cell.system, budget)
        else:
            active = [matrix.rows[k][:-1] for k in sorted(cell.active.difference(always))]
            rows = RationalMatrix(matrix.den, [*fixed, *active], layer.domain.dim)
            root = read_rational_matrix(record["factor"], rows.width, rows.width, budget)
            require_semidefinite(rows, shift, shift_den, root, budget)


def _always(
    layer: LayerOnDomain, value: object, certificate: Certificate, budget: Budget
) -> Sequence[int]:
    """Read the proofs that rows of the layer are active everywhere on the domain; return these."""
    rows = layer.matrix().rows
    listed = read_indices(value, len(rows))
    for k in listed:
        negative = _with_row(layer.domain, "gt", tuple(opposite(rows[k])))
        refute(certificate.record("empty", _EMPTY), negative, budget)
    return range(len(rows)) if layer.is_last() else listed


def _sides(
    cell: _Cell, neuron: object, matrix: RationalMatrix, budget: Budget
) -> tuple[_Cell, _Cell]:
    """Cut a cell; return the side where a row is active, and the other one, which is read first."""
    k = read_index(neuron)
    if k >= len(matrix.rows):
        raise Refused(Reason.INDEX_OUT_OF_RANGE, f"the layer has no row {k}")
    budget.spend(len(cell.system.rows) + len(cell.active) + matrix.width)
    row = tuple(matrix.rows[k])
    return (
        _Cell(_with_row(cell.system, "ge", row), cell.active | {k}),
        _Cell(_with_row(cell.system, "gt", tuple(opposite(row))), cell.active),
    )


def _with_row(system: System, sense: str, row: tuple[int, ...]) -> System:
    return System(system.dim, (*system.senses, sense), (*system.rows, row))


RULE = Rule(LAYER_FIELDS | {"bound"}, _read)
