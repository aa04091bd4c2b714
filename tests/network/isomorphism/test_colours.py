"""Normal scaling of networks."""

from flint import fmpq

from exactrelu.network.isomorphism.colours import normal_scales
from exactrelu.network.network import Network


def test_scales_of_every_kind() -> None:
    """By bias or input, by output, one step away in both directions, and free."""
    net = Network.from_arrays(
        [[[0], [2], [0]], [[6, 0, 0], [0, 5, 0], [0, 0, 7]], [[0, 3, 0]]],
        [[0, 4, 0], [2, 0, 0], [0]],
    )
    # (1,1) is joined to (2,1) only, whose bias is 2: 6·(1/2)/d = 1.
    assert normal_scales(net) == [[3, fmpq(1, 4), None], [fmpq(1, 2), 3, None]]
    assert normal_scales(net, [(1, 2)])[0][2] == 7
