"""Newton's steps: what they find is taken there; they find what is taken, and nothing else."""

from __future__ import annotations

import random
from pathlib import Path

from flint import fmpq

from exactrelu.network.network import Network, trace
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.injectivity.inversion import invert
from exactrelu.questions.injectivity.steps import MIN_INPUTS, taken_by_steps
from tests.checking import assert_accepted
from tests.questions.wide import small_box, wide_network


def test_values_that_are_taken(tmp_path: Path) -> None:
    rng = random.Random(1)
    n_found = 0
    for seed in range(6):
        net = wide_network(seed)
        place = Domain.of(small_box(seed), net.n_inputs)
        x = tuple(
            low + (high - low) * fmpq(rng.randint(0, 16), 16) for low, high in small_box(seed)
        )
        values = trace(net, x).flint_output
        found = taken_by_steps(net, place, values)
        if found is not None:
            assert place.system.contains(found)
            assert trace(net, found).flint_output == values
            n_found += 1
        answer = invert(net, values, place)
        assert answer.answer
        assert_accepted([answer.certificate], tmp_path)
    assert n_found >= 4


def test_values_that_are_not() -> None:
    for seed in range(3):
        net = wide_network(seed)
        place = Domain.of(small_box(seed), net.n_inputs)
        far = tuple(y + 1000 for y in trace(net, place.flint_point).flint_output)
        assert taken_by_steps(net, place, far) is None


def test_where_they_are_not_tried() -> None:
    """On unbounded domains, with few inputs, and where floats do not hold the numbers."""
    n = MIN_INPUTS
    net = Network.from_arrays([[[1] * n], [[1]]], [[0], [0]])
    assert taken_by_steps(net, Domain.of("box:0..1", n), (fmpq(1),)) is not None
    assert taken_by_steps(net, Domain.of("orthant", n), (fmpq(1),)) is None
    few = Network.from_arrays([[[1] * (n - 1)], [[1]]], [[0], [0]])
    assert taken_by_steps(few, Domain.of("box:0..1", n - 1), (fmpq(1),)) is None
    large = Network.from_arrays([[[2**2000] * n], [[1]]], [[0], [0]])
    assert taken_by_steps(large, Domain.of("box:0..1", n), (fmpq(1),)) is None


def test_a_map_that_is_constant_in_an_output() -> None:
    """Its steps cannot be solved for; nothing is found."""
    n = MIN_INPUTS
    net = Network.from_arrays([[[1] * n], [[1], [0]]], [[0], [0, 3]])
    place = Domain.of("box:0..1", n)
    assert taken_by_steps(net, place, (fmpq(1), fmpq(4))) is None
    flat = taken_by_steps(net, place, (fmpq(1), fmpq(3)))
    assert flat is None or trace(net, flat).flint_output == (1, 3)
