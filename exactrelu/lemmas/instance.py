"""An instance of a statement: networks, matrices and numbers with names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, bits
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network

Value: TypeAlias = Network | Matrix | Vector | fmpq | int | LinearSystem
_T = TypeVar("_T")


@dataclass(frozen=True)
class Instance:
    """The objects that a statement speaks about, by the names that it gives them."""

    values: Mapping[str, Value]

    @classmethod
    def of(cls, **values: Value) -> Instance:
        """An instance from named objects."""
        return cls(values)

    def network(self, name: str = "N") -> Network:
        """The network of this name."""
        return self._value(name, Network)

    def matrix(self, name: str) -> Matrix:
        """The matrix of this name."""
        return self._value(name, Matrix)

    def vector(self, name: str) -> Vector:
        """The vector of this name."""
        return self._value(name, tuple)

    def rational(self, name: str) -> fmpq:
        """The rational number of this name."""
        return self._value(name, fmpq)

    def integer(self, name: str) -> int:
        """The small natural number of this name: an index from 0, a width."""
        return self._value(name, int)

    def system(self, name: str) -> LinearSystem:
        """The polyhedron of this name."""
        return self._value(name, LinearSystem)

    def _value(self, name: str, kind: type[_T]) -> _T:
        value = self.values[name]
        if not isinstance(value, kind):
            raise TypeError(f"{name} is a {type(value).__name__}, not a {kind.__name__}")
        return value

    def replaced(self, name: str, value: Value) -> Instance:
        """The instance with another object of this name."""
        return Instance({**self.values, name: value})

    def networks(self) -> dict[str, Network]:
        """The networks by name."""
        return {name: value for name, value in self.values.items() if isinstance(value, Network)}

    def size(self) -> tuple[int, int]:
        """How many numbers it has, and how long they are together: what shrinking makes less."""
        numbers = [number for value in self.values.values() for number in numbers_of(value)]
        return len(numbers), sum(map(_length, numbers))


def numbers_of(value: Value) -> list[fmpq]:
    """All numbers of an object."""
    if isinstance(value, Network):
        return [number for layer in value.layers for number in layer.affine.entries()]
    if isinstance(value, Matrix):
        return value.entries()
    if isinstance(value, LinearSystem):
        return [fmpq(number) for row in value.rows for number in row.integers()]
    if isinstance(value, tuple):
        return list(value)
    return [fmpq(value)]


def _length(number: fmpq) -> int:
    """Bits, where 0 is shorter than 1 and 1 than −1, so that the simplest numbers win."""
    if number == 0:
        return 0
    return 2 * bits(number) + 4 * int(number.q != 1) + int(number < 0)
