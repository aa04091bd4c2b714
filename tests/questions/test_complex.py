"""Honest networks: the verdict, its reason, its witnesses and its limits."""

from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.questions.complex import honest_verdict, is_honest, polyhedral_complex
from tests.checking import assert_accepted

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
