"""Files are written whole or not at all, and read as far as there is memory."""

from __future__ import annotations

import gzip
import os
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from exactrelu import files
from exactrelu.cli.main import main
from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.text import load_matrix
from exactrelu.files import atomic_write, atomic_writer, read_bytes
from exactrelu.network.convolution import load_convolution
from exactrelu.network.formats.load import load
from exactrelu.polyhedra.boxes import load_union
from exactrelu.polyhedra.domain_text import load_polyhedron
from exactrelu.public.makers import load_domain
from exactrelu.questions.local.samples import load_points
from exactrelu.questions.properties.versions import read_query


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


#: What may be packed, by the name and by what reads it.
READERS = {
    "net.json": load,
    "net.npz": load,
    "net.onnx": load,
    "net.nnet": load,
    "net.pt": load,
    "points.csv": lambda path, **limits: load_points(path, 2, **limits),
    "points.npy": lambda path, **limits: load_points(path, 2, **limits),
    "query.vnnlib": lambda path, **limits: read_query(path, Effort.of(limits)),
    "matrix.json": load_matrix,
    "polyhedron.json": load_polyhedron,
    "domain.json": lambda path, **limits: load_domain(path, 2, **limits),
    "union.json": load_union,
    "convolution.json": load_convolution,
}


@pytest.fixture
def small_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 2 GB of memory 4 MB may be filled by what is read."""
    monkeypatch.setattr(files, "SHARES", 512)


@pytest.mark.usefixtures("small_share")
@pytest.mark.parametrize("name", READERS)
def test_what_a_packed_file_unfolds_to_is_part_of_the_memory(tmp_path: Path, name: str) -> None:
    """A bomb is refused before it is unfolded, by the memory that may be used or by its ratio."""
    path = tmp_path / name
    path.write_bytes(gzip.compress(b"1" * 30_000_000))
    tracemalloc.start()
    with pytest.raises(Stopped, match=r"unpacks to more than 4 MB, the part of 2 GB for reading"):
        READERS[name](path, max_memory="2G")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 16 * 2**20


def test_a_ratio_that_no_network_has_is_a_bomb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_UNPACKED_BYTES", 2**20)
    path = tmp_path / "net.json.gz"
    path.write_bytes(gzip.compress(b"1" * 3_000_000))
    with pytest.raises(InputError, match="unpacks to more than the limit of 1 MB"):
        load(path)
    # Packed by less than that, it is no bomb, however large it is.
    path.write_bytes(gzip.compress(os.urandom(1_200_000)))
    with pytest.raises(InputError, match="expected UTF-8 text"):
        load(path)


@pytest.mark.usefixtures("small_share")
@pytest.mark.parametrize("suffix", [".npz", ".pt"])
def test_an_archive_is_part_of_the_memory(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"net{suffix}"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for k in range(10):
            archive.writestr(f"W{k}.npy", b"0" * 1_000_000)
    with pytest.raises(Stopped, match=r"unpacks to more than 4 MB, the part of 2 GB"):
        load(path, max_memory="2G")


@pytest.mark.usefixtures("small_share")
def test_a_device_without_an_end_is_not_read_to_it() -> None:
    with pytest.raises(Stopped, match=r"/dev/zero: the file has more than 4 MB"):
        read_bytes("/dev/zero", Effort(memory=2**31))


@pytest.mark.usefixtures("small_share")
@pytest.mark.parametrize(
    "call",
    [
        ("polyhedron", "{file}"),
        ("convolution", "{file}"),
        ("rank", "{file}"),
        ("build", "injective", "3,6", "--complete", "{file}", "-o", "net.json"),
        ("regions", "example:xor", "--domain", "{file}"),
        ("folds", "example:xor", "--domain", "{file}"),
        ("identifiable", "--share", "2,2,1", "--domain", "{file}"),
        ("build", "identifiable", "2,2,1", "-o", "net.json", "--domain", "{file}"),
        ("local", "example:xor", "--points", "{file}"),
        ("real-query", "{file}", "-o", "out.vnnlib"),
        ("verify", "{file}", "--network", "example:xor"),
    ],
    ids=" ".join,
)
def test_every_command_reads_a_part_of_its_memory(
    tmp_path: Path,
    call: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(gzip.compress(b"1" * 30_000_000))
    arguments = [word.format(file=path) for word in call]
    # More than the process of all tests ever has.
    assert main([*arguments, "--max-memory", "8G"]) == 3
    printed = "".join(capsys.readouterr())
    assert "unpacks to more than 16 MB, the part of 8 GB for reading" in printed
