"""Every public name of Python is on exactly one page of the reference."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import exactrelu

EXTENSIONS = Path(__file__).parents[1] / "docs" / "_ext"
_NAMED = re.compile(r"^\.\. (?:auto(?:class|exception|function)|py:data):: exactrelu\.(\S+)$", re.M)


@pytest.fixture
def reference(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    pytest.importorskip("sphinx", reason="needs the extra docs")
    for folder in (EXTENSIONS, EXTENSIONS.parent):
        monkeypatch.syspath_prepend(folder)
    import reference

    yield reference
    for name in ("reference", "gathered", "links"):
        sys.modules.pop(name, None)


def test_every_public_name_is_on_one_page(reference: ModuleType) -> None:
    answers = f"{reference.FOLDER}/answers"
    texts = [text for name, text in reference.pages().items() if name != answers]
    named = Counter(name for text in texts for name in _NAMED.findall(text))
    assert set(named.values()) == {1}
    groups = reference.names().groups
    modules = {group.module.partition(".")[2] for group in groups}
    shown = {name for name in dir(exactrelu) if name != "__version__"} - modules
    assert shown <= set(named)
    # A name of a submodule is no second name of what the package shows already.
    assert len({id(g.value(name)) for g in groups for name in g.names}) == named.total()


def test_old_names_lead_to_names_of_today(reference: ModuleType) -> None:
    found = reference.names()
    paths = {f"{g.module}.{name}" for g in found.groups for name in g.names}
    page = reference.pages()[f"{reference.FOLDER}/earlier"]
    for old, today in found.old.items():
        assert hasattr(exactrelu, old)
        assert f"``er.{old}``" in page
        assert f"exactrelu.{today}" in paths or today.startswith("effort.")


def test_every_command_has_its_function(reference: ModuleType) -> None:
    from exactrelu.cli.main import COMMANDS

    paths = {f"{g.module}.{name}" for g in reference.names().groups for name in g.names}
    without = [c.name for c in COMMANDS if reference.function_of(c.name) is None]
    assert without == []
    functions = {f"exactrelu.{reference.function_of(c.name)}" for c in COMMANDS}
    assert {f for f in functions if f not in paths} <= {"exactrelu.Certificate.check"}


def test_the_table_of_questions_has_what_they_declare(reference: ModuleType) -> None:
    rows = reference.questions_table().splitlines()[2:]
    assert len(rows) > 45
    (folds,) = (row for row in rows if "`~exactrelu.folds`" in row)
    assert folds.split(" | ")[1:4] == ["[`folds`](/commands/folds.md)", "yes", "refused"]
    (stability,) = (row for row in rows if "network_stability" in row)
    assert stability.endswith("| yes | refused | regions, covers, cells | `NetworkStability` |")


def test_docstrings_are_shown_as_they_are_written(reference: ModuleType) -> None:
    lines = ["|x| and ``a | b``", ">>> 1 | 2", "3 | 4", "", "|y|"]
    reference._as_written(None, "function", "", None, None, lines)
    assert lines == ["\\|x\\| and ``a | b``", ">>> 1 | 2", "3 | 4", "", "\\|y\\|"]
    lines = ["changed"]
    reference._as_written(None, "property", "", exactrelu.Layer.weights, None, lines)
    assert lines == ["The matrix W; row i is unit i.", ""]
