"""``exactrelu generic NET``: is the network generic, in a sense of the papers?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from exactrelu.cli.command import Command, Names, Outcome, add_domain, add_limits

if TYPE_CHECKING:
    from exactrelu.network.network import Network
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.verdict import Verdict

#: By the kind of its certificate: what of a single failure is proved, and what is not.
_PROVED: dict[str, tuple[Names, Names]] = {
    "masked-rank-deficient": (("layers", "masks", "expected_rank", "kernel"), ()),
    "proportional": (("units.unit", "units.indicator"), ("the two functions",)),
    "not-supertransversal": (("point", "dependency"), ("neurons and dimension of the face",)),
    "zero-optimum": (("neuron",), ("place and kind of the optimum",)),
}


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file")
    parser.add_argument(
        "--sense",
        metavar="SENSE",
        help="generic (default), masked-rank, supertransversal, general, non-proportional",
    )
    add_domain(parser)
    parser.add_argument("--all", action="store_true", help="list all failures that are minimal")
    parser.add_argument("--perturb", metavar="OUT", help="write a generic network nearby to OUT")
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser, "masks", "faces")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.domain import network_on_domain, restriction
    from exactrelu.cli.progress import counting
    from exactrelu.questions.genericity.senses import DEFAULT_SENSE, is_generic

    network, domain, where = network_on_domain(args)
    if args.perturb is not None:
        return _perturb(args, network, domain, where)
    sense = args.sense or DEFAULT_SENSE
    with counting("masks or faces") as progress:
        verdict = is_generic(
            network,
            sense,
            domain,
            all_failures=args.all,
            max_masks=args.max_masks,
            max_faces=args.max_faces,
            timeout=args.timeout,
            progress=progress,
        )
    failures = verdict.witness or ()
    listed = [failure.text() for failure in failures] if args.all else []
    text = "\n".join([*listed, f"{sense}{where}: {verdict.word}, {verdict.reason}"])
    fields = {"sense": sense, "failures": [failure.fields() for failure in failures]}
    certified, computed = _proved(verdict, args.all)
    return Outcome.of(verdict, text, fields, certified, (*restriction(args), *computed))


def _proved(verdict: Verdict, is_listed: bool) -> tuple[Names, Names]:
    """What the certificate proves, and what it does not: it is about the first failure."""
    if verdict.certificate is None or not verdict.witness:
        return ("verdict",), ()
    names, computed = _PROVED[verdict.certificate.kind]
    if len(verdict.witness) > 1:
        return ("verdict",), ("all failures but one",) if is_listed else computed
    return ("verdict", *(f"failures.{name}" for name in names)), computed


def _perturb(args: argparse.Namespace, network: Network, domain: Domain, where: str) -> Outcome:
    """Write a generic network; the certificate is that of the sense asked for."""
    from exactrelu.cli.domain import restriction
    from exactrelu.network.formats import save
    from exactrelu.questions.genericity.perturb import make_generic
    from exactrelu.questions.genericity.senses import DEFAULT_SENSE

    sense = args.sense or DEFAULT_SENSE
    found = make_generic(network, (sense,), domain, timeout=args.timeout)
    save(found.network, args.perturb)
    reason = f"{args.perturb}: {sense}{where}; parameters moved by at most {found.distance}"
    fields = {"distance": str(found.distance), "sense": sense, "network": str(args.perturb)}
    return Outcome(
        reason,
        reason,
        fields,
        found.verdicts[sense].certificate,
        certified=() if domain.is_flat else ("sense",),
        computed=(*restriction(args), "how far they moved"),
    )


GENERIC = Command(
    "generic",
    "is the network generic, in a sense of the papers?",
    "exactrelu generic cases/S002-D2-ties/parallel.json --sense masked-rank",
    _add_arguments,
    _run,
)
