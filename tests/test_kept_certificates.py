"""``proofs/certificates``: accepted by a bare Python, and what the program writes today."""

import json
import subprocess
import sys
from pathlib import Path

from exactrelu.cli.main import main
from tests.checking import CHECKER

KEPT = Path(__file__).parents[1] / "proofs" / "certificates"


def test_a_bare_python_accepts_them_all() -> None:
    files = sorted(map(str, KEPT.rglob("*.cert.jsonl")))
    program = [sys.executable, "-I", "-S", str(CHECKER), *files]
    found = subprocess.run(program, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout
    assert found.stdout.count("ACCEPTED") == len(files) > 20


def test_they_are_what_certify_writes_byte_for_byte(tmp_path) -> None:
    names = {entry["network"] for entry in json.loads((KEPT / "summary.json").read_text())}
    cases = Path(__file__).parents[1] / "cases"
    files = cases.rglob("*.json")
    paths = [p for p in files if {p.parent.name, f"{p.parent.name}-{p.stem}"} & names]
    networks = [str(p) for p in paths if "exactrelu-network/1" in p.read_text()]
    assert len(networks) == len(names)
    assert main(["certify", *networks, "-o", str(tmp_path)]) in (0, 3)
    for path in KEPT.glob("*.cert.jsonl"):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()
    assert len(list(tmp_path.iterdir())) == sum(path.is_file() for path in KEPT.iterdir())


def test_those_of_lemmas_are_what_the_laboratory_writes(tmp_path) -> None:
    assert main(["lemmas", "-o", str(tmp_path)]) == 0
    found, kept = (
        sorted(folder.iterdir()) for folder in (tmp_path / "certificates", KEPT / "lemmas")
    )
    assert [path.name for path in found] == [path.name for path in kept]
    assert [
        p.name for p, q in zip(found, kept, strict=True) if p.read_bytes() != q.read_bytes()
    ] == []
