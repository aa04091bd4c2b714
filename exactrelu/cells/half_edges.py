"""Half-edges of a simple complex: along which of them a neuron certainly rises.

At a vertex v of a simple complex in R^n exactly n cuts are zero.  Leaving one of them, to its
positive or its negative side, while the others stay zero is a *half-edge* of v: there are 2n, fewer
at the border of the domain.  A cell P with the vertex v has n of them, with directions d_1, …, d_n:
row k of the zeros, oriented such that it is positive on P, rises along d_k and is constant along
the others.

*Cones.*  Let z be affine on P, and s = ±1.  If s·z(v) ≥ 0 and s·z rises along all n half-edges of P
at v, then  s·z = Σ μ_k·row_k + s·z(v)  with  μ_k = s·z(d_k)/row_k(d_k) > 0,  since both sides agree
at v and along each d_k: s·z lies in the cone of the n rows and 1.  So no equation need be solved to
prove that z has one sign on P, and that it is not constant.

Which vertex or ray a half-edge leads to is known from the edges of the complex, at the end of the
stage to which z belongs: up to there z is affine on every edge.  Values at vertices and slopes
along rays are balls (:mod:`exactrelu.exact.balls`), and z rises from v to w for certain if the
balls do not meet.  Where they do, nothing is said.

Symbols: z(v) → ``values``, slopes → ``slopes``, the other ends → ``others``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from exactrelu.exact.balls import Balls, Floats

Array = npt.NDArray[Any]
Numbers = npt.NDArray[np.int64]

#: There is no such half-edge.
_NONE = np.iinfo(np.int32).min

#: More than the rounding of a difference and of a sum of two radii.
_SLACK = 2.0**-20


class HalfEdges:
    """The half-edges of all vertices of a complex, and the neurons of one layer on them.

    ``others[v, k, side]`` is the vertex at the end of the half-edge that leaves zero k of vertex v
    to its side, 1 if that is positive, or −1 − r for ray r.

    Two lines in the plane meet at vertex 0, where z = 0; z rises along two of the four rays:

    >>> slopes = np.array([[1.0], [-1.0], [2.0], [-2.0]])
    >>> exact = np.zeros((4, 1))
    >>> cross = HalfEdges(np.array([[0, 1]]), Balls(exact[:1], exact[:1]), Balls(slopes, exact))
    >>> sides, along = np.array([[1], [0], [2], [0]], np.uint64), np.array([[1], [1], [0], [0]])
    >>> cross.add(np.zeros(4, np.int64), -1 - np.arange(4), along, sides)
    >>> at, signs, cells = np.array([0, 0]), np.array([1, 1]), np.array([[3], [1]], np.uint64)
    >>> cross.rises(at, cells, np.array([0, 0]), signs)
    array([ True, False])
    """

    def __init__(self, zeros: Numbers, values: Balls, slopes: Balls) -> None:
        """Vertices have these zeros and values, rays have these slopes; no edges yet."""
        self._zeros = zeros
        self._values, self._slopes = values, slopes
        self._others = np.full((*zeros.shape, 2), _NONE, np.int32)

    def add(self, starts: Numbers, ends: Numbers, zeros: Numbers, bits: Array) -> None:
        """Edges from vertices to other ends, with their zeros and the bits of positive cuts."""
        at = self._zeros[starts]
        # An edge has all zeros of a vertex at its end but one.
        left = at.sum(axis=1) - zeros.sum(axis=1)
        place = (at == left[:, None]).argmax(axis=1)
        self._others[starts, place, bits_at(bits, left)] = ends

    @property
    def near(self) -> Floats:
        """Near values of the neurons at the vertices."""
        return self._values.mid

    def arrays(self) -> dict[str, Array]:
        """What compiled loops need for :meth:`rises`."""
        values, slopes = self._values, self._slopes
        edges = {"zeros": self._zeros, "others": self._others}
        balls = {"mid": values.mid, "rad": values.rad}
        return edges | balls | {"slope_mid": slopes.mid, "slope_rad": slopes.rad}

    @np.errstate(over="ignore", invalid="ignore")
    def rises(self, vertices: Numbers, bits: Array, neurons: Numbers, signs: Array) -> Array:
        """Where it is certain that sign·neuron rises along the half-edges of a vertex of a cell.

        The cell of each vertex has the bits of its positive cuts.
        """
        certain = np.ones(len(vertices), bool)
        here, off_here = self._values.mid[vertices, neurons], self._values.rad[vertices, neurons]
        for k in range(self._zeros.shape[1]):
            other = self._others[vertices, k, bits_at(bits, self._zeros[vertices, k])]
            certain &= other != _NONE
            rise, off = np.zeros(len(vertices)), np.full(len(vertices), np.inf)
            to = np.flatnonzero(other >= 0)
            at = other[to], neurons[to]
            rise[to] = self._values.mid[at] - here[to]
            off[to] = self._values.rad[at] + off_here[to]
            along = np.flatnonzero((other < 0) & certain)
            ray = -1 - other[along], neurons[along]
            rise[along], off[along] = self._slopes.mid[ray], self._slopes.rad[ray]
            rise *= signs
            certain &= np.isfinite(rise) & (rise * (1 - _SLACK) > off * (1 + _SLACK))
        return certain


def bits_at(bits: Array, cuts: Numbers) -> Numbers:
    """For each row of bits the one of a cut: 1 if it is positive there.

    >>> bits_at(np.array([[5], [5]], np.uint64), np.array([2, 1]))
    array([1, 0])
    """
    words = bits[np.arange(len(cuts)), cuts // 64]
    return np.asarray(words >> (cuts % 64).astype(np.uint64) & np.uint64(1), np.int64)
