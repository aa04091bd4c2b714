"""Commands about widths: which share of all networks is identifiable, and networks to be built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from exactrelu.cli.command import (
    WORKERS,
    Ask,
    argument,
    command,
    domain,
    output,
    seconds_each,
    seed,
)
from exactrelu.cli.given import parse_integers, positive_integer, refuse
from exactrelu.cli.injectivity import BUILD_OPTIONS, build_injective, written
from exactrelu.cli.outcome import Outcome
from exactrelu.errors import InputError
from exactrelu.files import make_folder

if TYPE_CHECKING:
    from exactrelu.certificates.certificate import Verdict
    from exactrelu.questions.identifiability.share import Share

#: How many networks are asked for a share if nothing is said.
COUNT = 100

#: The options of ``identifiable --share``.
SHARE_OPTIONS = (
    argument(
        "--share",
        metavar="n0,n1,…",
        excludes="NET --dimension --second --certificate",
        help="the share of identifiable ones among random networks",
    ),
    argument(
        "--count",
        metavar="N",
        type=positive_integer,
        needs="--share",
        help=f"share: of N networks ({COUNT})",
    ),
    argument(
        "--weights",
        choices=["normal", "uniform"],
        needs="--share",
        help="share: how they are drawn (normal)",
    ),
    argument(
        "--seed",
        metavar="S",
        type=int,
        needs="--share",
        help="share: other networks for each seed (0)",
    ),
    seconds_each(
        "network of the share", "no bound, or ten times an even part of --timeout", needs="--share"
    ),
    argument(
        "--certificates",
        metavar="DIR",
        needs="--share",
        help="share: write the certificates to DIR",
    ),
    *WORKERS,
)


def about_widths(ask: Ask) -> Outcome | None:
    """What ``identifiable`` says of all networks of some widths, if it is asked about them."""
    args = ask.args
    if args.share is not None:
        return _share(ask)
    if args.architecture is not None:
        return _volume(ask)
    if args.network is None:
        raise InputError(
            "expected a network file, --architecture n0,n1,n2,n3 --volume or --share n0,n1,…"
        )
    return None


def _share(ask: Ask) -> Outcome:
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.questions.identifiability.share import share

    args = ask.args
    message = f"--share {args.share}: expected integers n0,n1,…"
    widths = parse_integers(args.share, message)
    if min(widths) < 1:
        raise InputError(message)
    domain = None if args.domain is None else Domain.of(args.domain, widths[0], ask.for_reading)
    shown = ask.showing(partial(_share_shown, ask))
    found = share(
        widths,
        domain,
        count=args.count or COUNT,
        weights=args.weights or "normal",
        seed=args.seed or 0,
        seconds_each=args.seconds_each,
        certificates=args.certificates,
        effort=ask.effort,
    )
    return shown(found)


def _share_shown(ask: Ask, found: Share) -> Outcome:
    from exactrelu.questions.identifiability.share import file_name

    args = ask.args
    drawn = f"{found.count:,} networks of widths {args.share}, {found.weights} weights, "
    drawn += f"seed {found.seed}{ask.where}"
    lines = [f"{drawn}: {found.counts}", found.interval]
    if found.volume is not None:
        exact = ask.words.number(found.volume)
        lines.append(f"exactly, of all parameters: {exact} (--architecture {args.share} --volume)")
    if found.stopped is not None:
        lines.append(found.stopped)
    told = ask.told(found, text="\n".join(lines))
    if args.certificates is None:
        return replace(told, computed=(*told.computed, "the answers (--certificates DIR)"))
    words = [{True: "yes", False: "no", None: "undecided"}[answer] for answer in found.answers]
    names = (Path(args.certificates) / file_name(*pair) for pair in enumerate(words, 1))
    return replace(told, files=tuple(str(p) for p in names if p.exists()))


def _volume(ask: Ask) -> Outcome:
    from exactrelu.questions.identifiability.second import volume

    given = ask.args.architecture
    message = f"--architecture {given}: expected integers n0,n1,n2,n3"
    return ask.told(volume(parse_integers(given, message), effort=ask.effort))


@command(
    argument("what", choices=["non-localizable", "identifiable", "injective"], help="the property"),
    argument("widths", metavar="n0,n1,…", help="the widths, input first"),
    output("network file to write", required=True),
    domain(
        "identifiable: where its function determines the network, R, box:a..b[,a..b…] or a "
        "file (default box:-1,1 where widths fall to one output, else R)",
        None,
    ),
    seed("another network for each (not all use it)"),
    BUILD_OPTIONS,
    argument("--certificates", metavar="DIR", help="write all certificates to DIR"),
    argument("--certificate", metavar="FILE", help="write the certificate of the whole network"),
    results="questions.injectivity.constructions.Built",
    fields="network",
    example="identifiable 3,3,2,1 --domain box:-1..1 -o network.json",
)
def build(ask: Ask) -> Outcome:
    """A network with proved properties."""
    from exactrelu.questions.folds.construction import forecast

    args = ask.args
    widths = parse_integers(args.widths, f"widths {args.widths}: expected integers n0,n1,…")
    forecast(widths, ask.effort)
    if args.what == "identifiable":
        refuse(args, "--matrix --scales --complete", "only for injective networks")
        return _build_identifiable(ask, widths)
    refuse(args, "--domain", "only for identifiable networks")
    if args.what == "injective":
        return build_injective(ask, widths)
    refuse(args, "--matrix --scales --complete", "only for injective networks")
    return _build_non_localizable(ask, widths)


def _build_non_localizable(ask: Ask, widths: tuple[int, ...]) -> Outcome:
    from exactrelu.questions.identifiability.identifiable import non_localizable

    found = non_localizable(widths, effort=ask.effort)
    folder = ask.args.certificates
    is_left = folder is None and ask.wants_certificate
    return replace(
        written(ask, found, f"a network of widths {ask.args.widths}", *found.said(ask.words)),
        # Those of the parts have files of their own.
        certificate=found.whole.certificate,
        computed=("that the parts are identifiable (--certificates DIR)",) if is_left else (),
        files=_save_all(folder, found.verdicts),
    )


def _build_identifiable(ask: Ask, widths: tuple[int, ...]) -> Outcome:
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.questions.folds.construction import has_widths
    from exactrelu.questions.identifiability.construction import build_identifiable

    args = ask.args
    where = args.domain or ("box:-1,1" if has_widths(widths) else "R")
    if min(widths) < 1:
        raise InputError(f"widths {args.widths}: expected positive integers n0,n1,…")
    domain = Domain.of(where, widths[0], ask.for_reading)
    found = build_identifiable(widths, domain, seed=args.seed, effort=ask.effort)
    told = f"  on {where}: {found.word}, {found.reason}"
    outcome = written(ask, found, f"a network of widths {args.widths}", told, domain=where)
    verdicts = {} if args.certificates is None else found.bundle(ask.effort)
    return replace(outcome, files=_save_all(args.certificates, verdicts))


def _save_all(folder: str | None, verdicts: Mapping[str, Verdict]) -> tuple[str, ...]:
    """Write each certificate under its name, if there is a folder; return the files."""
    if folder is None:
        return ()
    make_folder(folder)
    certificates = ((name, verdict.certificate) for name, verdict in verdicts.items())
    files = ((Path(folder) / f"{name}.cert.jsonl", found) for name, found in certificates)
    return tuple(str(found.save(path)) for path, found in files if found is not None)
