"""``exactrelu shallow NET``: the canonical form of a network with one hidden layer."""

from __future__ import annotations

import argparse

from exactrelu.cli.command import Command, Outcome


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file, at most one hidden layer")
    parser.add_argument("--domain", metavar="D", default="R", help="R or orthant")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.exact.scalar import rational, to_texts, vector
    from exactrelu.network.formats import load
    from exactrelu.network.shallow import shallow_form
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.view import text

    network = load(args.network)
    form = shallow_form(network, Domain.of(args.domain, network.n_inputs))
    where = "" if args.domain == "R" else f" on {args.domain}"
    reason = (
        f"the function{where} is an affine map and "
        f"{text.count(len(form.bends), 'weighted hyperplane')}"
    )
    bends = [((vector(h[:-1]), rational(h[-1])), u) for h, u in form.bends]
    lines = [
        *text.affine_map(form.base),
        *(f"+ {text.point(u)} · s({text.linear_form(*h)})" for h, u in bends),
        reason,
    ]
    fields = {
        "hyperplanes": [
            {"normal": list(map(str, h[:-1])), "offset": str(h[-1]), "jump": to_texts(u)}
            for h, u in form.bends
        ],
        "jacobian": [to_texts(row) for row in form.base.matrix.rows()],
        "offset": to_texts(form.base.offset),
    }
    return Outcome("\n".join(lines), reason, fields, computed=("this form",))


SHALLOW = Command(
    "shallow",
    "canonical form of a network with one hidden layer: weighted hyperplanes, one affine map",
    "exactrelu shallow cases/xor/network.json",
    _add_arguments,
    _run,
)
