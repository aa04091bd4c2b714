"""A second verdict on each accepted file: by ``exactrelu-verified``, which is proved to be sound.

Its page is ``proofs/verified/README.md``. A file is accepted only if both programs accept it and
say the same sentence, which determines the claim. Of a kind or method that is not verified the
verdict is UNSUPPORTED. If the program fails, or does not end, there is no verdict: exit code 70.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Container, Mapping

if not __package__:
    # By its path this file is no program, as none of its neighbours is.
    raise ImportError("attempted relative import with no known parent package")

from exactrelu_checker.check import Outcome
from exactrelu_checker.file import Limits
from exactrelu_checker.main import printable

_NAME = "exactrelu-verified"
_SECONDS = 3600  # for a file
_CODES: Mapping[str, int] = {
    "ACCEPTED": 0,
    "REJECTED": 1,
    "UNSUPPORTED": 2,
    "MALFORMED": 3,
    "INCOMPLETE": 4,
    "LIMIT": 4,
}


def verifier(limits: Limits, files: Container[str] | None) -> Callable[[Outcome], Outcome]:
    """Return what asks the program about an accepted file of these, or any; it is found first."""
    named = os.environ.get("EXACTRELU_VERIFIED", "")
    program = shutil.which(named if named not in ("", "required") else _NAME)
    if not program:
        where = "make verified, and EXACTRELU_VERIFIED=PATH or a folder of PATH"
        raise ValueError(f"no program {printable(named) or _NAME}: {where}")
    command = [program]
    for name in ("bytes", "line", "lines"):
        command += [f"--max-{name}", f"{getattr(limits, name)}"]

    def asked(outcome: Outcome) -> Outcome:
        if outcome.verdict != "ACCEPTED" or not (files is None or outcome.file in files):
            return outcome
        run = subprocess.run([*command, "--", outcome.file], capture_output=True, timeout=_SECONDS)
        said = run.stdout.decode("ascii", "replace").rstrip("\n")
        word = said.partition(" ")[0]
        if run.returncode != _CODES.get(word):
            raise RuntimeError(f"{_NAME} ended with exit code {run.returncode}")
        if said.startswith(f"ACCEPTED {outcome.claim} [by "):
            return outcome._replace(trusts=f"{outcome.trusts}; verified")
        if word == "UNSUPPORTED":
            return Outcome(outcome.file, word, code="not-verified", why=said.rpartition(": ")[2])
        # Of an accepted claim, so that the one who reads it sees which one.
        why = f"{_NAME} says {said}"
        # What only did not come to an end is no invalid proof.
        verdict = word if run.returncode == _CODES["LIMIT"] else "REJECTED"
        return Outcome(outcome.file, verdict, code="verified-differs", why=why)

    return asked
