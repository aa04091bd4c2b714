"""Two tutorials are notebooks too: the code of the page, the same bytes each time, and it runs."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

import exactrelu as er
from docs import notebooks

#: Of one cell, in bytes of JSON.
MOST_OUTPUT = 100_000

PAGE = """\
# A page

See [another](../other.md) and [a site](https://example.org).

![A picture](picture.svg)

```python
import torch  # not run
```

```python
>>> x = 2
>>> x + 1
3
>>> 1 / 0
Traceback (most recent call last):
ZeroDivisionError: division by zero
>>> y = x
```

```console
$ echo one
one
$ false
```
"""


def test_a_page_becomes_cells() -> None:
    found = list(notebooks.cells(PAGE))
    assert [kind for kind, _, _ in found] == ["markdown", "code", "code", "code", "code"]
    assert found[0][1].startswith("# A page\n\nSee another and [a site](https://example.org).")
    assert "import torch" in found[0][1]
    assert "picture" not in found[0][1]
    assert found[1:] == [
        ("code", "x = 2\nx + 1", {}),
        ("code", "1 / 0", {"tags": ["raises-exception"]}),
        ("code", "y = x", {}),
        ("code", "%%bash --no-raise-error\necho one\nfalse", {}),
    ]


@pytest.mark.parametrize("name", notebooks.PAGES)
def test_a_notebook_has_the_code_of_its_page(name: str) -> None:
    page = (notebooks.DOCS / f"{name}.md").read_text()
    source = "\n".join(text for kind, text, _ in notebooks.cells(page) if kind == "code")
    asked = [line for line in page.splitlines() if line.startswith((">>> ", "$ "))]
    assert asked
    for line in asked:
        assert line.removeprefix(">>> ").removeprefix("$ ") in source
    assert f"{Path(name).name}.ipynb" in page, "the page offers its notebook"


@pytest.mark.parametrize("name", notebooks.PAGES)
def test_the_same_page_gives_the_same_bytes(name: str) -> None:
    nbformat = pytest.importorskip("nbformat", reason="needs the extra docs")
    page = (notebooks.DOCS / f"{name}.md").read_text()
    once, again = (notebooks.notebook(page) for _ in range(2))
    nbformat.validate(once)
    assert nbformat.writes(once) == nbformat.writes(again)


@pytest.mark.sweep
@pytest.mark.parametrize("name", notebooks.PAGES)
def test_a_notebook_runs(name: str) -> None:
    """Each takes about ten seconds: a kernel, and a process for each command."""
    missing = [need for need in ("nbformat", "nbclient", "ipykernel") if find_spec(need) is None]
    if missing:
        pytest.skip(f"needs the extra docs: {', '.join(missing)} not installed")
    page = (notebooks.DOCS / f"{name}.md").read_text()
    made = notebooks.executed(notebooks.notebook(page))
    outputs = [cell.outputs for cell in made.cells if cell.cell_type == "code"]
    assert max(len(json.dumps(shown)) for shown in outputs) < MOST_OUTPUT
    assert str(notebooks.DOCS.parent) not in json.dumps(outputs), "a path of this machine"
    # The checker's verdicts are in both; the first shows a network as a table and a picture.
    assert "ACCEPTED" in json.dumps(outputs)
    shown = {kind for cell in outputs for output in cell for kind in output.get("data", {})}
    assert ({"text/html", "image/svg+xml"} <= shown) == (name == notebooks.PAGES[0])


def test_the_network_of_the_first_tutorial_is_the_one_of_its_picture() -> None:
    page = (notebooks.DOCS / f"{notebooks.PAGES[0]}.md").read_text()
    assert er.load(notebooks.DOCS / "tutorial" / "small.json").sha256 in page
