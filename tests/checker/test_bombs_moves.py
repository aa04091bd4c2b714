"""Small files about equality and isomorphism that ask for much work end at a limit, soon."""

from __future__ import annotations

import json
from typing import Any

import pytest
from bundles import sealed
from exactrelu_checker.check import Question
from exactrelu_checker.file import Limits
from test_cases import check_bytes

LIMITS = Question(Limits(fuel=30_000_000))


def layer(inputs: int, outputs: int, entry: str = "1") -> Any:
    row = [entry] * inputs + ["0"]
    return {"inputs": inputs, "matrix": ["1", [row] * outputs], "outputs": outputs}


def head(**fields: Any) -> str:
    value = {"claim": fields, "format": "exactrelu-certificate/2"}
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


@pytest.mark.parametrize("entry", ["1", "7" * 300])
def test_colours_of_a_deep_network(entry: str) -> None:
    """Scales grow from level to level, and every level passes over all neurons."""
    network = {"layers": [layer(1, 1, entry)] * 1500}
    line = head(kind="isomorphic", holds=False, a=network, b=network)
    assert check_bytes(sealed([line, "by colours"]), LIMITS).code == "out-of-fuel"


def test_colours_of_equal_neurons() -> None:
    """All neurons alike: a named one has as many cases, each with all colours anew."""
    network = {"layers": [layer(1, 40), layer(40, 40), layer(40, 1)]}
    line = head(kind="isomorphic", holds=False, a=network, b=network)
    lines = [line, "by colours", *["individualise 0 0 0"] * 3000]
    assert check_bytes(sealed(lines), LIMITS).code == "out-of-fuel"


def test_steps_behind_a_wide_layer() -> None:
    """Each step is about the points >= 0 of a space that no record lists."""
    network = {"layers": [layer(1, 2000), layer(2000, 1)]}
    line = head(kind="equal", holds=True, a=network, b=network, domain={"dim": 1, "rows": []})
    step = ["replace 1 1", "widths 1", "layer 1" + " 1" * 2001, "by shallow"]
    lines = [line, "by rewriting", "inside 0 1", *step * 100]
    assert check_bytes(sealed(lines), LIMITS).code == "out-of-fuel"
