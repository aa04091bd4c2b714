"""Properties that other claims state: of two networks on one input, and of a value.

A *pair* is a property whose two networks have one input x, and y = (f(x), g(x)).  Its cases are,
for every output k, that f's is above g's by more than ε, and then that it is below: one strict row
each.  It is the claim ``within`` of certificates; the checker counts cases in the same order.

A *value* y is a property of one network, whose one case says of every output that it is that of y:
equations.  It is the negation of the claim ``in-range``; the checker makes the same rows.

Symbols: f, g ``networks``, ε ``bound``, y ``output``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flint import fmpq

from exactrelu.errors import ShapeError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.evaluation import evaluate
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.property import Property, side_by_side


@dataclass(frozen=True, repr=False)
class NetworkPair(Property):
    """No output of two networks on a domain differs by more than a bound.

    Both have the input x, so that the domain is one of x, and ``joined`` has it once.  All else
    that decides properties is the same for them, margins of exactly 0 among it.

    ``bound`` is ε; the cases are those of it.

    >>> identity = Network.from_arrays([[[1]]], [[0]])
    >>> relu = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    >>> found = NetworkPair.within(identity, relu, Domain.of("box:-2,2", 1), fmpq(1))
    >>> found.joined.widths, found.case_at((fmpq(-1),)), found.case_at((fmpq(-2),))
    ((1, 2, 2), None, 2)
    """

    bound: fmpq = ZERO

    @classmethod
    def within(cls, f: Network, g: Network, domain: Domain, bound: fmpq) -> NetworkPair:
        """The pair with its cases."""
        return cls((f, g), domain, _beyond(domain.dimension, f.n_outputs, bound), bound=bound)

    def __post_init__(self) -> None:
        f, g = self.networks
        if (f.n_inputs, f.n_outputs) != (g.n_inputs, g.n_outputs):
            raise ShapeError("two networks with other numbers of inputs or outputs")
        if self.domain.dimension != f.n_inputs:
            found = self.domain.dimension
            raise ShapeError(f"a domain in {found} variables, expected {f.n_inputs}")

    @cached_property
    def joined(self) -> Network:
        """x ↦ (f(x), g(x)) as one network."""
        apart = side_by_side(self.networks)
        first = apart.layers[0]
        n = self.n_inputs
        left, right = (first.weights.take(columns=range(k, k + n)) for k in (0, n))
        shared = (left + right).beside(Matrix.column_vector(first.flint_bias))
        return Network((Layer(shared, first.linear), *apart.layers[1:]))

    @property
    def input_copies(self) -> int:
        """As many networks have the same input."""
        return len(self.networks)

    @property
    def statement(self) -> tuple[str, dict[str, Any]]:
        """The claim, and what it is about."""
        a, b = self.networks
        return "within", {"a": a, "b": b, "bound": self.bound, "domain": self.domain}

    def outputs(self, x: Sequence[fmpq]) -> Vector:
        """The outputs of f, then those of g."""
        f, g = self.networks
        return (*evaluate(f, tuple(x)), *evaluate(g, tuple(x)))

    def differences_at(self, x: Sequence[fmpq]) -> Vector:
        """f(x) − g(x)."""
        values, n = self.outputs(x), self.n_outputs // 2
        return tuple(values[k] - values[k + n] for k in range(n))


@dataclass(frozen=True, repr=False)
class Value(Property):
    """No point of a domain is taken to a value.

    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> asked = Value.of(absolute, Domain.of("box:-1,3", 1), (fmpq(2),))
    >>> asked.case_at((fmpq(-1),)), asked.case_at((fmpq(2),))
    (None, 1)
    """

    is_negation = True
    output: Vector = ()

    @classmethod
    def of(cls, network: Network, domain: Domain, output: Sequence[fmpq]) -> Value:
        """The value with its case."""
        n, k = network.n_inputs, network.n_outputs
        units = ((*[ZERO] * (n + i), ONE, *[ZERO] * (k - i - 1)) for i in range(k))
        pairs = zip(units, output, strict=True)
        rows = tuple(Row(unit, -y, Sense.EQUAL) for unit, y in pairs)
        return cls((network,), domain, (LinearSystem(n + k, rows),), output=tuple(output))

    @property
    def statement(self) -> tuple[str, dict[str, Any]]:
        """The claim that a point is taken to the value, and what it is about."""
        (network,) = self.networks
        return "in-range", {"network": network, "output": self.output, "domain": self.domain}


def _beyond(n_inputs: int, n_outputs: int, bound: fmpq) -> tuple[LinearSystem, ...]:
    """For every output that f's is above g's by more than a bound, and that it is below."""
    cases = []
    for k in range(n_outputs):
        for sign in (ONE, -ONE):
            normal = [ZERO] * (n_inputs + 2 * n_outputs)
            normal[n_inputs + k], normal[n_inputs + n_outputs + k] = sign, -sign
            row = Row(tuple(normal), -bound, Sense.GREATER)
            cases.append(LinearSystem(len(normal), (row,)))
    return tuple(cases)
