"""Which seeds random tests take: the same ones every day, others in ``make sweep``.

``SEED=n`` shifts them all by 1000 n; the default is 0. A failure prints the ``SEED`` it came with.
"""

from __future__ import annotations

import os

import pytest

SEED = int(os.environ.get("SEED", "0"))


def seeds(every_day: int, in_all: int) -> list[object]:
    """The parameters 0, 1, …; those from ``every_day`` on belong to the sweep alone."""
    start = 1000 * SEED
    return [
        pytest.param(start + k, marks=[pytest.mark.sweep] if k >= every_day else [])
        for k in range(in_all)
    ]
