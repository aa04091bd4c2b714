"""How the checker is handed on: one file, a distribution of its own, a hook and an action."""

from __future__ import annotations

import ast
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import exactrelu_checker
import pytest
from bundles import cases
from jobs import Job, made

import exactrelu

ROOT = Path(__file__).resolve().parents[2]
PROOFS = ROOT / "proofs"

#: A Python that says it is old, and that can import nothing from there on.
OLD = """\
import runpy, sys, zipimport
finder = zipimport.zipimporter(sys.argv[1])
code = finder.get_code("__main__")
sys.version_info = (3, 10, 13, "final", 0)
sys.meta_path.clear()
exec(code, {"__name__": "__main__"})
"""


def ran(program: list[str], folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    known = {**os.environ, **env}
    return subprocess.run(
        program, cwd=folder, env=known, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def pyz(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("dist") / "exactrelu-check.pyz"
    found = ran([sys.executable, str(PROOFS / "build_pyz.py"), str(target)], ROOT)
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    assert found.stdout == f"{digest}  {target}\n"
    return target


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return made(tmp_path)


def test_one_file_has_the_same_bytes_every_time(pyz: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.pyz"
    ran([sys.executable, "-O", str(PROOFS / "build_pyz.py"), str(again)], tmp_path)
    assert again.read_bytes() == pyz.read_bytes()
    assert pyz.read_bytes().startswith(b"#!/usr/bin/env -S python3 -I\n")
    names = zipfile.ZipFile(pyz).namelist()
    assert names == sorted(names)
    sources = {p.relative_to(PROOFS).as_posix() for p in PROOFS.glob("exactrelu_c*/**/*.py")}
    sources.add("exactrelu_checker/words.txt")
    assert {*names} == {"LICENSE", "__main__.py", *sources} - {"exactrelu_checker/__main__.py"}


@pytest.mark.parametrize(
    ("word", "code"), [("ACCEPTED", 0), ("REJECTED", 1), ("", 2), ("MALFORMED", 3), ("LIMIT", 4)]
)
def test_every_exit_code_through_the_file(pyz: Path, tmp_path: Path, word: str, code: int) -> None:
    """What ``python -m zipapp`` makes prints REJECTED and exits 0."""
    case = next(case for case in cases().values() if case.verdict == (word or "ACCEPTED"))
    path = tmp_path / "x.cert"
    path.write_bytes(case.data)
    options = [*case.options, *(["--network", "none.json"] if code == 2 else [])]
    found = ran([sys.executable, "-I", str(pyz), *options, str(path)], tmp_path)
    assert found.returncode == code
    assert found.stdout.split(" ")[0] == word


def test_the_file_knows_manifests_and_trust(pyz: Path, job: Job) -> None:
    run = [sys.executable, "-I", "-S", str(pyz)]
    assert ran([*run, "--manifest", "certificates.toml"], job.folder).returncode == 0
    (job.folder / "certs/rank.cert.jsonl").unlink()
    found = ran([*run, "--manifest", "certificates.toml", "--format", "github"], job.folder)
    assert found.returncode == 1
    assert "::error file=certs/rank.cert.jsonl,title=missing::" in found.stdout
    said = ran([*run, "--trust", "regions:cells"], job.folder).stdout
    folder = ran([*run[:-1], str(PROOFS / "exactrelu_checker"), "--trust", "regions:cells"], ROOT)
    assert said == folder.stdout
    assert "exactrelu_checker.tree" in said


def test_the_file_tells_an_old_python_what_it_needs(pyz: Path, tmp_path: Path) -> None:
    text = zipfile.ZipFile(pyz).read("__main__.py").decode()
    ast.parse(text, feature_version=(3, 4))
    assert text.index("sys.version_info < (3, 11)") < text.index("from exactrelu_checker")
    ways = [[sys.executable, "-c", OLD, str(pyz)]]
    ways += [[path, str(pyz)] for n in (6, 8, 9, 10) if (path := shutil.which(f"python3.{n}"))]
    for way in ways:
        found = ran([*way, "--version"], tmp_path)
        if "command not found" in found.stderr:
            continue  # the name of a version that is not installed here
        assert (found.returncode, found.stdout) == (2, "")
        assert found.stderr == "exactrelu-check: needs Python 3.11 or newer\n"


def test_the_checker_without_what_is_for_ci(job: Job) -> None:
    shutil.copytree(PROOFS / "exactrelu_checker", job.folder / "exactrelu_checker")
    run = [sys.executable, "-I", "-S", "exactrelu_checker"]
    assert ran([*run, "certs/rank.cert.jsonl"], job.folder).returncode == 0
    for options in (
        ["--manifest", "certificates.toml"],
        ["--format", "github", "certs/rank.cert.jsonl"],
        ["--summary", "s.md", "certs/rank.cert.jsonl"],
    ):
        found = ran([*run, *options], job.folder)
        assert (found.returncode, found.stdout) == (2, "")
        line = "exactrelu-check: this needs the folder exactrelu_ci beside exactrelu_checker\n"
        assert found.stderr == line


def test_versions_and_licences_agree() -> None:
    own = tomllib.loads((PROOFS / "pyproject.toml").read_text())
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert exactrelu.__version__ == exactrelu_checker.__version__
    assert own["tool"]["hatch"]["version"]["path"] == "exactrelu_checker/__init__.py"
    assert own["project"]["dependencies"] == []
    assert own["project"]["scripts"] == {
        name: place
        for name, place in whole["project"]["scripts"].items()
        if name == "exactrelu-check"
    }
    assert own["project"]["license"] == "MIT"
    assert (PROOFS / "LICENSE").read_text().startswith("MIT License")
    assert whole["project"]["license"] == "GPL-3.0-or-later"
    packages = whole["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert packages == ["exactrelu", "proofs/exactrelu_checker", "proofs/exactrelu_ci"]


@pytest.mark.sweep
def test_wheels_have_what_they_must(tmp_path: Path) -> None:
    """Needs the network, as pip fetches what builds them."""
    for folder, name in ((PROOFS, "exactrelu_checker"), (ROOT, "exactrelu")):
        made = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", str(tmp_path), str(folder)]
        assert ran(made, tmp_path).returncode == 0
        (wheel,) = tmp_path.glob(f"{name}-*.whl")
        files = zipfile.ZipFile(wheel).namelist()
        for package in ("exactrelu_checker", "exactrelu_ci"):
            sources = {p.relative_to(PROOFS).as_posix() for p in (PROOFS / package).rglob("*.py")}
            assert sources <= {*files}
            assert f"{package}/py.typed" in files
        assert any(file.endswith("licenses/LICENSE") for file in files)
        has_library = "exactrelu/api.py" in files
        assert has_library == (name == "exactrelu")
    target = tmp_path / "alone"
    (wheel,) = tmp_path.glob("exactrelu_checker-*.whl")
    assert ran([sys.executable, "-m", "venv", str(target)], tmp_path).returncode == 0
    pip = [str(target / "bin" / "pip"), "install", "--no-index", str(wheel)]
    assert ran(pip, tmp_path).returncode == 0
    found = ran([str(target / "bin" / "exactrelu-check"), "--version"], tmp_path)
    assert found.stdout == f"exactrelu-check {exactrelu_checker.__version__}\n"


@pytest.mark.sweep
def test_the_source_distribution_has_its_licence(tmp_path: Path) -> None:
    backend = "import os, sys; os.chdir(sys.argv[1]); from hatchling.build import build_sdist"
    script = f"{backend}; print(build_sdist(sys.argv[2]))"
    builder = tmp_path / "builder"
    assert ran([sys.executable, "-m", "venv", str(builder)], tmp_path).returncode == 0
    python = str(builder / "bin" / "python")
    assert ran([python, "-m", "pip", "install", "hatchling"], tmp_path).returncode == 0
    name = ran([python, "-c", script, str(PROOFS), str(tmp_path)], tmp_path).stdout.split()[-1]
    with tarfile.open(tmp_path / name) as archive:
        files = [file.partition("/")[2] for file in archive.getnames()]
    assert {"LICENSE", "README.md", "FORMAT.md", "build_pyz.py", "pyproject.toml"} <= {*files}
    assert "exactrelu_ci/manifest.py" in files
    assert not [file for file in files if file.startswith("certificates")]


def scalar(text: str, key: str) -> str:
    """The value of a key that stands once in YAML as simple as ours."""
    (value,) = re.findall(rf"^[- ]*{key}: (.+)$", text, re.MULTILINE)
    return str(value)


def test_the_hook_of_pre_commit(job: Job) -> None:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text()
    assert scalar(text, "language") == "script"
    assert scalar(text, "pass_filenames") == "false"
    assert scalar(text, "always_run") == "true"
    entry = ROOT / scalar(text, "entry")
    assert os.access(entry, os.X_OK)
    arguments = scalar(text, "args").strip("[]").split(", ")
    assert arguments == ["--manifest", "certificates.toml"]
    assert ran([str(entry), *arguments], job.folder).returncode == 0
    (job.folder / "certs/rank.cert.jsonl").unlink()
    found = ran([str(entry), *arguments], job.folder)
    assert found.returncode == 1
    assert "REJECTED certs/rank.cert.jsonl: missing: " in found.stdout


def test_the_action_of_github(job: Job) -> None:
    text = (ROOT / "action.yml").read_text()
    assert scalar(text, "using") == "composite"
    assert scalar(text, "MANIFEST") == "${{ inputs.manifest }}"
    assert scalar(text, "default") == "certificates.toml"
    command = scalar(text, "run")
    # What a repository calls its manifest is never a part of the script.
    assert "${{" not in command
    assert shlex.split(command)[0] == "python3"
    python = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    given = {
        "GITHUB_ACTION_PATH": str(ROOT),
        "MANIFEST": "certificates.toml",
        "GITHUB_STEP_SUMMARY": str(job.folder / "summary.md"),
        "PATH": python,
    }
    assert ran(["bash", "-c", command], job.folder, **given).returncode == 0
    (job.folder / "certs/rank.cert.jsonl").unlink()
    found = ran(["bash", "-c", command], job.folder, **given)
    assert found.returncode == 1
    assert "::error file=certs/rank.cert.jsonl,title=missing::" in found.stdout
    tables = (job.folder / "summary.md").read_text()
    assert "exactrelu-check: 5 of 5 accepted" in tables
    assert "exactrelu-check: 4 of 5 accepted" in tables
