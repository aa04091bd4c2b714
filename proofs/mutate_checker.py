"""Mutation test of the checker: change each of its places and see a case object.

    python proofs/mutate_checker.py [--jobs N] [--own] [NAME…]

Every mutant differs from the checker in one place: a condition that never holds, an operand of
``and``/``or`` left out, a comparison made weaker or stronger, a checking call left out, another
operation in place of +, - or *, ``all`` for ``any``, ``max`` for ``min``, an ``abs`` or a
``reversed`` left out, an element of a tuple or list left out, the end of a slice, a shift or the
number in an operation off by one. One traced run tells which cases come to which line; those that
come to the line of a mutant run against it, in a process of its own, up to the first that gets
another verdict or another reason code: the mutant is *killed*, and *killed by acceptance* if that
file must be refused and is accepted. Survivors are printed with file and line. NAME… restricts the
run to these modules; with ``--own`` modules of the kernel have only the cases of their own bundles,
and the tables that they have outside of functions, of what is in other modules, are left alone.
Arguments of ``spend``, and ``size`` and ``widest``, which are bits of integers for it, are left
alone: fuel has tests of its own, ``tests/checker/test_bombs*.py``.
The exit code is 0 if every mutant is killed or is on the list of equivalent ones below.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import importlib
import importlib.abc
import importlib.util
import inspect
import io
import json
import math
import multiprocessing
import os
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import TraceFunction

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "checker"))

from bundles import CASES, Case, cases  # noqa: E402
from equivalent_mutants import EQUIVALENT  # noqa: E402

PACKAGE = HERE / "exactrelu_checker"
# What these say decides no verdict on a file; tests/checker/test_pins.py covers them.
NOT_MUTATED = frozenset({"__init__.py", "__main__.py", "main.py", "program.py"})
# The bundles of a module of the kernel, where the usual one, of its own name, is not all.
OWN = {
    "check": {"claims", "file", "points", "shards"},
    "claims": {"claims", "objects", "points"},
    "equality": {"fibers", "identifiable", "minimal", "rewriting"},
    "evidence": {"cells", "linear", "points", "tree"},
    "file": {"claims", "file", "objects", "shards"},
    "formula": {"formula", "range"},
    "injectivity": {"injectivity", "range"},
    "numbers": {"cells", "folds", "linear", "objects", "tree"},
    "objects": {
        "cells",
        "injectivity",
        "linear",
        "objects",
        "pairs",
        "points",
        "range",
        "stability",
    },
    "peeling": {"tracks"},
    "tree": {
        "cells",
        "faces",
        "injectivity",
        "objects",
        "pairs",
        "points",
        "roles",
        "tree",
        "vectors",
    },
}
PATIENCE = 4  # a mutant may take so many times as long as the checker for all the cases
MEMORY = 1 << 30

WEAKER: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE,),
    ast.LtE: (ast.Lt,),
    ast.Gt: (ast.GtE,),
    ast.GtE: (ast.Gt,),
    ast.Eq: (ast.LtE, ast.GtE, ast.NotEq),
    ast.NotEq: (ast.Lt, ast.Gt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
NEGATED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OTHER_OPERATION: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
}
TYPES = frozenset(
    {"Callable", "Iterable", "Iterator", "Literal", "Mapping", "NamedTuple", "Sequence"}
)
OTHER_CALL = {"any": "all", "all": "any", "min": "max", "max": "min"}
Edit = Callable[[], None]
Changes = Callable[[ast.AST, ast.AST], Iterator[tuple[str, ast.AST]]]
Cases = list[int]  # numbers of case files


@dataclass(frozen=True)
class Mutant:
    """A place in a module, by its position in the list of edits, and what is done there."""

    module: str
    line: int
    text: str
    position: int

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.text}"


def edits(tree: ast.Module, changes: Changes | None = None) -> Iterator[tuple[int, str, Edit]]:
    """Yield line, description and action of every mutation; messages and types are left alone.

    The mutations of a node are its ``replacements``, or others.
    """
    left_alone = {
        id(node) for start in ast.walk(tree) if _is_text_or_type(start) for node in ast.walk(start)
    }
    for parent in ast.walk(tree):
        if id(parent) in left_alone:
            continue
        for name, value in ast.iter_fields(parent):
            nodes = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
            for place, node in nodes:
                if isinstance(node, ast.AST):
                    for text, new in (changes or replacements)(node, parent):
                        what = f"{ast.unparse(node).splitlines()[0]}  ->  {text}"
                        yield getattr(node, "lineno", 0), what, replacing(parent, name, place, new)


def _is_text_or_type(node: ast.AST) -> bool:
    """Whether a node is a message, an amount of fuel, or says of what type something is."""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        name = node.value.id
        return name in ("dict", "list", "set", "tuple") or name in TYPES
    return isinstance(node, ast.JoinedStr) or _is_spending(node)


def _is_spending(node: ast.AST) -> bool:
    """Whether a node is a call that pays fuel, which may be left out as a whole, or an amount."""
    if isinstance(node, ast.Assign | ast.AugAssign):
        target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
        return isinstance(target, ast.Name) and target.id in ("size", "widest")
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "spend"
    )


def replacing(parent: ast.AST, name: str, place: int | None, new: ast.AST) -> Edit:
    """Return the action that puts a node in the place of another."""

    def edit() -> None:
        if place is None:
            setattr(parent, name, new)
        else:
            getattr(parent, name)[place] = new

    return edit


def replacements(node: ast.AST, parent: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield the mutations of one node: what is done, and the new node."""
    if isinstance(node, ast.If):
        yield "if False", ast.If(ast.Constant(False), node.body, node.orelse)
    elif isinstance(node, ast.IfExp):
        yield "first branch", node.body
        yield "second branch", node.orelse
    elif isinstance(node, ast.BoolOp):
        for dropped in range(len(node.values)):
            kept = node.values[:dropped] + node.values[dropped + 1 :]
            new = kept[0] if len(kept) == 1 else ast.BoolOp(node.op, kept)
            yield ast.unparse(new), new
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield ast.unparse(node.operand), node.operand
    elif isinstance(node, ast.Compare):
        yield from comparisons(node)
    elif isinstance(node, ast.BinOp):
        yield from operations(node)
    elif isinstance(node, ast.Slice):
        yield from slices(node)
    elif isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Load):
        for dropped in range(len(node.elts) if len(node.elts) > 1 else 0):
            kept = node.elts[:dropped] + node.elts[dropped + 1 :]
            shorter = type(node)(kept, ast.Load())
            yield ast.unparse(shorter), shorter
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield ast.unparse(node.operand), node.operand
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "call left out", ast.Pass()
    elif isinstance(node, ast.Raise) and not isinstance(parent, ast.If):
        yield "raise left out", ast.Pass()
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield "filter left out", ast.comprehension(node.target, node.iter, [], node.is_async)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        yield from calls(node, node.func.id)


def operations(node: ast.BinOp) -> Iterator[tuple[str, ast.AST]]:
    """Yield another operation, and numbers and shifts that are off by one."""
    if type(node.op) in OTHER_OPERATION:
        new = ast.BinOp(node.left, OTHER_OPERATION[type(node.op)](), node.right)
        yield ast.unparse(new), new
    if isinstance(node.op, ast.LShift | ast.RShift) or _is_number(node.right):
        for shift in (ast.Add(), ast.Sub()):
            right = ast.BinOp(node.right, shift, ast.Constant(1))
            new = ast.BinOp(node.left, node.op, right)
            yield ast.unparse(new), new


def slices(node: ast.Slice) -> Iterator[tuple[str, ast.AST]]:
    """Yield slices with an end left out or off by one."""
    for name in ("lower", "upper"):
        end = getattr(node, name)
        if end is not None:
            others = [ast.BinOp(end, shift, ast.Constant(1)) for shift in (ast.Add(), ast.Sub())]
            for other in (None, *others):
                new = ast.Slice(node.lower, node.upper, node.step)
                setattr(new, name, other)
                yield ast.unparse(new), new


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def calls(node: ast.Call, name: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield what may stand in the place of a call of a function of Python."""
    if name in ("any", "all"):
        yield "True", ast.Constant(True)
        yield "False", ast.Constant(False)
    if name in OTHER_CALL:
        new = ast.Call(ast.Name(OTHER_CALL[name], ast.Load()), node.args, node.keywords)
        yield ast.unparse(new), new
    if name in ("abs", "reversed"):
        yield ast.unparse(node.args[0]), node.args[0]


def comparisons(node: ast.Compare) -> Iterator[tuple[str, ast.AST]]:
    """Yield the weaker and stronger forms of each part of a comparison."""
    for place, (operator, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
        word = isinstance(right, ast.Constant) and isinstance(right.value, str)
        # The order of words means nothing: their comparisons are only negated.
        for other in (NEGATED if word else WEAKER)[type(operator)]:
            ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            new = ast.Compare(node.left, ops, node.comparators)
            yield ast.unparse(new), new
        if isinstance(right, ast.Constant) and type(right.value) is int:
            for number in (right.value - 1, right.value + 1):
                known = node.comparators
                ends = [*known[:place], ast.Constant(number), *known[place + 1 :]]
                new = ast.Compare(node.left, node.ops, ends)
                yield ast.unparse(new), new


def modules() -> dict[str, str]:
    """Return the sources of the package by path below it."""
    return {
        path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def mutants(sources: dict[str, str], names: list[str], own: bool) -> list[Mutant]:
    """Return every mutant of the named modules, but those of tables with ``own``."""
    chosen = names or [name for name in sources if Path(name).name not in NOT_MUTATED]
    found = []
    for name in chosen:
        tree = ast.parse(sources[name])
        tables = [part for part in tree.body if isinstance(part, ast.Assign | ast.AnnAssign)]
        lines = {k for part in tables for k in range(part.lineno, (part.end_lineno or 0) + 1)}
        for position, (line, text, _) in enumerate(edits(tree)):
            if not own or line not in lines:
                found.append(Mutant(name, line, text, position))
    return found


class MutantPackage(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the package from code objects, one of which is mutated."""

    def __init__(self, codes: dict[str, CodeType]) -> None:
        self.codes = codes

    def find_spec(self, fullname: str, path: object, target: object = None):  # type: ignore[no-untyped-def]
        """Return the spec of a module of the package."""
        if fullname.split(".")[0] != PACKAGE.name:
            return None
        package = self.file(fullname, "/__init__.py") in self.codes
        return importlib.util.spec_from_loader(fullname, self, is_package=package)

    def exec_module(self, module: ModuleType) -> None:
        """Run the code of a module."""
        name = module.__name__
        code = self.codes.get(self.file(name, "/__init__.py")) or self.codes[self.file(name, ".py")]
        exec(code, module.__dict__)

    @staticmethod
    def file(fullname: str, ending: str) -> str:
        """Return the path of a module below the package."""
        return ("/".join(fullname.split(".")[1:]) + ending).lstrip("/")


def compiled(name: str, source: str, position: int | None = None) -> CodeType:
    """Return the code of a module, with the edit at a position of its list if there is one."""
    tree = ast.parse(source)
    if position is not None:
        list(edits(tree))[position][2]()
        ast.fix_missing_locations(tree)
    return compile(tree, name, "exec")


@functools.cache
def unmutated(name: str, source: str) -> CodeType:
    """Return the code of a module as it is."""
    return compiled(name, source)


@dataclass(frozen=True)
class Files:
    """Cases, written to a folder by their numbers."""

    folder: Path
    cases: tuple[Case, ...]

    def arguments(self, number: int) -> list[str]:
        """Return what the program is asked about a case."""
        return ["--json", *self.cases[number].arguments(self.folder / f"{number}.cert")]


def imported(codes: dict[str, CodeType]) -> ModuleType:
    """Return the module of the program, the package made of these codes."""
    sys.meta_path.insert(0, MutantPackage(codes))
    return importlib.import_module(f"{PACKAGE.name}.main")


def differences(codes: dict[str, CodeType], files: Files, chosen: Cases | None, weak: bool) -> str:
    """Run case files against the package up to a difference: "", "other" or "accepts".

    To tell the weak mutants, which accept no forgery, from others it goes on after "other".
    """
    program = imported(codes)
    verdict = ""
    for number in range(len(files.cases)) if chosen is None else chosen:
        case = files.cases[number]
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
            exit_code = program.main(files.arguments(number))
        if exit_code == 0 and case.verdict != "ACCEPTED":
            return "accepts"
        result = json.loads(output.getvalue())["results"][0]
        as_expected = (result["verdict"], result["code"]) == (case.verdict, case.code)
        if as_expected and result["trusts"].endswith(case.trusts):
            continue
        verdict = "other"
        if not weak:
            break
    return verdict


def lines_run(codes: dict[str, CodeType], files: Files) -> str:
    """Return as JSON, by module and line, the case files that run it; none for all of them.

    What runs at import, and what no file runs, is not listed: there all files are tried.
    """
    found: dict[str, dict[int, Cases]] = {name: {} for name in codes}
    number = -1

    def trace(frame: FrameType, event: str, _: object) -> TraceFunction | None:
        lines = found.get(frame.f_code.co_filename)
        # Bodies of modules and classes run once, at import: no case is the only one to need them.
        if lines is None or not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
            return None
        if event == "line":
            runs = lines.setdefault(frame.f_lineno, [])
            if not runs or runs[-1] != number:
                runs.append(number)
        return trace

    sys.settrace(trace)
    program = imported(codes)
    for number in range(len(files.cases)):
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            program.main(files.arguments(number))
    sys.settrace(None)
    return json.dumps(
        {
            name: {line: runs for line, runs in lines.items() if runs[0] >= 0}
            for name, lines in found.items()
        }
    )


def in_a_process(work: Callable[[], str], seconds: int = 3600, memory: int = MEMORY) -> str:
    """Return what some work on a package of its own returns, "crash" or "timeout".

    The seconds are those of the processor.
    """
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        with os.fdopen(write_end, "w") as pipe:
            try:
                pipe.write(work() or "survives")
            except BaseException:  # a mutant may fail in any way, and that kills it
                pipe.write("crash")
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        answer = pipe.read() or "timeout"
    os.waitpid(child, 0)
    return "" if answer == "survives" else answer


def traced(sources: dict[str, str], files: Files) -> dict[str, dict[str, Cases]]:
    """Return the case files that run each line."""
    codes = {name: unmutated(name, source) for name, source in sources.items()}
    answer = in_a_process(lambda: lines_run(codes, files))
    return dict(json.loads(answer))


def trial(
    mutant: Mutant | None,
    chosen: Cases | None,
    seconds: int,
    sources: dict[str, str],
    files: Files,
    weak: bool,
) -> str:
    """Run one mutant, all case files if none are chosen: "" if no answer is another one."""
    codes = {name: unmutated(name, source) for name, source in sources.items()}
    if mutant is not None:
        source = sources[mutant.module]
        codes[mutant.module] = compiled(mutant.module, source, mutant.position)
    return in_a_process(lambda: differences(codes, files, chosen, weak), seconds)


def positive(text: str) -> int:
    """Return how many processes to use."""
    if (number := int(text)) < 1:
        raise ValueError("a number of processes is positive")
    return number


def main() -> int:
    """Run the mutants and print the survivors and the kill rate."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--jobs", type=positive, default=2)
    parser.add_argument("--own", action="store_true", help="the kernel by its own bundles")
    parser.add_argument("--weak", action="store_true", help="list mutants that accept no forgery")
    parser.add_argument("names", nargs="*", metavar="NAME", help="module, such as tree.py")
    options = parser.parse_args()
    if wrong := [name for name in options.names if name not in modules()]:
        parser.error(f"no module {wrong[0]!r}; there are {', '.join(modules())}")
    with tempfile.TemporaryDirectory() as folder:
        known = tuple(case for case in cases().values() if _is_wanted(case, options))
        for number, case in enumerate(known):
            (Path(folder) / f"{number}.cert").write_bytes(case.data)
        os.chdir(CASES)
        return reported(options, Files(Path(folder), known))


def _answered(run: Callable[..., str], job: tuple[Mutant, Cases | None, int]) -> tuple[Mutant, str]:
    """Return a mutant with what a run of it says."""
    return job[0], run(*job)


def _is_wanted(case: Case, options: argparse.Namespace) -> bool:
    """Whether a mutant of the modules asked for may run against a case."""
    stems = [Path(name).stem for name in options.names]
    kernel = options.own and stems and all(stem in OWN for stem in stems)
    return not kernel or any(case.bundle in OWN[stem] for stem in stems)


def chosen_cases(mutant: Mutant, runs: Cases | None, files: Files, own: bool) -> Cases | None:
    """Return the cases to try, those of the bundles of its module first; or those alone."""
    module = Path(mutant.module).stem
    bundles = OWN.get(module, {module})
    numbers = range(len(files.cases)) if runs is None else runs
    if own and module in OWN:
        return [k for k in numbers if files.cases[k].bundle in bundles]
    return sorted(numbers, key=lambda k: files.cases[k].bundle not in bundles)


def reported(options: argparse.Namespace, files: Files) -> int:
    """Print what the cases say about the mutants that were asked for."""
    sources = modules()
    run = functools.partial(trial, sources=sources, files=files, weak=options.weak)
    if run(None, None, 3600):
        print("the checker itself disagrees with a case file")
        return 2
    seconds = 2 + PATIENCE * math.ceil(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)
    todo = mutants(sources, options.names, options.own)
    runs = traced(sources, files)
    survivors = equivalent = forgeries = 0
    with multiprocessing.Pool(options.jobs) as pool:
        chosen = [
            chosen_cases(mutant, runs[mutant.module].get(str(mutant.line)), files, options.own)
            for mutant in todo
        ]
        jobs = [(mutant, numbers, seconds) for mutant, numbers in zip(todo, chosen, strict=True)]
        for mutant, answer in pool.imap(functools.partial(_answered, run), jobs):
            reason = EQUIVALENT.get((mutant.module, mutant.text))
            forgeries += answer == "accepts"
            if answer == "" and reason is None:
                survivors += 1
                print(f"SURVIVES {mutant}", flush=True)
            elif answer == "":
                equivalent += 1
                print(f"equivalent {mutant}  ({reason})", flush=True)
            elif reason is not None:
                survivors += 1
                print(f"KILLED, but listed as equivalent: {mutant}", flush=True)
            elif options.weak and answer != "accepts":
                print(f"{answer} {mutant}", flush=True)
    total = len(todo) - equivalent
    rate = 100 * (total - survivors) / total
    print(
        f"{len(todo)} mutants, {equivalent} equivalent; {total - survivors} of {total} killed "
        f"({rate:.1f} %), at least {forgeries} of them by accepting a forgery"
    )
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
