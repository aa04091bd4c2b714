"""Networks that their function determines among all networks: two proofs without search.

``sums``, on all of space: N has one hidden layer, no two neurons on one hyperplane, none constant
or without outgoing weights; no records. The checker computes the matrices V_i·w_i of all neurons,
output column times weights; no sum of some of them, at least one, is 0. *Sound.* f bends at the n_1
hyperplanes of the neurons. A network η of the widths of N with its function has one neuron on each
of them. Let I be those on which it has the other side than N. With the row of N for neuron i, s(u)
= s(-u) + u, so η(x) = N(x) - Σ_I V_i·(w_i·x + b_i) + const, for scalings and output columns as the
jumps of f say, and as η = N, Σ_I V_i·w_i = 0. So I is empty, and the output biases agree as the
values do.

``signs``, on all of space: N has three layers, widths n_0 >= n := n_1, n_2, n_3. A ``minor`` of W_1
of size n, and ``minors`` or ``faces``, then a proof with its own ``by`` that N is supertransversal
on all of space. The checker finds that

(1) rank W_1 = n, by the minor;
(2) no entry and no 2 x 2 minor of W_2 is 0;
(3) N is supertransversal in codimension <= 2: a face of codimension k <= 2 lies in the zero sets of
    exactly k hidden neurons. By ``faces``, or by ``minors``: no minor of [b_2 | W_2] of size <= 3
    that contains b_2 is 0. It computes them as 2 x 2 minors of b_i·w_j - b_j·w_i for j > i, which
    are b_i times those of size 3 with rows i, j, l, and b_i is not 0;
(4) W_3 I W_2 e_i != 0 for all i and nonempty sets I of neurons of layer 2: no sum of some of the
    vectors w_ji·V_j is 0, where V_j is column j of W_3;
(5) no row of [W_2 | b_2] has one sign only; and if all rows have the same signs, these are not + at
    one weight and - elsewhere, and n >= 2.

*(3) by minors.* By (1), y = W_1 x + b_1 takes all values of R^n. On a face let A be the neurons of
layer 1 with y > 0, Z those with y = 0, J the neurons of layer 2 that are 0: W_2[J, A]·y_A + b_J =
0. With ρ the rank of W_2[J, A], the codimension is |Z| + ρ, and the rank of [b_J | W_2[J, A]] is ρ
too. If |J| > ρ, that matrix has minors of size ρ + 1 <= 3 with b_J, which are not 0: a
contradiction.

*Theorem, n >= 2. Every network η of the widths of N with the function of N is N up to permutation
and positive scaling.* Write H_i = {y_i = 0}, G_(j,A) = {w_jA·y_A + b_j = 0} in the region A of
active neurons, a visible fold iff (w_jA, b_j) has both signs (is *mixed*); y', H'_a for η, and H'
for the set of all H'_a; d'_a for the dual directions: f does not depend on d'_a where y'_a < 0.
0. By (4), all H_i are visible, so f is invariant along ker W_1 only; hence ker W_1' = ker W_1 and
y, y' are both affine coordinates of R^n.
1. Off H', f is locally c + Σ V'_k s(affine): folds are full hyperplanes. For B ⊂ [n] - i with
(w_jB, b_j) mixed, the ridge {y_i = 0, G_(j,B)} is a bend, so it lies in some H'_a. If H_i is not in
H', its hull is H_i ∩ H'_a; hulls for different (j, B) differ. So H_i not in H' gives p_i := #{(j,
B)} <= n. With p (q) positive (negative) weights of row j off i, row j has 2^p(2^q - 1) pieces on
H_i if b_j > 0, 2^q(2^p - 1) if b_j < 0: 0 or >= 2^(n-2). J_i: the rows with pieces on H_i. A row
not in J_i is P_i = (+…+, - at i | +) or M_i = (-…-, + at i | -); such rows have 2^(n-2) pieces on
every H_l, l != i.
2. n_2 = 1: η has one row (w', b'), no w'_a = 0 (else f is invariant along d'_a). b' = 0: all folds
pass through y' = 0, but H_i and G_(1,i), w_i·b < 0, are parallel. b' != 0: η has all properties
used in 1, so by symmetry all H_i are in H'. From now on n_2 >= 2.
3. J_i empty, H_i not in H': impossible. H_i has one jump. Layer-2 folds in a region A' have normals
supported in A'; so H_i = {y'_a = t}, t > 0, and some neuron k has the row ~ (e_a | -t). (i) All H_l
in H', l != i: y'_b = ±y_l, and + since else f would not depend on y_l at all. Where all y_l < 0, N
has n_2 + 1 breaks (0 and all -b_j/w_ji > 0), η at most n_2 and the one at y'_a = 0. If y'_a = t +
y_i, that is no break of N. If y'_a = t - y_i, t is the largest -b_j/w_ji, f is constant beyond it,
so there are no M_i rows; but G_(j,[n]) of that row lies in y_i > t, where f does not depend on y_i.
Contradiction. (ii) Some H_l not in H': n_2·2^(n-2) <= n, so n = n_2 = 2. With i = 1, N has the
lines H_1, y_1 = c_1, y_1 = c_2 (parallel) and H_2, G_1, G_2 (pairwise not parallel); k gives H_1
only; y_1 = c_1, c_2 are H'_a and the piece of the other neuron parallel to it; the other three are
H'_b, a parallel to it, and one more. Contradiction.
4. J_i not empty, n >= 3, H_i not in H'. n >= 5: p_i >= 2^(n-2) > n. n = 3, 4: |J_i| = 1, say j; the
others are P_i, M_i. If all other H_l are in H', the >= 2 pieces of j on H_i lie in the one
remaining H'_a (not in H_l, as b_j != 0): contradiction. So some H_l is not in H': p_l <= n gives
n_2 = 2, j not in J_l: row j is P_l or M_l, the other row j' is P_i or M_i, and for m != i, l p_m =
2^(n-1) > n, H_m in H'. n = 4: the 4 pieces on H_i need 4 hyperplanes of H', two are H_m:
contradiction. n = 3 (i = 1, l = 2, H_3 in H'): the lines L1 = {y_1 = 0, y_2 = c}, L2 = {y_1 = 0,
G_(j,23)}, L3 = {y_2 = 0, y_1 = c'}, L4 = {y_2 = 0, G_(j',13)} lie in H'_1, H'_2, one of each pair
in each. L1, L4 and L2, L3 are not coplanar, so H'_2 contains L2 and its normal has an e_3-part; so
d'_3 is not parallel to e_3. On each side of y_3 = 0 H_1 and H_2 are visible, so d'_3 = e_3:
contradiction.
5. n = 2, n_2 >= 2. H_1, H_2 and the lines G_(j,12) have n_2 + 2 directions; η has at most those of
H'_1, H'_2 and one per neuron, so exactly these, and each of the latter on one line. Directions of
H_1, H_2 are those of H'_1, H'_2: if H_1 is not in H', the bends (0, c_j) lie on H'_2, so |J_1| = 1,
H_2 != H'_2, likewise |J_2| = 1; every row is in J_1 or J_2, so n_2 = 2, and G_(j,12), j in J_1,
runs from (0, c) to infinity in both coordinates, across H'_1 = {y_1 = c'}; but on one side of it f
does not depend on y_1. The direction of H_1 is that of a neuron: then H_1 is the only line of N in
it, so w_j1·b_j > 0, w_j2·b_j < 0 for all j, J_2 is empty, H_2 in H' by 3; the n_2 bends on H_1 lie
in the other H'_a: n_2 = 1. Both directions: all rows of one sign.
6. So H' = {H_i}, and y'_i = +y_i as in 3(i). Where all y > 0, N has n_2 different bends with jumps
!= 0, so η has one neuron on each; turning those of a set I around gives W_3 I W_2 = 0, so I is
empty. The output columns are the jumps, and the output biases agree as the values do. ∎

*n = 1* (there the signs must be mixed in every row and not all the same, as s(1 - s(x)) = 1 - s(1 -
s(1 - x)) shows). f = g(y); row j vanishes at p_j = -b_j/w_j > 0, which are distinct by (3). The
slope of g is 0 for y < 0, jumps at 0 by the sum of V_j·w_j over the rows (-|+), at p_j by
V_j·|w_j|, and ends as the sum over the rows (+|-): all of these are not 0, by (4). So f bends on
n_2 + 1 parallel hyperplanes, as many as the widths allow, and is constant on one end only. A
network η of the widths with the function f has its first neuron parallel, turned to the same side;
its neurons must give n_2 + 1 bends, so its first hyperplane is one of them, and it is the first
one, because f is constant before it. Scale it to y. Each row of its second layer vanishes at one
p_j, with the jump there, and is (+|-) or (-|+). Let I be the rows where this differs from N. The
slope at the end is the same, so the sum of V_j·w_j over I is 0, and I is empty. The rest follows as
in 6. ∎
"""

from itertools import combinations

from .claims import Claim, prove
from .file import Proof, form, need
from .identifiable import require_all
from .numbers import Row, Rows, bits, opposite, plane_of
from .objects import Layer, Network, System
from .ranks import minor

_MEMORY = 128  # fuel for keeping a sum


def identifiable_by_signs(proof: Proof, network: Network, among: str, domain: System) -> None:
    """Three layers, the first not wider than the input."""
    require_all(among, domain)
    n = network.widths
    need(len(n) == 4 and n[1] <= n[0], "not-a-bottleneck", "not three layers with n_1 <= n_0")
    first, second, last = network.layers
    _require_signs(second.rows)
    minor(proof, [row[:-1] for row in first.rows], n[0], n[1])
    word, numbers = proof.record("minors", "faces")
    form(not numbers, "wrong-length", "a word without numbers")
    _require_minors(proof, [row[:-1] for row in second.rows])
    if word == "faces":
        prove(proof, Claim("supertransversal", True, {"network": network, "domain": domain}))
    else:
        _require_transversal(proof, second)
    proof.spend(len(last.rows) * n[1] * n[2], last.bits, second.bits)
    columns = list(zip(*last.rows, strict=True))
    for i in range(n[1]):
        pairs = zip(columns, second.rows, strict=False)
        _require_no_zero_sum(proof, [tuple(row[i] * x for x in column) for column, row in pairs])


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
        ok = all(x * v != y * u for (x, y), (u, v) in combinations(zip(row, other, strict=True), 2))
        need(ok, "minor-zero", "a minor of size 2, or one with the bias, is 0")


def _require_transversal(proof: Proof, layer: Layer) -> None:
    """Refuse if a minor with the bias, the last column, of size <= 3 is 0."""
    need(all(row[-1] for row in layer.rows), "minor-zero", "a bias of layer 2 is 0")
    for i, (*weights, bias) in enumerate(layer.rows):
        rest = layer.rows[i + 1 :]
        proof.spend(2 * len(rest) * len(weights), layer.bits, layer.bits)
        pairs = ((row[-1], zip(weights, row, strict=False)) for row in rest)
        _require_minors(proof, [[bias * x - offset * w for w, x in two] for offset, two in pairs])


def identifiable_by_sums(proof: Proof, network: Network, among: str, domain: System) -> None:
    """One hidden layer, each neuron alone on its hyperplane, and no set can be turned around."""
    require_all(among, domain)
    need(len(network.layers) == 2, "not-shallow", "one hidden layer is needed")
    hidden, last = network.layers
    proof.spend(64 * len(hidden.rows) * len(hidden.rows[0]), hidden.bits, hidden.bits)
    pairs = list(zip(hidden.rows, zip(*last.rows, strict=True), strict=False))
    ok = all(any(row[:-1]) and any(column) for row, column in pairs)
    need(ok, "neuron-cancels", "a neuron is constant, or adds nothing")
    hyperplanes = set(map(plane_of, hidden.rows))
    need(len(hyperplanes) == len(pairs), "bend-shared", "two neurons are on one hyperplane")
    proof.spend(len(pairs) * len(hidden.rows[0]) * len(last.rows), hidden.bits, last.bits)
    vectors = [tuple(x * w for x in column for w in row[:-1]) for row, column in pairs]
    _require_no_zero_sum(proof, vectors)


def _require_no_zero_sum(proof: Proof, vectors: list[Row]) -> None:
    """Refuse vectors of which some, at least one, add up to 0: sums of each half are compared."""
    half = len(vectors) // 2
    left, right = (_sums(proof, part, len(vectors[0])) for part in (vectors[:half], vectors[half:]))
    # The first sum is that of no vectors.
    ok = left[0] not in left[1:] and {*left}.isdisjoint(map(opposite, right[1:]))
    need(ok, "not-identifiable", "neurons can be turned around together")


def _sums(proof: Proof, vectors: list[Row], width: int) -> list[Row]:
    """Return the sums of all sets of vectors, that of the empty one first."""
    sums: list[Row] = [(0,) * width]
    for vector in vectors:
        proof.spend(len(sums) * (_MEMORY + width * (32 + bits(vector) // 8)))
        sums += [tuple(map(sum, zip(found, vector, strict=True))) for found in sums]
    return sums
