import random
from fractions import Fraction

import pytest
from flint import fmpq

from exactrelu.errors import InputError, ShapeError, Unanswered
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.network.shallow import shallow_form
from exactrelu.questions.equivalence import canonical_forms as shallow
from exactrelu.questions.equivalence.canonical_forms import nonzero_point, shallow_equal
from tests.checking import assert_accepted


def random_shallow(rng: random.Random, n: int, m: int) -> Network:
    values = rng.choice([[0, 1, -1], [-2, -1, 0, 1, 2], [Fraction(1, 2), -3, 0, 1]])

    def numbers(k: int) -> list[object]:
        return [rng.choice(values) for _ in range(k)]

    return Network.from_arrays(
        [[numbers(n) for _ in range(m)], [numbers(m) for _ in range(2)]], [numbers(m), numbers(2)]
    )


def disguised(net: Network, rng: random.Random) -> Network:
    """The same function: a neuron split in two, and s(u) − s(−u) − s(2u)/2 + s(−2u)/2 = 0."""
    rows = [list(row) for row in net.layers[0].affine.rows()]
    out = [list(row) for row in net.layers[1].affine.rows()]
    i, t = rng.randrange(len(rows)), fmpq(rng.randint(1, 3), 2)
    u = [rng.randint(-2, 2) for _ in rows[0]]
    rows += [[t * x for x in rows[i]], u, [-x for x in u], [2 * x for x in u], [-2 * x for x in u]]
    table = []
    for row in out:
        row[i] -= 3
        table.append([*row[:-1], 3 / t, 2, -2, -1, 1, row[-1]])
    weights = [[row[:-1] for row in rows], [row[:-1] for row in table]]
    return Network.from_arrays(weights, [[row[-1] for row in rows], [row[-1] for row in table]])


@pytest.mark.parametrize("n_small_points", [0, 200])
def test_random_pairs(n_small_points: int, monkeypatch, tmp_path) -> None:
    """Planted equal and planted different; with and without trying simple points first."""
    monkeypatch.setattr(shallow, "N_SMALL_POINTS", n_small_points)
    rng = random.Random(n_small_points)
    certificates = []
    for k in range(80):
        n = rng.randint(1, 3)
        a = random_shallow(rng, n, rng.randint(1, 4))
        domain = LinearSystem.orthant(n) if k % 2 else None
        form = shallow_form(a, domain)
        for _ in range(5):
            side = 1 if domain else rng.choice([-1, 1])
            x = tuple(side * fmpq(rng.randint(1, 9), rng.randint(1, 4)) for _ in range(n))
            assert form(x) == a(x)
        b = disguised(a, rng)
        assert shallow_form(b, domain) == form
        other = random_shallow(rng, n, 3)
        verdicts = [shallow_equal(a, b, domain), shallow_equal(a, other, domain)]
        assert verdicts[0].answer is True
        if verdicts[1].answer is False:
            assert a(verdicts[1].witness) != other(verdicts[1].witness)
        certificates += [v.certificate for v in verdicts]
    assert_accepted(certificates, tmp_path)


def test_a_difference_in_a_thin_strip() -> None:
    """s(x) − 2 s(x − ε) + s(x − 2ε) is a spike; the witness is found all the same."""
    step = fmpq(1, 10**9)
    spike = Network.from_arrays([[[1], [1], [1]], [[1, -2, 1]]], [[0, -step, -2 * step], [0]])
    zero = Network.from_arrays([[[0]]], [[0]])
    verdict = shallow_equal(spike, zero)
    assert verdict.answer is False
    assert spike(verdict.witness) != (0,)


def test_roles_on_the_orthant() -> None:
    net = Network.from_arrays([[[1, 2], [-1, 0], [1, -1]], [[1, 1, 1]]], [[0, 0, 0], [5]])
    form = shallow_form(net, LinearSystem.orthant(2))
    assert form.bends == (((1, -1, 0), (1,)),)
    assert form.affine.rows() == ((1, 2, 5),)
    assert len(shallow_form(net).bends) == 3


def test_nothing_left() -> None:
    net = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    form = shallow_form(net)
    assert nonzero_point(form - form) is None


def test_bad_input() -> None:
    deep = Network.from_arrays([[[1]], [[1]], [[1]]], [[0], [0], [0]])
    with pytest.raises(InputError, match="2 hidden layers"):
        shallow_form(deep)
    line = Network.from_arrays([[[1]]], [[0]])
    for domain in (LinearSystem.box([(0, 1)]), LinearSystem.box([(2, 2)]), "box:0,1"):
        for ask in (shallow_form, lambda net, domain: shallow_equal(net, net, domain)):
            with pytest.raises(Unanswered, match="known on all of space and on the orthant only"):
                ask(line, domain)
    with pytest.raises(InputError, match="the domain is empty"):
        shallow_form(line, LinearSystem.box([(1, 0)]))
    with pytest.raises(ShapeError, match="1 inputs and 1 outputs"):
        shallow_equal(
            Network.from_arrays([[[1]]], [[0]]), Network.from_arrays([[[1], [1]]], [[0, 0]])
        )
