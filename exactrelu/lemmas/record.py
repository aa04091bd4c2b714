"""All statements by id, in the order of the papers, and what is known about each of them.

The record of the last searches is kept with the package.  It is no proof: a refuted statement has
its certificate in ``proofs/certificates/lemmas``, and the tests search again.  A counterexample is
saved as a case: a folder with its networks, its instance and what it refutes.

``refute`` asks whether there is a counterexample to a published statement, and
``refute_conjecture`` to a user's own; the answer is a verdict with its certificate.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from importlib.resources import files
from inspect import getdoc
from pathlib import Path
from typing import Any, Unpack

from exactrelu.display import Shown
from exactrelu.effort import Effort, UntimedLimits, clock
from exactrelu.errors import InputError, shortened
from exactrelu.files import atomic_write, make_folder
from exactrelu.lemmas import (
    injective_layers,
    local_linearity,
    phuong_lampert,
    rolnick_kording,
    three_layers,
)
from exactrelu.lemmas.examine import Counterexample
from exactrelu.lemmas.families import UNITS
from exactrelu.lemmas.own_statements import DEFAULT_WIDTHS, load_conjecture, own_statement
from exactrelu.lemmas.refutation import OwnRefutation, StatementRefutation
from exactrelu.lemmas.search import SECONDS, Origin, StatementSearch, look_for, search
from exactrelu.lemmas.statement import (
    CLASSES,
    AnyStatement,
    Instance,
    Judgement,
    Statement,
    Untestable,
    instance_object,
    instance_of,
)
from exactrelu.network.formats.load import save_json
from exactrelu.questions.question import Call, question

_PAPERS = (rolnick_kording, phuong_lampert, three_layers, injective_layers, local_linearity)


class Statements(dict[str, AnyStatement], Shown):
    """Statements by their ids."""

    __repr__ = Shown.__repr__

    def _headline(self) -> str:
        return f"Statements: {len(self)} of {len(_PAPERS)} papers, by id: {', '.join(self)}"

    def _facts(self) -> Iterator[tuple[str, object]]:
        yield from ((name, found.text) for name, found in self.items())


STATEMENTS = Statements(
    {statement.id: statement for paper in _PAPERS for statement in paper.STATEMENTS}
)


def statement(name: str) -> AnyStatement:
    """The statement of this id."""
    if name not in STATEMENTS:
        spelled = {known.lower(): known for known in STATEMENTS}
        close = get_close_matches(name.lower(), spelled, 1, 0.8)
        hint = f"did you mean {spelled[close[0]]}? " if close else ""
        raise InputError(
            f"statement {shortened(name)}: not known; {hint}`exactrelu lemmas` lists them"
        )
    return STATEMENTS[name]


def testable(name: str) -> Statement:
    """The statement of this id, which a search may refute."""
    found = statement(name)
    if isinstance(found, Untestable):
        raise InputError(f"{found.id} is not testable: {found.why}")
    return found


RECORD = "record.json"


@dataclass(frozen=True)
class RecordEntry:
    """The status of a statement, in the words of the interface, and what stands behind it.

    ``detail`` is a sentence; ``counterexample`` the instance as JSON, if there is one.
    """

    id: str
    status: str
    detail: str
    counterexample: dict[str, Any] | None = None

    def instance(self) -> Instance | None:
        """The counterexample as an instance."""
        return None if self.counterexample is None else instance_of(self.counterexample)


def entry_of(found: StatementSearch, seconds: float) -> RecordEntry:
    """The entry of a statement after a search that took so long."""
    name = found.statement.id
    if found.counterexample is not None:
        instance = found.counterexample.instance
        numbers, _ = instance.size()
        detail = (
            f"refuted after {found.tally.examined:,} instances in {seconds:.1f} s "
            f"({found.phase}), shrunk to {numbers} numbers"
        )
        return RecordEntry(name, found.status, detail, instance_object(instance))
    detail = f"no counterexample in {found.tally.within:,} instances within the hypotheses"
    settled = [level for level in found.completed if level.within and not level.undecided]
    if settled:
        detail += "; all of " + "; ".join(f"{level.bound} ({level.within:,})" for level in settled)
    return RecordEntry(name, found.status, detail)


def searched(seconds: float, seed: int, name: str, effort: Effort) -> RecordEntry | str:
    """The entry of a statement after a search; why there is none, if the time was over before."""
    chosen = statement(name)
    if isinstance(chosen, Untestable):
        return untestable_entry(chosen)
    start = clock()
    # As long as there are several statements, each is for one.
    found = search(chosen, seconds=seconds, seed=seed, effort=effort.alone())
    return found.stopped or entry_of(found, clock() - start)


def untestable_entry(statement: Untestable) -> RecordEntry:
    """The entry of a statement that no search can settle."""
    return RecordEntry(statement.id, "untestable", statement.why)


def load_record() -> dict[str, RecordEntry]:
    """The kept entries by id."""
    text = files("exactrelu.lemmas").joinpath(RECORD).read_text(encoding="utf-8")
    return {fields["id"]: RecordEntry(**fields) for fields in json.loads(text)}


def known_entry(statement: AnyStatement, record: dict[str, RecordEntry]) -> RecordEntry:
    """The entry of a statement, ``open`` if nobody has searched yet."""
    if isinstance(statement, Untestable):
        return untestable_entry(statement)
    return record.get(statement.id, RecordEntry(statement.id, "open", "not searched yet"))


def judgement_of(statement: AnyStatement, entry: RecordEntry) -> Judgement | None:
    """What a refutation says about the paper; None for what is not refuted, or not judged yet."""
    if entry.status != "refuted" or not isinstance(statement, Statement):
        return None
    return statement.judgement


def summary(pairs: Sequence[tuple[AnyStatement, RecordEntry]]) -> str:
    """How many statements have each status, and the refuted ones by class."""
    statuses = Counter(entry.status for _, entry in pairs)
    judgements = [judgement_of(*pair) for pair in pairs if pair[1].status == "refuted"]
    classes = Counter("not judged" if j is None else j.name for j in judgements)
    by_class = ", ".join(
        f"{classes[name]} {name}" for name in (*CLASSES, "not judged") if classes[name]
    )
    return ", ".join(
        f"{statuses[status]} {status}" + (f" ({by_class})" if status == "refuted" else "")
        for status in sorted(statuses)
    )


def save_record(entries: Iterable[RecordEntry], path: Path) -> None:
    """Write a record, a line for each statement."""
    lines = ",\n".join(json.dumps(asdict(entry), ensure_ascii=False) for entry in entries)
    atomic_write(path, f"[\n{lines}\n]\n".encode())


def save_case(found: Counterexample, folder: Path) -> list[Path]:
    """Write ``expected.json`` and a file for each network; return their paths."""
    make_folder(folder)
    networks = found.instance.networks()
    for name, network in networks.items():
        save_json(network.renamed(f"{found.statement.id} {name}"), folder / f"{name}.json")
    others = {
        name: value
        for name, value in instance_object(found.instance).items()
        if name not in networks
    }
    expected = {
        "id": folder.name,
        "source": found.statement.source,
        "kind": "counterexample",
        "claim": found.statement.text,
        "explanation": found.explanation,
        "networks": {name: f"{name}.json" for name in networks},
        "instance": others,
        "facts": [{"check": "refutes", "args": {"lemma": found.statement.id}, "expected": True}],
    }
    text = json.dumps(expected, indent=1, ensure_ascii=False) + "\n"
    atomic_write(folder / "expected.json", text.encode())
    return [folder / "expected.json", *(folder / f"{name}.json" for name in networks)]


@question
def refute(
    call: Call[StatementRefutation],
    lemma: str,
    *,
    timeout: float | None = SECONDS,
    seed: int = 0,
    seconds: float | None = None,
    **limits: Unpack[UntimedLimits],
) -> StatementRefutation:
    """Search an exact counterexample to a published statement.

    Parameters
    ----------
    lemma : str
        The id of a statement: a key of ``er.statements``.
    timeout : float, optional
        Seconds to search.
    seed : int, optional
        The same seed gives the same result.
    seconds : float, optional
        An old name of ``timeout``.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    StatementRefutation
        ``answer`` is True if it is refuted, else None; ``witness.counterexample`` has the instance.

    Notes
    -----
    Small instances are tried exhaustively, then random ones; a counterexample is shrunk.

    Examples
    --------
    >>> import exactrelu as er
    >>> found = er.refute("S003-lemma-1")
    >>> found.answer, found.witness.counterexample.instance.network().layers[0].affine
    (True, Matrix([[-1, -1], [1, 1]]))
    """
    chosen = testable(lemma)
    told, origin = StatementRefutation.of_search, (testable, lemma)
    return _searched(call, chosen, timeout, seconds, seed, told, origin)


def _searched(
    call: Call[StatementRefutation],
    chosen: Statement,
    timeout: float | None,
    seconds: float | None,
    seed: int,
    told: Callable[[StatementSearch], StatementRefutation],
    origin: Origin | None,
) -> StatementRefutation:
    """A search of so many seconds; if nothing is said, until whoever asks has no more."""
    if timeout != SECONDS or (seconds is None and call.effort.seconds_left() is None):
        # Of two limits the tighter one.
        seconds = min((limit for limit in (seconds, timeout) if limit is not None), default=None)
    return look_for(call, told, chosen, seconds=seconds, seed=seed, origin=origin)


@question
def refute_conjecture(
    call: Call[StatementRefutation],
    conjecture: str | os.PathLike[str] | Callable[..., Any],
    conclusion: Callable[..., Any] | None = None,
    *,
    widths: Sequence[Sequence[int]] = DEFAULT_WIDTHS,
    entries: Sequence[int] = UNITS,
    timeout: float | None = SECONDS,
    seed: int = 0,
    seconds: float | None = None,
    **limits: Unpack[UntimedLimits],
) -> StatementRefutation:
    """Search an exact counterexample to a statement of your own.

    Parameters
    ----------
    conjecture : callable, str or path
        The hypotheses, a function of networks that returns a verdict or a bool, or yields several;
        or a Python file with ``hypotheses`` and ``conclusion``.
    conclusion : callable, optional
        The conclusion, a function of the same networks.
    widths : sequence of sequences of int, optional
        The architectures, smallest first; a file has its own, as ``WIDTHS``.
    entries : sequence of int, optional
        The weights that are tried exhaustively; a file has its own, as ``ENTRIES``.
    timeout : float, optional
        Seconds to search.
    seed : int, optional
        The same seed gives the same result.
    seconds : float, optional
        An old name of ``timeout``.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    StatementRefutation
        ``answer`` is True if it is refuted, else None; ``witness.counterexample`` has the instance.

    Examples
    --------
    >>> import exactrelu as er
    >>> def hypotheses(N):
    ...     return er.is_injective(N, layer=1)
    >>> def conclusion(N):
    ...     return er.is_injective(N)
    >>> er.conjecture(hypotheses, conclusion, widths=[(1, 2, 1)], timeout=5).answer
    True
    """
    # Functions of a script are nowhere else.
    origin: Origin | None = None
    if not callable(conjecture):
        if conclusion is not None:
            raise InputError("a conjecture is a file, or two functions: hypotheses and conclusion")
        chosen = load_conjecture(os.fspath(conjecture))
        origin = load_conjecture, os.fspath(conjecture)
    else:
        names = {"hypotheses": conjecture, "conclusion": conclusion}
        options = {"WIDTHS": widths, "ENTRIES": entries, "__doc__": getdoc(conclusion)}
        chosen = own_statement({**names, **options}, "conjecture")
    return _searched(call, chosen, timeout, seconds, seed, OwnRefutation.of_search, origin)
