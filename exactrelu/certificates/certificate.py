"""The certificate: a claim about subjects, the records that prove it, and the file they make.

A claim of some kind speaks of subjects: networks, matrices, domains, points, numbers, each by the
name that ``proofs/FORMAT.md`` gives it there.  A record is a word with entries.  How a subject or
an entry is written follows from its type (:func:`encoded`), so that whoever proves something says
no more than what it is about::

    claim("not-honest", [record("part", rows=rows), *tree], network=N, domain=D)

The bytes are a function of the claim and the records alone, so the same network and claim give the
same file.

A question makes its claim itself.  Kind ``some-claim`` is accepted or refused by
``proofs/exactrelu_checker/rules/some_claim.py``, explained in ``proofs/rules/some-claim.md`` and
tested by ``tests/checker/cases/some-claim/``.  The answer to a question, with its certificate, is
a :class:`Verdict`.

The independent checker is run as a program of its own.  It shares no code with exactrelu and
trusts none: what is handed over is the names of files.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self, TypeAlias

from flint import fmpq, fmpz

from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.errors import ExactReluError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, to_hex
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

FORMAT = "exactrelu-certificate/1"

#: A word and its entries, encoded.
Record: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Certificate:
    """A claim of one ``kind`` with its encoded subjects, and the records of its proof."""

    kind: str
    fields: Mapping[str, Any]
    records: tuple[Any, ...] = ()

    @property
    def evidence(self) -> list[Any]:
        """The proof as a part of another one: its kind comes first."""
        return [record(self.kind), *self.records]

    def lines(self) -> Iterator[str]:
        """The lines of the file: claim, records, footer."""
        digest = hashlib.sha256()
        n_lines = 0
        for entry in ({"claim": encoded(self), "format": FORMAT}, *self.records):
            line = canonical_json(entry) + "\n"
            digest.update(line.encode())
            n_lines += 1
            yield line
        yield canonical_json({"end": {"records": n_lines, "sha256": digest.hexdigest()}}) + "\n"

    def to_bytes(self) -> bytes:
        """The bytes of the file."""
        return "".join(self.lines()).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Certificate:
        """The certificate of the bytes of a file of our own; nothing is checked."""
        first, *records, _footer = map(json.loads, data.splitlines())
        claim = first["claim"]
        kind = claim.pop("kind")
        return cls(kind, claim, tuple(records))

    def save(self, path: str | Path) -> Path:
        """Write the file, compressed if its name ends in ``.gz``; all of it or nothing."""
        write_bytes(path, self.to_bytes())
        return Path(path)


#: What claims and records speak of.  A tuple is a vector; everything else in a row is a list.
Value: TypeAlias = (
    int
    | str
    | fmpz
    | fmpq
    | Vector
    | Matrix
    | LinearSystem
    | Network
    | Certificate
    | list[Any]
    | Mapping[str, Any]
)

#: Subjects of a claim, or entries of a record, by name.
Named: TypeAlias = dict[str, Value]


def claim(
    kind: str, records: Iterable[Mapping[str, Any]] = (), /, **subjects: Value
) -> Certificate:
    """A claim about some subjects, and the records of its proof.

    >>> claim("value", point=(fmpq(1, 2), fmpq(3)), signs=["+-"]).fields
    {'point': ['2', ['1', '6']], 'signs': ['+-']}
    """
    fields = {name: encoded(subject) for name, subject in subjects.items()}
    return Certificate(kind, fields, tuple(records))


def record(word: str, /, **entries: Value) -> Record:
    """A record of a proof.

    >>> record("split", neuron=17), record("modulus", modulus=fmpz(17))
    ({'neuron': 17, 'record': 'split'}, {'modulus': '11', 'record': 'modulus'})
    """
    found = {name: encoded(entry) for name, entry in entries.items()}
    found["record"] = word
    return found


def joined(kind: str, facts: Sequence[Certificate], /, **subjects: Value) -> Certificate:
    """A claim that takes several others together: their records come one after the other."""
    records = (entry for fact in facts for entry in fact.records)
    return claim(kind, records, facts=list(facts), **subjects)


def encoded(value: Value) -> Any:
    """A value as certificates write it.

    An ``int`` is a small one, an index or a number of things, and is written as it is; an integer
    that may be long is an ``fmpz``, written in hexadecimal.  A tuple is a rational vector over one
    denominator; the rationals of a list have each their own.

    >>> encoded([fmpq(1, 2), (fmpq(1, 2), fmpq(1, 3)), fmpz(255), 255])
    [['2', '1'], ['6', ['3', '2']], 'ff', 255]
    """
    match value:
        case list():
            # Most entries of long proofs are lists of indices, or encoded already.
            return [v if type(v) is str or type(v) is int else encoded(v) for v in value]
        case tuple():
            return encode_vector(value)
        case int() | str():
            return value
        case fmpz():
            return to_hex(value)
        case fmpq():
            return encode_rational(value)
        case Matrix():
            return encode_matrix(value)
        case LinearSystem():
            return encode_system(value)
        case Network():
            return value.canonical_form()
        case Certificate(kind, fields):
            return {**fields, "kind": kind}
        case Mapping():
            return {name: encoded(entry) for name, entry in value.items()}
    raise TypeError(f"certificates do not speak of a {type(value).__name__}")


@dataclass(frozen=True)
class Verdict:
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
    def word(self) -> str:
        """ "yes", "no" or "undecided", as the command line says it."""
        return {True: "yes", False: "no", None: "undecided"}[self.answer]

    def __bool__(self) -> bool:
        raise TypeError("a verdict can be undecided: use .answer (True, False or None)")


def run_checker(
    arguments: list[str], effort: Effort = UNLIMITED
) -> subprocess.CompletedProcess[str]:
    """The checker in a Python of its own, isolated from this one."""
    effort.spend()
    spec = find_spec("exactrelu_checker1")
    if spec is None or not spec.submodule_search_locations:
        raise ExactReluError("the checker 'exactrelu_checker' is not installed beside exactrelu")
    program = [sys.executable, "-I", str(Path(spec.submodule_search_locations[0]) / "both.py")]
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
