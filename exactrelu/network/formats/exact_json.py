"""Exact JSON, ``exactrelu-network/1``: the format that holds every network.

    {"format": "exactrelu-network/1", "name": "xor",
     "layers": [{"weights": [["1","1"],["1","1"]], "bias": ["1","0"]},
                {"weights": [["2","-4"]], "bias": ["-1"]}]}

Numbers are strings (``"3"``, ``"-3/4"``, ``"0.125"``: that decimal exactly) or JSON
integers, of any length.  A JSON float is refused: whether ``0.1`` is the decimal or
the double is for the author to say.  ``name`` is optional; a hidden layer may have
``neurons``, a list of names.  Duplicate and unknown keys are refused.

The writer puts one matrix row on a line; the same network gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from exactrelu.exact.scalar import Vector, to_text
from exactrelu.exact.strict_json import (
    as_list,
    as_rows,
    as_string,
    as_vector,
    parse_strict,
    require_format,
    require_keys,
)
from exactrelu.files import PathLike, errors_in, read_text, write_bytes
from exactrelu.network.network import Layer, Network

FORMAT = "exactrelu-network/1"


def load_json(path: PathLike) -> Network:
    """The network of an exact JSON file (``.gz``: compressed)."""
    text = read_text(path)
    with errors_in(path):
        return parse_network(text)


def save_json(network: Network, path: PathLike) -> None:
    """Write exact JSON (``.gz``: compressed, with no time stamp)."""
    write_bytes(path, network_text(network).encode())


def parse_network(text: str) -> Network:
    """The network that exact JSON text describes.

    >>> parse_network('{"format": "exactrelu-network/1", "layers":'
    ...               ' [{"weights": [["1/3", 2]], "bias": ["-0.5"]}]}').layers[0].affine
    Matrix([[1/3, 2, -1/2]])
    """
    return network_from_object(parse_strict(text))


def network_from_object(value: Any) -> Network:
    """The network of a parsed ``exactrelu-network/1`` object."""
    require_keys(value, "", required=("format", "layers"), optional=("name",))
    require_format(value["format"], FORMAT)
    name = as_string(value.get("name", ""), "name")
    layers, neurons = [], []
    listed = as_list(value["layers"], "layers", "layers")
    for l, item in enumerate(listed):
        where = f"layers[{l}]"
        is_last = l == len(listed) - 1
        optional = () if is_last else ("neurons",)
        require_keys(item, where, required=("weights", "bias"), optional=optional)
        table = as_rows(item["weights"], f"{where}.weights")
        layers.append(Layer.of(table, as_vector(item["bias"], f"{where}.bias"), where))
        if not is_last:
            neurons.append(_neurons(item, where))
    return Network(tuple(layers), name, _all_names(layers, neurons))


def _neurons(item: dict[str, Any], where: str) -> tuple[str, ...] | None:
    if "neurons" not in item:
        return None
    place = f"{where}.neurons"
    listed = as_list(item["neurons"], place, "names")
    return tuple(as_string(name, f"{place}[{i}]") for i, name in enumerate(listed))


def _all_names(
    layers: Sequence[Layer], neurons: Sequence[tuple[str, ...] | None]
) -> tuple[tuple[str, ...], ...] | None:
    """Names of every hidden neuron, its (layer, index) where a layer has none."""
    if all(names is None for names in neurons):
        return None
    return tuple(
        names if names is not None else tuple(f"({l},{i + 1})" for i in range(layer.n_outputs))
        for l, (layer, names) in enumerate(zip(layers, neurons, strict=False), 1)
    )


def network_text(network: Network) -> str:
    """Exact JSON of a network, one matrix row on a line."""
    layers = ",\n".join(_layer_text(network, l) for l in range(len(network.layers)))
    return (
        f'{{"format": {json.dumps(FORMAT)},\n "name": {json.dumps(network.name)},\n'
        f' "layers": [\n{layers}\n ]}}\n'
    )


def _layer_text(network: Network, l: int) -> str:
    layer = network.layers[l]
    rows = ",\n    ".join(_row_text(row) for row in layer.weights.rows())
    text = f'  {{"weights": [\n    {rows}],\n   "bias": {_row_text(layer.bias)}'
    if network.neuron_names is not None and l < len(network.neuron_names):
        text += f',\n   "neurons": {json.dumps(network.neuron_names[l])}'
    return text + "}"


def _row_text(row: Vector) -> str:
    return "[" + ", ".join(f'"{to_text(v)}"' for v in row) + "]"
