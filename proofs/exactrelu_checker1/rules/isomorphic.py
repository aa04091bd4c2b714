"""Isomorphism of two networks.

Statement. Some permutations and positive scalings of the hidden neurons of A give B: in every
hidden layer the row (weights and bias) of a neuron is multiplied by a positive number and its
column in the next layer is divided by it.

Evidence. One record for each hidden layer. ``permutation``: the neuron of A that comes to each
place of B. ``scalings``: the factor of its row. The checker compares every entry. Scaling does
not change the function, because ReLU is positively homogeneous: A and B compute the same.
"""

from collections.abc import Sequence
from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..integers import dot, multiply
from ..network import Network
from ..pair import PAIR_FIELDS, pair_subjects, pair_text, read_pair
from ..reader import Certificate
from ..statement import Claim, Rule
from ..values import RationalVector, read_index, read_list, read_rational
from ..verdicts import Reason, Refused

_FIELDS = frozenset({"permutation", "scalings"})


def _read(claim: Fields, budget: Budget) -> Claim:
    a, b = read_pair(claim, budget)
    return Claim(
        f"{pair_text(a, b)} are equal up to permutation and positive scaling of hidden neurons",
        pair_subjects(a, b),
        partial(check_isomorphic, a, b),
        (a, b),
    )


def check_isomorphic(a: Network, b: Network, certificate: Certificate, budget: Budget) -> None:
    """Check the permutations and scalings that take A to B."""
    if a.widths() != b.widths():
        raise Refused(Reason.SHAPES_DIFFER, "the networks have other widths")
    widths = a.widths()
    one = RationalVector(1, (1,))
    columns: Sequence[int] = range(widths[0])
    before = [one] * widths[0]
    for position, (left, right) in enumerate(zip(a.layers, b.layers, strict=True)):
        rows: Sequence[int] = range(len(left.rows))
        factors = [one] * len(left.rows)
        if position < len(a.layers) - 1:
            record = certificate.record("symmetry", _FIELDS)
            rows = _permutation(record["permutation"], len(rows))
            factors = _factors(record["scalings"], len(rows), budget)
        moved = (*columns, left.width - 1)
        # B.den · (p/q of the row) · (q/p of the column) · A = A.den · B, entry by entry.
        top = [multiply(right.den, s.den, budget) for s in before] + [right.den]
        bottom = [multiply(left.den, s.nums[0], budget) for s in before] + [left.den]
        for place, (number, factor) in enumerate(zip(rows, factors, strict=True)):
            source, target = left.rows[number], right.rows[place]
            for column, at in enumerate(moved):
                ours = multiply(source[at], multiply(top[column], factor.nums[0], budget), budget)
                theirs = multiply(bottom[column], factor.den, budget)
                if dot((ours, target[column]), (1, -theirs), budget) != 0:
                    raise Refused(
                        Reason.WEIGHTS_DIFFER,
                        f"layer {position + 1}, row {place + 1}, entry {column + 1} differs",
                    )
        columns, before = rows, factors


def _permutation(value: object, length: int) -> list[int]:
    numbers = [read_index(entry) for entry in read_list(value, length)]
    if sorted(numbers) != list(range(length)):
        raise Refused(Reason.NOT_A_PERMUTATION, f"not a permutation of 0 to {length - 1}")
    return numbers


def _factors(value: object, length: int, budget: Budget) -> list[RationalVector]:
    factors = [read_rational(entry, budget) for entry in read_list(value, length)]
    if any(factor.nums[0] <= 0 for factor in factors):
        raise Refused(Reason.SCALING_NOT_POSITIVE, "a scaling is not positive")
    return factors


RULE = Rule(PAIR_FIELDS, _read)
