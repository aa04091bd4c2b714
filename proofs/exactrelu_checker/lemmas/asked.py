"""Claims that statements ask for, as files hold them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .. import objects
from ..file import Proof
from ..numbers import Row, Rows
from ..objects import System, Vector
from .exact import lowest_terms
from .lemma import Fields, Need


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


def orthant(dim: int, proof: Proof) -> Fields:
    """Return the closed orthant, as a domain of a claim."""
    return domain_json(dim, "ge", objects.coordinates(proof, dim))


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
