"""The files of format 1 that the converters are given."""

from __future__ import annotations

import json
import sys
from collections.abc import Container
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "format1"))

from bundles import all_cases  # noqa: E402


def old_files(kinds: Container[str]) -> dict[str, tuple[bool, list[str]]]:
    """Of cases and kept files about some kinds: whether accepted, and the lines without footer."""
    found = [
        (case.name, case.verdict == "ACCEPTED", case.data)
        for case in all_cases()
        if not case.arguments
    ]
    for path in sorted((ROOT / "tests" / "format1" / "kept").rglob("*.jsonl")):
        found.append((path.relative_to(ROOT).as_posix(), True, path.read_bytes()))
    known = {}
    for name, accepted, data in found:
        try:
            lines = data.decode().splitlines()[:-1]
            kind = json.loads(lines[0])["claim"]["kind"]
        except (ValueError, LookupError, TypeError):
            continue
        if kind in kinds:
            known[name] = accepted, lines
    return known
