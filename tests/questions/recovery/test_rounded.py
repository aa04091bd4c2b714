import random

import numpy as np
import pytest
from flint import fmpq

from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.scalar import fraction, rational, to_float
from exactrelu.network.network import Network
from exactrelu.questions.recovery.queries import Oracle, breakpoints
from exactrelu.questions.recovery.rounded import certain_breakpoints, certain_neurons
from tests.questions.recovery.networks import random_network
from tests.seeds import seeds

ERROR = fmpq(1, 2**12)
START, END = (fmpq(-3), fmpq(1)), (fmpq(4), fmpq(-2))


def bends_visibly(net: Network, halvings: int = 10) -> bool:
    """Whether some value of the grid is off the chord by more than 4 errors, 2 of them rounding."""
    n = 2**halvings
    grid = [
        tuple(a + fmpq(i, n) * (b - a) for a, b in zip(START, END, strict=True))
        for i in range(n + 1)
    ]
    values = [net(x)[0] for x in grid]
    chord = (values[0] + fmpq(i, n) * (values[-1] - values[0]) for i in range(n + 1))
    return any(abs(v - c) > 4 * ERROR for v, c in zip(values, chord, strict=True))


def test_every_interval_holds_a_breakpoint() -> None:
    n_visible = 0
    for seed in range(8):
        net = random_network((2, 5, 3, 1), seed)

        def rounded(x: tuple[fmpq, ...], net: Network = net) -> list[fmpq]:
            # The nearest multiple of 2·error: off by at most error.
            return [rational(round(fraction(v / (2 * ERROR)))) * 2 * ERROR for v in net(x)]

        found = certain_breakpoints(rounded, START, END, error=ERROR)
        true = breakpoints(Oracle.of(net), START, END)
        assert found.n_breakpoints <= len(true), seed
        for low, high in found.intervals:
            assert any(low < t < high for t in true), seed
        if bends_visibly(net):
            assert found.n_breakpoints > 0, seed
            n_visible += 1
    assert n_visible > 0


def test_rounding_alone_is_no_breakpoint() -> None:
    jitter = [fmpq(0), fmpq(1), fmpq(-1)]

    def box(x: tuple[fmpq, ...]) -> list[fmpq]:
        return [3 * x[0] + jitter[int(x[0] * 1024) % 3] / 100]

    assert certain_breakpoints(box, [0], [1], error="1/100").n_breakpoints == 0
    assert certain_breakpoints(box, [0], [1], error="1/1000").n_breakpoints > 0


@pytest.mark.parametrize("seed", seeds(4))
def test_hyperplanes_of_a_float32_model(seed: int) -> None:
    net = random_network((2, 4, 1), seed)
    tables = [[[to_float(v) for v in r] for r in layer.affine.rows()] for layer in net.layers]
    weights = [np.array(table, dtype=np.float32)[:, :-1] for table in tables]
    biases = [np.array(table, dtype=np.float32)[:, -1] for table in tables]

    def model(x: tuple[fmpq, ...]) -> list[float]:
        y = np.array([to_float(v) for v in x], dtype=np.float32)
        y = np.maximum(weights[0] @ y + biases[0], np.float32(0))
        return [float(v) for v in weights[1] @ y + biases[1]]

    # Each of fewer than 16 operations on the way adds 2^-24 of the sum of all sizes at most.
    sizes = [np.abs(w.astype(np.float64)) for w in weights]
    largest = sizes[1] @ (sizes[0] @ np.full(2, 8.0) + np.abs(biases[0])) + np.abs(biases[1])
    error = rational(float(largest.max())) * fmpq(16, 2**24)
    rng = random.Random(seed)
    segments = [
        [[fmpq(rng.randint(-512, 512), 64) for _ in range(2)] for _ in range(2)] for _ in range(5)
    ]
    exact = Oracle.of(net)
    true = [len(breakpoints(exact, tuple(a), tuple(b))) for a, b in segments]
    for (a, b), n_true in zip(segments, true, strict=True):
        for x in (a, b):
            assert abs(rational(model(tuple(x))[0]) - net(x)[0]) <= error
        found = certain_breakpoints(model, a, b, error=error, halvings=8)
        assert found.n_breakpoints <= n_true
    n_certain = certain_neurons(model, segments, error=error, halvings=8)
    assert 0 < n_certain <= max(true) <= 4, seed


def test_bad_input() -> None:
    with pytest.raises(InputError):
        certain_breakpoints(lambda x: x, [0], [0], error=0)


def test_over_a_bound() -> None:
    start, end = [-1], [2]
    with pytest.raises(Stopped, match=r"1,025 queries, more than 1,000 \(--max-queries\)"):
        certain_breakpoints(lambda x: [abs(x[0])], start, end, error=0, max_queries=1000)
    with pytest.raises(Stopped, match="stopped after 0 s"):
        certain_neurons(lambda x: x, [(start, end)], error=0, effort=Effort(seconds=0))
