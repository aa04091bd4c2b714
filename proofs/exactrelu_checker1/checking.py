"""From a file to a verdict. Whatever goes wrong on the way, the verdict is not ACCEPTED."""

from dataclasses import dataclass
from io import BufferedReader

from .budget import Budget, Limits
from .claims import read_claim
from .network import Network
from .reader import Certificate
from .statement import Claim, Subject, subject
from .verdicts import Reason, Refused, Verdict


@dataclass(frozen=True)
class Question:
    """What the user asks of every file: limits, and the networks and the claim expected."""

    limits: Limits
    networks: tuple[Network, ...] = ()
    expected: str | None = None


@dataclass(frozen=True)
class Outcome:
    """The verdict on one file, with the claim if it is accepted, and the reason if it is not."""

    file: str
    verdict: Verdict
    kind: str = ""
    sentence: str = ""
    subjects: tuple[Subject, ...] = ()
    where: str = ""
    code: str = ""
    why: str = ""


def check_file(path: str, question: Question) -> Outcome:
    """Return the verdict on a certificate file."""
    try:
        with open(path, "rb") as file:
            return check_stream(path, file, question)
    except OSError as error:
        why = f"{error.strerror}"
        return Outcome(path, Verdict.UNREADABLE, where="file", code="unreadable", why=why)


def check_stream(path: str, file: BufferedReader, question: Question) -> Outcome:
    """Return the verdict on the bytes of a certificate file."""
    certificate = Certificate(file, question.limits)
    try:
        kind, claim, subjects = _check(certificate, question)
    except Refused as refusal:
        return _refusal(path, certificate.where(), refusal.reason, refusal.why)
    except MemoryError:
        return _refusal(path, certificate.where(), Reason.OUT_OF_MEMORY, "memory is exhausted")
    except Exception as error:
        # A crash is never a verdict: an error that no rule foresaw is reported as a limit.
        return _refusal(
            path, certificate.where(), Reason.INTERNAL_ERROR, f"{type(error).__name__} in checker"
        )
    return Outcome(path, Verdict.ACCEPTED, kind, claim.sentence, subjects)


def _check(certificate: Certificate, question: Question) -> tuple[str, Claim, tuple[Subject, ...]]:
    """Return the kind, the claim and what it is about, if the file proves the claim."""
    budget = Budget(question.limits)
    fields = certificate.claim()
    kind, claim = read_claim(fields, budget)
    subjects = (*claim.subjects, subject("claim", fields))
    if question.networks and claim.networks != question.networks:
        raise Refused(Reason.NETWORK_MISMATCH, "the claim is about other networks than --network")
    full = full_sentence(claim.sentence, subjects)
    if question.expected not in (None, kind, claim.sentence, full):
        raise Refused(Reason.CLAIM_MISMATCH, f"the claim is: {claim.sentence}")
    claim.check(certificate, budget)
    certificate.end()
    return kind, claim, subjects


def full_sentence(sentence: str, subjects: tuple[Subject, ...]) -> str:
    """Return a claim with the hashes of the objects that it is about."""
    hashes = ", ".join(f"{subject.name} sha256 {subject.sha256}" for subject in subjects)
    return f"{sentence} [{hashes}]"


def _refusal(path: str, where: str, reason: Reason, why: str) -> Outcome:
    return Outcome(path, reason.verdict, where=where, code=reason.code, why=why)
