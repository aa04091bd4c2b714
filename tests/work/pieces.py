"""Calls and pieces of work for tests of processes that share them: light, as each imports it."""

from __future__ import annotations

import os
import signal
import stat
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from exactrelu.effort import Effort
from exactrelu.errors import InputError, MissingExtra


def stuck() -> None:
    """A loop in C that holds the interpreter and lets no signal handler run."""
    sum(range(10**15))


def die(number: int) -> None:
    os.kill(os.getpid(), number)


def leave(code: int) -> None:
    os._exit(code)


def die_while_sending() -> None:
    """Killed after the first bytes of a long answer."""
    for name in os.listdir("/proc/self/fd"):
        descriptor = int(name)
        if descriptor > 2 and stat.S_ISSOCK(os.stat(f"/proc/self/fd/{name}").st_mode):
            os.write(descriptor, struct.pack("!i", 1000) + b"x")
            die(signal.SIGKILL)


def refuse() -> None:
    raise InputError("bad, and said so")


def missing() -> None:
    raise MissingExtra("onnx", "onnx", "reading")


class Unreadable:
    """Can be sent, and not be read."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[int, int]]:
        return divmod, (1, 0)


def path() -> list[str]:
    return sys.path


def read() -> str:
    return sys.stdin.read()


# --- Pieces of work


def doubled(task: int, effort: Effort) -> int:
    return 2 * task


def later_if_even(task: int, effort: Effort) -> int:
    time.sleep(0.05 * (task % 2 == 0))
    return task


def fails(task: BaseException, effort: Effort) -> None:
    raise task


def fails_at(bad: int, error: BaseException, task: int, effort: Effort) -> int:
    if task == bad:
        raise error
    return task


def dies_at(bad: int, how: Any, times: int, folder: Path, task: int, effort: Effort) -> int:
    """The worker dies as often as told, which files in a folder count."""
    if task == bad:
        deaths = len(list(folder.iterdir()))
        if deaths < times:
            (folder / str(deaths)).touch()
            how()
    return task


def get_stuck(task: int, effort: Effort) -> None:
    stuck()


def wait_for_the_end(task: int, effort: Effort) -> None:
    while True:
        effort.spend()
        time.sleep(0.01)


def bounds_of(task: int, effort: Effort) -> tuple[float | None, int | None, bool]:
    return effort.seconds_left(), effort.memory, effort.is_shared


def say_who_and_get_stuck(task: int, effort: Effort) -> None:
    os.write(1, f"{os.getpid()}\n".encode())
    stuck()


def process(task: int, effort: Effort) -> int:
    return os.getpid()


def slow_process(task: int, effort: Effort) -> int:
    time.sleep(0.02)
    return os.getpid()


def where_and_later(task: int, effort: Effort) -> tuple[int, int]:
    time.sleep(0.2)
    return task, os.getppid()


def die_at_three(task: int, effort: Effort) -> int:
    if task == 3:
        die(signal.SIGKILL)
    return task
