"""What proofs about fibers cost, to the last unit of fuel."""

from . import fiber_half_lines as lines
from . import fiber_layerwise as layerwise
from . import identifiable_shallow as shallow
from . import minimal
from .limits import both

WEDGE = minimal.proof(minimal.WEDGE, minimal.OCTANT, minimal.BY_CASES, *minimal.WEDGE_PROOF)
LONG = shallow.line((1, 0, 10**100), (1, 1, 10**40), (1, 2, 1))
FILES = {
    "flips": (lines.proof(lines.UNEVEN, [[1]], *lines.UNEVEN_RECORDS), 1236),
    "dead": (lines.part(lines.DEAD, [[0]], *lines.DEAD_RECORDS), 2299),
    "layerwise": (layerwise.proof(layerwise.ONE, layerwise.ONE_STRATA, *layerwise.ONE_ALL), 260),
    "cases": (WEDGE, 167),
    "sums": (shallow.proof(shallow.FOUR, shallow.SUMS), 153),
    "sums-of-long-numbers": (shallow.proof(LONG, shallow.SUMS), 114),
}
CASES = tuple(
    case
    for name, (data, fuel) in FILES.items()
    for case in both(f"out-of-fuel--{name}", "--max-fuel", fuel, data)
)
