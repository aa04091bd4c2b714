"""Network files: one reader or writer for each format, imported only when used.

==============  ======  =======  ==================================================
suffix          reads   writes   what it is
==============  ======  =======  ==================================================
``.json``       yes     yes      exact JSON, ``exactrelu-network/1`` (also ``.json.gz``)
``.npz``        yes     yes      numpy arrays ``W1, b1, W2, b2, …``
``.onnx``       yes     yes      ONNX graphs of affine operators and ReLU
``.nnet``       yes     no       the text format of the ACAS Xu networks
``.pt .pth``    yes     no       PyTorch ``state_dict`` or ``nn.Sequential``, without torch
==============  ======  =======  ==================================================

A network is the real-arithmetic function of the stored numbers: each float is
the dyadic rational that it stores, each decimal text is that decimal.  A writer
whose format cannot hold a weight exactly refuses and names the weight.

Every error is one line: the file, the place in it, what was found, what was
expected.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from exactrelu.errors import InputError
from exactrelu.files import PathLike, require_file

if TYPE_CHECKING:
    from exactrelu.network.network import Network

_F = TypeVar("_F")

__all__ = ["load", "save"]


def _load_json(path: PathLike) -> Network:
    from exactrelu.network.formats.exact_json import load_json

    return load_json(path)


def _load_npz(path: PathLike) -> Network:
    from exactrelu.network.formats.npz import load_npz

    return load_npz(path)


def _load_onnx(path: PathLike) -> Network:
    from exactrelu.network.formats.onnx_format import load_onnx

    return load_onnx(path)


def _load_nnet(path: PathLike) -> Network:
    from exactrelu.network.formats.nnet import load_nnet

    return load_nnet(path)


def _load_torch(path: PathLike, input_shape: Sequence[int] | None = None) -> Network:
    from exactrelu.network.formats.torch_modules import load_torch

    return load_torch(path, input_shape)


def _save_json(network: Network, path: PathLike) -> None:
    from exactrelu.network.formats.exact_json import save_json

    save_json(network, path)


def _save_npz(network: Network, path: PathLike) -> None:
    from exactrelu.network.formats.npz import save_npz

    save_npz(network, path)


def _save_onnx(network: Network, path: PathLike) -> None:
    from exactrelu.network.formats.onnx_writer import save_onnx

    save_onnx(network, path)


_READERS: dict[str, Callable[[PathLike], Network]] = {
    ".json": _load_json,
    ".json.gz": _load_json,
    ".npz": _load_npz,
    ".onnx": _load_onnx,
    ".nnet": _load_nnet,
    ".pt": _load_torch,
    ".pth": _load_torch,
}

_WRITERS: dict[str, Callable[[Network, PathLike], None]] = {
    ".json": _save_json,
    ".json.gz": _save_json,
    ".npz": _save_npz,
    ".onnx": _save_onnx,
}


def load(path: PathLike, input_shape: Sequence[int] | None = None) -> Network:
    """The network in a file; the suffix says which format it is.

    ``input_shape`` (channels, height, width) is for PyTorch files that begin with a
    convolution: they do not hold it.  The other formats do.
    """
    require_file(path)
    read = _by_suffix(_READERS, path, "a network file to read")
    if input_shape is None:
        return read(path)
    if read is not _load_torch:
        raise InputError(f"{os.fspath(path)}: an input shape is given for PyTorch files only")
    return _load_torch(path, input_shape)


def save(network: Network, path: PathLike) -> None:
    """Write ``network`` exactly, or refuse; the suffix says which format.

    The file appears whole or not at all.
    """
    _by_suffix(_WRITERS, path, "a network file to write")(network, path)


def _by_suffix(table: dict[str, _F], path: PathLike, purpose: str) -> _F:
    name = os.path.basename(os.fspath(path)).lower()
    for suffix, function in table.items():
        if name.endswith(suffix):
            return function
    dot = name.rfind(".")
    found = f"the suffix {name[dot:]!r}" if dot > 0 else "no suffix"
    raise InputError(f"{os.fspath(path)}: found {found}, expected {purpose}: {', '.join(table)}")
