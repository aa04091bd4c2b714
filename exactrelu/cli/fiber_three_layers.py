"""What ``exactrelu fiber`` says about a network with three layers."""

from __future__ import annotations

import argparse
import json
from typing import Any

from exactrelu.cli.command import Outcome
from exactrelu.cli.text import count
from exactrelu.errors import InputError
from exactrelu.network.formats.exact_json import network_text
from exactrelu.network.network import Network
from exactrelu.questions.fibers.three_layers import HalfLine, Layerwise, ThreeLayerFiber

#: So many components are shown.
SHOWN = 16


def three_layer_outcome(found: ThreeLayerFiber, args: argparse.Namespace) -> Outcome:
    """The components; with ``--component`` one of them, by its flips or its signs."""
    for option in ("format", "member", "sample", "certificate"):
        if getattr(args, option) is not None:
            raise InputError(f"--{option}: expected a network with one hidden layer")
    if args.component is not None:
        return _one(found, args.component)
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
    return Outcome("\n".join([*lines, reason]), reason, fields)


def _one(found: ThreeLayerFiber, key: str) -> Outcome:
    hides = bool(found.flips)
    try:
        component = found.component([int(a) for a in key.split(",") if a] if hides else key)
    except ValueError:
        raise InputError(f"--component {key}: expected flipped neurons, as in 2,3") from None
    reason = _line(component)
    sample = component.sample
    text = reason if sample is None else f"{reason}\n{network_text(sample).rstrip()}"
    return Outcome(text, reason, _fields(component))


def _line(component: HalfLine | Layerwise) -> str:
    return f"{component.text()}  dimension {component.dimension}"


def _fields(component: HalfLine | Layerwise) -> dict[str, Any]:
    sample = component.sample
    fields: dict[str, Any] = {
        "nonempty": component.is_nonempty,
        "dimension": component.dimension,
        "sample": None if sample is None else _network(sample),
        "description": component.text(),
    }
    if isinstance(component, HalfLine):
        flipped = [a + 1 for a in component.flipped]
        return {"orientation": flipped, "t_above": str(component.lower), **fields}
    return {"orientation": list(component.rest.signs), **fields}


def _network(network: Network) -> Any:
    return json.loads(network_text(network))
