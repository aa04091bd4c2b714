"""Injectivity by pairs of cells: against z3, on planted answers and on degenerate input."""

import random

import pytest
from flint import fmpq

from exactrelu.effort import STOPPED, Effort, Stopped
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain_text import parse_domain
from exactrelu.questions.injectivity.network import (
    Injectivity,
    LayerStage,
    injective_by_pairs,
    network_injective,
)
from tests.checking import assert_accepted
from tests.questions.injectivity import solver
from tests.questions.injectivity.layers import random_domain
from tests.questions.pairs import random_network
from tests.seeds import shifted

SEED = shifted(1116)
DOMAINS = ("R", "R", "orthant", "box:-1,1", "box:0,1/3", "box:2,2", None, None)
ABSOLUTE = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])


def is_collision(stage: LayerStage, points) -> bool:
    x, y = points
    return (
        stage.domain.system.contains(x)
        and stage.domain.system.contains(y)
        and stage.output(stage.last, x) == stage.output(stage.last, y)
        and stage.output(stage.first, x) != stage.output(stage.first, y)
    )


def nonempty_domain(rng: random.Random, n: int) -> LinearSystem:
    """One of the domains, or a random one: flat, half-open, with equations that rows imply."""
    name = rng.choice(DOMAINS)
    if name is not None:
        return parse_domain(name, n)
    while not solver.has_points(domain := random_domain(rng, n)):
        pass
    return domain


def injective_network(rng: random.Random, n: int, least_slack: int = 0) -> Network:
    """Each hidden layer is [B; −DB] with b'' + D·b' ≥ 0, the last one has full column rank."""
    weights, biases = [], []
    for _ in range(rng.randint(1, 2)):
        basis = [[int(i == j) for j in range(n)] for i in range(n)]
        for i in range(n):
            for j in range(i):
                basis[i][j] = rng.randint(-2, 2)
        scales = [rng.randint(1, 3) for _ in range(n)]
        shift = [rng.randint(-2, 2) for _ in range(n)]
        opposite = [[-d * w for w in row] for d, row in zip(scales, basis, strict=True)]
        weights.append(basis + opposite)
        slack = [rng.randint(least_slack, 1) for _ in range(n)]
        biases.append(shift + [s - d * b for s, d, b in zip(slack, scales, shift, strict=True)])
        n *= 2
    weights.append([[int(i == j) for j in range(n)] for i in range(n)])
    biases.append([0] * n)
    return Network.from_arrays(weights, biases)


def test_against_z3(tmp_path) -> None:
    rng = random.Random(SEED)
    certificates, answers = [], []
    for k in range(240):
        hidden = [rng.randint(1, 3) for _ in range(rng.randint(0, 2))]
        net = random_network(rng, [rng.randint(1, 2), *hidden, rng.randint(1, 3)])
        domain = nonempty_domain(rng, net.n_inputs)
        first = rng.randrange(len(net.layers)) if k % 3 == 0 else 0
        stage = LayerStage.of(net, domain, first, rng.randint(first + 1, len(net.layers)))
        verdict = injective_by_pairs(stage)
        assert verdict.answer is solver.is_one_to_one(stage), (SEED, k)
        if not verdict.answer:
            assert is_collision(stage, verdict.witness), (SEED, k)
        certificates.append(verdict.certificate)
        answers.append(verdict.answer)
    assert 60 < sum(answers) < 220
    assert_accepted(certificates, tmp_path)


def test_planted(tmp_path) -> None:
    rng = random.Random(SEED)
    yes = [
        injective_by_pairs(LayerStage.of(injective_network(rng, 1 + k % 2), None)) for k in range(8)
    ]
    assert all(verdict.answer for verdict in yes)
    assert_accepted([verdict.certificate for verdict in yes], tmp_path)


def test_the_closure_counts(tmp_path) -> None:
    """A tent on [0, 2] collides inside; a circle-like curve only at its closed ends."""
    tent = Network.from_arrays([[[1], [1]], [[1, -2]]], [[0, -1], [0]])
    assert injective_by_pairs(LayerStage.of(tent, parse_domain("box:0,2", 1))).answer is False
    # The boundary of a triangle, from (0, 0) over (1, 0) and (0, 1) back to (0, 0).
    loop = Network.from_arrays([[[1], [1], [1]], [[1, -2, 1], [0, 1, -2]]], [[0, -1, -2], [0, 0]])
    closed = parse_domain("box:0,3", 1)
    half_open = LinearSystem(1, (Row.of((1,), 0), Row.of((-1,), 3, Sense.GREATER)))
    no, yes = (injective_by_pairs(LayerStage.of(loop, d)) for d in (closed, half_open))
    assert (no.answer, yes.answer) == (False, True)
    assert set(no.witness) == {(fmpq(0),), (fmpq(3),)}
    assert_accepted([no.certificate, yes.certificate], tmp_path)


def test_lower_dimensional_domains(tmp_path) -> None:
    """x + y is one-to-one on the line x = y, and on a single point everything is."""
    total = Network.from_arrays([[[1, 1]]], [[0]])
    line = LinearSystem(2, (Row.of((1, -1), 0, Sense.EQUAL),))
    other = LinearSystem(2, (Row.of((1, 1), -1), Row.of((-1, -1), 1)))
    verdicts = [
        injective_by_pairs(LayerStage.of(total, domain))
        for domain in (line, other, parse_domain("box:2,2", 2))
    ]
    assert [v.answer for v in verdicts] == [True, False, True]
    assert_accepted([v.certificate for v in verdicts], tmp_path)
    for empty in ("box:1,0", parse_domain("box:1,0", 2), other & LinearSystem.box([(1, 2)] * 2)):
        with pytest.raises(InputError, match="the domain is empty"):
            LayerStage.of(total, empty)


def test_every_flat_domain_has_its_certificate(tmp_path) -> None:
    """Whole networks, by layers or by pairs, on lines and planes with equations of any size."""
    rng = random.Random(SEED + 1)
    certificates, answers = [], []
    while len(answers) < 120:
        n = rng.choice((2, 2, 3))
        rows = [
            Row.of([rng.randint(-3, 3) for _ in range(n)], fmpq(rng.randint(-2, 2), 3), Sense.EQUAL)
            for _ in range(rng.randint(1, n - 1))
        ]
        rows.append(Row.of([rng.randint(-2, 2) for _ in range(n)], 1, Sense.GREATER))
        domain = LinearSystem(n, tuple(rows))
        if not solver.has_points(domain):
            continue
        net = random_network(rng, [n, *rng.choice(([], [3], [2, 2], [4])), rng.randint(1, 3)])
        verdict = network_injective(net, domain)
        stage = LayerStage.of(net, domain)
        assert verdict.answer is solver.is_one_to_one(stage)
        if not verdict.answer:
            assert is_collision(stage, verdict.witness)
        certificates.append(verdict.certificate)
        answers.append(verdict.answer)
    assert 20 < sum(answers) < 110
    assert_accepted(certificates, tmp_path)


def test_degenerate_networks(tmp_path) -> None:
    """Dead layers, constants, equal neurons, ties at 0, weights 2^1000 and 2^−1000."""
    tiny, large = fmpq(1, 2**1000), 2**1000
    networks = [
        Network.from_arrays([[[0], [0]], [[1, 1]]], [[-1, 0], [3]]),
        Network.from_arrays([[[1], [1]], [[1, 1]]], [[0, 0], [0]]),
        Network.from_arrays([[[tiny], [-large]], [[large, 0], [0, tiny]]], [[0, 0], [1, 1]]),
        Network.from_arrays([[[tiny]], [[1]], [[large]]], [[large], [-large], [0]]),
        Network.from_arrays([[[1]]], [[0]]),
    ]
    domains = ("R", "orthant", "box:-1,1", "box:0,0", "box:5,5")
    stages = [LayerStage.of(net, domain) for net in networks for domain in domains]
    verdicts = [f(stage) for stage in stages for f in (injective_by_pairs, _whole)]
    for stage, by_pairs, whole in zip(stages, verdicts[::2], verdicts[1::2], strict=True):
        assert by_pairs.answer is whole.answer is solver.is_one_to_one(stage)
    assert_accepted([verdict.certificate for verdict in verdicts], tmp_path)


def _whole(stage: LayerStage) -> Injectivity:
    return network_injective(stage.network, stage.domain)


def test_huge_weights(tmp_path) -> None:
    huge = 10**5000 + 1
    net = Network.from_arrays([[[huge], [-1]], [[1, 0], [0, 1]]], [[1, 0], [0, 0]])
    verdict = injective_by_pairs(LayerStage.of(net, None))
    assert verdict.answer is True
    assert_accepted([verdict.certificate], tmp_path)


def test_limits() -> None:
    net = injective_network(random.Random(1), 2)
    verdict = injective_by_pairs(LayerStage.of(net, None), max_regions=2)
    assert verdict.answer is None
    assert verdict.reason == "stopped at 2 regions: no collision among 2 regions so far"
    assert (verdict.n_regions, verdict.n_pairs, verdict.n_left) == (2, 3, 0)
    assert injective_by_pairs(LayerStage.of(net, None), timeout=1e-9).answer is None


def test_what_is_settled() -> None:
    """Of 2, 3, 4, … pairs; layers before the one that stops; the whole answer at the end."""
    net = injective_network(random.Random(1), 2)
    stage = LayerStage.of(net, None)
    full = injective_by_pairs(stage)
    assert full.n_pairs == full.n_regions * (full.n_regions + 1) // 2
    for n_pairs in range(1, 6):
        part = injective_by_pairs(stage, effort=Effort(pairs=n_pairs))
        assert (part.answer, part.n_pairs) == (None, n_pairs)
        n = part.n_regions
        assert n * (n + 1) // 2 <= n_pairs < (n + 1) * (n + 2) // 2
        assert part.n_left in (0, (n + 1) * (n + 2) // 2 - n_pairs)
    by_layers = network_injective(net)
    assert by_layers.injective_layers == tuple(range(1, len(net.layers) + 1))
    assert network_injective(net, effort=Effort(seconds=0)).injective_layers == ()
    # The first layer is proved by covers of pairs, which need no LPs; the second one is not.
    rng = random.Random(4)
    rows = [[rng.randint(-9, 9) for _ in range(4)] for _ in range(40)]
    first = [[1, 0], [0, 1], [-1, 0], [0, -1]]
    identity = [[int(i == j) for j in range(40)] for i in range(40)]
    deep = Network.from_arrays([first, rows, identity], [[0] * 4, [0] * 40, [0] * 40])
    part = network_injective(deep, effort=Effort(LPs=4, pairs=1))
    assert (part.answer, part.injective_layers, part.n_pairs) == (None, (1,), 1)
    assert "layers one-to-one on what they can get: 1; " in part.reason


def test_what_is_known_meanwhile() -> None:
    """Whoever has to end the work from outside finds the verdict so far."""
    net = injective_network(random.Random(1), 2)
    seen = []
    effort = Effort(report=lambda effort: seen.append(effort.known(Stopped(STOPPED))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("exactrelu.effort.INTERVAL", 0)
        full = injective_by_pairs(LayerStage.of(net, None), effort=effort)
    assert full.answer
    assert {type(found) for found in seen} == {Injectivity}
    numbers = [found.n_pairs for found in seen]
    assert numbers == sorted(numbers)
    assert 0 < max(numbers) <= full.n_pairs


def test_bad_stages() -> None:
    with pytest.raises(InputError, match="layers 2 to 4: the network has 2"):
        LayerStage.of(ABSOLUTE, None, 1, 4)
    with pytest.raises(ShapeError, match="a domain in 2 variables"):
        LayerStage.of(ABSOLUTE, LinearSystem(2))
