"""What a refuted statement says about the paper it is from: its class, and why.

A counterexample shows that a statement, as it is written down here, is false.  That may be an
error of the paper, or a null set that its authors leave out, or a slip of the pen, or our own
reading.  Who reads that a statement is refuted reads its class beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

RefutedClass = Literal[
    "false", "edge case", "misprint", "reading", "not the paper's", "text damaged"
]

#: The classes, in the order in which they are counted, and what each of them says.
CLASSES: dict[RefutedClass, str] = {
    "false": "as printed, hypotheses included, it fails on more than a null set, or what the "
    "paper builds on it breaks",
    "edge case": "it fails on a null set or for a degenerate size, and a hypothesis that the "
    "authors plainly have in mind mends it",
    "misprint": "a slip of the pen: what the paper does with it is right",
    "reading": "it fails only if it is read literally, or as we read it",
    "not the paper's": "a statement of ours, or one that the paper itself denies",
    "text damaged": "a hypothesis that would exclude the counterexample may be lost in the text "
    "that we have",
}


@dataclass(frozen=True)
class Judgement:
    """The class of a refuted statement and the reason for it; ``mended_by`` is the hypothesis
    that mends an edge case.

    >>> str(Judgement("edge case", "Fails for x = 0.", mended_by="x ≠ 0"))
    'edge case: Fails for x = 0. Mended by: x ≠ 0.'
    """

    name: RefutedClass
    reason: str
    mended_by: str = ""

    def __post_init__(self) -> None:
        if self.name not in get_args(RefutedClass):
            raise ValueError(f"class {self.name!r}: expected one of {', '.join(CLASSES)}")
        if not self.reason.endswith("."):
            raise ValueError(f"{self.name}: expected a sentence as the reason")
        if bool(self.mended_by) != (self.name == "edge case"):
            raise ValueError(f"{self.name}: edge cases, and no others, say what mends them")

    def __str__(self) -> str:
        mended = f" Mended by: {self.mended_by}." if self.mended_by else ""
        return f"{self.name}: {self.reason}{mended}"
