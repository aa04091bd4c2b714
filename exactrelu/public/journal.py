"""What a run of ``certify`` has done so far, in a file from which a later run goes on.

The journal lies beside the certificates, one line for each network, which is written when all of
its certificates are.  A line has

- the name of the network, its hash, and what was asked: the version of exactrelu and the options on
  which answers depend;
- each answer with the name of its file and the hash of what was written.

A network need not be asked about again if there is such a line, for the same network and options,
and every file is there with that very content.  Whether the checker accepts a file is not kept: it
is always asked.

A process that is killed leaves whole lines and at most one that is not; that one is dropped.  Lines
are in the order of the networks, whoever answered first, so that a run that was killed and went on
ends with the bytes of one that was not.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exactrelu import __version__
from exactrelu.exact.text import canonical_json
from exactrelu.files import atomic_write
from exactrelu.network.network import Network

#: Its name in the folder.
JOURNAL = "journal.jsonl"


@dataclass(frozen=True)
class Certified:
    """One verdict and where its certificate lies."""

    network: str
    question: str
    verdict: str
    reason: str
    certificate: str | None


class Journal:
    """The networks that are done, in a folder."""

    def __init__(self, folder: Path, options: Mapping[str, Any], *, resume: bool) -> None:
        """``options`` are those on which the answers depend; without ``resume`` it is empty."""
        self._folder = folder
        self._path = folder / JOURNAL
        self._asked = {**options, "version": __version__}
        lines = self._read() if resume else []
        self._known = {line["network"]: line for line in lines}
        content = "".join(f"{canonical_json(line)}\n" for line in lines)
        if content or self._path.exists():
            atomic_write(self._path, content.encode())

    def _read(self) -> list[dict[str, Any]]:
        """The lines whose files are there, the last of each network."""
        found: dict[str, dict[str, Any]] = {}
        with suppress(OSError):
            for text in self._path.read_bytes().splitlines(keepends=True):
                line = _parsed(text)
                if line is not None and line["asked"] == self._asked and self._is_whole(line):
                    found[line["network"]] = line
        return list(found.values())

    def _is_whole(self, line: dict[str, Any]) -> bool:
        """Whether every file has the content that was written."""
        hashes = {entry["certificate"]: entry["sha256"] for entry in line["entries"]}
        return all(name is None or self._hash(name) == hashes[name] for name in hashes)

    def _hash(self, name: str) -> str | None:
        """The hash of a file of the folder."""
        try:
            with open(self._folder / name, "rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except (OSError, ValueError):
            return None

    def entries(self, name: str, network: Network) -> list[Certified] | None:
        """What is known of a network, if it is done."""
        line = self._known.get(name)
        if line is None or line["sha256"] != network.sha256:
            return None
        return [
            Certified(name, e["question"], e["verdict"], e["reason"], self._place(e["certificate"]))
            for e in line["entries"]
        ]

    def _place(self, name: str | None) -> str | None:
        return None if name is None else str(self._folder / name)

    def add(self, name: str, network: Network, entries: Sequence[Certified]) -> None:
        """A network is done: its files are written."""
        names = [None if e.certificate is None else Path(e.certificate).name for e in entries]
        hashes = {file: self._hash(file) for file in names if file is not None}
        line = {
            "network": name,
            "sha256": network.sha256,
            "asked": self._asked,
            "entries": [
                {
                    "question": entry.question,
                    "verdict": entry.verdict,
                    "reason": entry.reason,
                    "certificate": file,
                    "sha256": None if file is None else hashes[file],
                }
                for entry, file in zip(entries, names, strict=True)
            ],
        }
        with open(self._path, "ab") as journal:
            journal.write(f"{canonical_json(line)}\n".encode())
            journal.flush()
            os.fsync(journal.fileno())

    def remove(self) -> None:
        """Nothing is left to be done."""
        self._path.unlink(missing_ok=True)


def _parsed(text: bytes) -> dict[str, Any] | None:
    """A line that is whole and has what every line has; None for any other."""
    try:
        line = json.loads(text)
        names = {entry["certificate"] for entry in line["entries"]}
        fields = [(e["question"], e["verdict"], e["reason"], e["sha256"]) for e in line["entries"]]
        is_whole = text.endswith(b"\n") and isinstance(line["network"], str)
        is_inside = all(name is None or Path(name).name == name for name in names)
        is_whole = is_whole and is_inside and len(fields) == len(line["entries"])
        return line if is_whole and {"sha256", "asked"} <= line.keys() else None
    except (ValueError, LookupError, TypeError, AttributeError):
        return None
