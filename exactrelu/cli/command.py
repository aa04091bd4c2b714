"""What a command is, and what it returns."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactrelu.certificates.certificate import Certificate
    from exactrelu.verdict import Verdict

YES, NO, BAD_INPUT, UNDECIDED = 0, 1, 2, 3

#: Names of fields, or words for parts of an answer.
Names = tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """What a command found: text for people, fields for ``--json``, an exit code.

    ``certified`` names the fields that the certificate proves: what they say stands in its claim,
    or in evidence that the checker tests.  ``a.b`` is the field b of a, or of each entry of a.
    ``computed`` says in words what else the text shows, which no certificate proves.
    """

    text: str
    reason: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    certificate: Certificate | None = None
    verdict: str | None = None
    exit_code: int = YES
    certified: Names = ()
    computed: Names = ()

    @classmethod
    def of(
        cls,
        verdict: Verdict,
        text: str,
        fields: Mapping[str, Any],
        certified: Names = ("verdict",),
        computed: Names = (),
    ) -> Outcome:
        """The outcome of a question; without a certificate nothing is certified."""
        code = {True: YES, False: NO, None: UNDECIDED}[verdict.answer]
        if verdict.certificate is None:
            certified = ()
            computed = computed if verdict.answer is None else ("the answer",)
        return cls(
            text,
            verdict.reason,
            fields,
            verdict.certificate,
            verdict.word,
            code,
            certified,
            computed,
        )


@dataclass(frozen=True)
class Command:
    """A subcommand: its help, an example, its arguments and what it does."""

    name: str
    summary: str
    example: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], Outcome]


def add_matrix_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of a question about a matrix."""
    parser.add_argument("matrix", metavar="FILE", help="a JSON list of rows of exact numbers")
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")


def add_domain(parser: argparse.ArgumentParser) -> None:
    """Where a question about a network is asked."""
    parser.add_argument(
        "--domain", metavar="D", default="R", help="R, orthant, box:a,b[;a,b…] or a polyhedron file"
    )
    add_slice(parser)


def add_slice(parser: argparse.ArgumentParser) -> None:
    """The part of the space of inputs that a question is asked on."""
    parser.add_argument(
        "--slice",
        metavar="BASE;D1;D2;…",
        help="ask on base + t1·d1 + t2·d2 + …, each a list of numbers",
    )


def add_domain_or_union(parser: argparse.ArgumentParser) -> None:
    """Where a question about a network is asked that need not be convex."""
    parser.add_argument(
        "--domain",
        metavar="D",
        default="R",
        help="R, orthant, box:a,b[;a,b…], a polyhedron file or a file with a union of boxes",
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """Where a command writes the network that it makes."""
    parser.add_argument(
        "-o", "--output", metavar="OUT", required=True, help="file to write: .json, .npz or .onnx"
    )


def add_limits(parser: argparse.ArgumentParser, *things: str) -> None:
    """Bounds on the work; over a bound the verdict is undecided."""
    parser.add_argument("--timeout", metavar="S", type=positive_number, help="stop after S seconds")
    for thing in things:
        parser.add_argument(
            f"--max-{thing}", metavar="N", type=_positive_integer, help=f"stop after N {thing}"
        )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """How many processes; the output is the same for any number of them."""
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=_positive_integer,
        default=1,
        help="use N processes for the certificate",
    )


def positive_number(text: str) -> float:
    """A number of seconds."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text}: expected a positive number")
    return value


def _positive_integer(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected a positive integer")
    return value
