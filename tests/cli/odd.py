"""Calls of every command with odd values, two arguments at a time.

A call begins with an example of :mod:`tests.cli.test_certified`, whose files are copied, and two
arguments are changed or added: to what a reader could mean, or to what nobody means. What is
declared of commands says which there are, so that a new option takes part.
"""

from __future__ import annotations

import json
import os
import random
import shlex
import shutil
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from exactrelu.cli.command import EVERYWHERE
from exactrelu.cli.given import CommandArgument
from exactrelu.cli.main import COMMANDS
from tests.cli.test_certified import CASES, DATA, EXAMPLES, make_files, places

#: What nobody means: empty, long, no text, no number, no file, a device, a folder.
ODD = (
    *("", " ", "-", "--", "x" * 5000, "ß∞漢", "\u200b", "\x01", "\x1b[31m", "\udcff", "a\nb", "%s"),
    *("-1", "0", "+1", " 1", "01", "1.0", "1" * 31, "1/0", "-1/2", "nan", "inf", "1e400", "1e-400"),
    *("0x10", "1_000", "１", "=", "a=", "=a", "example:", "example:nope", "box:", ","),
    *("missing", "missing/x.json", ".", "/dev/null", "/dev/full", "/proc/nope.json", "x.json"),
    *("x.npz", "x.onnx", "x.txt", "{tmp}/folder", "{tmp}/nothing.json", "{tmp}/points.json"),
    *("{tmp}/value.cert.jsonl", "{cases}/xor/network.json", "{tmp}/random.bin"),
)
DOMAINS = (
    *("R", "orthant", "box:-1..1", "box:0,1;1,1", "box:0..0", "box:1..0", "box:0..1,2..1", "image"),
    *("box:0..1,0..1,0..1,0..1,0..1", "box:0...5", "box:nan..1", "box:1/0..1", "Box:0..1", "r"),
    *("box:-1e400..1e400", "box:0..1;0..1", "{tmp}/strict.json", "{tmp}/quadrant.json"),
    *("{tmp}/empty.json", "{tmp}/union.json", "{tmp}/segment.json"),
)
POINTS = (
    *("0", "0,0", "1,-1", "1/2,1/3", "0,0,0,0,0,0", ",", "1,", "1,,1", "(1,1)", "[1,1", "1;1"),
    *("1e400,0", "-1 -1", "nan,0", "2,2,2,1", "2,2,1", "1", "2", "1,2,3"),
)
#: What arguments with these metavars are about.
MEANT = {
    "D": DOMAINS,
    "BASE;D1;D2;…": ("0,0;1,0", "0,0;0,0", "0,0;1,0;0,1", "0,0;1,0;2,0", ";", "0,0;", "0;1"),
    "NAME=D": ("a=R", "a=box:1..0", "a=box:-1..1"),
    "NAME=NET": ("a={cases}/xor/network.json", "a=missing"),
    "NAME=FILE": ("N={cases}/xor/network.json", "f={tmp}/doubled.json", "f=missing"),
    "NAME=N": ("N=1", "N=0", "N=-1", "N=1000000000"),
    "PANELS": ("folds", "dual", "complex,complex", "complex,nope"),
    "C": ("pattern", "map"),
    "SENSE": ("general", "generic", "masked-rank", "non-proportional", "Generic"),
    "CLAIM": ("value", "not value", "regions", "not"),
    "LEMMA": ("S000", "S003-lemma-1", "s000-bend"),
    "NAME": ("+", "-", "++", "2", "2,3", "9,9", "0"),
    "OTHER": ("{cases}/xor/network.json", "{flips}/A23_t5.json"),
    "NET2": ("{cases}/xor/network.json", "{tmp}/doubled.json"),
    "NET": ("{cases}/xor/network.json", "{tmp}/doubled.json", "{tmp}/thin.json", "{tmp}/pair.json"),
    "OUT": ("y.json", "y.svg", "y.html", "y.dot", "y.toml", "y.json.gz"),
    "DIR": ("new", "new/new"),
    "FOLDER": ("{tmp}/folder", "new"),
    "--certificate": ("proof.cert.jsonl", "proof.cert.jsonl.gz", "{xor}"),
    "FILE": ("{triangle}", "{square}", "{tmp}/value.cert.jsonl", "{cases}/xor/points.csv"),
    "CONSTRAINT": ("y1 <= 1", "y9 <= 1", "y1 <= y1", "0 <= y1 <= 0", "y1", "x1 <= 1"),
    "M": ("1", "500M", "2G", "1T", "-5M", "1.5G", "1k"),
    "S": ("0.001", "1", "1e-9"),
    "L": ("1", "2", "99", "-1"),
    "N": ("1", "2", "3"),
    "EPS": ("1", "1/2", "0"),
}
#: Everything that a command is asked ends by itself; what does not is stopped.
SECONDS = "20"


def make_subjects(folder: Path) -> None:
    """The files of the examples, copies of cases, and odd files."""
    make_files(folder)
    shutil.copytree(CASES, folder / "cases", ignore=shutil.ignore_patterns("acasxu*"))
    shutil.copytree(DATA, folder / "data")
    (folder / "folder").mkdir()
    (folder / "nothing.json").write_text("")
    (folder / "random.bin").write_bytes(random.Random(0).randbytes(500))
    sides = [((1, 0), 1), ((-1, 0), 1), ((0, 1), 1), ((0, -1), 1)]
    rows = [{"normal": list(normal), "offset": offset} for normal, offset in sides]
    strict = [{**row, "strict": True} for row in rows]
    nowhere = [*rows, {"normal": [1, 0], "offset": -2}]
    for name, value in (
        ("strict", {"inequalities": strict}),
        ("empty", {"inequalities": nowhere}),
        ("segment", {"inequalities": rows, "equations": [{"normal": [1, 1], "offset": 0}]}),
    ):
        polyhedron = {"format": "exactrelu-polyhedron/1", **value}
        (folder / f"{name}.json").write_text(json.dumps(polyhedron))
    boxes = [[["0", "1"], ["0", "1"]], [["2", "3"], ["0", "1"]]]
    union = {"format": "exactrelu-union/1", "boxes": boxes}
    (folder / "union.json").write_text(json.dumps(union))


def examples(folder: Path) -> dict[str, list[list[str]]]:
    """Calls that mean something, by commands; what they write is in the working folder."""
    found: dict[str, list[list[str]]] = {command.name: [] for command in COMMANDS}
    for example in EXAMPLES:
        words = [copied(word, folder) for word in shlex.split(example.line)]
        for k, word in enumerate(words):
            is_out = words[k - 1] in ("-o", "--perturb", "--duals")
            if is_out or (words[0] == "convert" and k == 2):
                words[k] = os.path.basename(word)
        found[words[0]].append(words)
    # The manifest and what it pins are in one folder.
    found["pin"] = [["pin", "{tmp}/value.cert.jsonl", "--unnamed", "-o", "pins.toml"]]
    found["pin"][0][1] = copied(found["pin"][0][1], folder)
    return found


def copied(word: str, folder: Path) -> str:
    for name, path in places(folder).items():
        word = word.replace(f"{{{name}}}", path)
    return word.replace(str(CASES), f"{folder}/cases").replace(str(DATA), f"{folder}/data")


def values(argument: CommandArgument, rng: random.Random, folder: Path) -> str | None:
    """A value that a reader could mean, or an odd one; None for a switch."""
    options = argument.options
    if options.get("action") == "store_true":
        return None
    by_name = MEANT.get(argument.name, MEANT.get(options.get("metavar", ""), ()))
    meant = tuple(options.get("choices", by_name))
    if not meant and "," in options.get("metavar", ""):
        meant = POINTS
    if argument.name.startswith("--max-") and not meant:
        meant = ("1", "2", "100")
    return copied(rng.choice(meant if meant and rng.random() < 0.6 else ODD), folder)


def with_value(call: list[str], argument: CommandArgument, value: str | None) -> list[str]:
    """The call, with another value of an argument or one more argument."""
    if not argument.name.startswith("-"):
        return _with_positional(call, argument, value or "")
    if value is None:
        return [*call, argument.name]
    given = f"{argument.name}={value}"
    for name in argument.names:
        if name in call[1:] and options_once(argument):
            k = call.index(name, 1)
            return [*call[:k], given, *call[k + 2 :]]
    if any(word.startswith(f"{argument.name}=") for word in call) and options_once(argument):
        return [given if w.startswith(f"{argument.name}=") else w for w in call]
    return [*call, given]


def options_once(argument: CommandArgument) -> bool:
    return argument.options.get("action") != "append"


def _with_positional(call: list[str], argument: CommandArgument, value: str) -> list[str]:
    own = next(command for command in COMMANDS if command.name == call[0])
    names = [a.name for a in own.arguments if not a.name.startswith("-")]
    k = 1 + names.index(argument.name)
    if k >= len(call) or call[k].startswith("--"):
        return [call[0], value, *call[1:]]
    return [*call[:k], value, *call[k + 1 :]]


def pairs() -> list[tuple[str, CommandArgument, CommandArgument]]:
    """Two arguments of each command, in all ways."""
    return [
        (command.name, first, second)
        for command in COMMANDS
        for first, second in combinations((*command.arguments, *EVERYWHERE), 2)
    ]


def calls(rng: random.Random, folder: Path) -> Iterator[list[str]]:
    """Calls without end: each pair of arguments in turn, and now and then what is odder still."""
    known = examples(folder)
    while True:
        for name, first, second in rng.sample(pairs(), len(pairs())):
            call = rng.choice(known[name])
            for argument in (first, second):
                call = with_value(call, argument, values(argument, rng, folder))
            if not any(word.startswith("--timeout") for word in call):
                call = [*call, "--timeout", SECONDS]
            yield odder(call, rng) if rng.random() < 0.1 else call


def odder(call: list[str], rng: random.Random) -> list[str]:
    """Options given twice, abbreviated, of another command or before it, or a word more."""
    other = rng.choice(["--layer=1", "--sense=general", "--within=1", "--graph", "--nope", "-x"])
    ways = (
        [*call, call[-2], call[-1]],
        [*call, call[-1]],
        [*call, other],
        ["--json", *call],
        [call[0], "--json", *call[1:]],
        [word[:-2] if word.startswith("--") else word for word in call],
        [word.upper() if word.startswith("--") else word for word in call],
        [*call, ""],
        call[:1],
        [*call, "--", "--help"],
    )
    return list(rng.choice(ways))
