"""One network and a value: no point of the domain is taken to it.

A *value* is a property whose one case says of every output that it is that of the value: equations.
It is the negation of the claim ``in-range`` of certificates; the checker makes the same rows.

Symbols: y ``output``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.property import Property


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
