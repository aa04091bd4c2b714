"""The sign theorem and its volume: by the formula, and by trying every sign pattern."""

import pytest
from flint import fmpq

from exactrelu.effort import Stopped
from exactrelu.errors import InputError
from exactrelu.network.network import Network
from exactrelu.questions.identifiability.second import (
    count_by_signs,
    obstructions,
    sign_fraction,
    theorem_5,
    volume,
)


@pytest.mark.parametrize("n_1", [1, 2, 3])
@pytest.mark.parametrize("n_2", [1, 2, 3])
def test_volume_by_brute_force(n_1: int, n_2: int) -> None:
    identifiable, all_patterns = count_by_signs(n_1, n_2)
    found = volume((n_1, n_1, n_2, 1))
    assert found.fraction == fmpq(identifiable, all_patterns)
    holds = found.published_lower <= found.fraction <= found.published_upper
    # The published theorem counts mirror images as identifiable.
    assert holds or (n_1, n_2) == (1, 1)
    if n_1 == 1:
        assert found.published_lower <= sign_fraction(n_1, n_2) <= found.published_upper


def test_volume_does_not_depend_on_the_other_widths() -> None:
    assert volume((9, 3, 2, 7)).fraction == volume((3, 3, 2, 1)).fraction == fmpq(193, 256)


@pytest.mark.parametrize("widths", [(1, 2, 2, 1), (2, 2, 2), (2, 0, 1, 1), (2, 2, 1, 1, 1)])
def test_other_architectures_are_refused(widths: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="expected n0,n1,n2,n3"):
        volume(widths)


def second(*rows: list[int]) -> Network:
    n = len(rows[0]) - 1
    return Network.from_arrays(
        [[[1] * n] * n, [row[:-1] for row in rows], [[1] * len(rows)]],
        [[0] * n, [row[-1] for row in rows], [0]],
    )


def test_every_condition() -> None:
    assert theorem_5(second([-1, -2, -3], [1, 2, 3])) == ["dead", "linear"]
    assert theorem_5(second([-1, 2, -3], [-3, 1, -2])) == ["hide2"]
    assert theorem_5(second([-1, 2, -3], [3, -1, -2])) == []
    assert theorem_5(second([0, 2, 3])) == []
    assert [o.kind for o in obstructions(second([-1, 2], [-3, 1]))] == ["mirror"]
    assert [o.kind for o in obstructions(second([1, -2], [3, -1]))] == ["hidden"]
    texts = [o.text() for o in obstructions(second([-1, -2, -3], [1, 2, 3]))]
    assert texts == [
        "neuron (2,1) is dead: its row of [W2|b2] is all negative",
        "neuron (2,2) is linear: its row of [W2|b2] is all positive",
    ]


def test_fractions_that_are_too_long_are_refused() -> None:
    with pytest.raises(Stopped, match="a fraction of 100,010,000 bits, more than 10,000,000"):
        volume((10_000, 10_000, 10_000, 1))
    with pytest.raises(Stopped, match="--max-memory"):
        volume((10**9, 10**9, 10**9, 1))
