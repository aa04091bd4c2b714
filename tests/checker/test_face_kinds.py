"""Sentences, fuel and bombs of the kinds about faces, folds and chains."""

from __future__ import annotations

import json
from typing import Any

from bundles import cases, sealed
from exactrelu_checker.check import Question
from exactrelu_checker.file import Limits
from test_cases import check_bytes

BUNDLES = ("faces", "folds", "chains")


def claim(**fields: Any) -> str:
    value = {"claim": fields, "format": "exactrelu-certificate/2"}
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def wide(n: int, *heights: int) -> dict[str, Any]:
    """A network with weights 1, 2, 3, … modulo 5."""
    layers, width = [], n
    for height in heights:
        rows = [[f"{(3 * i * i + j * j + j) % 5 + 1:x}" for j in range(width + 1)]
                for i in range(height)]  # fmt: skip
        layers.append({"inputs": width, "matrix": ["1", rows], "outputs": height})
        width = height
    return {"layers": layers}


def test_sentences_say_where() -> None:
    flat = check_bytes(cases()["folds/flat"].data).claim
    assert flat.startswith(
        "in the relative interior of {x in R^2 : x1 = 0} (flat: said in its affine hull) the "
        "fold-set of N1 (2-3-2, sha256 "
    )
    union = check_bytes(cases()["folds/union"].data).claim
    assert union.startswith("in the interior of the union U1 (2 boxes in R^1, sha256 ")
    assert union.endswith('has the pieces [[1,["1","0"],["1",["0"]]]] and the dependencies []; '
                          "0 facets are not in it")  # fmt: skip
    sentences = {}
    for case in cases().values():
        if case.bundle in BUNDLES and case.verdict == "ACCEPTED":
            outcome = check_bytes(case.data)
            assert outcome.trusts.endswith("trusts NOTHING")
            text = json.dumps(json.loads(case.lines[0])["claim"], sort_keys=True)
            assert sentences.setdefault(outcome.claim, text) == text
            assert outcome.claim.isascii()


def test_many_minors_run_out_of_fuel() -> None:
    domain = {"dim": 24, "rows": []}
    head = claim(kind="supertransversal", network=wide(24, 1, 24, 1), domain=domain, holds=True)
    zeros = " 0" * 24 + " 1"
    lines = [head, "by bottleneck", f"inside{zeros}", "minor 7 0 0", "modulus 1fffffffffffffff"]
    assert check_bytes(sealed(lines)).code == "minor-zero"
    rows = [[f"{(i + 2) ** j:x}" for j in range(25)] for i in range(24)]
    network = wide(24, 24, 24, 1)
    network["layers"][0]["matrix"][1] = [
        ["1" if i == j else "0" for j in range(25)] for i in range(24)
    ]
    network["layers"][1]["matrix"][1] = rows
    head = claim(kind="supertransversal", network=network, domain=domain, holds=True)
    units = " ".join(f"{k:x}" for k in range(24))
    minor = f"minor 7 {units} {units}"
    lines = [head, "by bottleneck", f"inside{zeros}", minor, "modulus 1fffffffffffffff"]
    assert check_bytes(sealed(lines), Question(Limits(fuel=30_000_000))).code == "out-of-fuel"


def test_a_wide_union_runs_out_of_fuel() -> None:
    """A frame has more numbers than the boxes that it is made of."""
    n = 1500
    boxes = {"cols": 2 * n, "matrix": ["1", [["0", "1"] * n]], "rows": 1}
    head = claim(kind="no-chain", network=wide(n, 1, 1), domain={"boxes": boxes}, layer=0, neuron=0)
    data = sealed([head, "by faces", "split 0"])
    assert check_bytes(data, Question(Limits(fuel=100_000_000))).code == "out-of-fuel"


def test_long_numbers_run_out_of_fuel() -> None:
    """Functions on cells have long numbers, which are paid before."""
    long = "1" + "0" * 200_000
    network = {"layers": [
        {"inputs": 2, "matrix": ["1", [[long, long[:-1] + "1", "0"]]], "outputs": 1},
        {"inputs": 1, "matrix": ["1", [["1", "0"]]], "outputs": 1},
    ]}  # fmt: skip
    head = claim(kind="cancellation-free", network=network, domain={"dim": 2, "rows": []},
                 holds=False)  # fmt: skip
    faces = ["faces 3", "face 0 0 1", "face 1 0 0", "face 0 1 0"]
    tree = ["by faces", "split 0", "cell -1 0 1", "cell 0 1", "cell 1 0 1"]
    data = sealed([head, "by part", "inside 0 0 1", "part", *faces, *tree])
    assert check_bytes(data, Question(Limits(fuel=30_000_000))).code == "out-of-fuel"
    assert check_bytes(data, Question(Limits(fuel=10**9))).code == "no-facet-cancelled"
