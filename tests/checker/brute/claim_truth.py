"""Decides claims by brute force: those about faces, and those that counterexamples ask for.

A claim is its JSON object, as it stands in a certificate. What is said about the faces on a flat
domain is decided for the restriction of the network to its affine hull.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import Any

import truth_injectivity
from brute_force import has_solution, region_count, rows_of, transparent
from face_truth import FACE_KINDS
from fold_truth import FOLD_KINDS
from forge import network, system
from injectivity_truth import is_decided, layer_is_injective
from lemma_truth import refutes
from surface_truth import lowest
from truth import (
    is_isomorphic,
    masked_ranks_are_maximal,
    no_two_are_proportional,
    rank,
    read_matrix,
    value_is_right,
)
from truth_moves import equal, minimal


def is_true(claim: Any) -> bool | None:
    """Whether a claim is true; None if it is too large to be decided, but for what is."""
    kind, holds = claim["kind"], claim.get("holds", True)
    if kind in ("counterexample", "facts"):
        placed = in_place(claim)
        answers = [is_true(fact) for fact in placed["facts"]["list"]]
        if kind == "counterexample":
            answers.append(refutes(placed))
        return False if False in answers else None if None in answers else True
    about_faces = FACE_KINDS.get(kind) or FOLD_KINDS.get(kind)
    held = about_faces(on_hull(claim)) if about_faces else KINDS[kind](claim)
    return None if held is None else held is holds


def in_place(claim: Any) -> Any:
    """A claim with facts whose subjects stand where they are named, in the instance too."""
    subjects = {f"@{k}": subject for k, subject in enumerate(claim["facts"]["subjects"], 1)}

    def placed(fields: Any) -> Any:
        return {
            name: subjects.get(value, value) if isinstance(value, str) else value
            for name, value in fields.items()
        }

    found = {**claim, "facts": {"list": [placed(fact) for fact in claim["facts"]["list"]]}}
    if "instance" in claim:
        found["instance"] = placed(claim["instance"])
    return found


# Claims without faces.


def bounded(claim: Any) -> bool:
    """No solution, or no direction of recession that is not 0."""
    dim, rows = claim["system"]["dim"], rows_of(claim["system"])
    cone = [("eq" if sense == "eq" else "ge", [*row[:-1], Fraction(0)]) for sense, row in rows]
    units = [[Fraction(s * (i == j)) for j in range(dim + 1)] for i in range(dim) for s in (1, -1)]
    unbounded = any(has_solution([*cone, ("gt", unit)], dim) for unit in units)
    return not (unbounded and has_solution(rows, dim))


def layer_injective(claim: Any) -> bool | None:
    """None if there are too many patterns."""
    of, number = claim["network"]["layers"], claim["layer"]
    rows = read_matrix(of[number - 1]["matrix"])
    normals = [row[:-1] for row in rows]
    if not claim["domain"]["rows"] and rank(normals) < claim["domain"]["dim"]:
        return False
    if not is_decided(rows):
        return None
    return layer_is_injective(rows, claim["domain"], is_last=number == len(of))


def spark(claim: Any) -> bool:
    """Try all sets of rows."""
    rows = read_matrix(claim["matrix"]["matrix"])
    sizes = range(1, len(rows) + 1)
    dependent = [k for k in sizes for chosen in combinations(rows, k) if rank(list(chosen)) < k]
    return bool(min(dependent, default=len(rows) + 1) == claim["spark"])


def regions(claim: Any) -> bool:
    """Count them all."""
    count = region_count(claim["network"], claim["domain"])
    at_least = claim["sense"] == "at-least"
    return count >= claim["count"] if at_least else bool(count == claim["count"])


def injective(claim: Any) -> bool:
    """Every pair of patterns."""
    return truth_injectivity.is_one_to_one(claim, claim["first"], claim["last"])


KINDS: dict[str, Callable[[Any], bool | None]] = {
    "bounded": bounded,
    "equal": lambda claim: equal(claim["a"], claim["b"], claim["domain"]),
    "injective": injective,
    "isomorphic": lambda claim: is_isomorphic(claim["a"], claim["b"]),
    "layer-injective": layer_injective,
    "masked-rank": masked_ranks_are_maximal,
    "minimal": lambda claim: minimal(claim["network"], claim["domain"]),
    "non-proportional": no_two_are_proportional,
    "rank": lambda claim: rank(read_matrix(claim["matrix"]["matrix"])) == claim["rank"],
    "regions": regions,
    "spark": spark,
    "transparent": lambda claim: transparent(claim["network"], claim["domain"]),
    "value": value_is_right,
}


# Flat domains.


def on_hull(claim: Any) -> Any:
    """The claim about faces or folds for the restriction to the affine hull of a flat domain."""
    if "boxes" in claim["domain"]:
        return claim
    of, domain, free, pulled = restricted(claim["network"], claim["domain"])
    found = {**claim, "network": of, "domain": domain}

    def plane(row: Any) -> Any:
        kept = pulled([Fraction(int(x, 16)) for x in row])
        return [f"{x:x}" for x in lowest(kept)] if any(kept) else ["0"] * len(kept)

    def at(point: Any) -> Any:
        kept = [Fraction(int(point[1][k], 16), int(point[0], 16)) for k in free]
        den = lcm(*(x.denominator for x in kept))
        return [f"{den:x}", [f"{int(x * den):x}" for x in kept]]

    if claim["kind"] == "folds":
        found["pieces"] = [[k, plane(row), at(x)] for k, row, x in claim["pieces"]]
        found["edges"] = [[tail, head, at(x)] for tail, head, x in claim["edges"]]
    if claim["kind"] == "complex":
        counts, d = claim["counts"], domain["dim"]
        found["counts"] = counts if any(counts[d + 1 :]) else counts[: d + 1]
    return found


def restricted(of: Any, domain: Any) -> tuple[Any, Any, list[int], Any]:
    """Network and open domain in coordinates of the affine hull of a domain.

    Also the coordinates that are left, and how rows are written over them.
    """
    n = domain["dim"]
    rows = rows_of(domain)
    solved: dict[int, list[Fraction]] = {}
    for sense, row in rows:
        if sense == "eq":
            for place, base in solved.items():
                row = [x - row[place] * y for x, y in zip(row, base, strict=True)]
            lead = next((k for k, x in enumerate(row[:-1]) if x), None)
            if lead is not None:
                row = [x / row[lead] for x in row]
                solved = {
                    p: [x - b[lead] * y for x, y in zip(b, row, strict=True)]
                    for p, b in solved.items()
                }
                solved[lead] = row
    free = [k for k in range(n) if k not in solved]

    def pulled(row: list[Fraction]) -> list[Fraction]:
        for place, base in solved.items():
            row = [x - row[place] * y for x, y in zip(row, base, strict=True)]
        return [*(row[k] for k in free), row[-1]]

    layers = [read_matrix(layer["matrix"]) for layer in of["layers"]]
    layers[0] = [pulled(row) for row in layers[0]]
    kept = []
    for sense, row in rows:
        if sense != "eq":
            new = pulled(row)
            scale = lcm(*(x.denominator for x in new))
            kept.append(("gt", [int(x * scale) for x in new]))
    return network(*layers), system(len(free), *kept), free, pulled
