"""The search on statements that are made up, so that the answers are known."""

from collections.abc import Iterator
from itertools import pairwise, permutations, product
from random import Random

import pytest
from flint import fmpq

from exactrelu.certificates.certificate import Verdict
from exactrelu.lemmas.examine import Counterexample, Finding, examine
from exactrelu.lemmas.families import (
    altered,
    equal_pairs,
    grid,
    network_levels,
    random_network,
    random_networks,
    small_networks,
)
from exactrelu.lemmas.search import search
from exactrelu.lemmas.statement import (
    Fact,
    Family,
    Instance,
    Statement,
    instance_object,
    instance_of,
)
from exactrelu.network.network import Layer, Network, evaluate
from exactrelu.network.symmetry import Symmetry

ZERO = (fmpq(0),)


def made_up(conclusion, family: Family, hypotheses=lambda _: iter(())) -> Statement:
    return Statement("made-up", "nobody", "Made up.", hypotheses, conclusion, family)


def not_positive(instance: Instance) -> Fact:
    return Fact.plain("f(0) <= 0", evaluate(instance.network(), ZERO)[0] <= 0)


SMALL = Family(network_levels([(1, 1, 1)]), random_networks([(1, 1, 1)]))
DRAWN = Family((), random_networks([(1, 2, 3, 1)]))


def test_the_exhaustive_phase_finds_the_smallest() -> None:
    found = search(made_up(not_positive, SMALL), seconds=None)
    assert found.counterexample is not None
    every = [Instance.of(N=N) for N in small_networks((1, 1, 1)) if evaluate(N, ZERO)[0] > 0]
    assert found.counterexample.instance.size() == min(i.size() for i in every)
    assert found.status == "refuted"


def test_random_instances_shrink_to_the_smallest() -> None:
    found = search(made_up(not_positive, DRAWN), seconds=None, max_instances=10**6, seed=3)
    assert found.counterexample is not None
    assert found.phase in ("random", "guided")
    assert found.counterexample.instance.network().widths == (1, 1, 1, 1)
    # Only the bias of the output is left, and it is 1.
    numbers = [
        x
        for layer in found.counterexample.instance.network().layers
        for x in layer.affine.entries()
    ]
    assert numbers == [0, 0, 0, 0, 0, 1]


def test_a_true_statement_holds_to_the_bound() -> None:
    always = made_up(lambda _: Fact.plain("1 = 1", True), SMALL)
    found = search(always, seconds=None)
    assert (found.status, found.counterexample) == ("holds-to-bound", None)
    assert found.completed[0].examined == found.completed[0].within == 9 * 9


def test_a_statement_about_nothing_stays_open() -> None:
    def never(_: Instance) -> Iterator[Fact]:
        yield Fact.plain("0 = 1", False)

    found = search(made_up(not_positive, SMALL, never), seconds=None)
    assert (found.status, found.tally.within) == ("open", 0)


def test_an_undecided_question_is_no_bound() -> None:
    unknown = made_up(lambda _: Fact("?", Verdict(None, "stopped")), SMALL)
    found = search(unknown, seconds=None)
    assert (found.status, found.tally.undecided) == ("open", 81)
    assert examine(unknown, Instance.of(N=next(small_networks((1, 1, 1))))) is Finding.UNDECIDED


def test_the_guided_phase_walks_where_the_random_one_does_not_get() -> None:
    """Six numbers are 5, which a random one rarely is."""

    def fives(instance: Instance) -> int:
        return instance.network().layers[0].affine.entries().count(fmpq(5))

    def some(instance: Instance) -> Iterator[Fact]:
        yield Fact.plain("a five", fives(instance) > 0)

    family = Family(
        (),
        random_networks([(1, 6, 1)]),
        tighten=lambda rng, instance: max((altered(rng, instance) for _ in range(30)), key=fives),
    )
    statement = made_up(lambda i: Fact.plain("fewer than six", fives(i) < 6), family, some)
    found = search(statement, seconds=None, max_instances=4_000, seed=1)
    assert found.counterexample is not None
    assert found.phase == "guided"


@pytest.mark.parametrize("widths", [(1, 2, 1), (1, 1, 2, 1), (2, 2, 1)])
def test_small_networks_are_all_up_to_permutation(widths) -> None:
    entries = (0, 1)
    listed = set(small_networks(widths, entries))
    layers = []
    for before, after in pairwise(widths):
        rows = list(product(entries, repeat=before + 1))
        layers.append(
            [Layer.of([r[:-1] for r in c], [r[-1] for r in c]) for c in product(rows, repeat=after)]
        )
    missed = 0
    for chosen in product(*layers):
        network = Network(chosen)
        hidden = network.hidden_widths
        images = (
            network.transformed(Symmetry(orders, tuple((fmpq(1),) * n for n in hidden)))
            for orders in product(*(permutations(range(n)) for n in hidden))
        )
        missed += not any(image in listed for image in images)
    assert missed == 0


def test_equal_pairs_are_those_of_the_quadratic_search() -> None:
    networks = list(small_networks((1, 1, 1)))
    points = grid(1)
    values = {N: [evaluate(N, x) for x in points] for N in networks}
    slow = {(A, B) for A in networks for B in networks if A != B and values[A] == values[B]}
    assert set(equal_pairs(lambda: iter(networks), points)) == slow
    assert slow


def test_alterations_keep_the_shape() -> None:
    rng = Random(5)
    for _ in range(300):
        network = random_network(rng, (2, 3, 2, 1))
        assert altered(rng, Instance.of(N=network)).network().widths == network.widths


def test_instances_survive_json() -> None:
    rng = Random(6)
    from exactrelu.exact.matrix import Matrix
    from exactrelu.polyhedra.domain import parse_domain

    for _ in range(20):
        instance = Instance.of(
            N=random_network(rng, (2, 3, 1)),
            A=Matrix([[1, fmpq(1, 2)]]),
            x=(fmpq(1, 3), fmpq(-2)),
            t=fmpq(-7, 5),
            i=3,
            D=parse_domain("box:0,1", 2),
        )
        assert instance_of(instance_object(instance)).values == instance.values


def test_a_counterexample_without_certificates_has_an_empty_proof() -> None:
    found = examine(
        made_up(not_positive, SMALL), search(made_up(not_positive, SMALL)).counterexample.instance
    )
    assert isinstance(found, Counterexample)
    assert found.fact_certificates() == []
