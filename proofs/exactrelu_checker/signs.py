"""Networks that their function determines among all networks: two proofs without search.

``sums``, on any D with interior: N has one hidden layer; each neuron is on a hyperplane
that meets the inside of D, no two are on one, none is without outgoing weights; no records
but the sides of rows (``shallow``). The checker computes the matrices V_i·w_i of all
neurons, output column times weights; no sum of some of them, at least one, is 0.

``signs``, on all of space: N has three layers, widths n_0 >= n := n_1, n_2, n_3. A
``minor`` of W_1 of size n, and ``minors`` or ``faces``, then a proof with its own ``by``
that N is supertransversal on all of space. The checker finds that

(1) rank W_1 = n, by the minor;
(2) no entry and no 2 x 2 minor of W_2 is 0;
(3) N is supertransversal in codimension <= 2: a face of codimension k <= 2 lies in the zero
    sets of exactly k hidden neurons. By ``faces``, or by ``minors``: no minor of [b_2 |
    W_2] of size <= 3 that contains b_2 is 0. It computes them as 2 x 2 minors of b_i·w_j -
    b_j·w_i for j > i, which are b_i times those of size 3 with rows i, j, l, and b_i is not
    0;
(4) W_3 I W_2 e_i != 0 for all i and nonempty sets I of neurons of layer 2: no sum of some
    of the vectors w_ji·V_j is 0, where V_j is column j of W_3;
(5) no row of [W_2 | b_2] has one sign only; and if all rows have the same signs, these are
    not + at one weight and - elsewhere, and n >= 2.

Then every network of the widths of N with its values is N up to permutation and positive
scaling: see the page, for n >= 2 and for n = 1.

Why this is sound is on the page ``identifiable`` of the rules.
"""

from itertools import combinations

from .claims import Claim, prove
from .equality import require_all
from .file import Proof, need, sized
from .numbers import Row, Rows, bits, opposite, paired
from .objects import Layer, Network, System
from .ranks import minor
from .shallow import Place, shallow_form

_MEMORY = 128  # fuel for keeping a sum


def identifiable_by_signs(
    proof: Proof, network: Network, among: str, domain: System
) -> None:
    """Three layers, the first not wider than the input."""
    require_all(among, domain)
    n = network.widths
    need(
        len(n) == 4 and n[1] <= n[0], "not-a-bottleneck", "not three layers with n_1 <= n_0"
    )
    first, second, last = network.layers
    _require_signs(second.rows)
    minor(proof, first.rows, n[0], n[1])  # of the weights
    word, numbers = proof.record("minors", "faces")
    sized(numbers, 0)
    _require_minors(proof, [row[:-1] for row in second.rows])
    if word == "faces":
        prove(
            proof, Claim("supertransversal", True, {"network": network, "domain": domain})
        )
    else:
        _require_transversal(proof, second)
    proof.spend(len(last.rows) * n[1] * n[2], last.bits, second.bits)
    pairs = list(zip(paired(*last.rows), second.rows))
    for i in range(n[1]):
        _require_no_zero_sum(
            proof, [tuple(row[i] * x for x in column) for column, row in pairs]
        )


def _require_signs(rows: Rows) -> None:
    """Refuse signs that do not determine the network; no entry is 0."""
    patterns = {tuple(entry > 0 for entry in row) for row in rows}
    mixed = all(len(set(pattern)) == 2 for pattern in patterns)
    need(mixed, "not-identifiable", "a neuron of layer 2 is linear or dead")
    *weights, bias = min(patterns)
    ok = len(patterns) > 1 or (len(weights) > 1 and (bias or sum(weights) > 1))
    need(ok, "not-identifiable", "layer 2 hides a neuron of layer 1")


def _require_minors(proof: Proof, rows: Rows) -> None:
    """Refuse if an entry or a 2 x 2 minor is 0."""
    need(all(map(all, rows)), "minor-zero", "an entry, or a minor with the bias, is 0")
    for row, other in combinations(rows, 2):
        proof.spend(len(row) ** 2, bits(row), bits(other))
        ok = all(x * v != y * u for (x, y), (u, v) in combinations(paired(row, other), 2))
        need(ok, "minor-zero", "a minor of size 2, or one with the bias, is 0")


def _require_transversal(proof: Proof, layer: Layer) -> None:
    """Refuse if a minor with the bias, the last column, of size <= 3 is 0."""
    need(all(row[-1] for row in layer.rows), "minor-zero", "a bias of layer 2 is 0")
    for i, (*weights, bias) in enumerate(layer.rows):
        rest = layer.rows[i + 1 :]
        proof.spend(2 * len(rest) * len(weights), layer.bits, layer.bits)
        pairs = ((row[-1], zip(weights, row)) for row in rest)
        _require_minors(
            proof, [[bias * x - offset * w for w, x in two] for offset, two in pairs]
        )


def identifiable_by_sums(
    proof: Proof, network: Network, among: str, domain: System
) -> None:
    """One hidden layer, each neuron alone on a bend, and no set can be turned around."""
    require_all(among)
    need(len(network.layers) == 2, "not-shallow", "one hidden layer is needed")
    hidden, last = network.layers
    found = shallow_form(proof, network, Place(proof, domain)).bends
    need(
        len(found) == len(hidden.rows), "neuron-cancels", "a neuron is not alone on a bend"
    )
    proof.spend(hidden.entries * len(last.rows), hidden.bits, last.bits)
    pairs = zip(hidden.rows, paired(*last.rows))
    _require_no_zero_sum(
        proof, [tuple(x * w for x in v for w in row[:-1]) for row, v in pairs]
    )


def _require_no_zero_sum(proof: Proof, vectors: list[Row]) -> None:
    """Refuse vectors of which some, at least one, add up to 0: sums of each half are
    compared.
    """
    half = len(vectors) // 2
    left, right = (
        _sums(proof, part, len(vectors[0])) for part in (vectors[:half], vectors[half:])
    )
    # The first sum is that of no vectors.
    ok = left[0] not in left[1:] and {*left}.isdisjoint(map(opposite, right[1:]))
    need(ok, "not-identifiable", "neurons can be turned around together")


def _sums(proof: Proof, vectors: list[Row], width: int) -> list[Row]:
    """Return the sums of all sets of vectors, that of the empty one first."""
    sums: list[Row] = [(0,) * width]
    for vector in vectors:
        proof.spend(len(sums) * (_MEMORY + width * (32 + bits(vector) // 8)))
        sums += [tuple(map(sum, paired(found, vector))) for found in sums]
    return sums
