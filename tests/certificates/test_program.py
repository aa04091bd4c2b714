"""The checker as a program, and the fuel that a certificate needs."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest
from exactrelu_checker.file import Limits

import exactrelu as er
from exactrelu.certificates import program
from exactrelu.certificates.program import DEFAULT_FUEL, Checked, Fuel, fuel_to_allow, run_checker
from exactrelu.effort import UNLIMITED, Effort, Stopped


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    return er.regions(er.load("example:moons")).save(tmp_path / "moons.cert.jsonl")


def test_the_default_is_that_of_the_checker() -> None:
    assert Limits().fuel == DEFAULT_FUEL


@pytest.mark.parametrize("spent", [10**9, 990_099_011, 1_234_567_890, 99_999_999_999])
def test_what_is_allowed_is_enough_and_short(spent: int) -> None:
    allowed = fuel_to_allow(spent)
    assert allowed is not None
    assert 1.01 * spent <= allowed <= 1.12 * spent
    assert not str(allowed)[2:].strip("0")


def test_what_fits_needs_nothing() -> None:
    assert fuel_to_allow(0) is fuel_to_allow(990_099_009) is None


def test_the_fuel_that_is_said_is_enough(proof: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the default were less: with what is said the file is accepted, with half it is not."""
    monkeypatch.setattr(program, "DEFAULT_FUEL", 1_000)
    monkeypatch.setattr(program, "_SMALL", 100)
    fuel = Fuel.of([proof], UNLIMITED)
    assert fuel.max_fuel is not None
    assert str(fuel) == f"exactrelu-check needs --max-fuel {fuel.max_fuel} for it"
    assert Checked.of(proof, UNLIMITED, fuel=fuel.max_fuel).is_accepted
    refused = Checked.of(proof, UNLIMITED, fuel=fuel.max_fuel // 2)
    assert (refused.status, refused.max_fuel) == ("LIMIT", None)
    assert "--max-fuel" in refused.sentence
    monkeypatch.setattr(program, "DEFAULT_FUEL", fuel.max_fuel)
    assert Fuel.of([proof], UNLIMITED) == Fuel(None)


def test_of_small_files_nothing_is_asked(proof: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What counts is how long the file is when it is unpacked."""
    monkeypatch.setattr(program, "DEFAULT_FUEL", 1_000)
    assert Fuel.of([proof], None) == Fuel(None)
    packed = proof.with_suffix(".gz")
    packed.write_bytes(gzip.compress(proof.read_bytes() * 10))
    assert packed.stat().st_size < program._SMALL
    assert Fuel.of([packed], None) == Fuel(None, False)


def test_where_there_is_no_time_it_is_not_known(
    proof: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "_SMALL", 100)
    late = "not known: whether the default fuel of exactrelu-check is enough for it"
    for effort in (None, Effort(seconds=0)):
        assert str(Fuel.of([proof], effort)) == late
    monkeypatch.setattr(program, "checker_program", lambda: [sys.executable, "-c", "0"])
    assert str(Fuel.of([proof], UNLIMITED)) == late


def test_a_certificate_is_checked_with_the_fuel_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the answer says which option others need."""
    verdict = er.regions(er.load("example:moons"))
    assert verdict.check().max_fuel is None
    monkeypatch.setattr(program, "DEFAULT_FUEL", 1_000)
    found = verdict.check()
    assert found.is_accepted
    assert f"needs exactrelu-check --max-fuel {found.max_fuel}" in " ".join(str(found).split())


def test_the_checker_ends_with_the_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import time; time.sleep(60)"
    monkeypatch.setattr(program, "checker_program", lambda: [sys.executable, "-c", code])
    with pytest.raises(Stopped, match=r"0\.2 s"):
        run_checker([], Effort(seconds=0.2))


def test_what_a_checker_says_may_be_long(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import sys; print('x' * 10**6); print('y' * 10**6, file=sys.stderr); sys.exit(4)"
    monkeypatch.setattr(program, "checker_program", lambda: [sys.executable, "-c", code])
    found = run_checker([])
    assert (len(found.stdout), len(found.stderr), found.returncode) == (10**6 + 1, 10**6 + 1, 4)


def test_the_checker_says_the_fuel(proof: Path) -> None:
    (result,) = json.loads(run_checker(["--json", str(proof)]).stdout)["results"]
    fuel = result["fuel"]
    assert run_checker([f"--max-fuel={fuel}", str(proof)]).returncode == 0
    assert run_checker([f"--max-fuel={fuel - 1}", str(proof)]).returncode == 4
