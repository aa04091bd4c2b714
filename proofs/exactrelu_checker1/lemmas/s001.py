"""Statements of Phuong and Lampert, *Functional vs. parametric equivalence of ReLU networks*."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from ..canonical import Fields, canonical
from ..integers import dot, lowest_terms
from ..network import Network
from ..rules.proportional import affine_function
from ..values import RationalMatrix, read_index, read_list, read_rational_vector
from .lemma import (
    EQUAL,
    Instance,
    Lemma,
    Need,
    active_units,
    gt_row,
    parallel,
    require,
    value_need,
)


def _scalar(instance: Instance) -> Network:
    network = instance.network("N")
    dim, *hidden, outputs = network.widths()
    require(dim > 1 and any(hidden) and outputs < 2, "N has not two inputs, or not one output")
    return network


def _general(network: Network, domain: object) -> Need:
    return Need(("general",), {"network": network.as_json(), "domain": domain})


def _condition_3(instance: Instance) -> Iterator[Need]:
    network, budget = _scalar(instance), instance.budget
    domain, dim = instance.domain("Z", network), network.widths()[0]
    units: list[tuple[int, int]] = []
    forms: list[Sequence[int]] = []
    for point, layer, unit in (("p", "k", "i"), ("q", "l", "j")):
        x, of = instance.vector(point, dim), (instance.index(layer), instance.index(unit))
        known = of[0] < len(network.layers) and of[1] < network.widths()[1:][of[0]]
        require(known, "there is no such unit")
        domain.require_point(x, budget)
        signs = network.evaluate(x, budget)[1]
        require("0" not in "".join(signs), "a point is in no region")
        units.append(of)
        forms.append(affine_function(network, (active_units(signs)[: of[0]], of[1]), budget))
        yield value_need(network, x)
    require(units[0] not in units[1:], "one unit")
    require(parallel(forms[0], forms[1], budget), "the functions are not multiples")
    yield _general(network, instance.given("Z"))


def _nonzero_entries(instance: Instance) -> Iterator[Need]:
    network = _scalar(instance)
    rows = [row[:-1] for layer in network.layers for row in layer.rows]
    require(not all(map(all, rows)), "no weight is 0")
    yield _general(network, instance.given("Z"))


def _surface(network: Network, instance: Instance, look: partial[None]) -> Iterator[Need]:
    """Ask for a general network, and the pieces of its zero sets, all of which are visible."""
    domain = instance.given("Z")
    yield _general(network, domain)
    whole = {"network": network.as_json(), "domain": domain, "hidden": 0, "remaining": 0}
    yield Need(("folds",), whole, look=look)


def _last_unit_starts(network: Network, instance: Instance, fact: Fields) -> None:
    """Look for an edge from a piece with a point at which only units of the last layer are 0."""
    pieces = read_list(fact["pieces"])
    found = False
    for edge in read_list(fact["edges"]):
        piece = read_list(pieces[read_index(read_list(edge)[0])])
        point = read_rational_vector(piece[2], network.widths()[0], instance.budget)
        *earlier, _ = network.evaluate(point, instance.budget)[1]
        found = found or "0" not in "".join(earlier)
    require(found, "no edge starts at a piece of the last layer")


def _lemma_3(instance: Instance) -> Iterator[Need]:
    network = _scalar(instance)
    yield from _surface(network, instance, partial(_last_unit_starts, network, instance))


def _hyperplane_twice(fact: Fields) -> None:
    planes = [canonical(read_list(piece)[1]) for piece in read_list(fact["pieces"])]
    require(len(set(planes)) < len(planes), "no two pieces lie in one hyperplane")


def _one_piece(instance: Instance) -> Iterator[Need]:
    yield from _surface(_scalar(instance), instance, partial(_hyperplane_twice))


def _lemma_a16(instance: Instance) -> Iterator[Need]:
    network, budget = _scalar(instance), instance.budget
    require(len(network.layers) in (3,), "N has not two hidden layers")
    dim, unit = network.widths()[0], instance.index("i")
    p, d = instance.vector("p", dim), instance.vector("d", dim)
    instance.domain("Z", network).require_point(p, budget)
    first, second = network.evaluate(p, budget)[1]
    require(unit < len(second) and second[unit] == "0", "z_i is not 0 at p")
    rows = [row[:-1] for row in network.layers[0].rows]
    on = [any(row) for row, sign in zip(rows, first, strict=True) if sign == "0"]
    require(any(on), "p is on no fold of layer 1")
    slopes = [dot(row, d.nums, budget) for row in rows]
    # A unit that is 0 at p follows d upwards only; one that is negative does not move.
    moved = {"+": slopes, "0": [max(slope, 0) for slope in slopes], "-": [0] * len(slopes)}
    rises = [moved[sign][number] for number, sign in enumerate(first)]
    rise = dot(network.layers[1].rows[unit][:-1], rises, budget)
    require(rise > 0, "z_i does not rise along d")
    yield value_need(network, p)
    yield _general(network, instance.given("Z"))


def _open_box(den: int, ends: Sequence[tuple[int, int]], instance: Instance) -> Fields:
    """Return a < den x_i < b for the ends of every coordinate, as a domain of a claim."""
    rows: list[object] = []
    for place, (low, high) in enumerate(ends):
        unit = [den * (place == other) for other in range(len(ends))]
        rows.append(gt_row([*unit, -low], instance.budget))
        rows.append(gt_row([*(-entry for entry in unit), high], instance.budget))
    return {"dim": len(ends), "rows": rows}


def _starts(number: int, fact: Fields) -> None:
    tails = {read_index(read_list(edge)[0]) for edge in read_list(fact["edges"])}
    require(len(tails) >= number, "too few paths of length 1")


def _has_pieces(number: int, fact: Fields) -> None:
    require(len(read_list(fact["pieces"])) >= number, "too few pieces")


def _theorem_a1(instance: Instance) -> Iterator[Need]:
    theta, eta, budget = instance.network("theta"), instance.network("eta"), instance.budget
    dim, *inner = theta.widths()
    require(inner[1:] in [[m, 1] for m in range(2, dim + 1)], "theta has other widths")
    require(theta.widths() in (eta.widths(),), "eta has other widths")
    identity = tuple(tuple(int(i == j) for j in range(dim + 1)) for i in range(dim))
    require(theta.layers[0] in (RationalMatrix(1, identity, dim + 1),), "layer 1 is not s(x)")
    union, x = instance.boxes("B", dim), instance.vector("x", dim)
    boxes = [list(zip(row[::2], row[1::2], strict=True)) for row in union.rows]
    require(_hang_together(boxes), "the boxes do not hang together")
    clipped = [[(max(low, 0), high) for low, high in box] for box in boxes]
    positive = [box for box in clipped if all(low < high for low, high in box)]
    scaled = [entry * union.den for entry in x.nums]
    inside = [
        all(
            low * x.den < c and c < high * x.den for c, (low, high) in zip(scaled, box, strict=True)
        )
        for box in positive
    ]
    require(any(inside), "x is not in int Z^1")
    active = set(theta.evaluate(x, budget)[1][1])
    require(active in ({"+"},), "a unit of layer 2 is not active at x")
    ends = [(min(box[i][0] for box in boxes), max(box[i][1] for box in boxes)) for i in range(dim)]
    frame = _open_box(union.den, ends, instance)
    pair = {"a": theta.as_json(), "b": eta.as_json()}
    yield Need(EQUAL, {**pair, "domain": frame})
    for box in boxes:
        place = _open_box(union.den, box, instance)
        yield Need(("transparent",), {"network": theta.as_json(), "domain": place})
    yield _general(theta, frame)
    yield _general(eta, frame)
    whole = {"network": theta.as_json(), "domain": {"boxes": instance.given("B")}}
    yield Need(("folds",), {**whole, "remaining": 0}, look=partial(_starts, dim))
    den, rows = lowest_terms(
        union.den, [[end for ends in box for end in ends] for box in positive], budget
    )
    part = {"boxes": [f"{den:x}", [[f"{end:x}" for end in row] for row in rows]]}
    after = {"network": Network(theta.layers[1:]).as_json(), "domain": part}
    yield Need(("folds",), {**after, "remaining": 0}, look=partial(_has_pieces, inner[1]))
    yield Need(("not-isomorphic",), pair)


def _hang_together(boxes: list[list[tuple[int, int]]]) -> bool:
    """Tell whether each box, as an open set, meets one that is reached before it.

    An empty box meets none; a single empty one has no part in the orthant.
    """
    reached, left = boxes[:1], boxes[1:]
    for box in reached:
        near = [other for other in left if _overlap(box, other)]
        reached.extend(near)
        left = [other for other in left if other not in near]
    return not left


def _overlap(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> bool:
    return all(max(a, c) < min(b, d) for (a, b), (c, d) in zip(one, other, strict=True))


_GENERAL = frozenset({"N", "Z"})

LEMMAS: Mapping[str, Lemma] = MappingProxyType(
    {
        "S001-condition-3": Lemma(
            "in a general network the linear functions of two different units on two regions are "
            "not multiples of each other",
            _GENERAL | {"i", "j", "k", "l", "p", "q"},
            _condition_3,
        ),
        "S001-lemma-3": Lemma(
            "if S is the union of the zero sets of the units of a general network in layers 1 to "
            "m, no dependency path of length 1 starts at a piece of S that lies in no zero set of "
            "a unit before layer m",
            _GENERAL,
            _lemma_3,
        ),
        "S001-lemma-A16": Lemma(
            "in a general network the points where a unit of layer 2 is 0, and positive nearby, "
            "are on no fold of layer 1",
            _GENERAL | {"d", "i", "p"},
            _lemma_a16,
        ),
        "S001-nonzero-entries": Lemma(
            "the weights of a general network are not 0", _GENERAL, _nonzero_entries
        ),
        "S001-one-piece": Lemma(
            "no two pieces of the union of the zero sets of the units of a general network lie in "
            "one hyperplane",
            _GENERAL,
            _one_piece,
        ),
        "S001-theorem-A1": Lemma(
            "if theta is general and transparent on a connected set Z, for l = 1, 2 the fold-set "
            "of its layers from l on has on int Z^(l-1) d_l dependency paths of length 2 - l with "
            "distinct starts, and dim Z^l = d_l, then every general eta with the same function on "
            "Z is theta up to permutation and scaling",
            frozenset({"B", "eta", "theta", "x"}),
            _theorem_a1,
        ),
    }
)
