"""The types as users see them: mypy on a file of good and bad uses."""

from __future__ import annotations

from pathlib import Path

import pytest

PROGRAM = (Path(__file__).parent / "data" / "users.py.txt").read_text()


def test_types_hold_as_a_user_sees_them(tmp_path: Path) -> None:
    """One run for all uses, as it reads the whole package: some seconds without its cache."""
    mypy = pytest.importorskip("mypy.api", reason="mypy comes with the extra dev")
    path = tmp_path / "users.py"
    path.write_text(PROGRAM)
    shown, errors, _ = mypy.run(["--follow-imports=silent", str(path)])
    assert not errors
    source = PROGRAM.splitlines()
    wrong = {k for k, line in enumerate(source, 1) if line.endswith("# wrong")}
    said: dict[int, str] = {}
    for line in shown.splitlines():
        place, _, words = line.partition(": ")
        if "users.py:" in place:
            number = int(place.rpartition(":")[2])
            said[number] = said.get(number, "") + words
    assert {k for k, words in said.items() if "error: " in words} == wrong
    revealed = {source[k - 1]: words for k, words in said.items() if k not in wrong}
    for start, words in {
        "reveal_type(found.n_regions": "int | None",
        "reveal_type(er.is_generic": "bool | None",
        "reveal_type(er.fiber": "ShallowFiber | ",
        "reveal_type(er.matrices.rank": "int",
        "reveal_type(er.polyhedra": "Polyhedron",
        "reveal_type(er.equivalent": "Certificate | None",
        "reveal_type(er.rank_proof": "Certificate",
    }.items():
        (told,) = (told for line, told in revealed.items() if line.startswith(start))
        assert words in told, start
    assert 'Module has no attribute "regionz"' in said[source.index("er.regionz(net)  # wrong") + 1]
