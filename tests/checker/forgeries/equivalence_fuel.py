"""What proofs about two networks cost, to the last unit of fuel."""

from . import equal_by_cells as cells_cases
from . import equal_within as within_cases
from . import not_equal_within as not_within_cases
from .limits import both

FILES = {
    "clip": (cells_cases.clip(*cells_cases.CLIP_TREE), 274),
    "hidden": (cells_cases.moved(*cells_cases.MOVED_TREE), 746),
    "cut-twice": (cells_cases.CUT_TWICE, 437),
    "denominators": (cells_cases.WITH_DENOMINATORS, 225),
    "nested": (cells_cases.file("nested-atoms-turned-around"), 194),
    "five-thousand-digits": (cells_cases.file("five-thousand-digits"), 69),
    "within": (within_cases.relu(within_cases.HALF, *within_cases.TREE), 171),
    "not-within": (not_within_cases.WITH_DENOMINATORS, 22),
}
CASES = tuple(
    case
    for name, (data, fuel) in FILES.items()
    for case in both(f"out-of-fuel--{name}", "--max-fuel", fuel, data)
)
