"""``exactrelu polyhedron FILE``: is a polyhedron nonempty? bounded?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import Command, Outcome
from exactrelu.errors import InputError

if TYPE_CHECKING:
    from exactrelu.exact.system import LinearSystem


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="exactrelu-polyhedron/1 JSON file")
    parser.add_argument("--bounded", action="store_true", help="ask whether it is bounded")
    parser.add_argument(
        "--describe", action="store_true", help="dimension, vertices, rays, lines, faces"
    )
    parser.add_argument(
        "--maximize", metavar="C1,C2,…", help="the greatest value of c·x, with its multipliers"
    )
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.exact.scalar import to_texts
    from exactrelu.polyhedra.domain import load_polyhedron
    from exactrelu.questions.polyhedron import is_bounded, is_nonempty
    from exactrelu.view import text

    system = load_polyhedron(args.file)
    verdict = is_bounded(system) if args.bounded else is_nonempty(system)
    question = "bounded" if args.bounded else "nonempty"
    lines = [f"{question}: {verdict.word}, {verdict.reason}"]
    witness = None if verdict.witness is None else to_texts(verdict.witness)
    if verdict.witness is not None:
        kind = "ray" if args.bounded else "point"
        lines.append(f"  {kind} {text.point(verdict.witness)}")
    fields: dict[str, Any] = {"question": question, "witness": witness}
    certified = ("verdict",) if witness is None else ("verdict", "witness")
    computed = []
    for more, words in (
        (_describe(system) if args.describe else {}, "dimension, faces, vertices, rays and lines"),
        (_maximize(system, args.maximize), "the maximum"),
    ):
        fields |= more
        computed += [words] if more else []
        lines += [f"  {key} {value}" for key, value in more.items()]
    return Outcome.of(verdict, "\n".join(lines), fields, certified, tuple(computed))


def _describe(system: LinearSystem) -> dict[str, Any]:
    from exactrelu.exact.scalar import to_texts
    from exactrelu.polyhedra.polyhedron import Polyhedron

    polyhedron = Polyhedron(system)
    return {
        "dimension": polyhedron.dimension,
        "f_vector": list(polyhedron.f_vector()),
        # With a line in it a polyhedron has no vertices.
        "vertices": [] if polyhedron.lineality else list(map(to_texts, polyhedron.vertices)),
        "rays": list(map(to_texts, polyhedron.rays)),
        "lines": list(map(to_texts, polyhedron.lineality)),
    }


def _maximize(system: LinearSystem, text: str | None) -> dict[str, Any]:
    from exactrelu.exact.scalar import to_texts, vector
    from exactrelu.polyhedra.answers import Infeasible, Optimum
    from exactrelu.polyhedra.optimize import maximize

    if text is None:
        return {}
    objective = vector(text.split(","), "--maximize")
    if len(objective) != system.dimension:
        raise InputError(f"--maximize {text}: expected {system.dimension} coefficients")
    answer = maximize(objective, system)
    if isinstance(answer, Infeasible):
        return {"maximum": None}
    if isinstance(answer, Optimum):
        return {
            "maximum": str(answer.value),
            "attained": answer.is_attained,
            "at": to_texts(answer.point),
            "multipliers": [[i + 1, str(value)] for i, value in answer.multipliers],
        }
    return {"maximum": "unbounded", "at": to_texts(answer.point), "ray": to_texts(answer.ray)}


POLYHEDRON = Command(
    "polyhedron",
    "is a polyhedron nonempty? with --bounded: is it bounded?",
    "exactrelu polyhedron cases/unit-square/polyhedron.json --bounded",
    _add_arguments,
    _run,
)
