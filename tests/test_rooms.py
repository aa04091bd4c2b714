"""The house: which room may use which, what a package says, and how large a file may be."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "exactrelu"
FILES = sorted(ROOT.rglob("*.py"))
#: A room imports only from the rooms before it.
ROOMS = (
    *("errors", "digits", "display", "drawn", "files", "effort", "worker", "processes", "crew"),
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
    {"regions", "complex", "linear", "rank"},
    {"activity", "faces", "singular_values"},
    {"properties"},
    {"equivalence", "genericity", "injectivity", "local"},
    {"fibers", "folds", "shards"},
    {"identifiability"},
    {"recovery"},
    {"catalogue"},
)
#: What users of Python see beside ``exactrelu`` itself: lists of names, from any room.
SUBMODULES = {"identifiability", "layers", "matrices", "samples"}
#: Rooms in which users look for public names.  They are found when they are asked for, some of them
#: in later rooms, so that importing a file of the room imports nothing else.
DOORS = {("polyhedra",), ("lemmas",)}
#: Files that are one thing, and a small one.
SMALL = {"errors.py", "effort.py", "__main__.py", "drawn.py", *(f"{m}.py" for m in SUBMODULES)}
FEWEST, MOST = 100, 500


def name_of(path: Path) -> tuple[str, ...]:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def imported(path: Path) -> Iterator[tuple[str, ...]]:
    """What a file imports of the package, wherever in it: modules, or names in them."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("exactrelu."):
            module = tuple((node.module or "").split(".")[1:])
            for alias in node.names:
                inside = (*module, alias.name)
                yield inside if _is_module(inside) else module


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
        for other in imported(path):
            if other[0] == "questions" and other[1] != name[1]:
                assert step[other[1]] < step[name[1]], f"{'/'.join(name)} imports {other}"


def test_no_module_imports_itself_by_a_detour() -> None:
    """Imports at the top of a file; those inside functions may look back."""
    graph = {}
    for path in FILES:
        tree = ast.parse(path.read_text())
        graph[name_of(path)] = {
            inside if _is_module(inside := (*module, alias.name)) else module
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("exactrelu.")
            for module in (tuple((node.module or "").split(".")[1:]),)
            for alias in node.names
        }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as cycle:
        pytest.fail(f"a cycle of imports: {cycle.args[1]}")


@pytest.mark.parametrize("path", FILES, ids=lambda path: "/".join(name_of(path)) or "exactrelu")
def test_a_file_holds_one_idea_whole(path: Path) -> None:
    tree = ast.parse(path.read_text())
    assert ast.get_docstring(tree), "a file says what it is for"
    n_lines = len(path.read_text().splitlines())
    if path.name == "__init__.py":
        is_index = path.parent == ROOT or path.parent.parent.name == "lemmas"
        is_index = is_index or name_of(path) in DOORS
        assert is_index or not tree.body[1:], "a package only says what lives there"
    elif path.name not in SMALL:
        assert FEWEST <= n_lines <= MOST, f"{n_lines} lines"


#: Modules without a test file of their own, and the file that tests them.
TESTED_BY = {
    "cells/cuts": "cells/test_simple.py",
    "cells/forms": "questions/equivalence/test_equivalent.py",
    "cells/half_edges": "cells/test_simple_proof.py",
    "cells/joint_nodes": "questions/equivalence/test_equivalent.py",
    "cells/pairs": "questions/equivalence/test_equivalent.py",
    "cells/tables": "cells/test_kernels.py",
    "cells/vertices": "cells/test_simple_regions.py",
    "cells/walk": "cells/test_tree.py",
    "certificates/trees": "checker/test_brute_force.py",
    "certificates/verdict": "certificates/test_certificate.py",
    "cli/command": "cli/test_certified.py",
    "cli/main": "cli/test_program.py",
    "cli/regions": "cli/test_cells.py",
    "errors": "cli/test_program.py",
    "exact/modular": "questions/genericity/test_masked_products.py",
    "exact/text": "network/formats/test_load.py",
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
    "network/rewriting": "questions/equivalence/test_simplify.py",
    "network/shallow": "questions/equivalence/test_canonical_forms.py",
    "polyhedra/answers": "polyhedra/test_lp.py",
    "polyhedra/boxes": "questions/folds/test_pieces.py",
    "polyhedra/chart": "polyhedra/test_domain.py",
    "polyhedra/domain_text": "polyhedra/test_domain.py",
    "polyhedra/relative_interior": "polyhedra/test_domain.py",
    "public/certify": "test_api.py",
    "public/gate": "test_api.py",
    "public/makers": "test_api.py",
    "public/names": "test_api.py",
    "questions/activity": "questions/test_regions.py",
    "questions/equivalence/simplified": "questions/equivalence/test_simplify.py",
    "questions/equivalence/within": "questions/equivalence/test_difference.py",
    "questions/faces": "questions/test_complex.py",
    "questions/fibers/deep_components": "questions/fibers/test_three_layers.py",
    "questions/folds/cells": "questions/folds/test_folds.py",
    "questions/injectivity/constructions": "questions/injectivity/test_named_results.py",
    "questions/injectivity/network_stability": "questions/injectivity/test_stability.py",
    "questions/rank": "test_results.py",
    "questions/shards/kinds": "questions/shards/test_sharded.py",
    "questions/recovery/discover": "questions/recovery/test_recover.py",
    "questions/recovery/folded": "questions/recovery/test_evidence.py",
    "questions/recovery/follow": "questions/recovery/test_recover.py",
    "questions/recovery/layers": "questions/recovery/test_recover.py",
    "questions/recovery/model": "questions/recovery/test_evidence.py",
    "questions/recovery/rows": "questions/recovery/test_recover.py",
    "questions/singular_values": "questions/test_linear.py",
    "view/lemmas_page": "lemmas/test_statement.py",
    "view/panels": "view/test_plot.py",
    "view/report/explorer": "view/test_report.py",
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
            assert (tests / TESTED_BY["/".join(name)]).exists()
            wanted.discard("/".join(name))
    assert not wanted
