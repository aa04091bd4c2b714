"""Ranks of products of weight matrices with masks between them.

*masked-rank* Let W_1, …, W_L be the weight matrices of N, n_0, …, n_L its widths. For all layers
k <= l and all sets of neurons (masks) I_k, …, I_l of them, the last layer counts too,

    rank(I_l W_l I_(l-1) W_(l-1) … I_k W_k) = min(n_(k-1), |I_k|, …, |I_l|),                    (P)

where a mask stands for the diagonal matrix that keeps its neurons.

``modulus q x_0 x_1 …``: q >= 2 and as many nodes x as the widest layer, the input too, has neurons.
For 0 <= c < l <= L and masks I_(c+1), …, I_(l-1) let M = W_l I_(l-1) … I_(c+1) W_(c+1), of shape
n_l x n_c, and m the size of the smallest of these masks (infinite if l = c + 1); n_(-1) = 0. The
checker goes through all masks modulo q, and wants:

  square  for 1 <= r <= min(n_(c-1), n_c, n_l), r < m: no r x r minor of M is 0 modulo q;
  full    if n_(c-1) < n_c <= n_l and n_c < m: no n_c x n_c minor of M is 0 modulo q;
  wide    if n_(c-1) < n_l < n_c and n_l < m, and l = c + 1 or n_(c+1) > n_c: M·V is invertible
          modulo q, where V has the powers x_t^i, i = 0, …, n_c - 1, in column t < n_l.

Denominators of layers change no rank. *Sound.* A minor that is not 0 modulo q is not 0, and the
rows of M are independent if those of M·V are. So over Q: (1) these submatrices are nonsingular, (2)
any n_c rows of M are independent, (3) the n_l rows of M are independent. (P) follows by induction
on l - k. Let r > 0 be the minimum, and I_(k-1) all of [n_(k-1)]. (i) If |I_l| > r, drop rows until
|I_l| = r; rank r of the rest is enough. (ii) If |I_j| = r for some j from k - 1 to l - 1, take the
largest. The product is M[I_l, I_j]·R with c = j and R = I_j W_j … I_k W_k (the identity if j = k -
1), whose r rows are independent by induction. M[I_l, I_j] is r x r with larger masks inside. If j
>= k, then r <= n_(j-1), and it is nonsingular by (1). If j = k - 1, its columns are all n_c = r,
and it is nonsingular by (2), or by (1) if n_c <= n_(c-1). (iii) Otherwise all these sizes exceed r.
Let s be the least of them and of n_l, so s > r or s = n_l = r, and I' ⊇ I_l of s elements: it is
enough that the rows of I' are independent. If s is one of the |I_j|, this is (ii) for I'. If not,
I' is all of [n_l], smaller than the rest, and this is (3) with c = k - 1, unless that was not
asked for. Then c >= 1 and n_l <= n_(c-1), and M has n_l independent columns by (1) with r = n_l; or
l > c + 1 and n_(c+1) <= n_c: W_(c+1) has independent rows, by (1), (2) or (3), so that the rank is
that of the columns I_(c+1) of W_l I_(l-1) … W_(c+2), and n_l < |I_(c+1)| of them are independent by
(1) with start c + 1, as n_l < n_c. ∎ (The three are necessary too.)

Negation. ``masks k I_k … I_l``, layers from 0,
with |I_l| = min(n_(k-1), |I_k|, …, |I_l|), and ``combination y…``, a y != 0 on I_l with y·W_l[I_l,
I_(l-1)]·…·W_k[I_k, :] = 0: the rank is at most |I_l| - 1.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

from . import claims
from .claims import kind
from .file import Proof, form, need
from .masks import MEMORY, Step, all_masked, pulled_back, read_masks
from .numbers import Row, Rows, dot
from .objects import Network
from .ranks import is_invertible_modulo, residues

Columns = list[list[Row]]  # sets of columns of each size, closed under leaving the last
Expansions = list[list[list[tuple[int, int]]]]


@kind(
    "masked-rank",
    "every masked rank of {network} is maximal",
    "some masked rank of {network} is not maximal",
    network=claims.plain_network,
)
def masked_rank(network: Network) -> None:
    """Any network."""


def masked_rank_by_modulus(proof: Proof, network: Network) -> None:
    """All minors and products that decide the ranks, modulo q."""
    widths = network.widths
    modulus, *nodes = proof.numbers("modulus", 1 + max(widths))
    weights = [
        residues(proof, [row[:-1] for row in layer.rows], modulus) for layer in network.layers
    ]
    (nodes,) = residues(proof, [nodes], modulus)
    for last in range(1, len(widths)):
        for start in range(last):
            proof.spend(MEMORY * (last - start))
            before, n, m = widths[start - 1] if start else 0, widths[start], widths[last]
            steps: list[Step] = [(rows, ()) for rows in weights[start + 1 : last]]
            for columns in _families(proof, before, n, m):
                tables = _expansions(proof, m, len(columns))
                for done, matrix in all_masked(proof, weights[start], steps, len(columns), modulus):
                    ok = done < len(steps) or _nonzero(proof, matrix, columns, tables, modulus)
                    need(ok, "minor-zero", "a minor is 0 modulo q")
            if before < m < n and (last == start + 1 or widths[start + 1] > n):
                first = _mixed(proof, weights[start], nodes[:m], n, modulus)
                for done, matrix in all_masked(proof, first, steps, m, modulus):
                    ok = done < len(steps) or is_invertible_modulo(proof, matrix, modulus)
                    need(ok, "no-unit-pivot", "rows that are dependent modulo q")


def _families(proof: Proof, before: int, n: int, m: int) -> Iterator[Columns]:
    """Yield the sets of columns of *square*, for each size, and of *full*."""
    for size in range(1, min(before, n, m) + 1):
        proof.spend(sum(comb(n, k) * k for k in range(1, size + 1)))
        yield [list(combinations(range(n), k)) for k in range(1, size + 1)]
    if before < n <= m:
        yield [[tuple(range(k))] for k in range(1, n + 1)]


def _mixed(proof: Proof, weights: Rows, nodes: Sequence[int], n: int, modulus: int) -> Rows:
    """Return W·V, V with the powers of the nodes."""
    size = modulus.bit_length()
    proof.spend(n * len(nodes) * (len(weights) + 2 * n.bit_length()), size, size)
    powers = [[pow(x, i, modulus) for i in range(n)] for x in nodes]
    return [[dot(row, column) % modulus for column in powers] for row in weights]


def _expansions(proof: Proof, height: int, largest: int) -> Expansions:
    """Return, by size and set of rows, how a minor is expanded along its last column.

    That is a row, or row + height for the sign -, and the place of the minor without it.
    """
    tables = []
    places: dict[Row, int] = {(): 0}
    for size in range(1, largest + 1):
        proof.spend(comb(height, size) * size)
        sets = list(combinations(range(height), size))
        tables.append([
            [(row + t % 2 * height, places[rows[:t] + rows[t + 1 :]]) for t, row in enumerate(rows)]
            for rows in sets
        ])  # fmt: skip
        places = {rows: place for place, rows in enumerate(sets)}
    return tables


def _nonzero(proof: Proof, matrix: Rows, columns: Columns, tables: Expansions, q: int) -> bool:
    """Tell whether no minor with the sets of columns of the largest size is 0 modulo q."""
    found: dict[Row, list[int]] = {(): [1]}
    for sets, table in zip(columns, tables, strict=True):
        proof.spend(len(sets) * len(table) * len(tables), q.bit_length(), q.bit_length())
        larger = {}
        for chosen in sets:
            entries = [row[chosen[-1]] for row in matrix]
            entries += [-entry for entry in entries]
            known = found[chosen[:-1]]
            larger[chosen] = [sum([entries[i] * known[k] for i, k in terms]) % q for terms in table]
        found = larger
    return all(map(all, found.values()))


def masked_rank_by_combination(proof: Proof, network: Network) -> None:
    """A combination of the rows of a masked product that is 0."""
    numbers = proof.record("masks")[1]
    form(len(numbers) > 1, "wrong-length", "a layer, then masks")
    masks = read_masks(network, numbers[0], numbers[1:])
    smallest = min(network.widths[numbers[0]], *map(len, masks))
    need(len(masks[-1]) == smallest, "mask-not-smallest", "the last mask is not the smallest")
    row = proof.numbers("combination", smallest)
    need(any(row), "vector-zero", "the combination is 0")
    product = pulled_back(proof, network, numbers[0], masks, row)[:-1]
    need(not any(product), "combination-not-zero", "the combination of the rows is not 0")
