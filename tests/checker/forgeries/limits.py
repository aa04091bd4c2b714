"""Cases of the limits, lowered on the command line so that small files meet them.

Each limit has a file that just fits and one that is just over.
"""

from fractions import Fraction
from importlib import import_module

from face_networks import BENT, PLANE, by_tree
from forge import Case, certificate, kernel, matrix_fields, minor, point, system

from . import complex as complex_cases
from . import generic_bottleneck as bottleneck_cases
from . import masked_rank as masked_cases
from . import masked_rank_deficient as deficient_cases
from . import non_proportional as quotient_cases
from . import regions as region_cases
from . import transparent as transparent_cases
from . import value as value_cases

CLAIM = {"kind": "polyhedron-nonempty", "system": system(1, ("ge", [1, 0]))}
FILE = certificate(CLAIM, point(255))
MARKS = max(sum(map(line.count, b'[]{},"')) for line in FILE.splitlines())
LONGEST = max(map(len, FILE.splitlines(keepends=True)))
RANK = certificate(
    {"kind": "rank", "rank": 2, **matrix_fields([[1, 2], [3, 4]])},
    minor([0, 1], [0, 1]),
    kernel([]),
)
# The costs of long integers: products, Euclid's algorithm, elimination modulo a long prime.
LONG = 1 << 3000
LONG_PRODUCTS = certificate(
    {"kind": "polyhedron-nonempty", "system": system(2, ("ge", [LONG, 1, 1]))}, point(LONG, 1)
)
LONG_FRACTION = certificate(
    {"kind": "polyhedron-nonempty", "system": system(1)}, point(Fraction(LONG, 3**1000))
)
LONG_MODULUS = certificate(
    {"kind": "rank", "rank": 3, **matrix_fields([[LONG, 1, 5], [1, LONG, 7], [2, 3, 1]])},
    minor([0, 1, 2], [0, 1, 2], 2**2203 - 1),
    kernel([]),
)
VALUE = certificate(value_cases.DEEP_CLAIM)
REGIONS = {"constants": 68, "three-layers": 482, "two-layers": 685, "five-thousand-digits": 80036}
FACES = {
    "complex": (complex_cases.file("two-layers"), 953),
    "honest": (by_tree("honest", BENT, PLANE), 3208),
    "no-zero-optimum": (by_tree("no-zero-optimum", BENT, PLANE), 1880),
}
RANKS = masked_cases.ACCEPT
GENERICITY = {
    "square": (masked_cases.proof(RANKS["bottleneck"]), 394),
    "full": (masked_cases.proof(RANKS["first-layer-full"]), 260),
    "wide": (masked_cases.proof(RANKS["wide-with-a-larger-layer"]), 370),
    "wide-later": (masked_cases.proof(RANKS["wide-later"]), 130),
    "wide-with-four-inputs": (masked_cases.proof(masked_cases.net([[1, 2, 3, 5]])), 41),
    "two-hidden-layers": (masked_cases.proof(masked_cases.TWO), 125),
    "four-layers": (masked_cases.proof(RANKS["four-layers"]), 346),
    "masked-long-modulus": (
        masked_cases.proof(RANKS["wide-with-a-larger-layer"], 2**2203 - 1),
        12086,
    ),
    "non-proportional": (quotient_cases.proof(quotient_cases.NET), 280),
    "non-proportional-long-modulus": (
        quotient_cases.proof(quotient_cases.NET, q=2**2203 - 1),
        4811,
    ),
    "deficient": (deficient_cases.OTHER_NEURONS, 34),
    "transparent": (
        transparent_cases.proof(transparent_cases.TWO, *transparent_cases.TWO_TREE),
        82,
    ),
    "bottleneck": (bottleneck_cases.proof(bottleneck_cases.WIDE), 356),
}
# Fuel of accepted files of the kinds about two networks and fibers: every loop pays.
PAIRS = {
    ("isomorphic", "deep"): 164,
    ("isomorphic", "affine"): 16,
    ("not_isomorphic", "hidden-weight"): 526,
    ("not_isomorphic", "cycle-and-squares"): 6964,
    ("not_isomorphic", "cycle-and-squares-from-the-other"): 6964,
    ("not_isomorphic", "free-component"): 1404,
    ("not_isomorphic", "largest-outgoing-weight"): 590,
    ("not_isomorphic", "free-beside-anchored"): 1712,
    ("not_isomorphic", "which-neuron-is-joined"): 436,
    ("not_isomorphic", "affine"): 6,
    ("different", "second-output"): 33,
    ("equal_shallow", "turned-around-in-the-second-coordinate"): 66,
    ("equal_shallow", "two-outputs"): 65,
    ("equal_shallow", "dead-on-the-orthant"): 27,
    ("equal_shallow", "constants"): 26,
    ("fiber_components", "both-orientations"): 114,
    ("fiber_components", "rigid"): 146,
    ("fiber_components", "not-pointed-with-two-linear-neurons"): 98,
    ("fiber_dimension", "two-linear-neurons"): 84,
    ("fiber_dimension", "more-linear-neurons-than-outputs-in-space"): 69,
    ("largest_difference", "at-the-boundary"): 195,
    ("largest_difference", "a-third"): 57,
    ("unbounded_difference", "other-denominators"): 15,
    ("unbounded_difference", "a-steady-neuron"): 31,
    ("bounded_cells", "bounds-linear-later"): 215,
    ("bounded_cells", "bounds-linear-with-fractions"): 98,
    ("bounded_cells", "bounds-of-a-dead-activation"): 188,
    ("bounded_cells", "bounds-lower-2-0"): 95,
    ("equal_by_rewriting", "first-of-two-layers"): 100,
    ("equal_by_rewriting", "refactored-with-denominators"): 161,
    ("equal_by_rewriting", "several-steps"): 58,
    ("equal_by_rewriting", "composed-with-denominators"): 21,
    ("equal_by_rewriting", "orthant-in-two-variables"): 111,
    ("equal_by_rewriting", "merged-with-a-fraction"): 61,
    ("equal_by_rewriting", "unused"): 30,
    ("equal_by_rewriting", "composed-unused"): 22,
    ("equal_by_rewriting", "translated"): 105,
    ("equal_by_rewriting", "flipped-two"): 99,
    ("equal_by_rewriting", "the-same-form-after-translations"): 230,
    ("never_active", "one-branch"): 72,
    ("never_active", "two-layers-before"): 134,
    ("never_active", "denominators"): 72,
    ("never_active", "two-rows-of-a-domain"): 54,
    ("never_active", "branches-on-both-sides"): 99,
    ("never_active", "isomorphic"): 110,
    ("never_active", "indices-after-a-step"): 97,
    ("functional_dimension", "two-outputs"): 680,
    ("functional_dimension", "deep"): 1624,
    ("functional_dimension_at_least", "deep"): 472,
    ("identifiable", "mixed-rows"): 165,
    ("identifiable", "one-neuron-in-layer-one"): 92,
    ("not_identifiable", "linear-with-fractions"): 95,
    ("not_identifiable", "dead-by-a-lower-bound"): 890,
    ("not_identifiable", "mirror-of-two"): 264,
}
DEEP = FILE.splitlines(keepends=True)[0] + b"[" * 100_000 + b"\n"


def both(name: str, option: str, limit: int, data: bytes = FILE) -> tuple[Case, Case]:
    """Return the case that fits a limit and the case that is over it by one."""
    return (
        Case(f"accept/{name}--fits", data, (option, str(limit))),
        Case(f"limit/{name}--one-over", data, (option, str(limit - 1))),
    )


def accepted(table: str, name: str) -> bytes:
    """Return an accepted file of another table."""
    cases = import_module(f"forgeries.{table}").CASES
    return next(case.data for case in cases if case.name == f"accept/{name}")


CASES = (
    *both("too-many-bytes", "--max-bytes", len(FILE)),
    *both("too-many-lines", "--max-lines", 3),
    *both("line-too-long", "--max-line", LONGEST),
    *both("too-deep", "--max-depth", 6),
    *both("too-many-marks", "--max-marks", MARKS),
    *both("integer-too-long", "--max-bits", 8),
    *both("out-of-fuel", "--max-fuel", 3),
    *both("out-of-fuel--rank", "--max-fuel", 12, RANK),
    *both("out-of-fuel--long-products", "--max-fuel", 108, LONG_PRODUCTS),
    *both("out-of-fuel--long-fraction", "--max-fuel", 1162, LONG_FRACTION),
    *both("out-of-fuel--long-modulus", "--max-fuel", 3272, LONG_MODULUS),
    *(
        case
        for name, fuel in REGIONS.items()
        for case in both(
            f"out-of-fuel--regions-{name}", "--max-fuel", fuel, region_cases.file(name)
        )
    ),
    *both("out-of-fuel--regions-sides", "--max-fuel", 95, region_cases.IN_TWO_LAYERS),
    *(
        case
        for kind, (data, fuel) in FACES.items()
        for case in both(f"out-of-fuel--faces-{kind}", "--max-fuel", fuel, data)
    ),
    *(
        case
        for name, (data, fuel) in GENERICITY.items()
        for case in both(f"out-of-fuel--{name}", "--max-fuel", fuel, data)
    ),
    *(
        case
        for (table, name), fuel in PAIRS.items()
        for case in both(f"out-of-fuel--{table}-{name}", "--max-fuel", fuel, accepted(table, name))
    ),
    *both("too-deep--layers-in-a-row", "--max-depth", 8, VALUE),
    Case("limit/internal-error--recursion-in-the-parser", DEEP, ("--max-depth", "1000000")),
)
