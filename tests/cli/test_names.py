"""Names that are typed: a wrong one is answered with what was meant, and shells complete them."""

import subprocess

import pytest

import exactrelu as er
from exactrelu.cli.main import COMMANDS
from exactrelu.cli.names import FUNCTIONS, SHELLS, WORDS
from exactrelu.public.names import OLD

XOR = "cases/xor/network.json"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("region", "regions"),
        ("Regions", "regions"),
        ("equivalant", "equivalent"),
        ("diff", "difference"),
        ("theorem_class", "theorem-class"),
        ("is_identifiable", "identifiable"),
    ],
)
def test_a_misspelt_command_gets_a_hint(run, typed: str, meant: str) -> None:
    found = run(typed, XOR)
    line = f"exactrelu: error: no command {typed!r}; did you mean {meant}? (see --help)\n"
    assert (found.code, found.out, found.err) == (2, "", line)


def test_a_command_that_is_like_no_other_gets_no_hint(run) -> None:
    found = run("translate", "prop_1.vnnlib", "--network", "A.onnx")
    assert (found.code, found.err) == (2, "exactrelu: error: no command 'translate' (see --help)\n")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["--domian", "R"], "--domain"),
        (["--domian=R"], "--domain"),
        (["-domain", "R"], "--domain"),
        (["--max_regions", "3"], "--max-regions"),
        (["--Json"], "--json"),
    ],
)
def test_a_misspelt_option_gets_a_hint(run, typed: list[str], meant: str) -> None:
    found = run("regions", XOR, *typed)
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert f"did you mean {meant}?" in found.err


def test_a_wrong_option_is_named_before_what_is_missing_because_of_it(run) -> None:
    """An abbreviation is none, nor are a value and a file that look like options."""
    assert "no option --att; did you mean --at?" in run("eval", XOR, "--att", "1,2").err
    assert run("regions", XOR, "--dom", "box:0,1").code == 0
    assert "h: no such file" in run("info", "h").err


def test_a_misspelt_choice_gets_a_hint(run) -> None:
    found = run("injective", XOR, "--method", "tre")
    assert "found 'tre', expected auto, flats, tree; did you mean tree?" in found.err


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ([], "no command; for example: exactrelu regions example:moons (see --help)"),
        (["examples"], "no command 'examples'; did you mean info example:? (see --help)"),
        (["compare", XOR, XOR], "no command 'compare'; did you mean equivalent? (see --help)"),
        (
            ["--json", "regions", XOR],
            "--json comes after the command: exactrelu COMMAND … --json (see --help)",
        ),
        (
            ["--timeout=5", "regions", XOR],
            "--timeout comes after the command: exactrelu COMMAND … --timeout (see --help)",
        ),
    ],
)
def test_what_is_no_command(run, typed: list[str], line: str) -> None:
    found = run(*typed)
    assert (found.code, found.out, found.err) == (2, "", f"exactrelu: error: {line}\n")


def test_words_of_other_programs(run) -> None:
    assert run("help") == run("--help")
    assert run("help", "regions") == run("regions", "--help")
    assert run("help", "regions").code == 0
    assert run("version") == run("--version")
    assert "did you mean regions?" in run("help", "region").err


def test_every_word_leads_to_a_command() -> None:
    names = {command.name for command in COMMANDS}
    assert {meant.split()[0] for meant in WORDS.values()} <= names
    assert not names & WORDS.keys()


@pytest.mark.parametrize(
    ("option", "found"),
    [
        (["--timeout", "10s"], "--timeout: found '10s', expected a positive number"),
        (["--timeout", "0"], "--timeout: found '0', expected a positive number"),
        (["--timeout", "nan"], "--timeout: found 'nan', expected a positive number"),
        (["--max-regions", "many"], "--max-regions: found 'many', expected a positive integer"),
        (["--max-regions", "-1"], "--max-regions: found '-1', expected a positive integer"),
    ],
)
def test_what_is_no_number(run, option: list[str], found: str) -> None:
    result = run("regions", XOR, *option)
    line = f"exactrelu regions: error: argument {found} (see --help)\n"
    assert (result.code, result.err) == (2, line)


def test_what_is_no_layer(run) -> None:
    found = run("injective", XOR, "--layer", "first")
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert "argument --layer: found 'first', expected an integer" in found.err


@pytest.mark.parametrize("typed", ["s003-lemma-1", "S003-lemma1", "S003-Lemma-1"])
def test_a_misspelt_statement(run, typed: str) -> None:
    found = run("refute", typed)
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert "not known; did you mean S003-lemma-1? `exactrelu lemmas` lists them" in found.err
    assert "did you mean" not in run("refute", "nothing").err


def test_a_function_of_python_gets_its_command_as_a_hint(run) -> None:
    assert FUNCTIONS.keys() <= {*er.__dir__(), *OLD, "shortcuts"}
    names = {command.name for command in COMMANDS}
    assert set(FUNCTIONS.values()) <= names
    for function, command in FUNCTIONS.items():
        assert f"did you mean {command}?" in run(f"er.{function}").err


def test_completion_in_bash(run) -> None:
    script = run("--completion", "bash").out
    words = 'COMP_WORDS=(exactrelu "$@"); COMP_CWORD=$#'
    asked = f"{script}\n{words}; _exactrelu; echo ${{COMPREPLY[*]}}"

    def completed(*words: str) -> str:
        program = ["bash", "-c", asked, "bash", *words]
        return subprocess.run(program, capture_output=True, text=True, check=True).stdout.strip()

    assert completed("inj") == "injective injective-table"
    assert completed("regions", "--max-r") == "--max-regions"
    assert completed("regions", "net") == ""


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_knows_every_command_and_option(run, shell: str) -> None:
    found = run("--completion", shell)
    assert (found.code, found.err) == (0, "")
    for command in COMMANDS:
        assert command.name in found.out
        for name in (name for argument in command.arguments for name in argument.names):
            assert not name.startswith("--") or name.removeprefix("--") in found.out
