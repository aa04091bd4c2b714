"""Exact values as ``--json`` writes them."""

import json

import pytest
from flint import fmpq, fmpz

from exactrelu.exact.matrix import Matrix
from exactrelu.network.formats.load import network_text
from exactrelu.network.network import Network
from exactrelu.view.text import plain

NETWORK = Network.from_arrays([[[1, "1/3"]], [[2]]], [[0], [1]], "small")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, None),
        (True, True),
        (7, 7),
        ("x", "x"),
        (fmpq(1, 3), "1/3"),
        (fmpz(10) ** 50, "1" + "0" * 50),
        ((fmpq(2), [fmpq(-1, 2)], ()), ["2", ["-1/2"], []]),
        ({"a": (1, fmpq(1))}, {"a": [1, "1"]}),
        (Matrix.from_entries(2, 2, [1, 2, 3, fmpq(1, 4)]), [["1", "2"], ["3", "1/4"]]),
        (NETWORK, json.loads(network_text(NETWORK))),
        (lambda: {"late": fmpq(1, 2)}, {"late": "1/2"}),
        ([lambda: 1, lambda: (fmpq(3),)], [1, ["3"]]),
    ],
)
def test_plain(value: object, written: object) -> None:
    assert plain(value) == written
    json.dumps(plain(value))


def test_nothing_is_written_that_is_not_exact() -> None:
    with pytest.raises(TypeError, match="set: no exact value"):
        plain({"a": {1, 2}})
