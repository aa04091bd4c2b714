import pytest
from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.exact.scalar import fraction, rational
from exactrelu.questions.recovery.lines import breakpoints
from exactrelu.questions.recovery.oracle import Oracle
from exactrelu.questions.recovery.rounded import certain_breakpoints
from tests.questions.recovery.networks import random_network


@pytest.mark.parametrize("seed", range(5))
def test_every_interval_holds_a_breakpoint(seed: int) -> None:
    net = random_network((2, 5, 3, 1), seed)
    error = fmpq(1, 2**12)

    def rounded(x: tuple[fmpq, ...]) -> list[fmpq]:
        # The nearest multiple of 2·error: off by at most error.
        return [rational(round(fraction(v / (2 * error)))) * 2 * error for v in net(x)]

    start, end = (fmpq(-3), fmpq(1)), (fmpq(4), fmpq(-2))
    found = certain_breakpoints(rounded, start, end, error=error)
    true = breakpoints(Oracle.of(net), start, end)
    assert found.n_breakpoints <= len(true), seed
    assert found.n_breakpoints > 0
    for low, high in found.intervals:
        assert any(low < t < high for t in true)


def test_rounding_alone_is_no_breakpoint() -> None:
    jitter = [fmpq(0), fmpq(1), fmpq(-1)]

    def box(x: tuple[fmpq, ...]) -> list[fmpq]:
        return [3 * x[0] + jitter[int(x[0] * 1024) % 3] / 100]

    assert certain_breakpoints(box, [0], [1], error="1/100").n_breakpoints == 0
    assert certain_breakpoints(box, [0], [1], error="1/1000").n_breakpoints > 0


def test_bad_input() -> None:
    with pytest.raises(InputError):
        certain_breakpoints(lambda x: x, [0], [0], error=0)
