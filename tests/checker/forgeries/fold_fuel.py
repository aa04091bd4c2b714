"""What proofs about fold-sets cost, to the last unit of fuel."""

from .limits import accepted, both

FUEL = {
    "three": 3759,
    "cross": 481,
    "affine": 6,
    "union-arms": 8000,
    "union-ell": 1317,
    "union-thirds": 1279,
}
CASES = tuple(
    case
    for name, fuel in FUEL.items()
    for case in both(f"out-of-fuel--{name}", "--max-fuel", fuel, accepted("folds", name))
)
