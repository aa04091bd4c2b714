"""Supertransversality: no face lies in too many zero sets.

*Supertransversal.* On relint D every face of codimension k lies in the zero sets of exactly k
hidden neurons. (Never of fewer: a face is open in the zeros of as many equations.) So no
preactivation is 0 on a face of full dimension.

``faces``: a tree of faces; the zeros of each are counted.

``overfull``, the negation: ``point x den`` of relint D, then ``coefficients c…``, one for each
neuron that is 0 there, in their order, not all 0, with which the normals of the rows of these
neurons on the face of x add up to 0. The codimension of the face is the rank of the normals (see
``facets``), which is then smaller than their number.

``bottleneck``: two hidden layers. ``columns c…``: the columns of the first layer (over t) in which
its rows are independent. ``modulus q``: no minor of [W_2 | b_2] of any size is 0 modulo q. As the
rows of the first layer are independent, y = W_1·x + b_1 takes all values, faces are those of the
complex in y times a space, and codimensions are the same there. On a face let A be the neurons of
layer 1 with y > 0, Z those with y = 0, J the neurons of layer 2 that are 0: z_J = W_2[J, A]·y_A +
b_J = 0. If |J| > |A|, take |A| + 1 of them: (y_A, 1) is in the kernel of the square matrix
[W_2[J, A] | b_J], whose determinant is one of the minors. So |J| <= |A|, and the rows of W_2[J, A]
are independent, as a square part of them is nonsingular. The face is open in {y_Z = 0, z_J = 0}
and has codimension |Z| + |J|, the number of its zeros. A part of R^d that is open in it, as the
relative interior of D, has the same faces, cut by it.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb

from .evidence import inside
from .faces import FaceTree, about_faces
from .facets import signs_at, zero_rows
from .file import Proof, form, need
from .numbers import Row, bits, dot, in_basis
from .objects import Network, System

supertransversal = about_faces(
    "every face of codimension k of {network} on the relative interior of {domain} lies in the "
    "zero sets of exactly k hidden neurons",
    "some face of {network} on the relative interior of {domain} lies in the zero sets of more "
    "hidden neurons than its codimension",
)


def supertransversal_by_faces(proof: Proof, network: Network, domain: System) -> None:
    """No face has more zeros than its codimension."""
    for codimension, signs in FaceTree(proof, [network], domain).faces():
        zeros = sum(layer.count(0) for layer in signs)
        need(zeros <= codimension, "face-overfull", f"{zeros} neurons are 0 on a face")


def supertransversal_by_overfull(proof: Proof, network: Network, domain: System) -> None:
    """The normals of the neurons that are 0 at a point are dependent."""
    signs = signs_at(proof, [network], inside(proof, domain, "point"))
    tree = FaceTree(proof, [network], domain)
    rows = zero_rows(tree, [network], signs)
    values = proof.numbers("coefficients", len(rows))
    need(any(values), "vector-zero", "all coefficients are 0")
    proof.spend(len(rows) * tree.chart.dim, max(map(bits, rows)), bits(values))
    sums = [dot(values, column) for column in zip(*(row[:-1] for row in rows), strict=True)]
    need(not any(sums), "combination-not-zero", "the combination of the normals is not 0")


def supertransversal_by_bottleneck(proof: Proof, network: Network, domain: System) -> None:
    """The first layer is onto, and no minor of the second with its bias is 0."""
    need(len(network.layers) == 3, "not-a-bottleneck", "two hidden layers are needed")
    tree = FaceTree(proof, [network], domain)
    first, second, _ = network.layers
    size = tree.root().bits
    base = tree.chart
    rows = tree.layer_rows(base.dim, first, base.inputs, base.factor, size)
    columns = proof.numbers("columns", len(rows))
    ok = all(0 <= column < base.dim for column in columns)
    form(ok, "index-out-of-range", "no such column")
    size = len(rows) * (size + len(rows).bit_length())
    proof.spend(2 * len(rows) ** 3, size, size)
    in_basis([[row[column] for column in columns] for row in rows], ())
    (modulus,) = proof.numbers("modulus", 1)
    need(modulus >= 2, "modulus-too-small", "modulo 1 every minor is 0")
    _require_minors(proof, second.rows, modulus)


def _require_minors(proof: Proof, rows: Sequence[Row], modulus: int) -> None:
    """Refuse a matrix with a minor that is 0 modulo q, expanding each along its last column."""
    height, width = len(rows), len(rows[0])
    minors: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {((), ()): 1}
    for size in range(1, min(height, width) + 1):
        work = comb(height, size) * comb(width, size) * (size + 16)
        proof.spend(work, modulus.bit_length(), modulus.bit_length() + max(map(bits, rows)))
        minors = {
            (down, across): sum(
                (-1) ** t * rows[i][across[-1]] * minors[down[:t] + down[t + 1 :], across[:-1]]
                for t, i in enumerate(down)
            )
            % modulus
            for down in combinations(range(height), size)
            for across in combinations(range(width), size)
        }
        need(all(minors.values()), "minor-zero", "a minor of the second layer is 0 modulo q")
