"""Files made to exhaust the checker: answered, not accepted, and under 512 MB."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from forge import (
    canonical,
    certificate,
    claim_line,
    network,
    point,
    sealed,
    split,
    stored_gzip,
    system,
)
from region_trees import region_claim
from running import program

CLAIM = {"kind": "polyhedron-nonempty", "system": system(1, ("ge", [1, 0]))}
FIRST = claim_line(CLAIM).encode() + b"\n"
RECORD = canonical(point(1)).encode()
MEGA = 1_000_000


def entry(text: bytes) -> bytes:
    """Return a claim and a point with the given text as its entry."""
    return FIRST + b'{"point":["1",[' + text + b']],"record":"point"}\n'


def gzip_of(head: bytes, block: bytes, times: int) -> bytes:
    """Return a gzip stream whose content is a head and a block many times over."""
    return gzip.compress(head) + gzip.compress(block) * times


BOMBS: dict[str, tuple[Callable[[], bytes], int, str]] = {
    "nested-lists": (lambda: FIRST + b"[" * MEGA + b"]" * MEGA + b"\n", 4, "too-deep"),
    "nested-lists-never-closed": (lambda: b"[" * MEGA + b"\n", 4, "too-deep"),
    "nested-objects": (lambda: FIRST + b'{"a":' * MEGA + b"\n", 4, "too-deep"),
    "nesting-after-closed-brackets": (
        lambda: FIRST + b"]" * MEGA + b"[" * MEGA + b"\n",
        3,
        "not-json",
    ),
    "ten-megabyte-json-integer": (lambda: entry(b"9" * 10 * MEGA), 3, "bad-number"),
    "ten-megabyte-hex-integer": (
        lambda: entry(b'"' + b"f" * 10 * MEGA + b'"'),
        4,
        "integer-too-long",
    ),
    "ten-megabyte-float": (lambda: entry(b"1." + b"9" * 10 * MEGA), 3, "bad-number"),
    "ten-megabyte-string": (
        lambda: FIRST + b'{"record":"' + b"p" * 10 * MEGA + b'"}\n',
        1,
        "wrong-record",
    ),
    "trillion-rows": (
        lambda: sealed(
            claim_line(
                {"cols": 1, "kind": "rank", "matrix": ["1", [["1"]]], "rank": 1, "rows": 10**12}
            )
        ),
        3,
        "wrong-length",
    ),
    "trillion-dimensions": (
        lambda: certificate(
            {"kind": "polyhedron-nonempty", "system": system(10**12)},
            {"point": ["1", []], "record": "point"},
        ),
        3,
        "wrong-length",
    ),
    "empty-lines": (lambda: b"\n" * 10 * MEGA, 3, "not-json"),
    "surplus-records": (lambda: FIRST + (RECORD + b"\n") * MEGA, 1, "surplus-record"),
    "line-without-end": (lambda: b"a" * (65 << 20), 4, "line-too-long"),
    "long-line-of-spaces": (lambda: b" " * (60 << 20) + b"\n", 3, "not-json"),
    "long-line-of-quotes": (lambda: b'"' * (60 << 20) + b"\n", 4, "too-many-marks"),
    "long-line-of-empty-lists": (lambda: b"[" + b"[]," * 20 * MEGA + b"\n", 4, "too-many-marks"),
    "million-values": (
        lambda: FIRST + b"[" + b'"a1",' * (MEGA + MEGA // 4) + b"0]\n",
        3,
        "not-an-object",
    ),
    "million-objects": (
        lambda: FIRST + b"[" + b"{}," * (MEGA + MEGA // 4) + b"0]\n",
        3,
        "not-an-object",
    ),
    "many-keys": (
        lambda: FIRST + b"{" + b",".join(b'"%d":0' % i for i in range(10**6)) + b"}\n",
        3,
        "not-canonical",
    ),
    "million-indices": (
        lambda: FIRST + b'{"a":[' + b"1234567," * (4 * MEGA - 9) + b"0]}\n",
        1,
        "wrong-record",
    ),
    "gzip-of-zeros": (lambda: gzip_of(b"", bytes(1 << 24), 256), 4, "line-too-long"),
    "gzip-of-newlines": (lambda: gzip_of(b"", b"\n" * (1 << 24), 256), 3, "not-json"),
    "gzip-in-gzip": (
        lambda: stored_gzip(stored_gzip(certificate(CLAIM, point(1)))),
        3,
        "not-ascii",
    ),
    "long-modulus": (
        lambda: certificate(
            {"cols": 1, "kind": "rank", "matrix": ["1", [["f" * 900_000]]], "rank": 1, "rows": 1},
            {"cols": [0], "modulus": "e" * 900_001, "record": "minor", "rows": [0]},
        ),
        4,
        "out-of-fuel",
    ),
    "tree-of-a-hundred-thousand-cuts": (
        lambda: certificate(
            region_claim(network([[1, 0]] * 10**5, [[1] * (10**5 + 1)]), system(1), 0),
            *[split()] * 10**5,
        ),
        1,
        "missing-record",
    ),
    "long-denominators": (
        lambda: entry(b'"' + b"f" * 900_000 + b'"').replace(
            b'["1",', b'["' + b"e" * 900_000 + b'",'
        ),
        4,
        "out-of-fuel",
    ),
}


#: One bomb of each reason code explodes every day; these are further ones.
FURTHER = {
    "nested-lists-never-closed",
    "nested-objects",
    "ten-megabyte-float",
    "trillion-dimensions",
    "long-line-of-spaces",
    "million-objects",
    "million-indices",
    "gzip-of-newlines",
    "long-line-of-empty-lists",
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.sweep] if n in FURTHER else []) for n in BOMBS],
)
def test_bomb(name: str, tmp_path: Path) -> None:
    make, exit_code, code = BOMBS[name]
    path = tmp_path / "bomb.cert.jsonl"
    path.write_bytes(make())
    run = program(str(path))
    path.unlink()
    assert (run.returncode, run.stderr) == (exit_code, "")
    assert f": {code}: " in run.stdout
    assert run.stdout.count("\n") == 1
    assert len(run.stdout) < 1000


def test_gzip_bomb_meets_the_byte_limit(tmp_path: Path) -> None:
    """A stream of well-formed lines is stopped by --max-bytes, wherever the rule would stop it."""
    path = tmp_path / "bomb.cert.jsonl.gz"
    path.write_bytes(gzip_of(FIRST, b" " * (1 << 20), 64))
    run = program(str(path), "--max-bytes", "1000000")
    assert run.returncode == 4
    assert ": too-many-bytes: " in run.stdout


def test_memory_exhausted_is_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "big.cert.jsonl"
    path.write_bytes(FIRST + b"[" + b'"a1",' * MEGA + b"0]\n")
    run = program(str(path), memory=60 << 20)
    assert run.returncode == 4
    assert ": out-of-memory: " in run.stdout


def test_every_code_of_a_bomb_is_met_every_day() -> None:
    every_day = {code for name, (_, _, code) in BOMBS.items() if name not in FURTHER}
    assert {code for _, _, code in BOMBS.values()} == every_day
    assert set(BOMBS) > FURTHER
