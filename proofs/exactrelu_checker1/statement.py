"""What a rule makes of a claim: a sentence, what it is about, and how its proof is checked."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from .budget import Budget
from .canonical import Fields, canonical
from .network import Network
from .reader import Certificate


@dataclass(frozen=True)
class Subject:
    """A mathematical object of a claim, pinned down by the SHA-256 of its canonical bytes."""

    name: str
    sha256: str


@dataclass(frozen=True)
class Claim:
    """A claim that was read; ``check`` reads the proof records and raises unless they prove it."""

    sentence: str
    subjects: tuple[Subject, ...]
    check: Callable[[Certificate, Budget], None]
    networks: tuple[Network, ...] = ()


@dataclass(frozen=True)
class Rule:
    """A claim kind: the fields of its claim, all required, and the function that reads them."""

    fields: frozenset[str]
    read: Callable[[Fields, Budget], Claim]


def subject(name: str, value: object) -> Subject:
    """Name an object of a claim by the hash of its canonical text."""
    return Subject(name, hashlib.sha256(canonical(value).encode("ascii")).hexdigest())
