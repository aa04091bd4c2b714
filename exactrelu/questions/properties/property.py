"""A property of networks: no point of a domain, with what they make of it, fits a case.

Let x be the inputs of some networks, one after the other, and y = N(x) all their outputs.  A *case*
is a system of linear rows over (x, y), strict or not.  The property *holds* on a domain D if no
x of D, exactly as D is written, satisfies all rows of any case with y = N(x).  Verification
queries ask for a point that does: ``sat`` is the negation of the property.

*Side by side* the networks are one: the layers become blocks, and a network with fewer layers is
continued by linear units that carry its outputs.

Symbols: N ``joined``, D ``domain``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, ClassVar

from flint import fmpq

from exactrelu.display import Shown
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.evaluation import evaluate
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain


@dataclass(frozen=True, repr=False)
class Property(Shown):
    """No x of the domain, with y the outputs of the networks, satisfies all rows of a case.

    With ``clauses``: none satisfies a case of each clause.

    >>> from exactrelu.exact.system import Row
    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> above = LinearSystem(2, (Row.of((0, 1), -2),))
    >>> found = Property((absolute,), Domain.of("box:-1,3", 1), (above,))
    >>> found.case_at((fmpq(1),)), found.case_at((fmpq(5, 2),))
    (None, 1)
    """

    networks: tuple[Network, ...]
    domain: Domain
    cases: tuple[LinearSystem, ...]
    #: The same cases clause by clause, if a point must satisfy one of each; () if any will do.
    clauses: tuple[tuple[LinearSystem, ...], ...] = ()
    #: Whether it is the negation of its statement.
    is_negation: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not self.networks or not self.cases:
            raise InputError("a property needs a network and a case")
        n = sum(network.n_inputs for network in self.networks)
        if self.domain.dimension != n:
            raise ShapeError(f"a domain in {self.domain.dimension} variables, expected {n}")
        for i, case in enumerate(self.cases, 1):
            if case.dimension != n + self.n_outputs:
                raise ShapeError(
                    f"case {i} has {case.dimension} variables, expected {n + self.n_outputs}: "
                    f"{n} inputs and {self.n_outputs} outputs"
                )

    @property
    def n_inputs(self) -> int:
        """The number of inputs of all networks."""
        return self.domain.dimension

    @property
    def n_outputs(self) -> int:
        """The number of outputs of all networks."""
        return sum(network.n_outputs for network in self.networks)

    def _headline(self) -> str:
        return f"Property: {len(self.cases):,} cases on {self.domain.text}"

    def _facts(self) -> Iterator[tuple[str, object]]:
        for i, network in enumerate(self.networks, 1):
            yield f"network {i}", network
        for i, case in enumerate(self.cases, 1):
            yield f"case {i}", case

    @property
    def input_copies(self) -> int:
        """How often the inputs of the networks repeat x."""
        return 1

    @property
    def statement(self) -> tuple[str, dict[str, Any]]:
        """The claim of certificates, and what it is about."""
        about: dict[str, Any] = {"networks": list(self.networks), "domain": self.domain}
        if self.clauses:
            return "formula", about | {"clauses": [list(clause) for clause in self.clauses]}
        return "property", about | {"cases": list(self.cases)}

    @cached_property
    def groups(self) -> tuple[range, ...]:
        """The numbers from 0 of the cases of each clause; all of them are one if there is none."""
        ends = list(accumulate(map(len, self.clauses or (self.cases,)), initial=0))
        return tuple(map(range, ends[:-1], ends[1:]))

    @cached_property
    def joined(self) -> Network:
        """The networks side by side, as one."""
        return side_by_side(self.networks)

    def case_at(self, x: Sequence[fmpq]) -> int | None:
        """The number of the first case that a point of the domain satisfies, from 1.

        With clauses that of the first one, if the point satisfies a case of each.
        """
        if not self.domain.system.contains(x):
            return None
        both = (*x, *self.outputs(x))
        first: int | None = None
        for group in self.groups:
            found = next((k + 1 for k in group if self.cases[k].contains(both)), None)
            if found is None:
                return None
            first = first or found
        return first

    def outputs(self, x: Sequence[fmpq]) -> Vector:
        """All outputs at x."""
        found: list[fmpq] = []
        start = 0
        for network in self.networks:
            found += evaluate(network, tuple(x[start : start + network.n_inputs]))
            start += network.n_inputs
        return tuple(found)


def side_by_side(networks: Sequence[Network]) -> Network:
    """(x_1, x_2, …) ↦ (N_1(x_1), N_2(x_2), …) as one network.

    >>> identity = Network.from_arrays([[[1]]], [[0]])
    >>> relu = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    >>> both = side_by_side([identity, relu])
    >>> both.widths, both.layers[0].linear, both([-2, -3])
    ((2, 2, 2), (1,), (-2, 0))
    """
    if len(networks) == 1:
        return networks[0]
    depth = max(len(network.layers) for network in networks)
    columns = [_continued(network, depth) for network in networks]
    return Network(tuple(map(_block, zip(*columns, strict=True))))


def _continued(network: Network, depth: int) -> list[Layer]:
    """The layers of a network, and linear ones up to some depth that carry its outputs."""
    layers, n = list(network.layers), network.n_outputs
    carried = tuple(range(1, n + 1))
    identity = Matrix([[*(ONE if i == j else ZERO for j in range(n)), ZERO] for i in range(n)])
    while len(layers) < depth:
        layers[-1] = Layer(layers[-1].affine, carried)
        layers.append(Layer(identity))
    return layers


def _block(layers: Sequence[Layer]) -> Layer:
    """Layers side by side."""
    width = sum(layer.n_inputs for layer in layers)
    rows: list[list[fmpq]] = []
    linear: list[int] = []
    start = 0
    for layer in layers:
        linear += [len(rows) + unit for unit in layer.linear]
        for *weights, bias in layer.affine.flint_rows():
            after = width - start - layer.n_inputs
            rows.append([*[ZERO] * start, *weights, *[ZERO] * after, bias])
        start += layer.n_inputs
    return Layer(Matrix(rows), tuple(linear))
