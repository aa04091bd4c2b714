"""Every case gets exactly its verdict, its reason code and its exit code."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from pathlib import Path

import pytest
from bundles import CASES, Case, all_cases, as_changes, changed, everything
from exactrelu_checker.budget import Limits
from exactrelu_checker.claims import RULES
from exactrelu_checker.verdicts import Reason
from running import PROOFS, check, check_bytes, program

ALL = all_cases()
BUNDLES = sorted(path.stem for path in CASES.glob("*.txt"))
CODES = {reason.code for reason in Reason}
# No file can show these: the first needs a machine without memory, see test_checker_bombs.
NOT_BY_FILE = {"out-of-memory"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the files are that options name, and those that need options."""
    folder = tmp_path_factory.mktemp("cases")
    for case in everything():
        if case.arguments or case.expectation == "file":
            case.write(folder)
    return folder


def answer(case: Case, folder: Path) -> tuple[int, str, str]:
    """Return exit code, verdict and reason code; the program is asked where there are options."""
    if not case.arguments:
        outcome = check_bytes(case.data)
        return outcome.verdict.exit_code, outcome.verdict.name, outcome.code
    exit_code, found = check(*case.options(folder), str(case.path(folder)))
    (result,) = found.get("results", [{"verdict": ""}])
    return exit_code, result["verdict"], result.get("code", "")


@pytest.mark.parametrize("bundle", BUNDLES)
def test_bundle(bundle: str, folder: Path) -> None:
    wrong = []
    cases = [case for case in ALL if case.bundle == bundle]
    for case in cases:
        found = answer(case, folder)
        if found != (case.exit_code, case.verdict, case.code):
            wrong.append(f"{case}: {case.expectation} | {shlex.join(case.arguments)}: {found}")
    assert not wrong, "\n".join(["python tests/checker/bundles.py CASE prints a file", *wrong])
    assert cases


def test_changes_are_those_of_the_bundles() -> None:
    """What ``bundles.py CASE FILE`` prints makes the file of the case."""
    regions = [case for case in ALL if case.kind == "regions"]
    plain = {case.name: case.data.decode("ascii").splitlines()[:-1] for case in regions}
    base = plain["regions/central"]
    for name, lines in plain.items():
        if len(lines[0]) < 1000:
            assert changed(base, as_changes(base, lines)) == lines, name
    with pytest.raises(ValueError, match="several"):
        changed(["11"], ["1 1 → 2"])
    with pytest.raises(ValueError, match="no 3"):
        changed(["11"], ["1 3 → 2"])


def test_no_case_is_another_one() -> None:
    contents = Counter((c.data, *c.arguments, c.name.endswith(".gz")) for c in ALL)
    assert [content for content, count in contents.items() if count > 1] == []
    assert len({case.name for case in everything()}) == len(everything())


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


def test_no_case_is_lost() -> None:
    """A bundle that is not read, or cut in two by a line of its own, would be missed here."""
    counts = Counter(case.expectation for case in ALL)
    assert counts["accept"] >= 1139
    assert counts["reject"] >= 2286
    assert counts["malformed"] >= 467
    assert counts["limit"] >= 135
    assert counts["usage"] >= 22
    assert counts["incomplete"] >= 8


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
def test_sample_as_a_program(flags: tuple[str, ...], tmp_path: Path) -> None:
    """One file of each reason code and one accepted file of each kind, one run for each exit."""
    sample: dict[tuple[str, str], Case] = {}
    for case in ALL:
        if case.expectation != "usage" and not case.arguments:
            sample.setdefault((case.code, case.kind if not case.code else ""), case)
    as_programs(list(sample.values()), tmp_path, flags)


@pytest.mark.sweep
def test_every_case_as_a_program(tmp_path: Path) -> None:
    as_programs([c for c in ALL if c.expectation != "usage" and not c.arguments], tmp_path, ())
    for case in everything():
        if case.arguments or case.expectation == "file":
            case.write(tmp_path)
    for case in ALL:
        if case.arguments:
            run = program(*case.options(tmp_path), str(case.path(tmp_path)))
            assert (run.returncode, f": {case.code}: " in run.stdout) == (
                case.exit_code,
                bool(case.code),
            ), (case, run)


def as_programs(cases: list[Case], folder: Path, flags: tuple[str, ...]) -> None:
    """Run the program on the cases without options, once for each exit code."""
    for exit_code in (0, 1, 3, 4):
        chosen = [case for case in cases if case.exit_code == exit_code]
        run = program(*(str(case.write(folder)) for case in chosen), flags=flags)
        assert run.returncode == exit_code, run.stderr
        for case, line in zip(chosen, run.stdout.splitlines(), strict=True):
            assert line.startswith(case.verdict + " "), case
            assert f": {case.code}: " in line or not case.code, case


def test_bundles_can_be_read_by_people() -> None:
    """Few files, none too long to open."""
    sizes = {path.name: path.stat().st_size for path in CASES.iterdir()}
    assert {name for name, size in sizes.items() if size > 300_000} == set()
    assert len(sizes) < 60
