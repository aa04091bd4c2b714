"""Facts and counterexamples: from format 1 to format 2. Untrusted: what it writes is checked.

The records of each fact are those that the checker of format 1 reads for it.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

from exactrelu_checker.claims import KINDS as KINDS2
from exactrelu_checker1 import claims as claims1
from exactrelu_checker1.budget import Budget
from exactrelu_checker1.budget import Limits as Limits1
from exactrelu_checker1.reader import Certificate
from exactrelu_checker1.verdicts import Refused as Refused1
from flint import fmpq
from written import regions2, transparent2

from exactrelu.cells.pairs import Leaf, pair_tree
from exactrelu.certificates.format2 import claim2
from exactrelu.certificates.pair_trees2 import PairWriter
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

from . import faces, fibers, moves, ranks

Fields = dict[str, Any]
FORMAT1, FORMAT2 = "exactrelu-certificate/1", "exactrelu-certificate/2"


class Other(Exception):
    """A fact that the converter of another family knows."""


def canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def old_lines(claim: Fields, records: list[Fields]) -> list[str]:
    """The lines of a file of format 1, without footer."""
    return [canonical({"claim": claim, "format": FORMAT1}), *map(canonical, records)]


def convert(data: bytes) -> list[str]:
    """The lines of the new file, without footer."""
    head, *records = [json.loads(line) for line in data.splitlines()][:-1]
    claim = head["claim"]
    new: list[Fields] = []
    lines = ["by facts"]
    at = 0
    for fact, end in zip(claim["facts"], _ends(data, claim["facts"]), strict=True):
        for made in convert_fact(fact, records[at:end]):
            new.append(json.loads(made[0])["claim"])
            lines += made[1:]
        at = end
    lines += ["surplus" for _ in records[at:]]
    if claim["kind"] == "counterexample":
        new = [_with_closed_orthant(fact) for fact in new]
    subjects: dict[str, tuple[str, Any]] = {}
    named = []
    for fact in new:
        fields = {}
        for name in sorted(fact):
            fields[name] = fact[name]
            if isinstance(fact[name], dict):
                text = canonical(fact[name])
                subjects.setdefault(text, (f"@{len(subjects) + 1}", fact[name]))
                fields[name] = subjects[text][0]
        named.append(fields)
    facts = {"list": named, "subjects": [value for _, value in subjects.values()]}
    made2: Fields = {"kind": claim["kind"], "facts": facts}
    if claim["kind"] == "counterexample":
        made2 |= {"lemma": claim["lemma"], "instance": claim["instance"]}
        if isinstance(claim["instance"], dict):
            entries = {k: _instance_entry(v) for k, v in claim["instance"].items()}
            made2["instance"] = {
                k: subjects[canonical(v)][0] if canonical(v) in subjects else v
                for k, v in entries.items()
            }
    return [canonical({"claim": made2, "format": FORMAT2}), *lines]


def _with_closed_orthant(fact: Fields) -> Fields:
    """The lemmas ask for the closed orthant."""
    domain = fact.get("domain")
    if not isinstance(domain, dict) or "rows" not in domain:
        return fact
    n = domain["dim"]
    units = sorted(["gt", [str(int(i == j)) for j in range(n + 1)]] for i in range(n))
    if domain["rows"] != units:
        return fact
    return {**fact, "domain": {"dim": n, "rows": [["ge", row] for _, row in units]}}


def _instance_entry(value: Any) -> Any:
    """Matrices have their shape now, and domains are normal."""
    if isinstance(value, dict) and value.keys() == {"dim", "rows"}:
        return faces.normal_domain(value)[0]
    is_matrix = (
        isinstance(value, list)
        and len(value) == 2
        and isinstance(value[1], list)
        and all(isinstance(row, list) for row in value[1])
        and value[1]
    )
    if is_matrix:
        return {"cols": len(value[1][0]), "matrix": value, "rows": len(value[1])}
    return value


def _ends(data: bytes, facts: list[Fields]) -> list[int]:
    """How many records there are until the end of each fact."""
    limits = Limits1()
    certificate = Certificate(io.BufferedReader(io.BytesIO(data)), limits)  # type: ignore[arg-type]
    budget = Budget(limits)
    certificate.claim()
    found = []
    for fact in facts:
        try:
            claims1.read_claim(fact, budget)[1].check(certificate, budget)
            found.append(certificate._lines - 1)
        except Refused1:
            last = len(data.splitlines()) - 2
            return [*found, *[last] * (len(facts) - len(found))]
    return found


def convert_fact(claim: Fields, records: list[Fields]) -> list[list[str]]:
    """The claims of format 2 for one of format 1, each with its records."""
    kind = claim["kind"]
    records = json.loads(canonical(records))  # converters change them
    if kind in ("general", "generic", "generic-bottleneck"):
        return _parts(kind, claim, records)
    return [_single(kind, claim, records)]


def _parts(kind: str, claim: Fields, records: list[Fields]) -> list[list[str]]:
    network = claim["network"]
    first = json.loads(canonical(records[:1]))
    made = [ranks.converted({"kind": "masked-rank", "network": network}, first)]
    if kind == "general":
        one = {"kind": "non-proportional", "network": network}
        has = [r for r in records[1:2] if r["record"] == "points"]
        made.append(ranks.converted(one, has))
        rest = records[1 + len(has) :]
        made.append(_faces({**claim, "kind": "no-zero-optimum"}, rest))
    elif kind == "generic":
        made.append(_faces({**claim, "kind": "supertransversal"}, records[1:]))
    else:
        made.append(_faces(claim, records))
    return made


def _faces(claim: Fields, records: list[Fields]) -> list[str]:
    return faces.convert("\n".join(old_lines(claim, records)).encode())


def _single(kind: str, claim: Fields, records: list[Fields]) -> list[str]:
    if kind in PLAIN:
        new, lines = PLAIN[kind](claim, list(records))
        return [canonical({"claim": new, "format": FORMAT2}), *lines]
    if kind in ranks.KINDS:
        return ranks.converted(claim, records)
    if kind in faces.KINDS:
        return _faces(claim, records)
    if kind in fibers.KINDS:
        first, *lines = fibers.convert(claim, records)
        return [canonical({"claim": first, "format": FORMAT2}), *map(str, lines)]
    if kind in moves.KINDS:
        try:
            return moves.converted(old_lines(claim, records))
        except moves.Unsupported:
            return _cells(claim)
    if kind == "equal-by-cells":
        if "cells:" not in KINDS2["equal"][1]:
            raise Other(kind)
        module: Any = _module("pairs")
        return list(module.converted(old_lines(claim, records)))
    module = _module("injectivity")
    if kind not in module.CONVERTERS:
        raise Other(kind)
    return list(module.lines_of("\n".join([*old_lines(claim, records), "{}"]).encode()))


def _cells(claim: Fields) -> list[str]:
    """The lines of equality by cells, written by the library, without moves before."""
    a, b = _network(claim["a"]), _network(claim["b"])
    domain = moves.domain_of(claim["domain"])
    writer, records = PairWriter(domain), []
    for node in pair_tree(a, b, domain):
        records += writer.records(node)
        records += ["same"] if isinstance(node, Leaf) else []
    made = claim2("equal", "cells", records, holds=True, a=a, b=b, domain=domain)
    return made.to_bytes().decode().splitlines()[:-1]


def _module(name: str) -> Any:
    try:
        return import_module(f"convert.{name}")
    except ImportError as error:
        raise Other(name) from error


def _value(claim: Fields, records: list[Fields]) -> tuple[Fields, list[str]]:
    return claim, ["by evaluation", *("surplus" for _ in records)]


def _different(claim: Fields, records: list[Fields]) -> tuple[Fields, list[str]]:
    domain, _, inside = faces.normal_domain(claim["domain"])
    points = [faces.point("point", record["point"]) for record in records]
    return {**claim, "kind": "equal", "domain": domain, "holds": False}, [
        "by point", inside, *points,
    ]  # fmt: skip


def _matrix(claim: Fields, name: str) -> Fields:
    matrix = {key: claim[key] for key in ("cols", "matrix", "rows")}
    return {"kind": claim["kind"], "matrix": matrix, name: claim[name]}


def _rank(claim: Fields, records: list[Fields]) -> tuple[Fields, list[str]]:
    known = {"minor": ranks.minor, "kernel": ranks.kernel}
    lines = [known[record["record"]](record) for record in records]
    return _matrix(claim, "rank"), ["by minor", *lines]


def _spark(claim: Fields, records: list[Fields]) -> tuple[Fields, list[str]]:
    lines = []
    for record in records:
        if record["record"] == "independent":
            lines.append(ranks.line("independent", record["modulus"]))
        else:
            lines.append(ranks.line("combination", *record["rows"], *record["values"]))
    return _matrix(claim, "spark"), ["by independent", *lines]


def _bounded(claim: Fields, records: list[Fields]) -> tuple[Fields, list[str]]:
    lines = []
    for record in records:
        if record["record"] == "multipliers":
            pairs = zip(record["rows"], record["values"], strict=True)
            flat = [x for pair in pairs for x in pair]
            lines.append(ranks.line("multipliers", len(record["rows"]), *flat))
        else:
            lines.append(ranks.minor(record))
    return {"kind": "bounded", "system": claim["system"], "holds": True}, [
        "by multipliers", *lines,
    ]  # fmt: skip


def _written(claim: Fields, records: list[Fields]) -> tuple[Fields, list[str]]:
    """Trees of cells are written by the library."""
    network = _network(claim["network"])
    domain: Domain = moves.domain_of(claim["domain"])
    write: Any = regions2 if claim["kind"] == "regions" else transparent2
    first, *lines = write(network, domain).decode().splitlines()[:-1]
    new = json.loads(first)["claim"]
    if claim["kind"] == "regions":
        new["count"] = claim["n_regions"]
    return new, lines


def _network(value: Fields) -> Network:
    weights, biases = [], []
    for layer in value["layers"]:
        den = int(layer["matrix"][0], 16)
        rows = [[fmpq(int(x, 16), den) for x in row] for row in layer["matrix"][1]]
        weights.append([row[:-1] for row in rows])
        biases.append([row[-1] for row in rows])
    return Network.from_arrays(weights, biases)


def _not_injective(claim: Fields, records: list[Fields]) -> tuple[Fields, list[str]]:
    domain, _, inside = faces.normal_domain(claim["domain"])
    new = {"network": claim["network"], "domain": domain, "holds": False}
    if claim["kind"] == "layer-not-injective":
        points = claim["points"]
        new |= {"kind": "layer-injective", "layer": claim["layer"] + 1}
    else:
        points = [claim["x"], claim["y"]]
        new |= {"kind": "injective", "first": claim["first"], "last": claim["last"]}
    lines = [faces.point("point", point) for point in points]
    return new, ["by points", inside, *lines, *("surplus" for _ in records)]


def _columns(claim: Fields, records: list[Fields]) -> tuple[Fields, list[str]]:
    made = _matrix(claim, "rank") | {"columns": claim["nonnegative_column_rank"]}
    lines = ["by factors"]
    known = {"minor": ranks.minor, "kernel": ranks.kernel, "dependency": ranks.dependency}
    for entry in records:
        if entry["record"] == "factors":
            for side in ("left", "right"):
                den, rows = entry[side]
                lines.append(ranks.line(side, den, *(x for row in rows for x in row)))
        else:
            lines.append(known[entry["record"]](entry))
    return made, lines


def _sigma(claim: Fields, records: list[Fields]) -> tuple[Fields, list[str]]:
    sense = claim["kind"].removeprefix("sigma-min-")
    made = _matrix(claim, "bound") | {"kind": "sigma-min", "sense": sense}
    lines = ["by cholesky" if sense == "at-least" else "by vector"]
    for entry in records:
        if entry["record"] == "vector":
            lines.append(ranks.line("vector", *entry["values"]))
        else:
            den, rows = entry["factor"]
            lower = [x for i, row in enumerate(rows) for x in row[: i + 1]]
            lines.append(ranks.line("factor", den, *lower))
    return made, lines


def _not_transparent(claim: Fields, records: list[Fields]) -> tuple[Fields, list[str]]:
    domain, _, inside = faces.normal_domain(claim["domain"])
    made = {"kind": "transparent", "network": claim["network"], "domain": domain, "holds": False}
    point = faces.point("point", claim["point"])
    return made, ["by point", inside, point, *("surplus" for _ in records)]


PLAIN: dict[str, Callable[[Fields, list[Fields]], tuple[Fields, list[str]]]] = {
    "different": _different,
    "layer-not-injective": _not_injective,
    "nonnegative-column-rank": _columns,
    "not-injective": _not_injective,
    "not-transparent": _not_transparent,
    "polyhedron-bounded": _bounded,
    "rank": _rank,
    "regions": _written,
    "sigma-min-at-least": _sigma,
    "sigma-min-at-most": _sigma,
    "spark": _spark,
    "transparent": _written,
    "value": _value,
}
