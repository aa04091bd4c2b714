"""One call of the program, and what has to hold of any call whatever was asked.

The call runs in a copy of this process, where everything is imported, and from there on as the
program does: a worker, its bounds, the last line. It gets a new working folder.
"""

from __future__ import annotations

import io
import json
import os
import re
import resource
import shutil
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from exactrelu.__main__ import run
from tests.checking import printed

#: What a call would import in its copy of this process, each time again.
HEAVY = ("exactrelu.api", "exactrelu.questions.catalogue", "exactrelu.view.report.report")
HEAVY += ("exactrelu.view.plot", "exactrelu.view.lemmas_page", "networkx", "highspy", "onnx")

#: No call takes so long, in seconds of CPU and on the clock: what hangs is ended.
MOST_CPU, MOST_TIME = 60, 600
#: What a process takes besides what it was asked for.
LATE = 1.0
#: Commands whose claims are about another domain: that its interior is empty, of a restriction.
ELSEWHERE = ("theorem-class",)
WORDS = {0: ("yes", None), 1: ("no", None), 3: ("undecided",)}


@dataclass(frozen=True)
class Ran:
    """What a call printed and wrote."""

    call: tuple[str, ...]
    code: int | None
    out: str
    err: str
    cpu: float
    files: dict[str, bytes | None]


def ran(
    call: Sequence[str],
    folder: Path,
    program: Callable[[], int] = run,
    name: str = "exactrelu",
) -> Ran:
    """A call in a new folder, which is left as it is."""
    for module in HEAVY:
        import_module(module)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    streams = [folder.with_name(f"{folder.name}.{name}") for name in ("out", "err")]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    pid = os.fork()
    if pid == 0:
        _program([name, *call], folder, streams, program)
    code = _waited(pid)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    out, err = (path.read_text(encoding="utf-8", errors="surrogateescape") for path in streams)
    return Ran(tuple(call), code, out, err, cpu, dict(contents(folder)))


def _program(
    words: Sequence[str], folder: Path, streams: Sequence[Path], program: Callable[[], int]
) -> NoReturn:
    """The copy becomes the program."""
    code = 99
    try:
        os.setpgid(0, 0)
        os.chdir(folder)
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU, MOST_CPU + 5))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for number, path in enumerate(streams, 1):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8")
        sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), "utf-8", "backslashreplace")
        sys.argv = [*words]
        code = program()
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _waited(pid: int) -> int | None:
    """The exit code; None of what had to be ended."""
    for _ in range(MOST_TIME * 100):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.killpg(pid, 9)
    os.waitpid(pid, 0)
    return None


def contents(folder: Path) -> Iterator[tuple[str, bytes | None]]:
    """Files with their bytes, and folders."""
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        yield name, path.read_bytes() if path.is_file() else None


def faults(found: Ran, folder: Path) -> Iterator[str]:
    """What is wrong with a call, in words."""
    name = found.call[0] if found.call else ""
    codes = (0, 1, 2, 3, 4) if name == "check" else (0, 1, 2, 3)
    if found.code not in codes:
        yield f"exit code {found.code}"
    if "Traceback" in found.out + found.err:
        yield "a traceback"
    if any(".tmp" in file for file in found.files):
        yield "a temporary file is left"
    if found.code == 2 and name != "check":
        if not re.fullmatch(r"exactrelu[^\n]*: error: [^\n]*[^\n ][^\n]*\n", found.err):
            yield "bad input is not one line"
        if len(found.err) > 1200 or not found.err.removesuffix("\n").isprintable():
            yield "a line that cannot be read"
        if found.out:
            yield "bad input prints an answer"
        # Of two files the second may meet a device that is full.
        if found.files and "cannot be written" not in found.err:
            yield f"bad input writes {', '.join(found.files)}"
    if found.code in WORDS and "--json" in found.call and "--help" not in found.call:
        yield from _json_faults(found)
    yield from _late(found)
    if found.code in (0, 1, 3):
        yield from _certificate_faults(found, folder)


def _json_faults(found: Ran) -> Iterator[str]:
    try:
        lines = found.out.splitlines() if "--stream" in found.call else [found.out]
        *_, answer = (json.loads(x, object_pairs_hook=_once, parse_constant=_no) for x in lines)
    except ValueError as error:
        yield f"no JSON: {error}"
        return
    if answer.get("verdict") not in WORDS[found.code or 0]:
        yield f"verdict {answer.get('verdict')} with exit code {found.code}"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def _no(constant: str) -> NoReturn:
    raise ValueError(constant)


def _late(found: Ran) -> Iterator[str]:
    """Whether the time was kept; a process takes no more of a core than it takes on the clock."""
    given = [w.removeprefix("--timeout=") for w in found.call if w.startswith("--timeout=")]
    if found.code in (0, 1, 3) and len(given) == 1 and found.cpu > float(given[0]) + LATE + 1:
        yield f"{found.cpu:.1f} s of {given[0]} s"


def _certificate_faults(found: Ran, folder: Path) -> Iterator[str]:
    """Every certificate is accepted, one that was asked for is there or is said to be missing."""
    proofs = [file for file in found.files if re.search(r"\.cert\.jsonl(\.gz)?$", file)]
    asked = [w.removeprefix("--certificate=") for w in found.call if w.startswith("--certificate=")]
    own = [file for file in asked if found.files.get(file) is not None]
    if asked and not own and not _is_told(found, folder / asked[0]):
        yield "no certificate, and no word of it"
    paths = [str(folder / file) for file in {*proofs, *own}]
    shards = any(w.startswith("--shards") for w in found.call)
    for path in paths if not shards else ():
        (result,) = json.loads(printed("--json", path))["results"]
        if result["verdict"] != "ACCEPTED":
            yield f"{result['verdict']} {result['code']}: {result['why']}"
        elif path in [str(folder / file) for file in own]:
            yield from _other_claim(found, path, result["claim"])


def _is_told(found: Ran, path: Path) -> bool:
    """It is elsewhere, or on a device, which keeps nothing; else stderr says that there is none."""
    return "no certificate is written" in found.err or path.exists()


def _other_claim(found: Ran, path: str, sentence: str) -> Iterator[str]:
    """Whether the claim is about the network and the domain that were named."""
    call = list(found.call)
    for option in ("--domain", "--layer"):
        values = [w.partition("=")[2] for w in call if w.startswith(f"{option}=")]
        values += [call[k + 1] for k, w in enumerate(call[:-1]) if w == option]
        if not values or call[0] in ELSEWHERE:
            continue
        is_at = any(word.startswith("--at") for word in call)
        if option == "--layer" and not is_at and f"layer {int(values[0])} " not in sentence:
            yield f"layer {values[0]} is not in: {sentence}"
        if option == "--domain" and "--slice" not in " ".join(call):
            # The checker reads no unions of boxes.
            told = printed("--json", f"--domain={values[0]}", path)
            for result in json.loads(told)["results"] if told else ():
                if result["verdict"] != "ACCEPTED":
                    yield f"domain {values[0]}: {result['why']}: {sentence}"
