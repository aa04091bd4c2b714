"""A job of CI: what the options of this folder ask of the checker.

They are ``--manifest``, ``--verified``, ``--format github`` and ``--summary``.
"""

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from typing import TextIO

from exactrelu_checker.check import Outcome, Question
from exactrelu_checker.main import line_of
from exactrelu_checker.options import require_apart

from .manifest import WrongManifest, load_manifest, named_in, read_manifest
from .pins import checked
from .report import github, summarize
from .verified import verifier


def job(
    options: Namespace, question: Question, found: Iterable[Outcome]
) -> tuple[Iterable[Outcome], Callable[[Outcome, bool], str]]:
    """Return the verdicts that are asked for, and what says each of them in a line."""
    demanded = list[str]()
    if options.manifest:
        mine = question._replace(limits=Question().limits, proved=Question().proved)
        if options.files or mine != Question():
            raise ValueError("--manifest says which files, networks, domains and claims are meant")
        try:
            value = load_manifest(options.manifest)
            require_apart(options, named_in(options.manifest, value))
            manifest = read_manifest(options.manifest, value, question.limits.line)
            found = checked(manifest, question)
            demanded = [str(manifest.folder / e.file) for e in manifest.entries if e.verified]
        except WrongManifest as wrong:
            found = wrong.outcomes
    if options.verified or demanded:
        found = map(verifier(question.limits, None if options.verified else demanded), found)
    if options.summary:
        # Opened before any work, as what cannot be written is a mistake of usage.
        found = _summarized(open(options.summary, "a", encoding="utf-8"), found)  # noqa: SIM115
    return found, github if options.format == "github" else line_of


def _summarized(file: TextIO, found: Iterable[Outcome]) -> Iterator[Outcome]:
    """Yield the verdicts, and then add a table of them to a file."""
    outcomes = []
    with file:
        for outcome in found:
            outcomes.append(outcome)
            yield outcome
        file.write(summarize(outcomes))
