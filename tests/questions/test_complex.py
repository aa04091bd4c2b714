"""Honest networks: the verdict, its reason, its witnesses; and what a part of the faces says."""

import pickle
import random

import pytest

from exactrelu.effort import Effort, Stopped
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.questions import faces as questions
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.faces import (
    has_no_zero_optimum,
    honest_verdict,
    is_cancellation_free,
    is_honest,
    is_supertransversal,
)
from tests.checking import assert_accepted
from tests.network.naive import random_network

#: s(x), and in the second layer y = s(y) − s(−y) and y − 1 again: straight lines that layer 1 and
#: layer 2 make together at (0, 0) and (0, 1).
TWICE = Network.from_arrays(
    [[[1, 0], [0, 1], [0, -1]], [[1, 0, 0], [0, 1, -1], [0, 1, -1]], [[1, 1, 2]]],
    [[0, 0, 0], [0, 0, -1], [0]],
)
BENT = Network.from_arrays([[[1, 0], [0, 1]], [[1, 1]], [[1]]], [[0, 0], [-1], [0]])


def test_all_dishonest_ridges_are_witnesses(tmp_path) -> None:
    found = is_honest(TWICE)
    assert found.answer is False
    assert {tuple(ridge.face.point) for ridge in found.witness} == {(0, 0), (0, 1)}
    assert all(ridge.layers == {1, 2} for ridge in found.witness)
    first = ", ".join(map(str, found.witness[0].face.point))
    assert found.reason == f"a ridge at ({first}) of layers 1, 2 does not bend"
    below = is_honest(TWICE, LinearSystem.box([(-1, 1), (-1, "1/2")]))
    assert [tuple(ridge.face.point) for ridge in below.witness] == [(0, 0)]
    assert_accepted([found.certificate, below.certificate], tmp_path)


def test_a_yes_counts_the_ridges(tmp_path) -> None:
    """x = 0 and y = 0 show only where x + y > 1, and bend where that line meets them."""
    away = is_honest(TWICE, LinearSystem.box([(1, 2), (-1, 2)]))
    assert (away.answer, away.witness) == (True, None)
    assert away.reason == "none of 0 ridges of the breakpoint complex is dishonest"
    bent = is_honest(BENT)
    assert bent.answer is True
    assert bent.reason == "none of 2 ridges of the breakpoint complex is dishonest"
    assert_accepted([away.certificate, bent.certificate], tmp_path)


def test_nothing_is_said_of_a_part() -> None:
    stopped = is_honest(TWICE, max_faces=3)
    assert (stopped.answer, stopped.witness, stopped.certificate) == (None, None, None)
    assert stopped.reason == "stopped at 3 faces: 3 faces so far"
    assert is_honest(BENT, max_faces=3).answer is None
    # Without records there is nothing to certify the verdict with.
    assert honest_verdict(polyhedral_complex(TWICE, certify=False)).answer is None


@pytest.mark.parametrize("seed", range(5))
def test_a_part_of_the_faces(seed: int) -> None:
    net = random_network(random.Random(seed), [2, 4, 3, 1])
    full = polyhedral_complex(net)
    assert full.f_vector == full.f_vector_at_least
    for most in (1, 4, len(full.faces) - 1):
        cut = polyhedral_complex(net, max_faces=most)
        assert (cut.is_complete, cut.f_vector, cut.certificate) == (False, None, None)
        assert cut.reason == f"stopped at {most} faces"
        assert cut.faces == full.faces[:most]
        assert sum(cut.f_vector_at_least) == most
        assert pickle.loads(pickle.dumps(cut)) == cut
    assert polyhedral_complex(net, max_faces=len(full.faces)).is_complete
    some = polyhedral_complex(net, max_regions=2)
    assert (some.reason, some.f_vector_at_least[-1]) == ("stopped at 2 regions", 2)


def test_a_network_too_large_for_a_single_face() -> None:
    net = random_network(random.Random(1), [400, 40, 2])
    for domain in (None, "box:0,1"):
        cut = polyhedral_complex(net, domain, timeout=0.2)
        assert (cut.is_complete, cut.reason) == (False, "stopped after 0.2 s")
        assert cut.f_vector_at_least[-1] > 3
        for question in (is_honest, is_cancellation_free, has_no_zero_optimum):
            verdict = question(net, domain, timeout=0.2)
            assert verdict.answer is None
            assert verdict.reason.startswith("stopped after 0.2 s: ")
            assert verdict.reason.endswith(" faces so far")
    assert is_supertransversal(net, timeout=0.2).answer is None


def test_what_is_known_of_vertices_while_they_are_sought() -> None:
    net = random_network(random.Random(1), [3, 12, 12, 1])
    told = []
    effort = Effort(tell=lambda thing, _: told.append(effort.known(Stopped("now"))), regions=20)
    verdict = is_supertransversal(net, effort=effort)
    assert verdict.reason.startswith("stopped at 20 regions: ")
    assert any(known is not None and known.answer is None for known in told)


def test_one_face_so_far() -> None:
    found = is_honest(TWICE, max_faces=1)
    assert found.reason == "stopped at 1 faces: 1 face so far"


def test_a_failure_among_the_faces_found_decides(monkeypatch) -> None:
    """s(x) − s(−x) = x: the first facet found is cancelled, however much is left.

    Where there is no bound on the time the answer does not depend on the clock.
    """
    monkeypatch.setattr(questions, "GRACE", 0)
    weights = [[1, 0, 0], [-1, 0, 0], *([i, j, 1] for i in range(9) for j in range(9))]
    net = Network.from_arrays([weights, [[1, -1, *[0] * 81]]], [[0] * 83, [1]])
    verdict = is_cancellation_free(net, max_faces=300)
    assert verdict.answer is False
    assert is_supertransversal(net, "box:-1,1", max_faces=300).answer is False
    assert is_honest(net, max_faces=300).answer is None


def test_jumps_and_ridges_are_spent_too() -> None:
    full = polyhedral_complex(random_network(random.Random(0), [2, 4, 3, 1]))
    late = pickle.loads(pickle.dumps(full))
    object.__setattr__(late, "effort", Effort(seconds=0))
    for question in (honest_verdict, lambda found: found.facet_jumps):
        with pytest.raises(Stopped, match="after 0 s"):
            question(late)


def test_who_ends_the_work_hears_of_the_faces() -> None:
    heard = []
    effort = Effort(report=lambda effort: heard.append(effort.known(Stopped("stopped"))))
    net = random_network(random.Random(3), [2, 6, 4, 1])
    assert is_honest(net, effort=effort).answer is not None
    assert polyhedral_complex(net, effort=effort).is_complete
    reasons = {found.reason.split(":")[0] for found in heard if found is not None}
    assert reasons == {"stopped"}
