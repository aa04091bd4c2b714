"""Appendix C: which units are active, and on which side v points.

The indicator of a unit z' at p is to be (1 + t·1')/2, where v = t ∇z', t = ±1, and 1' is 1 if p and
v are on the same side of B_z'.  **Misprint**: with 1' = 0 for "otherwise" the formula gives 1/2,
with 1' = −1 it is right.  Also "t_z t' can be calculated based on whether v points towards p_r or
p_s" (t' = +1 in Case 1, where z' is inactive at p_r) is a **misprint**: this is t_z' t'.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from flint import fmpq

from exactrelu.exact.scalar import dot, sign
from exactrelu.lemmas.families import (
    UNITS,
    bound,
    grid,
    random_network,
    random_vector,
    small_networks,
)
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.judgement import Judgement
from exactrelu.lemmas.s000.corners import Corner, at_corner, corners, crossing, the_corner
from exactrelu.lemmas.statement import Fact, Family, Level, Statement
from exactrelu.lemmas.values import value_fact
from exactrelu.network.evaluate import trace

_SOURCE = "Rolnick & Kording, Appendix C"
_SIGNS = (fmpq(1), fmpq(-1))


def _side(instance: Instance) -> int:
    """The side of B_z' on which p lies, as the sign of z'(p); 0 if there is no such unit."""
    network, h = instance.network(), instance.integer("h")
    if h >= network.widths[1]:
        return 0
    return sign(trace(network, instance.vector("p")).preactivations[0][h])


def _off_boundary(instance: Instance) -> Iterator[Fact]:
    t = instance.rational("t")
    yield Fact.plain("t is 1 or −1", t in _SIGNS)
    side = _side(instance)
    if side:
        normal = instance.network().layers[0].weights.row(instance.integer("h"))
        yield Fact.plain("∇z' is not 0", any(normal))
    yield value_fact("p is not on B_z'", instance.network(), instance.vector("p"), side != 0)


def _formula(instance: Instance, otherwise: int) -> Fact:
    t, side = instance.rational("t"), _side(instance)
    estimate = 1 if t * side > 0 else otherwise
    return Fact.plain("1 = (1 + t·1')/2", int(side > 0) == (1 + t * estimate) / 2)


def _level(widths: tuple[int, ...]) -> Level:
    def instances() -> Iterator[Instance]:
        for network in small_networks(widths):
            for p in grid(widths[0], 1):
                for h in range(widths[1]):
                    for t in _SIGNS:
                        yield Instance.of(N=network, p=p, h=h, t=t)

    return Level(f"{bound(widths, UNITS)}, p in -1..1", instances)


def _random(rng: Random) -> Instance:
    n, m = rng.randint(1, 3), rng.randint(1, 3)
    network = random_network(rng, (n, m, 1))
    h, t = rng.randrange(m), rng.choice(_SIGNS)
    return Instance.of(N=network, p=random_vector(rng, n), h=h, t=t)


SIDES = Family((_level((1, 1, 1)), _level((2, 1, 1))), _random)


def _with_signs(instance: Instance) -> Iterable[Instance]:
    return [instance.replaced("s", s).replaced("t", t) for s in _SIGNS for t in _SIGNS]


def _estimates(instance: Instance) -> Iterator[Fact]:
    s, t = instance.rational("s"), instance.rational("t")

    def more(corner: Corner) -> Iterable[Fact]:
        yield from crossing(corner)
        yield Fact.plain("t_z and t_z' are 1 or −1", s in _SIGNS and t in _SIGNS)

    return at_corner(instance, more)


def _tells(instance: Instance, known: fmpq) -> Fact:
    """Whether known·t' is +1 iff v = t ∇z' points towards p_s."""
    found = the_corner(instance)
    case = 1 if found.is_active(found.h, 1) else -1
    towards = instance.rational("t") * dot(found.normal, instance.vector("d")) > 0
    return Fact.plain("the product is +1 iff v points towards p_s", (known * case > 0) == towards)


STATEMENTS = (
    Statement(
        "S000-indicator",
        _SOURCE,
        "The indicator of z' at p is (1 + t·1')/2, with v = t ∇z', t = ±1, and 1' = 1 if p and v "
        "are on the same side of B_z' and 0 otherwise.",
        _off_boundary,
        lambda instance: _formula(instance, 0),
        SIDES,
        known=("S000-E1-indicator",),
        judgement=Judgement(
            "misprint",
            "Appendix C does not print the value of 1' on the other side and calls it an estimate "
            "of a 0-1 indicator; (1 + t·1')/2 and the equation after it are right with −1 there, "
            "and not with 0.",
        ),
    ),
    Statement(
        "S000-indicator-repaired",
        _SOURCE,
        "The indicator of z' at p is (1 + t·1')/2, with v = t ∇z', t = ±1, and 1' = 1 if p and v "
        "are on the same side of B_z' and −1 otherwise.",
        _off_boundary,
        lambda instance: _formula(instance, -1),
        SIDES,
        repairs="S000-indicator",
    ),
    Statement(
        "S000-orientation",
        _SOURCE,
        "t_z t' is +1 iff v = t_z' ∇z' points from B_z' towards p_s, where t' is +1 if z' is "
        "inactive at p_r and −1 if it is inactive at p_s.",
        _estimates,
        lambda instance: _tells(instance, instance.rational("s")),
        corners(_with_signs),
        known=("S000-E3-sign-cancels",),
        judgement=Judgement(
            "misprint",
            "Appendix C prints t_z t' for t_z' t'; its next sentence, that W t_z has been "
            "obtained, is right with t_z' t'.",
        ),
    ),
    Statement(
        "S000-orientation-repaired",
        _SOURCE,
        "t_z' t' is +1 iff v = t_z' ∇z' points from B_z' towards p_s, where t' is +1 if z' is "
        "inactive at p_r and −1 if it is inactive at p_s.",
        _estimates,
        lambda instance: _tells(instance, instance.rational("t")),
        corners(_with_signs),
        repairs="S000-orientation",
    ),
)
