"""Random pairs of networks, and random domains on which they are compared by brute force."""

import random
from dataclasses import dataclass
from functools import partial

from flint import fmpq

from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain_text import parse_domain
from tests.questions import pairs

DOMAINS = ("R", "R", "orthant", "box:-1,1", "box:0,1/3")


@dataclass(frozen=True)
class Place:
    """A domain; a flat one is x = base + Σ t_k·directions[k] with t in the open set ``inside``."""

    domain: LinearSystem
    inside: LinearSystem
    base: tuple[fmpq, ...] | None = None
    directions: tuple[tuple[fmpq, ...], ...] = ()

    @property
    def is_flat(self) -> bool:
        return self.base is not None

    def seen(self, net: Network) -> Network:
        """The network along the domain, in coordinates that are not those of the library."""
        return net if self.base is None else net.slice(self.base, self.directions)

    def are_equal(self, a: Network, b: Network) -> bool:
        if self.base is not None and not self.directions:
            return a(self.base) == b(self.base)
        return pairs.are_equal(self.seen(a), self.seen(b), self.inside)

    def suprema(self, a: Network, b: Network) -> list[fmpq | None]:
        if self.base is not None and not self.directions:
            return [abs(f - g) for f, g in zip(a(self.base), b(self.base), strict=True)]
        return pairs.largest_differences(self.seen(a), self.seen(b), self.inside)


def random_place(rng: random.Random, n: int) -> Place:
    """A domain with interior points, or one face of the box [−1, 2]^n; some rows are strict."""
    if rng.random() < 0.75:
        rows = parse_domain(rng.choice(DOMAINS), n).rows
        domain = LinearSystem(n, tuple(map(partial(_perhaps_strict, rng), rows)))
        return Place(domain, domain.interior())
    fixed = {j: rng.choice((-1, 2)) for j in rng.sample(range(n), rng.randint(1, n))}
    free = [j for j in range(n) if j not in fixed]
    box = LinearSystem.box([(fixed.get(j, -1), fixed.get(j, 2)) for j in range(n)])
    rows = (_perhaps_strict(rng, r) if any(r.normal[j] for j in free) else r for r in box.rows)
    # x_j = 2·t_k for the free coordinates j: t is in the box (−1/2, 1).
    directions = tuple(tuple(fmpq(2 * (i == j)) for i in range(n)) for j in free)
    inside = LinearSystem.box([("-1/2", 1)] * len(free)).interior()
    base = tuple(fmpq(fixed.get(j, 0)) for j in range(n))
    return Place(LinearSystem(n, tuple(rows)), inside, base, directions)


def _perhaps_strict(rng: random.Random, row: Row) -> Row:
    return Row(row.normal, row.offset, Sense.GREATER) if rng.random() < 0.5 else row


def random_pair(rng: random.Random, k: int) -> tuple[Network, Network, bool | None]:
    """Two networks, and whether they are equal if that is known."""
    if k % 8 == 7:
        a, b = pairs.hiding(rng)
        return (a, pairs.changed(b, rng), None) if rng.random() < 0.3 else (a, b, True)
    hidden = [rng.randint(1, 4) for _ in range(rng.randint(0, 2))]
    a = pairs.random_network(rng, [rng.randint(1, 3), *hidden, rng.randint(1, 2)])
    if k % 4 == 0:
        return a, pairs.disguised(a, rng, rng.randint(1, 4)), True
    if k % 4 == 1:
        return a, pairs.changed(pairs.disguised(a, rng, rng.randint(0, 2)), rng), None
    if k % 4 == 2:
        return pairs.disguised(a, rng, 2), pairs.disguised(a, rng, 2), True
    other = [rng.randint(1, 3) for _ in range(rng.randint(0, 2))]
    return a, pairs.random_network(rng, [a.n_inputs, *other, a.n_outputs]), None
