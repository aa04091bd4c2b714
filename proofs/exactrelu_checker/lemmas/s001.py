"""Statements of Phuong and Lampert, *Functional vs. parametric equivalence of ReLU
networks*.
"""

from collections.abc import Callable, Iterator, Sequence

from ..file import canonical
from ..numbers import Row
from ..objects import Network, Vector, contains, read_index, read_list
from .asked import about, derived, domain_json, equal, matrix_json, value_at
from .exact import active_units, affine_function, dot, evaluate, parallel
from .lemma import Fields, Instance, Need, lemma, require, table, vector_of


def _scalar(instance: Instance) -> Network:
    network = instance.network("N")
    dim, *hidden, outputs = network.widths
    require(
        dim > 1 and any(hidden) and outputs < 2, "N has not two inputs, or not one output"
    )
    instance.domain("Z", network)
    return network


def _general(network: object, domain: object) -> Iterator[Need]:
    yield Need("masked-rank", {"network": network, "holds": True})
    yield Need("non-proportional", {"network": network, "holds": True})
    yield about("zero-optimum", network, domain, holds=False)


def _in_domain(instance: Instance, network: Network, point: Vector) -> None:
    """Refuse a point that is not in the relative interior of Z."""
    domain = instance.domain("Z", network)
    require(contains(instance.proof, domain, point, inner=True), "a point is not in Z")


@lemma(
    "S001-condition-3: N Z i j k l p q",
    "in a general network the linear functions of two different units on two regions are "
    "not multiples of each other",
)
def _condition_3(instance: Instance) -> Iterator[Need]:
    network, proof = _scalar(instance), instance.proof
    dim = network.widths[0]
    units: list[tuple[int, int]] = []
    forms: list[Row] = []
    for point, layer, unit in (("p", "k", "i"), ("q", "l", "j")):
        x, of = instance.vector(point, dim), (instance.index(layer), instance.index(unit))
        known = of[0] < len(network.layers) and of[1] < network.widths[1:][of[0]]
        require(known, "there is no such unit")
        _in_domain(instance, network, x)
        signs = evaluate(network, x, proof)[1]
        require("0" not in "".join(signs), "a point is in no region")
        units.append(of)
        forms.append(affine_function(network, active_units(signs)[: of[0]], of[1], proof))
        yield value_at(instance.fields["N"], x)
    require(units[0] not in units[1:], "one unit")
    require(parallel(forms[0], forms[1], proof), "the functions are not multiples")
    yield from _general(instance.fields["N"], instance.fields["Z"])


@lemma(
    "S001-nonzero-entries: N Z",
    "the weights of a general network are not 0",
)
def _nonzero_entries(instance: Instance) -> Iterator[Need]:
    network = _scalar(instance)
    rows = [row[:-1] for layer in network.layers for row in layer.rows]
    require(not all(map(all, rows)), "no weight is 0")
    yield from _general(instance.fields["N"], instance.fields["Z"])


def _surface(instance: Instance, look: Callable[[Fields], None]) -> Iterator[Need]:
    """Ask for a general network, and the pieces of its zero sets, all of which are
    visible.
    """
    network, domain = instance.fields["N"], instance.fields["Z"]
    yield from _general(network, domain)
    whole = {"network": network, "domain": domain, "hidden": 0, "remaining": 0}
    yield Need("folds", whole, look)


def _last_unit_starts(network: Network, instance: Instance, fact: Fields) -> None:
    """Look for an edge from a piece with a point at which only units of the last layer are
    0.
    """
    pieces = read_list(fact["pieces"])
    found = False
    for edge in read_list(fact["edges"]):
        piece = read_list(pieces[read_index(read_list(edge)[0])])
        point = vector_of(piece[2], network.widths[0])
        *earlier, _ = evaluate(network, point, instance.proof)[1]
        found = found or "0" not in "".join(earlier)
    require(found, "no edge starts at a piece of the last layer")


@lemma(
    "S001-lemma-3: N Z",
    "if S is the union of the zero sets of the units of a general network in layers 1 to "
    "m, no dependency path of length 1 starts at a piece of S that lies in no zero set of "
    "a unit before layer m",
)
def _lemma_3(instance: Instance) -> Iterator[Need]:
    network = _scalar(instance)
    yield from _surface(instance, lambda fact: _last_unit_starts(network, instance, fact))


def _hyperplane_twice(fact: Fields) -> None:
    planes = [canonical(read_list(piece)[1]) for piece in read_list(fact["pieces"])]
    require(len(set(planes)) < len(planes), "no two pieces lie in one hyperplane")


@lemma(
    "S001-one-piece: N Z",
    "no two pieces of the union of the zero sets of the units of a general network lie in "
    "one hyperplane",
)
def _one_piece(instance: Instance) -> Iterator[Need]:
    _scalar(instance)
    yield from _surface(instance, _hyperplane_twice)


@lemma(
    "S001-lemma-A16: N Z d i p",
    "in a general network the points where a unit of layer 2 is 0, and positive nearby, "
    "are on no fold of layer 1",
)
def _lemma_a16(instance: Instance) -> Iterator[Need]:
    network, proof = _scalar(instance), instance.proof
    require(len(network.layers) in (3,), "N has not two hidden layers")
    dim, unit = network.widths[0], instance.index("i")
    p, d = instance.vector("p", dim), instance.vector("d", dim)
    _in_domain(instance, network, p)
    first, second = evaluate(network, p, proof)[1]
    require(unit < len(second) and second[unit] == "0", "z_i is not 0 at p")
    rows = [row[:-1] for row in network.layers[0].rows]
    on = [any(row) for row, sign in zip(rows, first, strict=True) if sign == "0"]
    require(any(on), "p is on no fold of layer 1")
    slopes = [dot(row, d.nums, proof) for row in rows]
    # A unit that is 0 at p follows d upwards only; one that is negative does not move.
    moved = {"+": slopes, "0": [max(slope, 0) for slope in slopes], "-": [0] * len(slopes)}
    rises = [moved[sign][number] for number, sign in enumerate(first)]
    rise = dot(network.layers[1].rows[unit][:-1], rises, proof)
    require(rise > 0, "z_i does not rise along d")
    yield value_at(instance.fields["N"], p)
    yield from _general(instance.fields["N"], instance.fields["Z"])


def _open_box(den: int, ends: Sequence[tuple[int, int]]) -> Fields:
    """Return a < den x_i < b for the ends of every coordinate, as a domain of a claim."""
    rows: list[Row] = []
    for place, (low, high) in enumerate(ends):
        unit = [den * (place == other) for other in range(len(ends))]
        rows += [(*unit, -low), (*(-entry for entry in unit), high)]
    return domain_json(len(ends), "gt", rows)


def _starts(number: int, fact: Fields) -> None:
    tails = {read_index(read_list(edge)[0]) for edge in read_list(fact["edges"])}
    require(len(tails) >= number, "too few paths of length 1")


def _has_pieces(number: int, fact: Fields) -> None:
    require(len(read_list(fact["pieces"])) >= number, "too few pieces")


@lemma(
    "S001-theorem-A1: B eta theta x",
    "if theta is general and transparent on a connected set Z, for l = 1, 2 the fold-set "
    "of its layers from l on has on int Z^(l-1) d_l dependency paths of length 2 - l with "
    "distinct starts, and dim Z^l = d_l, then every general eta with the same function on "
    "Z is theta up to permutation and scaling",
)
def _theorem_a1(instance: Instance) -> Iterator[Need]:
    theta, eta, proof = instance.network("theta"), instance.network("eta"), instance.proof
    dim, *inner = theta.widths
    require(inner[1:] in [[m, 1] for m in range(2, dim + 1)], "theta has other widths")
    require(theta.widths == eta.widths, "eta has other widths")
    identity = tuple(tuple(int(i == j) for j in range(dim + 1)) for i in range(dim))
    require(theta.layers[0][:2] == (1, identity), "layer 1 is not s(x)")
    union, x = instance.matrix("B", None, 2 * dim), instance.vector("x", dim)
    boxes = [list(zip(row[::2], row[1::2], strict=True)) for row in union.rows]
    require(_hang_together(boxes), "the boxes do not hang together")
    clipped = [[(max(low, 0), high) for low, high in box] for box in boxes]
    positive = [box for box in clipped if all(low < high for low, high in box)]
    scaled = [entry * union.den for entry in x.nums]
    pairs = (zip(scaled, box, strict=True) for box in positive)
    inside = [
        all(low * x.den < c < high * x.den for c, (low, high) in pair) for pair in pairs
    ]
    require(any(inside), "x is not in int Z^1")
    active = set(evaluate(theta, x, proof)[1][1])
    require(active == {"+"}, "a unit of layer 2 is not active at x")
    ends = [
        (min(box[i][0] for box in boxes), max(box[i][1] for box in boxes))
        for i in range(dim)
    ]
    frame = _open_box(union.den, ends)
    one, other = instance.fields["theta"], instance.fields["eta"]
    yield equal(one, other, frame)
    for box in boxes:
        yield about("transparent", one, _open_box(union.den, box))
    yield from _general(one, frame)
    yield from _general(other, frame)
    whole = {"network": one, "domain": {"boxes": instance.fields["B"]}, "remaining": 0}
    yield Need("folds", whole, lambda fact: _starts(dim, fact))
    rows = [[end for ends in box for end in ends] for box in positive]
    part = {
        "cols": union.width,
        "matrix": matrix_json(union.den, rows, proof),
        "rows": len(rows),
    }
    rest = derived([layer[:2] for layer in theta.layers[1:]], proof)
    after = {"network": rest, "domain": {"boxes": part}, "remaining": 0}
    yield Need("folds", after, lambda fact: _has_pieces(inner[1], fact))
    yield Need("isomorphic", {"a": one, "b": other, "holds": False})


def _hang_together(boxes: list[list[tuple[int, int]]]) -> bool:
    """Tell whether each box, as an open set, meets one that is reached from the first.

    An empty box meets none, not even itself.
    """
    reached, left = boxes[:1], boxes
    for box in reached:
        near = [other for other in left if _overlap(box, other)]
        reached.extend(near)
        left = [other for other in left if other not in near]
    return not left


def _overlap(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> bool:
    return all(max(a, c) < min(b, d) for (a, b), (c, d) in zip(one, other, strict=True))


LEMMAS = table(vars())
