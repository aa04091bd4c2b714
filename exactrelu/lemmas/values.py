"""Facts about values: a network at a point, with the certificate ``value``."""

from __future__ import annotations

from exactrelu.certificates.evidence import value_claim
from exactrelu.exact.scalar import Vector
from exactrelu.lemmas.statement import Fact
from exactrelu.network.evaluate import trace
from exactrelu.network.network import Network
from exactrelu.verdict import Verdict


def value_fact(text: str, network: Network, x: Vector, holds: bool) -> Fact:
    """Whether something holds at x, with the value and the signs there as its certificate."""
    return Fact(text, Verdict(holds, text, x, value_claim(network, trace(network, x))))
