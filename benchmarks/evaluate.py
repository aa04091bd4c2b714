"""Exact evaluation of an ACAS Xu network: one FLINT product a layer beside the peers."""

import random
from fractions import Fraction

import numpy as np
import onnxruntime

from benchmarks._timing import print_table, seconds, shown
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network, evaluate, trace_batch

PATH = "cases/acasxu-1-1/network.onnx"


def naive(parameters: list[tuple[list[list[Fraction]], list[Fraction]]], x: list[Fraction]) -> None:
    """Plain Fraction arithmetic, neuron by neuron."""
    for weights, bias in parameters:
        z = [sum(map(Fraction.__mul__, row, x), b) for row, b in zip(weights, bias, strict=True)]
        x = [max(v, Fraction(0)) for v in z]


def fractions_of(network: Network) -> list[tuple[list[list[Fraction]], list[Fraction]]]:
    return [
        (
            [[Fraction(int(w.p), int(w.q)) for w in row] for row in layer.weights.rows()],
            [Fraction(int(b.p), int(b.q)) for b in layer.bias],
        )
        for layer in network.layers
    ]


def main() -> None:
    network = load(PATH)
    rng = random.Random(0)
    points = [[rng.randint(-64, 64) / 128 for _ in range(5)] for _ in range(300)]
    parameters = fractions_of(network)
    exact_points = [[Fraction(v) for v in x] for x in points]
    session = onnxruntime.InferenceSession(PATH, providers=["CPUExecutionProvider"])
    entry = session.get_inputs()[0]

    floats = [np.array(x, np.float32).reshape([d or 1 for d in entry.shape]) for x in points]
    batch = seconds(lambda: trace_batch(network, points), 2) / len(points)
    rows = [
        ["exactrelu, batch of 300", batch],
        ["exactrelu, one by one", seconds(lambda: evaluate(network, points[0]))],
        ["Fraction, neuron by neuron", seconds(lambda: naive(parameters, exact_points[0]))],
        [
            "onnxruntime, float32",
            seconds(lambda: [session.run(None, {entry.name: x}) for x in floats]) / 300,
        ],
    ]
    print_table(
        ["time for one point (5-50⁶-5)", "time", "ratio to batch"],
        [[name, shown(time), f"{time / batch:.2g}×"] for name, time in rows],
    )
