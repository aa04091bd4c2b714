"""Certificates of format 1 about injectivity, stability and ranges as lines of format 2.

Untrusted and thrown away with format 1: what it writes is checked.  Two trees are walked at once,
both of them those of the new checker: that of format 1 on all of R^n, in x, which says whose turn
it is, and that of format 2 on the domain, in t.  Rows keep their multipliers up to a factor.  What
cannot be converted raises ``Unconvertible``; where the new checker will refuse a line, the lines
end there.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, isqrt, lcm
from typing import Any

from exactrelu_checker import objects
from exactrelu_checker.file import Limits, Proof, Refused
from exactrelu_checker.tree import CLOSED, Node, Tree
from flint import fmpq

from exactrelu.certificates.format2 import encoded2, point2, record2
from exactrelu.errors import ExactReluError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.domain import Domain

Record = dict[str, Any]
Pairs = list[tuple[int, Fraction]]


class Unconvertible(Exception):
    """The file of format 1 has no counterpart: its form is wrong, or its domain is empty."""


class Ends(Exception):
    """The checker will refuse the last line."""


def lines_of(data: bytes) -> list[str]:
    """The lines of format 2, without a footer, for a file of format 1."""
    try:
        head, *records = [json.loads(line) for line in data.decode().splitlines()][:-1]
        claim = head["claim"]
        return list(CONVERTERS[claim["kind"]](claim, iter(records)))
    except (KeyError, ValueError, TypeError, IndexError, AttributeError, ExactReluError,
            OverflowError) as error:  # fmt: skip
        raise Unconvertible(repr(error)) from error


def integer(text: Any) -> int:
    return int(text, 16)


def nothing() -> Proof:
    return Proof(io.BufferedReader(io.BytesIO(b"")), Limits(fuel=10**12))


@dataclass
class Place:
    """A domain of both formats: where rows of the old one are in the new one, and the factors."""

    domain: Domain
    system: objects.System
    #: For each old row: number of the new one and old/new; None if it is 0 on the domain.
    places: list[tuple[int, Fraction] | None] = field(default_factory=list)
    #: The rows of a node: 1 and the inequalities.
    n_rows: int = 1

    @classmethod
    def of(cls, value: Any) -> Place:
        dim = value["dim"]
        rows = [(sense, [integer(x) for x in row]) for sense, row in value["rows"]]
        senses = {"eq": Sense.EQUAL, "ge": Sense.AT_LEAST, "gt": Sense.GREATER}
        given = [
            Row(tuple(map(fmpq, row[:-1])), fmpq(row[-1]), senses[sense]) for sense, row in rows
        ]
        domain = Domain.of(LinearSystem(dim, tuple(given)), dim)
        new = domain.rows
        inner = [pair for pair in new if pair[0] != "eq"]
        factor = domain.chart.factor
        found = cls(domain, objects.read_domain(encoded2(domain)), [], 1 + len(inner))
        for sense, row in rows:
            if not any(row[:-1]):
                found.places.append((0, Fraction(row[-1] * factor)))
                continue
            common = gcd(*row)
            primitive = (sense, tuple(x // common for x in row))
            at = inner.index(primitive) + 1 if primitive in inner else None
            found.places.append(None if at is None else (at, Fraction(common)))
        return found

    @classmethod
    def orthant(cls, n: int) -> Place:
        """The orthant as the checker writes it, in normal form: the last coordinate first."""
        rows = tuple(tuple(int(i == j) for j in range(n + 1)) for i in reversed(range(n)))
        system = objects.System(n, ("ge",) * n, rows)
        places = [(n - i, Fraction(1)) for i in range(n)]
        return cls(Domain.of("orthant", n), system, [*places], 1 + n)

    def inside(self) -> str:
        """The record that shows that the domain is not empty."""
        return point2("inside", self.domain.point)


def pairs_of(rows: Any, values: Any, places: list[tuple[int, Fraction] | None]) -> Pairs:
    """Numbers and multipliers of rows; those that are 0 on the domain are left out."""
    if len(rows) != len(values) or any(type(r) is not int or r < 0 for r in rows):
        raise ValueError("lists")
    found = [(places[r] if r < len(places) else (1 << 40, Fraction(1)), integer(v))
             for r, v in zip(rows, values, strict=True)]  # fmt: skip
    return [(place[0], place[1] * value) for place, value in found if place is not None]


def integers(pairs: Pairs) -> list[int]:
    """m r λ r λ … with integers."""
    den = lcm(*(value.denominator for _, value in pairs))
    return [len(pairs), *(x for r, value in pairs for x in (r, int(value * den)))]


def head(
    kind: str, method: str, place: Place, holds: bool | None = True, **fields: Any
) -> list[str]:
    """The claim, the method, and the point inside."""
    claim = {"kind": kind, "domain": encoded2(place.domain), **fields}
    if holds is not None:
        claim["holds"] = holds
    value = {"claim": claim, "format": "exactrelu-certificate/2"}
    return [
        json.dumps(value, sort_keys=True, separators=(",", ":")),
        f"by {method}",
        place.inside(),
    ]


def one_of(records: Iterator[Record], *words: str) -> Record:
    record = next(records, None)
    if record is None:
        raise Ends
    if record["record"] not in words:
        raise Ends
    return record


@dataclass
class Leaf:
    """A closed leaf: the new node, and the places of the rows of the old one."""

    node: Node
    places: list[tuple[int, Fraction] | None]


def tree_lines(
    records: Iterator[Record], network: Any, place: Place, leaf_word: str
) -> Iterator[str | Leaf | None]:
    """The lines of a tree; at each old leaf, the leaf, or None if the new tree does not have it."""
    plain = objects.read_network(network)
    dim = place.system.dim
    old = Tree(nothing(), [plain], objects.System(dim, (), ()), CLOSED)
    new = Tree(nothing(), [plain], place.system, CLOSED)
    stack: list[tuple[Node, Node | None, list[tuple[int, Fraction] | None]]] = [
        (old.root(), new.root(), list(place.places))
    ]
    while stack:
        x, t, places = stack.pop()
        record = one_of(records, "split", "sides", "empty", leaf_word)
        word = record["record"]
        if word == "split":
            stage = x.stages[0]
            unit = next((i for i, sign in enumerate(stage.signs) if sign is None), None)
            if unit is None or stage.layer >= len(plain.hidden):
                yield "split 0"
                raise Ends
            k = sum(len(layer.rows) for layer in plain.layers[: stage.layer]) + unit
            below, above = old.visit(x, "split", [k])
            if t is None:
                stack += [(above, None, places), (below, None, places)]
                continue
            at = t.stages[0]
            sign = [*at.decided, at.signs][stage.layer][unit]
            if sign is None:
                yield record2("split", k)
                first, second = _visited(new, t, "split", [k])
                more = [*places, (len(t.rows), Fraction(1))]
                stack += [(above, second, more), (below, first, more)]
            else:
                # The neuron is constant on the domain: one side is all of it.
                rows = [*at.passed[1:], at.rows][stage.layer]
                row = rows[unit]
                size = abs(row[-1]) if row is not None else _constant(new, t, stage.layer, unit)
                more = [*places, (0, Fraction(size))]
                chosen = (None, t) if sign > 0 else (t, None)
                stack += [(above, chosen[1], more), (below, chosen[0], more)]
        elif word == "sides":
            stage = x.stages[0]
            decided = {}
            start = sum(len(layer.rows) for layer in plain.layers[: stage.layer])
            lists = zip(record["neurons"], record["signs"], record["rows"], record["values"],
                        strict=True)  # fmt: skip
            for unit, sign, rows, values in lists:
                s = 2 * (start + unit) + (sign == "+")
                known = stage.signs[unit] if unit < len(stage.signs) else None
                decided[unit] = 1 if sign == "+" else -1
                if t is None:
                    continue
                at = t.stages[0]
                ahead = [*at.decided, at.signs][stage.layer]
                if known is None and unit < len(ahead) and ahead[unit] is not None:
                    continue
                beyond = [(-1, Fraction(1))]
                pairs = pairs_of(rows, values, [*places, *beyond])
                weight = sum(value for r, value in pairs if r == -1)
                rest = [(r, value) for r, value in pairs if r != -1]
                if weight == 0 and rest:
                    # It refutes the cell itself, or nothing.
                    yield record2("empty", *integers(rest))
                    _visited(new, t, "empty", integers(rest))
                    t = None
                    continue
                den = lcm(weight.denominator, *(v.denominator for _, v in rest)) if weight else 1
                numbers = [s, int(weight * den), len(rest)]
                numbers += [z for r, value in rest for z in (r, int(value * den))]
                yield record2("side", *numbers)
                (t,) = _visited(new, t, "side", numbers)
            x = old._decided(x, 0, decided)
            stack.append((x, t, places))
        elif word == "empty":
            if t is not None:
                numbers = integers(pairs_of(record["rows"], record["values"], places))
                yield record2("empty", *numbers)
                _visited(new, t, "empty", numbers)
        elif t is None:
            yield None
        else:
            yield Leaf(t, places)


def _visited(tree: Tree, node: Node, word: str, numbers: list[int]) -> tuple[Node, ...]:
    try:
        return tree.visit(node, word, numbers)
    except Refused as refused:
        raise Ends from refused


def _constant(tree: Tree, node: Node, layer: int, unit: int) -> int:
    """The size of a constant negative preactivation that is not passed on."""
    networks = tree._networks[0]
    stage = node.stages[0]
    rows = tree._rows(node.dim, networks.layers[layer], stage.passed[layer],
                      stage.factors[layer], 0)  # fmt: skip
    return abs(rows[unit][-1])


def guarded(lines: Iterator[str]) -> Iterator[str]:
    """The lines up to the one that will be refused."""
    try:
        yield from lines
    except Ends:
        return


def rest_of(records: Iterator[Record]) -> Iterator[str]:
    """Surplus records stay surplus."""
    for record in records:
        yield record["record"]


# injective


def injective(claim: Any, records: Iterator[Record]) -> Iterator[str]:
    place = Place.of(claim["domain"])
    names = {key: claim[key] for key in ("first", "last", "network")}
    yield from head("injective", "pairs", place, **names)
    yield from guarded(_pairs(claim, records, place))


def _pairs(claim: Any, records: Iterator[Record], place: Place) -> Iterator[str]:
    last, network = claim["last"], claim["network"]
    part = {"layers": network["layers"][: last + 1]}
    found: list[list[str] | Leaf | None] = []
    lines: list[str] = []
    ended = False
    try:
        for item in tree_lines(records, part, place, "cell"):
            if isinstance(item, str):
                lines.append(item)
            else:
                if item is not None:
                    found += [lines, item]
                    lines = []
                else:
                    found.append(None)
    except Ends:
        ended = True
    widths = objects.read_network(network).widths
    leaves: list[Leaf | None] = []
    for part_of in found:
        if isinstance(part_of, list):
            yield from part_of
            continue
        leaves.append(part_of)
        if part_of is not None:
            yield "cell"
        if ended:
            if part_of is not None:
                for _ in [leaf for leaf in leaves if leaf is not None]:
                    yield "apart 0"  # refused: the tree that follows is too
                    return
            continue
        right = part_of
        for i, left in enumerate(leaves):
            record = one_of(records, "pair")
            if left is None or right is None:
                continue
            lists = list(zip(record["rows"], record["values"], strict=True))
            word = "apart" if len(lists) == 1 and i < len(leaves) - 1 else "same"
            n, m = len(left.node.rows), len(right.node.rows)
            wide = widths[last]
            places = [*left.places, *((p[0] + n, p[1]) if p else None for p in right.places)]
            places += [(n + m + r, Fraction(1)) for r in range(wide + 1)]
            for rows, values in lists:
                yield record2(word, *integers(pairs_of(rows, values, places)))
    if ended:
        yield from lines
        return
    yield from lines
    yield from rest_of(records)


def injective_by_layers(claim: Any, records: Iterator[Record]) -> Iterator[str]:
    place = Place.of(claim["domain"])
    network = claim["network"]
    n = len(network["layers"])
    yield from head("injective", "layers", place, first=0, last=n, network=network)

    def proof() -> Iterator[str]:
        got = place
        for number, layer in enumerate(network["layers"]):
            yield from spanning(records, got, layer["matrix"][1], number == n - 1)
            got = Place.orthant(layer["outputs"])
        yield from rest_of(records)

    yield from guarded(proof())


def spanning(records: Iterator[Record], place: Place, layer: Any, is_last: bool) -> Iterator[str]:
    """The records of one layer: a shadow of the new checker counts the covers."""
    record = one_of(records, "flats", "tree")
    word, modulus = record["record"], integer(record["modulus"])
    if place.domain.is_flat and modulus > 1:
        modulus = (1 << 61) - 1  # units on the affine hull may be others
    yield record2(word, modulus)
    if modulus < 2:
        raise Ends
    rows = [[integer(x) for x in row] for row in layer]
    chart = place.domain.chart
    normals = [chart.pulled(tuple(row))[:-1] for row in rows]
    start: tuple[Any, ...] = ()
    for normal in normals if is_last else ():
        start = _grown(start, normal, modulus) or start
    todo: list[tuple[Any, int]] = [(start, 0)] if len(start) < chart.dimension else []
    seen = {start}
    while todo:
        space, path = todo.pop(0)
        record = one_of(records, "cover")
        n_old = len(place.places)
        places = [*place.places]
        places += [(place.n_rows + k, Fraction(1)) for k in range(path + len(rows))]
        numbers = integers(pairs_of(record["rows"], record["values"], places))
        yield record2("cover", *numbers)
        children = []
        for r in [r - n_old - path for r in record["rows"] if r >= n_old + path]:
            if r >= len(rows):
                raise Ends
            larger = _grown(space, normals[r], modulus)
            if larger is None:
                raise Ends
            if len(larger) < chart.dimension:
                children.append((larger, path + 1))
            path += 1
        if word == "tree":
            todo = [*children, *todo]
        else:
            for larger, _ in children:
                if larger not in seen:
                    seen.add(larger)
                    todo.append((larger, 0))


def _grown(space: tuple[Any, ...], vector: Any, q: int) -> tuple[Any, ...] | None:
    from exactrelu_checker.ranks import grown

    return grown(nothing(), space, [x % q for x in vector], q)


def layer_injective(claim: Any, records: Iterator[Record]) -> Iterator[str]:
    place = Place.of(claim["domain"])
    network, number = claim["network"], claim["layer"]
    yield from head("layer-injective", "spanning", place, layer=number + 1, network=network)

    def proof() -> Iterator[str]:
        layers = network["layers"]
        is_last = number == len(layers) - 1
        yield from spanning(records, place, layers[number]["matrix"][1], is_last)
        yield from rest_of(records)

    yield from guarded(proof())


def injective_by_blocks(claim: Any, records: Iterator[Record]) -> Iterator[str]:
    network, number = claim["network"], claim["layer"]
    layer = network["layers"][number]
    n = layer["inputs"]
    if number >= len(network["layers"]) - 1:
        raise Unconvertible("the last layer")
    place = Place.of({"dim": n, "rows": []})
    yield from head("layer-injective", "blocks", place, layer=number + 1, network=network)

    def proof() -> Iterator[str]:
        record = one_of(records, "blocks")
        known = 0
        covered: set[int] = set()
        rows = layer["matrix"][1]
        for inputs, chosen, which in zip(
            record["inputs"], record["rows"], record["proofs"], strict=True
        ):
            if len(covered) == n and which < known:
                continue
            yield record2("block", which, len(inputs), *inputs, *chosen)
            covered.update(inputs)
            if which == known:
                known += 1
                if any(k >= len(rows) for k in chosen) or any(i >= n for i in inputs):
                    raise Ends
                block = [[*(rows[k][i] for i in inputs), rows[k][-1]] for k in chosen]
                everywhere = Place.of({"dim": len(inputs), "rows": []})
                yield from spanning(records, everywhere, block, False)
        yield from rest_of(records)

    yield from guarded(proof())


# stability


def stability_at_least(claim: Any, records: Iterator[Record]) -> Iterator[str]:
    place = Place.of(claim["domain"])
    network, number = claim["network"], claim["layer"]
    yield from head(
        "stability", "tree", place, None,
        layer=number + 1, network=network, sense="at-least", bound=claim["bound"],
    )  # fmt: skip

    def proof() -> Iterator[str]:
        layers = network["layers"]
        is_last = number == len(layers) - 1
        yield from stable_layer(records, place, layers[number], is_last, claim["bound"])
        yield from rest_of(records)

    yield from guarded(proof())


def stable_layer(
    records: Iterator[Record], place: Place, layer: Any, is_last: bool, bound: Any
) -> Iterator[str]:
    """The records of one layer; on a flat domain with factors for its own equations."""
    record = one_of(records, "equations")
    c, always = integer(record["factor"]), record["always"]
    is_flat = place.domain.is_flat
    c = 16 * c if is_flat else c
    yield record2("always", c, *always)
    if any(k >= layer["outputs"] for k in always):
        raise Ends
    for _ in always:
        empty = one_of(records, "empty")
        places = [*place.places, (place.n_rows, Fraction(1))]
        yield record2("empty", *integers(pairs_of(empty["rows"], empty["values"], places)))
    always = range(layer["outputs"]) if is_last else always
    stack: list[Any] = [(list(place.places), place.n_rows, frozenset())]
    while stack:
        places, n, known = stack.pop()
        record = one_of(records, "split", "empty", "bound")
        if record["record"] == "split":
            k = record["neuron"]
            yield record2("split", k)
            more = [*places, (n, Fraction(1))]
            stack += [(more, n + 1, known | {k}), (more, n + 1, known)]
        elif record["record"] == "empty":
            yield record2("empty", *integers(pairs_of(record["rows"], record["values"], places)))
        else:
            den, rows = record["factor"]
            numbers = [integer(den)]
            numbers += [integer(x) for i, row in enumerate(rows) for x in row[: i + 1]]
            if is_flat:
                equations = zip(place.system.senses, place.system.rows, strict=True)
                matrix = [[c * x for x in row[:-1]] for sense, row in equations if sense == "eq"]
                weights = [[integer(x) for x in row[:-1]] for row in layer["matrix"][1]]
                matrix += [weights[k] for k in (*always, *always, *known.difference(always))]
                numbers = _factor(matrix, integer(layer["matrix"][0]), bound) or numbers
            yield record2("bound", *numbers)


def _factor(matrix: list[list[int]], den: int, bound: Any) -> list[int] | None:
    """A rounded Cholesky factor of AᵀA - 2r², A = matrix / den."""
    r = Fraction(integer(bound[1]), integer(bound[0]))
    n = len(matrix[0]) if matrix else 0
    gram = [[Fraction(sum(row[i] * row[j] for row in matrix), den * den) for j in range(n)]
            for i in range(n)]  # fmt: skip
    for i in range(n):
        gram[i][i] -= 2 * r * r + gram[i][i] / (1 << 90)
    found = [[Fraction(0)] * n for _ in range(n)]
    for j in range(n):
        pivot = gram[j][j] - sum(x * x for x in found[j])
        if pivot <= 0:
            return None
        found[j][j] = _root(pivot)
        for i in range(j + 1, n):
            done = sum(x * y for x, y in zip(found[i], found[j], strict=True))
            found[i][j] = _rounded((gram[i][j] - done) / found[j][j])
    common = lcm(*(x.denominator for row in found for x in row))
    return [common, *(int(found[i][j] * common) for i in range(n) for j in range(i + 1))]


def _root(x: Fraction) -> Fraction:
    shift = 200 + max(0, x.denominator.bit_length() - x.numerator.bit_length())
    return Fraction(isqrt((x.numerator << 2 * shift) // x.denominator), 1 << shift)


def _rounded(x: Fraction) -> Fraction:
    shift = 200 + max(0, x.denominator.bit_length() - x.numerator.bit_length())
    return Fraction((x.numerator << shift) // x.denominator, 1 << shift)


def network_stability_at_least(claim: Any, records: Iterator[Record]) -> Iterator[str]:
    place = Place.of(claim["domain"])
    network = claim["network"]
    yield from head(
        "stability", "layers", place, None,
        layer=0, network=network, sense="at-least", bound=claim["bound"],
    )  # fmt: skip

    def proof() -> Iterator[str]:
        record = one_of(records, "factors")
        got = place
        if len(record["bounds"]) != len(network["layers"]):
            raise ValueError("bounds")
        for bound, layer in zip(record["bounds"], network["layers"], strict=True):
            yield record2("factor", integer(bound[1]), integer(bound[0]))
            is_last = layer is network["layers"][-1]
            yield from stable_layer(records, got, layer, is_last, bound)
            got = Place.orthant(layer["outputs"])
        yield from rest_of(records)

    yield from guarded(proof())


# in-range


def not_in_range(claim: Any, records: Iterator[Record]) -> Iterator[str]:
    place = Place.of(claim["domain"])
    network = claim["network"]
    yield from head("in-range", "backward", place, False, network=network, output=claim["output"])

    def proof() -> Iterator[str]:
        layers = network["layers"]
        record = one_of(records, "backward")
        target = claim["output"]
        last = len(layers)
        steps = zip(record["points"], record["rows"], record["moduli"], strict=True)
        for point, rows, modulus in steps:
            if integer(modulus) < 2:
                raise Unconvertible("there is no modulus")
            den, nums = point
            yield record2("back", *rows, *map(integer, nums), integer(den))
            target, last = point, last - 1
            if any(integer(x) < 0 for x in nums):
                return
        first = record["first"]
        yield record2("first", first)
        if not first < last:
            raise Ends
        got = Place.orthant(layers[first]["inputs"]) if first else place
        part = {"layers": layers[first:last]}
        den = integer(target[0])
        nums = [integer(x) for x in target[1]]
        scales = [1 if last == len(layers) or x else Fraction(1, den) for x in nums]
        for item in tree_lines(records, part, got, "cell"):
            if isinstance(item, str):
                yield item
                continue
            more = one_of(records, "multipliers")
            if item is None:
                continue
            n = len(item.node.rows)
            places = [*item.places, *((n + i, Fraction(s)) for i, s in enumerate(scales))]
            yield record2("misses", *integers(pairs_of(more["rows"], more["values"], places)))
        yield from rest_of(records)

    yield from guarded(proof())


CONVERTERS = {
    "injective": injective,
    "injective-by-blocks": injective_by_blocks,
    "injective-by-layers": injective_by_layers,
    "layer-injective": layer_injective,
    "network-stability-at-least": network_stability_at_least,
    "not-in-range": not_in_range,
    "stability-at-least": stability_at_least,
}
