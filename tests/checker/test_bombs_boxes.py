"""Small files about properties that ask for much work or memory end at a limit, soon."""

from __future__ import annotations

from typing import Any

import pytest
from bundles import sealed
from exactrelu_checker.check import Outcome, Question
from exactrelu_checker.file import Limits
from test_bombs_moves import head, layer
from test_cases import check_bytes

LIMITS = Question(Limits(fuel=30_000_000))
LONG = "7" * 200_000


def box(n: int) -> Any:
    """0 <= x_i <= 2."""
    units = [["1" if i == j else "0" for j in range(n)] for i in range(n)]
    rows = [["ge", [*row, "0"]] for row in reversed(units)]
    others = [["ge", [*("-1" if x == "1" else "0" for x in row), "2"]] for row in units]
    return {"dim": n, "rows": [*others, *rows]}


def case(n: int, *last: str) -> Any:
    """A row that depends on none of n variables but the last ones."""
    return {"dim": n, "rows": [["ge", ["0"] * (n + 1 - len(last)) + [*last]]]}


def checked(networks: list[Any], domain: Any, claimed: list[Any], *records: str) -> Outcome:
    """The verdict on a proof by bounds."""
    line = head(kind="property", holds=True, networks=networks, domain=domain, cases=claimed)
    inside = " ".join(["inside", *["1"] * domain["dim"], "1"])
    return check_bytes(sealed([line, "by bounds", inside, *records]), LIMITS)


def wide(n: int, units: int, *more: Any) -> Any:
    return {"layers": [layer(n, units), *more, layer(units, 1)]}


def test_a_chain_of_cuts() -> None:
    """Every cut leaves a box that waits, of as many ends as there are coordinates."""
    line = {"layers": [layer(1, 1)]}
    assert checked([line], box(1), [case(2, "-1")], "joined", *["cut 0 0"] * 200_000).code == (
        "out-of-fuel")  # fmt: skip
    many = {"layers": [layer(300, 1)]}
    space = {"dim": 300, "rows": []}
    assert checked([many], space, [case(301, "-1")], "joined", *["cut 0 0"] * 6000).code == (
        "out-of-fuel")  # fmt: skip


def test_a_box_of_many_inputs_costs_what_its_rows_hold() -> None:
    """A row of a box has one entry: 2n rows in n coordinates cost n^2, not n^3."""
    line = {"layers": [layer(300, 1)]}
    found = checked([line], box(300), [case(301, "-1")], "joined", f"leaf 1 {601:x} 1")
    assert (found.verdict, found.code) == ("ACCEPTED", "")


@pytest.mark.parametrize("more", [(), ("cut 0 10000000000",)])
def test_anchors(more: tuple[str, ...]) -> None:
    """Bounds of all units anew; with cuts between them they are kept."""
    records = ["anchor", *more] * 3000
    network = wide(1, 60, layer(60, 60))
    assert checked([network], box(1), [case(2, "1", "-1")], "joined", *records).code == (
        "out-of-fuel")  # fmt: skip
    signed = wide(1, 1000)
    assert checked([signed], box(1), [case(2, "1", "-1")], "joined", *records).code == (
        "out-of-fuel")  # fmt: skip


def test_gaps_of_wide_layers() -> None:
    """Rows of twice as many units, twice as long."""
    network = wide(1, 600, layer(600, 600))
    code = checked([network, network], box(2), [case(4, "1", "-1")], "gaps", "anchor").code
    assert code == "out-of-fuel"


def test_many_networks_side_by_side() -> None:
    """The matrix has as many rows and columns as there are networks."""
    space = {"dim": 1500, "rows": []}
    code = checked([wide(1, 2)] * 1500, space, [case(3000, "-1")], "joined").code
    assert code == "out-of-fuel"


def test_a_shallow_network_is_carried_through_many_layers() -> None:
    deep = {"layers": [layer(1, 1)] * 1000}
    flat = {"layers": [layer(1, 30)]}
    assert checked([deep, flat], box(2), [case(33, "-1")], "joined").code == "out-of-fuel"


def test_many_outputs() -> None:
    """A case for each output, with a row over all of them."""
    network = {"layers": [layer(0, 2000)]}
    fields = {"a": network, "b": network, "bound": ["1", "0"], "domain": {"dim": 0, "rows": []}}
    line = head(kind="within", holds=True, **fields)
    data = sealed([line, "by bounds", "inside 1", "joined"])
    assert check_bytes(data, LIMITS).code == "out-of-fuel"


def test_many_rows_at_many_leaves() -> None:
    """A leaf looks at all rows of the domain and of each case."""
    rows = [["ge", ["1", f"{k:x}"]] for k in range(10_000)]
    leaf = "leaf" + f" 1 {10_001:x} 1" * 200
    records = ["cut 0 0", leaf] * 20
    line = {"layers": [layer(1, 1)]}
    assert checked([line], {"dim": 1, "rows": rows}, [case(2, "-1")] * 200, "joined", *records
                   ).code == "out-of-fuel"  # fmt: skip


def test_a_leaf_of_many_multipliers() -> None:
    """Each is paid for with the width of its row."""
    n = 300
    record = f"leaf {200_000:x}" + " 1 1" * 200_000
    space = {"dim": n, "rows": []}
    outcome = checked([{"layers": [layer(n, 1)]}], space, [case(n + 1, "-1")], "joined", record)
    assert outcome.code == "out-of-fuel"


def test_long_ends() -> None:
    """Cuts of a box without ends may be long; an anchor asks for short ends."""
    space = {"dim": 1, "rows": []}
    line = {"layers": [layer(1, 1)]}
    cuts = [f"cut 0 -{LONG}", "leaf 1 1 1", f"cut 0 {LONG}", *["cut 0 0", "leaf 1 1 1"] * 20_000]
    assert checked([line], space, [case(2, "1", "0", "0")], "joined", *cuts).code in (
        "no-contradiction", "out-of-fuel")  # fmt: skip
    anchors = [f"cut 0 -{LONG}", "leaf 1 1 1", f"cut 0 {LONG}", "anchor"]
    claimed = [{"dim": 2, "rows": [["ge", ["0", "0", "-1"]]]}]
    assert checked([wide(1, 1)], space, claimed, "joined", *anchors).code == "bounds-too-long"


def test_trees_of_neurons_on_many_boxes() -> None:
    """Each begins with the rows of the first layer."""
    domain = {"dim": 1, "rows": [["ge", ["-1", "2"]], ["gt", ["1", "0"]]]}
    records = ["cut 0 0", "cells", "empty 2 2 10000000000 4 1"] * 10_000
    network = wide(1, 1000)
    assert checked([network], domain, [case(2, "-1")], "joined", *records).code == "out-of-fuel"
