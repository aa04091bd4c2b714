"""A network as text: exact JSON for files and people, canonical JSON for certificates.

Exact JSON, which :mod:`exactrelu.network.formats.load` reads and describes, has the decimals and
fractions of a person, names, and one matrix row on a line.  *Canonical* JSON has the parameters
alone, each layer as integers over one denominator, in hexadecimal, without spaces: the bytes are
equal iff the parameters are, and their SHA-256 is what a certificate and the checker call the
network.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import Vector, to_text
from exactrelu.exact.text import canonical_json, encode_matrix, matrix_pieces
from exactrelu.network.declared import declared_text

if TYPE_CHECKING:
    from exactrelu.network.network import Network

FORMAT = "exactrelu-network/1"


def network_text(network: Network, effort: Effort = UNLIMITED) -> str:
    """Exact JSON of a network, one matrix row on a line.

    >>> from exactrelu.network.network import Layer, Network
    >>> print(network_text(Network((Layer.of([[1, "1/2"]], [-1]),), "half")), end="")
    {"format": "exactrelu-network/1",
     "name": "half",
     "layers": [
      {"weights": [
        ["1", "1/2"]],
       "bias": ["-1"]}
     ]}
    """
    layers = ",\n".join(_layer_text(network, l, effort) for l in range(len(network.layers)))
    text = f'{{"format": {json.dumps(FORMAT)},\n "name": {json.dumps(network.name)},\n'
    pairs = (("inputs", network.input_tensors), ("outputs", network.output_tensors))
    for key, tensors in pairs:
        if tensors:
            text += f' "{key}": {declared_text(tensors)},\n'
    return f'{text} "layers": [\n{layers}\n ]}}\n'


def _layer_text(network: Network, l: int, effort: Effort) -> str:
    layer = network.layers[l]
    lines = []
    for row in layer.weights.flint_rows():
        effort.spend()
        lines.append(_row_text(row))
    rows = ",\n    ".join(lines)
    text = f'  {{"weights": [\n    {rows}],\n   "bias": {_row_text(layer.flint_bias)}'
    if layer.linear:
        text += f',\n   "linear": {list(layer.linear)}'
    if network.neuron_names is not None and l < len(network.neuron_names):
        text += f',\n   "neurons": {json.dumps(network.neuron_names[l])}'
    return text + "}"


def _row_text(row: Vector) -> str:
    return "[" + ", ".join(f'"{to_text(v)}"' for v in row) + "]"


def canonical_form(network: Network) -> dict[str, Any]:
    """The network as certificates write it: per layer the common denominator
    and the integer rows [w…, b], in hexadecimal, and linear units, from 0, where there are
    some.  Names are not part of it.
    """
    return {
        "layers": [
            {
                "inputs": layer.n_inputs,
                **({"linear": [i - 1 for i in layer.linear]} if layer.linear else {}),
                "matrix": encode_matrix(layer.affine),
                "outputs": layer.n_outputs,
            }
            for layer in network.layers
        ]
    }


def canonical_bytes(network: Network) -> bytes:
    """Canonical JSON of :func:`canonical_form`: equal iff the parameters are equal."""
    return canonical_json(canonical_form(network)).encode()


def sha256(network: Network) -> str:
    """The SHA-256 of the canonical bytes, as the checker prints it."""
    if not any(layer.affine.is_sparse for layer in network.layers):
        return hashlib.sha256(canonical_bytes(network)).hexdigest()
    digest = hashlib.sha256()
    for piece in _canonical_pieces(network):
        digest.update(piece)
    return digest.hexdigest()


def _canonical_pieces(network: Network) -> Iterator[bytes]:
    """The canonical bytes of a network too large to be written down, piece by piece."""
    yield b'{"layers":['
    for l, layer in enumerate(network.layers):
        yield b"," if l else b""
        yield f'{{"inputs":{layer.n_inputs},'.encode()
        if layer.linear:
            yield f'"linear":{canonical_json([i - 1 for i in layer.linear])},'.encode()
        yield b'"matrix":'
        yield from matrix_pieces(layer.affine)
        yield f',"outputs":{layer.n_outputs}}}'.encode()
    yield b"]}"
