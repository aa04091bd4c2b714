"""Functional dimension: how many directions of parameter space change the function.

*functional-dimension* At each of the points P no hidden neuron of N is 0, so that its region is
open and has a fixed set of active neurons. The derivatives ∂f_o(x)/∂θ of the values of N by its
parameters, for all outputs o and all x in these regions, span a space of dimension r, or at least
r.

*The matrix.* Let z_l be the preactivations and a_(l-1) the inputs of layer l in the region of a
point, both affine in x. The derivative of output o by the weight from k to j in layer l is
(∂z_(L,o)/∂z_(l,j))·a_(l-1,k)(x), and by the bias ∂z_(L,o)/∂z_(l,j). The first factor is constant in
the region, the second affine in x. Rows: for each point, for each output, the coefficients of x_1,
…, x_n and 1. Columns: the parameters, layer by layer, row by row of [W_l | b_l].

``minor`` of size r of it (see ``ranks``), and for *exactly* ``kernel``. *Sound.* A region is open,
so the span over its points of functions affine in x is that of the coefficients. The columns of
layer l are multiplied by the product of the denominators of the other layers, in all rows alike, so
that the rank does not change.

*Meaning.* Positive scalings of hidden neurons do not change f, so r is at most the number of
parameters less that of hidden neurons. If it is equal to that, N is locally identifiable: near its
parameters, the same function means a scaling. If r is smaller nothing follows.
"""

from collections.abc import Sequence

from . import claims, objects
from .claims import kind
from .file import Proof, form, need
from .numbers import Row, Rows, bits, total
from .objects import Network, Vector
from .ranks import kernel, minor

_MEMORY = 16  # fuel for keeping an entry


@kind(
    "functional-dimension",
    "on the regions of the points {points} the derivatives of the values of {network} by its "
    "parameters span a space of dimension {sense} {rank}",
    network=claims.plain_network,
    points=claims.listed(objects.read_vector),
    sense=claims.word("exactly", "at-least"),
    rank=claims.count,
)
def functional_dimension(network: Network, points: list[Vector], sense: str, rank: int) -> None:
    """Points in the space of the inputs."""
    ok = all(len(point.nums) == network.widths[0] for point in points)
    form(ok, "dimensions-differ", "a point in another space than the inputs")


def functional_dimension_by_minor(
    proof: Proof, network: Network, points: list[Vector], sense: str, rank: int
) -> None:
    """At least by a minor, at most by a kernel."""
    rows = [row for point in points for row in _derivatives(proof, network, point)]
    width = sum(len(layer.rows) * len(layer.rows[0]) for layer in network.layers)
    minor(proof, rows, width, rank)
    if sense == "exactly":
        kernel(proof, rows, width, rank)


def _derivatives(proof: Proof, network: Network, point: Vector) -> list[Row]:
    """Return the rows of the region of a point."""
    values = network.values(proof, point)[:-1]
    need(all(all(z.nums) for z in values), "point-on-boundary", "a hidden neuron is 0 at a point")
    active = [[z > 0 for z in at.nums] for at in values]
    inputs, slopes = _inputs(proof, network, active), _slopes(proof, network, active)
    found = []
    for output in range(network.widths[-1]):
        for coordinate in range(network.widths[0] + 1):
            row: list[int] = []
            for out, passed in zip(slopes, inputs, strict=True):
                entries = [line[coordinate] for line in passed]
                count = _MEMORY * len(out[output]) * len(entries)
                proof.spend(count, bits(out[output]), bits(entries))
                row += [slope * entry for slope in out[output] for entry in entries]
            found.append(tuple(row))
    return found


def _inputs(proof: Proof, network: Network, active: Sequence[Sequence[bool]]) -> list[list[Row]]:
    """Return what each layer takes in, and 1, as rows over x and 1, times its denominators."""
    n, one = network.widths[0], 1
    proof.spend(64 * (n + 1) ** 2)
    found = [[tuple(int(i == j) for j in range(n + 1)) for i in range(n + 1)]]
    for layer, signs in zip(network.layers, active, strict=False):
        size = max(map(bits, found[-1]))
        proof.spend(len(layer.rows) * len(found[-1]) * (n + 1), size, layer.bits)
        one *= layer.den
        zero = (0,) * (n + 1)
        pairs = zip(layer.rows, signs, strict=True)
        passed = [total(row, found[-1], n + 1) if sign else zero for row, sign in pairs]
        found.append([*passed, (0,) * n + (one,)])
    return found


def _slopes(proof: Proof, network: Network, active: Sequence[Sequence[bool]]) -> list[Rows]:
    """Return for each layer, by output, the derivatives by its preactivations."""
    outputs = network.widths[-1]
    proof.spend(64 * outputs**2)
    found: list[Rows] = [[[int(i == j) for j in range(outputs)] for i in range(outputs)]]
    for layer, signs in zip(network.layers[::-1], active[::-1], strict=False):
        size = max(map(bits, found[-1]))
        proof.spend(outputs * len(layer.rows) * len(layer.rows[0]), size, layer.bits)
        slopes = (total(row, layer.rows, len(layer.rows[0])) for row in found[-1])
        found.append([
            [x if sign else 0 for x, sign in zip(line, signs, strict=False)] for line in slopes
        ])  # fmt: skip
    return found[::-1]
