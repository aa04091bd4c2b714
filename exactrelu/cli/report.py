"""``exactrelu report NET -o F.html``: one page about a network, with nothing else needed."""

from __future__ import annotations

import argparse

from exactrelu.cli.command import NO, YES, Command, Outcome, add_domain, add_limits
from exactrelu.errors import InputError


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file")
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="file to write: .html")
    add_domain(parser)
    add_limits(parser)


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.domain import parse_slice
    from exactrelu.cli.progress import counting
    from exactrelu.network.formats import load
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.view.report.report import TIMEOUT, report
    from exactrelu.view.text import count

    if not args.output.lower().endswith((".html", ".htm")):
        raise InputError(f"{args.output}: expected a name that ends in .html")
    network = load(args.network)
    domain = Domain.of(args.domain, network.n_inputs)
    plane = None if args.slice is None else parse_slice(args.slice)
    timeout = TIMEOUT if args.timeout is None else args.timeout
    with counting("steps") as progress:
        made = report(network, args.output, domain, plane=plane, timeout=timeout, progress=progress)
    n_files = sum(entry.file is not None for entry in made.checked)
    n_accepted = sum(entry.is_accepted for entry in made.checked)
    n_undecided = sum(entry.asked.verdict == "undecided" for entry in made.checked)
    scenes = [part.scene for part in made.explorer.slices]
    n_regions = [None if scene is None else len(scene.cells) for scene in scenes]
    drawn = count(len(scenes), "slice")
    if len(scenes) == 1:
        drawn = "no picture" if n_regions[0] is None else count(n_regions[0], "region")
    undecided = f", {n_undecided} undecided" if n_undecided else ""
    text = (
        f"{args.output}: {drawn}; {count(len(made.checked), 'verdict')}{undecided}; the checker "
        f"accepted {n_accepted} of {count(n_files, 'certificate')}"
    )
    fields = {
        "output": args.output,
        "n_verdicts": len(made.checked),
        "n_undecided": n_undecided,
        "n_certificates": n_files,
        "n_accepted": n_accepted,
        "n_regions": n_regions,
    }
    return Outcome(text, text, fields, exit_code=YES if n_accepted == n_files else NO)


REPORT = Command(
    "report",
    "one self-contained HTML page: summary, verdicts with certificates, region explorer",
    "exactrelu report cases/xor/network.json -o xor.html",
    _add_arguments,
    _run,
)
