"""``exactrelu pin``, and what newcomers with a CI job typed."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path

import pytest

from exactrelu.certificates.program import run_checker
from exactrelu.network.formats.load import load, save

ROOT = Path(__file__).parents[2]
XOR = ROOT / "cases/xor/network.json"


@pytest.fixture
def folder(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(XOR, tmp_path / "net.json")
    monkeypatch.chdir(tmp_path)
    Path("certs").mkdir()
    proof = ["--certificate", "certs/regions.cert.jsonl"]
    assert run("regions", "net.json", "--domain", "box:-1..1", *proof).code == 0
    return tmp_path


def test_pin_says_what_to_review(run, folder: Path) -> None:
    found = run("pin", "certs/regions.cert.jsonl", "--network", "net=net.json")
    assert found.code == 0
    first, last = found.out.splitlines()
    assert first.startswith("certs/regions.cert.jsonl: N1 (2-2-1, sha256 ccf04987")
    assert first.endswith(
        "3 activation regions on the relative interior of the box [-1,1] x [-1,1]"
    )
    assert last == (
        "certificates.toml pins 1 certificate, and the independent checker accepts all of them"
    )
    assert run_checker(["--manifest", "certificates.toml"]).returncode == 0
    again = json.loads(run("pin", "certs/regions.cert.jsonl", "--json").out)
    assert again["output"] == "certificates.toml"
    assert again["n_certificates"] == 1
    assert again["pins"] == [{"file": "certs/regions.cert.jsonl", "claim": first.split(": ", 1)[1]}]


def test_pin_by_names(run, folder: Path) -> None:
    save(load("net.json"), "net.npz")
    names = ["--network", "net=net.json", "--source", "net=net.npz", "--domain", "square=box:-1..1"]
    found = run("pin", "certs/regions.cert.jsonl", *names, "-o", "m.toml")
    assert found.code == 0
    manifest = tomllib.loads(Path("m.toml").read_text())
    assert manifest["networks"]["net"]["source"] == "net.npz"
    assert manifest["certificate"][0]["domain"] == "square"
    assert manifest["domains"] == {"square": {"box": "box:-1..1"}}


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ([], "about no network with a name: --network NAME=FILE"),
        (["--network", "net.json"], "--network net.json: expected NAME=…"),
        (["--network", "=net.json"], "expected NAME=…"),
        (["--network", "a="], "expected NAME=…"),
        (["--network", "a=net.json", "--network", "a=net.json"], "the name a is given twice"),
        (["--network", "net=net.json", "--domain", "x=box:1..0"], "a box is"),
        (["--network", "net=net.onnx"], "`exactrelu convert net.onnx net.json`"),
    ],
)
def test_bad_input_is_one_line(run, folder: Path, options: list[str], why: str) -> None:
    Path("net.onnx").write_bytes(b"\x08\x98")
    found = run("pin", "certs/regions.cert.jsonl", *options)
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert why in found.err
    assert not Path("certificates.toml").exists()


def test_loosen(run, folder: Path) -> None:
    given = ["certs/regions.cert.jsonl", "--network", "net=net.json"]
    assert run("pin", *given).code == 0
    proof = ["--certificate", "certs/regions.cert.jsonl"]
    assert run("regions", "net.json", "--domain", "box:0..1", *proof).code == 0
    found = run("pin", *given)
    assert found.code == 2
    assert "changed: the claim is about another domain than box1; --loosen" in found.err
    assert run("pin", *given, "--loosen").code == 0
    assert run_checker(["--manifest", "certificates.toml"]).returncode == 0


@pytest.mark.parametrize("name", ["xor/network", "three-layers/S002-E08-zero-row/theta"])
def test_all_that_certify_writes_can_be_pinned(tmp_path: Path, run, name: str) -> None:
    network = tmp_path / "net.json"
    shutil.copy(ROOT / "cases" / f"{name}.json", network)
    assert run("certify", network, "-o", tmp_path / "certs").code == 0
    files = sorted((tmp_path / "certs").glob("*.cert.jsonl"))
    found = run("pin", *files, "--network", f"net={network}", "-o", tmp_path / "pins.toml")
    assert (found.code, found.err) == (0, "")
    assert len(found.out.splitlines()) == len(files) + 1
    manifest = tomllib.loads((tmp_path / "pins.toml").read_text())
    about = [e for e in manifest["certificate"] if e.get("networks", ["net"])[0] == "net"]
    assert len(about) == len(files) > 20
    layers = [e["fields"]["matrix"] for e in about if e["kind"] == "rank"]
    assert layers == [{"network": "net", "layer": 1}, {"network": "net", "layer": 2}]
    checked = run_checker(["--manifest", str(tmp_path / "pins.toml")])
    assert checked.returncode == 0
    assert checked.stdout.count("ACCEPTED") == len(files)


def test_a_claim_about_a_matrix_is_not_one_about_a_network(run, folder: Path) -> None:
    """Without a manifest a claim about a matrix is still not one about a network."""
    assert run("certify", "net.json", "-o", "certs").code == 0
    found = run("check", "--network", "net.json", "certs/net.rank-W1.cert.jsonl")
    assert found.code == 1


def test_an_onnx_file_is_named_as_what_it_is(folder: Path) -> None:
    Path("net.onnx").write_bytes(b"\x08\x98\xff")
    found = run_checker(["--network", "net.onnx", "certs/regions.cert.jsonl"])
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == (
        "exactrelu-check: an ONNX file: `exactrelu convert net.onnx net.json`, or pin its sha256 "
        "in the manifest\n"
    )


def test_a_domain_is_pinned(folder: Path) -> None:
    proof = "certs/regions.cert.jsonl"
    assert run_checker(["--domain", "box:-1..1", proof]).returncode == 0
    assert run_checker(["--domain", "box:-9..9", proof]).returncode == 1
    assert "the box [-1,1] x [-1,1]" in run_checker([proof]).stdout


def test_the_networks_of_a_query_are_pinned_by_name(run, folder: Path) -> None:
    Path("certs/regions.cert.jsonl").unlink()
    proof = ["--certificate", "certs/holds.cert.jsonl"]
    assert run("holds", "net.json", "y1 <= 1", "--domain", "box:-1..1", *proof).code == 0
    found = run("pin", "certs/holds.cert.jsonl")
    assert (found.code, found.out) == (2, "")
    assert "about no network with a name: --network NAME=FILE" in found.err
    assert run("pin", "certs/holds.cert.jsonl", "--unnamed", "-o", "hashes.toml").code == 0
    by_hash = tomllib.loads(Path("hashes.toml").read_text())
    assert by_hash["certificate"][0]["networks"] == ["other1"]
    assert by_hash["networks"]["other1"]["sha256"].startswith("ccf04987")
    assert run("pin", "certs/holds.cert.jsonl", "--network", "net=net.json").code == 0
    (entry,) = tomllib.loads(Path("certificates.toml").read_text())["certificate"]
    assert entry["networks"] == ["net"]
    assert "networks" not in entry["fields"]
    assert run_checker(["--manifest", "hashes.toml"]).returncode == 0
    Path("net.json").write_text(Path("net.json").read_text().replace('"-4"', '"-5"'))
    refused = run_checker(["--manifest", "certificates.toml"])
    assert refused.returncode == 1
    assert ": changed: the claim is about another network than net" in refused.stdout
