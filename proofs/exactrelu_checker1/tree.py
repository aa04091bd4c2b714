"""What split trees and face trees share: rows on a path, and multipliers that refute them."""

from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from .budget import Budget
from .canonical import Fields
from .evidence import require_positive
from .integers import combine
from .values import read_indices, read_list, read_vector
from .verdicts import Reason, Refused

Row = Sequence[int]  # a_1, …, a_n, b
Item = TypeVar("Item")


class Chain(NamedTuple, Generic[Item]):
    """A list that is never changed: an item, and the shared list of those before it."""

    before: "Chain[Item] | None"
    item: Item


def chained(rows: Sequence[Row]) -> Chain[Row] | None:
    """Return rows as a chain."""
    chain: Chain[Row] | None = None
    for row in rows:
        chain = Chain(chain, row)
    return chain


def listed(chain: Chain[Item] | None, budget: Budget) -> list[Item]:
    """Return a chain as a list, the first item first."""
    items: list[Item] = []
    while chain is not None:
        items.append(chain.item)
        chain = chain.before
    budget.spend(len(items))
    return items[::-1]


def opposite(row: Row) -> Row:
    """Return the row of the other side."""
    return [-entry for entry in row]


def combination(rows: Sequence[Row], used: object, weights: object, budget: Budget) -> Row:
    """Return the sum of positive multiples of some rows, at least one."""
    positions = read_indices(used, len(rows))
    values = read_vector(weights, len(positions), budget)
    if not positions:
        raise Refused(Reason.DEPENDENCY_EMPTY, "multipliers on no row")
    for position, value in zip(positions, values, strict=True):
        require_positive(value, position)
    columns = list(zip(*(rows[position] for position in positions), strict=True))
    return combine(values, columns, budget)


def require_contradiction(row: Row) -> None:
    """Refuse unless a row says 0·x + b > 0 with b <= 0."""
    *normal, offset = row
    if any(normal):
        raise Refused(Reason.COMBINATION_NOT_ZERO, "the combination of the normals is not 0")
    if offset > 0:
        raise Refused(Reason.OFFSET_POSITIVE, "the combination of the offsets is positive")


def read_sides(record: Fields, n_neurons: int) -> Iterator[tuple[int, object, object, object]]:
    """Return the neurons of a ``sides`` record, each with its sign, its rows and their weights."""
    neurons = read_indices(record["neurons"], n_neurons)
    if not neurons:
        raise Refused(Reason.DEPENDENCY_EMPTY, "the sides of no neuron")
    lists = (read_list(record[name], len(neurons)) for name in ("signs", "rows", "values"))
    return zip(neurons, *lists, strict=True)


def is_positive(sign: object) -> bool:
    """Tell which of the two signs of a neuron this is."""
    if sign not in ("+", "-"):
        raise Refused(Reason.UNKNOWN_SENSE, "the sign of a neuron is + or -")
    return sign == "+"
