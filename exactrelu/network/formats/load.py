"""Which format a network file has, by its suffix; and exact JSON, which holds every network.

==============  ======  =======  ==================================================
suffix          reads   writes   what it is
==============  ======  =======  ==================================================
``.json``       yes     yes      exact JSON, ``exactrelu-network/1``
``.npz``        yes     yes      numpy arrays ``W1, b1, W2, b2, …``
``.onnx``       yes     yes      ONNX graphs of affine operators and ReLU
``.nnet``       yes     no       the text format of the ACAS Xu networks
``.pt .pth``    yes     no       PyTorch ``state_dict`` or ``nn.Sequential``, without torch
==============  ======  =======  ==================================================

A network is the real-arithmetic function of the stored numbers: each float is
the dyadic rational that it stores, each decimal text is that decimal.  A writer
whose format cannot hold a weight exactly refuses and names the weight.  The other
formats are imported only when used.  Each may be packed by gzip: ``.onnx.gz``.

``example:NAME`` in place of a file is one of the networks that come with the package.

Every error is one line: the file, the place in it, what was found, what was
expected.

Exact JSON:

    {"format": "exactrelu-network/1", "name": "xor",
     "layers": [{"weights": [["1","1"],["1","1"]], "bias": ["1","0"]},
                {"weights": [["2","-4"]], "bias": ["-1"]}]}

Numbers are exact and keys are strict, as :mod:`exactrelu.exact.text` says: strings (``"3"``,
``"-3/4"``, ``"0.125"``: that decimal exactly) or JSON integers, of any length, and no JSON floats.
``name`` is optional; a hidden layer may have ``neurons``, a list of names, and ``linear``, the
numbers of its linear units, from 1 and increasing.  The writer puts one matrix row on a line; the
same network gives the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple, Unpack

from exactrelu.bounded import bounded
from exactrelu.effort import UNLIMITED, Effort, Limits
from exactrelu.errors import InputError
from exactrelu.exact.scalar import to_text
from exactrelu.exact.text import (
    BYTES_OF_LETTER,
    as_list,
    as_number,
    as_rows,
    as_string,
    as_vector,
    parse_strict,
    require_format,
    require_keys,
)
from exactrelu.files import (
    PathLike,
    errors_in,
    kind_named,
    named,
    read_text,
    require_file,
    unpacked_name,
    write_bytes,
)
from exactrelu.network.declared import parse_declared
from exactrelu.network.network import Layer, Network
from exactrelu.network.written import FORMAT
from exactrelu.network.written import network_text as network_text

#: The networks that come with the package, each also in a folder of ``cases``.
EXAMPLES = {
    "xor": "exclusive or on the corners of a square; 3 regions",
    "moons": "trained to tell two half-moons apart; 129 regions",
    "spike": "0 everywhere but for a spike of height 1 on (0, 2^-60)",
    "zero": "0 everywhere, of the same widths as the spike",
    "transparent": "some unit of each layer is active at every point of box:-1..1",
    "identifiable": "no other network has its function, up to permutation and positive scaling",
}
_EXAMPLES = Path(__file__).parent.parent / "examples"


def load_json(path: PathLike, effort: Effort = UNLIMITED) -> Network:
    """The network of an exact JSON file (``.gz``: compressed)."""
    text = read_text(path, effort)
    with errors_in(path):
        return parse_network(text, effort)


def save_json(network: Network, path: PathLike, effort: Effort = UNLIMITED) -> None:
    """Write exact JSON (``.gz``: compressed, with no time stamp)."""
    write_bytes(path, network_text(network, effort).encode())


def parse_network(text: str, effort: Effort = UNLIMITED) -> Network:
    """The network that exact JSON text describes.

    >>> parse_network('{"format": "exactrelu-network/1", "layers":'
    ...               ' [{"weights": [["1/3", 2]], "bias": ["-0.5"]}]}').layers[0].affine
    Matrix([[1/3, 2, -1/2]])
    """
    effort.need(BYTES_OF_LETTER * len(text), f"a file of {len(text):,} letters")
    return network_from_object(parse_strict(text), effort)


def network_from_object(value: Any, effort: Effort = UNLIMITED) -> Network:
    """The network of a parsed ``exactrelu-network/1`` object."""
    known = ("name", "inputs", "outputs")
    require_keys(value, "", required=("format", "layers"), optional=known)
    require_format(value["format"], FORMAT)
    name = as_string(value.get("name", ""), "name")
    layers, neurons = [], []
    listed = as_list(value["layers"], "layers", "layers")
    for l, item in enumerate(listed):
        where = f"layers[{l}]"
        is_last = l == len(listed) - 1
        optional = () if is_last else ("neurons", "linear")
        require_keys(item, where, required=("weights", "bias"), optional=optional)
        table = as_rows(item["weights"], f"{where}.weights", effort)
        layer = Layer.of(table, as_vector(item["bias"], f"{where}.bias"), where)
        with errors_in(where):
            layers.append(replace(layer, linear=_linear(item)))
        if not is_last:
            neurons.append(_neurons(item, where))
    tensors = (parse_declared(value.get(key, []), key) for key in ("inputs", "outputs"))
    return Network(tuple(layers), name, _all_names(layers, neurons), "ReLU", *tensors)


def _linear(item: dict[str, Any]) -> tuple[int, ...]:
    """The numbers of the linear units; increasing and in range, which the layer sees to."""
    listed = as_list(item.get("linear", []), "linear", "numbers of units")
    numbers = [as_number(number, f"linear[{i}]") for i, number in enumerate(listed)]
    for i, number in enumerate(numbers):
        if number.q != 1:
            raise InputError(f"linear[{i}]: found {to_text(number)}, expected the number of a unit")
    return tuple(int(number.p) for number in numbers)


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


class Format(NamedTuple):
    """Who reads and writes the files with a suffix; their modules are loaded with the first one.

    A reader takes the path, the effort and some keywords of :func:`load`.
    """

    reader: str
    writer: str = ""
    options: frozenset[str] = frozenset()
    #: What such files are called where their options are given to others.
    named: str = ""


_GRAPH = frozenset({"until", "drop_last", "roots", "outputs", "dims", "batch"})
_TORCH = Format("torch_modules.load_torch", "", frozenset({"input_shape"}), "PyTorch")

FORMATS: dict[str, Format] = {
    ".json": Format("load.load_json", "load.save_json"),
    ".npz": Format("arrays.load_npz", "arrays.save_npz"),
    ".onnx": Format("onnx_graph.load_onnx", "onnx_model.save_onnx", _GRAPH, "ONNX"),
    ".nnet": Format("arrays.load_nnet", "", frozenset({"normalize"}), ".nnet"),
    ".pt": _TORCH,
    ".pth": _TORCH,
}


def _function(place: str) -> Callable[..., Any]:
    """The function at a place of the table."""
    module, _, name = place.partition(".")
    function: Callable[..., Any] = getattr(import_module(f"{__package__}.{module}"), name)
    return function


def network_file(path: PathLike) -> PathLike:
    """The file that is meant: that of an example, or the path itself."""
    kind = kind_named(path)
    if not kind:
        if path in EXAMPLES and not os.path.exists(path):
            raise InputError(f"{path}: no such file; did you mean example:{path}?")
        return path
    name = str(path).partition(":")[2].strip()
    if kind != "example" or name not in EXAMPLES:
        known = ", ".join(f"example:{name}" for name in EXAMPLES)
        raise InputError(f"{path}: no example, expected a network file or {known}")
    return _EXAMPLES / f"{name}.json"


def is_nnet(path: PathLike) -> bool:
    """Whether a file is read as NNet, which says how inputs and outputs are normalised."""
    return unpacked_name(path).lower().endswith(".nnet")


@bounded
def load(
    effort: Effort,
    /,
    path: PathLike,
    *,
    input_shape: Sequence[int] | None = None,
    until: str | None = None,
    drop_last: str | None = None,
    roots: Literal["exact", "float32", "float64"] | None = None,
    outputs: str | Sequence[str] = (),
    dims: Mapping[str, int] | None = None,
    batch: int | None = None,
    normalize: bool = True,
    **limits: Unpack[Limits],
) -> Network:
    """The network in a file, every number of it exactly.

    Parameters
    ----------
    path : str or path
        A file of exact JSON, ONNX, NumPy (``.npz``), PyTorch (``.pt``) or ``.nnet``; the suffix
        says which.  Or ``"example:NAME"``, ``"example:xor"`` for instance.
    input_shape : sequence of int, optional
        (channels, height, width), for PyTorch files that begin with a convolution and do not hold
        it.
    until : str, optional
        Of an ONNX graph: the name of a value or a node, up to which it is read.
    drop_last : str, optional
        An operator such as ``"Softmax"`` that the output comes from, and that is left out.
    roots : {"exact", "float32", "float64"}, optional
        What becomes of an irrational square root, as in most batch normalisations: the file is
        refused, or each is replaced by the nearest float.  Everything else stays exact.
    outputs : str or sequence of str, optional
        The names of some of the outputs; all of them by default.
    dims : mapping of str to int, optional
        Sizes of symbolic dimensions by name; a symbolic first one is 1 if nothing is said.
    batch : int, optional
        The first dimension of every input, in place of the one that is stored.
    normalize : bool, optional
        Of a ``.nnet`` file: whether its normalisation of inputs and outputs is folded in. Without
        it the layers are those that stand in the file, as in an ONNX file of the same network.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Network
        The same real function; nothing is dropped or rounded but what was asked for, which the
        name of the network records.

    Raises
    ------
    InputError
        If something in the file is not supported, or damaged: the message names it.

    Notes
    -----
    A network that cannot fit into memory is refused as soon as the file says how large it is.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.load("example:xor").widths
    (2, 2, 1)
    """
    path = network_file(path)
    require_file(path)
    read = _by_suffix(FORMATS, path, "read")
    options = {
        "until": until,
        "drop_last": drop_last,
        "roots": roots,
        "outputs": outputs,
        "dims": dims,
        "batch": batch,
        "normalize": None if normalize else False,
        "input_shape": input_shape,
    }
    asked = {name: value for name, value in options.items() if value not in (None, (), {})}
    for other in FORMATS.values():
        if wrong := [name for name in asked if name in other.options - read.options]:
            raise InputError(f"{named(path)}: {', '.join(wrong)}: for {other.named} files only")
    network: Network = _function(read.reader)(path, effort, **asked)
    return network


@bounded
def save(effort: Effort, /, network: Network, path: PathLike, **limits: Unpack[Limits]) -> None:
    """Write a network into a file, exactly, or refuse.

    Parameters
    ----------
    network : Network
        The network.
    path : str or path
        The suffix says which format: ``.json``, ``.json.gz``, ``.npz`` or ``.onnx``.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Raises
    ------
    InputError
        If the format cannot hold a number of the network exactly.

    Notes
    -----
    The file appears whole or not at all.

    Examples
    --------
    >>> import exactrelu as er
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> xor = er.load("example:xor")
    >>> with TemporaryDirectory() as folder:
    ...     er.save(xor, Path(folder) / "xor.json")
    ...     er.load(Path(folder) / "xor.json") == xor
    True
    """
    written = {suffix: known for suffix, known in FORMATS.items() if known.writer}
    write = _function(_by_suffix(written, path, "write").writer)
    write(network, path, effort)


def _by_suffix(table: dict[str, Format], path: PathLike, purpose: str) -> Format:
    name = unpacked_name(path).lower()
    for suffix, known in table.items():
        if name.endswith(suffix):
            return known
    dot = name.rfind(".")
    found = f"the suffix {name[dot:]!r}" if dot > 0 else "no suffix"
    raise InputError(
        f"{named(path)}: found {found}, "
        f"expected a network file to {purpose}: {', '.join(table)} (or packed: .json.gz)"
    )
