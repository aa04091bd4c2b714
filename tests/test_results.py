"""Results: what a question returns has one base; what is a plain value is listed as such."""

from __future__ import annotations

import inspect
import json
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

import exactrelu as er
from exactrelu.certificates.certificate import Found, Result
from exactrelu.public.names import questions
from exactrelu.view.plot import Picture
from exactrelu.words import EXACT
from tests.public.right_calls import right
from tests.test_display import MATRIX, NET
from tests.test_newcomers import XOR, subclasses

LAYER = XOR.layers[0]

#: Every public question, by its name in the shell of the package: the list is what they declare.
QUESTIONS = [path for path, declared in questions().items() if declared.gives(Result)]


def asked(path: str, folder: Path) -> Any:
    """The answer to a question about what its parameters are called, which writes there."""
    function = attrgetter(path)(er)
    call = right(function.__name__)
    given = inspect.signature(function).bind(*call.args, **call.options)
    if "folder" in given.arguments:
        given.arguments["folder"] = folder / "written"
    return function(*given.args, **given.kwargs)


def test_there_are_questions() -> None:
    assert len(QUESTIONS) > 45
    assert {"regions", "is_generic", "layers.completion", "certify", "in_shards"} <= {*QUESTIONS}


@pytest.mark.parametrize("path", QUESTIONS)
def test_every_result_has_one_base(path: str, tmp_path: Path) -> None:
    found = asked(path, tmp_path)
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
    if isinstance(found, Picture):
        # It is drawn into a file.
        assert found.save(tmp_path / "picture.svg").exists()
    elif found.certificate is None:
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
