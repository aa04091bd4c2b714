"""Claims ``injective`` and ``not-injective``: is a stage of a network one-to-one on a domain?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from exactrelu.certificates.certificate import Certificate
from exactrelu.exact.encode import encode_integers, encode_system, encode_vector
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network

CELL_RECORD: dict[str, Any] = {"record": "cell"}


class Stage(Protocol):
    """Layers first + 1, …, last of a network on the image of a domain."""

    @property
    def network(self) -> Network: ...

    @property
    def domain(self) -> LinearSystem: ...

    @property
    def first(self) -> int: ...

    @property
    def last(self) -> int: ...


def injective_certificate(stage: Stage, records: Iterable[dict[str, Any]]) -> Certificate:
    """The tree of closed cells in preorder, then the pairs of cells."""
    return Certificate("injective", _fields(stage), tuple(records))


def pair_record(proofs: Sequence[Sequence[tuple[int, int]]]) -> dict[str, Any]:
    """A pair of cells, by multipliers (row, λ) that refute each of its systems."""
    return {
        "record": "pair",
        "rows": [[row for row, _ in proof] for proof in proofs],
        "values": [encode_integers(value for _, value in proof) for proof in proofs],
    }


def not_injective_certificate(stage: Stage, x: Vector, y: Vector) -> Certificate:
    """Nothing but the claim: the checker evaluates the network itself."""
    fields = {**_fields(stage), "x": encode_vector(x), "y": encode_vector(y)}
    return Certificate("not-injective", fields)


def _fields(stage: Stage) -> dict[str, Any]:
    return {
        "domain": encode_system(stage.domain),
        "first": stage.first,
        "last": stage.last,
        "network": stage.network.canonical_form(),
    }
