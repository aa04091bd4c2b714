"""A command is one function from what was asked to what was found.

    @command(
        ON_DOMAIN,
        CERTIFICATE,
        asks="questions.faces.is_honest",
        example="example:xor",
    )
    def honest(ask: Ask) -> Outcome:
        \"""Does the breakpoint complex bend wherever layers meet?\"""
        return ask.asked(ask.network, ask.domain)

The name of the function is the name of the command, the first paragraph of its docstring the
help.  Arguments are data, and so is the question that it asks, which knows what it answers and
which things it counts.
:class:`Ask` loads the objects that they name, each when it is first asked for; :class:`Outcome`
says what was found, how certain it is, and the exit code.  What a command needs of the other rooms
it imports when it runs, so that ``--help`` loads nothing heavy.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from exactrelu.cli.given import CommandArgument, memory, positive_integer, positive_number
from exactrelu.cli.outcome import CODES, Names, Outcome, stopped
from exactrelu.effort import STOPPED, UNLIMITED, Effort, Limits, Stopped
from exactrelu.errors import InputError
from exactrelu.files import kind_named
from exactrelu.progress import Bar
from exactrelu.public.names import COMMANDS as FUNCTIONS
from exactrelu.public.names import bounds_of
from exactrelu.words import EXACT, Words

if TYPE_CHECKING:
    from exactrelu.answer import Part
    from exactrelu.certificates.certificate import Result
    from exactrelu.exact.matrix import Matrix
    from exactrelu.exact.scalar import Vector
    from exactrelu.network.network import Network
    from exactrelu.polyhedra.boxes import BoxUnion
    from exactrelu.polyhedra.domain import Domain

#: Arguments that bound the work.
BOUNDS = Limits.__annotations__.keys()

#: Bytes of a file that is read in no time.
_SMALL = 100_000
_SMALL_DIMENSION = 20

Found = TypeVar("Found")


class Ask:
    """What was asked: the arguments, and the objects that they name, loaded when needed.

    Used in a ``with`` statement, at the end of which its progress bar ends.  ``effort`` is what
    the process that runs the command may spend.
    """

    def __init__(self, args: argparse.Namespace, effort: Effort = UNLIMITED) -> None:
        self.args = args
        self._whole = effort
        self._bar = Bar()
        self._shown: Callable[[Any], Outcome] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, place: TracebackType | None
    ) -> None:
        self._bar.close()

    def about(self, network: Network) -> Ask:
        """The same, asked about a network that is loaded already."""
        other = Ask(self.args, self.effort)
        other.given = network
        return other

    @cached_property
    def given(self) -> Network:
        """The network of the file, whatever ``--slice`` says."""
        return self.load(self.args.network)

    @property
    def network(self) -> Network:
        """The network that the question is about: on a slice its restriction."""
        return self.given if self._slice is None else self._sliced[0]

    @cached_property
    def pair(self) -> tuple[Network, Network]:
        """The networks A and B."""
        return self.load(self.args.a), self.load(self.args.b)

    @cached_property
    def matrix(self) -> Matrix:
        """The matrix of the file."""
        from exactrelu.exact.text import load_matrix

        return load_matrix(self.args.matrix, effort=self._effort_of(self.args.matrix))

    @property
    def domain(self) -> Domain:
        """Where the question is asked, or what is left of it on a slice."""
        return self._sliced[1]

    @cached_property
    def domain_or_union(self) -> Domain | BoxUnion:
        """The same where unions of boxes are welcome."""
        from exactrelu.polyhedra.boxes import BoxUnion, parse_domain_or_union

        found = parse_domain_or_union(self.args.domain, self.given.n_inputs, self.for_reading)
        if not isinstance(found, BoxUnion):
            return found if self._slice is None else self.domain
        if self._slice is not None:
            raise InputError("--slice: slices of a union of boxes are not computed")
        return found

    def domain_in(self, dimension: int) -> Domain:
        """``--domain`` in a space that is not that of the inputs of the network."""
        from exactrelu.polyhedra.domain import Domain

        # A small one is read whatever the time: the question has more to say.
        effort = self.effort if dimension > _SMALL_DIMENSION else self.for_reading
        return Domain.of(self.args.domain, dimension, effort)

    @property
    def where(self) -> str:
        """The words for the domain, in a sentence."""
        domain = getattr(self.args, "domain", None)
        named = "" if domain in (None, "R") else f" on {domain}"
        return named if self._slice is None else f"{named} in the slice {self._slice}"

    @property
    def restriction(self) -> Names:
        """What a certificate about a slice leaves to be believed: its network is the slice."""
        return () if self._slice is None else ("the restriction to the slice",)

    @property
    def words(self) -> Words:
        """How numbers are said; those of a reason that goes into JSON have all their digits."""
        has_all_digits, lists = self.args.exact or self.args.json, self.lists
        return Words(has_all_digits=has_all_digits, where=self.where, lists=lists)

    @property
    def lists(self) -> bool:
        """Whether what is long is told too."""
        return getattr(self.args, "list", False)

    @property
    def wants_certificate(self) -> bool:
        """Whether a certificate is to be written: some cost more than their answer."""
        return getattr(self.args, "certificate", None) is not None

    @cached_property
    def effort(self) -> Effort:
        """The bounds that the user gave, and a progress bar on a terminal."""
        given = {name: value for name, value in vars(self.args).items() if name in BOUNDS}
        progress = self._bar if sys.stderr.isatty() else False
        effort = Effort.of(cast(Limits, {**given, "effort": self._whole, "progress": progress}))
        if given.get("cluster") is not None:
            from exactrelu.work.crew import reach

            reach(effort)
        return effort

    def told(
        self, found: Result, question: str = "", /, text: str | None = None, **more: Any
    ) -> Outcome:
        """A result as its parts are declared: ``honest on box:-1..1: yes, …``, and lines below.

        The question has the name of the command if it has no other.  ``text`` is what people read
        instead; ``more`` are fields of the command alone.
        """
        lists, word = self.lists, found.word_told
        certified = found.names_certified(lists=lists)
        restriction = self.restriction if certified else ()
        lines = found.told(question or self.args.command.name, self.words)
        return Outcome(
            "\n".join(lines) if text is None else text,
            found.sentence(EXACT),
            {**found.known(lists=lists), **more},
            found.certificate if self.wants_certificate else None,
            word,
            CODES[word],
            certified,
            (*restriction, *found.words_computed(lists=lists)),
        )

    def asked(self, *given: Any, called: str = "", **options: Any) -> Outcome:
        """The question of the command is asked, and its answer told.

        So it is where it has to be ended from outside.  It has the name of the command if it is
        ``called`` nothing else.
        """
        shown = self.showing(self.telling(called))
        return shown(self.args.command.question(*given, **options, effort=self.effort))

    def telling(self, question: str) -> Callable[[Result], Outcome]:
        """How the results of a question are told."""
        return lambda found: self.told(found, question)

    def showing(self, outcome: Callable[[Found], Outcome]) -> Callable[[Found], Outcome]:
        """How a result is told, also that of a question which has to be ended from outside."""
        self._shown = outcome
        return outcome

    def asking_more(self) -> None:
        """From here on other questions are asked, whose answers so far are none to this one."""
        self._shown = None

    def known(self) -> Outcome:
        """What would be told if the question were ended from outside now."""
        stop = Stopped(STOPPED)
        found = self._whole.known(stop)
        if found is not None and self._shown is not None:
            return self._shown(found)
        so_far = self._whole.progress
        return stopped(f"{stop}: {so_far} so far" if so_far else str(stop))

    def load(self, path: str, **options: Any) -> Network:
        """A network that an argument names; the options are those of :func:`exactrelu.load`."""
        from exactrelu.network.formats.load import load

        return load(path, effort=self._effort_of(path), **self.reading(path), **options)

    def reading(self, path: str) -> dict[str, Any]:
        """What ``--no-normalize`` asks of a file."""
        from exactrelu.network.formats.load import is_nnet

        is_asked = getattr(self.args, "no_normalize", False)
        return {"normalize": False} if is_asked and is_nnet(path) else {}

    def _effort_of(self, path: str) -> Effort:
        """What reading a file may cost.

        A small one is read in no time, even if there is none: the question then has more to say.
        """
        is_file = os.path.isfile(path)
        is_small = kind_named(path) or (is_file and os.path.getsize(path) <= _SMALL)
        return self.for_reading if is_small else self.effort

    @property
    def for_reading(self) -> Effort:
        """What reading may cost whatever the time is: a part of the memory."""
        return Effort(memory=self.effort.memory)

    @property
    def _slice(self) -> str | None:
        text: str | None = getattr(self.args, "slice", None)
        return text

    @cached_property
    def _sliced(self) -> tuple[Network, Domain]:
        """The network and the domain, or what is left of both on ``--slice``."""
        from exactrelu.polyhedra.domain import Domain

        domain = self.domain_in(self.given.n_inputs)
        if self._slice is None:
            return self.given, domain
        base, directions = parse_slice(self._slice)
        if not directions:
            raise InputError(
                f"--slice {self._slice}: expected a base point and at least one direction"
            )
        # It refuses vectors of another length.
        network = self.given.slice(base, directions)
        rows = domain.system.slice(base, directions)
        return network, Domain.of(rows, len(directions))


def parse_slice(text: str) -> tuple[Vector, list[Vector]]:
    """The base point and the directions of ``--slice BASE;D1;D2;…``."""
    from exactrelu.exact.scalar import parse_vector

    base, *directions = (parse_vector(v, "--slice") for v in text.split(";"))
    return base, directions


@dataclass(frozen=True)
class Command:
    """A subcommand: its help, an example, its arguments and what it does.

    ``asks`` is the question that it asks, by its place in the package, and ``other_results`` are
    classes of answers to others.  The parts of its first result, that to the plain question, are
    ``fields``, and others may be given.  An answer that is undecided has them too, null where
    nothing is known.
    ``undecided`` makes of any other undecided outcome, which the question did not tell itself, one
    that whoever reads stdout expects.
    """

    name: str
    summary: str
    example: str
    arguments: tuple[CommandArgument, ...]
    run: Callable[[Ask], Outcome]
    asks: str = ""
    other_results: Names = ()
    given_fields: Names = ()
    undecided: Callable[[Outcome], Outcome] | None = None

    @property
    def question(self) -> Callable[..., Any]:
        """The function that it asks."""
        found: Callable[..., Any] = _at(self.asks)
        return found

    @property
    def results(self) -> tuple[type[Result], ...]:
        """The classes of its answers, that of the plain question first."""
        from exactrelu.questions.question import question_of

        declared = question_of(self.question) if self.asks else None
        return (*(declared.results if declared else ()), *map(_at, self.other_results))

    @property
    def parts(self) -> tuple[Part, ...]:
        """What the results consist of, as they are declared; of each name the first."""
        return tuple({p.name: p for cls in reversed(self.results) for p in cls.PARTS}.values())

    @property
    def fields(self) -> Names:
        """The names of the parts of the first result, and others that are given."""
        declared = (part.name for cls in self.results[:1] for part in cls.PARTS)
        listed = {part.name for part in self.parts if part.is_listed}
        return (*(name for name in declared if name not in listed), *self.given_fields)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        for given in (*self.arguments, *EVERYWHERE):
            parser.add_argument(*given.names, **given.options)


def _at(place: str) -> Any:
    """What is at a place of the package: ``questions.faces.is_honest``."""
    module, _, name = place.rpartition(".")
    return getattr(import_module(f"exactrelu.{module}"), name)


def command(
    *arguments: CommandArgument | tuple[CommandArgument, ...],
    example: str,
    asks: str = "",
    results: str = "",
    fields: str = "",
    name: str | None = None,
    undecided: Callable[[Outcome], Outcome] | None = None,
) -> Callable[[Callable[[Ask], Outcome]], Command]:
    """Make a command of a function; ``example`` is what follows the name of the command.

    ``fields`` are names, with spaces between them, and so are the classes of other ``results``;
    ``asks`` and ``undecided`` are as in :class:`Command`.
    """

    def declared(run: Callable[[Ask], Outcome]) -> Command:
        called = name or run.__name__.replace("_", "-")
        sentence = " ".join((run.__doc__ or "").split("\n\n")[0].split()).removesuffix(".")
        flat = [
            a
            for given in arguments
            for a in ((given,) if isinstance(given, CommandArgument) else given)
        ]
        flat += map(_limit, bounds_of(FUNCTIONS.get(called, "").rpartition(".")[2]))
        if any(a.is_network for a in flat):
            flat.append(NO_NORMALIZE)
        return Command(
            called,
            sentence[:1].lower() + sentence[1:],
            f"exactrelu {called} {example}",
            tuple(flat),
            run,
            asks,
            tuple(results.split()),
            tuple(fields.split()),
            undecided,
        )

    return declared


def argument(
    *names: str, needs: str = "", excludes: str = "", replaces: bool = False, **options: Any
) -> CommandArgument:
    """An argument with a value; names of others have spaces between them."""
    return CommandArgument(names, options, tuple(needs.split()), tuple(excludes.split()), replaces)


def switch(name: str, words: str, *, needs: str = "", excludes: str = "") -> CommandArgument:
    """An option without a value."""
    return argument(name, needs=needs, excludes=excludes, action="store_true", help=words)


def _limit(thing: str) -> CommandArgument:
    """A bound on how many of a thing are found; over it the verdict is undecided."""
    words = f"stop after N {thing}"
    return argument(f"--max-{thing}", metavar="N", type=positive_integer, help=words)


def seed(words: str, *, needs: str = "") -> CommandArgument:
    """From where random numbers go on: the same seed gives the same answer."""
    return argument("--seed", metavar="N", type=int, default=0, needs=needs, help=words)


def domain(words: str, default: str | None = "R") -> CommandArgument:
    """Where a question is asked."""
    return argument("--domain", metavar="D", default=default, help=words)


def output(words: str, metavar: str = "OUT", **options: Any) -> CommandArgument:
    """A file to write, or a folder."""
    return argument("-o", "--output", metavar=metavar, help=words, **options)


def seconds_each(what: str, default: str, *, needs: str = "") -> CommandArgument:
    """A bound beside that on the whole."""
    return argument(
        "--seconds-each",
        metavar="S",
        type=positive_number,
        needs=needs,
        help=f"stop each {what} after S seconds (default: {default})",
    )


#: What every command takes.
EVERYWHERE = (
    argument("--timeout", metavar="S", type=positive_number, help="stop after S seconds"),
    argument(
        "--max-memory",
        metavar="M",
        type=memory,
        help="stop at M bytes of memory, or 500M, 2G (default: 80%% of the machine)",
    ),
    switch("--json", "print one JSON object"),
    switch("--exact", "print all digits of every number"),
)
NETWORK_FILE = "network file (.json, .onnx, .npz, .nnet, .pt, each also .gz) or example:NAME"
NETWORK = argument("network", metavar="NET", help=NETWORK_FILE)
#: Of every command that reads a network.
NO_NORMALIZE = switch("--no-normalize", "read .nnet files without their normalisation")
MATRIX = argument("matrix", metavar="FILE", help="a JSON list of rows of exact numbers")
CERTIFICATE = argument("--certificate", metavar="FILE", help="write the certificate")
OUTPUT = output("file to write: .json, .npz or .onnx", required=True, replaces=True)
DOMAIN = domain("R, orthant, box:a..b[,a..b…] or a polyhedron file")
#: Where a question is asked that need not be convex.
DOMAIN_OR_UNION = domain(
    "R, orthant, box:a..b[,a..b…], a polyhedron file or a file with a union of boxes"
)
SLICE = argument(
    "--slice",
    metavar="BASE;D1;D2;…",
    help="ask on base + t1·d1 + t2·d2 + …, each a list of numbers",
)
ON_DOMAIN = (NETWORK, DOMAIN, SLICE)
JOBS = argument(
    "--jobs",
    metavar="N",
    type=positive_integer,
    default=1,
    help="share the work between N processes",
)
#: Who does the work; the output is the same whoever does it.
WORKERS = (
    JOBS,
    argument(
        "--cluster",
        metavar="ADDRESS",
        help="share it between the workers of a Dask cluster: tcp://HOST:PORT of its scheduler",
    ),
)
#: Which of two bounds is certified.
BOUND = argument(
    "--bound",
    choices=("lower", "upper"),
    default="lower",
    help="which bound the certificate is for (default: lower)",
)
