"""What claims speak of: rational vectors and matrices, networks, systems, domains.

A *network* is a list of layers x ↦ [W|b]·(x, 1)/den. Every layer but the last is followed
by ReLU, except at its *linear units*, which pass their preactivation on as it is.

A *system* has rows a·x + b = 0 (eq), >= 0 (ge) or > 0 (gt). A *domain* is a system in
normal form: rows with gcd 1 and a != 0, equations with a positive first entry, sorted, none
twice. With a point p at which equations are 0 and all other rows are > 0
(``evidence.inside``) the affine hull of the domain D is the solution set of its equations,
and relint D is where the other rows are > 0.

*Slice.* Solving the equations one after the other leaves free coordinates t: x = C·(t, 1)/σ
with integers and σ > 0. C and σ are the *chart*: from there on D is full-dimensional in
R^d.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import chain, compress
from math import gcd
from typing import Any, NamedTuple

from .file import Proof, form, need
from .numbers import (
    Entries,
    Row,
    bits,
    dots,
    longest,
    paired,
    pivot_place,
    plane_of,
    primitive,
    sign_of,
    substituted,
    total,
)

_INTEGER = re.compile("-?[1-9a-f][0-9a-f]*|0")
Placed = tuple[list[Row], list[bool], list[Row], int]


class Vector(NamedTuple):
    """The rational vector nums / den, den > 0."""

    den: int
    nums: Row

    @property
    def dim(self) -> int:
        """How many entries it has."""
        return len(self.nums)


class Matrix(NamedTuple):
    """The rational matrix rows / den, den > 0."""

    den: int
    rows: tuple[Row, ...]
    width: int


class Layer(NamedTuple):
    """x ↦ rows·(x, 1)/den, and the units after which there is no ReLU."""

    den: int
    rows: tuple[Row, ...]
    linear: frozenset[int]
    bits: int  # outputs have at most so many bits more than inputs

    @property
    def width(self) -> int:
        """The length of a row."""
        return len(self.rows[0])

    @property
    def entries(self) -> int:
        """How many numbers the rows have."""
        return sum(map(len, self.rows))


class Network(NamedTuple):
    """Layers, the last of which is affine."""

    layers: tuple[Layer, ...]

    @property
    def hidden(self) -> tuple[Layer, ...]:
        """The layers with neurons."""
        return self.layers[:-1]

    @property
    def widths(self) -> tuple[int, ...]:
        """The number of inputs, and of units in every layer."""
        return (
            self.layers[0].width - 1,
            *(len(layer.rows) for layer in self.layers),
        )

    @property
    def is_plain(self) -> bool:
        """Whether there are no linear units."""
        return not any(layer.linear for layer in self.layers)

    def values(self, proof: Proof, point: Vector) -> list[Vector]:
        """Return the preactivations of every layer at a point, the last ones are the
        outputs.
        """
        inputs, found = point, []
        for layer in self.layers:
            nums = dots(proof, layer.rows, (*inputs.nums, inputs.den), layer.bits)
            found.append(Vector(inputs.den * layer.den, tuple(nums)))
            inputs = passed_on(layer, found[-1])
        return found

    def signs(self, values: list[Vector]) -> list[str]:
        """Return the signs of hidden preactivations, a string for each layer; = if
        linear.
        """
        pairs = paired(self.hidden, values[:-1])
        marks = (
            (layer.linear, ["0+-"[sign_of(z)] for z in at]) for layer, (_, at) in pairs
        )
        return [
            "".join("=" if i in kept else s for i, s in enumerate(row))
            for kept, row in marks
        ]


class System(NamedTuple):
    """Rows in R^dim, each with its sense."""

    dim: int
    senses: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def pairs(self) -> list[tuple[str, Row]]:
        """Each sense with its row."""
        return list(paired(self.senses, self.rows))

    @property
    def strict(self) -> list[bool | None]:
        """Of each row whether it is > 0, >= 0, or None for = 0."""
        return [None if sense == "eq" else sense == "gt" for sense in self.senses]


class Domain(System):
    """A system in normal form."""


class Chart(NamedTuple):
    """x_i = inputs[i]·(t, 1)/factor, t in R^dim."""

    dim: int
    inputs: tuple[Row, ...]
    factor: int

    def pulled(self, row: Row) -> Row:
        """Return a row over x as a row over t, times the factor."""
        if self.factor == 1 and self.dim == len(row) - 1:  # without an equation t is x
            return row
        *normal, constant = row
        shift = (0,) * self.dim + (constant * self.factor,)
        return total((*filter(None, normal), 1), (*compress(self.inputs, normal), shift))


def system_of(dim: int, pairs: Sequence[tuple[str, Row]]) -> System:
    """Return the system of some senses with their rows."""
    return System(dim, tuple(sense for sense, _ in pairs), tuple(row for _, row in pairs))


def layer_of(den: int, rows: Iterable[Entries], linear: Iterable[int] = ()) -> Layer:
    """Return a layer, with the bits that it adds."""
    found = tuple(map(tuple, rows))
    return Layer(
        den, found, frozenset(linear), bits([den, *(sum(map(abs, r)) for r in found)])
    )


def passed_on(layer: Layer, values: Vector) -> Vector:
    """Return preactivations after the ReLU of a hidden layer."""
    nums = (z if i in layer.linear else max(z, 0) for i, z in enumerate(values.nums))
    return Vector(values.den, tuple(nums))


def difference(x: Vector, y: Vector) -> Vector:
    """Return x - y, for vectors of one length."""
    pairs = paired(x.nums, y.nums)
    return Vector(x.den * y.den, tuple(a * y.den - b * x.den for a, b in pairs))


def contains(proof: Proof, system: System, point: Vector, inner: bool = False) -> bool:
    """Tell whether a point solves a system; with ``inner``, inequalities strictly."""
    values = dots(proof, system.rows, (*point.nums, point.den), longest(system.rows))
    closed = ("eq",) if inner else ("eq", "ge")
    pairs = paired(system.senses, values)
    return all(
        value > 0 and sense != "eq" if value else sense in closed for sense, value in pairs
    )


def pulled(proof: Proof, base: Chart, rows: Sequence[Row]) -> list[Row]:
    """Return rows over x as rows over t, times the factor of the chart."""
    entries = len(rows) + sum(map(bool, chain(*rows)))
    size = max(base.factor.bit_length(), longest(base.inputs))
    proof.spend(entries * (base.dim + 1), size, longest(rows))
    return [*map(base.pulled, rows)]


def placed(proof: Proof, base: Chart, domain: System, layer: Sequence[Row] = ()) -> Placed:
    """Return over t the rows 1 > 0 and those of a domain but equations; which are strict;
    those of a layer; the bits of all of them.

    All but the first have the factor of the chart.
    """
    inner = [(sense, row) for sense, row in domain.pairs if sense != "eq"]
    strict = [True, *(sense == "gt" for sense, _ in inner)]
    given = pulled(proof, base, [*(row for _, row in inner), *layer])
    rows = [(0,) * base.dim + (1,), *given]
    return rows[: len(strict)], strict, rows[len(strict) :], longest(rows)


def coordinates(proof: Proof, n: int) -> tuple[Row, ...]:
    """Return the coordinates of R^n as rows."""
    proof.spend(64 * n * n)  # a matrix that no file has: it takes memory too
    return tuple((0,) * i + (1,) + (0,) * (n - i) for i in range(n))


def chart(proof: Proof, domain: System) -> Chart:
    """Solve the equations of a domain for some coordinates."""
    n = domain.dim
    found = Chart(n, coordinates(proof, n), 1)
    for row in (row for sense, row in domain.pairs if sense == "eq"):
        sizes = [found.factor.bit_length(), *map(int.bit_length, chain(*found.inputs))]
        # Most entries are 0; products with the others cost their bits.
        proof.spend(2 * len(sizes) + (sum(sizes) * (2 * max(sizes) + bits(row)) >> 16))
        equation = primitive(found.pulled(row))
        place = pivot_place(equation)
        if place is None:
            need(not any(equation), "domain-empty", "the equations contradict each other")
            continue
        rows = (substituted(line, equation, place) for line in found.inputs)
        found = Chart(found.dim - 1, tuple(rows), found.factor * abs(equation[place]))
    return found


def read_table(proof: Proof, word: str, height: int, width: int) -> tuple[int, list[Row]]:
    """Read a rational matrix: its denominator, then its rows one after the other."""
    den, *entries = proof.numbers(word, 1 + height * width)
    proof.allocate(height)
    form(den > 0, "denominator-not-positive", "a denominator is positive")
    return den, [tuple(entries[i * width : (i + 1) * width]) for i in range(height)]


# The JSON of claims.


def read_fields(value: Any, *names: str) -> list[Any]:
    """Return the values of an object that has exactly these fields."""
    ok = isinstance(value, dict) and value.keys() == set(names)
    form(
        ok, "wrong-fields", f"an object with exactly the fields {', '.join(sorted(names))}"
    )
    return [value[name] for name in names]


def read_list(value: Any, length: int | None = None) -> list[Any]:
    """Return a list, of the given length if there is one."""
    form(isinstance(value, list), "not-a-list", "a JSON list is needed")
    form(length in (None, len(value)), "wrong-length", f"a list of {length} is needed")
    return list(value)


def read_index(value: Any) -> int:
    """Return a count or an index."""
    form(type(value) is int and value >= 0, "not-an-index", "a JSON integer >= 0 is needed")
    return int(value)


def read_flag(value: Any) -> bool:
    """Return true or false."""
    form(type(value) is bool, "not-yes-or-no", "true or false is needed")
    return bool(value)


def read_integer(value: Any) -> int:
    """Return an integer, a string of lowercase hexadecimal digits."""
    form(
        isinstance(value, str) and _INTEGER.fullmatch(value),
        "not-an-integer",
        "not hexadecimal",
    )
    return int(value, 16)


def read_row(value: Any, length: int | None = None) -> Row:
    """Return a list of integers, of the given length if there is one."""
    return tuple(map(read_integer, read_list(value, length)))


def read_vector(value: Any) -> Vector:
    """Return a rational vector [den, [num, …]] in lowest terms."""
    den, nums = read_list(value, 2)
    return _in_lowest_terms(read_integer(den), read_row(nums))


def read_rational(value: Any) -> Vector:
    """Return a rational number [den, num] in lowest terms."""
    den, num = read_row(value, 2)
    return _in_lowest_terms(den, (num,))


def read_bound(value: Any) -> Vector:
    """Return a rational number that is not negative."""
    bound = read_rational(value)
    form(bound.nums[0] >= 0, "bound-negative", "a bound is at least 0")
    return bound


def read_matrix(value: Any) -> Matrix:
    """Return a rational matrix {"cols", "matrix": [den, rows], "rows"} in lowest terms."""
    cols, entries, rows = read_fields(value, "cols", "matrix", "rows")
    return _read_entries(entries, read_index(cols), read_index(rows))


def _read_entries(value: Any, width: int, height: int) -> Matrix:
    den, rows = read_list(value, 2)
    read = tuple(read_row(row, width) for row in read_list(rows, height))
    return Matrix(
        _in_lowest_terms(read_integer(den), [gcd(*row) for row in read]).den, read, width
    )


def _in_lowest_terms(den: int, nums: Entries) -> Vector:
    form(den > 0, "denominator-not-positive", "a denominator is positive")
    form(gcd(den, *nums) == 1, "not-lowest-terms", "a fraction is not in lowest terms")
    return Vector(den, tuple(nums))


def read_network(value: Any) -> Network:
    """Return a network {"layers": [{"inputs", "matrix": [den, [[w, …, b], …]], "outputs"},
    …]}.

    A hidden layer may have ``linear``, the numbers of its linear units from 0, if there are
    any.
    """
    (given,) = read_fields(value, "layers")
    layers: list[Layer] = []
    for number, layer in enumerate(read_list(given), 1):
        more = ["linear"] if isinstance(layer, dict) and "linear" in layer else []
        inputs, matrix, outputs, *rest = read_fields(
            layer, "inputs", "matrix", "outputs", *more
        )
        before, height = read_index(inputs), read_index(outputs)
        form(height >= 1, "zero-width", "a layer has units")
        form(
            not layers or len(layers[-1].rows) == before,
            "widths-differ",
            "a layer does not fit",
        )
        linear = [read_index(unit) for units in rest for unit in read_list(units)]
        ok = not rest or (max(linear, default=height) < height and number < len(given))
        form(
            ok and linear == sorted(set(linear)),
            "bad-linear",
            "linear: increasing, at least 1",
        )
        entries = _read_entries(matrix, before + 1, height)
        layers.append(layer_of(entries.den, entries.rows, linear))
    form(layers, "no-layers", "a network has a layer")
    return Network(tuple(layers))


def read_plain_network(value: Any) -> Network:
    """Return a network without linear units."""
    network = read_network(value)
    form(
        network.is_plain, "linear-units", "the claim is about networks without linear units"
    )
    return network


def read_system(value: Any) -> System:
    """Return a system {"dim", "rows": [[sense, [a_1, …, a_d, b]], …]}."""
    dim, given = read_fields(value, "dim", "rows")
    size, pairs = read_index(dim), []
    for item in read_list(given):
        sense, row = read_list(item, 2)
        form(sense in ("eq", "ge", "gt"), "unknown-sense", "a sense is eq, ge or gt")
        pairs.append((sense, read_row(row, size + 1)))
    return system_of(size, pairs)


def read_domain(value: Any) -> Domain:
    """Return a domain: a system in normal form."""
    system = read_system(value)
    form(normal_form(system) == system, "domain-not-normal", "rows are not in normal form")
    return Domain(*system)


def normal_form(system: System) -> System:
    """Return the normal form of a system; a row 0·x + b has none."""
    found = set()
    for sense, row in system.pairs:
        form(any(row[:-1]), "domain-not-normal", "a row that holds everywhere or nowhere")
        found.add((sense, plane_of(row) if sense == "eq" else primitive(row)))
    return system_of(system.dim, sorted(found))
