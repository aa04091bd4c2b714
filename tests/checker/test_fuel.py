"""What certificates pay, by record (``fuel``): whatever is done has a price, in steps and lines."""

from __future__ import annotations

import io
import json

import pytest
from bundles import cases
from exactrelu_checker.check import Question
from exactrelu_checker.file import Limits
from fuel import Cost, measured, repeated, table, together, usual
from test_cases import check_bytes


def whole(data: bytes) -> tuple[int, dict[str, Cost]]:
    """All units, and the costs by record."""
    verdict, costs = measured(io.BufferedReader(io.BytesIO(data)))
    assert verdict == "ACCEPTED"
    return sum(cost.units for cost in costs.values()), costs


@pytest.mark.parametrize("key", ["tree/cone", "cells/at-least", "property/gaps", "hiding/one-live"])
def test_all_that_is_spent_is_measured(key: str) -> None:
    """So many units are enough, and one less is not."""
    data = cases()[key].data
    units, costs = whole(data)
    assert check_bytes(data, Question(Limits(fuel=units))).verdict == "ACCEPTED"
    assert check_bytes(data, Question(Limits(fuel=units - 1))).code == "out-of-fuel"
    words = {line.split(" ")[0] for line in cases()[key].lines[2:]}
    assert {name.split(" ")[-1] for name in costs} >= words | {"claim"}


def test_each_line_and_each_fact_has_a_price() -> None:
    """Whatever its size: many small ones take time too."""
    for case in usual():
        few, many = (whole(repeated(case.lines, number))[0] for number in (1, 5))
        assert many - few > 4 * (2048 + 96 * (len(case.lines) - 1))


def test_a_claim_is_paid_by_its_objects_and_its_length() -> None:
    network = {"layers": [{"inputs": 0, "matrix": ["1", [["7"]]], "outputs": 1}]}
    value = {
        "kind": "value",
        "network": "@1",
        "output": ["1", ["7"]],
        "point": ["1", []],
        "signs": [],
    }
    claim = {"facts": {"list": [value], "subjects": [network]}, "kind": "facts"}
    line = json.dumps(
        {"claim": claim, "format": "exactrelu-certificate/2"}, sort_keys=True, separators=(",", ":")
    )
    units = whole(repeated(cases()["points/value"].lines, 1))[1]["claim"].units
    assert units > 512 * line.count("{") + 2 * len(line)


def test_a_table_has_the_dearest_first() -> None:
    costs = together([{"a": Cost(10, 1.0)}, {"a": Cost(10, 2.0), "b": Cost(10, 5.0)}])
    assert [line.split()[-1] for line in table(costs).splitlines()] == ["b", "a"]
    assert costs["a"].rate == 1.5e8


def assert_a_threshold(data: bytes) -> None:
    """Accepted at 2F, refused at F/2, where F is what an accepted file needs."""
    needed = next(
        fuel
        for fuel in (1 << k for k in range(40))
        if check_bytes(data, Question(Limits(fuel=fuel))).verdict == "ACCEPTED"
    )
    assert check_bytes(data, Question(Limits(fuel=2 * needed))).verdict == "ACCEPTED"
    assert check_bytes(data, Question(Limits(fuel=needed // 2))).code == "out-of-fuel"


@pytest.mark.parametrize(
    "key",
    [
        "cells/at-least",
        "chains/flat-no-chain",
        "faces/bottleneck",
        "faces/flat-cancellation-free",
        "faces/flat-complex",
        "faces/flat-overfull",
        "folds/flat",
        "folds/union",
        "linear/spark",
        "minimal/both-sides",
        "points/local-regions",
        "property/deep-cuts",
        "property/gaps",
        "property/layers-cells",
        "rewriting/never-active",
        "shallow/identity",
        "symmetry/cycles",
        "tree/cone",
    ],
)
def test_fuel_is_a_threshold(key: str) -> None:
    assert_a_threshold(cases()[key].data)
