"""``certify`` of many networks: by others, killed and resumed, with the same bytes."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

import exactrelu as er
from exactrelu.effort import Effort
from exactrelu.network.formats.load import save
from exactrelu.network.network import Network
from exactrelu.public import certify as certifying
from exactrelu.public.certify import certified
from exactrelu.public.journal import JOURNAL, Certified, Journal
from exactrelu.questions.catalogue import Asked, names_of
from tests.work.pieces import die


def networks(count: int, widths: tuple[int, ...] = (1, 2, 1)) -> dict[str, Network]:
    rng = random.Random(7)

    def drawn() -> Network:
        weights = [
            [[rng.randint(-2, 2) for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)
        ]
        biases = [[rng.randint(-2, 2) for _ in range(m)] for m in widths[1:]]
        return Network.from_arrays(weights, biases)

    return {f"net-{k}": drawn() for k in range(count)}


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


@pytest.mark.sweep
def test_others_give_the_same_bytes(tmp_path: Path) -> None:
    nets = networks(3)
    found = {}
    for name, effort in (("alone", Effort()), ("two", Effort(jobs=2))):
        place = tmp_path / name
        place.mkdir()
        entries = certified(nets, place, resume=True, effort=effort)
        found[name] = [Path(e.certificate or "").name for e in entries], bytes_of(place)
    assert found["alone"] == found["two"]
    assert len(found["alone"][1][JOURNAL].splitlines()) == 3


def test_the_journal_is_there_while_something_is_left(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nets = networks(2)
    certified(nets, folder, effort=Effort())
    assert JOURNAL not in bytes_of(folder)
    whole = bytes_of(folder)

    def killed(name: str, *args: object, **options: object) -> list[Certified]:
        if name == "net-1":
            raise KeyboardInterrupt
        return write(name, *args, **options)  # type: ignore[arg-type]

    write = certifying._written
    monkeypatch.setattr(certifying, "_written", killed)
    with pytest.raises(KeyboardInterrupt):
        certified(nets, folder, effort=Effort())
    assert len(bytes_of(folder)[JOURNAL].splitlines()) == 1
    monkeypatch.undo()
    # Without being told to go on it begins anew.
    certified(nets, folder, effort=Effort())
    assert bytes_of(folder) == whole


class Asking:
    """Counts the networks that are asked about."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[str] = []
        ask = certifying.ask_all

        def noted(network: Network, **options: object) -> object:
            self.asked.append(network.sha256)
            return ask(network, **options)  # type: ignore[arg-type]

        monkeypatch.setattr(certifying, "ask_all", noted)

    def again(self, nets: dict[str, Network], folder: Path, **options: object) -> list[str]:
        """The names of those that are asked about, to the same end."""
        self.asked = []
        certified(nets, folder, resume=True, effort=Effort(), **options)  # type: ignore[arg-type]
        return [name for name, network in nets.items() if network.sha256 in self.asked]


def test_what_is_done_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What changed, what is damaged, what is new, and nothing else."""
    nets, asking = networks(3), Asking(monkeypatch)
    assert asking.again(nets, folder) == list(nets)
    whole = bytes_of(folder)
    assert asking.again(nets, folder) == []
    assert bytes_of(folder) == whole

    damaged = next(folder.glob("net-1.*"))
    for harm in (lambda: damaged.write_bytes(b"x"), damaged.unlink):
        harm()
        assert asking.again(nets, folder) == ["net-1"]
        assert {k: v for k, v in bytes_of(folder).items() if k != JOURNAL} == {
            k: v for k, v in whole.items() if k != JOURNAL
        }
    assert asking.again(nets, folder, together=True) == list(nets)
    other = networks(4, (1, 1, 1))["net-3"]
    assert asking.again({**nets, "net-2": other}, folder, together=True) == ["net-2"]
    assert asking.again({**nets, "net-2": other, "new": nets["net-0"]}, folder, together=True)
    assert asking.again({**nets, "net-2": other, "new": nets["net-0"]}, folder) == [*nets, "new"]


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda text: text[:-1],
        lambda text: text[: len(text) // 2],
        lambda text: text.replace(b'"network":', b'"networks":'),
        lambda text: text.replace(b'"sha256":', b'"sha257":'),
        lambda text: text.replace(b'"certificate":"', b'"certificate":"../'),
        lambda text: text.replace(b'"certificate":"', b'"certificate":7,"x":"'),
        lambda text: text.replace(b'"entries":[', b'"entries":5,"x":['),
        lambda text: b"[1]\n",
        lambda text: b"\xff\xfe\n",
        lambda text: b"\n\n",
        lambda text: b"",
    ],
)
def test_a_line_that_is_not_whole_is_dropped(
    spoilt: Callable[[bytes], bytes], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nets, asking = networks(1), Asking(monkeypatch)
    asking.again(nets, folder)
    whole = bytes_of(folder)
    (folder / JOURNAL).write_bytes(spoilt(whole[JOURNAL]))
    assert asking.again(nets, folder) == list(nets)
    assert bytes_of(folder) == whole


def test_another_version_asks_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from exactrelu.public import journal

    nets, asking = networks(1), Asking(monkeypatch)
    asking.again(nets, folder)
    monkeypatch.setattr(journal, "__version__", "0.0")
    assert asking.again(nets, folder) == list(nets)


def test_what_more_time_could_answer_is_not_done(folder: Path) -> None:
    nets = networks(2)
    certified(nets, folder, resume=True, effort=Effort(seconds=0))
    assert not (folder / JOURNAL).exists()
    entries = [Certified("net-0", "x", "undecided", "stopped after 2 s", None)]
    assert certifying._is_final(entries, Effort())
    assert not certifying._is_final(entries, Effort(seconds=100))


def test_the_end_of_the_time_with_others(folder: Path) -> None:
    found = certified(networks(2), folder, effort=Effort(seconds=0, jobs=2))
    assert [e.verdict for e in found] == ["not asked"] * 2 * len(names_of(networks(1)["net-0"]))


def kills(seconds_each: float | None, subject: certifying._Subject, effort: Effort) -> list[Asked]:
    if subject.name == "net-1":
        die(signal.SIGKILL)
    return [Asked("fine", "yes", "", None)]


@pytest.mark.sweep
def test_a_network_that_kills_whoever_asks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others have their answers, and it is the one that is left."""
    monkeypatch.setattr(certifying, "_asked", kills)
    found = certified(networks(3), folder, effort=Effort(jobs=2))
    lost = [entry for entry in found if entry.verdict == "not asked"]
    assert {entry.network for entry in lost} == {"net-1"}
    assert [entry.question for entry in lost] == names_of(networks(2)["net-1"])
    assert lost[0].reason == "stopped from outside, perhaps for want of memory, 2 times"
    assert [entry.network for entry in found if entry.verdict == "yes"] == ["net-0", "net-2"]
    names = [json.loads(line)["network"] for line in (folder / JOURNAL).read_text().splitlines()]
    assert names == ["net-0", "net-2"]


#: Ends itself, as if by the system, when the second network is done.
KILLED = """
import os, signal, sys
from exactrelu.cli.main import main
from exactrelu.public.journal import Journal

def add(self, name, *rest, write=Journal.add):
    write(self, name, *rest)
    if name == "net-1":
        os.kill(os.getpid(), signal.SIGKILL)

Journal.add = add
main(sys.argv[1:])
"""


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.sweep)])
def test_killed_half_way_and_resumed(jobs: str, tmp_path: Path) -> None:
    """By SIGKILL: the same bytes as one run, also of the summary and of what is printed."""
    nets = networks(4)
    arguments = ["certify", *(f"{name}.json" for name in nets), "-o", "out", "--resume"]
    places = tmp_path / "killed", tmp_path / "whole"
    for place in places:
        place.mkdir()
        for name, network in nets.items():
            save(network, place / f"{name}.json")

    def run(place: Path, *program: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, *program, *arguments, "--jobs", jobs]
        return subprocess.run(command, cwd=place, capture_output=True, check=False)

    assert run(places[0], "-c", KILLED).returncode == -signal.SIGKILL
    left = bytes_of(places[0] / "out")
    assert left[JOURNAL].count(b"\n") == 2
    assert "summary.json" not in left
    resumed, whole = (run(place, "-m", "exactrelu") for place in places)
    assert (resumed.returncode, resumed.stderr) == (0, b"")
    assert resumed.stdout == whole.stdout
    assert bytes_of(places[0] / "out") == bytes_of(places[1] / "out")


def test_from_python(tmp_path: Path) -> None:
    network = networks(1)["net-0"]
    first = er.certify(network, tmp_path, resume=True)
    assert first.is_complete
    whole = bytes_of(tmp_path)
    assert er.certify(network, tmp_path, resume=True).entries == first.entries
    assert bytes_of(tmp_path) == whole
    assert Journal(tmp_path, {}, resume=True).entries("network", network) is None
