"""``exactrelu complex NET``: the canonical polyhedral complex of a network on a domain."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import UNDECIDED, Command, Outcome, add_domain, add_limits

if TYPE_CHECKING:
    from exactrelu.complex.faces import Face
    from exactrelu.complex.jumps import FacetJump


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file")
    add_domain(parser)
    parser.add_argument("--list", action="store_true", help="list the faces")
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")
    add_limits(parser, "faces")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.domain import flat_words, network_on_domain, restriction
    from exactrelu.cli.progress import counting
    from exactrelu.questions.polyhedral_complex import polyhedral_complex
    from exactrelu.view import text

    network, domain, where = network_on_domain(args)
    with counting("faces") as progress:
        found = polyhedral_complex(
            network,
            domain,
            max_faces=args.max_faces,
            timeout=args.timeout,
            certify=args.certificate is not None,
            progress=progress,
        )
    faces = [found.lifted(face) for face in found.faces] if args.list else []
    listed = {"faces": [face_json(face) for face in faces]} if args.list else {}
    lines: list[str] = []
    if args.list:
        for face in faces:
            place = text.point(face.point)
            lines.append(f"dimension {face.dimension}  {text.pattern(face.signs)}  at {place}")
    computed = (*restriction(args), *(("the list of faces",) if args.list else ()))
    if not found.is_complete:
        reason = f"stopped at a limit after {text.count(len(found.faces), 'face')}{where}"
        fields: dict[str, Any] = {"f_vector": None, "n_faces": len(found.faces), **listed}
        return Outcome(
            "\n".join([*lines, reason]),
            reason,
            fields,
            verdict="undecided",
            exit_code=UNDECIDED,
            computed=(*computed, "the number so far"),
        )
    bent: list[dict[str, Any]] = [
        {"neuron": [l, i], "n_facets": len(found.bent_hyperplane(l, i))}
        for l, n in enumerate(network.hidden_widths, 1)
        for i in range(1, n + 1)
    ]
    visible = found.breakpoint_facets
    f_vector = ", ".join(map(str, found.f_vector))
    reason = (
        f"f-vector ({f_vector}){where}; "
        f"{text.count(len(visible), 'breakpoint facet')} of {len(found.facet_jumps)} facets, "
        f"{len(found.cancelled_facets)} cancelled; {text.count(len(found.ridges), 'ridge')}, "
        f"{sum(ridge.is_bending for ridge in found.ridges)} bending, "
        f"{len(found.dishonest_ridges)} dishonest{flat_words(domain)}"
    )
    for entry in bent:
        facets = text.count(entry["n_facets"], "facet")
        lines.append(f"bent hyperplane of {network.neuron_name(*entry['neuron'])}: {facets}")
    fields = {
        "f_vector": list(found.f_vector),
        "bent_hyperplanes": bent,
        "n_facets": len(found.facet_jumps),
        "breakpoint_facets": [jump_json(jump) for jump in found.lifted_jumps(visible)],
        "cancelled_facets": [face_json(found.lifted(j.facet)) for j in found.cancelled_facets],
        "n_ridges": len(found.ridges),
        "n_bending_ridges": sum(ridge.is_bending for ridge in found.ridges),
        "dishonest_ridges": [face_json(found.lifted(r.face)) for r in found.dishonest_ridges],
        **listed,
    }
    return Outcome(
        "\n".join([*lines, reason]),
        reason,
        fields,
        found.certificate,
        certified=() if domain.is_flat else ("f_vector", "n_facets"),
        computed=(*computed, "bent hyperplanes", "breakpoint facets", "ridges"),
    )


def face_json(face: Face) -> dict[str, Any]:
    """A face as ``--json`` shows it."""
    from exactrelu.exact.scalar import to_texts
    from exactrelu.view.text import pattern_numbers

    return {
        "pattern": pattern_numbers(face.signs),
        "dimension": face.dimension,
        "point": to_texts(face.point),
    }


def jump_json(jump: FacetJump) -> dict[str, Any]:
    """A facet with its jump as ``--json`` shows it."""
    from exactrelu.exact.scalar import to_texts

    return {**face_json(jump.facet), "jump": [to_texts(row) for row in jump.jump.rows()]}


COMPLEX = Command(
    "complex",
    "canonical polyhedral complex: faces, bent hyperplanes, breakpoints",
    "exactrelu complex cases/xor/network.json --domain box:-2,2",
    _add_arguments,
    _run,
)
