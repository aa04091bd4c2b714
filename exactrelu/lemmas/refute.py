"""Is there a counterexample to a published statement?  The verdict with its certificate."""

from __future__ import annotations

from collections.abc import Callable

from exactrelu.certificates.certificate import Certificate, joined
from exactrelu.errors import InputError
from exactrelu.lemmas.catalogue import statement
from exactrelu.lemmas.conjecture import load_conjecture
from exactrelu.lemmas.examine import Counterexample
from exactrelu.lemmas.search import Search, search
from exactrelu.lemmas.statement import Untestable
from exactrelu.verdict import Verdict


def refute(
    lemma: str,
    *,
    seconds: float = 60.0,
    seed: int = 0,
    progress: Callable[[], object] = lambda: None,
) -> Verdict:
    """Search a counterexample; the answer is True (refuted) or None, and the witness the search.

    >>> found = refute("S003-lemma-1")
    >>> found.answer, found.witness.counterexample.instance.network().layers[0].affine
    (True, Matrix([[-1, -1], [1, 1]]))
    """
    chosen = statement(lemma)
    if isinstance(chosen, Untestable):
        raise InputError(f"{chosen.id} is not testable: {chosen.why}")
    found = search(chosen, seconds=seconds, seed=seed, progress=progress)
    return _verdict(found, Counterexample.certificate)


def _verdict(found: Search, certificate: Callable[[Counterexample], Certificate | None]) -> Verdict:
    """The verdict of a search; the certificate is that of what it found."""
    if found.counterexample is None:
        reason = (
            f"no counterexample among {found.tally.examined:,} instances, "
            f"{found.tally.within:,} of them within the hypotheses"
        )
        return Verdict(None, reason, found)
    reason = f"refuted by instance {found.tally.examined:,} ({found.phase})"
    return Verdict(True, reason, found, certificate(found.counterexample))


def refute_conjecture(
    path: str,
    *,
    seconds: float = 60.0,
    seed: int = 0,
    progress: Callable[[], object] = lambda: None,
) -> Verdict:
    """The same for a user's own statement: a Python file with hypotheses and conclusion."""
    found = search(load_conjecture(path), seconds=seconds, seed=seed, progress=progress)
    return _verdict(found, _facts)


def _facts(found: Counterexample) -> Certificate | None:
    """The facts that have a certificate; a plain bool has none."""
    facts = found.fact_certificates()
    return joined("facts", facts) if facts else None
