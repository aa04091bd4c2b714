"""Mutation test of what compares claims with the user's pins: manifests, networks, domains.

    python proofs/mutate_pins.py [--jobs N] [NAME…]

The mutants are those of ``mutate_checker.py``, of the modules of ``exactrelu_ci`` and of
``options`` of the checker; each is judged by the tests of these, in a copy of both packages and a
process of its own, up to the first that fails. Survivors are printed with file and line. The exit
code is 0 if every mutant is killed or is on the list of equivalent ones.
"""

from __future__ import annotations

import argparse
import ast
import functools
import multiprocessing
import os
import shutil
import sys
import tempfile
from pathlib import Path

import hypothesis  # noqa: F401  (the tests load it; here it is loaded once)
import pytest
from equivalent_mutants import EQUIVALENT_PINS
from mutate_checker import HERE, Mutant, edits, in_a_process, positive

# pytest brings what the mutants need; the cases are read once, before any process starts.
from bundles import cases  # isort: skip

PACKAGES = ("exactrelu_checker", "exactrelu_ci")
TESTS = HERE.parent / "tests" / "checker"
#: The files that judge a module, the most likely first.
JUDGES = {
    "exactrelu_checker/options.py": (
        "test_pins.py",
        "test_odd_files.py",
        "test_ledger.py",
        "test_manifest.py",
        "test_folder.py",
    ),
    "exactrelu_ci/job.py": (
        "test_report.py",
        "test_wrong_files.py",
        "test_ledger.py",
        "test_manifest.py",
    ),
    "exactrelu_ci/manifest.py": (
        "test_manifest_fields.py",
        "test_manifest.py",
        "test_wrong_files.py",
    ),
    "exactrelu_ci/pins.py": ("test_manifest_fields.py", "test_manifest.py", "test_wrong_files.py"),
    "exactrelu_ci/report.py": ("test_report.py",),
}
SECONDS = 120


def mutants(names: list[str]) -> list[Mutant]:
    """Return every mutant of the named modules."""
    found = []
    for name in names:
        tree = ast.parse((HERE / name).read_text(encoding="utf-8"))
        for position, (line, text, _) in enumerate(edits(tree)):
            found.append(Mutant(name, line, text, position))
    return found


def judged(mutant: Mutant) -> str:
    """Return "" if no test fails for a mutant."""
    with tempfile.TemporaryDirectory() as folder:
        for package in PACKAGES:
            skip = shutil.ignore_patterns("__pycache__")
            shutil.copytree(HERE / package, Path(folder) / package, ignore=skip)
        path = Path(folder) / mutant.module
        tree = ast.parse(path.read_text(encoding="utf-8"))
        list(edits(tree))[mutant.position][2]()
        path.write_text(ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8")
        return in_a_process(functools.partial(tested, mutant.module, folder), SECONDS)


def tested(module: str, folder: str) -> str:
    """Return whether a test fails, where the packages are those in a folder."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, folder)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    files = [str(TESTS / name) for name in JUDGES[module]]
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-o", "addopts="]
    options += ["--import-mode=importlib", "-o", f"pythonpath={folder}", f"--rootdir={HERE.parent}"]
    # Those that start a program of their own would judge the checker as it is.
    options += ["-k", "not bare_python"]
    return "" if pytest.main([*options, *files]) == 0 else "killed"


def main() -> int:
    """Run the mutants and print the survivors."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--jobs", type=positive, default=2)
    parser.add_argument("names", nargs="*", metavar="NAME", help="such as exactrelu_ci/pins.py")
    options = parser.parse_args()
    if wrong := [name for name in options.names if name not in JUDGES]:
        parser.error(f"no module {wrong[0]!r}; there are {', '.join(JUDGES)}")
    cases()
    todo = mutants(options.names or list(JUDGES))
    survivors = equivalent = 0
    with multiprocessing.Pool(options.jobs) as pool:
        for mutant, answer in zip(todo, pool.imap(judged, todo), strict=True):
            reason = EQUIVALENT_PINS.get((mutant.module, mutant.text))
            if answer == "" and reason is None:
                survivors += 1
                print(f"SURVIVES {mutant}", flush=True)
            elif answer == "":
                equivalent += 1
            elif reason is not None:
                survivors += 1
                print(f"KILLED, but listed as equivalent: {mutant}", flush=True)
    print(f"{len(todo)} mutants, {equivalent} equivalent, {survivors} survive")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
