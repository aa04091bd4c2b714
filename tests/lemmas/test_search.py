"""The search on statements that are made up, so that the answers are known; a user's conjecture."""

from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from random import Random

import pytest
from flint import fmpq

from exactrelu.certificates.certificate import Verdict, joined
from exactrelu.effort import Effort, clock
from exactrelu.errors import InputError
from exactrelu.lemmas.examine import Counterexample, Finding, examine
from exactrelu.lemmas.families import altered, network_levels, random_networks, small_networks
from exactrelu.lemmas.own_statements import load_conjecture
from exactrelu.lemmas.search import search, shrink
from exactrelu.lemmas.statement import Fact, Family, Instance, Level, Statement
from exactrelu.network.network import evaluate
from tests.checking import assert_accepted

# --- made-up statements


ZERO = (fmpq(0),)


def made_up(conclusion, family: Family, hypotheses=lambda _: iter(())) -> Statement:
    return Statement("made-up", "nobody", "Made up.", hypotheses, conclusion, family)


def not_positive(instance: Instance) -> Fact:
    return Fact.plain("f(0) <= 0", evaluate(instance.network(), ZERO)[0] <= 0)


SMALL = Family(network_levels([(1, 1, 1)]), random_networks([(1, 1, 1)]))
DRAWN = Family((), random_networks([(1, 2, 3, 1)]))


def test_the_exhaustive_phase_finds_the_smallest() -> None:
    found = search(made_up(not_positive, SMALL), seconds=None)
    assert found.counterexample is not None
    every = [Instance.of(N=N) for N in small_networks((1, 1, 1)) if evaluate(N, ZERO)[0] > 0]
    assert found.counterexample.instance.size() == min(i.size() for i in every)
    assert found.status == "refuted"


def test_random_instances_shrink_to_the_smallest() -> None:
    found = search(made_up(not_positive, DRAWN), seconds=None, max_instances=10**6, seed=3)
    assert found.counterexample is not None
    assert found.phase in ("random", "guided")
    assert found.counterexample.instance.network().widths == (1, 1, 1, 1)
    # Only the bias of the output is left, and it is 1.
    numbers = [
        x
        for layer in found.counterexample.instance.network().layers
        for x in layer.affine.entries()
    ]
    assert numbers == [0, 0, 0, 0, 0, 1]


ALWAYS = made_up(lambda _: Fact.plain("1 = 1", True), SMALL)


def test_its_own_end_is_no_stop_but_that_of_whoever_asks_is() -> None:
    found = search(ALWAYS, seconds=None, max_instances=40)
    assert (found.tally.examined, found.stopped) == (40, "")
    found = search(ALWAYS, seconds=0.3)
    assert (found.stopped, found.status) == ("", "holds-to-bound")
    found = search(ALWAYS, seconds=60, timeout=0.3)
    assert found.stopped == "stopped after 0.3 s"
    assert found.completed
    found = search(ALWAYS, effort=Effort(seconds=0))
    assert (found.tally.examined, found.stopped) == (0, "stopped after 0 s")


def test_candidates_that_are_left_out_take_time_too() -> None:
    level = Level("nothing", lambda: repeat(None))
    endless = made_up(not_positive, Family((level,), random_networks([(1, 1, 1)])))
    start = clock()
    found = search(endless, seconds=60, timeout=0.3)
    assert clock() - start < 10
    # A part of the time is for random instances all the same.
    assert found.counterexample is not None


def test_a_counterexample_is_kept_when_there_is_no_time_to_shrink_it() -> None:
    whole = search(made_up(not_positive, DRAWN), seconds=None, max_instances=10**6, seed=3)
    counterexample = examine(whole.statement, altered_until_false(whole.statement))
    assert shrink(counterexample, Effort(seconds=0)) is counterexample


def altered_until_false(statement: Statement) -> Instance:
    rng = Random(3)
    while True:
        instance = statement.family.random(rng)
        if isinstance(examine(statement, instance), Counterexample):
            return instance


def test_a_true_statement_holds_to_the_bound() -> None:
    always = made_up(lambda _: Fact.plain("1 = 1", True), SMALL)
    found = search(always, seconds=None)
    assert (found.status, found.counterexample) == ("holds-to-bound", None)
    assert found.completed[0].examined == found.completed[0].within == 9 * 9


def test_a_statement_about_nothing_stays_open() -> None:
    def never(_: Instance) -> Iterator[Fact]:
        yield Fact.plain("0 = 1", False)

    found = search(made_up(not_positive, SMALL, never), seconds=None)
    assert (found.status, found.tally.within) == ("open", 0)


def test_an_undecided_question_is_no_bound() -> None:
    unknown = made_up(lambda _: Fact("?", Verdict(None, "stopped")), SMALL)
    found = search(unknown, seconds=None)
    assert (found.status, found.tally.undecided) == ("open", 81)
    assert examine(unknown, Instance.of(N=next(small_networks((1, 1, 1))))) is Finding.UNDECIDED


def test_the_guided_phase_walks_where_the_random_one_does_not_get() -> None:
    """Six numbers are 5, which a random one rarely is."""

    def fives(instance: Instance) -> int:
        return instance.network().layers[0].affine.entries().count(fmpq(5))

    def some(instance: Instance) -> Iterator[Fact]:
        yield Fact.plain("a five", fives(instance) > 0)

    family = Family(
        (),
        random_networks([(1, 6, 1)]),
        tighten=lambda rng, instance: max((altered(rng, instance) for _ in range(30)), key=fives),
    )
    statement = made_up(lambda i: Fact.plain("fewer than six", fives(i) < 6), family, some)
    found = search(statement, seconds=None, max_instances=4_000, seed=1)
    assert found.counterexample is not None
    assert found.phase == "guided"


def test_a_counterexample_without_certificates_has_an_empty_proof() -> None:
    found = examine(
        made_up(not_positive, SMALL), search(made_up(not_positive, SMALL)).counterexample.instance
    )
    assert isinstance(found, Counterexample)
    assert found.fact_certificates() == []


# --- conjectures


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
    assert " are equal on the closure of all of R^1; " in sentence
    assert " are not equal up to permutation" in sentence


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
