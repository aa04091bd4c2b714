"""Wrong calls of everything public end in a result or in one line: :mod:`tests.public.wrong_calls`.

They are made in a process of its own, whose memory is bounded.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from exactrelu import api
from exactrelu.public.methods import METHODS
from tests.public.right_calls import NOT_CALLED, RIGHT, RIGHT_METHODS
from tests.seeds import seeds

ROOT = Path(__file__).parents[2]


def faults(*arguments: object) -> list[str]:
    """What the calls end in that are no errors of ours; one line says how many calls there were."""
    run = [sys.executable, "-m", "tests.public.wrong_calls", *map(str, arguments)]
    found = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    # The faults, and neither an error of the program itself nor the end of its process.
    assert found.returncode in (0, 1), found.stderr[-2000:]
    said, *lines = found.stdout.splitlines()
    assert int(said.split()[0].replace(",", "")) >= 500, said
    return lines


def test_everything_public_is_called() -> None:
    public = {name for name in api.__all__ if callable(getattr(api, name))}
    assert public == {*RIGHT, *NOT_CALLED}
    names = {f"{cls.__name__}.{name}" for cls, listed in METHODS.items() for name in listed}
    assert {name for name in names if not name.endswith("__init__")} == {
        *RIGHT_METHODS,
        "_Maker.__call__",
    }


@pytest.mark.parametrize("name", sorted(RIGHT.keys() - {"from_onnx", "from_torch"}))
def test_a_right_call_is_answered(name: str) -> None:
    getattr(api, name)(*RIGHT[name].args, **RIGHT[name].options)


@pytest.mark.parametrize("seed", seeds(1))
def test_wrong_calls_end_in_one_line(seed: int) -> None:
    assert faults(seed, 700) == []


@pytest.mark.sweep
def test_all_wrong_calls_end_in_one_line() -> None:
    assert faults(0) == []
