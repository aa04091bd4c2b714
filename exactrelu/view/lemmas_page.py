"""The page of the lemma laboratory: each statement, its status, the counterexample, the repair.

A refuted statement has the badge of its class, in the colour of a fault only if it is false.
"""

from __future__ import annotations

import html
from collections.abc import Sequence

from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.files import PathLike, write_bytes
from exactrelu.lemmas.record import RecordEntry, judgement_of, summary
from exactrelu.lemmas.statement import (
    CLASSES,
    AnyStatement,
    Instance,
    RefutedClass,
    Statement,
    instance_lines,
)
from exactrelu.network.network import Network
from exactrelu.view.report.explorer import explorer_svg, patterns, picture_css
from exactrelu.view.report.report import page
from exactrelu.view.scene import scene
from exactrelu.words import Words

#: Seconds for a picture; without it, the numbers are printed all the same.
TIMEOUT = 5.0

_CSS = """
article { border-top: 1px solid var(--line); padding: .6rem 0 .8rem; }
h3 { font-size: 1rem; margin: 0 0 .3rem; } p { margin: .2rem 0; }
.status { white-space: nowrap; font-size: .8rem; padding: .1rem .5rem; border-radius: 1rem;
  border: 1px solid; }
.refuted, .untestable { color: #6b6b6b; } .false { color: #a03c00; }
.holds-to-bound { color: #00694b; } .open { color: #005b8c; }
svg.slice { cursor: default; max-width: 20rem; max-height: 14rem; }
"""


def save_page(
    pairs: Sequence[tuple[AnyStatement, RecordEntry]], path: PathLike, effort: Effort = UNLIMITED
) -> None:
    """Write the page."""
    write_bytes(path, lemmas_page(pairs, effort).encode())


def lemmas_page(
    pairs: Sequence[tuple[AnyStatement, RecordEntry]], effort: Effort = UNLIMITED
) -> str:
    """The page: counts, a table of contents, and an article for each statement."""
    repairs: dict[str, list[str]] = {}
    for statement, _ in pairs:
        if isinstance(statement, Statement) and statement.repairs is not None:
            repairs.setdefault(statement.repairs, []).append(statement.id)
    links = "".join(
        f'<tr><td>{_badges(statement, entry)}</td><td><a href="#{html.escape(statement.id)}">'
        f"{html.escape(statement.id)}</a></td><td>{html.escape(statement.source)}</td></tr>"
        for statement, entry in pairs
    )
    articles = "".join(
        _article(statement, entry, repairs.get(statement.id, []), effort)
        for statement, entry in pairs
    )
    body = (
        f"{patterns()}<h1>The lemma laboratory</h1>"
        f"<p>{len(pairs)} published statements under exact test: {html.escape(summary(pairs))}.</p>"
        "<p class=dim>refuted: the hypotheses hold and the conclusion fails for the instance "
        "shown, with a certificate; what that says about the paper is said by its class. "
        "holds-to-bound: every instance up to the stated bounds was "
        "examined. open: random and guided search found nothing. untestable: why is said.</p>"
        f"{_legend(pairs)}<table>{links}</table>{articles}"
    )
    return page("The lemma laboratory", body, css=picture_css() + _CSS)


def _legend(pairs: Sequence[tuple[AnyStatement, RecordEntry]]) -> str:
    """The classes that occur, and what each of them says."""
    judgements = (judgement_of(*pair) for pair in pairs)
    found = {judgement.name for judgement in judgements if judgement is not None}
    rows = "".join(
        f"<tr><td>{_class_badge(name)}</td><td>{html.escape(meaning)}</td></tr>"
        for name, meaning in CLASSES.items()
        if name in found
    )
    return f"<table>{rows}</table>" if rows else ""


def _badges(statement: AnyStatement, entry: RecordEntry) -> str:
    """The status, and the class of what is refuted."""
    judgement = judgement_of(statement, entry)
    badge = f'<span class="status {entry.status}">{entry.status}</span>'
    return badge if judgement is None else f"{badge} {_class_badge(judgement.name)}"


def _class_badge(name: RefutedClass) -> str:
    kind = "false" if name == "false" else "refuted"
    return f'<span class="status {kind}">{html.escape(name)}</span>'


def _article(
    statement: AnyStatement, entry: RecordEntry, repaired_by: Sequence[str], effort: Effort
) -> str:
    parts = [
        f'<article id="{html.escape(statement.id)}"><h3>{html.escape(statement.id)} '
        f"{_badges(statement, entry)}</h3>",
        f"<p class=dim>{html.escape(statement.source)}</p>",
        f"<p>{html.escape(statement.text)}</p>",
        f"<p class=dim>{html.escape(entry.detail)}</p>",
    ]
    judgement = judgement_of(statement, entry)
    if judgement is not None:
        parts.append(f"<p>{html.escape(str(judgement))}</p>")
    instance = entry.instance()
    if instance is not None:
        parts.append(_counterexample(statement.id, instance, effort))
    if isinstance(statement, Statement) and statement.remark:
        parts.append(f"<p>{html.escape(statement.remark)}</p>")
    for name in repaired_by:
        parts.append(f'<p>Repaired: <a href="#{html.escape(name)}">{html.escape(name)}</a>.</p>')
    return "".join([*parts, "</article>"])


def _counterexample(name: str, instance: Instance, effort: Effort) -> str:
    text = html.escape("\n".join(instance_lines(instance, Words())))
    drawn = "".join(_picture(*pair, effort) for pair in instance.networks().items())
    again = html.escape(f"exactrelu refute {name} --certificate {name}.cert.jsonl")
    return (
        f'<pre>{text}</pre><div class="plots">{drawn}</div>'
        f"<p class=dim>Again: <code>{again}</code></p>"
    )


def _picture(name: str, network: Network, effort: Effort) -> str:
    """The graph over the regions of a network with one input, the regions of one with two."""
    if network.n_inputs > 2:
        return ""
    try:
        drawn = explorer_svg(scene(network, effort=effort.part(seconds=TIMEOUT)), 0, True)
    except Stopped:
        # Over the whole time the page is written all the same, with the numbers.
        return ""
    return f"<figure>{drawn}<figcaption>{html.escape(name)}</figcaption></figure>"
