"""Sentences about networks that many statements of S002 use, decided with certificates.

A network comes back in many instances of a search, so verdicts are remembered.
"""

from __future__ import annotations

from functools import lru_cache

from exactrelu.exact.system import LinearSystem
from exactrelu.lemmas.statement import Fact
from exactrelu.network.network import Network
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.fibers.shallow import ShallowFiber, shallow_fiber
from exactrelu.questions.genericity.masked_rank import masked_rank
from exactrelu.questions.genericity.senses import is_generic
from exactrelu.questions.isomorphism import isomorphic
from exactrelu.questions.polyhedral_complex import PolyhedralComplex, polyhedral_complex
from exactrelu.verdict import Verdict

#: Seconds for one question about a small network; most need milliseconds.
TIMEOUT = 5.0
MAX_FACES = 2_000
_REMEMBERED = 1 << 14


@lru_cache(_REMEMBERED)
def _generic(network: Network, sense: str) -> Verdict:
    return is_generic(network, sense, timeout=TIMEOUT)


@lru_cache(_REMEMBERED)
def _equal(A: Network, B: Network, domain: LinearSystem | None) -> Verdict:
    return equivalent(A, B, domain, timeout=TIMEOUT)


@lru_cache(_REMEMBERED)
def on_orthant(network: Network) -> ShallowFiber:
    """The fiber of a network with one hidden layer on the orthant."""
    return shallow_fiber(network, LinearSystem.orthant(network.n_inputs), timeout=TIMEOUT)


@lru_cache(_REMEMBERED)
def complex_of(network: Network) -> PolyhedralComplex:
    """The canonical complex; statements about it are undecided if it is not complete."""
    return polyhedral_complex(network, max_faces=MAX_FACES, timeout=TIMEOUT, certify=False)


def generic(name: str, network: Network, sense: str = "generic") -> Fact:
    """Whether the network is generic (theory 2.2), or part of it."""
    return Fact(f"{name} is {sense}", _generic(network, sense))


def masked_ranks(name: str, network: Network) -> Fact:
    """Whether all masked ranks are maximal."""
    return Fact(f"all masked ranks of {name} are maximal", masked_rank(network, timeout=TIMEOUT))


def both_generic(A: Network, B: Network) -> bool:
    """Whether both are generic and that is decided: what a level of pairs keeps."""
    return all(_generic(network, "generic").answer is True for network in (A, B))


def equal(A: Network, B: Network, domain: LinearSystem | None = None) -> Fact:
    """Whether two networks are one function on a domain, all of space if none is given."""
    return Fact("f_A = f_B", _equal(A, B, domain))


def equal_on_orthant(A: Network, B: Network) -> Fact:
    """Whether two networks are one function on the orthant."""
    return equal(A, B, LinearSystem.orthant(A.n_inputs))


def same_up_to_order_and_scale(A: Network, B: Network) -> Fact:
    """Whether A ~ B."""
    return Fact("A ~ B", isomorphic(A, B, timeout=TIMEOUT))


def minimal(name: str, network: Network) -> Fact:
    """Whether no network with fewer neurons in one hidden layer, at least one, is the same."""
    verdict = on_orthant(network).narrowness
    return Fact(f"{name} is minimal on the orthant", verdict)


def about_complex(text: str, network: Network, holds: bool) -> Fact:
    """A fact read off the complex of a network, undecided if the complex was not completed."""
    found = complex_of(network)
    if not found.is_complete:
        return Fact(text, Verdict(None, f"more than {MAX_FACES} faces"))
    return Fact.plain(text, holds)
