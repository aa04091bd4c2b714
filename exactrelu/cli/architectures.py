"""Commands about widths: which share of all networks is identifiable, and networks to be built."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import (
    WORKERS,
    Ask,
    Outcome,
    argument,
    command,
    done,
    parse_integers,
    positive_integer,
    seconds_each,
    stopped,
)
from exactrelu.cli.injectivity import BUILD_OPTIONS, build_injective
from exactrelu.errors import InputError

if TYPE_CHECKING:
    from exactrelu.certificates.certificate import Verdict
    from exactrelu.questions.identifiability.share import Share

#: How many networks are asked for a share if nothing is said.
COUNT = 100

#: The options of ``identifiable --share``.
SHARE_OPTIONS = (
    argument(
        "--share", metavar="n0,n1,…", help="the share of identifiable ones among random networks"
    ),
    argument("--count", metavar="N", type=positive_integer, help=f"share: of N networks ({COUNT})"),
    argument("--weights", choices=["normal", "uniform"], help="share: how they are drawn (normal)"),
    argument("--seed", metavar="S", type=int, help="share: other networks for each seed (0)"),
    seconds_each("network of the share", "no bound, or ten times an even part of --timeout"),
    argument("--certificates", metavar="DIR", help="share: write the certificates to DIR"),
    *WORKERS,
)


def about_widths(ask: Ask) -> Outcome | None:
    """What ``identifiable`` says of all networks of some widths, if it is asked about them."""
    args = ask.args
    if args.network is None and (args.dimension or args.at is not None):
        raise InputError("--dimension, --at: expected a network file")
    if args.share is not None:
        if args.network is not None or args.architecture is not None or args.volume:
            raise InputError("--share: expected no network, no --architecture and no --volume")
        if args.certificate is not None or args.second is not None:
            raise InputError("--share: expected --certificates DIR, no --certificate, no --second")
        return _share(ask)
    for name in ("count", "weights", "seed", "seconds_each", "certificates"):
        if getattr(args, name) is not None:
            raise InputError(f"--{name.replace('_', '-')}: only with --share n0,n1,…")
    if args.architecture is not None:
        if args.network is not None or not args.volume:
            raise InputError("--architecture: expected --volume and no network")
        return _volume(ask)
    if args.network is None or args.volume:
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
    domain = None if args.domain is None else Domain.of(args.domain, widths[0])
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
    args = ask.args
    drawn = f"{found.count:,} networks of widths {args.share}, {found.weights} weights, "
    drawn += f"seed {found.seed}{ask.where}"
    counts = f"{found.n_yes:,} identifiable, {found.n_no:,} not, {found.n_undecided:,} undecided"
    if found.n_unasked:
        counts += f", {found.n_unasked:,} not asked"
    lower, upper = (f"{end:.4f}" for end in (found.lower, found.upper))
    interval = f"the share is between {lower} and {upper}, with a confidence of 95 %"
    lines = [f"{drawn}: {counts}", interval]
    if found.volume is not None:
        exact = ask.words.number(found.volume)
        lines.append(f"exactly, of all parameters: {exact} (--architecture {args.share} --volume)")
    written = args.certificates is not None
    computed = ("the share",) if written else ("the share", "the answers (--certificates DIR)")
    fields: dict[str, Any] = {
        "widths": found.widths,
        "count": found.count,
        "weights": found.weights,
        "seed": found.seed,
        "yes": found.n_yes,
        "no": found.n_no,
        "undecided": found.n_undecided,
        "not_asked": found.n_unasked,
        "answers": [{True: "yes", False: "no", None: "undecided"}[a] for a in found.answers],
        "lower": found.lower,
        "upper": found.upper,
        "confidence": "19/20",
        "volume": found.volume,
    }
    if found.stopped is not None:
        return stopped(found.stopped, lines, computed=computed, **fields)
    return done(f"{counts}; {interval}", lines, computed=computed, **fields)


def _volume(ask: Ask) -> Outcome:
    from exactrelu.questions.identifiability.second import volume

    given = ask.args.architecture
    message = f"--architecture {given}: expected integers n0,n1,n2,n3"
    found = volume(parse_integers(given, message), effort=ask.effort)
    number = ask.words.number
    share = f"the fraction {number(found.fraction)}"
    reason = f"{share} of the parameters of widths {given} is identifiable"
    least, most = number(found.published_lower), number(found.published_upper)
    bounds = f"published bounds: {least} and {most}"
    if not found.published_lower <= found.fraction <= found.published_upper:
        bounds += ", which do not hold for n1 = 1"
    return done(
        reason,
        [reason, bounds],
        computed=("the fraction",),
        volume=found.fraction,
        published_lower=found.published_lower,
        published_upper=found.published_upper,
    )


@command(
    argument("what", choices=["non-localizable", "identifiable", "injective"], help="the property"),
    argument("widths", metavar="n0,n1,…", help="the widths, input first"),
    argument("-o", "--output", metavar="OUT", required=True, help="network file to write"),
    argument(
        "--domain",
        metavar="D",
        help="identifiable: where its function determines the network, R, box:a..b[,a..b…] or a "
        "file (default box:-1,1 where widths fall to one output, else R)",
    ),
    argument(
        "--seed", metavar="N", type=int, default=0, help="another network for each (not all use it)"
    ),
    BUILD_OPTIONS,
    argument("--certificates", metavar="DIR", help="write all certificates to DIR"),
    argument("--certificate", metavar="FILE", help="write the certificate of the whole network"),
    fields="network widths",
    example="identifiable 3,3,2,1 --domain box:-1..1 -o network.json",
)
def build(ask: Ask) -> Outcome:
    """A network with proved properties."""
    from exactrelu.questions.folds.construction import forecast

    args = ask.args
    widths = parse_integers(args.widths, f"widths {args.widths}: expected integers n0,n1,…")
    forecast(widths, ask.effort)
    if args.what == "identifiable":
        return _build_identifiable(ask, widths)
    if args.domain is not None:
        raise InputError("--domain: only for identifiable networks")
    if args.what == "injective":
        return build_injective(ask, widths)
    return _build_non_localizable(ask, widths)


def _build_non_localizable(ask: Ask, widths: tuple[int, ...]) -> Outcome:
    from exactrelu.network.formats.load import save
    from exactrelu.questions.identifiability.identifiable import non_localizable

    args = ask.args
    found = non_localizable(widths, effort=ask.effort)
    save(found.network, args.output)
    lines = [
        f"{args.output}: a network of widths {args.widths}",
        f"  layers 1–3: identifiable, {found.first.reason}",
        f"  layers 2–4: identifiable, {found.second.reason}",
        f"  layers 1–4: not identifiable, {found.whole.reason}",
    ]
    if args.certificates is not None:
        _save_all(args.certificates, found.verdicts)
    parts = "that the parts are identifiable (--certificates DIR)"
    return done(
        "consecutive parts are identifiable, the network is not",
        lines,
        found.whole.certificate,
        certified=("widths",),
        computed=(parts,) if args.certificates is None and ask.wants_certificate else (),
        network=args.output,
        widths=widths,
    )


def _build_identifiable(ask: Ask, widths: tuple[int, ...]) -> Outcome:
    from exactrelu.network.formats.load import save
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.questions.folds.construction import has_widths
    from exactrelu.questions.identifiability.construction import build_identifiable

    args = ask.args
    where = args.domain or ("box:-1,1" if has_widths(widths) else "R")
    if min(widths) < 1:
        raise InputError(f"widths {args.widths}: expected positive integers n0,n1,…")
    domain = Domain.of(where, widths[0])
    found = build_identifiable(widths, domain, seed=args.seed, effort=ask.effort)
    save(found.network, args.output)
    if args.certificates is not None:
        _save_all(args.certificates, found.bundle(ask.effort))
    verdict = found.verdict
    lines = [
        f"{args.output}: a network of widths {args.widths}",
        f"  on {where}: {verdict.word}, {verdict.reason}",
    ]
    fields = {"network": args.output, "widths": widths, "domain": where}
    return Outcome.of(verdict, "\n".join(lines), fields, ("verdict", "widths"))


def _save_all(folder: str, verdicts: Mapping[str, Verdict]) -> None:
    """Write each certificate under its name."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, verdict in verdicts.items():
        if verdict.certificate is not None:
            verdict.certificate.save(Path(folder) / f"{name}.cert.jsonl")
