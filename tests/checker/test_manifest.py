"""A manifest says which certificates there must be and what they must say: every refusal of it."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from bundles import cases
from exactrelu_checker.claims import KINDS
from exactrelu_ci.manifest import kind_of, load_manifest, network_fields, read_manifest
from jobs import GOOD, Job, edited, made

PROOFS = Path(__file__).resolve().parents[2] / "proofs"


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return made(tmp_path)


def test_a_manifest_that_is_met(job: Job) -> None:
    said = job.run()
    assert (said.code, said.err) == (0, "")
    assert [line.split()[0] for line in said.out.splitlines()] == ["ACCEPTED"] * 5
    assert job.refusals() == []


def test_a_copy_of_both_folders_runs_by_a_bare_python(job: Job) -> None:
    run = [sys.executable, "-I", "-S", str(PROOFS / "exactrelu_checker")]
    found = subprocess.run([*run, "--manifest", "certificates.toml"], cwd=job.folder,
                           capture_output=True, text=True, check=False)  # fmt: skip
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.splitlines()[0].endswith("(certs/within.cert.jsonl)")


#: What is done to the job, and what the checker says of it.
def missing(job: Job) -> None:
    (job.folder / "certs/regions.cert.jsonl").unlink()


def a_folder(job: Job) -> None:
    missing(job)
    (job.folder / "certs/regions.cert.jsonl").mkdir()


def retrained(job: Job) -> None:
    job.write("models/relu.json", (job.folder / "models/line.json").read_bytes())


def another_domain(job: Job) -> None:
    job.change("box:0..2", "box:0..3")


def a_smaller_domain(job: Job) -> None:
    job.change("box:0..2", "box:0..1")


def larger_weights(job: Job) -> None:
    path = job.folder / "models/ranked.json"
    path.write_text(path.read_text().replace('"8"', '"a"'))


def smaller_weights(job: Job) -> None:
    path = job.folder / "models/ranked.json"
    path.write_text(path.read_text().replace('"8"', '"6"'))


def other_rows(job: Job) -> None:
    path = job.folder / "models/cut.json"
    path.write_text(path.read_text().replace("1/1", "1/2"))


def another_space(job: Job) -> None:
    job.change("box:0..2", "box:0..2,0..2")


def another_claim(job: Job) -> None:
    job.write("certs/regions.cert.jsonl", cases()["linear/rank"].data)


def one_more_claim(job: Job) -> None:
    job.write("certs/rank.cert.jsonl", cases()["file/relu"].data)


def the_negation(job: Job) -> None:
    job.write("certs/within.cert.jsonl", cases()["points/not-within"].data)


def another_sense(job: Job) -> None:
    job.write("certs/regions.cert.jsonl", cases()["cells/at-least"].data)


def more_regions(job: Job) -> None:
    job.change("count = 2", "count = 3")


def another_layer(job: Job) -> None:
    job.change('{network = "ranked", layer = 1}', '{network = "relu", layer = 1}')


def another_network_by_hash(job: Job) -> None:
    job.change("f66a50e2", "f66a50e3")


def a_lesser_hash(job: Job) -> None:
    job.change("f66a50e2", "f66a50e1")


def exchanged(job: Job) -> None:
    job.change('["line", "zero"]', '["zero", "line"]')


def a_new_source(job: Job) -> None:
    job.write("models/relu.onnx", "other bytes")


def no_source(job: Job) -> None:
    (job.folder / "models/relu.onnx").unlink()


def a_weaker_bound(job: Job) -> None:
    data = edited("pairs/intervals-closed", ('"bound":["1","2"]', '"bound":["1","5f5e100"]'))
    job.write("certs/within.cert.jsonl", data)


def a_weaker_negation(job: Job) -> None:
    job.change("3/2", "5/2")


def fewer_than_pinned(job: Job) -> None:
    job.change("{count = 1}", "{count = 3}")


def more_than_pinned(job: Job) -> None:
    job.change("{count = 3}", "{count = 1}")


def a_number_of_0(job: Job) -> None:
    job.write(
        "certs/regions.cert.jsonl", edited("cells/at-least-by-cells", ('"count":1', '"count":0'))
    )
    job.change('{sense = "exactly", count = 2}', '{sense = "at-least"}\nat-least = {count = 1}')


def not_listed(job: Job) -> None:
    job.write("certs/other.cert.jsonl", cases()["file/relu"].data)


def deep_and_packed(job: Job) -> None:
    job.write("certs/deep/a/b/x.CERT.JSONL.GZ", gzip.compress(cases()["file/relu"].data))


def by_another_name(job: Job) -> None:
    job.write("certs/notes.txt", cases()["file/relu"].data)


def packed_by_another_name(job: Job) -> None:
    job.write("certs/deep/notes", gzip.compress(cases()["file/relu"].data))


def another_case(job: Job) -> None:
    job.write("certs/Regions.cert.jsonl", cases()["file/relu"].data)


def a_linked_folder(job: Job) -> None:
    job.write("elsewhere/x.cert", cases()["file/relu"].data)
    (job.folder / "certs/link").symlink_to(job.folder / "elsewhere")


def a_linked_file(job: Job) -> None:
    (job.folder / "certs/more.cert").symlink_to(job.folder / "certs/rank.cert.jsonl")


def a_link_to_nothing(job: Job) -> None:
    (job.folder / "certs/more.cert").symlink_to(job.folder / "nowhere")


def tampered(job: Job) -> None:
    path = job.folder / "certs/regions.cert.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"count":2', b'"count":3'))


def cut_off(job: Job) -> None:
    path = job.folder / "certs/regions.cert.jsonl"
    path.write_bytes(path.read_bytes()[:-80])


def resealed(job: Job) -> None:
    path = job.folder / "certs/regions.cert.jsonl"
    path.write_bytes(path.read_bytes()[:-3] + b"zz\n")


REFUSED = [
    (missing, "certs/regions.cert.jsonl", "missing", "no such file", 1),
    (a_folder, "certs/regions.cert.jsonl", "missing", "it is a folder", 1),
    (retrained, "certs/regions.cert.jsonl", "changed", "another network than relu", 1),
    (another_domain, "certs/within.cert.jsonl", "changed", "another domain than side", 1),
    (a_smaller_domain, "certs/within.cert.jsonl", "changed", "another domain than side", 1),
    (larger_weights, "certs/rank.cert.jsonl", "changed", "expected the weights of the layer", 1),
    (smaller_weights, "certs/rank.cert.jsonl", "changed", "expected the weights of the layer", 1),
    (another_space, "certs/within.cert.jsonl", "changed", "another domain than side", 1),
    (other_rows, "certs/deep/cut.cert.jsonl.gz", "changed", "another domain than cut", 1),
    (another_claim, "certs/regions.cert.jsonl", "changed", "is rank, expected regions", 1),
    (one_more_claim, "certs/rank.cert.jsonl", "changed", "is regions, expected rank", 1),
    (the_negation, "certs/within.cert.jsonl", "changed", "is not within, expected within", 1),
    (another_sense, "certs/regions.cert.jsonl", "changed", 'sense is "at-least", expected "ex', 1),
    (more_regions, "certs/regions.cert.jsonl", "changed", "count is 2, expected 3", 1),
    (another_layer, "certs/rank.cert.jsonl", "changed", "expected the weights of the layer", 1),
    (another_network_by_hash, "certs/deep/cut.cert.jsonl.gz", "changed", "network than cone", 1),
    (a_lesser_hash, "certs/deep/cut.cert.jsonl.gz", "changed", "network than cone", 1),
    (exchanged, "certs/within.cert.jsonl", "changed", "another network than zero", 1),
    (a_new_source, "models/relu.onnx", "changed", "convert it again", 1),
    (no_source, "models/relu.onnx", "missing", "no such file", 1),
    (a_weaker_bound, "certs/within.cert.jsonl", "weaker", "is 100000000, expected at most 2", 1),
    (a_weaker_negation, "certs/not-within.cert.jsonl", "weaker", "is 2, expected at least 5/2", 1),
    (fewer_than_pinned, "certs/deep/cut.cert.jsonl.gz", "weaker", "is 2, expected at least 3", 1),
    (more_than_pinned, "certs/deep/cut.cert.jsonl.gz", "weaker", "is 2, expected at most 1", 1),
    (a_number_of_0, "certs/regions.cert.jsonl", "vacuous", "at least 0, which says nothing", 1),
    (not_listed, "certs/other.cert.jsonl", "unlisted", "lacks", 1),
    (deep_and_packed, "certs/deep/a/b/x.CERT.JSONL.GZ", "unlisted", "lacks", 1),
    (by_another_name, "certs/notes.txt", "unlisted", "lacks", 1),
    (packed_by_another_name, "certs/deep/notes", "unlisted", "lacks", 1),
    (another_case, "certs/Regions.cert.jsonl", "unlisted", "lacks", 1),
    (a_linked_folder, "certs/link", "unlisted", "a link to a folder", 1),
    (a_linked_file, "certs/more.cert", "unlisted", "lacks", 1),
    (a_link_to_nothing, "certs/more.cert", "unlisted", "lacks", 1),
    (tampered, "certs/regions.cert.jsonl", "region-count", "the proof has 2 regions", 1),
    (resealed, "certs/regions.cert.jsonl", "wrong-footer", "", 3),
    (cut_off, "certs/regions.cert.jsonl", "no-footer", "", 4),
]  # fmt: skip


@pytest.mark.parametrize(("spoil", "file", "code", "why", "exit_code"), REFUSED,
                         ids=[case[0].__name__ for case in REFUSED])  # fmt: skip
def test_what_is_refused(job: Job, spoil, file: str, code: str, why: str, exit_code: int) -> None:
    spoil(job)
    refused = {(path, word): reason for path, word, reason in job.refusals()}
    assert why in refused[file, code]
    assert job.run().code == exit_code


def test_each_spoils_one_thing(job: Job) -> None:
    """Other certificates stay accepted: no test above passes for another reason."""
    for spoil in (missing, more_regions, a_weaker_bound, not_listed, tampered):
        fresh = made(job.folder / spoil.__name__)
        spoil(fresh)
        assert len(fresh.refusals()) == 1


def test_stronger_is_welcome(job: Job) -> None:
    job.change('at-most = {bound = "2"}', "at-most = {bound = 100000000}")
    job.change("3/2", "1.25")
    assert job.run().code == 0


def test_a_side_that_is_met_exactly(job: Job) -> None:
    job.change("{count = 1}", "{count = 2}")
    job.change("{count = 3}", "{count = 2}")
    job.change('"3/2"', "2")
    assert job.run().code == 0


def test_an_infinite_difference(job: Job) -> None:
    case = cases()["pairs/ray"]
    (job.folder / "certs").rename(job.folder / "old")
    job.write("certs/ray.cert", case.data)
    claim = json.loads(case.data.splitlines()[0])["claim"]
    for name in "ab":
        job.write(f"{name}.json", json.dumps(claim[name]))
    entry = """
format = "exactrelu-manifest/1"
directory = "certs"
networks = {a = {file = "a.json"}, b = {file = "b.json"}}
[[certificate]]
file = "certs/ray.cert"
kind = "largest-difference"
networks = ["a", "b"]
domain = "R"
"""
    for pinned, code in (
        ('fields = {sense = "exactly", bound = "infinite"}', 0),
        ('fields = {sense = "exactly", bound = 7}', 1),
        ('fields = {sense = "exactly"}\nat-least = {bound = 7}', 0),
        ('fields = {sense = "exactly"}\nat-most = {bound = 7}', 1),
    ):
        job.write("certificates.toml", entry + pinned)
        assert job.run().code == code, pinned


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--no-theorems"], 0),
        (["--max-lines", "1"], 4),
        (["FILE"], 2),
        (["--network", "models/relu.json"], 2),
        (["--domain", "R"], 2),
        (["--expect", "regions"], 2),
    ],
)
def test_options_beside_a_manifest(
    job: Job, monkeypatch: pytest.MonkeyPatch, options: list[str], code: int
) -> None:
    monkeypatch.chdir(job.folder)
    said = job.run(*options)
    assert said.code == code
    assert ("--manifest says which files" in said.err) == (code == 2)


#: What is changed in a manifest that is met, and what is said of it.
WRONG = [
    ("manifest/1", "manifest/2", "not exactrelu-manifest/1"),
    ('directory = "certs"', "", "directory is missing"),
    ('directory = "certs"', 'directory = "certificates"', "not in the directory certificates"),
    ('directory = "certs"', 'directory = "/certs"', "'/certs' is not relative"),
    ('directory = "certs"', 'directory = "../certs"', "leads out of the folder of the manifest"),
    ('directory = "certs"', 'directory = "certs"\nother = 1', "manifest: unknown: other"),
    ('directory = "certs"', "directory = 1", "directory: 1 is not a path"),
    ('directory = "certs"', 'directory = ""', "directory: '' is not a path"),
    ('"models/line.json"', '"models/../models/line.json"', "leads out"),
    ('"models/line.json"', '"/etc/passwd"', "is not relative"),
    ('"models/line.json"', '"C:/line.json"', "is not relative"),
    ('"models/line.json"', '"models\\\\line.json"', "is not a path"),
    ('"models/line.json"', '"./models/line.json"', "is not a path"),
    ('"models/line.json"', '"models/none.json"', "models/none.json: missing: "),
    ('"models/line.json"', '"models"', "models: missing: "),
    ('"models/line.json"', '"models/relu.onnx"', "an ONNX file: `exactrelu convert"),
    ('"models/line.json"', '"models/cut.json"', "not an exactrelu-network/1 file"),
    ('{file = "models/line.json"}', '"models/line.json"', "networks.line: a table is needed"),
    ('{file = "models/line.json"}', "{}", "networks.line: file is missing"),
    ('"models/line.json"}', '"models/line.json", source = "a"}', "source-sha256 is missing"),
    ('"models/line.json"}', '"models/line.json", sha256 = "ab"}', "networks.line: unknown: file"),
    ("f66a50e2", "F66A50E2", "networks.cone: sha256 has 64 digits"),
    ("f66a50e2", "", "networks.cone: sha256 has 64 digits"),
    ('cone = {sha256 = "', "cone = {sha256 = 5} # ", "networks.cone: sha256 has 64 digits"),
    ('side = {box = "box:0..2"}', "side = 5", "domains.side: a table is needed"),
    ('box = "box:0..2"', 'box = "box:2..0"', "a box is"),
    ('box = "box:0..2"', 'box = "models/cut.json"', "domains.side: a box is"),
    ('box = "box:0..2"', "box = 2", "domains.side: a box is"),
    ('box = "box:0..2"', 'box = "box:0..2", file = "x"', "domains.side: unknown: file"),
    ("side = {", "R = {", "domains.R: this name is taken"),
    (', inside = ["0", "1/2"]', "", "domains.cut: inside is missing"),
    ('inside = ["0", "1/2"]', 'inside = ["0"]', "inside has 1 coordinates"),
    ('inside = ["0", "1/2"]', 'inside = ["0", "7"]', "the point is not inside"),
    ('inside = ["0", "1/2"]', 'inside = ["0", "1"]', "the point is not inside"),
    ('inside = ["0", "1/2"]', 'inside = ["0", 0.5]', "found 0.5, expected an integer or a text"),
    ('inside = ["0", "1/2"]', 'inside = ["0", "half"]', "'half': an integer, or a string"),
    ('inside = ["0", "1/2"]', 'inside = "0"', "inside: a list is needed"),
    ('kind = "rank"', 'kind = "ranks"', "no kind 'ranks'"),
    ('kind = "rank"', 'kind = ["rank"]', "no kind ['rank']"),
    ('kind = "rank"', 'kind = "rank"\nholds = false', "rank has no negation"),
    ("holds = false", 'holds = "no"', "holds is true or false"),
    ("holds = false", "holds = 0", "holds is true or false"),
    ('["line", "zero"]', '["line"]', "within is about 2 networks, found 1"),
    ('["line", "zero"]', '["line", "none"]', "networks: 'none' is not in the table"),
    ('["line", "zero"]', '["line", 1]', "networks: 1 is not in the table"),
    ('["line", "zero"]', '"line"', "networks: a list is needed"),
    ('domain = "side"', 'domain = "none"', "domain: 'none' is not in the table"),
    ('domain = "side"\n', "", "not pinned: domain"),
    ('at-most = {bound = "2"}', "", "not pinned: bound"),
    ('at-most = {bound = "2"}', 'at-most = {bound = "x"}', "'x': an integer, or a string"),
    ('at-most = {bound = "2"}', "at-most = {bound = 2.0}", "found 2.0, expected"),
    ('at-most = {bound = "2"}', "at-most = {bound = nan}", "found nan, expected"),
    ('at-most = {bound = "2"}', "at-most = {bound = inf}", "found inf, expected"),
    ('at-most = {bound = "2"}', "at-most = {bound = 1979-05-27}", "found 1979-05-27, expected"),
    ('at-most = {bound = "2"}', "at-most = {bound = true}", "'True': an integer"),
    ('at-most = {bound = "2"}', 'at-most = {bound = "1/0"}', "Fraction(1, 0)"),
    ('at-most = {bound = "2"}', "at-most = {bound = [2]}", "'[2]': an integer"),
    ('at-most = {bound = "2"}', 'at-least = {bound = "2"}', "cannot be pinned at least a number"),
    ('at-most = {bound = "2"}', 'at-most = {bund = "2"}', "not pinned: bound"),
    ('at-most = {bound = "2"}', 'at-most = {bound = 2}\nfields = {bound = 2}', "pinned twice"),
    ('at-most = {bound = "2"}', 'at-most = {bound = 2, a = 1}', "within has no field a to pin so"),
    ('at-most = {bound = "2"}', 'at-most = {bound = 2}\nmore = 1', "certificate 1: unknown: more"),
    ('at-most = {bound = "2"}', "at-most = 2", "a table is needed"),
    ("3/2", "0", "bound at least 0: vacuous"),
    ("3/2", "-1", "bound at least -1: vacuous"),
    ("count = 2", "count = 0", "count = 0 is vacuous"),
    ('fields = {sense = "exactly", count = 2}', "fields = 2", "fields: a table is needed"),
    ('"exactly", count = 2}', '"at-least"}\nat-most = {count = 2}', "cannot be pinned at most"),
    ('"exactly", count = 2}', '"many"}\nat-most = {count = 2}', "cannot be pinned at most"),
    ('"exactly", count = 2}', '"at-least", count = 0}', "count = 0 is vacuous"),
    ("layer = 1", "layer = 0", "the network has 1 layers"),
    ("layer = 1", "layer = 2", "the network has 1 layers"),
    ("layer = 1", "layer = true", "the number of a layer, are needed"),
    ("layer = 1", 'layer = 1, other = 2', "matrix: unknown: other"),
    ('network = "ranked"', 'network = "none"', "'none' is not in the table"),
    ('network = "ranked"', 'network = "cone"', "a network with a file"),
    ('{network = "ranked", layer = 1}', '{sha256 = "x"}', "sha256 has 64 digits"),
    ("certs/rank.cert.jsonl", "certs/regions.cert.jsonl", "listed twice"),
    ("certs/rank.cert.jsonl", "certs/REGIONS.cert.jsonl", "but for the case of letters"),
    ("certs/rank.cert.jsonl", "rank.cert.jsonl", "not in the directory certs"),
    ("certs/rank.cert.jsonl", "certs/../certs/rank.cert.jsonl", "leads out"),
    ('kind = "rank"', 'kind = "rank"\nkind = "rank"', "Cannot overwrite"),
    ("rank = 1}", f"rank = {'1' * 5000}}}", "4300 digits"),
    ("rank = 1}", f"rank = {'[' * 3000}1{']' * 3000}}}", "tables within tables"),
    ('kind = "rank"', 'kind = "rank"\nmax-fuel = "9"', "max-fuel is a number of units"),
    ('kind = "rank"', 'kind = "rank"\nmax-fuel = -1', "max-fuel is a number of units"),
    ('kind = "rank"', 'kind = "rank"\nmax-fuel = true', "max-fuel is a number of units"),
    ('format = "', "format = [[", "Invalid value"),
    ('format = "', "\x00", "Invalid"),
]  # fmt: skip


def test_a_manifest_may_allow_more_fuel(job: Job) -> None:
    """For one file, and never less than the option."""
    text = job.manifest.read_text()
    assert "out-of-fuel" in job.run("--max-fuel", "1000").out
    entries = text.split("[[certificate]]")
    job.write("certificates.toml", "[[certificate]]\nmax-fuel = 1000000".join(entries))
    assert job.run("--max-fuel", "1000").code == 0
    job.write("certificates.toml", "[[certificate]]\nmax-fuel = 1".join(entries))
    assert job.run().code == 0


@pytest.mark.parametrize(("old", "new", "why"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_manifest(job: Job, old: str, new: str, why: str) -> None:
    first, found, rest = job.manifest.read_text().partition(old)
    assert found
    job.write("certificates.toml", first + new + rest)
    said = job.run()
    assert (said.code, said.out) == (2, "")
    assert why in said.err
    assert said.err.startswith((f"UNREADABLE {job.manifest}: ", f"UNREADABLE {job.folder}/models"))
    assert said.err.count("\n") == 1


def test_other_wrong_manifests(job: Job) -> None:
    head = GOOD.split("[[certificate]]")[0].split("[networks.relu]")[0]
    for text, why in (
        (head, "certificate is missing"),
        (head + "certificate = []", "at least one is needed"),
        (head + "certificate = {}", "at least one is needed"),
        (head + "certificate = [1]", "certificate 1: a table is needed"),
        (GOOD + f"# {'x' * (10 << 20)}", "more than 1,048,576 bytes"),
        (b"\xff\xfe", "can't decode"),
        ("", "not exactrelu-manifest/1"),
    ):
        job.write("certificates.toml", text)
        said = job.run()
        assert (said.code, said.out) == (2, "")
        assert why in said.err
    job.manifest.unlink()
    assert job.run().code == 2


def test_links_that_lead_out_are_refused(job: Job, tmp_path_factory) -> None:
    away = tmp_path_factory.mktemp("away") / "line.json"
    inside = job.folder / "models/line.json"
    away.write_bytes(inside.read_bytes())
    inside.unlink()
    inside.symlink_to(away)
    assert "leads out of the folder" in job.run().err
    inside.unlink()
    job.write("models/kept.json", away.read_bytes())
    inside.symlink_to("kept.json")
    assert job.run().code == 0


def test_an_empty_polyhedron_is_a_wrong_manifest(job: Job) -> None:
    row = {"normal": [0, 0], "offset": -1}
    cut = {"format": "exactrelu-polyhedron/1", "inequalities": [row]}
    job.write("models/cut.json", json.dumps(cut))
    said = job.run()
    assert said.code == 2
    assert "holds everywhere or nowhere" in said.err


def test_a_directory_that_is_not_there(job: Job) -> None:
    (job.folder / "certs").rename(job.folder / "away")
    said = job.run()
    assert said.code == 2
    assert "No such file or directory" in said.err
    assert said.out.count("missing") == 5


def test_the_whole_folder_may_be_the_directory(job: Job) -> None:
    job.change('directory = "certs"', 'directory = "."')
    assert job.run().code == 0
    job.write("x.cert", "")
    assert job.run().code == 1


def test_exit_codes_come_in_their_order(job: Job) -> None:
    resealed(job)
    assert job.run().code == 3
    not_listed(job)
    assert job.run().code == 1
    (job.folder / "certs/within.cert.jsonl").write_bytes(b"{")
    assert job.run().code == 1


def test_networks_come_in_the_order_of_both_sentences() -> None:
    for name in KINDS:
        known = kind_of(name)
        fields = network_fields(known)
        assert set(fields) <= {"network", "member", "a", "b", "networks"}
        for sentence in filter(None, (known.sentence, known.negation)):
            places = [sentence.find(f"{{{field}}}") for field in fields]
            assert places == sorted(places)
            assert -1 not in places


def test_a_manifest_is_read_whole(job: Job) -> None:
    path = str(job.manifest)
    found = read_manifest(path, load_manifest(path), 65_536)
    assert [entry.kind for entry in found.entries] == [
        "within",
        "regions",
        "regions",
        "within",
        "rank",
    ]
    assert found.entries[2].at_least["count"] == 1
    assert found.entries[2].at_most["count"] == 3
    assert list(found.networks) == ["relu", "line", "zero", "ranked", "cone"]
