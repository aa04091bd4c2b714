"""What ``--trust`` lists for a kind and method is all that a proof by it loads."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from bundles import Case, cases
from exactrelu_checker.claims import KINDS, methods
from test_cases import PACKAGE

#: Runs the program for each list of a name and arguments, in a process of its own, forked before
#: anything of the checker is loaded; says what it printed, and which modules are loaded then.
SERVER = """
import argparse, contextlib, fractions, hashlib, io, json, os, pathlib, sys, typing, zlib
sys.path.insert(0, sys.argv[1])
answers = []
for name, *arguments in json.load(sys.stdin):
    end, start = os.pipe()
    if not os.fork():
        from exactrelu_checker.main import main
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = main(arguments)
        loaded = [name for name in sys.modules if name.startswith("exactrelu_checker.")]
        with os.fdopen(start, "w") as file:
            json.dump([name, code, said.getvalue(), loaded], file)
        os._exit(0)
    os.close(start)
    with os.fdopen(end) as file:
        answers.append(json.load(file))
    os.wait()
json.dump(answers, sys.stdout)
"""
#: They read arguments and print verdicts.
PROGRAM = {"exactrelu_checker.main", "exactrelu_checker.options"}


def answers(questions: list[list[str]]) -> dict[str, tuple[str, set[str]]]:
    """For the name of each question what the program says, and the modules that it loads."""
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", SERVER, str(PACKAGE.parent)],
        input=json.dumps(questions), capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = {}
    for name, code, said, loaded in json.loads(run.stdout):
        assert code == 0, (name, said)
        found[name] = said, set(loaded)
    return found


def all_methods() -> list[str]:
    """KIND:METHOD for each."""
    return [
        f"{kind}:{method}"
        for kind in KINDS
        for method in sorted({**methods(kind), **methods(f"not {kind}")})
    ]


@cache
def listings() -> dict[str, set[str]]:
    """The modules that --trust lists, those of proofs within the proof too."""
    asked = [*KINDS, *all_methods()]
    lines = {
        name: [line.split() for line in said.splitlines()[:-1]]
        for name, (said, _) in answers([[name, "--trust", name] for name in asked]).items()
    }

    def closure(name: str) -> set[str]:
        found: set[str] = set()
        seen: set[str] = set()
        left = [name]
        while left:
            part = left.pop()
            seen.add(part)
            for words in lines[part]:
                if words[0] != "and":
                    found.add(words[1])
                elif "records" in words:
                    found |= {word for word in words if word.startswith("exactrelu_checker.")}
                elif words[3] in KINDS and words[3] not in seen:
                    left.append(words[3])
        return found

    return {name: closure(name) for name in asked}


def method_of(case: Case) -> str:
    """KIND:METHOD of an accepted case."""
    return f"{json.loads(case.lines[0])['claim']['kind']}:{case.lines[1].split()[1]}"


def accepted() -> dict[str, list[Case]]:
    """The accepted cases of each method, without those that are about other things."""
    found: dict[str, list[Case]] = {name: [] for name in all_methods()}
    for case in cases().values():
        plain = set(case.options) <= {"--ledger"}
        if case.verdict == "ACCEPTED" and plain and case.bundle != "file":
            found[method_of(case)].append(case)
    return found


def test_every_method_has_an_accepted_case() -> None:
    assert not [name for name, found in accepted().items() if not found]


def test_what_is_loaded_is_listed(tmp_path: Path) -> None:
    questions, allowed = [], {}
    for name, found in accepted().items():
        paths, parts = [], {name}
        for number, case in enumerate(found):
            path = tmp_path / f"{name.replace(':', '-')}-{number}.cert"
            path.write_bytes(case.data)
            paths.append(str(path))
            claim = json.loads(case.lines[0])["claim"]
            parts |= {fact["kind"] for fact in claim.get("facts", {}).get("list", [])}
        if name.endswith(":shards"):
            ledger = tmp_path / f"{name.replace(':', '-')}.ledger"
            ledger.write_text("".join(case.ledger for case in found), encoding="ascii")
            paths += ["--ledger", str(ledger)]
        questions.append([name, *paths])
        allowed[name] = PROGRAM.union(*(listings()[part] for part in parts))
    for name, (_, loaded) in answers(questions).items():
        assert loaded <= allowed[name], (name, loaded - allowed[name])


@pytest.mark.parametrize("name", ["equal:rewriting", "minimal:smaller", "identifiable:equal"])
def test_proofs_of_equality_within_proofs_are_listed(name: str) -> None:
    assert "exactrelu_checker.forms" in listings()[name]
