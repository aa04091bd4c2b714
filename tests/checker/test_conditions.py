"""Every condition of the checker matters: without it, some case gets another verdict.

Each call of ``need``, ``form``, ``whole`` and ``limit`` is dropped in turn, in a copy of the
package, and the cases are run again until one differs, those of the bundle of the module first.
What is listed as an equivalent mutant is a mutant of the checker as it is now.
"""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import mutate_checker
import mutate_pins
import pytest
from bundles import Case, cases
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

#: Runs the cases that are named by its standard input until a verdict is not the one beside it.
PROGRAM = """
import sys
from exactrelu_checker.check import Question, check_file
for line in sys.stdin:
    path, *expected = line.split()
    outcome = check_file(path, Question())
    if [outcome.verdict, *outcome.code.split()] != expected:
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


def is_noticed(folder: Path, lines: list[str]) -> bool:
    """Whether the checker in a folder gives a case another verdict; one that loops is stopped."""
    try:
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input="".join(lines), capture_output=True, text=True, cwd=folder, timeout=600,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return True
    return run.stdout != "no other verdict\n"


def test_what_is_listed_as_equivalent_is_a_mutant() -> None:
    of_checker = mutate_checker.mutants(mutate_checker.modules(), [], own=False)
    assert not EQUIVALENT_MUTANTS.keys() - {(each.module, each.text) for each in of_checker}
    of_pins = mutate_pins.mutants(list(mutate_pins.JUDGES))
    assert not EQUIVALENT_PINS.keys() - {(each.module, each.text) for each in of_pins}


@pytest.mark.sweep
def test_no_condition_can_be_dropped(tmp_path: Path) -> None:
    known: list[Case] = [case for case in cases().values() if not case.options]
    limited = {case.code for case in cases().values() if case.verdict == "LIMIT"}
    assert limited
    lines = []
    for number, case in enumerate(known):
        path = tmp_path / f"{number}.cert"
        path.write_bytes(case.data)
        lines.append(f"{path} {case.verdict} {case.code}\n")
    assert not is_noticed(PACKAGE.parent, lines)
    survivors = []
    for module, number, code in conditions():
        if code in limited:
            continue
        copy = tmp_path / f"{module}-{number}"
        shutil.copytree(PACKAGE, copy / "exactrelu_checker")
        path = copy / "exactrelu_checker" / f"{module}.py"
        tree = ast.parse(path.read_text(encoding="utf-8"))
        _calls(tree)[number].args[0] = ast.Constant(True)
        path.write_text(ast.unparse(tree), encoding="utf-8")
        order = sorted(range(len(known)), key=lambda k: known[k].bundle != module)
        if not is_noticed(copy, [lines[k] for k in order]):
            survivors.append((module, number, code))
        shutil.rmtree(copy)
    assert not survivors
