"""Dispatch by suffix, errors about files, and atomic writing."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from exactrelu import files
from exactrelu.errors import InputError
from exactrelu.files import atomic_write, atomic_writer
from exactrelu.network.formats.load import load, save
from exactrelu.network.network import Network

XOR = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]], name="xor")
SUFFIXES = [".json", ".json.gz", ".npz", ".onnx"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_round_trip(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"xor{suffix}"
    save(XOR, path)
    again = load(str(path))
    assert again == XOR
    assert again.name == "xor"
    assert [again(x)[0] for x in [(1, 1), (1, -1), (-1, 1), (-1, -1)]] == [-3, 1, 1, -1]
    before = path.read_bytes()
    save(again, path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("suffix", [".json", ".npz", ".onnx", ".nnet", ".pt", ".pth"])
def test_missing_directory_and_empty(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"net{suffix}"
    with pytest.raises(InputError, match=r"no such file") as error:
        load(path)
    assert str(error.value).startswith(f"{path}: ")
    path.touch()
    with pytest.raises(InputError, match="the file is empty"):
        load(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(InputError, match="found a directory"):
        load(path)


@pytest.mark.parametrize("name", ["net.txt", "net", "json", ".json.bak"])
def test_unknown_suffix(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("{}")
    with pytest.raises(InputError, match=r"suffix.*\.json, \.json\.gz, \.npz, \.onnx, \.nnet"):
        load(path)
    with pytest.raises(InputError, match=r"to write: \.json, \.json\.gz, \.npz, \.onnx$"):
        save(XOR, path)


def test_suffix_in_capitals(tmp_path: Path) -> None:
    save(XOR, tmp_path / "XOR.JSON")
    assert load(tmp_path / "XOR.JSON") == XOR


@pytest.mark.parametrize("suffix", [".npz", ".onnx", ".pt", ".nnet", ".json", ".json.gz"])
def test_garbage_is_one_clear_line(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"net{suffix}"
    for garbage in [b"\x00", b"\xff" * 100, b"PK\x03\x04 nothing", b"hello\nworld\n", b"\x1f\x8b"]:
        path.write_bytes(garbage)
        with pytest.raises(InputError) as error:
            load(path)
        assert str(error.value).startswith(f"{path}: ")
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_truncation_is_refused(tmp_path: Path, suffix: str) -> None:
    whole, path = tmp_path / f"whole{suffix}", tmp_path / f"part{suffix}"
    save(XOR, whole)
    data = whole.read_bytes().rstrip()
    for length in range(1, len(data), 7):
        path.write_bytes(data[:length])
        with pytest.raises(InputError):
            load(path)


def test_archive_bombs_and_duplicates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "net.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("W1.npy", b"0" * 100_000)
    monkeypatch.setattr(files, "MAX_UNPACKED_BYTES", 50_000)
    with pytest.raises(InputError, match="unpacks to more than"):
        load(path)
    packed = tmp_path / "net.json.gz"
    import gzip

    packed.write_bytes(gzip.compress(b" " * 100_000))
    with pytest.raises(InputError, match="unpacks to more than"):
        load(packed)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("W1.npy", b"0")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("W1.npy", b"1")
    with pytest.raises(InputError, match=r"'W1\.npy' twice"):
        load(path)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    atomic_write(path, b"old")

    def interrupted() -> None:
        with atomic_writer(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]
    atomic_write(path, b"new")
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["file"]


def test_writing_keeps_mode_and_link(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to(path)
    atomic_write(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found a directory"):
        atomic_write(tmp_path, b"")
    with pytest.raises(InputError, match="cannot be written: No such file"):
        atomic_write(tmp_path / "none" / "file", b"")


def test_a_device_is_not_replaced() -> None:
    atomic_write("/dev/null", b"gone")
    assert not os.path.isfile("/dev/null")


@pytest.mark.parametrize("suffix", [".npz", ".onnx"])
def test_floats_are_never_rounded(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"net{suffix}"
    third = Network.from_arrays([[[1], [2]], [[1, "1/3"]]], [[0, 0], [0]])
    with pytest.raises(InputError, match=r"layer 2, row 1, column 2 of the weights: 1/3 is not"):
        save(third, path)
    bias = Network.from_arrays([[[1], [2]]], [[0, 2**53 + 1]])
    with pytest.raises(InputError, match=r"layer 1, bias of row 2: 9007199254740993 is not"):
        save(bias, path)
    for value in ["1e400", "1e-400", 2**1024]:
        with pytest.raises(InputError, match=r"layer 1, row 1, column 1"):
            save(Network.from_arrays([[[value]]], [[0]]), path)
    assert not path.exists()


@pytest.mark.parametrize("suffix", [".npz", ".onnx"])
def test_extreme_floats_survive(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"net{suffix}"
    for values in [(2.0**-149, 2.0**127), (5e-324, 1.7976931348623157e308), (0.1, 2.0**-1074)]:
        net = Network.from_arrays([[list(values)]], [[0]])
        save(net, path)
        assert load(path) == net


def test_import_stays_light() -> None:
    code = (
        "import sys, exactrelu.network.formats as f; "
        "print(*[m for m in ('numpy', 'onnx', 'torch', 'pickle') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
