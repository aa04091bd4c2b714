"""Zeros of neurons on faces: supertransversality, local optima 0 of preactivations.

*Supertransversal.* On relint D every face of codimension k lies in the zero sets of exactly
k hidden neurons. (Never of fewer: a face is open in the zeros of as many equations.) So no
preactivation is 0 on a face of full dimension.

``faces``: the faces on D and their proof (see ``unions``); the zeros of each are counted.

``overfull``, the negation: ``point x den`` of relint D, then ``coefficients c…``, one for
each neuron that is 0 there, in their order, not all 0, with which the normals of the rows
of these neurons on the face of x add up to 0. The face of x is open in the common zeros of
these rows: a neuron that is not 0 at x has its sign near x, so that, by induction over the
layers, the rows that are computed with the signs at x are the preactivations on points near
x where the neurons that are 0 at x are 0. So the codimension of the face is the rank of the
normals, which is then smaller than their number.

``bottleneck``: two hidden layers. A ``minor`` of the first layer, over t: its rows are
independent (see ``ranks``). ``modulus q``: all square submatrices of [W_2 | b_2] are
invertible modulo q. As the rows of the first layer are independent, y = W_1·x + b_1 takes
all values, faces are those of the complex in y times a space, and codimensions are the same
there. On a face let A be the neurons of layer 1 with y > 0, Z those with y = 0, J the
neurons of layer 2 that are 0: z_J = W_2[J, A]·y_A + b_J = 0. If |J| > |A|, take |A| + 1 of
them: (y_A, 1) is in the kernel of the square matrix [W_2[J, A] | b_J], which is invertible.
So |J| <= |A|, and the rows of W_2[J, A] are independent, as a square part of them is
nonsingular. The face is open in {y_Z = 0, z_J = 0} and has codimension |Z| + |J|, the
number of its zeros. A part of R^d that is open in it, as the relative interior of D, has
the same faces, cut by it.

*Zero optimum.* Some hidden preactivation has a local minimum or maximum on relint D, strict
or not, with the value 0 (see ``unions``). ``faces``, the negation: the faces on D, none of
which has one. ``part``: the faces on a part of D, one of which has one; the part is open in
the affine hull of D.
"""

from .claims import kind
from .evidence import inside
from .file import Proof, need
from .objects import Network, System, chart, pulled
from .ranks import has_minors, minor, require_zero, residues
from .unions import has_optimum, part_of, read_faces, rows_on, signs_at

supertransversal = kind(
    "every face of codimension k of {network} on the relative interior of {domain} lies "
    "in the zero sets of exactly k hidden neurons",
    "some face of {network} on the relative interior of {domain} lies in the zero sets of "
    "more hidden neurons than its codimension",
)
zero_optimum = kind(
    "some hidden preactivation of {network} has a local optimum with the value 0 on the "
    "relative interior of {domain}",
    "no hidden preactivation of {network} has a local optimum with the value 0 on the "
    "relative interior of {domain}",
)


def supertransversal_by_faces(proof: Proof, network: Network, domain: System) -> None:
    """No face has more zeros than its codimension."""
    for signs, codimension in read_faces(proof, network, domain).codimensions.items():
        need(
            signs.count(0) <= codimension,
            "face-overfull",
            "more zeros than its codimension",
        )


def not_supertransversal_by_overfull(
    proof: Proof, network: Network, domain: System
) -> None:
    """The normals of the neurons that are 0 at a point are dependent."""
    signs = signs_at(proof, network, (), inside(proof, domain, "point"))
    rows = [
        row
        for layer in rows_on(proof, network, chart(proof, domain), signs)
        for row in layer
    ]
    zeros = [row for row, sign in zip(rows, signs) if not sign]
    values = proof.numbers("coefficients", len(zeros))
    need(any(values), "vector-zero", "all coefficients are 0")
    require_zero(proof, [row[:-1] for row in zeros], values)


def supertransversal_by_bottleneck(proof: Proof, network: Network, domain: System) -> None:
    """The first layer is onto, and no minor of the second with its bias is 0."""
    need(len(network.layers) == 3, "not-a-bottleneck", "two hidden layers are needed")
    base, (first, second, _) = chart(proof, domain), network.layers
    normals = [row[:-1] for row in pulled(proof, base, first.rows)]
    minor(proof, normals, base.dim, len(normals))
    (modulus,) = proof.numbers("modulus", 1)
    rows, largest = residues(proof, second.rows, modulus), len(first.rows) + 1
    need(
        has_minors(proof, rows, min(len(rows), largest), modulus),
        "minor-zero",
        "a minor is 0",
    )


def not_zero_optimum_by_faces(proof: Proof, network: Network, domain: System) -> None:
    """Every neuron that is 0 on a face has both signs around it."""
    need(
        not has_optimum(read_faces(proof, network, domain)),
        "zero-optimum",
        "a neuron has one",
    )


def zero_optimum_by_part(proof: Proof, network: Network, domain: System) -> None:
    """A neuron is 0 on a face of a part, and has not both signs around it."""
    found = has_optimum(read_faces(proof, network, part_of(proof, domain)))
    need(
        found,
        "no-zero-optimum",
        "every neuron that is 0 on the part changes its sign there",
    )
