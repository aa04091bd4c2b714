"""Questions in pieces, from the shell."""

import json
import shlex
import shutil

import pytest
from exactrelu_checker.main import main as check

MOONS = "example:moons"


def test_regions_in_pieces_are_checked_with_a_ledger(run, tmp_path) -> None:
    folder = tmp_path / "out"
    result = run("regions", MOONS, "--domain", "box:-2..3,-2..2", "--shards", folder, "--piece", 30)
    assert result.code == 0
    assert result.out.startswith("91 activation regions on box:-2..3,-2..2, proved on each of")
    assert f"certificate: {folder}/whole.cert.jsonl.gz" in result.out
    files = sorted(folder.glob("*.cert.jsonl.gz"))
    checked = run("check", "--ledger", tmp_path / "ledger", *files)
    assert checked.code == 0
    lines = checked.out.splitlines()
    assert len(lines) == len(files)
    assert "has exactly 91 activation regions" in lines[-1]
    assert "trusts the ledger (shards: " in lines[-1]


def test_many_checkers_share_a_ledger(run, tmp_path) -> None:
    """The manifest is read while its pieces are, and once more when they are known."""
    folder = tmp_path / "out"
    run("regions", MOONS, "--shards", folder, "--piece", 30)
    files = [folder / "whole.cert.jsonl.gz", *sorted(folder.glob("piece-*"))]
    one = run("check", "--ledger", tmp_path / "one", *files[1:], files[0], "--json")
    two = run("check", "--ledger", tmp_path / "two", "--jobs", 2, *files[1:], files[0], "--json")
    assert (one.code, two.code) == (0, 0)
    assert json.loads(one.out)["results"] == json.loads(two.out)["results"]
    lines = {line.split()[0] for line in (tmp_path / "one").read_text().splitlines()}
    assert lines == {line.split()[0] for line in (tmp_path / "two").read_text().splitlines()}
    files[1].unlink()
    again = run("check", "--ledger", tmp_path / "three", "--jobs", 2, *files[2:], files[0])
    assert again.code == 4
    assert "shard-missing" in again.out


@pytest.mark.parametrize("program", ["check", "exactrelu-check"])
def test_what_is_printed_is_a_call_that_works(run, tmp_path, capsys, program: str) -> None:
    folder = tmp_path / "my pieces"
    for question in (["regions", MOONS], ["complex", MOONS], ["equivalent", MOONS, MOONS]):
        made = run(*question, "--shards", folder, "--piece", 30)
        said, call = made.out.splitlines()[-1].split(", with its pieces: ")
        assert said == f"certificate: {folder}/whole.cert.jsonl.gz"
        name, *arguments = shlex.split(call)
        assert (name, arguments) == ("exactrelu-check", [str(folder)])
        if program == "check":
            checked = run("check", *arguments)
            code, out = checked.code, checked.out
        else:
            capsys.readouterr()
            code, out = check(arguments), capsys.readouterr().out
        assert (code, out.count("\n")) == (0, 1)
        assert out.startswith("ACCEPTED ")
        n_pieces = len(list(folder.glob("piece*")))
        assert f"[by shards; trusts NOTHING (all {n_pieces} checked here); unpinned]" in out
        shutil.rmtree(folder)


def test_json_has_the_certificate_and_the_pieces(run, tmp_path) -> None:
    folder = tmp_path / "out"
    answer = json.loads(run("regions", MOONS, "--shards", folder, "--piece", 50, "--json").out)
    assert (answer["n_regions"], answer["n_linear_regions"]) == (129, None)
    assert answer["certificate"] == str(folder / "whole.cert.jsonl.gz")
    assert answer["certified"] == ["n_regions", "n_regions_at_least"]
    assert answer["n_pieces"] == len(list(folder.glob("piece-*")))
    again = run("regions", MOONS, "--shards", folder, "--piece", 50, "--resume", "--json")
    assert json.loads(again.out) == answer


def test_faces_equality_and_transparency(run, tmp_path) -> None:
    xor, square = "example:xor", "cases/phuong-lampert/S001-P1-transparent/N.json"
    result = run("complex", xor, "--shards", tmp_path / "a", "--piece", 2)
    assert result.out.startswith("f-vector (0, 2, 3), proved on ")
    result = run("equivalent", xor, xor, "--shards", tmp_path / "b")
    assert result.out.startswith("equivalent: yes, proved on")
    result = run("equivalent", xor, "example:moons", "--shards", tmp_path / "c")
    assert (result.code, result.out.split(",")[0]) == (1, "equivalent: no")
    assert (tmp_path / "c" / "whole.cert.jsonl.gz").exists()
    result = run("transparent", square, "--domain", "box:-1..1", "--shards", tmp_path / "d")
    assert (result.code, result.out.split(",")[0]) == (0, "transparent on box:-1..1: yes")


@pytest.mark.parametrize(("bound", "word", "code"), [(5, "unsat", 0), (2, "sat", 1)])
def test_queries_in_pieces_are_told_in_the_words_of_the_standard(
    run, tmp_path, bound: int, word: str, code: int
) -> None:
    query = tmp_path / "query.vnnlib"
    query.write_text(
        "(declare-const X_0 Real) (declare-const X_1 Real) (declare-const Y_0 Real)\n"
        "(assert (>= X_0 -1)) (assert (<= X_0 1)) (assert (>= X_1 -1)) (assert (<= X_1 1))\n"
        f"(assert (>= Y_0 {bound}))\n"
    )
    net = tmp_path / "net.json"
    net.write_text(
        '{"format":"exactrelu-network/1","layers":[{"weights":[["1","1"],["1","-1"]],'
        '"bias":["0","0"]},{"weights":[["1","1"]],"bias":["0"]}]}'
    )
    result = run("verify", query, "--network", net, "--shards", tmp_path / "out")
    assert (result.out.split("\n")[0], result.code) == (word, code)
    assert "certificate: " in result.err
    checked = run("check", "--ledger", tmp_path / "l", *sorted((tmp_path / "out").glob("*.gz")))
    assert checked.code == 0


def test_over_a_bound_it_says_how_to_go_on(run, tmp_path) -> None:
    arguments = (
        "regions",
        MOONS,
        "--shards",
        tmp_path / "out",
        "--piece",
        20,
        "--timeout",
        "0.0001",
    )
    result = run(*arguments)
    assert result.code == 3
    assert "--resume goes on" in result.out


def test_a_bound_on_regions_is_one_on_those_of_all_pieces(run, tmp_path) -> None:
    arguments = ("regions", MOONS, "--shards", tmp_path / "out", "--piece", 20)
    result = run(*arguments, "--max-regions", 30)
    assert result.code == 3
    assert "stopped at 30 regions: " in result.out
    again = run(*arguments, "--max-regions", 30, "--resume")
    assert (again.code, "stopped at 30 regions: " in again.out) == (3, True)
    assert run(*arguments, "--max-regions", 129, "--resume").code == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--resume"], "--resume: only with --shards"),
        (["--piece", "5"], "--piece: only with --shards"),
        (["--shards", "OUT", "--certificate", "c"], "with --shards the certificates are in"),
        (["--shards", "OUT", "--piece", "0"], "--piece"),
        (["--shards", "OUT", "--list"], "--list: found --shards too"),
        (["--shards", "OUT", "--stream"], "--stream: found --shards too"),
    ],
)
def test_options_that_do_not_fit_are_refused(run, tmp_path, options, words: str) -> None:
    given = [str(tmp_path / "out") if option == "OUT" else option for option in options]
    result = run("regions", MOONS, *given)
    assert (result.code, result.out) == (2, "")
    assert words in result.err
    assert result.err.count("\n") <= 3
    assert not (tmp_path / "out").exists()


def test_a_folder_with_other_things_is_refused(run, tmp_path) -> None:
    result = run("regions", MOONS, "--shards", tmp_path)
    assert result.code in (0, 2)
    (tmp_path / "mine.txt").write_text("mine")
    result = run("regions", "example:xor", "--shards", tmp_path, "--resume")
    assert result.code == 2
    assert result.err.count("\n") == 1
