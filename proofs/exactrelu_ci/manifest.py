"""Read a manifest: which certificates there must be, and what each of them must say.

    format = "exactrelu-manifest/1"
    directory = "certificates"                 # every certificate below it must be listed
    [networks.full]
    file = "models/full.json"                  # exactrelu-network/1; or sha256, as sentences say it
    source = "models/full.onnx"                # what it was converted from, byte by byte
    source-sha256 = "ab12…"
    [domains.envelope]
    box = "box:-1..1,0..2"                     # or file, exactrelu-polyhedron/1, and inside = […]
    [[certificate]]
    file = "certificates/within.cert.jsonl"
    kind = "within"                            # the statement; holds = false for its negation
    networks = ["full", "small"]               # in the order of the sentence
    domain = "envelope"                        # or R, or orthant
    at-most = {bound = "1/100"}                # a stronger claim is welcome
    fields = {}                                # exactly these values
    max-fuel = 3500000000                      # --max-fuel for this file, where the default is less
    verified = true                            # --verified for this file

Every field of the claim is pinned, by ``networks``, ``domain``, ``fields``, ``at-most`` or
``at-least``. A value among ``fields`` is an integer, a word, a number such as "1/100", a list of
these, {network = "full", layer = 1} for the weights of a layer, or {sha256 = "…"} of the canonical
JSON of what is long. Claims that hold claims name all networks of their sentence. Whatever else
is written is an error: a manifest that is misread is worse than none.

Paths are relative to the folder of the manifest, and do not lead out of it.
"""

import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from math import gcd
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, TypeVar

from exactrelu_checker import claims
from exactrelu_checker.check import Outcome
from exactrelu_checker.claims import KINDS, Kind
from exactrelu_checker.file import Refused
from exactrelu_checker.main import printable
from exactrelu_checker.objects import Matrix, Network, System
from exactrelu_checker.options import domain_of, load_network, rational

from . import FORMAT

LISTED = "networks"  # the field that is a list of networks
HOLDERS = ("counterexample", "facts")  # of claims, whose networks are those of the sentence
_MOST = 1 << 20  # bytes of a manifest
_SHA256 = re.compile("[0-9a-f]{64}")
_LINE = re.compile(r"\bline ([0-9]{1,9}),? col")
T = TypeVar("T")
# Numbers that may be pinned from one side. All others say what a claim is about.
QUANTITIES: Mapping[str, tuple[str, ...]] = {
    "fiber-dimension": ("dimension",),
    "functional-dimension": ("rank",),
    "largest-difference": ("bound",),
    "nonnegative-column-rank": ("columns", "rank"),
    "rank": ("rank",),
    "regions": ("count",),
    "sigma-min": ("bound",),
    "spark": ("spark",),
    "stability": ("bound",),
    "within": ("bound",),
}
_BOTH = ("at-least", "at-most")


class Entry(NamedTuple):
    """A certificate, and what it must say."""

    file: str
    kind: str
    holds: bool
    networks: tuple[str, ...]
    domain: str | None
    fields: Mapping[str, Any]  # JSON, {"sha256": …}, or a Matrix
    at_most: Mapping[str, Fraction]
    at_least: Mapping[str, Fraction]
    max_fuel: int = 0
    verified: bool = False


class Manifest(NamedTuple):
    """Certificates in a directory, with the networks and domains that they are about."""

    folder: Path
    directory: str
    networks: Mapping[str, Network | str]  # the network, or its SHA-256
    domains: Mapping[str, Callable[[int], System]]
    sources: tuple[tuple[str, str], ...]  # files with their SHA-256
    entries: tuple[Entry, ...]


class WrongManifest(ValueError):
    """A list that cannot be read, and the files that are wrong: the manifest, or what it names."""

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        super().__init__("; ".join(f"{outcome.file}: {outcome.why}" for outcome in outcomes))
        self.outcomes = outcomes


def load_manifest(path: str) -> dict[str, Any]:
    """Return the tables of a file; a WrongManifest tells what is wrong with it."""

    def read() -> dict[str, Any]:
        with open(path, "rb") as file:
            data = file.read(_MOST + 1)
        _require(len(data) <= _MOST, f"more than {_MOST:,} bytes")
        return tomllib.loads(data.decode("utf-8"))

    return _right(read_or_why(path, "manifest", read))


def read_manifest(path: str, value: dict[str, Any], most: int) -> Manifest:
    """Return what the tables say, and networks and domains of at most about so many characters.

    A WrongManifest tells which file is wrong, and why.
    """
    folder = Path(path).parent
    return _right(read_or_why(path, "manifest", lambda: _manifest(folder, value, most)))


def named_in(path: str, value: dict[str, Any]) -> list[str]:
    """Return the files that the tables name, whatever else is wrong with them."""
    tables = [item for item in _items(value) if isinstance(item, dict)]
    names = [table.get(key) for table in tables for key in ("file", "source")]
    return [str(Path(path).parent / name) for name in names if isinstance(name, str)]


def _right(found: T | Outcome) -> T:
    if isinstance(found, Outcome):
        raise WrongManifest([found])
    return found


def read_or_why(path: str, what: str, read: Callable[[], T]) -> T | Outcome:
    """Return what is read of a file, or what is wrong with it."""
    try:
        return read()
    except WrongManifest:
        raise
    except OSError as error:
        return Outcome(path, "UNREADABLE", code="unreadable", why=error.strerror or str(error))
    except RecursionError:
        why = "tables within tables within tables"
    except Refused as error:
        why = error.why
    except KeyError as error:
        why = f"{error} is missing"
    except (ValueError, LookupError, TypeError, ArithmeticError) as error:
        why = str(error)
    # What reads JSON and TOML says the line so.
    (line,) = _LINE.findall(why)[:1] or "0"
    return Outcome(path, "UNREADABLE", line=int(line), code=f"wrong-{what}", why=printable(why))


def kind_of(name: str) -> Kind:
    """Return the statement of a name."""
    module = import_module(f"exactrelu_checker.{KINDS[name]}")
    found: Kind = getattr(module, name.replace("-", "_"))
    return found


def network_fields(known: Kind) -> list[str]:
    """Return the fields of a kind that are networks, or a list of them, as its sentences do."""
    names = [f for f, t in known.fields.items() if t in (claims.network, claims.plain_network)]
    names += [LISTED] * (LISTED in known.fields)
    return sorted(names, key=lambda field: known.sentence.find(f"{{{field}}}"))


def _require(test: object, why: str) -> None:
    if not test:
        raise ValueError(why)


def _manifest(folder: Path, value: dict[str, Any], most: int) -> Manifest:
    _require(value.get("format") == FORMAT, f"not {FORMAT}")
    _table(value, "manifest", ["format", "directory", "certificate"], ["networks", "domains"])
    _require_plain(value)
    directory = _path(folder, value["directory"], "directory")
    networks: dict[str, Network | str] = {}
    sources, wrong = [], list[Outcome]()
    for name, given in _table(value.get("networks", {}), "networks", [], None).items():
        where = f"networks.{name}"
        if isinstance(given, dict) and "sha256" in given:
            networks[name] = _digest(_table(given, where, ["sha256"])["sha256"], where)
            continue
        table = _table(given, where, ["file"], ["source", "source-sha256"])
        network = _read(folder, table["file"], where, lambda path: load_network(path, most))
        if isinstance(network, Outcome):
            wrong.append(network)
        else:
            networks[name] = network
        if table.keys() > {"file"}:
            _table(table, where, ["file", "source", "source-sha256"])
            digest = _digest(table["source-sha256"], where)
            sources.append((_path(folder, table["source"], where), digest))
    domains = {"R": domain_of("R"), "orthant": domain_of("orthant")}
    for name, given in _table(value.get("domains", {}), "domains", [], None).items():
        _require(name not in domains, f"domains.{name}: this name is taken")
        domain = _domain(folder, given, f"domains.{name}", most)
        if isinstance(domain, Outcome):
            wrong.append(domain)
        else:
            domains[name] = domain
    if wrong:
        raise WrongManifest(wrong)
    known = Manifest(folder, directory, networks, domains, tuple(sources), ())
    listed = value["certificate"]
    _require(isinstance(listed, list) and listed, "certificate: at least one is needed")
    entries = tuple(_entry(known, given, k) for k, given in enumerate(listed, 1))
    files = [entry.file.casefold() for entry in entries]
    twice = [entry.file for entry in entries if files.count(entry.file.casefold()) > 1]
    _require(not twice, f"listed twice, or but for the case of letters: {', '.join(twice)}")
    return known._replace(entries=entries)


def _table(
    value: Any, where: str, needed: Sequence[str], allowed: Sequence[str] | None = ()
) -> dict[str, Any]:
    """Return a table that has the needed keys and no other than those and the allowed."""
    _require(isinstance(value, dict), f"{where}: a table is needed")
    missing = [key for key in needed if key not in value]
    _require(not missing, f"{where}: {', '.join(missing)} is missing")
    unknown = [key for key in value if allowed is not None and key not in (*needed, *allowed)]
    _require(not unknown, f"{where}: unknown: {', '.join(unknown)}")
    found: dict[str, Any] = value
    return found


def _require_plain(value: Any) -> None:
    """Refuse floats, of which nobody knows what number is meant, and dates."""
    for item in _items(value):
        ok = isinstance(item, dict | list | str | int)
        _require(ok, f'found {item}, expected an integer or a text such as "1/100"')


def _items(value: Any) -> Iterator[Any]:
    """Yield a value and all that is within it."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        yield item
        if isinstance(item, dict | list):
            waiting += item.values() if isinstance(item, dict) else item


def _digest(value: Any, where: str) -> str:
    ok = isinstance(value, str) and _SHA256.fullmatch(value)
    _require(ok, f"{where}: sha256 has 64 digits 0-9, a-f")
    return str(value)


def _path(folder: Path, text: Any, where: str) -> str:
    """Return a path below the folder of the manifest, in its one spelling."""
    ok = isinstance(text, str) and PurePosixPath(text).as_posix() == text
    _require(ok and "\\" not in text, f"{where}: {text!a} is not a path such as a/b")
    _require(not text.startswith("/") and ":" not in text, f"{where}: {text!a} is not relative")
    inside = (folder / text).resolve().is_relative_to(folder.resolve())
    ok = inside and ".." not in text.split("/")
    _require(ok, f"{where}: {text!a} leads out of the folder of the manifest")
    return str(text)


def _read(folder: Path, text: Any, where: str, load: Callable[[str], T]) -> T | Outcome:
    """Return what is in a file that the manifest names, or what is wrong with that file."""
    path = str(folder / _path(folder, text, where))
    why = missing(path)
    if why:
        return Outcome(path, "UNREADABLE", code="missing", why=why)
    return read_or_why(path, where.partition("s.")[0], lambda: load(path))


def missing(path: str) -> str:
    """Return why there is no file of a name, or nothing."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return "the manifest names it, and there is no such file"
    except OSError as error:
        return f"the manifest names it: {error.strerror}"
    is_file = os.path.isfile(path)
    return "" if is_file else "the manifest names it, and it is a folder, or no file that is kept"


def _domain(folder: Path, given: Any, where: str, most: int) -> Callable[[int], System] | Outcome:
    """Return a domain that has a point: no claim about it says nothing."""
    if isinstance(given, dict) and "box" in given:
        text = _table(given, where, ["box"])["box"]
        ok = isinstance(text, str) and text.startswith("box:")
        _require(ok, f"{where}: a box is box:lo..hi,lo..hi")
        return domain_of(text)
    table = _table(given, where, ["file", "inside"])
    point = [rational(entry) for entry in _list(table["inside"], f"{where}: inside")]

    def load(path: str) -> Callable[[int], System]:
        found = domain_of(path, most)
        found(len(point))
        return found

    found = _read(folder, table["file"], where, load)
    for sense, row in () if isinstance(found, Outcome) else found(len(point)).pairs:
        _require(len(row) == len(point) + 1, f"{where}: inside has {len(point)} coordinates")
        value = sum((a * x for a, x in zip(row, point, strict=False)), Fraction(row[-1]))
        ok = value == 0 if sense == "eq" else value > 0
        _require(ok, f"{where}: the point is not inside, so the domain may be empty")
    return found


def _list(value: Any, where: str) -> list[Any]:
    _require(isinstance(value, list), f"{where}: a list is needed")
    found: list[Any] = value
    return found


def _entry(manifest: Manifest, given: Any, number: int) -> Entry:
    """Return an entry that pins every field of its kind, once."""
    optional = [
        "holds",
        "networks",
        "domain",
        "fields",
        "at-most",
        "at-least",
        "max-fuel",
        "verified",
    ]
    table = _table(given, f"certificate {number}", ["file", "kind"], optional)
    file = _path(manifest.folder, table["file"], f"certificate {number}")
    below = manifest.directory == "." or file.startswith(f"{manifest.directory}/")
    _require(below, f"{file}: not in the directory {manifest.directory}")
    name, holds = table["kind"], table.get("holds", True)
    _require(isinstance(name, str) and name in KINDS, f"{file}: no kind {name!a}")
    known = kind_of(name)
    _require(type(holds) is bool, f"{file}: holds is true or false")
    _require(holds or known.negation is not None, f"{file}: {name} has no negation")
    networks = _list(table.get("networks", []), f"{file}: networks")
    subjects = network_fields(known)
    ok = name in HOLDERS or LISTED in subjects or len(networks) == len(subjects)
    _require(ok, f"{file}: {name} is about {len(subjects)} networks, found {len(networks)}")
    _require_names(networks, manifest.networks, f"{file}: networks")
    domain = table.get("domain")
    _require_names([domain] * ("domain" in table), manifest.domains, f"{file}: domain")
    exact = _table(table.get("fields", {}), f"{file}: fields", [], None)
    sides = {
        side: {field: rational(bound) for field, bound in _table(bounds, file, [], None).items()}
        for side, bounds in ((side, table.get(side, {})) for side in _BOTH)
    }
    pinned = [*exact, *sides["at-most"].keys() | sides["at-least"].keys()]
    pinned += ["domain"] * ("domain" in table)
    wanted = [field for field in known.fields if field not in subjects]
    missing = [field for field in wanted if field not in pinned]
    _require(not missing, f"{file}: not pinned: {', '.join(missing)}")
    unknown = [field for field in pinned if field not in wanted]
    _require(not unknown, f"{file}: {name} has no field {', '.join(unknown)} to pin so")
    twice = [field for field in wanted if pinned.count(field) > 1]
    _require(not twice, f"{file}: pinned twice: {', '.join(twice)}")
    values = {field: _value(manifest, exact[field], f"{file}: {field}") for field in exact}
    _require_sides(name, holds, values, sides, file)
    fuel = table.get("max-fuel", 0)
    _require(type(fuel) is int and fuel >= 0, f"{file}: max-fuel is a number of units")
    verified = table.get("verified", False)
    _require(type(verified) is bool, f"{file}: verified is true or false")
    most, least = sides["at-most"], sides["at-least"]
    return Entry(file, name, holds, tuple(networks), domain, values, most, least, fuel, verified)


def _require_names(names: list[Any], known: Mapping[str, Any], where: str) -> None:
    for name in names:
        _require(isinstance(name, str) and name in known, f"{where}: {name!a} is not in the table")


def _value(manifest: Manifest, given: Any, where: str) -> Any:
    """Return the value of a field; the weights of a layer are a matrix."""
    if not isinstance(given, dict):
        return given
    if "sha256" in given:
        return {"sha256": _digest(_table(given, where, ["sha256"])["sha256"], where)}
    table = _table(given, where, ["network", "layer"])
    _require_names([table["network"]], manifest.networks, where)
    network, number = manifest.networks[table["network"]], table["layer"]
    ok = isinstance(network, Network) and type(number) is int
    _require(ok, f"{where}: a network with a file, and the number of a layer, are needed")
    layers = network.layers if isinstance(network, Network) else ()
    _require(1 <= number <= len(layers), f"{where}: the network has {len(layers)} layers")
    layer = layers[number - 1]
    rows = [row[:-1] for row in layer.rows]
    common = gcd(layer.den, *(entry for row in rows for entry in row))
    lowest = tuple(tuple(entry // common for entry in row) for row in rows)
    return Matrix(layer.den // common, lowest, len(rows[0]))


def _require_sides(
    kind: str,
    holds: bool,
    exact: Mapping[str, Any],
    sides: Mapping[str, Mapping[str, Fraction]],
    file: str,
) -> None:
    """Refuse bounds on a side of which the claim says nothing, and those that all numbers meet."""
    said = {"exactly": _BOTH, "at-least": ("at-least",), "at-most": ("at-most",)}
    allowed = said.get(str(exact.get("sense", "exactly")), ())
    if kind == "within":
        allowed = ("at-most",) if holds else ("at-least",)
    quantities = QUANTITIES.get(kind, ())
    for side, bounds in sides.items():
        for field, bound in bounds.items():
            ok = field in quantities and side in allowed
            _require(ok, f"{file}: {field} cannot be pinned {side.replace('-', ' ')} a number")
            _require(bound > 0 or side == "at-most", f"{file}: {field} at least {bound}: vacuous")
    empty = kind == "regions" or exact.get("sense") == "at-least"
    zero = [field for field in quantities if field in exact and exact[field] in (0, "0")]
    _require(not (empty and zero), f"{file}: {', '.join(zero)} = 0 is vacuous")
