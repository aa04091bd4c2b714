import json
import os

import pytest

from exactrelu.errors import InputError
from exactrelu.questions.shards.folder import JOURNAL, MANIFEST, CutFurther, Done, Folder

ASKED = {"kind": "regions", "size": 3}


def filled(path) -> Folder:
    folder = Folder(path, ASKED, resume=False)
    folder.cut((), 2)
    folder.done((0,), (5,), b"one")
    folder.done((2,), (7,), b"two")
    return folder


def test_what_is_there_is_known_again(tmp_path) -> None:
    before = filled(tmp_path / "out")
    after = Folder(tmp_path / "out", ASKED, resume=True)
    assert after.known == before.known == {(): CutFurther(2), (0,): Done((5,)), (2,): Done((7,))}
    after.done((1,), (1,), b"three")
    assert [path.name for path in after.files()] == [Folder.name((k,)) for k in range(3)]
    after.finish(b"all")
    assert after.files()[-1].name == MANIFEST


def test_pieces_that_lie_deep_have_files_too(tmp_path) -> None:
    folder = filled(tmp_path / "out")
    deep = tuple(range(100)), tuple(range(1, 101))
    for place in deep:
        folder.done(place, (1,), b"deep")
    again = Folder(tmp_path / "out", ASKED, resume=True)
    assert [again.known[place] for place in deep] == [Done((1,))] * 2
    assert len(again.files()) == 4


def test_a_torn_line_is_not_there(tmp_path) -> None:
    """Killed while it wrote: whatever the last line is cut to, what comes before it counts."""
    filled(tmp_path / "out")
    journal = tmp_path / "out" / JOURNAL
    whole = journal.read_bytes()
    last = whole.rstrip(b"\n").rindex(b"\n") + 1
    for end in range(last, len(whole) - 1, 7):
        journal.write_bytes(whole[:end])
        again = Folder(tmp_path / "out", ASKED, resume=True)
        assert again.known == {(): CutFurther(2), (0,): Done((5,))}
        again.done((2,), (7,), b"two")
        assert Folder(tmp_path / "out", ASKED, resume=True).known[2,] == Done((7,))


@pytest.mark.parametrize(
    "line",
    [
        "null",
        "[1]",
        '{"cuts":"2","piece":[]}',
        '{"cuts":true,"piece":[]}',
        '{"cuts":0,"piece":[]}',
        '{"cuts":99,"piece":[]}',
        '{"cuts":1e400,"piece":[]}',
        '{"cuts":2,"piece":5}',
        '{"cuts":2,"piece":[[1]]}',
        '{"cuts":2,"piece":[-1]}',
        '{"numbers":5,"piece":[0],"sha256":"a"}',
        '{"numbers":["5"],"piece":[0],"sha256":"a"}',
        '{"numbers":[5],"piece":["0"],"sha256":"a"}',
    ],
)
def test_a_line_that_is_not_ours_ends_the_journal(tmp_path, line: str) -> None:
    filled(tmp_path / "out")
    journal = tmp_path / "out" / JOURNAL
    head, cut, one, two = journal.read_text().splitlines()
    journal.write_text("\n".join([head, cut, one, line, two, ""]))
    assert Folder(tmp_path / "out", ASKED, resume=True).known == {
        (): CutFurther(2),
        (0,): Done((5,)),
    }


@pytest.mark.parametrize("damage", ["gone", "changed", "cut"])
def test_a_piece_whose_file_is_another_is_done_again(tmp_path, damage: str) -> None:
    filled(tmp_path / "out")
    path = tmp_path / "out" / Folder.name((0,))
    data = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(data[:-1] if damage == "cut" else data[:-1] + b"x")
    assert (0,) not in Folder(tmp_path / "out", ASKED, resume=True).known


def test_another_question_is_refused(tmp_path) -> None:
    filled(tmp_path / "out")
    with pytest.raises(InputError, match="pieces of another question"):
        Folder(tmp_path / "out", {**ASKED, "size": 4}, resume=True)
    with pytest.raises(InputError, match="expected an empty folder; --resume goes on"):
        Folder(tmp_path / "out", ASKED, resume=False)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match=f"found no {JOURNAL}"):
        Folder(tmp_path / "other", ASKED, resume=True)
    with pytest.raises(InputError, match="found a file, expected a folder"):
        Folder(tmp_path / "other" / "mine.txt", ASKED, resume=False)
    with pytest.raises(InputError, match="cannot be made"):
        Folder(tmp_path / "other" / "mine.txt" / "below", ASKED, resume=False)


def test_nothing_to_resume_is_a_new_folder(tmp_path) -> None:
    folder = Folder(tmp_path / "a" / "b", ASKED, resume=True)
    assert folder.known == {}
    assert (
        json.loads((tmp_path / "a" / "b" / JOURNAL).read_text())["format"] == "exactrelu-pieces/1"
    )


def test_a_line_comes_after_its_file(tmp_path, monkeypatch) -> None:
    folder = filled(tmp_path / "out")

    def fails(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises((OSError, InputError)):
        folder.done((1,), (1,), b"three")
    monkeypatch.undo()
    assert (1,) not in Folder(tmp_path / "out", ASKED, resume=True).known
