"""The verified program beside the checker in Python.

Skipped where it cannot be built; that fails with EXACTRELU_VERIFIED=required.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from exactrelu_checker.check import Question, check_file
from exactrelu_checker.main import main
from exactrelu_checker.options import domain_of, load_network
from exactrelu_checker.program import run as run_program
from exactrelu_ci import verified

ROOT = Path(__file__).resolve().parents[2]
VERIFIED = ROOT / "proofs" / "verified"
sys.path.append(str(VERIFIED))

import compare  # noqa: E402

KEPT = ROOT / "proofs" / "certificates"
XOR = ROOT / "cases" / "xor" / "network.json"


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The program, built from the committed sources."""
    named = os.environ.get("EXACTRELU_VERIFIED", "")
    if named not in ("", "required"):
        return named
    found = shutil.which("ocamlfind")
    if not found or subprocess.run([found, "query", "zarith"], capture_output=True).returncode:
        missing = "the verified program needs ocaml-nox, ocaml-findlib and libzarith-ocaml-dev"
        if named:
            pytest.fail(missing)
        pytest.skip(missing)
    # Several processes of the tests may come here at once.
    folder = tmp_path_factory.mktemp("verified")
    for path in [*VERIFIED.glob("*.ml*"), VERIFIED / "Makefile"]:
        shutil.copy(path, folder)
    subprocess.run(["make", "-s", "-C", str(folder), "exactrelu-verified"], check=True)
    built = str(folder / "exactrelu-verified")
    os.environ["EXACTRELU_VERIFIED"] = built
    return built


def run(program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)


@pytest.mark.parametrize("kind", compare.KINDS)
def test_both_checkers_accept_the_same(kind: str, program: str) -> None:
    known = compare.plain_cases([kind])
    tally, found = compare.differences([*known.values()])
    assert [(list(known)[i], why) for i, why in found] == []
    assert tally["ACCEPTED", "ACCEPTED"]


@pytest.mark.parametrize("kind", compare.KINDS)
def test_both_checkers_accept_the_same_mutants(kind: str, program: str) -> None:
    source = compare.mutants([kind], int(os.environ.get("SEED", "0")))
    tally, found = compare.differences([next(source) for _ in range(2000)])
    assert [why for _, why in found] == []
    assert min(tally[word, word] for word in ("ACCEPTED", "REJECTED")) >= 50


@pytest.mark.sweep
@pytest.mark.parametrize("kind", compare.KINDS)
def test_both_checkers_accept_the_same_of_many_mutants(kind: str, program: str) -> None:
    source = compare.mutants([kind], int(os.environ.get("SEED", "0")) + 1)
    for _ in range(25):
        _, found = compare.differences([next(source) for _ in range(2000)])
        assert [why for _, why in found] == []


def test_kept_certificates_are_accepted(program: str) -> None:
    files = [path.read_bytes() for path in sorted(KEPT.rglob("*.cert.jsonl"))]
    files = [data for data in files if compare.kind_of(data) in compare.KINDS]
    tally, found = compare.differences(files)
    assert [why for _, why in found] == []
    assert {verdict for _, verdict in tally} <= {"ACCEPTED", "UNSUPPORTED"}
    assert tally["ACCEPTED", "ACCEPTED"] >= 3


def test_other_kinds_are_never_accepted(program: str) -> None:
    files = [path.read_bytes() for path in sorted(KEPT.glob("*.cert.jsonl"))]
    files = [data for data in files if compare.kind_of(data) not in compare.KINDS]
    assert {verdict for verdict, _ in compare.by_verified(files)} == {"UNSUPPORTED"}
    found = run(program, KEPT / "xor.complex.cert.jsonl", KEPT / "xor.regions.cert.jsonl")
    assert (found.returncode, found.stdout[:11]) == (2, "UNSUPPORTED")


DOMAINS = [
    "R",
    "orthant",
    "box:-1..1",
    "box:-1,1;-1,1",
    "box:0..1/2",
    "box:0.5,3/2",
    "box:-1e0..+1.0",
]


@pytest.mark.parametrize("text", DOMAINS)
def test_both_checkers_pin_the_same_domains(text: str, program: str, tmp_path: Path) -> None:
    meant, data = domain_of(text), [*compare.plain_cases(compare.KINDS).values()]
    verdicts = [found for found, _ in compare.by_verified(data)]
    files = [tmp_path / f"{i}" for i, found in enumerate(verdicts) if found == "ACCEPTED"]
    for path in files:
        path.write_bytes(data[int(path.name)])
    said = run(program, "--domain", text, *files).stdout.splitlines()
    ours = [check_file(str(path), Question(domain=meant)) for path in files]
    # Where only the verified program accepts, the other one never comes to the domain.
    pairs = [
        (a.code, b.rpartition(" ")[2])
        for a, b in zip(ours, said, strict=True)
        if a.verdict != "LIMIT"
    ]
    assert {(a == "domain-mismatch", b == "domain-mismatch") for a, b in pairs} <= {
        (True, True),
        (False, False),
    }


def test_a_polyhedron_and_networks_are_pinned(program: str, tmp_path: Path) -> None:
    path = KEPT / "xor.regions.cert.jsonl"
    box = tmp_path / "box.json"
    rows = [
        {"normal": [s * (i == j) for j in range(2)], "offset": "1.0"}
        for i in range(2)
        for s in (1, -1)
    ]
    box.write_text(
        f'{{"format": "exactrelu-polyhedron/1", "inequalities": {rows}}}'.replace("'", '"')
    )
    assert (
        run(program, "--network", XOR, "--domain", "R", "--expect", "regions", path).returncode == 0
    )
    assert "domain-mismatch" in run(program, "--domain", box, path).stdout
    assert domain_of(str(box))(2) == domain_of("box:-1..1")(2)
    other = next((ROOT / "cases").rglob("S002-P11-weights")) / "N.json"
    assert load_network(str(other)) != load_network(str(XOR))
    assert "network-mismatch" in run(program, "--network", other, path).stdout
    assert "claim-mismatch" in run(program, "--expect", "not regions", path).stdout
    sentence = check_file(str(path), Question()).claim
    assert run(program, "--expect", sentence, path).returncode == 0
    canonical = tmp_path / "canonical.json"
    canonical.write_text(path.read_text().split('"network":')[1].split(',"sense"')[0])
    assert run(program, "--network", canonical, path).returncode == 0


def test_what_is_no_proof_has_the_exit_code_of_its_verdict(program: str, tmp_path: Path) -> None:
    good = (KEPT / "xor.regions.cert.jsonl").read_bytes()
    for name, data, code, word in (
        ("whole", good, 0, "ACCEPTED"),
        ("packed", gzip.compress(good), 0, "ACCEPTED"),
        ("forged", good.replace(b'"count":3', b'"count":4'), 1, "REJECTED"),
        ("cut", good[: len(good) // 2], 4, "INCOMPLETE"),
        ("cut-packed", gzip.compress(good)[:-9], 4, "INCOMPLETE"),
        ("changed", good.replace(b"end ", b"end 0"), 3, "MALFORMED"),
        ("more", good + b"\n", 3, "MALFORMED"),
        ("empty", b"", 4, "INCOMPLETE"),
        ("deep", b"[" * 100_000, 4, "INCOMPLETE"),
        ("deeper", b"[" * 100_000 + b"\n", 3, "MALFORMED"),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        found = run(program, path)
        assert (found.returncode, found.stdout.split()[0]) == (code, word), name
    assert run(program, tmp_path / "none").stdout.startswith("UNREADABLE")
    assert "too-many-bytes" in run(program, "--max-bytes", "99", tmp_path / "whole").stdout
    assert "line-too-long" in run(program, "--max-line", "99", tmp_path / "whole").stdout
    for wrong in (
        ["--max-bytes", "0"],
        ["--domain", "box:1..0"],
        ["--nothing"],
        ["--network", "none"],
        [],
    ):
        found = run(program, *wrong, *[tmp_path / "whole"][: len(wrong)])
        assert (found.returncode, found.stdout, found.stderr.count("\n")) == (2, "", 1), wrong


def fake(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    """A program in the place of the verified one."""
    path = folder / "fake"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("EXACTRELU_VERIFIED", str(path))


def test_both_checkers_must_accept(
    program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EXACTRELU_VERIFIED", program)
    regions, other = (str(KEPT / f"xor.{kind}.cert.jsonl") for kind in ("regions", "complex"))
    assert main(["--verified", "--network", str(XOR), regions]) == 0
    assert "[by cells; trusts NOTHING; verified] (" in capsys.readouterr().out
    assert main(["--verified", regions, other]) == 2
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in said] == ["ACCEPTED", "UNSUPPORTED"]
    assert said[1].endswith("not-verified: complex")


@pytest.mark.parametrize(
    ("script", "code", "why"),
    [
        ('echo "REJECTED f: line 3: not-proved"; exit 1', 1, "verified-differs"),
        ('echo "ACCEPTED N1 is something else [by cells] (f)"', 1, "verified-differs"),
        ('echo "LIMIT f: line 3: line-too-long"; exit 4', 4, "verified-differs"),
        ('echo "UNSUPPORTED f: line 1: regions"; exit 2', 2, "not-verified"),
    ],
)
def test_what_the_program_does_not_accept_is_not_accepted(
    script: str, code: int, why: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path,
) -> None:  # fmt: skip
    fake(monkeypatch, tmp_path, script)
    assert main(["--verified", str(KEPT / "xor.regions.cert.jsonl")]) == code
    assert f": {why}: " in capsys.readouterr().out


@pytest.mark.parametrize(
    "script", ["exit 0", "exit 70", "kill -9 $$", 'echo "ACCEPTED N1"; exit 3', "exec sleep 60"]
)
def test_a_crash_of_the_program_is_no_verdict(
    script: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    fake(monkeypatch, tmp_path, script)
    monkeypatch.setattr(verified, "_SECONDS", 1 if "sleep" in script else 600)
    monkeypatch.setattr(
        sys, "argv", ["exactrelu-check", "--verified", str(KEPT / "xor.regions.cert.jsonl")]
    )
    monkeypatch.setattr("exactrelu_checker.program._silence", lambda: None)
    assert run_program() == 70
    said = capsys.readouterr()
    assert said.out == ""
    assert "no verdict" in said.err


def test_without_the_program_nothing_is_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("EXACTRELU_VERIFIED", str(tmp_path / "none"))
    assert main(["--verified", str(KEPT / "xor.regions.cert.jsonl")]) == 2
    assert capsys.readouterr().err.startswith("exactrelu-check: no program ")


def test_a_manifest_demands_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for kind in ("regions", "transparent"):
        shutil.copy(KEPT / f"xor.{kind}.cert.jsonl", tmp_path)
    shutil.copy(XOR, tmp_path)
    manifest = tmp_path / "certificates.toml"
    text = (
        'format = "exactrelu-manifest/1"\ndirectory = "."\n'
        '[networks.xor]\nfile = "network.json"\n'
        '[[certificate]]\nfile = "xor.regions.cert.jsonl"\nkind = "regions"\n'
        'networks = ["xor"]\ndomain = "R"\nfields = {count = 3, sense = "exactly"}\n'
        "verified = true\n"
        '[[certificate]]\nfile = "xor.transparent.cert.jsonl"\nkind = "transparent"\n'
        'holds = false\nnetworks = ["xor"]\ndomain = "R"\n'
    )
    manifest.write_text(text)
    fake(monkeypatch, tmp_path, 'echo "UNSUPPORTED f: line 1: regions"; exit 2')
    assert main(["--manifest", str(manifest)]) == 2
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in said] == ["UNSUPPORTED", "ACCEPTED"]
    manifest.write_text(text.replace("verified = true", "verified = 1"))
    assert main(["--manifest", str(manifest)]) == 2
    assert "verified is true or false" in capsys.readouterr().err
    manifest.write_text(text.replace("verified = true", "verified = false"))
    assert main(["--manifest", str(manifest)]) == 0


def test_nothing_is_admitted() -> None:
    sources = "".join(path.read_text() for path in VERIFIED.glob("*.v"))
    assert not re.search(r"Admitted|admit\b|Axiom|Parameter", sources)
    assert "Theorem proved" in sources
    assert "Obj.magic" not in (VERIFIED / "kernel.ml").read_text()
    assumed = re.findall(r"^(\w[\w.]*)$", (VERIFIED / "assumptions.txt").read_text(), re.M)
    assert {*assumed} == {
        "ClassicalDedekindReals.sig_forall_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
    }


def code_lines(text: str) -> int:
    """Lines that are neither blank nor in comments."""
    return sum(map(bool, map(str.strip, re.sub(r"\(\*.*?\*\)", "", text, flags=re.S).splitlines())))


def test_the_lines_to_be_believed_are_counted() -> None:
    lines = {
        path.name: code_lines(path.read_text())
        for path in VERIFIED.glob("*.*")
        if path.suffix in (".v", ".ml")
    }
    lines["prove"] = code_lines((VERIFIED / "proof.ml").read_text().partition("let prove")[2])
    readme = (VERIFIED / "README.md").read_text()
    table = re.findall(r"^\| (`.*?) \| (\d+) \|", readme, re.M)
    counted = {
        what: sum(lines[name] for name in re.findall(r"`([\w.]+)`", what) if name != "proof.ml")
        for what, _ in table[:1] + table[2:]
    }
    assert counted == {what: int(n) for what, n in table[:1] + table[2:]}
