"""Commands about matrices, cones and polyhedra."""

import json

import pytest

import exactrelu as er
from exactrelu.questions.arrangement import ArrangementCells

FOLDER = "cases/three-layers/S002-P10-nonneg-column-rank"
TRIANGLE = f"{FOLDER}/triangle.matrix.json"


def ask(run, tmp_path, *arguments: str, code: int = 0):
    """The JSON answer, after its certificate has been accepted by the checker."""
    path = tmp_path / "answer.cert.jsonl"
    result = run(*arguments, "--certificate", path, "--json")
    assert result.code == code
    assert run("check", path).code == 0
    answer = json.loads(result.out)
    assert answer["certificate"] == str(path)
    assert run(*arguments).out != ""
    return answer


def test_rank(run, tmp_path) -> None:
    answer = ask(run, tmp_path, "rank", TRIANGLE)
    assert (answer["rank"], answer["kernel"]) == (2, [["1", "1", "1"]])


@pytest.mark.parametrize(
    ("name", "rank", "rank_plus"), [("triangle", 2, 3), ("wedge", 2, 2), ("zero", 0, 0)]
)
def test_nnrank(run, tmp_path, name: str, rank: int, rank_plus: int) -> None:
    answer = ask(run, tmp_path, "nnrank", f"{FOLDER}/{name}.matrix.json")
    assert (answer["rank"], answer["nonnegative_column_rank"]) == (rank, rank_plus)
    assert set(answer["factors"]) == {"left", "right"}
    assert (answer["dependency"] is None) == (rank == rank_plus)


def test_sigma(run, tmp_path) -> None:
    answer = ask(run, tmp_path, "sigma", f"{FOLDER}/full_col.matrix.json")
    assert answer["lower"] != answer["upper"]
    ask(run, tmp_path, "sigma", TRIANGLE, "--bound", "upper")
    refused = run("sigma", TRIANGLE, "--certificate", tmp_path / "x")
    assert (refused.code, refused.err.count("\n")) == (2, 1)


def test_arrangement(run, tmp_path) -> None:
    """Three lines through a point; four in general position; a plane, and a bad row."""
    pencil, lines, bad = (tmp_path / f"{name}.matrix.json" for name in ("pencil", "lines", "bad"))
    pencil.write_text('[["1", "0", "0"], ["0", "1", "0"], ["1", "1", "0"]]')
    answer = ask(run, tmp_path, "arrangement", str(pencil))
    assert (answer["n_cells"], answer["characteristic_polynomial"]) == (6, [2, -3, 1])
    assert (answer["general_position"], answer["dependent_hyperplanes"]) == (False, [1, 2, 3])
    assert "not in general position: see hyperplanes 1, 2, 3" in run("arrangement", pencil).out
    lines.write_text('[["1", "0", "0"], ["0", "1", "0"], ["1", "1", "1"], ["1", "-1", "1/2"]]')
    answer = ask(run, tmp_path, "arrangement", str(lines))
    assert (answer["n_cells"], answer["characteristic_polynomial"]) == (11, [6, -4, 1])
    assert (answer["general_position"], answer["dependent_hyperplanes"]) == (True, [])
    bad.write_text('[["1"], ["2"]]')
    late = run("arrangement", lines, "--timeout", "1e-9", "--json")
    assert (late.code, json.loads(late.out)["verdict"]) == (3, "undecided")
    refused = run("arrangement", bad)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "expected rows of a normal and an offset" in refused.err


def test_cells_that_were_not_all_found() -> None:
    """A part of the cells is no answer, whatever stopped the search."""
    lines = er.Arrangement.of(2, [([1, 0], 0), ([0, 1], 0), ([1, 1], 1)])
    network = er.Network.from_arrays([[[1, 0], [0, 1], [1, 1]], [[0, 0, 0]]], [[0, 0, -1], [0]])
    some, cells = (er.regions(network, max_regions=n) for n in (3, None))
    assert ArrangementCells(lines, cells).word_told is None
    stopped = ArrangementCells(lines, some)
    assert (stopped.answer, stopped.word_told, stopped.n_cells) == (None, "undecided", None)
    assert stopped.reason == some.reason != ""


def polyhedron_file(path, *rows: tuple[list[int], int]):
    """A file of the rows a·x + b >= 0."""
    inequalities = [{"normal": normal, "offset": offset} for normal, offset in rows]
    text = json.dumps({"format": "exactrelu-polyhedron/1", "inequalities": inequalities})
    path.write_text(text)
    return path


def test_generators_of_a_polyhedron(run, tmp_path) -> None:
    def described(*rows: tuple[list[int], int]):
        path = polyhedron_file(tmp_path / "one.json", *rows)
        return json.loads(run("polyhedron", path, "--describe", "--json").out)

    cone = described(([1, 0], -1), ([-1, 1], 0))
    assert (cone["dimension"], cone["f_vector"]) == (2, [1, 2, 1])
    assert (cone["vertices"], cone["lines"]) == ([["1", "1"]], [])
    assert sorted(cone["rays"]) == [["0", "1"], ["1", "1"]]
    strip = described(([1, 1], 0), ([-1, -1], 2))
    assert (strip["dimension"], strip["vertices"]) == (2, [])
    ((a, b),) = strip["lines"]
    assert int(a) == -int(b) != 0
    segment = described(([1, 0], 0), ([-1, 0], 0), ([0, 1], 0), ([0, -1], 3))
    assert (segment["dimension"], segment["f_vector"]) == (1, [2, 1])
    assert sorted(segment["vertices"]) == [["0", "0"], ["0", "3"]]
    assert (segment["rays"], segment["lines"]) == ([], [])


def test_maximum_on_a_polyhedron(run, tmp_path) -> None:
    square = "cases/polyhedra/unit-square/polyhedron.json"

    def maximum(path: object, objective: str):
        return json.loads(run("polyhedron", path, "--maximize", objective, "--json").out)

    found = maximum(square, "1,2")
    assert (found["maximum"], found["is_attained"], found["at"]) == ("3", True, ["1", "1"])
    assert found["multipliers"] == [[3, "1"], [4, "2"]]
    half = polyhedron_file(tmp_path / "half.json", ([1, 0], 0))
    free = maximum(half, "1,1")
    assert free["maximum"] == "unbounded"
    assert sum(map(int, free["ray"])) > 0
    assert maximum(half, "-3,0")["maximum"] == "0"
    empty = polyhedron_file(tmp_path / "empty.json", ([1, 0], -1), ([-1, 0], 0))
    assert maximum(empty, "1,0")["maximum"] is None
    refused = run("polyhedron", square, "--maximize", "1,2,3")
    assert (refused.code, refused.err.count("\n")) == (2, 1)


def test_polyhedron(run, tmp_path) -> None:
    square = "cases/polyhedra/unit-square/polyhedron.json"
    assert ask(run, tmp_path, "polyhedron", square)["verdict"] == "yes"
    assert ask(run, tmp_path, "polyhedron", square, "--bounded")["verdict"] == "yes"
    half = tmp_path / "half.json"
    half.write_text(
        '{"format": "exactrelu-polyhedron/1", "inequalities": [{"normal": [1, 0], "offset": 0}]}'
    )
    answer = ask(run, tmp_path, "polyhedron", str(half), "--bounded", code=1)
    assert answer["verdict"] == "no"
    assert answer["witness"] is not None
    empty = tmp_path / "empty.json"
    empty.write_text(
        '{"format": "exactrelu-polyhedron/1", "inequalities":'
        ' [{"normal": [1], "offset": 0, "strict": true}, {"normal": [-1], "offset": 0}]}'
    )
    assert ask(run, tmp_path, "polyhedron", str(empty), code=1)["verdict"] == "no"
    assert ask(run, tmp_path, "polyhedron", str(empty), "--bounded")["verdict"] == "yes"


def test_cone(run, tmp_path) -> None:
    assert ask(run, tmp_path, "cone", TRIANGLE)["verdict"] == "yes"
    line = tmp_path / "line.json"
    line.write_text('[["1", "1"], ["-2", "-2"], ["0", "0"]]')
    answer = ask(run, tmp_path, "cone", str(line), code=1)
    assert answer["dependency"] == [[1, 2], [2, 1]]


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", "[[0.5]]", "[[1], [2, 3]]", '[["x"]]', "[[true]]"]
)
def test_bad_matrix_files(run, tmp_path, text: str) -> None:
    path = tmp_path / "m.json"
    path.write_text(text)
    for command in ("rank", "nnrank", "sigma", "cone"):
        result = run(command, path)
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
        assert "m.json" in result.err


def test_spark(run, tmp_path) -> None:
    path = tmp_path / "spark.cert.jsonl"
    matrix = tmp_path / "m.json"
    matrix.write_text("[[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]")
    result = run("spark", matrix, "--json", "--certificate", path)
    answer = json.loads(result.out)
    assert (result.code, answer["spark"], answer["rows"]) == (0, 3, [1, 2, 4])
    assert run("check", path).code == 0
    assert run("spark", TRIANGLE).out == "all rows are independent: there is no dependent set\n"
    assert run("spark", matrix, "--max-sets", 5).code == 3
