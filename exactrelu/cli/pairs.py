"""Commands about two networks: the same up to symmetry, the same function, how far apart."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import (
    CERTIFICATE,
    DOMAIN,
    WORKERS,
    Ask,
    Names,
    Outcome,
    answered,
    argument,
    command,
    limits,
)
from exactrelu.cli.shards import SHARDS, equivalent_in_pieces, is_in_pieces

if TYPE_CHECKING:
    from exactrelu.certificates.certificate import Verdict
    from exactrelu.network.symmetry import Symmetry
    from exactrelu.questions.equivalence.difference import Between, Difference, Largest

_A = argument("a", metavar="A", help="network file")
_PAIR = (
    _A,
    argument("b", metavar="B", help="network file, same numbers of inputs and outputs"),
    DOMAIN,
)


@command(
    _A,
    argument("b", metavar="B", help="network file"),
    CERTIFICATE,
    limits("refinements"),
    fields="permutations scalings",
    example="example:spike example:zero",
)
def isomorphic(ask: Ask) -> Outcome:
    """Are two networks equal up to permutation and positive scaling of hidden neurons?"""
    from exactrelu.questions.equivalence.canonical_forms import isomorphic

    a, b = ask.pair
    verdict = isomorphic(a, b, effort=ask.effort)
    if not verdict.answer:
        return answered(verdict, "isomorphic", permutations=None, scalings=None)
    lines, fields = symmetry_shown(ask, verdict.witness)
    certified = ("verdict", *fields)
    return answered(verdict, "isomorphic", lines, certified=certified, **fields)


def symmetry_shown(ask: Ask, symmetry: Symmetry) -> tuple[list[str], dict[str, Any]]:
    """What moves, a line for each layer, in the order of B; the fields."""
    lines = []
    words = ask.words.of_list(s for scaling in symmetry.scalings for s in scaling)
    for l, (permutation, scaling) in enumerate(
        zip(symmetry.permutations, symmetry.scalings, strict=True), 1
    ):
        moved = [
            f"{j} is {i} of A" + ("" if s == 1 else f" × {words.said(s)}")
            for j, (i, s) in enumerate(zip(permutation, scaling, strict=True), 1)
            if i != j or s != 1
        ]
        if moved:
            rest = ", the others stay" if len(moved) < len(permutation) else ""
            lines.append(f"  layer {l} of B: {', '.join(moved)}{rest}")
    fields = {
        "permutations": [list(p) for p in symmetry.permutations],
        "scalings": symmetry.scalings,
    }
    return lines or ["  the identity: no neuron moves"], fields


@command(
    _PAIR,
    argument("--within", metavar="EPS", help="ask whether no output differs by more than EPS"),
    CERTIFICATE,
    WORKERS,
    limits("regions"),
    SHARDS,
    fields="witness n_cells share",
    example="example:spike example:zero --domain box:-1..1 --within 1/100",
)
def equivalent(ask: Ask) -> Outcome:
    """Do two networks compute the same function on a domain, or nearly the same?"""
    from exactrelu.questions.equivalence.equivalent import equivalent

    a, b = ask.pair
    within = ask.args.within
    if is_in_pieces(ask):
        return equivalent_in_pieces(ask, partial(_equivalent_shown, ask))
    shown = ask.showing(partial(_equivalent_shown, ask))
    domain = ask.domain_in(a.n_inputs)
    return shown(equivalent(a, b, domain, within=within, effort=ask.effort))


def _equivalent_shown(ask: Ask, verdict: Verdict) -> Outcome:
    a, b = ask.pair
    within = ask.args.within
    lines = []
    # Where no cell was needed the answer has none.
    fields: dict[str, Any] = {
        "witness": verdict.witness,
        "n_cells": getattr(verdict, "n_cells", 0),
        "share": getattr(verdict, "share", None),
    }
    certified: Names = ("verdict",)
    computed: Names = ()
    if (x := verdict.witness) is not None:
        values = a(x), b(x)
        named = zip(("  x   ", "  A(x)", "  B(x)"), (x, *values), strict=True)
        # Two values that differ look different.
        words = ask.words.of_list([*x, *values[0], *values[1]])
        lines = [words.equation(name, value) for name, value in named]
        fields["outputs"] = values
        certified = ("verdict", "witness")
        computed = ("the values at x",)
    if within is not None:
        largest: Largest | None = getattr(verdict, "largest", None)
        fields["largest_difference"] = None if largest is None else _largest_fields(largest)
        fields |= {name: getattr(verdict, name, None) for name in ("lower", "upper", "at")}
        if largest is not None:
            lines.append(f"  {_largest_text(ask, largest)}")
            computed += ("the largest difference",)
    if verdict.answer is None:
        # What is certain is the point at which they differ most.
        certified = ("lower", "at")
        computed = ("on how much they were compared",)
    nearly = "" if within is None else f" within {within}"
    question = f"equivalent{nearly}{ask.where}"
    return answered(verdict, question, lines, certified=certified, computed=computed, **fields)


@command(
    _PAIR,
    CERTIFICATE,
    WORKERS,
    limits("regions"),
    fields="largest_difference lower upper at",
    example="example:spike example:zero --domain box:-1..1",
)
def difference(ask: Ask) -> Outcome:
    """The exact largest difference of any output of two networks on a domain."""
    from exactrelu.questions.equivalence.difference import largest_difference

    a, b = ask.pair
    domain = ask.domain_in(a.n_inputs)
    shown = ask.showing(partial(_difference_shown, ask))
    return shown(largest_difference(a, b, domain, effort=ask.effort))


def _difference_shown(ask: Ask, found: Difference) -> Outcome:
    largest = found.largest
    bounds: dict[str, Any] = {"lower": found.lower, "upper": found.upper, "at": found.at}
    if largest is None:
        where = [] if found.at is None else [f"  so much at {ask.words.said(found.at)}"]
        fields = {"largest_difference": None, **bounds}
        certified, computed = _bounds_certified(found)
        return Outcome.of(found, "\n".join([found.reason, *where]), fields, certified, computed)
    certified = ("verdict", "largest_difference.direction")
    computed = ("which output it is", "where the ray begins")
    if largest.direction is None:
        certified = ("verdict", "largest_difference.value", "largest_difference.point")
        certified += ("lower", "upper", "at")
        computed = ("which output it is",)
    fields = {"largest_difference": _largest_fields(largest), **bounds}
    return Outcome.of(found, _largest_text(ask, largest), fields, certified, computed)


def _bounds_certified(found: Between) -> tuple[Names, Names]:
    """Of bounds of a difference, what the certificate proves, and what it does not."""
    if found.certificate is not None and found.certificate.kind == "facts":
        return ("lower", "upper", "at"), ()
    return ("lower", "at"), () if found.upper is None else ("the upper bound",)


def _largest_fields(largest: Largest) -> dict[str, Any]:
    return {
        "value": largest.value,
        "output": largest.output,
        "point": largest.point,
        "attained": largest.is_attained,
        "direction": largest.direction,
    }


def _largest_text(ask: Ask, largest: Largest) -> str:
    place = ask.words.said(largest.point)
    if largest.value is None or largest.direction is not None:
        along = ask.words.said(largest.direction or ())
        return f"unbounded: output {largest.output} grows from {place} along {along}"
    edge = "" if largest.is_attained else ", approached at the boundary of the domain"
    value = ask.words.number(largest.value)
    return f"largest difference {value}, in output {largest.output} at {place}{edge}"
