"""Results: what a question returns has one base; what is a plain value is listed as such."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import exactrelu as er
from exactrelu import api
from exactrelu.certificates.certificate import Found, Result
from exactrelu.words import EXACT
from tests.questions.injectivity.test_blocks import CASES
from tests.test_display import MATRIX, NET, SHALLOW
from tests.test_newcomers import XOR, subclasses

BOX = "box:-1,1"
ONE = er.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
LAYER = XOR.layers[0]
ZEROS = er.vector([0, 0])
SYSTEM = er.LinearSystem.box([(0, 1)])
QUERY = Path(__file__).parents[1] / "cases" / "xor" / "query.vnnlib"
CONVOLUTION = er.load_convolution(CASES / "injective-layers/convolution-width-3" / "valid.json")

#: Every public question, asked once.
QUESTIONS: dict[str, Callable[[], Any]] = {
    "build_identifiable": lambda: er.build_identifiable((2, 2, 1), "box:-1,1"),
    "canonical": lambda: er.canonical(XOR),
    "certain_breakpoints": lambda: er.certain_breakpoints(
        lambda x: [abs(x[0])], [-1], [2], error="1/100", halvings=5
    ),
    "check": lambda: er.check(er.is_injective(XOR)),
    "completion": lambda: er.completion(LAYER),
    "conjecture": lambda: er.conjecture(
        lambda N: True, lambda N: N.n_inputs == 2, widths=[(1, 1)], timeout=5
    ),
    "convolution_injective": lambda: er.convolution_injective(CONVOLUTION),
    "feasible": lambda: er.feasible(SYSTEM),
    "fiber": lambda: er.fiber(SHALLOW),
    "folds": lambda: er.folds(XOR),
    "functional_dimension": lambda: er.functional_dimension(XOR),
    "has_no_zero_optimum": lambda: er.has_no_zero_optimum(XOR),
    "identifiable_volume": lambda: er.identifiable_volume((2, 2, 2, 1)),
    "share": lambda: er.share((2, 2, 1), count=2),
    "identify": lambda: er.identify(XOR, XOR),
    "invert": lambda: er.invert(XOR, [1], BOX),
    "is_bounded": lambda: er.is_bounded(SYSTEM),
    "holds": lambda: er.holds(XOR, "box:-1..1", "y1 <= 1"),
    "roles": lambda: er.roles(XOR, "box:-1..1"),
    "robust_radius": lambda: er.robust_radius(XOR, [1, 1]),
    "is_cancellation_free": lambda: er.is_cancellation_free(XOR),
    "is_directed_spanning_set": lambda: er.is_directed_spanning_set(MATRIX),
    "is_equivalent": lambda: er.is_equivalent(XOR, XOR),
    "is_generic": lambda: er.is_generic(XOR),
    "is_honest": lambda: er.is_honest(XOR),
    "is_identifiable": lambda: er.is_identifiable(XOR),
    "is_in_theorem_class": lambda: er.is_in_theorem_class(XOR),
    "is_injective": lambda: er.is_injective(XOR),
    "is_isomorphic": lambda: er.is_isomorphic(XOR, XOR),
    "is_nonempty": lambda: er.is_nonempty(SYSTEM),
    "is_pointed": lambda: er.is_pointed([ZEROS]),
    "is_supertransversal": lambda: er.is_supertransversal(XOR),
    "is_transparent": lambda: er.is_transparent(XOR),
    "judge": lambda: er.judge(QUERY, XOR, QUERY.parent / "result.txt"),
    "largest_difference": lambda: er.largest_difference(XOR, XOR),
    "layer_injective": lambda: er.layer_injective(LAYER.weights, LAYER.bias),
    "local": lambda: er.local(XOR, [(1, 2)]),
    "make_generic": lambda: er.make_generic(XOR),
    "maximize": lambda: er.maximize(er.vector([1]), SYSTEM),
    "network_stability": lambda: er.network_stability(ONE),
    "non_localizable": lambda: er.non_localizable((2, 2, 2, 2, 1)),
    "nonnegative_column_rank": lambda: er.nonnegative_column_rank(MATRIX),
    "plot": lambda: er.plot(XOR),
    "polyhedral_complex": lambda: er.polyhedral_complex(XOR),
    "rank_proof": lambda: er.rank_proof(MATRIX),
    "recover": lambda: er.recover(SHALLOW),
    "refute": lambda: er.refute("S003-lemma-1"),
    "regions": lambda: er.regions(XOR),
    "shallow_equal": lambda: er.shallow_equal(XOR, XOR),
    "sigma_min_bounds": lambda: er.sigma_min_bounds(MATRIX),
    "simplify": lambda: er.simplify(XOR),
    "spark": lambda: er.spark(MATRIX),
    "stability": lambda: er.stability(ONE, layer=1),
    "verify": lambda: er.verify(QUERY, XOR),
}

#: Questions with a result that is asked elsewhere: it writes files, or takes others.
ELSEWHERE = {
    "certify": "tests/test_api.py",
    "in_shards": "tests/questions/shards/test_sharded.py",
    "pin": "tests/certificates/test_manifest.py",
    "strictly": "tests/work/test_worker.py",
}

#: What returns a plain value, and what that is.
PLAIN = {
    "box": "a domain",
    "certain_neurons": "a number",
    "check": "the word of the checker",
    "from_onnx": "a network",
    "iter_regions": "an iterator",
    "show": "a text",
    "cluster_centres": "a matrix",
    "clustered_classes": "numbers",
    "conserved_identity": "a SymPy identity",
    "evaluate": "a point",
    "evaluate_batch": "points",
    "exact_roles": "words",
    "feasible": "a point, or multipliers",
    "fraction": "a number",
    "from_arrays": "a network",
    "from_torch": "a network",
    "hiding": "a neuron, or None",
    "injectivity_shortcuts": "what each named result says",
    "is_conserved": "a truth value: both sides are there to be compared",
    "load": "a network",
    "load_convolution": "a layer",
    "load_domain": "a domain",
    "load_matrix": "a matrix",
    "load_points": "points",
    "load_polyhedron": "rows",
    "load_union": "boxes",
    "local_affine_map": "an affine map",
    "mapped_classes": "numbers",
    "maps_between": "matrices",
    "maximize": "a point and multipliers, or a ray",
    "minimal_layer": "a layer",
    "n_correct": "a number",
    "network_classes": "numbers",
    "neuron_groups": "neurons",
    "neuron_roles": "words",
    "orthant": "a domain",
    "parse_domain": "rows",
    "pattern_polyhedron": "rows",
    "plot": "a picture",
    "rank": "a number",
    "real_query": "a text",
    "rational": "a number",
    "report": "a page",
    "save": "nothing",
    "shallow_form": "a function",
    "supports": "a table",
    "trace": "all preactivations",
    "trace_batch": "all preactivations",
    "vector": "a point",
}


def test_every_question_is_asked_or_listed() -> None:
    functions = {
        name
        for name in api.__all__
        if inspect.isfunction(getattr(er, name)) and getattr(er, name).__name__ == name
    }
    assert {*QUESTIONS, *ELSEWHERE, *PLAIN} == functions


@pytest.mark.parametrize("name", sorted(QUESTIONS.keys() - PLAIN.keys()))
def test_every_result_has_one_base(name: str, tmp_path: Path) -> None:
    found = QUESTIONS[name]()
    assert isinstance(found, Result)
    assert found.answer in (True, False, None)
    assert found.word == {True: "yes", False: "no", None: "undecided"}[found.answer]
    assert isinstance(found.reason, str)
    assert isinstance(found.is_complete, bool)
    assert found.is_complete == (found.answer is not None)
    found.witness  # noqa: B018
    known = json.loads(found.to_json())
    # A listing has a word in JSON only where it is not complete.
    assert known.get("verdict", "yes") == found.word
    assert known["reason"] == found.sentence(EXACT)
    if found.certificate is None:
        with pytest.raises(er.ExactReluError, match="no certificate"):
            found.save(tmp_path / "c.cert.jsonl")
    else:
        assert found.check().is_accepted
        assert found.save(tmp_path / "c.cert.jsonl").exists()


def test_a_result_has_no_other_names() -> None:
    found = er.spark(MATRIX)
    for cls in subclasses(Found):
        assert "answer" not in vars(Found), cls
    with pytest.raises(AttributeError, match="'Spark' object has no attribute 'anwser'"):
        found.anwser  # noqa: B018


def test_what_is_not_finished_is_not_a_number() -> None:
    late: dict[str, Any] = {"timeout": 0}
    for found in (
        er.spark(MATRIX, **late),
        er.local(NET, [(1, 2)], **late),
        er.simplify(NET, **late),
        er.completion(LAYER, **late),
        er.layer_injective(LAYER.weights, LAYER.bias, **late),
    ):
        assert (found.answer, found.is_complete) == (None, False)
        assert "stopped after 0 s" in found.reason
    assert er.spark(MATRIX, **late).value is None
    assert er.regions(NET, max_regions=3).n_regions is None
    assert er.polyhedral_complex(NET, max_faces=3).f_vector is None
    assert er.functional_dimension(NET, max_regions=2).value is None
    assert er.functional_dimension(NET, max_regions=2).value_at_least > 0
    assert er.completion(LAYER, **late).n_added is None
    some = json.loads(er.folds(NET, max_faces=3).to_json())
    assert some["n_facets"] is None
    assert some["n_facets_at_least"] >= 0


def test_signs_are_text() -> None:
    assert [region.signs for region in er.regions(XOR)] == ["--", "+-", "++"]
    assert er.trace(XOR, [0, 0]).signs == "+0"
    assert er.trace(XOR, [0, 0]).pattern == ((1, 0),)
    assert [region.signs for region in er.local(NET, [(1, 2)]).regions] == [
        er.trace(NET, (1, 2)).signs
    ]


def test_neurons_and_columns_are_counted_from_1() -> None:
    twins = er.from_arrays([[[1], [2]], [[1, 1]]], [[1, 2], [0]])
    (group,) = er.neuron_groups(twins)
    assert (group.layer, group.neurons) == (1, (1, 2))
    line = er.is_pointed([er.vector([0]), er.vector([1]), er.vector([-2])])
    assert (line.answer, line.witness) == (False, ((2, 2), (3, 1)))
    assert er.nonnegative_column_rank(er.Matrix([[0, 1, -2]])).dependency == ((2, 2), (3, 1))
    swapped = er.from_arrays([[[2], [1]], [[1, 1]]], [[3, 0], [0]])
    symmetry = er.is_isomorphic(swapped, er.canonical(swapped).network).witness
    assert sorted(symmetry.permutations[0]) == [1, 2]


def test_a_rank_is_counted_from_1() -> None:
    matrix = er.Matrix([[0, 0], [0, 5], [0, 1]])
    found = er.rank_proof(matrix)
    assert (found.rank, found.minor.columns, found.kernel.free) == (1, (2,), (1,))
    assert matrix.take(rows=[k - 1 for k in found.minor.rows], columns=[1]).entries() != [0]
    assert not found.is_full
