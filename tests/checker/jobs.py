"""A small CI job for tests: certificates, networks, a domain, and the manifest that pins them."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import json
from dataclasses import dataclass
from pathlib import Path

from bundles import cases, sealed
from exactrelu_checker.main import main

GOOD = """\
format = "exactrelu-manifest/1"
directory = "certs"

[networks.relu]
file = "models/relu.json"
source = "models/relu.onnx"
source-sha256 = "SOURCE"

[networks]
line = {file = "models/line.json"}
zero = {file = "models/zero.json"}
ranked = {file = "models/ranked.json"}
cone = {sha256 = "f66a50e2b356aa80f4a93d838c163d954002bd3d4b649424ac1a88133eba0a1e"}

[domains]
side = {box = "box:0..2"}
cut = {file = "models/cut.json", inside = ["0", "1/2"]}

[[certificate]]
file = "certs/within.cert.jsonl"
kind = "within"
networks = ["line", "zero"]
domain = "side"
at-most = {bound = "2"}

[[certificate]]
file = "certs/regions.cert.jsonl"
kind = "regions"
networks = ["relu"]
domain = "R"
fields = {sense = "exactly", count = 2}

[[certificate]]
file = "certs/deep/cut.cert.jsonl.gz"
kind = "regions"
networks = ["cone"]
domain = "cut"
fields = {sense = "exactly"}
at-least = {count = 1}
at-most = {count = 3}

[[certificate]]
file = "certs/not-within.cert.jsonl"
kind = "within"
holds = false
networks = ["relu", "line"]
domain = "R"
at-least = {bound = "3/2"}

[[certificate]]
file = "certs/rank.cert.jsonl"
kind = "rank"
fields = {matrix = {network = "ranked", layer = 1}, rank = 1}
"""


def lines_of(name: str) -> list[str]:
    """The lines of an accepted case, without its footer."""
    return cases()[name].data.decode().splitlines()[:-1]


def edited(name: str, *changes: tuple[str, str]) -> bytes:
    """An accepted case with another claim; the proof stays as it is."""
    first, *rest = lines_of(name)
    for old, new in changes:
        assert first.count(old) == 1, (old, first)
        first = first.replace(old, new)
    return sealed([first, *rest])


def claim_of(name: str) -> dict[str, object]:
    claim: dict[str, object] = json.loads(lines_of(name)[0])["claim"]
    return claim


@dataclass(frozen=True)
class Said:
    """What the program printed, and its exit code."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Job:
    """A folder with a manifest that is met."""

    folder: Path

    @property
    def manifest(self) -> Path:
        return self.folder / "certificates.toml"

    def write(self, name: str, data: bytes | str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    def change(self, old: str, new: str) -> None:
        """Change one place of the manifest."""
        text = self.manifest.read_text()
        assert text.count(old) == 1, old
        self.write("certificates.toml", text.replace(old, new))

    def run(self, *options: str) -> Said:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = main(["--manifest", str(self.manifest), *options])
            except SystemExit as stop:
                code = int(str(stop.code))
        return Said(code, out.getvalue(), err.getvalue())

    def refusals(self) -> list[tuple[str, str, str]]:
        """The files that are not accepted, with code and reason."""
        said = json.loads(self.run("--json").out)["results"]
        return [
            (str(Path(r["file"]).relative_to(self.folder)), r["code"], r["why"])
            for r in said
            if r["verdict"] != "ACCEPTED"
        ]


def made(folder: Path) -> Job:
    """Write a job that is accepted."""
    job = Job(folder)
    source = b"the bytes of an ONNX file"
    digest = hashlib.sha256(source).hexdigest()
    job.write("certificates.toml", GOOD.replace("SOURCE", digest))
    job.write("models/relu.onnx", source)
    for name, case, field in (
        ("relu", "file/relu", "network"),
        ("line", "pairs/intervals-closed", "a"),
        ("zero", "pairs/intervals-closed", "b"),
    ):
        job.write(f"models/{name}.json", json.dumps(claim_of(case)[field]))
    # Twice the denominator that the weights alone would have.
    matrix = ["2", [["2", "4", "5"], ["4", "8", "7"]]]
    layer = {"inputs": 2, "matrix": matrix, "outputs": 2}
    job.write("models/ranked.json", json.dumps({"layers": [layer]}))
    rows = [{"normal": n, "offset": 1} for n in ([-1, 0], [1, -1], ["1/1", 1])]
    cut = {"format": "exactrelu-polyhedron/1", "inequalities": rows}
    job.write("models/cut.json", json.dumps(cut))
    job.write("certs/within.cert.jsonl", cases()["pairs/intervals-closed"].data)
    job.write("certs/regions.cert.jsonl", cases()["file/relu"].data)
    job.write("certs/deep/cut.cert.jsonl.gz", gzip.compress(cases()["tree/cone-oblique"].data))
    job.write("certs/not-within.cert.jsonl", cases()["points/not-within"].data)
    job.write("certs/rank.cert.jsonl", cases()["linear/rank"].data)
    job.write("certs/summary.json", "[]")
    return job
