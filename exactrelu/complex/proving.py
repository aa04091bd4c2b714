"""The split tree of a network, with proofs, by whichever engine is fastest.

A simple complex has its proofs in its vertices (:mod:`exactrelu.complex.simple_proof`);
what is not simple, and what is small, is walked with LPs
(:mod:`exactrelu.complex.split_tree`).  The choice depends on network and domain only, so
that the tree is the same for any number of processes.
"""

from __future__ import annotations

from collections.abc import Iterator

from exactrelu.complex.cuts import Cuts
from exactrelu.complex.listing import ask_first_cells, essential_axes
from exactrelu.complex.search import Limit
from exactrelu.complex.simple_cells import region_table
from exactrelu.complex.simple_exact import NotSimple
from exactrelu.complex.simple_proof import is_in_order, proof_nodes
from exactrelu.complex.simple_regions import listed, simple_complex
from exactrelu.complex.split_tree import Node, regions, tree
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network

#: Below this many hidden neurons LPs are faster.
MIN_NEURONS = 10


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
