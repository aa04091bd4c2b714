"""Commands that make files for others to look at: pictures, pages, folders of certificates.

``check`` runs the independent checker as a program of its own and passes its exit code on: 0 only
if every file is accepted, 1 if one is rejected, 2 usage, 3 malformed, 4 incomplete or over a limit.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactrelu.cli.cells import flat_words
from exactrelu.cli.command import (
    DOMAIN,
    DOMAIN_OR_UNION,
    JOBS,
    NETWORK,
    SLICE,
    WORKERS,
    Ask,
    argument,
    command,
    domain,
    limits,
    output,
    parse_slice,
    seconds_each,
    switch,
)
from exactrelu.cli.outcome import BAD_INPUT, NO, UNDECIDED, YES, Outcome, done, stopped
from exactrelu.effort import Effort
from exactrelu.errors import CheckerFailed, InputError
from exactrelu.files import make_folder
from exactrelu.words import count

if TYPE_CHECKING:
    from exactrelu.public.journal import Certified
    from exactrelu.questions.catalogue import Asked
    from exactrelu.view.scene import Scene


@command(
    argument("network", nargs="?", metavar="NET", help="network file"),
    argument(
        "--training", metavar="FOLDER", help="animate the network files of a folder, sorted by name"
    ),
    output("file to write: .svg, .png or .pdf; of --training .gif or .html", required=True),
    DOMAIN_OR_UNION,
    SLICE,
    argument(
        "--show",
        metavar="PANELS",
        default="complex",
        help="some of complex,dual,folds,dependency (default: complex)",
    ),
    argument(
        "--colour",
        metavar="C",
        default="pattern",
        help="colour regions by pattern (default) or by affine map",
    ),
    limits("regions"),
    fields="output n_regions n_facets n_invisible_facets window",
    example="example:xor -o xor.svg",
)
def plot(ask: Ask) -> Outcome:
    """Regions, bent hyperplanes, folds and dual points as a picture (SVG, PNG, PDF)."""
    from exactrelu.effort import Stopped

    args = ask.args
    if (args.network is None) == (args.training is None):
        raise InputError("give a network file, or --training and a folder")
    options = {
        "show": args.show.split(","),
        "colour": args.colour,
        "effort": ask.effort,
    }
    try:
        return _picture(ask, options) if args.training is None else _animation(ask, options)
    except Stopped as over:
        return stopped(f"{over}: nothing was drawn")


def _picture(ask: Ask, options: dict[str, Any]) -> Outcome:
    from exactrelu.view.plot import plot

    domain = ask.domain_or_union
    found = plot(ask.network, domain, path=ask.args.output, **options)
    hidden = sum(not wall.is_visible for wall in found.walls)
    unseen = f" ({hidden} not visible)" if hidden else ""
    said = ask.words.said
    sides = " × ".join(f"[{said(a)}, {said(b)}]" for a, b in found.window.sides)
    regions, facets = count(len(found.cells), "region"), count(len(found.walls), "facet")
    return done(
        f"{ask.args.output}: {regions}, {facets}{unseen} in {sides}{ask.where}{flat_words(domain)}",
        output=ask.args.output,
        **_scene_fields(found),
    )


def _animation(ask: Ask, options: dict[str, Any]) -> Outcome:
    from exactrelu.view.plot import animate, checkpoints

    networks = checkpoints(ask.args.training, ask.effort)
    asked = {name: ask.about(network) for name, network in networks.items()}
    domains = [one.domain_or_union for one in asked.values()]
    networks = {name: one.network for name, one in asked.items()}
    scenes = animate(networks, ask.args.output, domains[0], **options)
    numbers = [len(found.cells) for found in scenes]
    return done(
        f"{ask.args.output}: {count(len(scenes), 'checkpoint')}, "
        f"{min(numbers)} to {max(numbers)} regions{ask.where}",
        output=ask.args.output,
        frames=[
            {"checkpoint": name, **_scene_fields(found)}
            for name, found in zip(networks, scenes, strict=True)
        ],
    )


def _scene_fields(found: Scene) -> dict[str, Any]:
    return {
        "n_regions": len(found.cells),
        "n_facets": len(found.walls),
        "n_invisible_facets": sum(not wall.is_visible for wall in found.walls),
        "window": list(found.window.sides),
    }


@command(
    NETWORK,
    output("file to write: .html", required=True),
    DOMAIN,
    SLICE,
    seconds_each("question and each picture", "20"),
    fields="output n_verdicts n_undecided n_left_out n_certificates n_accepted n_regions",
    example="example:xor -o xor.html",
)
def report(ask: Ask) -> Outcome:
    """One self-contained HTML page: summary, verdicts with certificates, region explorer."""
    from exactrelu.view.report.report import SECONDS_EACH, report

    args = ask.args
    if not args.output.lower().endswith((".html", ".htm")):
        raise InputError(f"{args.output}: expected a name that ends in .html")
    network = ask.given
    made = report(
        network,
        args.output,
        ask.domain_in(network.n_inputs),
        plane=None if args.slice is None else parse_slice(args.slice),
        seconds_each=args.seconds_each or SECONDS_EACH,
        effort=ask.effort,
    )
    n_files = sum(entry.file is not None for entry in made.checked)
    n_accepted = sum(entry.is_accepted for entry in made.checked)
    n_undecided = sum(entry.asked.verdict == "undecided" for entry in made.checked)
    scenes = [part.scene for part in made.explorer.slices]
    n_regions = [None if scene is None else len(scene.cells) for scene in scenes]
    drawn = count(len(scenes), "slice")
    if len(scenes) == 1:
        drawn = "no picture" if n_regions[0] is None else count(n_regions[0], "region")
    n_left_out = sum(entry.asked.verdict == "left out" for entry in made.checked)
    n_verdicts = len(made.checked) - n_left_out
    more = f", {n_undecided} undecided" if n_undecided else ""
    if n_left_out:
        more += f"; {count(n_left_out, 'question')} left out, with the reasons"
    line = (
        f"{args.output}: {drawn}; {count(n_verdicts, 'verdict')}{more}; the "
        f"checker accepted {n_accepted} of {count(n_files, 'certificate')}"
    )
    fields = {
        "output": args.output,
        "n_verdicts": n_verdicts,
        "n_undecided": n_undecided,
        "n_left_out": n_left_out,
        "n_certificates": n_files,
        "n_accepted": n_accepted,
        "n_regions": n_regions,
    }
    late = _late([entry.asked for entry in made.checked], made.unchecked)
    if late:
        return stopped(f"{line}; {late}", **fields)
    return Outcome(line, line, fields, exit_code=YES if n_accepted == n_files else NO)


def _late(entries: Iterable[Asked | Certified], unchecked: str) -> str:
    """What was not done, in words, since the time of the whole was over."""
    reasons = [entry.reason for entry in entries if entry.verdict == "not asked"]
    parts = [f"{count(len(reasons), 'question')} not asked: {reasons[0]}"] if reasons else []
    return ", ".join([*parts, *([f"not checked: {unchecked}"] if unchecked else [])])


#: What becomes of a question.
_WORDS = ("yes", "no", "undecided", "not asked", "left out")


@command(
    argument("networks", nargs="+", metavar="NET", help="network files"),
    output("folder to write to", "DIR", required=True),
    switch("--together", "one file for each network, with all its claims"),
    switch("--resume", "go on where an earlier run ended; keep a journal for a later one"),
    WORKERS,
    seconds_each("question", "no bound, or a part of --timeout"),
    fields="n_certificates n_accepted n_questions n_yes n_no n_undecided n_not_asked n_left_out "
    "summary",
    example="example:xor -o certificates",
)
def certify(ask: Ask) -> Outcome:
    """Every question about networks, one certificate for each answer, all re-checked."""
    from exactrelu.certificates.checkers import run_checkers
    from exactrelu.effort import Stopped
    from exactrelu.exact.text import canonical_json
    from exactrelu.files import atomic_write
    from exactrelu.network.formats.load import network_file
    from exactrelu.public.certify import SHARE, certified, with_unasked

    args = ask.args
    folder = Path(args.output)
    networks = {_file_name(Path(network_file(path))): ask.load(path) for path in args.networks}
    if len(networks) < len(args.networks):
        raise InputError("two network files would be certified under one name: rename one")
    make_folder(folder)
    entries: list[Certified] = []

    def so_far(stopped: Stopped) -> _CheckedQuestions:
        found = with_unasked(networks, entries, str(stopped))
        return _CheckedQuestions(found, {}, unchecked=str(stopped), is_summed_up=False)

    shown = ask.showing(partial(_certified, ask))
    with ask.effort.knowing(so_far):
        found = certified(
            networks,
            folder,
            together=args.together,
            seconds_each=args.seconds_each,
            resume=args.resume,
            # The rest of the time is for the checker.
            effort=ask.effort.part(share=SHARE),
            entries=entries,
        )
        checked = _CheckedQuestions(found, {})
        try:
            if checked.paths:
                finished = run_checkers(["--json"], checked.paths, ask.effort)
                results = json.loads(finished.stdout)["results"]
                sys.stderr.write(finished.stderr)
                by_file = {result["file"]: result for result in results}
                checked = _CheckedQuestions(found, by_file, finished.returncode)
        except (Stopped, CheckerFailed) as over:
            checked = _CheckedQuestions(found, {}, unchecked=str(over))
        summary = (canonical_json(checked.summary(args.together)) + "\n").encode()
        atomic_write(folder / "summary.json", summary)
    return shown(checked)


@dataclass(frozen=True)
class _CheckedQuestions:
    """What became of the questions, and what the checker says of each file."""

    entries: list[Certified]
    results: dict[str, Any]
    exit_code: int = YES
    unchecked: str = ""
    #: Whether there is a summary in the folder: not if the work was ended from outside.
    is_summed_up: bool = True

    @property
    def paths(self) -> list[str]:
        """The files, each once."""
        written = (entry.certificate for entry in self.entries if entry.certificate is not None)
        return list(dict.fromkeys(written))

    @property
    def dear(self) -> tuple[str, ...]:
        """The files that take more fuel than the checker has by default."""
        codes = {path: self.results.get(path, {}).get("code") for path in self.paths}
        return tuple(path for path in self.paths if codes[path] == "out-of-fuel")

    @property
    def accepted(self) -> dict[str, bool]:
        """Which files are accepted."""
        verdicts = {path: self.results.get(path, {}).get("verdict") for path in self.paths}
        return {path: verdict == "ACCEPTED" for path, verdict in verdicts.items()}

    def summary(self, together: bool) -> list[dict[str, Any]]:
        """All questions; the sentence of a file with all claims would stand at each of them."""
        claims: dict[str | None, Any] = (
            {}
            if together
            else {path: self.results.get(path, {}).get("claim") for path in self.paths}
        )
        return [{**vars(entry), "claim": claims.get(entry.certificate)} for entry in self.entries]


def _certified(ask: Ask, checked: _CheckedQuestions) -> Outcome:
    """A table of the questions, what is left out and why, and what was accepted."""
    from exactrelu.public.certify import unanswered

    args, found, exit_code = ask.args, checked.entries, checked.exit_code
    n_files, n_accepted = len(checked.paths), sum(checked.accepted.values())
    parts = [f"the independent checker accepted {n_accepted:,} of {count(n_files, 'certificate')}"]
    unchecked = [f"not checked: {checked.unchecked}"] if checked.unchecked else []
    missing = [*unanswered(found), *unchecked]
    is_open = bool(missing) and exit_code in (YES, UNDECIDED)
    reason = "; ".join([*parts, *missing])
    place = f"; summary in {Path(args.output) / 'summary.json'}" if checked.is_summed_up else ""
    ending = [*_left_out(found), f"{reason}{place}"]
    return Outcome(
        "\n".join([*_table(found, checked.accepted), "", *ending]),
        reason,
        {
            "n_certificates": n_files,
            "n_accepted": n_accepted,
            "n_questions": len(found),
            **{f"n_{word.replace(' ', '_')}": _number(found, word) for word in _WORDS},
            "summary": checked.summary(args.together),
        },
        verdict="undecided" if is_open else None,
        exit_code=UNDECIDED if is_open else exit_code,
        certified=() if args.together or n_accepted < n_files else ("summary.claim",),
        files=checked.dear,
    )


def _file_name(path: Path) -> str:
    """``cases/xor/network.json`` → ``xor``; ``a/S002-P11/N.json`` → ``S002-P11-N``."""
    stem, folder = path.name.split(".")[0], path.parent.name
    if not folder:
        return stem
    return folder if stem == "network" else f"{folder}-{stem}"


def _table(found: list[Certified], accepted: dict[str, bool]) -> list[str]:
    """One line for each kind of question: how many networks, verdicts, accepted certificates."""
    words = [*_WORDS[:3], *(word for word in _WORDS[3:] if _number(found, word))]
    head = "".join(f"{word:>11}" for word in ("networks", *words, "accepted"))
    lines = [f"{'question':<22}{head}"]
    families: dict[str, list[Certified]] = {}
    for entry in found:
        families.setdefault(re.sub(r"-W[0-9]+$", "", entry.question), []).append(entry)
    for family, entries in families.items():
        numbers = [
            len({entry.network for entry in entries}),
            *(sum(entry.verdict == word for entry in entries) for word in words),
            sum(accepted[e.certificate] for e in entries if e.certificate is not None),
        ]
        lines.append(f"{family:<22}" + "".join(f"{number:>11,}" for number in numbers))
    return lines


def _number(found: list[Certified], word: str) -> int:
    return sum(entry.verdict == word for entry in found)


def _left_out(found: list[Certified]) -> list[str]:
    """Which questions are left out, a line for each reason."""
    names: dict[str, dict[str, None]] = {}
    for entry in found:
        if entry.verdict == "left out":
            names.setdefault(entry.reason, {})[entry.question] = None
    return [f"left out: {', '.join(asked)}: {reason}" for reason, asked in names.items()]


#: Limits that the checker takes as --max-…; it parses and explains them itself.
_CHECKER_LIMITS = ("bytes", "line", "lines", "fuel")


@command(
    argument("files", nargs="+", metavar="FILE", help="certificate, or folder of --shards"),
    argument(
        "--network",
        metavar="NET",
        action="append",
        default=[],
        help="refuse certificates of other networks; repeat it for claims about several",
    ),
    domain("refuse another domain: R, orthant, box:a..b,…, FILE", None),
    argument(
        "--expect", metavar="CLAIM", help="refuse another claim: KIND, not KIND, or the sentence"
    ),
    argument(
        "--ledger", metavar="L", help="your record of what was accepted before, which is believed"
    ),
    switch("--statement", "print all of each accepted claim, and what its words mean"),
    switch("--no-theorems", "refuse proofs that quote a theorem of a paper; none does"),
    tuple(
        argument(
            f"--max-{limit}",
            metavar="N",
            help="a limit of the checker, as exactrelu-check --help explains",
        )
        for limit in _CHECKER_LIMITS
    ),
    JOBS,
    fields="results",
    example="--network example:xor xor-value.cert.jsonl",
)
def check(ask: Ask) -> Outcome:
    """Re-validate certificates with the independent checker."""
    from exactrelu.certificates.checkers import run_checkers
    from exactrelu.network.formats.load import network_file

    args = ask.args
    options = [f"--network={network_file(network)}" for network in args.network]
    options += ["--no-theorems"] if args.no_theorems else []
    for name in ("domain", "expect", "ledger"):
        if (value := getattr(args, name)) is not None:
            options.append(f"--{name}={value}")
    for limit in _CHECKER_LIMITS:
        if (value := getattr(args, f"max_{limit}")) is not None:
            options.append(f"--max-{limit}={value}")
    effort = Effort(jobs=args.jobs)
    if args.max_memory is not None:
        # Checkers that run side by side share it.
        options.append(f"--max-memory={max(1, args.max_memory // effort.jobs)}")
    if args.statement and args.json:
        raise InputError("--statement: found --json too; a statement is text for a reader")
    options += ["--statement"] if args.statement else []
    options += ["--json"] if args.json else []
    # The checker has limits of its own; the time is kept from outside.
    finished = run_checkers(options, args.files, effort)
    if not finished.stdout and finished.returncode == BAD_INPUT:
        raise InputError(finished.stderr.splitlines()[-1].removeprefix("exactrelu-check: "))
    sys.stderr.write(finished.stderr)
    word = {0: "yes", 1: "no"}.get(finished.returncode, "undecided")
    reason = {
        "yes": f"the independent checker accepts all of {len(args.files)} certificate(s)",
        "no": "the independent checker rejects a certificate",
        "undecided": "the independent checker could not read or finish a certificate",
    }[word]
    return Outcome(
        finished.stdout.rstrip("\n"),
        reason,
        {"results": json.loads(finished.stdout)["results"]} if args.json else {},
        verdict=word,
        exit_code=finished.returncode,
        certified=("results.claim",) if word == "yes" else (),
    )
