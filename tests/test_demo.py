"""``make demo``: its commands answer as it says, and it fails where one of them does not."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from exactrelu_checker.main import main as check

from exactrelu.cli.main import main

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "docs" / "demo.sh"
#: What the script runs, and the exit code that it expects.
COMMANDS = [
    (shlex.split(words), {"yes": 0, "no": 1, "says 0": 0, "says 1": 1}[code])
    for code, words in re.findall(r"^(yes|no|says [01]) (.*)$", SCRIPT.read_text(), re.MULTILINE)
]
FORGERY = re.search(r"^forge='s/(.*)/(.*)/'$", SCRIPT.read_text(), re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the script and the cases, in which it writes."""
    (tmp_path / "docs").mkdir()
    shutil.copy(SCRIPT, tmp_path / "docs")
    (tmp_path / "cases").symlink_to(ROOT / "cases")
    (tmp_path / "demo-output").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_answers_as_the_demo_says(folder: Path) -> None:
    """In this process, and all but the report, which takes longest."""
    assert len(COMMANDS) > 20
    assert FORGERY is not None
    genuine, forged = (folder / "demo-output" / f"{n}.cert.jsonl" for n in ("moons", "forged"))
    for words, expected in COMMANDS:
        if "forged" in words[-1]:
            text = genuine.read_text()
            assert FORGERY[1] in text
            forged.write_text(text.replace(*FORGERY.groups()))
        if words[0] == "exactrelu-check":
            assert check(words[1:]) == expected, words
        elif words[0] != "report":
            assert main(words) == expected, words


def demo(folder: Path, programs: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    script = ["sh", str(folder / "docs" / "demo.sh")]
    return subprocess.run(script, env=environment, capture_output=True, text=True, check=False)


#: Programs that answer as they should, in a moment.
EXACTRELU = """\
#!/bin/sh
case "$*" in
  "equivalent example:spike example:zero" | "generic example:moons" | "injective example:xor")
    exit 1;;
  "regions example:moons "*) echo '{"count":129}' > demo-output/moons.cert.jsonl;;
esac
"""
CHECKER = """\
#!/bin/sh
case "$*" in *forged*) echo "REJECTED forged: line 450: region-count: 129"; exit 1;; esac
"""


#: Which program is another one, its text, and what the demo says about it.
CHANGED = {
    "all is well": ("exactrelu-check", CHECKER, ""),
    "a forgery is accepted": ("exactrelu-check", "#!/bin/sh\n", "exit code 0, expected 1"),
    "the checker fails": (
        "exactrelu-check",
        CHECKER.replace("REJECTED", "Traceback"),
        "the forgery was not refused for its count",
    ),
    "a proof is refused": ("exactrelu-check", "#!/bin/sh\nexit 1\n", "1, expected 0"),
    "a wrong answer": ("exactrelu", EXACTRELU.replace("exit 1", "exit 0"), "0, expected 1"),
    "another count": ("exactrelu", EXACTRELU.replace("129", "128"), "nothing was forged"),
}


@pytest.mark.parametrize(("program", "text", "complaint"), CHANGED.values(), ids=CHANGED)
def test_the_demo_fails_with_its_programs(
    folder: Path, program: str, text: str, complaint: str
) -> None:
    for name, content in {
        "exactrelu": EXACTRELU,
        "exactrelu-check": CHECKER,
        program: text,
    }.items():
        (folder / name).write_text(content)
        (folder / name).chmod(0o755)
    found = demo(folder, folder)
    assert found.returncode == (1 if complaint else 0)
    assert complaint in found.stderr
    assert ("demo-output/moons.html in a browser" in found.stdout) == (not complaint)


@pytest.mark.sweep
def test_the_demo(folder: Path) -> None:
    found = demo(folder, Path(sys.executable).parent)
    assert (found.returncode, found.stderr) == (0, "")
    assert "\nACCEPTED " in found.stdout
    assert "\nREJECTED demo-output/forged.cert.jsonl: " in found.stdout
    assert "</html>" in (folder / "demo-output" / "moons.html").read_text()
