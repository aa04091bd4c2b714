"""A published statement, the objects of an instance of it, and what must be proved of them.

A statement says: if the hypotheses hold for an instance, so does the conclusion. ``needs`` goes
through an instance: it computes what is plain arithmetic itself, and refuses the instance if a
hypothesis fails or the conclusion holds; for the rest it names the claims that must be proved.
Networks that the statement derives from others are derived here, not read from the file.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import gcd
from typing import Any, NamedTuple

from .. import claims, numbers, objects
from ..file import Proof, form, need
from ..numbers import Row, Rows, bits
from ..objects import Matrix, Network, System, Vector

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
        """Return a network."""
        return objects.read_plain_network(self.fields[name])

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
    """A statement in words, the names of the objects of an instance, and what they must satisfy."""

    statement: str
    names: frozenset[str]
    needs: Callable[[Instance], Iterator[Need]]


def lemma(needs: Callable[[Instance], Iterator[Need]], names: str, statement: str) -> Lemma:
    """Return a statement of the table."""
    return Lemma(statement, frozenset(names.split()), needs)


def require(condition: object, why: str) -> None:
    """Refuse an instance that breaks a hypothesis or for which the conclusion holds."""
    need(condition, "not-a-counterexample", why)


# Arithmetic that is paid for.


def dot(left: Sequence[int], right: Sequence[int], proof: Proof) -> int:
    """Return the scalar product of two vectors."""
    proof.spend(len(left), bits(left), bits(right))
    return numbers.dot(left, right)


def multiply(left: int, right: int, proof: Proof) -> int:
    """Return a product."""
    return dot((left,), (right,), proof)


def combine(weights: Sequence[int], rows: Rows, proof: Proof) -> Row:
    """Return Σ weight·row of at least one row."""
    proof.spend(len(rows) * len(rows[0]), bits(weights), max(map(bits, rows)))
    return numbers.total(weights, rows, len(rows[0]))


def lowest_terms(den: int, rows: Rows, proof: Proof) -> tuple[int, list[Row]]:
    """Return a rational matrix in lowest terms."""
    size = max(map(bits, (*rows, (den,))))
    proof.spend(16 * (1 + sum(map(len, rows))), size, size)
    common = gcd(den, *(entry for row in rows for entry in row)) or 1
    return den // common, [tuple(entry // common for entry in row) for row in rows]


def parallel(left: Sequence[int], right: Sequence[int], proof: Proof) -> bool:
    """Tell whether one vector is a multiple of the other, or 0."""
    return all(
        dot((left[i], -left[j]), (right[j], right[i]), proof) == 0
        for i, j in combinations(range(len(left)), 2)
    )


def evaluate(network: Network, point: Vector, proof: Proof) -> tuple[Vector, tuple[str, ...]]:
    """Return the output and the signs of the hidden layers at a point."""
    values = network.values(proof, point)
    return values[-1], tuple(network.signs(values))


def affine_function(
    network: Network, masks: Sequence[Sequence[int]], unit: int, proof: Proof
) -> Row:
    """Return integers on the ray of [w, b], of a unit after the layers of some masks."""
    first = network.layers[0]
    kept = [*masks, [unit]]
    rows: Rows = [first.rows[i] for i in kept[0]]
    one = first.den
    for layer, before, after in zip(network.layers[1:], kept, kept[1:], strict=False):
        added = [*rows, (0,) * network.widths[0] + (one,)]
        weights = [[*(layer.rows[i][j] for j in before), layer.rows[i][-1]] for i in after]
        rows = [combine(row, added, proof) for row in weights]
        one = multiply(one, layer.den, proof)
    return tuple(rows[0])


def active_units(signs: Sequence[str]) -> list[list[int]]:
    """Return the units that are active in each hidden layer."""
    return [[unit for unit, sign in enumerate(layer) if sign == "+"] for layer in signs]


# The JSON of claims.


def vector_of(value: Any, length: int) -> Vector:
    """Return a rational vector of so many entries."""
    found = objects.read_vector(value)
    form(len(found.nums) == length, "dimensions-differ", "a vector of another length")
    return found


def hexadecimal(row: Iterable[int]) -> list[str]:
    """Return integers as claims hold them."""
    return [f"{entry:x}" for entry in row]


def vector_json(vector: Vector) -> list[Any]:
    """Return a vector in lowest terms as a claim holds it."""
    return [f"{vector.den:x}", hexadecimal(vector.nums)]


def matrix_json(den: int, rows: Rows, proof: Proof) -> list[Any]:
    """Return the entries of a rational matrix as a claim holds them."""
    least, reduced = lowest_terms(den, rows, proof)
    return [f"{least:x}", [hexadecimal(row) for row in reduced]]


def derived(layers: Iterable[tuple[int, Rows]], proof: Proof) -> Fields:
    """Return, as a claim holds it, the network with the layers (W | b) = rows / den."""
    return {
        "layers": [
            {
                "inputs": len(rows[0]) - 1,
                "matrix": matrix_json(den, rows, proof),
                "outputs": len(rows),
            }
            for den, rows in layers
        ]
    }


def domain_json(dim: int, sense: str, rows: Sequence[Row]) -> Fields:
    """Return the domain where rows, each with a normal that is not 0, are >= 0 or > 0."""
    found = objects.normal_form(System(dim, (sense,) * len(rows), tuple(rows)))
    return {"dim": dim, "rows": [[sense, hexadecimal(row)] for row in found.rows]}


def everywhere(dim: int) -> Fields:
    """Return all of R^dim, as a domain of a claim."""
    return domain_json(dim, "ge", ())


def orthant(dim: int) -> Fields:
    """Return the closed orthant, as a domain of a claim."""
    return domain_json(dim, "ge", [(0,) * i + (1,) + (0,) * (dim - i) for i in range(dim)])


# Claims that many statements ask for.


def value_at(network: object, point: Vector, **more: object) -> Need:
    """Ask for the value at a point; ``more`` says what it has to be."""
    return Need("value", {"network": network, "point": vector_json(point), **more})


def about(kind: str, network: object, domain: object, holds: bool = True) -> Need:
    """Ask for a claim about a network on a domain."""
    return Need(kind, {"network": network, "domain": domain, "holds": holds})


def equal(a: object, b: object, domain: object, holds: bool = True) -> Need:
    """Ask for equality on a domain, or a difference."""
    return Need("equal", {"a": a, "b": b, "domain": domain, "holds": holds})


def generic(network: object, dim: int) -> Iterator[Need]:
    """Ask for genericity on all of space: maximal masked ranks, supertransversal."""
    yield Need("masked-rank", {"network": network, "holds": True})
    yield about("supertransversal", network, everywhere(dim))
