"""A progress bar on a terminal, for work of over a second."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def counting(unit: str) -> Iterator[Callable[..., object]]:
    """A function to call for each thing found, or with how many; the bar goes to stderr."""
    from tqdm import tqdm

    with tqdm(unit=f" {unit}", delay=1, disable=None, leave=False) as bar:
        yield bar.update
