"""``exactrelu polyhedron FILE``: is a polyhedron nonempty? bounded?"""

from __future__ import annotations

import argparse

from exactrelu.cli.command import Command, Outcome


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="exactrelu-polyhedron/1 JSON file")
    parser.add_argument("--bounded", action="store_true", help="ask whether it is bounded")
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli import text
    from exactrelu.exact.scalar import to_texts
    from exactrelu.polyhedra.domain import load_polyhedron
    from exactrelu.questions.polyhedron import is_bounded, is_nonempty

    system = load_polyhedron(args.file)
    verdict = is_bounded(system) if args.bounded else is_nonempty(system)
    question = "bounded" if args.bounded else "nonempty"
    lines = [f"{question}: {verdict.word}, {verdict.reason}"]
    witness = None if verdict.witness is None else to_texts(verdict.witness)
    if verdict.witness is not None:
        kind = "ray" if args.bounded else "point"
        lines.append(f"  {kind} {text.point(verdict.witness)}")
    return Outcome.of(verdict, "\n".join(lines), {"question": question, "witness": witness})


POLYHEDRON = Command(
    "polyhedron",
    "is a polyhedron nonempty? with --bounded: is it bounded?",
    "exactrelu polyhedron cases/unit-square/polyhedron.json --bounded",
    _add_arguments,
    _run,
)
