"""``exactrelu difference A B``: how far apart are two networks at most?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import Command, Names, Outcome, add_limits

if TYPE_CHECKING:
    from exactrelu.questions.equivalence.largest import Largest


def add_pair(parser: argparse.ArgumentParser) -> None:
    """Two networks and a domain."""
    parser.add_argument("a", metavar="A", help="network file")
    parser.add_argument("b", metavar="B", help="network file, same numbers of inputs and outputs")
    parser.add_argument(
        "--domain", metavar="D", default="R", help="R, orthant, box:a,b[;a,b…] or a polyhedron file"
    )


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_pair(parser)
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser, "regions")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.progress import counting
    from exactrelu.network.formats import load
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.questions.equivalence.largest import largest_difference
    from exactrelu.verdict import NO_CERTIFICATE

    a, b = load(args.a), load(args.b)
    domain = Domain.of(args.domain, a.n_inputs)
    limits = {"max_regions": args.max_regions, "timeout": args.timeout}
    with counting("cells") as progress:
        found = largest_difference(a, b, domain, **limits, progress=progress)
    text = found.reason
    if found.largest is not None:
        text = largest_text(found.largest).strip()
        if domain.is_flat:
            text += f"; {NO_CERTIFICATE}"
    fields = {"largest_difference": found.largest and largest_json(found.largest)}
    return Outcome.of(found, text, fields, *_proved(found.largest))


def _proved(largest: Largest | None) -> tuple[Names, Names]:
    """What the certificate proves, and what it does not."""
    if largest is None:
        return ("verdict",), ()
    size = "value" if largest.direction is None else "direction"
    names = ("verdict", f"largest_difference.{size}", "largest_difference.point")
    return names, ("which output it is",)


def largest_json(largest: Largest) -> dict[str, Any]:
    from exactrelu.exact.scalar import to_text, to_texts

    return {
        "value": None if largest.value is None else to_text(largest.value),
        "output": largest.output,
        "point": to_texts(largest.point),
        "attained": largest.is_attained,
        "direction": None if largest.direction is None else to_texts(largest.direction),
    }


def largest_text(largest: Largest) -> str:
    from exactrelu.view.text import number, point

    if largest.value is None or largest.direction is not None:
        along = point(largest.direction or ())
        return f"  output {largest.output} grows from {point(largest.point)} along {along}"
    place = "" if largest.is_attained else ", approached at the boundary of the domain"
    return (
        f"  largest difference {number(largest.value)}, in output {largest.output} "
        f"at {point(largest.point)}{place}"
    )


DIFFERENCE = Command(
    "difference",
    "the exact largest difference of any output of two networks on a domain",
    "exactrelu difference a.json b.json --domain box:-1,1",
    _add_arguments,
    _run,
)
