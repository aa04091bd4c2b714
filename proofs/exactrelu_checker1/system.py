"""Systems of linear equations and inequalities: the polyhedra of claims.

A row (a, b) with a sense says a·x + b = 0 (``eq``), >= 0 (``ge``) or > 0 (``gt``) for x in R^dim.
All entries are integers. Rows are counted from 0, as in the file.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from .budget import Budget
from .canonical import as_fields, require_fields
from .integers import dot
from .values import RationalVector, read_index, read_list, read_vector
from .verdicts import Reason, Refused

_SYSTEM_FIELDS = frozenset({"dim", "rows"})
_HOLDS: Mapping[str, Callable[[int], bool]] = MappingProxyType(
    {"eq": lambda value: value == 0, "ge": lambda value: value >= 0, "gt": lambda value: value > 0}
)


@dataclass(frozen=True)
class System:
    """The rows (a, b) and their senses."""

    dim: int
    senses: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]

    def normals(self) -> list[tuple[int, ...]]:
        """Return the vectors a of the rows."""
        return [row[:-1] for row in self.rows]

    def text(self) -> str:
        """Describe the system in a few words."""
        return f"the system S of {len(self.rows)} rows in R^{self.dim}"

    def require_point(self, point: RationalVector, budget: Budget) -> None:
        """Refuse a point that violates a row."""
        for number, (sense, row) in enumerate(zip(self.senses, self.rows, strict=True)):
            if not _HOLDS[sense](dot(row, (*point.nums, point.den), budget)):
                raise Refused(Reason.POINT_OUTSIDE, f"the point violates row {number} ({sense})")

    def require_ray(self, ray: Sequence[int], budget: Budget) -> None:
        """Refuse a vector r unless a·r = 0 on equations and a·r >= 0 on inequalities."""
        for number, (sense, row) in enumerate(zip(self.senses, self.rows, strict=True)):
            closed = "eq" if sense == "eq" else "ge"
            if not _HOLDS[closed](dot(row[:-1], ray, budget)):
                raise Refused(Reason.RAY_LEAVES, f"the ray leaves row {number} ({sense})")


def read_system(value: object, budget: Budget) -> System:
    """Return the system of a claim."""
    fields = as_fields(value, "a system")
    require_fields(fields, _SYSTEM_FIELDS, "a system")
    dim = read_index(fields["dim"])
    senses: list[str] = []
    rows: list[tuple[int, ...]] = []
    for entry in read_list(fields["rows"]):
        sense, row = read_list(entry, 2)
        if not isinstance(sense, str) or sense not in _HOLDS:
            raise Refused(Reason.UNKNOWN_SENSE, "the sense of a row is eq, ge or gt")
        senses.append(sense)
        rows.append(read_vector(row, dim + 1, budget))
    return System(dim, tuple(senses), tuple(rows))
