"""The pages of Python names: one for each group, written before Sphinx looks for pages.

The groups are those that ``help(er)`` shows, so that a name has one place.  Classes of answers that
are no public names themselves have a page of their own, and so have names of earlier versions.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from docutils import nodes
from gathered import write
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

#: Pages of this module.
FOLDER = "python/names"
_CLASS = re.compile(r"\b[A-Z]\w+")


@dataclass(frozen=True)
class Group:
    """Public names of a module that belong together, each with a line."""

    title: str
    module: str
    names: dict[str, str]
    line: str = ""

    @property
    def page(self) -> str:
        return f"{FOLDER}/{self.title.lower().replace(' ', '-')}"

    def value(self, name: str) -> object:
        return getattr(import_module(self.module), name)


@dataclass(frozen=True)
class Names:
    """All public names: groups, old spellings with the names of today, functions of commands."""

    groups: list[Group]
    old: dict[str, str]
    commands: dict[str, str]


def names() -> Names:
    """What the table of public names says."""
    table = import_module("exactrelu.public.names")
    modules = dict(table.GROUPS["modules"])
    groups = [
        Group(title.capitalize(), "exactrelu", dict(lines))
        for title, lines in table.GROUPS.items()
        if title != "modules"
    ]
    shown = {name for group in groups for name in group.names}
    groups += [
        Group(f"er.{name}", f"exactrelu.{name}", _without(dict(lines), shown), modules[name])
        for name, lines in table.MODULES.items()
    ]
    return Names(groups, dict(table.OLD), dict(table.COMMANDS))


def _without(lines: dict[str, str], shown: set[str]) -> dict[str, str]:
    return {name: line for name, line in lines.items() if name not in shown}


def function_of(command: str) -> str | None:
    """The public name of the question that a command asks."""
    return names().commands.get(command)


def _directive(group: Group, name: str, line: str) -> Iterator[str]:
    value, path = group.value(name), f"{group.module}.{name}"
    if inspect.isclass(value):
        kind = "exception" if issubclass(value, Exception) else "class"
        yield f".. auto{kind}:: {path}"
    elif callable(value):
        yield f".. autofunction:: {path}"
    else:
        yield f".. py:data:: {path}"
        yield f"\n   {line[:1].upper()}{line[1:]}."
    yield ""


def group_page(group: Group) -> str:
    """The page of a group: its names with a line each, then each of them in full."""
    title = f"``{group.title}``" if "." in group.title else group.title
    lines = [title, "=" * len(title), ""]
    lines += [f"{group.line[:1].upper()}{group.line[1:]}.", ""] if group.line else []
    lines += [".. list-table::", "   :class: names", ""]
    for name, line in group.names.items():
        lines += [f"   * - :py:obj:`~{group.module}.{name}`", f"     - {line}"]
    lines.append("")
    for name, line in group.names.items():
        lines += _directive(group, name, line)
    return "\n".join(lines)


def results(groups: list[Group]) -> list[type]:
    """Classes of what public functions return, that are no public names."""
    values = [group.value(name) for group in groups for name in group.names]
    public = [value for value in values if inspect.isclass(value)]
    found: dict[str, type] = {}
    for value in filter(inspect.isfunction, map(_unwrapped, values)):
        module = sys.modules[value.__module__]
        for called in _CLASS.findall(str(inspect.signature(value).return_annotation)):
            made = getattr(module, called, None)
            is_ours = inspect.isclass(made) and made.__module__.startswith("exactrelu.")
            if is_ours and made not in public:
                found[called] = made
    return [found[called] for called in sorted(found)]


def _unwrapped(value: object) -> object:
    return inspect.unwrap(value) if callable(value) else value


def results_page(groups: list[Group]) -> str:
    """The page of the classes of answers."""
    lines = ["Answers", "=======", "", "What questions return. All of it is frozen data.", ""]
    for made in results(groups):
        lines.append(f".. autoclass:: {made.__module__}.{made.__qualname__}\n")
    return "\n".join(lines)


def old_page(old: dict[str, str]) -> str:
    """The page of the names of earlier versions."""
    title = "Names of earlier versions"
    lines = [title, "=" * len(title), "", "They go on working.", ""]
    lines += [".. list-table::", "   :class: names", ""]
    for name, today in sorted(old.items()):
        lines += [f"   * - ``er.{name}``", f"     - :py:obj:`er.{today} <exactrelu.{today}>`"]
    return "\n".join([*lines, ""])


def pages() -> dict[str, str]:
    """Every page and its text."""
    found = names()
    return {
        **{group.page: group_page(group) for group in found.groups},
        f"{FOLDER}/answers": results_page(found.groups),
        f"{FOLDER}/earlier": old_page(found.old),
    }


def _write_all(_app: Sphinx) -> None:
    for name, text in pages().items():
        write(f"{name}.rst", text)


class Groups(SphinxDirective):
    """All groups, each with the names in it, and the pages in this order."""

    def run(self) -> list[nodes.Node]:
        # The table may change without the page of this directive.
        self.env.note_reread()
        found = names()
        rows = ["| | |", "|---|---|"]
        for group in found.groups:
            listed = " ".join(f"{{py:obj}}`~{group.module}.{name}`" for name in group.names)
            rows.append(f"| [{group.title}](/{group.page}.rst) | {listed} |")
        ordered = [f"/{page}" for page in pages()]
        toctree = ["```{toctree}", ":hidden:", "", *ordered, "```"]
        return self.parse_text_to_nodes("\n".join([*rows, "", *toctree]))


def questions_table() -> str:
    """What each question declares: on a domain or not, about which networks, what it returns."""
    table = import_module("exactrelu.public.names")
    commands: dict[str, list[str]] = {}
    for command, path in table.COMMANDS.items():
        commands.setdefault(path, []).append(f"[`{command}`](/commands/{command}.md)")
    head = ("question", "command", "on a domain", "linear units", "counts", "answer")
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for path, declared in table.questions().items():
        asked = " ".join(commands.get(path, ()))
        where = "yes" if declared.has_domain else ""
        units = "refused" if declared.is_about else ""
        answer = str(declared.signature.return_annotation).replace(" | ", " or ")
        counts = ", ".join(table.bounds_of(path.rpartition(".")[2]))
        name = f"{{py:obj}}`~exactrelu.{path}`"
        rows.append(f"| {name} | {asked} | {where} | {units} | {counts} | `{answer}` |")
    return "\n".join(rows)


class Questions(SphinxDirective):
    """All public questions, as they declare themselves."""

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()
        return self.parse_text_to_nodes(questions_table())


def _as_written(
    _app: Sphinx | None, what: str, _name: str, value: Any, _options: Any, lines: list[str]
) -> None:
    """Two things that are meant as they are written.

    Napoleon takes what stands before a colon in the docstring of a property for a type.  Bars are
    those of an absolute value, and not of a substitution.
    """
    if what == "property" and (written := inspect.getdoc(value)):
        lines[:] = [*written.splitlines(), ""]
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
    app.add_directive("groups", Groups)
    app.add_directive("questions", Questions)
    app.connect("builder-inited", _write_all)
    app.connect("autodoc-process-docstring", _as_written)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
