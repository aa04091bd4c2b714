"""Five questions about networks of extreme numbers, each answered twice.

``python -m tests.extreme.hunt QUESTION N [FIRST]`` compares the answers about N networks, from
number FIRST on, with those of the plain exact tree, and counts them; what differs, and what
ends in an error, is printed with its number, and the exit code is then 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from unittest import mock

from exactrelu.cells import regions as listing
from exactrelu.cells import regions as proving
from exactrelu.network.network import trace
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.equivalence.difference import largest_difference
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.injectivity.network import is_injective
from exactrelu.questions.regions import regions
from tests.extreme import plain
from tests.extreme.networks import extreme_domain, extreme_network, extreme_pair, first_layer

#: Hidden widths by the number of inputs.  With one input they are as large as those that the
#: engine of simple complexes is made for; from five on linear programs start from guesses.
REGIONS = {
    1: ([40], [12, 4], [20, 3]),
    2: ([8], [5, 3], [4, 2, 2]),
    3: ([6], [4, 3]),
    5: ([6], [5, 1]),
}
FACES = {1: ([9], [6, 3]), 2: ([5], [4, 2], [3, 2, 1]), 3: ([4], [3, 2]), 5: ([4],)}
PAIRS = {1: ([4], [3, 2]), 2: ([4], [3, 2], [2, 2]), 3: ([3], [2, 2]), 5: ([3],)}
IMAGES = {
    1: ([2, 1], [3, 1], [2, 2, 1], [2, 2], [3, 2]),
    2: ([4, 2], [4, 3], [5, 4], [3, 3, 2]),
    3: ([6, 3], [4, 3]),
}


def _widths(rng: random.Random, table: Mapping[int, Sequence[list[int]]]) -> list[int]:
    n = rng.choice((1, 1, 1, 2, 2, 2, 2, 3, *table))
    return [n, *rng.choice(table[n])]


def hunt_regions(rng: random.Random) -> str:
    """With and without a proof."""
    widths = _widths(rng, REGIONS)
    net, domain = extreme_network(rng, [*widths, 1]), extreme_domain(rng, widths[0])
    expected = {cell.signs for cell in plain.cells(net, domain)}
    for certify in (False, True):
        found = regions(net, domain, certify=certify)
        assert {r.pattern for r in found.regions} == expected
        for region in found.regions:
            assert trace(net, region.point).pattern == region.pattern
            assert domain.interior().contains(region.point)
    return f"{net.n_inputs} inputs"


def hunt_complex(rng: random.Random) -> str:
    widths = _widths(rng, FACES)
    net, domain = extreme_network(rng, [*widths, 1]), extreme_domain(rng, widths[0])
    found = polyhedral_complex(net, domain)
    assert {f.signs: f.dimension for f in found.faces} == plain.faces(net, domain)
    for face in found.faces:
        assert trace(net, face.point).pattern == face.signs
        assert domain.interior().contains(face.point)
    return f"{net.n_inputs} inputs"


def hunt_equivalent(rng: random.Random) -> str:
    widths = _widths(rng, PAIRS)
    a, b = extreme_pair(rng, [*widths, rng.choice((1, 2))])
    domain = extreme_domain(rng, a.n_inputs)
    found = equivalent(a, b, domain)
    assert found.answer == plain.are_equal(a, b, domain), found.reason
    if not found.answer:
        assert domain.contains(found.witness)
        assert a(found.witness) != b(found.witness)
    return str(found.answer)


def hunt_difference(rng: random.Random) -> str:
    widths = _widths(rng, PAIRS)
    a, b = extreme_pair(rng, [*widths, rng.choice((1, 2))])
    domain = extreme_domain(rng, a.n_inputs)
    found = largest_difference(a, b, domain)
    assert found.answer
    assert found.largest is not None
    assert found.largest.value == plain.largest_difference(a, b, domain)
    if found.largest.value is None:
        return "unbounded"
    return "bounded" if found.largest.value else "zero"


def hunt_injective(rng: random.Random) -> str:
    """The network, and its first layer alone, which has an engine of its own."""
    widths = _widths(rng, IMAGES)
    net, domain = extreme_network(rng, widths), extreme_domain(rng, widths[0])
    found = is_injective(net, domain=domain)
    assert found.answer == plain.is_injective(net, domain), found.reason
    if not found.answer:
        x, y = found.witness
        assert x != y
        assert net(x) == net(y)
        assert domain.contains(x)
        assert domain.contains(y)
    layer = is_injective(net, domain, layer=1)
    assert layer.answer == plain.is_injective(first_layer(net), domain), layer.reason
    return f"{found.answer}, first layer {layer.answer}"


HUNTS: dict[str, Callable[[random.Random], str]] = {
    "regions": hunt_regions,
    "complex": hunt_complex,
    "equivalent": hunt_equivalent,
    "difference": hunt_difference,
    "injective": hunt_injective,
}


def compare(question: str, number: int) -> str:
    """Answer a question about network number … twice; what the answer was.

    The engines for large networks take the small ones too.
    """
    try:
        with (
            mock.patch.object(listing, "MIN_SIZE", 0),
            mock.patch.object(proving, "MIN_NEURONS", 0),
        ):
            return HUNTS[question](random.Random(f"{question} {number}"))
    except Exception as error:
        error.add_note(f"network {number} of the hunt for {question}")
        raise


def main(question: str, n: int, first: int = 0) -> int:
    """Compare n answers, from number ``first`` on."""
    counts: Counter[str] = Counter()
    for number in range(first, first + n):
        try:
            counts[compare(question, number)] += 1
        except Exception:
            counts["WRONG"] += 1
            traceback.print_exc()
    print(question, dict(sorted(counts.items())))
    return int(counts["WRONG"] > 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("question", choices=sorted(HUNTS))
    parser.add_argument("n", type=int)
    parser.add_argument("first", type=int, nargs="?", default=0)
    sys.exit(main(**vars(parser.parse_args())))
