"""Feed certificates to the independent checker, as a program of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from exactrelu.certificates.certificate import Certificate

CHECKER = Path(__file__).parents[1] / "proofs" / "exactrelu_checker"


def verdicts(certificates: Iterable[Certificate], folder: Path) -> list[dict[str, object]]:
    """What the checker says of each certificate, all in one run of it."""
    paths = [
        str(certificate.save(folder / f"{k}.cert.jsonl"))
        for k, certificate in enumerate(certificates)
    ]
    program = [sys.executable, "-I", "-S", str(CHECKER), "--json", *paths]
    finished = subprocess.run(program, capture_output=True, text=True, check=False)
    return list(json.loads(finished.stdout)["results"])


def assert_accepted(certificates: Iterable[Certificate], folder: Path) -> list[str]:
    """All are accepted; the sentences that the checker makes of them."""
    found = verdicts(certificates, folder)
    assert found
    assert [r for r in found if r["verdict"] != "ACCEPTED"] == []
    return [str(r["claim"]) for r in found]
