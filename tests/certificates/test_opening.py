"""What a proof opens with: the checker accepts it, for one network and for two."""

from __future__ import annotations

import io
import random
from dataclasses import replace

import pytest
from exactrelu_checker.check import Question, check_stream

from exactrelu.cells import portfolio
from exactrelu.cells.knowledge import Knowledge, ShownSigns
from exactrelu.cells.portfolio import KnowledgeStage, known
from exactrelu.cells.regions import list_regions, prove_regions
from exactrelu.certificates.certificate import Certificate, claim
from exactrelu.certificates.opening import opening, roles_claim, writer_of
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network, trace
from exactrelu.polyhedra.domain import Domain
from tests.linear_units import random_domain, random_network
from tests.seeds import SEED, seeds

CASES = 80


def verdict(certificate: Certificate) -> tuple[str, str]:
    stream = io.BufferedReader(io.BytesIO(certificate.to_bytes()))  # type: ignore[arg-type]
    outcome = check_stream("it", stream, Question())
    return outcome.verdict, outcome.code


@pytest.mark.parametrize("seed", seeds(6, 200))
def test_signs_are_accepted(seed: int) -> None:
    rng = random.Random(f"{SEED} opening {seed}")
    n_decided = 0
    for _ in range(CASES):
        network = random_network(rng)
        place = Domain.of(random_domain(rng, network.n_inputs), network.n_inputs)
        found = known(network, place, stage=rng.choice([*KnowledgeStage]))
        certificate = roles_claim(found)
        assert verdict(certificate) == ("ACCEPTED", ""), certificate.to_bytes().decode()
        n_decided += any(line.startswith("decided") for line in certificate.records)
    assert n_decided


@pytest.mark.parametrize("seed", seeds(4, 200))
def test_signs_by_linear_programs_are_accepted(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On cones, half-spaces and orthants, flat ones too: right, and proved without a cut."""
    monkeypatch.setattr(portfolio, "MANY_NEURONS", 1)
    monkeypatch.setattr(portfolio, "_LAST", [])
    rng = random.Random(f"{SEED} sides {seed}")
    n_signs = 0
    for _ in range(CASES):
        network = random_network(rng, n_inputs=rng.randint(1, 3))
        place = unbounded(rng, network.n_inputs)
        found = known(network, place)
        sides = [shown for shown in found.proofs if shown.by == "sides"]
        for region in list_regions(place.restricted(network), place.inside):
            x = place.flint_lift(region.flint_point)
            pattern = trace(network, x).pattern
            for (l, i), sign in found.settled.items():
                assert pattern[l][i] == sign or ((l, i) in found.weak and pattern[l][i] == 0)
        for one in (found, known(network, place, stage=KnowledgeStage.CELLS)):
            certificate = roles_claim(one)
            assert verdict(certificate) == ("ACCEPTED", ""), certificate.to_bytes().decode()
        for shown in sides:
            n_signs += len(shown.signs)
            verdicts = forged(found, shown)
            assert set(verdicts) <= {("REJECTED", "sign-not-shown"), ("REJECTED", "not-refuted")}
    assert n_signs


def unbounded(rng: random.Random, n: int) -> Domain:
    """A few rows that are no box, through a point of the open set that they make."""
    point = [rng.randint(-2, 2) for _ in range(n)]
    rows = []
    for _ in range(rng.randint(1, n)):
        normal = [rng.randint(-2, 2) for _ in range(n)]
        offset = rng.randint(1, 3) - sum(a * x for a, x in zip(normal, point, strict=True))
        rows.append(Row.of(normal, offset, rng.choice((Sense.AT_LEAST, Sense.GREATER))))
    if rng.random() < 0.2 and n > 1:
        normal = [1, *[0] * (n - 1)]
        rows.append(Row.of(normal, -point[0], Sense.EQUAL))
    return Domain.of(LinearSystem(n, tuple(rows)), n)


def forged(found: Knowledge, shown: ShownSigns) -> list[tuple[str, str]]:
    """What becomes of the proof if a sign is the other one."""
    verdicts = []
    for unit, sign in shown.signs.items():
        false = ShownSigns("sides", {**shown.signs, unit: -sign})
        proofs = (*found.proofs[:-1], false)
        verdicts.append(verdict(roles_claim(replace(found, proofs=proofs))))
    return verdicts


@pytest.mark.parametrize("seed", seeds(4, 200))
def test_a_tree_of_what_is_left_is_one_of_the_network(seed: int) -> None:
    """The claim ``regions`` about the network, by the cells of the reduced one."""
    rng = random.Random(f"{SEED} trees {seed}")
    for _ in range(CASES):
        network = random_network(rng)
        place = Domain.of(random_domain(rng, network.n_inputs), network.n_inputs)
        found = known(network, place, stage=rng.choice([*KnowledgeStage]))
        walked = prove_regions(found.reduced.restricted, place.inside)
        writer = writer_of(found, walked.network)
        records = [line for node in walked.nodes for line in writer.records(node)]
        count = sum(line.startswith("cell") for line in records)
        about = {"network": network, "domain": place, "count": count, "sense": "exactly"}
        certificate = claim("regions", "cells", [*opening([found]), *records], **about)
        assert verdict(certificate) == ("ACCEPTED", ""), certificate.to_bytes().decode()
        assert count == len(list_regions(place.restricted(network), place.inside))


def test_two_networks_open_together() -> None:
    """Bounds first, then the trees of each; neurons of the second come after those of the first."""
    one = Network.from_arrays([[[1], [-1], [1]], [[1, 1, -1]], [[1]]], [[0, 0, 7], [7], [0]])
    two = Network.from_arrays([[[1]], [[1]]], [[-2], [0]])
    place = Domain.of("box:-1..1", 1)
    known_signs = [known(net, place, stage=KnowledgeStage.CELLS) for net in (two, one)]
    records = opening(known_signs)
    assert records[:2] == ["bounds 0 7", "decided 9"]
    assert [line for line in records if line.split()[0] in ("bounds", "decided")] == records[:2]
    equal = claim("equal", "cells", [*records, "split 1", *["same"] * 2], holds=True,
                  a=two, b=one, domain=place)  # fmt: skip
    assert verdict(equal) == ("REJECTED", "forms-differ")
    nothing = Network.from_arrays([[[0]], [[1]]], [[0], [0]])
    equal = claim("equal", "cells", [*opening(known_signs[:1]), "same"], holds=True,
                  a=two, b=nothing, domain=place)  # fmt: skip
    assert verdict(equal) == ("ACCEPTED", "")
