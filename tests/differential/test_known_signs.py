"""Questions with signs known on a domain and without: the same answers, all of them proved.

Networks and domains are those of the hunt, degenerate ones first, and small boxes, where most
neurons have one sign.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

import exactrelu as er
from exactrelu.cells import portfolio
from exactrelu.cells.faces import Face
from exactrelu.cells.facets import FacetJump
from exactrelu.exact.scalar import primitive
from exactrelu.questions.injectivity.network import LayerStage, injective_by_pairs
from tests.budget import tries
from tests.checking import assert_accepted
from tests.differential import hunt
from tests.questions.equivalence.test_known_signs import without
from tests.questions.shards.pieces import assert_accepted as assert_pieces_accepted
from tests.seeds import SEED, seeds, shifted

#: Networks of one test, each with all questions.
CASES = 4
#: In the sweep: networks of each part, each with one question, and the seconds of a part.
NETWORKS, PARTS, SECONDS = 5000, 4, 900
#: So many networks of the sweep have their certificates checked together.
TOGETHER = 250
Answer = tuple[str, Any]


class Case(NamedTuple):
    """What is asked about, and the certificates so far."""

    network: er.Network
    domain: Any
    other: er.Network
    certificates: list[Any]

    def proved(self, found: Any) -> Any:
        """An answer; its certificate is kept."""
        if found.certificate is not None:
            self.certificates.append(found.certificate)
        return found


def small_box(rng: random.Random, n: int) -> list[tuple[Fraction, Fraction]]:
    """Some with an integer for an end, at which neurons are 0; some flat."""
    found = []
    for _ in range(n):
        low, width = Fraction(rng.randint(-6, 6), 2), Fraction(rng.choice((0, 1, 1, 2)), 4)
        found.append((low, low + width))
    return found


def any_case(rng: random.Random, k: int) -> Case:
    case = hunt.any_case(rng)
    domain = case.domain if k % 2 else small_box(rng, case.network.n_inputs)
    return Case(case.network, domain, case.other, [])


def is_inside_one(cell: Any, network: er.Network) -> bool:
    """Whether a region, or a face, has a point with its signs."""
    pattern = cell.signs if isinstance(cell, Face) else cell.pattern
    return bool(er.trace(network, cell.point).pattern == pattern)


# --- What is asked: points, factors of normals and orders that may differ are left out


def regions(case: Case) -> Iterator[Answer]:
    network, domain = case.network, case.domain
    proved = case.proved(er.regions(network, domain))
    listed = er.regions(network, domain, certify=False)
    for found in (proved, listed):
        assert all(is_inside_one(region, network) for region in found)
    yield "regions", [region.pattern for region in proved]
    assert set(proved.patterns) == set(listed.patterns)
    yield "listed", [region.pattern for region in listed]
    yield "one by one", [region.pattern for region in er.iter_regions(network, domain)]
    yield "at most 2", [r.pattern for r in islice(er.iter_regions(network, domain), 2)]
    yield "linear regions", (proved.n_linear_regions, proved.n_affine_maps)
    limited = case.proved(er.regions(network, domain, max_regions=1))
    yield "limited", limited.n_regions


def jump_of(found: FacetJump) -> Any:
    """A facet, its hyperplane with the side that is above, and the jump."""
    normal = primitive(found.flint_normal)
    return found.facet.signs, normal, found.below, found.above, found.jump


def complexes(case: Case) -> Iterator[Answer]:
    whole = case.proved(er.polyhedral_complex(case.network, case.domain))
    for face in whole.faces:
        assert is_inside_one(whole.lifted(face), case.network)
        assert er.trace(whole.network, face.point).pattern == face.signs
    yield "faces", [(face.signs, face.dimension) for face in whole.faces]
    yield "jumps", [jump_of(jump) for jump in whole.facet_jumps]
    yield "ridges", [(r.face.signs, r.is_bending, sorted(r.layers)) for r in whole.ridges]
    bare = er.polyhedral_complex(case.network, case.domain, certify=False)
    assert [face.signs for face in bare.faces] == [face.signs for face in whole.faces]
    limited = er.polyhedral_complex(case.network, case.domain, max_faces=1)
    yield "limited", limited.f_vector_at_least


def folds(case: Case) -> Iterator[Answer]:
    domains = [case.domain]
    if isinstance(case.domain, list) and all(low < high for low, high in case.domain):
        ends = [er.matrices.vector(end) for end in case.domain]
        # They meet in a corner, which is in the interior on the line alone.
        beside = [(high, high + 1) for _, high in ends]
        domains.append(er.polyhedra.BoxUnion((tuple(ends), tuple(beside))))
    for domain in domains:
        found = case.proved(er.folds(case.network, domain))
        yield "facets", [jump_of(jump) for jump in found.facets]
        yield "order", (found.order, found.hyperplanes, found.is_union_of_zero_sets)
        pieces = found.representation.pieces
        yield "pieces", [(p.level, p.hyperplane, [j.facet.signs for j in p.facets]) for p in pieces]
        yield "edges", sorted(found.graph.edges())
        yield "bends", sorted(found.bends.edges())
        drawn = found.drawn_facets()
        yield "drawn", [(sorted(d.vertices), sorted(map(primitive, d.rays))) for d in drawn]


def on_faces(case: Case) -> Iterator[Answer]:
    for ask in (
        er.is_honest,
        er.is_cancellation_free,
        er.identifiability.is_supertransversal,
        er.identifiability.has_no_zero_optimum,
    ):
        verdict = case.proved(ask(case.network, case.domain))
        yield ask.__name__, (verdict.answer, verdict.certificate.method)


def values(case: Case) -> Iterator[Answer]:
    network, domain = case.network, case.domain
    taken = network(er.Domain.of(domain, network.n_inputs).point)
    verdicts = {
        "taken": er.invert(network, taken, domain),
        "more": er.invert(network, [y + 1 for y in taken], domain),
        "injective": er.is_injective(network, domain),
        "stage": injective_by_pairs(LayerStage.of(network, domain, len(network.layers) - 1)),
        "transparent": er.is_transparent(network, domain),
    }
    for name, verdict in verdicts.items():
        yield name, case.proved(verdict).answer


def pairs(case: Case) -> Iterator[Answer]:
    a, b, domain = case.network, case.other, case.domain
    yield "equivalent", case.proved(er.is_equivalent(a, b, domain)).answer
    yield "within", case.proved(er.is_equivalent(a, b, domain, within=1)).answer
    found = case.proved(er.largest_difference(a, b, domain))
    yield "difference", (found.lower, found.upper)


def properties(case: Case) -> Iterator[Answer]:
    network, domain = case.network, case.domain
    (value, *_) = network(er.Domain.of(domain, network.n_inputs).point)
    yield "holds", case.proved(er.holds(network, domain, f"y1 <= {value + 1}")).answer


def roles(case: Case) -> Iterator[Answer]:
    found = er.roles(case.network, case.domain)
    assert found.certificate is not None
    yield "roles", (found.dead, found.linear, found.nonlinear)


def shards(case: Case) -> Iterator[Answer]:
    for question in ("regions", "complex"):
        with TemporaryDirectory() as name:
            place = Path(name)
            found = er.in_shards(question, *case[:2], folder=place / "out", size=3)
            assert_pieces_accepted(found, place)
            # There may be fewer pieces, as what is decided by signs is none.
            yield question, found.numbers


QUESTIONS: dict[str, Callable[[Case], Iterator[Answer]]] = {
    "regions": regions,
    "complex": complexes,
    "folds": folds,
    "faces": on_faces,
    "values": values,
    "pairs": pairs,
    "properties": properties,
    "roles": roles,
    "shards": shards,
}


def opens(certificates: list[Any]) -> bool:
    """Whether one of them uses what is known."""
    lines = (line for one in certificates for line in one.records)
    return any(line.startswith(("bounds ", "decided ")) for line in lines)


def asked_twice(case: Case, names: list[str], monkeypatch: pytest.MonkeyPatch) -> bool:
    """Ask with what is known and without, which is kept too; whether anything was known."""
    found = [answer for name in names for answer in QUESTIONS[name](case)]
    bare = case._replace(certificates=[])
    with monkeypatch.context() as context:
        without(context)
        assert [answer for name in names for answer in QUESTIONS[name](bare)] == found
    if er.Domain.of(case.domain, case.network.n_inputs).is_everywhere:
        texts = [[one.to_bytes() for one in some.certificates] for some in (case, bare)]
        assert texts[0] == texts[1]
    is_opened = opens(case.certificates)
    assert not opens(bare.certificates)
    case.certificates.extend(bare.certificates)
    return is_opened


@pytest.mark.parametrize("seed", seeds(6))
def test_the_same_answers(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(f"{SEED} with and without {seed}")
    # Small networks as large ones.
    monkeypatch.setattr("exactrelu.cells.portfolio.MANY_NEURONS", 0)
    n_opened = 0
    certificates: list[Any] = []
    for k in range(CASES):
        case = any_case(rng, k)
        n_opened += asked_twice(case, [*QUESTIONS], monkeypatch)
        certificates += case.certificates
    assert n_opened
    assert_accepted(certificates, tmp_path)


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(PARTS))
def test_one_question_each(part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactrelu.cells.portfolio.MANY_NEURONS", 0)
    certificates: list[Any] = []
    names = [*QUESTIONS]
    for k in tries(NETWORKS, SECONDS, f"networks with and without known signs, part {part}"):
        rng = random.Random(f"one question {shifted(part)} {k}")
        name = names[k % len(names)]
        case = any_case(rng, k // len(names))
        asked_twice(case, [name], monkeypatch)
        certificates += case.certificates
        if len(certificates) > TOGETHER:
            assert_accepted(certificates, tmp_path)
            certificates.clear()
    assert_accepted(certificates, tmp_path)


def test_a_neuron_that_is_0_everywhere_is_active(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is known to be off, but not negative: its layer is not one of negative units."""
    monkeypatch.setattr("exactrelu.cells.portfolio.MANY_NEURONS", 0)
    network = er.from_arrays([[[1]], [[0]], [[1]]], [[0], [0], [0]])
    verdict = er.is_transparent(network, "box:1..2")
    assert verdict.answer is True
    assert verdict.certificate is not None
    assert verdict.certificate.records[0] == "bounds 1 2"
    assert_accepted([verdict.certificate], tmp_path)


def test_all_questions_share_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found once for a network on a domain, however many questions begin with it."""
    monkeypatch.setattr(portfolio, "MANY_NEURONS", 0)
    monkeypatch.setattr(portfolio, "_LAST", [])
    asked = []
    for stage, find in portfolio._FIND.items():

        def counted(found: Any, effort: Any, stage: Any = stage, find: Any = find) -> Any:
            asked.append((stage.name, found.network, found.domain))
            return find(found, effort)

        monkeypatch.setitem(portfolio._FIND, stage, counted)
    network = er.from_arrays([[[1], [1], [1]], [[1, 1, -1]], [[1]]], [[2, -2, 0], [-1], [0]])
    for name in ("regions", "complex", "folds", "faces", "values", "roles"):
        [*QUESTIONS[name](Case(network, "box:-1..1", network, []))]
    own = [stage for stage, about, _ in asked if about == network]
    assert sorted(own) == ["BOUNDS", "CELLS"]
