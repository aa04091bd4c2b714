"""``cases/``: one scheme of names, and a page that lists them all, written from what they say.

python -m tests.test_case_list --write
"""

import argparse
import json
import re
from pathlib import Path
from typing import Any

from exactrelu.lemmas.record import STATEMENTS
from exactrelu.lemmas.statement import Statement
from exactrelu.network.formats.load import network_from_object

CASES = Path(__file__).parents[1] / "cases"
PAGE = CASES / "README.md"
#: Known to users by these paths: they have no family.
PROMISED = {"acasxu-1-1", "xor"}
#: What the cases of each family are.
FAMILIES = {
    "equal": "Pairs of networks with the same function, or nearly so.",
    "generic": "Generic networks, and some that only look so.",
    "identifiable": "Does a function determine its network? Yes, no, and not decided.",
    "injective-layers": "Puthawala et al., *Globally injective ReLU networks* (S003).",
    "lemmas": "Counterexamples that a search found to published statements; the name of a case is "
    "the statement's, `make lemmas` writes them.",
    "networks": "Trained networks.",
    "phuong-lampert": "Phuong and Lampert, *Functional vs. parametric equivalence of ReLU "
    "networks* (S001).",
    "polyhedra": "Polyhedra without a network.",
    "recovery": "Networks that are recovered from their values.",
    "regions": "Networks whose activation regions were counted in two other ways, exactly.",
    "rolnick-kording": "Rolnick and Kording, *Reverse-engineering deep ReLU networks* (S000).",
    "three-layers": "*The symmetries of three-layer ReLU networks* (S002).",
}
_HEAD = """# Cases

Networks, matrices and polyhedra with answers that are known exactly. `expected.json` of a case says
where it comes from, what it is a case of, and its facts, which `tests/test_cases.py` asks
one by one; there layers and neurons count from 0. A case is *positive* if a claim is true of it, a
*counterexample* to one, or *degenerate*, where an edge is met.

A case is a folder `FAMILY/ID`. No two have the same id, as `exactrelu certify` names its files by
it. Ids of cases from papers begin with the paper (S000 to S003), then E for a counterexample, P for
a positive case, D for a degenerate one, or the part of the paper. `xor` and `acasxu-1-1` have no
family: scripts and pages know them by these paths.

*This page is written from the cases by `python -m tests.test_case_list --write`.*
"""


def cases() -> dict[Path, dict[str, Any]]:
    """What each case says, by its folder."""
    found = sorted(CASES.rglob("expected.json"))
    return {path.parent: json.loads(path.read_text()) for path in found}


def instances() -> dict[str, list[str]]:
    """The statements that a case is an instance of, by the id of the case."""
    found: dict[str, list[str]] = {}
    for name, statement in STATEMENTS.items():
        for case in statement.known if isinstance(statement, Statement) else ():
            found.setdefault(case, []).append(name)
    return found


def family(folder: Path) -> str:
    """The family of a case, or nothing."""
    return folder.relative_to(CASES).parent.name


def objects(folder: Path) -> str:
    """The files of a case; of networks those that have the same widths together."""
    networks: dict[str, list[str]] = {}
    others = []
    for path in sorted(folder.iterdir()):
        if path.name in ("expected.json", "README.md"):
            continue
        data = json.loads(path.read_text()) if path.suffix == ".json" else None
        if isinstance(data, dict) and data.get("format") == "exactrelu-network/1":
            widths = "-".join(map(str, network_from_object(data).widths))
            networks.setdefault(widths, []).append(path.stem)
        else:
            others.append(path.name)
    named = [f"{', '.join(names)} ({widths})" for widths, names in networks.items()]
    return ", ".join([*named, *others])


def page() -> str:
    """The page that lists all cases."""
    listed = cases()
    statements = instances()
    parts = [_HEAD]
    for name in ("", *FAMILIES):
        members = {folder: data for folder, data in listed.items() if family(folder) == name}
        sources = {data["source"] for data in members.values()}
        words = FAMILIES.get(name, "Known by their paths.")
        if len(sources) == 1 and not re.search(r"\(S\d", words):
            words += f" Source: {_cell(*sources)}."
        parts.append(f"## {name or 'Without a family'}\n\n{words}\n")
        columns = [
            "case",
            "what it has",
            "kind",
            "a case of",
            *(["source"] if len(sources) > 1 else []),
        ]
        lines = [columns, ["---"] * len(columns)]
        for folder, data in members.items():
            claim = _cell(data["claim"])
            if data["id"] in statements:
                claim += f" ({', '.join(f'`{s}`' for s in statements[data['id']])})"
            link = f"[{data['id']}]({folder.relative_to(CASES)})"
            line = [link, _cell(objects(folder)), data["kind"], claim, _cell(data["source"])]
            lines.append(line[: len(columns)])
        parts.append("".join(f"| {' | '.join(line)} |\n" for line in lines))
    return "\n".join(parts)


def _cell(text: str) -> str:
    """A text that stands in a table as it is written."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text.rstrip("."))


def test_the_page_is_that_of_today() -> None:
    assert PAGE.read_text() == page(), "python -m tests.test_case_list --write"


def test_a_case_is_a_folder_of_a_family() -> None:
    for folder, data in cases().items():
        assert data["id"] == folder.name
        assert family(folder) in FAMILIES or folder.name in PROMISED
        assert re.fullmatch(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*", folder.name), folder
    assert {folder.name for folder in CASES.iterdir() if folder.is_dir()} == PROMISED | {*FAMILIES}
    # Nothing lies about that is no case.
    assert {p.parent for p in CASES.rglob("*") if p.is_file()} == {CASES, *cases()}


def test_no_two_cases_have_one_id() -> None:
    assert len({folder.name for folder in cases()}) == len(cases())


def test_statements_name_cases_that_are_there() -> None:
    assert instances().keys() <= {folder.name for folder in cases()}


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description="The page that lists all cases.")
    parser.add_argument("--write", action="store_true", required=True, help="write the page")
    parser.parse_args()
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
