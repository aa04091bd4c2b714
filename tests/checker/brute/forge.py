"""Writes certificate files by hand, true ones and forged ones.

Nothing here comes from ``exactrelu`` or from the checker: it is an independent reading of
``proofs/FORMAT.md``.
"""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

Json = dict[str, Any]


def canonical(value: object) -> str:
    """Return the canonical JSON text of a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def hexes(numbers: Sequence[int]) -> list[str]:
    """Return integers as hexadecimal strings."""
    return [f"{number:x}" for number in numbers]


def vector(*entries: Fraction | int) -> list[Any]:
    """Return a rational vector as ``[den, nums]``."""
    den = math.lcm(*(Fraction(entry).denominator for entry in entries))
    return [f"{den:x}", hexes([int(entry * den) for entry in entries])]


def matrix(rows: Sequence[Sequence[Fraction | int]]) -> list[Any]:
    """Return a rational matrix as ``[den, rows]``."""
    den = math.lcm(*(Fraction(entry).denominator for row in rows for entry in row))
    return [f"{den:x}", [hexes([int(entry * den) for entry in row]) for row in rows]]


def matrix_fields(rows: Sequence[Sequence[Fraction | int]], width: int | None = None) -> Json:
    """Return the fields of a matrix in a claim."""
    cols = len(rows[0]) if width is None else width
    return {"cols": cols, "matrix": matrix(rows), "rows": len(rows)}


def network(*layers: Sequence[Sequence[Fraction | int]]) -> Json:
    """Return a network whose layers are given as rows of weights followed by the bias."""
    return {
        "layers": [
            {"inputs": len(rows[0]) - 1, "matrix": matrix(rows), "outputs": len(rows)}
            for rows in layers
        ]
    }


def system(dim: int, *rows: tuple[str, list[int]]) -> Json:
    """Return a linear system; a row is a sense and a_1, …, a_d, b."""
    return {"dim": dim, "rows": [[sense, hexes(entries)] for sense, entries in rows]}


def claim_line(claim: Json) -> str:
    """Return the first line of a certificate."""
    return canonical({"claim": claim, "format": "exactrelu-certificate/1"})


def sealed(*lines: str) -> bytes:
    """Return a file of the given lines and their true footer."""
    body = "".join(line + "\n" for line in lines).encode("latin-1")
    end = {"records": len(lines), "sha256": hashlib.sha256(body).hexdigest()}
    return body + canonical({"end": end}).encode("ascii") + b"\n"


def certificate(claim: Json, *records: Json) -> bytes:
    """Return a well-formed certificate file."""
    return sealed(claim_line(claim), *(canonical(record) for record in records))


def minor(rows: Sequence[int], cols: Sequence[int], modulus: int = 7) -> Json:
    """Return a minor record."""
    return {"cols": list(cols), "modulus": f"{modulus:x}", "record": "minor", "rows": list(rows)}


def kernel(columns: Sequence[int], *vectors: Sequence[int]) -> Json:
    """Return a kernel record."""
    return {
        "columns": list(columns),
        "record": "kernel",
        "vectors": [hexes(entries) for entries in vectors],
    }


def multipliers(rows: Sequence[int], values: Sequence[int]) -> Json:
    """Return a multipliers record."""
    return {"record": "multipliers", "rows": list(rows), "values": hexes(values)}


def point(*entries: Fraction | int) -> Json:
    """Return a point record."""
    return {"point": vector(*entries), "record": "point"}


def split() -> Json:
    """Return a split record."""
    return {"record": "split"}


def empty(rows: Sequence[int], values: Sequence[int]) -> Json:
    """Return an empty record."""
    return {"record": "empty", "rows": list(rows), "values": hexes(values)}


def sides(signs: str, *proofs: tuple[int, Sequence[int], Sequence[int]]) -> Json:
    """Return a sides record: a sign for each neuron, and its number, rows and values."""
    return {
        "neurons": [neuron for neuron, _, _ in proofs],
        "record": "sides",
        "rows": [list(rows) for _, rows, _ in proofs],
        "signs": list(signs),
        "values": [hexes(values) for _, _, values in proofs],
    }


def cell(*entries: Fraction | int) -> Json:
    """Return a cell record."""
    return {"point": vector(*entries), "record": "cell"}


def face(*entries: Fraction | int) -> Json:
    """Return a face record."""
    return {"point": vector(*entries), "record": "face"}


def stored_gzip(data: bytes) -> bytes:
    """Return data as a gzip stream of one stored block, the same bytes on every machine."""
    size = len(data).to_bytes(2, "little")
    complement = (len(data) ^ 0xFFFF).to_bytes(2, "little")
    trailer = zlib.crc32(data).to_bytes(4, "little") + len(data).to_bytes(4, "little")
    return b"\x1f\x8b\x08" + bytes(6) + b"\xff\x01" + size + complement + data + trailer
