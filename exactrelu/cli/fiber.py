"""``exactrelu fiber NET``: the parameters with the same function, component by component."""

from __future__ import annotations

import argparse
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import UNDECIDED, Command, Names, Outcome, add_limits

if TYPE_CHECKING:
    from exactrelu.questions.fibers.component import Component
    from exactrelu.questions.fibers.shallow import ShallowFiber

#: So many components are shown, and so many have everything computed for ``--json``.
SHOWN = 16
DETAILED = 64

FORMATS = ("text", "latex", "smt2", "json")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("network", metavar="NET", help="network file, one or two hidden layers")
    parser.add_argument("--domain", metavar="D", default="R", help="R or orthant")
    parser.add_argument(
        "--general", action="store_true", help="also shared hyperplanes and canceling neurons"
    )
    parser.add_argument(
        "--component",
        metavar="NAME",
        help="one component as it is listed: by the signs on the bends, as in +-, canceling "
        "groups and dead neurons, as in '+ +- (+-) 0', or by flips, as in 2,3",
    )
    parser.add_argument(
        "--format", choices=FORMATS, help="print the equations and inequalities of a component"
    )
    parser.add_argument("--member", metavar="OTHER", help="does OTHER have the same function?")
    parser.add_argument("--sample", metavar="N", type=int, help="N random members")
    parser.add_argument(
        "--minimal", action="store_true", help="has no smaller network the same function?"
    )
    parser.add_argument(
        "--translate",
        metavar="T1,T2,…",
        help="move along a component: by t along a half-line, or the biases of linear neurons",
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="of --sample")
    add_limits(parser, "components")
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate")


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.fiber_parts import member_outcome, samples_outcome
    from exactrelu.cli.progress import counting
    from exactrelu.network.formats import load
    from exactrelu.polyhedra.domain import Domain
    from exactrelu.questions.fibers import ThreeLayerFiber, fiber
    from exactrelu.questions.fibers.shallow import MAX_COMPONENTS

    network = load(args.network)
    domain = Domain.of(args.domain, network.n_inputs)
    with counting("components") as progress:
        found = fiber(
            network,
            domain,
            general=args.general,
            max_components=args.max_components or MAX_COMPONENTS,
            timeout=args.timeout,
            progress=progress,
        )
    if isinstance(found, ThreeLayerFiber):
        from exactrelu.cli.fiber_three_layers import three_layer_outcome

        return three_layer_outcome(found, args)
    if args.minimal:
        return _minimal(found)
    if args.member is not None:
        return member_outcome(found.member(load(args.member)), attrgetter("name"), _orientation)
    if args.sample is not None:
        return samples_outcome(found.samples(args.sample, args.seed))
    if args.translate is not None:
        shifts = args.translate.split(",")
        return samples_outcome([_chosen(found, args.component).translate(shifts)])
    if args.component is not None or args.format is not None:
        return _component(found, args)
    return _listing(found, args)


def _minimal(found: ShallowFiber) -> Outcome:
    from exactrelu.view.text import network_json

    verdict = found.minimality
    smaller = None if verdict.witness is None else network_json(verdict.witness)
    text = f"minimal: {verdict.word}, {verdict.reason}"
    certified = ("verdict",) if smaller is None else ("verdict", "smaller")
    return Outcome.of(verdict, text, {"smaller": smaller}, certified)


def _chosen(found: ShallowFiber, name: str | None) -> Component:
    return found.own if name is None else found.component(name)


def _listing(found: ShallowFiber, args: argparse.Namespace) -> Outcome:
    from exactrelu.view.text import count, network_json

    where = "" if args.domain == "R" else f" on {args.domain}"
    bends = count(len(found.target.bends), "hyperplane")
    if not found.is_complete:
        n_found = count(len(found.components), "component")
        reason = f"stopped at {n_found}, {found.stopped}: the network bends at {bends}{where}"
        fields = {"components": [], "complete": False}
        computed: Names = ("the number so far",)
        return Outcome(reason, reason, fields, None, "undecided", UNDECIDED, computed=computed)
    nonempty = found.nonempty
    detailed = len(found.components) <= DETAILED
    kind = "orientation" if found.is_simple else "component"
    reason = (
        f"the network bends at {bends}{where}; "
        f"{len(nonempty):,} of {count(len(found.components), kind)} have members"
    )
    reason += {True: "; it is minimal", False: "; it is not minimal", None: ""}[found.is_minimal]
    if found.leaves_out:
        reason += f"; listed are the {found.listed}, all with --general"
    lines = [_line(found, c, detailed) for c in nonempty[:SHOWN]]
    if len(nonempty) > SHOWN:
        lines.append(f"… {len(nonempty) - SHOWN:,} more")
    fields = {
        "case": found.case,
        "complete": True,
        "listed": found.listed,
        "minimal": found.is_minimal,
        "smaller": None if found.smaller is None else network_json(found.smaller),
        "components": [_fields(found, c, detailed) for c in found.components],
    }
    computed = ("dimensions",)
    if found.is_minimal is not None:
        computed += ("whether it is minimal (--minimal)",)
    return Outcome(
        "\n".join([*lines, reason]),
        reason,
        fields,
        None if args.certificate is None else found.certificate,
        certified=_CERTIFIED,
        computed=computed,
    )


#: The fields that a certificate of all components proves.
_CERTIFIED = tuple(
    f"components.{name}"
    for name in ("orientation", "n_linear", "n_dead", "cancelling", "nonempty", "sample")
)


def _component(found: ShallowFiber, args: argparse.Namespace) -> Outcome:
    """One component: its description, and the certificate of its dimension."""
    from exactrelu.cli.fiber_parts import equations_computed
    from exactrelu.questions.fibers import printing

    component = _chosen(found, args.component)
    text = printing.WRITERS[args.format or "text"](component.description)
    fields = _fields(found, component, True)
    fields["constraints"] = printing.to_json(component.description)
    reason = _line(found, component, True)
    certificate = component.dimension_certificate
    # It is about the component near its sample; where that is not all of it, nothing is proved.
    is_proved = certificate is not None and certificate.fields["dimension"] == component.dimension
    return Outcome(
        text,
        reason,
        fields,
        certificate,
        certified=("dimension",) if is_proved else (),
        computed=equations_computed(args),
    )


def _line(found: ShallowFiber, component: Component, detailed: bool) -> str:
    stratum = component.stratum
    parts = [] if component.is_nonempty else ["empty"]
    if component.dimension is not None:
        parts.append(f"dimension {component.dimension}")
        if detailed and component.tangent_dimension != component.dimension:
            parts.append(f"{component.tangent_dimension} by the Jacobian at the sample")
    elif component.is_nonempty:
        parts.append(f"dimension at most {component.tangent_dimension}")
    linear = "linear" if found.target.on_orthant else "constant"
    numbers = ((stratum.n_linear, linear), (stratum.n_dead, "dead"))
    parts += [f"{n} {name}" for n, name in numbers if n]
    if stratum.cancelling:
        parts.append(f"canceling {' '.join(stratum.cancelling)}")
    if stratum == found.own.stratum:
        parts.append("the given network")
    if detailed and component.is_nonempty and component.has_generic_points is False:
        parts.append("no generic point")
    return f"{component.name}  {', '.join(parts)}"


def _orientation(component: Component) -> list[str]:
    return list(component.signs)


def _fields(found: ShallowFiber, component: Component, detailed: bool) -> dict[str, Any]:
    from exactrelu.exact.scalar import to_texts
    from exactrelu.questions.fibers.printing import to_text
    from exactrelu.view.text import network_json

    stratum = component.stratum
    sample = component.sample if component.is_nonempty else None
    turned = component.reversed_neurons(found.network)
    return {
        "name": component.name,
        "orientation": list(stratum.bends),
        "reversed": None if turned is None else list(turned),
        "n_linear": stratum.n_linear,
        "n_dead": stratum.n_dead,
        "cancelling": list(stratum.cancelling),
        "nonempty": component.is_nonempty,
        "dimension": component.dimension,
        "jacobian_dimension": component.tangent_dimension if detailed else None,
        "generic_points": component.has_generic_points if detailed else None,
        "compensation": [to_texts(row) for row in component.compensation.rows()],
        "sample": None if sample is None else network_json(sample),
        "description": to_text(component.description) if detailed else None,
    }


FIBER = Command(
    "fiber",
    "the parameters with the same function: orientations, dimensions, equations, members",
    "exactrelu fiber cases/S002-P04-fiber-case3-both/theta.json --domain orthant",
    _add_arguments,
    _run,
)
