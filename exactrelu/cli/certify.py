"""``exactrelu certify NET… -o DIR``: every applicable question, a certificate each."""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactrelu.cli.check import run_checker
from exactrelu.cli.command import Command, Outcome
from exactrelu.cli.text import count
from exactrelu.errors import InputError

if TYPE_CHECKING:
    from exactrelu.network.network import Network


@dataclass(frozen=True)
class _Certified:
    """One verdict and where its certificate lies."""

    network: str
    question: str
    verdict: str
    reason: str
    certificate: str

    def as_json(self) -> dict[str, Any]:
        return vars(self)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("networks", nargs="+", metavar="NET", help="network files")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="folder to write to")


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
        found += _certify(name, network, folder)
    finished = run_checker(["--json", "--", *(entry.certificate for entry in found)])
    results = json.loads(finished.stdout)["results"]
    accepted = [result["verdict"] == "ACCEPTED" for result in results]
    claims = [result.get("claim") or result.get("why") for result in results]
    summary = [{**e.as_json(), "claim": claim} for e, claim in zip(found, claims, strict=True)]
    atomic_write(folder / "summary.json", (canonical_json(summary) + "\n").encode())
    sys.stderr.write(finished.stderr)
    checked = (
        f"the independent checker accepted {sum(accepted):,} of {count(len(found), 'certificate')}"
    )
    lines = [*_table(found, accepted), "", f"{checked}; summary in {folder / 'summary.json'}"]
    return Outcome(
        "\n".join(lines),
        checked,
        {"n_certificates": len(found), "n_accepted": sum(accepted), "summary": summary},
        exit_code=finished.returncode,
    )


def _name(path: Path) -> str:
    """``cases/xor/network.json`` → ``xor``; ``cases/S002-P11/N.json`` → ``S002-P11-N``."""
    stem, folder = path.name.split(".")[0], path.parent.name
    if not folder:
        return stem
    return folder if stem == "network" else f"{folder}-{stem}"


def _certify(name: str, network: Network, folder: Path) -> list[_Certified]:
    from exactrelu.questions.catalogue import CATALOGUE

    entries = []
    for question in CATALOGUE:
        for asked, verdict in question(network):
            path = folder / f"{name}.{asked}.cert.jsonl"
            if verdict.certificate is not None:
                verdict.certificate.save(path)
                entries.append(_Certified(name, asked, verdict.word, verdict.reason, str(path)))
    return entries


def _table(found: list[_Certified], accepted: list[bool]) -> list[str]:
    """One line for each kind of question: how many networks, certificates, accepted."""
    lines = [f"{'question':<16} {'networks':>10} {'certificates':>14} {'accepted':>10}"]
    families = [re.sub(r"-W[0-9]+$", "", entry.question) for entry in found]
    for family in dict.fromkeys(families):
        chosen = [k for k, other in enumerate(families) if other == family]
        n_networks = len({found[k].network for k in chosen})
        n_accepted = sum(accepted[k] for k in chosen)
        lines.append(f"{family:<16} {n_networks:>10,} {len(chosen):>14,} {n_accepted:>10,}")
    return lines


CERTIFY = Command(
    "certify",
    "every applicable question about networks, one certificate each, all re-checked",
    "exactrelu certify cases/xor/network.json -o certificates",
    _add_arguments,
    _run,
)
