"""The catalogue: answers in a second process, and no more said than the certificate proves."""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from exactrelu.certificates.certificate import Verdict
from exactrelu.effort import UNLIMITED, Effort, clock
from exactrelu.errors import ExactReluError
from exactrelu.memory import memory_in_use
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network
from exactrelu.questions import catalogue
from exactrelu.questions.applicable import (
    CATALOGUE,
    TOO_LARGE,
    QuestionEntry,
    fibers,
    identifiability,
)
from exactrelu.questions.catalogue import Asked, _seconds, ask_all, is_open, names_of

# --- what ``certify`` says beside a certificate

CASES = Path(__file__).parents[2] / "cases"
PARALLEL = load(CASES / "three-layers/S002-D2-ties" / "parallel.json")


def test_an_undecided_question_gives_a_lower_bound() -> None:
    # Both neurons of the first layer bend at 0: what moves to first order opens a region.
    weights, biases = [[[1], [-1]], [[1, -2]], [[1]]], [[0, 0], [1], [0]]
    first, (question, verdict) = identifiability(Network.from_arrays(weights, biases), UNLIMITED)
    assert (first[0], first[1].word, first[1].certificate) == ("identifiable", "undecided", None)
    assert question == "functional-dimension"
    # It is 5, and a certificate that it is not larger is not written.
    assert verdict.certificate.fields["rank"] == verdict.witness == 5
    assert verdict.reason == "functional dimension at least 5"


def test_a_part_of_a_fiber() -> None:
    ((question, verdict),) = fibers(PARALLEL, UNLIMITED)
    fields = verdict.certificate.fields
    assert (question, fields["complete"]) == ("fiber", False)
    assert verdict.reason == f"components with members: {len(fields['nonempty'])}, perhaps not all"


# --- questions in a second process

XOR = load(CASES / "xor" / "network.json")


def test_the_same_answers_in_a_second_process() -> None:
    found = list(ask_all(XOR))
    assert list(ask_all(XOR, timeout=600)) == found
    assert len(found) > 20
    assert {answer.verdict for answer in found} == {"yes", "no", "left out"}
    without = [answer.question for answer in found if answer.certificate is None]
    # There is no smaller network.
    assert without == ["simplify"]


def test_no_time_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "CATALOGUE", CATALOGUE[:2])
    found = list(ask_all(XOR, seconds_each=1e-9))
    assert found == [
        Asked(question, "undecided", "stopped after 1e-09 s", None)
        for question in ("value-at-0", "value-at-1", "rank-W1", "rank-W2")
    ]
    found = list(ask_all(XOR, timeout=1e-9))
    assert found == [
        Asked(question, "not asked", "stopped after 1e-09 s", None)
        for question in ("value-at-0", "value-at-1", "rank-W1", "rank-W2")
    ]


def test_each_has_a_part_of_the_time() -> None:
    effort = Effort(seconds=100)
    assert _seconds(effort, None, 14) == pytest.approx(20)
    assert _seconds(effort, None, 2) == pytest.approx(50)
    assert _seconds(effort, 30, 14) == 30
    assert _seconds(effort, 300, 14) == pytest.approx(100)
    assert _seconds(Effort(), None, 3) is None


def late(network: Network, effort: Effort) -> Iterator[tuple[str, Verdict]]:
    while True:
        effort.spend()


def test_a_question_that_takes_long_does_not_end_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In this process, as in the second one."""
    monkeypatch.setattr(
        catalogue, "CATALOGUE", (CATALOGUE[0], QuestionEntry.of(late, "late"), CATALOGUE[1])
    )
    found = [a for n in range(3) for a in catalogue._ask(XOR, n, Effort(seconds=0.1))]
    assert [(a.question, a.verdict) for a in found[:3]] == [
        ("value-at-0", "yes"), ("value-at-1", "yes"), ("late", "undecided"),
    ]  # fmt: skip
    assert found[2].reason == "stopped after 0.1 s"


STUCK = """
import pickle, sys, time
pickle.dump('ready', sys.stdout.buffer); sys.stdout.buffer.flush()
time.sleep(60)
"""


def test_a_process_that_is_stuck_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "PROGRAM", (sys.executable, "-c", STUCK))
    monkeypatch.setattr(catalogue, "CATALOGUE", CATALOGUE[:2])
    start = clock()
    found = list(ask_all(XOR, seconds_each=0.1))
    assert clock() - start < 20
    assert [a.reason for a in found] == ["stopped after 0.1 s"] * 4


def test_questions_of_a_network_that_is_too_large() -> None:
    rng = random.Random(1)
    widths = (4, 12, 12, 3)
    weights = [
        [[rng.uniform(-1, 1) for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)
    ]
    biases = [[rng.uniform(-1, 1) for _ in range(m)] for m in widths[1:]]
    start = clock()
    found = list(ask_all(Network.from_arrays(weights, biases), timeout=6))
    assert clock() - start < 30
    named = {answer.question: answer for answer in found}
    assert named["value-at-0"].verdict == "yes"
    late = [a for a in found if a.verdict in ("undecided", "not asked")]
    assert late
    assert all("stopped" in a.reason or "more than" in a.reason for a in late), late


def test_the_process_ends_with_its_parent() -> None:
    program = (
        "import sys; from exactrelu.network.formats.load import load\n"
        "from exactrelu.questions import catalogue\n"
        "from exactrelu.effort import Effort\n"
        f"network = load({str(CASES / 'xor' / 'network.json')!r})\n"
        "import subprocess\n"
        "real = subprocess.Popen\n"
        "def popen(*args, **options):\n"
        "    made = real(*args, **options); print(made.pid, flush=True); return made\n"
        "subprocess.Popen = popen\n"
        "for answer in catalogue.ask_all(network, seconds_each=600): sys.stdin.read()\n"
    )
    with subprocess.Popen(
        (sys.executable, "-c", program), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        second = int(parent.stdout.readline())
        parent.kill()
    for _ in range(100):
        if not Path(f"/proc/{second}").exists() or "Z" in _state(second):
            return
        time.sleep(0.1)
    pytest.fail("the second process is still there")


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "Z"


@pytest.mark.parametrize(
    ("program", "reason"),
    [("import pickle, sys; pickle.dump('ready', sys.stdout.buffer)", "its process ended"),
     ("print('no pickle')", None)],
)  # fmt: skip
def test_a_process_that_ends(
    monkeypatch: pytest.MonkeyPatch, program: str, reason: str | None
) -> None:
    monkeypatch.setattr(catalogue, "PROGRAM", (sys.executable, "-c", program))
    monkeypatch.setattr(catalogue, "CATALOGUE", CATALOGUE[:2])
    if reason is None:
        with pytest.raises(ExactReluError, match="did not start"):
            list(ask_all(XOR, timeout=600))
    else:
        assert [answer.reason for answer in ask_all(XOR, timeout=600)] == [reason] * 4


def test_memory_is_bounded() -> None:
    """What fits is answered as ever; a bound that nothing fits into is said, and no crash."""
    assert list(ask_all(XOR, max_memory=memory_in_use() + 2**30)) == list(ask_all(XOR))
    found = list(ask_all(XOR, max_memory="1M"))
    assert {answer.verdict for answer in found} <= {"undecided", "not asked"}
    assert all("memory" in a.reason or a.reason == "its process ended" for a in found)


# --- Nothing is omitted


def of_widths(*widths: int) -> Network:
    rng = random.Random(str(widths))
    weights = [
        [[rng.randint(-8, 8) for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)
    ]
    return Network.from_arrays(
        weights, [[rng.randint(-8, 8) for _ in range(m)] for m in widths[1:]]
    )


@pytest.mark.parametrize(
    "widths",
    [(1, 1), (2, 1, 1), (1, 7, 1), (2, 3, 2, 1), (1, 2, 2, 2, 1), (3, 64, 64, 64, 1), (40, 33, 1)],
)
def test_every_question_has_an_answer_or_a_reason(widths: tuple[int, ...]) -> None:
    """However large the network, and however soon the time is over."""
    network = of_widths(*widths)
    names = names_of(network)
    assert len(names) == len(set(names)) >= 10
    # Without a bound in this process, where an error would be one.
    small = [{}] if network.n_hidden_neurons < 6 else []
    for limits in (*small, {"seconds_each": 2.0}, {"timeout": 3}, {"timeout": 1e-9}):
        found = list(ask_all(network, **limits))
        told = [answer.question for answer in found]
        assert len(told) == len(set(told))
        # A lower bound, or a dimension, is told where there is one.
        more = {name.split("-W")[0] for name in set(told) - set(names)}
        assert set(names) <= set(told)
        assert more <= {"sigma-lower", "functional-dimension"}
        for answer in found:
            assert answer.verdict in ("yes", "no", "undecided", "not asked", "left out")
            assert answer.reason
            assert (answer.certificate is None) == (answer.verdict not in ("yes", "no"))


def test_what_is_too_large_says_how_large_it_is() -> None:
    found = {a.question: a for a in ask_all(of_widths(3, 64, 64, 64, 1), seconds_each=60)}
    said = f"{TOO_LARGE}192 hidden neurons, and at most 32 are tried here"
    for name in ("regions", "complex", "honest", "folds", "transparent", "injective"):
        assert (found[name].verdict, found[name].reason) == ("left out", said)
        assert is_open(found[name].verdict, found[name].reason)
    assert found["injective-layer-2"].reason.startswith(f"{TOO_LARGE}64 inputs or neurons")
    assert found["fiber"].reason.startswith(f"{TOO_LARGE}3 hidden layers")
    assert found["masked-rank"].reason.startswith(f"{TOO_LARGE}about 10^57 masked products")


def test_what_does_not_apply_is_not_open() -> None:
    found = {a.question: a for a in ask_all(XOR)}
    assert not any(is_open(a.verdict, a.reason) for a in found.values())
    assert found["simplify"].verdict == "left out"


def test_too_many_faces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number that is not known before they are listed."""
    from exactrelu.questions import applicable

    monkeypatch.setattr(applicable, "MAX_FACES", 2)
    found = {a.question: a for a in ask_all(XOR)}
    for name in ("complex", "supertransversal", "no-zero-optimum", "folds"):
        assert found[name].reason == f"{TOO_LARGE}more than 2 faces"
