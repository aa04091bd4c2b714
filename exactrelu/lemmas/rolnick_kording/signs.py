"""Appendix C of Rolnick & Kording: the scale and the signs that the estimates leave open.

The factor c between the unit normal v_s and the gradient of z.  With v_r = t_z ∇z(p_r) and
v_s = c t_z ∇z(p_s) of length 1, c > 0, the paper says that c v_s − v_r = W t_z t_z' v where z' is
inactive at p_r (Case 1), and v_r − c v_s = W t_z t_z' v where it is inactive at p_s (Case 2),
v = t_z' ∇z'.  **Misprint**, unless c = 1: with ∇z(p_s) = c t_z v_s instead it is right.  The signs
cancel, so that instances have t_z = t_z' = 1.

The linear system for the signs t_z and t_i of z and of the units of layer k−1:
t_z v_s = ½ Σ W_i (t_i + 1'_{i,s}) v_i for every p_s, where only w_i = t_z W_i is known.  Instances
have k = 2, estimates that happen to be right (v_i = ∇z_i, v_s = ∇z(p_s), w_i = W_i), n_1 + 1
points P on B_z where ∇z is not 0, both sides of every B_{z_i} among them, no two of these in one
hyperplane, and u = (t_z, t_1, …), ±1 each, that solves all equations as well.

**False**: that the points give linearly independent constraints, as for k = 2 all of them give the
same one, Σ W_i t_i v_i = const, whose rank is at most n_in.  **Edge case**: the t_i do not come out
where some of the W_i ∇z_i cancel, even if no two boundaries lie in one hyperplane.  **Reading**:
t_z does not come out (it cancels), which the paper does not say.  Right: if the W_i ∇z_i are
linearly independent, one point gives the t_i.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, product
from random import Random

from flint import fmpq

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector, dot, sign, vector
from exactrelu.lemmas.families import UNITS, random_network
from exactrelu.lemmas.rolnick_kording.corners import (
    Corner,
    are_parallel,
    at_corner,
    corner,
    corners,
    crossing,
    the_corner,
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
from exactrelu.network.network import Network, trace, trace_batch

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


UNIT_NORMALS = corners(_with_length)

SCALE_STATEMENTS = (
    Statement(
        "S000-scale",
        _SOURCE,
        "If v_r = ∇z(p_r) and v_s = c ∇z(p_s) is a unit vector, c > 0, then c v_s − v_r = W ∇z' "
        "in Case 1 and v_r − c v_s = W ∇z' in Case 2.",
        _unit_normal,
        _as_printed,
        UNIT_NORMALS,
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
        UNIT_NORMALS,
        repairs="S000-scale",
    ),
)


def _sides(instance: Instance) -> list[tuple[int, ...]] | None:
    """The signs of the units at the points of P; None if N and P are not as they should be."""
    network, P = instance.network(), instance.matrix("P")
    if len(network.layers) != 2 or network.n_outputs != 1 or P.n_rows != network.widths[1] + 1:
        return None
    rows = network.layers[0].affine.rows()
    if any(are_parallel(a, b) for a, b in combinations(rows, 2)):
        return None
    signs = [tuple(map(sign, x.preactivations[0])) for x in trace_batch(network, P.rows())]
    seen = [set(of_unit) for of_unit in zip(*signs, strict=True)]
    good = all(of_unit == {1, -1} for of_unit in seen) and all(network.layers[1].weights.row(0))
    return signs if good and all(any(_gradient(network, at)) for at in signs) else None


def _gradient(network: Network, signs: tuple[int, ...]) -> Vector:
    """∇z where the units have these signs."""
    return _combined([fmpq(int(s > 0)) for s in signs], _weighted(network))


def _weighted(network: Network) -> list[Vector]:
    """The vectors W_i ∇z_i."""
    first, second = network.layers
    rows = zip(first.weights.rows(), second.weights.row(0), strict=True)
    return [tuple(w * a for a in row) for row, w in rows]


def _combined(factors: Iterable[fmpq], vectors: list[Vector]) -> Vector:
    pairs = list(zip(factors, vectors, strict=True))
    return tuple(sum((f * v[k] for f, v in pairs), ZERO) for k in range(len(vectors[0])))


def _solves(network: Network, signs: list[tuple[int, ...]], u: Vector) -> bool:
    """Whether u solves the equations of all points."""
    vectors = _weighted(network)
    for at in signs:
        gradient = _gradient(network, at)
        right = _combined([(t + s) / 2 for t, s in zip(u[1:], at, strict=True)], vectors)
        if any(u[0] * a != u[0] * b for a, b in zip(gradient, right, strict=True)):
            return False
    return True


def _on_boundary(instance: Instance) -> Iterator[Fact]:
    """Plain facts, and at the end those with certificates: the points are on B_z."""
    network, P = instance.network(), instance.matrix("P")
    for p in P.rows():
        yield value_fact("z(p) = 0", network, p, trace(network, p).output == (ZERO,))


def _system(instance: Instance) -> Iterator[Fact]:
    signs, u = _sides(instance), instance.vector("u")
    yield Fact.plain(
        "the boundaries are n_1 hyperplanes, P has points on both sides of each, and ∇z ≠ 0 there",
        signs is not None,
    )
    yield Fact.plain("u has signs", len(u) == instance.network().widths[1] + 1 and _are_signs(u))
    if signs is not None:
        yield Fact.plain("u solves the system", _solves(instance.network(), signs, u))
    yield from _on_boundary(instance)


def _are_signs(u: Vector) -> bool:
    return all(abs(t) == 1 for t in u)


def _is_independent(network: Network) -> bool:
    return rank(Matrix(_weighted(network))) == network.widths[1]


def _independent(instance: Instance) -> Iterator[Fact]:
    yield Fact.plain("the W_i ∇z_i are independent", _is_independent(instance.network()))
    yield from _system(instance)


def _z_is_right(instance: Instance) -> Fact:
    return Fact.plain("t_z = 1", instance.vector("u")[0] == 1)


def _units_are_right(instance: Instance) -> Fact:
    return Fact.plain("every t_i = 1", all(t == 1 for t in instance.vector("u")[1:]))


def _real_system(instance: Instance) -> Iterator[Fact]:
    """u need not be ±1: the linear system itself, without t_z."""
    signs, u = _sides(instance), instance.vector("u")
    yield Fact.plain(
        "the boundaries are n_1 hyperplanes, P has points on both sides of each, and ∇z ≠ 0 there",
        signs is not None,
    )
    fits = len(u) == instance.network().widths[1] + 1 and u[0] == 1
    yield Fact.plain("u is a solution for t_z = 1", fits)
    if signs is not None and fits:
        yield Fact.plain("u solves the system", _solves(instance.network(), signs, u))
    yield from _on_boundary(instance)


def _independent_rows(instance: Instance) -> Iterator[Fact]:
    yield Fact.plain("the W_i ∇z_i are independent", _is_independent(instance.network()))
    yield from _real_system(instance)


def _points(network: Network) -> Matrix | None:
    """n_1 + 1 points of B_z in a grid of halves, both sides of every boundary among them."""
    n, m = network.widths[:2]
    half = [tuple(fmpq(a, 2) for a in p) for p in product(range(-4, 5), repeat=n)]
    found: dict[tuple[int, ...], Vector] = {}
    for x in trace_batch(network, half):
        if x.output == (ZERO,) and all(x.preactivations[0]):
            found.setdefault(tuple(map(sign, x.preactivations[0])), x.point)
    for chosen in combinations(found, m + 1):
        if all(len(set(of_unit)) == 2 for of_unit in zip(*chosen, strict=True)):
            return Matrix([found[at] for at in chosen])
    return None


Solutions = Callable[[int], Iterable[Vector]]


def _signs_of(m: int) -> Iterator[Vector]:
    return (vector(u) for u in product((1, -1), repeat=m + 1))


def _reals_of(m: int) -> Iterator[Vector]:
    return ((ONE, *vector(t)) for t in product((1, 2, 3), repeat=m))


def _family(solutions: Solutions) -> Family:
    def instances(networks: Iterable[Network]) -> Iterator[Instance]:
        for network in networks:
            P = _points(network)
            if P is not None:
                for u in solutions(network.widths[1]):
                    yield Instance.of(N=network, P=P, u=u)

    def without_bias(m: int) -> Iterator[Network]:
        rows = [row for row in product(UNITS, repeat=2) if any(row)]
        for chosen in combinations(rows, m):
            for V in product((-1, 1), repeat=m):
                yield Network.from_arrays([chosen, [V]], [[0] * m, [-1]])

    def drawn(rng: Random) -> Instance:
        while True:
            network = random_network(rng, (rng.choice((1, 2)), rng.randint(1, 3), 1))
            P = _points(network)
            if P is not None:
                return Instance.of(N=network, P=P, u=rng.choice(list(solutions(network.widths[1]))))

    def level(m: int) -> Level:
        return Level(
            f"widths 2-{m}-1, W_1 in -1..1, W_2 = ±1, b_1 = 0, b_2 = -1",
            lambda: instances(without_bias(m)),
        )

    return Family((level(2), level(3)), drawn)


SIGNS = _family(_signs_of)

SIGNS_STATEMENTS = (
    Statement(
        "S000-sign-of-z",
        _SOURCE,
        "The equations at the points of B_z determine the sign t_z.",
        _system,
        _z_is_right,
        SIGNS,
        known=("S000-E3-sign-cancels",),
        judgement=Judgement(
            "reading",
            "Appendix C lists t_z among the unknowns, but concludes only that the signs t_i of "
            "layer k − 1 are identified; that t_z is as well is our reading.",
        ),
    ),
    Statement(
        "S000-signs",
        _SOURCE,
        "The equations at the points of B_z determine the signs t_i of the units of layer k−1.",
        _system,
        _units_are_right,
        SIGNS,
        judgement=Judgement(
            "edge case",
            "For k = 2 other signs solve all equations only if some of the vectors W_i ∇z_i add up "
            "to 0, which has probability 0.",
            mended_by="no nonempty sum of vectors W_i ∇z_i is 0; it suffices that they are "
            "independent (S000-signs-repaired)",
        ),
    ),
    Statement(
        "S000-signs-repaired",
        _SOURCE,
        "If the vectors W_i ∇z_i are linearly independent, the equations at points of B_z "
        "determine the signs t_i.",
        _independent,
        _units_are_right,
        SIGNS,
        repairs="S000-signs",
        known=("S000-P1-sign-recovery",),
    ),
    Statement(
        "S000-constraints",
        _SOURCE,
        "For a given z, points p_s on both sides of each of the n boundaries of the layer before "
        "give linearly independent constraints: as a linear system they have one solution.",
        _real_system,
        _units_are_right,
        _family(_reals_of),
        remark="for k = 2 all points give the same constraint, of rank n_in at most",
        judgement=Judgement(
            "false",
            "Appendix C says that the points should in general give linearly independent "
            "constraints; for k = 2 all of them give the same one, of rank at most n_in, so that "
            "for n_1 > n_in the linear system never has just one solution.",
        ),
    ),
    Statement(
        "S000-constraints-repaired",
        _SOURCE,
        "If the vectors W_i ∇z_i are linearly independent, the linear system has one solution.",
        _independent_rows,
        _units_are_right,
        _family(_reals_of),
        repairs="S000-constraints",
    ),
)
