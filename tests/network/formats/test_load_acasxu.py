"""ACAS Xu network 1,1 from ONNX and from NNet text, exactly and against onnxruntime.

Error of a float execution.  Let x̂_l be the computed activations and r_l the error
that layer l makes by itself, ẑ_l = W_l x̂_{l−1} + b_l + r_l.  A computed sum of n
products and a bias, in any order, has |r| <= γ_{n+1}(|W||x̂| + |b|) with
γ_k = ku/(1−ku), u = 2^-24 (Higham, Accuracy and Stability, 3.1); underflow adds at
most 2^-149 for each operation.  Where the exact and the computed preactivations have
the same signs D_l, the difference of the outputs is *equal* to Σ_l J_l r_l with
J_l = W_L D_{L−1} W_{L−1} … D_l, so it is at most Σ_l |J_l| |r_l|.

The same identity bounds the difference of two networks with nearly equal weights,
where r_l = (W'−W) x̂ + (b'−b).
"""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactrelu.exact.scalar import fraction, rational, to_float
from exactrelu.network.formats.arrays import load_nnet
from exactrelu.network.formats.load import load
from exactrelu.network.network import Evaluation, Network, trace_batch

WIDTHS = (5, 50, 50, 50, 50, 50, 50, 5)
STEM = "network"
#: The bounds themselves are computed in float64; this covers their own rounding.
SLACK = 1 + 1e-6


@pytest.fixture(scope="module")
def folder() -> Path:
    return Path(__file__).parents[3] / "cases" / "acasxu-1-1"


@pytest.fixture(scope="module")
def network(folder: Path) -> Network:
    return load(folder / f"{STEM}.onnx")


@pytest.fixture(scope="module")
def traces(network: Network) -> list[Evaluation]:
    """300 float32 points in the box of normalised inputs, evaluated exactly in one batch."""
    rng = random.Random(11)
    points = [[float(np.float32(rng.uniform(-0.7, 0.7))) for _ in range(5)] for _ in range(300)]
    return trace_batch(network, points)


def floats(rows: Any) -> Any:
    return np.array([[to_float(v) for v in row] for row in rows])


def affine_parts(network: Network) -> list[tuple[Any, Any]]:
    """(W, b) of every layer in float64."""
    return [(floats(layer.weights.rows()), floats([layer.bias])[0]) for layer in network.layers]


def propagated(parts: list[tuple[Any, Any]], trace: Evaluation, local: list[Any]) -> Any:
    """Σ_l |J_l| local_l: what local errors can do to the output."""
    J, total = np.eye(len(trace.output)), np.zeros(len(trace.output))
    for l in reversed(range(len(parts))):
        total += abs(J) @ local[l]
        if l > 0:
            active = np.array([s > 0 for s in trace.pattern[l - 1]])
            J = J @ parts[l][0] * active
    return total * SLACK


def test_widths_and_values(network: Network, traces: list[Evaluation]) -> None:
    assert network.widths == WIDTHS
    # Every weight is a float32: an odd number of at most 24 bits times a power of two.
    for layer in network.layers:
        for v in layer.affine.entries():
            assert rational(float(np.float32(to_float(v)))) == v
    assert len(traces) == 300


def all_layers(path: Path, points: list[Any]) -> list[list[Any]]:
    """onnxruntime's preactivations H0 … H5 and its output, for each point."""
    onnx, runtime = pytest.importorskip("onnx"), pytest.importorskip("onnxruntime")
    model = onnx.load_model_from_string(path.read_bytes())
    hidden = [f"H{l}" for l in range(6)]
    for name in hidden:
        model.graph.output.append(
            onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [50])
        )
    session = runtime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return [session.run([*hidden, "y_out"], {"X": x}) for x in points]


def test_against_onnxruntime(network: Network, traces: list[Evaluation], folder: Path) -> None:
    points = [floats([t.point])[0].astype(np.float32) for t in traces]
    parts = affine_parts(network)
    compared, worst, widest = 0, 0.0, 0.0
    for point, trace, computed in zip(
        points, traces, all_layers(folder / f"{STEM}.onnx", points), strict=True
    ):
        x, local = point.astype(float), []
        for (W, b), z in zip(parts, computed, strict=True):
            k = len(x) + 1
            gamma = k * 2.0**-24 / (1 - k * 2.0**-24)
            local.append(gamma * (abs(W) @ abs(x) + abs(b)) + 2 * k * 2.0**-149)
            assert (abs(W @ x + b - z) <= local[-1] * SLACK).all()
            x = np.maximum(z.astype(float), 0)
        signs = [tuple(np.sign(z).astype(int)) for z in computed[:-1]]
        if list(trace.pattern) != signs:
            # Rounding moved a preactivation over 0: the local Jacobians are not those of
            # the float computation, and bound nothing.  Its layers are right all the same.
            continue
        compared += 1
        bounds = propagated(parts, trace, local)
        for exact, c, bound in zip(trace.output, computed[-1], bounds, strict=True):
            difference = abs(fraction(exact) - Fraction(float(c)))
            assert difference <= Fraction(float(bound))
            worst, widest = max(worst, float(difference)), max(widest, bound)
    assert compared > 290
    # Measured: worst 4e-6, widest 2e-3, outputs up to 4.  The sharp test is the one of
    # each layer by itself, above: a weight wrong by 1e-5 of its size would show there.
    assert 0 < worst <= widest < 1e-2


def test_nnet_rounded_to_float32_is_the_onnx(network: Network, folder: Path) -> None:
    text = load_nnet(folder / f"{STEM}.nnet", normalize=False)
    assert text.widths == WIDTHS
    for decimal, stored in zip(text.layers, network.layers, strict=True):
        for v, w in zip(decimal.affine.entries(), stored.affine.entries(), strict=True):
            assert rational(float(np.float32(to_float(v)))) == w


def test_nnet_and_onnx_agree_up_to_the_rounding_of_weights(
    network: Network, traces: list[Evaluation], folder: Path
) -> None:
    text = load_nnet(folder / f"{STEM}.nnet", normalize=False)
    parts = affine_parts(text)
    differences = [
        abs(floats((a.affine - b.affine).rows()))
        for a, b in zip(text.layers, network.layers, strict=True)
    ]
    compared = 0
    for trace, other in zip(traces, trace_batch(text, [t.point for t in traces]), strict=True):
        if trace.pattern != other.pattern:
            continue
        compared += 1
        inputs = [floats([trace.point])[0], *(floats([z])[0] for z in trace.preactivations[:-1])]
        local = [
            d @ abs(np.append(x if l == 0 else np.maximum(x, 0), 1))
            for l, (d, x) in enumerate(zip(differences, inputs, strict=True))
        ]
        bounds = propagated(parts, other, local)
        for a, b, bound in zip(trace.output, other.output, bounds, strict=True):
            assert abs(fraction(a) - fraction(b)) <= Fraction(float(bound))
        assert bounds.max() < 1e-4
    assert compared > 290


def test_nnet_normalisation(folder: Path) -> None:
    """f_raw(x) = f((x − mean)/range)·range_out + mean_out, with the numbers of the file."""
    path = folder / f"{STEM}.nnet"
    inner, raw = load_nnet(path, normalize=False), load(path)
    assert raw.widths == WIDTHS
    mean = [rational(v) for v in ("1.9791091e+04", "0.0", "0.0", "650.0", "600.0")]
    size = [rational(v) for v in ("60261.0", "6.28318530718", "6.28318530718", "1100.0", "1200.0")]
    x = [rational(v) for v in ("1000", "0.5", "-1", "300", "1100")]
    inside = inner([(v - m) / s for v, m, s in zip(x, mean, size, strict=True)])
    assert raw(x) == tuple(
        y * rational("373.94992") + rational("7.5188840201005975") for y in inside
    )
