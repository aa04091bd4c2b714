"""Claim ``polyhedron-bounded``: the solutions of a linear system form a bounded set."""

from __future__ import annotations

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import Multipliers, minor_record, multipliers_record
from exactrelu.exact.encode import encode_system
from exactrelu.exact.linear import Minor
from exactrelu.exact.system import LinearSystem


def polyhedron_bounded_certificate(
    system: LinearSystem, multipliers: Multipliers, minor: Minor
) -> Certificate:
    """Multipliers that cancel the normals, and a minor: the rows they use span the space."""
    records = (multipliers_record(system, multipliers), minor_record(minor))
    return Certificate("polyhedron-bounded", {"system": encode_system(system)}, records)
