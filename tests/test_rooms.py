"""The house: which room may use which, what a package says, and how large a file may be."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import exactrelu as er

ROOT = Path(__file__).parent.parent / "exactrelu"
FILES = sorted(ROOT.rglob("*.py"))
#: A room imports only from the rooms before it.
ROOMS = (
    *(
        "errors",
        "digits",
        "words",
        "answer",
        "answer",
        "display",
        "drawn",
        "memory",
        "progress",
        "effort",
        "bounded",
        "files",
        "work",
    ),
    *(
        "exact",
        "polyhedra",
        "network",
        "cells",
        "certificates",
        "questions",
        "lemmas",
        "view",
        "public",
        "cli",
    ),
)
#: Inside ``questions`` likewise, in these steps.
QUESTIONS = (
    {"question"},
    {"regions", "complex", "linear", "rank", "roles", "values"},
    {"activity", "arrangement", "faces", "singular_values", "solutions"},
    {"properties"},
    {"equivalence", "genericity", "injectivity", "local"},
    {"fibers", "folds", "shards"},
    {"identifiability"},
    {"recovery"},
    {"applicable"},
    {"catalogue"},
)
#: What users of Python see beside ``exactrelu`` itself: lists of names, from any room.
SUBMODULES = {"identifiability", "layers", "matrices", "samples"}
#: Rooms in which users look for public names.  They are found when they are asked for, some of them
#: in later rooms, so that importing a file of the room imports nothing else.
DOORS = {("polyhedra",), ("lemmas",)}
#: Files that are one thing, and a small one.
SMALL = {
    "errors.py",
    "memory.py",
    "progress.py",
    "bounded.py",
    "__main__.py",
    "drawn.py",
    "outcome.py",
    "pairs.py",
    *(f"{m}.py" for m in SUBMODULES),
}
FEWEST, MOST = 100, 500


def name_of(path: Path) -> tuple[str, ...]:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


class Read(NamedTuple):
    """What a file says, read once: with its trees all files would take hundreds of megabytes."""

    docstring: str | None
    has_code: bool
    #: The imports of the package, and which of them only a type checker sees.
    imports: tuple[ast.ImportFrom, ...]
    only_types: frozenset[ast.ImportFrom]
    classes: tuple[str, ...]
    #: How often each function branches.
    branches: tuple[tuple[str, int], ...]


@cache
def read(path: Path) -> Read:
    tree = ast.parse(path.read_text())
    nodes = list(ast.walk(tree))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    for_types = [
        node
        for block in nodes
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for part in block.body
        for node in ast.walk(part)
        if isinstance(node, ast.ImportFrom)
    ]
    return Read(
        ast.get_docstring(tree),
        bool(tree.body[1:]),
        tuple(node for node in imports if (node.module or "").startswith("exactrelu.")),
        frozenset(for_types),
        tuple(node.name for node in nodes if isinstance(node, ast.ClassDef)),
        tuple((n.name, branches(n)) for n in nodes if isinstance(n, ast.FunctionDef)),
    )


def imported(path: Path) -> Iterator[tuple[str, ...]]:
    """What a file imports of the package, wherever in it: modules, or names in them."""
    for node in read(path).imports:
        module = tuple((node.module or "").split(".")[1:])
        for alias in node.names:
            inside = (*module, alias.name)
            yield inside if _is_module(inside) else module


@cache
def _is_module(name: tuple[str, ...]) -> bool:
    place = ROOT.joinpath(*name)
    return place.with_suffix(".py").exists() or place.is_dir()


@pytest.mark.parametrize("path", FILES, ids=lambda path: "/".join(name_of(path)) or "exactrelu")
def test_a_room_imports_only_from_the_rooms_before_it(path: Path) -> None:
    room = (name_of(path) or ("",))[0]
    if room not in ROOMS:
        assert room in ("", "api", "__main__", *SUBMODULES)
        return
    if name_of(path) in DOORS:
        return
    later = [other for other in imported(path) if ROOMS.index(other[0]) > ROOMS.index(room)]
    assert not later


def test_questions_are_asked_in_one_order() -> None:
    step = {name: k for k, names in enumerate(QUESTIONS) for name in names}
    for path in FILES:
        name = name_of(path)
        if name[:1] != ("questions",) or len(name) < 2:
            continue
        assert name[1] in step, f"questions/{name[1]}: give it a step in QUESTIONS"
        for other in imported(path):
            if other[0] == "questions" and other[1] != name[1]:
                assert step[other[1]] < step[name[1]], f"{'/'.join(name)} imports {other}"


#: Where functions import parts of the package, so that a program starts fast: the commands are all.
LAZY = {"__main__", "lemmas", "polyhedra", "questions/catalogue", ""}


def run_time_imports(path: Path) -> Iterator[ast.ImportFrom]:
    """Imports of the package, wherever in a file, but those that only a type checker sees."""
    return (node for node in read(path).imports if node not in read(path).only_types)


def test_no_module_imports_itself_by_a_detour() -> None:
    """Imports inside functions are no way back."""
    graph = {}
    for path in FILES:
        graph[name_of(path)] = {
            inside if _is_module(inside := (*module, alias.name)) else module
            for node in run_time_imports(path)
            for module in (tuple((node.module or "").split(".")[1:]),)
            for alias in node.names
        } - {name_of(path)}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as cycle:
        pytest.fail(f"a cycle of imports: {cycle.args[1]}")


def test_functions_import_what_may_be_missing_and_commands_what_is_heavy() -> None:
    found = {
        "/".join(name_of(path))
        for path in FILES
        if any(node.col_offset for node in run_time_imports(path))
    }
    assert {name for name in found if not name.startswith("cli/")} <= LAZY


#: What everything stands on: leaves use it as engines do.
GROUND = {*ROOMS[: ROOMS.index("polyhedra")], "network", "certificates", "questions.question"}
#: Rooms that nothing but commands and the table of names stands on.  Of engines they import what
#: users can import, and these.  No name is added here.
LEAVES: dict[str, set[str]] = {
    "lemmas": {
        # The public question may use the theorem that is under test; this decides without it.
        "questions.injectivity.network.injective_by_pairs",
        # What it is asked about: a network and the domain of its first layer.
        "questions.injectivity.network.LayerStage",
    },
    "view": {
        # A report shows all that one can ask of a network; users ask one thing, or write files.
        "questions.catalogue.ask_all",
        # On a union of boxes folds are those of a network with its sides; a part of them is drawn.
        "questions.folds.cells.with_grid",
    },
    "questions/recovery": {
        # What the next one yields, to say how it differs.
        "questions.identifiability.second.Second",
        # Some network with the same function; the public question is whether there is none.
        "questions.identifiability.second.second_networks",
    },
}


@pytest.mark.parametrize("leaf", LEAVES)
def test_leaves_import_what_users_can_import(leaf: str) -> None:
    """Public names, and the types that the signatures of public names and of results name."""
    public = seen_by_users()
    found = set()
    for path in FILES:
        if not "/".join(name_of(path)).startswith(leaf) or name_of(path) in DOORS:
            continue
        for node in read(path).imports:
            module = node.module or ""
            # A picture of a statement is a view of it.
            others = ("exactrelu.lemmas",) if leaf == "view" else ()
            if module.startswith((f"exactrelu.{_dotted(leaf)}", *others)):
                continue
            if {module.split(".")[1], module.removeprefix("exactrelu.")} & GROUND:
                continue
            values = {a.name: getattr(import_module(module), a.name) for a in node.names}
            own = [name for name, value in values.items() if id(_plain(value)) not in public]
            found |= {f"{module}.{name}".removeprefix("exactrelu.") for name in own}
    assert found <= LEAVES[leaf], found - LEAVES[leaf]
    assert LEAVES[leaf] <= found, "what is not imported any more is not listed any more"


@cache
def seen_by_users() -> set[int]:
    """The public objects, and those that their annotations name, and those of these."""
    shown = [er, *(getattr(er, name) for name in (*sorted(SUBMODULES), "polyhedra", "lemmas"))]
    waiting = [_plain(getattr(room, name)) for room in shown for name in dir(room)]
    found = set(map(id, waiting))
    while waiting:
        for text, names in _annotations(waiting.pop()):
            for value in (names.get(word) for word in re.findall(r"\w+", text)):
                if value is not None and id(value) not in found:
                    found.add(id(value))
                    waiting.append(value)
    return found


def _annotations(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The annotations of a function or of a class of the package, and what their words mean."""
    if not str(getattr(value, "__module__", "")).startswith("exactrelu"):
        return
    if not inspect.isclass(value):
        for text in getattr(value, "__annotations__", {}).values():
            yield str(text), value.__globals__
        return
    for base in value.__mro__[:-1]:
        names = vars(sys.modules[base.__module__])
        for text in vars(base).get("__annotations__", {}).values():
            yield str(text), names
        for name, member in vars(base).items():
            function = getattr(member, "fget", None) or getattr(member, "func", member)
            if not name.startswith("_") and inspect.isfunction(function):
                for text in inspect.unwrap(function).__annotations__.values():
                    yield str(text), names


def _dotted(name: str) -> str:
    return name.replace("/", ".")


def _plain(value: object) -> object:
    return inspect.unwrap(value) if callable(value) else value


@pytest.mark.parametrize("leaf", LEAVES)
def test_nothing_but_commands_and_the_table_of_names_stands_on_a_leaf(leaf: str) -> None:
    parts = tuple(leaf.split("/"))
    for path in FILES:
        name = name_of(path)
        if not name or name[0] in ("api", "cli") or name[: len(parts)] == parts or name in DOORS:
            continue
        users = [other for other in imported(path) if other[: len(parts)] == parts]
        # A picture of a statement is a view of it.
        assert not users or (leaf == "lemmas" and name[0] == "view"), name


#: Engines that find signs of neurons: the portfolio chooses.
ENGINES = ("cells/dead_neurons",)
#: Who computes with what the checker computes with.
KERNEL = {
    "cells/box_bounds", "cells/replay", "questions/properties/replay",
    "questions/properties/sign_kernel",
}  # fmt: skip


def test_one_place_chooses_engines() -> None:
    for engine in ENGINES:
        parts = tuple(engine.split("/"))
        found = {"/".join(name_of(path)) for path in FILES if parts in imported(path)}
        assert found == {"cells/portfolio"}
    using = {path for path in FILES if "from exactrelu_checker" in path.read_text()}
    assert {"/".join(name_of(path)) for path in using} == KERNEL


@pytest.mark.parametrize("path", FILES, ids=lambda path: "/".join(name_of(path)) or "exactrelu")
def test_a_file_holds_one_idea_whole(path: Path) -> None:
    assert read(path).docstring, "a file says what it is for"
    n_lines = len(path.read_text().splitlines())
    if path.name == "__init__.py":
        is_index = path.parent == ROOT or path.parent.parent.name == "lemmas"
        is_index = is_index or name_of(path) in DOORS
        assert is_index or not read(path).has_code, "a package only says what lives there"
    elif path.name not in SMALL:
        assert FEWEST <= n_lines <= MOST, f"{n_lines} lines"


#: Lines of code of all commands: what an answer consists of is said where it is found.
MOST_OF_COMMANDS = 3200


def lines_of_code(path: Path) -> int:
    """How many lines have a token that is no comment and no docstring."""
    tree = ast.parse(path.read_text())
    strings = (n for n in ast.walk(tree) if isinstance(n, ast.Expr) and is_string(n.value))
    docstrings = {line for n in strings for line in range(n.lineno, (n.end_lineno or 0) + 1)}
    skipped = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    with path.open("rb") as file:
        tokens = [t for t in tokenize.tokenize(file.readline) if t.string and t.type not in skipped]
    lines = {line for t in tokens[1:] for line in range(t.start[0], t.end[0] + 1)}
    return len(lines - docstrings)


def is_string(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_commands_tell_what_results_declare() -> None:
    found = {path.name: lines_of_code(path) for path in (ROOT / "cli").glob("*.py")}
    assert sum(found.values()) <= MOST_OF_COMMANDS, found


def test_a_class_has_a_name_of_its_own() -> None:
    """A name says which, whatever module it is read in; an underscore does not tell two apart."""
    places: dict[str, list[str]] = {}
    for path in FILES:
        for name in read(path).classes:
            places.setdefault(name.lstrip("_"), []).append("/".join(name_of(path)))
    assert not {name: found for name, found in places.items() if len(found) > 1}


#: The most that a function branches: 1, and one more for each condition, loop, handler, operand of
#: "and" and "or", part of a comprehension, and case.  Ruff counts statements alone.
MOST_BRANCHES = 20
BRANCHING = (ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.match_case)


def branches(function: ast.AST) -> int:
    """How often a function branches, those inside it too."""
    total = 1
    for node in ast.walk(function):
        total += isinstance(node, BRANCHING)
        if isinstance(node, ast.For | ast.While):
            total += bool(node.orelse)
        elif isinstance(node, ast.comprehension):
            total += 1 + len(node.ifs)
        elif isinstance(node, ast.BoolOp):
            total += len(node.values) - 1
    return total


def test_a_function_is_split_by_its_cases() -> None:
    found = {}
    for path in FILES:
        for name, n in read(path).branches:
            if n > MOST_BRANCHES:
                found[f"{'/'.join(name_of(path))}.{name}"] = n
    assert not found


#: Modules without a test file of their own, and the file that tests them.
TESTED_BY = {
    "cells/box_bounds": "cells/test_portfolio.py",
    "cells/chain": "questions/properties/test_chain.py",
    "cells/cuts": "cells/test_simple.py",
    "cells/forms": "questions/equivalence/test_equivalent.py",
    "cells/half_edges": "cells/test_simple_proof.py",
    "cells/joint_cells": "questions/equivalence/test_equivalent.py",
    "cells/joint_nodes": "questions/equivalence/test_equivalent.py",
    "cells/linear_regions": "cells/test_regions.py",
    "cells/node_signs": "cells/test_simple_proof.py",
    "cells/pairs": "questions/equivalence/test_equivalent.py",
    "cells/replay": "questions/properties/test_replay.py",
    "cells/tables": "cells/test_kernels.py",
    "cells/two_faces": "cells/test_kernels.py",
    "cells/vertices": "cells/test_simple_regions.py",
    "cells/walk": "cells/test_tree.py",
    "certificates/trees": "checker/test_brute_force.py",
    "certificates/walked": "cells/test_kernels.py",
    "certificates/verdict": "certificates/test_certificate.py",
    "cli/command": "cli/test_certified.py",
    "cli/outcome": "cli/test_schema.py",
    "cli/main": "cli/test_program.py",
    "errors": "cli/test_program.py",
    "exact/modular": "questions/genericity/test_masked_products.py",
    "exact/text": "network/formats/test_load.py",
    "lemmas/listed": "cli/test_lemmas.py",
    "lemmas/refutation": "cli/test_lemmas.py",
    "lemmas/own_statements": "lemmas/test_search.py",
    "network/evaluation": "network/test_network.py",
    "network/formats/state_dicts": "network/formats/test_torch_modules.py",
    "network/formats/onnx_arithmetic": "network/formats/test_onnx_models.py",
    "network/formats/onnx_bends": "network/formats/test_onnx_models.py",
    "network/formats/onnx_model": "network/formats/test_onnx_graph.py",
    "network/formats/onnx_movement": "network/formats/test_onnx_models.py",
    "network/formats/onnx_node": "network/formats/test_onnx_operators.py",
    "network/formats/onnx_resize": "network/formats/test_onnx_models.py",
    "network/formats/onnx_windows": "network/formats/test_onnx_models.py",
    "network/formats/support": "network/formats/test_onnx_refused.py",
    "network/written": "network/formats/test_load.py",
    "network/rewriting": "questions/equivalence/test_simplify.py",
    "network/shallow": "questions/equivalence/test_canonical_forms.py",
    "questions/arrangement": "cli/test_linear.py",
    "questions/fibers/answers": "cli/test_fibers.py",
    "questions/fibers/one_component": "cli/test_fibers.py",
    "questions/fibers/fiber": "questions/fibers/test_shallow.py",
    "questions/folds/parts": "cli/test_folds.py",
    "questions/local/samples": "questions/local/test_places.py",
    "polyhedra/answers": "polyhedra/test_lp.py",
    "polyhedra/boxes": "questions/folds/test_pieces.py",
    "polyhedra/chart": "polyhedra/test_domain.py",
    "polyhedra/domain_text": "polyhedra/test_domain.py",
    "polyhedra/relative_interior": "polyhedra/test_domain.py",
    "public/arguments": "test_api.py",
    "public/certified": "cli/test_documents.py",
    "public/certify": "test_api.py",
    "public/gate": "test_api.py",
    "public/makers": "test_api.py",
    "public/methods": "public/test_wrong_calls.py",
    "public/names": "test_api.py",
    "questions/applicable": "questions/test_catalogue.py",
    "questions/activity": "questions/test_regions.py",
    "questions/equivalence/largest": "questions/equivalence/test_difference.py",
    "questions/equivalence/smaller": "questions/equivalence/test_simplify.py",
    "questions/equivalence/within": "questions/equivalence/test_difference.py",
    "questions/faces": "questions/test_complex.py",
    "questions/folds/chains": "questions/folds/test_theorem_class.py",
    "questions/folds/cells": "questions/folds/test_folds.py",
    "questions/identifiability/derivatives": (
        "questions/identifiability/test_functional_dimension.py"
    ),
    "questions/injectivity/constructions": "questions/injectivity/test_named_results.py",
    "questions/injectivity/network_stability": "questions/injectivity/test_stability.py",
    "questions/rank": "test_results.py",
    "questions/shards/answers": "questions/shards/test_sharded.py",
    "questions/shards/kinds": "questions/shards/test_sharded.py",
    "questions/recovery/folded": "questions/recovery/test_evidence.py",
    "questions/recovery/follow": "questions/recovery/test_recover.py",
    "questions/recovery/layers": "questions/recovery/test_recover.py",
    "questions/recovery/rows": "questions/recovery/test_recover.py",
    "questions/singular_values": "questions/test_linear.py",
    "questions/solutions": "cli/test_linear.py",
    "questions/values": "cli/test_networks.py",
    "view/lemmas_page": "lemmas/test_statement.py",
    "view/panels": "view/test_plot.py",
    "view/report/answers": "view/test_report.py",
    "view/report/explorer": "view/test_report.py",
    "view/summary": "cli/test_reading.py",
    "view/report/report": "view/test_report.py",
    "drawn": "view/test_svg.py",
    "view/window": "view/test_scene.py",
}


def test_every_module_has_its_tests() -> None:
    tests = Path(__file__).parent
    wanted = set(TESTED_BY)
    for path in FILES:
        name = name_of(path)
        if path.name in ("__init__.py", "__main__.py", "api.py") or name[0] in SUBMODULES:
            continue
        own = tests.joinpath(*name[:-1], f"test_{name[-1]}.py")
        if name[0] == "lemmas" and len(name) > 2:
            # A paper has one table of statements.
            own = tests / "lemmas" / f"test_{name[1]}.py"
        if own.exists():
            assert "/".join(name) not in TESTED_BY
        else:
            tested_by = TESTED_BY.get("/".join(name))
            assert tested_by, f"found no tests, expected {own.relative_to(tests.parent)}"
            assert (tests / tested_by).exists()
            wanted.discard("/".join(name))
    assert not wanted
