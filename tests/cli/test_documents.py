"""Commands that make pictures, pages and certificates."""

import json
import random
import re
from itertools import pairwise
from pathlib import Path

import pytest

import exactrelu as er
from exactrelu.effort import STOPPED, clock
from exactrelu.errors import InputError
from exactrelu.network.formats.load import save
from exactrelu.network.network import Network
from exactrelu.public.certified import CertifiedNetworks
from exactrelu.public.journal import Certified
from exactrelu.questions.applicable import CATALOGUE
from exactrelu.words import PEOPLE

CASES = Path(__file__).parents[2] / "cases"
XOR = CASES / "xor" / "network.json"
FOLDED = CASES / "phuong-lampert/S001-P1-transparent" / "N.json"
SOLID = CASES / "phuong-lampert/S001-E3-bends" / "theta.json"
ALL = ("complex", "dual", "folds", "dependency")


def test_panels_from_the_command_line(run, tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    found = run(
        "plot", FOLDED, "-o", out, "--domain", "box:-1,1", "--show", ",".join(ALL), "--json"
    )
    assert found.code == 0
    fields = json.loads(found.out)
    assert (fields["n_regions"], fields["n_facets"], fields["n_invisible_facets"]) == (9, 11, 0)
    assert fields["window"] == [["-1", "1"], ["-1", "1"]]
    text = out.read_text()
    # The levels and the layers of the legends are drawn as glyphs; their words are comments.
    for words in ("layer 1", "layer 2", "level 1", "level 2", "dual points"):
        assert f"<!-- {words} -->" in text


def test_one_and_three_inputs(run, tmp_path: Path) -> None:
    tent = CASES / "regions/tent3" / "network.json"
    assert run("plot", tent, "-o", tmp_path / "a.png", "--show", "complex,dual").code == 0
    found = run("plot", SOLID, "-o", tmp_path / "b.pdf", "--domain", "box:-1,1",
                "--show", "complex,folds,dependency")  # fmt: skip
    assert found.code == 0
    assert "12 regions" in found.out


def test_slices(run, tmp_path: Path) -> None:
    found = run("plot", SOLID, "-o", tmp_path / "a.svg", "--slice", "0,0,1/2;1,0,0;0,1,0",
                "--domain", "box:-1,1", "--json")  # fmt: skip
    assert found.code == 0
    assert json.loads(found.out)["window"] == [["-1", "1"], ["-1", "1"]]


def test_a_flat_domain(run, tmp_path: Path) -> None:
    """On y = −1 xor bends at x = 0 and x = 1."""
    out = tmp_path / "a.svg"
    found = run("plot", XOR, "-o", out, "--domain", "box:-2,2;-1,-1", "--json")
    answer = json.loads(found.out)
    assert found.code == 0
    assert (answer["n_regions"], answer["window"]) == (3, [["-2", "2"]])
    assert answer["reason"].endswith("the affine hull of the domain, dimension 1")
    assert out.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((XOR, "-o", "a.jpg"), "a.jpg: expected a name that ends in .svg, .png, .pdf"),
        ((XOR, "-o", "a.svg", "--show", "all"), "--show 'all': expected one of complex"),
        ((XOR, "-o", "a.svg", "--show", "folds,folds"), "different panels"),
        ((XOR, "-o", "a.svg", "--colour", "red"), "--colour 'red': expected one of pattern, map"),
        ((XOR, "-o", "a.svg", "--domain", "box:1,0"), "box:1,0: the domain is empty"),
        ((XOR, "-o", "a.svg", "--domain", "box:1,1"), "the domain is one point: there is nothing"),
        ((XOR, "-o", "a.svg", "--domain", "box:0,1;2,1"), "box:0,1;2,1: the domain is empty"),
        ((XOR, "-o", "a.svg", "--training", "."), "a network file, or --training"),
        (("-o", "a.svg"), "a network file, or --training"),
        (("--training", "nowhere", "-o", "a.gif"), "nowhere: No such file"),
        (
            ("--training", str(CASES / "polyhedra/unit-square"), "-o", "a.svg"),
            "expected.json: the key",
        ),
        ((SOLID, "-o", "a.svg", "--show", "dual"), "of 3 inputs are not drawn"),
        ((CASES / "acasxu-1-1" / "network.nnet", "-o", "a.svg"), "5 inputs: a picture has at most"),
    ],
)
def test_errors_have_one_line(run, arguments, words, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = run("plot", *arguments)
    assert (found.code, found.out) == (2, "")
    assert words in found.err
    assert found.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_limit(run, tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    found = run("plot", FOLDED, "-o", out, "--max-regions", "3")
    assert found.code == 3
    assert found.out == "stopped at 3 regions: nothing was drawn\n"
    assert not out.exists()


def _checkpoints(folder: Path) -> None:
    for step in (2, 10, 1):
        network = Network.from_arrays([[[1, step], [0, 1]], [[1, -1]]], [[0, step], [0]])
        save(network, folder / f"step-{step}.json")


def test_a_training_run(run, tmp_path: Path) -> None:
    from PIL import Image

    folder = tmp_path / "run"
    folder.mkdir()
    _checkpoints(folder)
    gif, page = tmp_path / "a.gif", tmp_path / "a.html"
    found = run("plot", "--training", folder, "-o", gif, "--json")
    assert found.code == 0
    frames = json.loads(found.out)["frames"]
    assert [frame["checkpoint"] for frame in frames] == ["step-1", "step-2", "step-10"]
    assert len({json.dumps(frame["window"]) for frame in frames}) == 1
    with Image.open(gif) as image:
        assert image.n_frames == 3
    assert run("plot", "--training", folder, "-o", page, "--domain", "box:-20,20").code == 0
    text = page.read_text()
    assert text.count("data:image/png;base64,") == 3
    assert "http" not in text.replace("http-equiv", "")


def test_report(run, tmp_path: Path) -> None:
    out = tmp_path / "xor.html"
    found = run("report", XOR, "-o", out, "--timeout", "600", "--json")
    assert found.code == 0
    fields = json.loads(found.out)
    assert fields["n_regions"] == [3]
    assert fields["n_undecided"] == 0
    assert fields["n_accepted"] == fields["n_certificates"] == fields["n_verdicts"] > 20
    text = out.read_text()
    assert text.startswith("<!DOCTYPE html>")
    assert text.count(">save</a>") == fields["n_certificates"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((XOR, "-o", "a.pdf"), "a.pdf: expected a name that ends in .html"),
        (("nowhere.json", "-o", "a.html"), "nowhere.json: no such file"),
        ((XOR, "-o", "a.html", "--slice", "0,0"), "found 0 directions"),
        ((XOR, "-o", "a.html", "--slice", "0,0,0;1,0,0"), "directions of 2 coordinates"),
        ((XOR, "-o", "a.html", "--domain", "box:0,1;0,1;0,1"), "found 3 intervals"),
    ],
)
def test_errors_of_reports_have_one_line(run, arguments, words, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = run("report", *arguments)
    assert (found.code, found.out) == (2, "")
    assert words in found.err
    assert found.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_certify(run, tmp_path) -> None:
    networks = ["cases/xor/network.json", "cases/three-layers/S002-P11-weights/N.json"]
    result = run("certify", *networks, "-o", tmp_path / "certificates", "--json")
    assert result.code == 0
    answer = json.loads(result.out)
    assert answer["n_accepted"] == answer["n_certificates"] > 10
    summary = json.loads((tmp_path / "certificates" / "summary.json").read_text())
    assert summary == answer["summary"]
    assert {entry["network"] for entry in summary} == {"xor", "S002-P11-weights-N"}
    for entry in summary:
        assert (entry["certificate"] is None) == (entry["verdict"] == "left out")
        assert entry["certificate"] is None or run("check", entry["certificate"]).code == 0
    limited = run("certify", networks[0], "-o", tmp_path / "limited", "--timeout", "600")
    assert limited.code == 0
    for path in (tmp_path / "limited").glob("*.cert.jsonl"):
        assert path.read_bytes() == (tmp_path / "certificates" / path.name).read_bytes()
    joined = run("certify", *networks, "-o", tmp_path / "joined", "--together", "--json")
    assert joined.code == 0
    together = json.loads(joined.out)
    assert together["n_certificates"] == together["n_accepted"] == len(networks)
    assert len(together["summary"]) == len(summary)
    same = run("certify", *networks[:1] * 2, "-o", tmp_path / "twice")
    assert (same.code, same.err.count("\n")) == (2, 1)


def test_check_with_a_ledger(run, tmp_path: Path) -> None:
    """What was accepted is not checked again; a ledger of another form is bad input."""
    certificate, ledger = tmp_path / "xor.cert.jsonl", tmp_path / "ledger"
    run("regions", "example:xor", "--certificate", certificate)
    for said in ("by cells; trusts NOTHING", "checked before; trusts the ledger"):
        found = run("check", "--ledger", ledger, certificate)
        assert (found.code, f"[{said}; unpinned]" in found.out) == (0, True)
    ledger.write_text("no line of a ledger")
    refused = run("check", "--ledger", ledger, certificate)
    assert (refused.code, refused.err.count("\n")) == (2, 1)


def test_check_of_a_domain_and_without_theorems(run, tmp_path: Path) -> None:
    xor = "cases/xor/network.json"
    for domain in ("R", "orthant", "box:0,1;2,2"):
        path = tmp_path / "regions.cert"
        assert run("regions", xor, "--domain", domain, "--certificate", path).code == 0
        assert run("check", path, "--network", xor, "--domain", domain).code == 0
        refused = run("check", path, "--domain", "box:0,1;3,3")
        assert (refused.code, "domain-mismatch" in refused.out) == (1, True)
        assert run("check", path, "--no-theorems").code == 0
    for name in ("P13-hiding-translation", "P16-ident-ppm"):
        path = tmp_path / f"{name}.cert"
        network = "N" if "ident" in name else "theta"
        network = f"cases/three-layers/S002-{name}/{network}.json"
        fiber = run("fiber", network, "--certificate", path)
        assert fiber.code == 0
        accepted = run("check", path, "--no-theorems")
        assert (accepted.code, "trusts NOTHING" in accepted.out) == (0, True)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A network that all questions together take minutes for."""
    rng = random.Random(1)
    widths = (4, 14, 14, 3)
    shapes = [(m, n) for n, m in pairwise(widths)]
    weights = [[[rng.randint(-99, 99) for _ in range(n)] for _ in range(m)] for m, n in shapes]
    biases = [[rng.randint(-99, 99) for _ in range(m)] for m in widths[1:]]
    path = tmp_path / "large.json"
    save(Network.from_arrays(weights, biases), path)
    return path


def test_certify_in_no_more_than_its_time(run, tmp_path: Path, large: Path) -> None:
    start = clock()
    folder = tmp_path / "certificates"
    found = run("certify", large, "-o", folder, "--timeout", "10", "--json")
    assert clock() - start < 40
    answer = json.loads(found.out)
    assert json.loads((folder / "summary.json").read_text()) == answer["summary"]
    words = {entry["verdict"] for entry in answer["summary"]}
    assert "yes" in words
    assert words & {"undecided", "not asked"}
    if "not asked" in words:
        assert (found.code, answer["verdict"]) == (3, "undecided")
        assert "not asked" in answer["reason"]
        assert answer["n_not_asked"] > 0
    # No file is half-written, whether or not it was checked in time.
    files = list(folder.glob("*.cert.jsonl"))
    assert run("check", *files).code == 0
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_one_question_in_no_more_than_its_time(run, tmp_path: Path, large: Path) -> None:
    folder = tmp_path / "certificates"
    found = run("certify", large, "-o", folder, "--seconds-each", "0.2")
    assert found.code == 3
    summary = json.loads((folder / "summary.json").read_text())
    late = [e["reason"] for e in summary if e["verdict"] == "undecided"]
    assert any("stopped after 0.2 s" in reason for reason in late)
    # The last one is asked too.
    assert summary[-1]["question"].startswith("injective")


def test_what_is_too_large_is_told_and_is_no_yes(run, tmp_path: Path) -> None:
    weights = [[[1 + i + j for i in range(n)] for j in range(m)] for n, m in ((2, 40), (40, 1))]
    net = er.from_arrays(weights, [list(range(40)), [1]])
    er.save(net, tmp_path / "net.json")
    found = run("certify", tmp_path / "net.json", "-o", tmp_path / "out", "--json")
    answer = json.loads(found.out)
    assert (found.code, answer["verdict"]) == (3, "undecided")
    assert (
        answer["n_accepted"] == answer["n_certificates"] == len(list(tmp_path.glob("out/*.jsonl")))
    )
    numbers = [answer[f"n_{word}"] for word in ("yes", "no", "undecided", "not_asked", "left_out")]
    assert sum(numbers) == answer["n_questions"] == len(answer["summary"])
    left = {e["question"]: e["reason"] for e in answer["summary"] if e["verdict"] == "left out"}
    assert left["regions"] == "too large: 40 hidden neurons, and at most 32 are tried here"
    assert "questions left out: too large" in answer["reason"]
    shown = run("certify", tmp_path / "net.json", "-o", tmp_path / "text")
    assert shown.code == 3
    assert "left out: regions, complex," in shown.out
    from_python = er.certify(net, tmp_path / "python")
    assert not from_python.is_complete
    n_large = sum(reason.startswith("too large: ") for reason in left.values())
    assert n_large == len(left) - 1
    assert from_python.reason == f"{n_large} questions left out: {left['regions']}"


def test_every_question_is_told_if_the_work_is_ended_from_outside(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing stops by itself: what is told is the last report."""
    from exactrelu.cli import main
    from exactrelu.cli.command import Ask
    from exactrelu.work.worker import Reporter, WorkerBounds, working

    arguments = ["certify", "example:xor", "-o", str(tmp_path / "out")]
    args = main._parser().parse_args(arguments)
    told: list[str] = []
    effort = working(WorkerBounds(), Reporter(lambda _: None, lambda _: None))
    ask = Ask(args, effort)

    def checkers(*_: object) -> None:
        told.append(ask.known().text)
        raise InputError("enough")

    monkeypatch.setattr("exactrelu.public.certify.run_checkers", checkers)
    monkeypatch.setattr("exactrelu.questions.catalogue.CATALOGUE", CATALOGUE[:5])
    assert main._answered(args, ask).exit_code == 2
    (text,) = told
    assert re.search(r"^regions +1 +1 +0", text, re.MULTILINE)
    assert text.endswith(f"accepted 0 of 9 certificates; not checked: {STOPPED}")


def test_what_was_not_asked_has_a_column() -> None:
    entries = [
        Certified("n", "values", "yes", "", None),
        Certified("n", "regions", "not asked", "stopped after 2 s", None),
    ]
    head, _, regions, *_ = CertifiedNetworks(Path(), tuple(entries)).told("", PEOPLE)
    assert head.split() == ["question", "networks", "yes", "no", "undecided", "not", "asked",
                            "accepted"]  # fmt: skip
    assert regions.split() == ["regions", "1", "0", "0", "0", "1", "0"]


def test_report_in_no_more_than_its_time(run, tmp_path: Path, large: Path) -> None:
    start = clock()
    out = tmp_path / "a.html"
    found = run("report", large, "-o", out, "--timeout", "1", "--json")
    assert clock() - start < 40
    answer = json.loads(found.out)
    assert found.code == 3, answer
    assert answer["verdict"] == "undecided"
    assert out.read_text().rstrip().endswith("</html>")


@pytest.mark.parametrize("name", ["a.svg", "a.gif"])
def test_a_picture_that_takes_too_long_is_not_there(run, tmp_path: Path, name: str) -> None:
    what = [FOLDED] if name == "a.svg" else ["--training", FOLDED.parent]
    found = run("plot", *what, "-o", tmp_path / name, "--timeout", "1e-9", "--json")
    assert (found.code, json.loads(found.out)["verdict"]) == (3, "undecided")
    assert list(tmp_path.iterdir()) == []


# --- Several processes


def test_check_by_several_checkers(run, tmp_path: Path) -> None:
    """The same lines, fields and exit code."""
    kept = CASES.parent / "proofs" / "certificates"
    rejected = tmp_path / "cut"
    rejected.write_bytes((kept / "xor.regions.cert.jsonl").read_bytes()[:-10])
    files = [kept / "xor.regions.cert.jsonl", rejected, kept / "xor.value-at-0.cert.jsonl"]
    for options in ([], ["--json"], ["--network", XOR], ["--network", tmp_path / "missing"]):
        found = run("check", *files, *options, "--jobs", "2")
        assert found == run("check", *files, *options)
    assert (found.code, found.err.count("\n")) == (2, 1)


def test_check_prints_all_of_a_claim(run, tmp_path) -> None:
    """What was proved, and nothing of what was not."""
    path = tmp_path / "fold.cert.jsonl"
    assert run("folds", "example:moons", "--certificate", path).code == 0
    found = run("check", "--statement", path)
    assert found.code == 0
    assert "  L1, " in found.out
    assert "  fold-set: " in found.out
    assert "...{sha256" in found.out.splitlines()[0]
    assert "...{sha256" not in "".join(found.out.splitlines()[1:])
    refused = run("check", "--statement", "--expect", "regions", path)
    assert (refused.code, refused.out.count("\n")) == (1, 1)
    both = run("check", "--statement", "--json", path)
    assert (both.code, both.out) == (2, "")
    assert "--statement: found --json too" in both.err
