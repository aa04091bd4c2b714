"""What ``--json`` calls certified is what the certificate proves, for every command.

Each example is run with a certificate where there can be one, and every part of its answer that is
called certified is read again from the file (:mod:`tests.cli.readings`).  What an answer has is
declared beside the question; here nothing of it is written again.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from exactrelu.certificates.certificate import Verdict
from exactrelu.cli.main import COMMANDS
from exactrelu.cli.outcome import UNDECIDED
from exactrelu.network.formats.load import network_from_object, save
from exactrelu.network.network import Network
from tests.checking import printed
from tests.cli.readings import READINGS, File, reading

CASES = Path(__file__).parents[2] / "cases"
DATA = Path(__file__).parents[1] / "lemmas" / "data"
ACCEPTED = Path(__file__).parents[2] / "proofs/certificates/xor.value-at-1.cert.jsonl"
#: What every JSON object has.
COMMON = {"verdict", "reason", "certificate", "certified", "max_fuel"}


#: Commands of which a claim says parts as they are.
CHANGED = {
    "eval",
    "regions",
    "rank",
    "nnrank",
    "sigma",
    "spark",
    "canonical",
    "recover",
    "arrangement",
}


@dataclass(frozen=True)
class Example:
    """A command line, its exit code, whether it can write a certificate, how much that proves."""

    code: int
    writes: bool
    n_certified: int
    line: str

    @classmethod
    def of(cls, row: str) -> Example:
        return cls(int(row[0]), row[1] != "-", int(row[2:5]), row[6:])


#: The exit code, a dash where no certificate can be written, the number of certified names, and
#: what is asked.
EXAMPLES = tuple(
    map(
        Example.of,
        """\
0-  0 info {xor}
0   3 eval {xor} --at 1,-1
0-  0 eval {xor} --at 1,-1 --at 0,0
0   5 local {xor} --points {tmp}/points.json
0   9 local {xor} --points {cases}/xor/points.csv --list --other {xor} --clusters 1 --duals {tmp}/d
0   4 robust {xor} --at 0,0
0   1 robust {xor} --at 0,0 --domain box:-1/8..1/8
1   2 verify {cases}/xor/query.vnnlib --network {xor}
0   1 verify {tmp}/above.vnnlib --network {xor}
0   1 holds {xor} 'y1 <= 1' '-1 <= y1' --domain box:-1/2..1/2
1   2 holds {xor} 'y1 < 1' --domain box:-1..1
1   2 judge {cases}/xor/query.vnnlib --network {xor} --result {cases}/xor/result.txt
0   2 judge {cases}/xor/query.vnnlib --network N={xor} --result {tmp}/exact.txt --list
0-  0 supports --vnnlib-versions
0-  0 real-query {cases}/xor/float32.vnnlib -o {tmp}/real.vnnlib
0-  0 convert {xor} {tmp}/out.json
0   2 regions {xor} --list
0   2 regions {xor} --domain box:-3,3;1,1
0   2 regions {xor} --slice 0,0;1,0
3   1 regions {xor} --max-regions 1
0   3 complex {xor}
0   3 complex {xor} --domain box:0,1;1,1
0   1 honest {xor} --domain box:0,1;1,1
0   1 honest {xor}
1   1 honest {tmp}/straight.json
0   1 cancellation-free {xor}
1   1 cancellation-free {tmp}/cancelled.json
0   1 generic {ties}/ok.json
1   5 generic {ties}/parallel.json
1   3 generic {cases}/regions/dup/network.json --sense non-proportional
1   3 generic {cases}/regions/concurrent3/network.json --sense supertransversal
1   1 generic {cases}/regions/dup/network.json --sense supertransversal --domain box:-1,1
1   1 generic {tmp}/optimum.json --sense general
1   1 generic {tmp}/flat.json --all --sense masked-rank
0   1 generic {ties}/parallel.json --sense masked-rank --perturb {tmp}/near.json
0   4 roles {cases}/phuong-lampert/S001-P1-transparent/N.json --domain box:-1,1 --list
0   4 roles example:moons --domain box:0..1/2
0   1 transparent {cases}/phuong-lampert/S001-P1-transparent/N.json --domain box:-1,1
0   1 transparent {cases}/phuong-lampert/S001-P1-transparent/N.json --domain box:-1,1;0,0
1   2 transparent {cases}/phuong-lampert/S001-P1-transparent/N.json
0  11 folds {cases}/phuong-lampert/S001-P1-transparent/N.json --domain box:-1,1 --list
0  11 folds {nonconvex}/theta.json --domain {nonconvex}/domain.json
0  11 folds {cases}/phuong-lampert/S001-P1-transparent/N.json --domain box:0,0;-1,1
0  11 folds {tmp}/cancelled.json
3-  0 folds {cases}/phuong-lampert/S001-P1-transparent/N.json --max-faces 1
0   3 isomorphic {permuted}/A.json {permuted}/B.json
1   1 isomorphic {xor} {tmp}/doubled.json
0   1 equivalent {xor} {xor}
1   2 equivalent {spike}/spike.json {spike}/zero.json
0   1 equivalent {spike}/spike.json {spike}/zero.json --within 2
1   2 equivalent {spike}/spike.json {spike}/zero.json --within 1/2
0   6 difference {spike}/spike.json {spike}/zero.json
3   3 difference {spike}/spike.json {spike}/zero.json --domain box:-1,1 --max-regions 1
3   3 equivalent {spike}/spike.json {spike}/zero.json --within 1 --domain box:-1,1 --max-regions 1
0   2 difference {tmp}/doubled.json {tmp}/constant.json
0   2 identifiable {cases}/three-layers/S002-P16-ident-ppm/N.json
1   3 identifiable {cases}/three-layers/S002-P13-hiding-translation/theta.json
3   1 identifiable {cases}/identifiable/tracks-open/N.json
3   1 identifiable {tmp}/thin.json
0   1 identifiable {cases}/identifiable/tracks-open/N.json --dimension --domain box:-1..1
0-  0 identifiable --architecture 2,2,2,1 --volume
0-  0 identifiable --share 2,2,1,1 --count 3
0   1 injective {biased}/tight.json --layer 1
1   2 injective {biased}/viol.json --layer 1
0   1 injective {lossy}
0   1 injective {lossy} --layer 2 --domain image
1   2 injective {xor}
0   1 injective {biased}/tight.json --layer 1 --at 1,1
0-  0 injective {biased}/tight.json --layer 1 --shortcuts
0   2 invert {xor} --value 1
0   2 invert {xor} --value 1 --domain box:-2,2
0   2 invert {lossy} --value 1,1,0,0
0   2 invert {tmp}/pair.json --value 2,0
1   1 invert {xor} --value 2
0   3 convolution {cases}/injective-layers/convolution-width-3/valid.json
0-  0 injective-table 1 --samples 2
0   1 stability {cases}/injective-layers/S003-E7-sharp-constant/L.json --layer 1 --domain orthant
0   2 stability {cases}/injective-layers/S003-E7-sharp-constant/L.json --layer 1 --bound upper
0   3 stability {cases}/xor/network.json
0   2 stability {tmp}/pair.json
0   2 theorem-class {cases}/phuong-lampert/S001-P1-transparent/N.json --domain box:-1,1
1   1 theorem-class {bends}/theta.json --domain box:-1,1 --other {bends}/eta.json
1   1 theorem-class {cases}/phuong-lampert/S001-P1-transparent/N.json --domain box:0,0;-1,1
0   2 build identifiable 2,2,1 -o {tmp}/built.json
0   2 build injective 2,8 -o {tmp}/built.json
0   1 build non-localizable 2,2,2,2,1 -o {tmp}/built.json
0   2 canonical {xor} -o {tmp}/canonical.json
0   1 simplify {cases}/three-layers/S002-E05-dead-changes-case/theta.json -o {tmp}/small.json
0-  0 shallow {xor}
0   6 fiber {both}/theta.json --domain orthant
0   6 fiber {cases}/three-layers/S002-P01-fiber-case1-k0/theta.json --domain orthant
0   6 fiber {cases}/three-layers/S002-E08-zero-row/theta.json --general
0   6 fiber {flips}/theta.json
0   5 fiber {cases}/three-layers/S002-P16-ident-ppm/N.json
0   4 fiber {tmp}/twins.json
0   2 fiber {both}/theta.json --domain orthant --component -
0   2 fiber {flips}/theta.json --component 2 --format latex
0   1 fiber {flips}/theta.json --member {flips}/A23_t5.json
1   2 fiber {both}/theta.json --member {both}/../S002-P08-fiber-case4/theta.json --domain orthant
0   1 fiber {both}/theta.json --domain orthant --minimal
1   2 fiber {tmp}/doubled.json --minimal
0-  0 fiber {both}/theta.json --sample 1
3-  0 fiber {cases}/three-layers/S002-P01-fiber-case1-k0/theta.json --max-components 3
0   3 recover {tmp}/small.json
0   2 recover {cases}/rolnick-kording/S000-D1-LRA-fails-open/shift.json
0   2 rank {triangle}
0   4 nnrank {triangle}
0   3 nnrank {tmp}/pointed.json
0   1 sigma {tmp}/pointed.json
0   1 sigma {tmp}/pointed.json --bound upper
0   3 spark {tmp}/dependent.json
0   1 spark {tmp}/pointed.json
3-  0 spark {tmp}/dependent.json --max-sets 1
0   2 polyhedron {square} --describe --maximize 1,1
0   1 polyhedron {square} --bounded
1   2 polyhedron {tmp}/quadrant.json --bounded
0   2 cone {triangle}
1   2 cone {tmp}/line.json
0   2 arrangement {triangle}
0-  0 plot {xor} -o {tmp}/xor.svg
0-  0 report {tmp}/doubled.json -o {tmp}/page.html
0-  0 lemmas S000-bend
0   2 refute S003-lemma-1
0   0 conjecture {data}/same_means_isomorphic.py
3-  0 conjecture {data}/same_means_isomorphic.py --seconds 0.001
0-  1 check {tmp}/value.cert.jsonl
0-  1 pin {tmp}/value.cert.jsonl --unnamed -o {tmp}/pins.toml
0-  1 certify {tmp}/doubled.json -o {tmp}/certified
""".splitlines(),
    )
)


def places(folder: Path) -> dict[str, str]:
    """The short names of files in the examples."""
    named = {
        "xor": "xor/network.json",
        "ties": "three-layers/S002-D2-ties",
        "nonconvex": "phuong-lampert/S001-E1-thmA1-nonconvex",
        "permuted": "equal/permuted-2-4-1",
        "spike": "equal/spike-2-10",
        "biased": "injective-layers/S003-P1-2n-biased",
        "lossy": "injective-layers/lossy-layer/N.json",
        "both": "three-layers/S002-P04-fiber-case3-both",
        "flips": "three-layers/S002-P14-hiding-flips",
        "bends": "phuong-lampert/S001-E3-bends",
        "triangle": "three-layers/S002-P10-nonneg-column-rank/triangle.matrix.json",
        "square": "polyhedra/unit-square/polyhedron.json",
    }
    found = {name: str(CASES / path) for name, path in named.items()}
    return {**found, "cases": str(CASES), "data": str(DATA), "tmp": str(folder)}


NETWORKS = {
    "straight": (
        [[[1, 0], [0, 1], [0, -1]], [[1, 0, 0], [0, 1, -1]], [[1, 1]]],
        [[0, 0, 0], [0, 0], [0]],
    ),
    "cancelled": ([[[1], [2]], [[-2, 1]]], [[0, 0], [0]]),
    "optimum": ([[[1, 0], [0, 1], [1, 1]], [[-3, -4, 1]], [[1]]], [[0, 0, 1], [-1], [5]]),
    "flat": ([[[1, 2], [2, 4], [3, 6]], [[1, 1, 1]]], [[0, 1, 3], [0]]),
    "doubled": ([[[1], [1]], [[1, 2]]], [[0, 0], [0]]),
    "constant": ([[[0]], [[0]]], [[0], [1]]),
    "thin": (
        [[["1"], ["-1"]], [["1", "-2"]], [["1"]]],
        [["0", "0"], ["1"], ["0"]],
    ),
    "pair": ([[[1], [-1]], [[1, 0], [0, 1]]], [[0, 0], [0, 0]]),
    "twins": ([[[1, 0], [0, 1]], [[1, 1], [2, 2]], [[1, 1]]], [[0, 0], [-1, -2], [0]]),
    "small": ([[[1, 2], [3, -1]], [[1, -2]]], [[1, -1], [5]]),
}
MATRICES = {
    "pointed": [[1, 0], [0, 1]],
    "dependent": [[1, 0], [0, 1], [2, 0]],
    "line": [[1, 0], [-2, 0], [0, 1]],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The small files of the examples."""
    make_files(tmp_path)
    return tmp_path


def make_files(tmp_path: Path) -> None:
    for name, (weights, biases) in NETWORKS.items():
        save(Network.from_arrays(weights, biases), tmp_path / f"{name}.json")
    for name, rows in MATRICES.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(rows))
    quadrant = [{"normal": [1, 0], "offset": 0}, {"normal": [0, 1], "offset": 0}]
    polyhedron = {"format": "exactrelu-polyhedron/1", "inequalities": quadrant}
    shutil.copy(ACCEPTED, tmp_path / "value.cert.jsonl")
    (tmp_path / "points.json").write_text("[[1, 2], [0, 0], [2, 3]]")
    above = (CASES / "xor" / "query.vnnlib").read_text().replace("(>= Y_0 1)", "(> Y_0 1)")
    (tmp_path / "above.vnnlib").write_text(above)
    (tmp_path / "exact.txt").write_text("sat ((X_0 0.3) (X_1 -0.3))")
    (tmp_path / "quadrant.json").write_text(json.dumps(polyhedron))


def at(value: Any, path: str) -> Any:
    """The value of ``a.b``, for a list a that of each entry; None where a is None."""
    for k, name in enumerate(path.split(".")):
        if isinstance(value, list):
            return [at(entry, ".".join(path.split(".")[k:])) for entry in value]
        if value is None:
            return None
        value = value[name]
    return value


def encoded(value: Any) -> Any:
    """Networks as certificates write them."""
    if isinstance(value, list):
        return [encoded(entry) for entry in value]
    if isinstance(value, dict):
        if value.get("format") == "exactrelu-network/1":
            return network_from_object(value).canonical_form()
        return {key: encoded(entry) for key, entry in value.items()}
    return value


def accepted_sentence(path: Path | str) -> str:
    """What the checker says of a file, which it must accept."""
    (outcome,) = json.loads(printed("--json", str(path)))["results"]
    assert outcome["verdict"] == "ACCEPTED", outcome
    return str(outcome["claim"])


def arguments(example: Example, folder: Path) -> list[str]:
    proof = f" --certificate {folder}/proof.cert.jsonl" if example.writes else ""
    return shlex.split(example.line.format(**places(folder)) + proof)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.line)
def test_what_is_certified(run, folder: Path, example: Example) -> None:
    given = arguments(example, folder)
    result = run(*given, "--json")
    assert result.code == example.code, result.err
    answer = json.loads(result.out)
    names = answer["certified"]
    assert len(set(names)) == len(names) == example.n_certified, names
    assert_described(example, answer)
    (command,) = (c for c in COMMANDS if c.name == given[0])
    if example.writes:
        file = File(folder / "proof.cert.jsonl")
        for name in names:
            assert reading(command, file, name)(file) == encoded(at(answer, name)), name
        assert accepted_sentence(folder / "proof.cert.jsonl")
        again = json.loads(run(*given[:-2], "--json").out)
        assert again["certificate"] is None
        # A file proves one of two bounds, and there are two files.
        is_bound = example.line.startswith(("sigma", "stability"))
        assert set(again["certified"]) >= set(names) if is_bound else again["certified"] == names


def assert_described(example: Example, answer: dict[str, Any]) -> None:
    """The page of the command has a word on each part; a full answer has all that are declared."""
    from tests.test_command_pages import described, listed, text_of

    (command,) = (c for c in COMMANDS if c.name == example.line.split()[0])
    found = answer.keys() - COMMON
    assert found <= {*described(text_of(command)), *command.fields, *listed(command)}
    if example.code == UNDECIDED:
        assert set(command.fields) <= found


def test_every_command_has_an_example() -> None:
    assert {command.name for command in COMMANDS} == {e.line.split()[0] for e in EXAMPLES}
    for command in COMMANDS:
        parser = argparse.ArgumentParser()
        command.add_arguments(parser)
        can_write = "--certificate" in parser._option_string_actions
        written = [e for e in EXAMPLES if e.writes and e.line.split()[0] == command.name]
        assert bool(written) == can_write, command.name


def test_a_changed_claim_does_not_say_a_part(run, folder: Path) -> None:
    """Of each part that is a field of the claim."""
    path, n_changed = folder / "proof.cert.jsonl", 0
    for example in EXAMPLES:
        if example.writes and example.line.split()[0] in CHANGED:
            given = arguments(example, folder)
            (command,) = (c for c in COMMANDS if c.name == given[0])
            answer = json.loads(run(*given, "--json").out)
            for name in answer["certified"]:
                file, part = File(path), next((p for p in command.parts if p.name == name), None)
                field = "" if part is None else part.claim or name
                if field in file.claim and name not in READINGS.get(command.name, {}):
                    file.claim[field] = {"another": "value"}
                    assert reading(command, file, name)(file) != encoded(answer[name]), name
                    n_changed += 1
    assert n_changed > 10


def test_every_reading_is_of_a_command() -> None:
    assert {place.split()[0] for place in READINGS} <= {command.name for command in COMMANDS}


def test_sentences_of_the_checker(run, folder: Path) -> None:
    path = folder / "value.cert.jsonl"
    answer = json.loads(run("check", path, "--json").out)
    assert at(answer, "results.claim") == [accepted_sentence(path)]
    changed = folder / "changed.cert.jsonl"
    changed.write_text(path.read_text().replace('"kind":"value"', '"kind":"rank"'))
    assert json.loads(run("check", path, changed, "--json").out)["certified"] == []


def test_sentences_of_certify(run, folder: Path) -> None:
    given = ("certify", folder / "doubled.json", "-o", folder / "all", "--json")
    answer = json.loads(run(*given).out)
    assert answer["certified"] == ["summary.claim"]
    certified = [entry for entry in answer["summary"] if entry["certificate"] is not None]
    assert [entry["claim"] for entry in certified] == [
        accepted_sentence(entry["certificate"]) for entry in certified
    ]
    assert json.loads(run(*given, "--together").out)["certified"] == []


def test_without_a_certificate_nothing_is_certified(run, folder: Path) -> None:
    layer = (places(folder)["biased"] + "/tight.json", "--layer", 1, "--shortcuts")
    result = run("injective", *layer, "--json", "--certificate", folder / "no.cert.jsonl")
    assert json.loads(result.out)["certified"] == []
    assert result.err == "no certificate is written: there is none for this answer\n"
    assert not (folder / "no.cert.jsonl").exists()
    decided, stopped = Verdict(True, "by hand"), Verdict(None, "stopped")
    assert (decided.certified, decided.computed) == ((), ("the answer",))
    assert (stopped.certified, stopped.computed) == ((), ())
