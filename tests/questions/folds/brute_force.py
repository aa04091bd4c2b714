"""Canonical representations by their definition, on a full hyperplane arrangement.

The hyperplanes are those of all units with all masks below them, and the sides of the boxes.  In
their arrangement no hyperplane cuts a cell, so that {z ∈ P : w·z + b = 0} ⊂ S can be read off: all
facets of the arrangement in the hyperplane and in P must be in S.  Nothing here knows of activation
regions, face trees, or jumps: cells come from linear programs, gradients from a forward pass.
"""

from fractions import Fraction
from itertools import chain, combinations, product

from exactrelu.exact.scalar import fraction, rational
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.polyhedra.lp import feasible
from exactrelu.polyhedra.polyhedron import Polyhedron


def weights(network):
    """Layers as lists of rows (w, b) of Fractions."""
    return [[[fraction(x) for x in row] for row in layer.affine.rows()] for layer in network.layers]


def gradient(layers, x):
    """The gradients of the outputs at a point where no preactivation is 0, unless around it too."""
    n = len(x)
    values = [(v, [Fraction(int(i == j)) for j in range(n)]) for i, v in enumerate(x)]
    for depth, rows in enumerate(layers):
        new = []
        for row in rows:
            value = sum((w * v for w, (v, _) in zip(row, values, strict=False)), row[-1])
            slope = [
                sum((w * g[j] for w, (_, g) in zip(row, values, strict=False)), Fraction(0))
                for j in range(n)
            ]
            if depth < len(layers) - 1 and value <= 0:
                value, slope = Fraction(0), [Fraction(0)] * n
            new.append((value, slope))
        values = new
    return [g for _, g in values]


def mask_hyperplanes(layers, n):
    """The hyperplanes of all hidden units with all masks, as tuples with first entry 1."""
    found = set()
    inputs = [[[Fraction(int(i == j)) for j in range(n)] + [Fraction(0)] for i in range(n)]]
    for rows in layers[:-1]:
        following = []
        for below in inputs:
            maps = []
            for row in rows:
                f = [
                    sum((w * g[j] for w, g in zip(row, below, strict=False)), Fraction(0))
                    for j in range(n + 1)
                ]
                f[-1] += row[-1]
                maps.append(f)
                if any(f[:-1]):
                    first = next(a for a in f if a)
                    found.add(tuple(a / first for a in f))
            for mask in product((0, 1), repeat=len(rows)):
                following.append(
                    [f if on else [Fraction(0)] * (n + 1) for f, on in zip(maps, mask, strict=True)]
                )
        inputs = following
    return found


class Arrangement:
    """Cells by sign vectors inside a frame, with a point each, and the facets between them."""

    def __init__(self, network, domain):
        self.layers = weights(network)
        self.n = network.n_inputs
        planes = mask_hyperplanes(self.layers, self.n)
        self.union = domain if isinstance(domain, BoxUnion) else None
        if self.union is not None:
            for i, c in self.union.grid:
                row = [Fraction(int(i == j)) for j in range(self.n)]
                planes.add((*row, -fraction(c)))
            frame = self.union.frame
        else:
            frame = domain
        self.planes = sorted(planes)
        self.frame = frame.interior()
        self.cells = self._cells()
        self.facets = self._facets()
        self.folds = {f for f in self.facets if self._jumps(f)}

    def _row(self, k, sense, sign=1):
        a = self.planes[k]
        return Row.of([sign * x for x in a[:-1]], sign * a[-1], sense)

    def _cells(self):
        start = feasible(self.frame)
        cells = {(): start.point} if isinstance(start, Solution) else {}
        for k in range(len(self.planes)):
            new = {}
            for signs, point in cells.items():
                here = self._row(k, Sense.GREATER).value(point)
                for sign in (-1, 1):
                    if here * sign > 0:
                        new[(*signs, sign)] = point
                        continue
                    rows = [self._row(j, Sense.GREATER, s) for j, s in enumerate((*signs, sign))]
                    answer = feasible(LinearSystem(self.n, (*self.frame.rows, *rows)))
                    if isinstance(answer, Solution):
                        new[(*signs, sign)] = answer.point
            cells = new
        inside = self.union.contains_inside if self.union is not None else lambda p: True
        return {s: tuple(map(fraction, p)) for s, p in cells.items() if inside(p)}

    def _facets(self):
        """Facet (signs with a 0) → (point, the two cells)."""
        found = {}
        for signs, point in self.cells.items():
            for k, s in enumerate(signs):
                other = (*signs[:k], 1, *signs[k + 1 :])
                if s < 0 and other in self.cells:
                    a = self.planes[k]
                    low, high = (
                        sum((x * y for x, y in zip(a, p, strict=False)), a[-1])
                        for p in (point, self.cells[other])
                    )
                    t = low / (low - high)
                    middle = tuple(
                        p + t * (q - p) for p, q in zip(point, self.cells[other], strict=True)
                    )
                    facet = (*signs[:k], 0, *signs[k + 1 :])
                    if self.contains(middle):
                        found[facet] = (middle, signs, other)
        return found

    def contains(self, point):
        x = tuple(map(rational, point))
        if self.union is not None:
            return self.union.contains_inside(x)
        return self.frame.contains(x)

    def _jumps(self, facet):
        _, low, high = self.facets[facet]
        return gradient(self.layers, self.cells[low]) != gradient(self.layers, self.cells[high])

    def components(self, walls):
        """Cell → number of its component of Z minus the closures of the walls."""
        parent = {cell: cell for cell in self.cells}

        def root(cell):
            while parent[cell] != cell:
                cell = parent[cell]
            return cell

        for facet, (_, low, high) in self.facets.items():
            if facet not in walls:
                parent[root(low)] = root(high)
        return {cell: root(cell) for cell in self.cells}

    def possible_pieces(self, walls):
        """All sets {z ∈ P : w·z + b = 0} ⊂ S, P a component of Z minus walls, as sets of facets."""
        part = self.components(walls)
        groups = {}
        for facet, (_, low, _) in self.facets.items():
            if facet not in walls:
                groups.setdefault((part[low], facet.index(0)), set()).add(facet)
        return [frozenset(group) for group in groups.values() if group <= self.folds]

    def canonical(self):
        """Lists of pieces by level, greedily, and the facets that are left."""
        walls, levels = set(), []
        while walls != self.folds:
            pieces = self.possible_pieces(walls)
            if not pieces:
                break
            levels.append(pieces)
            walls |= set(chain.from_iterable(pieces))
        return levels, self.folds - walls

    def box_by_definition(self, k):
        """□_k S, k = 1 or 2: the union of all sub-surfaces of order at most k, one by one."""
        first = self.possible_pieces(set())
        found = set()
        for size in range(len(first) + 1):
            for chosen in combinations(first, size):
                surface = set(chain.from_iterable(chosen))
                if k == 2:
                    surface |= set(chain.from_iterable(self.possible_pieces(surface)))
                found |= surface
        return found

    def edges(self, levels):
        """Pairs of pieces (level, number) with H ∩ cl H' ≠ ∅, by common faces of closed facets."""
        names = [(l, i) for l, pieces in enumerate(levels) for i in range(len(pieces))]
        found = set()
        for a in names:
            lower = set(chain.from_iterable(p for pieces in levels[: a[0]] for p in pieces))
            for b in names:
                if a[0] < b[0] and self._meet(levels[a[0]][a[1]], levels[b[0]][b[1]], lower):
                    found.add((a, b))
        return found

    def _meet(self, piece, other, lower):
        for f, g in product(piece, other):
            rows = []
            for k, (s, t) in enumerate(zip(f, g, strict=True)):
                sense = Sense.AT_LEAST if s == t != 0 else Sense.EQUAL
                rows.append(self._row(k, sense, s or 1))
            system = LinearSystem(self.n, (*self.frame.closed().rows, *rows))
            point = Polyhedron(system).relative_interior_point()
            if point is not None:
                z = tuple(map(fraction, point))
                if self.contains(z) and not any(self._in_closure(z, h) for h in lower):
                    return True
        return False

    def _in_closure(self, z, facet):
        for a, s in zip(self.planes, facet, strict=True):
            value = sum((x * y for x, y in zip(a, z, strict=False)), a[-1])
            if (s == 0 and value != 0) or value * s < 0:
                return False
        return True
