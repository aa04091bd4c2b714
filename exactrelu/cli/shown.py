"""What a command prints of what it found, in text or JSON, once the certificate is written."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactrelu.cli.given import unwritten
from exactrelu.cli.outcome import Outcome
from exactrelu.display import plain
from exactrelu.effort import Effort
from exactrelu.files import write_bytes

if TYPE_CHECKING:
    from exactrelu.certificates.program import Fuel


@dataclass(frozen=True)
class Printed:
    """What goes to stdout and to stderr, and the exit code."""

    out: str
    err: str
    exit_code: int


def shown(args: argparse.Namespace, outcome: Outcome, effort: Effort | None) -> Printed:
    """Save the certificate, and say what was found.

    The checker is asked within the effort how much fuel a long certificate needs; without one there
    is no time.
    """
    if outcome.verdict == "undecided" and args.command.undecided is not None:
        outcome = args.command.undecided(outcome)
    wanted = getattr(args, "certificate", None)
    saved, fuel = None, _fuel(outcome.files, effort)
    err = "".join(f"{note}\n" for note in outcome.notes)
    if wanted is not None and outcome.certificate is not None:
        saved = outcome.certificate.save(wanted)
        fuel = _fuel([saved, *outcome.files], effort)
    elif wanted is not None:
        err += f"no certificate is written: {_why_none(outcome)}\n"
        outcome = replace(outcome, certified=())
    for path in unwritten(args.before):
        if path != wanted:
            err += f"nothing is written to {path}: {_why_none(outcome)}\n"
    if args.json:
        out = f"{json.dumps(_answer(args, outcome, saved, fuel))}\n"
    else:
        beside = "".join(f"{line}\n" for line in _beside(outcome, saved, fuel))
        out, err = f"{outcome.text}\n", err + beside if outcome.is_bare else err
        out += "" if outcome.is_bare else beside
    return Printed(out, err, outcome.exit_code)


def _answer(
    args: argparse.Namespace, outcome: Outcome, saved: Path | None, fuel: Fuel | None
) -> dict[str, Any]:
    """The object that ``--json`` prints."""
    verdict = {} if outcome.verdict is None else {"verdict": outcome.verdict}
    evidence: dict[str, Any] = {
        "certificate": None if saved is None else str(saved),
        "certified": list(outcome.certified),
    }
    if fuel is not None:
        evidence["max_fuel"] = fuel.max_fuel
    # Whoever reads it finds what a full answer has, also where nothing is known of it.
    names = args.command.fields if outcome.verdict == "undecided" else ()
    unknown = dict.fromkeys(name for name in names if name not in outcome.fields)
    return {**verdict, "reason": outcome.reason, **evidence, **outcome.fields, **unknown}


def _beside(outcome: Outcome, saved: Path | None, fuel: Fuel | None) -> Iterator[str]:
    """The lines below the answer: what is not certified, and where the certificate is."""
    if outcome.computed:
        yield f"computed, not certified: {', '.join(outcome.computed)}"
    if saved is not None:
        yield f"certificate: {saved}"
    if fuel is not None:
        yield str(fuel)


def _why_none(outcome: Outcome) -> str:
    """Why there is nothing to write."""
    is_undecided = outcome.verdict == "undecided"
    return "the question is undecided" if is_undecided else "there is none for this answer"


def _fuel(written: Sequence[str | Path], effort: Effort | None) -> Fuel | None:
    """What the checker needs for certificates, unless the default is known to be enough."""
    from exactrelu.certificates.program import Fuel

    found = Fuel.of(written, effort)
    return found if str(found) else None


@dataclass(frozen=True)
class Kept:
    """A certificate of which only the bytes are left."""

    content: bytes

    def to_bytes(self) -> bytes:
        return self.content

    def save(self, path: str) -> Path:
        write_bytes(path, self.content)
        return Path(path)


def sent(args: argparse.Namespace, outcome: Outcome) -> Outcome:
    """An outcome that needs nothing but this module to be printed."""
    certificate = outcome.certificate if getattr(args, "certificate", None) else None
    kept = None if certificate is None else Kept(certificate.to_bytes())
    fields = plain(outcome.fields) if args.json else {}
    return replace(outcome, fields=fields, certificate=kept)
