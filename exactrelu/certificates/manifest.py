"""Write the manifest of a CI job: which certificates there must be, and what each must say.

``certificates.toml`` pins every field of the claim of every certificate: networks by their files,
domains by name, numbers exactly or from one side, and what is long by its SHA-256.  The format is
that of ``proofs/exactrelu_ci/manifest.py``; the checker reads it with ``--manifest``, and refuses
certificates that are missing, changed, weaker, vacuous or not listed.

What is written has been checked: the manifest accepts every certificate that it lists.  What an
older manifest says stays as it is, unless the user asks for less.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any, Unpack

from exactrelu.bounded import bounded
from exactrelu.certificates.certificate import encoded
from exactrelu.certificates.program import ENOUGH, fuel_to_allow, run_checker
from exactrelu.display import Shown
from exactrelu.effort import Effort, Limits
from exactrelu.errors import InputError
from exactrelu.exact.text import canonical_json, decode_system
from exactrelu.files import PathLike, atomic_write, read_bytes, require_file
from exactrelu.network.formats.load import load
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.domain_text import load_polyhedron

FORMAT = "exactrelu-manifest/1"
#: Values longer than this are pinned by their SHA-256.
_SHORT = 80
#: Comments repeat sentences up to this length, without the ends of hashes.
_COMMENT = 400
_HASHES = re.compile("(sha256 [0-9a-f]{8})[0-9a-f]{56}")
_NAME = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
#: Fields that are rational numbers, and those that are points.
_NUMBERS, _POINTS = ("bound",), ("point", "output")
#: What a claim with a sense says a number is.
_QUANTITIES = ("bound", "count", "rank")
#: The keys of an entry, as they are written.
_ORDER = ("file", "kind", "holds", "networks", "domain", "at-most", "at-least", "fields")
#: Claims that hold claims.
_HOLDERS = ("counterexample", "facts")

Table = dict[str, Any]


@dataclass(frozen=True, repr=False)
class Pinned(Shown):
    """A manifest, and the sentences of what was pinned, for whoever reviews it."""

    path: str
    #: Files, as the manifest names them, with their sentences.
    claims: tuple[tuple[str, str], ...]
    n_certificates: int

    def _headline(self) -> str:
        return f"Pinned: {len(self.claims)} of {self.n_certificates} certificates in {self.path}"

    def _facts(self) -> Iterator[tuple[str, object]]:
        yield from self.claims


@bounded
def pin(
    effort: Effort,
    /,
    certificates: Sequence[PathLike],
    path: PathLike = "certificates.toml",
    *,
    networks: Mapping[str, PathLike] | None = None,
    sources: Mapping[str, PathLike] | None = None,
    domains: Mapping[str, str] | None = None,
    unnamed: bool = False,
    loosen: bool = False,
    **limits: Unpack[Limits],
) -> Pinned:
    """Write or extend a manifest for ``exactrelu-check --manifest``, all of it or nothing.

    What the manifest says already is kept.

    Parameters
    ----------
    certificates : sequence of paths
        The certificates; each must be accepted by the checker.
    path : path, optional
        The manifest.
    networks : mapping of names to paths, optional
        A name for each network, and its exact JSON file.
    sources : mapping of names to paths, optional
        The files that networks were converted from, whose bytes are pinned too.
    domains : mapping of names to texts, optional
        Names for domains.
    unnamed : bool, optional
        Whether a certificate may be about a network without a name, which is then pinned by its
        SHA-256 alone.
    loosen : bool, optional
        Whether entries that refuse their certificates are pinned anew, and those without a file
        dropped.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Pinned
        The sentences that were pinned, for somebody to read, and how many there are.

    Examples
    --------
    >>> import exactrelu as er
    >>> import tempfile
    >>> xor = er.Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     net, manifest = f"{folder}/xor.json", f"{folder}/certificates.toml"
    ...     er.save(xor, net)
    ...     file = er.regions(xor, "box:-1..1").save(f"{folder}/regions.cert.jsonl")
    ...     pinned = er.pin([file], manifest, networks={"xor": net})
    >>> pinned.n_certificates
    1
    """
    target = Path(path)
    given = [_below(target, file) for file in certificates]
    if not given:
        raise InputError("no certificate to pin")
    book = _Book(target.parent, unnamed, *_tables(target, effort), effort)
    book.name_networks(networks or {}, sources or {}, loosen=loosen)
    book.name_domains(domains or {}, loosen=loosen)
    files = [entry["file"] for entry in book.entries]
    accepted = _accepted([target.parent / file for file in given], effort)
    results = dict(zip(given, accepted, strict=True))
    sentences = {file: str(result["claim"]) for file, result in results.items()}
    if loosen and files:
        book.drop(_refusals(target, book.written({}), effort), given)
    for file in given:
        book.add(file, int(results[file]["fuel"]))
    text = book.written(sentences)
    for file, (code, why) in _refusals(target, text, effort).items():
        known = "; --loosen pins it anew" if file in files else ""
        hint = "; pin it too" if code == "unlisted" else known
        raise InputError(f"{file}: {code}: {why}{hint}")
    if text != book.text:
        atomic_write(target, text.encode())
    return Pinned(os.fspath(path), tuple(sentences.items()), len(book.entries))


def _below(target: Path, file: PathLike) -> str:
    """A file as the manifest names it."""
    require_file(file)
    try:
        return Path(os.path.abspath(file)).relative_to(target.parent.absolute()).as_posix()
    except ValueError:
        raise InputError(
            f"{os.fspath(file)}: expected a file below {target.absolute().parent}, the folder of "
            "the manifest"
        ) from None


def _tables(target: Path, effort: Effort) -> tuple[str, Table, Table, list[Table], str]:
    """The text of an older manifest, networks, domains, certificates and directory."""
    if not target.exists():
        return "", {}, {}, [], ""
    try:
        text = read_bytes(target, effort).decode()
        value = tomllib.loads(text)
        if value.get("format") != FORMAT:
            raise ValueError(f"not {FORMAT}")
        entries = [{**entry, "file": str(entry["file"])} for entry in value["certificate"]]
        networks, domains = (dict(value.get(name, {})) for name in ("networks", "domains"))
        return text, networks, domains, entries, str(value["directory"])
    except (ValueError, LookupError, TypeError) as error:
        raise InputError(f"{target}: not a manifest: {error}") from None


def _accepted(paths: Sequence[Path], effort: Effort) -> list[Table]:
    """What the checker says of certificates, all of which it accepts, with any fuel."""
    results = _checked([f"--max-fuel={ENOUGH}", "--", *map(str, paths)], effort)
    for result in results:
        if result["verdict"] != "ACCEPTED":
            raise InputError(f"{result['file']}: {result['verdict']}: {result['why']}")
    return results


def _refusals(target: Path, text: str, effort: Effort) -> dict[str, tuple[str, str]]:
    """What a manifest of this text refuses, with code and reason."""
    with tempfile.NamedTemporaryFile("wb", dir=target.parent, suffix=".toml") as file:
        file.write(text.encode())
        file.flush()
        try:
            results = _checked(["--manifest", file.name], effort)
        except InputError as error:
            raise InputError(str(error).replace(file.name, str(target))) from None
    return {
        os.path.relpath(result["file"], target.parent): (result["code"], result["why"])
        for result in results
        if result["verdict"] != "ACCEPTED"
    }


def _checked(arguments: list[str], effort: Effort) -> list[Table]:
    found = run_checker(["--json", *arguments], effort)
    if not found.stdout:
        raise InputError(found.stderr.strip().removeprefix("exactrelu-check: "))
    results: list[Table] = json.loads(found.stdout)["results"]
    for result in results:
        if result["verdict"] == "UNREADABLE":
            raise InputError(f"{result['file']}: {result['why']}")
    return results


@dataclass(frozen=True)
class _Book:
    """What a manifest says, and what its names stand for."""

    folder: Path
    unnamed: bool
    text: str
    networks: Table
    domains: Table
    entries: list[Table]
    directory: str
    effort: Effort
    #: Canonical texts of networks and of the weights of their layers: names, and pins.
    _named: dict[str, str] = field(default_factory=dict)
    _weights: dict[str, Table] = field(default_factory=dict)

    def name_networks(
        self, given: Mapping[str, PathLike], sources: Mapping[str, PathLike], *, loosen: bool
    ) -> None:
        """Take names for networks, beside those that the manifest has."""
        for name in sources.keys() - given.keys():
            raise InputError(f"{name}: a source, and no network of this name")
        for name, path in given.items():
            if not os.fspath(path).lower().endswith(".json"):
                raise InputError(
                    f"{os.fspath(path)}: found no .json, which the checker reads: `exactrelu "
                    f"convert {os.fspath(path)} net.json`, then --network {name}=net.json "
                    f"--source {name}={os.fspath(path)}"
                )
            table = {"file": _below(self.folder / "x", path)}
            if name in sources:
                if load(sources[name], effort=self.effort) != load(path, effort=self.effort):
                    raise InputError(f"{sources[name]}: found another network than in {path}")
                with open(sources[name], "rb") as file:
                    digest = hashlib.file_digest(file, "sha256").hexdigest()
                source = _below(self.folder / "x", sources[name])
                table |= {"source": source, "source-sha256": digest}
            old = self.networks.get(name, table)
            if name not in sources and isinstance(old, dict) and old.get("file") == table["file"]:
                table = old
            self._name(self.networks, name, table, loosen)
        for name, table in self.networks.items():
            if "sha256" in table:
                self._named[table["sha256"]] = name
                continue
            network = load(self.folder / table["file"], effort=self.effort)
            self._named.setdefault(_sha256(network.canonical_form()), name)
            for number, layer in enumerate(network.layers, 1):
                pinned = {"network": name, "layer": number}
                self._weights.setdefault(_sha256(encoded(layer.weights)), pinned)

    def name_domains(self, given: Mapping[str, str], *, loosen: bool) -> None:
        """Take names for domains; of a polyhedron a point inside is kept."""
        for name, text in given.items():
            if text.lower().startswith("box:"):
                self._name(self.domains, name, {"box": text}, loosen)
                continue
            if text in ("R", "orthant"):
                raise InputError(f"{name}={text}: this domain has its name already")
            file = {"file": _below(self.folder / "x", text)}
            system = load_polyhedron(text, effort=self.effort)
            point = [str(x) for x in Domain.of(system, system.dimension, self.effort).point]
            self._name(self.domains, name, {**file, "inside": point}, loosen)

    @staticmethod
    def _name(names: Table, name: str, table: Table, loosen: bool) -> None:
        if not _NAME.fullmatch(name):
            raise InputError(f"{name!r}: found a name, expected letters, digits, - and _")
        if names.get(name, table) != table and not loosen:
            raise InputError(f"{name}: the manifest has another one of this name; --loosen")
        names[name] = table

    def drop(self, refused: Mapping[str, tuple[str, str]], given: Sequence[str]) -> None:
        """Drop the entries that refuse one of these certificates, and those without a file."""
        gone = {file for file, (code, _) in refused.items() if file in given or code == "missing"}
        self.entries[:] = [entry for entry in self.entries if entry["file"] not in gone]

    def add(self, file: str, fuel: int) -> None:
        """An entry for a certificate that takes so much fuel, if it has none."""
        if any(entry["file"] == file for entry in self.entries):
            return
        first = read_bytes(self.folder / file, self.effort).split(b"\n", 1)[0]
        allowed = fuel_to_allow(fuel)
        more = {} if allowed is None else {"max-fuel": allowed}
        self.entries.append(self.entry(file, json.loads(first)["claim"]) | more)

    def entry(self, file: str, claim: Table) -> Table:
        """What a claim says, every field of it."""
        fields = {name: value for name, value in claim.items() if name not in ("kind", "holds")}
        kind, holds = claim["kind"], claim.get("holds", True)
        entry: Table = {"file": file, "kind": kind, **({} if holds else {"holds": False})}
        found = [_sha256(network) for network in _networks(kind, fields)]
        if not self.unnamed:
            self._require_name(file, found, fields)
        if found:
            entry["networks"] = [self._network(digest) for digest in found]
        exact: Table = {}
        for name, value in fields.items():
            if any(map(_is_network, _listed(value))):
                continue
            domain = self._domain(value) if name == "domain" else None
            if domain is not None:
                entry["domain"] = domain
            elif (side := _side(kind, holds, name, claim.get("sense"))) is not None:
                entry[side] = {name: _plain(name, value)}
                if side == "at-least" and entry[side][name] in (0, "0"):
                    raise InputError(f"{file}: {name} is at least 0, which says nothing")
            else:
                exact[name] = self._value(name, value)
        if exact:
            entry["fields"] = exact
        return {name: entry[name] for name in _ORDER if name in entry}

    def _require_name(self, file: str, found: Sequence[str], fields: Table) -> None:
        """Refuse a claim about networks or matrices none of which has a name."""
        matrices = [v for v in fields.values() if isinstance(v, dict) and "cols" in v]
        named = any(digest in self._named for digest in found) or any(
            _sha256(matrix) in self._weights for matrix in matrices
        )
        if (found or matrices) and not named:
            raise InputError(f"{file}: about no network with a name: --network NAME=FILE")

    def _network(self, digest: str) -> str:
        if digest not in self._named:
            name = _new("other", self.networks)
            self.networks[name] = {"sha256": digest}
            self._named[digest] = name
        return self._named[digest]

    def _domain(self, value: Table) -> str | None:
        """The name of a domain; None if it has none, as unions and many polyhedra."""
        if "dim" not in value:
            return None
        system = decode_system(value)
        domain = Domain.of(system, system.dimension)
        texts = {"R": "R", "orthant": "orthant"}
        texts |= {n: t.get("box") or str(self.folder / t["file"]) for n, t in self.domains.items()}
        for name, text in texts.items():
            try:
                same = encoded(Domain.of(text, system.dimension)) == value
            except InputError:
                same = False
            if same:
                return name
        if not domain.text.startswith("box:"):
            return None
        name = _new("box", self.domains)
        self.domains[name] = {"box": domain.text}
        return name

    def _value(self, name: str, value: Any) -> Any:
        """A field as it is written, or its SHA-256."""
        if isinstance(value, dict) and _sha256(value) in self._weights:
            return self._weights[_sha256(value)]
        plain = _plain(name, value)
        entries = plain if isinstance(plain, list) else [plain]
        is_simple = all(isinstance(entry, str | int) for entry in entries)
        is_short = is_simple and len(canonical_json(plain)) <= _SHORT
        return plain if is_short else {"sha256": _sha256(value)}

    def written(self, sentences: Mapping[str, str]) -> str:
        """The text of the manifest: the old one and what is new, or all of it anew."""
        old = tomllib.loads(self.text)
        networks, domains = old.get("networks", {}), old.get("domains", {})
        entries = old.get("certificate", [])
        kept = self.networks.items() >= networks.items() and self.domains.items() >= domains.items()
        if not kept or self.entries[: len(entries)] != entries:
            networks, domains, entries = {}, {}, []
        start = self.text
        if not entries:
            files = [entry["file"] for entry in self.entries]
            folder = os.path.commonpath([os.path.dirname(file) for file in files]) if files else ""
            start = (
                f"format = {_toml(FORMAT)}\ndirectory = {_toml(self.directory or folder or '.')}\n"
            )
        blocks = [start.rstrip("\n")]
        for title, tables, known in (
            ("networks", self.networks, networks),
            ("domains", self.domains, domains),
        ):
            new = {name: table for name, table in tables.items() if name not in known}
            blocks += [f"[{title}.{name}]\n{_lines(table)}" for name, table in new.items()]
        for entry in self.entries[len(entries) :]:
            said = _HASHES.sub(r"\1...", sentences.get(entry["file"], ""))
            short = said if len(said) <= _COMMENT else f"{said[:_COMMENT]}..."
            comment = f"# {short}\n" if said else ""
            blocks.append(f"{comment}[[certificate]]\n{_lines(entry)}")
        return "\n\n".join(blocks) + "\n"


def _side(kind: str, holds: bool, name: str, sense: str | None) -> str | None:
    """From which side a number is pinned; None: exactly."""
    if kind == "within" and name == "bound":
        return "at-most" if holds else "at-least"
    return sense if name in _QUANTITIES and sense in ("at-least", "at-most") else None


def _is_network(value: Any) -> bool:
    return isinstance(value, dict) and "layers" in value


def _networks(kind: str, fields: Table) -> Iterable[Any]:
    """The networks of a claim in the order of its sentence; each once if it holds claims."""
    if kind not in _HOLDERS:
        values = _as_said(fields)
        return [net for value in values for net in _listed(value) if _is_network(net)]
    facts = fields["facts"]
    subjects = {f"@{k}": subject for k, subject in enumerate(facts["subjects"], 1)}
    holders = [fields.get("instance", {}), *facts["list"]]
    values = [v for holder in holders for v in _as_said(holder)]
    found = [subjects.get(v, v) if isinstance(v, str) else v for v in values]
    return {canonical_json(value): value for value in found if _is_network(value)}.values()


def _listed(value: Any) -> list[Any]:
    """The entries of a list, or the one value: a query is about a list of networks."""
    return value if isinstance(value, list) else [value]


def _as_said(fields: Table) -> list[Any]:
    """Values by the names of their fields; a member of a fiber comes after its network."""
    return [fields[name] for name in sorted(fields, key=lambda name: (name == "member", name))]


def _plain(name: str, value: Any) -> Any:
    """A value as a person writes it."""
    if value is None:
        return "infinite"
    if name in _NUMBERS:
        den, num = value
        return str(Fraction(int(num, 16), int(den, 16)))
    if name in _POINTS:
        den, nums = value
        return [str(Fraction(int(num, 16), int(den, 16))) for num in nums]
    return value


def _sha256(value: Any) -> str:
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def _new(word: str, names: Table) -> str:
    return next(name for k in count(1) if (name := f"{word}{k}") not in names)


def _lines(table: Table) -> str:
    return "\n".join(f"{name} = {_toml(value)}" for name, value in table.items())


def _toml(value: Any) -> str:
    """A value of TOML on one line.

    >>> _toml({"bound": "1/2", "signs": ["+0"], "holds": False})
    '{bound = "1/2", signs = ["+0"], holds = false}'
    """
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {_toml(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
