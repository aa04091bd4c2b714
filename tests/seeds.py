"""Which seeds random tests take: the same ones every day, others in ``make sweep``.

``SEED=n`` shifts them all by 1000 n; the default is 0. A failure prints the ``SEED`` it came with.
"""

from __future__ import annotations

import os

import pytest

SEED = int(os.environ.get("SEED", "0"))

#: Whether the sweep may be asked for; ``conftest.py`` says no where its tests are left out anyway.
WITH_SWEEP = True


def shifted(seed: int) -> int:
    """The seed of a test that is not repeated, this one every day."""
    return seed + 1000 * SEED


def seeds(every_day: int, in_all: int | None = None) -> list[object]:
    """The parameters 0, 1, …; those from ``every_day`` on belong to the sweep alone.

    Most of the sweep are such parameters: a daily run does not make what it would leave out.
    """
    in_all = every_day if in_all is None or not WITH_SWEEP else in_all
    return [
        pytest.param(shifted(k), marks=[pytest.mark.sweep] if k >= every_day else [])
        for k in range(in_all)
    ]
