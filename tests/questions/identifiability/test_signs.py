"""The sign theorem: its conditions one by one, by the definition; certificates."""

from __future__ import annotations

import random
from itertools import chain, combinations
from pathlib import Path

import pytest

from exactrelu.effort import Effort, Stopped
from exactrelu.exact.linear import determinant, rank
from exactrelu.network.network import Network
from exactrelu.questions.faces import is_supertransversal
from exactrelu.questions.genericity.senses import is_generic
from exactrelu.questions.identifiability.functional_dimension import functional_dimension
from exactrelu.questions.identifiability.second import obstructions
from exactrelu.questions.identifiability.signs import sign_proof
from tests.checking import assert_accepted
from tests.questions.identifiability.pairs import random_network
from tests.seeds import seeds


def holds(network: Network) -> bool:
    """The conditions by their definition; supertransversal in all codimensions."""
    first, second, last = (layer.weights for layer in network.layers)
    n_1, n_2 = second.n_columns, second.n_rows
    sets = chain.from_iterable(combinations(range(n_2), k) for k in range(1, n_2 + 1))
    return (
        not obstructions(network)
        and rank(first) == n_1
        and all(second.entries())
        and all(
            determinant(second.take(rows, columns)) != 0
            for rows in combinations(range(n_2), 2)
            for columns in combinations(range(n_1), 2)
        )
        and all(
            any((last.take(columns=J) @ second.take(J, [i])).entries())
            for J in sets
            for i in range(n_1)
        )
        and is_supertransversal(network, certify=False).answer is True
    )


@pytest.mark.parametrize("seed", seeds(3))
def test_random_networks(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    certificates = []
    for _ in range(60):
        n_1 = rng.randint(1, 3)
        widths = (n_1 + rng.randint(0, 1), n_1, rng.randint(1, 3), rng.randint(1, 2))
        network = random_network(rng, widths, rng.choice((2, 5)))
        proof = sign_proof(network)
        if holds(network):
            assert proof is not None, network
        if is_generic(network).answer and not obstructions(network):
            assert proof is not None, network
        if proof is not None:
            certificates.append(proof)
            assert functional_dimension(network).is_locally_identifiable, network
    sentences = assert_accepted(certificates, tmp_path)
    assert all(" is identifiable among all networks on " in sentence for sentence in sentences)


def test_large_and_long_weights(tmp_path: Path) -> None:
    rng = random.Random(1)
    wide = random_network(rng, (16, 16, 16, 2), 2**24)
    tiny = Network.from_arrays(
        [[[2**1000, 0], [0, "1/3"]], [["1/7", -(2**1000)], [3, 5]], [[1, 2]]],
        [[0, 1], [1, -2], [0]],
    )
    proofs = [sign_proof(wide), sign_proof(tiny)]
    assert None not in proofs
    assert_accepted(proofs, tmp_path)


@pytest.mark.parametrize(
    "second",
    [
        [[1, 0, -1], [2, 1, 1]],  # an entry 0
        [[1, 2, -1], [2, 4, -1]],  # parallel rows
        [[1, 2, 1], [2, 1, -1]],  # a linear neuron
        [[-1, -2, -1], [2, 1, -1]],  # a dead one
        [[1, -2, -1], [2, -1, -1]],  # a hidden one
        [[1, 1, -1], [2, 1, -1]],  # two zeros where one neuron of layer 1 is active
    ],
)
def test_a_condition_fails(second: list[list[int]]) -> None:
    rows, biases = [row[:-1] for row in second], [row[-1] for row in second]
    assert sign_proof(network_with(rows, biases)) is None


def test_the_other_layers(tmp_path: Path) -> None:
    rows, biases = [[1, -2], [3, 1]], [-1, -1]
    assert_accepted([sign_proof(network_with(rows, biases))], tmp_path)
    flat = [[1, 2], [2, 4]]
    assert sign_proof(network_with(rows, biases, first=flat)) is None
    # w_11·V_1 + w_21·V_2 = 0: both neurons of layer 2 can be turned around.
    assert sign_proof(network_with(rows, biases, last=[[3, -1]])) is None


def network_with(
    second: list[list[int]],
    biases: list[int],
    first: list[list[int]] | None = None,
    last: list[list[int]] | None = None,
) -> Network:
    weights = [first or [[1, 0], [0, 1]], second, last or [[1, 1]]]
    return Network.from_arrays(weights, [[0, 0], biases, [0] * len(weights[2])])


def test_one_neuron_in_layer_1(tmp_path: Path) -> None:
    """(+|-) and (-|+) together are determined, one kind alone has another network."""
    proofs = []
    for second in ([[1], [-1]], [[1], [-2], [-3]]):
        biases = [-1, *(k + 2 for k in range(1, len(second)))]
        last = [[3**k for k in range(len(second))]]
        network = Network.from_arrays([[[2]], second, last], [[1], biases, [0]])
        proofs.append(sign_proof(network))
    assert None not in proofs
    assert_accepted(proofs, tmp_path)
    for sign in (1, -1):
        network = Network.from_arrays([[[2]], [[sign]], [[1]]], [[1], [-sign], [0]])
        assert sign_proof(network) is None


def test_bounds() -> None:
    rng = random.Random(0)
    network = random_network(rng, (3, 3, 3, 1), 99)
    with pytest.raises(Stopped, match="masks"):
        sign_proof(network, Effort(masks=1))
    # 2^22 sums for each of 44 neurons are too many.
    assert sign_proof(random_network(rng, (44, 44, 44, 1), 99)) is None


def test_by_the_faces(tmp_path: Path) -> None:
    """Both rows vanish at y_1 = -1 where only neuron 1 is active: nowhere."""
    proof = sign_proof(network_with([[1, -2], [2, -1]], [1, 2]))
    assert proof is not None
    assert proof.records[1] == "faces"
    assert_accepted([proof], tmp_path)
