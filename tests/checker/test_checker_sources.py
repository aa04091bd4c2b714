"""The checker keeps its promises about itself: standard library only, no assert, no float, …"""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest
from running import PACKAGE, PROOFS

SOURCES = sorted(PACKAGE.rglob("*.py"))
CLOSURE = """
import sys
sys.path.insert(0, sys.argv[1])
before = set(sys.modules)
import exactrelu_checker.main
names = {name.partition(".")[0] for name in set(sys.modules) - before}
print(sorted(names - set(sys.stdlib_module_names) - {"exactrelu_checker"}))
"""


def test_import_closure_is_the_standard_library() -> None:
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", CLOSURE, str(PROOFS)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == "[]\n"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_source(path) -> None:  # type: ignore[no-untyped-def]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    for node in ast.walk(tree):
        where = f"{path.name}:{getattr(node, 'lineno', 0)}"
        assert not isinstance(node, ast.Assert | ast.Global | ast.Nonlocal | ast.Div), where
        if isinstance(node, ast.Constant):
            assert not isinstance(node.value, float | complex), where
        if isinstance(node, ast.Name):
            assert node.id not in {"float", "eval", "exec", "compile", "__import__"}, where
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None, where
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            mutable = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
            assert not isinstance(statement.value, mutable), f"{path.name}:{statement.lineno}"


def test_no_recursion() -> None:
    """No function reaches itself, by the names that functions call (methods included)."""
    calls: dict[str, set[str]] = {}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                # Rules share the names _read and _check, so these are told apart by their file.
                called = calls.setdefault(unique(node.name, path.name), set())
                own = variables(node)
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Name) and inner.id not in own:
                        called.add(unique(inner.id, path.name))
                    elif isinstance(inner, ast.Attribute) and is_self(inner):
                        called.add(unique(inner.attr, path.name))
    for name in calls:
        seen: set[str] = set()
        todo = set(calls[name])
        while todo:
            reached = todo.pop()
            seen.add(reached)
            todo |= calls.get(reached, set()) - seen
        assert name not in seen, f"{name} calls itself"


def unique(name: str, file: str) -> str:
    """Return a name that tells private functions of different files apart."""
    return f"{file}:{name}" if name.startswith("_") else name


def variables(function: ast.FunctionDef) -> set[str]:
    """Return the names that a function assigns."""
    names = (node for node in ast.walk(function) if isinstance(node, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Store)}


def is_self(node: ast.Attribute) -> bool:
    """Tell whether an attribute is one of ``self``."""
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def test_size_in_an_evening() -> None:
    """Rules and tables of statements stay small; ``proofs/count_lines.py`` prints the figure."""
    sys.path.insert(0, str(PROOFS))
    from count_lines import code_lines

    tables = [path for path in SOURCES if path.parent.name == "lemmas"]
    assert sum(map(code_lines, set(SOURCES) - set(tables))) < 6600
    assert sum(map(code_lines, tables)) < 1400
    assert all(len(path.read_text(encoding="utf-8").splitlines()) <= 300 for path in SOURCES)


def test_mutants_of_one_rule_are_killed() -> None:
    """The mutation script works; the whole of it takes minutes and runs on its own."""
    script = str(PROOFS / "mutate_checker.py")
    rule = ["--bundle", "bounded", "rules/polyhedron_bounded.py"]
    run = subprocess.run(
        [sys.executable, script, *rule], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout
    assert "(100.0 %)" in run.stdout
