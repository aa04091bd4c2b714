"""What newcomers waited for: a limit is kept, and what is known by then is told.

What cannot stop by itself runs as a program, whose limits are kept from outside.  No test asks how
fast it is: one that does not end is ended after a minute.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import exactrelu as er
from exactrelu.certificates.program import run_checker
from exactrelu.exact.scalar import rational

#: A small part of what these questions take; the networks are read in a tenth of it.
SECONDS = "3"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """ACAS Xu 1,1 and a copy without one hidden neuron in twenty, in a format that is read fast."""
    folder = tmp_path_factory.mktemp("acas")
    whole = er.load("cases/acasxu-1-1/network.onnx")
    weights = [[list(row) for row in layer.weights.rows()] for layer in whole.layers]
    biases = [list(layer.bias) for layer in whole.layers]
    for rows, bias in zip(weights[:-1], biases[:-1], strict=True):
        for i in range(0, len(rows), 20):
            rows[i], bias[i] = [0] * len(rows[i]), 0
    er.save(whole, folder / "A.npz")
    er.save(er.Network.from_arrays(weights, biases), folder / "P.npz")
    return folder / "A.npz", folder / "P.npz"


def ran(*arguments: object) -> tuple[int, dict[str, Any]]:
    """The exit code and the answer of a program that is back within a minute."""
    program = [sys.executable, "-m", "exactrelu", *map(str, arguments), "--json"]
    found = subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)
    assert found.stderr in ("", "no certificate is written: the question is undecided\n")
    return found.returncode, json.loads(found.stdout)


def test_a_difference_ends_in_time_with_bounds(pair: tuple[Path, Path], tmp_path: Path) -> None:
    proof = tmp_path / "d.cert.jsonl"
    limits = ("--timeout", SECONDS, "--certificate", proof)
    code, found = ran("difference", *pair, "--domain", "box:-0.1,0.1", *limits)
    assert (code, found["verdict"]) == (3, "undecided")
    assert f"stopped after {SECONDS} s" in found["reason"]
    a, b = map(er.load, pair)
    at, lower = list(map(rational, found["at"])), rational(found["lower"])
    assert lower == max(abs(y - z) for y, z in zip(a(at), b(at), strict=True)) > 0
    assert found["upper"] is None or rational(found["upper"]) >= lower
    assert run_checker([str(proof)]).returncode == 0


def test_within_a_bound_ends_in_time_with_bounds(pair: tuple[Path, Path], tmp_path: Path) -> None:
    proof = tmp_path / "w.cert.jsonl"
    limits = ("--within", "1/2", "--certificate", proof)
    # Boxes decide it where a network is nearly affine; elsewhere the time is over.
    code, near = ran("equivalent", *pair, "--domain", "box:-0.01,0.01", *limits)
    assert (code, near["verdict"]) == (0, "yes")
    assert run_checker([str(proof), "--expect", "within"]).returncode == 0
    # A machine that is busy may have nothing to tell after the first time.
    for seconds in (SECONDS, "12", "40"):
        bounds = (*limits, "--timeout", seconds)
        code, far = ran("equivalent", *pair, "--domain", "box:-1/4,1/4", *bounds)
        assert (code, far["verdict"]) == (3, "undecided")
        assert f"stopped after {seconds} s" in far["reason"]
        if far["lower"] is not None:
            break
    assert 0 < rational(far["lower"]) <= rational("1/2")
    assert run_checker([str(proof)]).returncode == 0


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (("--timeout", "1"), "stopped after 1 s"),
        (("--max-regions", "5"), "stopped at 5 regions"),
    ],
)
def test_regions_keep_their_limit(
    run, pair: tuple[Path, Path], limits: tuple[str, ...], reason: str
) -> None:
    found = run("regions", pair[0], *limits, "--json")
    known = json.loads(found.out)
    assert (found.code, known["verdict"], known["n_regions"]) == (3, "undecided", None)
    assert known["reason"].startswith(reason)
    assert known["n_regions_at_least"] >= 1


def test_regions_keep_their_memory(pair: tuple[Path, Path]) -> None:
    code, found = ran("regions", pair[0], "--max-memory", "200M")
    assert (code, found["verdict"], found["n_regions"]) == (3, "undecided", None)
    # It is met on the way, or what comes next is known not to fit.
    assert re.search("^stopped at 200 MB of memory|, more than 200 MB ", found["reason"])


def always(network: er.Network) -> bool:
    """Nothing refutes it, so that a search goes on until it is stopped."""
    return True


@pytest.mark.parametrize(
    "search",
    [
        lambda: er.refute("S001-theorem-A1-repaired", timeout=0.5),
        lambda: er.refute("S001-theorem-A1-repaired", seconds=99, timeout=0.5),
        lambda: er.refute_conjecture(always, always, timeout=0.5),
    ],
)
def test_a_search_has_the_limit_of_every_question(search: Callable[[], er.Verdict]) -> None:
    """``timeout`` is the limit of the whole, also where a search has its own seconds."""
    found = search()
    assert found.answer is None
    assert "no counterexample among " in found.reason
    assert found.witness.tally.examined > 0


def test_a_report_has_the_limit_of_every_question(tmp_path: Path) -> None:
    """The page is whole, with what was answered by then."""
    page = tmp_path / "page.html"
    made = er.report(er.load("example:moons"), page, timeout=0.1)
    assert made.unchecked or any(entry.asked.verdict == "not asked" for entry in made.checked)
    assert page.read_text().rstrip().endswith("</html>")
