"""Appendix C: the factor c between the unit normal v_s and the gradient of z.

With v_r = t_z ∇z(p_r) and v_s = c t_z ∇z(p_s) of length 1, c > 0, the paper says that
c v_s − v_r = W t_z t_z' v where z' is inactive at p_r (Case 1), and v_r − c v_s = W t_z t_z' v
where it is inactive at p_s (Case 2), v = t_z' ∇z'.  **Misprint**, unless c = 1: with
∇z(p_s) = c t_z v_s instead it is right.  The signs cancel, so that instances have t_z = t_z' = 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flint import fmpq

from exactrelu.exact.scalar import Vector, dot
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.judgement import Judgement
from exactrelu.lemmas.s000.corners import Corner, at_corner, corner, corners, crossing, the_corner
from exactrelu.lemmas.statement import Fact, Statement

_SOURCE = "Rolnick & Kording, Appendix C"


def _with_length(instance: Instance) -> Iterable[Instance]:
    """The instance with the c of either reading, where it is rational."""
    found = corner(instance)
    length = None if found is None else _root(dot(found.gradient(1), found.gradient(1)))
    if not length:
        return [instance.replaced("c", fmpq(1))]
    return [instance.replaced("c", c) for c in {length, 1 / length}]


def _root(square: fmpq) -> fmpq | None:
    root = fmpq(square.p.isqrt(), square.q.isqrt())
    return root if root * root == square else None


def _unit_normal(instance: Instance) -> Iterator[Fact]:
    c = instance.rational("c")

    def more(corner: Corner) -> Iterable[Fact]:
        g = corner.gradient(1)
        yield from crossing(corner)
        yield Fact.plain("v_s = c ∇z(p_s) has length 1", c > 0 and c * c * dot(g, g) == 1)

    return at_corner(instance, more)


def _unit_normal_inverse(instance: Instance) -> Iterator[Fact]:
    c = instance.rational("c")

    def more(corner: Corner) -> Iterable[Fact]:
        g = corner.gradient(1)
        yield from crossing(corner)
        yield Fact.plain("v_s = ∇z(p_s)/c has length 1", c > 0 and dot(g, g) == c * c)

    return at_corner(instance, more)


def _equation(instance: Instance, v_s: Vector) -> Fact:
    found = the_corner(instance)
    c, v_r = instance.rational("c"), found.gradient(-1)
    case = 1 if found.is_active(found.h, 1) else -1
    holds = all(
        case * (c * s - r) == found.weight * v
        for s, r, v in zip(v_s, v_r, found.normal, strict=True)
    )
    return Fact.plain("±(c v_s − v_r) = W v", holds)


def _as_printed(instance: Instance) -> Fact:
    c = instance.rational("c")
    return _equation(instance, tuple(c * a for a in the_corner(instance).gradient(1)))


def _inverted(instance: Instance) -> Fact:
    c = instance.rational("c")
    return _equation(instance, tuple(a / c for a in the_corner(instance).gradient(1)))


FAMILY = corners(_with_length)

STATEMENTS = (
    Statement(
        "S000-scale",
        _SOURCE,
        "If v_r = ∇z(p_r) and v_s = c ∇z(p_s) is a unit vector, c > 0, then c v_s − v_r = W ∇z' "
        "in Case 1 and v_r − c v_s = W ∇z' in Case 2.",
        _unit_normal,
        _as_printed,
        FAMILY,
        known=("S000-E2-c-inverse",),
        judgement=Judgement(
            "misprint",
            "Appendix C defines c by v_s = c t_z ∇z(p_s) and computes with ∇z(p_s) = c t_z v_s; "
            "with the second for the first all that follows is right.",
        ),
    ),
    Statement(
        "S000-scale-repaired",
        _SOURCE,
        "If v_r = ∇z(p_r) and ∇z(p_s) = c v_s with a unit vector v_s, c > 0, then "
        "c v_s − v_r = W ∇z' in Case 1 and v_r − c v_s = W ∇z' in Case 2.",
        _unit_normal_inverse,
        _inverted,
        FAMILY,
        repairs="S000-scale",
    ),
)
