"""Trees of faces as the library writes them: accepted on domains of every kind, and what is listed.

The complex is counted by brute force in ``tests/cells/test_faces.py``; here are what only a writer
can get wrong: coordinates of faces, numbers of rows and of neurons, parts, the grid.
"""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.cells.faces import Face
from exactrelu.cells.tree import faces, tree
from exactrelu.certificates.certificate import Certificate, claim
from exactrelu.certificates.face_trees import FaceWriter, listed_faces, part_over_t, part_records
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.faces import (
    has_no_zero_optimum,
    is_cancellation_free,
    is_honest,
    is_supertransversal,
)
from exactrelu.questions.folds.cells import with_rows
from tests.checking import assert_accepted, verdicts
from tests.questions import domain_oracle as oracle
from tests.seeds import SEED

QUESTIONS = (is_cancellation_free, is_honest, is_supertransversal, has_no_zero_optimum)


def drawn(seed: int) -> tuple[random.Random, Network, Domain]:
    """Small integers, so that ties at exactly 0 are common; denominators that differ."""
    rng = random.Random(f"{SEED} face trees {seed}")
    n = rng.choice([1, 2, 3])
    widths = (n, *rng.choice([[], [1], [3], [2, 1], [2, 2], [1, 1, 2]]), rng.choice([1, 2]))
    weights = [
        [[fmpq(rng.randint(-2, 2), rng.choice([1, 2, 3])) for _ in range(a)] for _ in range(b)]
        for a, b in pairwise(widths)
    ]
    biases = [[fmpq(rng.randint(-2, 2), rng.choice([1, 5])) for _ in rows] for rows in weights]
    planted = oracle.random_domain(rng, n, oracle.KINDS[seed % len(oracle.KINDS)])
    return rng, Network.from_arrays(weights, biases), Domain.of(planted.system, n)


def found_on(network: Network, domain: Domain) -> list[Certificate]:
    certificates = [polyhedral_complex(network, domain).certificate]
    certificates += [question(network, domain).certificate for question in QUESTIONS]
    assert all(certificate is not None for certificate in certificates)
    return [certificate for certificate in certificates if certificate is not None]


@pytest.mark.parametrize("seed", range(40))
def test_random_networks_on_domains_of_every_kind(seed: int, tmp_path: Path) -> None:
    _, network, domain = drawn(seed)
    assert_accepted(found_on(network, domain), tmp_path)


def sign_vectors(
    network: Network, domain: Domain, planes: list[tuple[int, ...]], lines: list[str]
) -> Certificate:
    """The claim that the list is all there is, from the records that list and prove it."""
    at = lines.index("by faces")
    listed = [line.split()[1:] for line in lines[1:at]]
    rows = [[f"{x:x}" for x in row] for row in planes]
    return claim("sign-vectors", "faces", lines[at + 1 :], network=network, domain=domain,
                  planes=rows, faces=listed)  # fmt: skip


@pytest.mark.parametrize("seed", range(0, 40, 2))
def test_a_grid_is_counted_after_the_network(seed: int, tmp_path: Path) -> None:
    rng, network, domain = drawn(seed)
    rows = [tuple(rng.randint(-2, 2) for _ in range(network.n_inputs + 1)) for _ in range(2)]
    planes = [row for row in rows if any(row[:-1])]
    if domain.is_flat or not planes:
        domain, planes = Domain.of(None, network.n_inputs), [(1,) * network.n_inputs + (0,)]
    found = polyhedral_complex(with_rows(network, planes), domain, n_grid=len(planes))
    certificate = sign_vectors(network, domain, planes, found.listed)
    assert_accepted([certificate], tmp_path)
    if network.hidden_widths:
        # As if the grid were neurons among the others.
        whole = listed_faces(found.faces, network.n_inputs, found.tree or ())
        mixed = sign_vectors(network, domain, planes, whole)
        is_same = mixed.records == certificate.records and mixed.fields == certificate.fields
        (said,) = verdicts([mixed], tmp_path)
        assert (said["verdict"] == "ACCEPTED") is is_same


@pytest.mark.parametrize("seed", range(40))
def test_a_part_has_its_rows_after_those_of_the_domain(seed: int, tmp_path: Path) -> None:
    """The tree of a part is that of the domain with these rows."""
    rng, network, domain = drawn(seed)
    n = network.n_inputs
    part = [tuple(rng.randint(-2, 2) for _ in range(n)) for _ in range(2)]
    part = [(*row, 1 - sum(int(a * x) for a, x in zip(row, domain.point, strict=True)))
            for row in part]  # fmt: skip
    inside = part_over_t(domain, part)
    if not inside.contains(domain.coordinates(domain.point)):
        pytest.skip("the point is not in the part")
    restricted = domain.restricted(network)
    nodes = tree(restricted, inside, faces, zero_sets=True)
    expected = [node for node in nodes if isinstance(node, Face)]
    first, number, *listed = part_records(network, domain, part)
    assert first.split()[1:] == [f"{x:x}" for row in part for x in row]
    assert number == f"faces {len(expected):x}"
    more = LinearSystem(n, tuple(Row.of(row[:-1], row[-1], Sense.GREATER) for row in part))
    smaller = Domain.of(domain.system & more, n)
    counts = polyhedral_complex(network, smaller).f_vector_at_least
    assert sum(counts) == len(expected)
    for kind, verdict in (
        ("honest", is_honest(network, smaller)),
        ("cancellation-free", is_cancellation_free(network, smaller)),
    ):
        certificate = claim(kind, "part", [first, number, *listed], holds=False, network=network,
                       domain=domain)  # fmt: skip
        (said,) = verdicts([certificate], tmp_path)
        assert (said["verdict"] == "ACCEPTED") is (verdict.answer is False)


def test_long_weights_on_a_flat_domain(tmp_path: Path) -> None:
    huge, tiny = fmpq(2) ** 1000, fmpq(1) / fmpq(2) ** 1000
    network = Network.from_arrays(
        [[[huge, 1, tiny], [1, -huge, 1], [0, 0, 0]], [[tiny, huge, 1], [1, 1, 1]], [[huge, 1]]],
        [[tiny, -huge, 0], [-1, 0], [tiny]],
    )
    plane = Row.of([1, 3, huge], tiny, Sense.EQUAL)
    box = LinearSystem.box([(-1, 2), (-2, 1), (-1, 1)])
    domain = Domain.of(LinearSystem(3, (plane, *box.rows)), 3)
    assert domain.is_flat
    assert_accepted(found_on(network, domain), tmp_path)


def test_degenerate_networks(tmp_path: Path) -> None:
    """No hidden layer, zero rows, dead layers, duplicates, one neuron."""
    networks = [
        Network.from_arrays([[[1, 2]]], [[3]]),
        Network.from_arrays([[[0, 0], [0, 0]], [[1, 1]]], [[0, 1], [0]]),
        Network.from_arrays([[[1, 0]], [[1]], [[1]]], [[0], [-5], [0]]),
        Network.from_arrays([[[1, 1], [1, 1], [-1, -1]], [[1, 1, 1]]], [[0, 0, 0], [0]]),
        Network.from_arrays([[[1, 0]], [[-1]], [[1]], [[1]]], [[0], [0], [0], [0]]),
    ]
    domains = ("R", "box:0,0;0,0", "box:-1,1;0,0", "box:-1,0;1/2,1/2", "orthant")
    for network in networks:
        for domain in domains:
            assert_accepted(found_on(network, Domain.of(domain, 2)), tmp_path)


def test_a_writer_follows_the_tree_to_its_end() -> None:
    _, network, domain = drawn(7)
    writer = FaceWriter(network, domain)
    nodes = tree(domain.restricted(network), domain.inside, faces, zero_sets=True)
    records = [line for node in nodes for line in writer.records(node)]
    assert records
    assert not writer.stack
