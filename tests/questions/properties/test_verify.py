"""Queries and constraints: what is answered, what is told beside it, and what becomes of it."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from flint import fmpq

import exactrelu as er
from exactrelu.errors import InputError
from tests.checking import assert_accepted

ABSOLUTE = er.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
IDENTITY = er.from_arrays([[[1]]], [[0]])
HEAD = "(declare-const X_0 Real)\n(declare-const Y_0 Real)\n"
TWO = """(vnnlib-version <2.0>)
(declare-network f (declare-input X real [1]) (declare-output Y real [1]))
(declare-network g (declare-input V real [1]) (declare-output W real [1]))
"""


def asked(folder: Path, text: str, head: str = HEAD) -> Path:
    path = folder / "query.vnnlib"
    path.write_text(head + "".join(f"(assert {line})\n" for line in text.split(";")))
    return path


@pytest.mark.parametrize(
    ("text", "result", "witness"),
    [
        ("(<= X_0 3); (>= X_0 -1); (>= Y_0 3)", "sat", (3,)),
        ("(<= X_0 3); (>= X_0 -1); (> Y_0 3)", "unsat", None),
        ("(<= X_0 3); (>= X_0 -1); (<= Y_0 0)", "sat", (0,)),
        ("(<= X_0 3); (>= X_0 -1); (< Y_0 0)", "unsat", None),
        ("(< X_0 3); (>= X_0 -1); (>= Y_0 3)", "unsat", None),
        ("(== X_0 -2); (== Y_0 2)", "sat", (-2,)),
        ("(== X_0 (/ 1 3)); (!= Y_0 (/ 1 3))", "unsat", None),
        ("(or (<= X_0 -5) (>= X_0 5)); (<= X_0 9); (>= X_0 -9); (< Y_0 5)", "unsat", None),
        ("(< Y_0 X_0)", "unsat", None),
        ("(> Y_0 X_0); (>= X_0 -1000000000000)", "sat", None),
        ("(<= X_0 1e-300); (>= X_0 -1e-300); (> Y_0 1e-300)", "unsat", None),
    ],
)
def test_margins_of_exactly_0_are_decided(tmp_path, text, result, witness) -> None:
    found = er.verify(asked(tmp_path, text), ABSOLUTE)
    assert found.result == result
    assert_accepted([found.certificate], tmp_path)
    if witness is not None:
        assert found.witness == witness
    if found.result == "sat":
        assert found.assignment is not None
        assert found.assignment.named["Y_0"] == abs(found.witness[0])
    else:
        assert found.witness is found.assignment is None


@pytest.mark.parametrize(
    ("text", "result", "flag"),
    [
        ("(< X_0 0); (> X_0 0); (> Y_0 1)", "unsat", "no input satisfies the constraints"),
        ("(> X_0 0); (< Y_0 0); (> Y_0 0)", "unsat", "the constraints on outputs contradict"),
        ("(> X_0 0); (< X_0 1)", "sat", "no output is mentioned"),
        ("(> X_0 0); (< Y_0 -1)", "unsat", "input X_0 has no upper bound"),
    ],
)
def test_what_says_little_says_so(tmp_path, text, result, flag) -> None:
    found = er.verify(asked(tmp_path, text), ABSOLUTE)
    assert found.result == result
    assert any(flag in one for one in found.flags), found.flags
    assert_accepted([found.certificate], tmp_path)
    assert flag in str(found)


def test_outputs_that_contradict_each_other_need_no_network(tmp_path) -> None:
    """The published benchmark with two networks asks for this; no bound of a network helps."""
    wide = er.load("cases/networks/trained-2-8-8-1/network.json")
    head = "(declare-const X_0 Real)(declare-const X_1 Real)(declare-const Y_0 Real)"
    box = "(and (>= X_0 -9) (<= X_0 9)); (and (>= X_1 -9) (<= X_1 9))"
    some = "(or (and (> Y_0 (+ X_0 0.05)) (< Y_0 (- X_0 0.05))) (>= Y_0 100000))"
    for text in (f"{box}; (> Y_0 1); (< Y_0 1)", f"{box}; {some}"):
        found = er.verify(asked(tmp_path, text, head), wide)
        assert found.result == "unsat"
        assert_accepted([found.certificate], tmp_path)


def test_two_networks(tmp_path) -> None:
    networks = {"f": ABSOLUTE, "g": IDENTITY}
    linked = "(== X[0] V[0]); (<= X[0] 4.0); (>= X[0] -4.0)"
    equal = er.verify(asked(tmp_path, f"{linked}; (> Y[0] (+ W[0] 8.0))", TWO), networks)
    assert equal.result == "unsat"
    assert_accepted([equal.certificate], tmp_path)
    apart = er.verify(asked(tmp_path, f"{linked}; (>= Y[0] (+ W[0] 8.0))", TWO), networks)
    assert (apart.result, apart.witness) == ("sat", (-4, -4))
    assert apart.assignment is not None
    assert apart.assignment.text.splitlines() == [
        "X real [1]", "-4.0", "Y real [1]", "4.0", "V real [1]", "-4.0", "W real [1]", "-4.0"
    ]  # fmt: skip
    with pytest.raises(InputError, match="network g is missing"):
        er.verify(asked(tmp_path, linked, TWO), {"f": ABSOLUTE})


def test_files_that_are_packed_and_types_of_machines(tmp_path) -> None:
    text = asked(tmp_path, "(<= X_0 3); (>= X_0 -1); (> Y_0 3)").read_bytes()
    packed = tmp_path / "query.vnnlib.gz"
    packed.write_bytes(gzip.compress(text))
    assert er.verify(packed, ABSOLUTE).result == "unsat"
    floats = TWO.replace("real", "float32")
    with pytest.raises(InputError, match="real-query"):
        er.verify(asked(tmp_path, "(> Y[0] W[0])", floats), {"f": ABSOLUTE, "g": IDENTITY})


def test_a_deadline_is_told_in_the_words_of_the_standard(tmp_path) -> None:
    query = asked(tmp_path, "(<= X_0 3); (>= X_0 -1); (> Y_0 3)")
    late = er.verify(query, ABSOLUTE, timeout=0)
    assert (late.result, late.answer, late.certificate) == ("timed-out", None, None)


@pytest.mark.parametrize(
    ("constraints", "answer", "witness"),
    [
        ("y1 <= 3", True, None),
        ("y1 < 3", False, (3,)),
        (["y1 >= 0", "y1 >= x1"], True, None),
        ("y1 = x1", False, None),
        ("-x1 <= y1 <= 3", True, None),
        (er.polyhedra.Row.of((1,), 0), True, None),
        (er.polyhedra.Row.of((1, -1), 0), False, None),
    ],
)
def test_constraints_on_a_domain(tmp_path, constraints, answer, witness) -> None:
    found = er.holds(ABSOLUTE, "box:-1..3", constraints)
    assert found.answer is answer
    assert_accepted([found.certificate], tmp_path)
    if answer:
        assert found.witness is found.output is None
    else:
        assert found.output == ABSOLUTE(found.witness)
        assert witness in (None, found.witness)


def test_constraints_on_domains_of_every_kind(tmp_path) -> None:
    point = er.holds(ABSOLUTE, "box:2..2", "y1 = 2")
    assert point.answer is True
    space = er.holds(ABSOLUTE, None, "y1 >= x1")
    assert space.answer is True
    assert er.holds(ABSOLUTE, None, "y1 <= 1000000").answer is False
    for found in (point, space):
        assert_accepted([found.certificate], tmp_path)
    with pytest.raises(InputError, match="the domain is empty"):
        er.holds(ABSOLUTE, "box:1..0", "y1 >= 0")
    tiny = fmpq(1, 2**900)
    thin = er.holds(ABSOLUTE, [(-tiny, tiny)], er.polyhedra.Row.of((-1,), tiny))
    assert thin.answer is True
    assert_accepted([thin.certificate], tmp_path)
