"""Rows that are active span R^n, at every point of a polyhedron (directed spanning sets).

Given integer rows (w, b), active at x if w·x + b >= 0, and a polyhedron D in R^n. The records
prove: at every x in D the normals w of the active rows, with the normals of the equations that
hold on D, span R^n. They are read modulo q >= 2: what generates everything modulo q spans R^n.

``flats``  or ``tree``: the modulus, and a dependency: weights on rows of D that add up to 0·x + b
           with b <= 0. On D all these rows are >= 0, and so 0: they count as equations.
``cover``  at a node, which has a space U and rows: weights that refute the rows of D, those of the
           node, and w·x + b < 0 for some rows k_1 < … < k_s together. So at every x in D that
           satisfies the rows of the node some k_i is active. A node follows for each, with the
           space U + w_{k_i}, which must be larger than U; none if that is everything.

At x in D the active rows generate U modulo q at some node: at the first one, whose U is that of the
equations, then at one that follows, until U is everything. In a ``tree`` the node of k_i has the
further rows k_1 < 0, …, k_{i-1} < 0, k_i >= 0, and the records are in preorder. With ``flats``
nodes have no rows, nodes with one space are one node, and the records are in the order in which
the nodes are first named.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from .budget import Budget
from .canonical import Fields
from .evidence import read_multipliers, require_refutation
from .integers import Rows, dot, residues
from .reader import Certificate
from .subspaces import Space, grown
from .system import System
from .tree import Chain, listed, opposite
from .values import read_integer
from .verdicts import Reason, Refused

_HEADER = frozenset({"modulus", "rows", "values"})
_METHODS: Mapping[str, frozenset[str]] = MappingProxyType({"flats": _HEADER, "tree": _HEADER})
_COVER = frozenset({"rows", "values"})


class _Node(NamedTuple):
    """Where the active rows generate a space, and rows with their senses hold."""

    space: Space
    path: Chain[tuple[str, tuple[int, ...]]] | None


def check_layer(
    rows: Rows, domain: System, certificate: Certificate, budget: Budget, known: Rows = ()
) -> None:
    """Read the proof that the active rows span everywhere on a domain, with some known vectors."""
    method, record = certificate.one_of(_METHODS)
    modulus = read_integer(record["modulus"], budget)
    if modulus < 2:
        raise Refused(Reason.MODULUS_TOO_SMALL, "modulo 1 every space is everything")
    start: Space = ()
    for vector in residues([*equation_normals(record, domain, budget), *known], modulus, budget):
        start = grown(start, vector, modulus, budget) or start
    covers = _Covers(rows, domain, modulus, budget)
    todo = deque([_Node(start, None)] if len(start) < domain.dim else [])
    seen = {start}
    while todo:
        node = todo.popleft()
        children = covers.read(node, certificate)
        if method == "tree":
            todo.extendleft(reversed(children))
        else:
            spaces = dict.fromkeys(child.space for child in children)
            todo.extend(_Node(space, None) for space in spaces if space not in seen)
            seen.update(spaces)


def equation_normals(record: Fields, domain: System, budget: Budget) -> list[tuple[int, ...]]:
    """Return the normals of the rows that are 0 on a domain: the equations, and a dependency."""
    used, values = read_multipliers(record, domain, budget)
    if dot([domain.rows[row][-1] for row in used], values, budget) > 0:
        raise Refused(Reason.OFFSET_POSITIVE, "the combination of the offsets is positive")
    zero = {row for row, sense in enumerate(domain.senses) if sense == "eq"}.union(used)
    return [domain.rows[row][:-1] for row in sorted(zero)]


class _Covers:
    """The cover records of one proof."""

    def __init__(self, rows: Rows, domain: System, modulus: int, budget: Budget) -> None:
        self._negative = tuple(tuple(opposite(row)) for row in rows)
        self._normals = residues([row[:-1] for row in rows], modulus, budget)
        self._domain = domain
        self._modulus = modulus
        self._budget = budget

    def read(self, node: _Node, certificate: Certificate) -> Sequence[_Node]:
        """Read the cover record of a node; return the nodes that follow from it."""
        record = certificate.record("cover", _COVER)
        path = listed(node.path, self._budget)
        first = len(self._domain.rows) + len(path)
        system = self._system(path)
        used, values = read_multipliers(record, system, self._budget)
        require_refutation(system, used, values, self._budget)
        return list(self._children(node, [row - first for row in used if row >= first]))

    def _system(self, path: Sequence[tuple[str, tuple[int, ...]]]) -> System:
        """Return the rows of the domain and of a node, and all rows of the layer as negative."""
        self._budget.spend(len(self._negative) + len(self._domain.rows))
        senses = (*self._domain.senses, *(sense for sense, _ in path))
        rows = (*self._domain.rows, *(row for _, row in path), *self._negative)
        return System(self._domain.dim, senses + ("gt",) * len(self._negative), rows)

    def _children(self, node: _Node, layer_rows: Iterable[int]) -> Iterable[_Node]:
        path = node.path
        for k in layer_rows:
            space = grown(node.space, self._normals[k], self._modulus, self._budget)
            if space is None:
                raise Refused(Reason.NO_UNIT_PIVOT, f"row {k} adds nothing to the space")
            if len(space) < self._domain.dim:
                yield _Node(space, Chain(path, ("ge", tuple(opposite(self._negative[k])))))
            path = Chain(path, ("gt", self._negative[k]))
