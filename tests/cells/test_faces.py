"""Faces against brute force; every verdict about them has an accepted certificate."""

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.cells.facets import zero_optima
from exactrelu.certificates.certificate import Certificate, Verdict
from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network, pattern_polyhedron, trace
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.faces import (
    has_no_zero_optimum,
    is_cancellation_free,
    is_honest,
    is_supertransversal,
)
from exactrelu.questions.regions import regions
from tests.cells.brute_force import small_case
from tests.cells.planted import long_network, planted
from tests.checking import assert_accepted
from tests.network.naive import random_network
from tests.seeds import seeds

# --- faces


def brute_force(network: Network, domain: LinearSystem):
    """Every ternary sign vector with a point, and the dimension of its face, by PPL."""
    found = {}
    widths = network.hidden_widths
    for flat in product((-1, 0, 1), repeat=sum(widths)):
        signs, start = [], 0
        for n in widths:
            signs.append(flat[start : start + n])
            start += n
        cell = Polyhedron(domain & pattern_polyhedron(network, tuple(signs)))
        if not cell.is_empty:
            found[tuple(signs)] = cell.dimension
    return found


@pytest.mark.parametrize("seed", seeds(24, 60))
def test_against_brute_force(seed: int) -> None:
    net, domain = small_case(seed)
    found = polyhedral_complex(net, domain)
    assert found.is_complete
    for face in found.faces:
        assert domain.contains(face.point)
        assert trace(net, face.point).pattern == face.signs
    assert {f.signs: f.dimension for f in found.faces} == brute_force(net, domain)
    assert found.euler_characteristic == (-1) ** net.n_inputs
    assert found.f_vector[-1] == regions(net, domain).n_regions


@pytest.mark.parametrize("seed", seeds(30))
def test_incidences_are_those_of_the_closures(seed: int) -> None:
    net, domain = small_case(3 * seed + 1)
    found = polyhedral_complex(net, domain)
    cells = {f.signs: Polyhedron(domain & pattern_polyhedron(net, f.signs)) for f in found.faces}
    for f in found.faces:
        for g in found.faces:
            closure = cells[g.signs].closure()
            assert f.is_face_of(g) == closure.contains(f.point)
    graph = found.incidence_graph()
    for small, large in graph.edges:
        assert cells[large].dimension == cells[small].dimension + 1


def generic_network(seed: int, widths: list[int]) -> Network:
    rng = random.Random(seed)
    weights = [
        [[rng.randint(-999, 999) for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)
    ]
    return Network.from_arrays(
        weights, [[rng.randint(-999, 999) for _ in range(m)] for m in widths[1:]]
    )


@pytest.mark.parametrize("seed", seeds(12))
def test_generic_networks_are_honest_and_cancellation_free(seed: int) -> None:
    """And around a bending ridge there are the facets that theory 2.4 says."""
    found = polyhedral_complex(generic_network(seed, [2, 4, 3, 1]))
    assert found.cancelled_facets == ()
    assert found.dishonest_ridges == ()
    for ridge in found.ridges:
        assert ridge.is_bending == (len(ridge.layers) == 2)
        if not ridge.is_bending:
            continue
        last = ridge.face.signs[1]
        pairs = ridge.straight_pairs()
        if max(last) > 0:
            assert len(ridge.visible) == 4
            ((first, second),) = pairs
            assert {l for f in (first, second) for l, _ in f.bent_neurons()} == {1}
        else:
            assert len(ridge.visible) == 3
            assert pairs == []


@pytest.mark.parametrize("seed", seeds(10))
def test_one_hidden_layer_never_bends(seed: int) -> None:
    found = polyhedral_complex(random_network(random.Random(seed), [2, 4, 2]))
    assert not any(ridge.is_bending for ridge in found.ridges)
    assert found.dishonest_ridges == ()


def test_a_network_that_is_not_honest() -> None:
    """s(x) and s(y + 0·s(x)): two layers whose bent hyperplanes cross without bending."""
    net = Network.from_arrays(
        [[[1, 0], [0, 1], [0, -1]], [[1, 0, 0], [0, 1, -1]], [[1, 1]]], [[0, 0, 0], [0, 0], [0]]
    )
    found = polyhedral_complex(net)
    assert [r.face.point for r in found.dishonest_ridges] == [(0, 0)]
    assert found.dishonest_ridges[0].layers == {1, 2}


def test_known_complexes() -> None:
    xor = load("cases/xor/network.json")
    found = polyhedral_complex(xor)
    assert found.f_vector == (0, 2, 3)
    assert [len(found.bent_hyperplane(1, i)) for i in (1, 2)] == [1, 1]
    assert len(found.breakpoint_facets) == 2
    # Two opposite neurons that add up to an affine function: facets, but no breakpoints.
    hidden = Network.from_arrays([[[1], [-1]], [[1, -1]]], [[0, 0], [0]])
    found = polyhedral_complex(hidden)
    assert found.f_vector == (1, 2)
    assert found.breakpoint_facets == ()
    assert len(found.cancelled_facets) == 1
    assert len(found.bent_hyperplane(1, 1)) == len(found.bent_hyperplane(1, 2)) == 1


@pytest.mark.parametrize("seed", range(40))
def test_flat_domains(seed: int, tmp_path: Path) -> None:
    """The faces are the cells of sign vectors in the relative interior, by PPL."""
    rng = random.Random(seed)
    net, _ = small_case(seed)
    n = net.n_inputs
    # A hyperplane of small integers, and a box around a point of it, open in all directions.
    normal = [rng.randint(-2, 2) for _ in range(n)]
    normal[rng.randrange(n)] = rng.choice((-1, 1, 2))
    point = [rng.randint(-1, 1) for _ in range(n)]
    offset = -sum(a * x for a, x in zip(normal, point, strict=True))
    plane = LinearSystem(n, (Row.of(normal, offset, Sense.EQUAL),))
    box = LinearSystem.box([(x - 2, x + Fraction(3, 2)) for x in point])
    found = polyhedral_complex(net, plane & box)
    faces = [found.lifted(face) for face in found.faces]
    assert {f.signs: f.dimension for f in faces} == brute_force(net, plane & box.interior())
    for face in faces:
        assert (plane & box.interior()).contains(face.point)
        assert trace(net, face.point).pattern == face.signs
    assert found.is_complete
    assert_accepted([found.certificate], tmp_path)
    assert found.euler_characteristic == (-1) ** (n - 1)
    assert found.f_vector[-1] == regions(net, plane & box).n_regions


def test_xor_on_a_side_of_the_square() -> None:
    """On x = 0 the neurons are y + 1 and y: no vertex in 0 < y < 1, two on the whole line."""
    xor = load("cases/xor/network.json")
    assert polyhedral_complex(xor, LinearSystem.box([(0, 0), (0, 1)])).f_vector == (0, 1)
    line = LinearSystem(2, (Row.of((1, 0), 0, Sense.EQUAL),))
    found = polyhedral_complex(xor, line)
    assert found.f_vector == (2, 3)
    vertices = {found.lifted(face).point for face in found.faces if face.dimension == 0}
    assert vertices == {(0, -1), (0, 0)}


def test_degenerate_domains_and_limits() -> None:
    xor = load("cases/xor/network.json")
    with pytest.raises(InputError, match="the domain is empty"):
        polyhedral_complex(xor, LinearSystem.box([(0, 0), (0, 1)]).interior())
    cut = polyhedral_complex(xor, max_faces=2)
    assert (cut.is_complete, len(cut.faces)) == (False, 2)
    assert not polyhedral_complex(xor, timeout=1e-9).is_complete


# --- claims about faces


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


def test_claims_about_degenerate_networks(tmp_path: Path) -> None:
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
        check_one_point(net, tmp_path)
        empty = LinearSystem.box([(0, 0)] * net.n_inputs).interior()
        for question in (*QUESTIONS, polyhedral_complex):
            with pytest.raises(InputError, match="the domain is empty"):
                question(net, empty)
    assert_accepted([c for c in certificates if c is not None], tmp_path)
    assert all(c is not None for c in certificates)


def check_one_point(net: Network, folder: Path) -> None:
    """On the origin alone a network is a constant, as on a line that is mapped to the origin."""
    origin = (fmpq(0),) * net.n_inputs
    point = LinearSystem.box([(0, 0)] * net.n_inputs)
    found = polyhedral_complex(net, point)
    assert found.f_vector == (1,)
    certificates = [found.certificate]
    face = found.lifted(found.faces[0])
    assert (face.signs, face.point, face.dimension) == (trace(net, origin).pattern, origin, 0)
    constant = net.slice(origin, [origin])
    for question in QUESTIONS:
        verdict = question(net, point)
        assert verdict.answer is question(constant).answer
        certificates.append(verdict.certificate)
    assert_accepted(certificates, folder)
    # Nothing bends at a point, and a neuron that is 0 there is one too many.
    assert is_honest(net, point).answer is True
    assert is_cancellation_free(net, point).answer is True
    is_nonzero = all(all(layer) for layer in trace(net, origin).pattern)
    assert is_supertransversal(net, point).answer is is_nonzero


def test_zero_optima_of_a_saddle_and_a_valley() -> None:
    # |x| - |y| has no optimum at 0; |x| + |y| has one on no face but the origin.
    first = [[1, 0], [-1, 0], [0, 1], [0, -1]]
    saddle = Network.from_arrays([first, [[1, 1, -1, -1]], [[1]]], [[0] * 4, [0], [0]])
    valley = Network.from_arrays([first, [[1, 1, 1, 1]], [[1]]], [[0] * 4, [0], [0]])
    assert has_no_zero_optimum(saddle).answer is True
    (optimum,) = zero_optima(polyhedral_complex(valley).faces, valley.n_inputs)
    assert (optimum.neuron, optimum.word, optimum.face.point) == ((2, 1), "minimum", (0, 0))


def test_limits_of_the_claims() -> None:
    net = load("cases/regions/generic-2-6-6-1-12/network.json")
    for question in QUESTIONS:
        verdict = question(net, max_faces=5)
        assert (verdict.answer, verdict.certificate) == (None, None)
        assert verdict.reason.startswith("stopped at 5 ")
        assert verdict.reason.endswith(" so far")
        assert question(net, LinearSystem.box([(-9, 9)] * 2), timeout=1e-9).answer is None
    assert polyhedral_complex(net, max_faces=5).certificate is None
