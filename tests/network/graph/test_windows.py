"""Matrices of convolutions and pools against the defining sums, and against onnxruntime."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError, ShapeError, UnsupportedFormat
from exactrelu.exact.scalar import fraction
from exactrelu.network.formats.arrays import exact_array
from exactrelu.network.formats.load import load
from exactrelu.network.graph import windows as module
from exactrelu.network.graph.dyadics import objects
from exactrelu.network.graph.forms import Combination
from exactrelu.network.graph.tensor import Tensor, matmul
from exactrelu.network.graph.windows import (
    KernelWindow,
    average_pool,
    convolution,
    max_pool_windows,
    transposed_convolution,
)
from exactrelu.network.network import widths_text


def apply(map_: Combination, x: Any) -> list[Fraction]:
    flat = [Fraction(v) for v in np.ravel(x).tolist()]
    values = [Fraction(0)] * map_.n_rows
    weights = objects(map_.weights).tolist()
    for i, j, w in zip(map_.rows.tolist(), map_.elements.tolist(), weights, strict=True):
        values[i] += fraction(w) * flat[j]
    return values


def padded(x: Any, pads: Any, fill: Any) -> Any:
    """x as an object array of Fractions with ``fill`` around its spatial axes."""
    shape = [n + a + b for n, (a, b) in zip(x.shape[1:], pads, strict=True)]
    result = np.full((x.shape[0], *shape), fill, dtype=object)
    inside = tuple(slice(a, a + n) for n, (a, _) in zip(x.shape[1:], pads, strict=True))
    for c in range(x.shape[0]):
        result[c][inside] = np.vectorize(Fraction, otypes=[object])(x[c])
    return result


def naive_windows(x: Any, window: KernelWindow, fill: Any) -> Any:
    """(channel, position) → the values under the kernel, straight from the definition."""
    big = padded(x, window.pads, fill)
    sizes = [
        (n - d * (k - 1) - 1) // s + 1
        for n, d, k, s in zip(
            big.shape[1:], window.dilations, window.kernel, window.strides, strict=True
        )
    ]
    for o in itertools.product(*map(range, sizes)):
        places = [
            tuple(
                a * s + b * d
                for a, s, b, d in zip(o, window.strides, t, window.dilations, strict=True)
            )
            for t in itertools.product(*map(range, window.kernel))
        ]
        yield [[big[(c, *place)] for place in places] for c in range(x.shape[0])]


def naive_convolution(x: Any, kernel: Any, window: KernelWindow, groups: int) -> list[Fraction]:
    windows = list(naive_windows(x, window, Fraction(0)))
    n_outputs, in_group = kernel.shape[:2]
    result = []
    for m in range(n_outputs):
        first = m * groups // n_outputs * in_group
        weights = [[Fraction(v) for v in kernel[m, c].ravel().tolist()] for c in range(in_group)]
        for values in windows:
            terms = [
                w * v
                for c in range(in_group)
                for w, v in zip(weights[c], values[first + c], strict=True)
            ]
            result.append(sum(terms, Fraction(0)))
    return result


def random_window(rng: random.Random, n_axes: int) -> tuple[KernelWindow, list[int]]:
    kernel = tuple(rng.randint(1, 3) for _ in range(n_axes))
    dilations = tuple(rng.randint(1, 2) for _ in range(n_axes))
    strides = tuple(rng.randint(1, 3) for _ in range(n_axes))
    pads = tuple((rng.randint(0, 2), rng.randint(0, 2)) for _ in range(n_axes))
    spatial = [d * (k - 1) + 1 + rng.randint(0, 4) for k, d in zip(kernel, dilations, strict=True)]
    return KernelWindow(kernel, strides, pads, dilations), spatial


@pytest.mark.parametrize("n_axes", [1, 2, 3])
@pytest.mark.parametrize("case", range(12))
def test_convolution_is_its_defining_sum(
    rng: random.Random, dyadic: Callable[..., Any], n_axes: int, case: int
) -> None:
    window, spatial = random_window(rng, n_axes)
    groups, in_group, out_group = rng.randint(1, 3), rng.randint(1, 2), rng.randint(1, 2)
    x = dyadic(groups * in_group, *spatial)
    kernel = dyadic(groups * out_group, in_group, *window.kernel)
    matrix, shape = convolution(exact_array(kernel, "K"), window, x.shape, groups)
    expected = naive_convolution(x, kernel, window, groups)
    assert apply(matrix, x) == expected
    assert int(np.prod(shape)) == len(expected)
    # Sparse: no row has more entries than the kernel has taps, and none of them is 0.
    assert np.diff(matrix.start).max() <= in_group * np.prod(window.kernel)
    assert all(v != 0 for v in matrix.weights.tolist())


@pytest.mark.parametrize("case", range(12))
def test_a_transposed_convolution_is_the_transpose(
    rng: random.Random, dyadic: Callable[..., Any], case: int
) -> None:
    """⟨conv(x), y⟩ = ⟨x, transposed(y)⟩ with the same kernel, stored the other way."""
    window, spatial = random_window(rng, rng.randint(1, 2))
    groups, in_group, out_group = rng.randint(1, 2), rng.randint(1, 2), rng.randint(1, 2)
    kernel = dyadic(groups * out_group, in_group, *window.kernel)
    forward, shape = convolution(kernel, window, (groups * in_group, *spatial), groups)
    more = [
        n + a + b - d * (k - 1) - 1 - s * (o - 1)
        for n, (a, b), d, k, s, o in zip(
            spatial,
            window.pads,
            window.dilations,
            window.kernel,
            window.strides,
            shape[1:],
            strict=True,
        )
    ]
    back, back_shape = transposed_convolution(kernel, window, shape, groups, more)
    assert back_shape == (groups * in_group, *spatial)
    x, y = dyadic(*back_shape), dyadic(*shape)
    left = sum(a * Fraction(b) for a, b in zip(apply(forward, x), y.ravel().tolist(), strict=True))
    right = sum(a * Fraction(b) for a, b in zip(apply(back, y), x.ravel().tolist(), strict=True))
    assert left == right


@pytest.mark.parametrize("include", [True, False])
@pytest.mark.parametrize("case", range(12))
def test_average_pool_is_its_defining_mean(
    rng: random.Random, dyadic: Callable[..., Any], include: bool, case: int
) -> None:
    window, spatial = random_window(rng, rng.randint(1, 2))
    pads = tuple((min(a, k - 1), 0) for (a, _), k in zip(window.pads, window.kernel, strict=True))
    window = KernelWindow(window.kernel, window.strides, pads, (1,) * len(pads))
    x = dyadic(2, *spatial)
    matrix, shape = average_pool(window, x.shape, include)
    means = []
    for c in range(2):
        for values in naive_windows(x, window, None):
            inside = [v for v in values[c] if v is not None]
            means.append(sum(inside, Fraction(0)) / (len(values[c]) if include else len(inside)))
    assert apply(matrix, x) == means
    assert int(np.prod(shape)) == len(means)


@pytest.mark.parametrize("after_relu", [True, False])
@pytest.mark.parametrize("case", range(12))
def test_max_pool_is_its_definition(
    rng: random.Random, dyadic: Callable[..., Any], after_relu: bool, case: int
) -> None:
    window, spatial = random_window(rng, rng.randint(1, 2))
    # Padding smaller than a stretched kernel: every window holds an element.
    pads = tuple(
        (min(a, d * (k - 1) // 2), 0)
        for (a, _), k, d in zip(window.pads, window.kernel, window.dilations, strict=True)
    )
    window = KernelWindow(window.kernel, window.strides, pads, window.dilations)
    tensor = Tensor.variable((1, 2, *spatial))
    if after_relu:
        tensor = tensor.relu()
    pooled = tensor.max_pool(window)
    net = pooled.network("pool")
    for _ in range(3):
        x = dyadic(2, *spatial)
        seen = np.maximum(x, 0) if after_relu else x
        expected = [
            max(v for v in values[c] if v is not None)
            for c in range(2)
            for values in naive_windows(seen, window, None)
        ]
        assert [fraction(v) for v in net(x.ravel())] == expected
        assert int(np.prod(pooled.shape)) == len(expected)


def test_max_pool_adds_a_neuron_for_each_comparison() -> None:
    """Four elements: three comparisons, in two layers; the greater one so far is carried."""
    window = KernelWindow((4,), (4,), ((0, 0),), (1,))
    x = Tensor.variable((1, 1, 4))
    assert widths_text(x.max_pool(window).network("")) == "4-2+2-1+1-1"
    assert widths_text(x.relu().max_pool(window).network("")) == "4-4-2+2-1+1-1"
    # A window of one element is the element, and costs nothing.
    single = KernelWindow((1,), (1,), ((0, 0),), (1,))
    assert Tensor.variable((1, 1, 4)).max_pool(single).network("").widths == (4, 4)


def test_ceil_mode_leaves_out_windows_that_begin_beyond_the_input() -> None:
    def size(n: int, kernel: int, stride: int, pads: tuple[int, int]) -> int:
        return KernelWindow((kernel,), (stride,), (pads,), (1,), True).output_shape((n,))[0]

    assert size(5, 2, 2, (0, 0)) == 3
    # The third window would begin in the padding after the input.
    assert size(3, 1, 2, (0, 2)) == 2
    assert size(4, 2, 3, (1, 1)) == 2


def node(op: str, names: list[str], **attributes: Any) -> Any:
    import onnx

    return onnx.helper.make_node(op, names, ["y"], "it", **attributes)


CONVOLUTIONS: list[dict[str, Any]] = [
    {"pads": [1, 0, 2, 1], "strides": [2, 1]},
    {"dilations": [2, 1], "pads": [1, 1, 1, 1]},
    {"auto_pad": "SAME_UPPER", "strides": [2, 2]},
    {"auto_pad": "SAME_LOWER", "strides": [2, 3]},
    {"auto_pad": "SAME_LOWER"},
    {"auto_pad": "VALID", "strides": [1, 2]},
    {"group": 2, "kernel_shape": [2, 3]},
    {},
]


@pytest.mark.parametrize("attributes", CONVOLUTIONS, ids=str)
def test_conv_as_onnxruntime(
    dyadic: Callable[..., Any],
    onnx_file: Callable[..., Path],
    run_onnx: Callable[..., Any],
    exact_rows: Callable[..., Any],
    attributes: dict[str, Any],
) -> None:
    """Multiples of 1/16 below 2^10 are exact in float32, whatever the order of summation."""
    groups = attributes.get("group", 1)
    kernel, bias = dyadic(4, 4 // groups, 2, 3), dyadic(4)
    constants = {"K": kernel, "B": bias}
    path = onnx_file([node("Conv", ["x", "K", "B"], **attributes)], constants, [1, 4, 5, 6])
    points = [dyadic(1, 4, 5, 6) for _ in range(4)]
    net = load(path)
    assert [net(p.ravel()) for p in points] == exact_rows(run_onnx(path, points))


def test_conv_1d_with_random_floats(
    onnx_file: Callable[..., Path], run_onnx: Callable[..., Any]
) -> None:
    """A sum of n products with a bias errs by at most γ_{n+1}(|K||x| + |b|), u = 2^-24."""
    numbers = np.random.default_rng(5)
    kernel = numbers.normal(size=(3, 2, 4)).astype(np.float32)
    bias = numbers.normal(size=3).astype(np.float32)
    nodes = [node("Conv", ["x", "K", "B"], strides=[2], pads=[3, 1])]
    path = onnx_file(nodes, {"K": kernel, "B": bias}, ["N", 2, 9])
    sizes = {"K": abs(kernel), "B": abs(bias)}
    net, gamma = load(path), 9 * 2.0**-24 / (1 - 9 * 2.0**-24)
    points = [numbers.normal(size=(1, 2, 9)).astype(np.float32) for _ in range(5)]
    computed = run_onnx(path, points)
    absolute = load(onnx_file(nodes, sizes, ["N", 2, 9]))
    for point, row in zip(points, computed, strict=True):
        exact, size = net(point.ravel()), absolute(abs(point).ravel())
        for e, c, s in zip(exact, row, size, strict=True):
            assert abs(fraction(e) - Fraction(float(c))) <= Fraction(gamma) * fraction(s)


POOLS: list[dict[str, Any]] = [
    {"kernel_shape": [2, 2]},
    {"kernel_shape": [2, 4], "strides": [2, 1], "pads": [1, 0, 1, 0], "count_include_pad": 1},
    {"kernel_shape": [2, 2], "strides": [2, 2], "pads": [1, 1, 0, 1], "count_include_pad": 0},
    {"kernel_shape": [2, 2], "auto_pad": "SAME_UPPER", "strides": [1, 2]},
    {"kernel_shape": [2, 2], "auto_pad": "SAME_LOWER"},
    {"kernel_shape": [3, 2], "strides": [2, 2], "ceil_mode": 1},
]


@pytest.mark.parametrize("attributes", POOLS, ids=str)
def test_average_pool_as_onnxruntime(
    dyadic: Callable[..., Any],
    onnx_file: Callable[..., Path],
    run_onnx: Callable[..., Any],
    attributes: dict[str, Any],
) -> None:
    """At most 8 numbers are averaged: the error is below γ_9 times the mean of |x| <= 2."""
    path = onnx_file([node("AveragePool", ["x"], **attributes)], {}, [1, 2, 5, 6], opset=11)
    points = [dyadic(1, 2, 5, 6) for _ in range(4)]
    net = load(path)
    for point, row in zip(points, run_onnx(path, points), strict=True):
        exact = net(point.ravel())
        assert len(exact) == len(row)
        bound = Fraction(2 * 9, 2**24 - 9)
        assert all(
            abs(fraction(e) - Fraction(float(c))) <= bound for e, c in zip(exact, row, strict=True)
        )


MAX_POOLS: list[dict[str, Any]] = [
    {"kernel_shape": [2, 2]},
    {"kernel_shape": [2, 3], "strides": [2, 1], "pads": [1, 0, 1, 1]},
    {"kernel_shape": [2, 2], "dilations": [2, 3]},
    {"kernel_shape": [3, 2], "auto_pad": "SAME_UPPER", "strides": [1, 2]},
    {"kernel_shape": [3, 2], "strides": [2, 2], "ceil_mode": 1},
]


@pytest.mark.parametrize("attributes", MAX_POOLS, ids=str)
def test_max_pool_as_onnxruntime(
    dyadic: Callable[..., Any],
    onnx_file: Callable[..., Path],
    run_onnx: Callable[..., Any],
    exact_rows: Callable[..., Any],
    attributes: dict[str, Any],
) -> None:
    path = onnx_file([node("MaxPool", ["x"], **attributes)], {}, [1, 2, 5, 6], opset=11)
    points = [dyadic(1, 2, 5, 6) for _ in range(4)]
    net = load(path)
    assert [net(p.ravel()) for p in points] == exact_rows(run_onnx(path, points))


def test_refusals() -> None:
    with pytest.raises(UnsupportedFormat, match="nothing but padding"):
        max_pool_windows(KernelWindow((2,), (1,), ((2, 0),), (1,)), (1, 5))
    ones = exact_array(np.ones((1, 1, 3)), "K")
    good = KernelWindow((3,), (1,), ((0, 0),), (1,))
    with pytest.raises(ShapeError, match="larger than the padded input"):
        convolution(ones, good, (1, 2))
    with pytest.raises(ShapeError, match="in 1 groups for 2 channels"):
        convolution(ones, good, (2, 5))
    with pytest.raises(ShapeError, match="2 spatial axes, expected 1"):
        convolution(ones, good, (1, 5, 5))
    with pytest.raises(ShapeError, match="expected positive numbers"):
        KernelWindow((3,), (0,), ((0, 0),), (1,))
    with pytest.raises(UnsupportedFormat, match="negative padding"):
        KernelWindow((3,), (1,), ((0, -1),), (1,))
    with pytest.raises(ShapeError, match="one of each for every axis"):
        KernelWindow((3,), (1, 1), ((0, 0),), (1,))
    with pytest.raises(UnsupportedFormat, match=r"ceil_mode.*tools disagree"):
        average_pool(KernelWindow((2,), (2,), ((0, 0),), (1,), True), (1, 5), True)
    with pytest.raises(ShapeError, match="in 1 groups for 2 channels"):
        transposed_convolution(ones, good, (2, 5), 1, (0,))
    with pytest.raises(ShapeError, match=r"the shape \(-1,\)"):
        transposed_convolution(ones, KernelWindow((3,), (1,), ((2, 2),), (1,)), (1, 1), 1, (0,))
    with pytest.raises(UnsupportedFormat, match="nothing but padding"):
        average_pool(KernelWindow((2,), (1,), ((2, 0),), (1,)), (1, 5), False)


def test_size_is_bounded_before_anything_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    window = KernelWindow((1,), (1,), ((10**12, 0),), (1,))
    ones = exact_array(np.ones((1, 1, 1)), "K")
    with pytest.raises(InputError, match="more than the limit"):
        convolution(ones, window, (1, 4))
    with pytest.raises(InputError, match="more than the limit"):
        average_pool(window, (1, 4), True)
    monkeypatch.setattr(module, "MAX_ENTRIES", 10)
    with pytest.raises(UnsupportedFormat, match="more than 10 taps"):
        convolution(ones, KernelWindow((1,), (1,), ((0, 0),), (1,)), (1, 11))


# --- bounds


LATE, SMALL = Effort(seconds=0), Effort(memory=2**10)


@pytest.mark.parametrize("effort", [LATE, SMALL], ids=["no time", "no memory"])
def test_tensors_over_a_bound(effort: Effort) -> None:
    window = KernelWindow((2, 2), (1, 1), ((0, 0),) * 2, (1, 1))
    kernel = exact_array(np.ones((1, 1, 2, 2)), "kernel")
    late = Tensor.variable((1, 1, 9, 9))
    late.graph.effort = effort
    for ask in (
        lambda: late.convolve(kernel, None, window, 1),
        lambda: late.average_pool(window, True),
        lambda: late.max_pool(window),
        lambda: late.relu(),
        lambda: late.network("n"),
        lambda: matmul(late.reshape((1, 81)), exact_array(np.ones((81, 4)), "W")),
        lambda: exact_array(np.ones(99), "W", effort),
    ):
        with pytest.raises(Stopped):
            ask()
