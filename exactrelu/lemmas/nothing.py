"""Statements about nothing: sets without a point, of which everything holds.

A published statement means sets that are not empty, and open ones where it speaks of a domain Z or
D of a network.  So an instance with an empty set is outside the hypotheses of every statement, and
no counterexample is made of a fact about an empty domain.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.exact.encode import decode_integers, decode_system
from exactrelu.exact.system import LinearSystem
from exactrelu.lemmas.instance import Instance
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.lp import feasible


def sets_have_points(instance: Instance, *, may_be_flat: bool) -> bool:
    """Whether every polyhedron of an instance has a point, an interior one unless it may be flat.

    >>> line = Instance.of(Z=LinearSystem.box([(0, 1), (2, 2)]))
    >>> sets_have_points(line, may_be_flat=True), sets_have_points(line, may_be_flat=False)
    (True, False)
    """
    systems = [value for value in instance.values.values() if isinstance(value, LinearSystem)]
    return all(_has_point(system if may_be_flat else system.interior()) for system in systems)


def is_about_nothing(certificate: Certificate) -> bool:
    """Whether the claim, or one of the claims that it joins, has a domain without a point."""
    claims = (certificate.fields, *certificate.fields.get("facts", ()))
    return any(_is_empty(claim["domain"]) for claim in claims if "domain" in claim)


def _is_empty(domain: Mapping[str, Any]) -> bool:
    """Whether an encoded domain is empty: a system of rows, or a union of open boxes."""
    if "boxes" not in domain:
        return not _has_point(decode_system(domain))
    _, boxes = domain["boxes"]  # numerators over one denominator
    ends = map(decode_integers, boxes)
    return not any(all(a < b for a, b in zip(box[::2], box[1::2], strict=True)) for box in ends)


@lru_cache(maxsize=256)
def _has_point(system: LinearSystem) -> bool:
    return isinstance(feasible(system), Solution)
