"""How a manifest pins the fields of claims: numbers, words, points, lists, matrices, claims."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from bundles import cases
from exactrelu_ci import pins
from jobs import Job, claim_of, made

HEAD = """\
format = "exactrelu-manifest/1"
directory = "certs"
"""


def sha256(value: object) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def one(folder: Path, case: str, entry: str) -> Job:
    """A job with one certificate; networks are A and B, by their files."""
    job = Job(folder)
    job.write("certs/x.cert", cases()[case].data)
    claim: Any = claim_of(case)
    networks = [claim[name] for name in ("network", "a", "b") if name in claim]
    networks += claim.get("networks", [])
    networks += [s for s in claim.get("facts", {}).get("subjects", []) if "layers" in s]
    tables = ""
    for name, network in zip("AB", networks, strict=False):
        job.write(f"{name}.json", json.dumps(network))
        tables += f'[networks.{name}]\nfile = "{name}.json"\n'
    kind = f'[[certificate]]\nfile = "certs/x.cert"\nkind = "{claim["kind"]}"\n'
    hashes = {f"#{name}#": sha256(value) for name, value in claim.items()}
    for name, digest in hashes.items():
        entry = entry.replace(name, digest)
    job.write("certificates.toml", HEAD + tables + kind + entry)
    return job


#: A case, how it is pinned, and what is said if it is refused.
PINNED = [
    ("property/point-of-two", 'networks = ["A", "B"]\nholds = false\n'
     'fields = {cases = {sha256 = "#cases#"}, domain = {sha256 = "#domain#"}}',
     ""),
    ("property/point-of-two", 'networks = ["B", "A"]\nholds = false\n'
     'fields = {cases = {sha256 = "#cases#"}, domain = {sha256 = "#domain#"}}',
     "another network than B"),
    ("property/point-of-two", 'networks = ["A"]\nholds = false\n'
     'fields = {cases = {sha256 = "#cases#"}, domain = {sha256 = "#domain#"}}',
     "about 2 networks, expected 1"),
    ("property/point-of-two", 'networks = ["A", "B", "B"]\nholds = false\n'
     'fields = {cases = {sha256 = "#cases#"}, domain = {sha256 = "#domain#"}}',
     "about 2 networks, expected 3"),
    ("property/point-of-two", 'holds = false\n'
     'fields = {cases = {sha256 = "#cases#"}, domain = {sha256 = "#domain#"}}',
     "about 2 networks, expected 0"),
    ("points/value", 'networks = ["A"]\nfields = {point = ["-1/2"], output = ["0.5"], '
     'signs = ["-+"]}', ""),
    ("points/value", 'networks = ["A"]\nfields = {point = ["-1/2"], output = ["0.6"], '
     'signs = ["-+"]}', 'output is ["2",["1"]], expected ["0.6"]'),
    ("points/value", 'networks = ["A"]\nfields = {point = ["-1/2"], output = "1/2", '
     'signs = ["-+"]}', "output is"),
    ("points/value", 'networks = ["A"]\nfields = {point = ["-1/2"], output = ["half"], '
     'signs = ["-+"]}', "output is"),
    ("points/value", 'networks = ["A"]\nfields = {point = ["-1/2"], output = ["1/0"], '
     'signs = ["-+"]}', "output is"),
    ("points/value", 'networks = ["A"]\nfields = {point = ["-1/2"], output = 7, '
     'signs = ["-+"]}', "output is"),
    ("points/value", 'networks = ["A"]\nfields = {point = ["-1/2", 0], output = ["1/2"], '
     'signs = ["-+"]}', "point is"),
    ("points/value", 'networks = ["A"]\nfields = {point = ["-1/2"], output = ["1/2"], '
     'signs = ["+-"]}', 'signs is ["-+"], expected ["+-"]'),
    ("points/value", 'networks = ["A"]\nfields = {point = {sha256 = "#point#"}, '
     'output = {sha256 = "#output#"}, signs = {sha256 = "#signs#"}}', ""),
    ("points/value", 'networks = ["A"]\nfields = {point = {sha256 = "#output#"}, '
     'output = {sha256 = "#output#"}, signs = {sha256 = "#signs#"}}', "point is"),
    ("points/local-regions", 'networks = ["A"]\nfields = {points = [["1"], [2], ["-1/2"]], '
     'regions = [0, 0, 1], linf = {sha256 = "#linf#"}, squares = {sha256 = "#squares#"}}', ""),
    ("points/local-regions", 'networks = ["A"]\nfields = {points = [["1"], [2]], '
     'regions = [0, 0, 1], linf = {sha256 = "#linf#"}, squares = {sha256 = "#squares#"}}',
     "points is"),
    ("points/local-regions", 'networks = ["A"]\nfields = {points = [[1], [2], ["-1/2"], [7]], '
     'regions = [0, 0, 1], linf = {sha256 = "#linf#"}, squares = {sha256 = "#squares#"}}',
     "points is"),
    ("points/local-regions", 'networks = ["A"]\nfields = {points = [["1"], [3], ["-1/2"]], '
     'regions = [0, 0, 1], linf = {sha256 = "#linf#"}, squares = {sha256 = "#squares#"}}',
     "points is"),
    ("points/local-regions", 'networks = ["A"]\nfields = {points = 7, '
     'regions = [0, 0, 1], linf = {sha256 = "#linf#"}, squares = {sha256 = "#squares#"}}',
     "points is"),
    ("points/local-regions", 'networks = ["A"]\nfields = {points = [["1"], [2], ["-1/2"]], '
     'regions = [0, 1, 1], linf = {sha256 = "#linf#"}, squares = {sha256 = "#squares#"}}',
     "regions is [0,0,1], expected [0,1,1]"),
    ("points/local-regions", 'networks = ["A"]\nfields = {points = [["1"], [2], ["-1/2"]], '
     'regions = [0, 0, true], linf = {sha256 = "#linf#"}, squares = {sha256 = "#squares#"}}',
     "regions is"),
    ("jacobian/no-points", 'networks = ["A"]\nfields = {points = [], sense = "exactly", rank = 0}',
     ""),
    ("file/relu", 'networks = ["A"]\ndomain = "R"\nfields = {sense = "exactly", count = [2]}',
     "count is 2, expected [2]"),
    ("fibers/turned-idle", 'networks = ["A"]\ndomain = "R"\nfields = {empty = [], '
     'nonempty = [{bends = ["+"], dead = 0, linear = 0, others = ["+"]}]}', ""),
    ("fibers/turned-idle", 'networks = ["A"]\ndomain = "R"\nfields = {empty = [], '
     'nonempty = [{bends = ["+"], dead = 0, linear = 0, others = ["-"]}]}', "nonempty is"),
    ("facts/order", 'networks = ["A"]\nfields = {facts = {sha256 = "#facts#"}}', ""),
    ("facts/order", 'networks = []\nfields = {facts = {sha256 = "#facts#"}}',
     "the claim is about 1 networks, expected 0"),
    ("facts/order", 'networks = ["A", "A"]\nfields = {facts = {sha256 = "#facts#"}}',
     "the claim is about 1 networks, expected 2"),
    ("facts/order", 'networks = ["A"]\nfields = {facts = {sha256 = "#kind#"}}', "facts is"),
    ("lemmas/s000-bend", 'networks = ["A"]\nfields = {facts = {sha256 = "#facts#"}, '
     'instance = {sha256 = "#instance#"}, lemma = "S000-bend"}', ""),
    ("lemmas/s000-bend", 'networks = []\nfields = {facts = {sha256 = "#facts#"}, '
     'instance = {sha256 = "#instance#"}, lemma = "S000-bend"}', "is about 1 networks, expected 0"),
    ("linear/rank", 'fields = {matrix = {sha256 = "#matrix#"}, rank = 1}', ""),
    ("linear/rank", 'fields = {matrix = {sha256 = "#matrix#"}}\nat-most = {rank = 1}', ""),
    ("linear/rank", 'fields = {matrix = {sha256 = "#matrix#"}}\nat-least = {rank = 1}', ""),
    ("linear/rank", 'fields = {matrix = {sha256 = "#matrix#"}}\nat-least = {rank = "3/2"}',
     "rank is 1, expected at least 3/2"),
    ("linear/sigma-lower", 'fields = {matrix = {sha256 = "#matrix#"}, sense = "at-least", '
     'bound = 2}', ""),
    ("linear/sigma-lower", 'fields = {matrix = {sha256 = "#matrix#"}, sense = "at-least", '
     'bound = "4/2"}', ""),
    ("linear/sigma-lower", 'fields = {matrix = {sha256 = "#matrix#"}, sense = "at-least", '
     'bound = 1}', "bound is 2, expected 1"),
    ("linear/sigma-lower", 'fields = {matrix = {sha256 = "#matrix#"}, sense = "at-least", '
     'bound = [2]}', "bound is 2, expected [2]"),
    ("linear/sigma-upper", 'fields = {matrix = {sha256 = "#matrix#"}, sense = "at-most"}\n'
     'at-most = {bound = 3}', ""),
    ("folds/union", 'networks = ["A"]\ndomain = "R"\nfields = {facets = {sha256 = "#facets#"}, '
     'hyperplanes = {sha256 = "#hyperplanes#"}, hidden = {sha256 = "#hidden#"}, '
     'remaining = {sha256 = "#remaining#"}, pieces = {sha256 = "#pieces#"}, '
     'edges = {sha256 = "#edges#"}}', "another domain than R"),
    ("folds/union", 'networks = ["A"]\nfields = {facets = {sha256 = "#facets#"}, '
     'hyperplanes = {sha256 = "#hyperplanes#"}, hidden = {sha256 = "#hidden#"}, '
     'remaining = {sha256 = "#remaining#"}, pieces = {sha256 = "#pieces#"}, '
     'edges = {sha256 = "#edges#"}, domain = {sha256 = "#domain#"}}',
     ""),
    ("pairs/ray", 'networks = ["A", "B"]\ndomain = "R"\n'
     'fields = {sense = "exactly", bound = 7}', "bound is infinite, expected 7"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "entry", "why"), PINNED, ids=range(len(PINNED)))
def test_fields(tmp_path: Path, case: str, entry: str, why: str) -> None:
    job = one(tmp_path, case, entry)
    said = job.run()
    assert (said.code, said.err) == (1 if why else 0, "")
    if why:
        assert (
            f"REJECTED {tmp_path / 'certs/x.cert'}: changed: " in said.out or "weaker" in said.out
        )
        assert why in said.out


@pytest.mark.parametrize("pinned", ['"0/1"', '"-0"', '{sha256 = "#bound#"}'])
def test_a_bound_of_0_is_vacuous_however_it_is_pinned(tmp_path: Path, pinned: str) -> None:
    fields = f'fields = {{sense = "at-least", layer = 1, bound = {pinned}}}'
    entry = f'networks = ["A"]\ndomain = "R"\n{fields}'
    said = one(tmp_path, "stability/dead-bound-0", entry).run()
    assert said.code == 1
    assert "vacuous: bound is at least 0, which says nothing" in said.out


def test_a_network_compared_with_itself_is_named_twice(tmp_path: Path) -> None:
    """Who pins two networks does not get a claim about one of them."""
    name = next(
        name
        for name, case in cases().items()
        if case.verdict == "ACCEPTED"
        and case.data[:1] == b"{"
        and (c := json.loads(case.data.split(b"\n")[0])["claim"])["kind"] == "equal"
        and c["holds"]
        and c["a"] == c["b"]
        and c["domain"]["rows"] == []
    )
    job = one(tmp_path, name, 'networks = ["A", "A"]\ndomain = "R"\n')
    assert job.run().code == 0
    job.write("B.json", json.dumps(claim_of("pairs/intervals-closed")["a"]))
    job.change('["A", "A"]', '["A", "B"]')
    assert "another network than B" in job.run().out
    job.change('["A", "B"]', '["A"]')
    assert "equal is about 2 networks, found 1" in job.run().err


def test_a_file_that_changes_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence that was accepted is the one that is compared."""
    job = made(tmp_path)
    whole = pins.check_file
    for claim in ("", "zzz"):

        def other(path: str, question: Any, claim: str = claim) -> Any:
            return whole(path, question)._replace(claim=claim)

        monkeypatch.setattr(pins, "check_file", other)
        assert {why for _, _, why in job.refusals()} == {"while it was read"}


def test_a_file_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who may not read a file that is not listed cannot say that it is no certificate."""
    job = made(tmp_path)
    path = job.write("certs/secret", "nothing")

    def refusing(place: Any, mode: str) -> Any:
        if place == path:
            raise PermissionError(13, "Permission denied")
        return open(place, mode)

    monkeypatch.setattr(pins, "open", refusing, raising=False)
    assert job.refusals() == [("certs/secret", "unlisted", "a certificate that the manifest lacks")]


def test_files_that_are_no_certificates(tmp_path: Path) -> None:
    job = made(tmp_path)
    for name, data in (
        ("README.md", "# text"),
        ("empty", ""),
        ("bad.gz", b"\x1f\x8b and no more"),
        ("claim.json", '{"claims":1}'),
    ):
        job.write(f"certs/{name}", data)
    (job.folder / "certs/link").symlink_to("nowhere")
    assert job.refusals() == []


def test_what_is_not_listed_comes_in_one_order(tmp_path: Path) -> None:
    job = made(tmp_path)
    names = ["q", "c", "z", "a", "m", "x/b", "x/a"]
    for name in names:
        job.write(f"certs/{name}/2.cert", "")
        job.write(f"certs/{name}/1.cert", "")
    found = [path for path, code, _ in job.refusals() if code == "unlisted"]
    assert found == [f"certs/{name}/{k}.cert" for name in sorted(names) for k in (1, 2)]


#: Numbers that may be pinned from one side, each with an accepted case.
QUANTITIES = [
    ("fibers/dimension-off", "dimension"),
    ("jacobian/affine", "rank"),
    ("pairs/largest-of-two", "bound"),
    ("linear/nnrank-more", "columns"),
    ("linear/nnrank-more", "rank"),
    ("linear/rank", "rank"),
    ("file/relu", "count"),
    ("linear/sigma-upper", "bound"),
    ("linear/spark", "spark"),
    ("stability/tree", "bound"),
]


@pytest.mark.parametrize(("case", "name"), QUANTITIES)
def test_numbers_are_pinned_from_one_side(tmp_path: Path, case: str, name: str) -> None:
    claim: Any = claim_of(case)
    value = claim[name]
    number = value if isinstance(value, int) else f"{int(value[1], 16)}/{int(value[0], 16)}"
    sense = claim.get("sense", "exactly")
    sides = ["at-least", "at-most"] if sense == "exactly" else [sense]
    names = [f for f in ("network", "a", "b") if f in claim]
    entry = f"networks = {json.dumps(['A', 'B'][: len(names)])}\n"
    entry += 'domain = "R"\n' if "domain" in claim else ""
    rest = [f for f in claim if f not in (*names, "domain", "kind", "holds", "sense", name)]
    fields = [f'{f} = {{sha256 = "#{f}#"}}' for f in rest]
    fields += [f'sense = "{sense}"'] if "sense" in claim else []
    entry += f"fields = {{{', '.join(fields)}}}\n"
    for side in ("at-least", "at-most"):
        said = one(tmp_path, case, f'{entry}{side} = {{{name} = "{number}"}}').run()
        assert said.code == (0 if side in sides else 2), said
