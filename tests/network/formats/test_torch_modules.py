"""Modules and state dicts of PyTorch: without torch, the function that torch computed.

``data/make_torch_fixtures.py`` wrote the files in ``data/torch`` and torch's own
results in ``expected.json``; all numbers are dyadic and small, so those are exact.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from exactrelu.errors import InputError
from exactrelu.exact.scalar import rational
from exactrelu.network.formats.load import load
from exactrelu.network.formats.torch_modules import from_torch, load_torch

FOLDER = Path(__file__).parent / "data" / "torch"
EXPECTED = json.loads((FOLDER / "expected.json").read_text())


@pytest.mark.parametrize("name", EXPECTED)
def test_files_compute_what_torch_computed(name: str) -> None:
    case = EXPECTED[name]
    net = load_torch(FOLDER / name, input_shape=case["input_shape"])
    assert net.name == name.removesuffix(".pt")
    for x, y in zip(case["inputs"], case["outputs"], strict=True):
        assert net(x) == tuple(map(rational, y))
    if len(case["input_shape"]) == 1:
        assert load(FOLDER / name) == net


def test_widths_of_the_convolutional_files() -> None:
    assert load_torch(FOLDER / "conv2d_sequential.pt", input_shape=(1, 8, 8)).widths == (
        64,
        128,
        16,
        3,
    )
    # It ends with a ReLU, so an identity follows.
    net = load_torch(FOLDER / "conv1d_sequential.pt", input_shape=(2, 9))
    assert net.widths == (18, 15, 2, 2)


def test_all_precisions_hold_the_same_weights() -> None:
    names = ["mlp_state_dict", "mlp_float32", "mlp_float16", "mlp_bfloat16", "mlp_sequential"]
    assert len({load(FOLDER / f"{name}.pt").sha256 for name in names}) == 1


def test_a_wrong_input_shape_names_the_module() -> None:
    with pytest.raises(InputError, match=r"module '9' \(Linear\): cannot multiply shapes"):
        load_torch(FOLDER / "conv2d_sequential.pt", input_shape=(1, 12, 8))
    with pytest.raises(InputError, match=r"module '0' \(Conv2d\): found an input of shape"):
        load_torch(FOLDER / "conv2d_sequential.pt", input_shape=(64,))


def test_state_dicts_of_arrays_without_a_file() -> None:
    W, b = np.array([[1.0, 2.0]], np.float32), np.array([0.5], np.float16)
    assert from_torch({"weight": W, "bias": b}, name="n")([1, 1]) == (rational("3.5"),)
    assert from_torch({"weight": W})([1, 1]) == (3,)
    with pytest.raises(InputError, match="found a value of type int, expected a state_dict"):
        from_torch(3)
    with pytest.raises(InputError, match=r"entry 'bias': found shape \(1, 2\)"):
        from_torch({"weight": W, "bias": W})
