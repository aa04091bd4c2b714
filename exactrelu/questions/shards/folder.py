"""The folder of a question in pieces: what is done already, so that a run can be resumed.

``piece-….cert.jsonl.gz``    an ordinary certificate about a piece of the domain
``whole.cert.jsonl.gz``      the manifest: it owes the claims of the pieces, and says how they fit
``journal.jsonl``            what was asked, then a line for each piece: proved, or cut further

Every file is written whole or not at all, and a line of the journal comes after the file that it
names.  A piece counts as done if its file has the hash of its line, and makes the claim that the
manifest will owe; a line that was torn when the process was killed is not there.  Whatever order
the pieces were done in, the files are the same; the journal has the order of this run.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from exactrelu.cells.pieces import MOST_CUTS
from exactrelu.certificates.certificate import Certificate
from exactrelu.errors import InputError
from exactrelu.exact.text import canonical_json
from exactrelu.files import PathLike, atomic_write, make_folder, read_bytes, write_bytes

JOURNAL = "journal.jsonl"
MANIFEST = "whole.cert.jsonl.gz"
#: Where a piece lies is not written out in the name of its file if it has more characters.
LONGEST = 160

#: Where a piece lies: the number of the part, at each cut from the whole domain on.
Place = tuple[int, ...]


class Done(NamedTuple):
    """A piece that is proved: what is counted on it."""

    numbers: tuple[int, ...]


class CutFurther(NamedTuple):
    """A piece that was too large: it is cut so many times on the way to each of its parts."""

    n_cuts: int


class Folder:
    """A folder of pieces; ``known`` has what was found there of the same question."""

    def __init__(self, path: PathLike, asked: Any, *, resume: bool) -> None:
        """``asked`` is what the pieces are about, as JSON; pieces of anything else are refused."""
        self.path = Path(path)
        self.known: dict[Place, Done | CutFurther] = {}
        digest = hashlib.sha256(canonical_json(asked).encode()).hexdigest()
        self._head = canonical_json({"asked": digest, "format": "exactrelu-pieces/1"})
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{self.path}: found a file, expected a folder for the pieces")
        found = sorted(self.path.iterdir()) if self.path.is_dir() else []
        if found and not resume:
            raise InputError(
                f"{self.path}: found {found[0].name}, expected an empty folder; "
                "--resume goes on with the pieces that are there"
            )
        if found:
            self._resume()
            return
        make_folder(self.path)
        atomic_write(self.path / JOURNAL, f"{self._head}\n".encode())

    def _resume(self) -> None:
        """Read the journal, up to a line that was torn, and write it again without what is gone."""
        journal = self.path / JOURNAL
        if not journal.is_file():
            raise InputError(f"{self.path}: found no {JOURNAL}, expected a folder of pieces")
        head, *lines = journal.read_text("utf-8", "replace").splitlines() or [""]
        if head != self._head:
            raise InputError(
                f"{journal}: found pieces of another question, or of another size; "
                "expected those of this one"
            )
        kept = [head]
        for line in lines:
            entry = _entry(line)
            if entry is None:
                break
            place = tuple(entry["piece"])
            if "cuts" in entry:
                self.known[place] = CutFurther(entry["cuts"])
            elif self._has(self.name(place), entry["sha256"]):
                self.known[place] = Done(tuple(entry["numbers"]))
            else:
                continue
            kept.append(line)
        atomic_write(journal, "".join(f"{line}\n" for line in kept).encode())

    def _has(self, name: str, digest: str) -> bool:
        path = self.path / name
        return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == digest

    @staticmethod
    def name(place: Place) -> str:
        """The file of a piece.

        >>> Folder.name((3, 0, 12))
        'piece-3-0-12.cert.jsonl.gz'
        """
        text = "".join(f"-{k}" for k in place)
        if len(text) > LONGEST:
            text = f"-{hashlib.sha256(text.encode()).hexdigest()}"
        return f"piece{text}.cert.jsonl.gz"

    def claim(self, place: Place) -> Any:
        """What the file of a piece claims."""
        return Certificate.claim_of(read_bytes(self.path / self.name(place)))

    def cut(self, place: Place, n_cuts: int) -> None:
        """A piece is cut further."""
        self.known[place] = CutFurther(n_cuts)
        self._note({"cuts": n_cuts, "piece": list(place)})

    def done(self, place: Place, numbers: Sequence[int], certificate: bytes) -> None:
        """A piece is proved: write its file, then its line."""
        name = self.name(place)
        write_bytes(self.path / name, certificate)
        digest = hashlib.sha256((self.path / name).read_bytes()).hexdigest()
        self.known[place] = Done(tuple(numbers))
        self._note({"numbers": list(numbers), "piece": list(place), "sha256": digest})

    def finish(self, manifest: bytes) -> Path:
        """Write the manifest."""
        path = self.path / MANIFEST
        write_bytes(path, manifest)
        return path

    def files(self) -> list[Path]:
        """The certificates in the order in which they are checked: the manifest is the last."""
        pieces = (place for place, found in self.known.items() if isinstance(found, Done))
        listed = [self.path / self.name(place) for place in sorted(pieces)]
        return [path for path in (*listed, self.path / MANIFEST) if path.exists()]

    def _note(self, entry: dict[str, Any]) -> None:
        with open(self.path / JOURNAL, "ab") as journal:
            journal.write(f"{canonical_json(entry)}\n".encode())
            journal.flush()
            os.fsync(journal.fileno())


def _entry(line: str) -> dict[str, Any] | None:
    """A line of the journal; None if it is not whole, or no line of ours."""
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    if not isinstance(entry, dict) or not _are_indices(entry.get("piece")):
        return None
    if entry.keys() == {"cuts", "piece"}:
        return entry if _are_indices([entry["cuts"]]) and 0 < entry["cuts"] <= MOST_CUTS else None
    fits = entry.keys() == {"numbers", "piece", "sha256"} and _are_indices(entry["numbers"])
    return entry if fits else None


def _are_indices(value: Any) -> bool:
    """Whether it is a list of integers that are not negative."""
    return isinstance(value, list) and all(type(x) is int and x >= 0 for x in value)
