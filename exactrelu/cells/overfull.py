"""Faces that lie in the zero sets of more neurons than their codimension (theory 2.2).

On the face of a point the neurons with a positive preactivation pass it on and the
others pass 0.  So the preactivations of the neurons that are 0 there are affine
functions on all of space, and the face is open in the set of their common zeros:
its codimension is the rank of their gradients.

Such faces are found by all vertices of the canonical complex on R^n, each with the signs of
all neurons.  Directions along which the first layer does not change are divided out first, so that
every closed face has a vertex: it lies in a cell of the first-layer arrangement, which
contains no line.  The vertices are those of :mod:`exactrelu.cells.vertices`, unless
the fast engine for simple complexes, in which every vertex lies on n bent hyperplanes
(:mod:`exactrelu.cells.simple`), gets through: then there is nothing to look for.

Supertransversality can be read off them (theory 2.2, 8).  Let n be the dimension that
is left.  *All faces are transversal iff exactly n neurons are 0 at every vertex.*

Only if: a vertex is a face of codimension n.  If: let F be a face, v a vertex of its
closure and Z the n neurons that are 0 at v; those that are 0 on F are among them.
Let g_u be the gradient of u in Z on the face {v}, where the neurons positive at v are
active.  These n gradients have rank n, as {v} is a point: they are independent.  Let
h_u be the gradient of u where the neurons positive on F are active.  Those are the
ones positive at v and some of Z, so that h_u = g_u + Σ c_w h_w over w in Z in layers
before that of u: in the order of the layers h arises from g by a triangular matrix
with ones on the diagonal.  So the h_u are independent too, and F, the common zeros of
some of them, has the codimension that it should have.

Without any direction left (no first layer, or one that is constant) all of space is
one face and its one "vertex" stands for it: no neuron may be 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from operator import mul
from typing import Any, ClassVar

from flint import fmpq

from exactrelu.cells.cuts import Cuts, NotSimple
from exactrelu.cells.regions import essential_axes, is_large, on_axes
from exactrelu.cells.simple_regions import simple_complex
from exactrelu.cells.vertices import _completing_units, _Cut, _first_cells, _VertexTable
from exactrelu.digits import say
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.linear import nullspace
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import ZERO, Vector, primitive, to_texts
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network, Pattern, preactivation_maps, trace


@dataclass(frozen=True)
class OverfullFace(Outward):
    """A face with more zeros than its codimension, and why.

    ``coefficients`` has an integer for each neuron that is 0 on the face, in order, not
    all 0: Σ c_u·s_u·∇z_u = 0, where s_u is the product of the common denominators of
    the layers up to that of u.
    """

    PROVED: ClassVar[tuple[str, ...]] = ("point", "dependency")
    COMPUTED: ClassVar[str] = "neurons and dimension of the face"

    signs: Pattern
    point: Vector
    dimension: int
    coefficients: tuple[int, ...]

    @property
    def zeros(self) -> tuple[tuple[int, int], ...]:
        """The neurons (layer, index), from 1, that are 0 on the face."""
        return tuple(
            (l, i)
            for l, layer in enumerate(self.signs, 1)
            for i, s in enumerate(layer, 1)
            if s == 0
        )

    def text(self) -> str:
        """Which neurons are 0 together, and where."""
        neurons = ", ".join(f"({l},{i})" for l, i in self.zeros)
        what = f"neurons {neurons} are" if len(self.zeros) > 1 else f"neuron {neurons} is"
        return f"{what} 0 on a face of dimension {self.dimension}, at {say(self.point)}"

    def _plain(self) -> dict[str, Any]:
        return {
            "condition": "supertransversal",
            "neurons": [list(neuron) for neuron in self.zeros],
            "dimension": self.dimension,
            "point": to_texts(self.point),
            "dependency": [str(c) for c in self.coefficients],
        }


def overfull_face(network: Network, point: Vector) -> OverfullFace | None:
    """The face of a point if it has more zeros than its codimension."""
    signs = trace(network, point).pattern
    scales = accumulate((layer.affine.integer_form[1] for layer in network.layers), mul)
    gradients = [
        tuple(scale * a for a in row[:-1])
        for layer, maps, scale in zip(
            signs, preactivation_maps(network, signs), scales, strict=False
        )
        for s, row in zip(layer, maps.flint_rows(), strict=True)
        if s == 0
    ]
    kernel = nullspace(Matrix(gradients, network.n_inputs).T) if gradients else ()
    if not kernel:
        return None
    dimension = network.n_inputs - len(gradients) + len(kernel)
    coefficients = tuple(int(c) for c in primitive(kernel[0]))
    return OverfullFace(signs, point, dimension, coefficients)


def overfull_vertices(network: Network, effort: Effort = UNLIMITED) -> list[Vector]:
    """The vertices at which more neurons are 0 than there are dimensions, as points of R^n.

    None iff the network is supertransversal on R^n.  The regions are spent, whose vertices they
    are.

    >>> pencil = Network.from_arrays([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]], [[0, 0, 0], [0]])
    >>> overfull_vertices(pencil)
    [(0, 0)]
    """
    axes = essential_axes(network, LinearSystem(network.n_inputs))
    origin = (ZERO,) * network.n_inputs
    if not axes:
        is_overfull = any(0 in layer for layer in trace(network, origin).pattern)
        return [origin] if is_overfull else []
    reduced, _ = on_axes(network, LinearSystem(network.n_inputs), axes)
    if is_large(reduced) and _is_simple(reduced, effort):
        return []
    table = _all_vertices(reduced, effort)
    neurons = (1 << reduced.n_hidden_neurons) - 1
    found = (
        dict(zip(axes, (fmpq(x, vertex[-1]) for x in vertex[:-1]), strict=True))
        for vertex, tight in zip(table.coordinates, table.tight, strict=True)
        # A last coordinate 0 stands for a vertex at infinity.
        if vertex[-1] and (tight & neurons).bit_count() > len(axes)
    )
    return [tuple(at.get(i, ZERO) for i in range(network.n_inputs)) for at in found]


def _is_simple(network: Network, effort: Effort) -> bool:
    try:
        simple_complex(Cuts(network, LinearSystem(network.n_inputs)), effort)
    except NotSimple:
        return False
    return True


def _all_vertices(network: Network, effort: Effort) -> _VertexTable:
    domain = LinearSystem(network.n_inputs)
    table = _VertexTable(network, [])
    basis = _completing_units(network, domain)
    cells = _first_cells(network, domain, basis, table, effort)
    done = sum(1 << j for j in basis)
    boundary = -1 << network.n_hidden_neurons
    for j in range(network.n_hidden_neurons):
        if j not in basis:
            cut = _Cut(table, j, boundary | done, network.n_inputs - 1)
            cells = cut.apply(cells, effort)
            done |= 1 << j
    return table
