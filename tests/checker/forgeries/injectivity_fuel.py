"""What proofs about layers cost, to the last unit of fuel."""

from . import layer_injective as layers
from . import spark as sparks
from . import stability_at_least as bounds
from . import stability_at_most as pairs
from .limits import both

FILES = {
    "merged": (layers.MERGED_PROOF, 216),
    "tree": (layers.SIDES_PROOF, 99),
    "long-modulus": (layers.proof(layers.BOTH, layers.header(q=2**600 + 1), layers.EACH), 105),
    "domain": (
        layers.proof(layers.ONE, layers.F, layers.cover((0, 1), (1, 1)), on=layers.RAY),
        12,
    ),
    "stability": (bounds.proof(bounds.BOTH, bounds.SEVENTH, bounds.H, *bounds.TREE), 41),
    "stability-cut-twice": (bounds.proof(bounds.BOTH, bounds.SEVENTH, bounds.H, *bounds.TWICE), 58),
    "spark": (sparks.AXES_PROOF, 87),
    "stability-on-a-line": (bounds.EQUATION_PROOF, 97),
    "close-pair": (pairs.proof(pairs.BOTH, pairs.ROOT, *map(pairs.vector, (1, -1))), 32),
}
CASES = tuple(
    case
    for name, (data, fuel) in FILES.items()
    for case in both(f"out-of-fuel--{name}", "--max-fuel", fuel, data)
)
