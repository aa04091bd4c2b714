import random
from collections.abc import Sequence

import pytest
from flint import fmpq

from exactrelu.network.network import Network, trace_batch
from exactrelu.network.roles import Role, neuron_groups, neuron_roles
from tests.network.naive import random_network, random_point
from tests.seeds import seeds


@pytest.mark.parametrize("seed", seeds(100))
def test_roles_are_never_contradicted(seed: int) -> None:
    """Other points than the engine's own sample agree with every decided role."""
    rng = random.Random(seed)
    net = random_network(rng)
    roles = neuron_roles(net)
    for layer, found in zip(net.layers, roles, strict=False):
        for row, role in zip(layer.affine.rows(), found, strict=True):
            assert role in decided_by_signs(row, is_first=layer is net.layers[0])
    points = [[1000 * v for v in random_point(rng, net.n_inputs)] for _ in range(50)]
    for evaluation in trace_batch(net, points):
        for layer, signs in zip(roles, evaluation.pattern, strict=True):
            for role, sign in zip(layer, signs, strict=True):
                assert not (role is Role.DEAD and sign > 0)
                assert not (role is Role.LINEAR and sign < 0)


def decided_by_signs(row: Sequence[fmpq], *, is_first: bool) -> set[Role]:
    """The roles that the signs of a row leave; inputs of later layers are nowhere negative."""
    *weights, bias = row
    if is_first and any(weights):
        return {Role.NONLINEAR}
    if all(x <= 0 for x in row):
        return {Role.DEAD}
    if is_first:
        return {Role.LINEAR}
    if all(x >= 0 for x in row):
        return {Role.LINEAR} if bias > 0 else {Role.LINEAR, Role.DEAD}
    return set(Role)


def test_first_layer_is_decided_and_later_layers_where_signs_tell() -> None:
    net = Network.from_arrays(
        [[[1], [0], [0], [0]], [[-1, 0, 0, 0], [0, -1, -1, 1], [1, 1, 0, 0], [1, 0, 0, 0]],
         [[1] * 4]],
        [[5, -1, 0, 2], [0, -3, 0, -1], [0]],
    )  # fmt: skip
    first, second = neuron_roles(net)
    assert [r.value for r in first] == ["nonlinear", "dead", "dead", "linear"]
    assert [r.value for r in second] == ["dead", "dead", "linear", "nonlinear"]


def test_undecided_rather_than_guessed() -> None:
    """z = s(x) + s(1 − x) − 1 ≥ 0 everywhere, which neither bounds nor samples show."""
    net = Network.from_arrays([[[1], [-1]], [[1, 1]], [[1]]], [[0, 1], [-1], [0]])
    assert neuron_roles(net)[1] == (Role.UNDECIDED,)


def test_groups_with_one_hyperplane() -> None:
    net = Network.from_arrays(
        [[[1, 1], [2, 2], [-1, -1], [1, 0], [0, 0], [0, 0]], [[1, 1, 1, 0, 1, 1]]],
        [[1, 2, -1, 1, 1, 1], [0]],
    )
    (group,) = neuron_groups(net)
    assert (group.layer, group.neurons) == (1, (1, 2, 3))
    assert (group.has_duplicates, group.is_cancelling) == (True, False)
    opposite = Network.from_arrays([[[1], [-2]], [[2, -1], [4, -2]]], [[1, -2], [0, 0]])
    (group,) = neuron_groups(opposite)
    assert (group.has_duplicates, group.is_cancelling) == (False, True)


@pytest.mark.parametrize("seed", seeds(30))
def test_groups_are_those_of_whole_rows(seed: int) -> None:
    """By the definition: multiples of one row [w|b], w ≠ 0."""
    rng = random.Random(seed)
    numbers = [fmpq(v) for v in (-2, -1, 0, 0, 0, 1, 2)]
    rows = [[rng.choice(numbers) for _ in range(3)] for _ in range(8)]
    net = Network.from_arrays([[r[:2] for r in rows], [[1] * 8]], [[r[2] for r in rows], [0]])
    expected = set()
    for i, a in enumerate(rows, 1):
        same = tuple(
            k
            for k, b in enumerate(rows, 1)
            if any(a[:2])
            and any(b[:2])
            and all(a[x] * b[y] == a[y] * b[x] for x in range(3) for y in range(3))
        )
        if len(same) > 1 and same[0] == i:
            expected.add(same)
    assert {group.neurons for group in neuron_groups(net)} == expected
