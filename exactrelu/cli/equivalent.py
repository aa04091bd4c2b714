"""``exactrelu equivalent A B``: the same function, or nearly the same?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import Command, Names, Outcome, add_limits
from exactrelu.cli.difference import add_pair, largest_json, largest_text

if TYPE_CHECKING:
    from exactrelu.network.network import Network
    from exactrelu.verdict import Verdict


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_pair(parser)
    parser.add_argument(
        "--within", metavar="EPS", help="ask whether no output differs by more than EPS"
    )
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser, "regions")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.progress import counting
    from exactrelu.network.formats import load
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.questions.equivalence.equivalent import equivalent

    a, b = load(args.a), load(args.b)
    domain = Domain.of(args.domain, a.n_inputs)
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
    certified: Names = ("verdict",)
    computed = []
    if verdict.witness is not None:
        certified = ("verdict", "witness")
        computed.append("the values at x")
    if args.within is not None:
        largest = getattr(verdict, "largest", None)
        fields["largest_difference"] = None if largest is None else largest_json(largest)
        if largest is not None:
            lines.append(largest_text(largest))
            computed.append("the largest difference")
    return Outcome.of(verdict, "\n".join(lines), fields, certified, tuple(computed))


def _values(a: Network, b: Network, verdict: Verdict) -> dict[str, Any]:
    from exactrelu.exact.scalar import to_texts

    if verdict.witness is None:
        return {}
    x = verdict.witness
    return {"witness": to_texts(x), "outputs": [to_texts(a(x)), to_texts(b(x))]}


def _witness_text(a: Network, b: Network, verdict: Verdict) -> list[str]:
    from exactrelu.view.text import point

    if verdict.witness is None:
        return []
    x = verdict.witness
    return [f"  x = {point(x)}", f"  A(x) = {point(a(x))}", f"  B(x) = {point(b(x))}"]


EQUIVALENT = Command(
    "equivalent",
    "do two networks compute the same function on a domain, or nearly the same?",
    "exactrelu equivalent a.json b.json --domain box:-1,1 --within 1/100",
    _add_arguments,
    _run,
)
