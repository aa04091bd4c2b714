"""Trees of faces: zero sets of neurons are kept, as faces with one dimension less.

*Faces.* Every point of relint D has a sign vector: -, 0 or + for each hidden neuron. A face
is the set of all points of relint D with one sign vector, if there are any. Faces are
disjoint and cover relint D. If D is flat, their dimension and codimension are those in its
affine hull: everything is said of the network restricted to it, t ↦ N(x(t)).

``split k`` makes the parts z < 0, z = 0, z > 0: each point of the root lies in exactly one
leaf. On the zero set the equation is solved for one coordinate: all rows get the same
factor > 0 and lose that coordinate. So a node is always full-dimensional in its own
coordinates, and its ``dim`` is the dimension of its face. A neuron that is constant 0 on a
face has the sign 0.

*The leaves are all faces, each once.* A node is the set of points of relint D at which the
neurons with a sign have that sign: on it every neuron of the layers before has one, those
with + (and linear units) pass their row on, the others 0. So the set of points of a node is
given by strict rows in its coordinates: a face is a relatively open polyhedron. A sign that
``side`` or ``sides`` proves holds on all of a node: rows are strict, and a neuron that is
not constant is a combination with some of them. The parts of a split are disjoint and cover
the node, so that no two leaves have the same signs. ``cell p den`` has a point of the leaf,
in its coordinates: the face is not empty.

*Complex.* On relint D the network has exactly counts[k] faces of dimension k, k = 0, …, n.
(If D is flat, there are none of more than its dimension.) ``faces``: a tree of faces, whose
leaves are counted. Linear units cut nothing.

All sign vectors of a network on a domain: what proofs about its faces start from.

*Sign vectors.* A point of relint D has a sign, -, 0 or +, for each hidden neuron of N,
layer by layer, and then for each row (a, b) of ``planes``, that of a·x + b. ``faces`` lists
exactly the sign vectors that occur, each once, as [k, P, M]: bit i of P says that place i
has +, bit i of M that it has -, and the points with these signs, the face, have codimension
k (in the affine hull of D).

``faces``: a tree of faces of N and of a second network, whose neurons are the rows of
``planes`` and to which nothing listens. Its leaves are all faces, each once.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from . import claims
from .claims import kind
from .file import Numbers, Proof, form, need
from .numbers import Row, pivot_place, substituted
from .objects import Network, System, layer_of, read_row
from .tree import OPEN, Node, Stage, Tree, constant_signs

Signs = tuple[tuple[int, ...], ...]  # of each hidden layer, of one network after the other


class FaceTree(Tree):
    """The relatively open faces of networks on the relative interior of a domain: OPEN."""

    def faces(self) -> Iterator[tuple[int, Signs]]:
        """Read the tree; yield the codimension and the signs of every face."""
        for node in self.cells():
            yield (
                self.chart.dim - node.dim,
                tuple(s for x in node.stages for s in x.decided),
            )

    def between(self, node: Node, i: int, unit: int, row: Row) -> tuple[Node, ...]:
        """Return the part where the row of a neuron is 0, in one coordinate less."""
        place = pivot_place(row) or 0
        size = sum(
            len(rows) for stage in node.stages for rows in (*stage.passed, stage.rows)
        )
        self.proof.spend(2 * (size + len(node.rows)) * (node.dim + 1), node.bits, node.bits)

        def on_it(rows: Sequence[Row | None]) -> tuple[Any, ...]:
            return tuple(other and substituted(other, row, place) for other in rows)

        part = node._replace(
            dim=node.dim - 1, rows=on_it(node.rows), bits=2 * node.bits + 1
        )
        for number, (passed, factor, decided, rows, signs) in enumerate(node.stages):
            rows = on_it(rows)  # that of the neuron itself is 0
            passed, factor = tuple(map(on_it, passed)), abs(row[place]) * factor
            stage = Stage(passed, factor, decided, rows, constant_signs(rows, signs))
            part = self.with_stage(part, number, stage)
        return (part,)


@kind(
    "the complex of {network} on the relative interior of {domain} has {counts} faces of "
    "dimension 0, 1, ...",
    network=claims.network,
)
def complex(network: Network, counts: Numbers, domain: System) -> None:
    """A number for each dimension up to that of the inputs."""
    form(
        len(counts) == network.widths[0] + 1, "wrong-length", "a number for each dimension"
    )


def complex_by_faces(
    proof: Proof, network: Network, counts: Numbers, domain: System
) -> None:
    """Count the leaves by dimension."""
    found = [0] * len(counts)
    for node in FaceTree(proof, [network], domain, OPEN).cells():
        found[node.dim] += 1
    need(found == counts, "face-count", f"the proof has {found} faces")


@kind(
    "on the relative interior of {domain} the hidden neurons of {network} and then the "
    "rows {planes} have exactly the signs [codimension, places of +, places of -] {faces}",
    planes=claims.listed(read_row),
    faces=claims.listed(lambda value: read_row(value, 3)),
)
def sign_vectors(network: Network, domain: System, planes: Any, faces: Any) -> None:
    """Rows in the space of the inputs."""
    form(
        all(len(row) == domain.dim + 1 for row in planes),
        "dimensions-differ",
        "rows over inputs",
    )


def sign_vectors_by_faces(
    proof: Proof, network: Network, domain: System, **said: Any
) -> None:
    """The leaves of a tree are what is listed."""
    planes, faces = said["planes"], said["faces"]
    networks, left = [network], set(faces)
    if planes:
        networks.append(
            Network((layer_of(1, planes), layer_of(1, [(0,) * (len(planes) + 1)])))
        )
    for codimension, layers in FaceTree(proof, networks, domain, OPEN).faces():
        signs = [sign for layer in layers for sign in layer]
        proof.spend(len(signs))
        places = (sum(1 << i for i, s in enumerate(signs) if s == side) for side in (1, -1))
        face = (codimension, *places)
        need(face in left, "face-not-listed", "a face of the tree is not listed")
        left.remove(face)
    need(
        not left and len(set(faces)) == len(faces),
        "face-not-there",
        "no face, or listed twice",
    )
