"""Facets and ridges, the faces of codimension 1 and 2; cancelled facets; honesty.

Everything is said of relint D, in its affine hull. The methods read the faces on D, or on a
part of it (see ``unions``), and their proof.

*Two cells beside a facet.* Let F be a facet, open in the hyperplane h. The closure of a
face around F that is not in h has points of h and one outside: the face is a cell. So near
a point of F each side of h is full of cells; these are open and disjoint, so each side is
in one cell. The two are different, as cells are convex and do not meet F. No other cell has
F in its closure.

A neuron *bends* on a facet F if it is 0 on it, and not 0 on one of the cells beside it. A
neuron that is 0 on F and not 0 on the cell C beside it has an affine preactivation on C,
which is 0 on F and not constant: its zero set is h, and its sign on C tells on which side
of h this cell is. There is such a neuron, as C has not the signs of F. The *jump* of the
facet is the affine function of the network on the side of h where the row of h is positive
whose first entry that is not 0 is positive, less that on the other side; all facets have
the same factor > 0. As the network is continuous, the jump is 0 on h. A facet is *visible*
if its jump is not 0: the Jacobian jumps.

*Cancelled*: a facet whose jump is 0, although in every hidden layer after the first that
bends on it some neuron is positive on it. (Were a layer before dead on the facet, nothing
later would bend.) The network is cancellation-free if there is none.

*Honest.* A *ridge* belongs to the breakpoint complex if it lies in the closure of a visible
facet. It is *non-bending* if every visible facet around it (with the ridge in its closure)
is continued by another one around it, in the same hyperplane and with the same jump. It
lies in the bent hyperplane of a neuron if that bends on a facet around it. The network is
honest if every non-bending ridge of the breakpoint complex lies in bent hyperplanes of one
layer only. Facets with the same jump, which is not 0, lie in one hyperplane, where the jump
is 0.

``faces``: none of the faces on D is a cancelled facet, or a ridge that is not honest.
``part``, the negations: one of the faces on a part P of D is. That depends on the signs on
the face and on those around it only, and these are the same on P and on D.
"""

from .claims import kind
from .file import Proof, need
from .numbers import Row, opposite, paired, total
from .objects import Network, System
from .unions import Faces, Signs, Stars, layers_of, part_of, read_faces

cancellation_free = kind(
    "{network} has no cancelled facet on the relative interior of {domain}",
    "{network} has a cancelled facet on the relative interior of {domain}",
)
honest = kind(
    "every non-bending ridge of the breakpoint complex of {network} on the relative "
    "interior of {domain} lies in bent hyperplanes of one layer only",
    "some non-bending ridge of the breakpoint complex of {network} on the relative "
    "interior of {domain} lies in bent hyperplanes of several layers",
)


# The jump of a facet, () if it is 0, and the layers (from 0) that bend on it.
Facet = tuple[tuple[Row, ...], frozenset[int]]


def _facets(faces: Faces) -> dict[Signs, Facet]:
    """Return the facets among faces."""
    found = {}
    for signs, ((cell, rows), (other, others)) in faces.sides().items():
        faces.proof.spend(3 * len(signs) + len(rows[-1]) * len(rows[-1][0]))
        parts = (layers_of(faces.network, each) for each in (signs, cell, other))
        triples = enumerate(paired(*parts))
        layers = frozenset(
            layer for layer, (on, one, two) in triples if not on == one == two
        )
        place = next(i for i, sign in enumerate(cell) if sign != signs[i])
        row = [row for layer in rows for row in layer][place]
        if (cell[place] > 0) != (row > opposite(row)):
            rows, others = others, rows
        jump = tuple(total((1, -1), pair) for pair in paired(rows[-1], others[-1]))
        found[signs] = (jump if any(map(any, jump)) else (), layers)
    return found


def _has_cancelled(proof: Proof, network: Network, region: System) -> bool:
    """Read faces, and tell whether one is invisible though every later layer is active."""
    facets = _facets(read_faces(proof, network, region)).items()
    hidden = ((signs, min(layers)) for signs, (jump, layers) in facets if not jump)
    return any(
        all(1 in s for s in layers_of(network, signs)[k + 1 :]) for signs, k in hidden
    )


def _has_dishonest(proof: Proof, network: Network, region: System) -> bool:
    """Read faces, and tell whether one is a non-bending ridge of several layers."""
    faces = read_faces(proof, network, region)
    stars = Stars(proof, _facets(faces))
    ridges = (
        signs for signs, codimension in faces.codimensions.items() if codimension == 2
    )
    return any(_is_dishonest(proof, stars.around(signs)) for signs in ridges)


def _is_dishonest(proof: Proof, around: list[Facet]) -> bool:
    jumps = [jump for jump, _ in around if jump]
    proof.spend(len(jumps) ** 2 * sum(map(len, jumps[0] if jumps else ())))
    layers = frozenset[int]().union(*(layers for _, layers in around))
    return bool(jumps) and len(layers) > 1 and all(jumps.count(jump) > 1 for jump in jumps)


def cancellation_free_by_faces(proof: Proof, network: Network, domain: System) -> None:
    """No facet is cancelled."""
    need(
        not _has_cancelled(proof, network, domain), "facet-cancelled", "a facet has no jump"
    )


def not_cancellation_free_by_part(proof: Proof, network: Network, domain: System) -> None:
    """Some facet of a part is cancelled."""
    need(
        _has_cancelled(proof, network, part_of(proof, domain)),
        "no-facet-cancelled",
        "none is",
    )


def honest_by_faces(proof: Proof, network: Network, domain: System) -> None:
    """No ridge is dishonest."""
    need(
        not _has_dishonest(proof, network, domain),
        "ridge-dishonest",
        "one of several layers",
    )


def not_honest_by_part(proof: Proof, network: Network, domain: System) -> None:
    """Some ridge of a part is dishonest."""
    need(
        _has_dishonest(proof, network, part_of(proof, domain)),
        "no-dishonest-ridge",
        "none is",
    )
