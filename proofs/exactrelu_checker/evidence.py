"""Evidence that many kinds share: the one inequality, points.

``inside p den``         p in the relative interior of a domain
``point p den``          a rational point, den > 0, lowest terms not asked
``… m r λ r λ …``        multipliers λ of m rows: the one inequality
"""

from collections.abc import Sequence

from .file import Numbers, Proof, form, need
from .numbers import Entries, Rows, bits, paired, total
from .objects import System, Vector, contains

Strict = Sequence[bool | None]  # of rows: > 0, >= 0, or None for = 0
Parts = Sequence[tuple[int, Entries]]  # weights and rows


def read_point(proof: Proof, word: str, dim: int) -> Vector:
    """Read a record that is a rational point."""
    return as_point(proof.numbers(word, dim + 1))


def as_point(numbers: Entries) -> Vector:
    """Return the point of its numerators and then the denominator."""
    *nums, den = numbers
    form(den > 0, "denominator-not-positive", "a denominator is positive")
    return Vector(den, tuple(nums))


def inside(proof: Proof, domain: System, word: str = "inside") -> Vector:
    """Read a point of the relative interior: so that no claim about a domain is vacuous.

    Equations are 0 at p and all other rows are > 0. So D is not empty, and {x : equations
    0, others > 0} is a part of D, open in the solutions H of the equations and not empty: H
    is the affine hull of D, and that part is its relative interior.
    """
    point = read_point(proof, word, domain.dim)
    need(
        contains(proof, domain, point, inner=True),
        "not-inside",
        "not in the relative interior",
    )
    return point


def point_in(proof: Proof, domain: System) -> Vector:
    """Read a point of a domain, or a solution of a system, as it is written."""
    point = read_point(proof, "point", domain.dim)
    need(contains(proof, domain, point), "point-outside", "the point is not in the domain")
    return point


def weighted(numbers: Numbers, strict: Strict) -> list[Numbers]:
    """Return the rows and multipliers of m r λ r λ …: λ > 0, or of any sign on
    equations.
    """
    form(numbers and len(numbers) == 1 + 2 * numbers[0], "wrong-length", "m, then m pairs")
    used, values = numbers[1::2], numbers[2::2]
    for row, value in paired(used, values):
        form(0 <= row < len(strict), "index-out-of-range", "no such row")
        need(
            value > 0 or strict[row] is None,
            "multiplier-not-positive",
            "a multiplier is not > 0",
        )
    return [used, values]


def combination(proof: Proof, rows: Rows, values: Entries, size: int) -> int:
    """Return the constant c = Σλ·row of rows of some bits; refuse if the sum is not
    constant.
    """
    proof.spend(sum(map(len, rows)), size, bits(values))
    *normal, constant = total(values, rows)
    need(not any(normal), "combination-not-zero", "the combination of the normals is not 0")
    return constant


def require_contradiction(constant: int, strict: bool) -> None:
    """The one inequality: Σλ·row = c with λ >= 0 and rows >= 0 gives c >= 0, > 0 with a
    strict row.

    Refuse unless c contradicts that.
    """
    need(constant <= 0 if strict else constant < 0, "no-contradiction", "no contradiction")


def refute(
    proof: Proof,
    rows: Rows,
    strict: Strict,
    numbers: Numbers,
    size: int,
    parts: Parts = (),
) -> Numbers:
    """Refuse unless m r λ … shows that rows of some bits never hold at once; return those
    used.

    With parts: unless it shows that Σ weight·row of the parts is > 0 nowhere where the rows
    hold.
    """
    used, values = weighted(numbers, strict)
    chosen = [*parts, *((value, rows[r]) for r, value in paired(used, values))]
    constant = combination(proof, [row for _, row in chosen], [x for x, _ in chosen], size)
    require_contradiction(constant, bool(parts) or any(strict[r] for r in used))
    return used
