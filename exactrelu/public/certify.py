"""``certify``: every applicable question about a network, a certificate file for each answer.

The questions are those of :mod:`exactrelu.questions.catalogue`.  The files are written as the
answers come, so that what was proved is there whatever happens next; then all of them are checked
by the independent checker.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from exactrelu.certificates.certificate import Certificate, Listing, joined, run_checker
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.files import PathLike, write_bytes
from exactrelu.network.network import Network, widths_text
from exactrelu.questions.catalogue import CATALOGUE, ask_all

#: The share of the time that the questions have; the rest is for the checker.
SHARE = 0.8


@dataclass(frozen=True)
class Certified:
    """One verdict and where its certificate lies."""

    network: str
    question: str
    verdict: str
    reason: str
    certificate: str | None


def certified(
    name: str,
    network: Network,
    folder: Path,
    *,
    together: bool = False,
    seconds_each: float | None = None,
    effort: Effort,
) -> list[Certified]:
    """Every question, each with its file, or all in one."""
    entries = []
    facts = []
    for asked in ask_all(network, seconds_each=seconds_each, effort=effort):
        path = None
        if asked.certificate is not None:
            middle = "" if together else f".{asked.question}"
            path = str(folder / f"{name}{middle}.cert.jsonl")
            if together:
                facts.append(Certificate.from_bytes(asked.certificate))
            else:
                write_bytes(path, asked.certificate)
        entries.append(Certified(name, asked.question, asked.verdict, asked.reason, path))
    if facts:
        joined("facts", facts).save(folder / f"{name}.cert.jsonl")
    return entries


@dataclass(frozen=True, repr=False)
class CertifiedNetwork(Listing):
    """The verdicts about a network, with the files of their certificates.

    ``is_complete`` if every question was asked and the checker accepts every file.  Each file has
    a claim of its own: there is no ``certificate`` of all of them.
    """

    network: Network
    folder: Path
    entries: tuple[Certified, ...]
    #: The files that the checker accepts.
    accepted: frozenset[str]
    reason: str = ""
    certificate: Certificate | None = None

    @property
    def is_complete(self) -> bool:
        """Whether every question was asked and the checker accepts every file."""
        return not self.reason

    @property
    def files(self) -> tuple[str, ...]:
        """The certificates."""
        return tuple(e.certificate for e in self.entries if e.certificate is not None)

    def _items(self) -> Sequence[Certified]:
        return self.entries

    def _headline(self) -> str:
        n, m = len(self.files), len(self.accepted)
        return f"Certified: {m} of {n} certificates of {widths_text(self.network)} accepted"

    def _facts(self) -> Iterator[tuple[str, object]]:
        yield from ((entry.question, f"{entry.verdict}: {entry.reason}") for entry in self.entries)

    def _known(self) -> dict[str, Any]:
        return {"entries": [vars(entry) for entry in self.entries]}


def certify(
    network: Network,
    folder: PathLike,
    *,
    seconds_each: float | None = None,
    **limits: Unpack[Limits],
) -> CertifiedNetwork:
    """Ask every applicable question, write each certificate into a folder, and check them all.

    Parameters
    ----------
    network : Network
        The network.
    folder : str or path
        Where the files are written; it is made if it is not there.
    seconds_each : float, optional
        The time of each question.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    CertifiedNetwork
        Iteration gives the answers; ``files``, those that are ``accepted``, and ``is_complete``.

    Notes
    -----
    The files are written as the answers come.  The checker has a fifth of the time.

    Examples
    --------
    >>> import exactrelu as er
    >>> from tempfile import TemporaryDirectory
    >>> net = er.from_arrays([[[1]]], [[0]])
    >>> with TemporaryDirectory() as folder:
    ...     found = er.certify(net, folder)
    >>> found.is_complete, len(found.files) == len(found.accepted)
    (True, True)
    """
    effort = Effort.of(limits)
    effort.expect("questions", len(CATALOGUE))
    where = Path(folder)
    where.mkdir(parents=True, exist_ok=True)
    part = effort.part(share=SHARE)
    name = re.sub(r"[^\w.-]+", "-", network.name) or "network"
    entries = certified(name, network, where, seconds_each=seconds_each, effort=part)
    paths = [entry.certificate for entry in entries if entry.certificate is not None]
    late = [entry.reason for entry in entries if entry.verdict == "not asked"]
    accepted: frozenset[str] = frozenset()
    try:
        if paths:
            found = json.loads(run_checker(["--json", "--", *paths], effort).stdout)["results"]
            accepted = frozenset(r["file"] for r in found if r["verdict"] == "ACCEPTED")
    except Stopped as stopped:
        late.append(f"not checked: {stopped}")
    if not late and len(accepted) < len(paths):
        late.append("the checker does not accept every certificate")
    return CertifiedNetwork(network, where, tuple(entries), accepted, late[0] if late else "")
