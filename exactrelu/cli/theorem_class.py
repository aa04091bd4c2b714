"""``exactrelu theorem-class NET``: is a network determined by its function, by Phuong & Lampert?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import Command, Names, Outcome, add_domain_or_union, add_limits

if TYPE_CHECKING:
    from exactrelu.network.network import Network
    from exactrelu.polyhedra.boxes import BoxUnion
    from exactrelu.polyhedra.domain import Domain


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file")
    add_domain_or_union(parser)
    parser.add_argument(
        "--other", metavar="NET2", help="run the identification argument on a second network"
    )
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser, "masks", "faces")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.domain import network_on_domain_or_union
    from exactrelu.cli.progress import counting
    from exactrelu.exact.scalar import to_texts
    from exactrelu.network.formats import load
    from exactrelu.questions.folds.chains import Chains
    from exactrelu.questions.folds.theorem_class import is_in_theorem_class
    from exactrelu.view import text

    network, domain, where = network_on_domain_or_union(args)
    with counting("masks or faces") as progress:
        verdict = is_in_theorem_class(
            network,
            domain,
            max_masks=args.max_masks,
            max_faces=args.max_faces,
            timeout=args.timeout,
            progress=progress,
        )
    lines = [f"in the theorem's class{where}: {verdict.word}, {verdict.reason}"]
    fields: dict[str, Any] = {"chains": None}
    certified: Names = ("verdict",)
    computed: Names = ()
    if isinstance(verdict.witness, Chains):
        fields["chains"] = []
        certified = ("verdict", "chains")
        for l, layer in enumerate(verdict.witness.points, 1):
            for i, chain in enumerate(layer, 1):
                points = [to_texts(point) for point in chain]
                fields["chains"].append({"unit": [l, i], "points": points})
                places = " ".join(map(text.point, chain))
                lines.append(f"  unit {network.neuron_name(l, i)}: {places}")
    if args.other is not None:
        more, fields["identification"] = _identified(network, load(args.other), domain)
        lines += more
        computed = ("the comparison with NET2",)
    return Outcome.of(verdict, "\n".join(lines), fields, certified, computed)


def _identified(
    theta: Network, eta: Network, domain: Domain | BoxUnion
) -> tuple[list[str], dict[str, Any]]:
    from exactrelu.cli.isomorphic import symmetry_json, symmetry_text
    from exactrelu.questions.folds.identify import have_same_function, identify

    same = have_same_function(theta, eta, domain)
    found = identify(theta, eta)
    word = {True: "yes", False: "no", None: "undecided"}[same]
    lines = [f"the same function: {word}", f"identification: {found.reason}"]
    fields: dict[str, Any] = {
        "same_function": same,
        "reason": found.reason,
        "layer": found.layer,
        "permutations": None,
        "scalings": None,
    }
    if found.symmetry is not None:
        lines += symmetry_text(found.symmetry)
        fields |= symmetry_json(found.symmetry)
    return lines, fields


THEOREM_CLASS = Command(
    "theorem-class",
    "does its function determine a deep network, by the theorem of Phuong and Lampert?",
    "exactrelu theorem-class cases/S001-P1-transparent/N.json --domain box:-1,1",
    _add_arguments,
    _run,
)
