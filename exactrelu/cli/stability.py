"""``exactrelu stability NET --layer L``: how far apart does a layer keep points?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from exactrelu.cli.command import UNDECIDED, YES, Command, Outcome, add_limits
from exactrelu.errors import InputError

if TYPE_CHECKING:
    from exactrelu.network.network import Network


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file")
    parser.add_argument(
        "--layer", metavar="L", type=int, help="which, from 1 (default: all, by composition)"
    )
    parser.add_argument(
        "--domain",
        metavar="D",
        default="R",
        help="of the inputs of the layer: R, orthant, box:a,b[;a,b…] or a polyhedron file",
    )
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    parser.add_argument(
        "--bound",
        choices=("lower", "upper"),
        default="lower",
        help="which bound the certificate is for (default: lower)",
    )
    add_limits(parser, "regions")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.progress import counting
    from exactrelu.cli.sigma import other_bound
    from exactrelu.exact.scalar import to_texts
    from exactrelu.network.formats import load
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.questions.injectivity.injective import layer_of
    from exactrelu.questions.injectivity.stability import stability
    from exactrelu.view.text import number, point

    network = load(args.network)
    if args.layer is None:
        return _network(args, network)
    domain = Domain.of(args.domain, layer_of(network, args.layer).n_inputs)
    with counting("cells") as progress:
        found = stability(
            network,
            args.layer,
            domain,
            max_regions=args.max_regions,
            timeout=args.timeout,
            progress=progress,
        )
    certificates = {"lower": found.lower_certificate, "upper": found.upper_certificate}
    if args.certificate is not None and certificates[args.bound] is None:
        raise InputError("there is no lower bound to certify: ask for --bound upper")
    if found.lower is None:
        reason = f"c ≤ {number(found.upper)}; no lower bound after {found.n_cells:,} cells"
    elif found.upper == 0:
        reason = "c = 0, two points have one image"
    else:
        reason = f"{number(found.lower)} ≤ c ≤ {number(found.upper)}"
    lines = [f"|F(x) − F(y)| ≥ c·|x − y|: {reason}"]
    computed = other_bound(args, certificates)
    if found.active is not None:
        rows = ", ".join(map(str, found.active))
        cells = "1 cell covers" if found.n_cells == 1 else f"{found.n_cells:,} cells cover"
        lines.append(f"  least where the active rows are {rows}; {cells} the domain")
        computed += ("where it is least",)
    if found.published is not None:
        lines.append(f"  published bound (with 1/√(2m)): {number(found.published)}")
        computed += ("the published bound",)
    lines += [f"  {name} = {point(x)}" for name, x in zip("xy", found.points, strict=True)]
    fields = {
        "lower": None if found.lower is None else str(found.lower),
        "upper": str(found.upper),
        "published": None if found.published is None else str(found.published),
        "active": found.active,
        "points": [to_texts(x) for x in found.points],
    }
    code = UNDECIDED if found.lower is None else YES
    verdict = "undecided" if found.lower is None else None
    text = "\n".join(lines)
    certificate = certificates[args.bound]
    proved = {"lower": ("lower",), "upper": ("upper", "points")}[args.bound]
    return Outcome(
        text,
        reason,
        fields,
        certificate,
        verdict,
        code,
        certified=() if certificate is None else proved,
        computed=computed,
    )


def _network(args: argparse.Namespace, network: Network) -> Outcome:
    from exactrelu.cli.progress import counting
    from exactrelu.exact.scalar import to_text, to_texts
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.questions.injectivity.network_stability import network_stability
    from exactrelu.view.text import number

    domain = Domain.of(args.domain, network.n_inputs)
    with counting("cells") as progress:
        found = network_stability(
            network, domain, max_regions=args.max_regions, timeout=args.timeout, progress=progress
        )
    if found.lower is None:
        reason = f"no lower bound of layer {len(found.factors) + 1}"
    elif found.is_zero:
        reason = "c = 0, layer 1 takes two points to one"
    elif found.is_trivial:
        reason = (
            f"only the trivial bound c ≥ 0: layer {found.collapsing_layer} is not injective on the "
            "orthant, though it may be on what it gets"
        )
    else:
        reason = f"c ≥ {number(found.lower)}, layer by layer"
    if args.certificate is not None and found.is_zero:
        raise InputError("there is no lower bound to certify")
    fields = {
        "lower": None if found.lower is None else to_text(found.lower),
        "upper": "0" if found.is_zero else None,
        "trivial": found.is_trivial,
        "factors": to_texts(found.factors),
    }
    line = f"|N(x) − N(y)| ≥ c·|x − y|: {reason}"
    if found.lower is None or found.is_trivial:
        return Outcome(line, reason, fields, None, "undecided", UNDECIDED)
    certified = () if found.certificate is None else ("lower", "factors")
    return Outcome(line, reason, fields, found.certificate, certified=certified)


STABILITY = Command(
    "stability",
    "certified bounds of the inverse Lipschitz constant of a layer",
    "exactrelu stability cases/S003-E7-sharp-constant/L.json --layer 1",
    _add_arguments,
    _run,
)
