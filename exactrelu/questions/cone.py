"""Does a finitely generated cone contain a line?  With certificates."""

from __future__ import annotations

from collections.abc import Sequence

from exactrelu.certificates.certificate import Named, claim, record
from exactrelu.certificates.evidence import on_primitive
from exactrelu.exact.scalar import Vector, primitive
from exactrelu.polyhedra.cones import Pointed, pointedness
from exactrelu.verdict import Verdict


def is_pointed(generators: Sequence[Vector], dimension: int) -> Verdict:
    """Whether cone(generators) contains no line.  Zero generators do not matter.

    The witness of a yes is a functional that is positive on the nonzero generators, that
    of a no a positive combination (index, coefficient) of nonzero generators that is 0.
    """
    answer = pointedness(generators, dimension)
    subject: Named = {"dim": dimension, "generators": [list(primitive(g)) for g in generators]}
    if isinstance(answer, Pointed):
        functional = record("functional", values=list(primitive(answer.functional)))
        return Verdict(
            True,
            "a functional is positive on every nonzero generator",
            answer.functional,
            claim("cone-pointed", [functional], **subject),
        )
    dependency = record("dependency", **on_primitive(generators, answer.dependency))
    return Verdict(
        False,
        f"a positive combination of {len(answer.dependency)} nonzero generators is 0",
        answer.dependency,
        claim("cone-not-pointed", [dependency], **subject),
    )
