"""What ``exactrelu fiber`` says about a network with three layers."""

from __future__ import annotations

import argparse
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.cli.command import Names, Outcome
from exactrelu.cli.fiber_parts import equations_computed, member_outcome, samples_outcome
from exactrelu.errors import InputError
from exactrelu.network.formats import load
from exactrelu.questions.fibers import printing
from exactrelu.questions.fibers.half_lines import HalfLine
from exactrelu.questions.fibers.layerwise import Layerwise
from exactrelu.questions.fibers.three_layers import MAX_MEMBERS, ThreeLayerFiber
from exactrelu.view.text import count, network_json

#: So many components are shown.
SHOWN = 16


def three_layer_outcome(found: ThreeLayerFiber, args: argparse.Namespace) -> Outcome:
    """The components; with ``--component`` one of them, by its flips or its signs."""
    if args.minimal:
        raise InputError("--minimal: expected a network with one hidden layer")
    if args.member is not None:
        membership = found.member(load(args.member), timeout=args.timeout)
        return member_outcome(membership, _name, _orientation)
    if args.sample is not None:
        return samples_outcome(found.samples(args.sample, args.seed))
    if args.translate is not None:
        return samples_outcome([_translated(_chosen(found, args.component), args.translate)])
    if args.component is not None or args.format is not None:
        return _one(found, args)
    nonempty = found.nonempty
    n_empty = len(found.components) - len(nonempty)
    empty = f", {n_empty} more are empty" if n_empty else ""
    reason = f"{count(len(nonempty), 'component')}{empty}: {found.reason}"
    lines = [_line(component) for component in nonempty[:SHOWN]]
    if len(nonempty) > SHOWN:
        lines.append(f"… {len(nonempty) - SHOWN:,} more")
    fields: dict[str, Any] = {
        "complete": found.is_complete,
        "components": [_fields(component) for component in found.components],
        "flips": [[a + 1 for a in flipped] for flipped in found.flips],
    }
    return Outcome(
        "\n".join([*lines, reason]),
        reason,
        fields,
        None if args.certificate is None else found.certificate,
        certified=_certified(found),
        computed=("dimensions",) if found.has_certificate else ("the components",),
    )


def _certified(found: ThreeLayerFiber) -> Names:
    """The fields that a certificate of all components proves."""
    if not found.has_certificate:
        return ()
    complete: Names = ("complete",) if found.is_complete else ()
    if found.rest is not None:
        own: Names = ("orientation", "nonempty", "n_linear", "n_dead")
        return (*complete, *_of_components(own)) if found.rest.is_simple else complete
    if len(found.flips) > MAX_MEMBERS:
        return complete
    return (*complete, "flips", *_of_components(("orientation", "nonempty", "t_above", "sample")))


def _of_components(names: Names) -> Names:
    return tuple(f"components.{name}" for name in names)


def _chosen(found: ThreeLayerFiber, key: str | None) -> HalfLine | Layerwise:
    if key is None:
        return found.own
    hides = bool(found.flips)
    try:
        return found.component([int(a) for a in key.split(",") if a] if hides else key)
    except ValueError:
        raise InputError(f"--component {key}: expected flipped neurons, as in 2,3") from None


def _translated(component: HalfLine | Layerwise, text: str) -> Any:
    shifts = text.split(",")
    if isinstance(component, Layerwise):
        return component.translate(shifts)
    if len(shifts) != 1:
        raise InputError(f"--translate {text}: expected one number for a half-line")
    return component.translate(shifts[0])


def _one(found: ThreeLayerFiber, args: argparse.Namespace) -> Outcome:
    """One component: its equations, and the certificate that its sample is a member."""
    component = _chosen(found, args.component)
    reason = _line(component)
    text = printing.WRITERS[args.format or "text"](component.description)
    fields = {**_fields(component), "constraints": printing.to_json(component.description)}
    certificate: Certificate | None = None
    if args.certificate is not None and component.sample is not None:
        certificate = found.member(component.sample, timeout=args.timeout).verdict.certificate
    return Outcome(
        text,
        reason,
        fields,
        certificate,
        certified=() if component.sample is None else ("nonempty", "sample"),
        computed=equations_computed(args),
    )


def _line(component: HalfLine | Layerwise) -> str:
    if not component.is_nonempty:
        return f"{component.text()}  empty"
    if component.dimension is None:
        return component.text()
    return f"{component.text()}  dimension {component.dimension}"


def _name(component: HalfLine | Layerwise) -> str:
    if isinstance(component, HalfLine):
        flips = ",".join(str(a + 1) for a in component.flipped)
        return f"of the flips {{{flips}}}" if flips else "of the given network"
    return component.rest.name


def _orientation(component: HalfLine | Layerwise) -> list[Any]:
    if isinstance(component, HalfLine):
        return [a + 1 for a in component.flipped]
    return list(component.rest.signs)


def _fields(component: HalfLine | Layerwise) -> dict[str, Any]:
    sample = component.sample if component.is_nonempty else None
    fields: dict[str, Any] = {
        "nonempty": component.is_nonempty,
        "dimension": component.dimension,
        "sample": None if sample is None else network_json(sample),
        "name": _name(component),
        "orientation": _orientation(component),
        "description": component.text(),
    }
    if isinstance(component, HalfLine):
        return {"t_above": str(component.lower), **fields}
    stratum = component.rest.stratum
    return {**fields, "n_linear": stratum.n_linear, "n_dead": stratum.n_dead}
