"""The answers to questions that were asked piece by piece, by what is asked.

Regions and faces are counted; what is true everywhere is true or false, and the first piece on
which it fails shows it.  The certificates are in a folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Unpack

from exactrelu.answer import Part, is_yes
from exactrelu.bounded import bounded_method
from exactrelu.certificates.certificate import Verdict
from exactrelu.certificates.program import Checked
from exactrelu.certificates.verdict import Result
from exactrelu.effort import Effort, Limits
from exactrelu.words import PEOPLE, Words, count


@dataclass(frozen=True, repr=False)
class Sharded(Result):
    """The answer to a question that was asked piece by piece.

    Attributes
    ----------
    answer : bool or None
        True if it is proved on every piece, False if it fails on one, None if it was stopped.
    numbers : tuple of int
        What was counted: the regions, or the faces of each dimension; so far, if it was stopped.
    n_pieces : int
        How many pieces are proved.
    n_left : int
        How many pieces were known to be left when it was stopped.
    folder : Path
        Where the certificates are.
    manifest : Path or None
        The certificate of the whole, which owes those of the pieces; of a no, an ordinary one.
    failure : Verdict or None
        The answer no, with its witness and certificate.
    """

    PARTS: ClassVar[tuple[Part, ...]] = (
        Part("n_pieces", "with `--shards`: number of pieces with a certificate"),
        Part(
            "n_pieces_left",
            "with `--shards`, if it was stopped: number of pieces that are known to be left",
            of="n_left",
        ),
        Part(
            "folder",
            "with `--shards`: the folder of the certificates",
            of=lambda found: str(found.folder),
        ),
    )

    answer: bool | None
    reason: str
    numbers: tuple[int, ...]
    n_pieces: int
    n_left: int
    folder: Path
    files: tuple[Path, ...] = ()
    failure: Verdict | None = None

    @property
    def manifest(self) -> Path | None:
        """The certificate of the whole."""
        return self.files[-1] if self.files else None

    @property
    def witness(self) -> Any:
        """What shows that the answer is no."""
        return None if self.failure is None else self.failure.witness

    @property
    def certificate(self) -> Any:
        """The certificate of a no; that of a yes is in the folder."""
        return None if self.failure is None else self.failure.certificate

    @property
    def _has_proof(self) -> bool:
        return self.answer is not None

    @property
    def is_complete(self) -> bool:
        """Whether the question is answered."""
        return self.answer is not None

    @bounded_method
    def check(self, effort: Effort, /, **limits: Unpack[Limits]) -> Checked:
        """What the independent checker says of all files, the pieces first, with a ledger."""
        if not self.answer:
            return super().check(effort=effort)
        with TemporaryDirectory(prefix="exactrelu-") as place:
            return Checked.of_files(self.files, Path(place) / "ledger", effort)

    def _headline(self) -> str:
        return f"{self.word}: {self.reason}"

    def _facts(self) -> Iterator[tuple[str, object]]:
        yield "pieces", f"{self.n_pieces:,} in {self.folder}"
        if self.manifest is not None:
            yield "manifest", self.manifest.name


@dataclass(frozen=True, repr=False)
class Counted(Sharded):
    """Numbers that add up over the pieces."""

    def counted(self, _words: Words) -> str:
        """The numbers in words."""
        raise NotImplementedError

    def sentence(self, words: Words = PEOPLE) -> str:
        """The numbers, and how far they are proved."""
        numbers = self.counted(words)
        return f"{numbers}, {self.reason}" if self.answer else f"{self.reason}; {numbers} so far"


@dataclass(frozen=True, repr=False)
class CountedRegions(Counted):
    """The number of activation regions."""

    PARTS = (
        Part(
            "n_regions",
            "number of activation regions; null if not all were found",
            proved=is_yes,
            of=lambda found: found.numbers[0] if found.answer else None,
        ),
        Part(
            "n_regions_at_least",
            "as many were found",
            proved=is_yes,
            of=lambda found: found.numbers[0],
        ),
        Part("n_linear_regions", "null: they are not counted in pieces", of=lambda _: None),
        *Sharded.PARTS,
    )

    def counted(self, words: Words) -> str:
        """How many there are, and where."""
        return f"{count(self.numbers[0], 'activation region')}{words.where}"


@dataclass(frozen=True, repr=False)
class CountedFaces(Counted):
    """The numbers of faces of each dimension."""

    PARTS = (
        Part(
            "f_vector",
            "numbers of faces of dimension 0, 1, …; null if not all were found",
            proved=is_yes,
            of=lambda found: found.numbers if found.answer else None,
        ),
        Part("f_vector_at_least", "as many were found", proved=is_yes, of="numbers"),
        *Sharded.PARTS,
    )

    def counted(self, words: Words) -> str:
        """The f-vector, and where."""
        return f"f-vector ({', '.join(map(str, self.numbers))}){words.where}"


@dataclass(frozen=True, repr=False)
class ProvedEverywhere(Sharded):
    """What is true on every piece, or fails on one."""

    PARTS = (Part("witness", "where it fails, or null"), *Sharded.PARTS)
    IS_TRUE_OR_FALSE = True
