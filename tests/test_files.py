"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from exactrelu.errors import InputError
from exactrelu.files import atomic_write, atomic_writer


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
