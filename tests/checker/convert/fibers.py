"""Fibers: from format 1 to format 2. Untrusted: what it writes is checked."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import Any

from exactrelu_checker.objects import System, read_network

from . import faces

Fields = dict[str, Any]
KINDS = (
    "fiber-components",
    "fiber-dimension",
    "fiber-half-lines",
    "fiber-layerwise",
    "fiber-strata",
)


def domain2(domain: Fields) -> Fields:
    """The domain with primitive sorted rows."""
    rows = []
    for sense, entries in domain["rows"]:
        numbers = [int(x, 16) for x in entries]
        common = gcd(*numbers) or 1
        rows.append([sense, [x // common for x in numbers]])
    return {
        "dim": domain["dim"],
        "rows": [[sense, [f"{x:x}" for x in row]] for sense, row in sorted(rows)],
    }


def inside(domain: Fields) -> str:
    """A point inside of all of space or the orthant."""
    return "inside" + " 1" * (domain["dim"] + 1)


def line(word: str, *numbers: int) -> str:
    """A record."""
    return " ".join([word, *(f"{number:x}" for number in numbers)])


def network_lines(network: Fields) -> Iterator[str]:
    """A network in records."""
    layers = network["layers"]
    yield line("widths", *(layer["outputs"] for layer in layers))
    for layer in layers:
        den, rows = layer["matrix"]
        yield " ".join(["layer", den, *(x for row in rows for x in row)])


def minor_line(record: Fields) -> str:
    """A minor."""
    return line("minor", int(record["modulus"], 16), *record["rows"], *record["cols"])


def kernel_line(record: Fields) -> str:
    """A kernel."""
    vectors = [int(x, 16) for vector in record["vectors"] for x in vector]
    return line("kernel", *record["columns"], *vectors)


class Reader:
    """The records of a file of format 1, one after the other."""

    def __init__(self, records: list[Fields]) -> None:
        self.records = records
        self.at = 0

    def peek(self) -> str:
        """The word of the next record."""
        return str(self.records[self.at]["record"]) if self.at < len(self.records) else ""

    def take(self, *words: str) -> Fields | None:
        """The next record, if it has one of the words."""
        if self.peek() not in words:
            return None
        self.at += 1
        return self.records[self.at - 1]


def strata_lines(reader: Reader, n_members: int, empties: list[list[str]]) -> Iterator[str]:
    """Members, then what shows that there are none."""
    for _ in range(n_members):
        record = reader.take("member")
        if record is None:
            return
        yield from network_lines(record["network"])
    for both in empties:
        how = reader.take("rank-too-large", "not-pointed")
        if how is None:
            return
        rest: list[str] = []
        ranks = [0] * (1 + (how["record"] == "not-pointed"))
        width, seen = 0, 0
        while reader.peek() in ("minor", "kernel", "dependency"):
            record = reader.records[reader.at]
            if record["record"] == "minor" and "dependency" in [r.split()[0] for r in rest]:
                # The last one, if there are bends with both sides or other hyperplanes.
                if not both:
                    break
                reader.at += 1
                rest.append(minor_line(record))
                break
            reader.at += 1
            if record["record"] == "minor":
                rest.append(minor_line(record))
                if how["record"] == "rank-too-large":
                    break
            elif record["record"] == "kernel":
                width = len(record["vectors"][0]) if record["vectors"] else int(both[0])
                ranks[min(seen, len(ranks) - 1)] = width - len(record["columns"])
                seen += 1
                rest.append(kernel_line(record))
            else:
                pairs = zip(record["columns"], record["values"], strict=True)
                flat = [x for k, value in pairs for x in (k, int(value, 16))]
                rest.append(line("dependency", len(record["columns"]), *flat))
                both = [str(len(record["columns"]))] if both else both
                if not both:
                    break
        yield line(str(how["record"]), *ranks)
        yield from rest


def stratum(signs: str, width: int, dead: int) -> Fields:
    """One neuron on each bend."""
    linear = width - len(signs) - dead
    return {"bends": list(signs), "dead": dead, "linear": linear, "others": []}


def sorted_stratum(given: Fields) -> Fields:
    """The other hyperplanes are sorted now, in empty strata too."""
    return given | {"others": sorted(given["others"])}


def convert(claim: Fields, records: list[Fields]) -> list[str | Fields]:
    """The claim, and the lines after it."""
    reader = Reader(records)
    found = list(_convert(claim, reader))
    # Surplus records stay surplus.
    found += ["surplus" for _ in records[reader.at :]]
    return found


def _convert(claim: Fields, reader: Reader) -> Iterator[str | Fields]:
    kind = claim["kind"]
    network = claim["network"]
    if kind in ("fiber-components", "fiber-strata", "fiber-dimension"):
        domain = domain2(claim["domain"])
        new = {"domain": domain, "kind": kind, "network": network}
        if kind == "fiber-dimension":
            yield new | {"dimension": claim["dimension"]}
            yield "by minors"
            yield inside(domain)
            while reader.peek() == "minor":
                yield minor_line(reader.records[reader.at])
                reader.at += 1
            return
        lists = {name: claim[name] for name in ("nonempty", "empty")}
        if kind == "fiber-components":
            width = network["layers"][0]["outputs"]
            lists = {
                name: [stratum(signs, width, claim["dead"]) for signs in entry]
                for name, entry in lists.items()
            }
        else:
            lists = {name: list(map(sorted_stratum, entry)) for name, entry in lists.items()}
        yield new | {"kind": "fiber-strata"} | lists
        yield "by members"
        yield inside(domain)
        n = str(domain["dim"])
        yield from strata_lines(
            reader, len(lists["nonempty"]), [_both(s, n) for s in lists["empty"]]
        )
        return
    complete = {"yes": True, "no": False}.get(claim["complete"], claim["complete"])
    new = {"complete": complete, "kind": kind, "network": network}
    if kind == "fiber-half-lines":
        yield new
        yield "by bottleneck" if complete is True else "by flips"
        yield from generic_lines(reader, network)
        reader.at = len(reader.records)
        return
    nonempty: list[Fields] = []
    empty: list[Fields] = []
    width = network["layers"][1]["outputs"]
    for dead, (one, other) in enumerate(claim["strata"]):
        nonempty += [stratum(signs, width, dead) for signs in one]
        empty += [stratum(signs, width, dead) for signs in other]
    yield new | {"empty": empty, "kind": kind, "nonempty": nonempty}
    yield "by visibility" if complete is True else "by members"
    yield from generic_lines(reader, network)
    # Members of all entries come first now.
    ordered = [r for r in reader.records[reader.at :] if r["record"] == "member"]
    others = [r for r in reader.records[reader.at :] if r["record"] != "member"]
    rest = Reader(ordered + others)
    yield from strata_lines(rest, len(nonempty), [[] for _ in empty])
    reader.at = len(reader.records) - (len(rest.records) - rest.at)


def _both(given: Fields, n: str) -> list[str]:
    """Whether there is a last minor: the width, or nothing."""
    doubled = any(len(set(sides)) > 1 for sides in given["bends"])
    return [n] if doubled or any("-" in sides for sides in given["others"]) else []


def generic_lines(reader: Reader, network: Fields) -> Iterator[str]:
    """The proof that a bottleneck is generic."""
    how = reader.take("minors", "faces")
    if how is None:
        return
    ranks = reader.take("modulus")
    yield "by modulus"
    if ranks is None:
        return
    yield " ".join(["modulus", ranks["modulus"], *ranks["nodes"]])
    known = read_network(network)
    if how["record"] == "minors":
        bias = reader.take("bias")
        yield "by bottleneck"
        if bias is not None:
            yield from faces._bottleneck(known, iter([ranks, bias]))
        return
    yield "by faces"
    everywhere = System(known.widths[0], (), ())
    tree = faces.Tree([known], everywhere, []).lines(_records(reader))
    yield from faces.with_faces([known], everywhere, list(tree))


def _records(reader: Reader) -> Iterator[Fields]:
    while reader.at < len(reader.records):
        reader.at += 1
        yield reader.records[reader.at - 1]
