import pickle
import random
from collections.abc import Iterator
from typing import Any

import pytest

from exactrelu.effort import STOPPED, Effort, Stopped, clock
from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network, evaluate_batch, trace
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.folds.construction import construct
from exactrelu.questions.recovery.obstructions import RecoveryObstruction
from exactrelu.questions.recovery.queries import Oracle, is_visible
from exactrelu.questions.recovery.recover import recover
from tests.questions.fibers.networks import any_network
from tests.questions.recovery.networks import OnlyCallable, random_network
from tests.seeds import seeds

NET = Network.from_arrays


def names(found: object) -> list[str]:
    return [o.name for o in found.obstructions]  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", ["float32", "rational"])
@pytest.mark.parametrize(
    ("widths", "n_seeds"), [((2, 4, 1), 3), ((5, 10, 1), 1), ((2, 3, 2), 2), ((2, 3, 3, 1), 2)]
)
def test_random_networks(widths: tuple[int, ...], n_seeds: int, kind: str) -> None:
    for seed in range(n_seeds):
        net = random_network(widths, seed, kind)
        found = recover(net, seed=seed)
        assert found.answer, (seed, found.reason)
        assert found.certificate is not None
        # Isomorphic, or something that does not show is named.
        assert found.is_isomorphic or found.obstructions, seed


def test_only_values_are_asked() -> None:
    net = load("cases/recovery/widths-2-3-2-1/N.json")
    box = OnlyCallable(net)
    found = recover(box, 2)
    assert found.answer is None
    assert "no more is claimed" in found.reason
    assert len(box.asked) == found.n_queries
    assert isomorphic(net, found.network).answer
    # The same queries as for the network itself, and the same result.
    itself = recover(net)
    assert (itself.network, itself.n_queries) == (found.network, found.n_queries)


def test_the_seed_decides() -> None:
    net = load("cases/recovery/widths-2-3-2-1/N.json")
    asked: dict[int, list[object]] = {5: [], 6: []}
    for seed, points in asked.items():
        for _ in range(2):
            box = OnlyCallable(net)
            recover(box, 2, seed=seed)
            points.append(box.asked)
    assert all(first == second for first, second in asked.values())
    assert asked[5] != asked[6]


BIG = 10**5000 + 7


@pytest.mark.parametrize(
    ("net", "widths"),
    [
        (NET([[[1, 2]]], [[3]]), (2, 1)),
        (NET([[[0, 0]]], [[3]]), (2, 1)),
        (NET([[[0, 0], [1, 2]], [[1, 1]]], [[1, 0], [0]]), (2, 1, 1)),
        (NET([[[1, 2], [1, 2], [2, 4]], [[1, 1, 1]]], [[1, 1, 2], [0]]), (2, 1, 1)),
        (NET([[[1, 2], [1, 2]], [[1, -1]]], [[1, 1], [0]]), (2, 1)),
        (NET([[[1, 2], [-1, -2]], [[1, 1]]], [[0, 0], [0]]), (2, 2, 1)),
        (NET([[[1, 2], [-1, -2]], [[1, -1]]], [[0, 0], [0]]), (2, 1)),
        (NET([[[1, 2], [1, 2], [1, 2]], [[1, -3, 2]]], [[0, 1, 2], [0]]), (2, 3, 1)),
        (NET([[[1, 0], [0, 1], [1, 1]], [[1, 1, -3]]], [[0, 0, 0], [0]]), (2, 3, 1)),
        (NET([[[1, 2], [3, 1]], [[-1, -1]], [[1]]], [[0, 0], [-1], [5]]), (2, 1)),
        (NET([[[1, 2]], [[-1]], [[1]]], [[0], [2], [0]]), (2, 2, 1)),
        (NET([[[BIG, 2], [3, -1]], [[1, -2]]], [[1, -1], [5]]), (2, 2, 1)),
    ],
    ids=[
        "affine",
        "constant",
        "zero-row",
        "duplicates",
        "cancelling",
        "absolute-value",
        "linear-pair",
        "parallel",
        "ties",
        "dead-layer",
        "width-1",
        "5000-digits",
    ],
)
def test_degenerate_networks(net: Network, widths: tuple[int, ...]) -> None:
    found = recover(net)
    assert found.answer, found.reason
    assert found.network.widths == widths


@pytest.mark.parametrize("sides", [(1, 1), (-1, -1), (2, -3), (-2, 3), (-2, -5)])
@pytest.mark.parametrize("bias", [0, 1, -2])
@pytest.mark.parametrize("normal", [[1], [1, 2], [0, -3, 1]])
def test_both_sides_of_one_bend(sides: tuple[int, int], bias: int, normal: list[int]) -> None:
    """|x|, −|x| and their relatives: a bend and a slope, which no output hides."""
    turned = [-w for w in normal]
    net = NET([[normal, turned], [sides]], [[bias, -bias], [3]])
    found = recover(net)
    assert found.answer, found.reason
    assert found.is_isomorphic


@pytest.mark.parametrize("signs", [(1, 1), (-1, -1), (1, -1)])
def test_sums_of_absolute_values(signs: tuple[int, int]) -> None:
    rows = [[1, 0], [-1, 0], [1, 1], [-1, -1]]
    out = [s for s in signs for _ in range(2)]
    found = recover(NET([rows, [out]], [[0, 0, -1, 1], [0]]))
    assert found.answer, found.reason
    assert found.network.widths == (2, 4, 1)


@pytest.mark.parametrize("seed", seeds(3))
def test_any_shallow_network(seed: int) -> None:
    """Small integers: zero rows, dead, parallel, opposite and duplicate neurons."""
    print(f"seed {seed}")
    rng = random.Random(seed)
    for _ in range(15):
        net = any_network(rng, rng.choice((1, 2)), 4)
        found = recover(net)
        assert found.answer, (net, found.reason)


def test_a_boundary_out_of_reach_is_not_claimed() -> None:
    net = NET([[[1, 2], [3, -1]], [[1, -2]]], [[1, -BIG], [5]])
    found = recover(net, max_counterexamples=0)
    assert found.answer is False
    assert found.witness is not None
    assert net(found.witness) != found.network(found.witness)
    # The original is a second network that gives all answers; the certificate has the point.
    (missed,) = (o for o in found.obstructions if o.name == "not all seen")
    assert missed.second == net
    assert missed.certificate == found.certificate
    # Of a black box nothing is claimed where it was not asked.
    assert recover(OnlyCallable(net), 2).answer is None


@pytest.mark.parametrize(
    "net",
    [
        # A neuron is hidden on the side where another one is inactive, and others are not.
        NET(
            [
                [[-2, -2, -1], [2, -2, 0], [-1, -2, 2]],
                [[-3, -3, 3], [0, 2, -3], [-3, 3, -3]],
                [[2, 1, 2]],
            ],
            [[0, 0, 2], [-3, 3, -3], [3]],
        ),
        # A boundary is a ray that begins where two others cross.
        NET([[[2, 0], [2, 2]], [[2, 3], [-2, 2]], [[-3, 1]]], [[2, -3], [2, 0], [0]]),
        # Two boundaries seem to bend at each other.
        NET([[[-2, -1], [-2, 0]], [[-1, 0], [1, 2]], [[1, -2]]], [[0, -1], [2, -1], [1]]),
    ],
    ids=["hidden-on-one-side", "ray", "ring"],
)
def test_boundaries_that_meet_in_corners(net: Network) -> None:
    found = recover(net)
    assert found.answer, found.reason
    assert found.is_isomorphic or found.obstructions


def test_a_counterexample_brings_the_search_there() -> None:
    net = NET([[[1, 2], [3, -1]], [[1, -2]]], [[1, -BIG], [5]])
    found = recover(net)
    assert found.is_isomorphic
    assert found.n_counterexamples == 1


def test_one_input_has_no_depth() -> None:
    # s(s(x) - s(2x + 1) + 3) bends three times, so that one layer of three neurons does.
    net = NET([[[1], [2]], [[1, -1]], [[1]]], [[0, 1], [3], [0]])
    found = recover(net)
    assert found.answer, found.reason
    assert len(found.network.hidden_widths) == 1
    assert "depth of one input" in names(found)


def test_a_hidden_hyperplane_with_two_networks() -> None:
    net = load("cases/rolnick-kording/S000-D1-LRA-fails-open/N.json")
    found = recover(net)
    assert found.answer
    hidden = next(o for o in found.obstructions if o.name == "hidden hyperplane")
    assert hidden.second is not None
    assert hidden.certificate is not None
    assert isomorphic(found.network, hidden.second).answer is False
    points = [(x, y) for x in range(-4, 5) for y in range(-4, 5)]
    assert evaluate_batch(hidden.second, points) == evaluate_batch(net, points)


@pytest.mark.parametrize(
    ("case", "is_isomorphic"),
    [
        ("rolnick-kording/S000-E2-c-inverse/N", True),
        ("rolnick-kording/S000-P1-sign-recovery/N", True),
        ("rolnick-kording/S000-E5-no-bend/N", False),
        ("three-layers/S002-D2-ties/ok", True),
        ("three-layers/S002-P16-ident-ppm/N", True),
    ],
)
def test_cases(case: str, is_isomorphic: bool) -> None:
    found = recover(load(f"cases/{case}.json"))
    assert found.answer, found.reason
    assert found.is_isomorphic is is_isomorphic


def test_the_boundary_that_does_not_bend() -> None:
    # S000-E5: the gradient jumps, the boundary is straight, and one neuron is all there is.
    found = recover(load("cases/rolnick-kording/S000-E5-no-bend/N.json"))
    assert found.network.widths == (2, 1, 1)
    assert names(found) == ["common boundary"]


def test_budget() -> None:
    found = recover(random_network((3, 5, 5, 1), 0), max_queries=500)
    assert found.answer is None
    assert found.network is None
    assert found.n_queries <= 500
    assert names(found) == ["budget exhausted"]


@pytest.mark.parametrize("max_queries", [0, 1, 500, 2000, 3000])
def test_what_is_found_within_a_budget_are_bends_of_the_function(max_queries) -> None:
    net = random_network((3, 4, 3, 1), 1)
    found = recover(net, max_queries=max_queries)
    assert found.reason.startswith(f"stopped at {max_queries:,} queries: ")
    assert found.n_queries <= max_queries
    assert max_queries < 2000 or found.neurons
    oracle = Oracle.of(net)
    for neuron in found.neurons:
        assert is_visible(oracle, neuron.point, neuron.hyperplane)
        assert any(0 in layer for layer in trace(net, neuron.point).pattern)
    assert [n.layer for n in found.neurons] == sorted(n.layer for n in found.neurons)


def test_no_time() -> None:
    found = recover(random_network((3, 4, 3, 1), 1), effort=Effort(seconds=0))
    assert (found.answer, found.network, found.n_queries) == (None, None, 0)
    assert found.reason == "stopped after 0 s: 0 neurons found so far"


def test_a_network_that_is_too_large_is_left_in_time() -> None:
    start = clock()
    found = recover(random_network((30, 60, 60, 5), 0), timeout=0.5)
    assert clock() - start < 10
    assert found.answer is None
    assert found.n_queries > 0
    assert found.reason.startswith("stopped after 0.5 s: ")


def test_what_is_known_is_known_at_any_time() -> None:
    """What a process that watches is sent is what would be returned if it were stopped then."""
    seen: list[object] = []

    def look(effort: Effort) -> None:
        seen.append(pickle.loads(pickle.dumps(effort.known(Stopped(STOPPED)))))

    effort = Effort(report=look)
    net = random_network((3, 4, 3, 1), 1)
    assert recover(net, effort=effort).answer
    known = [found for found in seen if found is not None]
    assert known
    counts = [found.n_queries for found in known]
    assert counts == sorted(counts)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="number of inputs"):
        recover(lambda x: x)


@pytest.mark.parametrize("seed", seeds(1, 3))
@pytest.mark.parametrize("widths", [(2, 2, 1), (2, 2, 2, 1), (3, 3, 2, 1), (4, 3, 3, 2, 1)])
def test_constructed_networks_come_back(widths: tuple[int, ...], seed: int) -> None:
    """Theory 4: what is determined by its function is recovered from queries."""
    box = LinearSystem.box([(-1, 1)] * widths[0])
    net = construct(widths, box, seed=seed).network
    found = recover(net, seed=seed)
    assert (found.answer, found.is_isomorphic) == (True, True), (seed, found.reason)


def step_up(x: Any) -> list[Any]:
    """A bend, and a jump that few queries meet: no network."""
    return [max(0, x[0] + 2 * x[1] + 1) + x[1] + (1 if x[0] + x[1] > 5 else 0)]


def wall(x: Any) -> list[Any]:
    """A boundary that ends where no other one is."""
    return [max(0, x[0] + 1) - x[1] + (max(0, x[1]) if x[0] > 30 else 0)]


@pytest.mark.parametrize("black_box", [step_up, wall])
def test_a_network_that_does_not_fit_is_no_result(black_box: Any) -> None:
    """Neither it nor a second network with its function, which fits no better, is told."""
    found = recover(black_box, 2)
    assert (found.answer, found.reason) == (None, "no network was found that gives all answers")
    assert found.network is None
    assert found.obstructions
    assert all(o.second is None and o.certificate is None for o in found.obstructions)
    assert not any("neuron (" in o.description for o in found.obstructions)


def test_a_second_network_gives_all_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a search for one says: it is tried at every query."""
    net = Network.from_arrays([[[1, 0], [0, 0]], [[1, 1]]], [[0, 1], [0]])
    shifted = Network.from_arrays([[[1, 0], [0, 0]], [[1, 1]]], [[0, 1], [1]])

    def wrong(*_: object) -> Iterator[RecoveryObstruction]:
        yield RecoveryObstruction("open weight", "it may be another one", shifted)
        yield RecoveryObstruction("open weight", "or not", net.renamed("the same"))

    monkeypatch.setattr("exactrelu.questions.recovery.recover.from_layers", wrong)
    found = recover(OnlyCallable(net), 2)
    assert [o.second for o in found.obstructions][:2] == [None, net]
