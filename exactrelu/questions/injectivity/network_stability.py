"""How far apart does a whole network keep points?  Lower bounds by composition (theory 6.6).

If layer l keeps points at least r_l times as far apart, the first one on D and the others
on the orthant, the network keeps them r_1·…·r_L times as far apart on D.  A layer that is not
injective there makes the bound 0, though the network may still be injective.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod

from flint import fmpq

from exactrelu.certificates.certificate import Certificate, claim, record
from exactrelu.complex.search import Limit
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import DomainLike
from exactrelu.questions.injectivity.stability import stability
from exactrelu.questions.injectivity.stage import Stage


@dataclass(frozen=True)
class NetworkStability:
    """|N(x) − N(y)| ≥ ``lower``·|x − y| on the domain; None if a layer was not finished in time.

    ``factors`` are the bounds of the layers; 0 has no certificate, as it says nothing.
    """

    lower: fmpq | None
    factors: tuple[fmpq, ...]
    certificate: Certificate | None

    @property
    def collapsing_layer(self) -> int | None:
        """The layer (from 1) that is not injective on what it is asked for; then the bound is 0."""
        return len(self.factors) if self.lower == 0 else None

    @property
    def is_zero(self) -> bool:
        """Whether the constant itself is 0: layer 1 takes two points of the domain to one."""
        return self.collapsing_layer == 1

    @property
    def is_trivial(self) -> bool:
        """Whether the bound 0 says nothing: a later layer need not get the points that collapse."""
        return self.lower == 0 and not self.is_zero


def network_stability(
    network: Network,
    domain: DomainLike = None,
    *,
    max_regions: int | None = None,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
) -> NetworkStability:
    """A certified lower bound of the inverse Lipschitz constant of the network on a domain.

    >>> both = Network.from_arrays([[[1], [-1]], [[1, 0], [0, 1]]], [[0, 0], [0, 0]])
    >>> found = network_stability(both)
    >>> fmpq(7, 10) < found.lower and 2 * found.lower**2 < 1
    True
    """
    stage = Stage.of(network, domain)
    limit = Limit(None, timeout)
    factors: list[fmpq] = []
    proofs: list[Certificate] = []
    where = stage.domain
    for number, layer in enumerate(network.layers, 1):
        found = stability(
            network,
            number,
            where,
            max_regions=max_regions,
            timeout=limit.remaining(),
            progress=progress,
        )
        if found.lower is None:
            return NetworkStability(None, tuple(factors), None)
        factors.append(found.lower)
        if found.lower_certificate is None:
            return NetworkStability(fmpq(0), tuple(factors), None)
        proofs.append(found.lower_certificate)
        where = LinearSystem.orthant(layer.n_outputs)
    bound = prod(factors, start=fmpq(1))
    records = [entry for proof in proofs for entry in proof.records]
    certificate = claim(
        "network-stability-at-least",
        [record("factors", bounds=factors), *records],
        network=network,
        domain=stage.domain,
        bound=bound,
    )
    return NetworkStability(bound, tuple(factors), certificate)
