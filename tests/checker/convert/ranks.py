"""Certificates of format 1 about masks, derivatives and identifiable networks, as format 2.

Throw-away and untrusted: what it writes is checked. Records that the new proof has no place for
follow as lines that no proof asks for.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

from convert.faces import convert
from convert.pairs import converted as pair_converted

FORMAT = "exactrelu-certificate/2"
Records = list[dict[str, Any]]
MOVES = ("dead", "linear")


class NotConvertible(Exception):
    """The file has no counterpart; the argument says why."""


def converted(claim: dict[str, Any], records: Records) -> list[str]:
    """The lines of the new file, without its footer."""
    records = list(records)
    new, lines = KINDS[claim["kind"]](claim, records)
    text = json.dumps({"claim": new, "format": FORMAT}, sort_keys=True, separators=(",", ":"))
    return [text, *lines, *("surplus" for _ in records)]


def line(word: str, *numbers: Any) -> str:
    """A record; numbers are integers or their hexadecimal."""
    return " ".join([word, *(x if isinstance(x, str) else format(x, "x") for x in numbers)])


def taken(records: Records, name: str) -> dict[str, Any]:
    """The next record, which must have this name."""
    if not records or records[0].get("record") != name:
        raise NotConvertible(f"no record {name}")
    return records.pop(0)


def without(claim: dict[str, Any], *names: str) -> dict[str, Any]:
    return {key: value for key, value in claim.items() if key not in names}


def mask(neurons: list[int]) -> int:
    """The integer of a mask."""
    if neurons != sorted(set(neurons)):
        raise NotConvertible("a mask that is not increasing")
    return sum(1 << neuron for neuron in neurons)


def minor(record: dict[str, Any]) -> str:
    return line("minor", record["modulus"], *record["rows"], *record["cols"])


def kernel(record: dict[str, Any]) -> str:
    return line("kernel", *record["columns"], *(x for v in record["vectors"] for x in v))


def dependency(record: dict[str, Any]) -> str:
    pairs = zip(record["columns"], record["values"], strict=True)
    return line("dependency", len(record["columns"]), *(x for pair in pairs for x in pair))


def masked_rank(claim: dict[str, Any], records: Records) -> tuple[Any, list[str]]:
    record = records.pop(0) if records else {}
    lines = ["by modulus"]
    if record:
        word = record.pop("record")
        lines.append(line(word, record.pop("modulus"), *record.pop("nodes")))
        lines += ["surplus"] * len(record)
    return {**claim, "holds": True}, lines


def masked_rank_deficient(claim: dict[str, Any], records: Records) -> tuple[Any, list[str]]:
    lines = ["by combination", line("masks", claim["first"], *map(mask, claim["masks"]))]
    if records:
        record = records.pop(0)
        lines.append(line(record["record"], *record["values"]))
    new = without(claim, "first", "masks")
    return {**new, "holds": False, "kind": "masked-rank"}, lines


def non_proportional(claim: dict[str, Any], records: Records) -> tuple[Any, list[str]]:
    lines = ["by quotients"]
    if records:
        record = records.pop(0)
        flat = [x for point in record["points"] for x in point]
        lines.append(line(record["record"], record["modulus"], *flat))
    return {**claim, "holds": True}, lines


def proportional(claim: dict[str, Any], records: Records) -> tuple[Any, list[str]]:
    units = [claim.pop("first"), claim.pop("second")]
    lines = [line("unit", unit.pop("unit"), *map(mask, unit.pop("masks"))) for unit in units]
    if any(units):
        raise NotConvertible("a unit with more fields")
    return {**claim, "holds": False, "kind": "non-proportional"}, ["by units", *lines]


def functional_dimension(claim: dict[str, Any], records: Records) -> tuple[Any, list[str]]:
    lines = ["by minor"]
    known: dict[str, Callable[[dict[str, Any]], str]] = {"minor": minor, "kernel": kernel}
    while records and records[0]["record"] in known:
        record = records.pop(0)
        lines.append(known[record["record"]](record))
    return {**claim, "sense": "exactly"}, lines


def functional_dimension_at_least(claim: dict[str, Any], records: Records) -> tuple[Any, list[str]]:
    points = taken(records, "points")["points"]
    new, lines = functional_dimension(without(claim, "domain"), records)
    kind = "functional-dimension"
    return {**new, "kind": kind, "points": points, "sense": "at-least"}, lines


def everywhere(claim: dict[str, Any], network: Any, holds: bool) -> tuple[Any, str]:
    """A claim about all networks on all of space, and its point."""
    n = network["layers"][0]["inputs"]
    if set(claim) - {"kind", "network", "a", "b"}:
        raise NotConvertible("more fields")
    domain = {"dim": n, "rows": []}
    new = {"among": "all", "domain": domain, "holds": holds, "network": network}
    return {**new, "kind": "identifiable"}, line("inside", *[0] * n, 1)


def identifiable(claim: dict[str, Any], records: Records) -> tuple[Any, list[str]]:
    new, inside = everywhere(claim, claim["network"], True)
    lines = ["by signs", inside]
    layers = claim["network"]["layers"]
    weights = [[int(x, 16) for x in row[:-1]] for row in layers[0]["matrix"][1]]
    found = independent(weights)
    if found is not None:
        lines.append(line("minor", PRIME, *range(len(weights)), *found))
    record = records.pop(0) if records else {}
    if record.get("record") == "minors":
        taken(records, "modulus")
        taken(records, "bias")
        lines.append("minors")
    elif record.get("record") == "faces":
        taken(records, "modulus")
        domain = {"dim": layers[0]["inputs"], "rows": []}
        about = {"domain": domain, "kind": "supertransversal", "network": claim["network"]}
        old = [{"claim": about}, *records]
        tree = convert("\n".join(map(json.dumps, old)).encode())
        records.clear()
        lines += ["faces", tree[1], *tree[3:]]  # without claim and point
    return new, lines


PRIME = (1 << 61) - 1


def independent(rows: list[list[int]]) -> tuple[int, ...] | None:
    """Columns on which square rows are invertible modulo a prime."""
    for columns in combinations(range(len(rows[0])), len(rows)):
        left = [[row[j] % PRIME for j in columns] for row in rows]
        while left:
            at = next((i for i, row in enumerate(left) if row[0]), None)
            if at is None:
                break
            pivot = left.pop(at)
            inverse = pow(pivot[0], -1, PRIME)
            left = [
                [(x - row[0] * inverse * y) % PRIME
                 for x, y in zip(row[1:], pivot[1:], strict=True)]
                for row in left
            ]  # fmt: skip
        else:
            return columns
    return None


def identifiable_shallow(claim: dict[str, Any], records: Records) -> tuple[Any, list[str]]:
    new, inside = everywhere(claim, claim["network"], True)
    record = records.pop(0) if records else {}
    lines = ["by sums" if record.get("record") == "sums" else "by cases", inside]
    if record.get("record") == "cases":
        if records:
            lines.append(minor(taken(records, "minor")))
        width = claim["network"]["layers"][0]["inputs"]
        while records and records[0]["record"] in ("rank-too-large", "not-pointed"):
            lines += no_member(records, width)
    return new, lines


def no_member(records: Records, width: int) -> list[str]:
    """A proof that there is no member, with the ranks that its kernels show."""
    word = records.pop(0)["record"]
    lines, ranks = [], []
    for _ in range(1 + (word == "not-pointed")):
        rank = 0
        if records and records[0]["record"] == "kernel":
            record = records.pop(0)
            rank = width - len(record["columns"])
            lines.append(kernel(record))
        ranks.append(rank)
        if records and records[0]["record"] == "minor":
            lines.append(minor(records.pop(0)))
        if records and records[0]["record"] == "dependency":
            record = records.pop(0)
            width = len(record["columns"])
            lines.append(dependency(record))
    return [line(word, *ranks), *lines]


def not_identifiable(claim: dict[str, Any], records: Records) -> tuple[Any, list[str]]:
    new, inside = everywhere(claim, claim["a"], False)
    if not records:
        raise NotConvertible("no move")
    record = records.pop(0)
    name = record.pop("record")
    if name == "line":
        raise NotConvertible("a tree of cells in its place")
    method = name if name in MOVES else "equal"
    lines = [f"by {method}", inside, *network(claim["b"])]
    if name in MOVES:
        lines.append(line("neuron", record.pop("layer"), record.pop("neuron")))
    elif name == "translation":
        at, neuron = record.pop("layer"), record.pop("neuron")
        ours, theirs = (
            Fraction(int(matrix[1][neuron][-1], 16), int(matrix[0], 16))
            for matrix in (claim[x]["layers"][at]["matrix"] for x in "ab")
        )
        shift = theirs - ours
        step = line("move", at, neuron, shift.numerator, shift.denominator)
        lines += ["by rewriting", step, "result"]
    elif method == "equal":
        lines += equal(name, records, {name: claim[name] for name in "ab"})
    if record:
        raise NotConvertible("more fields")
    lines.append("by colours")
    while records and records[0]["record"] == "individualise":
        at = records.pop(0)
        lines.append(line("individualise", at["network"], at["layer"], at["neuron"]))
    return new, lines


def network(value: Any) -> list[str]:
    """A network in records."""
    layers = value["layers"]
    if any(len(row) != layer["inputs"] + 1 for layer in layers for row in layer["matrix"][1]):
        raise NotConvertible("a row of another length")
    lines = [line("widths", *(layer["outputs"] for layer in layers))]
    for layer in layers:
        den, rows = layer["matrix"]
        lines.append(line("layer", den, *(x for row in rows for x in row)))
    return lines


def equal(name: str, records: Records, pair: dict[str, Any]) -> list[str]:
    """That two networks are equal, by one of the old kinds."""
    if name == "equal-shallow":
        return ["by shallow"]
    if name == "isomorphic":
        lines = ["by isomorphic"]
        while records and records[0]["record"] == "symmetry":
            record = records.pop(0)
            pairs = [x for den, num in record["scalings"] for x in (num, den)]
            lines.append(line("symmetry", *record["permutation"], *pairs))
        return lines
    if name == "equal-by-cells":
        domain = {"dim": pair["a"]["layers"][0]["inputs"], "rows": []}
        tree = [r for r in records if r.get("record") != "individualise"]
        del records[: len(tree)]
        first = {"claim": {**pair, "domain": domain, "kind": name}, "format": FORMAT[:-1] + "1"}
        lines = pair_converted([json.dumps(x, sort_keys=True) for x in (first, *tree)])
        return [lines[1], *lines[3:]]  # without claim and point
    raise NotConvertible(f"equal by {name}")


KINDS: dict[str, Callable[[dict[str, Any], Records], tuple[Any, list[str]]]] = {
    "functional-dimension": functional_dimension,
    "functional-dimension-at-least": functional_dimension_at_least,
    "identifiable": identifiable,
    "identifiable-shallow": identifiable_shallow,
    "masked-rank": masked_rank,
    "masked-rank-deficient": masked_rank_deficient,
    "non-proportional": non_proportional,
    "not-identifiable": not_identifiable,
    "proportional": proportional,
}
