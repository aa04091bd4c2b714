import gzip
import hashlib
import json
from dataclasses import replace

import pytest
from flint import fmpq, fmpz

from exactrelu.certificates.certificate import (
    Certificate,
    claim,
    encoded,
    joined,
    point_record,
    record,
)
from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats.load import load
from exactrelu.network.network import trace
from exactrelu.polyhedra.domain import Domain
from tests.checking import verdicts


def value(point: tuple[fmpq, ...]) -> Certificate:
    xor = load("cases/xor/network.json")
    at = trace(xor, point)
    signs = ["".join("-0+"[s + 1] for s in layer) for layer in at.pattern]
    return claim("value", "evaluation", network=xor, point=at.point, output=at.output, signs=signs)


def example() -> Certificate:
    return value((fmpq(1, 3), fmpq(-1)))


def test_the_file_is_canonical_lines_with_a_footer() -> None:
    first, *records, footer = example().to_bytes().decode().splitlines(keepends=True)
    assert first == json.dumps(json.loads(first), sort_keys=True, separators=(",", ":")) + "\n"
    assert records == ["by evaluation\n"]
    digest = hashlib.sha256("".join([first, *records]).encode()).hexdigest()
    assert footer == f"end 2 {digest}\n"


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
    wrong = replace(good, fields={**good.fields, "output": ["1", ["7"]]})
    assert [r["verdict"] for r in verdicts([good, wrong], tmp_path)] == ["ACCEPTED", "REJECTED"]


def test_bytes_and_back() -> None:
    assert Certificate.from_bytes(example().to_bytes()).to_bytes() == example().to_bytes()


BOX = LinearSystem.box([(0, "17/2")])


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (17, 17),
        ("+-0", "+-0"),
        (fmpz(-17), "-11"),
        (fmpq(-17, 2), ["2", "-11"]),
        ((fmpq(1, 2), fmpq(1, 3)), ["6", ["3", "2"]]),
        ((), ["1", []]),
        ([fmpq(1, 2), fmpq(1, 3)], [["2", "1"], ["3", "1"]]),
        ([], []),
        ([[0, 17], [fmpz(17)]], [[0, 17], ["11"]]),
        (None, None),
        (Matrix([["1/2", 17]]), {"cols": 2, "matrix": ["2", [["1", "22"]]], "rows": 1}),
        (
            Domain.of("box:0,17/2;1,1", 2),
            {
                "dim": 2,
                "rows": [
                    ["eq", ["0", "1", "-1"]],
                    ["ge", ["-2", "0", "11"]],
                    ["ge", ["1", "0", "0"]],
                ],
            },
        ),
        (BOX, {"dim": 1, "rows": [["ge", ["1", "0"]], ["ge", ["-2", "11"]]]}),
        ({"unit": 17, "point": (fmpq(17),)}, {"unit": 17, "point": ["1", ["11"]]}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_is_written_by_its_type(value, written) -> None:
    assert encoded(value) == written
    assert claim("kind", "method", subject=value).fields == {"subject": written}


def test_records_are_a_word_and_integers() -> None:
    assert record("word", 0, -17, fmpz(255)) == "word 0 -11 ff"
    assert point_record("point", (fmpq(1, 2), fmpq(-1, 3))) == "point 3 -2 6"


def test_networks_are_written_by_their_parameters() -> None:
    xor = load("cases/xor/network.json")
    assert encoded(xor) == encoded(xor.renamed("another name")) == xor.canonical_form()


@pytest.mark.parametrize("value", [0.5, {1}, [0.5], (1, 2), ["a", (1,)]], ids=str)
def test_what_is_not_exact_is_not_written(value) -> None:
    with pytest.raises((TypeError, AttributeError)):
        encoded(value)


def test_claims_together_are_as_many_facts(tmp_path) -> None:
    facts = [value((fmpq(x), fmpq(y))) for x, y in ([0, 0], [1, -1])]
    both = joined("facts", facts)
    said = both.fields["facts"]
    assert said["subjects"] == [facts[0].fields["network"]]
    assert said["list"] == [{**fact.claim, "network": "@1"} for fact in facts]
    assert both.records == tuple(line for fact in facts for line in fact.proof)
    assert [r["verdict"] for r in verdicts([both], tmp_path)] == ["ACCEPTED"]


def test_evidence_within_another_proof_begins_with_its_method() -> None:
    part = claim("equal", "shallow", ["one", "two"], domain=Domain.of("box:0,1", 1))
    assert part.evidence == ["by shallow", "one", "two"]
    assert part.proof == ["by shallow", "inside 1 2", "one", "two"]
