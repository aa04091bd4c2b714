"""Claim ``polyhedron-unbounded``: the solutions of a linear system form an unbounded set."""

from __future__ import annotations

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import point_record
from exactrelu.exact.encode import encode_integers, encode_system
from exactrelu.exact.scalar import Vector, primitive
from exactrelu.exact.system import LinearSystem


def polyhedron_unbounded_certificate(
    system: LinearSystem, point: Vector, ray: Vector
) -> Certificate:
    """A solution, and a direction in which one never leaves."""
    ray_record = {"ray": encode_integers(primitive(ray)), "record": "ray"}
    return Certificate(
        "polyhedron-unbounded",
        {"system": encode_system(system)},
        (point_record(point), ray_record),
    )
