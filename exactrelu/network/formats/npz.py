"""numpy archives: arrays ``W1, b1, W2, b2, …`` with W_l of shape (n_l, n_{l−1}).

Also read: ``arr_0, arr_1, arr_2, …``, which ``np.savez(path, W1, b1, W2, b2, …)``
makes of positional arguments.  Arrays hold float16, float32, float64 or integers,
each number taken exactly.  Pickled arrays are never loaded.
"""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np

from exactrelu.errors import InputError
from exactrelu.files import (
    PathLike,
    atomic_write,
    errors_in,
    read_bytes,
    stem,
    unzip,
)
from exactrelu.network.formats.arrays import Array, exact_array, float_layers
from exactrelu.network.network import Network


def load_npz(path: PathLike) -> Network:
    """The network of an ``.npz`` file, named after the file."""
    content = read_bytes(path)
    with errors_in(path):
        arrays = dict(_array(name, data) for name, data in unzip(content).items())
        pairs = _pairs(set(arrays))
        for name, ndim in [(W, 2) for W, _ in pairs] + [(b, 1) for _, b in pairs]:
            if arrays[name].ndim != ndim:
                raise InputError(
                    f"array {name!r}: found shape {arrays[name].shape}, "
                    f"expected {ndim} dimension{'s' if ndim > 1 else ''}"
                )
        weights = [exact_array(arrays[W], f"array {W!r}") for W, _ in pairs]
        biases = [exact_array(arrays[b], f"array {b!r}") for _, b in pairs]
        return Network.from_arrays(weights, biases, name=stem(path))


def save_npz(network: Network, path: PathLike) -> None:
    """Write ``W1, b1, …`` as float32 or float64, whichever holds every number first."""
    arrays: dict[str, Any] = {}
    for l, (W, b) in enumerate(float_layers(network, path), 1):
        arrays[f"W{l}"], arrays[f"b{l}"] = W, b
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    atomic_write(path, buffer.getvalue())


def _array(name: str, data: bytes) -> tuple[str, Array]:
    if not name.endswith(".npy"):
        raise InputError(f"member {name!r}: expected only .npy arrays in the archive")
    short = name.removesuffix(".npy")
    try:
        array = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    except (ValueError, OSError, EOFError, TypeError, MemoryError, SyntaxError) as error:
        raise InputError(f"array {short!r}: cannot be read: {error}") from None
    return short, array


def _pairs(names: set[str]) -> list[tuple[str, str]]:
    """The (weights, bias) names of layers 1, 2, …; every array is used."""
    if "arr_0" in names:
        template, first, step = ("arr_{}", "arr_{}"), 0, 2
    else:
        template, first, step = ("W{}", "b{}"), 1, 1
    numbered = [m for n in names if (m := re.fullmatch(r"(?:W|arr_)([0-9]{1,6})", n))]
    last = max((int(m[1]) for m in numbered), default=-1)
    pairs = [
        (template[0].format(k), template[1].format(k + step - 1))
        for k in range(first, last + 1, step)
    ]
    if not pairs:
        raise InputError(f"found the arrays {sorted(names)}, expected W1, b1, W2, b2, …")
    for l, (W, b) in enumerate(pairs, 1):
        if W not in names:
            raise InputError(f"array {W!r} is missing, expected the weights of layer {l}")
        if b not in names:
            raise InputError(
                f"array {b!r} is missing, expected the bias of layer {l}, beside {W!r}"
            )
    unused = names - {name for pair in pairs for name in pair}
    if unused:
        raise InputError(
            f"array {min(unused)!r} is unknown, expected W1, b1, W2, b2, … (or arr_0, arr_1, …)"
        )
    return pairs
