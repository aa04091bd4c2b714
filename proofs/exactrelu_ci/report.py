"""What CI reads: annotations of GitHub, and a table in Markdown.

Names of files and reasons come from whoever wrote the files: nothing in them starts a command, a
line, a link or a cell of its own.
"""

import re
from collections.abc import Mapping, Sequence

from exactrelu_checker.check import Outcome
from exactrelu_checker.main import line_of, printable

from . import PROGRAM

_COMMAND: Mapping[str, str] = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY: Mapping[str, str] = {**_COMMAND, ":": "%3A", ",": "%2C"}
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+!|~$&@^=-])")


def github(outcome: Outcome, pinned: bool) -> str:
    """Return one line: an annotation of what is refused."""
    if outcome.verdict == "ACCEPTED":
        # The older spelling of commands is found anywhere in a line.
        return line_of(outcome, pinned).replace("##[", "## [")
    places = {"file": outcome.file, "line": outcome.line, "title": outcome.code}
    said = ",".join(f"{name}={_escaped(str(v), _PROPERTY)}" for name, v in places.items() if v)
    return f"::error {said}::{_escaped(outcome.why, _COMMAND)}"


def _escaped(text: str, table: Mapping[str, str]) -> str:
    """Return a text that GitHub reads as it was, but for what a terminal would not show."""
    shown = (
        table.get(c) or (c if c.isascii() and c.isprintable() else ascii(c)[1:-1]) for c in text
    )
    return "".join(shown).replace("##[", "## [")


def summarize(outcomes: Sequence[Outcome]) -> str:
    """Return a table of all verdicts, the refused first."""
    n_accepted = sum(outcome.verdict == "ACCEPTED" for outcome in outcomes)
    rows = [f"{PROGRAM}: {n_accepted} of {len(outcomes)} accepted", ""]
    rows += ["| verdict | file | claim, or why not |", "|---|---|---|"]
    for outcome in sorted(outcomes, key=lambda outcome: outcome.verdict == "ACCEPTED"):
        said = outcome.claim or f"{outcome.code}: {outcome.why}"
        cells = map(printable, (outcome.verdict, outcome.file, said))
        rows.append(f"| {' | '.join(_MARKDOWN.sub(_entity, cell) for cell in cells)} |")
    return "\n".join([*rows, "", ""])


def _entity(found: re.Match[str]) -> str:
    """Return a character that Markdown reads as nothing but itself."""
    return f"&#{ord(found[0])};"
