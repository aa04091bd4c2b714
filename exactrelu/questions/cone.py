"""Does a finitely generated cone contain a line?  With certificates."""

from __future__ import annotations

from collections.abc import Sequence

from exactrelu.certificates.cone_not_pointed import cone_not_pointed_certificate
from exactrelu.certificates.cone_pointed import cone_pointed_certificate
from exactrelu.exact.scalar import Vector
from exactrelu.polyhedra.cones import Pointed, pointedness
from exactrelu.verdict import Verdict


def is_pointed(generators: Sequence[Vector], dimension: int) -> Verdict:
    """Whether cone(generators) contains no line.  Zero generators do not matter.

    The witness of a yes is a functional that is positive on the nonzero generators, that
    of a no a positive combination (index, coefficient) of nonzero generators that is 0.
    """
    answer = pointedness(generators, dimension)
    if isinstance(answer, Pointed):
        return Verdict(
            True,
            "a functional is positive on every nonzero generator",
            answer.functional,
            cone_pointed_certificate(dimension, generators, answer.functional),
        )
    return Verdict(
        False,
        f"a positive combination of {len(answer.dependency)} nonzero generators is 0",
        answer.dependency,
        cone_not_pointed_certificate(dimension, generators, answer.dependency),
    )
