"""Certificates of format 2: a claim line, records of a word and hexadecimal integers, a footer.

    claim2("regions", "cells", records, network=N, domain=D, count=3, sense="exactly")

A domain is written by its rows in normal form, and a point of its relative interior follows the
name of the method.  In the proof a flat domain has the coordinates t of its chart
(:mod:`exactrelu.polyhedra.chart`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq, fmpz

from exactrelu.certificates.certificate import Certificate, encoded
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import common_denominator
from exactrelu.exact.text import canonical_json
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.polyhedra.domain import Domain

FORMAT = "exactrelu-certificate/2"


def record2(word: str, *integers: int | fmpz) -> str:
    """A record of a proof, a line.

    >>> record2("split", 17), record2("cell", -1, fmpz(2))
    ('split 11', 'cell -1 2')
    """
    return " ".join([word, *(format(int(x), "x") for x in integers)])


def point2(word: str, point: Sequence[fmpq]) -> str:
    """A record that is a rational point: numerators, then the denominator."""
    den = int(common_denominator(point))
    return record2(word, *(int(x.p) * (den // int(x.q)) for x in point), den)


@dataclass(frozen=True)
class Certificate2(Certificate):
    """A claim of format 2 and its proof by one method.

    ``fields`` are the encoded subjects, ``records`` the lines after ``by`` and ``inside``.
    """

    records: tuple[str, ...] = ()
    method: str = ""
    #: Whether the statement or its negation; None for a kind that has no negation.
    holds: bool | None = None
    #: A record for each domain of the claim: a point of its relative interior.
    inside: tuple[str, ...] = ()
    #: The claims that this one takes together.
    parts: tuple[Certificate2, ...] = ()

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

    @classmethod
    def from_bytes(cls, data: bytes) -> Certificate2:
        """The certificate of the bytes of a file of our own; nothing is checked."""
        first, by, *records = data.decode().splitlines()[:-1]
        fields = json.loads(first)["claim"]
        kind, holds = fields.pop("kind"), fields.pop("holds", None)
        n = next((k for k, r in enumerate(records) if not r.startswith("inside ")), len(records))
        method = by.removeprefix("by ")
        return cls(kind, fields, tuple(records[n:]), method, holds, tuple(records[:n]))


def claim2(
    kind: str,
    method: str,
    records: Iterable[str] = (),
    /,
    holds: bool | None = None,
    **subjects: Any,
) -> Certificate2:
    """A claim about some subjects, or its negation, and the records by which a method proves it.

    A subject that is a :class:`Domain` is written by its rows, and its point is handed over.

    >>> unit = Domain.of("box:0,1", 1)
    >>> file = claim2("transparent", "cells", ["active"], holds=True, domain=unit)
    >>> file.claim
    {'domain': {'dim': 1, 'rows': [['ge', ['-1', '1']], ['ge', ['1', '0']]]},
     'kind': 'transparent', 'holds': True}
    >>> file.proof
    ['by cells', 'inside 1 2', 'active']
    """
    fields = {name: encoded2(subject) for name, subject in subjects.items()}
    domains = (subject for subject in subjects.values() if isinstance(subject, Domain))
    inside = tuple(point2("inside", domain.point) for domain in domains)
    return Certificate2(kind, fields, tuple(records), method, holds, inside)


def joined2(kind: str, facts: Iterable[Certificate], /, **subjects: Any) -> Certificate2:
    """A claim that takes several others together: their proofs come one after the other.

    Objects among their fields stand in the claim once, in the order of first appearance, and are
    named "@1", "@2", …; in the object ``instance`` they have these names too.

    >>> system = {"dim": 1, "rows": []}
    >>> one, two = (claim2(k, "point", holds=True, system=system) for k in ("nonempty", "bounded"))
    >>> joined2("facts", [one, two]).fields["facts"]
    {'list': [{'system': '@1', 'kind': 'nonempty', 'holds': True},
              {'system': '@1', 'kind': 'bounded', 'holds': True}],
     'subjects': [{'dim': 1, 'rows': []}]}
    """
    given = [fact for fact in facts if isinstance(fact, Certificate2)]
    parts = tuple(part for fact in given for part in fact.parts or (fact,))
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
    fields = {name: encoded2(subject) for name, subject in subjects.items()}
    if "instance" in fields:
        instance = fields["instance"].items()
        fields["instance"] = {name: named(value, is_new=False) for name, value in instance}
    fields["facts"] = {"list": listed, "subjects": objects}
    records = (line for part in parts for line in part.proof)
    return Certificate2(kind, fields, tuple(records), "facts", parts=parts)


def encoded2(value: Any) -> Any:
    """A subject as claims write it: domains in normal form, matrices with their shape."""
    match value:
        case Domain():
            rows = [[sense, [f"{x:x}" for x in row]] for sense, row in value.rows]
            return {"dim": value.dimension, "rows": rows}
        case Matrix():
            return {"cols": value.n_columns, "matrix": encoded(value), "rows": value.n_rows}
        case BoxUnion(boxes):
            return {"boxes": encoded2(Matrix([[x for ends in box for x in ends] for box in boxes]))}
        case list():
            return [encoded2(item) for item in value]
        case Mapping():
            return {name: encoded2(item) for name, item in value.items()}
        case None:
            return None
    return encoded(value)
