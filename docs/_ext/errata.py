"""The page of errata: what the lemma laboratory knows of each statement.

Nothing is kept in the page: statements, judgements and counterexamples are those of
``exactrelu.lemmas``, the certificates those of ``proofs/certificates/lemmas``::

    ```{refuted} false
    ```
    ```{statements} S000
    ```

``{refuted}`` takes a class, and has a section for each of its statements; ``{statements}`` takes a
paper, and has a table of all that it says.  ``{refuted-counts}`` counts the classes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import to_text
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.lemmas.record import STATEMENTS, RecordEntry, judgement_of, known_entry, load_record
from exactrelu.lemmas.statement import CLASSES, Instance, Statement, Value
from exactrelu.network.network import Network

ROOT = Path(__file__).parents[2]
RECORD = load_record()


def entry(name: str) -> RecordEntry:
    """What is known of a statement."""
    return known_entry(STATEMENTS[name], RECORD)


def class_of(name: str) -> str | None:
    """The class of a refuted statement."""
    judgement = judgement_of(STATEMENTS[name], entry(name))
    return None if judgement is None else judgement.name


def refuted(wanted: str) -> list[str]:
    """The ids of the refuted statements of a class, in the order of the papers."""
    return [name for name in STATEMENTS if class_of(name) == wanted]


def plain(text: str) -> str:
    """A text that has no meaning in Markdown."""
    for mark in "\\`*_{}[]<>#|$":
        text = text.replace(mark, f"\\{mark}")
    return text


def explanation(name: str) -> str:
    """Which facts hold for the kept counterexample, and which fails."""
    path = ROOT / "cases" / "lemmas" / name / "expected.json"
    return str(json.loads(path.read_text())["explanation"])


def lines(instance: Instance) -> Iterator[str]:
    """The objects of an instance, all digits of their numbers."""
    for name, value in instance.values.items():
        if isinstance(value, Network):
            yield f"{name}: widths {'-'.join(map(str, value.widths))}, rows (w | b)"
            for l, layer in enumerate(value.layers, 1):
                pairs = zip(layer.weights.rows(), layer.bias, strict=True)
                rows = (f"({_listed(w, ' ')} | {to_text(b)})" for w, b in pairs)
                yield f"   layer {l}: {', '.join(rows)}"
        else:
            yield f"{name}: {_said(value)}"


def _said(value: Value) -> str:
    if isinstance(value, Matrix):
        return f"rows {', '.join(f'({_listed(row)})' for row in value.rows())}"
    if isinstance(value, LinearSystem):
        return f"all x with {', '.join(map(_inequality, value.rows))}" if value.rows else "R^n"
    return f"({_listed(value)})" if isinstance(value, tuple) else str(value)


def _listed(numbers: Any, between: str = ", ") -> str:
    return between.join(map(to_text, numbers))


def _inequality(row: Row) -> str:
    sign = {"ge": "≥", "gt": ">", "eq": "="}[row.sense.value]
    return f"({_listed(row.normal)})·x {sign} {to_text(-row.offset)}"


def article(name: str) -> Iterator[str]:
    """A refuted statement: as printed, the counterexample, the judgement, the repair."""
    statement = STATEMENTS[name]
    instance = entry(name).instance()
    judgement = judgement_of(statement, entry(name))
    yield f"### `{name}`"
    yield f"*{plain(statement.source)}.* {plain(statement.text)}"
    yield "\n".join(["```text", *lines(instance), "```"])
    yield plain(explanation(name))
    mended = f" Mended by: {judgement.mended_by}." if judgement.mended_by else ""
    yield f"**{judgement.name}.** {plain(judgement.reason + mended)}"
    for other in STATEMENTS.values():
        if isinstance(other, Statement) and other.repairs == name:
            yield f"*Repaired* (`{other.id}`, {entry(other.id).status}): {plain(other.text)}"
    kept = f"../proofs/certificates/lemmas/{name}.cert.jsonl"
    yield f"{{download}}`Certificate <{kept}>` · `exactrelu refute {name}`"


def table(paper: str) -> str:
    """All statements of a paper: status, class, source."""
    rows = ["| statement | status | where |", "|---|---|---|"]
    for name, statement in STATEMENTS.items():
        if name.startswith(paper):
            found = class_of(name)
            called = f"[`{name}`](#{name.lower()})" if found else f"`{name}`"
            status = f"{entry(name).status}, {found}" if found else entry(name).status
            rows.append(f"| {called} | {status} | {plain(statement.source)} |")
    return "\n".join(rows)


def counts() -> str:
    """The classes, how many statements each has, and what it says."""
    rows = [
        f"| [{name}](#{anchor(name)}) | {len(refuted(name))} | {meaning} |"
        for name, meaning in CLASSES.items()
    ]
    total = f"| | {sum(len(refuted(name)) for name in CLASSES)} | of {len(STATEMENTS)} |"
    return "\n".join(["| class | refuted | |", "|---|---|---|", *rows, total])


def anchor(name: str) -> str:
    """The anchor of the section of a class, which has the name of the class as its heading."""
    return name.replace("'", "").replace(" ", "-")


class Refuted(SphinxDirective):
    """The statements of a class."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        wanted = self.arguments[0]
        if wanted not in CLASSES:
            raise self.error(f"class {wanted!r}: expected one of {', '.join(CLASSES)}")
        # The record is newer than the page where somebody has searched again.
        self.env.note_reread()
        text = "\n\n".join(part for name in refuted(wanted) for part in article(name))
        return self.parse_text_to_nodes(text, allow_section_headings=True)


class Statements(SphinxDirective):
    """The statements of a paper."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()
        return self.parse_text_to_nodes(table(self.arguments[0]))


class Counts(SphinxDirective):
    """The classes."""

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()
        return self.parse_text_to_nodes(counts())


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directives."""
    app.add_directive("refuted", Refuted)
    app.add_directive("statements", Statements)
    app.add_directive("refuted-counts", Counts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
