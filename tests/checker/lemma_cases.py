"""Forged counterexamples: certificates that a search has written, with another instance."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from forge import Case, Json, certificate

#: The counterexamples that are kept with the checker.
KEPT = Path(__file__).resolve().parents[2] / "proofs" / "certificates" / "lemmas"


def kept(name: str) -> tuple[Json, list[Json]]:
    """Return the claim and the records of a kept counterexample."""
    first, *records, _ = (KEPT / f"{name}.cert.jsonl").read_text(encoding="ascii").splitlines()
    return json.loads(first)["claim"], [json.loads(record) for record in records]


def altered(name: str, **instance: object) -> bytes:
    """Return the certificate with other objects in its instance, and the same facts."""
    claim, records = kept(name)
    return certificate({**claim, "instance": {**claim["instance"], **instance}}, *records)


def refused(
    name: str, why: Mapping[str, Mapping[str, object]], code: str = "not-a-counterexample"
) -> list[Case]:
    """Return a case for each alteration of the instance of a kept counterexample."""
    short = name.split("-", 1)[1]
    return [
        Case(f"reject/{code}--{short}-{reason}", altered(name, **instance))
        for reason, instance in why.items()
    ]


def other_fact(name: str, number: int, **fields: object) -> bytes:
    """Return the certificate with other values in the fields of one fact."""
    claim, records = kept(name)
    facts = [*claim["facts"]]
    facts[number] = {**facts[number], **fields}
    return certificate({**claim, "facts": facts}, *records)
