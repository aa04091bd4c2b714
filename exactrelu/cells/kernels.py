"""Compiled loops over the arrays of simple complexes, where they were built.

``kernels.c`` beside this file has, loop by loop, what numpy does in
:mod:`exactrelu.cells.simple`, :mod:`exactrelu.cells.simple_regions` and
:mod:`exactrelu.cells.node_signs`, and what Python writes in :mod:`exactrelu.certificates.trees`.
It is compiled when the package is built, if there is a C compiler (``hatch_build.py``); without it
they do the work, with the same results bit for bit: the same operations on doubles in the same
order.  A library that was made of another source is left alone.

*Why C.*  Loading the library takes half a millisecond.  Loops compiled by numba, of which a sketch
was timed before these were written, and not again beside them, need 0.5 s for its import and 1.7 s
to load its cache in every process (14 s to compile): more than most networks take as a whole.  In
the plane numpy spends its time on the calls themselves, 2 ms for a cut: 2-16-16-1 takes 65 ms,
and 18 ms here.

Nothing here knows any mathematics: arrays go in, arrays come out, refusals become
:class:`~exactrelu.cells.cuts.NotSimple`.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from exactrelu.cells.cuts import NotSimple
from exactrelu.cells.tables import Array, Table

SOURCE = Path(__file__).with_name("kernels.c")
LIBRARY = Path(__file__).with_name("_kernels.so")

Numbers = npt.NDArray[np.int32]

#: The ways to make so many zeros + and − are not counted by a 64-bit integer.
MAX_ZEROS = 64

#: So many characters of a proof are written at a time, at least.
TEXT = 2**18

_REFUSALS = {
    -2: "three new vertices in a 2-face",
    -3: "two faces have one hash",
    -4: "an unbounded 2-face without two unbounded edges",
    -5: "an unbounded 2-face that is not cut",
    -6: "an unbounded cell without a vertex",
}


def source_number() -> int:
    """A number that the library has in it, so that it is known what it was made of."""
    return int.from_bytes(hashlib.sha256(SOURCE.read_bytes()).digest()[:8], "big")


@cache
def library() -> ctypes.CDLL | None:
    """The compiled loops, or None."""
    try:
        found = ctypes.CDLL(str(LIBRARY))
        found.er_source.restype = ctypes.c_uint64
        is_ours = found.er_source() == source_number()
    except (OSError, AttributeError):
        return None
    if not is_ours:
        return None
    for name in ("er_find", "er_sums", "er_pass", "er_grouped", "er_next_lower"):
        getattr(found, name).restype = None
    for name in ("er_vertices", "er_join", "er_edges", "er_cells", "er_signs", "er_records"):
        getattr(found, name).restype = ctypes.c_int64
    return found


_TABLES = {
    "vertices": ("v", ("mid", "rad", "sign", "zeros", "bits", "hash", "is_alive", "tight", "root")),
    "rays": ("r", ("mid", "rad", "sign", "flat")),
    "edges": ("e", ("a", "b", "ray", "zeros", "zero_hash", "bits", "hash")),
}
_CONSTANTS = ("if_positive", "if_zero", "is_domain", "is_done", "place")


def _fields(*words: str) -> list[tuple[str, Any]]:
    """Fields of a structure: integers of 64 bits where that is said, else addresses."""
    return [
        (word.removesuffix(" int"), ctypes.c_int64 if word.endswith(" int") else ctypes.c_void_p)
        for word in words
    ]


class _ComplexStructure(ctypes.Structure):
    """The structure Complex of the source."""

    _fields_ = _fields(
        *(f"{name} int" for name in ("n", "n_columns", "n_words")),
        *_CONSTANTS,
        *(
            field
            for table, (letter, columns) in _TABLES.items()
            for field in (f"n_{table} int", *(f"{letter}_{column}" for column in columns))
        ),
    )


class JoinedFaces(NamedTuple):
    """Rows of 2-faces: pairs of the same face, and after the first ones of them single ones."""

    first: Numbers
    second: Numbers
    n_pairs: int
    n_single: int


class CutKernel:
    """The steps of a cut on the tables of a complex."""

    def __init__(self, compiled: ctypes.CDLL, n: int, if_positive: Array, if_zero: Array,
                 is_domain: Array) -> None:  # fmt: skip
        self._library = compiled
        self._constants = {"if_positive": if_positive, "if_zero": if_zero, "is_domain": is_domain}
        self._complex = _ComplexStructure(n=n)
        self._seen: dict[str, tuple[Table, int]] = {}
        self._counts = np.zeros(2, np.int64)
        #: The signs of the column that is being cut where edges start.
        self._starts = np.zeros(0, np.int8)

    def look(self, tables: dict[str, Table], **constants: Array) -> None:
        """See the tables as they are now, and what holds of their columns."""
        seen = self._complex
        self._constants |= {name: np.ascontiguousarray(a) for name, a in constants.items()}
        for name in constants if seen.if_zero else self._constants:
            setattr(seen, name, self._constants[name].ctypes.data)
        for name, (letter, columns) in _TABLES.items():
            table = tables[name]
            setattr(seen, f"n_{name}", table.n_rows)
            if self._seen.get(name) == (table, table.version):
                continue
            for column in columns:
                # Masks are there only where ties are broken.
                address = table.address(column) if column in table.names else None
                setattr(seen, f"{letter}_{column}", address)
            self._seen[name] = table, table.version
        seen.n_columns = tables["vertices"]["sign"].shape[1]
        seen.n_words = tables["vertices"]["bits"].shape[1]

    def find(self, column: int) -> Numbers:
        """The edges that a column cuts, those with two ends first."""
        chosen = np.empty(self._complex.n_edges, np.int32)
        self._starts = np.empty(self._complex.n_edges, np.int8)
        self._library.er_find(
            self._at, _number(column), _start(chosen), _start(self._starts), _start(self._counts)
        )
        return chosen[: self._counts.sum()].copy()

    def vertices(self, number: int, column: int, chosen: Numbers) -> int:
        """Put a vertex on each of these edges; how many have an open sign."""
        return int(
            self._library.er_vertices(
                self._at, _number(number), _number(column), _start(chosen), _number(len(chosen))
            )
        )

    def join(self, chosen: Numbers) -> JoinedFaces:
        """Which 2-faces at these edges are the same."""
        if len(chosen) * 2 * (self._complex.n - 1) >= 2**31:
            raise MemoryError
        rows = np.empty((2, max(1, len(chosen) * 2 * (self._complex.n - 1))), np.int32)
        _require(
            self._library.er_join(
                self._at, _start(chosen), _number(len(chosen)),
                _start(rows[0]), _start(rows[1]), _start(self._counts),
            )
        )  # fmt: skip
        return JoinedFaces(rows[0], rows[1], *self._counts.tolist())

    def edges(
        self, number: int, column: int, created: int, chosen: Numbers, joined: JoinedFaces
    ) -> int:
        """Split these edges and join the new vertices; how many new rays have an open sign."""
        return _require(
            self._library.er_edges(
                self._at, _number(number), _number(column), _number(created),
                _start(chosen), _start(self._starts), _number(len(chosen)),
                _start(joined.first), _start(joined.second),
                _number(joined.n_pairs), _number(joined.n_single),
            )
        )  # fmt: skip

    @property
    def _at(self) -> Any:
        return ctypes.byref(self._complex)


class _FacesStructure(ctypes.Structure):
    """The structure Faces of the source."""

    _fields_ = _fields(
        "n_faces int", "n_zeros int", "hash", "bits", "zeros", "n_pairs int", "face", "cell", "way"
    )


class _CellsStructure(ctypes.Structure):
    """The structure Cells of the source."""

    _fields_ = _fields(
        *("n_words int", "n_cells int", "if_positive", "is_domain", "hash", "bits"),
        *("mask int", "slot"),
    )


class Around(NamedTuple):
    """Faces of one dimension by the hashes and bits of their positive cuts, and by their zeros."""

    hash: Array
    bits: Array
    zeros: Array
    n_pairs: int


def cells(compiled: ctypes.CDLL, if_positive: Array, is_domain: Array, vertices: Around,
          edges: Around) -> tuple[Array, list[tuple[Numbers, Numbers]]]:  # fmt: skip
    """The bits of the cells around vertices; and pairs of a vertex, or an unbounded edge, and a
    cell around it: the numbers of the faces, and of the cells.
    """
    n_words = vertices.bits.shape[1]
    hashes = np.empty(vertices.n_pairs, np.uint64)
    bits = np.empty((vertices.n_pairs, n_words), np.uint64)
    kept: list[Array] = [hashes, bits, np.ascontiguousarray(is_domain)]
    seen = _CellsStructure(n_words=n_words, if_positive=if_positive.ctypes.data,
                  is_domain=kept[2].ctypes.data, hash=hashes.ctypes.data,
                  bits=bits.ctypes.data)  # fmt: skip
    structures, found = [], []
    for faces in (vertices, edges):
        arrays = [np.ascontiguousarray(array) for array in faces[:3]]
        face, cell = np.empty((2, faces.n_pairs), np.int32)
        way = np.empty(faces.n_pairs if is_domain.any() else 0, np.uint64)
        starts = [array.ctypes.data for array in (*arrays, face, cell)]
        shape, at = arrays[2].shape, way.ctypes.data if len(way) else None
        structures.append(_FacesStructure(shape[0], shape[1], *starts[:3], 0, *starts[3:], at))
        found.append((face, cell, way))
        kept += arrays
    _require(compiled.er_cells(*map(ctypes.byref, (seen, *structures))))
    return bits[: seen.n_cells].copy(), [_by_way(*pairs) for pairs in found]


def _by_way(face: Numbers, cell: Numbers, way: Array) -> tuple[Numbers, Numbers]:
    """Pairs in the order of the ways to make zeros + and −, then of the faces."""
    if not len(way):
        return face, cell
    order = np.argsort(way, kind="stable")
    return face[order], cell[order]


def sums(compiled: ctypes.CDLL, x: Array, n: int, rows: Numbers, groups: Numbers, n_groups: int,
         middle: Array | None = None) -> Array:  # fmt: skip
    """The sums of the first n columns of the rows of each group, or of distances from a middle."""
    found = np.zeros((n_groups, n))
    compiled.er_sums(
        _number(len(rows)), _number(n), _start(x), _number(x.strides[0] // 8), _start(rows),
        _start(groups), None if middle is None else _start(middle), _start(found),
    )  # fmt: skip
    return found


def pass_on(compiled: ctypes.CDLL, values: Array, active: Array, first: int, is_neuron: Array,
            error: Array, fits: Array) -> Array:  # fmt: skip
    """Replace the values of the units of a layer, from unit ``first`` on, by what they pass on; the
    sizes of these.  Points that certainly have other signs, or may have them, do not fit.
    """
    size = np.empty(len(values))
    compiled.er_pass(
        _number(len(values)), _number(values.shape[1]), _start(values), _start(active),
        _number(active.shape[1]), _number(first), _start(is_neuron), _start(error), _start(fits),
        _start(size),
    )  # fmt: skip
    return size


def grouped(compiled: ctypes.CDLL, groups: Numbers, n_groups: int) -> tuple[Numbers, Numbers]:
    """The numbers of rows in the order of their groups, and where groups begin, and the end."""
    begins, order = np.empty(n_groups + 1, np.int32), np.empty(len(groups), np.int32)
    compiled.er_grouped(
        _number(len(groups)), _start(groups), _number(n_groups), _start(begins), _start(order)
    )
    return order, begins


def next_lower(compiled: ctypes.CDLL, values: Numbers) -> Numbers:
    """For each value the place of the next lower one; the last value is lower than all others."""
    found = np.zeros(len(values), np.int32)
    compiled.er_next_lower(_number(len(values)), _start(values), _start(found))
    return found


class _HalfEdgesStructure(ctypes.Structure):
    """The structure HalfEdges of the source."""

    _fields_ = _fields(
        *("n int", "n_units int", "zeros", "others", "mid", "rad", "slope_mid", "slope_rad")
    )


class _LayerStructure(ctypes.Structure):
    """The structure Layer of the source."""

    _fields_ = [
        *_fields("n_regions int", "n_words int", "n_cuts int", "bits", "differs_at", "cuts"),
        *_fields("units", "begins", "vertex", "last", "near"),
        ("half_edges", _HalfEdgesStructure),
        *_fields("crossed", "work", "corners"),
    ]


class Signs(NamedTuple):
    """Neurons that get a sign, ±1, at a node: one row for each.

    A node is known by its first region, and its depth, the number of the next cut.
    """

    region: Numbers
    depth: Numbers
    vertex: Numbers
    unit: Numbers
    sign: Array
    is_certain: Array


class _SignsStructure(ctypes.Structure):
    """The structure Signs of the source."""

    _fields_ = _fields(*Signs._fields)


def signs(
    compiled: ctypes.CDLL,
    first_depth: int,
    nodes: Mapping[str, Array],
    half_edges: Mapping[str, Array],
) -> Signs:
    """The neurons of a layer that get their signs at each node."""
    n_regions, n_words = nodes["bits"].shape
    own: dict[str, Array] = {
        "crossed": np.empty((n_regions, n_words), np.uint64),
        "work": np.empty((4, n_words), np.uint64),
        "corners": np.empty(len(nodes["vertex"]), np.int32),
    }
    edges = _HalfEdgesStructure(half_edges["zeros"].shape[1], half_edges["mid"].shape[1])
    _point(edges, half_edges)
    layer = _LayerStructure(n_regions, n_words, len(nodes["cuts"]), half_edges=edges)
    _point(layer, {**nodes, **own})
    call = compiled.er_signs, ctypes.byref(layer), _number(first_depth)
    n = call[0](*call[1:], None)
    region, depth, vertex, unit = np.empty((4, n), np.int32)
    found = Signs(region, depth, vertex, unit, np.empty(n, np.int8), np.empty(n, bool))
    room = _SignsStructure()
    _point(room, found._asdict())
    call[0](*call[1:], ctypes.byref(room))
    return found


class _Records(ctypes.Structure):
    """The structure Records of the source."""

    _fields_ = _fields(
        *("n int", "n_base int", "differs_at", "next_lower", "zeros", "row_of", "unit_of"),
        *("begins", "depth", "vertex", "starts", "signs", "is_certain", "is_exact"),
        *("numerators", "exponents", "region int", "cone int", "is_open int", "n_path int"),
        *("n_waiting int", "path", "place", "waiting", "text", "size int", "n_text int"),
    )


class Writing:
    """The records of a split tree, as text, part by part."""

    #: Why a part ends: it is done, there is no room, a cone is not certain, a point is no integers.
    DONE, FULL, UNCERTAIN, EXACT = range(4)

    def __init__(self, compiled: ctypes.CDLL, n_base: int, given: Mapping[str, Array]) -> None:
        self._library = compiled
        n_cuts = len(given["row_of"])
        longest = int(np.diff(given["starts"]).max(initial=0)) + given["zeros"].shape[1] + 64
        own: dict[str, Array] = {
            "next_lower": next_lower(compiled, given["differs_at"]),
            "path": np.empty(n_cuts, np.int32),
            "place": np.full(n_cuts, -1, np.int32),
            "waiting": np.empty(n_cuts, np.int32),
            "text": np.empty(max(TEXT, 32 * longest), np.uint8),
        }
        self._arrays = {**given, **own}
        self._at = _Records(given["zeros"].shape[1], n_base, size=len(own["text"]))
        _point(self._at, self._arrays)

    def part(self, stop: int) -> tuple[str, int]:
        """The next records, those before a region at most; and why there are no more."""
        status = self._library.er_records(ctypes.byref(self._at), _number(stop))
        return self._arrays["text"][: self._at.n_text].tobytes().decode("ascii"), status

    @property
    def region(self) -> int:
        """The region at which the text ends."""
        return int(self._at.region)

    @property
    def cone(self) -> int:
        """The cone at which the text ends."""
        return int(self._at.cone)

    @property
    def path(self) -> list[int]:
        """The cuts that split the nodes above."""
        return [int(cut) for cut in self._arrays["path"][: self._at.n_path]]

    def skip_cone(self) -> None:
        """Go on behind a cone, which somebody else has written."""
        self._at.cone += 1

    def skip_point(self) -> None:
        """Go on behind a region, the point of which somebody else has written."""
        self._at.region += 1
        self._at.is_open = 0


def _point(structure: ctypes.Structure, arrays: Mapping[str, Array]) -> None:
    """Let a structure know where these arrays begin, which must not go away before it does."""
    for name, array in arrays.items():
        if not array.flags.c_contiguous:
            raise ValueError(f"{name} does not have its rows one after the other: a bug")
        setattr(structure, name, array.ctypes.data)


def _number(value: int) -> ctypes.c_int64:
    return ctypes.c_int64(value)


def _start(array: Array) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _require(status: int) -> int:
    """What a function found, unless it refused."""
    if status == -1:
        raise MemoryError
    if status < 0:
        raise NotSimple(_REFUSALS[status])
    return status
