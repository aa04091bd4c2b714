"""Equality of networks: the statement; and proofs of it, and networks, within other proofs.

*Equal.* A and B have the same values at every point of the closure of D.

``widths w_1…w_k``         a network in records: the units of each layer
``layer den entries…``     for each layer: rows·(x, 1)/den, one row after the other, den > 0
``by METHOD``              how two networks are equal on the closure of a domain, then its records
"""

from importlib import import_module

from . import claims
from .claims import kind, methods
from .file import Proof, form, need
from .objects import Network, System, layer_of

EQUALITIES = ("cells", "isomorphic", "rewriting", "shallow")


def pair_fits(a: Network, b: Network, domain: System) -> None:
    """Two networks with the same inputs and outputs, on a domain of their inputs."""
    claims.fits(domain, a.widths[0])
    ok = (a.widths[0], a.widths[-1]) == (b.widths[0], b.widths[-1])
    form(ok, "dimensions-differ", "the networks have other inputs or outputs")


@kind(
    "equal",
    "{a} and {b} are equal on the closure of {domain}",
    "{a} and {b} differ at some point of the closure of {domain}",
    a=claims.network,
    b=claims.network,
    domain=claims.domain,
)
def equal(a: Network, b: Network, domain: System) -> None:
    """Comparable networks."""
    pair_fits(a, b, domain)


def recorded_network(proof: Proof, inputs: int) -> Network:
    """Read a network, without linear units, with so many inputs."""
    widths = proof.record("widths")[1]
    form(widths and min(widths) >= 1, "zero-width", "a network has layers, and these have units")
    layers = []
    for width in widths:
        step = inputs + 1
        den, *entries = proof.numbers("layer", 1 + width * step)
        form(den > 0, "denominator-not-positive", "a denominator is positive")
        layers.append(layer_of(den, (entries[k : k + step] for k in range(0, len(entries), step))))
        inputs = width
    return Network(tuple(layers))


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
