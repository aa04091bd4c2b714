"""Compare the claims of accepted certificates with a manifest.

The checker goes first. The claim is read from the file once more, and is the accepted one if its
sentence is: a sentence determines its claim.
"""

import hashlib
import os
import zlib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from exactrelu_checker.check import Outcome, Question, check_file
from exactrelu_checker.claims import Book, Claim, read_claim, shortened
from exactrelu_checker.file import Proof, canonical
from exactrelu_checker.objects import Matrix, Network, Vector
from exactrelu_checker.options import rational

from .manifest import (
    HOLDERS,
    QUANTITIES,
    Entry,
    Manifest,
    kind_of,
    missing,
    network_fields,
    read_or_why,
)

_HEAD = 4096  # bytes that tell a certificate from other files


def checked(manifest: Manifest, question: Question) -> Iterator[Outcome]:
    """Yield the verdicts on all that a manifest lists, and on what it should list."""
    for source, digest in manifest.sources:
        yield from _source(str(manifest.folder / source), digest)
    for entry in manifest.entries:
        yield _judged(manifest, entry, question)
    yield from _unlisted(manifest)


def _source(path: str, digest: str) -> Iterator[Outcome]:
    """Yield what is wrong with a file that a network was converted from."""
    why = missing(path)
    if why:
        yield _refused(path, "missing", why)
        return
    found = read_or_why(path, "source", lambda: _file_sha256(path))
    if isinstance(found, Outcome):
        yield found
    elif found != digest:
        yield _refused(path, "changed", f"sha256 is {found}, expected {digest}: convert it again")


def _refused(path: str, code: str, why: str) -> Outcome:
    return Outcome(path, "REJECTED", code=code, why=why)


def _file_sha256(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _judged(manifest: Manifest, entry: Entry, question: Question) -> Outcome:
    path = str(manifest.folder / entry.file)
    why = missing(path)
    if why:
        return _refused(path, "missing", why)
    fuel = max(question.limits.fuel, entry.max_fuel)
    question = question._replace(limits=question.limits._replace(fuel=fuel))
    outcome = check_file(path, question)
    if outcome.verdict != "ACCEPTED":
        return outcome
    book = Book()
    found = read_or_why(path, "certificate", lambda: _claim(path, question, book))
    if isinstance(found, Outcome) or found[0].sentence != outcome.claim:
        return _refused(path, "changed", "while it was read")
    code, why = next(_differences(manifest, entry, *found, book), ("", ""))
    return _refused(path, code, why) if code else outcome


def _claim(path: str, question: Question, book: Book) -> tuple[Claim, dict[str, Any]]:
    """Return the claim of a file once more, with its JSON."""
    with open(path, "rb") as stream:
        value = Proof(stream, question.limits).claim()
    return read_claim(value, book), value


def _differences(
    manifest: Manifest, entry: Entry, claim: Claim, value: dict[str, Any], book: Book
) -> Iterator[tuple[str, str]]:
    """Yield why a claim is not the one that was asked for."""
    names = [name if holds else f"not {name}" for name, holds in (claim[:2], entry[1:3])]
    if names[0] != names[1]:
        yield "changed", f"the claim is {names[0]}, expected {names[1]}"
        return
    for field in QUANTITIES.get(claim.kind, ()):
        if value.get("sense") == "at-least" and _number(claim.values[field]) == 0:
            yield "vacuous", f"{field} is at least 0, which says nothing"
    networks = list(book.networks.items())
    if claim.kind not in HOLDERS:
        fields = network_fields(kind_of(claim.kind))
        given = ((value[field], claim.values[field]) for field in fields)
        listed = (zip(*g, strict=True) if isinstance(g[0], list) else [g] for g in given)
        networks = [(canonical(text), network) for pairs in listed for text, network in pairs]
    if len(networks) != len(entry.networks):
        why = f"the claim is about {len(networks)} networks, expected {len(entry.networks)}"
        yield "changed", why
    for name, (text, network) in zip(entry.networks, networks, strict=False):
        pin = manifest.networks[name]
        if not (network == pin if isinstance(pin, Network) else _sha256(text) == pin):
            yield "changed", f"the claim is about another network than {name}"
    if entry.domain is not None:
        region = claim.values["domain"]  # of some kinds a system, or boxes
        system = getattr(region, "domain", region)
        wanted = manifest.domains[entry.domain](system.dim)
        if getattr(region, "boxes", ()) or system != wanted:
            yield "changed", f"the claim is about another domain than {entry.domain}"
    for field, pin in entry.fields.items():
        if not _same(pin, claim.values[field], value[field]):
            said = shortened(_text(claim.values[field], value[field]))
            yield "changed", f"{field} is {said}, expected {_expected(pin)}"
    for side, bounds in (("at least", entry.at_least), ("at most", entry.at_most)):
        for field, bound in bounds.items():
            number, text = _number(claim.values[field]), _text(claim.values[field], value[field])
            above = number is None or number >= bound
            if not (above if side == "at least" else number is not None and number <= bound):
                yield "weaker", f"{field} is {shortened(text)}, expected {side} {bound}"


def _same(pin: Any, found: Any, value: Any) -> bool:
    """Tell whether a field has the value that is pinned."""
    if isinstance(pin, dict):
        return bool(_sha256(canonical(value)) == pin["sha256"])
    if isinstance(pin, Matrix):
        return bool(pin == found)
    if found is None:
        return bool(pin == "infinite")
    if isinstance(found, list) and isinstance(pin, list) and found and isinstance(found[0], Vector):
        return len(pin) == len(found) and all(map(_same, pin, found, value))
    if not isinstance(found, Vector):
        return canonical(pin) == canonical(value)
    entries = pin if isinstance(value[1], list) else [pin]
    try:
        numbers = [rational(entry) for entry in entries]
    except (TypeError, ValueError, ArithmeticError):
        return False
    return numbers == [Fraction(num, found.den) for num in found.nums]


def _number(found: Any) -> Fraction | None:
    """Return a count or a bound; None is infinite."""
    return Fraction(found.nums[0], found.den) if isinstance(found, Vector) else found


def _text(found: Any, value: Any) -> str:
    if found is None:
        return "infinite"
    is_number = isinstance(found, Vector) and not isinstance(value[1], list)
    return str(_number(found)) if is_number else canonical(value)


def _expected(pin: Any) -> str:
    if isinstance(pin, Matrix):
        return "the weights of the layer"
    return shortened(canonical(pin))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _unlisted(manifest: Manifest) -> Iterator[Outcome]:
    """Yield the certificates in the directory that the manifest does not list."""
    errors: list[OSError] = []
    listed = {entry.file for entry in manifest.entries}
    top = manifest.folder / manifest.directory
    for place, folders, files in os.walk(top, onerror=errors.append):
        folders.sort()
        for name in sorted(folders):
            if os.path.islink(os.path.join(place, name)):
                why = "a link to a folder, in which certificates may lie"
                yield _refused(os.path.join(place, name), "unlisted", why)
        for name in sorted(files):
            path = Path(place, name)
            known = path.relative_to(manifest.folder).as_posix() in listed
            if not known and _is_certificate(path):
                yield _refused(str(path), "unlisted", "a certificate that the manifest lacks")
    for error in errors:
        yield Outcome(str(error.filename), "UNREADABLE", code="unreadable", why=f"{error.strerror}")


def _is_certificate(path: Path) -> bool:
    """Tell by its name, or by how it begins, also if it is compressed."""
    if ".cert" in path.name.casefold():
        return True
    if not path.is_file():
        return False
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
        if head.startswith(b"\x1f\x8b"):
            head = zlib.decompressobj(wbits=31).decompress(head, _HEAD)
    except zlib.error:
        return False
    except OSError:
        return True
    return head.startswith(b'{"claim":')
