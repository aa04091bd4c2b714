"""Proofs within proofs: two networks are equal on the closure of a domain.

``by METHOD`` names a method of the kind ``equal``; then follow its records, but for ``inside``.

Matrices and networks in records.

``widths w_1…w_k``         the units of each layer
``layer den entries…``     for each layer: rows·(x, 1)/den, one row after the other, den > 0
"""

from importlib import import_module

from .claims import methods
from .file import Proof, form, need
from .numbers import Row
from .objects import Network, System, layer_of


def prove_equal(proof: Proof, a: Network, b: Network, domain: System, without: str = "") -> None:
    """Check that A and B are equal on the closure of a domain, by a method that is named.

    A method that calls this leaves itself out, so that proofs are nested three deep at most.
    """
    method = proof.method()
    module = methods("equal", True).get(method)
    need(module and method != without, "wrong-method", f"no method {method} is allowed here")
    getattr(import_module(f".{module}", __package__), f"equal_by_{method}")(proof, a, b, domain)


def read_table(proof: Proof, word: str, height: int, width: int) -> tuple[int, list[Row]]:
    """Read a rational matrix: its denominator, then its rows one after the other."""
    den, *entries = proof.numbers(word, 1 + height * width)
    form(den > 0, "denominator-not-positive", "a denominator is positive")
    return den, [tuple(entries[i * width : (i + 1) * width]) for i in range(height)]


def recorded_network(proof: Proof, inputs: int) -> Network:
    """Read a network, without linear units, with so many inputs."""
    widths = proof.record("widths")[1]
    form(widths and min(widths) >= 1, "zero-width", "a network has layers, and these have units")
    sizes = zip(widths, [inputs, *widths], strict=False)
    return Network(tuple([layer_of(*read_table(proof, "layer", n, m + 1)) for n, m in sizes]))
