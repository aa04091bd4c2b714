"""What a newcomer types first: each test is named after a row of the table of stumbles."""

from __future__ import annotations

import inspect
import subprocess
import sys
import zipfile
from dataclasses import replace
from operator import eq, ne
from pathlib import Path

import pytest

import exactrelu as er
from exactrelu import api
from exactrelu.cli.main import COMMANDS

ROOT = Path(__file__).parent.parent
XOR = er.Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]], name="xor")


def subclasses(cls: type) -> list[type]:
    """All classes below a class, and itself."""
    return [cls, *(found for below in cls.__subclasses__() for found in subclasses(below))]


# --- Types


def test_types_are_there_for_type_checkers() -> None:
    for package in ("exactrelu", "proofs/exactrelu_checker"):
        assert (ROOT / package / "py.typed").read_bytes() == b""
    source = (ROOT / "exactrelu" / "__init__.py").read_text()
    assert "\nif not TYPE_CHECKING:" in source
    assert "\ndef __getattr__" not in source, "type checkers would take any name for one of ours"


@pytest.mark.sweep
def test_the_wheel_has_the_types(tmp_path: Path) -> None:
    wheel = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(tmp_path)]
    subprocess.run([*wheel, str(ROOT)], check=True)
    (path,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(path) as file:
        assert {"exactrelu/py.typed", "exactrelu_checker/py.typed"} <= set(file.namelist())


@pytest.mark.parametrize("name", api.__all__)
def test_a_signature_can_be_read(name: str) -> None:
    thing = getattr(er, name)
    is_error = inspect.isclass(thing) and issubclass(thing, Exception)
    if callable(thing) and not is_error:
        assert " at 0x" not in str(inspect.signature(thing))


# --- Verdicts and names


def test_a6_a_verdict_is_not_compared_with_a_bool() -> None:
    verdict = er.is_transparent(XOR, "box:-1,1")
    assert verdict == er.is_transparent(XOR, "box:-1,1")
    assert verdict != er.is_transparent(XOR, "box:0,1")
    assert verdict != "no"
    for truth in (True, False):
        for compare in (eq, ne):
            for pair in ((verdict, truth), (truth, verdict)):
                with pytest.raises(TypeError, match=r"use \.answer"):
                    compare(*pair)
    for cls in subclasses(er.Verdict):
        assert cls.__eq__ is er.Verdict.__eq__, cls


@pytest.mark.parametrize(
    ("typed", "meant"),
    {
        "difference": "largest_difference",
        "transparent": "is_transparent",
        "complex": "polyhedral_complex",
        "regionz": "regions",
        "netwrk": "Network",
        "is_identifable": "is_identifiable",
        "is_equal": "is_equivalent",
    }.items(),
)
def test_a10_an_unknown_name_gets_a_hint(typed: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=f"did you mean 'er.{meant}'"):
        getattr(er, typed)


def test_a10_every_command_leads_to_a_function() -> None:
    for command in COMMANDS:
        name = command.name.replace("-", "_")
        assert hasattr(er, name) or name in api.COMMANDS, name
    for meant in api.COMMANDS.values():
        thing = er
        for part in meant.split("."):
            thing = getattr(thing, part)
    assert not hasattr(er, "zzzzzz")


def test_a10_a_certificate_is_checked_from_python() -> None:
    certificate = er.regions(XOR).certificate
    assert certificate is not None
    found = certificate.check()
    assert found.is_accepted
    assert str(found).startswith("ACCEPTED: N1 (2-2-1")
    forged = replace(certificate, fields={**certificate.fields, "count": 4}).check()
    assert not forged.is_accepted
    assert forged.sentence


def test_a10_questions_of_yes_and_no_have_their_prefix() -> None:
    assert er.is_equivalent is er.equivalent
    assert er.is_isomorphic is er.isomorphic
    assert er.is_identifiable is er.identifiable
