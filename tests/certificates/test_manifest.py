"""``pin``: every certificate can be pinned, and what is pinned is not lost by accident."""

from __future__ import annotations

import json
import shutil
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from exactrelu_checker.claims import KINDS

import exactrelu as er
from exactrelu.certificates.manifest import pin
from exactrelu.errors import InputError
from tests.checking import printed

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "proofs" / "certificates"
XOR = er.Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]], name="xor")
HALF = er.Network.from_arrays([[[1, 1]], [["1/2"]]], [[1], [0]], name="half")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two networks, their difference and the regions of one."""
    er.save(XOR, tmp_path / "xor.json")
    er.save(HALF, tmp_path / "half.json")
    (tmp_path / "certs").mkdir()
    er.regions(XOR, "box:-1..1").save(tmp_path / "certs/regions.cert.jsonl")
    within(tmp_path, 100)
    return tmp_path


def within(folder: Path, bound: int | str) -> Path:
    verdict = er.is_equivalent(XOR, HALF, "box:-1..1", within=bound)
    return verdict.save(folder / "certs/within.cert.jsonl.gz")


NAMES = ("xor", "half")


def pinned(folder: Path, *files: str, **options: object) -> dict[str, object]:
    """Pin files, all of them by default; the manifest."""
    paths = [folder / "certs" / name for name in files] or sorted((folder / "certs").iterdir())
    networks = {name: folder / f"{name}.json" for name in NAMES}
    pin(paths, folder / "pins.toml", **{"networks": networks, **options})  # type: ignore[arg-type]
    return tomllib.loads((folder / "pins.toml").read_text())


def refusals(folder: Path) -> list[tuple[str, str]]:
    results = json.loads(printed("--json", "--manifest", str(folder / "pins.toml")))["results"]
    return [(Path(r["file"]).name, r["code"]) for r in results if r["verdict"] != "ACCEPTED"]


def test_what_a_manifest_says(folder: Path) -> None:
    found = pinned(folder)
    assert found == {
        "format": "exactrelu-manifest/1",
        "directory": "certs",
        "networks": {"xor": {"file": "xor.json"}, "half": {"file": "half.json"}},
        "domains": {"box1": {"box": "box:-1..1"}},
        "certificate": [
            {
                "file": "certs/regions.cert.jsonl",
                "kind": "regions",
                "networks": ["xor"],
                "domain": "box1",
                "fields": {"count": 3, "sense": "exactly"},
            },
            {
                "file": "certs/within.cert.jsonl.gz",
                "kind": "within",
                "networks": ["xor", "half"],
                "domain": "box1",
                "at-most": {"bound": "100"},
            },
        ],
    }
    assert refusals(folder) == []
    text = (folder / "pins.toml").read_text()
    assert "# N1 (2-2-1, sha256 ccf04987...) has exactly 3 activation regions" in text


def test_a_weaker_bound_is_refused(folder: Path) -> None:
    pinned(folder)
    within(folder, 100_000_000)
    assert refusals(folder) == [("within.cert.jsonl.gz", "weaker")]
    within(folder, 99)
    assert refusals(folder) == []


def test_a_certificate_that_was_deleted_is_missing(folder: Path) -> None:
    pinned(folder)
    (folder / "certs/regions.cert.jsonl").unlink()
    assert refusals(folder) == [("regions.cert.jsonl", "missing")]


def test_a_retrained_network(folder: Path) -> None:
    pinned(folder)
    other = er.Network.from_arrays([[[1, 1], [1, 1]], [[2, -5]]], [[1, 0], [-1]])
    er.save(other, folder / "xor.json")
    assert {code for _, code in refusals(folder)} == {"changed"}


@pytest.mark.sweep
def test_all_kept_certificates_can_be_pinned(tmp_path: Path) -> None:
    shutil.copytree(KEPT, tmp_path / "kept")
    files = sorted((tmp_path / "kept").rglob("*.cert.jsonl"))
    found = pin(files, tmp_path / "pins.toml", unnamed=True)
    assert found.n_certificates == len(files) > 200


def test_every_kind_can_be_pinned(tmp_path: Path) -> None:
    """One accepted case of each kind, and of each negation."""
    sys.path.insert(0, str(ROOT / "tests" / "checker"))
    from bundles import cases

    (tmp_path / "certs").mkdir()
    chosen: dict[tuple[str, bool], Path] = {}
    for number, case in enumerate(cases().values()):
        if case.verdict != "ACCEPTED" or case.data[:1] != b"{":
            continue
        claim = json.loads(case.data.split(b"\n")[0])["claim"]
        key = (claim["kind"], claim.get("holds", True))
        said = claim.get("sense") == "at-least" or key == ("within", False)
        empty = said and any(claim.get(f) in (0, ["1", "0"]) for f in ("count", "rank", "bound"))
        if key not in chosen and not empty:
            chosen[key] = tmp_path / "certs" / f"{number}.cert.jsonl"
            chosen[key].write_bytes(case.data)
    assert {kind for kind, _ in chosen} == set(KINDS)
    found = pin([*chosen.values()], tmp_path / "pins.toml", unnamed=True)
    assert found.n_certificates == len(chosen) > len(KINDS)
    entries = tomllib.loads((tmp_path / "pins.toml").read_text())["certificate"]
    assert {(e["kind"], e.get("holds", True)) for e in entries} == chosen.keys()


def test_what_is_pinned_stays(folder: Path) -> None:
    """Comments and all: what is new is added at the end."""
    regions = folder / "certs/regions.cert.jsonl"
    regions.rename(folder / "later")
    pinned(folder, domains={"D": "box:-1..1"})
    (folder / "later").rename(regions)
    path = folder / "pins.toml"
    path.write_text(path.read_text().replace('"100"', '"200"') + "# mine\n")
    before = path.read_text()
    pin([regions, folder / "certs/within.cert.jsonl.gz"], path)
    assert path.read_text().startswith(before)
    assert path.read_text().count("[[certificate]]") == 2
    assert path.read_text().count("[networks") == 2
    after = path.read_text()
    pinned(folder)
    assert path.read_text() == after


def test_nothing_is_loosened_without_a_word(folder: Path) -> None:
    pinned(folder)
    before = (folder / "pins.toml").read_text()
    within(folder, 200)
    with pytest.raises(InputError, match="weaker: bound is 200, expected at most 100; --loosen"):
        pinned(folder)
    (folder / "certs/regions.cert.jsonl").unlink()
    with pytest.raises(InputError, match=r"regions.cert.jsonl: missing: .*--loosen"):
        pinned(folder, "within.cert.jsonl.gz")
    assert (folder / "pins.toml").read_text() == before
    found = pinned(folder, "within.cert.jsonl.gz", loosen=True)
    assert [entry["at-most"] for entry in found["certificate"]] == [{"bound": "200"}]  # type: ignore[attr-defined]
    assert refusals(folder) == []


def test_loosening_pins_anew_only_what_is_given(folder: Path) -> None:
    pinned(folder)
    er.regions(XOR, "box:0..1").save(folder / "certs/regions.cert.jsonl")
    within(folder, 200)
    with pytest.raises(InputError, match=r"regions.cert.jsonl: changed: .* domain"):
        pinned(folder, "within.cert.jsonl.gz", loosen=True)


def test_names_are_not_given_to_others(folder: Path) -> None:
    pinned(folder)
    with pytest.raises(InputError, match="another one of this name; --loosen"):
        pinned(folder, networks={"xor": folder / "half.json"})
    with pytest.raises(InputError, match="another one of this name"):
        pinned(folder, domains={"box1": "box:-1..2"})


def test_a_source_is_pinned_by_its_bytes(folder: Path) -> None:
    er.save(XOR, folder / "xor.npz")
    found = pinned(folder, sources={"xor": folder / "xor.npz"})
    assert found["networks"]["xor"].keys() == {"file", "source", "source-sha256"}  # type: ignore[index]
    pinned(folder)
    er.save(HALF, folder / "xor.npz")
    assert refusals(folder) == [("xor.npz", "changed")]
    with pytest.raises(InputError, match="found another network than in"):
        pinned(folder, sources={"xor": folder / "xor.npz"})
    with pytest.raises(InputError, match="a source, and no network"):
        pinned(folder, sources={"other": folder / "xor.npz"})


def test_a_network_that_the_checker_cannot_read_is_to_be_converted(folder: Path) -> None:
    er.save(XOR, folder / "xor.npz")
    with pytest.raises(InputError, match=r"exactrelu convert .*xor.npz net.json"):
        pinned(folder, networks={"xor": folder / "xor.npz"})


def test_a_polyhedron_has_a_point(folder: Path) -> None:
    rows = [{"normal": n, "offset": 1} for n in ([1, 0], [-1, 1], [0, -1])]
    triangle = {"format": "exactrelu-polyhedron/1", "inequalities": rows}
    (folder / "triangle.json").write_text(json.dumps(triangle))
    er.regions(XOR, str(folder / "triangle.json")).save(folder / "certs/regions.cert.jsonl")
    found = pinned(folder, domains={"T": str(folder / "triangle.json")})
    assert found["domains"]["T"].keys() == {"file", "inside"}  # type: ignore[index]
    assert found["certificate"][0]["domain"] == "T"  # type: ignore[index]
    # Without a name it is pinned by its hash.
    (folder / "pins.toml").unlink()
    found = pinned(folder)
    assert found["certificate"][0]["fields"]["domain"].keys() == {"sha256"}  # type: ignore[index]


def test_a_strange_network_is_not_pinned_by_accident(folder: Path) -> None:
    with pytest.raises(InputError, match="about no network with a name"):
        pinned(folder, "regions.cert.jsonl", networks={"half": folder / "half.json"})
    found = pinned(folder, "within.cert.jsonl.gz", "regions.cert.jsonl", networks={}, unnamed=True)
    assert {*found["networks"]} == {"other1", "other2"}  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"networks": {"a b": "half.json"}}, "expected letters, digits"),
        ({"networks": {"x": "none.json"}}, "no such file"),
        ({"domains": {"x": "R"}}, "has its name already"),
        ({"domains": {"x": "box:1..0"}}, "a box is"),
        ({"domains": {"x": "none.json"}}, "no such file"),
    ],
)
def test_bad_options(folder: Path, monkeypatch, options: dict[str, object], why: str) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(InputError, match=why):
        pinned(folder, **options)
    assert not (folder / "pins.toml").exists()
    assert not list(folder.glob("tmp*"))


def test_files_that_cannot_be_pinned(folder: Path, tmp_path_factory) -> None:
    with pytest.raises(InputError, match="no certificate to pin"):
        pin([], folder / "pins.toml")
    path = folder / "certs/regions.cert.jsonl"
    away = tmp_path_factory.mktemp("away") / "x.cert.jsonl"
    shutil.copy(path, away)
    with pytest.raises(InputError, match="the folder of the manifest"):
        pin([away], folder / "pins.toml", unnamed=True)
    path.write_text(path.read_text().replace('"count":3', '"count":4'))
    with pytest.raises(InputError, match="REJECTED: the proof has 3 regions"):
        pinned(folder)
    (folder / "pins.toml").write_text("format = 1")
    with pytest.raises(InputError, match="not a manifest"):
        pinned(folder, "within.cert.jsonl.gz")


def test_a_certificate_that_is_not_given_is_unlisted(folder: Path) -> None:
    with pytest.raises(InputError, match=r"within.cert.jsonl.gz: unlisted: .*; pin it too"):
        pinned(folder, "regions.cert.jsonl")


def test_a_claim_that_says_nothing_is_not_pinned(folder: Path) -> None:
    within(folder, 100).unlink()
    found = er.regions(XOR, "box:-1..1", max_regions=1).certificate
    assert found is not None
    path = folder / "certs/regions.cert.jsonl"
    found.save(path)
    assert pinned(folder)["certificate"][0]["at-least"] == {"count": 3}  # type: ignore[index]
    (folder / "pins.toml").unlink()
    replace(found, fields={**found.fields, "count": 0}, records=()).save(path)
    with pytest.raises(InputError, match="count is at least 0, which says nothing"):
        pinned(folder)
