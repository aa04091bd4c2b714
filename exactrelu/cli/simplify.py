"""``exactrelu simplify NET -o OUT``: a smaller network with the same function, proved."""

from __future__ import annotations

import argparse
from collections import Counter

from exactrelu.cli.command import Command, Outcome, add_limits, add_output

_DONE = {
    "Drop": ("dead neuron", "dropped"),
    "NeverActive": ("neuron", "dropped that a tree of bounds shows to be dead"),
    "Merge": ("duplicate", "merged"),
    "Refactor": ("group", "of linear neurons made smaller"),
    "Compose": ("layer", "without nonlinear neurons joined with the next"),
}


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file")
    add_output(parser)
    parser.add_argument(
        "--domain", metavar="D", default="R", help="R, orthant, box:a,b[;a,b…] or a polyhedron file"
    )
    parser.add_argument(
        "--by-lp", action="store_true", help="also what linear programs show on the domain"
    )
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser)


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.network.formats import load, save
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.questions.simplify import simplify
    from exactrelu.verdict import NO_CERTIFICATE
    from exactrelu.view.text import count

    network = load(args.network)
    domain = Domain.of(args.domain, network.n_inputs)
    found = simplify(network, domain, by_lp=args.by_lp, timeout=args.timeout)
    save(found.network, args.output)
    before, after = ("-".join(map(str, n.widths)) for n in (network, found.network))
    where = "" if args.domain == "R" else f" on {args.domain}"
    if domain.is_flat:
        where += f"; {NO_CERTIFICATE}"
    done = Counter(type(step).__name__ for step in found.steps)
    reason = f"{before} became {after}, with the same function{where}"
    if found.network == network:
        what = "linear programs" if args.by_lp else "signs"
        reason = f"{before}: nothing to remove by {what}{where}"
    lines = [
        f"  {count(done[name], noun)} {what}" for name, (noun, what) in _DONE.items() if done[name]
    ]
    fields = {"widths": list(found.network.widths), "n_steps": len(found.steps)}
    text = "\n".join([reason, *lines])
    certified = () if domain.is_flat else ("widths",)
    return Outcome(text, reason, fields, found.certificate, certified=certified)


SIMPLIFY = Command(
    "simplify",
    "write a smaller network that provably has the same function",
    "exactrelu simplify net.json --domain orthant -o small.json",
    _add_arguments,
    _run,
)
