"""Small files about trees of signs that ask for much work or memory end at a limit, soon."""

from __future__ import annotations

from typing import Any

from bundles import sealed
from exactrelu_checker.check import Outcome
from test_bombs_boxes import LIMITS, LONG, case
from test_bombs_moves import head, layer
from test_cases import check_bytes


def box(n: int) -> Any:
    """-1 <= x_i <= 1."""
    rows = [
        [*(f"{sign * (i == j):x}" for j in range(n)), "1"] for sign in (-1, 1) for i in range(n)
    ]
    return {"dim": n, "rows": sorted((["ge", row] for row in rows), key=by_numbers)}


def by_numbers(row: Any) -> Any:
    return [int(x, 16) for x in row[1]]


def units(n: int, inputs: int = 1) -> Any:
    """A layer of n units, all of which are x_1."""
    row = ["1", *["0"] * inputs]
    return {"inputs": inputs, "matrix": ["1", [row] * n], "outputs": n}


def checked(networks: list[Any], *records: str) -> Outcome:
    """The verdict on a proof by splits."""
    n = networks[0]["layers"][0]["inputs"]
    line = head(
        kind="property",
        holds=True,
        networks=networks,
        domain=box(n),
        cases=[case(n + 1, "1", "-1")],
    )
    inside = " ".join(["inside", *["0"] * n, "1"])
    return check_bytes(sealed([line, "by splits", inside, *records]), LIMITS)


def test_a_chain_of_cuts() -> None:
    """Each node that waits has all cuts above it."""
    network = {"layers": [units(2000), layer(2000, 1)]}
    records = [f"cut {u:x}" for u in range(2000)]
    assert checked([network], *records).code == "out-of-fuel"


def test_many_records_about_many_units() -> None:
    """Shares of all units at each record; a row of all of them at each leaf."""
    network = {"layers": [units(1500), layer(1500, 1)]}
    assert checked([network], *["slopes 0"] * 4000).code == "out-of-fuel"
    leaf = "leaf 2 1 1 3 1"
    leaves = [f"{leaf}{' 0' * (u + 1)}\ncut {u + 1:x}" for u in range(1000)]
    assert checked([network], "cut 0", *leaves).code in ("out-of-fuel", "no-contradiction")


def test_ends_of_wide_layers() -> None:
    """Each of these units goes down through all layers before, on both sides."""
    dense = {"inputs": 250, "matrix": ["1", [["1", "-1"] * 125 + ["0"]] * 250], "outputs": 250}
    network = {"layers": [units(250), *[dense] * 3, layer(250, 1)]}
    assert checked([network], "leaf 0").code == "out-of-fuel"


def test_long_weights() -> None:
    """They are paid for by their bits, and then too large."""
    weights = [[LONG, "0"], ["-" + LONG, "0"]] * 40
    first = {"inputs": 1, "matrix": ["1", weights], "outputs": 80}
    assert checked([{"layers": [first, layer(80, 1)]}], "leaf 0").code == "out-of-fuel"


def test_long_multipliers() -> None:
    network = {"layers": [units(2), layer(2, 1)]}
    leaf = f"leaf 1 3 1 {LONG}"
    found = checked([network], *["cut 0", leaf, "cut 1", f"{leaf} {LONG}", f"{leaf} {LONG}"])
    assert found.code == "bounds-too-long"
    assert checked([network], f"leaf 1 3 {LONG}").code == "no-contradiction"
    assert checked([network], f"slopes {LONG}").code == "wrong-slopes"
