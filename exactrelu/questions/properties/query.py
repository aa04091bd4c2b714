"""A verification query: declared networks, and a formula over their inputs and outputs.

A query of the VNN-LIB standard (https://www.vnnlib.org) declares networks by their *tensors*,
inputs, hidden nodes and outputs, each with an element type and a shape.  The *variables* are the
entries of all tensors, in the order of declaration, row-major, and are numbered from 0.  An *atom*
compares a linear form in them, with rational coefficients, with 0; the *formula* is made of atoms
by and, or.  The query is ``sat`` if some inputs, with what the networks make of them, satisfy it.

Both versions of the standard are read into this one model (:mod:`.vnnlib1`, :mod:`.vnnlib2`).

Symbols: a form Σ c_v·v + d as ``terms`` (v, c_v) and ``constant`` d.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TypeAlias

from flint import fmpq

from exactrelu.display import Shown
from exactrelu.errors import InputError
from exactrelu.exact.scalar import ZERO, bits
from exactrelu.exact.system import Sense

#: A coefficient of more bits is refused: products of short numbers can be as long as one likes.
MAX_BITS = 2**20


class Relation(Enum):
    """How the value of a form compares with 0."""

    AT_MOST = "<="
    LESS = "<"
    AT_LEAST = ">="
    GREATER = ">"
    EQUAL = "=="
    UNEQUAL = "!="

    @property
    def senses(self) -> tuple[tuple[int, Sense], ...]:
        """The rows of which one must hold: the form times ±1, and its sense."""
        return _SENSES[self]

    @property
    def opposite(self) -> Relation:
        """The relation that holds where this one does not."""
        return _OPPOSITES[self]

    def holds(self, value: fmpq) -> bool:
        """Whether the value compares so with 0."""
        return any(sense.holds(sign * value) for sign, sense in self.senses)

    def margin(self, value: fmpq) -> fmpq:
        """By how much it holds; if it fails, less than 0, or 0 where it fails by nothing.

        >>> [str(relation.margin(fmpq(-2))) for relation in Relation]
        ['2', '2', '-2', '-2', '-2', '2']
        """
        if self is Relation.EQUAL:
            return -abs(value)
        return max(sign * value for sign, _ in self.senses)


_SENSES = {
    Relation.AT_MOST: ((-1, Sense.AT_LEAST),),
    Relation.LESS: ((-1, Sense.GREATER),),
    Relation.AT_LEAST: ((1, Sense.AT_LEAST),),
    Relation.GREATER: ((1, Sense.GREATER),),
    Relation.EQUAL: ((1, Sense.EQUAL),),
    Relation.UNEQUAL: ((1, Sense.GREATER), (-1, Sense.GREATER)),
}
_OPPOSITES = {
    Relation.AT_MOST: Relation.GREATER,
    Relation.LESS: Relation.AT_LEAST,
    Relation.AT_LEAST: Relation.LESS,
    Relation.GREATER: Relation.AT_MOST,
    Relation.EQUAL: Relation.UNEQUAL,
    Relation.UNEQUAL: Relation.EQUAL,
}


@dataclass(frozen=True)
class Linear:
    """A linear form in the variables: what arithmetic makes of them.

    >>> x, y = Linear.variable(0), Linear.variable(1)
    >>> Linear.sum((x, y * fmpq(-2), Linear({}, fmpq(3))))
    Linear(terms={0: 1, 1: -2}, constant=3)
    """

    terms: Mapping[int, fmpq]
    constant: fmpq = ZERO

    @classmethod
    def variable(cls, v: int) -> Linear:
        """The form v."""
        return cls({v: fmpq(1)})

    @classmethod
    def sum(cls, forms: Iterable[Linear]) -> Linear:
        """The sum of some forms."""
        terms: dict[int, fmpq] = {}
        constant = ZERO
        for form in forms:
            for v, c in form.terms.items():
                terms[v] = short(terms.get(v, ZERO) + c)
            constant = short(constant + form.constant)
        return cls(terms, constant)

    @classmethod
    def product(cls, forms: Iterable[Linear]) -> Linear:
        """The product of some forms, if it is linear."""
        product = cls({}, fmpq(1))
        for form in forms:
            if product.terms and form.terms:
                raise InputError("found a product of variables, expected a linear term")
            product = product * form.constant if product.terms else form * product.constant
        return product

    def __mul__(self, factor: fmpq) -> Linear:
        terms = {v: short(c * factor) for v, c in self.terms.items()}
        return Linear(terms, short(self.constant * factor))

    def __sub__(self, other: Linear) -> Linear:
        return Linear.sum((self, other * fmpq(-1)))

    def compared(self, relation: Relation, line: int, text: str) -> Atom:
        """The atom that compares the form with 0."""
        terms = tuple(sorted((v, c) for v, c in self.terms.items() if c))
        return Atom(terms, self.constant, relation, line, text)


def short(value: fmpq) -> fmpq:
    """The number, unless it has too many bits."""
    if bits(value) > MAX_BITS:
        raise InputError(f"found a number of more than {MAX_BITS:,} bits")
    return value


@dataclass(frozen=True)
class Atom:
    """A linear form compared with 0, the line where it stands, and its text there."""

    terms: tuple[tuple[int, fmpq], ...]
    constant: fmpq
    relation: Relation
    line: int = field(default=0, compare=False)
    text: str = field(default="", compare=False)

    def value(self, at: Sequence[fmpq]) -> fmpq:
        """The value of the form."""
        return sum((c * at[v] for v, c in self.terms), self.constant)

    def holds(self, at: Sequence[fmpq]) -> bool:
        """Whether it is true of these values of all variables."""
        return self.relation.holds(self.value(at))

    def margin(self, at: Sequence[fmpq]) -> fmpq:
        """By how much it holds, or fails."""
        return self.relation.margin(self.value(at))

    def atoms(self) -> Iterator[Atom]:
        """All atoms of the formula: this one."""
        yield self

    def negated(self) -> Formula:
        """True where this is false."""
        opposite = self.relation.opposite
        return Atom(self.terms, self.constant, opposite, self.line, f"(not {self.text})")


@dataclass(frozen=True)
class And:
    """True if all parts are."""

    parts: tuple[Formula, ...]

    def holds(self, at: Sequence[fmpq]) -> bool:
        """Whether it is true of these values of all variables."""
        return all(part.holds(at) for part in self.parts)

    def atoms(self) -> Iterator[Atom]:
        """All atoms of the formula."""
        return (atom for part in self.parts for atom in part.atoms())

    def negated(self) -> Formula:
        """True where this is false."""
        return Or(tuple(part.negated() for part in self.parts))


@dataclass(frozen=True)
class Or:
    """True if some part is."""

    parts: tuple[Formula, ...]

    def holds(self, at: Sequence[fmpq]) -> bool:
        """Whether it is true of these values of all variables."""
        return any(part.holds(at) for part in self.parts)

    def atoms(self) -> Iterator[Atom]:
        """All atoms of the formula."""
        return (atom for part in self.parts for atom in part.atoms())

    def negated(self) -> Formula:
        """True where this is false."""
        return And(tuple(part.negated() for part in self.parts))


Formula: TypeAlias = Atom | And | Or


@dataclass(frozen=True)
class DeclaredTensor:
    """An input, an output or a hidden node: its name, element type and shape.

    ``node`` is the name of a hidden node in the ONNX graph; others have none.
    """

    name: str
    type: str
    shape: tuple[int, ...]
    node: str = ""

    @property
    def size(self) -> int:
        """The number of its entries; that of a scalar is 1."""
        return math.prod(self.shape)

    @property
    def text(self) -> str:
        """As it is declared.

        >>> DeclaredTensor("X", "real", (1, 5)).text
        'X real [1,5]'
        """
        return f"{self.name} {self.type} [{','.join(map(str, self.shape))}]"

    def offset(self, indices: Sequence[int]) -> int:
        """The place of an entry in row-major order, indices from 0.

        >>> DeclaredTensor("X", "real", (2, 3)).offset((1, 2))
        5
        """
        place = 0
        for i, n in zip(indices, self.shape, strict=True):
            place = place * n + i
        return place

    def indices(self, place: int) -> tuple[int, ...]:
        """The indices of an entry, from its place."""
        found = []
        for n in reversed(self.shape):
            place, i = divmod(place, n)
            found.append(i)
        return tuple(reversed(found))


@dataclass(frozen=True)
class DeclaredNetwork:
    """A declared network; ``equal_to`` names one with the same file."""

    name: str
    inputs: tuple[DeclaredTensor, ...]
    outputs: tuple[DeclaredTensor, ...]
    hidden: tuple[DeclaredTensor, ...] = ()
    equal_to: str | None = None
    isomorphic_to: str | None = None

    @property
    def tensors(self) -> tuple[DeclaredTensor, ...]:
        """All tensors, in the order of their declaration."""
        return (*self.inputs, *self.hidden, *self.outputs)


@dataclass(frozen=True, repr=False)
class Query(Shown):
    """A query: networks, a formula, the version of the standard and the hash of the text."""

    version: str
    networks: tuple[DeclaredNetwork, ...]
    formula: And
    sha256: str = field(default="", compare=False)

    def _headline(self) -> str:
        return f"Query: VNN-LIB {self.version}, {len(self.formula.parts):,} assertions"

    def _facts(self) -> Iterator[tuple[str, object]]:
        for network in self.networks:
            yield network.name, ", ".join(tensor.text for tensor in network.tensors)
        yield "sha256", self.sha256

    @cached_property
    def firsts(self) -> Mapping[str, int]:
        """The first variable of each tensor, by name."""
        found, first = {}, 0
        for network in self.networks:
            for tensor in network.tensors:
                found[tensor.name] = first
                first += tensor.size
        return found

    @cached_property
    def tensors(self) -> Mapping[str, DeclaredTensor]:
        """All tensors by name."""
        return {tensor.name: tensor for network in self.networks for tensor in network.tensors}

    @property
    def n_variables(self) -> int:
        """The number of variables."""
        return sum(tensor.size for tensor in self.tensors.values())

    def variables(self, tensor: DeclaredTensor) -> range:
        """The variables of a tensor."""
        first = self.firsts[tensor.name]
        return range(first, first + tensor.size)

    def name(self, v: int) -> str:
        """A variable as the text of the query has it: ``X_3`` or ``X[0,3]``."""
        for name, first in self.firsts.items():
            tensor = self.tensors[name]
            if first <= v < first + tensor.size:
                if self.version.startswith("1."):
                    return f"{name}_{v - first}"
                indices = tensor.indices(v - first)
                return f"{name}[{','.join(map(str, indices))}]" if indices else name
        raise IndexError(v)

    @property
    def inputs(self) -> list[int]:
        """The inputs of all networks, one after the other."""
        tensors = (tensor for network in self.networks for tensor in network.inputs)
        return [v for tensor in tensors for v in self.variables(tensor)]
