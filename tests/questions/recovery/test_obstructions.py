"""What queries cannot determine has a name, a second network, and a proof where possible."""

from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.network.formats.load import load
from exactrelu.network.network import Network, evaluate_batch
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.recovery.obstructions import RecoveryObstruction, unseen
from exactrelu.questions.recovery.recover import Recovery, recover
from tests.checking import assert_accepted

NET = Network.from_arrays

#: Name of the obstruction, a network that has it, whether a certificate proves it.
CASES = {
    "dead neuron": (
        NET([[[1, 0], [0, 1]], [[-1, -1], [1, -2]], [[1, -3]]], [[0, 0], [-1, -1], [0]]),
        True,
    ),
    "linear neuron": (
        NET([[[1, 0], [0, 1]], [[1, 1], [1, -2]], [[1, -3]]], [[0, 0], [1, -1], [0]]),
        True,
    ),
    "leads nowhere": (NET([[[1, 2], [3, -1], [1, 1]], [[1, -2, 0]]], [[1, -1, 5], [0]]), False),
    "common boundary": (NET([[[1, 2], [2, 4], [1, 1]], [[1, 1, 3]]], [[1, 2, 0], [0]]), False),
    "hidden hyperplane": (NET([[[1, 0], [0, 1]], [[1, -1]], [[1]]], [[0, 0], [-1], [0]]), True),
    "ambiguous signs": (NET([[[1, 2], [1, 2], [1, 2]], [[1, -3, 2]]], [[0, 1, 2], [0]]), True),
    "not identifiable": (NET([[[1, 2], [1, 2], [1, 2]], [[1, -3, 2]]], [[0, 1, 2], [0]]), True),
    "open weight": (load("cases/recovery/open-weight/N.json"), True),
    "layers not determined": (
        NET(
            [[[0, 0], [0, -2], [2, 0]], [[0, -1, 2], [2, 1, 0]], [[-1, 2]]],
            [[-2, -1, 2], [-1, 2], [-2]],
        ),
        True,
    ),
    "depth of one input": (NET([[[1], [2]], [[1, -1]], [[1]]], [[0, 1], [3], [0]]), False),
}


def named(found: Recovery, name: str) -> list[RecoveryObstruction]:
    return [o for o in found.obstructions if o.name == name]


@pytest.mark.parametrize("name", CASES)
def test_every_kind_has_a_second_network(name: str, tmp_path: Path) -> None:
    net, is_proved = CASES[name]
    found = recover(net)
    assert found.answer, found.reason
    obstructions = named(found, name)
    assert obstructions
    points = [[fmpq(7 * i + 3 * k, 2 + k) - 6 for k in range(net.n_inputs)] for i in range(-20, 20)]
    for o in obstructions:
        assert o.second is not None
        assert isomorphic(found.network, o.second).answer is False
        assert evaluate_batch(o.second, points) == evaluate_batch(net, points)
        assert equivalent(o.second, net).answer
    proofs = [o.certificate for o in obstructions if o.certificate is not None]
    assert bool(proofs) is is_proved
    if proofs:
        assert_accepted(proofs, tmp_path)


def test_seen_neurons_need_no_excuse() -> None:
    net = NET([[[1, 0], [0, 1]], [[1, -2]], [[1]]], [[0, 0], [-1], [0]])
    step = (fmpq(1, 64), fmpq(1, 64))
    spots = [((fmpq(0), fmpq(5)), step), ((fmpq(5), fmpq(0)), step), ((fmpq(1), fmpq(-1)), step)]
    assert list(unseen(net, spots, [])) == []
    assert [o.name for o in unseen(net, spots[:2], [])] == ["invisible neuron"]
    never = [(fmpq(0), fmpq(0)), (fmpq(0), fmpq(2))]
    (one,) = unseen(net, spots[:2], never)
    assert one.description == (
        "neuron (2,1) of the original does not show at the queries, never active"
    )
    both = [(fmpq(3), fmpq(0)), (fmpq(0), fmpq(0))]
    assert [o.name for o in unseen(net, spots[:2], both)] == ["hidden hyperplane"]
    # Without a proof of the whole, it may show where no query came.
    (one,) = unseen(net, spots[:2], both, is_proved=False)
    assert (one.name, one.description[-28:]) == ("invisible neuron", "does not show at the queries")
