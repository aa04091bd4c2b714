"""Convolutional layers: the matrix against the definition, and the file."""

import itertools
import json
import random

import numpy as np
import pytest
from flint import fmpq

from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.scalar import ZERO
from exactrelu.network.convolution import PADDINGS, Convolution, load_convolution
from tests.seeds import shifted

SEED = shifted(58)


def random_convolution(rng: random.Random) -> Convolution:
    n_axes = rng.randint(1, 2)
    spatial = [rng.randint(2, 5) for _ in range(n_axes)]
    window = [rng.randint(1, min(3, n)) for n in spatial]
    channels, n_kernels = rng.randint(1, 2), rng.randint(1, 3)
    shape = (n_kernels, channels, *window)
    numbers = [fmpq(rng.randint(-3, 3), rng.choice((1, 2))) for _ in range(int(np.prod(shape)))]
    kernels = np.empty(len(numbers), dtype=object)
    kernels[:] = numbers
    return Convolution(
        kernels.reshape(shape),
        (channels, *spatial),
        tuple(rng.randint(1, 2) for _ in spatial),
        rng.choice(PADDINGS),
        tuple(fmpq(rng.randint(-2, 2)) for _ in range(n_kernels)),
    )


def by_definition(layer: Convolution, x: np.ndarray) -> list[fmpq]:
    """Σ K[m, c, t]·x[c, s·o + t − p] + b[m], by loops."""
    channels, *spatial = layer.input_shape
    pads, counts = [], []
    for n, k, s in zip(spatial, layer.window, layer.strides, strict=True):
        if layer.padding == "valid":
            pads.append(0)
            counts.append((n - k) // s + 1)
        else:
            counts.append(-(-n // s))
            total = max((counts[-1] - 1) * s + k - n, 0)
            pads.append(total // 2 if layer.padding == "zero" else 0)
    values = []
    for m, b in enumerate(layer.bias):
        for position in itertools.product(*map(range, counts)):
            value = b
            for c in range(channels):
                for tap in itertools.product(*map(range, layer.window)):
                    place = [
                        s * o + t - p
                        for s, o, t, p in zip(layer.strides, position, tap, pads, strict=True)
                    ]
                    if layer.padding == "periodic":
                        place = [i % n for i, n in zip(place, spatial, strict=True)]
                    if all(0 <= i < n for i, n in zip(place, spatial, strict=True)):
                        value = value + layer.kernels[m, c, *tap] * x[c, *place]
            values.append(value)
    return values


def test_the_matrix_is_the_definition() -> None:
    rng = random.Random(SEED)
    for k in range(120):
        convolution = random_convolution(rng)
        x = np.array(
            [fmpq(rng.randint(-5, 5), 3) for _ in range(int(np.prod(convolution.input_shape)))],
            dtype=object,
        )
        layer = convolution.layer()
        assert convolution.shape == layer.weights.shape
        values = layer.weights.apply(list(x))
        got = [value + b for value, b in zip(values, layer.bias, strict=True)]
        assert got == by_definition(convolution, x.reshape(convolution.input_shape)), (SEED, k)
        outputs = convolution.network()(list(x))
        assert outputs == tuple(max(value, ZERO) for value in got)


def test_opposites() -> None:
    convolution = random_convolution(random.Random(1))
    scales = tuple(fmpq(i + 2) for i in range(len(convolution.bias)))
    layer, pairs = convolution.layer(), convolution.with_opposites(scales).layer()
    n = layer.n_outputs
    n_positions = n // len(scales)
    for i in range(n):
        d = scales[i // n_positions]
        assert pairs.affine.row(i) == layer.affine.row(i)
        assert pairs.affine.row(n + i) == tuple(-d * w for w in layer.affine.row(i))
    with pytest.raises(InputError, match="positive scales"):
        convolution.with_opposites((fmpq(0),) * len(convolution.bias))


def write(path, **changes) -> str:
    value = {
        "format": "exactrelu-convolution/1",
        "input": [1, 4],
        "kernels": [[["1", 0, "-1"]], [["1/2", 0, 1]]],
        "stride": 1,
        "padding": "periodic",
        "bias": [0, "1/3"],
        **changes,
    }
    path.write_text(json.dumps(value))
    return str(path)


def test_file(tmp_path) -> None:
    convolution = load_convolution(write(tmp_path / "c.json"))
    assert convolution.kernels.shape == (2, 1, 3)
    assert convolution.layer().weights.shape == (8, 4)
    assert convolution.layer().bias == (fmpq(0),) * 4 + (fmpq(1, 3),) * 4


def test_defaults(tmp_path) -> None:
    path = tmp_path / "c.json"
    path.write_text('{"format":"exactrelu-convolution/1","input":[1,4],"kernels":[[[1,2]]]}')
    convolution = load_convolution(path)
    assert (convolution.strides, convolution.padding, convolution.bias) == ((1,), "valid", (0,))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kernels": [[[1, 0], [1]]]}, r"kernels\[0\]\[1\]: expected a list of 2"),
        ({"kernels": []}, "kernels: an empty list"),
        ({"kernels": [[[0.5]]]}, "JSON float"),
        ({"kernels": 3}, "kernels: found the number 3, expected a list"),
        ({"kernels": [1]}, "found kernels of shape"),
        ({"input": [1, 0]}, r"input\[1\]: found 0, expected a positive integer"),
        ({"input": [1, "1/2"]}, r"input\[1\]: found 1/2"),
        ({"input": [2, 4]}, "for 2 channels"),
        ({"stride": [1, 1]}, "found 2 strides"),
        ({"bias": [1]}, "and 1 biases"),
        ({"padding": "mirror"}, "padding 'mirror': expected one of"),
        ({"format": "other"}, "format: found"),
        ({"more": 1}, "unknown key 'more'"),
    ],
)
def test_bad_files(tmp_path, changes, message) -> None:
    with pytest.raises((InputError, ShapeError), match=message):
        load_convolution(write(tmp_path / "c.json", **changes)).layer()


def test_sizes_are_forecast() -> None:
    kernels = np.array([[[[fmpq(1)] * 3] * 3]])
    image = Convolution(kernels, (1, 200, 200), (1, 1), "zero", (ZERO,))
    with pytest.raises(Stopped, match=r"a layer of 40,000 × 40,000 entries needs about 149 GB"):
        image.layer(Effort(memory=2**33))
    with pytest.raises(Stopped, match=r"a convolution with 360,000 taps needs about 22 MB"):
        image.layer(Effort(memory=2**24))
    with pytest.raises(Stopped, match="stopped after 0 s"):
        image.layer(Effort(seconds=0))
