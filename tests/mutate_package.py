"""Mutation test of modules of the package: which changes at random places does no test notice?

    python -m tests.mutate_package [--count N] [--seed N] [--jobs N] PATH…

A path is a module or a folder, as ``exactrelu/questions/fibers``.  The mutants are those of
``proofs/mutate_checker.py``, and beside them numbers that are off by one, arguments that change
places, and terms that are left out; ``--count`` of them are drawn for each path.  First all tests
that belong to the modules run once, and which of them runs which line is written down; each mutant
is then judged by those that run its line, in a process of its own, up to the first that fails.
Survivors are printed with file and line; the exit code is 0 if there are none.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.abc
import importlib.util
import json
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest

from tests.test_rooms import ROOMS, TESTED_BY

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "proofs"))

from mutate_checker import Edit, Mutant, edits, in_a_process, positive, replacements  # noqa: E402

#: What is loaded once for all mutants: what they need of others, and the rooms before theirs.
LOADED = ("hypothesis", "matplotlib.pyplot", "networkx", "onnx", "sympy", "z3", "exactrelu.api")
MEMORY = 4 << 30
#: Plain: pytest would import modules whose examples it runs as they stand in their files.
QUIET = ("-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:faulthandler")


def all_edits(source: str) -> tuple[ast.Module, list[tuple[int, str, Edit]]]:
    """A module without the types of its arguments, and what may be changed in it."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                arg.annotation = None
    return tree, list(edits(tree, changes))


def changes(node: ast.AST, parent: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Mutations of a node: those of the checker's modules, and more."""
    yield from replacements(node, parent)
    if isinstance(node, ast.Constant) and type(node.value) is int:
        if not isinstance(parent, ast.Compare):
            for number in (node.value - 1, node.value + 1):
                yield str(number), ast.Constant(number)
    elif isinstance(node, ast.BinOp):
        yield ast.unparse(node.left), node.left
        yield ast.unparse(node.right), node.right
    elif isinstance(node, ast.Call):
        for k in range(len(node.args) - 1):
            args = [*node.args[:k], node.args[k + 1], node.args[k], *node.args[k + 2 :]]
            if ast.unparse(args[k]) != ast.unparse(args[k + 1]):
                new = ast.Call(node.func, args, node.keywords)
                yield ast.unparse(new), new


@dataclass
class Trace:
    """A plugin of pytest: which tests run which lines of some files, and how long they take."""

    files: frozenset[str]
    test: str = ""
    lines: dict[str, set[tuple[str, int]]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Watch one test, its fixtures too."""
        found = self.lines.setdefault(item.nodeid, set())

        def trace(frame: FrameType, event: str, _: object) -> Any:
            if frame.f_code.co_filename not in self.files:
                return None
            if event == "line":
                found.add((frame.f_code.co_filename, frame.f_lineno))
            return trace

        start = time.process_time()
        sys.settrace(trace)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            self.seconds[item.nodeid] = time.process_time() - start


def judges(modules: Sequence[str]) -> list[str]:
    """The files of tests of some modules: all of their folders, and those of the table of rooms."""
    found = set(modules)
    for module in modules:
        name = module.removeprefix("exactrelu/").removesuffix(".py")
        folder = ROOT / "tests" / Path(name).parent
        found |= {str(path.relative_to(ROOT)) for path in folder.glob("test_*.py")}
        if name in TESTED_BY:
            found.add(f"tests/{TESTED_BY[name]}")
    return sorted(found)


def tested(tests: Sequence[str], *plugins: Trace) -> bool:
    """Whether tests pass, in this process."""
    sys.dont_write_bytecode = True
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    return pytest.main([*QUIET, *tests], plugins=plugins) == 0


def traced(modules: Sequence[str]) -> str:
    """As JSON: by test its seconds and the lines that it runs; "" if a test fails."""
    plugin = Trace(frozenset(str(ROOT / module) for module in modules))
    if not tested(judges(modules), plugin):
        return "a test fails"
    lines = {test: sorted(found) for test, found in plugin.lines.items()}
    return json.dumps([lines, plugin.seconds])


class MutantModule(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from a changed source."""

    def __init__(self, mutant: Mutant) -> None:
        self.name = mutant.module.removesuffix(".py").replace("/", ".")
        self.path = str(ROOT / mutant.module)
        tree, found = all_edits(Path(self.path).read_text(encoding="utf-8"))
        found[mutant.position][2]()
        self.code = compile(ast.fix_missing_locations(tree), self.path, "exec")

    def find_spec(self, fullname: str, path: object, target: object = None) -> Any:
        """The spec of the module."""
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed module."""
        exec(self.code, module.__dict__)


def running(mutant: Mutant, lines: dict[str, list[tuple[str, int]]]) -> list[str]:
    """The tests that run a line; what runs when a module is loaded concerns all of its tests."""
    file = ROOT / mutant.module
    inside = {
        line
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1)
    }
    own = {mutant.line} if mutant.line in inside else inside
    return [test for test in lines if any(f == str(file) and n in own for f, n in lines[test])]


def judged(job: tuple[Mutant, list[str], int]) -> str:
    """Return "" if no test fails for a mutant."""
    mutant, tests, seconds = job

    def run() -> str:
        sys.meta_path.insert(0, MutantModule(mutant))
        own = ROOMS.index(mutant.module.split("/")[1])
        for name in [name for name in sys.modules if name.split(".")[0] == "exactrelu"]:
            room = (*name.split("."), "")[1]
            if room not in ROOMS or ROOMS.index(room) >= own:
                del sys.modules[name]
        return "" if tested(tests) else "killed"

    return in_a_process(run, seconds, MEMORY) if tests else ""


def drawn(path: str, count: int, rng: random.Random) -> list[Mutant]:
    """So many mutants of the modules at a path; all of them, if there are no more."""
    place = ROOT / path
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    found = []
    for file in files:
        module = file.relative_to(ROOT).as_posix()
        for position, (line, text, _) in enumerate(all_edits(file.read_text("utf-8"))[1]):
            found.append(Mutant(module, line, text, position))
    chosen = sorted(rng.sample(range(len(found)), min(count, len(found))))
    return [found[k] for k in chosen]


def main() -> int:
    """Draw mutants, run them, and print the survivors."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--count", type=positive, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=positive, default=2)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="such as exactrelu/questions")
    options = parser.parse_args()
    for path in options.paths:
        if not (ROOT / path).exists() or path.split("/")[0] != "exactrelu":
            parser.error(f"no module or folder {path!r} of the package, as exactrelu/questions")
    rng = random.Random(options.seed)
    todo = [mutant for path in options.paths for mutant in drawn(path, options.count, rng)]
    for name in LOADED:
        if importlib.util.find_spec(name):
            importlib.import_module(name)
    modules = sorted({mutant.module for mutant in todo})
    try:
        lines, seconds = json.loads(in_a_process(lambda: traced(modules), 3600, MEMORY))
    except ValueError:
        print("a test fails without a mutant")
        return 2
    jobs = []
    for mutant in todo:
        tests = sorted(running(mutant, lines), key=seconds.__getitem__)
        jobs.append((mutant, tests, 20 + 3 * int(sum(map(seconds.__getitem__, tests)))))
    survivors = 0
    with multiprocessing.Pool(options.jobs) as pool:
        for (mutant, tests, _), answer in zip(jobs, pool.imap(judged, jobs), strict=True):
            if answer == "":
                survivors += 1
                print(f"SURVIVES {mutant}" + ("" if tests else "  (no test runs it)"), flush=True)
    print(f"{len(jobs)} mutants, {survivors} survive")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
