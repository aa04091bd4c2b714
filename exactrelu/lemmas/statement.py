"""A statement under test: hypotheses ⟹ conclusion, about instances from a family.

An *instance* is a set of networks, matrices and numbers with names.  As JSON each object has the
name of its type:

{"N": {"network": {…}}, "A": {"matrix": [["1", "2"]]}, "x": {"vector": ["1/2"]},
 "t": {"rational": "-3"}, "i": {"index": 0}, "D": {"polyhedron": {"dim": 1, "rows": […]}}}

A *judgement* is what a refuted statement says about the paper it is from: its class, and why.  A
counterexample shows that a statement, as it is written down here, is false.  That may be an error
of the paper, or a null set that its authors leave out, or a slip of the pen, or our own reading.
Who reads that a statement is refuted reads its class beside it.

A *fact* is a hypothesis or a conclusion for one instance, decided with its certificate; facts about
the value of a network at a point have the certificate ``value``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from textwrap import wrap
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from flint import fmpq

from exactrelu.certificates.certificate import Verdict
from exactrelu.certificates.evidence import value_claim
from exactrelu.display import WIDTH, Shown
from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, bits, parse_rational, to_text, to_texts
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.exact.text import as_rows, as_vector
from exactrelu.network.formats.load import network_from_object
from exactrelu.network.network import Network, plain, trace, widths_text
from exactrelu.network.written import network_text
from exactrelu.words import Words

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
        """The network of this name; the papers are about layers of ReLUs."""
        return plain(self._value(name, Network), "a statement of the papers")

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
        return value.flint.entries()
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


def instance_object(instance: Instance) -> dict[str, Any]:
    """The instance as a JSON object."""
    return {name: _object(value) for name, value in instance.values.items()}


def _object(value: Value) -> dict[str, Any]:
    if isinstance(value, Network):
        return {"network": json.loads(network_text(value))}
    if isinstance(value, Matrix):
        return {"matrix": [to_texts(row) for row in value]}
    if isinstance(value, LinearSystem):
        rows = [[row.sense.value, to_texts((*row.normal, row.offset))] for row in value.rows]
        return {"polyhedron": {"dim": value.dimension, "rows": rows}}
    if isinstance(value, tuple):
        return {"vector": to_texts(value)}
    return {"rational": to_text(value)} if isinstance(value, fmpq) else {"index": value}


def instance_of(value: dict[str, Any]) -> Instance:
    """The instance of such an object."""
    return Instance({name: _value(entry, name) for name, entry in value.items()})


def _value(entry: dict[str, Any], where: str) -> Value:
    (kind,) = entry
    if kind not in _READERS:
        raise InputError(f"{where}: found a {kind}, expected one of {', '.join(_READERS)}")
    return _READERS[kind](entry[kind])


def _polyhedron(value: dict[str, Any]) -> LinearSystem:
    rows = []
    for sense, entries in value["rows"]:
        numbers = as_vector(entries, "row")
        rows.append(Row(numbers[:-1], numbers[-1], Sense(sense)))
    return LinearSystem(value["dim"], tuple(rows))


_READERS: dict[str, Callable[[Any], Value]] = {
    "index": int,
    "matrix": lambda value: Matrix(as_rows(value, "matrix")),
    "network": network_from_object,
    "polyhedron": _polyhedron,
    "rational": parse_rational,
    "vector": lambda value: as_vector(value, "vector"),
}


RefutedClass = Literal[
    "false", "edge case", "misprint", "reading", "not the paper's", "text damaged"
]

#: The classes, in the order in which they are counted, and what each of them says.
CLASSES: dict[RefutedClass, str] = {
    "false": "as printed, hypotheses included, it fails on more than a null set, or what the "
    "paper builds on it breaks",
    "edge case": "it fails on a null set or for a degenerate size, and a hypothesis that the "
    "authors plainly have in mind mends it",
    "misprint": "a slip of the pen: what the paper does with it is right",
    "reading": "it fails only if it is read literally, or as we read it",
    "not the paper's": "a statement of ours, or one that the paper itself denies",
    "text damaged": "a hypothesis that would exclude the counterexample may be lost in the text "
    "that we have",
}


@dataclass(frozen=True)
class Judgement:
    """The class of a refuted statement and the reason for it; ``mended_by`` is the hypothesis
    that mends an edge case.

    >>> str(Judgement("edge case", "Fails for x = 0.", mended_by="x ≠ 0"))
    'edge case: Fails for x = 0. Mended by: x ≠ 0.'
    """

    name: RefutedClass
    reason: str
    mended_by: str = ""

    def __post_init__(self) -> None:
        if self.name not in get_args(RefutedClass):
            raise ValueError(f"class {self.name!r}: expected one of {', '.join(CLASSES)}")
        if not self.reason.endswith("."):
            raise ValueError(f"{self.name}: expected a sentence as the reason")
        if bool(self.mended_by) != (self.name == "edge case"):
            raise ValueError(f"{self.name}: edge cases, and no others, say what mends them")

    def __str__(self) -> str:
        mended = f" Mended by: {self.mended_by}." if self.mended_by else ""
        return f"{self.name}: {self.reason}{mended}"


@dataclass(frozen=True)
class Fact:
    """A sentence about an instance, and whether it holds.

    A fact that the checker settles by plain arithmetic on the instance has no certificate.
    """

    text: str
    verdict: Verdict

    @classmethod
    def plain(cls, text: str, holds: bool) -> Fact:
        """A fact that is plain arithmetic on the instance."""
        return cls(text, Verdict(holds, text))

    @classmethod
    def negation(cls, text: str, verdict: Verdict) -> Fact:
        """The fact that holds iff the answer is no."""
        answer = None if verdict.answer is None else not verdict.answer
        return cls(text, Verdict(answer, verdict.reason, verdict.witness, verdict.certificate))


def value_fact(text: str, network: Network, x: Vector, holds: bool) -> Fact:
    """Whether something holds at x, with the value and the signs there as its certificate."""
    return Fact(text, Verdict(holds, text, x, value_claim(network, trace(network, x))))


@dataclass(frozen=True)
class Level:
    """A finite set of instances, described in words; the search goes through all of them.

    A None among them is one that was left out: whoever goes through them can look at the clock.
    """

    bound: str
    candidates: Callable[[], Iterator[Instance | None]]

    def instances(self) -> Iterator[Instance]:
        """All of them."""
        return (instance for instance in self.candidates() if instance is not None)


def _unaltered(_: Random, instance: Instance) -> Instance | None:
    return None


def _no_others(_: Instance) -> Iterable[Instance]:
    return ()


@dataclass(frozen=True)
class Family:
    """Where instances come from.

    ``levels`` are exhaustive, in growing size.  ``random`` draws one, with a bias to the edges.
    ``tighten`` alters one towards the borders of the hypotheses; None if it knows no way, and
    then numbers of the networks are altered.  ``reductions`` are smaller instances to try when
    a counterexample is shrunk, beyond smaller numbers and dropped neurons.
    """

    levels: tuple[Level, ...]
    random: Callable[[Random], Instance]
    tighten: Callable[[Random, Instance], Instance | None] = _unaltered
    reductions: Callable[[Instance], Iterable[Instance]] = _no_others


@dataclass(frozen=True, repr=False)
class Statement(Shown):
    """A published statement, or its repair, as hypotheses and a conclusion that can be decided.

    Parameters
    ----------
    id : str
        Its name, also in the table of the checker.
    source : str
        The paper, and the number there.
    text : str
        The statement in words.
    hypotheses : callable
        The facts about an instance that are to hold.
    conclusion : callable
        The fact that then holds too.
    family : Family
        Where to search.
    repairs : str, optional
        The id of the printed statement that this one mends.
    known : tuple of str, optional
        Cases in ``cases/`` that are instances of it.
    remark : str, optional
        What else is to be said.
    judgement : Judgement, optional
        What its refutation says about the paper; it is there if and only if it is refuted.
    may_be_flat : bool, optional
        Whether the sets of an instance may be flat; else they are open, with points.

    Examples
    --------
    >>> import exactrelu as er
    >>> found = er.statements["S003-lemma-1"]
    >>> found.source
    'Puthawala et al., Lemma 1, only if'
    """

    id: str
    source: str
    text: str
    hypotheses: Callable[[Instance], Iterator[Fact]]
    conclusion: Callable[[Instance], Fact]
    family: Family
    repairs: str | None = None
    known: tuple[str, ...] = ()
    remark: str = ""
    judgement: Judgement | None = None
    may_be_flat: bool = False

    def _headline(self) -> str:
        return f"Statement {self.id}: {self.text}"

    def _facts(self) -> Iterator[tuple[str, object]]:
        yield from (("", line) for line in wrap(self.text, WIDTH - 4)[:4])
        yield "source", self.source

    def __getstate__(self) -> dict[str, Any]:
        """Without its functions: in another process it is there to be read."""
        return {**self.__dict__, "hypotheses": None, "conclusion": None, "family": None}


@dataclass(frozen=True, repr=False)
class Untestable(Shown):
    """A published statement that no search can settle, and why."""

    id: str
    source: str
    text: str
    why: str
    known: tuple[str, ...] = ()


AnyStatement = Statement | Untestable


def instance_lines(instance: Instance, words: Words) -> list[str]:
    """The objects of an instance: of a network the rows (w | b) of each layer."""
    lines = []
    for name, value in instance.values.items():
        if isinstance(value, Network):
            lines.append(f"  {name}: widths {widths_text(value)}, rows (w | b)")
            for l, layer in enumerate(value.layers, 1):
                rows = zip(layer.weights.rows(), layer.bias, strict=True)
                said = words.said
                shown = ", ".join(f"({' '.join(map(said, w))} | {said(b)})" for w, b in rows)
                lines.append(f"     layer {l}: {shown}")
        else:
            told = value if isinstance(value, Matrix | LinearSystem) else words.said(value)
            lines.append(f"  {name}: {told}")
    return lines
