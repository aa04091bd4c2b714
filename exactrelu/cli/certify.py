"""``exactrelu certify NET… -o DIR``: every applicable question, a certificate each."""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactrelu.certificates.checker import run_checker
from exactrelu.cli.command import Command, Outcome, add_limits
from exactrelu.errors import InputError
from exactrelu.view.text import count

if TYPE_CHECKING:
    from exactrelu.network.network import Network


@dataclass(frozen=True)
class _Certified:
    """One verdict and where its certificate lies."""

    network: str
    question: str
    verdict: str
    reason: str
    certificate: str | None

    def as_json(self) -> dict[str, Any]:
        return vars(self)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("networks", nargs="+", metavar="NET", help="network files")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="folder to write to")
    parser.add_argument(
        "--together", action="store_true", help="one file for each network, with all its claims"
    )
    add_limits(parser)


def _run(args: argparse.Namespace) -> Outcome:
    from tqdm import tqdm

    from exactrelu.exact.encode import canonical_json
    from exactrelu.files import atomic_write
    from exactrelu.network.formats import load

    folder = Path(args.output)
    networks = {_name(Path(path)): load(path) for path in args.networks}
    if len(networks) < len(args.networks):
        raise InputError("two network files would be certified under one name: rename one")
    folder.mkdir(parents=True, exist_ok=True)
    found: list[_Certified] = []
    # A progress bar on a terminal only, and only for work of over a second.
    for name, network in tqdm(networks.items(), unit="network", delay=1, disable=None):
        found += _certify(name, network, folder, args)
    written = (entry.certificate for entry in found if entry.certificate is not None)
    paths = list(dict.fromkeys(written))
    finished = run_checker(["--json", "--", *paths])
    results = {result["file"]: result for result in json.loads(finished.stdout)["results"]}
    accepted = {path: results[path]["verdict"] == "ACCEPTED" for path in paths}
    # The sentence of a file with all claims would stand at each of them.
    claims: dict[str | None, Any] = (
        {} if args.together else {path: results[path].get("claim") for path in paths}
    )
    summary = [{**entry.as_json(), "claim": claims.get(entry.certificate)} for entry in found]
    atomic_write(folder / "summary.json", (canonical_json(summary) + "\n").encode())
    sys.stderr.write(finished.stderr)
    n_accepted = sum(accepted.values())
    total = count(len(paths), "certificate")
    checked = f"the independent checker accepted {n_accepted:,} of {total}"
    lines = [*_table(found, accepted), "", f"{checked}; summary in {folder / 'summary.json'}"]
    return Outcome(
        "\n".join(lines),
        checked,
        {
            "n_certificates": len(paths),
            "n_accepted": n_accepted,
            "n_undecided": sum(entry.certificate is None for entry in found),
            "summary": summary,
        },
        exit_code=finished.returncode,
        certified=() if args.together or n_accepted < len(paths) else ("summary.claim",),
    )


def _name(path: Path) -> str:
    """``cases/xor/network.json`` → ``xor``; ``cases/S002-P11/N.json`` → ``S002-P11-N``."""
    stem, folder = path.name.split(".")[0], path.parent.name
    if not folder:
        return stem
    return folder if stem == "network" else f"{folder}-{stem}"


def _certify(
    name: str, network: Network, folder: Path, args: argparse.Namespace
) -> list[_Certified]:
    """Every question, with at most ``--timeout`` seconds for each."""
    from exactrelu.certificates.certificate import Certificate
    from exactrelu.certificates.counterexample import facts_certificate
    from exactrelu.files import write_bytes
    from exactrelu.questions.asking import ask_all

    entries = []
    facts = []
    for asked in ask_all(network, args.timeout):
        path = None
        if asked.certificate is not None:
            middle = "" if args.together else f".{asked.question}"
            path = str(folder / f"{name}{middle}.cert.jsonl")
            if args.together:
                facts.append(Certificate.from_bytes(asked.certificate))
            else:
                write_bytes(path, asked.certificate)
        entries.append(_Certified(name, asked.question, asked.verdict, asked.reason, path))
    if facts:
        facts_certificate(facts).save(folder / f"{name}.cert.jsonl")
    return entries


def _table(found: list[_Certified], accepted: dict[str, bool]) -> list[str]:
    """One line for each kind of question: how many networks, verdicts, accepted certificates."""
    words = ("yes", "no", "undecided")
    head = "".join(f"{word:>11}" for word in ("networks", *words, "accepted"))
    lines = [f"{'question':<22}{head}"]
    families: dict[str, list[_Certified]] = {}
    for entry in found:
        families.setdefault(re.sub(r"-W[0-9]+$", "", entry.question), []).append(entry)
    for family, entries in families.items():
        numbers = [
            len({entry.network for entry in entries}),
            *(sum(entry.verdict == word for entry in entries) for word in words),
            sum(accepted[e.certificate] for e in entries if e.certificate is not None),
        ]
        lines.append(f"{family:<22}" + "".join(f"{number:>11,}" for number in numbers))
    return lines


CERTIFY = Command(
    "certify",
    "every applicable question about networks, one certificate each, all re-checked",
    "exactrelu certify cases/xor/network.json -o certificates",
    _add_arguments,
    _run,
)
