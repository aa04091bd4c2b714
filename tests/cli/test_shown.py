"""What is said of the fuel and the memory of the checker."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from exactrelu.certificates import program
from exactrelu.certificates.checkers import run_checkers
from exactrelu.certificates.program import run_checker

LITTLE = ["--max-fuel=5000"]


@pytest.fixture
def dear(monkeypatch: pytest.MonkeyPatch) -> None:
    """The default of the checker is taken to be less than anything needs."""
    monkeypatch.setattr(program, "DEFAULT_FUEL", 1_000)
    monkeypatch.setattr(program, "_SMALL", 100)


@pytest.mark.usefixtures("dear")
def test_a_certificate_that_needs_more_fuel_says_so(run, tmp_path: Path) -> None:
    path = tmp_path / "moons.cert.jsonl"
    call = ["regions", "example:moons", "--certificate", path]
    *_, certificate, last = run(*call).out.splitlines()
    assert certificate == f"certificate: {path}"
    words = last.split()
    assert words[:2] + words[-2:] == ["exactrelu-check", "needs", "for", "it"]
    assert run_checker([*words[2:4], str(path)]).returncode == 0
    answer = json.loads(run(*call, "--json").out)
    assert ["--max-fuel", str(answer["max_fuel"])] == words[2:4]


def test_others_say_nothing(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "_SMALL", 100)
    path = tmp_path / "moons.cert.jsonl"
    call = ["regions", "example:moons", "--certificate", path]
    assert run(*call).out.splitlines()[-1] == f"certificate: {path}"
    assert "max_fuel" not in json.loads(run(*call, "--json").out)


@pytest.mark.usefixtures("dear")
def test_no_time_to_know(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "_SECONDS", 0)
    path = tmp_path / "moons.cert.jsonl"
    call = ["regions", "example:moons", "--certificate", path]
    said = "not known: whether the default fuel of exactrelu-check is enough for it"
    assert run(*call).out.splitlines()[-1] == said
    answer = json.loads(run(*call, "--json").out)
    assert answer["max_fuel"] is None
    assert answer["certificate"] == str(path)


@pytest.mark.parametrize(
    "call",
    [
        "regions example:moons --shards {}",
        "transparent example:moons --shards {}",
        "identifiable --share 2,3,1 --count 3 --certificates {}",
        "build identifiable 2,3,1 -o {}.json --certificates {}",
        "lemmas S003-lemma-1 -o {}",
    ],
)
@pytest.mark.usefixtures("dear")
def test_files_that_a_command_names_itself_need_no_less(run, tmp_path: Path, call: str) -> None:
    """What is said is enough for all of them, and half of it is not for one."""
    folder = tmp_path / "certs"
    found = run(*call.format(*[folder] * call.count("{}")).split())
    (last,) = (line for line in found.out.splitlines() if line.startswith("exactrelu-check needs"))
    option, number, *rest = last.split()[2:]
    assert (option, " ".join(rest)) in [
        ("--max-fuel", f"for {them}") for them in ("all of them", "it")
    ]
    files = [folder] if "--shards" in call else sorted(folder.rglob("*.cert.jsonl*"))
    names = [str(path) for path in files]
    assert run_checker([f"--max-fuel={number}", *names]).returncode == 0
    half = json.loads(run_checker(["--json", f"--max-fuel={int(number) // 2}", *names]).stdout)
    assert "out-of-fuel" in {result["code"] for result in half["results"]}


@pytest.mark.usefixtures("dear")
def test_certify_says_what_the_default_is_not_enough_for(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It checks what it writes; of what is accepted there is nothing to say."""
    call = ["certify", "example:xor", "--json", "-o"]
    assert "max_fuel" not in json.loads(run(*call, tmp_path / "all").out)
    monkeypatch.setattr(
        "exactrelu.public.certify.run_checkers",
        lambda options, *rest: run_checkers([*options, *LITTLE], *rest),
    )
    answer = json.loads(run(*call, tmp_path / "few").out)
    results = list((tmp_path / "few").glob("*.cert.jsonl"))
    assert 0 < answer["n_accepted"] < answer["n_certificates"] == len(results)
    allowed = f"--max-fuel={answer['max_fuel']}"
    assert run_checker([allowed, *map(str, results)]).returncode == 0
    text = run(*[word for word in call if word != "--json"], tmp_path / "text").out
    assert (
        text.splitlines()[-1]
        == f"exactrelu-check needs {allowed.replace('=', ' ')} for all of them"
    )


@pytest.mark.usefixtures("dear")
def test_a_manifest_has_the_fuel(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("certs").mkdir()
    proof = ["--certificate", "certs/a.cert.jsonl"]
    assert run("regions", "example:moons", *proof).code == 0
    assert run("pin", "certs/a.cert.jsonl", "--unnamed").code == 0
    (entry,) = tomllib.loads(Path("certificates.toml").read_text())["certificate"]
    assert run_checker(["--manifest", "certificates.toml", "--max-fuel=1000"]).returncode == 0
    (result,) = json.loads(run_checker(["--json", "certs/a.cert.jsonl"]).stdout)["results"]
    assert result["fuel"] <= entry["max-fuel"] <= 1.2 * result["fuel"]
    assert run("pin", "certs/a.cert.jsonl").code == 0


@pytest.mark.parametrize("jobs", [1, 2])
def test_check_keeps_the_checker_to_its_memory(run, tmp_path: Path, jobs: int) -> None:
    """Lines are a part of the memory, and checkers side by side share it."""
    path = tmp_path / "moons.cert.jsonl"
    assert run("regions", "example:moons", "--certificate", path).code == 0
    longest = max(map(len, path.read_bytes().splitlines(keepends=True)))
    assert run("check", path, path, "--max-memory", "1G", "--jobs", jobs).code == 0
    memory = 32 * jobs * (longest - 2)
    found = run("check", path, path, "--max-memory", memory, "--jobs", jobs)
    assert found.code == 4
    assert "line-too-long" in found.out or "out-of-memory" in found.out
