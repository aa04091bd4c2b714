"""Zero is no local optimum value of a preactivation: part of *general* networks (theory 4).

Let z be a preactivation that is 0 on a face F.  Near a point of F the signs that z
takes are those on the faces whose closures contain F, and where z is positive or
negative on one of these it is so on a full-dimensional cell beside it.  So 0 is a local
minimum or maximum (strict or not) on F iff z is negative, or positive, on none of the
cells around F.  A preactivation that is 0 on a cell counts as an optimum.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

from exactrelu.certificates.certificate import claim, record
from exactrelu.certificates.evidence import part_rows
from exactrelu.complex.faces import Face
from exactrelu.complex.stars import Stars
from exactrelu.exact.scalar import to_texts
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import DomainLike
from exactrelu.questions.polyhedral_complex import PolyhedralComplex, polyhedral_complex
from exactrelu.verdict import Verdict


@dataclass(frozen=True)
class ZeroOptimum:
    """The neuron (layer, index), from 1, has a local optimum 0 on the face.

    ``signs`` are those that it has on the cells around: not both −1 and 1.
    """

    neuron: tuple[int, int]
    face: Face
    signs: frozenset[int]

    @property
    def word(self) -> str:
        """What kind of optimum."""
        return {1: "minimum", -1: "maximum", 0: "plateau"}[sum(self.signs)]

    def text(self) -> str:
        """Which preactivation, and where."""
        layer, index = self.neuron
        place = ", ".join(to_texts(self.face.point))
        return f"neuron ({layer},{index}) has the local {self.word} 0 at ({place})"

    def fields(self) -> dict[str, Any]:
        """The failure as ``--json`` writes it; layers and neurons from 1."""
        return {
            "condition": "zero-optimum",
            "neuron": list(self.neuron),
            "kind": self.word,
            "dimension": self.face.dimension,
            "point": to_texts(self.face.point),
        }


def has_no_zero_optimum(
    network: Network,
    domain: DomainLike = None,
    *,
    max_faces: int | None = None,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Verdict:
    """Whether no preactivation has a local optimum 0; ``witness`` of a no: all of them.

    >>> net = Network.from_arrays([[[1], [-1]], [[1, 1]], [[1]]], [[0, 0], [0], [0]])
    >>> has_no_zero_optimum(net).reason
    'neuron (2,1) has the local minimum 0 at (0)'
    """
    found = polyhedral_complex(
        network, domain, max_faces=max_faces, timeout=timeout, progress=progress
    )
    return zero_optimum_verdict(found)


def zero_optimum_verdict(found: PolyhedralComplex) -> Verdict:
    """The verdict from the faces."""
    network = found.network
    if found.tree is None or not found.is_complete:
        return Verdict(None, f"stopped at a limit after {len(found.faces)} faces")
    optima = tuple(zero_optima(found.faces, network.n_inputs))
    if not optima:
        certificate = claim("no-zero-optimum", found.tree, network=network, domain=found.domain)
        reason = f"on none of {len(found.faces)} faces a preactivation has a local optimum 0"
        return found.said(Verdict(True, reason, certificate=certificate))
    part, tree = found.tree_around(optima[0].face.point)
    layer, index = optima[0].neuron
    optimum = record("optimum", layer=layer - 1, neuron=index - 1, rows=part_rows(part))
    certificate = claim("zero-optimum", [optimum, *tree], network=network, domain=found.domain)
    optima = tuple(replace(optimum, face=found.lifted(optimum.face)) for optimum in optima)
    return found.said(Verdict(False, optima[0].text(), optima, certificate))


def zero_optima(faces: Collection[Face], dimension: int) -> Iterator[ZeroOptimum]:
    """Every face on which 0 is a local optimum, with the neuron; all faces of an open set."""
    cells = Stars((f.signs, f.signs) for f in faces if f.dimension == dimension)
    for face in faces:
        if face.zeros:
            around = cells.around(face.signs)
            for l, i in face.zeros:
                signs = frozenset(cell[l - 1][i - 1] for cell in around)
                if not signs >= {-1, 1}:
                    yield ZeroOptimum((l, i), face, signs)
