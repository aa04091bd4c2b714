"""The 2-faces at some edges of a simple complex, by their signs.

At an edge of a simple complex in R^n there are n − 1 cuts that are zero; making one of them + or −,
while the others stay zero, gives the signs of a 2-face.  Every 2-face at the edge is found so, and
once; beyond a row of the domain, which may be + only, there is none.  So 2-faces at different edges
are the same iff their signs are: those are compared by 64-bit hashes, and bit by bit wherever
hashes agree.

Where a cut crosses a 2-face it crosses two edges of it, or one if the 2-face is unbounded and so is
what it cuts out: each hash is there twice, or once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactrelu.cells.cuts import NotSimple
from exactrelu.cells.tables import Array, Table

Numbers = npt.NDArray[np.int64]


class Faces(NamedTuple):
    """2-faces at some edges: those of an edge with one zero made + or −.

    ``key`` is a hash of their signs.  Row r stands for edge ``which[r] // 2k`` of those
    given, k the number of its zeros, of which zero number ``which[r] // 2 % k`` is made −
    or + as ``which[r]`` is even or odd.
    """

    edges: Numbers
    key: Array
    which: Numbers


class TwoFaces:
    """The 2-faces of a complex with these edges, and these hashes of its cuts.

    One edge, on which the cuts 0 and 1 are zero, has four 2-faces:

    >>> edges = Table(zeros=np.array([[0, 1]]), hash=np.zeros(1, np.uint64),
    ...               zero_hash=np.array([11], np.uint64), bits=np.zeros((1, 1), np.uint64))
    >>> hashes = np.array([[100, 200], [1, 10]], np.uint64)
    >>> faces = TwoFaces(edges, *hashes, np.zeros(2, bool)).at(np.array([0]))
    >>> faces.key
    array([ 10, 110,   1, 201], dtype=uint64)
    """

    def __init__(
        self, edges: Table, if_positive: Array, if_zero: Array, is_domain: npt.NDArray[np.bool_]
    ) -> None:
        """Each cut adds its own number to a hash if it is positive, or to another if it is zero."""
        self._edges = edges
        self._if_positive, self._if_zero = if_positive, if_zero
        self._is_domain = is_domain

    def at(self, edges: Array) -> Faces:
        """All 2-faces inside the domain at these edges."""
        E = self._edges
        zeros = E["zeros"][edges]
        key = (E["hash"][edges] + E["zero_hash"][edges])[:, None] - self._if_zero[zeros]
        keys = np.stack([key, key + self._if_positive[zeros]], axis=2)
        if not self._is_domain.any():
            return Faces(edges, keys.ravel(), np.arange(keys.size))
        inside = np.ones(keys.shape, bool)
        inside[:, :, 0] = ~self._is_domain[zeros]
        which = np.flatnonzero(inside)
        return Faces(edges, keys.ravel()[which], which)

    def signs(self, faces: Faces, rows: Array) -> tuple[dict[str, Array], Array]:
        """The signs of these 2-faces, and the zeros that were made + or −."""
        E = self._edges
        k = E["zeros"].shape[1]
        which = faces.which[rows]
        edges, place = faces.edges[which // (2 * k)], which // 2 % k
        zeros = E["zeros"][edges]
        all_rows = np.arange(len(rows))
        left = zeros[all_rows, place]
        is_kept = np.ones(zeros.shape, bool)
        is_kept[all_rows, place] = False
        bits, hashes = E["bits"][edges], E["hash"][edges]
        positive = np.flatnonzero(which % 2)
        made = left[positive]
        bits[positive, made // 64] |= np.uint64(1) << (made % 64).astype(np.uint64)
        hashes[positive] += self._if_positive[made]
        signs = {
            "bits": bits,
            "hash": hashes,
            "zeros": zeros[is_kept].reshape(len(rows), k - 1),
            "zero_hash": E["zero_hash"][edges] - self._if_zero[left],
        }
        return signs, left


def require_same(first: dict[str, Array], rows: slice, second: dict[str, Array]) -> None:
    """Equal hashes must mean equal signs."""
    for name in ("bits", "zeros"):
        if (first[name][rows] != second[name]).any():
            raise NotSimple("two faces have one hash")
