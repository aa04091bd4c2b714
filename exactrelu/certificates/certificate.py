"""The certificate: a claim about subjects, the records that prove it, and the file they make.

    claim("regions", "cells", records, network=N, domain=D, count=3, sense="exactly")

A claim of some kind speaks of subjects: networks, matrices, domains, points, numbers, each by the
name that ``proofs/FORMAT.md`` gives it there; how a subject is written follows from its type
(:func:`encoded`).  A kind is a statement, and most kinds have a negation (``holds``); the method
says how it is proved.  A record is a word and integers.  A domain is written by its rows in normal
form, and a point of its relative interior follows the name of the method; in the proof a flat
domain has the coordinates t of its chart (:mod:`exactrelu.polyhedra.chart`).

The bytes are a function of the claim and the records alone, so the same network and claim give the
same file.  A question makes its claim itself.  The kind is explained in ``proofs/rules``, and
accepted or refused by ``proofs/exactrelu_checker``.  The answer to a question, with its
certificate, is a :class:`Verdict`.

The independent checker is run as a program of its own.  It shares no code with exactrelu and
trusts none: what is handed over is the names of files.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Self, Unpack

from flint import fmpq, fmpz

from exactrelu.display import WIDTH, Shown, plain
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.errors import ExactReluError, Unanswered
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import common_denominator, to_hex
from exactrelu.exact.system import LinearSystem
from exactrelu.exact.text import (
    canonical_json,
    encode_matrix,
    encode_rational,
    encode_system,
    encode_vector,
)
from exactrelu.files import write_bytes
from exactrelu.network.network import Network
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.polyhedra.domain import Domain

FORMAT = "exactrelu-certificate/2"


def record(word: str, *integers: int | fmpz) -> str:
    """A record of a proof, a line.

    >>> record("split", 17), record("cell", -1, fmpz(2))
    ('split 11', 'cell -1 2')
    """
    return " ".join([word, *(format(int(x), "x") for x in integers)])


def point_record(word: str, point: Sequence[fmpq]) -> str:
    """A record that is a rational point: numerators, then the denominator."""
    den = int(common_denominator(point))
    return record(word, *(int(x.p) * (den // int(x.q)) for x in point), den)


@dataclass(frozen=True, repr=False)
class Certificate(Shown):
    """A claim and its proof by one method.

    ``fields`` are the encoded subjects, ``records`` the lines after ``by`` and ``inside``.
    """

    kind: str
    fields: Mapping[str, Any]
    records: tuple[str, ...] = ()
    method: str = ""
    #: Whether the statement or its negation; None for a kind that has no negation.
    holds: bool | None = None
    #: A record for each domain of the claim: a point of its relative interior.
    inside: tuple[str, ...] = ()
    #: The claims that this one takes together.
    parts: tuple[Certificate, ...] = ()

    def _headline(self) -> str:
        negated = "not " if self.holds is False else ""
        method = f" by {self.method}" if self.method else ""
        return f"Certificate: {negated}{self.kind}{method}, {len(self.records):,} records"

    def _facts(self) -> Iterator[tuple[str, object]]:
        yield "about", ", ".join(self.fields)
        yield "next", '.check()  .save("claim.cert.jsonl")'

    @property
    def claim(self) -> dict[str, Any]:
        """The claim as the file has it."""
        holds = {} if self.holds is None else {"holds": self.holds}
        return {**self.fields, "kind": self.kind, **holds}

    @property
    def proof(self) -> list[str]:
        """All records: the method, the points inside, what proves it."""
        return [f"by {self.method}", *self.inside, *self.records]

    @property
    def evidence(self) -> list[str]:
        """The proof as a part of another one, whose domain has its point already."""
        return [f"by {self.method}", *self.records]

    def lines(self) -> Iterator[str]:
        """The lines of the file: claim, records, footer."""
        digest = hashlib.sha256()
        first = canonical_json({"claim": self.claim, "format": FORMAT})
        n_lines = 0
        for entry in (first, *self.proof):
            line = f"{entry}\n"
            digest.update(line.encode())
            n_lines += 1
            yield line
        yield f"end {n_lines:x} {digest.hexdigest()}\n"

    def to_bytes(self) -> bytes:
        """The bytes of the file."""
        return "".join(self.lines()).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Certificate:
        """The certificate of the bytes of a file of our own; nothing is checked."""
        first, by, *records = data.decode().splitlines()[:-1]
        fields = json.loads(first)["claim"]
        kind, holds = fields.pop("kind"), fields.pop("holds", None)
        n = next((k for k, r in enumerate(records) if not r.startswith("inside ")), len(records))
        method = by.removeprefix("by ")
        return cls(kind, fields, tuple(records[n:]), method, holds, tuple(records[:n]))

    def save(self, path: str | Path) -> Path:
        """Write the file, compressed if its name ends in ``.gz``; all of it or nothing."""
        write_bytes(path, self.to_bytes())
        return Path(path)

    def check(self, **limits: Unpack[Limits]) -> Checked:
        """What the independent checker says of it, in a process of its own."""
        with TemporaryDirectory(prefix="exactrelu-") as folder:
            path = self.save(Path(folder) / "claim.cert.jsonl")
            found = run_checker(["--json", "--", str(path)], Effort.of(limits))
        if not found.stdout:
            raise ExactReluError(f"the checker ended without an answer: {found.stderr.strip()}")
        (answer,) = json.loads(found.stdout)["results"]
        return Checked(answer["verdict"], answer["claim"] or answer["why"])


@dataclass(frozen=True, repr=False)
class Checked(Shown):
    """The word of the checker, and the sentence that it proves, or why it does not accept it."""

    status: str
    sentence: str

    @property
    def is_accepted(self) -> bool:
        return self.status == "ACCEPTED"

    def _headline(self) -> str:
        return f"{self.status}: {self.sentence}"

    def _facts(self) -> Iterator[tuple[str, object]]:
        if len(self._headline()) > WIDTH:
            yield from (("", line) for line in wrap(self.sentence, WIDTH - 4)[:6])


def claim(
    kind: str,
    method: str,
    records: Iterable[str] = (),
    /,
    holds: bool | None = None,
    **subjects: Any,
) -> Certificate:
    """A claim about some subjects, or its negation, and the records by which a method proves it.

    A subject that is a :class:`Domain` is written by its rows, and its point is handed over.

    >>> unit = Domain.of("box:0,1", 1)
    >>> file = claim("transparent", "cells", ["active"], holds=True, domain=unit)
    >>> file.claim
    {'domain': {'dim': 1, 'rows': [['ge', ['-1', '1']], ['ge', ['1', '0']]]},
     'kind': 'transparent', 'holds': True}
    >>> file.proof
    ['by cells', 'inside 1 2', 'active']
    """
    fields = {name: encoded(subject) for name, subject in subjects.items()}
    domains = (subject for subject in subjects.values() if isinstance(subject, Domain))
    inside = tuple(point_record("inside", domain.flint_point) for domain in domains)
    return Certificate(kind, fields, tuple(records), method, holds, inside)


def joined(kind: str, facts: Iterable[Certificate], /, **subjects: Any) -> Certificate:
    """A claim that takes several others together: their proofs come one after the other.

    Objects among their fields stand in the claim once, in the order of first appearance, and are
    named "@1", "@2", …; in the object ``instance`` they have these names too.

    >>> system = {"dim": 1, "rows": []}
    >>> one, two = (claim(k, "point", holds=True, system=system) for k in ("nonempty", "bounded"))
    >>> joined("facts", [one, two]).fields["facts"]
    {'list': [{'system': '@1', 'kind': 'nonempty', 'holds': True},
              {'system': '@1', 'kind': 'bounded', 'holds': True}],
     'subjects': [{'dim': 1, 'rows': []}]}
    """
    parts = tuple(part for fact in facts for part in fact.parts or (fact,))
    names: dict[str, str] = {}
    objects: list[Any] = []

    def named(value: Any, *, is_new: bool) -> Any:
        text = canonical_json(value)
        if is_new and isinstance(value, dict) and text not in names:
            objects.append(value)
            names[text] = f"@{len(objects)}"
        return names.get(text, value)

    listed = []
    for part in parts:
        entries = {name: named(part.claim[name], is_new=True) for name in sorted(part.claim)}
        listed.append({name: entries[name] for name in part.claim})
    fields = {name: encoded(subject) for name, subject in subjects.items()}
    if "instance" in fields:
        instance = fields["instance"].items()
        fields["instance"] = {name: named(value, is_new=False) for name, value in instance}
    fields["facts"] = {"list": listed, "subjects": objects}
    records = (line for part in parts for line in part.proof)
    return Certificate(kind, fields, tuple(records), "facts", parts=parts)


def encoded(value: Any) -> Any:
    """A subject as claims write it: domains in normal form, matrices with their shape.

    An ``int`` is a small one, an index or a number of things, and is written as it is; an integer
    that may be long is an ``fmpz``, written in hexadecimal.  A tuple is a rational vector over one
    denominator; the rationals of a list have each their own.

    >>> encoded([fmpq(1, 2), (fmpq(1, 2), fmpq(1, 3)), fmpz(255), 255])
    [['2', '1'], ['6', ['3', '2']], 'ff', 255]
    >>> encoded(BoxUnion((((fmpq(0), fmpq(17, 2)),),)))
    {'boxes': {'cols': 2, 'matrix': ['2', [['0', '11']]], 'rows': 1}}
    """
    match value:
        case None | int() | str():
            return value
        case list():
            return [encoded(item) for item in value]
        case tuple():
            return encode_vector(value)
        case fmpz():
            return to_hex(value)
        case fmpq():
            return encode_rational(value)
        case Matrix():
            return {"cols": value.n_columns, "matrix": encode_matrix(value), "rows": value.n_rows}
        case Domain():
            rows = [[sense, [f"{x:x}" for x in row]] for sense, row in value.rows]
            return {"dim": value.dimension, "rows": rows}
        case LinearSystem():
            return encode_system(value)
        case BoxUnion(boxes):
            return {"boxes": encoded(Matrix([[x for ends in box for x in ends] for box in boxes]))}
        case Network():
            return value.canonical_form()
        case Mapping():
            return {name: encoded(item) for name, item in value.items()}
    raise TypeError(f"certificates do not speak of a {type(value).__name__}")


class Result(Shown):
    """What all results have: an answer, a reason, perhaps a certificate; and what is done with it.

    ``answer`` is True for yes or done, False for no, None for undecided.
    """

    if TYPE_CHECKING:

        @property
        def answer(self) -> bool | None: ...

        @property
        def reason(self) -> str: ...

        @property
        def certificate(self) -> Certificate | None: ...

        @property
        def is_complete(self) -> bool: ...

    @property
    def word(self) -> str:
        """ "yes", "no" or "undecided", as the command line says it."""
        return {True: "yes", False: "no", None: "undecided"}[self.answer]

    def check(self, **limits: Unpack[Limits]) -> Checked:
        """What the independent checker says of the certificate."""
        return self._certificate.check(**limits)

    def save(self, path: str | Path) -> Path:
        """Write the certificate into a file, compressed if its name ends in ``.gz``."""
        return self._certificate.save(path)

    @property
    def _certificate(self) -> Certificate:
        found = self.certificate
        if found is None:
            raise Unanswered(f"there is no certificate: {self.reason or 'none was asked for'}")
        return found

    def to_json(self) -> str:
        """One JSON object, numbers with all digits: verdict, reason, what is known, the claim."""
        found = self.certificate
        known = {"verdict": self.word, "reason": self.reason, **self._known()}
        return json.dumps(plain({**known, "claim": None if found is None else found.claim}))

    def _known(self) -> dict[str, Any]:
        """What else JSON has of it."""
        return {}


class Listing(Result):
    """Things that were found; all there are if ``is_complete``, else ``reason`` says why not."""

    @property
    def answer(self) -> bool | None:
        return True if self.is_complete else None

    def _items(self) -> Sequence[Any]:
        """The things."""
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self._items())

    def __bool__(self) -> bool:
        # Also where nothing was found it is a result.
        return True

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items())

    def __getitem__(self, index: Any) -> Any:
        return self._items()[index]

    def _ending(self) -> str:
        """The end of a headline: whether these are all."""
        return "complete" if self.is_complete else self.reason or "not complete"


_NO_TRUTH_VALUE = "a verdict can be undecided: use .answer (True, False or None)"


@dataclass(frozen=True, eq=False, repr=False)
class Verdict(Outward, Result):
    """``answer`` is True, False, or None for undecided; ``reason`` is a sentence.

    A verdict that is not undecided carries the certificate that proves it.
    """

    answer: bool | None
    reason: str
    witness: Any = None
    certificate: Certificate | None = None

    @classmethod
    def undecided(cls, stopped: Stopped, so_far: str = "", **known: Any) -> Self:
        """Over a bound: why, and what is known by then."""
        return cls(None, f"{stopped}: {so_far}" if so_far else str(stopped), **known)

    @property
    def is_complete(self) -> bool:
        """Whether the question is answered."""
        return self.answer is not None

    def _headline(self) -> str:
        return f"{self.word}: {self.reason}"

    def _facts(self) -> Iterator[tuple[str, object]]:
        if len(self._headline()) > WIDTH:
            yield from (("reason", line) for line in wrap(self.reason, WIDTH - 15)[:3])
        if self.witness is not None:
            yield "witness", self.witness
        yield "certificate", "none" if self.certificate is None else self.certificate

    def _known(self) -> dict[str, Any]:
        known = (f.name for f in fields(self) if f.name not in ("answer", "reason", "certificate"))
        return {name: getattr(self, name) for name in known}

    def __bool__(self) -> bool:
        raise TypeError(_NO_TRUTH_VALUE)

    def __eq__(self, other: object) -> bool:
        # The name, as numpy has truth values of its own.
        if type(other).__name__ == "bool":
            raise TypeError(_NO_TRUTH_VALUE)
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, f.name) == getattr(other, f.name) for f in fields(self))

    def __hash__(self) -> int:
        return hash((type(self), self.answer, self.reason))


def run_checker(
    arguments: list[str], effort: Effort = UNLIMITED
) -> subprocess.CompletedProcess[str]:
    """The checker in a Python of its own, isolated from this one."""
    effort.spend()
    spec = find_spec("exactrelu_checker")
    if spec is None or not spec.submodule_search_locations:
        raise ExactReluError("the checker 'exactrelu_checker' is not installed beside exactrelu")
    program = [sys.executable, "-I", spec.submodule_search_locations[0]]
    try:
        return subprocess.run(
            [*program, *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=effort.seconds_left(),
        )
    except subprocess.TimeoutExpired:
        effort.spend()
        raise Stopped("stopped before the checker was done") from None
