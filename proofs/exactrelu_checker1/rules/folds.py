"""The fold-set of a network on a domain: the points at which it is not differentiable.

Statement. In the domain D, an open polyhedron or the interior of a union of boxes, the fold-set of
the network N is the union of the closures of ``facets`` facets of its complex, which lie in
``hyperplanes`` hyperplanes. Of the faces in the zero sets of hidden units, of all dimensions,
``hidden`` do not lie in the fold-set. Its canonical representation has the ``pieces`` [level,
hyperplane, a point of it], and ``remaining`` facets are not in it; its dependency graph has the
``edges`` [H, H', a point of H in the closure of H'].

Evidence. On a union of boxes ``planes``, hyperplanes that refine the complex; then a face tree.
"""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..network import Network, read_network
from ..reader import Certificate
from ..region import Region, Row, Signs, own_signs, read_region
from ..shallow_form import oriented
from ..statement import Claim, Rule, subject
from ..surfaces import Piece, Surface
from ..values import RationalVector, read_index, read_list, read_rational_vector, read_vector
from ..verdicts import Reason, Refused

_COUNTS = ("facets", "hidden", "hyperplanes", "remaining")

Listed = Sequence[tuple[Piece, RationalVector]]
Edges = Sequence[tuple[tuple[int, int], RationalVector]]


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    region = read_region(claim["domain"], network, budget)
    facets, hidden, hyperplanes, remaining = counts = [read_index(claim[name]) for name in _COUNTS]
    dim = region.frame.dim
    pieces: list[tuple[Piece, RationalVector]] = []
    for entry in read_list(claim["pieces"]):
        level, plane, point = read_list(entry, 3)
        piece = Piece(read_index(level), read_vector(plane, dim + 1, budget))
        pieces.append((piece, read_rational_vector(point, dim, budget)))
    edges: list[tuple[tuple[int, int], RationalVector]] = []
    for entry in read_list(claim["edges"]):
        tail, head, point = read_list(entry, 3)
        pair = (read_index(tail), read_index(head))
        if max(pair) >= len(pieces):
            raise Refused(Reason.INDEX_OUT_OF_RANGE, f"an edge from {tail} to {head}")
        edges.append((pair, read_rational_vector(point, dim, budget)))
    order = max((piece.level for piece, _ in pieces), default=0)
    surface = (
        f"no piece-wise linear surface, as {remaining} facets are in no piece"
        if remaining
        else f"a piece-wise linear surface of order {order}"
    )
    return Claim(
        f"in {region.text} the fold-set of the network N of widths "
        f"{widths_text(network.widths())} has {facets} facets in {hyperplanes} hyperplanes; "
        f"{hidden} faces in the zero sets of hidden units are not in it; it is {surface}; its "
        f"canonical representation has {len(pieces)} pieces, as listed, and {len(edges)} "
        f"dependencies, with a longest path of {_longest(pieces, edges)}",
        (subject("N", network.as_json()), subject("D", claim["domain"])),
        partial(_check, network, region, counts, pieces, edges),
        (network,),
    )


def _longest(pieces: Listed, edges: Edges) -> int:
    """Return the number of edges of a longest path, if levels grow along edges."""
    lengths = [0] * len(pieces)
    for (tail, head), _ in sorted(edges, key=lambda edge: pieces[edge[0][0]][0].level):
        lengths[head] = max(lengths[head], lengths[tail] + 1)
    return max(lengths, default=0)


def _check(
    network: Network,
    region: Region,
    counts: Sequence[int],
    pieces: Listed,
    edges: Edges,
    certificate: Certificate,
    budget: Budget,
) -> None:
    more = _read_planes(certificate, region.frame.dim, budget) if region.is_union else ()
    fine, faces = region.faces(network, certificate, budget, more)
    surface = Surface(fine, faces, budget)
    if region.is_union:
        known = {oriented(row, budget)[2] for row in fine.layers[0].rows}
        if not known.issuperset(surface.planes.values()):
            raise Refused(Reason.PLANE_NOT_CUT, "the hyperplane of a facet is not in the tree")
    own = partial(own_signs, network)
    hidden = {
        own(face.signs)
        for face in faces
        if "0" in "".join(own(face.signs)) and not surface.around(face.signs)
    }
    facets = {own(signs) for signs in surface.planes}
    remaining = {own(signs) for signs in surface.planes if signs not in surface.piece_of}
    planes = set(surface.planes.values())
    if [len(facets), len(hidden), len(planes), len(remaining)] != counts:
        raise Refused(Reason.FOLD_COUNT, "the fold-set has other numbers")
    signs = {face.signs for face in faces}
    signs_at = partial(region.signs_at, fine, signs, budget=budget)
    _check_lists(signs_at, signs, surface, pieces, edges)


def _read_planes(certificate: Certificate, dim: int, budget: Budget) -> tuple[Row, ...]:
    record = certificate.record("planes", frozenset({"rows"}))
    return tuple(read_vector(row, dim + 1, budget) for row in read_list(record["rows"]))


def _check_lists(
    signs_at: Callable[[RationalVector], Signs],
    known: Collection[Signs],
    surface: Surface,
    pieces: Listed,
    edges: Edges,
) -> None:
    """Refuse unless the pieces and edges listed are those of the surface, each once."""
    numbers: list[int] = []
    for piece, point in pieces:
        inside, _ = surface.pieces_at(signs_at(point))
        number = next((number for number in inside if surface.pieces[number] == piece), None)
        if number is None:
            raise Refused(Reason.PIECES_DIFFER, f"no such piece of level {piece.level}")
        numbers.append(number)
    if sorted(numbers) != list(range(len(surface.pieces))):
        raise Refused(Reason.PIECES_DIFFER, "a piece is missing, or there twice")
    found: list[tuple[int, int]] = []
    for (tail, head), point in edges:
        edge = (numbers[tail], numbers[head])
        if edge not in surface.edges_at(signs_at(point)):
            raise Refused(Reason.EDGES_DIFFER, f"no edge from {tail} to {head} at the point")
        found.append(edge)
    if sorted(found) != sorted(set().union(*(surface.edges_at(signs) for signs in known))):
        raise Refused(Reason.EDGES_DIFFER, "an edge is missing, or there twice")


RULE = Rule(frozenset({"domain", "edges", "network", "pieces", *_COUNTS}), _read)
