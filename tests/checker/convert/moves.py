"""From format 1: equality by rewriting, by shallow forms and by isomorphism, minimality.

Throw-away and untrusted: what it writes is checked. A fault of a record that has no place in format
2 (a wrong key, an order of keys) ends in an exception or is lost.
"""

from __future__ import annotations

import io
import json
from math import gcd
from typing import Any

from exactrelu_checker import rewriting
from exactrelu_checker.file import Limits, Proof, Refused
from exactrelu_checker.objects import Network, read_domain, read_network
from flint import fmpq

from exactrelu.certificates.format2 import point2, record2
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.domain import Domain

from . import pairs

KINDS = (
    "equal-by-rewriting", "equal-shallow", "fiber-member", "isomorphic", "minimal",
    "not-isomorphic", "not-minimal",
)  # fmt: skip
#: Kinds of equality, and their methods.
METHODS = {
    "equal-by-cells": "cells",
    "equal-by-rewriting": "rewriting",
    "equal-shallow": "shallow",
    "isomorphic": "isomorphic",
}


def integer(text: Any) -> int:
    """The integer of its hexadecimal."""
    return int(text, 16)


def domain_of(value: Any) -> Domain:
    """The domain of its JSON; an empty one raises."""
    rows = [
        Row(tuple(fmpq(integer(x)) for x in row[:-1]), fmpq(integer(row[-1])), Sense(sense))
        for sense, row in value["rows"]
    ]
    return Domain.of(LinearSystem(value["dim"], tuple(rows)), value["dim"])


def domain_json(domain: Domain) -> Any:
    """The JSON of format 2."""
    rows = [[sense, [f"{x:x}" for x in row]] for sense, row in domain.rows]
    return {"dim": domain.dimension, "rows": rows}


def converted(lines: list[str]) -> list[str]:
    """The lines of format 2, without footer, of those of format 1, without footer."""
    claim = json.loads(lines[0])["claim"]
    records = [json.loads(line) for line in lines[1:]]
    kind = claim.pop("kind")
    domain = domain_of(claim["domain"]) if "domain" in claim else None
    inside = [point2("inside", domain.point)] if domain is not None else []
    if domain is not None:
        old = claim["domain"]
        claim["domain"] = domain_json(domain)
    else:
        old = None
    context = Context(old, claim.get("domain"), claim.get("a"), claim.get("b"), inside)
    if kind in ("isomorphic", "not-isomorphic"):
        method = "symmetry" if kind == "isomorphic" else "colours"
        claim |= {"kind": "isomorphic", "holds": kind == "isomorphic"}
        body = [f"by {method}", *map(simple, records)]
    elif kind == "minimal":
        claim |= {"kind": "minimal", "holds": True}
        word = records.pop(0)["record"] if records else "by-rank"
        width = claim["network"]["layers"][0]["inputs"]
        lines_ = list(map(simple, records)) if word == "by-rank" else cases(records, width)
        body = [word.replace("-", " "), *inside, *lines_]
    elif kind == "not-minimal":
        other = claim.pop("b")
        claim = {"network": claim["a"], "domain": claim["domain"], "kind": "minimal",
                 "holds": False}  # fmt: skip
        body = ["by smaller", *inside, *network_records(other), *equality(records, context)]
    else:
        claim |= {"kind": "equal", "holds": True}
        if kind != "fiber-member":
            records = [{"record": kind}, *records]
        first, *rest = equality(records, context)
        body = [first, *inside, *rest]
    head = json.dumps(
        {"claim": claim, "format": "exactrelu-certificate/2"},
        sort_keys=True, separators=(",", ":"),
    )  # fmt: skip
    return [head, *body]


class Context:
    """Where rows of the old domain are in the new one, and by which factor they are longer."""

    def __init__(self, old: Any, new: Any, a: Any, b: Any, inside: list[str]) -> None:
        self.places: list[tuple[int, int] | None] = []
        self.old, self.domain, self.a, self.b, self.inside = old, new, a, b, inside
        for _, row in (old or {"rows": []})["rows"]:
            numbers = [integer(x) for x in row]
            common = gcd(*numbers)
            primitive = [f"{x // common:x}" for x in numbers]
            negative = [f"{-x // common:x}" for x in numbers]
            listed = new["rows"]
            found = [(k, common) for k, (_, other) in enumerate(listed) if other == primitive]
            found += [(k, -common) for k, (_, other) in enumerate(listed) if other == negative]
            self.places.append(found[0] if found else None)


def network_records(network: Any) -> list[str]:
    """A network in records."""
    layers = network["layers"]
    found = [record2("widths", *(len(layer["matrix"][1]) for layer in layers))]
    for layer in layers:
        den, rows = layer["matrix"]
        found.append(record2("layer", integer(den), *(integer(x) for row in rows for x in row)))
    return found


def equality(records: list[Any], context: Context) -> list[str]:
    """A proof of equality, after a record with the name of its kind."""
    word = records[0]["record"]
    method = f"by {METHODS[word]}"
    if word == "equal-by-cells":
        return cells(context, context.a, context.b, records[1:])
    if word == "equal-by-rewriting":
        return [method, *steps(records[1:], context)]
    return [method, *map(simple, records[1:])]


def steps(records: list[Any], context: Context) -> list[str]:
    """The steps of a rewriting."""
    found: list[str] = []
    widths: list[Any] = []
    for number, record in enumerate(records):
        word = record["record"]
        if word == "cells":
            a, b = rewritten(found, context)
            return [*found, "then", *cells(context, a, b, records[number + 1 :])]
        if word == "isomorphic":
            rest = [simple(other) for other in records[number + 1 :]]
            return [*found, "then", "by isomorphic", *rest]
        if word == "branch":
            found.append(("branch", record["layer"], record["neuron"]))  # type: ignore[arg-type]
            widths.append(None)
        elif word == "bound":
            found.append(bound(record, context))
            # The numbers of neurons in branches follow from the slopes of the next bound.
            sizes = [len(layer) for layer in record["slopes"]]
            for k, line in enumerate(found):
                if isinstance(line, tuple):
                    _, layer, neuron = line
                    flat = sum(sizes[:layer]) + neuron if 0 <= layer < len(sizes) else 1 << 20
                    if 0 <= layer < len(sizes) and neuron >= sizes[layer]:
                        flat = 1 << 20
                    found[k] = record2("branch", flat)
        else:
            found.append(simple(record))
    return [record2("branch", 0) if isinstance(line, tuple) else line for line in found]


def cells(context: Context, a: Any, b: Any, records: list[Any]) -> list[str]:
    """Two networks cell by cell, by the converter of that family."""
    claim = {"a": a, "b": b, "domain": context.old, "kind": "equal-by-cells"}
    lines = [json.dumps({"claim": claim}), *map(json.dumps, records)]
    _, method, _, *rest = pairs.converted(lines)
    return [method, *rest]


def rewritten(lines: list[str], context: Context) -> tuple[Any, Any]:
    """What the steps make of both networks: asked of the checker."""
    found: list[Network] = []

    def spy(proof: Proof, a: Network, b: Network, *_: Any) -> None:
        found.extend((a, b))

    text = "".join(f"{line}\n" for line in [*lines, "then"]).encode()
    proof = Proof(io.BufferedReader(io.BytesIO(text)), Limits())  # type: ignore[arg-type]
    right, rewriting.prove_equal = rewriting.prove_equal, spy
    try:
        a, b = read_network(context.a), read_network(context.b)
        rewriting.equal_by_rewriting(proof, a, b, read_domain(context.domain))
    except Refused as error:
        raise ValueError("the steps are refused") from error
    finally:
        rewriting.prove_equal = right
    return network_json(found[0]), network_json(found[1])


def network_json(network: Network) -> Any:
    """The JSON of a network of the checker."""
    return {"layers": [
        {"inputs": len(layer.rows[0]) - 1, "outputs": len(layer.rows),
         "matrix": [f"{layer.den:x}", [[f"{x:x}" for x in row] for row in layer.rows]]}
        for layer in network.layers
    ]}  # fmt: skip


def bound(record: Any, context: Context) -> str:
    """A leaf of a tree of never-active."""
    slopes = [integer(x) for layer in record["slopes"] for x in layer]
    pairs: list[int] = []
    for row, value in zip(record["rows"], record["values"], strict=True):
        place = context.places[row] if row < len(context.places) else (row, 1)
        if place is None:
            raise ValueError("a row that is not in the normal form")
        pairs += [place[0], integer(value) * place[1]]
    factor = integer(record["factor"])
    return record2("bound", factor, *slopes, len(record["rows"]), *pairs)


def simple(record: Any) -> str:
    """A record that is converted by itself."""
    word = record["record"]
    get = record.__getitem__
    if word == "symmetry":
        scalings = [integer(x) for den, num in get("scalings") for x in (num, den)]
        return record2("symmetry", *get("permutation"), *scalings)
    if word == "individualise":
        return record2("individualise", get("network"), get("layer"), get("neuron"))
    if word == "minor":
        return record2("minor", integer(get("modulus")), *get("rows"), *get("cols"))
    if word == "kernel":
        vectors = [integer(x) for vector in get("vectors") for x in vector]
        return record2("kernel", *get("columns"), *vectors)
    if word == "dependency":
        values = [integer(x) for x in get("values")]
        pairs = [x for pair in zip(get("columns"), values, strict=True) for x in pair]
        return record2("dependency", len(values), *pairs)
    if word == "refactor":
        (p, left), (q, right) = get("left"), get("right")
        ours = [integer(x) for row in left for x in row]
        theirs = [x for row in right for x in [*map(integer, row), 0]]
        neurons = get("neurons")
        numbers = [get("rank"), integer(p), integer(q), len(neurons), *neurons, *ours, *theirs]
        return record2("refactor", get("layer"), *numbers)
    if word == "translate":
        den, num = map(integer, get("shift"))
        return record2("move", get("layer"), get("neuron"), num, den)
    if word == "flip":
        return record2("move", get("layer"), get("neuron"), 0, 1, *get("neurons"))
    fields = [name for name in ("layer", "neuron", "into") if name in record]
    if set(record) != {"record", *fields}:
        raise ValueError("another record")
    return record2(word, *(get(name) for name in fields))


def cases(records: list[Any], width: int) -> list[str]:
    """Proofs that there is no member: the bounds of ranks come first."""
    found: list[str] = []
    groups: list[list[Any]] = []
    for record in records:
        if record["record"] in ("rank-too-large", "not-pointed") or not groups:
            groups.append([])
        groups[-1].append(record)
    for head, *rest in groups:
        numbers, size = [0, 0], width
        at = 0
        for record in rest:
            if record["record"] == "dependency":
                at, size = 1, len(record["columns"])
            if record["record"] == "kernel":
                numbers[at] = size - len(record["columns"])
        pointed = head["record"] == "not-pointed"
        found += [record2(head["record"], *numbers[: 1 + pointed]), *map(simple, rest)]
    return found
