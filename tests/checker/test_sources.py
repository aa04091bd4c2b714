"""Budgets and manners of the checker: small, standard library, integers, no recursion."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from count_tokens import KERNEL, tokens
from exactrelu_checker.claims import KINDS, from_module, methods

PACKAGE = Path(__file__).resolve().parents[2] / "proofs" / "exactrelu_checker"
FILES = sorted(PACKAGE.glob("*.py"))
CI = sorted((PACKAGE.parent / "exactrelu_ci").glob("*.py"))
TABLES = sorted((PACKAGE / "lemmas").glob("*.py"))
#: What a claim may load, in tokens: with one of these modules, or else.
MOST = {"bounds": 19_000, "fibers": 19_000, "tracks": 19_000, "forms": 15_500}
MOST_ELSE = 14_000
#: Beside what it loads, the tables of published statements.
COUNTEREXAMPLE = 33_000
ALLOWED = {
    "argparse", "bisect", "collections", "decimal", "fractions", "hashlib", "importlib", "inspect",
    "io", "itertools", "json", "math", "operator", "os", "pathlib", "re", "runpy", "struct", "sys",
    "typing", "zlib",
    "exactrelu_checker",
}  # fmt: skip


def size(paths: Iterable[Path]) -> int:
    return sum(map(tokens, paths))


def test_what_is_read_is_what_is_counted(tmp_path: Path) -> None:
    """Names, numbers, operators and strings; no docstring, comment or layout."""
    lines = (
        '"""Say."""',
        "def f(x: int) -> int:  # why",
        '    """S',
        '    """',
        "    return (",
        "x+1)",
    )
    (tmp_path / "f.py").write_text("\n".join(lines) + "\n")
    #                     def f ( x : int ) -> int :  return ( x + 1 )
    assert tokens(tmp_path / "f.py") == 10 + 6


def test_kernel_is_small() -> None:
    assert size(PACKAGE / f"{name}.py" for name in KERNEL) <= 12_500
    assert size(TABLES) <= 15_000


def test_all_of_it_is_small() -> None:
    """There is room for a new kind; what it may cost is what a reader can read."""
    assert size(FILES) <= 66_500
    assert size(CI) <= 7_000


def test_the_checker_needs_nothing_of_what_is_for_ci() -> None:
    """But for the line that loads it, if it is there."""
    names = [path.stem for path in FILES if "exactrelu_ci" in path.read_text(encoding="utf-8")]
    assert names == ["main"]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_closure_is_small(kind: str) -> None:
    """All that is loaded to check a kind by one method."""
    for method in {**methods(kind), **methods(f"not {kind}")}:
        run = subprocess.run(
            [sys.executable, "-I", "-S", str(PACKAGE), "--trust", f"{kind}:{method}"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        words = [word for line in run.stdout.splitlines() for word in line.split()[1:2]]
        names = [word for word in words if word.startswith("exactrelu_checker.")]
        places = [PACKAGE.parent / name.replace(".", "/") for name in names]
        loaded = [p / "__init__.py" if p.is_dir() else p.with_suffix(".py") for p in places]
        most = max((MOST[path.stem] for path in loaded if path.stem in MOST), default=MOST_ELSE)
        most = COUNTEREXAMPLE if kind == "counterexample" else most
        assert size(loaded) <= most, run.stdout


def test_no_line_is_long() -> None:
    for path in (*FILES, *TABLES, *CI):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            assert len(line) <= (100 if path in CI else 92), f"{path.name}:{number}"


def test_a_line_says_little() -> None:
    """Lines of code, that is without those of docstrings and comments, and blank ones."""
    lines = 0
    for path in FILES:
        source = path.read_text(encoding="utf-8")
        said = {number for node in strings(source) for number in places(node)}
        lines += sum(
            line.strip()[:1] not in ("", "#") and number not in said
            for number, line in enumerate(source.splitlines(), 1)
        )
    assert size(FILES) <= 11.8 * lines


def test_a_function_is_short() -> None:
    """At most 30 lines of code; what is longer is several things."""
    for path in FILES:
        source = path.read_text(encoding="utf-8")
        said = {number for node in strings(source) for number in places(node)}
        lines = source.splitlines()
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef):
                own = (n for n in places(node) if n not in said)
                code = [n for n in own if lines[n - 1].strip()[:1] not in ("", "#")]
                assert len(code) <= 30, f"{path.name}: {node.name}"


def test_proofs_are_on_the_pages_of_the_rules() -> None:
    """A docstring says what a record is, and names the page that says why it is enough."""
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        assert not re.findall(r"\*(?:Sound|Proof|Why)\b|∎", text), path.name
        for page in re.findall(r"on the pages? (``[a-z-]+``(?:(?:,| and)\s``[a-z-]+``)*)", text):
            for name in re.findall("[a-z-]+", page.replace(" and ", " ")):
                assert (PACKAGE.parent / "rules" / f"{name}.md").is_file(), name


def strings(source: str) -> list[ast.Expr]:
    """Statements that are strings: docstrings."""
    return [
        node for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]  # fmt: skip


def places(node: ast.stmt) -> range:
    """The lines of a statement."""
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


@pytest.mark.parametrize("path", [*FILES, *TABLES, *CI], ids=lambda path: path.stem)
def test_manners(path: Path) -> None:
    """Imports are few; there is no assert, float, global state, eval, or recursion."""
    source = ast.parse(path.read_text(encoding="utf-8"))
    allowed = ALLOWED | {"tomllib"} if path in CI else ALLOWED
    if path in CI and path.stem == "verified":
        allowed = ALLOWED | {"shutil", "subprocess"}  # another program is asked
    for node in ast.walk(source):
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= allowed
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            assert str(node.module).split(".")[0] in allowed
        assert not isinstance(node, ast.Assert | ast.Global | ast.Nonlocal)
        if isinstance(node, ast.Constant):
            assert not isinstance(node.value, float | complex)
        if isinstance(node, ast.Div):
            assert path.stem == "options" or path in CI  # of fractions and paths
        if isinstance(node, ast.Name):
            assert node.id not in ("eval", "exec", "float", "__import__")
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None
        if isinstance(node, ast.FunctionDef):
            called = {
                inner.func.id if isinstance(inner.func, ast.Name) else ""
                for inner in ast.walk(node)
                if isinstance(inner, ast.Call)
            }
            assert node.name not in called, f"{node.name} calls itself"
    for holder in (source, *(n for n in source.body if isinstance(n, ast.ClassDef))):
        for node in holder.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name[0] != "_":
                # A statement of a table stands above what it asks for.
                said = path in TABLES and isinstance(node, ast.FunctionDef) and node.decorator_list
                assert said or ast.get_docstring(node), node.name


def test_modules_hold_no_mutable_state() -> None:
    """What a module assigns is a constant, a table that is only read, a type or a field."""
    for path in (*FILES, *TABLES, *CI):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign):
                assert not isinstance(node.value, ast.List | ast.Set | ast.Dict) or (
                    path.stem == "main"
                ), f"{path.name}:{node.lineno}"


def test_every_method_exists() -> None:
    for kind in KINDS:
        for title in (kind, f"not {kind}"):
            for method, (module, function) in methods(title).items():
                assert function == re.sub("[ -]", "_", f"{title}_by_{method}")
                assert callable(from_module(module, function))


def test_a_function_that_is_named_like_a_method_is_one() -> None:
    """In whatever module it is, also where a table must say so."""
    titles = [title for kind in KINDS for title in (kind, f"not {kind}")]
    known = [place for title in titles for place in methods(title).values()]
    named = set()
    for path in FILES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            names = [target.id for target in targets if isinstance(target, ast.Name)]
            names += [node.name] if isinstance(node, ast.FunctionDef) else []
            named |= {(path.stem, name) for name in names if "_by_" in name}
    assert set(known) == named
    assert len(known) == len(set(known))


def test_notes_name_every_module() -> None:
    notes = (PACKAGE.parent / "NOTES.md").read_text(encoding="utf-8")
    table = notes.split("\n## ")[0]
    assert not [p.stem for p in FILES if p.stem[0] != "_" and f"`{p.stem}`" not in table]
