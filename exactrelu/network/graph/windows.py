"""Convolutions and pools as sparse linear maps, and the windows of max pools.

With input x of shape (C, n_1, …, n_d), kernel K of shape (M, C/g, k_1, …, k_d),
strides s, dilations δ, padding p before and p' after each axis and g groups, output
channel m in group γ is (⌊(n + p + p' − δ(k−1) − 1)/s⌋ + 1 positions an axis)

    y[m, o] = Σ_{c, t} K[m, c, t] · x[γ C/g + c, s·o + δ·t − p],

where x is 0 in the padding.  A *tap* is a pair of a position o and a place t of the kernel that
meets an input; all of them are found by index arithmetic, axis by axis.  A transposed convolution
has the same taps with the roles of input and output exchanged.  An average pool is a convolution of
each channel with equal weights: 1 over the number of taps (padding counts or not).

With ``ceil_mode`` the number of positions is rounded up; a window that starts beyond the input
and the padding before it is left out.

Symbols: K ``kernel``, s ``strides``, δ ``dilations``, (p, p') ``pads``, g ``groups``,
(n_1, …, n_d) ``spatial``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import ShapeError, UnsupportedFormat
from exactrelu.network.graph.dyadics import Integers, Numbers, floats_if_exact
from exactrelu.network.graph.forms import BYTES_OF_PRODUCT, Combination

#: Entries of all layers, and taps of one operation: beyond this a file is refused before the
#: machine runs out of memory.
MAX_ENTRIES = 50_000_000
#: Elements of a tensor.
MAX_ELEMENTS = 1_000_000


def require_size(shape: Sequence[int], what: str = "a tensor", most: int = MAX_ELEMENTS) -> None:
    """Refuse a shape with too many elements, or none, before anything is made of it."""
    if min(shape, default=1) < 1:
        raise ShapeError(f"{what} of shape {tuple(shape)} has no elements")
    if math.prod(shape) > most:
        raise UnsupportedFormat(
            f"{what} of shape {tuple(shape)} has more than the limit of {most} elements"
        )


class Taps(NamedTuple):
    """Where places of the kernel meet inputs: numbers of positions, places and inputs."""

    outputs: Integers
    places: Integers
    inputs: Integers


@dataclass(frozen=True)
class KernelWindow:
    """How a kernel moves over the spatial axes; one entry for each axis."""

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    pads: tuple[tuple[int, int], ...]
    dilations: tuple[int, ...]
    ceil_mode: bool = False

    def __post_init__(self) -> None:
        lengths = {len(self.kernel), len(self.strides), len(self.pads), len(self.dilations)}
        if len(lengths) != 1:
            raise ShapeError(
                f"found kernel {self.kernel}, strides {self.strides}, pads {self.pads}, "
                f"dilations {self.dilations}, expected one of each for every axis"
            )
        if min(*self.kernel, *self.strides, *self.dilations, 1) < 1:
            raise ShapeError(
                f"found kernel {self.kernel}, strides {self.strides}, "
                f"dilations {self.dilations}, expected positive numbers"
            )
        if any(before < 0 or after < 0 for before, after in self.pads):
            raise UnsupportedFormat(f"negative padding {self.pads}")

    @classmethod
    def same(
        cls,
        kernel: tuple[int, ...],
        strides: tuple[int, ...],
        dilations: tuple[int, ...],
        spatial: Sequence[int],
        more_before: bool = False,
    ) -> KernelWindow:
        """Padding such that an axis of n inputs has ⌈n/stride⌉ outputs.

        An odd one goes after the input, or before it with ``more_before``.
        """
        pads = []
        for k, s, d, n in zip(kernel, strides, dilations, spatial, strict=True):
            total = max((-(-n // s) - 1) * s + d * (k - 1) + 1 - n, 0)
            small, large = total // 2, total - total // 2
            pads.append((large, small) if more_before else (small, large))
        return cls(kernel, strides, tuple(pads), dilations)

    def output_shape(self, spatial: Sequence[int]) -> tuple[int, ...]:
        """The number of positions along each axis."""
        if len(spatial) != len(self.kernel):
            raise ShapeError(
                f"found an input with {len(spatial)} spatial axes, expected {len(self.kernel)}"
            )
        shape = []
        for n, (before, after), d, k, s in zip(
            spatial, self.pads, self.dilations, self.kernel, self.strides, strict=True
        ):
            room = n + before + after - d * (k - 1) - 1
            if room < 0:
                raise ShapeError(
                    f"the kernel {self.kernel} is larger than the padded input {tuple(spatial)}"
                )
            size = (-(-room // s) if self.ceil_mode else room // s) + 1
            if self.ceil_mode and (size - 1) * s >= n + before:
                size -= 1
            shape.append(size)
        return tuple(shape)

    def leaves_padding(self, spatial: Sequence[int]) -> bool:
        """Whether a window reaches beyond the padding, as it may with ``ceil_mode``."""
        return self.output_shape(spatial) != replace(self, ceil_mode=False).output_shape(spatial)

    def taps(self, spatial: Sequence[int], shape: Sequence[int] | None = None) -> Taps:
        """All taps, by position and then by place of the kernel."""
        shape = self.output_shape(spatial) if shape is None else shape
        outputs = places = inputs = np.zeros(1, np.int64)
        for axis, (size, n) in enumerate(zip(shape, spatial, strict=True)):
            o, t = np.divmod(np.arange(size * self.kernel[axis]), self.kernel[axis])
            i = o * self.strides[axis] - self.pads[axis][0] + self.dilations[axis] * t
            inside = np.flatnonzero((i >= 0) & (i < n))
            outputs = np.add.outer(outputs * size, o[inside]).ravel()
            places = np.add.outer(places * self.kernel[axis], t[inside]).ravel()
            inputs = np.add.outer(inputs * n, i[inside]).ravel()
        order = np.lexsort((places, outputs))
        return Taps(outputs[order], places[order], inputs[order])


def convolution(
    kernel: Numbers,
    window: KernelWindow,
    input_shape: Sequence[int],
    groups: int = 1,
    effort: Effort = UNLIMITED,
) -> tuple[Combination, tuple[int, ...]]:
    """The map of a convolution and its output shape (M, …).

    ``kernel`` has shape (M, C/groups, k_1, …), ``input_shape`` is (C, n_1, …).
    """
    channels, *spatial = input_shape
    n_outputs, in_group = kernel.shape[:2]
    if groups < 1 or channels != in_group * groups or n_outputs % groups:
        raise ShapeError(
            f"found a kernel of shape {kernel.shape} in {groups} groups for {channels} channels, "
            "expected (outputs, channels/groups, …) with both divisible by the groups"
        )
    shape = (n_outputs, *window.output_shape(spatial))
    _require_taps(math.prod(shape) * in_group * math.prod(window.kernel), shape, effort)
    first = np.arange(n_outputs) // (n_outputs // groups) * in_group
    sources = first[:, None] + np.arange(in_group)
    flat = kernel.reshape(n_outputs, in_group, -1)
    return _map(window.taps(spatial), shape, spatial, sources, flat), shape


def transposed_convolution(
    kernel: Numbers,
    window: KernelWindow,
    input_shape: Sequence[int],
    groups: int,
    more: Sequence[int],
    effort: Effort = UNLIMITED,
) -> tuple[Combination, tuple[int, ...]]:
    """The map of a transposed convolution and its output shape (M, …).

    ``kernel`` has shape (C, M/groups, k_1, …); ``more`` is added to the output along each axis.
    """
    channels, *spatial = input_shape
    if groups < 1 or kernel.shape[0] != channels or channels % groups:
        raise ShapeError(
            f"found a kernel of shape {kernel.shape} in {groups} groups for {channels} channels, "
            "expected (channels, outputs/groups, …) with the channels divisible by the groups"
        )
    of_group, from_group = kernel.shape[1], channels // groups
    sizes = []
    for n, (before, after), d, k, s, extra in zip(
        spatial, window.pads, window.dilations, window.kernel, window.strides, more, strict=True
    ):
        sizes.append(s * (n - 1) + extra + d * (k - 1) + 1 - before - after)
    if min(sizes) < 1:
        raise ShapeError(f"the output of a transposed convolution has the shape {tuple(sizes)}")
    shape = (groups * of_group, *sizes)
    _require_taps(math.prod(input_shape) * of_group * math.prod(window.kernel), shape, effort)
    # A tap of the convolution from outputs to inputs, read backwards.
    found = window.taps(sizes, spatial)
    back = Taps(found.inputs, found.places, found.outputs)
    group = np.arange(groups * of_group) // of_group
    sources = group[:, None] * from_group + np.arange(from_group)
    weights = kernel.reshape(groups, from_group, of_group, -1).swapaxes(1, 2)
    return _map(back, shape, spatial, sources, weights.reshape(len(group), from_group, -1)), shape


def _map(
    taps: Taps, shape: Sequence[int], spatial: Sequence[int], sources: Integers, weights: Numbers
) -> Combination:
    """The entries of all channels; output channel m reads the channels ``sources[m]``."""
    positions, area = math.prod(shape[1:]), math.prod(spatial)
    n_outputs, n_sources = sources.shape
    count = (n_outputs, n_sources, len(taps.outputs))
    rows = np.arange(n_outputs)[:, None, None] * positions + taps.outputs
    elements = sources[:, :, None] * area + taps.inputs
    return Combination.of(
        math.prod(shape),
        np.broadcast_to(rows, count).ravel(),
        elements.ravel(),
        weights[:, :, taps.places].ravel(),
    )


def _require_taps(n_taps: int, shape: Sequence[int], effort: Effort) -> None:
    require_size(shape)
    if n_taps > MAX_ENTRIES:
        raise UnsupportedFormat(f"a convolution with more than {MAX_ENTRIES} taps")
    effort.need(BYTES_OF_PRODUCT * n_taps, f"a convolution with {n_taps:,} taps")
    effort.spend()


def average_pool(
    window: KernelWindow,
    input_shape: Sequence[int],
    count_include_pad: bool,
    effort: Effort = UNLIMITED,
) -> tuple[Combination, tuple[int, ...]]:
    """The map of an average pool of every channel and its output shape (C, …)."""
    channels, *spatial = input_shape
    shape = (channels, *window.output_shape(spatial))
    if window.ceil_mode and count_include_pad and window.leaves_padding(spatial):
        raise UnsupportedFormat(
            f"average pooling of {tuple(spatial)} with ceil_mode and count_include_pad, where the "
            "last window leaves the padded input: tools disagree on its divisor"
        )
    taps = _filled_windows(window, shape, spatial, "average", effort)
    counts = np.bincount(taps.outputs, minlength=math.prod(shape[1:]))
    if count_include_pad:
        counts[:] = math.prod(window.kernel)
    different, places = np.unique(counts, return_inverse=True)
    shares: np.ndarray[Any, Any] = np.empty(len(different), dtype=object)
    shares[:] = [fmpq(1, n) for n in different.tolist()]
    weights = floats_if_exact(shares)[places][taps.outputs]
    channel = np.arange(channels)[:, None]
    return Combination.of(
        math.prod(shape),
        (channel * math.prod(shape[1:]) + taps.outputs).ravel(),
        (channel * math.prod(spatial) + taps.inputs).ravel(),
        np.tile(weights, channels),
    ), shape


def max_pool_windows(
    window: KernelWindow, input_shape: Sequence[int], effort: Effort = UNLIMITED
) -> tuple[list[list[int]], tuple[int, ...]]:
    """For each output the inputs that it is the greatest of, and the output shape (C, …).

    Padding counts as −∞, so that it is left out.
    """
    channels, *spatial = input_shape
    shape = (channels, *window.output_shape(spatial))
    taps = _filled_windows(window, shape, spatial, "max", effort)
    n_positions, area = math.prod(shape[1:]), math.prod(spatial)
    starts = np.searchsorted(taps.outputs, np.arange(n_positions + 1)).tolist()
    inputs = taps.inputs.tolist()
    positions = [inputs[a:b] for a, b in pairwise(starts)]
    return [[area * c + i for i in place] for c in range(channels) for place in positions], shape


def _filled_windows(
    window: KernelWindow, shape: Sequence[int], spatial: Sequence[int], what: str, effort: Effort
) -> Taps:
    """The taps of a pool, none of whose windows holds nothing but padding."""
    _require_taps(math.prod(shape) * math.prod(window.kernel), shape, effort)
    taps = window.taps(spatial)
    if len(np.unique(taps.outputs)) < math.prod(shape[1:]):
        raise UnsupportedFormat(f"{what} pooling of a window that holds nothing but padding")
    return taps
