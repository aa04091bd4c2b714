"""A question in pieces: split where it is too large, proved by whoever is there, put together.

The whole domain is asked first.  A piece that is too large (:mod:`.kinds`) is cut, and its parts
are asked; every other one has a certificate of its own, an ordinary one, in the folder
(:mod:`.folder`).  In the end the *manifest* says how the pieces fit together: the checker writes
the claims that it owes itself, and looks them up in its ledger of what it has accepted.

Whether a piece is cut depends on the piece alone, so that the files are the same for any number of
processes, on one machine or many, in one run or resumed.  Nothing but the tree of pieces and the
numbers is kept in memory: what a worker holds is bounded by the size of a piece.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from inspect import signature
from typing import Any, NamedTuple, Unpack

from exactrelu.certificates.certificate import Verdict, claim, encoded
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import InputError, WrongType, require_word, shortened
from exactrelu.files import PathLike
from exactrelu.network.network import Network, plain
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.posed import NetworksLike, property_of
from exactrelu.questions.properties.property import Property
from exactrelu.questions.properties.query import Query
from exactrelu.questions.properties.verify import held
from exactrelu.questions.properties.versions import read_query
from exactrelu.questions.question import Call, question
from exactrelu.questions.shards.answers import Sharded
from exactrelu.questions.shards.counted import FacePieces, RegionPieces
from exactrelu.questions.shards.everywhere import EqualPieces, PropertyPieces, TransparentPieces
from exactrelu.questions.shards.folder import CutFurther, Done, Folder, Place
from exactrelu.questions.shards.kinds import (
    Answer,
    Fails,
    PieceTooLarge,
    Proved,
    Shardable,
    asked_of,
)
from exactrelu.work.crew import Crew


class _Task(NamedTuple):
    """A piece that is to be asked, and where it lies."""

    place: Place
    piece: Any


def _ask(question: Shardable, size: int, task: _Task, effort: Effort) -> Answer | tuple[Any, ...]:
    """The answer on one piece, its certificate as bytes: anywhere."""
    bounds: dict[str, Any] = {question.things: size}
    found = question.ask(task.piece, effort.apart(**bounds))
    if isinstance(found, Proved):
        return found.numbers, found.certificate.to_bytes()
    return found


@question
def in_shards(
    call: Call[Sharded],
    question: str,
    *subjects: Any,
    folder: PathLike,
    resume: bool = False,
    size: int | None = None,
    **limits: Unpack[Limits],
) -> Sharded:
    """Ask a large question piece by piece, each with a certificate of its own in a folder.

    Parameters
    ----------
    question : str
        ``"regions"``, ``"complex"``, ``"transparent"``, ``"equivalent"``, ``"holds"`` or
        ``"verify"``.
    *subjects
        What that function takes: a network and a domain; two networks and a domain; a network, a
        domain and constraints; a query and its networks.
    folder : str or path
        Where the certificates are written; it must be empty, or there must be none.
    resume : bool, optional
        Go on with what is in the folder already.
    size : int, optional
        How many regions, faces, cells or boxes a piece has at most.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Sharded
        ``answer``, ``numbers``, ``manifest``; ``check()`` asks the checker about all files.

    Notes
    -----
    ``jobs`` processes share the work, or a ``cluster``, or an ``executor``.  The files are the same
    for any number of them, in one run or in several.  A piece that is
    too large is cut by neurons, a box in the middle.  Memory is bounded by the pieces.

    Examples
    --------
    >>> import exactrelu as er
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     found = er.in_shards("regions", er.load("example:moons"), folder=folder, size=50)
    ...     found.numbers, found.n_pieces > 1, found.check().is_accepted
    ((129,), True, True)
    """
    return _in_pieces(call, shardable(question, *subjects), folder, resume=resume, size=size)


@question
def in_pieces(
    call: Call[Sharded],
    asked: Shardable,
    folder: PathLike,
    *,
    resume: bool = False,
    size: int | None = None,
    **limits: Unpack[Limits],
) -> Sharded:
    """The answer to a question piece by piece; what is proved when it is stopped is kept."""
    return _in_pieces(call, asked, folder, resume=resume, size=size)


def _in_pieces(
    call: Call[Sharded], asked: Shardable, folder: PathLike, *, resume: bool, size: int | None
) -> Sharded:
    if size is not None and size < 1:
        raise InputError(f"size of a piece: found {size}, expected a positive number")
    size = size or asked.size
    opened = Folder(folder, asked_of(asked, size), resume=resume)
    run = _PiecesRun(asked, opened, size, call.effort)
    call.knows(run.known)
    return run.answered()


class _PiecesRun:
    """The tree of pieces as far as it is known."""

    def __init__(self, question: Shardable, folder: Folder, size: int, effort: Effort) -> None:
        self.question, self.folder, self.size, self.effort = question, folder, size, effort
        #: The nodes below each piece that was cut.
        self.below: dict[Place, list[Any]] = {}
        self.opening: list[str] = []
        self.n_left = 0

    def answered(self) -> Sharded:
        """Ask until no piece is left; then write the manifest.

        Parts of what was cut last are asked first, and only a few pieces at a time are handed out:
        so few are open, however many there will be.
        """
        with Crew(partial(_ask, self.question, self.size), self.effort, self._name) as crew:
            asked: dict[int, _Task] = {}
            whole, self.opening = self.question.whole(self.effort)
            left = self._parts(_Task((), whole))

            def fill() -> None:
                while left and crew.n_left < crew.window:
                    task = left.pop()
                    asked[crew.submit(task)] = task
                self.n_left = len(asked) + len(left)

            fill()
            for number, answer in crew.as_done():
                task = asked.pop(number)
                if isinstance(answer, Fails):
                    return self._fails(answer.verdict)
                if isinstance(answer, PieceTooLarge):
                    self.folder.cut(task.place, answer.n_cuts)
                    left += self._parts(task)
                else:
                    self.folder.done(task.place, *answer)
                    self.effort.spend("pieces")
                    self._count(answer[0])
                fill()
        return self._finished()

    def _parts(self, task: _Task) -> list[_Task]:
        """The pieces below one that are neither proved nor cut, the first of them last."""
        return [*self._open(task)][::-1]

    @staticmethod
    def _name(task: _Task) -> str:
        return Folder.name(task.place).removesuffix(".cert.jsonl.gz")

    def _open(self, task: _Task) -> Iterator[_Task]:
        """The pieces below one that are neither proved nor cut."""
        stack = [task]
        while stack:
            task = stack.pop()
            known = self._known(task)
            if known is None:
                yield task
            elif isinstance(known, CutFurther):
                nodes = list(self.question.parts(task.piece, known.n_cuts, self.effort.alone()))
                pieces = [node for node in nodes if self.question.is_piece(node)]
                if pieces == [task.piece]:
                    raise Stopped(f"{self._name(task)} is too large, and nothing cuts it")
                parts = [_Task((*task.place, k), piece) for k, piece in enumerate(pieces)]
                numbers = iter(parts)
                # A piece is kept where its task is, and not in the manifest.
                is_piece = self.question.is_piece
                self.below[task.place] = [
                    next(numbers).place if is_piece(node) else _KeptNode(node) for node in nodes
                ]
                stack += reversed(parts)

    def _known(self, task: _Task) -> Done | CutFurther | None:
        """What is known of a piece: it is done if its file makes the claim that will be owed."""
        known = self.folder.known.get(task.place)
        if not isinstance(known, Done):
            return known
        stated = self.folder.claim(task.place)
        counted = {name: stated[name] for name in ("count", "counts") if name in stated}
        own = {"domain": encoded(self.question.domain(task.piece))}
        if stated != {**self._whole, **own, **counted}:
            del self.folder.known[task.place]
            return None
        known = Done(tuple(counted.get("counts", counted.values())))
        self.folder.known[task.place] = known
        self._count(known.numbers)
        return known

    @cached_property
    def _whole(self) -> dict[str, Any]:
        """The claim about the whole, whatever its numbers are."""
        return self.question.manifest([], ()).claim

    def _count(self, numbers: tuple[int, ...]) -> None:
        """What is counted on a piece that is proved."""
        self.effort.spend(self.question.things, sum(numbers))

    def _finished(self) -> Sharded:
        records = [*self.opening]
        writer = self.question.writer()
        total: tuple[int, ...] = ()
        for node in self._preorder(()):
            if isinstance(node, _KeptNode):
                records += writer.records(node.node)
                numbers = self.question.numbers(node.node)
            else:
                numbers = self._done(node).numbers
                records.append(writer.shard(numbers))
            total = tuple(map(sum, zip(total, numbers, strict=True))) if total else numbers
        self.folder.finish(self.question.manifest(records, total).to_bytes())
        n = self._n_pieces()
        on = {0: "the cells of the manifest", 1: "one piece"}.get(n, f"each of {n:,} pieces")
        reason = f"proved on {on}"
        files = tuple(self.folder.files())
        return self.question.answers(True, reason, total, n, 0, self.folder.path, files)

    def _preorder(self, place: Place) -> Iterator[Any]:
        """The nodes of the manifest: kept ones, and the places of pieces that are proved."""
        stack: list[Any] = [place]
        while stack:
            node = stack.pop()
            if isinstance(node, _KeptNode) or node not in self.below:
                yield node
            else:
                stack += reversed(self.below[node])

    def _done(self, place: Place) -> Done:
        found = self.folder.known[place]
        if not isinstance(found, Done):
            raise ArithmeticError("a piece that was cut has no parts: a bug")
        return found

    def _n_pieces(self) -> int:
        return sum(isinstance(found, Done) for found in self.folder.known.values())

    def _fails(self, verdict: Verdict) -> Sharded:
        """A witness on a piece is one on the whole."""
        found = verdict.certificate
        if found is None:
            raise ArithmeticError("an answer without a certificate: a bug")
        whole = claim(
            found.kind, found.method, found.records, holds=False, **self.question.subjects
        )
        verdict = replace(verdict, certificate=whole)
        file = self.folder.finish(whole.to_bytes())
        n, path = self._n_pieces(), self.folder.path
        return self.question.answers(
            False, verdict.reason, (), n, self.n_left, path, (file,), verdict
        )

    def known(self, stopped: Stopped) -> Sharded:
        """What is proved by now; it is in the folder, and can be resumed."""
        done = [found.numbers for found in self.folder.known.values() if isinstance(found, Done)]
        numbers = tuple(map(sum, zip(*done, strict=True))) if done else self.question.nothing
        words = f"{len(done):,} pieces proved, {self.n_left:,} known to be left; --resume goes on"
        path = self.folder.path
        return self.question.answers(
            None, f"{stopped}: {words}", numbers, len(done), self.n_left, path
        )


class _KeptNode(NamedTuple):
    """A node that the manifest has itself."""

    node: Any


def shardable(question: str, *subjects: Any) -> Shardable:
    """The question of a name about what it is asked of."""
    makers: dict[str, Callable[..., Shardable]] = {
        "regions": lambda network, domain=None: RegionPieces(
            network, Domain.of(domain, network.n_inputs)
        ),
        "complex": lambda network, domain=None: FacePieces(
            network, Domain.of(domain, network.n_inputs)
        ),
        "transparent": lambda network, domain=None: TransparentPieces(
            Domain.of(domain, network.n_inputs), plain(network, "transparency")
        ),
        "equivalent": lambda a, b, domain=None: EqualPieces.of(a, b, Domain.of(domain, a.n_inputs)),
        "holds": lambda network, domain, constraints: PropertyPieces.of(
            held(network, Domain.of(domain, network.n_inputs), constraints)
        ),
        "verify": lambda query, networks: PropertyPieces.of(_posed(query, networks)),
    }
    maker = makers[require_word(question, makers, "question")]
    taken = [*signature(maker).parameters.values()]
    needed = [p.name for p in taken if p.default is p.empty]
    if not len(needed) <= len(subjects) <= len(taken):
        words = ", ".join(p.name for p in taken)
        raise WrongType(f"{question}: found {len(subjects)} subjects, expected {words}")
    for p, subject in zip(taken, subjects, strict=False):
        if p.name in ("network", "a", "b") and not isinstance(subject, Network):
            raise WrongType(f"{p.name}: found {shortened(subject)}, expected a Network")
    return maker(*subjects)


def _posed(query: Query | PathLike, networks: NetworksLike) -> Property:
    """The property of a query."""
    found = property_of(query if isinstance(query, Query) else read_query(query), networks)
    if found.domain is None:
        raise InputError("no input fits the query: it is unsat, and there is nothing to cut")
    return found.property
