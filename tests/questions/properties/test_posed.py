"""Queries as properties: the same truth at every point, shapes, several networks, hidden nodes."""

from __future__ import annotations

import math
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.exact.system import Sense
from exactrelu.network.formats.load import load, save
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import proves_empty
from exactrelu.questions.linear import is_nonempty
from exactrelu.questions.properties.posed import Posed, property_of
from exactrelu.questions.properties.versions import parse_query, real_query
from tests.questions.properties.formulas import (
    ACAS,
    DATA,
    NUMBERS,
    needs_data,
    random_formula,
    value,
    version1,
    version2,
)
from tests.seeds import seeds

ABSOLUTE = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])


def small_network(rng: random.Random, n_inputs: int, n_outputs: int) -> Network:
    widths = [n_inputs, rng.randint(1, 3), n_outputs]
    weights = [
        [[rng.randint(-2, 2) for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)
    ]
    biases = [[rng.randint(-1, 1) for _ in range(m)] for m in widths[1:]]
    return Network.from_arrays(weights, biases)


@pytest.mark.parametrize("seed", seeds(80, 800))
def test_a_property_fails_where_the_formula_holds(seed: int) -> None:
    rng = random.Random(seed)
    names = ["X_0", "X_1", "Y_0"]
    network = small_network(rng, 2, 1)
    trees = [random_formula(rng, names, rng.randint(0, 3)) for _ in range(rng.randint(1, 3))]
    posed, other = (
        property_of(parse_query(text(trees, 2, 1)), {"N": network}) for text in (version1, version2)
    )
    assert (posed.system, posed.cases, posed.domain) == (other.system, other.cases, other.domain)
    for _ in range(30):
        x = rng.choice(NUMBERS), rng.choice(NUMBERS)
        point = tuple(fmpq(q.numerator, q.denominator) for q in x)
        (y,) = network(x)
        at = dict(zip(names, [*x, y], strict=True))
        expected = all(value(tree, at) for tree in trees)
        assert posed.values(point) == (*point, y)
        assert is_satisfied(posed, point) is expected


def is_satisfied(posed: Posed, x: tuple[fmpq, ...]) -> bool:
    if posed.domain is None:
        assert posed.empty is not None
        assert proves_empty(posed.system, posed.empty.multipliers)
        return False
    return posed.property.case_at(x) is not None


def text(*assertions: str) -> str:
    lines = ["(declare-const X_0 Real)", "(declare-const Y_0 Real)"]
    return "\n".join([*lines, *(f"(assert {assertion})" for assertion in assertions)])


def test_what_all_cases_say_of_inputs_is_the_domain() -> None:
    boxes = "(or (and (>= X_0 1) (<= X_0 2)) (and (> X_0 4) (<= X_0 5)) (== X_0 3))"
    posed = property_of(parse_query(text(boxes, "(or (<= Y_0 X_0) (>= Y_0 7))")), ABSOLUTE)
    assert posed.domain is not None
    assert posed.domain.text == "box:1..5"
    # The cases keep what is left: at the ends of the hull nothing.
    assert [len(case.rows) for case in posed.cases] == [2, 2, 2, 2, 2, 2]
    assert {row.sense for row in posed.cases[2].rows} == {Sense.GREATER, Sense.AT_LEAST}
    assert "6 cases" in repr(posed)


def test_rows_of_every_case_are_the_domain_too() -> None:
    query = parse_query(text("(or (and (< X_0 1) (<= Y_0 0)) (and (< X_0 1) (>= Y_0 1)))"))
    posed = property_of(query, ABSOLUTE)
    assert [row.sense for row in posed.system.rows] == [Sense.GREATER]
    assert [len(case.rows) for case in posed.cases] == [1, 1]


@needs_data
def test_the_union_of_boxes_of_property_6() -> None:
    (path,) = (path for path in ACAS if path.name == "prop_6.vnnlib")
    net = load(DATA / "acasxu" / "nets" / "1_1.onnx.gz")
    posed = property_of(parse_query(real_query(path.read_text())), net)
    assert len(posed.cases) == 8
    assert len(posed.system.rows) == 10
    assert posed.domain is not None
    assert [len(case.rows) for case in posed.cases] == [2] * 8
    x = (fmpq(0), fmpq(3, 10), fmpq(-4995, 10000), fmpq(0), fmpq(0))
    y = posed.property.outputs(x)
    assert (posed.property.case_at(x) is not None) is any(y[i] <= y[0] for i in range(1, 5))
    assert posed.property.case_at((fmpq(0), fmpq(0), *x[2:])) is None


@needs_data
def test_two_networks_of_a_public_query() -> None:
    folder = DATA / "acasxu"
    query = parse_query((folder / "pruned_equivalence.vnnlib").read_text())
    name = "ACASXU_run2a_1_1_batch_2000"
    networks = {"f": folder / f"{name}.onnx", "g": folder / f"{name}_pruned5.onnx"}
    posed = property_of(query, networks)
    assert posed.domain is not None
    assert (posed.n_inputs, posed.domain.inner_dimension) == (10, 4)
    assert len(posed.cases) == 1
    assert len(posed.cases[0].rows) == 10


MONOTONE = """(vnnlib-version <2.0>)
(declare-network f (declare-input X real [1]) (declare-output Y real [1]))
(declare-network g (equal-to f) (declare-input W real [1]) (declare-output Z real [1]))
(assert (<= X[0] W[0])) (assert (> Y[0] Z[0]))"""


def test_equal_networks_have_one_file() -> None:
    posed = property_of(parse_query(MONOTONE), {"f": ABSOLUTE})
    assert posed.networks == (ABSOLUTE, ABSOLUTE)
    assert posed.property.case_at((fmpq(-2), fmpq(1))) == 1
    assert posed.property.case_at((fmpq(1), fmpq(2))) is None
    assert [posed.query.name(v) for v in range(4)] == ["X[0]", "Y[0]", "W[0]", "Z[0]"]
    assert posed.values((fmpq(-2), fmpq(1))) == (-2, 2, 1, 1)
    assert property_of(parse_query(MONOTONE), ABSOLUTE).networks == posed.networks


HIDDEN = """(vnnlib-version <2.0>)
(declare-network f (declare-input X real [1,1]) (declare-hidden H real [1,2] "{node}")
  (declare-output Y real [1,1]))
(assert (>= X[0,0] -3.0)) (assert (<= X[0,0] 3.0))
(assert (> H[0,1] 1.0)) (assert (<= Y[0,0] 2.0))"""


def test_hidden_nodes_are_networks_up_to_them(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    path = tmp_path / "absolute.onnx"
    save(ABSOLUTE, path)
    nodes = onnx.load(path).graph.node
    relu = next(node for node in nodes if node.op_type == "Relu")
    query = parse_query(HIDDEN.format(node=relu.output[0]))
    posed = property_of(query, path)
    assert [network.n_outputs for network in posed.networks] == [1, 2]
    assert posed.domain is not None
    assert posed.domain.inner_dimension == 1
    for x, expected in [(-2, True), (-1, False), (2, False), (fmpq(-5, 2), False)]:
        point = posed.point((fmpq(x),))
        assert point == (x, x)
        assert posed.values(point) == (x, max(x, 0), max(-x, 0), abs(x))
        assert is_satisfied(posed, point) is expected
    with pytest.raises(InputError, match="expected its ONNX file, as the hidden node"):
        property_of(query, ABSOLUTE)
    with pytest.raises(InputError, match="no value or node 'nothing'"):
        property_of(parse_query(HIDDEN.format(node="nothing")), path)


def test_several_inputs_and_outputs_in_the_order_of_the_file(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    make, kind = onnx.helper, onnx.TensorProto.FLOAT
    ends = [make.make_tensor_value_info(n, kind, s) for n, s in [("a", [1, 2]), ("b", [1, 2])]]
    results = [make.make_tensor_value_info(n, kind, [1, 2]) for n in ("sum", "relu")]
    nodes = [
        make.make_node("Add", ["a", "b"], ["sum"]),
        make.make_node("Relu", ["b"], ["relu"]),
    ]
    path = tmp_path / "two.onnx"
    onnx.save(make.make_model(make.make_graph(nodes, "two", ends, results)), path)
    query = parse_query("""(vnnlib-version <2.0>)
    (declare-network f (declare-input A real [1,2]) (declare-input B real [1,2])
      (declare-output S real [1,2]) (declare-output R real [1,2]))
    (assert (<= S[0,1] R[0,0]))""")
    posed = property_of(query, {"f": path})
    rng = np.random.default_rng(0)
    for _ in range(10):
        a, b = rng.integers(-5, 6, size=(2, 2)).tolist()
        x = tuple(map(fmpq, (*a, *b)))
        s, r = [p + q for p, q in zip(a, b, strict=True)], [max(q, 0) for q in b]
        assert posed.values(x) == (*a, *b, *s, *r)
        assert is_satisfied(posed, x) is (s[1] <= r[0])


def graph_of(path: Path, inputs: dict[str, Any], outputs: dict[str, Any]) -> Path:
    """A graph of Relu, one for each input."""
    onnx = pytest.importorskip("onnx")
    make, kind = onnx.helper, onnx.TensorProto.FLOAT
    ends = [make.make_tensor_value_info(name, kind, shape) for name, shape in inputs.items()]
    results = [make.make_tensor_value_info(name, kind, shape) for name, shape in outputs.items()]
    pairs = zip(inputs, outputs, strict=True)
    nodes = [make.make_node("Relu", [one], [other]) for one, other in pairs]
    onnx.save(make.make_model(make.make_graph(nodes, "relu", ends, results)), path)
    return path


@pytest.mark.parametrize(
    ("inputs", "declared", "message"),
    [
        ([[1, 2], [1, 3]], ["[2]", "[1,3]"], None),
        ([["n", 2], ["n", 3]], ["[2]", "[3]"], None),
        ([[2, 3]], ["[6]"], None),
        ([[6]], ["[2,3]"], None),
        ([[1, 2, 1, 3]], ["[2,1,3]"], None),
        ([[1, 2], [1, 3]], ["[3]", "[2]"], r"the input A0 real \[3\], found 'x0' \[1,2\]"),
        ([["n", 2], ["n", 3]], ["[3]", "[2]"], r"the input A0 real \[3\], found 'x0' \[\?,2\]"),
        ([[2, 3]], ["[3,2]"], r"the input A0 real \[3,2\], found 'x0' \[2,3\] in the file"),
        ([[1, 2], [1, 3]], ["[5]"], r"declared 1 inputs, found 2 in the file: 'x0' \[1,2\], 'x1'"),
    ],
)
def test_tensors_are_those_of_the_file_one_by_one(
    tmp_path: Path, inputs: list[Any], declared: list[str], message: str | None
) -> None:
    """As many entries in another order would be another question."""
    shapes = {f"x{k}": shape for k, shape in enumerate(inputs)}
    results = {f"y{k}": shape for k, shape in enumerate(inputs)}
    path = graph_of(tmp_path / "relu.onnx", shapes, results)
    tensors = [f"(declare-input A{k} real {shape})" for k, shape in enumerate(declared)]
    tensors += [f"(declare-output B{k} real {shape})" for k, shape in enumerate(declared)]
    first = ",".join("0" for _ in declared[0].split(","))
    query = parse_query(
        f"(vnnlib-version <2.0>)(declare-network f {' '.join(tensors)})"
        f"(assert (<= A0[{first}] 1.0))"
    )
    if message is None:
        assert property_of(query, path).n_inputs == sum(map(math.prod, map(sizes, declared)))
    else:
        with pytest.raises(InputError, match=message):
            property_of(query, path)


def sizes(shape: str) -> list[int]:
    return [int(n) for n in shape.strip("[]").split(",")]


def test_outputs_have_the_shapes_of_the_file_too(tmp_path: Path) -> None:
    path = graph_of(tmp_path / "relu.onnx", {"x": [2, 3]}, {"y": [2, 3]})
    query = parse_query("""(vnnlib-version <2.0>)
    (declare-network f (declare-input X real [2,3]) (declare-output Y real [3,2]))
    (assert (<= Y[2,1] 0.5))""")
    with pytest.raises(InputError, match=r"the output Y real \[3,2\], found 'y' \[2,3\]"):
        property_of(query, path)
    flat = graph_of(tmp_path / "open.onnx", {"x": [2, 3]}, {"y": None})
    assert property_of(query, flat).n_inputs == 6


def test_exact_json_keeps_the_shapes_of_the_file(tmp_path: Path) -> None:
    graph = graph_of(
        tmp_path / "relu.onnx", {"x": ["n", 3], "u": [1, 2]}, {"y": ["n", 3], "v": [1, 2]}
    )
    given = {"f": load(graph), "g": tmp_path / "relu.json"}
    save(given["f"], given["g"])
    text = """(vnnlib-version <2.0>)
    (declare-network {0} (declare-input X real [{1}]) (declare-input U real [{2}])
      (declare-output Y real [3]) (declare-output V real [2]))
    (assert (<= Y[0] 0.5))"""
    for name, network in given.items():
        assert property_of(parse_query(text.format(name, 3, 2)), network).n_inputs == 5
        with pytest.raises(InputError, match=r"the input X real \[2\], found 'x' \[\?,3\]"):
            property_of(parse_query(text.format(name, 2, 3)), network)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "network f is missing: expected networks for f"),
        ({"g": ABSOLUTE, "f": ABSOLUTE}, "network g: declared equal to f, so it has no file"),
        ({"f": ABSOLUTE, "h": ABSOLUTE}, "network 'h' is not declared: expected networks for f"),
        ({"h": ABSOLUTE}, "network 'h' is not declared"),
        (
            {"f": Network.from_arrays([[[1, 1]]], [[0]])},
            r"network f: X real \[1\]: declared 1 inputs, found 2 in the network",
        ),
        (
            {"f": Network.from_arrays([[[1], [1]]], [[0, 0]])},
            r"network f: Y real \[1\]: declared 1 outputs, found 2 in the network",
        ),
        ("no/such/file.onnx", "no such file"),
    ],
)
def test_networks_that_do_not_fit_are_refused(given: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        property_of(parse_query(MONOTONE), given)  # type: ignore[arg-type]


def test_sizes_are_compared_before_anything_is_made_of_them() -> None:
    huge = MONOTONE.replace("[1]", "[1000000000,1000000000]").replace("[0]", "[0,0]")
    with pytest.raises(InputError, match="declared 1,000,000,000,000,000,000 inputs, found 1"):
        property_of(parse_query(huge), ABSOLUTE)


def test_an_empty_domain_is_no_mistake() -> None:
    posed = property_of(parse_query(text("(< X_0 0)", "(> X_0 0)", "(<= Y_0 0)")), ABSOLUTE)
    assert posed.domain is None
    assert not is_satisfied(posed, (fmpq(0),))
    assert is_nonempty(posed.system).check().is_accepted
    false = property_of(parse_query(text("(< 1 0)", "(<= Y_0 0)")), ABSOLUTE)
    assert false.domain is None
    assert is_nonempty(false.system).check().is_accepted
    with pytest.raises(InputError, match="no input satisfies the query"):
        _ = posed.property
    assert "empty" in str(posed)
