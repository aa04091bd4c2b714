"""Numpy archives, and the .nnet text format."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactrelu.errors import InputError
from exactrelu.exact.scalar import rational, vector
from exactrelu.network.formats.arrays import load_nnet, parse_nnet
from exactrelu.network.formats.load import load, save
from exactrelu.network.network import Network

# --- numpy archives


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


MALFORMED_ARCHIVES: list[tuple[dict[str, Any], str]] = [
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
    ({"W1": W1.astype(object), "b1": B1}, r"array 'W1': found pickled objects, expected numbers$"),
]


@pytest.mark.parametrize(
    ("arrays", "message"), MALFORMED_ARCHIVES, ids=[m for _, m in MALFORMED_ARCHIVES]
)
def test_malformed_archives(tmp_path: Path, arrays: dict[str, Any], message: str) -> None:
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
    with pytest.raises(InputError, match="found pickled objects"):
        load(tmp_path / "n.npz")
    assert not (tmp_path / "ran").exists()


def header(text: str, version: tuple[int, int] = (1, 0)) -> bytes:
    """The beginning of an ``.npy`` file that says this."""
    return b"\x93NUMPY" + bytes(version) + struct.pack("<H", len(text)) + text.encode()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (header("{" + " " * 11_000), "array 'W1': cannot be read: Header info length"),
        (header("{'descr': '|O', 'fortran_order': False, 'shape': (1, 2)}"), "pickled objects"),
        (header("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)}"), "found 0 bytes, exp"),
        (header("{'descr': '<f8', 'fortran_order': False, 'shape': (10**9,)}"), "cannot be read"),
        (
            header("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,)}"),
            "found 0 bytes, expected 8,000,000,000,000 of an array of shape",
        ),
        (
            header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, -2)}") + b"x" * 16,
            "found",
        ),
        (header("(" * 5000), "cannot be read"),
        (header("{}", (3, 0)), r"found version \(3, 0\) of .npy, expected 1.0 or 2.0"),
    ],
)
def test_headers_are_refused_without_advice(tmp_path: Path, data: bytes, message: str) -> None:
    """numpy would say how to load what runs code, and makes room for what a header says."""
    with zipfile.ZipFile(tmp_path / "n.npz", "w") as archive:
        archive.writestr("W1.npy", data)
    with pytest.raises(InputError, match=message) as error:
        load(tmp_path / "n.npz")
    said = str(error.value)
    assert "pickle=" not in said
    assert "trust" not in said
    assert "max_header_size" not in said
    assert "\n" not in said


def test_other_members_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "n.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("W1.txt", "1")
    with pytest.raises(InputError, match=r"member 'W1.txt'"):
        load(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("W1.npy", "1")
    with pytest.raises(InputError, match=r"array 'W1': cannot be read"):
        load(path)


@pytest.mark.parametrize("before", [b"\0", b"PK", b"#!/bin/sh\n"])
def test_an_archive_begins_the_file(tmp_path: Path, before: bytes) -> None:
    """zipfile finds it at the end of any file; numpy, which writes it, does not."""
    path = tmp_path / "n.npz"
    np.savez(path, W1=np.ones((1, 1)), b1=np.ones(1))
    assert load(path).widths == (1, 1)
    path.write_bytes(before + path.read_bytes())
    with pytest.raises(InputError, match=f"an archive that begins at byte {len(before)}"):
        load(path)
    with pytest.raises(ValueError, match="pickle"):
        np.load(path)


# --- NNet text


LINES = [
    "// a comment",  # 1
    "2,2,1,3,",  # 2
    "2,3,1,",  # 3
    "0,",  # 4
    "-1,-1,",  # 5
    "1,1,",  # 6
    "0.5,1.0,7.5,",  # 7
    "2.0,4.0,10.0,",  # 8
    "1.0,2.0,",  # 9
    "-1.0e-01,0.25,",  # 10
    "3,-2",  # 11
    "0.1,",  # 12
    "0.2,",  # 13
    "-0.3,",  # 14
    "1,-1,0.5,",  # 15
    "0.125,",  # 16
]


def nnet_text(**changes: str) -> str:
    """The file with some lines (line_7="…") replaced."""
    lines = list(LINES)
    for key, line in changes.items():
        lines[int(key.removeprefix("line_")) - 1] = line
    return "\n".join(lines) + "\n"


def test_without_normalisation() -> None:
    net = parse_nnet(nnet_text(), normalize=False)
    assert net.widths == (2, 3, 1)
    assert [list(map(str, r)) for r in net.layers[0].affine.rows()] == [
        ["1", "2", "1/10"],
        ["-1/10", "1/4", "1/5"],
        ["3", "-2", "-3/10"],
    ]


def test_normalisation_is_folded_exactly() -> None:
    raw, net = parse_nnet(nnet_text(), normalize=False), parse_nnet(nnet_text())
    for x in [(0, 0), ("1/3", 5), (-7, "0.25")]:
        u, v = vector(x)
        inner = raw([(u - rational("0.5")) / 2, (v - 1) / 4])
        assert net(x) == (inner[0] * 10 + rational("7.5"),)


def test_one_layer_is_normalised_on_both_sides() -> None:
    net = parse_nnet("1,1,1,1,\n1,1,\n0,\n0,\n1,\n3,5,\n2,7,\n1,\n0,\n")
    assert net([9]) == (rational(7) * 3 + 5,)


def test_more_means_than_inputs_as_in_acas_xu() -> None:
    longer = nnet_text(line_7="0.5,1.0,99,98,7.5", line_8="2.0,4.0,97,96,10.0", line_5="0,0,0,0")
    assert parse_nnet(longer) == parse_nnet(nnet_text())


def test_the_file_and_its_name(tmp_path: Path) -> None:
    path = tmp_path / "two.nnet"
    path.write_text(nnet_text().replace("\n", "\r\n") + "\n\n")
    assert load(path) == parse_nnet(nnet_text())
    assert load(path).name == "two"
    assert load_nnet(path, normalize=False) == parse_nnet(nnet_text(), normalize=False)


MALFORMED_TEXTS = [
    ("// nothing", "line 1: the file ends here, expected the number of layers"),
    (nnet_text(line_2="2,2,1,"), "line 2: found 3 numbers, expected 4: the number of layers"),
    (nnet_text(line_2="2,2,x,3,"), "line 2, entry 3: found 'x', expected an integer"),
    (
        nnet_text(line_2="2,2,1.5,3,"),
        "line 2, entry 3: found '1.5', expected a nonnegative integer",
    ),
    (nnet_text(line_2="3,2,1,3,"), "line 3: found 3 numbers, expected 4: the sizes"),
    (nnet_text(line_2="2,9,1,3,"), "line 3: found sizes 2 … 1, expected 9 inputs and 1 outputs"),
    (nnet_text(line_2="0,2,2,2", line_3="2"), "line 3: found the sizes"),
    (nnet_text(line_3="2,0,1,"), r"line 3: found the sizes \[2, 0, 1\], expected positive"),
    (nnet_text(line_3="2,-3,1,"), "line 3, entry 2: found '-3', expected a nonnegative integer"),
    (
        nnet_text(line_3="2,999999999,1,"),
        "line 12: found 1 numbers, expected 2: weights of layer 1, row 4",
    ),
    (nnet_text(line_5="-1,"), "line 5: found 1 numbers, expected at least 2: the minimum"),
    (nnet_text(line_6="1,NaN,"), "line 6, entry 2: found 'NaN'"),
    (nnet_text(line_7="0.5,1.0,"), "line 7: found 2 numbers, expected at least 3: the mean"),
    (nnet_text(line_8="2,0,1,"), "line 8, entry 2: found the range 0"),
    (nnet_text(line_9="1.0,"), "line 9: found 1 numbers, expected 2: weights of layer 1, row 1"),
    (
        nnet_text(line_9="1.0,2.0,3.0"),
        "line 9: found 3 numbers, expected 2: weights of layer 1, row 1",
    ),
    (nnet_text(line_9="1.0,inf,"), "line 9, entry 2: found 'inf'"),
    (nnet_text(line_9="1.0,,"), "line 9, entry 2: found ''"),
    (nnet_text(line_9="1.0 2.0"), "line 9: found 1 numbers"),
    (nnet_text(line_13="1,2,"), "line 13: found 2 numbers, expected 1: bias of layer 1, row 2"),
    (nnet_text() + "7,\n", "line 17: found more numbers, expected the end of the file"),
    ("\n".join(LINES[:12]), "line 12: the file ends here, expected bias of layer 1, row 2"),
]


@pytest.mark.parametrize(
    ("content", "message"), MALFORMED_TEXTS, ids=[m for _, m in MALFORMED_TEXTS]
)
def test_malformed_texts(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "net.nnet"
    path.write_text(content)
    with pytest.raises(InputError, match=message) as error:
        load(path)
    assert str(error.value).startswith(f"{path}: line ")
    assert "\n" not in str(error.value)
