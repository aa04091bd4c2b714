"""Cases of the claim kind ``determined``."""

from collections.abc import Sequence
from fractions import Fraction

from determined_networks import (
    CUBE,
    DEEP,
    DEEP_CHAINS,
    DEEP_IMAGE,
    FIRST,
    FLAT,
    FLAT_CHAINS,
    GO_ON_1,
    GO_ON_2,
    ONLY_1,
    SECOND,
    SQUARE,
    STILL,
    TAPERED,
    TAPERED_AT_A_FOLD,
    TAPERED_CHAINS,
    TAPERED_IMAGE,
    TWO,
    TWO_CHAINS,
    UNBENT,
    chain,
)
from face_networks import property_claim
from face_trees import face_tree
from forge import Case, Json, certificate, network, point
from surface_truth import frame, refined, union

from .masked_rank import PRIME, modulus
from .non_proportional import points

Q = Fraction
S, T = (3, 5, 11, 19), (7, 1, 2, 31)


def claim(of: Json, on: Json = SQUARE) -> Json:
    """Return a claim."""
    return property_claim("determined", of, on)


def conditions(of: Json, on: Json = SQUARE) -> list[Json]:
    """Return the records that say that a network is general and transparent."""
    width = of["layers"][0]["inputs"] + 1
    start = [modulus(of, PRIME), points(S[:width], T[:width])]
    around, sides = frame(on)
    return [*start, *face_tree(refined(of, sides), around)]


DEEP_START = conditions(DEEP)
TWO_START = conditions(TWO)
STILL_START = conditions(STILL, CUBE)
TAPERED_START = conditions(TAPERED, CUBE)


def deep(
    chains: Sequence[Json] = DEEP_CHAINS, image: Sequence[Fraction | int] = DEEP_IMAGE
) -> bytes:
    """Return a certificate of the deep network."""
    return certificate(claim(DEEP), *DEEP_START, *chains, point(*image))


def changed(number: int, *places: Sequence[Fraction | int]) -> bytes:
    """Return the certificate of the deep network with another chain in the place of one."""
    chains = list(DEEP_CHAINS)
    chains[number] = chain(*places)
    return deep(chains)


# The second unit of the first layer is never 0 in the square: it could be moved.
LIFTED = network([[1, Q(1, 2), Q(1, 3)], [-1, Q(1, 4), 5]], [[1, 3, Q(1, 5)]])
# Not transparent: both units of the first layer are negative at (0, -3/4).
DARK = network([[1, Q(3, 4), Q(1, 3)], [-1, Q(3, 5), Q(1, 4)]], [[1, 3, Q(1, 5)]])
PARALLEL = network([[1, Q(1, 2), Q(1, 2)], [-2, -1, 1]], [[1, 3, Q(1, 5)]])
PROPORTIONAL = network([[1, Q(1, 2), Q(1, 2)], [-1, Q(1, 4), Q(1, 3)]], [[1, 3, 0]])
WIDE = network([[1, Q(1, 2), Q(1, 2)], [-1, Q(1, 4), Q(1, 3)], [2, 3, 1]], [[1, 3, 2, Q(1, 5)]])
OUTPUTS = network([[1, Q(1, 2), Q(1, 2)], [-1, Q(1, 4), Q(1, 3)]], [[1, 3, Q(1, 5)], [2, 1, 7]])
AFFINE = network([[1, 2, 3]])
# The square in two halves, and with a gap between them.
HALVES = union([(-1, Q(1, 8)), (-1, 1)], [(Q(1, 8), 1), (-1, 1)])
APART = union([(-1, -Q(1, 8)), (-1, 1)], [(Q(1, 8), 1), (-1, 1)])
QUARTER = union([(-1, 0), (-1, 1)], [(0, 1), (Q(1, 2), 1)])


def on_union(on: Json, image: Sequence[Fraction | int] = (-Q(1, 3), 0)) -> bytes:
    """Return a certificate of the network with two hidden layers on a union of boxes."""
    return certificate(claim(TWO, on), *conditions(TWO, on), *TWO_CHAINS, point(*image))


CASES = (
    Case("accept/union-two-halves", on_union(HALVES)),
    Case("accept/union-with-a-gap", on_union(APART)),
    Case("accept/union-of-one-box", on_union(union([(-1, 1), (-1, 1)]))),
    Case("reject/point-outside--gap", on_union(APART, (0, 0))),
    Case("reject/point-outside--side-of-the-gap", on_union(APART, (Q(1, 8), 0))),
    Case("reject/point-outside--chain-in-no-box", on_union(QUARTER)),
    Case(
        "accept/one-hidden-layer",
        certificate(claim(FLAT), *conditions(FLAT), *FLAT_CHAINS, point(0, 0)),
    ),
    Case(
        "accept/two-hidden-layers",
        certificate(claim(TWO), *TWO_START, *TWO_CHAINS, point(-Q(1, 3), 0)),
    ),
    Case("accept/three-hidden-layers", deep()),
    Case("accept/another-second-point", changed(0, FIRST, (Q(1, 2), 0))),
    Case("reject/chain-broken--another-unit", changed(0, SECOND, GO_ON_1)),
    Case("reject/chain-broken--does-not-go-on", changed(0, FIRST, GO_ON_2)),
    Case("reject/chain-broken--does-not-reach-the-last-layer", changed(0, FIRST, UNBENT)),
    Case("reject/chain-broken--never-reaches-the-last-layer", changed(2, UNBENT)),
    Case("reject/chain-broken--turns-back", changed(0, FIRST, FIRST)),
    Case("reject/chain-broken--starts-late", changed(0, GO_ON_1, GO_ON_1)),
    Case("reject/chain-broken--unit-of-the-layer", changed(2, GO_ON_2)),
    Case("reject/chain-broken--skips-a-layer", changed(0, (Q(15, 272), Q(287, 816)), GO_ON_1)),
    Case("reject/chain-broken--one-unit", changed(0, (0, Q(1, 3)), GO_ON_1)),
    Case("reject/chain-broken--no-unit", changed(0, DEEP_IMAGE, GO_ON_1)),
    Case("reject/chain-broken--last-layer-another-unit", changed(5, ONLY_1)),
    Case("reject/chain-broken--last-layer-later-unit", changed(4, (Q(17, 342), Q(1, 19)))),
    Case("reject/chain-broken--last-layer-none", changed(4, DEEP_IMAGE)),
    Case(
        "reject/chain-broken--unit-that-never-folds",
        certificate(
            claim(STILL, CUBE),
            *STILL_START,
            chain((0, Q(1, 4), Q(1, 12))),
            chain((Q(1, 4), 0, Q(1, 8))),
            chain((Q(3, 4), Q(11, 18), -Q(13, 54))),
            point(0, 0, 0),
        ),
    ),
    Case("reject/point-not-open--layer-before-is-0", changed(2, FIRST)),
    Case("reject/point-not-open--layer-before-is-not-active", changed(4, (Q(151, 408), Q(2, 3)))),
    Case("reject/point-not-open--image", deep(image=(Q(1, 3), Q(2, 3)))),
    Case("reject/point-not-open--image-at-a-fold", deep(image=GO_ON_1)),
    Case(
        "accept/two-units-after-three",
        certificate(claim(TAPERED, CUBE), *TAPERED_START, *TAPERED_CHAINS, point(*TAPERED_IMAGE)),
    ),
    Case(
        "reject/chain-broken--two-units-of-one-layer",
        certificate(
            claim(TAPERED, CUBE),
            *TAPERED_START,
            chain((-Q(2, 3), -Q(1, 4), Q(11, 72))),
            *TAPERED_CHAINS[1:],
            point(*TAPERED_IMAGE),
        ),
    ),
    Case(
        "reject/point-not-open--image-at-a-fold-of-layer-1",
        certificate(
            claim(TAPERED, CUBE), *TAPERED_START, *TAPERED_CHAINS, point(*TAPERED_AT_A_FOLD)
        ),
    ),
    Case("reject/point-outside--chain", changed(0, (2, 1), GO_ON_1)),
    Case("reject/point-outside--image", deep(image=(5, 5))),
    Case("malformed/wrong-length--chain-too-short", changed(0, FIRST)),
    Case("malformed/wrong-length--chain-too-long", changed(2, GO_ON_1, GO_ON_1)),
    Case("malformed/wrong-length--last-chain-too-long", changed(4, ONLY_1, ONLY_1)),
    Case("malformed/wrong-length--no-points", changed(4)),
    Case("reject/wrong-record--chain-left-out", deep(DEEP_CHAINS[:-1])),
    Case("reject/wrong-record--chain-too-many", deep((*DEEP_CHAINS, DEEP_CHAINS[0]))),
    Case("reject/missing-record--no-image", certificate(claim(DEEP), *DEEP_START, *DEEP_CHAINS)),
    Case("reject/missing-record--no-chains", certificate(claim(DEEP), *DEEP_START)),
    Case(
        "reject/surplus-record--image",
        certificate(claim(DEEP), *DEEP_START, *DEEP_CHAINS, point(*DEEP_IMAGE), point(0, 0)),
    ),
    Case(
        "reject/layer-negative--both-units",
        certificate(
            claim(DARK), *conditions(DARK), chain((-Q(1, 3), 0)), chain((Q(1, 4), 0)), point(0, 0)
        ),
    ),
    Case(
        "reject/minor-zero--parallel",
        certificate(
            claim(PARALLEL),
            *conditions(PARALLEL),
            chain((-Q(1, 2), 0)),
            chain((Q(1, 2), 0)),
            point(0, 0),
        ),
    ),
    Case(
        "reject/quotient-repeated--output",
        certificate(claim(PROPORTIONAL), *conditions(PROPORTIONAL), *FLAT_CHAINS, point(0, 0)),
    ),
    Case(
        "reject/chain-broken--never-0",
        certificate(
            claim(LIFTED), *conditions(LIFTED), chain((-Q(1, 3), 0)), chain((0, 0)), point(0, 0)
        ),
    ),
    Case(
        "reject/widths-increase--wide-layer",
        certificate(
            claim(WIDE), *conditions(WIDE), *FLAT_CHAINS, chain((-Q(1, 2), 0)), point(0, 0)
        ),
    ),
    Case(
        "reject/widths-increase--two-outputs",
        certificate(claim(OUTPUTS), *conditions(OUTPUTS), *FLAT_CHAINS, point(0, 0)),
    ),
    Case(
        "reject/widths-increase--no-hidden-layer",
        certificate(claim(AFFINE), *conditions(AFFINE), point(0, 0)),
    ),
    Case(
        "malformed/wrong-fields--no-domain",
        certificate({"kind": "determined", "network": FLAT}, *conditions(FLAT)),
    ),
    Case(
        "malformed/wrong-fields--chain-with-unit",
        deep([{**DEEP_CHAINS[0], "unit": 0}, *DEEP_CHAINS[1:]]),
    ),
)
