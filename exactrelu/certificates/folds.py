"""Claim ``folds``: the fold-set of a network on a domain, its pieces and dependencies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.exact.encode import encode_integers, encode_vector
from exactrelu.exact.scalar import Vector
from exactrelu.network.network import Network


@dataclass(frozen=True)
class FoldCounts:
    """Facets, hyperplanes, faces in zero sets and not in the fold-set, facets in no piece."""

    n_facets: int
    n_hyperplanes: int
    n_hidden: int
    n_remaining: int


def folds_certificate(
    network: Network,
    domain: Mapping[str, Any],
    counts: FoldCounts,
    pieces: Iterable[tuple[int, Sequence[int], Vector]],
    edges: Iterable[tuple[int, int, Vector]],
    records: Iterable[Mapping[str, Any]],
) -> Certificate:
    """All faces; the checker computes jumps, levels, pieces and dependencies.

    ``pieces`` are levels, hyperplanes and points, ``edges`` pairs of pieces, from 0, and points.
    """
    fields = {
        "domain": domain,
        "edges": [[tail, head, encode_vector(point)] for tail, head, point in edges],
        "facets": counts.n_facets,
        "hidden": counts.n_hidden,
        "hyperplanes": counts.n_hyperplanes,
        "network": network.canonical_form(),
        "pieces": [
            [level, encode_integers(plane), encode_vector(point)] for level, plane, point in pieces
        ],
        "remaining": counts.n_remaining,
    }
    return Certificate("folds", fields, tuple(records))


def planes_record(rows: Iterable[Sequence[int]]) -> dict[str, Any]:
    """The hyperplanes that refine the complex on a union of boxes."""
    return {"record": "planes", "rows": [encode_integers(row) for row in rows]}
