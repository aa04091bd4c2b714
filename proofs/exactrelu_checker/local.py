"""Local regions: which points of a sample share an activation region, and how far its boundary is.

The checker computes signs and distances itself; there is no evidence.
"""

from typing import Any

from . import claims
from .file import Proof, form, need
from .numbers import bits, dot
from .objects import Network, System, Vector
from .tree import OPEN, Tree


@claims.kind(
    "the points {points} lie in the regions of equal signs of {network} with numbers {regions}; "
    "the distances to the boundary of the region are {linf} in the maximum norm, and in the "
    "Euclidean norm the squares {squares}"
).of(
    network=claims.network,
    points=claims.points,
    regions=claims.counts,
    linf=claims.distances,
    squares=claims.distances,
)
def local_regions(network: Network, points: list[Vector], **others: Any) -> None:
    """Lists of one length, points of the space of inputs."""
    ok = all(len(other) == len(points) for other in others.values())
    form(ok, "wrong-length", "lists of one length are needed")
    ok = all(len(point.nums) == network.widths[0] for point in points)
    form(ok, "dimensions-differ", "a point of another space")


def local_regions_by_evaluation(
    proof: Proof,
    network: Network,
    points: list[Vector],
    regions: list[int],
    linf: Any,
    squares: Any,
) -> None:
    """Number the sign patterns by first appearance, and find the distance to the boundary.

    Where the signs of x hold, the neurons are affine, a·y + b, so that the points with the same
    signs are an intersection of half-spaces and hyperplanes, one for each neuron with a != 0. Its
    boundary is met first on the nearest one: at |a·x + b|/|a|_1 in the maximum norm, and the
    square of the Euclidean distance is (a·x + b)²/|a|². A constant neuron has no boundary; [] says
    that there is none at all.
    """
    numbers: dict[tuple[str, ...], int] = {}
    tree = Tree(proof, [network], System(network.widths[0], (), ()), OPEN)
    root = tree.root()
    for k, point in enumerate(points):
        values = network.values(proof, point)
        signs = tuple(network.signs(values))
        number = numbers.setdefault(signs, len(numbers))
        need(number == regions[k], "wrong-signs", "the region of a point has another number")
        node, found = root, []
        while (stage := node.stages[0]).layer < len(network.hidden):
            pairs = zip(stage.rows, stage.signs, strict=True)
            found += [row for row, sign in pairs if sign is None]
            node = tree.assumed(node, 0, values[stage.layer])
        at_point = (*point.nums, point.den)
        proof.spend(len(found) * 8 * len(at_point), node.bits + bits(at_point), node.bits)
        heights = [abs(dot(row, at_point)) for row in found]
        lengths = [(sum(map(abs, row[:-1])), dot(row[:-1], row[:-1])) for row in found]
        sides = list(zip(heights, lengths, strict=True))
        _require_least([(h, point.den * a) for h, (a, _) in sides], linf[k])
        _require_least([(h**2, point.den**2 * a) for h, (_, a) in sides], squares[k])


def _require_least(quotients: list[tuple[int, int]], said: Vector | None) -> None:
    """Refuse a number that is not the least of the quotients; None if there are none."""
    if said is None or not quotients:
        need(said is None and not quotients, "wrong-distance", "a distance where there is none")
        return
    least = min(num * said.den - den * said.nums[0] for num, den in quotients)
    need(least == 0, "wrong-distance", "a distance differs")
