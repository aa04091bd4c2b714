"""Moves among networks: symmetries, steps that replace layers, members of fibers.

A function has many networks.  Permutations and positive scalings of hidden neurons take one to an
isomorphic one; rewriting steps drop, merge, compose or move neurons; what is left of the fiber is
listed by members, one for each of its strata, and by reasons why a stratum has none: the rank of
the map that linear neurons must make is larger than their number, or equal to it while the cone of
its columns contains a line.

A step of :mod:`exactrelu.network.rewriting` changes a few layers in a row.  In the file these are
replaced by others, with the proof that both, taken alone, are equal on what they take in: the
domain, or the points ≥ 0 behind a hidden layer.

- Dead, doubled and linear neurons are seen in the normal form of one hidden layer (``shallow``),
  which needs no records, or, where they are so by the rows of the domain, by a tree without a cut.
  Steps about one layer are taken together.
- A neuron that is never active has a tree of bounds.  Its slopes m and the coefficient a of s(z),
  a·s(z) ≤ m·z, are multipliers of facts: −m of s(z) − z ≥ 0, and m − a of s(z) ≥ 0.
- A hidden neuron i that moves, and neurons a ∈ A that turn around, need the cells of y_i and of
  what it becomes, y_i'.  With z = w·s(y_i) − Σ c_l·s(y_l) − d in the next layer: where y_i ≤ 0, or
  y_i' ≤ 0, both z and z' are ≤ 0, and where both are ≥ 0, they are the same form.

*Flat domains.*  Steps, and what follows them, are about the networks in the coordinates t of the
affine hull, ``domain.restricted(network)``, on the domain there, ``domain.inner``.  So what is
proved there about two networks is a proof of the same about the networks of which they are the
restrictions: a rewriting without steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from operator import mul
from types import MappingProxyType
from typing import Any, NamedTuple

from flint import fmpq, fmpz

from exactrelu.cells.forms import Atoms, Passed, integer_layers, total
from exactrelu.certificates.certificate import Certificate, claim, point_record, record
from exactrelu.certificates.evidence import (
    Multipliers,
    dependency_record,
    kernel_record,
    matrix_record,
    minor_record,
)
from exactrelu.certificates.pair_trees import integers, tree_records
from exactrelu.exact.linear import Minor, RankProof
from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.network.network import Network
from exactrelu.network.rewriting import (
    BoundBranch,
    BoundLeaf,
    Compose,
    Drop,
    Flip,
    Merge,
    NeverActive,
    Refactor,
    Step,
    Translate,
    Tree,
    has_sign,
    positive_coordinates,
    rewritten,
)
from exactrelu.network.shallow import oriented
from exactrelu.network.symmetry import Symmetry
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.sides import FunctionSide, FunctionSides

#: A neuron, and multipliers u of s(z) ≥ 0 and v of s(z) − z ≥ 0.
Fact = tuple[int, fmpq, fmpq]
Signs = Mapping[int, int]


def rewriting_claim(
    a: Network,
    b: Network,
    domain: Domain,
    steps: Iterable[Step],
    other_steps: Sequence[Step] = (),
    then: Certificate | None = None,
    symmetry: Symmetry | None = None,
) -> Certificate:
    """Claim ``equal`` by ``rewriting``: the steps that take a to b.

    Or other steps for b, and how what the two became is compared: by the proof of another claim
    ``equal``, or by the symmetry that takes the one to the other.  On a flat domain all this is
    about the restrictions of a and b to its affine hull.

    >>> a = Network.from_arrays([[[1], [2]], [[3, 1]]], [[1, 2], [0]])
    >>> b = Network.from_arrays([[[1]], [[5]]], [[1], [0]])
    >>> rewriting_claim(a, b, Domain.of("box:0,1", 1), [Merge(0, 1, 0)]).proof[2:]
    ['replace 0 1', 'widths 1 1', 'layer 1 1 1', 'layer 1 5 0', 'by shallow', 'result']
    """
    records = [*_step_records(domain.restricted(a), domain.inner, tuple(steps))]
    if other_steps:
        records.append(record("other"))
        records += _step_records(domain.restricted(b), domain.inner, other_steps)
    if symmetry is not None:
        records += ["then", "by isomorphic", *symmetry_records(symmetry)]
    else:
        records += ["result"] if then is None else ["then", *then.evidence]
    return claim("equal", "rewriting", records, holds=True, a=a, b=b, domain=domain)


def lifted_equality(a: Network, b: Network, domain: Domain, equality: Certificate) -> Certificate:
    """Claim ``equal``, from the proof for the restrictions to the affine hull of the domain."""
    if domain.is_flat and equality.method != "rewriting":
        return rewriting_claim(a, b, domain, (), then=equality)
    method, records = equality.method, equality.records
    return claim("equal", method, records, holds=True, a=a, b=b, domain=domain)


# --- Steps


def _step_records(network: Network, place: Domain, steps: Sequence[Step]) -> Iterator[str]:
    """The records of steps; the domain is not flat."""
    positive = positive_coordinates(place.inside)
    left = list(steps)
    while left:
        step = left.pop(0)
        l, small = step.layer, rewritten(network, step, positive)
        first, n_old = l, 2
        match step:
            case NeverActive(_, neuron, tree):
                first, n_old = 0, l + 2
            case Translate() | Flip():
                n_old = 3
            case _:
                is_simple = l > 0 or _is_sign_of_weights(network, step)
                while left and _goes_on(step, left[0]):
                    step = left.pop(0)
                    is_simple = is_simple and (l > 0 or _is_sign_of_weights(small, step))
                    small = rewritten(small, step, positive)
        n_new = n_old - (len(network.layers) - len(small.layers))
        old = Network(network.layers[first : first + n_old])
        new = Network(small.layers[first : first + n_new])
        given = Domain.of("orthant", old.n_inputs) if first else place
        yield record("replace", first, first + n_old - 1)
        yield from network_records(new)
        match step:
            case NeverActive(_, neuron, tree):
                told = partial(_Joint.never_active, layer=l, neuron=neuron, tree=tree)
                yield from _by_signs(old, new, given, told)
            case Translate(_, hidden) | Flip(_, hidden):
                yield from _by_signs(old, new, given, partial(_Joint.moved, hidden=hidden))
            case _ if is_simple or given.is_everywhere or given.is_orthant:
                yield "by shallow"
            case _:
                yield from _by_cells(old, new, given)
        network = small


def _by_signs(
    a: Network, b: Network, place: Domain, told: Callable[[_Joint], Iterator[str]]
) -> list[str]:
    """The proof ``cells`` by signs that are known, if these can be said and are enough."""
    try:
        return [*told(_Joint(a, b, place))]
    except _NotClosed:
        return _by_cells(a, b, place)


def _by_cells(a: Network, b: Network, place: Domain) -> list[str]:
    """The proof ``cells`` of what is known to be equal."""
    records = tree_records(a, b, place)
    if records is None:
        raise ArithmeticError("a step leads to another function: a bug")
    return ["by cells", *records]


def _goes_on(step: Step, following: Step) -> bool:
    """Whether a step is about the layer of the one before, and is seen in its normal form too."""
    is_by_form = isinstance(following, Drop | Merge | Compose | Refactor)
    return is_by_form and following.layer == step.layer and not isinstance(step, Compose)


def _is_sign_of_weights(network: Network, step: Step) -> bool:
    """Whether a step about the first layer needs no row of the domain."""
    rows = network.layers[0].affine.flint_rows()
    columns = list(zip(*network.layers[1].affine.flint_rows(), strict=True))

    def is_known(neuron: int, *signs: int) -> bool:
        found = any(has_sign(rows[neuron], sign, 0, frozenset()) for sign in signs)
        return found or not any(columns[neuron])

    match step:
        case Drop(_, neuron):
            return is_known(neuron, -1)
        case Compose():
            return all(is_known(neuron, 1, -1) for neuron in range(len(rows)))
        case Refactor(_, neurons, _, right):
            new = [(*row, ZERO) for row in right.flint_rows()]
            linear = [*(rows[i] for i in neurons), *new]
            return all(has_sign(row, 1, 0, frozenset()) for row in linear)
    return True


class _MovedCell(NamedTuple):
    """The signs of neurons on a cell, and its cuts: by the atom, the row and the factor of it."""

    signs: Signs = MappingProxyType({})
    cuts: Mapping[int, tuple[int, int]] = MappingProxyType({})


class _NotClosed(Exception):
    """A neuron is a multiple of one that is 0 at most, but has no row; or forms still differ."""


class _Joint:
    """The forms of two networks on cells, and the records that give neurons their signs.

    Units are numbered through both networks.  Of a neuron that shares its form with an earlier one
    the file speaks as of that one.  Integers of preactivations are those of the checker: φ times
    them, with a factor φ for each layer.
    """

    def __init__(self, a: Network, b: Network, place: Domain) -> None:
        self._place, self._atoms = place, Atoms(place.chart)
        self._layers = integer_layers(a), integer_layers(b)
        #: The first unit of each hidden layer of both networks.
        self._starts = list(accumulate((*a.hidden_widths, *b.hidden_widths), initial=0))
        self._factors = [
            list(accumulate((den for den, _, _ in layers), mul, initial=place.chart.factor))[1:]
            for layers in self._layers
        ]

    def never_active(self, layer: int, neuron: int, tree: Tree) -> Iterator[str]:
        """The proof ``cells`` that a network is equal to another one, which lacks a neuron."""
        yield "by cells"
        yield from self._bounded((layer, neuron), _nested(iter(tree)), _MovedCell(), {})

    def _bounded(
        self, target: tuple[int, int], tree: Any, cell: _MovedCell, decided: Signs
    ) -> Iterator[str]:
        """The records of a cell, where some neurons were decided by branches."""
        if isinstance(tree, BoundLeaf):
            yield from self._leaf(*target, tree, cell, decided)
            return
        branch, active, inactive = tree
        k = self._starts[branch.layer] + branch.neuron
        for text, sign, part in self._cut(cell, k):
            yield from text
            below = active if sign > 0 else inactive
            yield from self._bounded(target, below, part, {**decided, k: sign})

    def _leaf(
        self, layer: int, neuron: int, bound: BoundLeaf, cell: _MovedCell, decided: Signs
    ) -> Iterator[str]:
        target, facts = self._starts[layer] + neuron, list[Fact]()
        layers, factors = self._layers[0], self._factors[0]
        den, table, _ = layers[layer]
        coefficients = [bound.factor * x for x in table[neuron]]
        for l in reversed(range(layer)):
            scale, rows, _ = layers[l]
            for i, slope in enumerate(bound.slopes[l]):
                k = self._starts[l] + i
                m, sign = slope * scale, decided.get(k, 0)
                u, v = (m - coefficients[i]) * (sign >= 0), -m * (sign <= 0)
                if u or v:
                    facts.append((k, fmpq(u, factors[l]), fmpq(v, factors[l])))
            columns = zip(*rows, strict=True)
            coefficients = [sum(map(mul, bound.slopes[l], column)) for column in columns]
        pairs = zip(bound.rows, bound.values, strict=True)
        used = [(self._place.numbers[r], fmpq(value)) for r, value in pairs]
        weight = fmpq(bound.factor * den, factors[layer])
        if weight:
            yield from self._closed(cell, [(target, facts)], used, weight)
        else:
            yield record("empty", *integers([], used, facts))

    def moved(self, hidden: int) -> Iterator[str]:
        """The proof ``cells`` that networks are equal where a hidden neuron of layer 1 moved."""
        yield "by cells"
        other = self._starts[2] + hidden
        for first, sign, half in self._cut(_MovedCell(), hidden):
            yield from first
            for second, other_sign, cell in self._cut(half, other):
                yield from second
                yield from self._closed(cell, [*self._below(hidden, (sign, other_sign))])

    def _below(self, hidden: int, signs: Sequence[int]) -> Iterator[tuple[int, list[Fact]]]:
        """The neurons of layer 2 that are ≤ 0 where the hidden one has these signs, and why."""
        for x, y in ((0, 1), (1, 0)):
            (_, table, _), here = self._layers[x][1], self._factors[x][0]
            for j, (*weights, _) in enumerate(table):
                is_other = signs[x] > 0 and weights[hidden] > 0
                if is_other and signs[y] > 0:
                    continue
                # Where y' <= 0 the weights are those of what the other network has in layer 1.
                start = self._starts[2 * y if is_other else 2 * x]
                scale = fmpq(here, self._factors[y if is_other else x][0])
                facts = [
                    (start + i, ZERO, w * scale) if w > 0 else (start + i, -w * scale, ZERO)
                    for i, w in enumerate(weights)
                    if w and (w < 0 or is_other)
                ]
                yield self._starts[2 * x + 1] + j, facts

    def _cut(self, cell: _MovedCell, k: int) -> Iterator[tuple[list[str], int, _MovedCell]]:
        """Of each side of a neuron: the records before it, the sign of k there, and the cell."""
        passed = self._passed(cell)
        if k in passed.signs:
            yield [], passed.signs[k], cell
            return
        number, g = passed.units[k]
        name, own = passed.names[number]
        cuts = cell.cuts
        if self._atoms.is_affine(number):
            cuts = {**cuts, number: (1 + len(self._place.rows_over_t) + len(cuts), own)}
        for side in (-1, 1):
            text = [record("split", name)] if side < 0 else []
            part = _MovedCell({**cell.signs, name: side}, cuts)
            yield text, side if g * own > 0 else -side, part

    def _closed(
        self,
        cell: _MovedCell,
        why: Sequence[tuple[int, Sequence[Fact]]],
        rows: Sequence[tuple[int, fmpq]] = (),
        weight: fmpq = ONE,
    ) -> Iterator[str]:
        """The networks are the same on a cell, as some neurons of one layer are ≤ 0 there.

        For each of them weight·z and multiples of rows and facts are a constant ≤ 0.
        """
        passed = self._passed(cell)
        for k, facts in why:
            if passed.signs.get(k, 0) > 0:
                # The cell is empty: z is a constant, or a multiple of what a cut makes positive.
                cut = self._multiple_of_cut(cell, passed, k, weight)
                yield record("empty", *integers([], [*rows, *cut], facts))
                return
        sides: dict[int, str] = {}
        signs = dict(cell.signs)
        for k, facts in why:
            if k not in passed.signs:
                number, g = passed.units[k]
                name, own = passed.names[number]
                numbers = integers([weight * abs(fmpq(g, own))], rows, facts)
                sides.setdefault(name, record("side", 2 * name + (g * own < 0), *numbers))
                signs[name] = 1 if g * own < 0 else -1
        # A neuron of layer 2 may be a multiple of one of layer 1, whose sign would settle others.
        yield from (sides[name] for name in sorted(sides, reverse=True))
        after = self._passed(_MovedCell(signs))
        (p, q), pairs = after.dens, zip(*after.outputs, strict=True)
        if any(self._atoms.plain(total([(q, f), (-p, g)])) for f, g in pairs):
            raise _NotClosed
        yield "same"

    def _multiple_of_cut(
        self, cell: _MovedCell, passed: Passed, k: int, weight: fmpq
    ) -> list[tuple[int, fmpq]]:
        """The row that is weight·z of a neuron, if this is not constant."""
        if k not in passed.units:
            return []
        number, g = passed.units[k]
        if number not in cell.cuts:
            raise _NotClosed
        row, own = cell.cuts[number]
        return [(row, weight * abs(fmpq(g, own)))]

    def _passed(self, cell: _MovedCell) -> Passed:
        return self._atoms.through(self._layers, cell.signs)


def _nested(nodes: Iterator[BoundBranch | BoundLeaf]) -> Any:
    """A tree in preorder as a bound, or a branch and what is below it: active, then inactive."""
    node = next(nodes)
    return node if isinstance(node, BoundLeaf) else (node, _nested(nodes), _nested(nodes))


# --- Symmetries and members


def isomorphic_equality(a: Network, b: Network, domain: Domain, symmetry: Symmetry) -> Certificate:
    """Claim ``equal`` by ``isomorphic``, on a domain that may be flat."""
    records = symmetry_records(symmetry)
    return claim("equal", "isomorphic", records, holds=True, a=a, b=b, domain=domain)


def symmetry_records(symmetry: Symmetry) -> Iterator[str]:
    """The permutation and the scalings of each hidden layer."""
    for permutation, scalings in zip(symmetry.indices, symmetry.flint_scalings, strict=True):
        yield record("symmetry", *permutation, *(x for s in scalings for x in (s.p, s.q)))


def network_records(network: Network) -> Iterator[str]:
    """A network in a proof: the units of each layer, and its matrix."""
    yield record("widths", *network.widths[1:])
    for layer in network.layers:
        yield matrix_record("layer", layer.affine)


def rank_too_large_records(known: RankProof | None, minor: Minor) -> list[str]:
    """A minor of the matrix, after the rank of the rows that are there twice, if any are."""
    return [record("rank-too-large", _rank(known)), *_kernel(known), minor_record(minor)]


def not_pointed_records(
    known: RankProof | None,
    minor: Minor,
    dependency: Multipliers,
    inside: tuple[RankProof | None, Minor] | None,
    rays: Sequence[Vector] | None = None,
) -> list[str]:
    """The same with a smaller minor, a dependency of columns, and what is on these alone.

    The columns are those of the products with rays of the domain, if it is not simple.
    """
    ranks = _rank(known), _rank(inside[0] if inside else None)
    records = [record("not-pointed", *ranks), *_kernel(known), minor_record(minor)]
    records += [] if rays is None else [_rays_record(rays)]
    records.append(dependency_record(dependency))
    if inside is not None:
        records += [*_kernel(inside[0]), minor_record(inside[1])]
    return records


def on_lines_records(lines: Sequence[Vector], inside: tuple[RankProof | None, Minor]) -> list[str]:
    """That the rank is too large on lines of the domain alone; each line is there both ways."""
    small, minor = inside
    dependency = dependency_record([(i, fmpq(1)) for i in range(len(lines))])
    records = [record("on-lines", _rank(small)), _rays_record(lines), dependency]
    return [*records, *_kernel(small), minor_record(minor)]


def _rays_record(rays: Sequence[Vector]) -> str:
    """Directions in which a domain has no end, as integers."""
    return record("rays", *(x.p for ray in rays for x in ray))


class SideRecords:
    """The records of the sides of rows on a domain, for each row that was not there before."""

    def __init__(self, sides: FunctionSides) -> None:
        self._sides = sides
        self._known: set[tuple[fmpz, ...]] = set()

    def of(self, network: Network) -> Iterator[str]:
        """Those of the rows of the hidden layer of a network, in their order."""
        if self._sides.is_simple or len(network.layers) < 2:
            return
        for row in network.layers[0].affine.flint_rows():
            h, _ = oriented(row)
            if any(h[:-1]) and h not in self._known:
                self._known.add(h)
                yield side_record(self._sides.of(h))


def side_record(side: FunctionSide) -> str:
    """A zero of a row inside the domain, or multipliers that show its one sign."""
    if side.sign == 0:
        return point_record("zero", side.zero)
    pairs = (x for pair in side.multipliers for x in pair)
    return record("sided", side.factor, len(side.multipliers), *pairs)


def _rank(known: RankProof | None) -> int:
    return 0 if known is None else known.rank


def _kernel(known: RankProof | None) -> list[str]:
    return [] if known is None else [kernel_record(known.kernel)]
