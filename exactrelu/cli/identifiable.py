"""``exactrelu identifiable NET``: does its function determine a network, up to symmetry?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import Command, Names, Outcome, add_limits

if TYPE_CHECKING:
    from exactrelu.verdict import Verdict


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", nargs="?", help="network file")
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    parser.add_argument(
        "--domain",
        metavar="D",
        help="by the values there alone: R, orthant, box:a,b[;a,b…] or a polyhedron file",
    )
    parser.add_argument("--second", metavar="OUT", help="write the second network of a no to OUT")
    parser.add_argument(
        "--architecture", metavar="n0,n1,n2,n3", help="ask about all networks of these widths"
    )
    parser.add_argument(
        "--volume", action="store_true", help="the exact fraction of identifiable parameters"
    )
    add_limits(parser, "masks", "regions")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.errors import InputError

    if args.architecture is not None:
        if args.network is not None or not args.volume:
            raise InputError("--architecture: expected --volume and no network")
        return _volume(args.architecture)
    if args.network is None or args.volume:
        raise InputError("expected a network file, or --architecture n0,n1,n2,n3 --volume")
    return _network(args)


def _network(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.progress import counting
    from exactrelu.network.formats import load, save
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.questions.identifiability.functional_dimension import MAX_REGIONS
    from exactrelu.questions.identifiability.identifiable import identifiable
    from exactrelu.view.text import network_json

    network = load(args.network)
    domain = None if args.domain is None else Domain.of(args.domain, network.n_inputs)
    where = "" if args.domain in (None, "R") else f" on {args.domain}"
    with counting("masks or faces") as progress:
        verdict = identifiable(
            network,
            domain,
            max_masks=args.max_masks,
            max_regions=args.max_regions or MAX_REGIONS,
            timeout=args.timeout,
            progress=progress,
        )
    lines = [f"identifiable{where}: {verdict.word}, {verdict.reason}"]
    fields: dict[str, Any] = {"witness": None, "functional_dimension": None}
    if verdict.answer is False:
        lines.append("  a second network has the same function, and is not isomorphic")
        fields["witness"] = network_json(verdict.witness)
        if args.second is not None:
            save(verdict.witness, args.second)
            lines.append(f"  written to {args.second}")
    if verdict.answer is None:
        return _undecided(verdict, lines[0], fields)
    certified = ("verdict",) if verdict.answer else ("verdict", "witness")
    return Outcome.of(verdict, "\n".join(lines), fields, certified)


def _undecided(verdict: Verdict, text: str, fields: dict[str, Any]) -> Outcome:
    """What is known all the same; a certificate is about the functional dimension, from below."""
    known = verdict.witness
    dimension = known.dimension
    fields |= {
        "identifiable_if_generic": known.identifiable_if_generic,
        "functional_dimension": None
        if dimension is None
        else {
            "value": dimension.value,
            "is_exact": dimension.is_complete,
            "upper_bound": dimension.upper_bound,
            "locally_identifiable": dimension.is_locally_identifiable,
        },
    }
    computed: Names = ()
    if verdict.certificate is None and dimension is not None:
        computed = ("the functional dimension",)
    elif (
        dimension is not None and dimension.is_complete and dimension.value < dimension.upper_bound
    ):
        computed = ("that the functional dimension is not larger",)
    return Outcome.of(verdict, text, fields, ("functional_dimension.value",), computed)


def _volume(text: str) -> Outcome:
    from exactrelu.errors import InputError
    from exactrelu.exact.scalar import to_text
    from exactrelu.questions.identifiability.signs import volume

    try:
        widths = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"--architecture {text}: expected integers n0,n1,n2,n3") from None
    found = volume(widths)
    reason = f"the fraction {found.fraction} of the parameters of widths {text} is identifiable"
    bounds = f"published bounds: {found.published_lower} and {found.published_upper}"
    if not found.published_lower <= found.fraction <= found.published_upper:
        bounds += ", which do not hold for n1 = 1"
    fields = {
        "volume": to_text(found.fraction),
        "published_lower": to_text(found.published_lower),
        "published_upper": to_text(found.published_upper),
    }
    return Outcome(f"{reason}\n{bounds}", reason, fields, computed=("the fraction",))


IDENTIFIABLE = Command(
    "identifiable",
    "does its function determine a network, up to permutation and scaling?",
    "exactrelu identifiable cases/S002-P13-hiding-translation/theta.json",
    _add_arguments,
    _run,
)
