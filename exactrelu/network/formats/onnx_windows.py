"""ONNX operators on images: convolutions, pools, and normalisation of channels.

How windows move is in :mod:`exactrelu.network.graph.windows`.
"""

from __future__ import annotations

import math
from dataclasses import replace

from exactrelu.errors import InputError, ShapeError, UnsupportedFormat
from exactrelu.network.formats.onnx_node import Node, Operator, Value, one_over, times
from exactrelu.network.graph.dyadics import Numbers
from exactrelu.network.graph.roots import Normalisation
from exactrelu.network.graph.windows import KernelWindow


def _conv(node: Node) -> Value:
    x, kernel = node.tensor(0), _kernel(node)
    window = _window(node, kernel.shape[2:], x.shape[2:])
    groups = int(node.attributes.get("group", 1))
    return x.convolve(kernel, node.optional_constant(2), window, groups)


def _kernel(node: Node) -> Numbers:
    kernel = node.constant(1)
    if kernel.ndim < 3:
        raise ShapeError(f"found a kernel of shape {kernel.shape}, expected (outputs, inputs, …)")
    if node.integers("kernel_shape", kernel.shape[2:]) != kernel.shape[2:]:
        raise ShapeError(f"kernel_shape does not fit the kernel of shape {kernel.shape}")
    return kernel


def _conv_transpose(node: Node) -> Value:
    x, kernel = node.tensor(0), _kernel(node)
    n = kernel.ndim - 2
    if node.attributes.get("auto_pad", "NOTSET") not in ("NOTSET", "VALID"):
        raise UnsupportedFormat(f"found auto_pad {node.attributes['auto_pad']!r}")
    window = _window(node, kernel.shape[2:], x.shape[2:])
    more = list(node.integers("output_padding", (0,) * n))
    if "output_shape" in node.attributes:
        wanted = node.integers("output_shape", ())[-n:]
        pads = []
        for k in range(n):
            size = window.strides[k] * (x.shape[2 + k] - 1) + more[k]
            size += window.dilations[k] * (window.kernel[k] - 1) + 1
            over = size - wanted[k]
            if over < 0:
                raise UnsupportedFormat("found an output_shape larger than the kernel reaches")
            # An odd one goes before the output.
            pads.append((over - over // 2, over // 2))
        window = replace(window, pads=tuple(pads))
    groups = int(node.attributes.get("group", 1))
    return x.convolve_transposed(kernel, node.optional_constant(2), window, groups, more)


def _average_pool(node: Node) -> Value:
    x = node.tensor(0)
    window = _window(node, node.integers("kernel_shape", ()), x.shape[2:])
    return x.average_pool(window, bool(node.attributes.get("count_include_pad", 0)))


def _max_pool(node: Node) -> Value:
    if node.n_outputs != 1:
        raise UnsupportedFormat("found the output of indices, expected the values only")
    x = node.tensor(0)
    return x.max_pool(_window(node, node.integers("kernel_shape", ()), x.shape[2:]))


def _global_average_pool(node: Node) -> Value:
    summed, count = node.tensor(0).sums(range(2, len(node.tensor(0).shape)), keepdims=True)
    return times(summed, one_over(count))


def _global_max_pool(node: Node) -> Value:
    x = node.tensor(0)
    windows = x.index.reshape(math.prod(x.shape[:2]), -1)
    return x.maxima(windows.tolist(), (*x.shape[:2], *(1,) * (len(x.shape) - 2)))


def _window(node: Node, kernel: tuple[int, ...], spatial: tuple[int, ...]) -> KernelWindow:
    n = len(kernel)
    if n == 0 or n != len(spatial):
        raise ShapeError(f"found a kernel {kernel} for an input with spatial axes {spatial}")
    strides = node.integers("strides", (1,) * n)
    dilations = node.integers("dilations", (1,) * n)
    pads = node.integers("pads", (0,) * 2 * n)
    if len(pads) != 2 * n:
        raise ShapeError(f"found pads {pads}, expected {2 * n} numbers")
    pairs = tuple(zip(pads[:n], pads[n:], strict=True))
    explicit = KernelWindow(
        kernel, strides, pairs, dilations, bool(node.attributes.get("ceil_mode", 0))
    )
    auto_pad = node.attributes.get("auto_pad", "NOTSET")
    if auto_pad == "NOTSET":
        return explicit
    if any(pads):
        raise InputError(f"found pads {pads} together with auto_pad {auto_pad}")
    if auto_pad == "VALID":
        return explicit
    if auto_pad not in ("SAME_UPPER", "SAME_LOWER"):
        raise InputError(f"found auto_pad {auto_pad!r}")
    return KernelWindow.same(
        kernel, strides, dilations, spatial, more_before=auto_pad == "SAME_LOWER"
    )


def _batch_normalization(node: Node) -> Value:
    if node.n_outputs != 1 or node.attributes.get("training_mode", 0):
        raise UnsupportedFormat("found training mode, expected the inference form")
    if node.attributes.get("spatial", 1) != 1:
        raise UnsupportedFormat("found spatial = 0, expected statistics for each channel")
    scale, shift, mean, variance = (node.constant(i) for i in range(1, 5))
    shapes = {scale.shape, shift.shape, mean.shape, variance.shape}
    if len(shapes) > 1 or scale.ndim != 1:
        raise ShapeError(f"found statistics of the shapes {sorted(shapes)}, expected one a channel")
    epsilon = node.number("epsilon", 1e-5)
    by = Normalisation.of(scale, shift, mean, variance, epsilon, node.roots)
    return node.tensor(0).normalised(by)


WINDOWS: dict[str, Operator] = {
    "AveragePool": _average_pool,
    "BatchNormalization": _batch_normalization,
    "Conv": _conv,
    "ConvTranspose": _conv_transpose,
    "GlobalAveragePool": _global_average_pool,
    "GlobalMaxPool": _global_max_pool,
    "MaxPool": _max_pool,
}
