"""What newcomers typed: one test for each stumble, named after its row in the list of them."""

import ast
import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import exactrelu as er
from exactrelu.cli.main import COMMANDS
from exactrelu.network.formats.load import EXAMPLES

XOR = "cases/xor/network.json"
PROOFS = Path(__file__).parents[2] / "proofs"


def checker(*arguments: object) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, str(PROOFS / "exactrelu_checker"), *map(str, arguments)]
    return subprocess.run(program, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("box:-1..1,-2..2", "box:-1,1;-2,2"),
        ("box:-1..1", "box:-1,1"),
        ("box:-1/2..0.25,1e-1..2", "box:-1/2,0.25;1e-1,2"),
        ("box:.5..1.,-2..2", "box:.5,1.;-2,2"),
    ],
)
def test_a_box_is_written_without_what_a_shell_cuts(
    run, tmp_path: Path, new: str, old: str
) -> None:
    proof = tmp_path / "regions.cert.jsonl"
    found = run("regions", XOR, "--domain", new, "--json", "--certificate", proof)
    same = json.loads(run("regions", XOR, "--domain", old, "--json").out)
    assert found.code == 0
    assert json.loads(found.out)["n_regions"] == same["n_regions"]
    for spelling in (new, old):
        assert checker("--domain", spelling, proof).returncode == 0
    assert checker("--domain", "box:-1..1,-2..3", proof).returncode == 1
    shell = subprocess.run(["sh", "-c", f"echo {new}"], capture_output=True, text=True, check=True)
    assert shell.stdout == f"{new}\n"


@pytest.mark.parametrize(
    "text", ["box:0...5", "box:0..1..2", "box:0..1;0..1", "box:0..1,", "box:..1", "box:1..0"]
)
def test_a_box_that_is_none_is_refused(run, text: str) -> None:
    found = run("regions", XOR, "--domain", text)
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert checker("--domain", text, "none.cert.jsonl").returncode == 2


@pytest.mark.parametrize(
    "point", [["1,2"], ["1", "2"], ["1, 2"], ["(1,2)"], ["( 1 , 2 )"], ["[1 2]"], ["(1,", "2)"]]
)
def test_points_are_read_as_people_write_them(run, point: list[str]) -> None:
    expected = run("eval", XOR, "--at", "1,2")
    assert run("eval", XOR, "--at", *point) == expected
    assert run("eval", "--at", *point, XOR) == expected
    assert expected.code == 0


def test_negative_numbers_with_spaces_are_a_point(run) -> None:
    found = run("eval", XOR, "--at", "-1", "-1/2", "--at", "-1,-1/2")
    assert found.out.count("f(-1, -1/2)") == 2


@pytest.mark.parametrize("point", ["1,,2", "(1,2", "1;2", "", "()", "((1,2))"])
def test_points_that_are_none_are_refused(run, point: str) -> None:
    found = run("eval", XOR, "--at", point)
    assert (found.code, found.err.count("\n")) == (2, 1)


@pytest.mark.parametrize("box", ["Box:-1,1", "box: -1, 1", "BOX: -1 .. 1", "box:(-1,1);(-1,1)"])
def test_boxes_are_read_as_people_write_them(run, box: str) -> None:
    expected = json.loads(run("regions", XOR, "--domain", "box:-1,1", "--json").out)
    found = json.loads(run("regions", XOR, "--domain", box, "--json").out)
    assert found["n_regions"] == expected["n_regions"] == 3


def test_a_word_and_a_colon_are_no_file(run) -> None:
    for arguments in (["regions"], ["folds"]):
        found = run(*arguments, XOR, "--domain", "bix:-1,1")
        assert (found.code, found.err.count("\n")) == (2, 1)
        assert "found 'bix', expected R, orthant, box:a..b" in found.err
        assert "no such file" not in found.err


@pytest.mark.parametrize("domain", ["0,1", "[0,1]", "R^2", "all"])
@pytest.mark.parametrize("command", ["regions", "folds"])
def test_what_is_no_domain_and_no_file_is_said_to_be_neither(
    run, command: str, domain: str
) -> None:
    """``folds`` takes unions of boxes too."""
    found = run(command, XOR, "--domain", domain)
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert f"{domain}: no such file, and none of R, orthant, box:a..b" in found.err


@pytest.mark.parametrize("words", [["polyhedron", "box:0,1"], ["rank", "example:xor"]])
def test_a_word_and_a_colon_are_refused_where_only_a_file_will_do(run, words: list[str]) -> None:
    found = run(*words)
    kind = words[1].partition(":")[0]
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert f"{words[1]}: found {kind!r}, expected the name of a file" in found.err


def test_an_example_without_its_prefix(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = run("info", "moons")
    line = "exactrelu info: error: moons: no such file; did you mean example:moons?\n"
    assert (found.code, found.err) == (2, line)
    (tmp_path / "moons").write_text("mine")
    assert "found no suffix" in run("info", "moons").err


def test_a_sentence_has_its_domain(run, tmp_path: Path) -> None:
    """What was proved on one box is no proof on another, whichever way it is pinned."""
    small, large = (tmp_path / f"{name}.cert.jsonl" for name in ("small", "large"))
    for proof, box in ((small, "box:-1,1"), (large, "box:-9,9")):
        assert run("regions", XOR, "--domain", box, "--certificate", proof).code == 0
        assert checker("--network", XOR, "--domain", box, proof).returncode == 0
    assert checker("--network", XOR, "--domain", "box:-9,9", small).returncode == 1
    assert checker("--network", XOR, "--domain", "box:-1,1", large).returncode == 1
    assert checker("--network", XOR, "--domain", "R", small, large).returncode == 1
    (told,) = json.loads(checker("--json", small).stdout)["results"]
    assert "box [-1,1] x [-1,1]" in told["claim"]
    assert checker("--expect", told["claim"], small).returncode == 0
    assert checker("--expect", told["claim"], large).returncode == 1


def test_both_programs_say_their_version(run) -> None:
    found = checker("--version")
    assert (found.returncode, found.stdout) == (0, f"exactrelu-check {er.__version__}\n")
    assert run("--version").out == f"{er.__version__}\n"
    assert run("--name").out == "exactrelu\n"


#: Where the examples come from.
CASES = {
    "xor": "xor/network.json",
    "moons": "networks/trained-2-8-8-1/network.json",
    "spike": "equal/spike-2-60/spike.json",
    "zero": "equal/spike-2-60/zero.json",
    "transparent": "phuong-lampert/S001-P1-transparent/N.json",
    "identifiable": "three-layers/S002-P16-ident-ppm/N.json",
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_come_with_the_package(name: str) -> None:
    network = er.load(f"example:{name}")
    assert network.name == name
    assert network.layers == er.load(f"cases/{CASES[name]}").layers


#: Commands about something of one's own, whose example names a file.
OWN = {
    *("arrangement", "check", "cone", "conjecture", "convolution", "local", "nnrank", "pin"),
    *("polyhedron", "rank", "sigma", "spark", "judge", "real-query", "verify"),
}
#: Commands whose example asks much.
SLOW = ("certify", "injective-table", "lemmas", "report")


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(c, marks=[pytest.mark.sweep] if c.name in SLOW else [], id=c.name)
        for c in COMMANDS
        if c.name not in OWN
    ],
)
def test_the_example_of_help_works_anywhere(run, tmp_path: Path, monkeypatch, command) -> None:
    monkeypatch.chdir(tmp_path)
    program, *words = shlex.split(command.example)
    found = run(*words)
    assert program == "exactrelu"
    assert found.code in (0, 1), found.err
    assert found.out


def test_examples_are_what_they_are_said_to_be(run) -> None:
    assert run("regions", "example:xor").out.startswith("3 activation regions")
    assert run("regions", "example:moons").out.startswith("129 activation regions")
    assert run("equivalent", "example:spike", "example:zero").code == 1
    assert run("equivalent", "example:spike", "example:zero", "--domain", "box:-9..0").code == 0
    assert run("transparent", "example:transparent", "--domain", "box:-1..1").code == 0
    assert run("identifiable", "example:identifiable").code == 0


def test_info_lists_the_examples(run) -> None:
    found = run("info", "example:")
    assert (found.code, found.out.count("\n")) == (0, len(EXAMPLES))
    listed = json.loads(run("info", "example:", "--json").out)["examples"]
    assert listed == [f"example:{name}" for name in EXAMPLES]
    assert all(run("info", name).code == 0 for name in listed)


def test_an_example_wherever_a_network_is_taken(run, tmp_path: Path) -> None:
    assert run("convert", "example:moons", tmp_path / "moons.json").code == 0
    proof = tmp_path / "regions.cert.jsonl"
    assert run("regions", "example:xor", "--certificate", proof).code == 0
    assert run("check", "--network", "example:xor", proof).code == 0
    assert run("check", "--network", "example:moons", proof).code == 1
    assert run("certify", "example:zero", "-o", tmp_path / "out", "--seconds-each", "1").code == 0
    assert list((tmp_path / "out").glob("examples-zero*.cert.jsonl*"))


@pytest.mark.parametrize("name", ["example:moon", "exmple:moons", "box:0,1"])
def test_a_word_and_a_colon_are_no_network_file(run, name: str) -> None:
    found = run("info", name)
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert f"{name}: no example, expected a network file or example:xor, " in found.err


#: What is wrong in a conjecture, and its line: the line that failed, or where the function begins.
MISTAKES = {
    "in the hypotheses": ("def hypotheses(N):\n    yield N.width == 1\n", "", 2),
    "in the conclusion": ("", "def conclusion(N):\n    x = 1\n    return 1 / (x - 1) > 0\n", 4),
    "in a function of exactrelu": ("", "def conclusion(N):\n    return N([1, 2, 3]) == 0\n", 3),
    "that leaves": ("", "def conclusion(N):\n    raise SystemExit(1)\n", 3),
    "that yields nothing": ("def hypotheses(N):\n    return 3\n", "", 1),
}


@pytest.mark.parametrize(("first", "second", "line"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_a_conjecture_is_told_with_its_instance(
    run, tmp_path: Path, first: str, second: str, line: int
) -> None:
    """Two lines: where and how; and the instance, whose network can be saved as it stands."""
    mine = tmp_path / "mine.py"
    given = first or "def hypotheses(N): return True\n"
    mine.write_text(given + (second or "def conclusion(N): return True\n"))
    found = run("conjecture", mine, "--seconds", "5")
    assert (found.code, found.out) == (2, "")
    where, about = found.err.splitlines()
    assert where.startswith(f"exactrelu conjecture: error: {mine}:{line}: ")
    name, _, network = about.partition(" = ")
    assert name == "  on the instance N"
    (tmp_path / "N.json").write_text(network)
    assert run("info", tmp_path / "N.json").code == 0


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("1 / 0\n", 1),
        ("x = 1\ndef (\n", 2),
        ("raise SystemExit(0)\n", 1),
        (
            "def hypotheses(N): return False\ndef conclusion(N): return True\n"
            "WIDTHS = [(1, 1)]\ndef random_instance(rng):\n    return ()\n",
            4,
        ),
    ],
)
def test_a_mistake_before_there_is_an_instance_is_one_line(
    run, tmp_path: Path, text: str, line: int
) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(text)
    found = run("conjecture", mine, "--seconds", "5")
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert f"{mine}:{line}: " in found.err


def test_a_conjecture_that_fails_for_smaller_networks_is_still_refuted(run, tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "WIDTHS = [(2, 1)]\n"
        "def hypotheses(N): return True\n"
        "def conclusion(N): return not (N.layers[0].weights[0, 1] == 1)\n"
    )
    found = run("conjecture", mine, "--seconds", "5")
    assert (found.code, found.err) == (0, "")
    assert "FAILS" in found.out


def test_an_error_of_the_program_itself_is_one_line(run, monkeypatch) -> None:
    monkeypatch.setattr("exactrelu.network.roles.neuron_roles", lambda network: 1 / 0)
    found = run("info", "example:xor")
    assert (found.code, found.out, found.err.count("\n")) == (70, "", 1)
    assert "EXACTRELU_TRACEBACK=1 shows the traceback" in found.err
    assert "networks: example:xor sha256" in found.err
    monkeypatch.setenv("EXACTRELU_TRACEBACK", "1")
    again = run("info", "example:xor")
    assert again.code == 70
    assert again.err.startswith("Traceback")
    assert again.err.endswith(found.err)


TORCH = Path(__file__).parents[1] / "network" / "formats" / "data" / "torch"
ASSUMED = "ReLU, assumed: a state_dict does not say"


def test_a_state_dict_does_not_say_its_activation(run, tmp_path: Path) -> None:
    file = TORCH / "mlp_state_dict.pt"
    assert f"activation  {ASSUMED}\n" in run("info", file).out
    assert json.loads(run("info", file, "--json").out)["activation"] == ASSUMED
    assert ASSUMED in repr(er.load(file))
    assert f"activation {ASSUMED}\n" in run("convert", file, tmp_path / "mlp.json").out


def test_where_the_activations_are_known_nothing_is_assumed(run) -> None:
    """A file with the activations, and a state dict of one layer, which has none."""
    file = TORCH / "mlp_sequential.pt"
    assert "activation" not in run("info", file).out
    assert json.loads(run("info", file, "--json").out)["activation"] == "ReLU"
    assert er.from_torch({"weight": np.array([[1.0, 2.0]])}).activation == "ReLU"


def test_a_checkpoint_with_one_state_dict_is_read(run) -> None:
    file = TORCH / "checkpoint.pt"
    found = run("info", file)
    assert f"activation  {ASSUMED} (entry 'state_dict' of a checkpoint)\n" in found.out
    assert er.load(file) == er.load(TORCH / "mlp_state_dict.pt")


def test_which_entry_is_meant_is_not_guessed() -> None:
    own = {"0.weight": np.array([[1.0]]), "2.weight": np.array([[2.0]])}
    optimiser = {"state": {0: {"step": np.array(1.0)}}, "param_groups": []}
    found = er.from_torch({"model": own, "optimizer": optimiser, "epoch": 3, "loss": 0.5})
    assert found.widths == (1, 1, 1)
    with pytest.raises(er.InputError, match="'model', 'ema' are state_dicts"):
        er.from_torch({"model": own, "ema": own})
    with pytest.raises(er.InputError, match="entry 'epoch': found a value of type int"):
        er.from_torch({"epoch": 3})
    with pytest.raises(er.InputError, match="entry 'rest': found a value of type dict"):
        er.from_torch({"4.weight": np.array([[1.0]]), "rest": own})


#: A Python of this version, or this one that says it is.
OLD = """\
import sys
text = open(sys.argv[1] + "/__main__.py", encoding="utf-8").read()
sys.version_info = (3, 10, 13, "final", 0)
sys.meta_path.clear()  # whatever is imported from here on fails
exec(compile(text, "__main__.py", "exec"))
"""


def test_the_checker_tells_an_old_python_what_it_needs() -> None:
    """Said before any import, in words that every Python 3 reads."""
    program = PROOFS / "exactrelu_checker"
    ast.parse((program / "__main__.py").read_text(), feature_version=(3, 4))
    ways = [[sys.executable, "-c", OLD, str(program)]]
    ways += [[path, str(program)] for n in (8, 9, 10) if (path := shutil.which(f"python3.{n}"))]
    for way in ways:
        found = subprocess.run([*way, "--version"], capture_output=True, text=True, check=False)
        if "command not found" in found.stderr:
            # The name of a version that is not installed here.
            continue
        assert (found.returncode, found.stdout) == (2, "")
        assert found.stderr == "exactrelu-check: needs Python 3.11 or newer\n"
