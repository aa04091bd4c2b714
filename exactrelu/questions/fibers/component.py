"""One component of a fiber: a stratum, with everything that can be asked about it (theory 1).

*Moves* (theory 1.4).  The linear neurons (V_L, W_L, b_L) of a member can be changed in two ways
without changing the function: b_L + t with output bias c − V_L t, while b_L + t ≥ 0; and
(V_L G⁻¹, G W_L, G b_L) for G ∈ GL_k, while the rows stay ≥ 0.  If rank A_S = k, both together
reach the whole simple stratum.

*Dimension* of a simple stratum, by theorem and by the Jacobian (theory 1.6).  With rows of ℓ1
norm 1 the neurons on bends are fixed; what is left are V, W ≥ 0 with V W = A_S (n2 × n0, of rank
r), k biases, and k norms that are fixed.  For given ρ = rank V the column space of V contains
that of A_S, so the pairs (V, W) have dimension

    g(ρ) = (ρ − r)(n2 − ρ) + ρ k + (k − ρ) n0,       r ≤ ρ ≤ min(k, n2).

ρ < k is always attained with W > 0: an open set of such V has a positive vector in its
kernel.  ρ = k is attained iff the columns of A_S are pointed: W ≥ 0 kills every
λ ≥ 0 with A_S λ = 0.  The dimension is the largest g(ρ).  On another domain W has its rows in C*
(:mod:`~exactrelu.questions.fibers.members`) in the place of W ≥ 0, which spans L^⊥: n0 is the
dimension of that, 0 on R^n and that of the space where the domain has no lines.  For generic
networks r = k or r = n2, which gives k², or n2(n2+1) + n0 if k = n2 + 1: the theorem of the paper.
Each dead neuron adds n0 + n2.

*Generic points.*  A simple stratum may have none [S002-E01].  Masked ranks (theory 2.2b) of the
neurons on bends alone are the same for all members: they are ranks of the signed products
V diag(ε) W, ε_i = −1 where the neuron is turned.  If one of them is too small, no member is
generic.  Otherwise members are tried.  The bends are the same for all members, and linear
neurons add none inside the domain, so all members are supertransversal there, or none is.

Symbols: [A_S|d_S] ``compensation``, the indices of the linear neurons L ``places``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from flint import fmpq

from exactrelu.certificates.certificate import Certificate, claim
from exactrelu.certificates.evidence import minor_record
from exactrelu.certificates.moves import SideRecords, side_record
from exactrelu.digits import say
from exactrelu.display import Shown
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import InputError
from exactrelu.exact.linear import Minor, inverse, rank, rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector, dot, vector
from exactrelu.network.network import Layer, Network
from exactrelu.network.shallow import Hyperplane, oriented
from exactrelu.polyhedra.sides import MAX_DIMENSION, FunctionSide, FunctionSides
from exactrelu.questions.fibers.description import Description, describe, parameters
from exactrelu.questions.fibers.members import compensation, fill, member
from exactrelu.questions.fibers.minimal import Orientation
from exactrelu.questions.fibers.strata import Stratum, Target, normalised, stratum_of
from exactrelu.questions.genericity.masked_rank import masked_rank

#: How many members are tried until one is generic.
N_TRIED = 12


def linear_places(target: Target, stratum: Stratum) -> tuple[int, ...]:
    """The indices of the linear neurons of a member."""
    layout = stratum.layout(target)
    return tuple(i for i, neuron in enumerate(layout) if neuron.kind == "linear")


def _is_linear(sides: FunctionSides, row: Sequence[fmpq]) -> bool:
    """Whether a row is ≥ 0 on the domain and not 0."""
    h, factor = oriented(tuple(row))
    return any(row) and sides.sign(h) * factor > 0


def translate(
    sides: FunctionSides, network: Network, places: Sequence[int], t: Sequence[fmpq]
) -> Network:
    """The biases of the linear neurons moved by t, the output bias moved back."""
    if len(t) != len(places):
        raise InputError(f"{len(t)} shifts for {len(places)} linear neurons")
    first, last = network.layers
    rows = [list(row) for row in first.affine.flint_rows()]
    for i, shift in zip(places, t, strict=True):
        rows[i][-1] += shift
        if not _is_linear(sides, rows[i]):
            least = first.flint_bias[i]
            raise InputError(
                f"{network.neuron_name(1, i + 1)}: a shift by {say(shift)} leaves the component, "
                f"the bias is {say(least)}"
            )
    out = [
        [*row[:-1], row[-1] - dot([row[i] for i in places], t)] for row in last.affine.flint_rows()
    ]
    return Network((Layer(Matrix(rows)), Layer(Matrix(out))), network.name)


def act(sides: FunctionSides, network: Network, places: Sequence[int], G: Matrix) -> Network:
    """(V_L G⁻¹, G W_L, G b_L) for an invertible G that keeps the rows ≥ 0 on the domain."""
    k = len(places)
    if G.shape != (k, k):
        raise InputError(f"a {G.n_rows} × {G.n_columns} matrix for {k} linear neurons")
    first, last = network.layers
    rows = [list(row) for row in first.affine.flint_rows()]
    moved = G @ first.affine.take(rows=places)
    columns = last.weights.take(columns=places) @ inverse(G)
    for number, i in enumerate(places):
        rows[i] = list(moved.flint_row(number))
        if not _is_linear(sides, rows[i]):
            name = network.neuron_name(1, i + 1)
            raise InputError(f"{name}: the matrix leaves the component, a row becomes negative")
    out = [list(row) for row in last.affine.flint_rows()]
    for o, row in enumerate(out):
        for number, i in enumerate(places):
            row[i] = columns.flint[o, number]
    return Network((Layer(Matrix(rows)), Layer(Matrix(out))), network.name)


def random_member(
    sides: FunctionSides, network: Network, places: Sequence[int], rng: Random
) -> Network:
    """Another member of small height in the stratum of ``network``."""
    k = len(places)
    if k == 0:
        return network
    first = network.layers[0]
    weights = first.affine.take(rows=places)
    # Small matrices that keep the rows positive are few: then nonnegative ones.
    for attempt in range(60):
        low = -2 if attempt < 40 else 0
        G = Matrix([[rng.randint(low, 3) for _ in range(k)] for _ in range(k)])
        moved = (G @ weights).flint_rows()
        if all(_is_linear(sides, row) for row in moved) and rank(G) == k:
            network = act(sides, network, places, G)
            break
    shifts = []
    for i in places:
        row = network.layers[0].affine.flint_row(i)
        new = fmpq(rng.randint(0, 6), rng.randint(1, 3))
        bias = (new if any(row[:-1]) or new > 0 else ONE) - sides.least(row[:-1])
        shifts.append(bias - row[-1])
    return translate(sides, network, places, shifts)


def simple_dimension(target: Target, r: int, is_pointed: bool, k: int, n_dead: int) -> int:
    """The dimension of the nonempty simple stratum with k linear and ``n_dead`` dead neurons."""
    n0, n2 = target.n_inputs - len(target.sides.flint_lines), target.n_outputs
    if target.is_everywhere:
        # Constant and dead neurons are (0, ±1); their output columns are free.
        return (k + n_dead) * n2
    ranks = range(r, min(k if is_pointed else k - 1, n2) + 1)
    return max((p - r) * (n2 - p) + p * k + (k - p) * n0 for p in ranks) + n_dead * (n0 + n2)


@dataclass(frozen=True)
class LocalDimension:
    """The dimension of a stratum near a member, and the minors that show the ranks of V and W.

    ``inner`` shows on a domain that is not simple that linear and dead rows are free near by.
    """

    value: int
    minors: tuple[Minor, ...]
    inner: tuple[tuple[FunctionSide, Minor], ...] = ()


@dataclass(frozen=True)
class _Kinds:
    """The neurons of a member by what their rows do on the domain, each with its factor."""

    #: By the hyperplanes that meet the inside.
    groups: dict[Hyperplane, list[tuple[int, fmpq]]]
    linear: list[int]
    dead: list[int]

    @property
    def both(self) -> dict[Hyperplane, list[tuple[int, fmpq]]]:
        """The hyperplanes with neurons of both sides."""
        return {h: g for h, g in self.groups.items() if len({factor > 0 for _, factor in g}) == 2}


def _kinds(target: Target, first: Matrix) -> _Kinds:
    kinds = _Kinds({}, [], [])
    for i, row in enumerate(first.flint_rows()):
        h, factor = oriented(row)
        if target.sides.sign(h) == 0:
            kinds.groups.setdefault(h, []).append((i, factor))
        else:
            (kinds.linear if _is_linear(target.sides, row) else kinds.dead).append(i)
    return kinds


def local_dimension(target: Target, member: Network) -> LocalDimension | None:
    """The dimension of the stratum of a member near it, up to scaling; None if it is not known.

    Let W have the normals of hyperplanes with neurons of both sides, and but for R^n the rows
    of the linear neurons; V the sums of output columns of the side − on those that are no bends,
    and the columns of the linear neurons.  If V and W have the largest ranks c, r that they can
    have, the map to the linear part has the constant rank n2·r + c·n0 − r·c near the member.  The
    parameters are the output columns, less one for each hyperplane, the hyperplanes that are no
    bends, and but for R^n the rows of neurons on none, if those near them have one sign on the
    domain too: on the orthant, if none of their entries is 0.
    """
    first, last = (Matrix.wrap(layer.affine.integer_form[0]) for layer in member.layers)
    n0, n2 = target.n_inputs, target.n_outputs
    bends = {oriented(bend.row)[0] for bend in target.bends}
    kinds = _kinds(target, first)
    inner = _kept_signs(target, first, kinds)
    if inner is None:
        return None
    rows, columns = _linear_part(target, kinds, bends, first, last)
    V = Matrix(columns, n2).T if columns else Matrix.zero(n2, 0)
    r, c = min(len(rows), n0), min(len(columns), n2)
    minors = [rank_proof(V).minor]
    if len(columns) <= n2:
        minors.append(rank_proof(Matrix(rows, n0)).minor)
    if any(len(minor.rows) < size for minor, size in zip(minors, (c, r), strict=False)):
        return None
    steady = len(kinds.linear) + len(kinds.dead)
    p = sum(len(group) - 1 for group in kinds.groups.values()) + steady
    q = sum(h not in bends for h in kinds.groups) + (0 if target.is_everywhere else steady)
    return LocalDimension((p - r) * n2 + (q - c) * n0 + r * c, tuple(minors), inner)


def _linear_part(
    target: Target, kinds: _Kinds, bends: set[Hyperplane], first: Matrix, last: Matrix
) -> tuple[list[Vector], list[Vector]]:
    """The rows of W, and the columns of V: those of hyperplanes, then of linear neurons."""
    n0, n2 = target.n_inputs, target.n_outputs
    rows: list[Vector] = [_normal(h) for h in kinds.both if h in bends]
    columns: list[Vector] = []
    for h, group in kinds.both.items():
        if h not in bends:
            rows.append(_normal(h))
            minus = [(i, factor) for i, factor in group if factor < 0]
            columns.append(
                tuple(-sum((f * last.flint[o, i] for i, f in minus), ZERO) for o in range(n2))
            )
    if not target.is_everywhere:
        rows += [first.flint_row(i)[:n0] for i in kinds.linear]
        columns += [tuple(last.flint[o, i] for o in range(n2)) for i in kinds.linear]
    return rows, columns


def _kept_signs(
    target: Target, first: Matrix, kinds: _Kinds
) -> tuple[tuple[FunctionSide, Minor], ...] | None:
    """Why rows near those of linear and dead neurons have their sign on the domain; None if not.

    Where signs of entries say all, nothing is needed.
    """
    n0 = target.n_inputs
    if target.sides.is_simple:
        start = 0 if target.on_orthant else n0
        dead = (x for i in kinds.dead for x in first.flint_row(i)[start:])
        has_zero = any(x == 0 for x in dead)
        is_kept = not has_zero and (not target.on_orthant or _entries_stay(target, first, kinds))
        return () if is_kept else None
    inner: list[tuple[FunctionSide, Minor]] = []
    for i in (*kinds.linear, *kinds.dead):
        side = target.sides.inner_side(first.flint_row(i))
        if side is None:
            return None
        inner.append((side, rank_proof(Matrix([*target.sides.rows, (0,) * n0 + (1,)])).minor))
    return tuple(inner)


def _entries_stay(target: Target, first: Matrix, kinds: _Kinds) -> bool:
    """Whether entries of linear neurons on the orthant that are 0 are 0 for all members near by.

    A column of zeros stays where these neurons alone make the linear part, and are independent.
    """
    n0 = target.n_inputs
    is_plain = not kinds.both and len(kinds.linear) <= target.n_outputs
    for j in range(n0 + 1):
        entries = [first.flint[i, j] for i in kinds.linear]
        if 0 in entries and not (is_plain and j < n0 and not any(entries)):
            return False
    return True


def _normal(h: Hyperplane) -> Vector:
    return tuple(fmpq(x) for x in h[:-1])


def tangent_dimension(description: Description, point: Sequence[fmpq]) -> int:
    """The number of parameters less the rank of the Jacobian of the equations at a point.

    An upper bound for the dimension there; the dimension, if the rank is that at all points
    near by.
    """
    index = {name: i for i, name in enumerate(description.variables)}
    gradients = []
    for equation in description.equations:
        gradient = [ZERO] * len(index)
        for coefficient, names in equation.terms:
            for k, name in enumerate(names):
                others = names[:k] + names[k + 1 :]
                factor = coefficient
                for other in others:
                    factor *= point[index[other]]
                gradient[index[name]] += factor
        gradients.append(gradient)
    if not gradients:
        return len(index)
    return len(index) - rank(Matrix(gradients))


def has_generic_points(target: Target, stratum: Stratum, sample: Network | None) -> bool | None:
    """Whether some member has full masked ranks; None if no member that was tried has."""
    if sample is None:
        return False
    is_constant = target.is_everywhere and stratum.n_neurons > len(target.bends)
    if not stratum.is_simple or is_constant:
        # Two parallel rows, or a row that is 0.
        return False
    n, k = target.n_inputs, stratum.n_linear
    if rank(compensation(target, stratum.bends).take(columns=range(n))) < min(
        n, k, target.n_outputs
    ):
        # V W of the linear neurons is A_S for all members.
        return False
    layout = stratum.layout(target)
    bending = [i for i, neuron in enumerate(layout) if neuron.kind == "bend"]
    if bending and masked_rank(_restricted(sample, bending)).answer is False:
        return False
    rng = Random(0)
    places = linear_places(target, stratum)
    candidate = sample
    for _ in range(N_TRIED):
        if masked_rank(candidate).answer:
            return True
        start = candidate if rng.random() < 0.5 else sample
        candidate = random_member(target.sides, start, places, rng)
    return None


def _restricted(network: Network, neurons: list[int]) -> Network:
    """The network with some of its hidden neurons only."""
    first, last = network.layers
    columns = [*neurons, first.n_outputs]
    return Network(
        (Layer(first.affine.take(rows=neurons)), Layer(last.affine.take(columns=columns)))
    )


@dataclass(frozen=True, repr=False)
class Component(Shown):
    """The members of a fiber whose neurons play the parts that ``stratum`` says."""

    target: Target
    stratum: Stratum
    #: What is known of A_S, for a simple stratum.
    orientation: Orientation | None = None

    @property
    def signs(self) -> tuple[str, ...]:
        """The signs of the neurons on each bend."""
        return self.stratum.bends

    @property
    def name(self) -> str:
        """What no other component of the fiber is called."""
        return self.stratum.name

    @property
    def compensation(self) -> Matrix:
        """[A_S|d_S] of theory 1.4."""
        return compensation(self.target, self.signs)

    @cached_property
    def is_nonempty(self) -> bool:
        """Whether there are members."""
        if self.orientation is not None:
            k = 0 if self.target.is_everywhere else self.stratum.n_linear
            return self.orientation.least <= k
        return self.sample is not None

    def decide(self, effort: Effort) -> None:
        """Find out now whether there are members, if it takes an LP."""
        if self.orientation is None and "sample" not in vars(self):
            vars(self)["sample"] = self._sampled(effort)

    @cached_property
    def sample(self) -> Network | None:
        """A member with small numbers; None if there is none."""
        return self._sampled(UNLIMITED)

    def _sampled(self, effort: Effort) -> Network | None:
        known = self.orientation
        functional = None if known is None else known.functional
        filling = fill(self.target, self.stratum, functional, effort)
        if filling is None:
            return None
        return member(self.target, self.stratum, filling, [ONE] * self.stratum.n_linear)

    @property
    def has_description(self) -> bool:
        """Whether :attr:`description` is one, as the domain has not too many coordinates."""
        sides = self.target.sides
        return sides.is_simple or self.target.n_inputs <= MAX_DIMENSION

    @cached_property
    def description(self) -> Description:
        """The equations and inequalities of the members with rows of ℓ1 norm 1."""
        return describe(self.target, self.stratum)

    def contains(self, network: Network) -> bool:
        """Whether a member of the fiber lies in this component, its neurons in any order."""
        return stratum_of(self.target, network) == self.stratum

    @cached_property
    def tangent_dimension(self) -> int | None:
        """The parameters less the rank of the Jacobian of the equations at the sample."""
        if self.sample is None or not self.has_description:
            return None
        point = parameters(normalised(self.sample, self.target.sides))
        # The scale of canceling rows is not fixed by the description.
        return tangent_dimension(self.description, point) - len(self.stratum.cancelling)

    @cached_property
    def dimension(self) -> int | None:
        """The dimension with rows of ℓ1 norm 1; None if it is not known, or there is no member.

        For a simple stratum by theorem.  Else that near the sample, by the constant rank theorem.
        """
        if not self.is_nonempty:
            return None
        stratum = self.stratum
        if stratum.is_simple:
            A = self.compensation.take(columns=range(self.target.n_inputs))
            known = self.orientation
            r = known.rank if known else rank(A)
            pointed = (
                known.is_pointed
                if known
                else fill(self.target, Stratum(stratum.bends, r)) is not None
            )
            return simple_dimension(self.target, r, pointed, stratum.n_linear, stratum.n_dead)
        return None if self._local is None else self._local.value

    @cached_property
    def dimension_certificate(self) -> Certificate | None:
        """Of the dimension near the sample; None where ranks may change near it."""
        if self.sample is None or self._local is None:
            return None
        records = [*SideRecords(self.target.sides).of(self.sample)]
        for side, minor in self._local.inner:
            records += [side_record(side), minor_record(minor)]
        records += map(minor_record, self._local.minors)
        about: dict[str, Any] = {"network": self.sample, "domain": self.target.place}
        return claim("fiber-dimension", "minors", records, **about, dimension=self._local.value)

    @cached_property
    def _local(self) -> LocalDimension | None:
        return None if self.sample is None else local_dimension(self.target, self.sample)

    @cached_property
    def has_generic_points(self) -> bool | None:
        """Whether some member has all masked ranks (theory 2.2b); None if unknown."""
        return has_generic_points(self.target, self.stratum, self.sample)

    def reversed_neurons(self, network: Network) -> tuple[int, ...] | None:
        """D: the bends, from 1, on which the one neuron is turned; None if there are more."""
        ours = stratum_of(self.target, network).bends
        if any(len(signs) != 1 for signs in (*ours, *self.signs)):
            return None
        return tuple(i for i, (a, b) in enumerate(zip(ours, self.signs, strict=True), 1) if a != b)

    def translate(self, t: Iterable[Any], at: Network | None = None) -> Network:
        """A member with the biases of the linear neurons moved by t."""
        network = self._start(at)
        places = linear_places(self.target, self.stratum)
        return translate(self.target.sides, network, places, vector(t))

    def act(self, G: Any, at: Network | None = None) -> Network:
        """A member with the linear neurons mixed by an invertible matrix: (V G⁻¹, G W, G b)."""
        network = self._start(at)
        matrix = G if isinstance(G, Matrix) else Matrix(G)
        places = linear_places(self.target, self.stratum)
        return act(self.target.sides, network, places, matrix)

    def random(self, rng: Random) -> Network:
        """A random member of small height."""
        start = self._start(None)
        if self.target.is_everywhere:
            return start
        places = linear_places(self.target, self.stratum)
        return random_member(self.target.sides, start, places, rng)

    def _start(self, at: Network | None) -> Network:
        network = at or self.sample
        if network is None:
            raise InputError("the component is empty")
        if at is not None and not self.contains(at):
            raise InputError("the network is not in this component")
        return network
