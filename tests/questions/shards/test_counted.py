import random

import pytest

from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.regions import regions
from exactrelu.questions.shards.counted import FacePieces, RegionPieces
from exactrelu.questions.shards.sharded import in_pieces
from tests.cells.planted import planted
from tests.cells.simple_networks import KINDS, random_network
from tests.linear_units import random_network as with_linear_units
from tests.questions.shards.pieces import assert_accepted
from tests.seeds import seeds


def some_domain(rng: random.Random, n: int) -> Domain:
    """All of space, a box, an open set, or a flat one."""
    flat = Row.of([rng.choice((-1, 1, 2)) for _ in range(n)], rng.randint(-1, 1), Sense.EQUAL)
    opened = Row.of([rng.choice((-2, 1, 3)) for _ in range(n)], 1, Sense.GREATER)
    given = [None, "box:-2..3", LinearSystem(n, (opened,))]
    if n > 1:
        given.append(LinearSystem(n, (*LinearSystem.orthant(n).rows, opened, flat)))
    while True:
        try:
            return Domain.of(rng.choice(given), n)
        except ValueError:
            continue


@pytest.mark.parametrize("seed", seeds(8, 200))
def test_regions_of_pieces_add_up(seed: int, tmp_path) -> None:
    rng = random.Random(seed)
    n = rng.randint(1, 3)
    kind = rng.choice([*KINDS])
    network = random_network(rng, kind, [n, rng.randint(1, 5), rng.randint(1, 4), 1])
    domain = some_domain(rng, n)
    found = in_pieces(RegionPieces(network, domain), tmp_path / "out", size=rng.randint(1, 6))
    assert found.numbers == (regions(network, domain).n_regions,)
    sentence = assert_accepted(found, tmp_path)
    assert f"exactly {found.numbers[0]} activation regions" in sentence


@pytest.mark.parametrize("seed", seeds(6, 150))
def test_faces_of_pieces_add_up(seed: int, tmp_path) -> None:
    """Walls are pieces too, and the faces on them are counted there, each once."""
    rng = random.Random(seed)
    n = rng.randint(1, 3)
    network = random_network(
        rng, rng.choice([*KINDS]), [n, rng.randint(1, 3), rng.randint(1, 3), 1]
    )
    domain = some_domain(rng, n)
    found = in_pieces(FacePieces(network, domain), tmp_path / "out", size=rng.randint(1, 9))
    wanted = polyhedral_complex(network, domain).f_vector
    assert found.numbers == wanted + (0,) * (n + 1 - len(wanted))
    assert_accepted(found, tmp_path)


@pytest.mark.parametrize("seed", seeds(6, 100))
def test_networks_with_ties(seed: int, tmp_path) -> None:
    network = planted(seed)
    domain = Domain.of(None, network.n_inputs)
    found = in_pieces(RegionPieces(network, domain), tmp_path / "regions", size=2)
    assert found.numbers == (regions(network).n_regions,)
    assert_accepted(found, tmp_path)
    faces = in_pieces(FacePieces(network, domain), tmp_path / "faces", size=3)
    assert faces.numbers == polyhedral_complex(network).f_vector
    assert_accepted(faces, tmp_path)


@pytest.mark.parametrize("seed", seeds(3, 40))
def test_linear_units(seed: int, tmp_path) -> None:
    rng = random.Random(seed)
    network = with_linear_units(rng, n_inputs=2)
    domain = Domain.of("box:-1..1", 2)
    found = in_pieces(RegionPieces(network, domain), tmp_path / "out", size=3)
    assert found.numbers == (regions(network, domain).n_regions,)
    assert_accepted(found, tmp_path)


def test_a_large_network_is_cut_by_how_far_it_got(tmp_path) -> None:
    """The simple engine proves the pieces, and says after how many cuts there were too many."""
    rng = random.Random(1)
    network = random_network(rng, "dyadic", [3, 8, 8, 1])
    question = RegionPieces(network, Domain.of(None, 3))
    found = in_pieces(question, tmp_path / "out", size=150)
    assert found.numbers == (regions(network, certify=False).n_regions,)
    assert found.n_pieces > 4
    assert_accepted(found, tmp_path)


def test_one_piece_is_enough(tmp_path) -> None:
    network = random_network(random.Random(0), "small", [2, 3, 1])
    found = in_pieces(RegionPieces(network, Domain.of(None, 2)), tmp_path / "out")
    assert (found.n_pieces, found.numbers) == (1, (regions(network).n_regions,))
    assert_accepted(found, tmp_path)


@pytest.mark.parametrize("seed", seeds(4, 60))
@pytest.mark.parametrize("pieces", [RegionPieces, FacePieces])
def test_on_flat_sets_with_several_equations(seed: int, pieces, tmp_path) -> None:
    """Equations as they are written, and reduced in the pieces; walls within them."""
    rng = random.Random(seed)
    network = random_network(rng, "small", [4, 4, 3, 1])
    rows = [Row.of([1, 1, 2, -1], 0, Sense.EQUAL), Row.of([0, 2, 1, 1], -1, Sense.EQUAL)]
    box = LinearSystem.box([(-3, 3)] * 4).rows
    domain = Domain.of(LinearSystem(4, (*box, *rows)), 4)
    found = in_pieces(pieces(network, domain), tmp_path / "out", size=rng.randint(1, 4))
    if pieces is RegionPieces:
        assert found.numbers == (regions(network, domain).n_regions,)
    else:
        assert sum(found.numbers) == len(polyhedral_complex(network, domain).faces)
    assert_accepted(found, tmp_path)
