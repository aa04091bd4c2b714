"""The records of a split tree of regions, part by part, whoever has walked it.

The nodes of a tree are written one by one (:mod:`exactrelu.certificates.trees`).  That of a simple
complex is known whole, in arrays (:class:`~exactrelu.cells.simple_proof.SimpleProof`), and where
there are compiled loops these write it at once, with the same bytes; they come back for the cones
that are not certain, and for the points that do not fit into integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ctypes import CDLL

import numpy as np

from exactrelu.cells import kernels
from exactrelu.cells.regions import Walked
from exactrelu.cells.settled import sides_of
from exactrelu.cells.simple_proof import SimpleProof, SplitPath
from exactrelu.cells.tree import Region
from exactrelu.certificates.certificate import point_record
from exactrelu.certificates.trees import TreeWriter
from exactrelu.effort import UNLIMITED, Effort

#: The text of so many regions is made at a time.
BATCH = 2**10


def walked_records(
    writer: TreeWriter, walked: Walked, effort: Effort = UNLIMITED
) -> Iterator[tuple[list[str], Sequence[Region]]]:
    """Records, and the regions among them, which are spent once they were taken.

    >>> from exactrelu.cells.regions import prove_regions
    >>> from exactrelu.exact.system import LinearSystem
    >>> from exactrelu.network.network import Network
    >>> from exactrelu.polyhedra.domain import Domain
    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> writer = TreeWriter(xor, Domain.of(None, 2))
    >>> [lines for lines, _ in walked_records(writer, prove_regions(xor, LinearSystem(2)))]
    [['split 0'], ['side 2 1 1 1 1'], ['cell -2 0 1'], ['split 1'], ['cell -1 0 2'], ['cell 1 0 1']]
    """
    compiled = kernels.library()
    proof = walked.proof
    # What is settled in a later layer stands between signs of the layers before.
    if compiled is None or proof is None or any(found.layer for found in walked.settled):
        for node in walked.nodes:
            found = [node] if isinstance(node, Region) else []
            yield list(writer.records(node)), found
            if found:
                effort.spend("regions")
        return
    for side in sides_of(walked.network, walked.settled):
        yield list(writer.records(side)), []
    text = _Text(compiled, writer, proof, effort)
    yield from text.parts(walked.regions or proof.regions)


class _Text:
    """The records of the split tree of a simple complex."""

    def __init__(
        self, compiled: CDLL, writer: TreeWriter, proof: SimpleProof, effort: Effort
    ) -> None:
        self._writer, self._proof, self._effort = writer, proof, effort
        self._path = SplitPath(proof.cuts, effort)
        cuts, cones = proof.cuts, proof.cones
        numerators, exponents, is_exact = proof.regions.integers()
        domain = zip(cuts.column, cuts.is_domain.tolist(), strict=True)
        rows = [writer.row_number(c) if is_domain else -1 for c, is_domain in domain]
        # The last is that of no unit.
        numbers = np.array([*writer.numbers, -1], np.int32)
        given = {
            "differs_at": np.append(proof.differs_at, np.int32(-2)),
            "zeros": proof.zeros,
            "row_of": np.array(rows, np.int32),
            "unit_of": numbers[cuts.units_cut],
            **{name: getattr(cones, name) for name in ("begins", "depth", "vertex", "starts")},
            "signs": 2 * numbers[cones.unit] + (cones.sign > 0).astype(np.int32),
            "is_certain": cones.is_certain,
            "is_exact": is_exact,
            "numerators": numerators,
            "exponents": exponents,
        }
        first_row = writer.row_number(cuts.n_domain)
        self._writing = kernels.Writing(compiled, first_row, given)

    def parts(self, regions: Sequence[Region]) -> Iterator[tuple[list[str], Sequence[Region]]]:
        """The records, and the regions among them, which are given."""
        writing = self._writing
        while (start := writing.region) < len(regions):
            self._effort.spend()
            text, status = writing.part(min(start + BATCH, len(regions)))
            records = text.splitlines()
            if status == writing.UNCERTAIN:
                records += self._proved()
            elif status == writing.EXACT:
                records.append(point_record("cell", regions[writing.region].flint_point))
                writing.skip_point()
            yield records, regions[start : writing.region]
            if writing.region > start:
                self._effort.spend("regions", writing.region - start)

    def _proved(self) -> Iterator[str]:
        """The records of the cone at which the text ends, with exact proofs."""
        writing, proof, cuts = self._writing, self._proof, self._proof.cuts
        cone, splits = writing.cone, writing.path
        writing.skip_cone()
        self._path.go(proof.regions.pattern(writing.region), splits)
        self._writer.go(cuts.stage[cut] for cut in splits)
        for node in proof.proved(self._path, cone):
            yield from self._writer.records(node)
