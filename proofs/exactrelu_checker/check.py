"""The verdict on one file: its claim, its proof, what the user asks of it.

Whatever goes wrong on the way, the verdict is not ACCEPTED: a crash is never a verdict.
"""

import io
from collections.abc import Callable, Container
from typing import NamedTuple

from .claims import Book, Claim, prove, read_claim
from .file import Limits, Proof, Refused, need, whole
from .objects import Network, System


def proved(proof: Proof, claim: Claim, known: Container[str] = ()) -> str:
    """Check a proof, shards by what is known of their sha256; return how, and what is
    trusted.
    """
    method = prove(proof, claim)
    proof.end()
    missing = [owed for owed in proof.owed if owed not in known]
    why = (
        f"{len(missing)} not in a ledger: {''.join(missing[:1])}; check its folder, or "
        "them first"
    )
    whole(not missing, "shard-missing", why)
    trusted = f"the ledger (shards: {len(proof.owed)})" if proof.owed else "NOTHING"
    return f"by {method}; trusts {trusted}"


class Question(NamedTuple):
    """What the user asks of every file."""

    limits: Limits = Limits()
    networks: tuple[Network, ...] = ()
    domain: Callable[[int], System] | None = None  # your domain in R^n
    expected: str | None = None
    proved: Callable[[Proof, Claim], str] = proved


class Outcome(NamedTuple):
    """The verdict on one file; the sentence if it is accepted, the reason if it is not."""

    file: str
    verdict: str
    kind: str = ""
    claim: str = ""
    trusts: str = ""
    line: int = 0
    code: str = ""
    why: str = ""
    fuel: int = 0  # what an accepted file took; of a folder the dearest file in it


def check_file(path: str, question: Question) -> Outcome:
    """Return the verdict on a file."""
    try:
        with open(path, "rb") as stream:
            return check_stream(path, stream, question)
    except OSError as error:
        return Outcome(
            path, "UNREADABLE", code="unreadable", why=f"{error.strerror or error}"
        )


def check_stream(path: str, stream: io.BufferedReader, question: Question) -> Outcome:
    """Return the verdict on the bytes of a file."""
    proof = Proof(stream, question.limits)
    try:
        found = _accepted(path, proof, question)
        return found._replace(fuel=question.limits.fuel - proof.fuel)
    except OSError:
        raise
    except Refused as error:
        refused = error
    except MemoryError:
        refused = Refused("LIMIT", "out-of-memory", "memory is exhausted")
    except Exception as error:
        # An error that nothing foresaw is no verdict on the proof.
        refused = Refused(
            "LIMIT", "internal-error", f"{type(error).__name__} in the checker"
        )
    return Outcome(
        path, refused.verdict, line=proof.line, code=refused.code, why=refused.why
    )


def _accepted(path: str, proof: Proof, question: Question) -> Outcome:
    """Return the outcome of a file that proves its claim."""
    book = Book()
    claim = read_claim(proof.claim(), book)
    ok = question.networks in ((), tuple(book.networks.values()))
    need(ok, "network-mismatch", "another network than yours")
    if question.domain is not None:
        domains = list(book.domains.values())
        proof.allocate(sum(domain.dim**2 for domain in domains))
        ok = bool(domains) and domains == [
            question.domain(domain.dim) for domain in domains
        ]
        need(ok, "domain-mismatch", "another domain than yours")
    ok = question.expected in (None, claim.title, claim.sentence)
    need(ok, "claim-mismatch", f"the claim is: {claim.sentence}")
    return Outcome(
        path, "ACCEPTED", claim.kind, claim.sentence, question.proved(proof, claim)
    )
