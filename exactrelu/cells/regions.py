"""All activation regions, without a proof or with one, by whichever engine is fastest.

*Listed*, without a proof: directions along which neither the first layer nor the domain changes
are divided out; then the complex has vertices.  Large networks are tried as simple complexes, many
vertices at a time (:mod:`exactrelu.cells.simple`); what is not simple, and what is small, goes
vertex by vertex (:mod:`exactrelu.cells.vertices`), unless the domain alone may have too many
vertices: a box in R^n has 2^n (:mod:`exactrelu.cells.tree`).

*Proved*, by the split tree of the network: a simple complex has its proofs in its vertices
(:mod:`exactrelu.cells.simple_proof`); what is not simple, and what is small, is walked with LPs
(:mod:`exactrelu.cells.tree`).  The choice depends on network and domain only, so that the tree is
the same for any number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from flint import fmpq

from exactrelu.cells.cuts import Cuts, NotSimple
from exactrelu.cells.simple_proof import is_in_order, proof_nodes
from exactrelu.cells.simple_regions import listed, region_table, simple_complex, simple_regions
from exactrelu.cells.tree import Node, Region, regions, tree
from exactrelu.cells.vertices import regions_by_vertices
from exactrelu.effort import Limit, LimitReached
from exactrelu.exact.linear import rank, rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network, trace
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.lp import feasible

#: Networks with a smaller product of inputs and hidden neurons have too few vertices to be
#: worth handling in batches.
MIN_SIZE = 40

#: A domain that bounds more directions than these may have too many vertices.
MAX_BOUNDED = 12

#: With fewer hidden neurons than these LPs prove the split tree faster.
MIN_NEURONS = 10


def list_regions(
    network: Network,
    domain: LinearSystem,
    limit: Limit | None = None,
    progress: Callable[..., object] = lambda: None,
) -> list[Region]:
    """The regions on an open ``domain`` in the order of their patterns.

    Raises :class:`LimitReached` over the limit.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> [r.pattern for r in list_regions(xor, LinearSystem(2))]
    [((-1, -1),), ((1, -1),), ((1, 1),)]
    """
    limit = limit or Limit(None, None)
    if any(not any(row.normal) and row.offset <= 0 for row in domain.rows):
        # 0 > 0 is false, but its closure 0 ≥ 0, which is all that vertices know, is true.
        return []
    axes = essential_axes(network, domain)
    origin = (ZERO,) * network.n_inputs
    if not axes:
        # No row depends on the input: all of space is one region.
        return [Region(trace(network, origin).pattern, origin)]
    ask_first_cells(network, domain, limit)
    units = [tuple(fmpq(int(i == j)) for i in range(network.n_inputs)) for j in axes]
    reduced, inside = network.slice(origin, units), domain.slice(origin, units)
    found = _listed(reduced, inside, limit, progress)
    if len(axes) == network.n_inputs:
        return found
    return [Region(r.pattern, _embedded(r.point, axes, network.n_inputs)) for r in found]


def _listed(
    network: Network, domain: LinearSystem, limit: Limit, progress: Callable[..., object]
) -> list[Region]:
    if is_large(network) and all(any(row.normal) for row in domain.rows):
        try:
            return simple_regions(network, domain, limit)
        except NotSimple:
            pass
    if _n_bounded(domain) > MAX_BOUNDED:
        return _by_split_tree(network, domain, limit, progress)
    return regions_by_vertices(network, domain, limit, progress)


def _n_bounded(domain: LinearSystem) -> int:
    """The number of independent directions that a domain bounds, on one side at least."""
    return rank(Matrix([row.normal for row in domain.rows], domain.dimension))


def ask_first_cells(network: Network, domain: LinearSystem, limit: Limit) -> None:
    """Raise :class:`LimitReached` if the first neurons alone make too many cells.

    Those with normals independent of each other and of the domain's cut it in two each.
    """
    if limit.max_found is not None:
        n_cells = 2 ** (len(essential_axes(network, domain)) - _n_bounded(domain))
        if n_cells > limit.max_found and isinstance(feasible(domain), Solution):
            raise LimitReached(n_cells)


def _by_split_tree(
    network: Network, domain: LinearSystem, limit: Limit, progress: Callable[..., object]
) -> list[Region]:
    """The regions by linear programs, for domains with too many vertices."""
    found: list[Region] = []
    for node in tree(network, domain, regions):
        limit.tick()
        if isinstance(node, Region):
            found.append(node)
            progress()
            if limit.is_exceeded(len(found)):
                raise LimitReached(len(found))
    return sorted(found, key=lambda region: region.pattern)


def is_large(network: Network) -> bool:
    """Whether its vertices are worth handling in batches."""
    return network.n_hidden_neurons * network.n_inputs >= MIN_SIZE


def essential_axes(network: Network, domain: LinearSystem) -> tuple[int, ...]:
    """Axes that span a complement of the directions in which nothing changes."""
    first = network.layers[0].weights.rows() if network.hidden_widths else ()
    normals = [*(row.normal for row in domain.rows), *first]
    return rank_proof(Matrix(normals, network.n_inputs)).minor.columns


def _embedded(point: Vector, columns: Sequence[int], n: int) -> Vector:
    """The point with these coordinates in the given columns, and 0 in the others."""
    values = dict(zip(columns, point, strict=True))
    return tuple(values.get(i, ZERO) for i in range(n))


def prove_regions(
    network: Network, domain: LinearSystem, jobs: int, limit: Limit
) -> Iterator[Node]:
    """The nodes of the split tree in preorder on an open ``domain``.

    Raises :class:`LimitReached` if the limit is reached before the first node.  ``jobs``
    processes share the LPs.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> [type(n).__name__ for n in prove_regions(xor, LinearSystem(2), 1, Limit(None, None))]
    ['Split', 'Sides', 'Region', 'Split', 'Region', 'Region']
    """
    ask_first_cells(network, domain, limit)
    if network.n_hidden_neurons >= MIN_NEURONS:
        nodes = _simple_nodes(network, domain, limit)
        if nodes is not None:
            return nodes
    return tree(network, domain, regions, jobs=jobs)


def _simple_nodes(network: Network, domain: LinearSystem, limit: Limit) -> Iterator[Node] | None:
    """The same for a simple complex, or None."""
    has_vertices = len(essential_axes(network, domain)) == network.n_inputs
    if not has_vertices or not all(any(row.normal) for row in domain.rows):
        return None
    cuts = Cuts(network, domain)
    if not is_in_order(cuts):
        return None
    try:
        found = simple_complex(cuts, limit)
        if not found.vertices["is_alive"].any():
            # An empty domain has multipliers, but no vertices.
            return None
        table = region_table(found)
    except NotSimple:
        return None
    return proof_nodes(found, table, listed(found, table))
