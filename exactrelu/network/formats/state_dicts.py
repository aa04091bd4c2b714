"""State dicts of PyTorch, which name tensors and say nothing of what lies between them.

One is read as Linear layers in the order of its entries, **with a ReLU between consecutive ones**
and none after the last, and ``activation`` of the network says that this is assumed.
Anything else than ``….weight`` of two dimensions and ``….bias`` is refused; a missing bias is 0.
A *checkpoint* holds a state dict beside other things (the epoch, the optimiser's state): it is
read if exactly one of its entries is a state dict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from exactrelu.effort import Effort
from exactrelu.errors import InputError, ShapeError, UnsupportedFormat
from exactrelu.exact.scalar import ZERO
from exactrelu.network.formats.arrays import Array, exact_array
from exactrelu.network.formats.pickles import TensorRecord
from exactrelu.network.network import Network

#: What is said of the activation of a state dict.
ASSUMED = "ReLU, assumed: a state_dict does not say"


def from_state_dict(entries: Mapping[Any, Any], name: str, effort: Effort) -> Network:
    """The network of a state dict, or of the one in a checkpoint."""
    key, entries = _only_state_dict(entries)
    network = _network(entries, name, effort)
    if not network.n_hidden_neurons:
        return network
    return replace(
        network, activation=ASSUMED + (f" (entry {key!r} of a checkpoint)" if key else "")
    )


def _only_state_dict(entries: Mapping[Any, Any]) -> tuple[str, Mapping[Any, Any]]:
    """The one entry of a checkpoint that is a state dict, and its name; without one, all of it."""
    if any(_is_parameter(key) for key in entries):
        return "", entries
    inside = {str(key)[:100]: v for key, v in entries.items() if _is_state_dict(v)}
    if len(inside) > 1:
        names = ", ".join(map(repr, inside))
        raise InputError(f"the entries {names} are state_dicts: save the one that is meant")
    return next(iter(inside.items()), ("", entries))


def _is_parameter(key: Any) -> bool:
    return isinstance(key, str) and key.rpartition(".")[2] in ("weight", "bias")


def _is_state_dict(value: Any) -> bool:
    if not isinstance(value, Mapping) or not all(map(is_tensor, value.values())):
        return False
    return any(map(_is_parameter, value))


def _network(entries: Mapping[Any, Any], name: str, effort: Effort) -> Network:
    layers: dict[str, dict[str, Array]] = {}
    for key, value in entries.items():
        prefix, _, kind = key.rpartition(".") if isinstance(key, str) else ("", "", "")
        where = f"entry {str(key)[:100]!r}"
        if not is_tensor(value):
            raise InputError(
                f"{where}: found {kind_of(value)}, expected a state_dict, whose entries are tensors"
            )
        if kind not in ("weight", "bias"):
            raise UnsupportedFormat(
                f"{where}: expected only the weight and bias of Linear layers in a state_dict; "
                "save the nn.Sequential itself, or export ONNX"
            )
        layers.setdefault(prefix, {})[kind] = exact_tensor(value, where, effort)
    weights, biases = [], []
    for prefix, parts in layers.items():
        label = f"{prefix}." if prefix else ""
        if "weight" not in parts:
            raise InputError(f"entry '{label}weight' is missing, beside '{label}bias'")
        weight = parts["weight"]
        if weight.ndim != 2:
            raise UnsupportedFormat(
                f"entry '{label}weight': found shape {weight.shape}, expected the two dimensions "
                f"of a Linear layer; {_why_not(weight.ndim)} are not in a state_dict: "
                "save the nn.Sequential itself, or export ONNX"
            )
        weights.append(weight)
        biases.append(parts.get("bias", filled(len(weight), ZERO)))
        if biases[-1].ndim != 1:
            raise ShapeError(f"entry '{label}bias': found shape {biases[-1].shape}")
    if not weights:
        raise InputError("found no entries, expected a state_dict with weights")
    return Network.from_arrays(weights, biases, name)


def _why_not(ndim: int) -> str:
    return "stride and padding of a convolution" if ndim > 2 else "what a normalisation needs"


def is_tensor(value: Any) -> bool:
    return isinstance(value, (TensorRecord, np.ndarray)) or hasattr(value, "detach")


def kind_of(value: Any) -> str:
    return f"a value of type {type(value).__name__}"


def exact_tensor(tensor: Any, where: str, effort: Effort) -> Array:
    """The rationals of a tensor: of a file, live, or a numpy array."""
    if isinstance(tensor, TensorRecord):
        return exact_array(tensor.array, where, effort)
    if isinstance(tensor, np.ndarray):
        return exact_array(tensor, where, effort)
    if not tensor.is_floating_point():
        raise UnsupportedFormat(f"{where}: found a tensor of {tensor.dtype}, expected floats")
    return exact_array(tensor.detach().cpu().double().numpy(), where, effort)


def filled(n: int, value: Any) -> Array:
    result = np.empty(n, dtype=object)
    result[:] = [value] * n
    return result
