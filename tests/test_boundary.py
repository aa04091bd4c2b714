"""What leaves the library holds the numbers that users get, wherever one looks."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import fmpq, fmpz

import exactrelu as er
from tests.test_display import RESULTS

#: Of many alike, so many are looked at.
MOST = 3
#: Attributes that are FLINT's by their name.
INSIDE = {"integer_form", "hull", "chart", "effort", "search"}


def bare(value: Any, where: str = "", seen: set[int] | None = None) -> Iterator[str]:
    """Where numbers of FLINT lie open, below a value."""
    seen = set() if seen is None else seen
    if type(value) in (fmpq, fmpz):
        yield f"{where}: {type(value).__name__}"
        return
    if id(value) in seen or isinstance(value, str | bytes | int | float | Enum | er.Rational):
        return
    seen.add(id(value))
    # What is made by a property must live as long as its id is remembered.
    KEPT.append(value)
    if isinstance(value, Mapping):
        for key, entry in islice(value.items(), MOST):
            yield from bare(key, f"{where} key", seen)
            yield from bare(entry, f"{where}[…]", seen)
    elif isinstance(value, tuple | list | set | frozenset):
        for entry in islice(value, MOST):
            yield from bare(entry, f"{where}[]", seen)
    elif isinstance(value, np.ndarray):
        if value.dtype == object:
            yield from bare(list(value.flat), where, seen)
        return
    if type(value).__module__.startswith("exactrelu") and not isinstance(value, type):
        for name in dir(type(value)) + list(getattr(value, "__dict__", {})):
            # The transpose of a transpose and the like are new objects without end.
            if (
                name.startswith("_")
                or name in INSIDE
                or name in dir(tuple)
                or name in where.split(".")
            ):
                continue
            yield from bare(_seen_as(value, name), f"{where}.{name}", seen)
        if hasattr(value, "__iter__") and not isinstance(value, tuple):
            yield from bare(list(islice(value, MOST)), f"{where}[]", seen)


KEPT: list[Any] = []


def _seen_as(value: Any, name: str) -> Any:
    """An attribute, or what a method gives that needs nothing."""
    try:
        found = getattr(value, name)
    except (er.ExactReluError, AttributeError, TypeError):
        return None
    if not inspect.ismethod(found):
        return None if callable(found) and not hasattr(found, "_plain") else found
    if name in {"save", "check", "plot"} or isinstance(found.__self__, type):
        return None
    parameters = inspect.signature(found).parameters.values()
    if any(
        p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in parameters
    ):
        return None
    return found()


@pytest.mark.parametrize("name", RESULTS)
def test_a7_results_hold_rationals(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert sorted(set(bare(RESULTS[name](), name))) == []
