"""Whatever is wrong with a job is said of the file that is wrong, in every format."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from bundles import cases
from exactrelu_ci import pins
from jobs import Job, edited, made
from test_manifest import REFUSED

LONG = f"models/{'x' * 300}.json"
Spoil = Callable[[Job], None]


def writes(name: str, text: str) -> Spoil:
    """Other words in a file."""
    return lambda job: (job.write(name, text), None)[1]


def changes(old: str, new: str) -> Spoil:
    """Other words in the manifest."""
    return lambda job: job.change(old, new)


def gone(name: str) -> Spoil:
    return lambda job: (job.folder / name).unlink()


def a_folder(name: str) -> Spoil:
    def spoil(job: Job) -> None:
        (job.folder / name).unlink()
        (job.folder / name).mkdir()

    return spoil


def a_pipe(name: str) -> Spoil:
    def spoil(job: Job) -> None:
        (job.folder / name).unlink()
        os.mkfifo(job.folder / name)

    return spoil


def adds(text: str) -> Spoil:
    """More words at the end of the manifest."""
    return lambda job: (job.write("certificates.toml", job.manifest.read_text() + text), None)[1]


LINE = "models/line.json"
CUT = "models/cut.json"
CERT = "certs/regions.cert.jsonl"
MANIFEST = "certificates.toml"
TWICE = '\n[[certificate]]\nfile = "certs/rank.cert.jsonl"\nkind = "rank"\n' \
        'fields = {matrix = {network = "ranked", layer = 1}, rank = 1}\n'  # fmt: skip
#: What is done, the file that is wrong, its line if there is one, the code, a part of the reason.
BROKEN: list[tuple[str, Spoil, str, int, str, str, int]] = [
    ("a model that is cut off", writes(LINE, '{"layers":\n['), LINE, 2, "wrong-network", "col", 2),
    ("an empty model", writes(LINE, ""), LINE, 1, "wrong-network", "Expecting value", 2),
    ("a model of a later format", writes(LINE, '{"format": "exactrelu-network/9"}'), LINE, 0,
     "wrong-network", "not an exactrelu-network/1 file", 2),
    ("a model without layers", writes(LINE, '{"format": "exactrelu-network/1"}'), LINE, 0,
     "wrong-network", "'layers' is missing", 2),
    ("no layers", writes(LINE, '{"layers": []}'), LINE, 0, "wrong-network", "a layer", 2),
    ("a model of floats", writes(LINE, '{"format": "exactrelu-network/1", "layers":'
     '[{"weights": [[0.5]], "bias": [1]}]}'), LINE, 0, "wrong-network", "0.5", 2),
    ("a nested model", writes(LINE, "[" * 100_000), LINE, 0, "wrong-network", "within", 2),
    ("no model", gone(LINE), LINE, 0, "missing", "no such file", 2),
    ("a folder for a model", a_folder(LINE), LINE, 0, "missing", "it is a folder", 2),
    ("a pipe for a model", a_pipe(LINE), LINE, 0, "missing", "no file that is kept", 2),
    ("a name that no file has", changes(LINE, LONG), LONG, 0, "missing", "name too long", 2),
    ("a domain that is cut off", writes(CUT, "{"), CUT, 1, "wrong-domain", "Expecting", 2),
    ("another file for a domain", writes(CUT, "{}"), CUT, 0, "wrong-domain", "polyhedron/1", 2),
    ("no domain", gone(CUT), CUT, 0, "missing", "no such file", 2),
    ("a point outside", changes('inside = ["0", "1/2"]', 'inside = ["9", "1/2"]'), MANIFEST, 0,
     "wrong-manifest", "the point is not inside", 2),
    ("no certificate", gone(CERT), CERT, 0, "missing", "no such file", 1),
    ("a folder for a certificate", a_folder(CERT), CERT, 0, "missing", "it is a folder", 1),
    ("a pipe for a certificate", a_pipe(CERT), CERT, 0, "missing", "no file that is kept", 1),
    ("a certificate with too long a name", changes(CERT, f"certs/{'x' * 300}"),
     f"certs/{'x' * 300}", 0, "missing", "name too long", 1),
    ("a broken certificate", writes(CERT, "{\n"), CERT, 1, "not-json", "", 3),
    ("an empty certificate", writes(CERT, ""), CERT, 1, "no-footer", "", 4),
    ("a folder for a source", a_folder("models/relu.onnx"), "models/relu.onnx", 0, "missing",
     "it is a folder", 1),
    ("broken TOML", changes('directory = "certs"', 'directory = "certs'), MANIFEST, 2,
     "wrong-manifest", "line 2", 2),
    ("a table twice", changes("[domains]", "[networks.relu]"), MANIFEST, 15, "wrong-manifest",
     "line 15", 2),
    ("no manifest", gone(MANIFEST), MANIFEST, 0, "unreadable", "No such file", 2),
    ("a folder for a manifest", a_folder(MANIFEST), MANIFEST, 0, "unreadable", "Is a directory", 2),
    ("an entry twice", adds(TWICE), MANIFEST, 0, "wrong-manifest", "listed twice", 2),
    ("a field that is not pinned", changes("{sense = \"exactly\", count = 2}", "{count = 2}"),
     MANIFEST, 0, "wrong-manifest", "not pinned: sense", 2),
    ("a name of two lines", changes('directory = "certs"', 'directory = "certs"\n"a\\nb" = 1'),
     MANIFEST, 0, "wrong-manifest", "unknown", 2),
]  # fmt: skip

#: The refusals of the other tests, of which all formats say the same.
OTHERS = [(spoil.__name__, spoil, file, -1, code, why, exit_code)
          for spoil, file, code, why, exit_code in REFUSED]  # fmt: skip
ALL = [*BROKEN, *OTHERS]


@pytest.mark.parametrize(
    ("spoil", "file", "line", "code", "why", "exit_code"),
    [case[1:] for case in ALL], ids=[case[0] for case in ALL],
)  # fmt: skip
def test_every_format_names_the_file_that_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    spoil: Spoil, file: str, line: int, code: str, why: str, exit_code: int,
) -> None:  # fmt: skip
    spoil(made(tmp_path))
    monkeypatch.chdir(tmp_path)
    job = Job(Path())
    # One object.
    said = job.run("--json")
    found = json.loads(said.out)
    assert (said.code, found["exit"], said.err) == (exit_code, exit_code, "")
    (result,) = (r for r in found["results"] if (r["file"], r["code"]) == (file, code))
    assert result["verdict"] != "ACCEPTED"
    assert line in (-1, result["line"])
    assert why in result["why"]
    # Lines.
    said = job.run()
    where = f"line {result['line']}: " if result["line"] else ""
    wanted = f"{result['verdict']} {file}: {where}{code}: {result['why']}"
    assert wanted in (said.out + said.err).splitlines()
    assert said.code == exit_code
    # Annotations, and the table.
    table = tmp_path / "summary.md"
    said = job.run("--format", "github", "--summary", str(table))
    assert (said.code, said.err) == (exit_code, "")
    at = f"line={result['line']}," if result["line"] else ""
    assert sum(row.startswith(f"::error file={file},{at}title={code}::")
               for row in said.out.splitlines()) == 1  # fmt: skip
    rows = [row for row in table.read_text().splitlines() if row.startswith("| ")][1:]
    assert len(rows) == len(found["results"]) == len(said.out.splitlines())
    names = [row.split(" | ")[1] for row in rows]
    assert plain(file) in names


def plain(text: str) -> str:
    """A name as a table has it."""
    return "".join(f"&#{ord(c)};" if c in "_-" else c for c in text)


def test_all_broken_models_are_named_at_once(tmp_path: Path, monkeypatch) -> None:
    made(tmp_path)
    monkeypatch.chdir(tmp_path)
    job = Job(Path())
    job.write(LINE, "{")
    job.write(CUT, "{")
    (job.folder / "models/zero.json").unlink()
    found = json.loads(job.run("--json").out)
    assert [(r["file"], r["code"]) for r in found["results"]] == [
        (LINE, "wrong-network"), ("models/zero.json", "missing"), (CUT, "wrong-domain"),
    ]  # fmt: skip
    assert found["exit"] == 2


@pytest.mark.parametrize("data", [
    b"{", cases()["linear/rank"].data, edited("file/relu", ('"count":2', '"count":3')), None,
], ids=["broken", "another", "forged", "gone"])  # fmt: skip
def test_a_certificate_that_changes_after_it_was_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes | None
) -> None:
    """It is one more refusal, not the end of the program."""
    job = made(tmp_path)
    path = tmp_path / CERT
    whole = pins.check_file

    def replaced(name: str, question: pins.Question) -> pins.Outcome:
        outcome = whole(name, question)
        if name == str(path):
            path.unlink()
            if data is not None:
                path.write_bytes(data)
        return outcome

    monkeypatch.setattr(pins, "check_file", replaced)
    assert job.refusals() == [(CERT, "changed", "while it was read")]


def test_a_source_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = made(tmp_path)

    def refused(path: str) -> str:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(pins, "_file_sha256", refused)
    assert job.run("--json").code == 2
    assert job.refusals() == [("models/relu.onnx", "unreadable", "Permission denied")]
