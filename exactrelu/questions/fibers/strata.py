"""The strata of a fiber: the function that its members share, and the parts of their neurons.

On a polyhedron X with interior f = Σ_h U_h·s(h(x)) + (A0 x + c0) with one term for each
hyperplane at which f bends inside X (theory 1.1).  Here h has ℓ1 norm 1, the rational normalisation
of theory 1.3, and its first nonzero weight is positive; A0 x + c0 is f where every h(x) ≤ 0.

A member of the fiber puts at least one neuron on each bend of the function (theory 1.3).  The
other neurons join a bend, form a canceling group (neurons on one hyperplane whose output columns
sum to 0), are linear (w·x + b ≥ 0 on X, not 0), or dead (w·x + b ≤ 0 on X); on R^n linear and dead
ones have w = 0, which are the constant neurons of [S002-E08].  A :class:`Stratum` says how many,
and how they are oriented, up to a permutation of the neurons.  The fiber is the union of its
strata, and a member lies in the stratum that its rows say.

A stratum is *simple* if each bend has one neuron and nothing cancels: these are the M_S of
theory 1.4, and members without two neurons on one hyperplane, generic ones among them, lie in
no other.

Symbols: h ``row`` (a…, β), U_h ``jump``, [A0|c0] ``affine``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Any, Literal

from flint import fmpq, fmpz

from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import ONE, ZERO, Vector, dot
from exactrelu.network.network import Layer, Network, plain
from exactrelu.network.shallow import Hyperplane, ShallowForm, form_on, oriented
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.sides import FunctionSides


@dataclass(frozen=True)
class Bend(Outward):
    """``jump``·s(``row``·(x, 1)); ``place`` is the first neuron on it in the given network."""

    row: Vector
    jump: Vector
    place: int


@dataclass(frozen=True)
class Target(Outward):
    """What a network of one hidden layer with ``n_neurons`` neurons has to compute."""

    form: ShallowForm
    #: The domain as it was given, and what is known of functions on it.
    place: Domain
    sides: FunctionSides
    bends: tuple[Bend, ...]
    n_neurons: int
    #: A multiple of all denominators of jumps times normals and of the affine map.
    denominator: fmpz

    @property
    def n_inputs(self) -> int:
        """The number of inputs."""
        return self.form.n_inputs

    @property
    def n_outputs(self) -> int:
        """The number of outputs."""
        return self.form.n_outputs

    @property
    def on_orthant(self) -> bool:
        """Whether the domain is the orthant."""
        return self.form.on_orthant

    @property
    def is_everywhere(self) -> bool:
        """Whether the domain is all of space, where linear neurons are constant."""
        return self.sides.is_everywhere

    @property
    def affine(self) -> Matrix:
        """The affine part of the canonical form."""
        return self.form.affine

    @property
    def is_constant(self) -> bool:
        """Whether the function is constant."""
        slopes = self.affine.take(columns=range(self.n_inputs))
        return not self.bends and slopes.is_zero

    @property
    def n_spare(self) -> int:
        """The neurons that are left when each bend has one."""
        return self.n_neurons - len(self.bends)


def target_of(network: Network, domain: DomainLike = None) -> Target:
    """The function of a network with one hidden layer, its bends in the order of its neurons."""
    if len(network.layers) != 2:
        hidden = len(network.layers) - 1
        raise InputError(f"a network with {hidden} hidden layers, expected one")
    place = Domain.of(domain, network.n_inputs)
    sides = FunctionSides(place)
    form = form_on(plain(network, "the fiber"), sides)
    places: dict[Hyperplane, int] = {}
    for i, row in enumerate(network.layers[0].affine.flint_rows()):
        places.setdefault(oriented(row)[0], i)
    bends = sorted(
        (Bend(*_normal(h, u), places[h]) for h, u in form.bends), key=lambda bend: bend.place
    )
    first, last = (layer.affine.integer_form[1] for layer in network.layers)
    return Target(form, place, sides, tuple(bends), network.hidden_widths[0], first * last)


def _normal(h: Hyperplane, jump: Vector) -> tuple[Vector, Vector]:
    norm = sum((abs(fmpq(x)) for x in h), ZERO)
    return tuple(fmpq(x) / norm for x in h), tuple(u * norm for u in jump)


def normalised(network: Network, sides: FunctionSides | None = None) -> Network:
    """The same function; every hidden row that is not 0 has ℓ1 norm 1.

    On a domain that is not simple, a row of one sign there has the value ±1 at its point inside.
    """
    first, last = network.layers
    norms = [sum(map(abs, row), ZERO) or ONE for row in first.affine.flint_rows()]
    if sides is not None and not sides.is_simple:
        for i, row in enumerate(first.affine.flint_rows()):
            if sides.sign(oriented(row)[0]):
                norms[i] = abs(dot(row[:-1], sides.place.flint_point) + row[-1]) or ONE
    rows = [
        [x / norm for x in row] for row, norm in zip(first.affine.flint_rows(), norms, strict=True)
    ]
    out = last.affine @ Matrix.diagonal([*norms, ONE])
    return Network((Layer(Matrix(rows)), Layer(out)), network.name)


def signs_on(target: Target, network: Network) -> tuple[str, ...] | None:
    """The signs of the neurons on each bend, or None where a bend has no neuron."""
    index = {bend.row: i for i, bend in enumerate(target.bends)}
    found = [""] * len(index)
    for row in network.layers[0].affine.flint_rows():
        h, factor = oriented(row)
        norm = sum((abs(fmpq(x)) for x in h), ZERO) or ONE
        place = index.get(tuple(fmpq(x) / norm for x in h))
        if place is not None:
            found[place] += "+" if factor > 0 else "-"
    return tuple("".join(sorted(signs)) for signs in found) if all(found) else None


Kind = Literal["bend", "cancelling", "linear", "dead"]


@dataclass(frozen=True)
class NeuronRole:
    """The part of one neuron: its kind, its group and its sign in the group."""

    kind: Kind
    group: int = 0
    sign: int = 1


def bends_name(bends: Sequence[str]) -> str:
    """The bends with commas between them, on each a sign for every neuron; · if there is none.

    So two bends and both sides of one are told apart.

    >>> bends_name(("+", "-")), bends_name(("+-",)), bends_name(())
    ('+,-', '+-', '·')
    """
    return ",".join(bends) or "·"


@dataclass(frozen=True)
class Stratum:
    """``bends[i]`` holds the signs of the neurons on bend i, as in "+", "-", "++-".

    ``cancelling`` holds those of each canceling group.
    """

    bends: tuple[str, ...]
    n_linear: int = 0
    n_dead: int = 0
    cancelling: tuple[str, ...] = ()

    @property
    def is_simple(self) -> bool:
        """Whether each bend has one neuron, and none cancel."""
        return not self.cancelling and all(len(signs) == 1 for signs in self.bends)

    @property
    def name(self) -> str:
        """What no other stratum with as many neurons is called.

        First the bends, by :func:`bends_name`, then each canceling group in brackets, then a 0 for
        each dead neuron.  The other neurons are linear.

        >>> Stratum(("+", "-"), 1).name, Stratum(("+", "+-"), 1, 2, ("+-", "+")).name
        ('+,-', '+,+- (+-) (+) 00')
        """
        bends = bends_name(self.bends)
        groups = (f"({signs})" for signs in self.cancelling)
        dead = ["0" * self.n_dead] if self.n_dead else []
        return " ".join([bends, *groups, *dead])

    @staticmethod
    def name_of(given: str | Sequence[str]) -> str:
        """A name as it is written here, whatever spaces are in it, or that of signs on each bend.

        >>> Stratum.name_of(" + ,+-  (+-) 0"), Stratum.name_of(["+", "+-"])
        ('+,+- (+-) 0', '+,+-')
        """
        if isinstance(given, str):
            return re.sub(r"\s*,\s*", ",", " ".join(given.split()))
        return bends_name(given)

    @property
    def subject(self) -> dict[str, Any]:
        """What a claim says of a stratum."""
        return {
            "bends": list(self.bends),
            "dead": self.n_dead,
            "linear": self.n_linear,
            "others": sorted(self.cancelling),
        }

    @property
    def n_neurons(self) -> int:
        """How many neurons a member has."""
        return sum(map(len, self.bends + self.cancelling)) + self.n_linear + self.n_dead

    def layout(self, target: Target) -> tuple[NeuronRole, ...]:
        """The part of each neuron: bends at their places, the others where there is room."""
        places: list[NeuronRole | None] = [None] * self.n_neurons
        others: list[NeuronRole] = []
        for i, (signs, bend) in enumerate(zip(self.bends, target.bends, strict=True)):
            first, *rest = (NeuronRole("bend", i, _sign(s)) for s in signs)
            if bend.place < len(places):
                places[bend.place] = first
                others += rest
            else:
                others += [first, *rest]
        others += [
            NeuronRole("cancelling", g, _sign(s))
            for g, signs in enumerate(self.cancelling)
            for s in signs
        ]
        others += [NeuronRole("linear", i) for i in range(self.n_linear)]
        others += [NeuronRole("dead", i) for i in range(self.n_dead)]
        rest_of_them = iter(others)
        return tuple(neuron or next(rest_of_them) for neuron in places)


def _sign(sign: str) -> int:
    return 1 if sign == "+" else -1


def orientations(n: int) -> Iterator[tuple[str, ...]]:
    """All orientations of n hyperplanes."""
    return product("+-", repeat=n)


def all_strata(target: Target) -> Iterator[Stratum]:
    """Every stratum, empty or not."""
    spare = target.n_spare
    if spare < 0:
        return
    for n_doubled in range(spare + 1):
        for bends in _oriented_bends(len(target.bends), n_doubled):
            for n_cancelling in range(spare - n_doubled + 1):
                n_rest = spare - n_doubled - n_cancelling
                for groups in _groups(n_cancelling):
                    for n_linear in range(n_rest, -1, -1):
                        yield Stratum(bends, n_linear, n_rest - n_linear, groups)


def _oriented_bends(n: int, n_more: int) -> Iterator[tuple[str, ...]]:
    """Signs on n bends with n + n_more neurons."""
    if n == 0:
        if n_more == 0:
            yield ()
        return
    for more in range(n_more + 1):
        for signs in _signs(more + 1):
            for rest in _oriented_bends(n - 1, n_more - more):
                yield (signs, *rest)


def _signs(n: int) -> list[str]:
    return ["+" * (n - k) + "-" * k for k in range(n + 1)]


def _groups(n: int, largest: int | None = None) -> Iterator[tuple[str, ...]]:
    """Canceling groups of n neurons; a group and its mirror image are the same."""
    if n == 0:
        yield ()
        return
    for size in range(min(n, largest or n), 0, -1):
        kinds = ["+" * (size - k) + "-" * k for k in range(size // 2 + 1)]
        for n_groups in range(1, n // size + 1):
            rest = n - n_groups * size
            if rest and size == 1:
                continue
            for same in combinations_with_replacement(kinds, n_groups):
                if rest == 0:
                    yield same
                else:
                    yield from (same + others for others in _groups(rest, size - 1))


def stratum_of(target: Target, network: Network) -> Stratum:
    """The stratum of a member: what each of its neurons does."""
    bends = signs_on(target, network)
    if bends is None:
        raise ArithmeticError("a member has a neuron on each bend: a bug")
    visible = {_projective(bend.row) for bend in target.bends}
    groups: dict[tuple[fmpz, ...], list[str]] = {}
    n_linear = n_dead = 0
    for row in network.layers[0].affine.flint_rows():
        h, factor = oriented(row)
        side = target.sides.sign(h)
        if side:
            if any(row) and factor * side > 0:
                n_linear += 1
            else:
                n_dead += 1
        elif h not in visible:
            groups.setdefault(h, []).append("+" if factor > 0 else "-")
    cancelling = sorted(map(_group, groups.values()), key=lambda signs: (-len(signs), signs))
    return Stratum(bends, n_linear, n_dead, tuple(cancelling))


def _projective(row: tuple[object, ...]) -> tuple[fmpz, ...]:
    return oriented(row)[0]  # type: ignore[arg-type]


def _group(signs: list[str]) -> str:
    """The signs of a canceling group; its mirror image counts as the same."""
    n_minus = min(signs.count("-"), signs.count("+"))
    return "+" * (len(signs) - n_minus) + "-" * n_minus
