"""Is a layer of a network injective on a domain?  The verdict with its certificate."""

from __future__ import annotations

from collections.abc import Callable

from exactrelu.certificates.certificate import claim
from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.injectivity.collisions import Collision
from exactrelu.questions.injectivity.layer import LayerUndecided, layer_injective
from exactrelu.questions.injectivity.network import network_injective
from exactrelu.verdict import Verdict


def is_injective(
    network: Network,
    layer: int | None = None,
    domain: DomainLike = None,
    *,
    method: str = "auto",
    max_regions: int | None = None,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Verdict:
    """Whether a layer (from 1) is injective on a domain of its inputs; by default all of space.

    Without a layer: whether the whole network is.

    Hidden layers are x ↦ s(Wx + b), the last is affine.  The witness of a no is a pair of
    points with one image.

    >>> both = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> is_injective(both, layer=1).answer, is_injective(both, layer=2).witness
    (True, ((0, 0), (-1, 1)))
    """
    if layer is None:
        return network_injective(
            network, domain, max_regions=max_regions, timeout=timeout, progress=progress
        )
    chosen = layer_of(network, layer)
    where = Domain.of(domain, chosen.n_inputs).system
    is_last = layer == len(network.layers)
    answer = layer_injective(
        chosen.weights,
        chosen.bias,
        where,
        is_affine=is_last,
        timeout=timeout,
        max_regions=max_regions,
        method=method,
        progress=progress,
    )
    if isinstance(answer, LayerUndecided):
        return Verdict(None, f"stopped at a limit after {answer.n_covers:,} covers")
    if isinstance(answer, Collision):
        return collision_verdict(network, layer, where, answer)
    certificate = claim(
        "layer-injective", answer.records, network=network, layer=layer - 1, domain=where
    )
    if is_last:
        reason = "its rows span"
    else:
        reason = f"the active rows span everywhere, by {answer.n_covers:,} covers ({answer.method})"
    return Verdict(True, reason, certificate=certificate)


def collision_verdict(
    network: Network, layer: int, domain: LinearSystem, found: Collision
) -> Verdict:
    """A no: the layer takes two points of the domain to one."""
    points = (found.x, found.y)
    certificate = claim(
        "layer-not-injective",
        network=network,
        layer=layer - 1,
        domain=domain,
        points=list(points),
    )
    return Verdict(False, "two points have one image", points, certificate)


def layer_of(network: Network, layer: int) -> Layer:
    """Layer number ``layer``, from 1."""
    if not 1 <= layer <= len(network.layers):
        raise InputError(f"layer {layer}: the network has layers 1 to {len(network.layers)}")
    return network.layers[layer - 1]
