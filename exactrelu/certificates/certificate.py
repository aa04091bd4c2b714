"""The certificate: a claim, the records that prove it, and the file they make.

``proofs/FORMAT.md`` is the specification.  The bytes are a function of the claim
and the records alone, so the same network and claim give the same file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exactrelu.exact.encode import canonical_json
from exactrelu.files import write_bytes

FORMAT = "exactrelu-certificate/1"


@dataclass(frozen=True)
class Certificate:
    """A claim of one ``kind`` with its fields, and the records of its proof."""

    kind: str
    fields: Mapping[str, Any]
    records: tuple[Mapping[str, Any], ...] = ()

    def lines(self) -> Iterator[str]:
        """The lines of the file: claim, records, footer."""
        digest = hashlib.sha256()
        n_lines = 0
        claim = {"claim": {"kind": self.kind, **self.fields}, "format": FORMAT}
        for record in (claim, *self.records):
            line = canonical_json(record) + "\n"
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
