"""A published statement, the objects of an instance of it, and what must be proved of them.

A statement says: if the hypotheses hold for an instance, so does the conclusion. ``needs``
goes through an instance: it computes what is plain arithmetic itself, and refuses the
instance if a hypothesis fails or the conclusion holds; for the rest it names the claims
that must be proved. Networks that the statement derives from others are derived here, not
read from the file.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from .. import claims, objects
from ..file import Proof, form, need
from ..objects import Matrix, Network, System, Vector
from .exact import lowest_terms

Fields = Mapping[str, Any]


def _nothing(fact: Fields) -> None:
    """Look at nothing."""


class Need(NamedTuple):
    """A claim that must be proved: of a kind, with these values in these fields.

    ``look`` reads what else the claim says, and refuses it if that is not what is needed.
    """

    kind: str
    fields: Fields
    look: Callable[[Fields], None] = _nothing


class Instance:
    """The named objects of an instance, each read as what the statement says that it is."""

    def __init__(self, fields: Fields, proof: Proof) -> None:
        self.fields, self.proof = fields, proof

    def network(self, name: str) -> Network:
        """Return a network with inputs: no statement means functions of nothing."""
        network = objects.read_plain_network(self.fields[name])
        require(network.widths[0], f"{name} has no inputs")
        return network

    def hidden_layer(self, name: str) -> Matrix:
        """Return the rows (w | b) of the one hidden layer of a network."""
        network = self.network(name)
        require(len(network.layers) == 2, f"{name} has not one hidden layer")
        return Matrix(*network.layers[0][:2], network.widths[0] + 1)

    def index(self, name: str) -> int:
        """Return a small non-negative integer."""
        return objects.read_index(self.fields[name])

    def rational(self, name: str) -> Vector:
        """Return a rational number."""
        return objects.read_rational(self.fields[name])

    def vector(self, name: str, length: int) -> Vector:
        """Return a rational vector."""
        return vector_of(self.fields[name], length)

    def sign(self, name: str) -> int:
        """Return 1 or -1, given as a rational number."""
        given = self.rational(name)
        require(given in (Vector(1, (1,)), Vector(1, (-1,))), f"{name} is no sign")
        return given.nums[0]

    def matrix(self, name: str, height: int | None, width: int) -> Matrix:
        """Return a rational matrix; the height may be open."""
        found = objects.read_matrix(self.fields[name])
        ok = found.width == width and height in (None, len(found.rows))
        form(ok, "wrong-length", f"{name} has another shape")
        return found

    def domain(self, name: str, network: Network) -> System:
        """Return a domain in the space of the inputs of a network, which is not flat."""
        domain = objects.read_domain(self.fields[name])
        claims.fits(domain, network.widths[0])
        require("eq" not in domain.senses, f"{name} is flat")
        return domain

    def points(self, name: str, number: int, dim: int) -> list[Vector]:
        """Return points, given as the rows of a matrix."""
        matrix = self.matrix(name, number, dim)
        found = (lowest_terms(matrix.den, [row], self.proof) for row in matrix.rows)
        return [Vector(den, row) for den, (row,) in found]


class Lemma(NamedTuple):
    """A statement in words, the names of the objects of an instance, and what they must
    satisfy.
    """

    title: str
    statement: str
    names: frozenset[str]
    needs: Callable[[Instance], Iterator[Need]]


Needs = Callable[[Instance], Iterator[Need]]


def lemma(name: str, statement: str) -> Callable[[Needs], Lemma]:
    """Make a statement, "name: objects of an instance", of what a counterexample must
    show.
    """
    title, _, names = name.partition(": ")
    return lambda needs: Lemma(title, statement, frozenset(names.split()), needs)


def table(found: Mapping[str, object]) -> dict[str, Lemma]:
    """Return the statements among the objects of a module."""
    return {known.title: known for known in found.values() if isinstance(known, Lemma)}


def require(condition: object, why: str) -> None:
    """Refuse an instance that breaks a hypothesis or for which the conclusion holds."""
    need(condition, "not-a-counterexample", why)


def vector_of(value: Any, length: int) -> Vector:
    """Return a rational vector of so many entries."""
    found = objects.read_vector(value)
    form(len(found.nums) == length, "dimensions-differ", "a vector of another length")
    return found
