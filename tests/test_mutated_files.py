"""Mutated files of every format that is read: a value or one line, never a traceback or a hang.

What is read of a mutant means what the format says: numbers of exact JSON and of archives are
compared with those that Python and numpy find there, and ONNX with its reference.
"""

from __future__ import annotations

import io
import json
import math
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from exactrelu.effort import Effort
from exactrelu.errors import ExactReluError
from exactrelu.exact.text import load_matrix
from exactrelu.files import read_text
from exactrelu.network.convolution import load_convolution
from exactrelu.network.formats.load import load, parse_network, save
from exactrelu.network.network import Network
from exactrelu.network.written import network_text
from exactrelu.polyhedra.boxes import load_union
from exactrelu.polyhedra.domain_text import load_polyhedron
from exactrelu.questions.local.samples import load_points
from exactrelu.questions.properties.given_trees import parse_tree
from exactrelu.questions.properties.results import parse_result
from exactrelu.questions.properties.versions import parse_query, read_query
from tests.budget import tries
from tests.mutants import by_bytes, by_fields, by_members, by_values, by_words, mutant
from tests.network.formats.onnx_nodes import model, node
from tests.seeds import seeds

#: Mutants of each format every day, and in a sweep for each seed, there for so many seconds.
DAILY, IN_A_SWEEP, SECONDS = 150, 10_000, 90
#: In a sweep a mutant is called a hang after so many seconds: all of them are small.
HANG = 60

TORCH = Path(__file__).parent / "network" / "formats" / "data" / "torch"
LIMITS: dict[str, Any] = {"timeout": 20, "max_memory": "4G"}

NETWORK = Network.from_arrays(
    [[[1, "-1/2"], [3, 1], ["0.25", -1]], [[2, -4, 1]]], [[1, 0, -2], [-1]], name="small"
)
NNET = (
    "// a comment\n2,2,1,3,\n2,3,1,\n0,\n-1,-1,\n1,1,\n0,0.5,0,\n1,2,4,\n"
    "1,-1,\n0.5,2,\n3,1e-3,\n0.25,\n-1,\n2,\n1,1,-1,\n0.125,\n"
)
QUERY1 = """; a query
(declare-const X_0 Real)
(declare-const X_1 Real)
(declare-const Y_0 Real)
(assert (>= X_0 -1)) (assert (<= X_0 (/ 1 3)))
(assert (or (and (>= X_1 0.5) (<= X_1 1e0)) (not (< X_1 (+ X_0 2)))))
(assert (or (<= Y_0 (* 2 X_0)) (>= Y_0 3)))
"""
QUERY2 = """(vnnlib-version <2.0>)
(declare-network f
    (declare-input X real [1,2])
    (declare-output Y real [1,1]))
(assert (and (>= X[0,0] -1.0) (<= X[0,1] 0.5)))
(assert (or (<= Y[0,0] (+ X[0,0] 1.0)) (> Y[0,0] (* 2.0 X[0,1]))))
"""
RESULT = "sat\n((X_0 0.25)\n (X_1 1e-3)\n (Y_0 -2.5))\n"
POLYHEDRON = {
    "format": "exactrelu-polyhedron/1",
    "inequalities": [
        {"normal": [1, "-1/2"], "offset": "3"},
        {"normal": ["0.5", 2], "offset": 1, "strict": True},
    ],
    "equations": [{"normal": [1, 1], "offset": -1}],
}


def _onnx() -> Iterator[bytes]:
    """A few small graphs: what is computed with, moved, bent and pooled."""
    F = np.float32
    two = F([[1, -2], [0.5, 3]])
    shape = np.array([1, 2], np.int64)
    yield _bytes(
        [node("Gemm", "x w b", "h", alpha=0.5, transB=1), node("Relu", "h")], w=two, b=F([1, 2])
    )
    yield _bytes([node("Clip", "x a b", "h"), node("Reshape", "h s")], a=F(-1), b=F(2), s=shape)
    yield _bytes(
        [node("Pad", "x p", "h"), node("Slice", "h s e")],
        p=np.array([0, 1, 0, 1]),
        s=shape - 1,
        e=shape + 2,
    )
    yield _bytes([node("ReduceSum", "x a", "h", keepdims=1), node("Add", "h x")], a=np.array([1]))
    yield _bytes([node("Concat", "x x", "h", axis=1), node("Transpose", "h", perm=[1, 0])])
    yield _bytes([node("LeakyRelu", "x", "h", alpha=0.25), node("Max", "h x")])
    yield _bytes(
        [node("Gather", "x i", "h", axis=1), node("Shrink", "h", lambd=0.5, bias=0.5)],
        i=np.array([1, 0, 1]),
    )
    yield _bytes([node("Cast", "x", "h", to=1), node("PRelu", "h a")], a=F([0.5]))
    image = {"x": [1, 1, 3, 3]}
    yield _bytes(
        [node("Conv", "x k", pads=[1, 1, 0, 0], strides=[2, 1])], image, k=F(np.ones((2, 1, 2, 2)))
    )
    yield _bytes([node("MaxPool", "x", "h", kernel_shape=[2, 2]), node("Flatten", "h")], image)
    yield _bytes(
        [node("AveragePool", "x", kernel_shape=[2, 2], ceil_mode=1, strides=[2, 2])], image
    )
    yield _bytes([node("Resize", "x - s", mode="linear")], image, s=F([1, 1, 2, 1.5]))


def _bytes(nodes: list[Any], shapes: dict[str, Any] | None = None, **constants: Any) -> bytes:
    return bytes(model(nodes, constants, shapes or {"x": [1, 2]}, 17).SerializeToString())


def _npz(**arrays: Any) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def _npy(array: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


ARRAYS = {"W1": np.ones((3, 2)), "b1": np.zeros(3), "W2": np.ones((1, 3), "f4"), "b2": np.zeros(1)}
JSON, TEXT, ZIP = (
    [by_values, by_values, by_words, by_bytes],
    [by_words, by_bytes],
    [by_members, by_bytes],
)

#: Of each format: the suffix, files, how they are mutated.
FORMATS: dict[str, tuple[str, Callable[[], list[bytes]], list[Any]]] = {
    "json": (".json", lambda: [network_text(NETWORK).encode()], JSON),
    "npz": (".npz", lambda: [_npz(**ARRAYS), _npz(**ARRAYS, linear1=np.array([2]))], ZIP),
    "onnx": (".onnx", lambda: list(_onnx()), [by_fields, by_fields, by_fields, by_bytes]),
    "nnet": (".nnet", lambda: [NNET.encode()], TEXT),
    "pt": (
        ".pt",
        lambda: [
            path.read_bytes() for path in sorted(TORCH.glob("*.pt")) if path.stat().st_size < 6000
        ],
        ZIP,
    ),
    "polyhedron": (".json", lambda: [_json(POLYHEDRON)], JSON),
    "union": (
        ".json",
        lambda: [
            _json(
                {"format": "exactrelu-union/1", "boxes": [[[0, 1], ["1/2", 2]], [[1, 2], [0, 3]]]}
            )
        ],
        JSON,
    ),
    "matrix": (".json", lambda: [_json([["1", "1/2"], [0, "-3e2"]])], JSON),
    "convolution": (
        ".json",
        lambda: [
            _json(
                {
                    "format": "exactrelu-convolution/1",
                    "kernels": [[[1, -1]]],
                    "input": [1, 3],
                    "stride": [1],
                }
            )
        ],
        JSON,
    ),
    "points-csv": (".csv", lambda: [b"a,b\n0.5,1\n-1/3,2e-3\n"], TEXT),
    "points-json": (".json", lambda: [_json([[0, "1/2"], [1, 2]])], JSON),
    "points-npy": (".npy", lambda: [_npy(np.array([[0.5, 1], [2, 3]]))], [by_bytes]),
    "points-npz": (".npz", lambda: [_npz(points=np.ones((2, 2)), labels=np.array([0, 1]))], ZIP),
    "vnnlib1": (".vnnlib", lambda: [QUERY1.encode()], TEXT),
    "vnnlib2": (".vnnlib", lambda: [QUERY2.encode()], TEXT),
    "tree": (".aptp", lambda: [Path("cases/xor/tree.aptp").read_bytes()], TEXT),
    "result": (".txt", lambda: [RESULT.encode(), b"sat\n(((X_0 1)(X_1 2)))"], TEXT),
}


def read(name: str, path: Path) -> Any:
    """What the reader of a format makes of a file."""
    match name:
        case "polyhedron":
            return load_polyhedron(path)
        case "union":
            return load_union(path)
        case "matrix":
            return load_matrix(path, **LIMITS)
        case "convolution":
            return load_convolution(path)
        case "points-csv" | "points-json" | "points-npy" | "points-npz":
            return load_points(path, 2, **LIMITS)
        case "vnnlib1" | "vnnlib2":
            return read_query(path, Effort.of(LIMITS))
        case "tree":
            return parse_tree(read_text(path), Effort.of(LIMITS))
        case "result":
            return parse_result(read_text(path), parse_query(QUERY1), Effort.of(LIMITS))
    return load(path, **LIMITS)


def attempt(name: str, path: Path) -> Any:
    """What is read, the line that refuses it, or an error that should not be."""
    try:
        return read(name, path)
    except ExactReluError as error:
        return str(error)
    except Exception as error:
        return error


@contextmanager
def in_time() -> Iterator[None]:
    """A hang is an error, which says where."""

    def ring(*_: object) -> None:
        raise AssertionError(f"still reading after {HANG} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(HANG)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def same_as_in_the_file(name: str, found: Any, data: bytes) -> bool:
    """Whether another reader finds the same numbers in a file that was read."""
    if isinstance(found, Network) and parse_network(network_text(found)) != found:
        return False
    match name:
        case "json":
            layers = json.loads(data)["layers"]
            theirs = [
                [[*row, b] for row, b in zip(l["weights"], l["bias"], strict=True)] for l in layers
            ]
            return _fractions(found) == [
                [[Fraction(str(x)) for x in row] for row in rows] for rows in theirs
            ]
        case "npz":
            arrays = np.load(io.BytesIO(data))
            pairs = [(arrays[f"W{l}"], arrays[f"b{l}"]) for l in range(1, len(found.layers) + 1)]
            theirs = [
                np.column_stack([W.astype(object), b.astype(object)]).tolist() for W, b in pairs
            ]
            return _fractions(found) == [
                [[Fraction(x) for x in row] for row in rows] for rows in theirs
            ]
        case "onnx":
            return _as_the_reference(found, data)
    return True


def _fractions(network: Network) -> list[list[list[Fraction]]]:
    return [
        [[Fraction(int(x.p), int(x.q)) for x in row] for row in layer.affine.flint_rows()]
        for layer in network.layers
    ]


def _as_the_reference(network: Network, data: bytes) -> bool:
    """Whether onnx.reference has the same values, where it has finite ones."""
    import onnx
    from onnx.reference import ReferenceEvaluator

    made = onnx.load_model_from_string(data)
    point = [(-1) ** k * (k % 5) / 2 for k in range(network.n_inputs)]
    ours = [float(y) for y in network(point)]
    feeds, first = {}, 0
    stored = {tensor.name for tensor in made.graph.initializer}
    for source in (source for source in made.graph.input if source.name not in stored):
        shape = [max(dim.dim_value, 1) for dim in source.type.tensor_type.shape.dim]
        size = math.prod(shape)
        feeds[source.name] = np.array(point[first : first + size], np.float32).reshape(shape)
        first += size
    try:
        theirs = np.concatenate([np.ravel(y) for y in ReferenceEvaluator(made).run(None, feeds)])
    except Exception:
        # It asks for one type of floats, and for nodes in order.
        return True
    if not np.isfinite(theirs).all() or np.abs(theirs).max(initial=0) > 1e30:
        return True
    return len(ours) == len(theirs) and np.allclose(ours, theirs, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("seed", seeds(1, 2))
@pytest.mark.parametrize("name", FORMATS)
def test_a_mutated_file_is_read_or_refused_by_one_line(
    tmp_path: Path, name: str, seed: int
) -> None:
    suffix, files, kinds = FORMATS[name]
    rng, bases = Random(f"{name} {seed}"), files()
    path = tmp_path / f"mutant{suffix}"
    n_read = 0
    is_daily = seed % 1000 == 0
    n, seconds = (DAILY, None) if is_daily else (IN_A_SWEEP, SECONDS)
    for k in tries(n, seconds, f"mutants of {name}"):
        data = rng.choice(bases) if k < len(bases) else mutant(rng.choice(bases), kinds, rng)
        path.write_bytes(data)
        with warnings.catch_warnings(), nullcontext() if is_daily else in_time():
            warnings.simplefilter("error")
            found = attempt(name, path)
        assert not isinstance(found, Exception), f"mutant {k}, {found!r}: {data!r}"
        if isinstance(found, str):
            assert "\n" not in found, data
            assert len(found) < 1500, data
            continue
        n_read += 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert same_as_in_the_file(name, found, data), data
    assert n_read


def test_every_format_that_is_written_is_mutated(tmp_path: Path) -> None:
    """The mutants are of files as they are written."""
    for suffix in (".json", ".npz", ".onnx"):
        save(NETWORK, tmp_path / f"net{suffix}")
        assert load(tmp_path / f"net{suffix}") == NETWORK
