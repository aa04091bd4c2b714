"""Commands that make files for others to look at: pictures, pages, folders of certificates.

``check`` runs the independent checker as a program of its own and passes its exit code on: 0 only
if every file is accepted, 1 if one is rejected, 2 usage, 3 malformed, 4 incomplete or over a limit.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    output,
    parse_slice,
    seconds_each,
    switch,
)
from exactrelu.cli.outcome import BAD_INPUT, NO, Outcome, stopped
from exactrelu.effort import Effort
from exactrelu.errors import InputError

if TYPE_CHECKING:
    from exactrelu.public.certified import CertifiedNetworks


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
    asks="view.plot.plot",
    results="view.plot.Film",
    example="example:xor -o xor.svg",
)
def plot(ask: Ask) -> Outcome:
    """Regions, bent hyperplanes, folds and dual points as a picture (SVG, PNG, PDF)."""
    from exactrelu.effort import Stopped
    from exactrelu.view.plot import plot

    args = ask.args
    if (args.network is None) == (args.training is None):
        raise InputError("give a network file, or --training and a folder")
    options = {"show": args.show.split(","), "colour": args.colour, "effort": ask.effort}
    try:
        if args.training is not None:
            return _animation(ask, options)
        return ask.told(plot(ask.network, ask.domain_or_union, path=args.output, **options))
    except Stopped as over:
        return stopped(f"{over}: nothing was drawn")


def _animation(ask: Ask, options: dict[str, Any]) -> Outcome:
    from exactrelu.view.plot import animate, checkpoints

    networks = checkpoints(ask.args.training, ask.effort)
    asked = {name: ask.about(network) for name, network in networks.items()}
    domains = [one.domain_or_union for one in asked.values()]
    networks = {name: one.network for name, one in asked.items()}
    return ask.told(animate(networks, ask.args.output, domains[0], **options))


@command(
    NETWORK,
    output("file to write: .html", required=True),
    DOMAIN,
    SLICE,
    seconds_each("question and each picture", "20"),
    asks="view.report.report.report",
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
    told = ask.told(made)
    return told if told.verdict or made.are_accepted else replace(told, exit_code=NO)


@command(
    argument("networks", nargs="+", metavar="NET", help="network files"),
    output("folder to write to", "DIR", required=True),
    switch("--together", "one file for each network, with all its claims"),
    switch("--resume", "go on where an earlier run ended; keep a journal for a later one"),
    WORKERS,
    seconds_each("question", "no bound, or a part of --timeout"),
    asks="public.certify.certify_networks",
    example="example:xor -o certificates",
)
def certify(ask: Ask) -> Outcome:
    """Every question about networks, one certificate for each answer, all re-checked."""
    from exactrelu.network.formats.load import network_file

    args = ask.args
    networks = {_file_name(Path(network_file(path))): ask.load(path) for path in args.networks}
    if len(networks) < len(args.networks):
        raise InputError("two network files would be certified under one name: rename one")
    shown = ask.showing(partial(_certified, ask))
    found = args.command.question(
        networks,
        Path(args.output),
        together=args.together,
        seconds_each=args.seconds_each,
        resume=args.resume,
        effort=ask.effort,
    )
    return shown(found)


def _certified(ask: Ask, found: CertifiedNetworks) -> Outcome:
    """The exit code is that of the checker, where all is answered or a file is refused."""
    told = ask.told(found)
    code = told.exit_code if told.verdict else found.exit_code
    return replace(told, exit_code=code, files=found.dear)


def _file_name(path: Path) -> str:
    """``cases/xor/network.json`` → ``xor``; ``a/S002-P11/N.json`` → ``S002-P11-N``."""
    stem, folder = path.name.split(".")[0], path.parent.name
    if not folder:
        return stem
    return folder if stem == "network" else f"{folder}-{stem}"


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
