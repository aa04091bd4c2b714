"""Every module of the checker that can be started checks, or refuses, and never exits 0 else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from build_pyz import build
from bundles import cases
from test_cases import PACKAGE

PROOFS = PACKAGE.parent
FILES = sorted(path for name in ("exactrelu_checker", "exactrelu_ci")
               for path in (PROOFS / name).rglob("*.py"))  # fmt: skip
NAMES = [path.relative_to(PROOFS).with_suffix("").as_posix().replace("/", ".") for path in FILES]
LINE = "exactrelu-check: no program; python -m exactrelu_checker FILE checks\n"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """An accepted and a rejected file."""
    folder = tmp_path_factory.mktemp("certs")
    good, bad = folder / "good.cert", folder / "bad.cert"
    good.write_bytes(cases()["file/relu"].data)
    bad.write_bytes(good.read_bytes().replace(b'"count":2', b'"count":3'))
    return str(good), str(bad)


@pytest.fixture(scope="module")
def pyz(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("dist") / "exactrelu-check.pyz"
    build(target)
    return target


def started(place: Path, *words: str) -> tuple[int, str, str]:
    env = {**os.environ, "PYTHONPATH": str(place)}
    program = [sys.executable, *words]
    run = subprocess.run(program, env=env, capture_output=True, text=True, check=False)
    return run.returncode, run.stdout, run.stderr


@pytest.mark.parametrize("name", [*NAMES, "exactrelu_checker", "exactrelu_checker.lemmas"])
def test_a_module_by_its_name(name: str, files: tuple[str, str]) -> None:
    """It is the program, or refused before it is run."""
    good, bad = files
    code, out, err = started(PROOFS, "-m", name, good)
    if name in ("exactrelu_checker", "exactrelu_checker.__main__"):
        assert (code, out[:9], err) == (0, "ACCEPTED ", "")
        assert started(PROOFS, "-m", name, bad)[0] == 1
    else:
        assert (code, out, err) == (2, "", LINE)


@pytest.mark.parametrize("name", ["exactrelu_checker.main", "exactrelu_ci.report"])
@pytest.mark.parametrize("words", [["-m{}"], ["-S", "-Om{}"], ["-B", "-m", "{}"]], ids=str)
def test_a_module_by_its_name_however_that_is_written(name: str, words: list[str]) -> None:
    assert started(PROOFS, *(word.format(name) for word in words)) == (2, "", LINE)


def test_a_module_within_the_one_file(pyz: Path, files: tuple[str, str]) -> None:
    for name in ("exactrelu_checker.main", "exactrelu_checker.check", "exactrelu_ci.job"):
        assert started(pyz, "-m", name, files[0]) == (2, "", LINE)
    assert started(pyz, "-m", "exactrelu_checker.lemmas", files[0]) == (2, "", LINE)
    code, out, _ = started(pyz, str(pyz), *files)
    assert (code, [line.split()[0] for line in out.splitlines()]) == (1, ["ACCEPTED", "REJECTED"])


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_a_module_by_its_path(path: Path, files: tuple[str, str]) -> None:
    """The program checks; Python refuses what has no package to import from."""
    good, bad = files
    code, out, err = started(PROOFS, str(path), good)
    if path.parent.name == "exactrelu_ci" and path.stem == "__main__":
        assert (code, out, err) == (2, "", LINE)
    elif path.stem in ("__main__", "main"):
        assert (code, out[:9], err) == (0, "ACCEPTED ", "")
        assert started(PROOFS, "-I", str(path), bad)[0] == 1
    elif path.stem == "program" or (path.stem == "__init__" and path.parent.name != "lemmas"):
        assert (code, out, err) == (2, "", LINE)
    else:
        assert (code != 0, out) == (True, "")
        assert err.endswith("ImportError: attempted relative import with no known parent package\n")


def test_programs_of_others_may_import_it(tmp_path: Path) -> None:
    """Also while Python looks for their module, which has such a name."""
    package = tmp_path / "mine" / "exactrelu_checks"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("import exactrelu_checker, exactrelu_ci\n")
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text("print('mine')\n")
    place = Path(f"{tmp_path}{os.pathsep}{PROOFS}")
    assert started(place, "-m", "mine.exactrelu_checks") == (0, "mine\n", "")
