"""The case files and what the checker must say about each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

CASES = Path(__file__).resolve().parent / "cases"
EXIT_CODES = {"accept": 0, "reject": 1, "malformed": 3, "incomplete": 4, "limit": 4, "usage": 2}
VERDICTS = {
    "accept": "ACCEPTED",
    "reject": "REJECTED",
    "malformed": "MALFORMED",
    "incomplete": "INCOMPLETE",
    "limit": "LIMIT",
    "usage": "",
}


@dataclass(frozen=True)
class CaseFile:
    """A case: ``cases/<kind>/<expectation>/<code>--<description>.cert.jsonl[.gz]``."""

    path: Path

    @property
    def kind(self) -> str:
        """The folder of the kind."""
        return self.path.parts[-3]

    @property
    def expectation(self) -> str:
        """One of accept, reject, malformed, incomplete, limit, usage."""
        return self.path.parts[-2]

    @property
    def code(self) -> str:
        """The reason code; empty for an accepted file and for a usage error."""
        return "" if self.expectation in ("accept", "usage") else self.path.name.split("--")[0]

    @property
    def verdict(self) -> str:
        """The first word of the line."""
        return VERDICTS[self.expectation]

    @property
    def exit_code(self) -> int:
        """The exit code of the program."""
        return EXIT_CODES[self.expectation]

    def options(self) -> list[str]:
        """Options of the program for this file, with paths resolved."""
        file = self.path.with_name(self.path.name.split(".cert.jsonl")[0] + ".options.json")
        if not file.exists():
            return []
        folder = self.path.parent.parent
        return [
            str(folder / option) if option.startswith("./") else option
            for option in json.loads(file.read_text())
        ]

    def __str__(self) -> str:
        """Return the path below ``cases``."""
        return self.path.relative_to(CASES).as_posix()


def all_cases() -> list[CaseFile]:
    """Return every case file."""
    return [CaseFile(path) for path in sorted(CASES.glob("*/*/*.cert.jsonl*"))]
