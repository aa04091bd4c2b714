"""Every case meets its verdict; every reason code in the sources has a refused case."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from bundles import CASES, Case, cases
from exactrelu_checker import check, numbers, objects, tree
from exactrelu_checker.check import Outcome, Question, check_stream
from exactrelu_checker.file import Limits, Proof, Refused
from exactrelu_checker.main import main

PACKAGE = Path(__file__).resolve().parents[2] / "proofs" / "exactrelu_checker"

#: Codes that no file can reach today; the tests below reach them with a hook.
HOOKED = {"basis-wrong", "domain-empty", "too-many-mentions"}


def check_bytes(data: bytes, question: Question | None = None) -> Outcome:
    """The verdict on a file with this content."""
    stream = io.BufferedReader(io.BytesIO(data))  # type: ignore[arg-type]
    return check_stream("a file", stream, question or Question())


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file for one case after the other."""
    return tmp_path_factory.mktemp("cases") / "case.cert"


@pytest.mark.parametrize("key", sorted(cases()))
def test_case(
    key: str, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file gets its verdict and code."""
    case: Case = cases()[key]
    monkeypatch.chdir(CASES)
    path = place
    path.write_bytes(case.data)
    exit_code = main(case.arguments(path))
    said = capsys.readouterr().out
    assert said.startswith(case.verdict), said
    assert said.count("\n") == 1
    if case.verdict == "ACCEPTED":
        assert re.search("; trusts (NOTHING|the ledger \\(shards: \\d+\\))[;\\]]", said), said
    if case.code:
        assert f": {case.code}: " in said, said
    if case.trusts:
        assert f"; trusts {case.trusts}; unpinned] " in said, said
    expected = {"ACCEPTED": 0, "REJECTED": 1, "MALFORMED": 3, "INCOMPLETE": 4, "LIMIT": 4}
    assert exit_code == expected[case.verdict]


@cache
def codes() -> dict[str, set[str]]:
    """The codes of refusals in the sources, by the verdict that they lead to."""
    verdicts = {"need": "REJECTED", "form": "MALFORMED", "whole": "INCOMPLETE", "limit": "LIMIT"}
    found: dict[str, set[str]] = {verdict: set() for verdict in verdicts.values()}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.func if isinstance(node, ast.Call) else None
            if isinstance(node, ast.Call) and isinstance(name, ast.Name) and name.id in verdicts:
                code = node.args[1]
                assert isinstance(code, ast.Constant), f"{path.name}:{node.lineno}"
                found[verdicts[name.id]].add(str(code.value))
    return found


def test_every_code_has_a_refused_case() -> None:
    refused = {(case.verdict, case.code) for case in cases().values()}
    for verdict, known in codes().items():
        missing = {code for code in known if (verdict, code) not in refused} - HOOKED
        assert not missing, f"{verdict}: {sorted(missing)}"


def test_cases_name_codes_that_exist() -> None:
    for case in cases().values():
        if case.verdict != "ACCEPTED":
            assert case.code in codes()[case.verdict], case.name


def test_cases_run_alike_with_and_without_optimization(tmp_path: Path) -> None:
    """The folder runs by a bare Python, with -O too, and says the same: a third of the cases."""
    plain = [case for case in cases().values() if not case.options][::3]
    names = []
    for number, case in enumerate(plain):
        path = tmp_path / f"{number}.cert"
        path.write_bytes(case.data)
        names.append(str(path))
    outputs = [
        subprocess.run(
            [sys.executable, *flags, str(PACKAGE), *names],
            capture_output=True, text=True, check=False, cwd=tmp_path,
        ).stdout
        for flags in (["-I", "-S"], ["-I", "-S", "-O"])
    ]  # fmt: skip
    assert outputs[0] == outputs[1]
    lines = outputs[0].splitlines()
    assert [line.split(" ")[0] for line in lines] == [case.verdict for case in plain]


def test_wrong_solution_of_the_checker_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker tests what its elimination finds: with a wrong one nothing is accepted."""
    right = numbers.in_basis
    data = cases()["tree/cone"].data

    def hooked(change: int) -> str:
        def wrong(basis: numbers.Rows, targets: numbers.Rows) -> tuple[int, list[list[int]]]:
            det, found = right(basis, targets)
            if change == 0:
                return det, [[x + 1 for x in values] for values in found]
            return (-det if change == 1 else det + 1), found

        monkeypatch.setattr(tree, "in_basis", wrong)
        return check_bytes(data).code

    assert [hooked(change) for change in range(3)] == ["basis-wrong"] * 3


@pytest.mark.parametrize(
    ("error", "code"), [(MemoryError, "out-of-memory"), (KeyError, "internal-error")]
)
def test_what_nothing_foresaw_is_a_limit(
    error: type[Exception], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise error

    monkeypatch.setattr(check, "prove", failing)
    outcome = check_bytes(cases()["file/relu"].data)
    assert (outcome.verdict, outcome.code) == ("LIMIT", code)


def test_contradicting_equations_have_no_chart() -> None:
    proof = Proof(io.BufferedReader(io.BytesIO(b"")), Limits())  # type: ignore[arg-type]
    system = objects.System(1, ("eq", "eq"), ((1, 0), (1, -1)))
    with pytest.raises(Refused, match="domain-empty"):
        objects.chart(proof, system)


@pytest.mark.parametrize(
    ("key", "part"),
    [
        ("points/local-regions", "the points [(1), (2), (-1/2)] lie in"),
        ("points/local-regions", "are [1, 2, 1/2] in the maximum norm"),
        ("points/local-no-boundary", "are [none] in the maximum norm"),
        ("stability/tree", "the stability of layer 1 alone of N1 ("),
        ("stability/layers", "the stability of N1 ("),
    ],
)
def test_sentences_say_vectors_and_layers_in_words(key: str, part: str) -> None:
    assert part in check_bytes(cases()[key].data).claim
