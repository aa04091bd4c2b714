import gzip
import hashlib
import json

import pytest

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.value import value_certificate
from exactrelu.errors import InputError
from exactrelu.network.evaluate import trace
from exactrelu.network.formats import load
from tests.checking import verdicts


def example() -> Certificate:
    xor = load("cases/xor/network.json")
    return value_certificate(xor, trace(xor, ["1/3", -1]))


def test_the_file_is_canonical_lines_with_a_footer() -> None:
    lines = example().to_bytes().decode().splitlines(keepends=True)
    footer = json.loads(lines[-1])["end"]
    body = "".join(lines[:-1]).encode()
    assert footer == {"records": len(lines) - 1, "sha256": hashlib.sha256(body).hexdigest()}
    for line in lines:
        value = json.loads(line)
        assert line == json.dumps(value, sort_keys=True, separators=(",", ":")) + "\n"


def test_the_same_claim_gives_the_same_bytes(tmp_path) -> None:
    a, b = tmp_path / "a.gz", tmp_path / "b.gz"
    example().save(a)
    example().save(b)
    assert a.read_bytes() == b.read_bytes()
    assert gzip.decompress(a.read_bytes()) == example().to_bytes()


def test_saving_leaves_nothing_half_written(tmp_path) -> None:
    with pytest.raises((InputError, OSError)):
        example().save(tmp_path / "no" / "folder")
    assert list(tmp_path.iterdir()) == []


def test_a_changed_claim_is_rejected(tmp_path) -> None:
    good = example()
    wrong = Certificate(good.kind, {**good.fields, "output": ["1", ["7"]]}, good.records)
    assert [r["verdict"] for r in verdicts([good, wrong], tmp_path)] == ["ACCEPTED", "REJECTED"]


def test_bytes_and_back() -> None:
    assert Certificate.from_bytes(example().to_bytes()).to_bytes() == example().to_bytes()
