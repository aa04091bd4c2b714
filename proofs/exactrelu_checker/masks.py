"""Masks: sets of neurons of layers in a row, that stand for the active ones.

A mask in a record is an integer: bit i is neuron i. Products of layers with masks between
them are computed modulo q for all masks, by a Gray code, in which one neuron comes or goes
at a time; or exactly for given masks, as the combination of the inputs that one of neurons
of the last mask is.

Ranks of products of weight matrices with masks between them.

*masked-rank* Let W_1, …, W_L be the weight matrices of N, n_0, …, n_L its widths. For all
layers k <= l and all sets of neurons (masks) I_k, …, I_l of them, the last layer counts
too,

    rank(I_l W_l I_(l-1) W_(l-1) … I_k W_k) = min(n_(k-1), |I_k|, …, |I_l|),             (P)

where a mask stands for the diagonal matrix that keeps its neurons.

``modulus q x_0 x_1 …``: q >= 2 and as many nodes x as the widest layer, the input too, has
neurons. For 0 <= c < l <= L and masks I_(c+1), …, I_(l-1) let M = W_l I_(l-1) … I_(c+1)
W_(c+1), of shape n_l x n_c, and m the size of the smallest of these masks (infinite if l =
c + 1); n_(-1) = 0. The checker goes through all masks modulo q, and wants:

  square  for 1 <= r <= min(n_(c-1), n_c, n_l), r < m: no r x r minor of M is 0 modulo q;
  full    if n_(c-1) < n_c <= n_l and n_c < m: any n_c rows of M are invertible modulo q;
  wide    if n_(c-1) < n_l < n_c and n_l < m, and l = c + 1 or n_(c+1) > n_c: M·V is
          invertible modulo q, where V has the powers x_t^i, i = 0, …, n_c - 1, in column
          t < n_l.

Denominators of layers change no rank.

Negation. ``masks k I_k … I_l``, layers from 0, with |I_l| = min(n_(k-1), |I_k|, …, |I_l|),
and ``combination y…``, a y != 0 on I_l with y·W_l[I_l, I_(l-1)]·…·W_k[I_k, :] = 0: the rank
is at most |I_l| - 1.

Affine functions of units of a network, for given active neurons.

*non-proportional* A unit of layer l, the last one too, with an indicator, nonempty masks of
the layers before it, has an affine function v = [w, b] of the input: its preactivation if
the neurons of the masks are active and the others are not. For no two different pairs of a
unit and an indicator there is a number c, 0 too, with v = c·v'. (Phuong & Lampert, ICLR
2020, Lemma A.11.)

``points q s… t…``: q >= 2, and integer vectors s, t of n_0 + 1 entries. Modulo q, s·v is a
unit for every pair, and the quotients t·v / s·v are all different. The checker computes s·u
and t·u for the integer vector u = den_1·…·den_l·v, like the layers do with the input s (its
last entry is that of the constant) and masks in the place of ReLU.

Negation. Two records ``unit i I_1 … I_(l-1)``, unit i of the layer after the masks; they
differ, no mask is empty, and of the vectors u, u' that the checker computes one is a
multiple of the other: u_j·u'_p = u'_j·u_p for all j and a p with u_p != 0 (any p if u =
0·u').

Why this is sound is on the pages ``masked-rank`` and ``non-proportional`` of the rules.
"""

from collections.abc import Iterator
from itertools import combinations

from .claims import kind
from .file import Numbers, Proof, form, need
from .numbers import Entries, Row, Rows, bits, multiplied, paired, pivot_place
from .objects import Network
from .ranks import has_minors, is_invertible_modulo, residues, unit_pivot

MEMORY = 128  # fuel for keeping a number, or a step
Step = tuple[Rows, Entries]  # weights after a mask, and what no mask takes away; () is 0
Found = tuple[
    int, int, Rows
]  # the number of steps, the size of the smallest mask, the product


def masked(
    proof: Proof, base: Rows, steps: list[Step], more: int, modulus: int
) -> Iterator[Found]:
    """Yield the products of all steps and of the first ones; a mask has more neurons than
    said.
    """
    stack = [iter([(0, len(base) + 1, base)])]
    while stack:
        found = next(stack[-1], None)
        if found is None:
            stack.pop()
            continue
        yield found
        if len(stack) <= len(steps):
            stack.append(_continued(proof, found, steps[len(stack) - 1], more, modulus))


def _continued(
    proof: Proof, of: Found, step: Step, more: int, modulus: int
) -> Iterator[Found]:
    """Yield weights·mask·product + constant for all masks of more neurons, by a Gray
    code.
    """
    (done, least, product), (weights, constant) = of, step
    width, neurons, size = len(product[0]), len(product), modulus.bit_length()
    proof.spend(((1 << neurons) + neurons) * (len(weights) * width + 1), size, size)
    terms = [[row[i] * x for row in weights for x in product[i]] for i in range(neurons)]
    mask, found = 0, list(constant) or [0] * (len(weights) * width)
    for number in range(1 << neurons):
        if number:
            place = (number & -number).bit_length() - 1  # that of the lowest bit changes
            mask ^= 1 << place
            sign = 1 if mask >> place & 1 else -1
            found = [(x + sign * y) % modulus for x, y in paired(found, terms[place])]
        if mask.bit_count() > more:
            rows = [found[i * width : (i + 1) * width] for i in range(len(weights))]
            yield done + 1, min(least, mask.bit_count()), rows


def read_masks(network: Network, first: int, masks: Entries) -> list[Numbers]:
    """Return the neurons of masks of the layers from the first on."""
    heights = network.widths[first + 1 :]
    ok = all(0 <= mask < 1 << n for mask, n in zip(masks, heights))
    form(
        ok and first >= 0 and len(masks) <= len(heights),
        "index-out-of-range",
        "no such neurons",
    )
    return [[i for i, bit in enumerate(f"{mask:b}"[::-1]) if bit == "1"] for mask in masks]


def pulled_back(
    proof: Proof, network: Network, first: int, masks: Rows, row: Entries
) -> Row:
    """Return a combination of neurons of the last mask over the inputs of a layer, and 1.

    It is multiplied by the denominators of these layers. The bias of a layer takes those
    before it.
    """
    constant = 0
    for number in reversed(range(len(masks))):
        layer = network.layers[first + number]
        kept = [layer.rows[i] for i in masks[number]]
        ((*weights, bias),) = multiplied(proof, [row], kept, layer.width)
        proof.spend(2, constant.bit_length(), layer.bits)
        constant = constant * layer.den + bias
        row = [weights[i] for i in masks[number - 1]] if number else weights
    return (*row, constant)


masked_rank = kind(
    "every masked rank of {network} is maximal",
    "some masked rank of {network} is not maximal",
)


def masked_rank_by_modulus(proof: Proof, network: Network) -> None:
    """All minors and products that decide the ranks, modulo q."""
    widths = network.widths
    modulus, *nodes = proof.numbers("modulus", 1 + max(widths))
    tables = ([row[:-1] for row in layer.rows] for layer in network.layers)
    weights = [residues(proof, table, modulus) for table in tables]
    (nodes,) = residues(proof, [nodes], modulus)
    for last in range(1, len(widths)):
        for start in range(last):
            proof.spend(MEMORY * (last - start))
            before, n, m = widths[start - 1] if start else 0, widths[start], widths[last]
            steps: list[Step] = [(rows, ()) for rows in weights[start + 1 : last]]
            square = min(before, n, m)
            if square:
                _require_square(proof, weights[start], steps, square, modulus)
            is_wide = m < n and (last == start + 1 or widths[start + 1] > n)
            if before < n <= m or (before < m and is_wide):
                _require_onto(proof, weights[start], steps, nodes[:m], modulus)


def _require_square(
    proof: Proof, base: Rows, steps: list[Step], largest: int, modulus: int
) -> None:
    """No minor of a product with larger masks is 0."""
    for done, least, matrix in masked(proof, base, steps, 1, modulus):
        size = min(largest, least - 1)
        ok = done < len(steps) or has_minors(proof, matrix, size, modulus)
        need(ok, "minor-zero", "a minor is 0 modulo q")


def _require_onto(
    proof: Proof, base: Rows, steps: list[Step], nodes: Numbers, modulus: int
) -> None:
    """As many rows as there are inputs, or all rows times V, are invertible."""
    n, m = len(base[0]), len(nodes)
    if n > m:
        proof.spend(2 * n * m * n.bit_length(), bits([modulus]), bits([modulus]))
        powers = [[pow(x, i, modulus) for x in nodes] for i in range(n)]
        product = multiplied(proof, base, powers, m)
        base = [[x % modulus for x in row] for row in product]
    size = min(n, m)
    for done, _, matrix in masked(proof, base, steps, size, modulus):
        for rows in combinations(matrix, size) if done == len(steps) else ():
            ok = is_invertible_modulo(proof, rows, modulus)
            need(ok, "no-unit-pivot", "dependent")


def not_masked_rank_by_combination(proof: Proof, network: Network) -> None:
    """A combination of the rows of a masked product that is 0."""
    numbers = proof.record("masks")[1]
    form(len(numbers) > 1, "wrong-length", "a layer, then masks")
    masks = read_masks(network, numbers[0], numbers[1:])
    smallest = min(network.widths[numbers[0]], *map(len, masks))
    need(
        len(masks[-1]) == smallest, "mask-not-smallest", "the last mask is not the smallest"
    )
    row = proof.numbers("combination", smallest)
    need(any(row), "vector-zero", "the combination is 0")
    product = pulled_back(proof, network, numbers[0], masks, row)[:-1]
    need(not any(product), "combination-not-zero", "the combination of the rows is not 0")


non_proportional = kind(
    "no two units of {network} with indicators have proportional affine functions",
    "two units of {network} with indicators have proportional affine functions",
)


def non_proportional_by_quotients(proof: Proof, network: Network) -> None:
    """Two numbers for every function, whose quotients differ, modulo q."""
    n = network.widths[0]
    modulus, *points = proof.numbers("points", 3 + 2 * n)
    inputs = residues(proof, list(paired(points[: n + 1], points[n + 1 :])), modulus)
    first, *rest = (residues(proof, layer.rows, modulus) for layer in network.layers)
    size, ones = modulus.bit_length(), inputs[-1]
    proof.spend(2 * sum(map(len, rest)), size, size)
    start = [[x % modulus for x in row] for row in multiplied(proof, first, inputs, 2)]
    steps: list[Step] = []
    for layer, rows in zip(network.layers, rest):
        ones = [one * layer.den % modulus for one in ones]
        # No mask has the place of the bias.
        steps.append((rows, [row[-1] * one % modulus for row in rows for one in ones]))
    seen: set[int] = set()
    products = (
        masked(proof, start, steps, 0, modulus) if sum(network.widths) > n + 1 else ()
    )
    for _, _, product in products:
        for below, above in product:
            proof.spend(MEMORY, size, size)
            unit = unit_pivot(proof, [below], modulus)
            need(unit, "not-a-unit", "a function is no unit at the first point")
            quotient = above * (unit or (0, 0))[1] % modulus
            need(
                quotient not in seen, "quotient-repeated", "two functions have one quotient"
            )
            seen.add(quotient)


def not_non_proportional_by_units(proof: Proof, network: Network) -> None:
    """Two functions of which one is a multiple of the other."""
    first, second = (proof.record("unit")[1] for _ in range(2))
    need(first != second, "units-equal", "one unit with one indicator")
    left, right = (_function(proof, network, numbers) for numbers in (first, second))
    place = pivot_place((*left, 0)) or 0
    proof.spend(2 * len(left), bits(left), bits(right))
    ok = all(x * right[place] == y * left[place] for x, y in paired(left, right))
    need(ok, "not-proportional", "the affine functions are independent")


def _function(proof: Proof, network: Network, numbers: Numbers) -> Row:
    """Return integers on the ray of the affine function of ``unit i I_1 …``."""
    form(numbers, "wrong-length", "a unit, then masks")
    unit, *masks = numbers
    ok = len(numbers) <= len(network.layers) and 0 <= unit < network.widths[len(numbers)]
    form(ok, "index-out-of-range", "no such unit")
    kept = read_masks(network, 0, masks)
    need(all(kept), "mask-empty", "an indicator with a layer of which nothing is active")
    return pulled_back(proof, network, 0, [*kept, [unit]], [1])
