"""Is a whole network injective on a domain?  (Theory 6.5.)

First layer by layer, the final affine map included: the first layer on D, the others on
the orthant, where everything lies that hidden layers pass on (Puthawala et al., corollary 1,
which forgets the last map).  This is sufficient only.  If the first layer takes two points to
one, so does the network.  Otherwise pairs of regions decide
(:mod:`exactrelu.questions.injectivity.cell_pairs`).
"""

from __future__ import annotations

from collections.abc import Callable

from exactrelu.certificates.certificate import Record, claim
from exactrelu.complex.search import Limit
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import DomainLike
from exactrelu.questions.injectivity.cell_pairs import injective_by_pairs
from exactrelu.questions.injectivity.collisions import Collision
from exactrelu.questions.injectivity.layer import LayerProof, layer_injective
from exactrelu.questions.injectivity.stage import Stage
from exactrelu.verdict import Verdict

#: A layer that needs more covers than this is left to the pairs of regions.
MAX_COVERS = 20_000


def network_injective(
    network: Network,
    domain: DomainLike = None,
    *,
    max_regions: int | None = None,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Verdict:
    """Whether the network is one-to-one on the domain; the witness of a no is a pair of points.

    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> network_injective(absolute).witness
    ((-1,), (1,))
    """
    stage = Stage.of(network, domain)
    limit = Limit(max_regions, timeout)
    records: list[Record] = []
    where = stage.domain
    for number, layer in enumerate(network.layers, 1):
        answer = layer_injective(
            layer.weights,
            layer.bias,
            where,
            is_affine=number == len(network.layers),
            timeout=limit.remaining(),
            max_regions=MAX_COVERS if max_regions is None else max_regions,
            progress=progress,
        )
        if isinstance(answer, Collision) and number == 1:
            certificate = claim("not-injective", **stage.subjects, x=answer.x, y=answer.y)
            reason = "the first layer takes two points to one"
            return Verdict(False, reason, (answer.x, answer.y), certificate)
        if not isinstance(answer, LayerProof):
            return injective_by_pairs(
                stage, max_regions=max_regions, timeout=limit.remaining(), progress=progress
            )
        records += answer.records
        where = LinearSystem.orthant(layer.n_outputs)
    certificate = claim("injective-by-layers", records, network=network, domain=stage.domain)
    return Verdict(True, "every layer is, on what it can get", certificate=certificate)
