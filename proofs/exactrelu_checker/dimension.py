"""Functional dimension: how many directions of parameter space change the function.

*functional-dimension* At each of the points P no hidden neuron of N is 0, so that its
region is open and has a fixed set of active neurons. The derivatives ∂f_o(x)/∂θ of the
values of N by its parameters, for all outputs o and all x in these regions, span a space of
dimension r, or at least r.

*The matrix.* Let z_l be the preactivations and a_(l-1) the inputs of layer l in the region
of a point, both affine in x. The derivative of output o by the weight from k to j in layer
l is (∂z_(L,o)/∂z_(l,j))·a_(l-1,k)(x), and by the bias ∂z_(L,o)/∂z_(l,j). The first factor
is constant in the region, the second affine in x. Rows: for each point, for each output,
the coefficients of x_1, …, x_n and 1. Columns: the parameters, layer by layer, row by row
of [W_l | b_l].

``minor`` of size r of it (see ``ranks``), and for *exactly* ``kernel``.

*Meaning.* Positive scalings of hidden neurons do not change f, so r is at most the number
of parameters less that of hidden neurons. If it is equal to that, N is locally
identifiable: near its parameters, the same function means a scaling. If r is smaller
nothing follows.

Why this is sound is on the page ``functional-dimension`` of the rules.
"""

from collections.abc import Iterator
from typing import Any

from .claims import kind
from .file import Numbers, Proof, need
from .numbers import Rows, bits, multiplied, paired
from .objects import Chart, Network, System, chart, coordinates
from .ranks import kernel, minor
from .tree import OPEN, Tree

functional_dimension = kind(
    "on the regions of the points {points} the derivatives of the values of {network} by "
    "its parameters span a space of dimension {sense} {rank}"
)
functional_dimension_on = kind(
    "on the regions of the relative interior of {domain}, on none of which a hidden neuron "
    "is 0, the derivatives of the values of {network} by its parameters span a space of "
    "dimension {rank}"
)


def functional_dimension_by_minor(
    proof: Proof, network: Network, rank: int, **said: Any
) -> None:
    """At least by a minor, at most by a kernel."""
    base = chart(proof, System(network.widths[0], (), ()))
    traces = (
        [z.nums for z in network.values(proof, point)[:-1]] for point in said["points"]
    )
    rows = [row for values in traces for row in _derivatives(proof, network, values, base)]
    _require_rank(proof, network, rows, rank, said["sense"] == "exactly")


def functional_dimension_on_by_cells(proof: Proof, network: Network, **said: Any) -> None:
    """All regions; at least by a minor, at most by a kernel."""
    tree = Tree(proof, [network], said["domain"], OPEN)
    signs = (node.stages[0].decided for node in tree.cells())
    rows = [row for cell in signs for row in _derivatives(proof, network, cell, tree.chart)]
    _require_rank(proof, network, rows, said["rank"], True)


def _require_rank(
    proof: Proof, network: Network, rows: Rows, rank: int, exactly: bool
) -> None:
    """Refuse another rank of rows over all parameters."""
    width = sum(layer.entries for layer in network.layers)
    minor(proof, rows, width, rank)
    if exactly:
        kernel(proof, rows, width, rank)


def _derivatives(
    proof: Proof, network: Network, signs: Any, base: Chart
) -> Iterator[Numbers]:
    """Yield the rows of the region with some signs, or values with these signs."""
    need(all(map(all, signs)), "point-on-boundary", "a hidden neuron is 0")
    # What each layer takes in, and 1, as rows over t and 1, times its denominators.
    n, one = base.dim, base.factor
    inputs = [[*base.inputs, (0,) * n + (one,)]]
    for layer, at in zip(network.layers, signs):
        pairs = paired(multiplied(proof, layer.rows, inputs[-1], n + 1), at)
        one *= layer.den
        inputs.append(
            [*(row if z > 0 else (0,) * (n + 1) for row, z in pairs), (0,) * n + (one,)]
        )
    # For each layer from the last one, by output, the derivatives by its preactivations.
    slopes: list[Rows] = [[row[:-1] for row in coordinates(proof, network.widths[-1])]]
    for layer, at in zip(network.layers[::-1], signs[::-1]):
        lines = multiplied(proof, slopes[-1], layer.rows, layer.width)
        slopes.append([[x * (z > 0) for x, z in zip(line, at)] for line in lines])
    for output in range(network.widths[-1]):
        for coordinate in range(n + 1):
            found: Numbers = []
            for out, passed in paired(reversed(slopes), inputs):
                slope, taken = out[output], [line[coordinate] for line in passed]
                # 16 for keeping an entry
                proof.spend(16 * len(slope) * len(taken), bits(slope), bits(taken))
                found += [x * entry for x in slope for entry in taken]
            yield found
