"""Networks as formal functions, affine up to ReLUs that are left as they are, and their signs.

With s = ReLU, a *form* is a sum of integers times numbered terms: 0 … n−1 are the
coordinates of x, n is the constant 1, n+1+2i is s(h_i) and n+2+2i is s(−h_i).  The
*atoms* h_i are earlier forms: coprime integers, that of the lowest term positive, no
terms s(−h_j).  Since s(gt) = g·s(t) for g > 0 and s(−t) = s(t) − t, each function
g·s(±h) is written in one way, and ± a sum of terms ≥ 0 has a sign.  So neurons that are
permuted, scaled, split into collinear ones, turned around, linear or dead by signs disappear from
the difference of two networks without any cutting of space.

Units k of some networks are numbered through the networks, their hidden layers, and the units
in these, from 0; a linear unit passes its form on as it is, and names nothing.  The first one with
preactivation g·h, g ≠ 0, *names* the atom h; later ones share its sign or its atom.  All this, and
the integers of preactivations, is as in the checker, so that a sign or a multiplier of a neuron is
said of the same thing there.

*The sign of a formal preactivation on a cell*, without cutting the cell: every atom a = s(h)
satisfies a ≥ 0 and a − h ≥ 0.  With a variable for each atom, these and the rows of the cell are
linear.  If they exclude h_0 > 0, a neuron with preactivation h_0 is dead on the cell; if they
exclude h_0 < 0, it is linear there (:func:`refutation`).

*Signs of hidden neurons on a whole domain*, as far as they are found without cutting it: interval
arithmetic first (:mod:`exactrelu.network.roles`); then, layer by layer, an LP for each neuron that
is left: with an affine preactivation it decides; for the others the relaxation s(z) ≥ 0,
s(z) ≥ z of earlier neurons may.  Each sign that is found makes the preactivations of later layers
simpler.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from flint import fmpq, fmpz_mat

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import ONE, ZERO
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.network.roles import bounded_signs
from exactrelu.polyhedra.answers import Infeasible, IntegerRow
from exactrelu.polyhedra.chart import Chart
from exactrelu.polyhedra.lp import feasible

#: Entries of a dictionary that the exact simplex of one relaxation may change: a few seconds.
MAX_ENTRIES = 10_000_000
#: Pivots that it may always take.
MIN_PIVOTS = 64
#: From so many bits on the atoms are scaled: as they are, floats cannot see them beside x.
MIN_BITS = 32

#: Forms are multiplied as matrices from so many products on; below so many weights nobody looks.
MIN_PRODUCTS, FEW_WEIGHTS = 2**14, 2**8

#: Term to an integer that is not 0.
Form = Mapping[int, int]

#: A layer scaled to integers: its scale, [w…, b] for each unit, and which units are linear.
IntegerLayer = tuple[int, tuple[tuple[int, ...], ...], tuple[bool, ...]]


def integer_layers(network: Network) -> tuple[IntegerLayer, ...]:
    """All layers, each scaled to integers."""
    found = []
    for layer in network.layers:
        matrix, scale = layer.affine.integer_form
        rows = tuple(tuple(map(int, row)) for row in matrix.tolist())
        found.append((int(scale), rows, layer.passes))
    return tuple(found)


@dataclass(frozen=True)
class Implied:
    """Why a neuron has a sign: it is ``sign`` times a form all of whose terms are ≥ 0.

    Or it is a multiple of a later neuron with a sign, the ``twin``, whose form is ``form``.
    """

    sign: int
    form: Form
    twin: int | None = None


@dataclass(frozen=True)
class Passed:
    """Networks where some neurons have a sign.

    ``outputs[i]`` are those of network i over the denominator ``dens[i]``.  ``names`` has for each
    atom h that is left the neuron that names it, and the factor g of its preactivation g·h;
    ``users`` has the networks with such neurons, ``units`` the atom h and the factor g of every
    neuron whose preactivation g·h is not constant.  ``signs`` has all neurons without atom: 1 if
    ReLU leaves them as they are, else −1.  ``implied`` are atoms that need not be left.
    """

    outputs: Sequence[Sequence[Form]]
    dens: Sequence[int]
    names: Mapping[int, tuple[int, int]]
    users: Mapping[int, set[int]]
    units: Mapping[int, tuple[int, int]]
    signs: Mapping[int, int]
    implied: Mapping[int, Implied]


class Atoms:
    """The atoms of forms in n coordinates t, numbered as they appear.

    The inputs of networks are x = C·(t, 1)/σ on a flat domain, else x = t.
    """

    def __init__(self, chart: Chart, effort: Effort = UNLIMITED) -> None:
        self.n_inputs = chart.dimension
        self._inputs = [_form(line) for line in chart.inputs]
        self._factor = chart.factor
        self._effort = effort
        self.forms: list[Form] = []
        self._numbers: dict[frozenset[tuple[int, int]], int] = {}

    def plain(self, form: Form) -> Form:
        """The same function without terms s(−h)."""
        first = self.n_inputs + 1
        parts: list[tuple[int, Form]] = []
        for term in form:
            if term > first and (term - first) % 2:
                value = form[term]
                parts += [(value, {term - 1: 1}), (-value, self.forms[(term - first) // 2])]
        if not parts:
            return form
        kept = {t: v for t, v in form.items() if t < first or (t - first) % 2 == 0}
        return total([(1, kept), *parts])

    def _plain(
        self, rows: Sequence[IntegerRow], inputs: Sequence[Form], forms: list[Form]
    ) -> list[Form]:
        """The sums of ``inputs`` that rows are, which are ``forms``, without terms s(−h)."""
        if len(rows) * len(inputs) < FEW_WEIGHTS:
            return [self.plain(form) for form in forms]
        simple = [self.plain(form) for form in inputs]
        if all(one is other for one, other in zip(simple, inputs, strict=True)):
            return forms
        if is_for_matrices(rows, simple):
            return products(rows, simple, self._effort)
        return [self.plain(form) for form in forms]

    def row(self, form: Form) -> IntegerRow | None:
        """(a, b) of a form a·x + b, or None if it has atoms."""
        n = self.n_inputs
        if any(term > n for term in form):
            return None
        return tuple(form.get(term, 0) for term in range(n + 1))

    def inside(self, form: Form) -> list[int]:
        """The numbers of the atoms in a plain form."""
        first = self.n_inputs + 1
        return [(term - first) // 2 for term in form if term >= first]

    def closure(self, form: Form) -> list[int]:
        """The atoms in a plain form and inside these."""
        found: dict[int, None] = {}
        stack = [form]
        while stack:
            for number in self.inside(stack.pop()):
                if number not in found:
                    found[number] = None
                    stack.append(self.forms[number])
        return sorted(found)

    def value(self, number: int, point: Sequence[int], known: dict[int, int]) -> int:
        """An atom at a point (X, D), D > 0: D·h(X/D).  ``known`` are values at that point."""
        if number not in known:
            self._effort.spend()
            first = self.n_inputs + 1
            known[number] = sum(
                value
                * (point[t] if t < first else max(0, self.value((t - first) // 2, point, known)))
                for t, value in self.forms[number].items()
            )
        return known[number]

    def is_affine(self, number: int) -> bool:
        """Whether an atom is an affine function of x."""
        return all(term <= self.n_inputs for term in self.forms[number])

    def atom(self, form: Form) -> tuple[int, int, int]:
        """(g, sign, number) with form = sign·g·h, g > 0; the form is plain and not 0."""
        common = math.gcd(*form.values())
        sign = 1 if form[min(form)] > 0 else -1
        divided = {term: sign * (value // common) for term, value in form.items()}
        number = self._numbers.setdefault(frozenset(divided.items()), len(self.forms))
        if number == len(self.forms):
            self.forms.append(divided)
        return common, sign, number

    def through(
        self, networks: Sequence[Sequence[IntegerLayer]], signs: Mapping[int, int]
    ) -> Passed:
        """Networks, given by their integer layers, where some neurons have a known sign."""
        found = _Pass(self, signs)
        outputs, dens = [], []
        #: The products of layers, which networks that begin in the same way have in common.
        made: dict[int, tuple[Sequence[IntegerRow], Sequence[Form], list[Form], list[Form]]] = {}
        for network, layers in enumerate(networks):
            inputs, den = [*self._inputs], self._factor
            for l, (scale, rows, passes) in enumerate(layers):
                inputs.append({self.n_inputs: den})
                den *= scale
                if l == len(layers) - 1:
                    inputs = products(rows, inputs, self._effort)
                    break
                if l not in made or made[l][:2] != (rows, inputs):
                    forms = products(rows, inputs, self._effort)
                    made[l] = rows, inputs, forms, self._plain(rows, inputs, forms)
                *_, before, simple = made[l]
                units = zip(before, simple, passes, strict=True)
                inputs = [found.unit(form, g, network, p) for form, g, p in units]
            outputs.append(inputs)
            dens.append(den)
        known = found.names, found.users, found.units, found.signs, found.implied
        return Passed(outputs, dens, *known)


class _Pass:
    """The neurons of some networks, one after the other."""

    def __init__(self, atoms: Atoms, known: Mapping[int, int]) -> None:
        self._atoms, self._known = atoms, known
        self._next = 0
        #: The sign of atoms whose first neuron has one.
        self._first: dict[int, int] = {}
        self.names: dict[int, tuple[int, int]] = {}
        self.users: dict[int, set[int]] = {}
        self.units: dict[int, tuple[int, int]] = {}
        self.signs: dict[int, int] = {}
        self.implied: dict[int, Implied] = {}

    def unit(self, form: Form, plain: Form, network: int, is_linear: bool) -> Form:
        """What the next unit makes of its preactivation: s(form), or the form itself."""
        k, self._next = self._next, self._next + 1
        return form if is_linear else self._relu(k, form, plain, network)

    def _relu(self, k: int, form: Form, plain: Form, network: int) -> Form:
        n = self._atoms.n_inputs
        own = self._known.get(k, 0)
        if plain.keys() <= {n}:
            self.signs[k] = 1 if (own or plain.get(n, 0)) > 0 else -1
            return plain if self.signs[k] > 0 else {}
        common, upright, number = self._atoms.atom(plain)
        self.units[k] = number, upright * common
        if number in self.names:
            if own and number not in self.implied:
                named = self.names[number][1]
                sign = own if named * upright > 0 else -own
                self.implied[number] = Implied(sign, plain, k)
        else:
            own = own or upright * self._first.get(number, 0)
            if own:
                self._first.setdefault(number, own * upright)
            else:
                self.names[number] = k, upright * common
                self._note_sign(number, form, plain)
        if own:
            self.signs[k] = own
            return plain if own > 0 else {}
        self.users.setdefault(number, set()).add(network)
        return {n + 1 + 2 * number + (upright < 0): common}

    def _note_sign(self, number: int, form: Form, plain: Form) -> None:
        for version in (form,) if plain is form else (form, plain):
            if min(version) >= self._atoms.n_inputs:
                for sign in (1, -1):
                    if all(sign * value > 0 for value in version.values()):
                        self.implied[number] = Implied(sign, version)
                        return


def _form(row: IntegerRow) -> Form:
    return {term: value for term, value in enumerate(row) if value}


def total(parts: Iterable[tuple[int, Form]]) -> Form:
    """A sum of forms times integers."""
    sums: dict[int, int] = {}
    for factor, form in parts:
        if factor:
            for term, value in form.items():
                sums[term] = sums.get(term, 0) + factor * value
    return {term: value for term, value in sums.items() if value}


def products(
    rows: Sequence[IntegerRow], inputs: Sequence[Form], effort: Effort = UNLIMITED
) -> list[Form]:
    """The sums of forms that rows are, by one product of matrices where that is faster.

    >>> products([(2, 3), (1, -1)], [{0: 1, 1: 1}, {0: 1}])
    [{0: 5, 1: 2}, {1: 1}]
    """
    if not is_for_matrices(rows, inputs):
        found = []
        for row in rows:
            effort.spend()
            found.append(total(zip(row, inputs, strict=True)))
        return found
    effort.spend()
    terms = [*dict.fromkeys(term for form in inputs for term in form)]
    table = [[form.get(term, 0) for term in terms] for form in inputs]
    product = fmpz_mat([list(row) for row in rows]) * fmpz_mat(table)
    effort.spend()
    return [
        {term: int(value) for term, value in zip(terms, row, strict=True) if value}
        for row in product.tolist()
    ]


def is_for_matrices(rows: Sequence[IntegerRow], inputs: Sequence[Form]) -> bool:
    """Whether sums of forms are found faster by a product of matrices."""
    n_terms = sum(map(len, inputs))
    return n_terms > len(inputs) and n_terms * len(rows) >= MIN_PRODUCTS


#: Atoms, and multipliers u, v of a ≥ 0 and of a − h ≥ 0.
Facts = tuple[tuple[int, fmpq, fmpq], ...]


def refutation(
    atoms: Atoms, cell: LinearSystem, form: Form, effort: Effort = UNLIMITED
) -> tuple[tuple[tuple[int, int], ...], Facts] | None:
    """Why ``form`` > 0 has no solution in the cell: multipliers, or None if none are found.

    The first are those of the rows of the cell and, last, of the form.
    """
    inside = atoms.closure(form)
    places = {number: cell.dimension + k for k, number in enumerate(inside)}
    dimension = cell.dimension + len(inside)
    padding = (ZERO,) * len(inside)
    rows = [Row((*row.flint_normal, *padding), row.flint_offset, row.sense) for row in cell.rows]
    rows.append(_row(atoms, form, places, dimension, Sense.GREATER))
    for number in inside:
        atom = {atoms.n_inputs + 1 + 2 * number: 1}
        rest = {term: -value for term, value in atoms.forms[number].items()}
        rows.append(_row(atoms, atom, places, dimension, Sense.AT_LEAST))
        rows.append(_row(atoms, {**rest, **atom}, places, dimension, Sense.AT_LEAST))
    rows = _scaled(rows, atoms, inside)
    most = max(MIN_PIVOTS, MAX_ENTRIES // (dimension * len(rows)))
    system = LinearSystem(dimension, tuple(rows))
    answer = effort.tried(lambda part: feasible(system, effort=part), pivots=most)
    if not isinstance(answer, Infeasible):
        return None
    n_rows = len(cell.rows) + 1
    used = dict(answer.multipliers)
    facts = []
    for k, number in enumerate(inside):
        u, v = (fmpq(used.get(n_rows + 2 * k + j, 0)) for j in (0, 1))
        if u or v:
            facts.append((number, u, v))
    return tuple((i, value) for i, value in answer.multipliers if i < n_rows), tuple(facts)


def _scaled(rows: list[Row], atoms: Atoms, inside: Sequence[int]) -> list[Row]:
    """The rows where atoms are measured in multiples of their largest coefficient.

    That changes no multiplier of a row.
    """
    sizes = [max(map(abs, atoms.forms[number].values())).bit_length() for number in inside]
    if max(sizes, default=0) < MIN_BITS:
        return rows
    n = len(rows[0].flint_normal) - len(inside)
    units = [fmpq(1 << size) for size in sizes]
    return [
        Row(
            (
                *row.flint_normal[:n],
                *(u * v for u, v in zip(units, row.flint_normal[n:], strict=True)),
            ),
            row.flint_offset,
            row.sense,
        )
        for row in rows
    ]


def _row(atoms: Atoms, form: Form, places: dict[int, int], dimension: int, sense: Sense) -> Row:
    normal: list[fmpq] = [ZERO] * dimension
    n = atoms.n_inputs
    for term, value in form.items():
        if term != n:
            normal[term if term < n else places[(term - n - 1) // 2]] = value * ONE
    return Row(tuple(normal), form.get(n, 0) * ONE, sense)


#: Hidden layer and number, from 0, to +1 (linear) or −1 (dead).
Signs = Mapping[tuple[int, int], int]


def root_signs(network: Network, domain: LinearSystem, effort: Effort = UNLIMITED) -> Signs:
    """The signs that are found; ``domain`` is open and not empty.

    s(x) + s(1 − x) − 1/2 is positive everywhere:

    >>> net = Network.from_arrays([[[1], [-1]], [[1, 1]], [[1]]], [[0, 1], ["-1/2"], [0]])
    >>> root_signs(net, LinearSystem(1))
    {(1, 0): 1}
    """
    atoms = Atoms(Chart.of(network.n_inputs, ()), effort)
    layers = (integer_layers(network),)
    places = [(l, i) for l, width in enumerate(network.hidden_widths) for i in range(width)]
    known = bounded_signs(network, domain, effort)
    signs: dict[int, int] = {}
    tried: set[int] = set()
    while True:
        passed = atoms.through(layers, signs)
        left = passed.names.items()
        new = sorted((k, number, factor) for number, (k, factor) in left if number not in tried)
        if not new:
            return {places[k]: sign for k, sign in passed.signs.items()}
        layer = places[new[0][0]][0]
        for k, number, factor in new:
            if places[k][0] > layer:
                break
            effort.spend()
            tried.add(number)
            implied = passed.implied.get(number)
            sign = implied.sign if implied else known.get(places[k])
            sign = sign or _sign(atoms, domain, number, factor, effort)
            if sign is not None:
                signs[k] = sign


def _sign(
    atoms: Atoms, domain: LinearSystem, number: int, factor: int, effort: Effort
) -> int | None:
    """The sign of a neuron whose preactivation is ``factor`` times an atom."""
    form = atoms.forms[number]
    for sign in (1, -1):
        beyond = {term: -sign * value for term, value in form.items()}
        if refutation(atoms, domain, beyond, effort) is not None:
            return sign if factor > 0 else -sign
    return None
