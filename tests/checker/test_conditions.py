"""Every condition of the checker matters: without it, some case gets another verdict.

Each call of ``need``, ``form``, ``whole`` and ``limit`` is dropped in turn, in a copy of the
package, and the cases are run again until one differs: first those that are refused by the code
of the call, of these those in the bundle of the module.
What is listed as an equivalent mutant is a mutant of the checker as it is now.
"""

from __future__ import annotations

import ast
import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import mutate_checker
import mutate_pins
import pytest
from bundles import CASES, Case, cases
from equivalent_mutants import EQUIVALENT as EQUIVALENT_MUTANTS
from equivalent_mutants import EQUIVALENT_PINS

PACKAGE = Path(__file__).resolve().parents[2] / "proofs" / "exactrelu_checker"
WORDS = ("need", "form", "whole", "limit")

#: Module, and code or words: why no file shows the difference.
EQUIVALENT = {
    ("tree", "basis-wrong"): "the elimination is right; a test hooks a wrong one",
    ("objects", "domain-empty"): "inside excludes it; a test calls chart",
    ("facts", "too-many-mentions"): "a file of some length; a test writes it",
}

#: Runs the cases that are named by its standard input until a verdict is not the one beside it, for
#: no more seconds of the processor than its argument says.
PROGRAM = """
import contextlib, io, json, resource, sys
from exactrelu_checker.main import main
resource.setrlimit(resource.RLIMIT_CPU, 2 * (int(sys.argv[1]),))
for line in sys.stdin:
    verdict, code, arguments = json.loads(line)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        main(arguments)
    found = said.getvalue()
    if found.split()[0] != verdict or (code and f" {code}: " not in found):
        sys.exit("another verdict")
print("no other verdict")
"""


def conditions() -> list[tuple[str, int, str]]:
    """Module, number of the call in it, and code."""
    found = []
    for path in sorted(PACKAGE.glob("*.py")):
        for number, call in enumerate(_calls(ast.parse(path.read_text(encoding="utf-8")))):
            code, why = (str(ast.literal_eval(argument)) if isinstance(argument, ast.Constant)
                         else "" for argument in call.args[1:3])  # fmt: skip
            is_listed = {(path.stem, code), (path.stem, why)} & EQUIVALENT.keys()
            if code and path.stem != "main" and not is_listed:
                found.append((path.stem, number, code))
    return found


def _calls(tree: ast.AST) -> list[ast.Call]:
    return [
        node for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WORDS
    ]  # fmt: skip


def is_noticed(folder: Path, lines: list[str], seconds: int) -> bool:
    """Whether the checker in a folder gives a case another verdict; one that loops is stopped."""
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(seconds)],
        input="".join(lines), capture_output=True, text=True, cwd=CASES, check=False,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    return run.stdout != "no other verdict\n"


def spent() -> int:
    """Seconds of the processor that other processes took."""
    return int(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)


def test_what_is_listed_as_equivalent_is_a_mutant() -> None:
    of_checker = mutate_checker.mutants(mutate_checker.modules(), [], own=False)
    assert not EQUIVALENT_MUTANTS.keys() - {(each.module, each.text) for each in of_checker}
    of_pins = mutate_pins.mutants(list(mutate_pins.JUDGES))
    assert not EQUIVALENT_PINS.keys() - {(each.module, each.text) for each in of_pins}


@pytest.mark.sweep
def test_no_condition_can_be_dropped(tmp_path: Path) -> None:
    known: list[Case] = list(cases().values())
    lines = []
    for number, case in enumerate(known):
        path = tmp_path / f"{number}.cert"
        path.write_bytes(case.data)
        said = (case.verdict, case.code, case.arguments(path))
        lines.append(f"{json.dumps(said)}\n")
    before = spent()
    assert not is_noticed(PACKAGE.parent, lines, 3600)
    seconds = 10 + 2 * (spent() - before)
    survivors = []
    copy = shutil.copytree(PACKAGE, tmp_path / "copy" / PACKAGE.name)
    for module, number, code in conditions():
        path = copy / f"{module}.py"
        tree = ast.parse(path.read_text(encoding="utf-8"))
        _calls(tree)[number].args[0] = ast.Constant(True)
        path.write_text(ast.unparse(tree), encoding="utf-8")
        places = sorted(
            (case.code != code, case.bundle != module, k) for k, case in enumerate(known)
        )
        if not is_noticed(copy.parent, [lines[k] for _, _, k in places], seconds):
            survivors.append((module, number, code))
        shutil.copy2(PACKAGE / path.name, path)
    assert not survivors
