"""All activation regions, without a proof or with one, by whichever engine is fastest.

*Listed*, without a proof: directions along which neither the first layer nor the domain changes
are divided out; then the complex has vertices.  Large networks are tried as simple complexes, many
vertices at a time (:mod:`exactrelu.cells.simple`), and where more cuts meet than that, their ties
are broken (:mod:`exactrelu.cells.ties`); what is small, and what floats cannot tell, goes vertex by
vertex (:mod:`exactrelu.cells.vertices`), unless the domain alone may have too many vertices: a box
in R^n has 2^n (:mod:`exactrelu.cells.tree`).

*Proved*, by the split tree of the network: a simple complex has its proofs in its vertices, and so
has one whose ties are broken, but for some LPs (:mod:`exactrelu.cells.simple_proof`); what floats
cannot tell, and what is small, is walked with LPs (:mod:`exactrelu.cells.tree`).  The choice
depends on network and domain only, so that the tree is the same for any number of processes.

Neurons that rows of the domain settle are linear units there (:mod:`exactrelu.cells.settled`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from exactrelu.cells.cuts import Cuts, NotSimple, Tied
from exactrelu.cells.region_list import RegionList
from exactrelu.cells.settled import SettledByRow, settled_by, unit_signs, with_sides, without
from exactrelu.cells.simple_proof import Cone, SimpleProof, is_in_order
from exactrelu.cells.simple_regions import listed, region_table, simple_complex, simple_regions
from exactrelu.cells.tree import LayerSides, Node, Region, regions, tree
from exactrelu.cells.vertices import regions_by_vertices
from exactrelu.cells.walk import KnownSigns
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.linear import modular_minor, rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.network import Network, trace
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.lp import feasible

#: Networks with a smaller product of inputs and hidden neurons have too few vertices to be
#: worth handling in batches.
MIN_SIZE = 40

#: A domain that bounds more directions than these may have too many vertices.
MAX_BOUNDED = 12

#: With fewer hidden neurons than these LPs prove the split tree faster.
MIN_NEURONS = 8


def list_regions(
    network: Network, domain: LinearSystem, effort: Effort = UNLIMITED
) -> Sequence[Region]:
    """The regions on an open ``domain`` in the order of their patterns.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> [r.pattern for r in list_regions(xor, LinearSystem(2))]
    [((-1, -1),), ((1, -1),), ((1, 1),)]
    """
    if any(not any(row.flint_normal) and row.flint_offset <= 0 for row in domain.rows):
        # 0 > 0 is false, but its closure 0 ≥ 0, which is all that vertices know, is true.
        return []
    axes = essential_axes(network, domain)
    origin = (ZERO,) * network.n_inputs
    if not axes:
        # No row depends on the input: all of space is one region.
        return [Region(trace(network, origin).pattern, origin)]
    ask_first_cells(network, domain, effort)
    found = _listed(*on_axes(network, domain, axes), effort)
    if len(axes) == network.n_inputs:
        return found
    if isinstance(found, RegionList):
        return found.embedded(axes, network.n_inputs)
    return [Region(r.pattern, _embedded(r.flint_point, axes, network.n_inputs)) for r in found]


def _listed(network: Network, domain: LinearSystem, effort: Effort) -> Sequence[Region]:
    if is_large(network) and all(any(row.flint_normal) for row in domain.rows):
        settled = settled_by(network, domain)
        try:
            found = simple_regions(without(network, settled), domain, effort)
        except NotSimple:
            pass
        else:
            return found.of(network, unit_signs(network, settled)) if settled else found
    if _n_bounded(domain) > MAX_BOUNDED:
        return _by_split_tree(network, domain, effort)
    return regions_by_vertices(network, domain, effort)


def _n_bounded(domain: LinearSystem) -> int:
    """The number of independent directions that a domain bounds, on one side at least."""
    if _bounds_every_axis(domain):
        return domain.dimension
    return rank(Matrix([row.flint_normal for row in domain.rows], domain.dimension))


def _bounds_every_axis(domain: LinearSystem) -> bool:
    """Whether there are rows with each axis as their normal, as those of a box are."""
    if len(domain.rows) < domain.dimension:
        return False
    used = ([j for j, a in enumerate(row.flint_normal) if a] for row in domain.rows)
    return len({axes[0] for axes in used if len(axes) == 1}) == domain.dimension


def n_first_cells(network: Network, domain: LinearSystem) -> int:
    """How many cells of a nonempty domain the first neurons make at least.

    Those with normals independent of each other and of the domain's cut it in two each.
    """
    if _bounds_every_axis(domain):
        return 1
    normals = [*(row.normal for row in domain.rows), *first_normals(network)]
    return 1 << (rank(Matrix(normals, network.n_inputs)) - _n_bounded(domain))


def ask_first_cells(network: Network, domain: LinearSystem, effort: Effort) -> None:
    """Spend the first cells if they alone are too many regions."""
    most = effort.left("regions")
    if most is not None:
        n_cells = n_first_cells(network, domain)
        if n_cells > most and isinstance(feasible(domain, effort=effort), Solution):
            effort.spend("regions", n_cells)


def _by_split_tree(network: Network, domain: LinearSystem, effort: Effort) -> list[Region]:
    """The regions by linear programs, for domains with too many vertices."""
    found: list[Region] = []
    for node in tree(network, domain, regions, effort=effort):
        if isinstance(node, Region):
            effort.spend("regions")
            found.append(node)
    return sorted(found, key=lambda region: region.pattern)


def is_large(network: Network) -> bool:
    """Whether its vertices are worth handling in batches."""
    return network.n_hidden_neurons * network.n_inputs >= MIN_SIZE


def first_normals(network: Network) -> list[Vector]:
    """The normals of the neurons of the first layer."""
    if not network.hidden_widths:
        return []
    first = network.layers[0]
    rows = zip(first.weights.rows(), first.passes, strict=True)
    return [row for row, is_linear in rows if not is_linear]


def essential_axes(network: Network, domain: LinearSystem) -> tuple[int, ...]:
    """Axes that span a complement of the directions in which nothing changes."""
    if _bounds_every_axis(domain):
        return tuple(range(network.n_inputs))
    first = network.layers[0].weights.flint_rows() if network.hidden_widths else ()
    normals = Matrix([*(row.flint_normal for row in domain.rows), *first], network.n_inputs)
    return modular_minor(normals, rank(normals)).columns


def on_axes(
    network: Network, domain: LinearSystem, axes: Sequence[int]
) -> tuple[Network, LinearSystem]:
    """Network and domain as functions of these coordinates, the others being 0."""
    if len(axes) == network.n_inputs:
        return network, domain
    affine = network.layers[0].affine.take(columns=[*axes, network.n_inputs])
    first = network.layers[0].with_affine(affine)
    reduced = Network((first, *network.layers[1:]), network.name, network.neuron_names)
    rows = (
        Row(tuple(r.flint_normal[j] for j in axes), r.flint_offset, r.sense) for r in domain.rows
    )
    return reduced, LinearSystem(len(axes), tuple(rows))


def _embedded(point: Vector, columns: Sequence[int], n: int) -> Vector:
    """The point with these coordinates in the given columns, and 0 in the others."""
    values = dict(zip(columns, point, strict=True))
    return tuple(values.get(i, ZERO) for i in range(n))


class Walked(NamedTuple):
    """The nodes of a tree in preorder, and the network in whose integers their rows are.

    If all regions are known from the start they are those of the nodes, in their order.  Then the
    nodes are those of a ``proof`` in arrays, with further ones for ``settled`` neurons.
    """

    network: Network
    nodes: Iterator[Node | Cone]
    regions: RegionList | None = None
    proof: SimpleProof | None = None
    settled: tuple[SettledByRow, ...] = ()


def prove_regions(
    network: Network,
    domain: LinearSystem,
    effort: Effort = UNLIMITED,
    known: KnownSigns = (),
) -> Walked:
    """The split tree on an open ``domain``, on which some signs may be known to hold.

    Whoever asks for the nodes spends the regions among them.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> [type(n).__name__ for n in prove_regions(xor, LinearSystem(2)).nodes]
    ['NeuronSplit', 'LayerSides', 'Region', 'NeuronSplit', 'Region', 'Region']
    """
    ask_first_cells(network, domain, effort)
    if network.n_hidden_neurons >= MIN_NEURONS:
        settled = settled_by(network, domain, known)
        walked = without(network, settled)
        proof = _simple_proof(walked, domain, effort)
        if proof is not None and settled:
            listing = proof.regions.of(network, unit_signs(network, settled))
            nodes = with_sides(proof.nodes(), walked, settled)
            return Walked(walked, nodes, listing, proof, settled)
        if proof is not None:
            return Walked(walked, proof.nodes(), proof.regions, proof)
    return Walked(network, tree(network, domain, regions, effort=effort))


def uncut_sides(
    network: Network, domain: LinearSystem, effort: Effort = UNLIMITED
) -> Iterator[LayerSides]:
    """The nodes of the tree of regions before the first cut: signs on all of an open domain.

    They are those of neurons of the first layer, and of the next ones while nothing is cut.

    >>> net = Network.from_arrays([[[1], [-1], [1]], [[1, 1, 1]]], [[1, -2, -3], [0]])
    >>> for node in uncut_sides(net, LinearSystem.orthant(1).open()):
    ...     print([(side.neuron, side.sign) for side in node.neurons])
    [(0, 1), (1, -1)]
    """
    for node in tree(network, domain, regions, effort=effort):
        if not isinstance(node, LayerSides):
            return
        yield node


def _simple_proof(network: Network, domain: LinearSystem, effort: Effort) -> SimpleProof | None:
    """The same for a simple complex, or None."""
    has_vertices = len(essential_axes(network, domain)) == network.n_inputs > 0
    if not has_vertices or not all(any(row.flint_normal) for row in domain.rows):
        return None
    try:
        cuts = Cuts(network, domain)
        if not is_in_order(cuts):
            return None
        try:
            found = simple_complex(cuts, effort, keeps_stages=True)
        except Tied:
            found = simple_complex(cuts, effort, keeps_stages=True, breaks_ties=True)
        if not found.vertices["is_alive"].any():
            # An empty domain has multipliers, but no vertices.
            return None
        table = region_table(found, effort)
    except NotSimple:
        return None
    return SimpleProof(found, table, listed(found, table, effort), effort)
