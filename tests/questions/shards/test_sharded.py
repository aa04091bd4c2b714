import hashlib
import json
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

import exactrelu as er
from exactrelu.effort import Effort
from exactrelu.errors import InputError
from exactrelu.exact.text import canonical_json
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.shards.counted import RegionPieces
from exactrelu.questions.shards.folder import JOURNAL, Folder
from exactrelu.questions.shards.sharded import in_pieces, in_shards
from tests.cells.simple_networks import random_network
from tests.questions.shards.pieces import assert_accepted, checked, content

NETWORK = random_network(random.Random(5), "dyadic", [2, 5, 5, 1])
QUESTION = RegionPieces(NETWORK, Domain.of("box:-2..2", 2))
SIZE = 4


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> dict[str, bytes]:
    """The files of one run in one process."""
    folder = tmp_path_factory.mktemp("whole") / "out"
    in_pieces(QUESTION, folder, size=SIZE)
    return content(folder)


@pytest.mark.parametrize("limits", [{"jobs": 2}, {"executor": ThreadPoolExecutor(3)}])
def test_the_files_are_the_same_whoever_makes_them(tmp_path, whole, limits) -> None:
    found = in_pieces(QUESTION, tmp_path / "out", size=SIZE, effort=Effort.of(limits))
    assert content(tmp_path / "out") == whole
    assert found.n_pieces == len(whole) - 1


def test_what_was_stopped_is_resumed(tmp_path, whole) -> None:
    """Stopped again and again, after each few pieces: the same files in the end."""
    n_runs, done = 0, 0
    while True:
        effort = Effort(pieces=3)
        found = in_pieces(QUESTION, tmp_path / "out", size=SIZE, resume=True, effort=effort)
        n_runs += 1
        if found.answer:
            break
        assert (found.answer, found.manifest) == (None, None)
        assert "stopped at 3 pieces" in found.reason
        assert "--resume goes on" in found.reason
        assert found.n_pieces > done
        done = found.n_pieces
    assert n_runs > 2
    assert content(tmp_path / "out") == whole
    assert_accepted(found, tmp_path)


PROGRAM = """
import sys
from tests.questions.shards.test_sharded import QUESTION, SIZE, in_pieces
in_pieces(QUESTION, sys.argv[1], size=SIZE, resume=True)
"""


def test_what_was_killed_is_resumed(tmp_path, whole) -> None:
    folder = tmp_path / "out"
    program = subprocess.Popen([sys.executable, "-c", PROGRAM, str(folder)])
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and program.poll() is None:
            if folder.exists() and len(content(folder)) >= 3:
                break
            time.sleep(0.005)
    finally:
        program.kill()
        program.wait()
    assert content(folder).items() <= whole.items()
    found = in_pieces(QUESTION, folder, size=SIZE, resume=True)
    assert content(folder) == whole
    assert_accepted(found, tmp_path)


def test_a_folder_that_is_whole_is_not_asked_again(tmp_path, monkeypatch, whole) -> None:
    in_pieces(QUESTION, tmp_path / "out", size=SIZE)

    def fails(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(RegionPieces, "ask", fails)
    found = in_pieces(QUESTION, tmp_path / "out", size=SIZE, resume=True)
    assert found.answer
    assert content(tmp_path / "out") == whole


def test_a_piece_that_was_forged_is_refused(tmp_path) -> None:
    """Another number, another network: the manifest owes what it owes."""
    found = in_pieces(QUESTION, tmp_path / "out", size=SIZE)
    other = RegionPieces(random_network(random.Random(6), "dyadic", [2, 5, 5, 1]), QUESTION.place)
    in_pieces(other, tmp_path / "other", size=SIZE)
    piece = found.files[0]
    theirs = tmp_path / "other" / piece.name
    piece.write_bytes(theirs.read_bytes())
    result = checked(found, tmp_path)
    assert (result["verdict"], result["code"]) == ("INCOMPLETE", "shard-missing")


@pytest.mark.parametrize("damage", ["number", "place", "question"])
def test_a_journal_that_says_something_else_is_not_believed(tmp_path, whole, damage: str) -> None:
    """Lines with the right hashes, of a wrong number, of another piece, of another network."""
    folder = tmp_path / "out"
    in_pieces(QUESTION, folder, size=SIZE)
    journal = folder / JOURNAL
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    done = [line for line in lines if "sha256" in line]
    one, other = (folder / Folder.name(tuple(line["piece"])) for line in done[:2])
    if damage == "number":
        done[0]["numbers"] = [7]
    elif damage == "place":
        first = one.read_bytes()
        one.write_bytes(other.read_bytes())
        other.write_bytes(first)
        done[0]["sha256"], done[1]["sha256"] = done[1]["sha256"], done[0]["sha256"]
    else:
        network = random_network(random.Random(6), "dyadic", [2, 5, 5, 1])
        in_pieces(RegionPieces(network, QUESTION.place), tmp_path / "other", size=SIZE)
        one.write_bytes((tmp_path / "other" / one.name).read_bytes())
        done[0]["sha256"] = hashlib.sha256(one.read_bytes()).hexdigest()
    journal.write_text("".join(f"{canonical_json(line)}\n" for line in lines))
    found = in_pieces(QUESTION, folder, size=SIZE, resume=True)
    assert content(folder) == whole
    assert_accepted(found, tmp_path)


def test_parts_of_what_was_cut_last_are_asked_first(tmp_path) -> None:
    """Else all pieces of one depth would be open at once."""
    in_pieces(QUESTION, tmp_path / "out", size=SIZE)
    _, *lines = map(json.loads, (tmp_path / "out" / JOURNAL).read_text().splitlines())
    pairs = [pair for pair in pairwise(lines) if "cuts" in pair[0]]
    assert len(pairs) > 2
    assert all(after["piece"] == [*before["piece"], 0] for before, after in pairs)


def test_the_deadline_is_kept_and_what_is_proved_stays(tmp_path) -> None:
    network = random_network(random.Random(0), "dyadic", [3, 24, 24, 1])
    found = in_shards("regions", network, folder=tmp_path / "out", size=300, timeout=2)
    assert found.answer is None
    assert "stopped after 2 s" in found.reason
    assert (tmp_path / "out" / JOURNAL).exists()
    assert found.word == "undecided"


def test_by_name_from_python(tmp_path) -> None:
    xor = er.load("example:xor")
    found = er.in_shards("regions", xor, "box:-1..1", folder=tmp_path / "regions", size=1)
    assert found.numbers == (3,)
    assert found.check().is_accepted
    assert repr(found).startswith("yes: proved on ")
    assert er.in_shards("complex", xor, folder=tmp_path / "complex", size=2).numbers == (0, 2, 3)
    equal = er.in_shards("equivalent", xor, xor, folder=tmp_path / "equal", size=1)
    assert equal.answer
    held = er.in_shards("holds", xor, "box:0..1", "y1 <= 1", folder=tmp_path / "holds")
    assert held.answer
    fails = er.in_shards("holds", xor, "box:0..1", "y1 <= 0", folder=tmp_path / "fails")
    assert (fails.answer, fails.check().is_accepted) == (False, True)
    assert xor(fails.witness)[0] > 0
    assert er.in_shards("transparent", xor, folder=tmp_path / "t").witness.layer == 1


def test_bad_input_is_one_line(tmp_path) -> None:
    xor = er.load("example:xor")
    with pytest.raises(InputError, match="expected one of regions, complex"):
        er.in_shards("region", xor, folder=tmp_path / "out")
    with pytest.raises(InputError, match="size of a piece: found 0"):
        er.in_shards("regions", xor, folder=tmp_path / "out", size=0)
    assert not (tmp_path / "out").exists()
