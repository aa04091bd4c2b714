"""Points where two networks differ, though nearly all points do not show it."""

import random

from flint import fmpq

from exactrelu.exact.system import LinearSystem
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.equivalence.witness import lifted_witness
from tests.questions import pairs
from tests.seeds import shifted

SEED = shifted(2037)


def test_a_bump_in_a_small_cell_of_the_orthant() -> None:
    """Equal first layers, and a difference of the rest that random points do not meet."""
    rng = random.Random(SEED)
    first = [[fmpq(rng.randint(-9, 9)) for _ in range(9)] for _ in range(8)]
    eye = [[fmpq(int(i == j)) for j in range(8)] for i in range(8)]
    one = [[*row, -1] for row in eye]
    far = fmpq(10**9)
    bump = [[*eye[0], -far - fmpq(k, 4)] for k in range(3)]
    a = pairs.from_tables([first, one, [[1] * 8 + [0]]])
    b = pairs.from_tables([first, one + bump, [[1] * 8 + [1, -2, 1, 0]]])
    b = pairs.symmetric(b, rng)
    for pair in ((a, b), (b, a)):
        point = lifted_witness(*pair, LinearSystem(8))
        assert point is not None
        assert a(point) != b(point)
        assert equivalent(*pair).answer is False


def test_a_hyperplane_that_only_one_network_has() -> None:
    """A first-layer hyperplane moved by 2⁻³⁰, where f is 0 nearly everywhere."""
    rng = random.Random(SEED)
    first = [[fmpq(rng.randint(-9, 9)) for _ in range(7)] for _ in range(6)]
    second = [[1, -1, -1, -1, -1, -1, -100], [1, 1, -1, -1, -1, -1, -200]]
    a = pairs.from_tables([first, second, [[1, -1, 0]]])
    layers = pairs.tables(a)
    layers[0][3][-1] += fmpq(1, 2**30)
    b = pairs.symmetric(pairs.from_tables(layers), rng)
    point = lifted_witness(a, b, LinearSystem(6))
    assert point is not None
    assert a(point) != b(point)
