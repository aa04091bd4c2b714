"""Activation regions: what the tree of one network says by its leaves.

*Regions.* Go through the hidden neurons in order. On a cell on which all earlier ones are
decided, the next preactivation is affine. If it is constant, it decides the neuron (a
neuron that is 0 throughout counts as inactive); otherwise it cuts the cell into the parts
where it is < 0 and where it is > 0. The regions of N on an open set are the nonempty cells
after the last neuron. On a domain D they are those of relint D, in its affine hull. Linear
units cut nothing.

``cells``: an OPEN tree, whose leaves ``cell p den`` are nonempty by p. Each cell of the
definition is the node of a leaf, or has no points: split makes the two parts of the
definition, and a sign that is proved says that one of them is empty. Nodes of different
leaves are disjoint. So the number of leaves is the number of regions. (The order in which
neurons of one layer cut does not matter: a region is a set of strict signs that some point
has.)

``points``: k records ``point``, each in relint D and off all bent hyperplanes: a neuron
that is 0 at the point is 0 throughout its region. Points with different signs lie in
different regions, so there are at least k.

Transparency: no hidden layer is negative, as a whole, anywhere on a domain.

*Transparent.* At every point of D each hidden layer has a neuron whose preactivation is >=
0.
``cells``: a CLOSED tree, D as it is written, with leaves ``active``: each layer but the
last one is decided and has a neuron that is >= 0 on the node, and the last has one that is
known to be.
``point``: at a point of D all preactivations of a layer are < 0.

Local regions: which points of a sample share an activation region, and how far its boundary
is. The checker computes signs and distances itself; there is no evidence.
"""

from typing import Any

from . import claims
from .claims import kind
from .evidence import point_in, read_point
from .file import Proof, form, need
from .numbers import bits, dot, paired
from .objects import Network, System, Vector, contains
from .tree import CLOSED, OPEN, Node, Tree

regions = kind(
    "{network} has {sense} {count} activation regions on the relative interior of {domain}",
    network=claims.network,
)


def regions_by_cells(
    proof: Proof, network: Network, sense: str, count: int, domain: Any
) -> None:
    """Count the leaves of an OPEN tree."""
    inner = Network((*network.hidden, network.layers[-1]._replace(rows=())))
    found = sum(1 for _ in Tree(proof, [inner], domain, OPEN).cells())
    enough = found >= count if sense == "at-least" else found == count
    need(enough, "region-count", f"the proof has {found} regions")


def regions_by_points(
    proof: Proof, network: Network, sense: str, count: int, domain: Any
) -> None:
    """Count different patterns at points of relint D."""
    need(sense == "at-least", "wrong-method", "points show that there are at least so many")
    seen = set()
    for _ in range(count):
        point = read_point(proof, "point", domain.dim)
        need(
            contains(proof, domain, point, inner=True),
            "point-outside",
            "the point is not inside",
        )
        seen.add(_pattern(proof, network, domain, point))
    need(len(seen) == count, "region-count", f"the points lie in {len(seen)} regions")


def _pattern(
    proof: Proof, network: Network, domain: System, point: Vector
) -> tuple[str, ...]:
    """Return the signs at a point that lies on no bent hyperplane."""
    values = network.values(proof, point)
    signs = tuple(network.signs(values))
    if "0" in "".join(signs):
        # A neuron that is 0 at the point must be constant where the signs of others hold.
        tree = Tree(proof, [network], domain, OPEN)
        node = tree.root()
        while (at := node.stages[0]).layer < len(network.hidden):
            nums = values[at.layer].nums
            ok = all(z or sign is not None for z, sign in paired(nums, at.signs))
            need(ok, "point-on-boundary", "a neuron that is not constant is 0 at the point")
            node = _assumed(tree, node, values[at.layer])
    return signs


def _assumed(tree: Tree, node: Node, values: Vector) -> Node:
    """Return a node where the undecided neurons of a layer are on if their values are > 0.

    Its rows are those of the network where these signs hold; nothing is said of [node].
    """
    pairs = enumerate(paired(values.nums, node.stages[0].signs))
    signs = {unit: 1 if z > 0 else -1 for unit, (z, sign) in pairs if sign is None}
    return tree.decided(node, 0, signs)


transparent = kind(
    "every hidden layer of {network} has a preactivation >= 0 at every point of {domain}",
    "some hidden layer of {network} has only preactivations < 0 at some point of {domain}",
)


def transparent_by_cells(proof: Proof, network: Network, domain: System) -> None:
    """Every leaf of a CLOSED tree has a neuron >= 0 in each layer."""
    for node, *_ in Tree(proof, [network], domain, CLOSED).leaves("active", bare=True):
        stage, depth = node.stages[0], len(network.hidden)
        active = [
            0 in layer or 1 in layer for layer in [*stage.decided, stage.signs][:depth]
        ]
        need(
            active == [True] * depth,
            "layer-not-active",
            "a layer may be negative on the cell",
        )


def not_transparent_by_point(proof: Proof, network: Network, domain: System) -> None:
    """All preactivations of a layer are negative at a point."""
    *hidden, _ = network.values(proof, point_in(proof, domain))
    negative = any(max(layer.nums) < 0 for layer in hidden)
    need(negative, "layer-active", "every layer has a preactivation >= 0 at the point")


@kind(
    "the points {points} lie in the regions of equal signs of {network} with numbers "
    "{regions}; the distances to the boundary of the region are {linf} in the maximum "
    "norm, and in the Euclidean norm the squares {squares}",
    network=claims.network,
    regions=claims.counts,
    linf=claims.distances,
    squares=claims.distances,
)
def local_regions(network: Network, points: list[Vector], **others: Any) -> None:
    """Lists of one length."""
    form(
        all(len(other) == len(points) for other in others.values()),
        "wrong-length",
        "one length",
    )


def local_regions_by_evaluation(
    proof: Proof, network: Network, points: Any, **said: Any
) -> None:
    """Number the sign patterns by first appearance, and find the distance to the boundary.

    Where the signs of x hold, the neurons are affine, a·y + b, so that the points with the
    same signs are an intersection of half-spaces and hyperplanes, one for each neuron with
    a != 0. Its boundary is met first on the nearest one: at |a·x + b|/|a|_1 in the maximum
    norm, and the
    square of the Euclidean distance is (a·x + b)²/|a|². A constant neuron has no boundary;
    [] says that there is none at all.
    """
    numbers: dict[tuple[str, ...], int] = {}
    tree = Tree(proof, [network], System(network.widths[0], (), ()), OPEN)
    root = tree.root()
    for k, point in enumerate(points):
        values = network.values(proof, point)
        number = numbers.setdefault(tuple(network.signs(values)), len(numbers))
        need(
            number == said["regions"][k],
            "wrong-signs",
            "a point has a region of another number",
        )
        node, found = root, []
        while (stage := node.stages[0]).layer < len(network.hidden):
            found += [row for row, s in paired(stage.rows, stage.signs) if s is None]
            node = _assumed(tree, node, values[stage.layer])
        at_point = (*point.nums, point.den)
        proof.spend(len(found) * 8 * len(at_point), node.bits + bits(at_point), node.bits)
        sides = [(abs(dot(row, at_point)), row[:-1]) for row in found]
        _require_least(
            [(h, point.den * sum(map(abs, a))) for h, a in sides], said["linf"][k]
        )
        _require_least(
            [(h**2, point.den**2 * dot(a, a)) for h, a in sides], said["squares"][k]
        )


def _require_least(quotients: list[tuple[int, int]], said: Vector | None) -> None:
    """Refuse a number that is not the least of the quotients; None if there are none."""
    need(bool(said) == bool(quotients), "wrong-distance", "a distance where there is none")
    if said:
        least = min(num * said.den - den * said.nums[0] for num, den in quotients)
        need(least == 0, "wrong-distance", "a distance differs")
