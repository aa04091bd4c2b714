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
from exactrelu.effort import UNLIMITED, Effort, clock, memory_in_use
from exactrelu.errors import ExactReluError
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network
from exactrelu.questions import catalogue
from exactrelu.questions.catalogue import (
    CATALOGUE,
    Asked,
    _seconds,
    ask_all,
    fibers,
    identifiability,
)

# --- what ``certify`` says beside a certificate

CASES = Path(__file__).parents[2] / "cases"
PARALLEL = load(CASES / "S002-D2-ties" / "parallel.json")


def test_an_undecided_question_gives_a_lower_bound() -> None:
    # Both neurons of the first layer bend at 0: what moves to first order opens a region.
    weights, biases = [[[1], [-1]], [[1, -2]], [[1]]], [[0, 0], [1], [0]]
    ((question, verdict),) = identifiability(Network.from_arrays(weights, biases), UNLIMITED)
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
    assert {answer.verdict for answer in found} == {"yes", "no"}
    assert all(answer.certificate is not None for answer in found)


def test_no_time_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "CATALOGUE", CATALOGUE[:2])
    found = list(ask_all(XOR, seconds_each=1e-9))
    assert found == [
        Asked(question, "undecided", "stopped after 1e-09 s", None)
        for question in ("values", "ranks")
    ]
    found = list(ask_all(XOR, timeout=1e-9))
    assert found == [
        Asked(question, "not asked", "stopped after 1e-09 s", None)
        for question in ("values", "ranks")
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
    monkeypatch.setattr(catalogue, "CATALOGUE", (CATALOGUE[0], late, CATALOGUE[1]))
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
    assert [a.reason for a in found] == ["stopped after 0.1 s"] * 2


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
        assert [answer.reason for answer in ask_all(XOR, timeout=600)] == [reason] * 2


def test_memory_is_bounded() -> None:
    """What fits is answered as ever; a bound that nothing fits into is said, and no crash."""
    assert list(ask_all(XOR, max_memory=memory_in_use() + 2**30)) == list(ask_all(XOR))
    found = list(ask_all(XOR, max_memory="1M"))
    assert {answer.verdict for answer in found} <= {"undecided", "not asked"}
    assert all("memory" in a.reason or a.reason == "its process ended" for a in found)
