"""The claims about faces: every verdict's certificate is accepted, and both answers occur."""

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.cells.faces import Face
from exactrelu.cells.facets import neighbourhood
from exactrelu.cells.tree import Cut, Sides, faces, tree
from exactrelu.certificates.certificate import NO_CERTIFICATE, Certificate, Verdict
from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network, trace
from exactrelu.questions.complex import (
    has_no_zero_optimum,
    is_cancellation_free,
    is_honest,
    is_supertransversal,
    polyhedral_complex,
    zero_optima,
)
from tests.cells.planted import long_network, planted
from tests.checking import assert_accepted

QUESTIONS: tuple[Callable[..., Verdict], ...] = (
    is_supertransversal,
    is_honest,
    is_cancellation_free,
    has_no_zero_optimum,
)


def domain_of(seed: int, net: Network) -> LinearSystem | None:
    n = net.n_inputs
    box = LinearSystem.box([(-2, Fraction(3, 2))] * n)
    return random.Random(seed).choice([None, None, box, LinearSystem.orthant(n)])


def test_every_verdict_is_proved(tmp_path: Path) -> None:
    certificates: list[Certificate] = []
    answers: Counter[tuple[str, bool | None]] = Counter()
    for seed in range(80):
        net = planted(seed)
        domain = domain_of(seed, net)
        found = polyhedral_complex(net, domain)
        verdicts = [question(net, domain) for question in QUESTIONS]
        for question, verdict in zip(QUESTIONS, verdicts, strict=True):
            answers[question.__name__, verdict.answer] += 1
        for certificate in (found.certificate, *(v.certificate for v in verdicts)):
            assert certificate is not None
            certificates.append(certificate)
    assert_accepted(certificates, tmp_path)
    assert {answer for _, answer in answers} == {True, False}
    assert len(answers) == 2 * len(QUESTIONS)


def test_degenerate_networks(tmp_path: Path) -> None:
    nets = [
        long_network(),
        Network.from_arrays([[[3]]], [[1]]),
        Network.from_arrays([[[0, 0]], [[1]]], [[0], [0]]),
        Network.from_arrays([[[1]], [[-1]], [[1]]], [[0], [-1], [0]]),
        Network.from_arrays([[[1, 2], [1, 2], [-2, -4]], [[1, 1, 1]]], [[3, 3, -6], [0]]),
    ]
    certificates = []
    for net in nets:
        certificates += [question(net).certificate for question in QUESTIONS]
        certificates.append(polyhedral_complex(net).certificate)
        check_one_point(net)
        empty = LinearSystem.box([(0, 0)] * net.n_inputs).interior()
        for question in (*QUESTIONS, polyhedral_complex):
            with pytest.raises(InputError, match="the domain is empty"):
                question(net, empty)
    assert_accepted([c for c in certificates if c is not None], tmp_path)
    assert all(c is not None for c in certificates)


def check_one_point(net: Network) -> None:
    """On the origin alone a network is a constant, as on a line that is mapped to the origin."""
    origin = (fmpq(0),) * net.n_inputs
    point = LinearSystem.box([(0, 0)] * net.n_inputs)
    found = polyhedral_complex(net, point)
    assert (found.f_vector, found.certificate) == ((1,), None)
    face = found.lifted(found.faces[0])
    assert (face.signs, face.point, face.dimension) == (trace(net, origin).pattern, origin, 0)
    constant = net.slice(origin, [origin])
    for question in QUESTIONS:
        verdict = question(net, point)
        assert verdict.answer is question(constant).answer
        assert verdict.certificate is None
        assert verdict.reason.endswith(NO_CERTIFICATE)
    # Nothing bends at a point, and a neuron that is 0 there is one too many.
    assert is_honest(net, point).answer is True
    assert is_cancellation_free(net, point).answer is True
    is_nonzero = all(all(layer) for layer in trace(net, origin).pattern)
    assert is_supertransversal(net, point).answer is is_nonzero


@pytest.mark.parametrize("seed", range(30))
def test_two_algorithms_for_supertransversality(seed: int) -> None:
    net = planted(seed)
    by_faces = is_supertransversal(net, all_failures=True)
    assert is_supertransversal(net, certify=False).answer == by_faces.answer
    faces = polyhedral_complex(net, certify=False).faces
    overfull = {f.signs for f in faces if len(f.zeros) > net.n_inputs - f.dimension}
    assert {failure.signs for failure in by_faces.witness or ()} == overfull
    for failure in by_faces.witness or ():
        assert trace(net, failure.point).pattern == failure.signs


def test_the_tree_of_the_fold() -> None:
    net = Network.from_arrays([[[1], [-1]], [[1, 1]], [[1]]], [[0, 0], [-1], [0]])
    nodes = list(tree(net, LinearSystem(1), faces, zero_sets=True))
    assert [type(node) for node in nodes[:4]] == [Cut, Sides, Cut, Face]
    assert [node.point for node in nodes if isinstance(node, Face)][3] == (0,)


def test_zero_optima_of_a_saddle_and_a_valley() -> None:
    # |x| - |y| has no optimum at 0; |x| + |y| has one on no face but the origin.
    first = [[1, 0], [-1, 0], [0, 1], [0, -1]]
    saddle = Network.from_arrays([first, [[1, 1, -1, -1]], [[1]]], [[0] * 4, [0], [0]])
    valley = Network.from_arrays([first, [[1, 1, 1, 1]], [[1]]], [[0] * 4, [0], [0]])
    assert has_no_zero_optimum(saddle).answer is True
    (optimum,) = zero_optima(polyhedral_complex(valley).faces, valley.n_inputs)
    assert (optimum.neuron, optimum.word, optimum.face.point) == ((2, 1), "minimum", (0, 0))


@pytest.mark.parametrize("seed", range(20))
def test_neighbourhoods_are_stars(seed: int) -> None:
    """In the box around a point of a face just the faces around it appear."""
    net = planted(seed)
    found = polyhedral_complex(net, certify=False).faces
    for face in random.Random(seed).sample(found, min(3, len(found))):
        nodes = tree(net, neighbourhood(net, face.point), faces, zero_sets=True)
        near = {f.signs for f in nodes if isinstance(f, Face)}
        assert near == {f.signs for f in found if face.is_face_of(f)}


def test_limits() -> None:
    net = load("cases/regions-generic-2-6-6-1-12/network.json")
    for question in QUESTIONS:
        verdict = question(net, max_faces=5)
        assert (verdict.answer, verdict.certificate) == (None, None)
        assert "stopped at a limit" in verdict.reason
        assert question(net, LinearSystem.box([(-9, 9)] * 2), timeout=1e-9).answer is None
    assert polyhedral_complex(net, max_faces=5).certificate is None
