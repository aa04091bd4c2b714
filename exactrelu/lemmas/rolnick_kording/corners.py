"""Corners: a unit z of layer 2 at a point p where its boundary B_z meets boundaries of layer 1.

Instances have a network N, whose output is z and whose hidden layer is the layer before; the point
p; a direction d, for the two sides p_r = p − εd and p_s = p + εd; and the number h of z' = y_h.
No w_i·d is 0 where y_i(p) = 0, so that for all small ε > 0 each side lies in one cell.

Rolnick & Kording, Appendix B: B_z bends exactly where it meets the boundary of a unit of an earlier
layer.  The proof of "it does bend" ends with ∇z(p_1) ≠ ∇z(p_2).  **Edge case**: the gradients may
be parallel, and then B_z goes straight on.  They differ by a multiple of ∇z', so that they are not
parallel unless both are parallel to ∇z'; then B_z and B_z' coincide near p.

Appendix C: which units are active, and on which side v points.  The indicator of a unit z' at p is
to be (1 + t·1')/2, where v = t ∇z', t = ±1, and 1' is 1 if p and v are on the same side of B_z'.
**Misprint**: with 1' = 0 for "otherwise" the formula gives 1/2, with 1' = −1 it is right.  Also
"t_z t' can be calculated based on whether v points towards p_r or p_s" (t' = +1 in Case 1, where z'
is inactive at p_r) is a **misprint**: this is t_z' t'.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, dot, sign, vector
from exactrelu.lemmas.families import (
    TWOS,
    UNITS,
    bound,
    grid,
    random_network,
    random_vector,
    small_networks,
)
from exactrelu.lemmas.statement import (
    Fact,
    Family,
    Instance,
    Judgement,
    Level,
    Statement,
    value_fact,
)
from exactrelu.network.network import Layer, Network, trace

#: Not orthogonal to a vector of one or two small integers that is not 0.
_ODD = (5, 3, 1)


@dataclass(frozen=True)
class Corner:
    """The cells on the two sides of p, by their active neurons, and ∇z on them."""

    network: Network
    h: int
    preactivations: Vector
    slopes: Vector

    @property
    def n_inputs(self) -> int:
        return self.network.n_inputs

    @property
    def normal(self) -> Vector:
        """∇z'."""
        return self.network.layers[0].weights.row(self.h)

    @property
    def weight(self) -> fmpq:
        """The weight of z' in z."""
        return self.network.layers[1].weights[0, self.h]

    def is_active(self, i: int, side: int) -> bool:
        """Whether neuron i is active at p + side·εd."""
        y = self.preactivations[i]
        return bool(y > 0 or (y == 0 and side * self.slopes[i] > 0))

    def gradient(self, side: int) -> Vector:
        """∇z at p + side·εd."""
        first, second = self.network.layers
        rows = first.weights.rows()
        weights = second.weights.row(0)
        kept = [i for i in range(len(rows)) if self.is_active(i, side)]
        return tuple(
            sum((weights[i] * rows[i][k] for i in kept), ZERO) for k in range(self.n_inputs)
        )


def corner(instance: Instance) -> Corner | None:
    """The corner of an instance; None if z' is not 0 at p, or a side is not in one cell."""
    network, p, d = instance.network(), instance.vector("p"), instance.vector("d")
    h = instance.integer("h")
    first = network.layers[0]
    if h >= first.n_outputs or network.n_outputs != 1:
        return None
    y = trace(network, p).preactivations[0]
    slopes = first.weights.flint_apply(d)
    if y[h] != 0 or any(a == 0 == b for a, b in zip(y, slopes, strict=True)):
        return None
    return Corner(network, h, y, slopes)


def _no_more(_: Corner) -> Iterable[Fact]:
    return ()


def at_corner(
    instance: Instance, more: Callable[[Corner], Iterable[Fact]] = _no_more
) -> Iterator[Fact]:
    """That p is on B_z and on B_z', then what else is asked for."""
    found = corner(instance)
    yield Fact.plain("z'(p) = 0, and each side is in one cell", found is not None)
    if found is not None:
        yield from more(found)
        on_boundary = trace(found.network, instance.vector("p")).output == (ZERO,)
        yield value_fact("z(p) = 0", found.network, instance.vector("p"), on_boundary)


def the_corner(instance: Instance) -> Corner:
    """The corner, where the hypotheses hold."""
    found = corner(instance)
    if found is None:
        raise ValueError("no corner")
    return found


def crossing(corner: Corner) -> Iterator[Fact]:
    """That no other neuron of the layer of z' is 0 at p, and that z depends on z'."""
    zeros = sum(y == 0 for y in corner.preactivations)
    yield Fact.plain("no other boundary of the layer passes through p", zeros == 1)
    yield Fact.plain("the weight of z' in z is not 0", corner.weight != 0)


def are_parallel(left: Vector, right: Vector) -> bool:
    """Whether one vector is a multiple of the other."""
    n = len(left)
    return all(left[i] * right[j] == left[j] * right[i] for i in range(n) for j in range(i))


Complete = Callable[[Instance], Iterable[Instance]]


def _corners(
    networks: Iterable[Network], complete: Complete, points: Sequence[Vector]
) -> Iterator[Instance]:
    """All corners at the points, for one direction and the opposite one."""
    for network in networks:
        n = network.n_inputs
        for p in points:
            found = trace(network, p)
            if found.output != (ZERO,):
                continue
            for h, y in enumerate(found.preactivations[0]):
                if y == 0:
                    for side in (1, -1):
                        d = vector([side * a for a in _ODD[:n]])
                        yield from complete(Instance.of(N=network, p=p, d=d, h=h))


def _random_corner(rng: Random, complete: Complete) -> Instance:
    """A random network, with biases that make z' and z vanish at a random point."""
    n = rng.choice((2, 2, 3))
    network = random_network(rng, (n, rng.randint(1, 3), 1))
    p = random_vector(rng, n)
    h = rng.randrange(network.widths[1])
    first, second = (layer.affine.rows() for layer in network.layers)
    row = first[h][:-1]
    through = [(*r[:-1], -dot(row, p)) if i == h else r for i, r in enumerate(first)]
    layer = Layer(Matrix(through))
    z = trace(Network((layer, network.layers[1])), p).output[0]
    last = Layer(Matrix([(*second[0][:-1], second[0][-1] - z)]))
    network = Network((layer, last))
    d = tuple(fmpq(rng.randint(-5, 5)) for _ in range(n))
    found = list(complete(Instance.of(N=network, p=p, d=d, h=h)))
    return rng.choice(found)


def _as_it_is(instance: Instance) -> Iterable[Instance]:
    return (instance,)


def corners(complete: Complete = _as_it_is) -> Family:
    """Corners of small networks; ``complete`` adds what else an instance has."""

    around, origin = grid(2, 1)[:-1], grid(2, 0)[:1]

    def level(
        widths: tuple[int, ...], entries: tuple[int, ...], points: list[Vector], where: str
    ) -> Level:
        return Level(
            f"{bound(widths, entries)}, p {where}",
            lambda: _corners(small_networks(widths, entries), complete, points),
        )

    return Family(
        (
            level((2, 1, 1), UNITS, around, "in -1..1"),
            level((2, 1, 1), TWOS, origin, "= 0"),
            level((2, 2, 1), UNITS, origin, "= 0"),
        ),
        lambda rng: _random_corner(rng, complete),
    )


_APPENDIX_B = "Rolnick & Kording, Appendix B"


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
                network.layers[0].weights.flint_apply(d),
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

BEND_STATEMENTS = (
    Statement(
        "S000-bend-only",
        f"{_APPENDIX_B}, after Hanin & Rolnick",
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
        _APPENDIX_B,
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
        _APPENDIX_B,
        "If moreover ∇z is not parallel to ∇z' on one side, then B_z bends at p.",
        _differ_across,
        _bends,
        CORNERS,
        repairs="S000-bend",
    ),
)


_APPENDIX_C = "Rolnick & Kording, Appendix C"
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


def _sides_level(widths: tuple[int, ...]) -> Level:
    def instances() -> Iterator[Instance]:
        for network in small_networks(widths):
            for p in grid(widths[0], 1):
                for h in range(widths[1]):
                    for t in _SIGNS:
                        yield Instance.of(N=network, p=p, h=h, t=t)

    return Level(f"{bound(widths, UNITS)}, p in -1..1", instances)


def _random_side(rng: Random) -> Instance:
    n, m = rng.randint(1, 3), rng.randint(1, 3)
    network = random_network(rng, (n, m, 1))
    h, t = rng.randrange(m), rng.choice(_SIGNS)
    return Instance.of(N=network, p=random_vector(rng, n), h=h, t=t)


SIDES = Family((_sides_level((1, 1, 1)), _sides_level((2, 1, 1))), _random_side)


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


INDICATOR_STATEMENTS = (
    Statement(
        "S000-indicator",
        _APPENDIX_C,
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
        _APPENDIX_C,
        "The indicator of z' at p is (1 + t·1')/2, with v = t ∇z', t = ±1, and 1' = 1 if p and v "
        "are on the same side of B_z' and −1 otherwise.",
        _off_boundary,
        lambda instance: _formula(instance, -1),
        SIDES,
        repairs="S000-indicator",
    ),
    Statement(
        "S000-orientation",
        _APPENDIX_C,
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
        _APPENDIX_C,
        "t_z' t' is +1 iff v = t_z' ∇z' points from B_z' towards p_s, where t' is +1 if z' is "
        "inactive at p_r and −1 if it is inactive at p_s.",
        _estimates,
        lambda instance: _tells(instance, instance.rational("t")),
        corners(_with_signs),
        repairs="S000-orientation",
    ),
)
