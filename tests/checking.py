"""Feed certificates to the independent checker: in this process, or as a program of its own.

Starting the program costs a hundred times what a small certificate costs. With
``EXACTRELU_CHECKER=process``, as in ``make sweep``, it is started all the same. That it needs
nothing of ``exactrelu`` and keeps nothing between files is tested in ``tests/checker``.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from exactrelu_checker.main import main

from exactrelu.certificates.certificate import Certificate

CHECKER = Path(__file__).parents[1] / "proofs" / "exactrelu_checker"
AS_PROGRAMS = os.environ.get("EXACTRELU_CHECKER") == "process"


def verdicts(certificates: Iterable[Certificate], folder: Path) -> list[dict[str, object]]:
    """What the checker says of each certificate, all in one run of it."""
    paths = [
        str(certificate.save(folder / f"{k}.cert.jsonl"))
        for k, certificate in enumerate(certificates)
    ]
    return list(json.loads(printed("--json", *paths))["results"])


def printed(*arguments: str) -> str:
    """What the checker prints."""
    if AS_PROGRAMS:
        program = [sys.executable, "-I", "-S", str(CHECKER), *arguments]
        return subprocess.run(program, capture_output=True, text=True, check=False).stdout
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        main(arguments)
    return output.getvalue()


def assert_accepted(certificates: Iterable[Certificate], folder: Path) -> list[str]:
    """All are accepted; the sentences that the checker makes of them."""
    found = verdicts(certificates, folder)
    assert found
    assert [r for r in found if r["verdict"] != "ACCEPTED"] == []
    return [str(r["claim"]) for r in found]
