"""What proofs about closed cells cost, to the last unit of fuel."""

from . import injective as injective_cases
from . import injective_by_blocks as blocks_cases
from . import injective_by_layers as layers_cases
from . import network_stability_at_least as stability_cases
from . import not_in_range as range_cases
from . import not_injective as collision_cases
from .limits import both

DATA = {
    case.name.removeprefix("accept/"): case.data
    for table in (
        injective_cases,
        collision_cases,
        range_cases,
        blocks_cases,
        layers_cases,
        stability_cases,
    )
    for case in table.CASES
    if case.name.startswith("accept/")
}
FUEL = {
    "in-a-box": 231,
    "layer-on-its-image": 251,
    "last-layer-on-its-image": 217,
    "on-the-diagonal": 339,
    "three-layers": 39,
    "by-cells": 151,
    "two-steps": 153,
    "inactive-neurons": 149,
    "two-hidden-layers": 584,
    "inputs-in-another-order": 71,
    "halved": 608,
    "misfit": 596,
}
CASES = tuple(
    case
    for name, fuel in FUEL.items()
    for case in both(f"out-of-fuel--{name}", "--max-fuel", fuel, DATA[name])
)
