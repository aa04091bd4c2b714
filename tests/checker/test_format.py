"""The specification: requirements name refused cases; every kind has its section and its page."""

from __future__ import annotations

import argparse
import ast
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from textwrap import wrap

import pytest
from bundles import cases, sealed
from exactrelu_checker import claims
from test_cases import PACKAGE, check_bytes, codes

PROOFS = Path(__file__).resolve().parents[2] / "proofs"
PAGE, RULES = PROOFS / "FORMAT.md", PROOFS / "rules"
#: Codes that no requirement has: no file leads to the first two, and a long one to the third.
UNREACHED = {"basis-wrong", "domain-empty", "too-many-mentions"}
SHOWN = re.compile(r"→ `([a-z-]+)`:((?: `cases/[a-z]+: [^`]+`,?)*)")


@cache
def page() -> str:
    """The specification, each paragraph on one line."""
    paragraphs = re.split(r"\n\n+", PAGE.read_text(encoding="utf-8"))
    return "\n\n".join(re.sub(r"\n(?! *- |\|)\s*", " ", paragraph) for paragraph in paragraphs)


@cache
def requirements() -> dict[str, list[tuple[str, list[str]]]]:
    """For each number of a requirement its codes, with the cases bundle/name that show them."""
    found = {}
    for number, text in re.findall(r"^\*\*([A-Z]+\d+)\*\* (.*)$", page(), re.MULTILINE):
        assert "MUST" in text, number
        assert number not in found, number
        assert text.count("→") == len(SHOWN.findall(text)), number
        found[number] = [
            (code, [
                f"{bundle}/{name}"
                for bundle, names in re.findall(r"`cases/([a-z]+): ([^`]+)`", shown)
                for name in names.split(", ")
            ])
            for code, shown in SHOWN.findall(text)
        ]  # fmt: skip
    return found


@cache
def sections() -> dict[str, str]:
    """The text about each kind."""
    text = page().split("\n## Kinds\n")[1].split("\n## ")[0]
    return {part.split("\n")[0]: part for part in re.split(r"^### ", text, flags=re.MULTILINE)[1:]}


def test_requirements_are_numbered() -> None:
    numbers: dict[str, list[int]] = {}
    for name in requirements():
        letters = name.rstrip("0123456789")
        numbers.setdefault(letters, []).append(int(name.removeprefix(letters)))
    for letters, found in numbers.items():
        assert found == list(range(1, len(found) + 1)), letters
    outside = re.sub(r"^\*\*[A-Z]+\d+\*\* .*$", "", page(), flags=re.MULTILINE)
    assert "MUST" not in outside
    assert "`cases/" not in outside.replace("`cases/tree: order`", "")


def test_every_requirement_has_a_refused_case_for_each_of_its_codes() -> None:
    for number, shown in requirements().items():
        assert shown, number
        for code, names in shown:
            assert names, f"{number}: {code}"
            for name in names:
                case = cases().get(name)
                assert case is not None, f"{number}: no case {name}"
                assert case.verdict != "ACCEPTED", f"{number}: {name}"
                assert case.code == code, f"{number}: {name} is refused for {case.code}"


def test_every_code_has_a_requirement() -> None:
    required = {code for shown in requirements().values() for code, _ in shown}
    known = set().union(*codes().values())
    assert required == known - UNREACHED
    assert all(f"`{code}`" in page() for code in known)


def list_of_codes() -> str:
    """The codes by the verdict that they lead to, as the end of the page has them."""
    items = (
        f"- {verdict}: {', '.join(f'`{c}`' for c in sorted(k))}" for verdict, k in codes().items()
    )
    wrapped = (wrap(item, 100, subsequent_indent="  ", break_on_hyphens=False) for item in items)
    return "".join(f"{line}\n" for lines in wrapped for line in lines)


def test_list_of_codes() -> None:
    """It is written by ``python tests/checker/test_format.py``, from the sources."""
    assert PAGE.read_text(encoding="utf-8").endswith(f"\n\n{list_of_codes()}")


def test_every_kind_has_a_section_and_no_other() -> None:
    assert set(sections()) == set(claims.KINDS)


@pytest.mark.parametrize("name", sorted(claims.KINDS))
def test_kind(name: str) -> None:
    """The section of a kind has its fields and methods, those of the negation after that word."""
    text = sections()[name]
    module = import_module(f"exactrelu_checker.{claims.KINDS[name]}")
    kind: claims.Kind = getattr(module, name.replace("-", "_"))
    start = re.search(r"^Fields?: (.*)$", text, re.MULTILINE)
    assert start is not None
    known = {*kind.fields, *({"holds"} if kind.negation is not None else ())}
    assert all(f"`{field}`" in start[1] for field in known), start[1]
    assert ("`holds`" in start[1]) == (kind.negation is not None)
    positive, _, negative = text.partition("- Negation")
    for holds, part in ((True, positive), (False, negative)):
        known = claims.methods(name if holds else f"not {name}")
        assert set(re.findall("`by ([a-z-]+)`", part)) == set(known)


def test_every_kind_has_a_page_of_its_own_and_there_is_no_other() -> None:
    assert {path.stem for path in RULES.iterdir()} == set(claims.KINDS)


@pytest.mark.parametrize("name", sorted(claims.KINDS))
def test_page(name: str) -> None:
    """The page of a kind has its name, its statement, each of its methods, and what is trusted."""
    text = (RULES / f"{name}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# `{name}`: ")
    assert "**Statement" in text
    assert "**Trusted" in text
    for method in {**claims.methods(name), **claims.methods(f"not {name}")}:
        assert f"`by {method}`" in text, method


def words() -> set[str]:
    """The words of records: those of accepted cases, and those that the sources ask for."""
    lines = (line for case in cases().values() if case.verdict == "ACCEPTED" for line in case.lines)
    found = {"end", *(line.partition(" ")[0] for line in lines if not line.startswith("{"))}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.func if isinstance(node, ast.Call) else None
            readers = ("record", "leaves", "numbers")
            if isinstance(name, ast.Attribute) and name.attr in readers:
                arguments = node.args if isinstance(node, ast.Call) else []
                found |= {str(x.value) for x in arguments if isinstance(x, ast.Constant)}
    return {word for word in found if re.fullmatch("[a-z-]+", word)}


def test_every_word_of_a_record_has_its_entry() -> None:
    known = words()
    assert {"by", "inside", "split", "intervals", "back", "replace"} <= known
    missing = {word for word in known if not re.search(rf"`{word}[ `]", page())}
    assert not missing


def test_limits() -> None:
    """The page has the limits of the program."""
    for text in ("--max-bytes` (1 GiB)", "--max-lines` (100 million)", "--max-line` (48 MiB)"):
        assert text in page()


def test_example_is_accepted() -> None:
    text = PAGE.read_text(encoding="utf-8").split("```\n")[1]
    *lines, footer = text.splitlines()
    data = sealed(lines)
    assert footer.startswith("end 3 ")
    assert data.decode().splitlines()[-1].startswith("end 3 ")
    assert check_bytes(data).verdict == "ACCEPTED"


def main() -> None:
    """Write the list of codes at the end of the specification, from the sources."""
    argparse.ArgumentParser(description=main.__doc__).parse_args()
    before, item, _ = PAGE.read_text(encoding="utf-8").partition("\n\n- REJECTED: ")
    assert item, "the page has a list of codes"
    PAGE.write_text(f"{before}\n\n{list_of_codes()}", encoding="utf-8")


if __name__ == "__main__":
    main()
