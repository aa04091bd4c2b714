"""``exactrelu isomorphic A B``: equal up to permutation and positive scaling?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import Command, Outcome, add_limits

if TYPE_CHECKING:
    from exactrelu.network.symmetry import Symmetry


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help="network file")
    parser.add_argument("b", metavar="B", help="network file")
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser, "refinements")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.network.formats import load
    from exactrelu.questions.isomorphism import MAX_REFINEMENTS, isomorphic

    limit = args.max_refinements or MAX_REFINEMENTS
    verdict = isomorphic(load(args.a), load(args.b), limit, args.timeout)
    lines = [f"isomorphic: {verdict.word}, {verdict.reason}"]
    fields: dict[str, Any] = {"permutations": None, "scalings": None}
    if verdict.answer:
        fields = symmetry_json(verdict.witness)
        lines += symmetry_text(verdict.witness)
    certified = ("verdict", *(fields if verdict.answer else ()))
    return Outcome.of(verdict, "\n".join(lines), fields, certified)


def symmetry_json(symmetry: Symmetry) -> dict[str, Any]:
    """A symmetry as ``--json`` shows it, from 1."""
    from exactrelu.exact.scalar import to_texts

    return {
        "permutations": [[i + 1 for i in p] for p in symmetry.permutations],
        "scalings": [to_texts(s) for s in symmetry.scalings],
    }


def symmetry_text(symmetry: Symmetry) -> list[str]:
    """One line for each layer: neuron of A and its factor, in the order of B."""
    from exactrelu.view.text import number

    return [
        f"  layer {l}: "
        + ", ".join(f"{i + 1} × {number(s)}" for i, s in zip(permutation, scaling, strict=True))
        for l, (permutation, scaling) in enumerate(
            zip(symmetry.permutations, symmetry.scalings, strict=True), 1
        )
    ]


ISOMORPHIC = Command(
    "isomorphic",
    "are two networks equal up to permutation and positive scaling of hidden neurons?",
    "exactrelu isomorphic a.json b.json",
    _add_arguments,
    _run,
)
