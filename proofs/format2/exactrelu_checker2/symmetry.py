"""Isomorphic networks: equal up to permutation and positive scaling of hidden neurons.

*Statement.* B arises from A by permuting the neurons of every hidden layer and multiplying the row
(weights and bias) of each by a positive number, by which its column in the next layer is divided.
The negation is in ``colours``.

``symmetry p_1…p_n num_1 den_1…num_n den_n``, for each hidden layer: the neuron of A that stands at
each place of B, and the factor num/den > 0 of its row. The checker compares every entry: B_ij =
s_i · A_p(i)p(j) / s_j, with inputs and outputs neither permuted nor scaled. That is the
definition.

``equal`` by ``isomorphic``, with these records: as max(s·t, 0) = s·max(t, 0) for s > 0, isomorphic
networks have the same values everywhere. Networks with linear units are refused.
"""

from collections.abc import Sequence

from . import claims
from .claims import kind
from .file import Proof, form, need
from .numbers import bits
from .objects import Network, System


@kind(
    "isomorphic",
    "{a} and {b} are equal up to permutation and positive scaling of hidden neurons",
    "{a} and {b} are not equal up to permutation and positive scaling of hidden neurons",
    a=claims.plain_network,
    b=claims.plain_network,
)
def isomorphic(a: Network, b: Network) -> None:
    """Any two networks."""


def isomorphic_by_symmetry(proof: Proof, a: Network, b: Network) -> None:
    """Compare every entry of B with that of A where the records take it."""
    need(a.widths == b.widths, "shapes-differ", "the networks have other widths")
    places: Sequence[int] = range(a.widths[0])
    tops = bottoms = [1] * a.widths[0]
    for number, (left, right) in enumerate(zip(a.layers, b.layers, strict=True)):
        size = len(left.rows)
        rows: Sequence[int] = range(size)
        nums = dens = [1] * size
        if number < len(a.hidden):
            numbers = proof.numbers("symmetry", 3 * size)
            rows, nums, dens = numbers[:size], numbers[size::2], numbers[size + 1 :: 2]
            form(sorted(rows) == [*range(size)], "not-a-permutation", "each neuron once")
            ok = min(nums) > 0 and min(dens) > 0
            need(ok, "scaling-not-positive", "a scaling is not positive")
        long = bits([*nums, *dens]) + bits([*tops, *bottoms])
        proof.spend(6 * size * (len(places) + 1), left.bits + right.bits, 2 * long)
        moved = (*places, len(places))
        # A·(num/den of the row)·(den/num of the column)/A.den = B/B.den; the constant has factor 1.
        above = [right.den * bottom for bottom in (*bottoms, 1)]
        below = [left.den * top for top in (*tops, 1)]
        for at, num, den, target in zip(rows, nums, dens, right.rows, strict=True):
            source = left.rows[at]
            ours = [source[j] * num * u for j, u in zip(moved, above, strict=True)]
            theirs = [entry * den * v for entry, v in zip(target, below, strict=True)]
            need(ours == theirs, "weights-differ", "an entry of B is not that of A")
        places, tops, bottoms = rows, nums, dens


def equal_by_isomorphic(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """Isomorphic networks are equal everywhere."""
    need(a.is_plain and b.is_plain, "linear-units", "networks without linear units are needed")
    isomorphic_by_symmetry(proof, a, b)
