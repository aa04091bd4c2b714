"""``exactrelu equivalent A B``: the same function, or nearly the same?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import Command, Outcome, add_limits

if TYPE_CHECKING:
    from exactrelu.network.network import Network
    from exactrelu.questions.equivalence.within import Largest
    from exactrelu.verdict import Verdict


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help="network file")
    parser.add_argument("b", metavar="B", help="network file, same numbers of inputs and outputs")
    parser.add_argument(
        "--domain", metavar="D", default="R", help="R, orthant, box:a,b[;a,b…] or a polyhedron file"
    )
    parser.add_argument(
        "--within", metavar="EPS", help="ask whether no output differs by more than EPS"
    )
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser, "regions")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.progress import counting
    from exactrelu.network.formats import load
    from exactrelu.polyhedra.domain import parse_domain
    from exactrelu.questions.equivalence.equivalent import equivalent

    a, b = load(args.a), load(args.b)
    domain = parse_domain(args.domain, a.n_inputs)
    with counting("cells") as progress:
        verdict = equivalent(
            a,
            b,
            domain,
            within=args.within,
            max_regions=args.max_regions,
            timeout=args.timeout,
            progress=progress,
        )
    where = "" if args.domain == "R" else f" on {args.domain}"
    within = "" if args.within is None else f" within {args.within}"
    lines = [f"equivalent{within}{where}: {verdict.word}, {verdict.reason}"]
    lines += _witness_text(a, b, verdict)
    fields: dict[str, Any] = {"witness": None, **_values(a, b, verdict)}
    if args.within is not None:
        largest = getattr(verdict, "largest", None)
        fields["largest_difference"] = None if largest is None else _as_json(largest)
        lines += [] if largest is None else [_as_text(largest)]
    return Outcome.of(verdict, "\n".join(lines), fields)


def _values(a: Network, b: Network, verdict: Verdict) -> dict[str, Any]:
    from exactrelu.exact.scalar import to_texts

    if verdict.witness is None:
        return {}
    x = verdict.witness
    return {"witness": to_texts(x), "outputs": [to_texts(a(x)), to_texts(b(x))]}


def _witness_text(a: Network, b: Network, verdict: Verdict) -> list[str]:
    from exactrelu.cli.text import point

    if verdict.witness is None:
        return []
    x = verdict.witness
    return [f"  x = {point(x)}", f"  A(x) = {point(a(x))}", f"  B(x) = {point(b(x))}"]


def _as_json(largest: Largest) -> dict[str, Any]:
    from exactrelu.exact.scalar import to_text, to_texts

    return {
        "value": None if largest.value is None else to_text(largest.value),
        "output": largest.output,
        "point": to_texts(largest.point),
        "attained": largest.is_attained,
        "direction": None if largest.direction is None else to_texts(largest.direction),
    }


def _as_text(largest: Largest) -> str:
    from exactrelu.cli.text import number, point

    if largest.value is None or largest.direction is not None:
        along = point(largest.direction or ())
        return f"  output {largest.output} grows from {point(largest.point)} along {along}"
    place = "" if largest.is_attained else ", on the boundary of the domain"
    return (
        f"  largest difference {number(largest.value)}, in output {largest.output} "
        f"at {point(largest.point)}{place}"
    )


EQUIVALENT = Command(
    "equivalent",
    "do two networks compute the same function on a domain, or nearly the same?",
    "exactrelu equivalent a.json b.json --domain box:-1,1 --within 1/100",
    _add_arguments,
    _run,
)
