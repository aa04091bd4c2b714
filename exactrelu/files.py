"""Whole files in, whole files out: what every room shares about the file system.

Reading unpacks gzip wherever it is found, whatever the file is called, and bounds what a small
hostile file can unfold to; writing is atomic, so that an interrupted run leaves the old file or
the new one and nothing else.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import secrets
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, TypeAlias

from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.errors import ExactReluError, InputError, attempted, one_line, said
from exactrelu.memory import default_memory, memory_text

PathLike: TypeAlias = str | os.PathLike[str]

#: Packed data that unfolds to more than this, and to more than so many times its own size, is
#: refused.
MAX_UNPACKED_BYTES, MAX_RATIO = 2**28, 50
#: Of the memory that may be used, what is read may fill one part in so many: those who read it
#: make something of it.
SHARES = 4
#: Bytes that are unpacked at once.
_AT_ONCE = 2**20

#: How gzip data begins (RFC 1952), and no text, ONNX model or archive that is read here.
_GZIP = b"\x1f\x8b"

#: One letter is a drive of Windows.
_KIND = re.compile(r"\s*([A-Za-z][A-Za-z-]+):")


def named(path: PathLike) -> str:
    """The name of a file in the line of an error."""
    return one_line(os.fspath(path))


@contextmanager
def errors_in(place: PathLike) -> Iterator[None]:
    """Put a place (a file, a node in it) in front of every input error, on one line."""
    try:
        yield
    except InputError as error:
        message = " ".join(str(error).split())
        raise type(error)(f"{named(place)}: {message}") from error


def kind_named(text: PathLike) -> str:
    """The word of ``word:…``, which is no file but names what follows; empty without one.

    >>> kind_named("Box: 0, 1"), kind_named("./box:1.json"), kind_named("C:/net.json")
    ('box', '', '')
    """
    found = _KIND.match(text) if isinstance(text, str) else None
    return found[1].lower() if found else ""


def require_file(path: PathLike) -> None:
    """Refuse what is missing, a directory or empty, before any format looks at it."""
    name = attempted(os.fspath, path, "path")
    try:
        status = os.stat(name)
    except FileNotFoundError:
        kind = kind_named(name)
        found = f"found {kind!r}, expected the name of a file" if kind else "no such file"
        raise InputError(f"{one_line(name)}: {found}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{one_line(name)}: cannot be read: {_reason(error)}") from None
    if stat.S_ISDIR(status.st_mode):
        raise InputError(f"{one_line(name)}: found a directory, expected a file")
    if stat.S_ISREG(status.st_mode) and status.st_size == 0:
        raise InputError(f"{one_line(name)}: the file is empty")


def unpacked_name(path: PathLike) -> str:
    """The file's name without folder and ``.gz``: its end says what is in it.

    >>> unpacked_name("nets/1_1.onnx.gz"), unpacked_name("XOR.JSON")
    ('1_1.onnx', 'XOR.JSON')
    """
    name = os.path.basename(os.fspath(path))
    return name[: -len(".gz")] if _is_packed(name) else name


def stem(path: PathLike) -> str:
    """The file's name without folder and suffix: the name of a network that has none."""
    return os.path.splitext(unpacked_name(path))[0]


def read_bytes(path: PathLike, effort: Effort = UNLIMITED) -> bytes:
    """The content of a file, unpacked if it is gzip data, within the memory of an effort."""
    require_file(path)
    most = _memory(effort)
    try:
        with open(path, "rb") as file:
            # One more than there are in a regular file, as read() allocates them first.
            size = os.fstat(file.fileno()).st_size
            data = file.read(min(size, most) + 1)
            if len(data) > size:
                # A pipe, or a device without an end.
                data += file.read(most)
    except OSError as error:
        raise InputError(f"{named(path)}: cannot be read: {_reason(error)}") from None
    if len(data) > most:
        raise _over_memory(f"{named(path)}: the file has", effort)
    if not data.startswith(_GZIP):
        return data
    with errors_in(path):
        return _gunzip(data, effort)


def _memory(effort: Effort) -> int:
    """How many bytes may be read."""
    return (effort.memory or default_memory()) // SHARES


def _over_memory(what: str, effort: Effort) -> Stopped:
    most, memory = memory_text(_memory(effort)), memory_text(effort.memory or default_memory())
    return Stopped(f"{what} more than {most}, the part of {memory} for reading (--max-memory)")


def _most_unpacked(packed: int) -> int:
    """How many bytes packed data may unfold to, if there is memory."""
    return max(MAX_UNPACKED_BYTES, MAX_RATIO * packed)


def _require_unpacked(size: int, packed: int, effort: Effort) -> None:
    """Refuse what unfolds to so many bytes, or to more, if that is too many."""
    if size > _most_unpacked(packed):
        raise InputError(f"unpacks to more than the limit of {memory_text(_most_unpacked(packed))}")
    if size > _memory(effort):
        raise _over_memory("unpacks to", effort)


def _gunzip(data: bytes, effort: Effort) -> bytes:
    parts, size = [], 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as unpacked:
            while part := unpacked.read(_AT_ONCE):
                effort.spend()
                size += len(part)
                _require_unpacked(size, len(data), effort)
                parts.append(part)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"found broken gzip data: {said(error)}") from None
    return b"".join(parts)


def read_text(path: PathLike, effort: Effort = UNLIMITED) -> str:
    """The UTF-8 text of a file (see :func:`read_bytes`)."""
    data = read_bytes(path, effort)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{named(path)}: byte {error.start}: found {data[error.start]:#04x}, "
            "expected UTF-8 text"
        ) from None


def unzip(data: bytes, effort: Effort = UNLIMITED) -> dict[str, bytes]:
    """The members of a zip archive by name; bombs and duplicate names are refused."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            before = min((info.header_offset for info in archive.infolist()), default=0)
            if before:
                # zipfile looks for an archive at the end of any file; those who write them do not.
                raise InputError(f"found an archive that begins at byte {before:,}, not at 0")
            infos = [info for info in archive.infolist() if not info.is_dir()]
            # zipfile never reads a member beyond the size that it declares.
            _require_unpacked(sum(info.file_size for info in infos), len(data), effort)
            members: dict[str, bytes] = {}
            for info in infos:
                effort.spend()
                if info.filename in members:
                    raise InputError(f"the archive holds {info.filename!r} twice")
                members[info.filename] = archive.read(info)
            return members
    except ExactReluError:
        raise
    except Exception as error:
        # zipfile has errors of its own, and of all it calls: what is encrypted is a RuntimeError.
        raise InputError(f"found no readable zip archive: {said(error)}") from None


@contextmanager
def atomic_writer(path: PathLike) -> Iterator[BinaryIO]:
    """A binary file that becomes ``path`` when the block ends, and vanishes if it fails.

    A device or pipe (``/dev/stdout``) is written to directly: there is nothing to replace.
    """
    try:
        target = os.path.realpath(path)
        status = os.stat(path)
    except ValueError as error:
        name = named(path)
        raise InputError(f"{name}: cannot be written: {_reason(error)}") from None
    except OSError:
        status = None
    if status is not None and stat.S_ISDIR(status.st_mode):
        raise InputError(f"{named(path)}: found a directory, expected a file to write")
    if status is not None and not stat.S_ISREG(status.st_mode):
        try:
            with open(path, "wb") as device:
                yield device
        except OSError as error:
            raise InputError(f"{os.fspath(path)}: cannot be written: {_reason(error)}") from error
        return
    directory, name = os.path.split(target)
    temporary = os.path.join(directory, f".{name[:100]}.{secrets.token_hex(4)}.tmp")
    try:
        file, is_named = _new_file(directory or ".", temporary)
    except (OSError, ValueError) as error:
        raise InputError(f"{named(path)}: cannot be written: {_reason(error)}") from None
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if not is_named:
                # With a folder, which is not used, Python follows the link to the file itself.
                number = file.fileno()
                os.link(f"/proc/self/fd/{number}", temporary, src_dir_fd=number)
        if status is not None:
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except OSError as error:
        raise InputError(f"{named(path)}: cannot be written: {_reason(error)}") from error
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


def _new_file(directory: str, name: str) -> tuple[BinaryIO, bool]:
    """A new file, without a name where the system can do that: it is gone if we are killed."""
    if hasattr(os, "O_TMPFILE"):
        with suppress(OSError):
            unnamed = os.open(directory, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o666)
            return os.fdopen(unnamed, "wb"), False
    return open(name, "xb"), True


def make_folder(path: PathLike) -> None:
    """A folder, with those above it, that is there afterwards."""
    try:
        os.makedirs(path, exist_ok=True)
    except (OSError, ValueError) as error:
        name = named(path)
        raise InputError(f"{name}: cannot be made: {_reason(error)}") from None


def atomic_write(path: PathLike, data: bytes) -> None:
    """Make ``data`` the whole content of a file, or leave the file as it was."""
    with atomic_writer(path) as file:
        file.write(data)


def write_bytes(path: PathLike, data: bytes) -> None:
    """Write a file, packed if its name ends in ``.gz``, with no time stamp in it."""
    if _is_packed(path):
        data = gzip.compress(data, mtime=0)
    atomic_write(path, data)


def _is_packed(path: PathLike) -> bool:
    return os.fspath(path).lower().endswith(".gz")


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
