"""Mutation test of the checker: weaken each of its conditions and see a case file object.

    python proofs/mutate_checker.py [--jobs N] [--cases FOLDER] [NAME…]

Every mutant differs from the checker in one place: a condition that never holds, an operand of
``and``/``or`` left out, a comparison made weaker or stronger, a checking call left out, another
operation in place of +, - or *. All case files run against it in a process of its own. A mutant is
*killed* if some case gets another verdict or another reason code, and *killed by acceptance* if a
file that must be refused is then accepted. Survivors are printed with file and line. NAME…
restricts the run to these modules. The exit code is 0 if every mutant is killed or is on the list
of equivalent ones below.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import importlib
import importlib.abc
import importlib.util
import io
import json
import multiprocessing
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "exactrelu_checker"
CASES = HERE.parent / "tests" / "checker" / "cases"
# Presentation only: what these say decides no verdict; tests/checker covers them.
NOT_MUTATED = frozenset({"__init__.py", "__main__.py", "describe.py", "main.py"})
SECONDS = 120
MEMORY = 1 << 30

# Mutants that decide every file as the checker does: (module, changed text) and why.
EQUIVALENT: dict[tuple[str, str], str] = {
    (
        "lemmas/s003_layers.py",
        "max(multiply(w, u, budget), 0) - max(multiply(w, v, budget), 0)  ->  "
        "max(multiply(w, u, budget), 0) + max(multiply(w, v, budget), 0)",
    ): "of points on one side of 0 neither is a counterexample; on two sides one term is 0",
    ("lemmas/s002_deep.py", "value > 0  ->  value >= 0"): (
        "where the value is 0 at t0, the slope and the start are 0 themselves"
    ),
    ("lemmas/s002_deep.py", "value > 0  ->  value > -1"): "the same, for integers",
    (
        "rules/counterexample.py",
        "name in fact or name not in need.optional  ->  name in fact",
    ): "every kind that a table asks for has the fields that are not optional",
    ("rules/fiber_dimension.py", "neuron.side == '-'  ->  neuron.side != '-'"): (
        "the columns of both sides add up to 0, so they span the same line"
    ),
}

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
Edit = Callable[[], None]


@dataclass(frozen=True)
class Mutant:
    """A place in a module, by its position in the list of edits, and what is done there."""

    module: str
    line: int
    text: str
    position: int

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.text}"


def edits(tree: ast.Module) -> Iterator[tuple[int, str, Edit]]:
    """Yield line, description and action of every mutation of a module, messages left alone."""
    messages = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    in_messages = {id(node) for message in messages for node in ast.walk(message)}
    for parent in ast.walk(tree):
        if id(parent) in in_messages:
            continue
        for name, value in ast.iter_fields(parent):
            nodes = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
            for place, node in nodes:
                if isinstance(node, ast.AST):
                    for text, new in replacements(node, parent):
                        what = f"{ast.unparse(node).splitlines()[0]}  ->  {text}"
                        yield getattr(node, "lineno", 0), what, replacing(parent, name, place, new)


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
    elif isinstance(node, ast.BinOp) and type(node.op) in OTHER_OPERATION:
        new = ast.BinOp(node.left, OTHER_OPERATION[type(node.op)](), node.right)
        yield ast.unparse(new), new
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield ast.unparse(node.operand), node.operand
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "call left out", ast.Pass()
    elif isinstance(node, ast.Raise) and not isinstance(parent, ast.If):
        yield "raise left out", ast.Pass()
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield "filter left out", ast.comprehension(node.target, node.iter, [], node.is_async)
    elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("any", "all"):
        yield "True", ast.Constant(True)
        yield "False", ast.Constant(False)


def comparisons(node: ast.Compare) -> Iterator[tuple[str, ast.AST]]:
    """Yield the weaker and stronger forms of a comparison."""
    right = node.comparators[0]
    word = isinstance(right, ast.Constant) and isinstance(right.value, str)
    # The order of words means nothing: their comparisons are only negated.
    table = NEGATED if word else WEAKER
    for operator in table[type(node.ops[0])]:
        new = ast.Compare(node.left, [operator()], node.comparators)
        yield ast.unparse(new), new
    if isinstance(right, ast.Constant) and type(right.value) is int:
        for number in (right.value - 1, right.value + 1):
            new = ast.Compare(node.left, node.ops, [ast.Constant(number)])
            yield ast.unparse(new), new


def modules() -> dict[str, str]:
    """Return the sources of the package by path below it."""
    return {
        path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def mutants(sources: dict[str, str], names: list[str]) -> list[Mutant]:
    """Return every mutant of the named modules."""
    chosen = names or [name for name in sources if Path(name).name not in NOT_MUTATED]
    return [
        Mutant(name, line, text, position)
        for name in chosen
        for position, (line, text, _) in enumerate(edits(ast.parse(sources[name])))
    ]


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


def differences(codes: dict[str, CodeType], cases: Path) -> str:
    """Run the case files against the package: "", "other" or "accepts"."""
    sys.meta_path.insert(0, MutantPackage(codes))
    sys.path.insert(0, str(cases.parent))
    all_cases = importlib.import_module("case_files").all_cases
    main = importlib.import_module(f"{PACKAGE.name}.main").main
    verdict = ""
    for case in all_cases():
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
            exit_code = main(["--json", *case.options(), str(case.path)])
        if exit_code == 0 and case.exit_code != 0:
            return "accepts"
        if exit_code == case.exit_code == 2:
            continue
        if exit_code == case.exit_code:
            result = json.loads(output.getvalue())["results"][0]
            if (result["verdict"], result.get("code", "")) == (case.verdict, case.code):
                continue
        verdict = "other"
    return verdict


def trial(mutant: Mutant | None, sources: dict[str, str], cases: Path) -> str:
    """Run one mutant in a process of its own: "", "other", "accepts", "crash" or "timeout"."""
    codes = {name: unmutated(name, source) for name, source in sources.items()}
    if mutant is not None:
        source = sources[mutant.module]
        codes[mutant.module] = compiled(mutant.module, source, mutant.position)
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        try:
            os.write(write_end, differences(codes, cases).encode() or b"survives")
        except BaseException:  # a mutant may fail in any way, and that kills it
            os.write(write_end, b"crash")
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        answer = pipe.read().decode() or "timeout"
    os.waitpid(child, 0)
    return "" if answer == "survives" else answer


def main() -> int:
    """Run the mutants and print the survivors and the kill rate."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cases", type=Path, default=CASES)
    parser.add_argument("--weak", action="store_true", help="list mutants that accept no forgery")
    parser.add_argument("names", nargs="*", metavar="NAME", help="module, such as rules/rank.py")
    options = parser.parse_args()
    sources = modules()
    if trial(None, sources, options.cases):
        print("the checker itself disagrees with a case file")
        return 2
    todo = mutants(sources, options.names)
    with multiprocessing.Pool(options.jobs) as pool:
        run = functools.partial(trial, sources=sources, cases=options.cases)
        answers = pool.map(run, todo, chunksize=4)
    survivors = 0
    equivalent = 0
    for mutant, answer in zip(todo, answers, strict=True):
        reason = EQUIVALENT.get((mutant.module, mutant.text))
        if answer == "" and reason is None:
            survivors += 1
            print(f"SURVIVES {mutant}")
        elif answer == "":
            equivalent += 1
            print(f"equivalent {mutant}  ({reason})")
        elif reason is not None:
            survivors += 1
            print(f"KILLED, but listed as equivalent: {mutant}")
        elif options.weak and answer != "accepts":
            print(f"{answer} {mutant}")
    total = len(todo) - equivalent
    rate = 100 * (total - survivors) / total
    print(
        f"{len(todo)} mutants, {equivalent} equivalent; {total - survivors} of {total} killed "
        f"({rate:.1f} %), {answers.count('accepts')} of them by accepting a forgery"
    )
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
