"""numpy archives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactrelu.errors import InputError
from exactrelu.exact.scalar import rational
from exactrelu.network.formats.load import load, save
from exactrelu.network.network import Network

W1, B1, W2, B2 = np.ones((3, 2)), np.zeros(3), np.ones((1, 3)), np.zeros(1)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ">f4", "i1", "u2", "i8", "u8"])
def test_numbers_are_the_dyadics_that_are_stored(tmp_path: Path, dtype: str) -> None:
    numbers = np.array([[0.1, 3, 100]]).astype(dtype)
    np.savez(tmp_path / "n.npz", W1=numbers, b1=np.zeros(1, dtype))
    row = load(tmp_path / "n.npz").layers[0].weights.row(0)
    assert row == tuple(rational(v.item()) for v in numbers[0])


def test_large_integers(tmp_path: Path) -> None:
    np.savez(tmp_path / "n.npz", W1=np.array([[2**64 - 1]], "u8"), b1=np.array([-(2**63)]))
    assert load(tmp_path / "n.npz").layers[0].affine.row(0) == (2**64 - 1, -(2**63))


def test_positional_arrays_and_compression(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "n.npz", W1, B1, W2, B2)
    assert load(tmp_path / "n.npz") == Network.from_arrays([W1, W2], [B1, B2])
    assert load(tmp_path / "n.npz").name == "n"


def test_fortran_order(tmp_path: Path) -> None:
    W = np.arange(6.0).reshape(2, 3)
    np.savez(tmp_path / "n.npz", W1=np.asfortranarray(W), b1=np.zeros(2))
    assert load(tmp_path / "n.npz") == Network.from_arrays([W], [[0, 0]])


def test_the_smaller_float_is_chosen(tmp_path: Path) -> None:
    for value, dtype in [(np.float32(0.1), "float32"), (0.1, "float64"), (2.0**-150, "float64")]:
        save(Network.from_arrays([[[float(value)]]], [[1]]), tmp_path / "n.npz")
        with np.load(tmp_path / "n.npz", allow_pickle=False) as arrays:
            assert arrays["W1"].dtype == arrays["b1"].dtype == dtype
            assert sorted(arrays) == ["W1", "b1"]


MALFORMED: list[tuple[dict[str, Any], str]] = [
    ({"W1": W1, "W2": W2, "b2": B2}, r"array 'b1' is missing, expected the bias of layer 1"),
    ({"W1": W1, "b1": B1, "b2": B2}, r"array 'b2' is unknown"),
    ({"W1": W1, "b1": B1, "W3": W2, "b3": B2}, r"array 'W2' is missing"),
    ({"b1": B1}, r"found the arrays \['b1'\], expected W1, b1"),
    ({"weights": W1, "bias": B1}, r"found the arrays \['bias', 'weights'\], expected W1"),
    ({"W1": W1, "b1": B1, "extra": B1}, r"array 'extra' is unknown"),
    ({"arr_0": W1, "arr_1": B1, "arr_2": W2}, r"array 'arr_3' is missing, expected the bias of"),
    ({"arr_0": W1, "arr_1": B1, "W2": W2}, r"array 'W2' is unknown|is missing"),
    (
        {"W1": W1, "b1": np.zeros((3, 1))},
        r"array 'b1': found shape \(3, 1\), expected 1 dimension$",
    ),
    ({"W1": np.ones(3), "b1": B1}, r"array 'W1': found shape \(3,\), expected 2 dimensions"),
    ({"W1": W1, "b1": np.zeros(2)}, r"bias: found 2 entries, expected 3"),
    ({"W1": np.zeros((0, 2)), "b1": np.zeros(0)}, r"shape"),
    ({"W1": W1, "b1": B1, "W2": np.ones((1, 4)), "b2": B2}, r"layer 2 takes 4 inputs"),
    (
        {"W1": np.array([[1, np.nan]]), "b1": B2},
        r"array 'W1'\[0\]\[1\]: found nan, expected a finite",
    ),
    ({"W1": np.array([[1, 2]]), "b1": [-np.inf]}, r"array 'b1'\[0\]: found -inf"),
    ({"W1": W1.astype(complex), "b1": B1}, r"array 'W1': found numbers of type complex128"),
    ({"W1": W1 > 0, "b1": B1}, r"array 'W1': found numbers of type bool"),
    ({"W1": W1.astype(str), "b1": B1}, r"array 'W1': found numbers of type <U"),
    ({"W1": W1.astype(object), "b1": B1}, r"array 'W1': cannot be read: Object arrays"),
]


@pytest.mark.parametrize(("arrays", "message"), MALFORMED, ids=[m for _, m in MALFORMED])
def test_malformed(tmp_path: Path, arrays: dict[str, Any], message: str) -> None:
    path = tmp_path / "net.npz"
    np.savez(path, **arrays)
    with pytest.raises(InputError, match=message) as error:
        load(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


def test_a_pickled_array_runs_nothing(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (tmp_path / "ran",)

    np.savez(tmp_path / "n.npz", W1=np.array([[Evil()]], dtype=object), b1=B2)
    with pytest.raises(InputError, match="Object arrays cannot be loaded"):
        load(tmp_path / "n.npz")
    assert not (tmp_path / "ran").exists()


def test_other_members_are_refused(tmp_path: Path) -> None:
    import zipfile

    path = tmp_path / "n.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("W1.txt", "1")
    with pytest.raises(InputError, match=r"member 'W1.txt'"):
        load(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("W1.npy", "1")
    with pytest.raises(InputError, match=r"array 'W1': cannot be read"):
        load(path)
