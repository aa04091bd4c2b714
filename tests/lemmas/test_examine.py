"""No search ends in a claim about nothing: instances with empty and flat sets, forged."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from flint import fmpq

from exactrelu.certificates.certificate import Certificate, joined
from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.exact.text import decode_system
from exactrelu.lemmas.examine import Counterexample, Finding, examine, sets_have_points
from exactrelu.lemmas.families import random_network
from exactrelu.lemmas.own_statements import load_conjecture
from exactrelu.lemmas.record import STATEMENTS, load_record
from exactrelu.lemmas.search import search
from exactrelu.lemmas.statement import Fact, Family, Instance, Level, Statement
from exactrelu.network.network import Network
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.activity import is_transparent
from exactrelu.questions.equivalence.equivalent import equivalent
from tests.checking import assert_accepted

LEMMAS = Path(__file__).parents[2] / "proofs" / "certificates" / "lemmas"
RECORD = load_record()

SQUARE = LinearSystem.box([(-2, 2)] * 2)
EMPTY = {
    "x > 1 and x < 0": LinearSystem(
        2, (Row.of((1, 0), -1, Sense.GREATER), Row.of((-1, 0), 0, Sense.GREATER))
    ),
    "a reversed box": LinearSystem.box([(1, 0), (0, 1)]),
    "x >= 0 and x < 0": LinearSystem(2, (Row.of((1, 0), 0), Row.of((-1, 0), 0, Sense.GREATER))),
    "0 > 0": LinearSystem(2, (Row.of((0, 0), 0, Sense.GREATER),)),
    "two equations that contradict": LinearSystem(
        2, (Row.of((1, 1), 0, Sense.EQUAL), Row.of((1, 1), 1, Sense.EQUAL))
    ),
}
FLAT = {
    "an equation": LinearSystem(2, (*SQUARE.rows, Row.of((1, 0), 0, Sense.EQUAL))),
    "a segment": LinearSystem.box([(0, 1), (0, 0)]),
    "a point": LinearSystem.box([(1, 1), (0, 0)]),
}
#: The statements with a set Z that is a polyhedron, and a kept instance of each that is refuted.
WITH_A_SET = sorted(
    name
    for name, statement in STATEMENTS.items()
    if isinstance(statement, Statement) and "Z" in statement.family.random(Random(0)).values
)


def within(statement: Statement) -> Instance:
    """The kept counterexample of a statement, or a drawn instance."""
    kept = RECORD[statement.id].instance()
    return statement.family.random(Random(0)) if kept is None else kept


def test_sets_occur() -> None:
    assert len(WITH_A_SET) >= 10
    assert any(RECORD[name].counterexample for name in WITH_A_SET)


@pytest.mark.parametrize("name", WITH_A_SET)
@pytest.mark.parametrize("forged", [*EMPTY, *FLAT])
def test_an_instance_with_such_a_set_is_outside_every_statement(name: str, forged: str) -> None:
    statement = STATEMENTS[name]
    assert isinstance(statement, Statement)
    system = {**EMPTY, **FLAT}[forged]
    assert examine(statement, within(statement).replaced("Z", system)) is Finding.OUTSIDE


@pytest.mark.parametrize("name", [n for n in WITH_A_SET if RECORD[n].counterexample])
def test_with_its_own_set_it_is_a_counterexample(name: str) -> None:
    statement = STATEMENTS[name]
    assert isinstance(statement, Statement)
    assert isinstance(examine(statement, within(statement)), Counterexample)


@pytest.mark.parametrize(
    "B",
    [
        Matrix([(1, -1, 0, 1)]),
        Matrix([(0, 0, 0, 1), (0, 2, 0, 0)]),
        Matrix([(-1, 1, 0, 1), (0, 2, 1, -1), (-1, 0, 0, 5), (-1, 1, 3, 5)]),
        Matrix([], n_columns=4),
    ],
)
def test_unions_of_boxes_without_points_are_outside(B: Matrix) -> None:
    statement = STATEMENTS["S001-theorem-A1"]
    assert isinstance(statement, Statement)
    assert examine(statement, within(statement).replaced("B", B)) is Finding.OUTSIDE


def everything_fails(family: Family, *, may_be_flat: bool = False) -> Statement:
    return Statement(
        "made-up",
        "nobody",
        "Made up.",
        lambda _: iter(()),
        lambda _: Fact.plain("0 = 1", False),
        family,
        may_be_flat=may_be_flat,
    )


def drawn_set(rng: Random) -> LinearSystem:
    """Often empty, often flat."""
    kind = rng.random()
    if kind < 0.3:
        return rng.choice(list(EMPTY.values()))
    if kind < 0.6:
        return rng.choice(list(FLAT.values()))
    return LinearSystem.box([(-rng.randint(-1, 2), rng.randint(-1, 2)) for _ in range(2)])


def brute_force_dimension(system: LinearSystem) -> int:
    """Of a set with corners in the grid: the rank of its points of a finer grid, −1 if none."""
    from itertools import product

    from exactrelu.exact.linear import rank

    grid = [fmpq(k, 4) for k in range(-12, 13)]
    points = [(*p, fmpq(1)) for p in product(grid, repeat=2) if system.contains(p)]
    return rank(Matrix(points, n_columns=3)) - 1 if points else -1


def test_emptiness_and_flatness_against_a_grid() -> None:
    seed = 7
    rng = Random(seed)
    seen = set()
    for _ in range(300):
        system = drawn_set(rng)
        dimension = brute_force_dimension(system)
        seen.add(dimension)
        instance = Instance.of(Z=system)
        assert sets_have_points(instance, may_be_flat=True) == (dimension >= 0), seed
        assert sets_have_points(instance, may_be_flat=False) == (dimension == 2), seed
    assert seen == {-1, 0, 1, 2}


@pytest.mark.parametrize("may_be_flat", [False, True])
def test_no_search_and_no_shrinking_ends_in_an_empty_set(may_be_flat: bool) -> None:
    """Every instance is a counterexample but for its set, and reductions offer empty ones."""

    def draw(rng: Random) -> Instance:
        return Instance.of(N=random_network(rng, (2, 1, 1)), D=drawn_set(rng))

    def emptied(instance: Instance) -> Iterator[Instance]:
        small = LinearSystem(2, (Row.of((0, 0), 0, Sense.GREATER),))
        yield instance.replaced("D", small)
        yield instance.replaced("D", LinearSystem(2, (Row.of((1, 0), 0, Sense.EQUAL),)))

    family = Family((), draw, reductions=emptied)
    statement = everything_fails(family, may_be_flat=may_be_flat)
    for seed in range(20):
        found = search(statement, seconds=None, max_instances=200, seed=seed).counterexample
        assert found is not None, seed
        dimension = brute_force_dimension(found.instance.system("D"))
        assert dimension == (1 if may_be_flat else 2), seed


def test_an_exhaustive_level_of_empty_sets_settles_nothing() -> None:
    instances = [Instance.of(D=system) for system in EMPTY.values()]
    level = Level("empty sets", lambda: iter(instances))
    family = Family((level,), lambda _: instances[0])
    found = search(everything_fails(family), seconds=None)
    assert (found.status, found.tally.within) == ("open", 0)
    assert found.tally.examined == len(EMPTY)


@pytest.mark.parametrize("forged", EMPTY)
def test_no_fact_is_about_an_empty_domain(forged: str) -> None:
    """A claim has a domain, and there is no empty one."""
    with pytest.raises(InputError, match="empty"):
        Domain.of(EMPTY[forged], 2)


def test_no_fact_is_about_an_empty_union() -> None:
    thin = ((fmpq(0), fmpq(0)), (fmpq(0), fmpq(1)))
    with pytest.raises(InputError, match="no interior points"):
        BoxUnion((thin, thin))


@pytest.mark.parametrize("path", sorted(LEMMAS.glob("*.cert.jsonl")), ids=lambda p: p.name[:-12])
def test_no_kept_counterexample_is_about_nothing(path: Path) -> None:
    """Every polyhedron of a fact has interior points."""
    certificate = Certificate.from_bytes(path.read_bytes())
    for subject in certificate.fields["facts"]["subjects"]:
        if "dim" in subject:
            Z = Instance.of(Z=decode_system(subject))
            assert sets_have_points(Z, may_be_flat=False)


@pytest.mark.parametrize("name", FLAT)
def test_facts_on_flat_sets_have_certificates(name: str, tmp_path: Path) -> None:
    """Transparent there and not the zero network: both facts are certified on the set itself."""
    N = Network.from_arrays([[[1, 0], [-1, 0]], [[1, 1]]], [[0, 0], [0]])
    zero = Network.from_arrays([[[0, 0]]], [[fmpq(1, 7)]])

    def differs(instance: Instance) -> Fact:
        return Fact("N is 1/7 on D", equivalent(N, zero, instance.system("D")))

    def is_active(instance: Instance) -> Iterator[Fact]:
        yield Fact("N is transparent on D", is_transparent(N, instance.system("D")))

    family = Family((), lambda _: Instance.of())
    statement = Statement("made-up", "nobody", "Made up.", is_active, differs, family)
    statement = replace(statement, may_be_flat=True)
    found = examine(statement, Instance.of(D=FLAT[name]))
    assert isinstance(found, Counterexample)
    facts = joined("facts", found.fact_certificates())
    (sentence,) = assert_accepted([facts], tmp_path)
    assert sentence.count(" (flat: said in its affine hull)") == 2
    assert len(facts.fields["facts"]["subjects"]) == 3


CONJECTURE = """
import exactrelu as er
from exactrelu.exact.system import LinearSystem

WIDTHS = [(1, 1, 1)]
EMPTY = LinearSystem.box([(1, 0)]).open()


def hypotheses(N):
    yield er.is_transparent(N, EMPTY)


def conclusion(N):
    return False
"""


def test_a_conjecture_about_an_empty_domain_is_not_refuted(tmp_path) -> None:
    """Either the domain is refused as bad input, or no instance is within the hypotheses."""
    path = tmp_path / "mine.py"
    path.write_text(CONJECTURE)
    found = None
    with suppress(InputError):
        found = search(load_conjecture(str(path)), seconds=None, max_instances=100)
    assert found is None or found.counterexample is None


DRAWN = """
import exactrelu as er
from exactrelu.exact.system import LinearSystem

WIDTHS = [(1, 1)]
SETS = [[(1, 0)], [(2, 1)], [(5, 5)]]


def hypotheses(N, D):
    return True


def conclusion(N, D):
    return not isinstance(D, LinearSystem)


def random_instance(rng):
    return er.Network.from_arrays([[[1]]], [[0]]), LinearSystem.box(rng.choice(SETS))
"""


def test_the_sets_that_a_conjecture_draws_have_points(tmp_path) -> None:
    """Of empty boxes and a point only the point is left: a conjecture may be about flat sets."""
    path = tmp_path / "mine.py"
    path.write_text(DRAWN)
    found = search(load_conjecture(str(path)), seconds=None, max_instances=6_700)
    assert found.phase == "random"
    assert found.counterexample is not None
    assert found.counterexample.instance.system("D") == LinearSystem.box([(5, 5)])
