"""Turns certificates of format 1 about faces, folds and chains into format 2.

The tree of faces is followed with the nodes of the new checker: the next neuron of the old order is
split, multipliers become ``side`` records (rows of a domain are primitive and sorted now, so that
they change their number and factor), points lose the coordinates that equations are solved for.
Where the new checker refuses a record, the file ends there, and is refused.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd
from typing import Any

from exactrelu_checker.faces import FaceTree
from exactrelu_checker.file import Limits, Proof, Refused
from exactrelu_checker.numbers import pivot_place, plane_of
from exactrelu_checker.objects import Layer, Network, System, normal_form, read_network
from exactrelu_checker.tree import Node
from exactrelu_checker.unions import Region, region
from face_writer import with_faces
from flint import fmpq

from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.domain import Domain

#: Old kind: kind, holds, method.
KINDS: Mapping[str, tuple[str, bool | None, str]] = {
    "cancellation-free": ("cancellation-free", True, "faces"),
    "complex": ("complex", None, "faces"),
    "determined": ("determined", None, "chains"),
    "folds": ("folds", None, "faces"),
    "generic-bottleneck": ("supertransversal", True, "bottleneck"),
    "honest": ("honest", True, "faces"),
    "no-chain": ("no-chain", None, "faces"),
    "no-zero-optimum": ("zero-optimum", False, "faces"),
    "not-honest": ("honest", False, "part"),
    "not-supertransversal": ("supertransversal", False, "overfull"),
    "supertransversal": ("supertransversal", True, "faces"),
    "zero-optimum": ("zero-optimum", True, "part"),
}


class NotConverted(Exception):
    """The certificate cannot be said in format 2: the domain is empty."""


def integer(text: Any) -> int:
    return int(text, 16)


def record(word: str, *numbers: int) -> str:
    return " ".join([word, *(f"{x:x}" for x in numbers)])


def point(word: str, value: Any) -> str:
    den, nums = value
    return record(word, *map(integer, nums), integer(den))


def normal_domain(domain: Any) -> tuple[Any, list[tuple[int | None, int]], str]:
    """The domain in normal form, for each old row its new number and factor, and ``inside``.

    A row that is constant has no number, and its constant as a factor.
    """
    dim = domain["dim"]
    rows = [tuple(map(integer, row)) for _, row in domain["rows"]]
    senses = [sense for sense, _ in domain["rows"]]
    if not set(senses) <= {"ge", "gt"} or any(len(row) != dim + 1 for row in rows):
        raise ValueError("another sense")
    pairs = list(zip(senses, rows, strict=True))
    order = sorted({(s, tuple(x // gcd(*row) for x in row)) for s, row in pairs if any(row[:-1])})
    places: list[tuple[int | None, int]] = []
    for sense, row in pairs:
        if any(row[:-1]):
            common = gcd(*row)
            places.append((1 + order.index((sense, tuple(x // common for x in row))), common))
        else:
            places.append((None, row[-1]))
    lines = tuple(Row(tuple(map(fmpq, r[:-1])), fmpq(r[-1]), Sense.GREATER) for r in rows)
    try:
        at = Domain.of(LinearSystem(dim, lines), dim).point
    except Exception as error:
        raise NotConverted("the domain is empty") from error
    fractions = [Fraction(int(x.p), int(x.q)) for x in at]
    den = 1
    for x in fractions:
        den = den * x.denominator // gcd(den, x.denominator)
    inside = record("inside", *(int(x * den) for x in fractions), den)
    written = {"dim": dim, "rows": [[s, [f"{x:x}" for x in row]] for s, row in order]}
    return written, places, inside


class Tree:
    """Follows an old tree of faces."""

    def __init__(self, networks: Sequence[Network], domain: System, places: Any) -> None:
        stream = io.BufferedReader(io.BytesIO(b""))  # type: ignore[arg-type]
        proof = Proof(stream, Limits(fuel=10**15))
        self.tree = FaceTree(proof, networks, domain)
        self.networks, self.places, self.n_rows = networks, places, len(domain.rows)
        self.starts = []
        self.dim, start = domain.dim, 0
        for network in networks:
            self.starts.append([])
            for layer in network.hidden:
                self.starts[-1].append(start)
                start += len(layer.rows)

    def lines(self, records: Iterator[Any]) -> Iterator[str]:
        stack: list[tuple[Node, list[int]]] = [(self.tree.root(), list(range(self.dim)))]
        while stack:
            node, free = stack.pop()
            try:
                old = next(records)
            except StopIteration:
                return
            if old["record"] == "cut":
                place = self.next_unit(node)
                if place is None:
                    yield "split 0"
                    continue
                i, unit = place
                stage = node.stages[i]
                number = self.starts[i][stage.layer] + unit
                yield record("split", number)
                pivot = pivot_place(stage.rows[unit]) or 0
                below, zero, above = self.tree.visit(node, "split", [number])
                stack += [(above, free), (zero, free[:pivot] + free[pivot + 1 :]), (below, free)]
            elif old["record"] == "sides":
                for line, numbers in self.sides(node, old):
                    yield line
                    (node,) = self.tree.visit(node, "side", numbers)
                stack.append((node, free))
            elif old["record"] == "face":
                den, nums = old["point"]
                nums = [integer(x) for x in nums]
                yield record("cell", *(nums[k] for k in free), integer(den))
            elif old["record"] == "empty":
                weights = self.weights(old["rows"], old["values"])
                yield record("empty", len(weights), *(x for pair in weights for x in pair))
            else:
                raise KeyError(old["record"])

    def next_unit(self, node: Node) -> tuple[int, int] | None:
        """Network and unit that the old order has next: layer 1, grid, other layers."""
        order = [0, 1] if node.stages[0].layer == 0 else [1, 0]
        for i in order[: len(self.networks)] if len(self.networks) > 1 else [0]:
            stage = node.stages[i]
            if stage.layer < len(self.networks[i].hidden) and None in stage.signs:
                return i, stage.signs.index(None)
        return None

    def sides(self, node: Node, old: Any) -> Iterator[tuple[str, list[int]]]:
        for neuron, sign, rows, values in zip(
            old["neurons"], old["signs"], old["rows"], old["values"], strict=True
        ):
            own = len(self.networks[0].hidden[0].rows) if self.networks[0].hidden else 0
            stage = node.stages[0]
            i, unit = 0, neuron
            if len(self.networks) > 1 and neuron >= own:
                grid = node.stages[1]
                if grid.layer == 0 and None in grid.signs:
                    i, unit = 1, neuron - own
            layer = node.stages[i].layer if i else stage.layer
            k = self.starts[i][layer] + unit
            n_old = len(self.places) + len(node.rows) - 1 - self.n_rows
            pairs = list(zip(rows, values, strict=True))
            weight = sum(integer(value) for r, value in pairs if r == n_old)
            rest = [(r, value) for r, value in pairs if r != n_old]
            weights = self.weights([r for r, _ in rest], [v for _, v in rest])
            s = 2 * k + (sign == "+")
            numbers = [s, weight, len(weights), *(x for pair in weights for x in pair)]
            yield record("side", *numbers), numbers

    def weights(self, rows: Any, values: Any) -> list[tuple[int, int]]:
        found = []
        for r, value in zip(rows, values, strict=True):
            if 0 <= r < len(self.places):
                place, factor = self.places[r]
                found.append((0 if place is None else place, integer(value) * factor))
            else:
                found.append((r - len(self.places) + 1 + self.n_rows, integer(value)))
        return found


def convert(data: bytes) -> list[str]:
    """The lines of the new file, without the footer."""
    claim, *records = [json.loads(line) for line in data.splitlines()]
    if records and "end" in records[-1]:
        records.pop()
    old = claim["claim"]
    kind, holds, method = KINDS[old["kind"]]
    new = {name: value for name, value in old.items() if name not in ("kind", "f_vector")}
    new["kind"] = kind
    if holds is not None:
        new["holds"] = holds
    if "f_vector" in old:
        new["counts"] = old["f_vector"]
    lines = [f"by {method}"]
    if old["kind"] == "generic-bottleneck":
        n = old["network"]["layers"][0]["inputs"]
        new["domain"] = {"dim": n, "rows": []}
    places, domain, is_union = [], new.get("domain"), False
    try:
        if isinstance(domain, dict) and "boxes" in domain:
            is_union = True
            den, rows = domain["boxes"]
            cols = len(rows[0]) if rows else 0
            boxes = {"cols": cols, "matrix": [den, rows], "rows": len(rows)}
            new["domain"] = {**domain, "boxes": boxes}
        else:
            new["domain"], places, inside = normal_domain(domain)
            lines.append(inside)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        pass
    text = {"claim": new, "format": "exactrelu-certificate/2"}
    lines.insert(0, json.dumps(text, sort_keys=True, separators=(",", ":")))
    try:
        for line in _proof(old, new, iter(records), places, is_union):
            lines.append(line)
    except (Refused, KeyError, TypeError, ValueError, IndexError, AttributeError, RuntimeError):
        lines.append("other")  # the new checker refuses what is before, or this
    return lines


def _proof(
    old: Any, new: Any, records: Iterator[Any], places: Any, is_union: bool
) -> Iterator[str]:
    kind = old["kind"]
    network = read_network(new["network"])
    if kind == "generic-bottleneck":
        yield from _bottleneck(network, records)
        return
    found = region.read(new["domain"])
    domain, grid = found.domain, []
    if is_union:
        # The frame and the grid, as a tree that is not there would have them.
        sides, grid = frame_and_grid(found)
        domain = normal_form(sides)
        places = [(1 + domain.rows.index(row), 1) for row in sides.rows]
    if kind == "not-supertransversal":
        only = next(records)
        yield point("point", only["point"])
        yield record("coefficients", *map(integer, only["coefficients"]))
    else:
        if kind in ("not-honest", "zero-optimum"):
            only = next(records)
            rows = [[integer(x) for x in row] for row in only["rows"]]
            flat = [x for row in rows for x in row]
            if only["record"] != {"not-honest": "part"}.get(kind, "optimum"):
                raise KeyError("part")
            yield record("part", *flat)
            base = len(domain.rows)
            senses = (*domain.senses, *("gt" for _ in rows))
            domain = System(domain.dim, senses, (*domain.rows, *map(tuple, rows)))
            places = [*places, *((1 + base + k, 1) for k in range(len(rows)))]
        if kind == "determined":
            only = next(records)
            yield "by modulus"
            yield record("modulus", integer(only["modulus"]), *map(integer, only["nodes"]))
            only = next(records)
            flat = [integer(x) for row in only["points"] for x in row]
            yield "by quotients"
            yield record("points", integer(only["modulus"]), *flat)
        if kind == "folds" and is_union:
            only = next(records)
            if only["record"] != "planes":
                raise KeyError("planes")
            rows = [tuple(integer(x) for x in row) for row in only["rows"]]
            yield record("planes", *(x for row in rows for x in row))
            grid += rows
        networks = [network]
        if grid:
            last = Layer(1, ((0,) * (len(grid) + 1),), frozenset(), 1)
            networks.append(Network((Layer(1, tuple(grid), frozenset(), 4000), last)))
        tree = _lines(networks, domain, places, records)
        yield from tree if kind == "complex" else with_faces(networks, domain, tree)
        if kind == "determined":
            hidden = [len(layer.rows) for layer in network.hidden]
            for _ in range(sum(hidden)):
                only = next(records)
                if only["record"] != "chain":
                    raise KeyError("chain")
                for at in only["points"]:
                    yield point("point", at)
    for more in records:
        yield point("point", more["point"]) if more.get("record") == "point" else "surplus"


def _lines(
    networks: Sequence[Network], domain: System, places: Any, records: Iterator[Any]
) -> list[str]:
    """The records of a tree, up to one that the new checker refuses."""
    found = []
    try:
        for line in Tree(networks, domain, places).lines(records):
            found.append(line)
    except Refused:
        found.append("other")
    return found


def frame_and_grid(found: Region) -> tuple[System, list[tuple[int, ...]]]:
    """What ``unions`` makes of boxes."""
    dim = found.domain.dim
    sides, grid = [], []
    for i in range(dim):
        ends = sorted({end for box in found.boxes for end in box[2 * i : 2 * i + 2]})
        rows = [plane_of((*(found.den * (i == j) for j in range(dim)), -c)) for c in ends]
        sides += [rows[0], tuple(-x for x in rows[-1])]
        grid += rows[1:-1]
    return System(dim, ("gt",) * len(sides), tuple(sides)), grid


def _bottleneck(network: Network, records: Iterator[Any]) -> Iterator[str]:
    first = [[Fraction(x) for x in row[:-1]] for row in network.layers[0].rows]
    columns: list[int] = []
    basis: list[tuple[int, list[Fraction]]] = []
    for number, column in enumerate(zip(*first, strict=True)):
        vector = list(column)
        for place, base in basis:
            factor = vector[place]
            vector = [x - factor * y for x, y in zip(vector, base, strict=True)]
        lead = next((k for k, x in enumerate(vector) if x), None)
        if lead is not None:
            basis.append((lead, [x / vector[lead] for x in vector]))
            columns.append(number)
    yield record("minor", 2**61 - 1, *range(len(columns)), *columns)
    ranks, bias = next(records), next(records)
    if ranks["record"] != "modulus" or bias["record"] != "bias":
        raise KeyError("bias")
    integer(ranks["modulus"])
    yield record("modulus", integer(bias["modulus"]))
    for _ in records:
        yield "surplus"
