"""Proofs within proofs: two networks are equal on the closure of a domain.

``by METHOD`` names a method of the kind ``equal``; then follow its records, but for ``inside``.
"""

from importlib import import_module

from .claims import methods
from .file import Proof, need
from .objects import Network, System

EQUALITIES = ("cells", "isomorphic", "rewriting", "shallow")


def prove_equal(
    proof: Proof, a: Network, b: Network, domain: System, known: tuple[str, ...] = EQUALITIES
) -> None:
    """Check that A and B are equal on the closure of a domain, by a method that is named.

    A method that calls this leaves itself out, so that proofs are nested three deep at most.
    """
    method = proof.method()
    need(method in known, "wrong-method", f"no method {method} is allowed here")
    module = import_module(f".{methods('equal', True)[method]}", __package__)
    getattr(module, f"equal_by_{method}")(proof, a=a, b=b, domain=domain)
