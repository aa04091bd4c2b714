"""The vertices and edges of a simple complex, many at a time: the fastest engine.

A complex in R^n is *simple* if every vertex lies on n hyperplanes (bent ones and
facets of the domain) and no more; generic networks have such complexes (theory 2.2).
Then it is determined by its vertices and edges, and cutting it by one more neuron is
a handful of array operations (edge subdivision, Berzins 2023) on tables that grow by blocks
of rows:

- an edge whose ends have opposite signs gets a new vertex, and becomes two edges;
- two new vertices on edges of one 2-face are joined by a new edge.  A face is known by
  its signs; those of a 2-face are those of an edge of it with one zero made + or −;
- where a 2-face has one new vertex only, the new edge is unbounded.  Its direction is
  the combination of the two unbounded edges of the 2-face along which the neuron does
  not change.

Along an edge all neurons of a layer are affine as long as the layers before are decided,
so their values at a new vertex are those of the ends, interpolated.  They are balls
(:mod:`exactrelu.exact.balls`): a sign that the radius leaves open is computed exactly
from the equations of the vertex (:mod:`exactrelu.cells.cuts`), and kept: what is
exact goes back into a ball, but its sign is never asked of that ball.  A vertex on more hyperplanes
raises :class:`Tied`, unless ties are broken (:mod:`exactrelu.cells.ties`); what else does not fit,
such as numbers beyond floats, raises :class:`NotSimple`.

Sign vectors are compared by 64-bit hashes, and bit by bit wherever hashes agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from exactrelu.cells import kernels
from exactrelu.cells.cuts import Cuts, Equations, NotSimple, Tied
from exactrelu.cells.half_edges import HalfEdges
from exactrelu.cells.tables import Array, Table, balls_and_signs, exact_columns
from exactrelu.cells.ties import TIED, Tie, begin, break_ties, mark
from exactrelu.cells.two_faces import TwoFaces, require_same
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.balls import Balls, affine, between, beyond, zero_between, zero_beyond
from exactrelu.exact.linear import afford, inverse, solve
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, dot

Numbers = npt.NDArray[np.int64]

#: Beyond this many exact computations, and one for every eight vertices, floats do not help.
MAX_EXACT = 200

#: New rows are made column by column, from copies of others: so many times their own size.
COPIES = 4

#: The next layer is evaluated at so many vertices at a time, to bound the memory.
BATCH = 2**12

#: Columns that are decided are let go once they are this part of all.
FORGET = 0.25


class SimpleComplex:
    """The vertices and edges of the complex of the cuts made so far.

    ``vertices``: balls of the n coordinates and of the values of the columns of the
    current stage, the signs of these, the cuts that are zero, a bit for each cut that is
    positive, a hash of these bits, and whether the vertex is in the domain.  ``rays``:
    directions of unbounded edges with the slopes of the columns, likewise.  ``edges``: from
    vertex a to vertex b, or along a ray where b is −1.  A proof asks to keep the half-edges at
    the end of each stage.  Where ties are broken, vertices have a mask ``tight`` of the cuts so far
    that are 0 at their limits, and rays a mask ``flat`` of those that are constant along them.
    """

    def __init__(
        self,
        cuts: Cuts,
        effort: Effort = UNLIMITED,
        *,
        keeps_stages: bool = False,
        breaks_ties: bool = False,
    ) -> None:
        self.cuts = cuts
        self.n = cuts.network.n_inputs
        self._effort = effort
        rng = np.random.default_rng(0)
        self.if_positive, self._if_zero = rng.integers(0, 2**64, (2, cuts.n_cuts), dtype=np.uint64)
        compiled = kernels.library()
        given = (self.n, self.if_positive, self._if_zero, cuts.is_domain)
        self._kernel = kernels.CutKernel(compiled, *given) if compiled else None
        self._equations = Equations(cuts)
        self._n_exact = 0
        self._stage = 0
        self._keeps_stages = keeps_stages
        self.breaks_ties = breaks_ties
        self._half_edges: list[HalfEdges] = []
        self._store(np.arange(cuts.n_columns(0)))
        self._start()

    def _store(self, columns: Numbers) -> None:
        """These columns of the current stage are those of vertices and rays."""
        self._stored = columns
        # Cuts that were made, and columns that are none.
        self._is_done = self.cuts.passes(self._stage)[columns]
        places = {(self._stage, int(c)): k for k, c in enumerate(columns)}
        pairs = zip(self.cuts.stage, self.cuts.column, strict=True)
        #: The place of each cut among them, or −1.
        self._place = np.array([places.get(pair, -1) for pair in pairs], np.int32)

    def _start(self) -> None:
        """The first n cuts: one vertex, and edges along the columns of the inverse."""
        n, cuts = self.n, self.cuts
        rows = cuts.first_rows()
        self._is_done[self._place[:n]] = True
        basis = [rows[c] for c in cuts.column[:n]]
        matrix = Matrix([row[:n] for row in basis], n)
        # Over Q: an inverse, whose entries are quotients of minors.
        afford(matrix.integer_form[0], self._effort, rank=n)
        corner = solve(matrix, [-row[n] for row in basis])
        if corner is None:
            raise NotSimple("the first cuts are dependent")
        zeros = np.arange(n)
        values = [dot(row[:n], corner) + row[n] for row in rows]
        self.vertices = Table(
            **exact_columns([corner], [values]),
            zeros=zeros[None, :].astype(np.int32),
            **self._no_bits(1),
            is_alive=np.ones(1, bool),
        )
        sides = [(i, s) for i in range(n) for s in (1, -1) if s > 0 or not cuts.is_domain[i]]
        directions = inverse(matrix).T.flint_rows()
        along = [tuple(s * d for d in directions[i]) for i, s in sides]
        slopes = []
        for d in along:
            self._effort.spend()
            slopes.append([dot(row[:n], d) for row in rows])
        k = len(sides)
        edge_zeros = np.array([np.delete(zeros, i) for i, _ in sides], np.int32).reshape(k, n - 1)
        self.rays = Table(**exact_columns(along, slopes))
        self.edges = Table(
            a=np.zeros(k, np.int32),
            b=np.full(k, -1, np.int32),
            ray=np.arange(k, dtype=np.int32),
            zeros=edge_zeros,
            zero_hash=self._if_zero[edge_zeros].sum(axis=1, dtype=np.uint64),
            **self._no_bits(k),
        )
        for e, (i, s) in enumerate(sides):
            if s > 0:
                self._set_bit(self.edges, i, np.array([e]))
        if self.breaks_ties:
            begin(self.vertices, self.rays, edge_zeros, cuts)
        self._require_simple(np.zeros(1, np.int64))

    def _no_bits(self, n_rows: int) -> dict[str, Array]:
        bits = np.zeros((n_rows, self.cuts.n_cuts // 64 + 1), np.uint64)
        return {"bits": bits, "hash": np.zeros(n_rows, np.uint64)}

    def _tie_of(self, number: int) -> Tie:
        """A cut where rows may tie."""
        return Tie(number, int(self._place[number]), self._is_done)

    def _set_bit(self, table: Table, cut: int, rows: Array) -> None:
        """The cut is positive on these rows."""
        table["bits"][rows, cut // 64] |= np.uint64(1 << cut % 64)
        table["hash"][rows] += self.if_positive[cut]

    def _columns(self, balls: Balls, signs: Array | None = None) -> dict[str, Array]:
        """The columns of new vertices or rays."""
        found = balls[:, self.n :].signs if signs is None else signs
        return {"mid": balls.mid, "rad": balls.rad, "sign": found}

    def cut(self, number: int) -> Numbers:
        """Cut by the next row of the domain or neuron; the numbers of the new vertices."""
        while self.cuts.stage[number] != self._stage:
            self._next_stage()
        if not self._keeps_stages and self._stage == self.cuts.stage[-1]:
            self._forget_decided()
        self._is_done[self._place[number]] = True
        if self.breaks_ties:
            mark(self.vertices, self.rays, self._tie_of(number))
        n_before = self.vertices.n_rows
        if self._kernel is None:
            self._cut_by_numpy(number)
        else:
            self._cut_by_kernel(self._kernel, number)
        if self.cuts.is_domain[number]:
            V, E = self.vertices, self.edges
            V["is_alive"][:n_before] &= V["sign"][:n_before, self._place[number]] > 0
            bit = E["bits"][:, number // 64] >> np.uint64(number % 64) & np.uint64(1)
            E.keep((bit > 0) | (E["zeros"] == number).any(axis=1))
        return np.arange(n_before, self.vertices.n_rows)

    def _forget_decided(self) -> None:
        """In the last stage nobody asks for the values of neurons that were cut."""
        if np.count_nonzero(self._is_done) < max(1.0, FORGET * len(self._is_done)):
            return
        kept = np.flatnonzero(~self._is_done)
        self._store(self._stored[kept])
        for table in (self.vertices, self.rays):
            for name in ("mid", "rad"):
                table.narrow(name, np.concatenate([np.arange(self.n), self.n + kept]))
            table.narrow("sign", kept)

    def _cut_by_kernel(self, kernel: kernels.CutKernel, number: int) -> None:
        """The steps of :meth:`_cut_by_numpy`, compiled."""
        V, E, R = self.vertices, self.edges, self.rays
        place, n_before = int(self._place[number]), V.n_rows
        tables = {"vertices": V, "edges": E, "rays": R}
        kernel.look(tables, is_done=self._is_done, place=self._place)
        chosen = kernel.find(place)
        self._need(len(chosen))
        V.reserve(n_before + len(chosen))
        kernel.look(tables)
        n_open = kernel.vertices(number, place, chosen)
        V.n_rows += len(chosen)
        if n_open:
            self._settle_vertices(n_before)
        self._effort.spend()
        joined = kernel.join(chosen)
        E.reserve(E.n_rows + len(chosen) + joined.n_pairs + joined.n_single)
        R.reserve(R.n_rows + joined.n_single)
        kernel.look(tables)
        n_open = kernel.edges(number, place, n_before, chosen, joined)
        E.n_rows += len(chosen) + joined.n_pairs + joined.n_single
        R.n_rows += joined.n_single
        if n_open:
            self._settle_rays({n: E[n][E.n_rows - joined.n_single :] for n in E.names})
        self._effort.spend()

    def _cut_by_numpy(self, number: int) -> None:
        V, E, column = self.vertices, self.edges, self._place[number]
        at = V["sign"][:, column].copy()
        ends, is_ray = E["b"], E["b"] < 0
        first, last = at[E["a"]], at[ends]
        last[is_ray] = self.rays["sign"][E["ray"][is_ray], column]
        is_cut = first * last < 0
        # Those with two ends come first.
        bounded, unbounded = np.flatnonzero(is_cut & ~is_ray), np.flatnonzero(is_cut & is_ray)
        chosen = np.concatenate([bounded, unbounded])
        self._need(len(chosen))
        created = self._new_vertices(bounded, unbounded, number)
        self._effort.spend()
        joined = self._new_edges(chosen, created, number) if self.n > 1 else {}
        self._effort.spend()
        self._split(chosen, created, number, first)
        if joined:
            E.append(**joined)
        self._set_bit(V, number, np.flatnonzero(at > 0))

    def _need(self, n_cut: int) -> None:
        """Ask for the memory of cutting so many edges, with the 2-faces around them."""
        V, E = self.vertices, self.edges
        n_faces = n_cut * max(1, self.n - 1)
        n_bytes = V.n_bytes(2 * V.n_rows + COPIES * n_cut)
        n_bytes += E.n_bytes(2 * (E.n_rows + n_cut) + COPIES * n_faces)
        self._effort.need(n_bytes, f"a complex of {V.n_rows + n_cut:,} vertices")

    def _new_vertices(self, bounded: Array, unbounded: Array, number: int) -> Numbers:
        """A vertex on each of these edges; their numbers."""
        V, E = self.vertices, self.edges
        n_before, column = V.n_rows, self._place[number]
        parts: list[dict[str, Array]] = []
        for edges, others, end in ((bounded, V, "b"), (unbounded, self.rays, "ray")):
            if not len(edges):
                continue
            from_, signs = balls_and_signs(V, E["a"][edges])
            to, end_signs = balls_and_signs(others, E[end][edges])
            locate, move = (zero_between, between) if end == "b" else (zero_beyond, beyond)
            at = move(from_, to, locate(from_[:, self.n + column], to[:, self.n + column]))
            # A decided neuron that is 0 at one end has the sign that it has at the other.
            decided = np.where(signs != 0, signs, end_signs)
            new = self._columns(at, np.where(self._is_done, decided, at[:, self.n :].signs))
            for name, block in new.items():
                block[:, column + (0 if name == "sign" else self.n)] = 0
            if self.breaks_ties:
                first = n_before + sum(len(part["sign"]) for part in parts)
                ends = (V, E["a"][edges]), (others, E[end][edges])
                break_ties(new, ends, self._tie_of(number), first)
            parts.append(new)
        if not parts:
            return np.zeros(0, np.int64)
        chosen = np.concatenate([bounded, unbounded])
        V.append(
            **{name: np.concatenate([part[name] for part in parts]) for name in parts[0]},
            zeros=np.column_stack([E["zeros"][chosen], np.full(len(chosen), number)]),
            bits=E["bits"][chosen],
            hash=E["hash"][chosen],
            is_alive=np.ones(len(chosen), bool),
        )
        self._settle_vertices(n_before)
        return np.arange(n_before, V.n_rows)

    def _new_edges(self, chosen: Array, created: Numbers, number: int) -> dict[str, Array]:
        """The edges between new vertices, one in each 2-face that is cut."""
        look = self._two_faces()
        faces = look.at(chosen)
        order = np.argsort(faces.key, kind="stable")
        keys = faces.key[order]
        is_new = np.ones(len(keys) + 1, bool)
        is_new[1:-1] = keys[1:] != keys[:-1]
        starts = np.flatnonzero(is_new)
        counts = np.diff(starts)
        if counts.max(initial=0) > 2:
            raise NotSimple("three new vertices in a 2-face")
        pairs, single = starts[:-1][counts == 2], order[starts[:-1][counts == 1]]
        one, two = order[pairs], order[pairs + 1]
        kept = np.concatenate([one, single])
        joined, left = look.signs(faces, kept)
        require_same(joined, slice(0, len(one)), look.signs(faces, two)[0])
        k = 2 * (self.n - 1)
        joined["a"] = created[faces.which[kept] // k]
        joined["b"], joined["ray"] = np.full((2, len(kept)), -1)
        joined["b"][: len(one)] = created[faces.which[two] // k]
        if len(single):
            self._new_rays(joined, len(one), left, faces.which[kept] % 2, number)
        joined["zeros"] = np.column_stack([joined["zeros"], np.full(len(kept), number)])
        joined["zero_hash"] += self._if_zero[number]
        if len(single):
            new = slice(len(one), None)
            self._settle_rays({name: column[new] for name, column in joined.items()})
        return joined

    def _two_faces(self) -> TwoFaces:
        return TwoFaces(self.edges, self.if_positive, self._if_zero, self.cuts.is_domain)

    def _new_rays(
        self, joined: dict[str, Array], start: int, left: Array, positive: Array, number: int
    ) -> None:
        """Give the edges from ``start`` on a direction along which the cut stays zero."""
        E, R = self.edges, self.rays
        column = self._place[number]
        look = self._two_faces()
        around = look.at(np.flatnonzero(E["b"] < 0))
        order = np.argsort(around.key, kind="stable")
        keys = around.key[order]
        wanted = joined["hash"][start:] + joined["zero_hash"][start:]
        place = np.searchsorted(keys, wanted)
        if (np.searchsorted(keys, wanted, side="right") != place + 2).any():
            raise NotSimple("an unbounded 2-face without two unbounded edges")
        ends = []
        for rows in (order[place], order[place + 1]):
            require_same(joined, slice(start, None), look.signs(around, rows)[0])
            edges = around.edges[around.which[rows] // (2 * (self.n - 1))]
            ends.append((R, E["ray"][edges]))
        (one, signs), (two, other_signs) = (balls_and_signs(*end) for end in ends)
        if (signs[:, column] * other_signs[:, column] > 0).any():
            raise NotSimple("an unbounded 2-face that is not cut")
        at = between(one, two, zero_between(one[:, self.n + column], two[:, self.n + column]))
        at.mid[:, self.n + column] = at.rad[:, self.n + column] = 0
        new = self._columns(at)
        if self.breaks_ties:
            break_ties(new, ends, self._tie_of(number))
        # The edge leaves the zero that the 2-face does not have, at its start.
        left, positive = left[start:], positive[start:]
        here = np.flatnonzero(self._place[left] >= 0)
        new["sign"][here, self._place[left[here]]] = 2 * positive[here] - 1
        joined["ray"][start:] = np.arange(R.n_rows, R.n_rows + len(wanted))
        R.append(**new)

    def _split(self, chosen: Array, created: Numbers, number: int, first: Array) -> None:
        """Cut these edges in two, and give every edge its sign."""
        E = self.edges
        halves = {name: E[name][chosen] for name in E.names}
        halves["a"] = created
        E["b"][chosen] = created
        E["ray"][chosen] = -1
        self._set_bit(E, number, np.flatnonzero(first > 0))
        n_before = E.n_rows
        E.append(**halves)
        self._set_bit(E, number, n_before + np.flatnonzero(first[chosen] < 0))

    def _next_stage(self) -> None:
        """Evaluate the next layer at all vertices and along all rays."""
        V, E, n = self.vertices, self.edges, self.n
        units, passes = self.cuts.units(self._stage), self.cuts.passes(self._stage)
        if self._keeps_stages:
            self._half_edges.append(self._half_edges_now())
        self._stage += 1
        layer = self.cuts.network.layers[self._stage]
        weights, bias = Balls.of(layer.weights.flint_rows()), Balls.of([layer.flint_bias])[0]
        unbounded = np.flatnonzero(E["b"] < 0)
        rays, signs = balls_and_signs(self.rays, E["ray"][unbounded])
        start = V["sign"][E["a"][unbounded]]
        is_active = (np.where(start != 0, start, signs) > 0) | passes
        slopes = affine(rays[:, n:].where(is_active)[:, units], weights, None)
        flat = {"flat": self.rays["flat"][E["ray"][unbounded]]} if self.breaks_ties else {}
        self.rays = Table(**self._columns(rays[:, :n].beside(slopes)), **flat)
        E["ray"][unbounded] = np.arange(len(unbounded))

        def block(first: int) -> dict[str, Array]:
            vertices, signs = balls_and_signs(V, slice(first, first + BATCH))
            values = affine(vertices[:, n:].where((signs > 0) | passes)[:, units], weights, bias)
            return self._columns(vertices[:, :n].beside(values))

        found = Table(**block(0))
        found.reserve(V.n_rows)
        for first in range(BATCH, V.n_rows, BATCH):
            found.append(**block(first))
        V.take_over(found)
        self._store(np.arange(len(layer.affine.flint_rows())))
        self._settle_vertices(0)
        self._settle_rays({name: E[name][unbounded] for name in E.names})

    def _units_of(self, table: Table) -> Balls:
        """The units of the current stage at vertices or along rays."""
        units = self.cuts.units(self._stage)
        mid, rad = (table[name][:, self.n :][:, units].copy() for name in ("mid", "rad"))
        return Balls(mid, rad)

    def half_edges(self) -> list[HalfEdges]:
        """The half-edges at the end of each stage, if they were kept."""
        return [*self._half_edges, self._half_edges_now()]

    def _half_edges_now(self) -> HalfEdges:
        V, E = self.vertices, self.edges
        self._effort.need(2 * V.n_bytes(V.n_rows), f"the half-edges of {V.n_rows:,} vertices")
        found = HalfEdges(V["zeros"].copy(), self._units_of(V), self._units_of(self.rays))
        ends = np.where(E["b"] < 0, -1 - E["ray"], E["b"])
        found.add(E["a"], ends, E["zeros"], E["bits"])
        bounded = np.flatnonzero(E["b"] >= 0)
        found.add(ends[bounded], E["a"][bounded], E["zeros"][bounded], E["bits"][bounded])
        return found

    def _settle_vertices(self, start: int) -> None:
        """Decide the signs that the balls leave open, from vertex ``start`` on."""
        V = self.vertices
        rows = start + np.flatnonzero(V["is_alive"][start:])
        bits, zeros, equations = V["bits"], V["zeros"], self._equations
        self._settle(
            V, rows, lambda k: equations.vertex(bits[rows[k]], zeros[rows[k]].tolist(), self._stage)
        )
        self._require_simple(rows)

    def _require_simple(self, vertices: Array) -> None:
        """At these vertices only the cuts that were made may be zero, but for ties."""
        is_tied = (self.vertices["sign"][vertices] == 0) & ~self._is_done
        if is_tied.any():
            if not self.breaks_ties:
                raise Tied("a vertex on more than n hyperplanes")
            rows, columns = np.nonzero(is_tied)
            self.vertices["sign"][vertices[rows], columns] = TIED

    def _settle_rays(self, edges: Mapping[str, Array]) -> None:
        """Decide the signs of the slopes along unbounded edges."""
        bits, zeros = edges["bits"], edges["zeros"]
        # An edge has all zeros of the vertex where it starts but one.
        left = self.vertices["zeros"][edges["a"]].sum(axis=1) - zeros.sum(axis=1)
        self._settle(
            self.rays,
            edges["ray"],
            lambda k: self._equations.direction(
                bits[k], zeros[k].tolist(), int(left[k]), self._stage
            ),
        )

    def _settle(
        self, table: Table, rows: Array, exact: Callable[[int], tuple[Vector, Vector]]
    ) -> None:
        """Compute rows of which a sign is not known from their equations, number k of them."""
        places = np.flatnonzero(((table["sign"][rows] == 0) & ~self._is_done).any(axis=1))
        balls, signs = balls_and_signs(table, rows[places])
        is_open = (signs == 0) & ~balls[:, self.n :].is_zero & ~self._is_done
        places = places[is_open.any(axis=1)]
        #: What was found for the first vertex with a limit.
        known: dict[int, dict[str, Array]] = {}
        roots = table["root"][rows[places]] if "root" in table.names else rows[places]
        for k, root in zip(places.tolist(), roots.tolist(), strict=True):
            if root not in known:
                known[root] = self._exactly(*exact(k))
            found = known[root]
            if self.breaks_ties:
                # Signs of cuts that were made are those beside the limit.
                sign = np.where(self._is_done, table["sign"][rows[k]], found["sign"][0])
                found = found | {"sign": sign[None, :]}
            for name, column in found.items():
                table[name][rows[k]] = column[0]

    def _exactly(self, x: Vector, values: Vector) -> dict[str, Array]:
        """The columns of a row that is known exactly."""
        self._effort.spend()
        self._n_exact += 1
        if self._n_exact > MAX_EXACT + self.vertices.n_rows // 8 and not self.breaks_ties:
            raise NotSimple("too many signs that floats cannot decide")
        return exact_columns([x], [[values[c] for c in self._stored.tolist()]])
