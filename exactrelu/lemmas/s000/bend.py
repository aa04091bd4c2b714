"""Appendix B: B_z bends exactly where it meets the boundary of a unit of an earlier layer.

The proof of "it does bend" ends with ∇z(p_1) ≠ ∇z(p_2).  **Edge case**: the gradients may
be parallel, and then B_z goes straight on.  They differ by a multiple of ∇z', so that they are not
parallel unless both are parallel to ∇z'; then B_z and B_z' coincide near p.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.judgement import Judgement
from exactrelu.lemmas.s000.corners import (
    Corner,
    are_parallel,
    at_corner,
    corners,
    crossing,
    the_corner,
)
from exactrelu.lemmas.statement import Fact, Statement
from exactrelu.network.evaluate import trace

_SOURCE = "Rolnick & Kording, Appendix B"


def _gradients_differ(corner: Corner) -> Iterable[Fact]:
    left, right = corner.gradient(-1), corner.gradient(1)
    yield from crossing(corner)
    yield Fact.plain("there are at least two inputs", corner.n_inputs >= 2)
    yield Fact.plain("∇z differs on the two sides", left != right)
    yield Fact.plain("∇z is not 0 on either side", any(left) and any(right))


def _differ(instance: Instance) -> Iterator[Fact]:
    return at_corner(instance, _gradients_differ)


def _not_along(corner: Corner) -> Iterable[Fact]:
    yield from _gradients_differ(corner)
    parallel = are_parallel(corner.gradient(-1), corner.normal)
    yield Fact.plain("∇z is not parallel to ∇z' on the first side", not parallel)


def _differ_across(instance: Instance) -> Iterator[Fact]:
    return at_corner(instance, _not_along)


def _bends(instance: Instance) -> Fact:
    found = the_corner(instance)
    parallel = are_parallel(found.gradient(-1), found.gradient(1))
    return Fact.plain("the normals of B_z on the two sides are not parallel", not parallel)


def _apart(instance: Instance) -> Iterator[Fact]:
    """No boundary of an earlier layer passes through p: the corner is that of another neuron."""
    network, p = instance.network(), instance.vector("p")
    values = trace(network, p).preactivations[0]
    yield Fact.plain("no unit of an earlier layer is 0 at p", all(values))


def _straight(instance: Instance) -> Fact:
    """z is affine where no unit changes its sign: compare it with its affine function nearby."""
    network, p = instance.network(), instance.vector("p")
    d = instance.vector("d")
    room = min(
        (
            abs(y / slope)
            for y, slope in zip(
                trace(network, p).preactivations[0],
                network.layers[0].weights.apply(d),
                strict=True,
            )
            if slope
        ),
        default=None,
    )
    step = 1 if room is None else room / 2
    left, middle, right = (
        trace(network, [a + side * step * b for a, b in zip(p, d, strict=True)]).output[0]
        for side in (-1, 0, 1)
    )
    return Fact.plain("z is affine along d at p", left + right == 2 * middle)


CORNERS = corners()

STATEMENTS = (
    Statement(
        "S000-bend-only",
        f"{_SOURCE}, after Hanin & Rolnick",
        "B_z does not bend at a point on no boundary of a unit of an earlier layer.",
        _apart,
        _straight,
        corners(
            lambda instance: [
                instance.replaced("p", tuple(a + b / 7 for a, b in zip(p, d, strict=True)))
                for p, d in [(instance.vector("p"), instance.vector("d"))]
            ]
        ),
    ),
    Statement(
        "S000-bend",
        _SOURCE,
        "If z' is in an earlier layer than z, p is on B_z and B_z' and on no other boundary of "
        "that layer, and ∇z differs on the two sides of B_z' at p, then B_z bends at p.",
        _differ,
        _bends,
        CORNERS,
        known=("S000-E5-no-bend",),
        judgement=Judgement(
            "edge case",
            "Appendix B stops at ∇z(p_1) ≠ ∇z(p_2), which leaves room for parallel gradients; at "
            "a point of both boundaries these occur only where B_z and B_z' coincide, which has "
            "probability 0, and Theorem 1 is claimed with probability 1.",
            mended_by="∇z is not parallel to ∇z' on one side (S000-bend-repaired)",
        ),
    ),
    Statement(
        "S000-bend-repaired",
        _SOURCE,
        "If moreover ∇z is not parallel to ∇z' on one side, then B_z bends at p.",
        _differ_across,
        _bends,
        CORNERS,
        repairs="S000-bend",
    ),
)
