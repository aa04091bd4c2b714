"""What the user says a claim must be about: networks and a domain of his own.

These files are the user's, so they are trusted for what they say; what is not understood is an
error. ``exactrelu-network/1`` has weights and bias as strings or JSON integers; the canonical bytes
of a network are read too. A domain is ``R``, ``orthant``, ``box:lo..hi,lo..hi…``, the same as
``box:lo,hi;lo,hi…`` (one interval: all coordinates), or a file ``exactrelu-polyhedron/1``.

The ledger: a line ``claim-sha256 file-sha256 version`` for each file that was accepted. It is the
user's own too, and what it says is believed, as far as it is of this version of the checker: that
the claims hold. A line is added after all that its file owes was found there, so that no claims
prove each other. A file whose line is there is not checked again. (If it changes while it is read,
its line has a claim that was proved, with the sha256 of other bytes: which have another claim, that
is another line, or one that was proved.) A line is written at once, to the end of the file: several
processes may share it.

What must be read to believe a method: the modules that are loaded for it, and their size.

Not counted are this module and ``main``, which only reads arguments and prints verdicts. (Whoever
trusts a ledger reads ``ledger_of``.)
"""

import hashlib
import json
import re
import sys
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from inspect import getsource
from math import lcm
from typing import Any

from . import __version__
from .check import proved
from .claims import KINDS, Claim, methods, sha256
from .file import Proof, canonical
from .numbers import Row, opposite
from .objects import Network, System, normal_form, read_network, system_of

_LINE = re.compile("[0-9a-f]{64} [0-9a-f]{64} [!-~]+\n")
_NUMBER = re.compile(r"[+-]?(\d+(/\d+)?|(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?)", re.ASCII)


def load_network(path: str) -> Network:
    """Return the network in a file."""
    if path.lower().endswith((".onnx", ".onnx.gz")):
        raise ValueError(f"an ONNX file: `exactrelu convert {path} net.json`, or pin its sha256 "
                         "in the manifest")  # fmt: skip
    value = _load(path)
    if "format" not in value:
        return read_network(value)
    if value["format"] != "exactrelu-network/1":
        raise ValueError("not an exactrelu-network/1 file")
    _known(value, "format", "layers", "name", "inputs", "outputs")
    layers: list[dict[str, Any]] = []
    for layer in value["layers"]:
        _known(layer, "weights", "bias", "neurons", "linear")
        pairs = zip(layer["weights"], layer["bias"], strict=True)
        rows = [[*map(rational, weights), rational(bias)] for weights, bias in pairs]
        den = lcm(*(entry.denominator for row in rows for entry in row))
        numerators = [[f"{int(entry * den):x}" for entry in row] for row in rows]
        linear = {"linear": [n - 1 for n in layer["linear"]]} if layer.get("linear") else {}
        matrix = {"inputs": len(rows[0]) - 1, "matrix": [f"{den:x}", numerators]}
        layers.append({**matrix, "outputs": len(rows), **linear})
    # The reader of claims checks the shapes, so that both kinds of file meet the same rules.
    return read_network({"layers": layers})


def domain_of(text: str) -> Callable[[int], System]:
    """Return the domain that is meant, in normal form, as a function of the dimension."""
    if text in ("R", "orthant"):
        return lambda dim: _box(dim, [[Fraction(0)] * (text == "orthant")] * dim)
    if not text.lower().startswith("box:"):
        rows = _load_polyhedron(text)
        return lambda dim: _system(dim, rows)
    within, between = ("..", ",") if ".." in text else (",", ";")
    sides = [[rational(end) for end in side.split(within)] for side in text[4:].split(between)]
    # Of 0...5 nobody knows where the first number ends.
    if "..." in text or any(len(side) != 2 or side[0] > side[1] for side in sides):
        raise ValueError("a box is box:lo..hi,lo..hi or box:lo,hi;lo,hi")
    return lambda dim: _box(dim, sides * dim if len(sides) == 1 else sides)


def _box(dim: int, sides: Sequence[Sequence[Fraction]]) -> System:
    """Return the box with these lower and upper ends; one that is left out is infinite."""
    axes = range(len(sides))
    ends = [(i, *end) for i in axes for end in zip((1, -1), sides[i], strict=False)]
    rows = [[*(Fraction(sign * (i == j)) for j in axes), -sign * end] for i, sign, end in ends]
    return _system(dim, [("ge", row) for row in rows])


def _system(dim: int, rows: Sequence[tuple[str, Sequence[Fraction]]]) -> System:
    """Return the normal form; two opposite rows are an equation.

    Rows of another length never meet a claim in R^dim. Those that hold everywhere are left out.
    """
    rows = [(sense, row) for sense, row in rows if any(row[:-1]) or not _holds(sense, row[-1])]
    known = normal_form(system_of(dim, [(sense, _integers(row)) for sense, row in rows])).pairs
    flat = {row for sense, row in known if sense == "ge" and ("ge", opposite(row)) in known}
    return normal_form(system_of(dim, [("eq" if row in flat else s, row) for s, row in known]))


def _integers(row: Sequence[Fraction]) -> Row:
    """Return a row times its least common denominator."""
    den = lcm(*(entry.denominator for entry in row))
    return tuple(int(entry * den) for entry in row)


def _holds(sense: str, offset: Fraction) -> bool:
    """Tell whether 0·x + offset has its sense."""
    return offset == 0 if sense == "eq" else offset >= 0 if sense == "ge" else offset > 0


def _load_polyhedron(path: str) -> list[tuple[str, list[Fraction]]]:
    value = _load(path)
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
    """Return the check of a proof that believes the lines of a file, and adds one of its own."""
    with open(path, "a+", encoding="latin-1") as file:
        file.seek(0)
        lines = file.readlines()
    for number, line in enumerate(lines, 1):
        if not _LINE.fullmatch(line):
            raise ValueError(f"{path}: line {number} is not 'claim-sha256 file-sha256 version'")
    known = {x for line in lines if line.endswith(f" {__version__}\n") for x in (line, line[:64])}

    def noted(proof: Proof, claim: Claim) -> str:
        at = proof.file.tell()
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


def rational(value: Any) -> Fraction:
    """Return the exact number of an integer or a string such as -3/4 or 0.125."""
    if type(value) is int or isinstance(value, Fraction):
        return Fraction(value)
    # A JSON float is refused: 0.1 may mean the decimal or the double.
    if not isinstance(value, str) or not _NUMBER.fullmatch(value.strip()):
        raise ValueError(f"{str(value)[:40]!r}: an integer, or a string such as -3/4 or 0.125")
    num, _, den = value.strip().partition("/")
    # Decimals are exact, of any length; int() stops at 4,300 digits.
    return Fraction(Decimal(num)) / Fraction(Decimal(den or "1"))


def _load(path: str) -> Any:
    with open(path, encoding="utf-8") as file:
        value = json.load(file, parse_int=lambda n: int(n) if len(n) <= 15 else rational(n))
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def _known(value: Any, *names: str) -> None:
    if not isinstance(value, dict) or not value.keys() <= set(names):
        raise ValueError(f"an object with the fields {', '.join(names)} is needed")


_PROGRAM = (__name__, f"{__package__}.main")


def print_trust(asked: str) -> int:
    """Print the modules that are loaded for a kind and method, with their lines of code."""
    kind, _, method = asked.partition(":")
    known = methods(kind, True) | methods(kind, False) if kind in KINDS else {}
    names = [module for name, module in known.items() if method in ("", name)]
    if not names:
        raise ValueError(f"no kind and method {asked!a}")
    for name in ("check", KINDS[kind][0], *names):
        import_module(f".{name}", __package__)
    loaded = sorted(name for name in sys.modules if name.startswith(f"{__package__}."))
    sources = {name: getsource(sys.modules[name]) for name in loaded if name not in _PROGRAM}
    for name, source in sources.items():
        print(f"{code_lines(source):6} {name}")
    parts = re.findall(r'(?:Claim\("|prove_(?=equal))([a-z-]+)', "".join(sources.values()))
    for part in sorted(set(parts)):
        print(f"       and what --trust {part} lists, for a proof within the proof")
    for name, part in (("facts", "kind of each fact"), ("shards", "method of each shard")):
        if f"{__package__}.{name}" in sources:
            print(f"       and what --trust lists for the {part}")
    print(f"{sum(map(code_lines, sources.values())):6} lines of code for {asked}")
    return 0


def code_lines(source: str) -> int:
    """Return the number of lines of a module that are not blank, comments or docstrings."""
    code = re.sub(r'"""[\s\S]*?"""', "", source)
    return sum(line.strip()[:1] not in ("", "#") for line in code.splitlines())
