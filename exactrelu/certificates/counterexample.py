"""Claims ``facts`` and ``counterexample``: several claims in one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from exactrelu.certificates.certificate import Certificate


def facts_certificate(facts: Sequence[Certificate]) -> Certificate:
    """All the claims, and the records of one after the other."""
    return _joined("facts", {}, facts)


def counterexample_certificate(
    lemma: str, instance: Mapping[str, Any], facts: Sequence[Certificate]
) -> Certificate:
    """The hypotheses of a statement hold for an instance (encoded), and its conclusion fails."""
    return _joined("counterexample", {"instance": instance, "lemma": lemma}, facts)


def _joined(kind: str, fields: Mapping[str, Any], facts: Sequence[Certificate]) -> Certificate:
    claims = [{"kind": fact.kind, **fact.fields} for fact in facts]
    records = tuple(record for fact in facts for record in fact.records)
    return Certificate(kind, {**fields, "facts": claims}, records)
