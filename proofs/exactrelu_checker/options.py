"""What the user says a claim must be about: networks and a domain of his own.

These files are the user's, so they are trusted for what they say; what is not understood is
an error. ``exactrelu-network/1`` has weights and bias as strings or JSON integers; the
canonical bytes of a network are read too. A domain is ``R``, ``orthant``,
``box:lo..hi,lo..hi…``, the same as ``box:lo,hi;lo,hi…`` (one interval: all coordinates), or
a file ``exactrelu-polyhedron/1``.

The ledger: a line ``claim-sha256 file-sha256 version`` for each file that was accepted. It
is the user's own too, and what it says is believed, as far as it is of this version of the
checker: that the claims hold. A line is added after all that its file owes was found there,
so that no claims prove each other. A file whose line is there is not checked again. (If it
changes while it is read, its line has a claim that was proved, with the sha256 of other
bytes: which have another claim, that is another line, or one that was proved.) A line is
written at once, to the end of the file: several processes may share it.

A folder of ``--shards``: its pieces are checked first, and what was accepted of them in
this call is the ledger of its whole, which then trusts nothing.

What must be read to believe a method: the modules that are loaded for it, and their size.

Not counted are this module, ``main`` and ``program``, which only read arguments and print
verdicts. (Whoever trusts a ledger reads ``ledger_of``.)
"""

import argparse
import hashlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from inspect import getsource
from itertools import islice
from math import lcm
from typing import Any, NoReturn

from . import __version__
from .check import Outcome, Question, check_file, proved
from .claims import KINDS, Claim, methods, sha256
from .file import Limits, Proof, canonical
from .main import printable
from .numbers import Row, opposite, paired
from .objects import Network, System, normal_form, read_network, system_of

_LINE = re.compile("[0-9a-f]{64} [0-9a-f]{64} [!-~]+\n")
_CERTIFICATE = re.compile(r"\.cert\.jsonl(\.gz)?$")
_PIECE = 65_536  # characters that are read at once
_NUMBER = re.compile(r"[+-]?(\d+(/\d+)?|(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?)", re.ASCII)


def bounded(limits: Limits) -> Limits:
    """Return limits whose lines fit the memory, and keep to it where the system has such a
    limit.

    What a line says takes at most five times what it weighs. Where memory ends there is a
    MemoryError, and the verdict is LIMIT.
    """
    if find_spec("resource"):
        system = import_module("resource")
        _, most = system.getrlimit(system.RLIMIT_DATA)
        memory = limits.memory if most < 0 else min(limits.memory, most)
        system.setrlimit(system.RLIMIT_DATA, (memory, most))
    return limits._replace(line=min(limits.line, limits.memory // 8 + 1))


def require_apart(options: argparse.Namespace, named: Iterable[str] = ()) -> None:
    """Refuse to write to what is read: these files, and those that the options name."""
    read = [*options.network, *filter(None, (options.domain, options.manifest)), *named]
    for path in options.files:
        try:
            read += _pieces(path)
        except OSError:
            # A file; or a folder that nobody can read, which is said in its turn.
            read.append(path)
    outputs = [*filter(None, [options.summary]), "/dev/stdout", "/dev/stderr"]
    for written, others in ((options.ledger, read), (outputs, [*read, *options.ledger])):
        known = set(map(_identity, others))
        for path in written:
            if _identity(path) in known:
                raise ValueError(f"{path}: is read, so nothing may be written to it")


def _identity(path: str) -> object:
    """Return what tells a file from others, whatever it is called."""
    if os.path.isfile(path):
        found = os.stat(path)
        return found.st_dev, found.st_ino
    return os.path.abspath(path)


def load_network(path: str, most: int = Limits().line) -> Network:
    """Return the network in a file, of which at most about so many characters are read."""
    if path.lower().endswith((".onnx", ".onnx.gz")):
        raise ValueError(f"an ONNX file: `exactrelu convert {path} net.json`, or pin "
                         "its sha256 in the manifest")  # fmt: skip
    value = _load(path, most)
    if "format" not in value:
        return read_network(value)
    if value["format"] != "exactrelu-network/1":
        raise ValueError("not an exactrelu-network/1 file")
    _known(value, "format", "layers", "name", "inputs", "outputs")
    layers: list[dict[str, Any]] = []
    for layer in value["layers"]:
        _known(layer, "weights", "bias", "neurons", "linear")
        pairs = paired(layer["weights"], layer["bias"])
        rows = [[*map(rational, weights), rational(bias)] for weights, bias in pairs]
        den = lcm(*(entry.denominator for row in rows for entry in row))
        numerators = [[f"{int(entry * den):x}" for entry in row] for row in rows]
        linear = {"linear": [n - 1 for n in layer["linear"]]} if layer.get("linear") else {}
        matrix = {"inputs": len(rows[0]) - 1, "matrix": [f"{den:x}", numerators]}
        layers.append({**matrix, "outputs": len(rows), **linear})
    # The reader of claims checks the shapes, so that both kinds of file meet the same
    # rules.
    return read_network({"layers": layers})


def domain_of(text: str, most: int = Limits().line) -> Callable[[int], System]:
    """Return the domain that is meant, in normal form, as a function of the dimension."""
    if text in ("R", "orthant"):
        return lambda dim: _box(dim, [[Fraction(0)] * (text == "orthant")] * dim)
    if not text.lower().startswith("box:"):
        rows = _load_polyhedron(text, most)
        return lambda dim: _system(dim, rows)
    within, between = ("..", ",") if ".." in text else (",", ";")
    sides = [
        [rational(end) for end in side.split(within)] for side in text[4:].split(between)
    ]
    # Of 0...5 nobody knows where the first number ends.
    if "..." in text or any(len(side) != 2 or side[0] > side[1] for side in sides):
        raise ValueError("a box is box:lo..hi,lo..hi or box:lo,hi;lo,hi")
    return lambda dim: _box(dim, sides * dim if len(sides) == 1 else sides)


def _box(dim: int, sides: Sequence[Sequence[Fraction]]) -> System:
    """Return the box with these lower and upper ends; one that is left out is infinite."""
    ends = [(i, *end) for i, side in enumerate(sides) for end in zip((1, -1), side)]
    zeros = (0,) * len(sides)
    rows: list[Sequence[Fraction | int]] = [
        [*zeros[:i], sign, *zeros[i + 1 :], -sign * end] for i, sign, end in ends
    ]
    return _system(dim, [("ge", row) for row in rows])


def _system(dim: int, rows: Sequence[tuple[str, Sequence[Fraction | int]]]) -> System:
    """Return the normal form; two opposite rows are an equation.

    Rows of another length never meet a claim in R^dim. Those that hold everywhere are left
    out.
    """
    rows = [
        (sense, row) for sense, row in rows if any(row[:-1]) or not _holds(sense, row[-1])
    ]
    known = normal_form(
        system_of(dim, [(sense, _integers(row)) for sense, row in rows])
    ).pairs
    flat = {row for sense, row in known if sense == "ge" and ("ge", opposite(row)) in known}
    return normal_form(
        system_of(dim, [("eq" if row in flat else s, row) for s, row in known])
    )


def _integers(row: Sequence[Fraction | int]) -> Row:
    """Return a row times its least common denominator."""
    den = lcm(*(entry.denominator for entry in row))
    return tuple(int(entry * den) for entry in row)


def _holds(sense: str, offset: Fraction | int) -> bool:
    """Tell whether 0·x + offset has its sense."""
    return offset == 0 if sense == "eq" else offset >= 0 if sense == "ge" else offset > 0


def _load_polyhedron(path: str, most: int) -> list[tuple[str, list[Fraction]]]:
    value = _load(path, most)
    if value.get("format") != "exactrelu-polyhedron/1":
        raise ValueError("not an exactrelu-polyhedron/1 file")
    _known(value, "format", "inequalities", "equations")
    rows = []
    for name, sense in (("inequalities", "ge"), ("equations", "eq")):
        for item in value.get(name, []):
            _known(item, "normal", "offset", *["strict"] * (sense == "ge"))
            own = {True: "gt", False: sense}[item.get("strict", False)]
            rows.append((own, [*map(rational, item["normal"]), rational(item["offset"])]))
    return rows


def ledger_of(path: str) -> Callable[[Proof, Claim], str]:
    """Return the check of a proof that believes the lines of a file, and adds one of its
    own.
    """
    lines = list[str]()
    with open(path, "a+", encoding="latin-1") as file:
        file.seek(0)
        while line := file.readline(_PIECE):
            lines.append(line)
            if not _LINE.fullmatch(line):
                why = f"line {len(lines)} is not 'claim-sha256 file-sha256 version'"
                raise ValueError(f"{path}: {why}")
    known = {
        x for line in lines if line.endswith(f" {__version__}\n") for x in (line, line[:64])
    }

    def noted(proof: Proof, claim: Claim) -> str:
        at = proof.file.tell()
        # All bytes are read, also those of which the proof knows nothing.
        proof.spend(proof.file.seek(0, os.SEEK_END) >> 6)
        proof.file.seek(0)
        digest = hashlib.file_digest(proof.file, "sha256").hexdigest()
        proof.file.seek(at)
        line = f"{sha256(canonical(proof.stated))} {digest} {__version__}\n"
        if line in known:
            return "checked before; trusts the ledger"
        found = proved(proof, claim, known)
        with open(path, "a", encoding="ascii") as file:
            file.write(line)
        known.update((line, line[:64]))
        return found

    return noted


def checked(path: str, question: Question) -> Iterator[Outcome]:
    """Yield the verdict on a file; on the pieces of a folder that are refused, and on the
    whole.
    """
    if os.path.isdir(path):
        yield from _checked_folder(path, question)
    else:
        yield check_file(path, question)


def _checked_folder(folder: str, question: Question) -> Iterator[Outcome]:
    """Check the pieces, of which just what the whole owes is asked, and the whole last."""
    try:
        paths = _pieces(folder)
    except OSError as error:
        yield Outcome(folder, "UNREADABLE", code="unreadable", why=f"{error.strerror}")
        return
    wholes = [path for path in paths if os.path.basename(path).startswith("whole.")]
    if len(wholes) == 1:
        yield from _Folder(question).checked({*paths} - {*wholes}, *wholes)
    else:
        why = "a folder of --shards has one file whole.cert.jsonl.gz, this one has "
        yield Outcome(folder, "UNREADABLE", code="no-whole", why=f"{why}{len(wholes)}")


class _Folder:
    """The pieces of a whole that were accepted, by the sha256 of their claims."""

    def __init__(self, question: Question) -> None:
        self._question, self._is_own = question, question.proved is proved
        self._accepted = dict[str, Outcome]()
        self._last = list[Proof]()

    def _proved(self, proof: Proof, claim: Claim) -> str:
        self._last[:] = [proof]
        if self._is_own:
            return proved(proof, claim, self._accepted)
        return self._question.proved(proof, claim)

    def checked(self, pieces: Iterable[str], whole: str) -> Iterator[Outcome]:
        """Yield the verdicts on pieces that are refused, and on the whole."""
        for path in sorted(pieces):
            found = check_file(path, Question(self._question.limits, proved=self._proved))
            if found.verdict == "ACCEPTED":
                self._accepted[sha256(canonical(self._last[0].stated))] = found
            else:
                yield found
        found = check_file(whole, self._question._replace(proved=self._proved))
        if found.verdict == "ACCEPTED" and not found.trusts.startswith("checked before"):
            owed = {*self._last[0].owed}
            fuel = max(outcome.fuel for outcome in (found, *self._accepted.values()))
            for piece in (x for claim, x in self._accepted.items() if claim not in owed):
                yield piece._replace(trusts=f"{piece.trusts}; no piece of the whole")
            trusts = f"by shards; trusts NOTHING (all {len(owed)} checked here)"
            is_whole = owed and self._is_own
            found = found._replace(fuel=fuel, trusts=trusts if is_whole else found.trusts)
        yield found


def _pieces(folder: str) -> list[str]:
    """Return the certificates in a folder."""
    names = sorted(name for name in os.listdir(folder) if _CERTIFICATE.search(name))
    return [os.path.join(folder, name) for name in names]


def rational(value: Any) -> Fraction:
    """Return the exact number of an integer or a string such as -3/4 or 0.125."""
    if type(value) is int or isinstance(value, Fraction):
        return Fraction(value)
    # A JSON float is refused: 0.1 may mean the decimal or the double.
    if not isinstance(value, str) or not _NUMBER.fullmatch(value.strip()):
        raise ValueError(
            f"{str(value)[:40]!r}: an integer, or a string such as -3/4 or 0.125"
        )
    num, _, den = value.strip().partition("/")
    # Decimals are exact, of any length; int() stops at 4,300 digits.
    return Fraction(Decimal(num)) / Fraction(Decimal(den or "1"))


def _load(path: str, most: int) -> Any:
    with open(path, encoding="utf-8") as file:
        # In pieces, as what has no end would be kept first, or room for all that is
        # allowed.
        pieces = islice(iter(lambda: file.read(_PIECE), ""), most // _PIECE + 1)
        text = "".join(pieces)
        if file.read(1):
            raise ValueError(f"{path}: more characters than --max-line, {most}")
    try:
        value = json.loads(
            text, parse_int=lambda n: int(n) if len(n) <= 15 else rational(n)
        )
    except RecursionError as error:
        raise ValueError(f"{path}: lists within lists within lists") from error
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def _known(value: Any, *names: str) -> None:
    if not isinstance(value, dict) or not value.keys() <= set(names):
        raise ValueError(f"an object with the fields {', '.join(names)} is needed")


_PROGRAM = (__name__, f"{__package__}.main", f"{__package__}.program")


def print_trust(asked: str) -> int:
    """Print the modules that are loaded for a kind and method, with their lines of code."""
    kind, _, method = asked.partition(":")
    known = methods(kind) | methods(f"not {kind}") if kind in KINDS else {}
    names = [module for name, (module, _) in known.items() if method in ("", name)]
    if not names:
        raise ValueError(f"no kind and method {asked!a}")
    for name in ("check", KINDS[kind], *names):
        import_module(f".{name}", __package__)
    loaded = sorted(name for name in sys.modules if name.startswith(f"{__package__}."))
    sources = {
        name: getsource(sys.modules[name]) for name in loaded if name not in _PROGRAM
    }
    for name, source in sources.items():
        print(f"{code_lines(source):6} {name}")
    parts = re.findall(r'(?:Claim\("|prove_(?=equal))([a-z-]+)', "".join(sources.values()))
    for part in sorted(set(parts)):
        print(f"       and what --trust {part} lists, for a proof within the proof")
    for name in sorted({*re.findall(r'from_module\("(\w+)"', "".join(sources.values()))}):
        before = {*sys.modules}
        import_module(f".{name}", __package__)
        more = sorted({*sys.modules} - before)
        if more:
            print(f"       and where a file has records of {name}: {' '.join(more)}")
    for name, part in (("facts", "kind of each fact"), ("shards", "method of each shard")):
        if f"{__package__}.{name}" in sources:
            print(f"       and what --trust lists for the {part}")
    print(f"{sum(map(code_lines, sources.values())):6} lines of code for {asked}")
    return 0


def code_lines(source: str) -> int:
    """Return the number of lines of a module that are not blank, comments or docstrings."""
    code = re.sub(r'"""[\s\S]*?"""', "", source)
    return sum(line.strip()[:1] not in ("", "#") for line in code.splitlines())


def _positive(text: str) -> int:
    if (number := int(text)) <= 0:
        raise ValueError("a limit is positive")
    return number


class _Parser(argparse.ArgumentParser):
    """A parser that takes one value of an option, and says what could not be written."""

    given = frozenset[str]()

    def _get_values(self, action: argparse.Action, values: list[str]) -> Any:
        if action.option_strings:
            # Nothing is meant by "", and argparse reads --domain=-- as the end of the
            # options.
            if values in ([""], ["--"]):
                raise argparse.ArgumentError(
                    action, f"found {values[0]!r}, expected a value"
                )
            if action.dest in self.given:
                raise argparse.ArgumentError(action, "given twice")
            self.given |= {action.dest} - {"network"}
        return super()._get_values(action, values)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and where to read what is right."""
        self.exit(2, f"{self.prog}: error: {printable(message)} (see --help)\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        file.write(message)


# Arguments with a value: its name, and what is said of them.
_VALUED = (
    ("--manifest", "FILE", "check what a list certificates.toml names and pins"),
    ("--domain", "D", "refuse another domain: R, orthant, box:lo..hi,..., or FILE"),
    ("--expect", "CLAIM", "refuse another claim: KIND, not KIND, or the sentence"),
    ("--trust", "KIND[:METHOD]", "list the modules that a kind uses, and stop"),
    ("--summary", "FILE.md", "add a table in Markdown to a file"),
)
_FILES = "certificate, gzipped or not; or a folder of --shards"
_WHOLE = "--format statement: all of each accepted claim, and what its words mean"
_VERIFIED = "ask the program that is proved to be sound too"


def parser(about: str) -> argparse.ArgumentParser:
    """Return the parser of the arguments of the program."""
    parser = _Parser("exactrelu-check", description=about, allow_abbrev=False)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help=_FILES)
    for name, value, said in _VALUED:
        add(name, metavar=value, help=said)
    again = "refuse another; again for N2"
    add("--network", action="append", default=[], metavar="F", help=again)
    add(
        "--ledger",
        nargs=1,
        default=[],
        metavar="L",
        help="your record of what was accepted",
    )
    nothing = "refuse what quotes a theorem: nothing does"
    add("--no-theorems", action="store_true", help=nothing)
    add("--verified", action="store_true", help=_VERIFIED)
    add("--format", choices=("text", "json", "github", "statement"), help="default text")
    add("--json", action="store_const", dest="format", const="json", help="--format json")
    add("--statement", action="store_const", dest="format", const="statement", help=_WHOLE)
    add("--version", action="version", version=f"exactrelu-check {__version__}")
    for name, most in Limits._field_defaults.items():
        said = f"default {most}"
        add(f"--max-{name}", type=_positive, default=most, metavar="N", help=said)
    return parser
