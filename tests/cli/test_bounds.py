"""Every command keeps its bounds, on networks and matrices that are too large for it.

Each is run as a program, in a session of its own: back soon after the deadline, below its memory
bound, exit code 3, one JSON object, nobody left, no file half-written, and a certificate of what
was known that the checker accepts.  This is about being bounded, not about speed: what counts is
the time of the processor, which other programs do not take, and there is slack for slow machines.
"""

from __future__ import annotations

import fcntl
import json
import os
import pty
import random
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactrelu.certificates.program import run_checker
from exactrelu.cli.command import Command
from exactrelu.cli.main import COMMANDS
from exactrelu.memory import memory_bytes
from exactrelu.network.formats.load import save
from exactrelu.network.network import Network
from exactrelu.questions.regions import regions
from tests.cli.typed import command, has, is_about_a_network, line_of

SECONDS = 1
#: What a deadline may be late by, beside three times what it takes to start.
LATE = 2.0
#: Who has not ended by then, on any machine, does not end.
HANGS = 300
ROOT = Path(__file__).parents[2]


def dyadic(rng: np.random.Generator, *shape: int) -> Any:
    return rng.normal(size=shape).astype(np.float32)


def network(widths: list[int], seed: int = 0) -> Network:
    rng = np.random.default_rng(seed)
    pairs = list(pairwise(widths))
    weights = [dyadic(rng, b, a) / np.float32(a**0.5) for a, b in pairs]
    return Network.from_arrays(weights, [dyadic(rng, b) / 4 for _, b in pairs])


def nearly(given: Network) -> Network:
    """The same but for a very small change of one weight."""
    layers = [(layer.weights.rows(), layer.bias) for layer in given.layers]
    rows, bias = layers[2]
    first = [rows[0][0] + network([1, 1]).layers[0].weights[0, 0] / 2**40, *rows[0][1:]]
    layers[2] = ([first, *rows[1:]], bias)
    return Network.from_arrays([w for w, _ in layers], [b for _, b in layers])


def always_on(n: int, width: int, depth: int) -> Network:
    """In each layer of pairs (z, 1 − z) one of the two is positive, anywhere."""
    rng = np.random.default_rng(5)
    weights, biases, before = [], [], n
    for _ in range(depth):
        half, offset = dyadic(rng, width, before), dyadic(rng, width)
        weights.append(np.concatenate([half, -half]))
        biases.append(np.concatenate([offset, 1 - offset]))
        before = 2 * width
    return Network.from_arrays([*weights, dyadic(rng, 1, before)], [*biases, dyadic(rng, 1)])


def matrix(n_rows: int, n_columns: int, top: int = 99) -> str:
    rng = random.Random(7)
    rows = [[rng.randint(-top, top) for _ in range(n_columns)] for _ in range(n_rows)]
    return json.dumps(rows)


def polyhedron(dimension: int, n_rows: int) -> str:
    rng = random.Random(8)
    rows = [
        {"normal": [rng.randint(-99, 99) for _ in range(dimension)], "offset": 1000}
        for _ in range(n_rows)
    ]
    return json.dumps({"format": "exactrelu-polyhedron/1", "inequalities": rows})


def proof(path: Path) -> None:
    """A certificate that is checked in a part of a second."""
    certificate = regions(network([3, 10, 10, 1])).certificate
    assert certificate is not None
    certificate.save(path)


def wide(path: Path, seed: int) -> None:
    """So many parameters that reading them takes its time."""
    rng = np.random.default_rng(seed)
    n = 1500
    np.savez(
        path,
        **{f"W{l}": dyadic(rng, 10 if l == 4 else n, n) for l in (1, 2, 3, 4)},
        **{f"b{l}": dyadic(rng, 10 if l == 4 else n) for l in (1, 2, 3, 4)},
    )


#: The declaration of an input, many of which make a long query.
DECLARED = "(declare-input X float32 [1, 1, 28, 28]) ; an input of a network that takes pictures\n"


def clauses(n: int) -> str:
    """A query with so many clauses that reading it takes its time."""
    text = "(declare-const X_0 Real)(declare-const Y_0 Real)"
    either = "(assert (or (<= (+ X_0 (* {k} Y_0)) 0) (>= (- X_0 (* {k} Y_0)) 0)))\n"
    return text + "".join(either.format(k=k) for k in range(1, n + 1))


def below(value: int) -> str:
    """A query: is an output of a network with 5 inputs and outputs at least a value in a box?"""
    text = "".join(f"(declare-const {letter}_{i} Real)" for letter in "XY" for i in range(5))
    text += "".join(f"(assert (and (>= X_{i} -9) (<= X_{i} 9)))" for i in range(5))
    return f"{text}(assert (>= Y_0 {value}))"


CONJECTURE = """
from exactrelu import Network

def hypotheses(instance):
    return []

def conclusion(instance):
    return True
"""

#: What the files are made of.
FILES: dict[str, Callable[[Path], object]] = {
    "wide.npz": lambda path: wide(path, 1),
    "wide-b.npz": lambda path: wide(path, 2),
    "mnist.npz": lambda path: save(network([784, 32, 10]), path),
    "acas.npz": lambda path: save(network([5, *[50] * 6, 5]), path),
    "acas-b.json": lambda path: save(nearly(network([5, *[50] * 6, 5])), path),
    "acas-c.npz": lambda path: save(network([5, *[50] * 6, 5], seed=1), path),
    "deep.npz": lambda path: save(network([4, 16, 16, 3]), path),
    "plane.npz": lambda path: save(network([2, 300, 300, 1]), path),
    "on.npz": lambda path: save(always_on(8, 20, 2), path),
    "layer.npz": lambda path: save(network([14, 90, 1]), path),
    "narrowing.npz": lambda path: save(always_on(24, 12, 2), path),
    "hidden.npz": lambda path: save(network([10, 40, 1]), path),
    "points.csv": lambda path: np.savetxt(
        path, np.round(dyadic(np.random.default_rng(3), 20000, 784), 3), delimiter=",", fmt="%.3f"
    ),
    "large.matrix.json": lambda path: path.write_text(matrix(1800, 1800, 10**6)),
    "wide.matrix.json": lambda path: path.write_text(matrix(24, 70)),
    "square.matrix.json": lambda path: path.write_text(matrix(400, 400)),
    "lines.matrix.json": lambda path: path.write_text(matrix(60, 9)),
    "many.json": lambda path: path.write_text(polyhedron(18, 60)),
    "regions.cert.jsonl": lambda path: proof(path),
    "conjecture.py": lambda path: path.write_text(CONJECTURE),
    "acas.vnnlib": lambda path: path.write_text(below(20)),
    "clauses.vnnlib": lambda path: path.write_text(clauses(200_000)),
    "long.vnnlib": lambda path: path.write_text(f"({DECLARED * 1_000_000})"),
    "result.txt": lambda path: path.write_text("sat ((X_0 1))"),
    "convolution.json": lambda path: path.write_text(
        json.dumps(
            {
                "format": "exactrelu-convolution/1",
                "kernels": [[[row[:3], row[3:6], row[6:]]] for row in json.loads(matrix(9, 9))],
                "input": [1, 12, 12],
                "stride": 1,
                "padding": "zero",
            }
        )
    ),
}

#: Commands that read a table, and do no work that could be bounded.
INSTANT = ("supports",)
#: Calls that take far more than the time that they get; {files} is their folder.
OWN = {
    "info": "{files}/wide.npz",
    "eval": "{files}/wide.npz --at " + ",".join("0" * 1500),
    "local": "{files}/mnist.npz --points {files}/points.csv",
    "convert": "{files}/wide.npz wide.json",
    "regions": "{files}/mnist.npz",
    "complex": "{files}/mnist.npz",
    "generic": "{files}/deep.npz",
    "transparent": "{files}/on.npz --domain box:-9,9",
    "isomorphic": "{files}/wide.npz {files}/wide-b.npz",
    "equivalent": "{files}/acas.npz {files}/acas-c.npz --domain box:-9,9 --within 99",
    "difference": "{files}/acas.npz {files}/acas-b.json --domain box:-1,1",
    "verify": "{files}/acas.vnnlib --network {files}/acas.npz",
    "holds": "{files}/acas.npz y1<20 --domain box:-9,9",
    "robust": "{files}/acas.npz --at 0,0,0,0,0 --domain box:-9,9",
    "judge": "{files}/clauses.vnnlib --network example:spike --result {files}/result.txt",
    "real-query": "{files}/long.vnnlib -o real.vnnlib",
    "identifiable": "{files}/deep.npz",
    "injective": "{files}/layer.npz --layer 1",
    "invert": "{files}/acas.npz --value 1,2,3,4,5 --domain box:-9,9",
    "convolution": "{files}/convolution.json",
    "injective-table": "8 --samples 1000000",
    "stability": "{files}/layer.npz --layer 1",
    "theorem-class": "{files}/narrowing.npz --domain box:-9,9",
    "build": "identifiable 30,30,30,1 --domain box:-1,1 -o built.json",
    "canonical": "{files}/wide.npz -o canonical.json",
    "simplify": "{files}/wide.npz -o small.json",
    "shallow": "{files}/wide.npz",
    "fiber": "{files}/hidden.npz --max-components 10000000000000",
    "recover": "{files}/acas.npz -o recovered.json",
    "rank": "{files}/large.matrix.json",
    "nnrank": "{files}/large.matrix.json",
    "sigma": "{files}/square.matrix.json",
    "spark": "{files}/wide.matrix.json",
    "polyhedron": "{files}/many.json --describe",
    "cone": "{files}/large.matrix.json",
    "arrangement": "{files}/lines.matrix.json",
    "plot": "{files}/plane.npz -o picture.svg",
    "report": "{files}/deep.npz -o page.html",
    "lemmas": "--search 1000",
    "refute": "S001-theorem-A1-repaired --seconds 1000",
    "conjecture": "{files}/conjecture.py --seconds 1000",
    "certify": "{files}/wide.npz -o certificates",
    "check": " ".join(["{files}/regions.cert.jsonl"] * 200),
    "pin": " ".join(["{files}/regions.cert.jsonl"] * 200) + " --unnamed -o {files}/pins.toml",
}


def call_of(asked: Command) -> str:
    """The call of a command; others ask about a deep network on a large domain."""
    if asked.name in OWN:
        return OWN[asked.name]
    assert is_about_a_network(asked), f"{asked.name}: found no call of a command of its own"
    words = {"NET": "{files}/deep.npz", "OTHER": "{files}/deep.npz"}
    line = (words.get(word, word) for word in line_of(asked))
    return " ".join([*line, *(["--domain", "box:-9,9"] if has(asked, "--domain") else [])])


CALLS = {asked.name: call_of(asked) for asked in COMMANDS if asked.name not in INSTANT}


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("large")


@dataclass(frozen=True)
class Ran:
    """What a program did, and what it took, in seconds of the processor."""

    code: int
    out: str
    err: str
    seconds: float
    memory: int


#: A small process between the tests and the program: what counts as the most memory of a process
#: includes that of the process that started it, and a test runner is large.
STARTER = """
import os, subprocess, sys
with open("../out", "w") as out, open("../err", "w") as err:
    process = subprocess.Popen(sys.argv[1:], stdout=out, stderr=err, start_new_session=True)
print(process.pid, flush=True)
_, status, usage = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024)
print(usage.ru_utime + usage.ru_stime)
"""


def ran(arguments: list[str], folder: Path, *, interrupted_after: float | None = None) -> Ran:
    """Run the program in a session of its own; whoever is left of it at the end is a failure."""
    program = [sys.executable, "-m", "exactrelu", *arguments]
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", STARTER, *program],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    ) as starter:
        assert starter.stdout is not None
        session = int(starter.stdout.readline())
        if interrupted_after is not None:
            time.sleep(interrupted_after)
            os.kill(session, signal.SIGINT)
        assert select.select([starter.stdout], [], [], HANGS)[0], arguments
        code, memory = map(int, starter.stdout.readline().split())
        seconds = float(starter.stdout.readline())
    out, err = ((folder.parent / name).read_text() for name in ("out", "err"))
    assert not members(session)
    return Ran(code, out, err, seconds, memory)


def members(session: int) -> list[str]:
    """The processes of a session that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, its_session = path.read_text().rsplit(")", 1)[1].split()[:4]
        except OSError:
            continue
        if int(its_session) == session and state != "Z":
            found.append(path.read_text())
    return found


@pytest.fixture(scope="session")
def start_up(tmp_path_factory: pytest.TempPathFactory) -> float:
    """What it takes to start, on this machine, now."""
    folder = tmp_path_factory.mktemp("start") / "work"
    folder.mkdir()
    return ran(["eval", str(ROOT / "cases/xor/network.json"), "--at", "0,0"], folder).seconds


def arguments_of(name: str, files: Path) -> list[str]:
    """The call, with its files, which are made when they are first needed."""
    call = CALLS[name].format(files=files)
    for file, make in FILES.items():
        path = files / file
        if str(path) in call and not path.exists():
            kept = path.with_name(f"{os.getpid()}-{file}")
            make(kept)
            kept.replace(path)
    return [name, *call.split()]


def has_certificate(name: str) -> bool:
    return any("--certificate" in given.names for given in command(name).arguments)


def check_written(folder: Path) -> None:
    """Files are whole: nothing hidden, JSON that ends, certificates that are accepted."""
    for path in folder.rglob("*"):
        assert not path.name.startswith(".")
        if path.suffix == ".jsonl":
            checked = run_checker([str(path)])
            assert checked.returncode == 0, checked.stdout
        elif path.suffix == ".json":
            json.loads(path.read_text())


def test_a_call_of_ones_own_is_of_a_command() -> None:
    assert {*OWN} <= {*CALLS}


#: Each family has some of its commands every day; all of them are asked in a sweep.
PROMPT = (
    *("regions", "equivalent", "verify", "identifiable", "injective"),
    *("recover", "rank", "certify"),
)
#: Those that take the most memory likewise: this one takes it at once.
GREEDY = ("arrangement",)


def sometimes(names: tuple[str, ...]) -> list[Any]:
    """All commands, those that are not named in a sweep only."""
    others = (name for name in CALLS if name not in names)
    return [*names, *(pytest.param(name, marks=pytest.mark.sweep) for name in others)]


@pytest.mark.parametrize("name", sometimes(PROMPT))
def test_the_time_is_kept(name: str, files: Path, tmp_path: Path, start_up: float) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    arguments = arguments_of(name, files)
    if has_certificate(name):
        arguments += ["--certificate", "proof.cert.jsonl"]
    result = ran([*arguments, "--timeout", str(SECONDS), "--json"], folder)
    assert result.code == 3, result.err
    answer = json.loads(result.out)
    assert answer["verdict"] == "undecided"
    assert set(command(name).fields) <= answer.keys()
    assert result.seconds < SECONDS + LATE + 3 * start_up
    assert result.memory < memory_bytes("4G")
    if answer["certificate"] is not None:
        assert (folder / answer["certificate"]).exists()
    check_written(folder)


@pytest.mark.parametrize("name", sometimes(GREEDY))
def test_the_memory_is_kept(name: str, files: Path, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    bounds = ["--max-memory", "500M", "--timeout", "10", "--json"]
    result = ran([*arguments_of(name, files), *bounds], folder)
    assert result.code == 3, result.err
    assert json.loads(result.out)["verdict"] == "undecided"
    assert result.memory < memory_bytes("525M")
    check_written(folder)


WAITED = ("regions", "difference", "certify")


@pytest.mark.parametrize("name", sometimes(WAITED))
def test_an_interrupt_is_a_deadline(
    name: str, files: Path, tmp_path: Path, start_up: float
) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    after = start_up + 1
    result = ran([*arguments_of(name, files), "--json"], folder, interrupted_after=after)
    assert result.code == 130, result.err
    answer = json.loads(result.out)
    assert answer["verdict"] == "undecided"
    assert "interrupted" in answer["reason"]
    assert result.seconds < after + LATE + 3 * start_up
    check_written(folder)


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("build identifiable 1000000,1000000,1 --domain box:-1,1 -o x.json", "--max-memory"),
        ("build injective 1000000,2000000 -o x.json", "--max-memory"),
        ("generic {files}/mnist.npz --sense masked-rank --max-masks 1000", "--max-masks"),
    ],
)
def test_what_cannot_be_done_is_refused_at_once(
    call: str, found: str, files: Path, tmp_path: Path
) -> None:
    arguments_of("regions", files)
    folder = tmp_path / "work"
    folder.mkdir()
    result = ran([*call.format(files=files).split(), "--json"], folder)
    assert result.code == 3, result.err
    assert found in json.loads(result.out)["reason"]
    assert result.memory < memory_bytes("500M")
    assert not list(folder.iterdir())


def test_a_person_at_a_terminal_sees_how_far_it_is(files: Path) -> None:
    """A bar appears after a second, with what is counted and how much is left, and goes away."""
    arguments = arguments_of("generic", files)
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        os.execv(sys.executable, [sys.executable, "-m", "exactrelu", *arguments])
    shown = b""
    is_bar = False
    # The end of a terminal is an error.
    with suppress(OSError):
        while content := os.read(terminal, 1 << 16):
            shown += content
            if not is_bar and b"/4385432338 [" in shown and b"masks/s]" in shown:
                is_bar = True
                os.kill(pid, signal.SIGINT)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 130
    *bars, last = shown.decode().replace("\r\n", "\n").removesuffix("\n").split("\r")
    assert any("/4385432338 [" in bar and "masks/s]" in bar for bar in bars)
    assert last.startswith("generic: undecided, interrupted")
