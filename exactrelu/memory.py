"""How much memory there is and how much is held, and amounts of it as people write them.

A bound of memory is in bytes; without one, work may use most of the machine, or of the control
group that it runs in.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache

from exactrelu.errors import InputError, shortened

#: The part of the memory of the machine that is used if nothing is said.
SHARE_OF_MEMORY = 0.8

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def memory_in_use() -> int:
    """The bytes of memory that this process holds."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * page_size()
    except OSError:
        import resource

        # Elsewhere only the most that it ever held is known: kilobytes, on macOS bytes.
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


def page_size() -> int:
    """The bytes of a page of memory."""
    return os.sysconf("SC_PAGE_SIZE")


def memory_of_machine() -> int:
    """The bytes of memory of the machine, or of its control group if that allows fewer."""
    found = [page_size() * os.sysconf("SC_PHYS_PAGES")]
    groups = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
    with suppress(OSError):
        with open("/proc/self/cgroup", encoding="ascii") as file:
            lines = [line.rstrip("\n").split(":", 2) for line in file]
        groups += [f"/sys/fs/cgroup{path}/memory.max" for _, names, path in lines if not names]
    for path in groups:
        # "max", or nothing there: no bound.
        with suppress(OSError, ValueError), open(path, encoding="ascii") as file:
            found.append(int(file.read()))
    return min(found)


@cache
def default_memory() -> int:
    """The bytes that may be used if nothing is said."""
    return int(SHARE_OF_MEMORY * memory_of_machine())


def memory_bytes(value: int | str) -> int:
    """Bytes, from a number or from a text.

    >>> memory_bytes("500M"), memory_bytes("1.5g"), memory_bytes(4096)
    (524288000, 1610612736, 4096)
    """
    if isinstance(value, int) and not isinstance(value, bool):
        n_bytes = value
    elif not isinstance(value, str):
        n_bytes = 0
    else:
        text = value.strip().upper().removesuffix("B").removesuffix("I")
        unit = text[-1:] if text[-1:] in _UNITS else ""
        try:
            n_bytes = int(float(text.removesuffix(unit)) * _UNITS[unit])
        except (ValueError, OverflowError):
            n_bytes = 0
    if n_bytes <= 0:
        found = shortened(value)
        raise InputError(f"memory: found {found}, expected bytes, or a size such as 500M or 2G")
    return n_bytes


def memory_text(n_bytes: int) -> str:
    """Bytes for people.

    >>> memory_text(2**31), memory_text(5 * 10**8)
    ('2 GB', '477 MB')
    """
    for unit, size in (("TB", 2**40), ("GB", 2**30), ("MB", 2**20)):
        if n_bytes >= size:
            amount = n_bytes / size
            return (
                f"{amount:.1f} {unit}".replace(".0 ", " ")
                if amount < 10
                else (f"{amount:,.0f} {unit}")
            )
    return f"{n_bytes:,} bytes"
