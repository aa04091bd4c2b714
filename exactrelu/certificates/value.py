"""Claim ``value``: the network has this output and these signs at this point."""

from __future__ import annotations

from exactrelu.certificates.certificate import Certificate
from exactrelu.exact.encode import encode_vector
from exactrelu.network.evaluate import Evaluation
from exactrelu.network.network import Network

_LETTER = {-1: "-", 0: "0", 1: "+"}


def value_certificate(network: Network, evaluation: Evaluation) -> Certificate:
    """Nothing but the claim: the checker evaluates the network itself."""
    return Certificate(
        "value",
        {
            "network": network.canonical_form(),
            "output": encode_vector(evaluation.output),
            "point": encode_vector(evaluation.point),
            "signs": ["".join(_LETTER[s] for s in layer) for layer in evaluation.pattern],
        },
    )
