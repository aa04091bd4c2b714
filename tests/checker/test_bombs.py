"""Small files that ask for much work or memory end at a limit, soon."""

from __future__ import annotations

import gzip
import json
from time import process_time
from typing import Any

import pytest
from bundles import cases, sealed
from exactrelu_checker.check import Question
from exactrelu_checker.file import Limits
from test_cases import check_bytes


def claim(**fields: Any) -> str:
    value = {"claim": fields, "format": "exactrelu-certificate/2"}
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def test_a_long_chain_of_cuts_runs_out_of_fuel() -> None:
    """Every cut makes its node longer: time and memory would grow with the square."""
    lines = list(cases()["cells/cut"].lines[:3]) + ["cut 1 0"] * 200_000
    assert check_bytes(sealed(lines)).code == "out-of-fuel"


def test_long_numbers_run_out_of_fuel() -> None:
    """Products, common divisors and solutions of long integers are paid before."""
    long = "f" * 2_000_000
    lines = list(cases()["tree/cone"].lines)
    lines[5] = f"cell {long} {long} {long}"
    limits = Limits(fuel=100_000_000)
    assert check_bytes(sealed(lines), Question(limits)).verdict in ("REJECTED", "LIMIT")
    system = {"dim": 1, "rows": [["ge", [long, "-" + long]]] * 3}
    head = claim(kind="nonempty", system=system, holds=True)
    data = sealed([head, "by point", f"point {long} {long}"])
    assert check_bytes(data, Question(limits)).code == "out-of-fuel"


@pytest.mark.parametrize("kind", ["nonempty", "bounded"])
def test_a_huge_dimension_allocates_nothing(kind: str) -> None:
    head = claim(kind=kind, system={"dim": 10**14, "rows": []}, holds=True)
    method = {"nonempty": "point", "bounded": "multipliers"}[kind]
    word = {"nonempty": "point 1", "bounded": "multipliers 0"}[kind]
    assert check_bytes(sealed([head, f"by {method}", word, "minor 2"])).code == "wrong-length"


def test_a_matrix_without_rows_may_be_wide() -> None:
    matrix = {"cols": 10**14, "matrix": ["1", []], "rows": 0}
    for method, record in (("cholesky", "factor 1"), ("vector", "vector 1")):
        sense = "at-least" if method == "cholesky" else "at-most"
        head = claim(kind="sigma-min", matrix=matrix, sense=sense, bound=["1", "0"])
        assert check_bytes(sealed([head, f"by {method}", record])).code == "wrong-length"


def test_many_networks_are_numbered_in_linear_time() -> None:
    """No fuel is paid for a sentence: comparing each network with all before would take minutes."""
    n = 30_000
    numbers = [format(i, "x") for i in range(n)]
    subjects = [
        {"layers": [{"inputs": 0, "matrix": ["1", [[number]]], "outputs": 1}]} for number in numbers
    ]
    values = [
        {"kind": "value", "network": f"@{i}", "output": ["1", [number]], "point": ["1", []],
         "signs": []} for i, number in enumerate(numbers, 1)
    ]  # fmt: skip
    head = claim(kind="facts", facts={"list": values, "subjects": subjects})
    start = process_time()
    assert check_bytes(sealed([head, "by facts"])).code == "missing-method"
    assert process_time() - start < 30


def test_bomb_of_gzip() -> None:
    data = gzip.compress(b"a" * (1 << 27), mtime=0)
    assert check_bytes(data, Question(Limits(line=1 << 20))).code == "line-too-long"
    data = gzip.compress(b"a\n" * (1 << 20), mtime=0)
    assert check_bytes(data).verdict == "MALFORMED"


def test_spark_of_many_rows_runs_out_of_fuel() -> None:
    rows = [[format(k**j, "x") for j in range(20)] for k in range(1, 61)]
    matrix = {"cols": 20, "matrix": ["1", rows], "rows": 60}
    head = claim(kind="spark", matrix=matrix, spark=21)
    combination = "combination " + " ".join(format(k, "x") for k in range(21)) + " 1" * 21
    code = check_bytes(sealed([head, "by independent", combination, "independent 3b9aca07"])).code
    assert code == "combination-not-zero"
    matrix = {"cols": 60, "matrix": ["1", [["1" if i == j else "0" for j in range(60)]
                                          for i in range(60)]], "rows": 60}  # fmt: skip
    head = claim(kind="spark", matrix=matrix, spark=61)
    assert check_bytes(sealed([head, "by independent", "independent 2"]), Question(
        Limits(fuel=10_000_000))).verdict == "ACCEPTED"  # fmt: skip
