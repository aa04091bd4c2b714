"""Both versions: which is which, public files, and queries over real numbers."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from exactrelu.errors import InputError
from exactrelu.questions.properties.versions import (
    is_version2,
    n_machine_types,
    parse_query,
    read_query,
    real_query,
)
from tests.questions.properties.formulas import (
    ACAS,
    FIRST,
    OTHERS,
    needs_data,
    random_formula,
    version1,
    version2,
)
from tests.seeds import seeds

TEXT = """; float32 (declare-input X float32 [1])
(vnnlib-version <2.0>)\r
(declare-network float32_net
\t(declare-input  float32 ; float64
      float32 [1, 2])
    (declare-hidden H\u00a0real [1] "declare-input X float32")
    (declare-output Y bfloat16 []))
(assert (<= Y 1.0))"""


def test_only_types_are_rewritten() -> None:
    changed = real_query(TEXT)
    expected = TEXT.replace("      float32 [", "      real [").replace("Y bfloat16", "Y real")
    assert changed == expected
    assert real_query(changed) == changed
    assert (n_machine_types(TEXT), n_machine_types(changed)) == (2, 0)


def test_other_types_are_not_rewritten() -> None:
    with pytest.raises(InputError, match="line 2: found the type 'int64', expected real or"):
        real_query("(declare-network f\n (declare-input X int64 [1])")


def test_version_1_has_nothing_to_rewrite() -> None:
    text = "(declare-const X_0 Real) (declare-const Y_0 Real) (assert (<= X_0 Y_0))"
    assert real_query(text) == text
    assert not is_version2(text)


@pytest.mark.parametrize("text", ["", " \n ; only a comment"])
def test_no_text_is_no_query(text: str) -> None:
    with pytest.raises(InputError, match="found no query"):
        parse_query(text)


WORDS = [
    *("(", ")", "[", "]", ",", '"', ";", "\n", "<=", "and", "not", "-", "*", "/", "1", "-0.5"),
    *("X", "X_0", "Y_0", "assert", "declare-input", "real", "9" * 25, "<2.0>", "\0", "é", "[0]"),
]


@pytest.mark.parametrize("seed", seeds(4, 40))
def test_changed_queries_are_read_or_refused_in_one_line(seed: int) -> None:
    rng = random.Random(seed)
    trees = [random_formula(rng, ["X_0", "X_1", "Y_0"], 3) for _ in range(2)]
    texts = [version1(trees, 2, 1), version2(trees, 2, 1), real_query(TEXT)]
    found = []
    for _ in range(100):
        text = rng.choice(texts)
        for _ in range(rng.randint(1, 3)):
            i = rng.randrange(len(text) + 1)
            text = text[:i] + rng.choice(WORDS) + text[i + rng.choice([0, 1, 5]) :]
        try:
            parse_query(text)
        except InputError as error:
            found.append(str(error))
    assert not [message for message in found if "\n" in message or len(message) > 400]


@needs_data
@pytest.mark.parametrize("path", [*ACAS, *OTHERS, *FIRST], ids=lambda path: path.name)
def test_public_queries(path: Path) -> None:
    text = path.read_text()
    if path.name == "monotonic_acasxu_instance_0.vnnlib":
        with pytest.raises(InputError, match=r"vnnlib: line 30: .*as in \(< Y_f\[3\] Y_g\[3\]\)"):
            read_query(path)
        text = text.replace("(Y_f[3] < Y_g[3])", "(< Y_f[3] Y_g[3])")
    if n_machine_types(text):
        with pytest.raises(InputError, match=re.escape(f"exactrelu real-query {path} -o")):
            read_query(path)
    query = parse_query(real_query(text))
    n_asserted = sum(line.startswith("(assert") for line in text.splitlines())
    assert len(query.formula.parts) == n_asserted
    assert real_query(text).count("float32") == 0


@needs_data
def test_both_versions_of_the_public_properties() -> None:
    second = {path.name: path for path in ACAS}
    assert len(FIRST) == 4
    for path in FIRST:
        first = parse_query(path.read_text())
        other = parse_query(real_query(second[path.name].read_text()))
        assert first.formula == other.formula
