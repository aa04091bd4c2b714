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
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from math import lcm
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Unpack

from flint import fmpq, fmpz

from exactrelu.bounded import bounded_method
from exactrelu.certificates.program import ENOUGH, Checked
from exactrelu.certificates.verdict import Listing, Result, Verdict
from exactrelu.display import Shown
from exactrelu.drawn import Drawn
from exactrelu.effort import Effort, Limits
from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import to_hex
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

__all__ = [
    "FORMAT",
    "Certificate",
    "Listing",
    "Result",
    "Verdict",
    "claim",
    "encoded",
    "joined",
    "point_record",
    "record",
]

FORMAT = "exactrelu-certificate/2"


def record(word: str, *integers: int | fmpz) -> str:
    """A record of a proof, a line.

    >>> record("split", 17), record("cell", -1, fmpz(2))
    ('split 11', 'cell -1 2')
    """
    return " ".join([word, *(format(int(x), "x") for x in integers)])


def point_record(word: str, point: Sequence[fmpq]) -> str:
    """A record that is a rational point: numerators, then the denominator."""
    pairs = [(int(x.p), int(x.q)) for x in point]
    den = lcm(*(q for _, q in pairs))
    return " ".join([word, *(f"{p * (den // q):x}" for p, q in pairs), f"{den:x}"])


@dataclass(frozen=True, repr=False)
class Certificate(Shown):
    """A claim and its proof by one method, as the independent checker reads them.

    Results carry one as ``certificate``; nobody needs to make one by hand.

    Parameters
    ----------
    kind : str
        What is claimed, ``"equal"`` or ``"regions"`` for instance.
    fields : mapping
        The subjects of the claim as the file has them.
    records : tuple of str, optional
        The lines of the proof.
    method : str, optional
        By which rule the checker follows it.
    holds : bool, optional
        False where the negation is claimed.
    inside : tuple of str, optional
        Points that show that the domains are not empty.
    parts : tuple of Certificate, optional
        The claims that are taken together in this one.

    Attributes
    ----------
    claim : dict
        The claim as the file has it.

    Examples
    --------
    >>> import exactrelu as er
    >>> found = er.is_injective(er.load("example:xor"), layer=1).certificate
    >>> found.kind, found.holds
    ('layer-injective', False)
    >>> found.check().is_accepted
    True
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
        """All records of the proof, those of the method and of the points inside too."""
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
        try:
            _, by, *records = data.decode().splitlines()[:-1]
            fields = cls.claim_of(data)
        except (ValueError, KeyError, TypeError):
            raise InputError("found other bytes, expected those of a certificate") from None
        kind, holds = fields.pop("kind"), fields.pop("holds", None)
        n = next((k for k, r in enumerate(records) if not r.startswith("inside ")), len(records))
        method = by.removeprefix("by ")
        return cls(kind, fields, tuple(records[n:]), method, holds, tuple(records[:n]))

    @staticmethod
    def claim_of(data: bytes) -> Any:
        """The claim of the bytes of a file of our own."""
        return json.loads(data[: data.index(b"\n")])["claim"]

    def save(self, path: str | Path) -> Path:
        """Write the file, all of it or nothing.

        Parameters
        ----------
        path : str or path
            A name that ends in ``.gz`` is compressed.

        Returns
        -------
        Path
            The file.

        Notes
        -----
        The checker is not run: ``max_fuel`` of ``check()`` says what others have to allow it.
        """
        write_bytes(path, self.to_bytes())
        return Path(path)

    @bounded_method
    def check(self, effort: Effort, /, **limits: Unpack[Limits]) -> Checked:
        """Ask the independent checker, in a process of its own, whether this proves its claim.

        The checker gets as much fuel as it takes.

        Parameters
        ----------
        **limits
            Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``,
            ``progress``.

        Returns
        -------
        Checked
            ``is_accepted``; ``status``, the word of the checker; ``sentence``, what it proves, or
            why it does not accept it; ``max_fuel``, the option that ``exactrelu-check`` needs.
        """
        with TemporaryDirectory(prefix="exactrelu-") as folder:
            path = self.save(Path(folder) / "claim.cert.jsonl")
            return Checked.of(path, effort, fuel=ENOUGH)


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


class Found(Result):
    """A thing that was asked for: ``answer`` is True once it is found, None until then.

    A class says what it has; what it does not say is here.
    """

    def __getattr__(self, name: str) -> Any:
        # Not as properties: fields of the same names would take them for their defaults.
        if name == "is_complete":
            return not (self.stopped if hasattr(self, "stopped") else self.reason)
        if name == "answer":
            return True if self.is_complete else None
        if name == "reason":
            return getattr(self, "stopped", "") or ""
        if name in ("certificate", "witness"):
            return None
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _known(self) -> dict[str, Any]:
        known = ((f.name, getattr(self, f.name)) for f in fields(self) if f.repr)  # type: ignore[arg-type]
        skipped = (Certificate, Effort, Result)
        return {name: value for name, value in known if not isinstance(value, skipped)}


class CertifiedBounds(Found):
    """A number between two others, each with a certificate of its own."""

    if TYPE_CHECKING:

        @property
        def lower_certificate(self) -> Certificate | None: ...

        @property
        def upper_certificate(self) -> Certificate | None: ...

    @property
    def certificate(self) -> Certificate | None:
        """Both bounds, as far as they have certificates."""
        return all_of((self.lower_certificate, self.upper_certificate))


def all_of(facts: Iterable[Certificate | None]) -> Certificate | None:
    """One certificate of several, of those that are there."""
    known = [fact for fact in facts if fact is not None]
    return known[0] if len(known) == 1 else joined("facts", known) if known else None


class Pictured(Drawn, Listing):
    """Things of which there is a picture."""
