"""Questions give the same bytes whoever does them: processes, threads, a cluster that loses one.

Each of them really is shared: pieces are counted.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import exactrelu as er
from exactrelu.cells import pairs as joint
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.network.formats.load import save
from exactrelu.network.network import Network
from exactrelu.public.certify import certified
from exactrelu.questions.genericity import masked_products
from exactrelu.questions.injectivity.network import LayerStage, injective_by_pairs
from exactrelu.questions.properties import replay
from exactrelu.work.crew import Crew, shared
from tests.work.pieces import die_at_three, doubled, wait_for_the_end, where_and_later


def drawn(widths: tuple[int, ...], seed: int = 1) -> Network:
    rng = random.Random(seed)
    pairs = list(pairwise(widths))
    weights = [[[rng.randint(-5, 5) for _ in range(n)] for _ in range(m)] for n, m in pairs]
    return Network.from_arrays(weights, [[rng.randint(-5, 5) for _ in range(m)] for _, m in pairs])


def both_signs(h: int) -> Network:
    """One-to-one: the first layer has each row with both signs."""
    rng = random.Random(9)
    rows = [[rng.randint(-9, 9) for _ in range(2)] for _ in range(h)]
    bias = [rng.randint(-3, 3) for _ in range(h)]
    last = [[rng.randint(-9, 9) for _ in range(2 * h)] for _ in range(8)]
    weights = [[*rows, *([-x for x in row] for row in rows)], last]
    return Network.from_arrays(weights, [[*bias, *(-b for b in bias)], [0] * 8])


def largest_of(rows: list[list[int]]) -> Network:
    """The largest of some affine functions, pair by pair: u + (v − u)⁺ with u = u⁺ − (−u)⁺."""
    weights, bias = [], []
    while len(rows) > 1:
        found = []
        for u, v in zip(rows[::2], rows[1::2], strict=True):
            found += [[y - x for x, y in zip(u, v, strict=True)], u, [-x for x in u]]
        weights.append([row[:-1] for row in found])
        bias.append([row[-1] for row in found])
        n = len(found)
        rows = [[*([0] * k), 1, 1, -1, *([0] * (n - k - 3)), 0] for k in range(0, n, 3)]
    weights.append([rows[0][:-1]])
    bias.append([0])
    return Network.from_arrays(weights, bias)


def equal(**limits: Any) -> bytes:
    """In another order: equal, and proved on many joint cells."""
    rng = random.Random(1)
    rows = [[rng.randint(-9, 9) for _ in range(3)] for _ in range(8)]
    found = er.is_equivalent(largest_of(rows), largest_of(rows[::2] + rows[1::2]), **limits)
    assert found.answer
    assert found.n_cells > 20  # type: ignore[attr-defined]
    return found.certificate.to_bytes()  # type: ignore[union-attr]


def pairs(**limits: Any) -> bytes:
    found = injective_by_pairs(LayerStage.of(both_signs(4), "box:-1,1"), **limits)
    assert found.answer
    return found.certificate.to_bytes()  # type: ignore[union-attr]


def not_one_to_one(**limits: Any) -> bytes:
    found = injective_by_pairs(LayerStage.of(drawn((1, 5, 1)), "box:-5,5"), **limits)
    assert found.answer is False
    return found.certificate.to_bytes()  # type: ignore[union-attr]


def few_pairs(**limits: Any) -> bytes:
    """A bound is reached: what comes before it counts all the same."""
    found = injective_by_pairs(LayerStage.of(both_signs(4), "box:-1,1"), max_regions=5, **limits)
    assert found.answer is None
    return repr((found.reason, found.n_regions, found.n_pairs, found.n_left)).encode()


def complex_(**limits: Any) -> bytes:
    return er.polyhedral_complex(drawn((2, 9, 1)), **limits).certificate.to_bytes()


def transparent(**limits: Any) -> bytes:
    return er.is_transparent(drawn((2, 9, 2, 1), 4), **limits).certificate.to_bytes()


def masked(**limits: Any) -> bytes:
    found = er.is_generic(drawn((4, 4, 4, 4), 2), sense="masked-rank", **limits)
    return repr((found.reason, found.certificate.to_bytes())).encode()


def property_(**limits: Any) -> bytes:
    found = er.holds(drawn((3, 8, 8, 1), 3), "box:-1,1", ["y1 <= 120"], **limits)
    assert found.certificate is not None
    return found.certificate.to_bytes()


def refuted(**limits: Any) -> bytes:
    found = er.refute("S003-lemma-1", seconds=60, **limits)
    return repr((found.reason, found.certificate.to_bytes())).encode()


def of_random(**limits: Any) -> bytes:
    found = er.identifiability.share((2, 2, 1, 1), count=6, **limits)
    return repr(found.answers).encode()


def certificates(**limits: Any) -> bytes:
    nets = {"a": drawn((1, 2, 1)), "b": drawn((1, 1, 1))}
    with TemporaryDirectory() as folder:
        certified(nets, Path(folder), effort=Effort.of(limits))  # type: ignore[arg-type]
        written = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
    return repr(sorted(written.items())).encode()


def in_pieces(**limits: Any) -> bytes:
    """Cut where it is too large, each piece with a file."""
    with TemporaryDirectory() as folder:
        found = er.in_shards("regions", drawn((2, 9, 3, 1)), folder=folder, size=12, **limits)
        assert found.n_pieces > 4
        return repr([(path.name, path.read_bytes()) for path in found.files]).encode()


QUESTIONS: dict[str, Callable[..., bytes]] = {
    "equal": equal,
    "pairs": pairs,
    "a pair that meets": not_one_to_one,
    "few pairs": few_pairs,
    "complex": complex_,
    "transparent": transparent,
    "masked ranks": masked,
    "refute": refuted,
    "share": of_random,
    "property": property_,
    "certify": certificates,
    "in pieces": in_pieces,
}


#: Those that are asked every day, of threads; processes take a while to start.
DAILY = ("equal", "pairs", "few pairs", "masked ranks", "transparent", "property")
LATER = [pytest.param(name, marks=pytest.mark.sweep) for name in QUESTIONS if name not in DAILY]


class Counted(ThreadPoolExecutor):
    """Counts what it has to do."""

    n_calls = 0

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.n_calls += 1
        return super().submit(function, *args, **kwargs)


@pytest.fixture(scope="module")
def threads() -> Iterator[Counted]:
    with Counted(2) as threads:
        yield threads


@pytest.fixture
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(masked_products, "SHARED_MASKS", 1)
    monkeypatch.setattr(replay, "PIECE", 2)
    monkeypatch.setattr(joint, "SHARED_CUTS", 2)


@pytest.mark.usefixtures("_small_pieces")
@pytest.mark.parametrize("name", [*DAILY, *LATER])
def test_threads_give_the_same_bytes(name: str, threads: Counted) -> None:
    question, before = QUESTIONS[name], threads.n_calls
    assert question(executor=threads) == question()
    assert threads.n_calls > before + 1


@pytest.mark.usefixtures("_small_pieces")
@pytest.mark.sweep
@pytest.mark.parametrize("name", QUESTIONS)
def test_processes_give_the_same_bytes(name: str) -> None:
    question = QUESTIONS[name]
    assert question(jobs=2) == question()


# --- A cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two processes of Dask, one thread each; one that dies is replaced."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as started:
        yield started


def workers_of(cluster: Any) -> dict[str, int]:
    """The numbers of the processes of those who are there."""
    from distributed import Client

    with Client(cluster.scheduler_address, set_as_default=False) as client:
        return client.run(os.getpid)  # type: ignore[no-any-return]


@pytest.mark.sweep
@pytest.mark.usefixtures("_small_pieces")
def test_a_cluster_that_loses_a_worker(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is killed while it works; every question has the same bytes."""
    address = cluster.scheduler_address
    limits: Limits = {"cluster": address}
    numbers = workers_of(cluster)
    assert len(set(numbers.values())) == 2
    parents = {parent for _, parent in shared(where_and_later, range(8), Effort.of(limits))}
    assert parents == set(numbers.values())
    victim = next(iter(numbers.values()))
    with Crew(where_and_later, Effort.of(limits)) as crew:
        for task in range(12):
            crew.submit(task)
        found = {}
        for number, (task, parent) in crew.as_done():
            found[number] = task
            if parent == victim and len(found) < 6:
                os.kill(victim, signal.SIGKILL)
                victim = -1
    assert victim == -1
    assert found == {k: k for k in range(12)}
    for question in QUESTIONS.values():
        assert question(cluster=address) == question()


@pytest.mark.sweep
def test_a_piece_that_kills_every_worker_of_a_cluster(cluster: Any) -> None:
    effort = Effort.of({"cluster": cluster.scheduler_address})
    """It is the process of the worker that dies, and the worker goes on."""
    with pytest.raises(Stopped, match=r"^number 3: stopped from outside.*, 2 times"):
        list(shared(die_at_three, range(6), effort, describe=lambda task: f"number {task}"))


@pytest.mark.sweep
def test_the_command_line_with_a_cluster(cluster: Any, tmp_path: Path) -> None:
    network = tmp_path / "net.json"
    save(both_signs(6), network)
    written = []
    for name, options in (("a", ()), ("b", ("--cluster", cluster.scheduler_address))):
        proof = tmp_path / name
        program = [sys.executable, "-m", "exactrelu", "complex", str(network), *options]
        found = subprocess.run(
            [*program, "--certificate", str(proof)], capture_output=True, text=True, check=False
        )
        assert (found.returncode, found.stderr) == (0, "")
        written.append((found.stdout.replace(str(proof), "F"), proof.read_bytes()))
    assert written[0] == written[1]


@pytest.mark.sweep
def test_the_time_is_kept_on_a_cluster(cluster: Any) -> None:
    effort = Effort.of({"cluster": cluster.scheduler_address, "timeout": 0.5})
    with pytest.raises(Stopped, match=r"stopped after 0\.5 s"):
        list(shared(wait_for_the_end, range(3), effort))
    # Those who worked have stopped by themselves.
    effort = Effort.of({"cluster": cluster.scheduler_address})
    assert list(shared(doubled, range(3), effort)) == [0, 2, 4]
