"""``certify``: every applicable question about a network, a certificate file for each answer.

The questions are those of :mod:`exactrelu.questions.catalogue`.  The files are written as the
answers come, so that what was proved is there whatever happens next; then all of them are checked
by the independent checker.  Networks can be asked about by others (:mod:`exactrelu.work.crew`), one
piece of work each: they send the certificates, and the files are written here, in order.  A
journal (:mod:`exactrelu.public.journal`) says which networks are done.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from exactrelu.certificates.certificate import Certificate, joined
from exactrelu.certificates.checkers import run_checkers
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import CheckerFailed
from exactrelu.exact.text import canonical_json
from exactrelu.files import PathLike, atomic_write, make_folder, write_bytes
from exactrelu.network.network import Network
from exactrelu.public.certified import SUMMARY, CertifiedNetworks
from exactrelu.public.journal import Certified, Journal
from exactrelu.questions.applicable import CATALOGUE
from exactrelu.questions.catalogue import Asked, ask_all, names_of
from exactrelu.questions.question import Call, question
from exactrelu.work.crew import n_workers, shared

#: The share of the time that the questions have; the rest is for the checker.
SHARE = 0.8


def certified(
    networks: Mapping[str, Network],
    folder: Path,
    *,
    together: bool = False,
    seconds_each: float | None = None,
    resume: bool = False,
    effort: Effort,
    entries: list[Certified] | None = None,
) -> list[Certified]:
    """Every question about every network, each with its file, or all of a network in one.

    Answers are put into ``entries`` as they come, which is returned.  With ``resume`` networks that
    an earlier run has done are not asked about again, and the journal stays; else it is there as
    long as something is left to be done.
    """
    options = {"together": together, "seconds_each": seconds_each}
    journal = Journal(folder, options, resume=resume)
    known = {name: journal.entries(name, network) for name, network in networks.items()}
    left = {name: network for name, network in networks.items() if known[name] is None}
    effort.expect("questions", len(left) * len(CATALOGUE))
    answers = _answers(left, seconds_each, effort)
    entries = [] if entries is None else entries
    is_done = True
    for name, network in networks.items():
        before = known[name]
        if before is not None:
            entries += before
            continue
        start = len(entries)
        for entry in _written(name, next(answers), folder, together=together):
            entries.append(entry)
        found = entries[start:]
        if _is_final(found, effort):
            journal.add(name, network, found)
        else:
            is_done = False
    if is_done and not resume:
        journal.remove()
    return entries


def with_unasked(
    networks: Mapping[str, Network], entries: Sequence[Certified], why: str
) -> list[Certified]:
    """The answers so far, and what was not asked."""
    asked = {(entry.network, entry.question) for entry in entries}
    names = ((name, q) for name, network in networks.items() for q in names_of(network))
    late = (Certified(*pair, "not asked", why, None) for pair in names if pair not in asked)
    return [*entries, *late]


def _is_final(found: Sequence[Certified], effort: Effort) -> bool:
    """Whether a run with more time would answer the same."""
    words = {entry.verdict for entry in found}
    has_end = effort.seconds_left() is not None
    return "not asked" not in words and not ("undecided" in words and has_end)


class _Subject(NamedTuple):
    """A network to ask about, and the seconds that it may take."""

    name: str
    network: Network
    seconds: float | None


def _answers(
    networks: Mapping[str, Network], seconds_each: float | None, effort: Effort
) -> Iterator[Iterable[Asked]]:
    """The answers about each network, as they come or, if others find them, all at once."""
    n = len(networks)
    if not effort.is_shared:
        for k, network in enumerate(networks.values()):
            part = effort.part(share=1 / (n - k))
            yield ask_all(network, seconds_each=seconds_each, effort=part)
        return
    workers = 1 if effort.seconds_left() is None else n_workers(effort)

    def subjects() -> Iterator[_Subject]:
        for k, (name, network) in enumerate(networks.items()):
            # As many as there are workers have their time at once.
            part = effort.part(share=min(1.0, workers / (n - k)))
            yield _Subject(name, network, part.seconds_left())

    work, n_found = partial(_asked, seconds_each), 0
    try:
        for found in shared(work, subjects(), effort, describe=_name, lost=_lost, at_once=True):
            n_found += 1
            yield found
            effort.spend("questions", len(CATALOGUE))
    except Stopped as stopped:
        for name, network in islice(networks.items(), n_found, None):
            yield _lost(_Subject(name, network, None), str(stopped))


def _name(subject: _Subject) -> str:
    return f"the questions about {subject.name}"


def _asked(seconds_each: float | None, subject: _Subject, effort: Effort) -> list[Asked]:
    """The answers about one network, wherever that is."""
    part = effort.part(seconds=subject.seconds)
    return list(ask_all(subject.network, seconds_each=seconds_each, effort=part))


def _lost(subject: _Subject, why: str) -> list[Asked]:
    """What is said of a network whose questions ended whoever asked them."""
    return [Asked(name, "not asked", why, None) for name in names_of(subject.network)]


def _written(
    name: str, answers: Iterable[Asked], folder: Path, *, together: bool
) -> Iterator[Certified]:
    """The answers about a network, each with its file, which is written as they come."""
    facts = []
    for asked in answers:
        path = None
        if asked.certificate is not None:
            middle = "" if together else f".{asked.question}"
            path = str(folder / f"{name}{middle}.cert.jsonl")
            if together:
                facts.append(Certificate.from_bytes(asked.certificate))
            else:
                write_bytes(path, asked.certificate)
        yield Certified(name, asked.question, asked.verdict, asked.reason, path)
    if facts:
        joined("facts", facts).save(folder / f"{name}.cert.jsonl")


@question
def certify_networks(
    call: Call[CertifiedNetworks],
    networks: Mapping[str, Network],
    folder: Path,
    *,
    together: bool = False,
    seconds_each: float | None = None,
    resume: bool = False,
    **limits: Unpack[Limits],
) -> CertifiedNetworks:
    """Every question about networks by name, and what the checker says of each file."""
    make_folder(folder)
    entries: list[Certified] = []
    found = partial(CertifiedNetworks, folder, together=together)

    def so_far(stopped: Stopped) -> CertifiedNetworks:
        known = with_unasked(networks, entries, str(stopped))
        return found(tuple(known), unchecked=str(stopped), is_summed_up=False)

    call.knows(so_far)
    options: dict[str, Any] = {"together": together, "seconds_each": seconds_each, "resume": resume}
    # The rest of the time is for the checker.
    part = call.effort.part(share=SHARE)
    answers = tuple(certified(networks, folder, **options, effort=part, entries=entries))
    checked = _checked(found(answers), call.effort)
    atomic_write(folder / SUMMARY, f"{canonical_json(checked.summary)}\n".encode())
    return checked


def _checked(found: CertifiedNetworks, effort: Effort) -> CertifiedNetworks:
    """The same with what the checker says of the files, or why it says nothing."""
    if not found.files:
        return found
    try:
        finished = run_checkers(["--json"], found.files, effort)
    except (Stopped, CheckerFailed) as over:
        return replace(found, unchecked=str(over))
    sys.stderr.write(finished.stderr)
    results = {result["file"]: result for result in json.loads(finished.stdout)["results"]}
    return replace(found, results=results, exit_code=finished.returncode)


@question
def certify(
    call: Call[CertifiedNetworks],
    network: Network,
    folder: PathLike,
    *,
    seconds_each: float | None = None,
    resume: bool = False,
    **limits: Unpack[Limits],
) -> CertifiedNetworks:
    """Ask every question, write each certificate into a folder, and check them all.

    Parameters
    ----------
    network : Network
        The network.
    folder : str or path
        Where the files are written; it is made if it is not there.
    seconds_each : float, optional
        The time of each question.
    resume : bool, optional
        Whether to go on where an earlier call on the same folder ended.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    CertifiedNetworks
        Iteration gives the answers; ``files``, those that are ``accepted``, and ``is_complete``.

    Notes
    -----
    The files are written as the answers come, and ``summary.json`` at the end.  The checker has a
    fifth of the time.  Every question of the catalogue is among the entries: one that is too large,
    or does not apply, as ``left out``, with the reason.

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
    name = re.sub(r"[^\w.-]+", "-", network.name) or "network"
    options: dict[str, Any] = {"seconds_each": seconds_each, "resume": resume}
    return certify_networks({name: network}, Path(folder), **options, effort=call.effort)
