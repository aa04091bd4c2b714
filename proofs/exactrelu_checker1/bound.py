"""The bound of a claim about singular values: a rational number that is not negative."""

from .budget import Budget
from .values import RationalVector, read_rational
from .verdicts import Reason, Refused


def read_bound(value: object, budget: Budget) -> RationalVector:
    """Return a bound r >= 0; the rules compare squares, which would hide a sign."""
    bound = read_rational(value, budget)
    if bound.nums[0] < 0:
        raise Refused(Reason.BOUND_NEGATIVE, "the bound is negative")
    return bound
