"""Affine functions of units of a network, for given active neurons.

*non-proportional* A unit of layer l, the last one too, with an indicator, nonempty masks of the
layers before it, has an affine function v = [w, b] of the input: its preactivation if the neurons
of the masks are active and the others are not. For no two different pairs of a unit and an
indicator there is a number c, 0 too, with v = c·v'. (Phuong & Lampert, ICLR 2020, Lemma A.11.)

``points q s… t…``: q >= 2, and integer vectors s, t of n_0 + 1 entries. Modulo q, s·v is a unit for
every pair, and the quotients t·v / s·v are all different. The checker computes s·u and t·u for the
integer vector u = den_1·…·den_l·v, like the layers do with the input s (its last entry is that of
the constant) and masks in the place of ReLU. *Sound.* If v = c·v', then u = c'·u' for a rational
c', so (s·u)(t·u') = (s·u')(t·u), and the quotients are equal. If N has one unit only, there is
nothing to compare.

Negation. Two records ``unit i I_1 … I_(l-1)``, unit i of the layer after the masks; they differ, no
mask is empty, and of the vectors u, u' that the checker computes one is a multiple of the other:
u_j·u'_p = u'_j·u_p for all j and a p with u_p != 0 (any p if u = 0·u').
"""

from . import claims
from .claims import kind
from .file import Proof, form, need
from .masks import MEMORY, Step, all_masked, pulled_back, read_masks
from .numbers import Row, bits, pivot_place, total
from .objects import Network
from .ranks import residues, unit_pivot


@kind(
    "non-proportional",
    "no two units of {network} with indicators have proportional affine functions",
    "two units of {network} with indicators have proportional affine functions",
    network=claims.plain_network,
)
def non_proportional(network: Network) -> None:
    """Any network."""


def non_proportional_by_quotients(proof: Proof, network: Network) -> None:
    """Two numbers for every function, whose quotients differ, modulo q."""
    n = network.widths[0]
    modulus, *points = proof.numbers("points", 3 + 2 * n)
    inputs = residues(proof, list(zip(points[: n + 1], points[n + 1 :], strict=True)), modulus)
    first, *rest = (residues(proof, layer.rows, modulus) for layer in network.layers)
    size, ones = modulus.bit_length(), inputs[-1]
    proof.spend(2 * sum(len(rows) for rows in (*rest, *[first] * (n + 1))), size, size)
    start = [[x % modulus for x in total(row, inputs, 2)] for row in first]
    steps: list[Step] = []
    for layer, rows in zip(network.layers, rest, strict=False):
        ones = [one * layer.den % modulus for one in ones]
        constant = [row[-1] * one % modulus for row in rows for one in ones]
        steps.append(([row[:-1] for row in rows], constant))
    seen: set[int] = set()
    for _, product in (
        all_masked(proof, start, steps, 0, modulus) if sum(network.widths) > n + 1 else ()
    ):
        for below, above in product:
            proof.spend(MEMORY, size, size)
            unit = unit_pivot(proof, [below], modulus)
            need(unit, "not-a-unit", "a function is no unit at the first point")
            quotient = above * (unit or (0, 0))[1] % modulus
            need(quotient not in seen, "quotient-repeated", "two functions have one quotient")
            seen.add(quotient)


def non_proportional_by_units(proof: Proof, network: Network) -> None:
    """Two functions of which one is a multiple of the other."""
    first, second = (proof.record("unit")[1] for _ in range(2))
    need(first != second, "units-equal", "one unit with one indicator")
    left, right = (_function(proof, network, numbers) for numbers in (first, second))
    place = pivot_place((*left, 0)) or 0
    proof.spend(2 * len(left), bits(left), bits(right))
    ok = all(x * right[place] == y * left[place] for x, y in zip(left, right, strict=True))
    need(ok, "not-proportional", "the affine functions are independent")


def _function(proof: Proof, network: Network, numbers: list[int]) -> Row:
    """Return integers on the ray of the affine function of ``unit i I_1 …``."""
    form(numbers, "wrong-length", "a unit, then masks")
    unit, *masks = numbers
    ok = len(numbers) <= len(network.layers) and 0 <= unit < network.widths[len(numbers)]
    form(ok, "index-out-of-range", "no such unit")
    kept = read_masks(network, 0, masks)
    need(all(kept), "mask-empty", "an indicator with a layer of which nothing is active")
    return pulled_back(proof, network, 0, [*kept, [unit]], [1])
