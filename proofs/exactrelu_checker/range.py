"""Values that a network takes, and values that it does not.

*in-range* N takes the value y at some point of D, exactly as it is written. ``point`` of D
with that output. Negation: no x in D has N(x) = y, by closed cells (``backward`` of
``injectivity``), or by bounds on boxes (``bounds`` of ``formula``).
"""

from . import claims
from .evidence import point_in
from .file import Proof, need
from .objects import Network, System, Vector, difference

in_range = claims.kind(
    "{network} takes the value {output} on {domain}",
    "{network} does not take the value {output} on {domain}",
    network=claims.network,
)


def in_range_by_point(
    proof: Proof, network: Network, output: Vector, domain: System
) -> None:
    """The value is taken at a point."""
    found = network.values(proof, point_in(proof, domain))[-1]
    need(
        not any(difference(found, output).nums),
        "wrong-output",
        "the output at the point differs",
    )
