"""The pages of Python names: one for each group, written before Sphinx looks for pages.

The groups are those that ``help(er)`` shows, so that a name has one place.  Results that are not
public names themselves have a page of their own.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gathered import write
from sphinx.application import Sphinx

import exactrelu
from exactrelu import api

#: A line of a group: a name, and what it is.
_ENTRY = re.compile(r"^    (\w+) {2,}(.+)$")
_NAMES = re.compile(r"[A-Z]\w+")


@dataclass(frozen=True)
class Group:
    """Public names that belong together, each with a line."""

    title: str
    names: dict[str, str]

    @property
    def page(self) -> str:
        return f"python/names/{self.title.lower().replace(' ', '-')}"


def groups() -> list[Group]:
    """The groups of ``help(er)``."""
    found: list[Group] = []
    before = ""
    for line in (exactrelu.__doc__ or "").splitlines():
        entry = _ENTRY.match(line)
        if entry is None:
            before = line or before
            continue
        if not found or found[-1].title != before:
            found.append(Group(before, {}))
        found[-1].names[entry[1]] = entry[2]
    return found


def function_of(command: str) -> str | None:
    """The public name of the question that a command asks."""
    name = command.replace("-", "_")
    if name in api.__all__:
        return f"is_{name}" if name in api.SPELLINGS else name
    return api.COMMANDS.get(name)


def _directive(name: str, value: object, line: str) -> Iterator[str]:
    if inspect.isclass(value):
        kind = "exception" if issubclass(value, Exception) else "class"
        yield f".. auto{kind}:: exactrelu.{name}"
    elif callable(value):
        yield f".. autofunction:: exactrelu.{name}"
    else:
        yield f".. py:data:: exactrelu.{name}"
        yield f"\n   {line}"
    yield ""
    others = [s for s in api.SPELLINGS if s != name and getattr(api, s) is value]
    for other in others:
        yield f"``er.{other}`` is the same function.\n"


def text(group: Group) -> str:
    """The page of a group."""
    lines = [group.title, "=" * len(group.title), ""]
    for name, line in group.names.items():
        lines += _directive(name, getattr(exactrelu, name), line)
    return "\n".join(lines)


def results() -> list[type]:
    """Classes of what public functions return, that are not public names."""
    public = {getattr(exactrelu, name) for name in api.__all__ if name != "statements"}
    found: dict[str, type] = {}
    for name in sorted(api.__all__):
        value = getattr(exactrelu, name)
        if not inspect.isfunction(value):
            continue
        module = sys.modules[value.__module__]
        for called in _NAMES.findall(str(inspect.signature(value).return_annotation)):
            made = getattr(module, called, None)
            is_ours = inspect.isclass(made) and made.__module__.startswith("exactrelu.")
            if is_ours and made not in public:
                found[called] = made
    return [found[called] for called in sorted(found)]


def _write_all(_app: Sphinx) -> None:
    for group in groups():
        write(f"{group.page}.rst", text(group))
    lines = ["Results", "=======", "", "What questions return. All of it is frozen data.", ""]
    lines += [f".. autoclass:: {made.__module__}.{made.__qualname__}\n" for made in results()]
    write("python/names/results.rst", "\n".join(lines))


def _keep_bars(
    _app: Sphinx, _what: str, _name: str, _obj: Any, _opts: Any, lines: list[str]
) -> None:
    """In a docstring bars are those of an absolute value, and not of a substitution."""
    is_example = False
    for k, line in enumerate(lines):
        is_example = line.lstrip().startswith(">>>") or (is_example and bool(line.strip()))
        if not is_example:
            # Every second part is between double backquotes.
            parts = line.split("``")
            parts[::2] = [part.replace("|", "\\|") for part in parts[::2]]
            lines[k] = "``".join(parts)


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before Sphinx looks for them."""
    app.connect("builder-inited", _write_all)
    app.connect("autodoc-process-docstring", _keep_bars)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
