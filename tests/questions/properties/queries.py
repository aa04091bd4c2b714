"""Random small properties, half of them with a margin of exactly 0 or next to it, and their truth.

Truth is found by brute force: the points of the domain with given signs −, 0, + of all neurons,
one neuron after the other, on each of which the outputs are affine, so that a case is a polyhedron
there; PPL says whether it has a point.  No linear program and no tree of the library is asked.

*Margins.*  A goal is a function g over (x, y).  Its least upper bound s on the points that satisfy
the other rows of a case comes from the vertices of those polyhedra.  A query asks g ≥ s, g > s or
g = s, or the same of s ± 2^-k with k from 41 to 60: bounds with rounding tell none of these apart.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import fraction
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.properties.property import Property
from tests.linear_units import FractionRow, brute_faces, random_domain, random_network, rows_of
from tests.questions import domain_oracle

#: Neurons of all networks: the signs of more take long to enumerate.
MOST_NEURONS = 10
KINDS = ("zero", "tiny", "any", "any")
SENSES = (Sense.AT_LEAST, Sense.GREATER, Sense.AT_LEAST, Sense.GREATER, Sense.EQUAL)


@dataclass(frozen=True)
class Query:
    """A property, whether it holds, and what kind of margin it has."""

    property: Property
    holds: bool
    kind: str


@dataclass(frozen=True)
class Piece:
    """Points with one sign for each neuron, and all outputs as functions [w…, b] of x."""

    rows: LinearSystem
    outputs: tuple[FractionRow, ...]

    def over_x(self, row: Row) -> Row:
        """A row over (x, y) on these points."""
        n = self.rows.dimension
        *weights, offset = map(fraction, (*row.flint_normal, row.flint_offset))
        found = [*weights[:n], offset]
        for weight, output in zip(weights[n:], self.outputs, strict=True):
            found = [a + weight * b for a, b in zip(found, output, strict=True)]
        return Row.of(found[:-1], found[-1], row.sense)

    def part(self, case: Sequence[Row]) -> LinearSystem:
        """The points that satisfy rows over (x, y)."""
        return LinearSystem(self.rows.dimension, (*self.rows.rows, *map(self.over_x, case)))


def random_query(rng: random.Random) -> Query:
    """A query with a domain that is not empty."""
    while True:
        networks = _networks(rng)
        n = sum(network.n_inputs for network in networks)
        try:
            domain = Domain.of(_domain(rng, n), n)
        except InputError:
            continue
        break
    found = list(pieces(networks, domain.system))
    kind = rng.choice(KINDS)
    n_variables = n + sum(network.n_outputs for network in networks)
    cases = [_case(rng, n, n_variables) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
    if kind != "any":
        # Only one case is near its margin; the others must not settle the query.
        cases = [case for case in cases if not is_satisfied(case, found)][:2]
        cases.insert(rng.randint(0, len(cases)), _near(rng, kind, n, n_variables, found))
    systems = tuple(LinearSystem(n_variables, tuple(case)) for case in cases)
    holds = not any(is_satisfied(case, found) for case in cases)
    return Query(Property(networks, domain, systems), holds, kind)


def pieces(networks: Sequence[Network], domain: LinearSystem) -> Iterator[Piece]:
    """The pieces of a domain, by the signs of one network after the other."""
    todo: list[tuple[int, int, LinearSystem, tuple[FractionRow, ...]]] = [(0, 0, domain, ())]
    while todo:
        k, start, rows, outputs = todo.pop()
        if k == len(networks):
            yield Piece(rows, outputs)
            continue
        end = start + networks[k].n_inputs
        for face in brute_faces(_widened(networks[k], start, domain.dimension), rows):
            todo.append((k + 1, end, face.rows, (*outputs, *map(list, face.map))))


def is_satisfied(case: Sequence[Row], found: Sequence[Piece]) -> bool:
    """Whether some point satisfies all rows of a case."""
    return any(not Polyhedron(piece.part(case)).is_empty for piece in found)


def supremum(goal: Row, others: Sequence[Row], found: Sequence[Piece]) -> Fraction | None:
    """The least upper bound of a function where other rows hold; None: there is none."""
    values: list[Fraction] = []
    for piece in found:
        part = Polyhedron(piece.part(others))
        if part.is_empty:
            continue
        closure = part.closure()
        *normal, offset = map(fraction, _entries(piece.over_x(goal)))
        for direction in closure.rays:
            if _dot(normal, map(fraction, direction)) > 0:
                return None
        if any(_dot(normal, map(fraction, line)) for line in closure.lineality):
            return None
        values += [_dot(normal, map(fraction, v)) + offset for v in closure.vertices]
    return max(values, default=None)


def _near(
    rng: random.Random, kind: str, n: int, n_variables: int, found: Sequence[Piece]
) -> list[Row]:
    """A case with a row whose margin is 0 or tiny, beside rows that some point satisfies."""
    while True:
        others = _case(rng, n, n_variables)[: rng.choice((0, 0, 1, 2))]
        goal = _row(rng, n, n_variables)
        most = supremum(goal, others, found)
        if most is None:
            # A constant has a bound on every domain.
            goal = Row.of([0] * n_variables, 0) if rng.random() < 0.1 else goal
            most = supremum(goal, others, found)
        if most is None:
            continue
        shift = (
            Fraction(0)
            if kind == "zero"
            else Fraction(rng.choice((-1, 1)), 2 ** rng.randint(41, 60))
        )
        *normal, offset = _entries(goal)
        row = Row.of(normal, fraction(offset) - most - shift, rng.choice(SENSES))
        return rng.sample([row, *others], 1 + len(others))


def _case(rng: random.Random, n: int, n_variables: int) -> list[Row]:
    return [_row(rng, n, n_variables) for _ in range(rng.choice((1, 1, 2, 3)))]


def _row(rng: random.Random, n: int, n_variables: int) -> Row:
    """A row over (x, y), mostly over y."""
    of_x = rng.random() < 0.3
    of_y = not of_x or rng.random() < 0.8
    weights = [
        Fraction(rng.randint(-3, 3), rng.choice((1, 1, 1, 2, 3))) if wanted else 0
        for wanted in [*[of_x] * n, *[of_y] * (n_variables - n)]
    ]
    return Row.of(weights, Fraction(rng.randint(-6, 6), rng.choice((1, 2))), rng.choice(SENSES))


def _networks(rng: random.Random) -> tuple[Network, ...]:
    """One network, or two, with few neurons; now and then with more of them and few inputs."""
    if rng.random() < 0.1:
        wide = random_network(rng, n_inputs=rng.randint(1, 2), most=7, deepest=2)
        return (Network(tuple(Layer(layer.affine) for layer in wide.layers)),)
    while True:
        sizes = rng.choice(((1,), (2,), (2,), (3,), (1, 1), (2, 1)))
        found = tuple(_network(rng, n) for n in sizes)
        if sum(network.n_hidden_neurons for network in found) <= MOST_NEURONS:
            return found


def _network(rng: random.Random, n: int) -> Network:
    """Also plain ones, such as have a layer of width 1, and such as have one that is never on."""
    network = random_network(rng, n_inputs=n, most=rng.choice((1, 2, 3, 3)))
    layers = list(network.layers)
    if rng.random() < 0.6:
        layers = [Layer(layer.affine) for layer in layers]
    if len(layers) > 2 and rng.random() < 0.1:
        rows = [[-abs(x) for x in row] for row in rows_of(layers[1])]
        layers[1] = Layer(Matrix(rows, layers[1].n_inputs + 1))
    return Network(tuple(layers))


def _domain(rng: random.Random, n: int) -> LinearSystem:
    """Rows of any kind, some of them strict."""
    if rng.random() < 0.6:
        system = random_domain(rng, n)
    else:
        system = domain_oracle.random_domain(rng, n, rng.choice(domain_oracle.KINDS)).system
    share = rng.choice((0, 0, 0.3, 1))
    rows = (
        row.of_sense(Sense.GREATER) if row.sense is Sense.AT_LEAST and rng.random() < share else row
        for row in system.rows
    )
    return LinearSystem(n, tuple(rows))


def _widened(network: Network, start: int, n: int) -> Network:
    """The network of some of n inputs, from ``start`` on."""
    first, *others = network.layers
    after = n - start - first.n_inputs
    rows = [
        [*[Fraction(0)] * start, *row[:-1], *[Fraction(0)] * after, row[-1]]
        for row in rows_of(first)
    ]
    return Network((Layer(Matrix(rows, n + 1), first.linear), *others))


def _entries(row: Row) -> tuple[object, ...]:
    return (*row.flint_normal, row.flint_offset)


def _dot(a: Sequence[Fraction], b: Iterator[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))
