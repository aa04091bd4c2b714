"""A user's own statement: the file, its errors, and what is found."""

from pathlib import Path

import pytest

from exactrelu.certificates.certificate import joined
from exactrelu.errors import InputError
from exactrelu.lemmas.search import load_conjecture, search
from tests.checking import assert_accepted

DATA = Path(__file__).parent / "data"


def test_a_false_conjecture_is_killed_with_a_certificate(tmp_path) -> None:
    statement = load_conjecture(str(DATA / "same_means_isomorphic.py"))
    found = search(statement, seconds=None, max_instances=2_000)
    assert found.counterexample is not None
    A, B = found.counterexample.instance.network("A"), found.counterexample.instance.network("B")
    assert A != B
    (sentence,) = assert_accepted(
        [joined("facts", found.counterexample.fact_certificates())], tmp_path
    )
    assert "same values" in sentence
    assert "not equal up to permutation" in sentence


def written(folder: Path, text: str) -> str:
    path = folder / "lemma.py"
    path.write_text(text)
    return str(path)


BOTH = "def hypotheses(N): return True\ndef conclusion(N): return True\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def hypotheses(N): return True\n", "no function conclusion"),
        ("hypotheses = 1\ndef conclusion(N): return True\n", "no function hypotheses"),
        ("def hypotheses(N): return True\ndef conclusion(M): return True\n", "the same networks"),
        ("def hypotheses(): return True\ndef conclusion(): return True\n", "at least one"),
        ("1/0\n", "ZeroDivisionError"),
        ("def (\n", "SyntaxError"),
        (BOTH + "WIDTHS = [(1,)]\n", "WIDTHS"),
        (BOTH + "WIDTHS = []\n", "WIDTHS"),
    ],
)
def test_errors_name_the_file(tmp_path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        load_conjecture(written(tmp_path, text))
    assert "lemma.py" in str(caught.value)


def test_a_conclusion_must_be_a_verdict_or_a_bool(tmp_path) -> None:
    text = "def hypotheses(N): return True\ndef conclusion(N): return 1\n"
    with pytest.raises(InputError, match="conclusion is a int"):
        search(load_conjecture(written(tmp_path, text)), seconds=None)


def test_an_undecided_answer_is_no_counterexample(tmp_path) -> None:
    text = (
        "from exactrelu import Verdict\nWIDTHS = [(1, 1)]\n"
        "def hypotheses(N): yield Verdict(None, 'stopped')\ndef conclusion(N): return False\n"
    )
    found = search(load_conjecture(written(tmp_path, text)), seconds=None)
    assert (found.counterexample, found.tally.undecided) == (None, 9)


def test_own_random_instances(tmp_path) -> None:
    text = (
        '"""No network has the weight 77."""\nimport exactrelu as er\nWIDTHS = [(1, 1)]\n'
        "def hypotheses(N): return [True, True]\n"
        "def conclusion(N): return N.layers[0].weights[0, 0] != 77\n"
        "def random_instance(rng): return (er.Network.from_arrays([[[77]]], [[0]]),)\n"
    )
    statement = load_conjecture(written(tmp_path, text))
    assert statement.text == "No network has the weight 77."
    found = search(statement, seconds=None, max_instances=50)
    assert found.phase == "random"
