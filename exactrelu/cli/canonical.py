"""``exactrelu canonical NET -o OUT``: the representative of all isomorphic networks."""

from __future__ import annotations

import argparse

from exactrelu.cli.command import UNDECIDED, Command, Outcome, add_limits, add_output


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file")
    add_output(parser)
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser, "refinements")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.network.formats import load, save
    from exactrelu.network.isomorphism.search import SearchLimit
    from exactrelu.questions.isomorphism import MAX_REFINEMENTS, canonical

    network = load(args.network)
    try:
        found = canonical(network, args.max_refinements or MAX_REFINEMENTS, args.timeout)
    except SearchLimit as limit:
        return Outcome(str(limit), str(limit), verdict="undecided", exit_code=UNDECIDED)
    save(found.network, args.output)
    reason = f"{args.output} is equal to it up to permutation and positive scaling"
    fields = {"widths": list(found.network.widths), "sha256": found.network.sha256}
    text = f"{reason}\nsha256 {found.network.sha256}"
    certificate = found.certificate if args.certificate else None
    return Outcome(text, reason, fields, certificate, certified=tuple(fields))


CANONICAL = Command(
    "canonical",
    "write the canonical network: isomorphic networks give the same file",
    "exactrelu canonical net.json -o canonical.json",
    _add_arguments,
    _run,
)
