"""Claim ``polyhedron-nonempty``: a linear system has a solution."""

from __future__ import annotations

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import point_record
from exactrelu.exact.encode import encode_system
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem


def polyhedron_nonempty_certificate(system: LinearSystem, point: Vector) -> Certificate:
    """The solution itself."""
    return Certificate(
        "polyhedron-nonempty", {"system": encode_system(system)}, (point_record(point),)
    )
