"""``exactrelu generic NET``: is the network generic, in a sense of the papers?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from exactrelu.cli.command import Command, Outcome, add_limits

if TYPE_CHECKING:
    from exactrelu.network.network import Network


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file")
    parser.add_argument("--sense", metavar="SENSE", help="masked-rank (default), non-proportional")
    parser.add_argument("--all", action="store_true", help="list all minimal failures")
    parser.add_argument("--perturb", metavar="OUT", help="write a generic network nearby to OUT")
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser, "masks")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.progress import counting
    from exactrelu.network.formats import load
    from exactrelu.questions.genericity.senses import DEFAULT_SENSE, is_generic

    network = load(args.network)
    if args.perturb is not None:
        return _perturb(args, network)
    sense = args.sense or DEFAULT_SENSE
    with counting("masks") as progress:
        verdict = is_generic(
            network,
            sense,
            all_failures=args.all,
            max_masks=args.max_masks,
            timeout=args.timeout,
            progress=progress,
        )
    failures = verdict.witness or ()
    listed = [failure.text() for failure in failures] if args.all else []
    text = "\n".join([*listed, f"{sense}: {verdict.word}, {verdict.reason}"])
    fields = {"sense": sense, "failures": [failure.fields() for failure in failures]}
    return Outcome.of(verdict, text, fields)


def _perturb(args: argparse.Namespace, network: Network) -> Outcome:
    """Write a generic network; the certificate is that of the first sense."""
    from exactrelu.network.formats import save
    from exactrelu.questions.genericity.perturb import make_generic
    from exactrelu.questions.genericity.senses import PERTURBED_SENSES

    senses = PERTURBED_SENSES if args.sense is None else (args.sense,)
    found = make_generic(network, senses, timeout=args.timeout)
    save(found.network, args.perturb)
    reason = f"{args.perturb}: {', '.join(senses)}; parameters moved by at most {found.distance}"
    fields = {
        "distance": str(found.distance),
        "senses": list(senses),
        "network": str(args.perturb),
    }
    return Outcome(reason, reason, fields, found.verdicts[senses[0]].certificate)


GENERIC = Command(
    "generic",
    "is the network generic: masked ranks, proportional affine functions",
    "exactrelu generic cases/S002-D2-ties/parallel.json --sense masked-rank",
    _add_arguments,
    _run,
)
