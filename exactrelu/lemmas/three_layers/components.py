"""Section 4.2: what the components M_S of a generic fiber contain, and what they depend on.

A component is given by a member M with the orientation S: rows of θ that are nonlinear on the
orthant are kept or turned around, the others stay ≥ 0.

**Reading** of "component of the generic fiber" (Theorem 4.2): a nonempty M_S has generic points.
It need not (theory 1.6): all members have the same nonlinear neurons, with the jumps as output
columns, so that a signed sum Σ e_i V_i w_i = 0 makes a masked product vanish in all of M_S.

**Reading** of "these fibers depend only on weight signs" (Section 1.1): so does the set of
components.  It does not (theory 1.6): with k = n2 = 1 the component D is empty iff A_D has entries
of both signs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, product
from random import Random

from flint import fmpq

from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.lemmas.statement import Fact, Family, Instance, Judgement, Level, Statement
from exactrelu.lemmas.three_layers.common import (
    equal_on_orthant,
    has_dead,
    is_nonlinear_row,
    is_positive_multiple,
    n_linear,
    network_of,
    nonlinear,
    on_orthant,
    one_hidden_layer,
    output,
    rows,
    sign,
)
from exactrelu.lemmas.three_layers.layerwise import generic_minimal, random_shallow
from exactrelu.network.network import Network


def _is_turned(row: Vector, other: Vector, e: fmpq) -> bool:
    """Whether the row of the member is that of θ, turned around if e = −1; linear if both are."""
    if e < 0:
        return is_nonlinear_row(row) and is_positive_multiple(tuple(-x for x in row), other)
    if is_nonlinear_row(row):
        return is_positive_multiple(row, other)
    return e == 0 and min(row) >= 0 and min(other) >= 0


def member_facts(A: Network, M: Network, e: Vector) -> Iterator[Fact]:
    """M is a member of the fiber of A, turned where e_i = −1."""
    yield one_hidden_layer(A, M)
    fits = len(e) == A.widths[1] and all(x in (-1, 0, 1) for x in e)
    pairs = zip(rows(A, 1), rows(M, 1), e, strict=False)
    yield Fact.plain(
        "M has the rows of A, turned where e = −1",
        fits and all(_is_turned(row, other, x) for row, other, x in pairs),
    )
    yield equal_on_orthant(A, M)


def weighted_sum(network: Network, e: Vector) -> list[list[fmpq]]:
    """Σ e_i V_i w_i, a matrix."""
    first, V = rows(network, 1), output(network)
    return [
        [
            sum((e[i] * V[o, i] * first[i][k] for i in range(len(e))), ZERO)
            for k in range(network.n_inputs)
        ]
        for o in range(network.n_outputs)
    ]


def _component(instance: Instance) -> Iterator[Fact]:
    A, M, e = instance.network("A"), instance.network("M"), instance.vector("e")
    yield one_hidden_layer(A)
    some = any(e) and all(is_nonlinear_row(rows(A, 1)[i]) for i, x in enumerate(e) if x)
    yield Fact.plain("e is not 0, and only at nonlinear neurons", len(e) == A.widths[1] and some)
    yield from generic_minimal(A, "A")
    yield from member_facts(A, M, e)


def _not_zero(instance: Instance) -> Fact:
    total = weighted_sum(instance.network("A"), instance.vector("e"))
    text = "Σ e_i V_i w_i ≠ 0, as in every generic member of the component"
    return Fact.plain(text, any(x for row in total for x in row))


@lru_cache(1 << 12)
def _members(network: Network) -> dict[tuple[int, ...], Network]:
    """A member of each nonempty component, its neurons in the order of those of the network."""
    found = {}
    base = on_orthant(network)
    turning = nonlinear(network)
    if not base.is_simple or len(base.target.bends) != len(turning):
        return {}
    for component in base.nonempty:
        if component.stratum.n_dead or component.sample is None:
            continue
        matched = _matched(network, component.sample)
        if matched is not None:
            signs, member = matched
            found[signs] = member
    return found


def _matched(network: Network, member: Network) -> tuple[tuple[int, ...], Network] | None:
    """The member with its rows in the order of the network, and which of them are turned."""
    left = list(range(member.widths[1]))
    order, signs = [], []
    for row in rows(network, 1):
        turned = tuple(-x for x in row)
        for i in left:
            other = rows(member, 1)[i]
            same = is_positive_multiple(row, other) if is_nonlinear_row(row) else min(other) >= 0
            if same or (is_nonlinear_row(row) and is_positive_multiple(turned, other)):
                order.append(i)
                signs.append(1 if same else -1)
                left.remove(i)
                break
        else:
            return None
    first = [rows(member, 1)[i] for i in order]
    last = [(*(row[i] for i in order), row[-1]) for row in rows(member, 2)]
    return tuple(signs), network_of(first, last)


def _instances(network: Network) -> Iterator[Instance]:
    """Every member with every choice of a mask of nonlinear neurons."""
    turning = nonlinear(network)
    for signs, member in _members(network).items():
        for mask in product((0, 1), repeat=len(turning)):
            e = [ZERO] * network.widths[1]
            for i, kept in zip(turning, mask, strict=True):
                e[i] = fmpq(signs[i] if kept or signs[i] < 0 else 0)
            if any(e):
                yield Instance.of(A=network, M=member, e=tuple(e))


def _line() -> Iterator[Network]:
    neurons = list(product((-1, 1), (-2, -1, 1, 2)))
    for chosen in combinations_with_replacement(neurons, 3):
        for v in product((-1, 1), repeat=3):
            N = network_of(chosen, [(*v, 0)])
            if len(nonlinear(N)) == 2 and not has_dead(N, 1):
                yield N


def _random_component(rng: Random) -> Instance:
    while True:
        found = list(_instances(random_shallow(rng)))
        if found:
            return rng.choice(found)


_COMPONENTS = Family(
    (
        Level(
            "widths 1-3-1, w and V of ±1, b of ±1 and ±2, every component and mask",
            lambda: (instance for N in _line() for instance in _instances(N)),
        ),
    ),
    _random_component,
)


def _same_signs(instance: Instance) -> Iterator[Fact]:
    A, B = instance.network("A"), instance.network("B")
    M, e = instance.network("M"), instance.vector("e")
    yield one_hidden_layer(A, B, M)
    yield Fact.plain("n2 = 1 and one linear neuron", A.n_outputs == 1 and n_linear(A) == 1)
    pairs = [
        (x, y)
        for l in (1, 2)
        for mine, theirs in zip(rows(A, l), rows(B, l), strict=True)
        for x, y in zip(mine, theirs, strict=True)
    ]
    yield Fact.plain(
        "A and B have the same signs everywhere", all(sign(x) == sign(y) for x, y in pairs)
    )
    yield from generic_minimal(A, "A")
    yield from generic_minimal(B, "B")
    yield from member_facts(A, M, e)


def _also_nonempty(instance: Instance) -> Fact:
    """A_D = V_L w_L + Σ_{D} V_i w_i has to be V·w with w ≥ 0."""
    B, e = instance.network("B"), instance.vector("e")
    linear = [min(row) >= 0 for row in rows(B, 1)]
    chosen = tuple(fmpq(int(x < 0 or is_linear)) for x, is_linear in zip(e, linear, strict=True))
    (row,) = weighted_sum(B, chosen)
    text = "A_D of B has entries of one sign: the component is nonempty for B too"
    return Fact.plain(text, min(row) >= 0 or max(row) <= 0)


def _plane() -> list[Network]:
    linear = product((1, 2), (1, 2), (1,))
    bent = product((-2, -1, 1, 2), (-2, -1, 1, 2), (-1, 1))
    made = (
        network_of([first, second], [(v, w, 0)])
        for first, second, v, w in product(linear, bent, (1,), (-1, 1))
    )
    return [N for N in made if len(nonlinear(N)) == 1]


def _sign_instances(networks: list[Network]) -> Iterator[Instance]:
    for A, B in product(networks, networks):
        if A != B and all(
            sign(x) == sign(y)
            for l in (1, 2)
            for mine, theirs in zip(rows(A, l), rows(B, l), strict=True)
            for x, y in zip(mine, theirs, strict=True)
        ):
            for signs, M in _members(A).items():
                e = tuple(
                    fmpq(s if i in nonlinear(A) and s < 0 else 0) for i, s in enumerate(signs)
                )
                yield Instance.of(A=A, B=B, M=M, e=e)


def _random_signs(rng: Random) -> Instance:
    while True:
        A = rng.choice(_plane())
        factor = [fmpq(rng.randint(1, 4)) for _ in range(9)]
        scaled = iter(factor)
        B = network_of(*([[x * next(scaled) for x in row] for row in rows(A, l)] for l in (1, 2)))
        found = list(_sign_instances([A, B]))
        if found:
            return rng.choice(found)


_SIGNS = Family(
    (
        Level(
            "widths 2-2-1, one linear neuron of 1, 2 and b = 1, W of ±1 and ±2, V of ±1",
            lambda: _sign_instances(_plane()),
        ),
    ),
    _random_signs,
)

STATEMENTS = (
    Statement(
        "S002-generic-point",
        "S002, Theorem of Section 4.2, read for components of the generic fiber",
        "If A has one hidden layer, is generic and minimal on the orthant, and M is a member of a "
        "component of its fiber, then no masked product of nonlinear neurons is 0 in all of the "
        "component: it can have generic points.",
        _component,
        _not_zero,
        _COMPONENTS,
        known=("S002-E01-component-has-no-generic-point",),
        judgement=Judgement(
            "reading",
            "Section 4.2 says itself that the sets M_S need not consist of generic parameters; "
            'that each of them has one is our reading of "component of the generic fiber".',
        ),
    ),
    Statement(
        "S002-signs",
        "S002, Section 1.1, fibers depend only on weight signs",
        "If A and B have one hidden layer with one linear neuron, one output, the same signs "
        "everywhere, are generic and minimal on the orthant, and a component of the fiber of A is "
        "nonempty, so is that of B.",
        _same_signs,
        _also_nonempty,
        _SIGNS,
        known=("S002-P04-fiber-case3-both",),
        judgement=Judgement(
            "reading",
            "Section 1.1 says so in its summary of the results on three layers, where signs "
            "choose the case (Theorem 5); that the nonempty components depend on signs only is "
            "our reading.",
        ),
    ),
)
