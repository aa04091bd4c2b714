"""Claim ``polyhedron-empty``: a linear system has no solution."""

from __future__ import annotations

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import Multipliers, multipliers_record
from exactrelu.exact.encode import encode_system
from exactrelu.exact.system import LinearSystem


def polyhedron_empty_certificate(system: LinearSystem, multipliers: Multipliers) -> Certificate:
    """Farkas or Motzkin multipliers that add up to a contradiction."""
    record = multipliers_record(system, multipliers)
    return Certificate("polyhedron-empty", {"system": encode_system(system)}, (record,))
