"""Every case file gets exactly its verdict, its reason code and its exit code."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from build_cases import build
from case_files import CASES, CaseFile, all_cases
from exactrelu_checker.budget import Limits
from exactrelu_checker.claims import RULES
from exactrelu_checker.verdicts import Reason
from running import PROOFS, check, program

ALL = all_cases()
CODES = {reason.code for reason in Reason}
# No file can show these: the first needs a machine without memory, see test_checker_bombs.
NOT_BY_FILE = {"out-of-memory"}


@pytest.mark.parametrize("case", ALL, ids=str)
def test_case(case: CaseFile) -> None:
    exit_code, answer = check(*case.options(), str(case.path))
    assert exit_code == case.exit_code
    if case.expectation != "usage":
        (result,) = answer["results"]
        assert (result["verdict"], result.get("code", "")) == (case.verdict, case.code)


def test_case_files_are_those_of_the_builder() -> None:
    written = {
        path.relative_to(CASES).as_posix(): path.read_bytes()
        for path in CASES.rglob("*")
        if path.is_file()
    }
    assert written == build()


def test_no_case_is_another_one() -> None:
    contents = Counter((c.path.read_bytes(), *c.options(), *c.path.suffixes) for c in ALL)
    assert [content for content, count in contents.items() if count > 1] == []


def test_every_reason_code_has_a_refused_file() -> None:
    assert {case.code for case in ALL} - {""} == CODES - NOT_BY_FILE


def test_every_kind_has_cases_a_page_and_forgeries() -> None:
    for kind in RULES:
        counts = Counter(case.expectation for case in ALL if case.kind == kind)
        assert counts["accept"] >= 2, kind
        assert counts["reject"] >= counts["accept"], kind
        assert counts["malformed"] >= 1, kind
        assert (PROOFS / "rules" / f"{kind}.md").is_file(), kind
    assert {path.stem for path in (PROOFS / "rules").glob("*.md")} == set(RULES)


def test_there_are_forgeries_enough() -> None:
    assert sum(case.expectation == "reject" for case in ALL) >= 50


def test_every_must_names_a_reason_code() -> None:
    musts = re.findall(r"^\*\*M(\d+)\*\* (.*?)(?=\n\n|\Z)", format_page(), re.M | re.S)
    assert [int(number) for number, _ in musts] == list(range(1, len(musts) + 1))
    for number, text in musts:
        codes = re.findall(r"→ `([a-z-]+)`", text)
        assert codes, f"M{number} names no reason code"
        assert set(codes) <= CODES, f"M{number}"


def test_every_reason_code_is_in_the_pages() -> None:
    text = format_page() + "".join(page.read_text() for page in (PROOFS / "rules").glob("*.md"))
    assert {code for code in CODES if f"`{code}`" not in text} == set()


def test_the_pages_name_the_codes_of_their_forgeries() -> None:
    """A forgery of a kind is refused for a reason on the page of the kind, or of the format."""
    container = format_page()
    for case in ALL:
        if case.kind in RULES and case.code:
            page = (PROOFS / "rules" / f"{case.kind}.md").read_text()
            assert f"`{case.code}`" in page + container, str(case)


def test_limits_are_those_of_the_page() -> None:
    units = {"GiB": 1 << 30, "MiB": 1 << 20, "million": 10**6, "": 1}
    texts = dict(re.findall(r"`--max-([a-z]+)`\s*\(([^)]*)\)", format_page()))
    read = {}
    for name, text in texts.items():
        number, unit = re.fullmatch(r"(10⁹|\d+) ?(\w*).*", text).groups()  # type: ignore[union-attr]
        read[name] = (10**9 if number == "10⁹" else int(number)) * units[unit]
    assert read == vars(Limits())


def format_page() -> str:
    """Return the page of the format."""
    return (PROOFS / "FORMAT.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("flags", [(), ("-O",), ("-OO",), ("-I",), ("-I", "-S", "-O")], ids=str)
def test_sample_as_a_program(flags: tuple[str, ...]) -> None:
    """One file of each reason code and one accepted file of each kind, one run for each exit."""
    sample: dict[tuple[str, str], CaseFile] = {}
    for case in ALL:
        if case.expectation != "usage" and not case.options():
            sample.setdefault((case.code, case.kind if not case.code else ""), case)
    for exit_code in (0, 1, 3, 4):
        cases = [case for case in sample.values() if case.exit_code == exit_code]
        run = program(*(str(case.path) for case in cases), flags=flags)
        assert run.returncode == exit_code, run.stderr
        for case, line in zip(cases, run.stdout.splitlines(), strict=True):
            assert line.startswith(case.verdict + " ")
            assert f": {case.code}: " in line or not case.code


def test_cases_fit_the_repository() -> None:
    assert all(path.stat().st_size < 200_000 for path in Path(CASES).rglob("*") if path.is_file())
