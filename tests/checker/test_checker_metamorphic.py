"""Changes that keep a planted claim true, with its evidence changed along, keep it accepted."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from exactrelu_checker.verdicts import Verdict
from forge import (
    certificate,
    hexes,
    kernel,
    matrix_fields,
    minor,
    multipliers,
    network,
    point,
    system,
    vector,
)
from region_trees import cells, proved, region_claim, region_tree, subtree_end
from running import check_bytes
from truth import region_count

from tests.seeds import seeds

SEEDS = seeds(12)
PRIME = 2**61 - 1


def accepts(claim: Any, *records: Any) -> bool:
    """Tell whether the checker accepts a certificate."""
    outcome = check_bytes(certificate(claim, *records))
    assert outcome.verdict in (Verdict.ACCEPTED, Verdict.REJECTED), outcome
    return outcome.verdict is Verdict.ACCEPTED


def empty_system(rng: random.Random, dim: int) -> tuple[list[tuple[str, list[int]]], list[int]]:
    """Return rows and planted multipliers with Σλa = 0 and Σλb = -1; the last multiplier is 1."""
    rows = [
        (rng.choice(("ge", "gt", "eq")), [rng.randint(-9, 9) for _ in range(dim + 1)])
        for _ in range(dim + 1)
    ]
    values = [rng.randint(1, 9) for _ in rows]
    last = [
        -sum(v * row[j] for v, (_, row) in zip(values, rows, strict=True)) for j in range(dim + 1)
    ]
    last[-1] -= 1
    return [*rows, ("ge", last)], [*values, 1]


def empty_claim(rows: list[tuple[str, list[int]]]) -> Any:
    """Return the claim that a system has no solution."""
    return {"kind": "polyhedron-empty", "system": system(len(rows[0][1]) - 1, *rows)}


@pytest.mark.parametrize("seed", SEEDS)
def test_empty(seed: int) -> None:
    rng = random.Random(seed)
    rows, values = empty_system(rng, rng.randint(1, 5))
    everything = list(range(len(rows)))
    assert accepts(empty_claim(rows), multipliers(everything, values))

    order = rng.sample(everything, len(rows))
    permuted = multipliers(everything, [values[i] for i in order])
    assert accepts(empty_claim([rows[i] for i in order]), permuted)

    chosen, factor = rng.choice(everything), rng.randint(2, 9)
    scaled = list(rows)
    scaled[chosen] = (rows[chosen][0], [factor * x for x in rows[chosen][1]])
    adapted = [v if i == chosen else factor * v for i, v in enumerate(values)]
    assert accepts(empty_claim(scaled), multipliers(everything, adapted))

    redundant = ("ge", [0] * (len(rows[0][1]) - 1) + [1])
    assert accepts(empty_claim([*rows, redundant]), multipliers(everything, values))

    weaker = [*rows[:-1], ("ge", [*rows[-1][1][:-1], rows[-1][1][-1] + 2])]
    assert not accepts(empty_claim(weaker), multipliers(everything, values))


@pytest.mark.parametrize("seed", SEEDS)
def test_nonempty(seed: int) -> None:
    rng = random.Random(seed)
    dim = rng.randint(1, 5)
    solution = [Fraction(rng.randint(-9, 9), rng.randint(1, 9)) for _ in range(dim)]
    rows = []
    for _ in range(8):
        normal = [rng.randint(-9, 9) for _ in range(dim)]
        slack = rng.randint(1, 3)
        offset = slack - sum((a * x for a, x in zip(normal, solution, strict=True)), Fraction(0))
        scale = offset.denominator
        rows.append(("gt", [*(scale * a for a in normal), int(scale * offset)]))

    def holds(of: list[tuple[str, list[int]]]) -> bool:
        claim = {"kind": "polyhedron-nonempty", "system": system(dim, *of)}
        return accepts(claim, point(*solution))

    assert holds(rows)
    assert holds(rng.sample(rows, len(rows)))
    assert holds([(sense, [7 * x for x in row]) for sense, row in rows])
    assert holds([*rows, ("ge", [0] * dim + [0])])
    assert not holds([*rows, ("gt", [-x for x in rows[0][1]])])


@pytest.mark.parametrize("seed", SEEDS)
def test_rank(seed: int) -> None:
    """A = (I; C)·(I | B) has rank r, its first r rows and columns a minor, (-B; I) its kernel."""
    rng = random.Random(seed)
    r, more_rows, free = rng.randint(1, 4), rng.randint(0, 3), rng.randint(0, 3)
    right = [
        [int(i == j) for j in range(r)] + [rng.randint(-9, 9) for _ in range(free)]
        for i in range(r)
    ]
    left = [[int(i == j) for j in range(r)] for i in range(r)]
    left += [[rng.randint(-9, 9) for _ in range(r)] for _ in range(more_rows)]
    rows = [
        [sum(a * b for a, b in zip(u, v, strict=True)) for v in zip(*right, strict=True)]
        for u in left
    ]
    vectors = [
        [-right[i][r + k] for i in range(r)] + [int(j == k) for j in range(free)]
        for k in range(free)
    ]
    evidence = kernel(range(r, r + free), *vectors)

    def holds(of: list[list[int]], chosen: list[int], rank: int = r) -> bool:
        claim = {"kind": "rank", "rank": rank, **matrix_fields(of)}
        return accepts(claim, minor(chosen, range(rank), PRIME), evidence)

    assert holds(rows, list(range(r)))
    order = rng.sample(range(len(rows)), len(rows))
    assert holds([rows[i] for i in order], sorted(order.index(i) for i in range(r)))
    assert holds([[-3 * x for x in row] for row in rows], list(range(r)))
    assert holds([*rows, rows[0]], list(range(r)))
    assert not holds(rows, list(range(r - 1)), r - 1)
    if free and more_rows:
        assert not holds(rows, list(range(r + 1)), r + 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_value(seed: int) -> None:
    rng = random.Random(seed)
    n, m = rng.randint(1, 4), rng.randint(1, 5)
    hidden = [
        [Fraction(rng.randint(-9, 9), rng.randint(1, 4)) for _ in range(n + 1)] for _ in range(m)
    ]
    last = [rng.randint(-9, 9) for _ in range(m + 1)]
    x = [Fraction(rng.randint(-9, 9), rng.randint(1, 9)) for _ in range(n)]
    before = [sum((w * y for w, y in zip(row[:-1], x, strict=True)), row[-1]) for row in hidden]
    result = sum(
        (w * max(v, Fraction(0)) for w, v in zip(last[:-1], before, strict=True)),
        Fraction(last[-1]),
    )

    def holds(order: list[int], factors: list[Fraction], output: Fraction = result) -> bool:
        layer = [[factors[i] * w for w in hidden[i]] for i in order]
        outer = [Fraction(last[i]) / factors[i] for i in order] + [Fraction(last[-1])]
        signs = "".join("0+-"[(before[i] > 0) - (before[i] < 0)] for i in order)
        claim = {
            "kind": "value",
            "network": network(layer, [outer]),
            "output": vector(output),
            "point": vector(*x),
            "signs": [signs],
        }
        return accepts(claim)

    one = [Fraction(1)] * m
    scalings = [Fraction(rng.randint(1, 9), rng.randint(1, 9)) for _ in range(m)]
    assert holds(list(range(m)), one)
    assert holds(rng.sample(range(m), m), one)
    assert holds(rng.sample(range(m), m), scalings)
    assert not holds(list(range(m)), one, result + Fraction(1, 10**30))


@pytest.mark.parametrize("seed", SEEDS)
def test_cone(seed: int) -> None:
    rng = random.Random(seed)
    dim = rng.randint(1, 5)
    y = [rng.choice((-2, -1, 1, 2)) for _ in range(dim)]
    generators: list[list[int]] = []
    while len(generators) < 6:
        g = [rng.randint(-9, 9) for _ in range(dim)]
        if sum(a * b for a, b in zip(y, g, strict=True)) > 0:
            generators.append(g)

    def pointed(of: list[list[int]]) -> bool:
        claim = {"dim": dim, "generators": [hexes(g) for g in of], "kind": "cone-pointed"}
        return accepts(claim, {"record": "functional", "values": hexes(y)})

    assert pointed(generators)
    assert pointed(rng.sample(generators, len(generators)))
    factors = [rng.randint(1, 9) for _ in generators]
    assert pointed([[f * x for x in g] for f, g in zip(factors, generators, strict=True)])
    assert pointed([*generators, [0] * dim])
    assert not pointed([*generators, [-x for x in generators[0]]])


def random_layers(rng: random.Random, widths: list[int]) -> list[list[list[Fraction]]]:
    """Return the rows of a network; about every fifth entry is 0."""
    return [
        [
            [
                Fraction(rng.choice((0, 1, 1, 1, 1)) * rng.randint(-5, 5), rng.randint(1, 3))
                for _ in range(before + 1)
            ]
            for _ in range(width)
        ]
        for before, width in pairwise(widths)
    ]


@pytest.mark.parametrize("seed", seeds(40))
def test_regions(seed: int) -> None:
    rng = random.Random(seed)
    dim = rng.randint(1, 2)
    layers = random_layers(rng, [dim, *(rng.randint(1, 3) for _ in range(rng.randint(1, 3))), 1])
    domain = [
        ("gt", [*(rng.randint(-3, 3) for _ in range(dim)), rng.randint(0, 4)])
        for _ in range(rng.randint(0, 3))
    ]
    net, on = network(*layers), system(dim, *domain)
    claim, *records = proved(net, on)
    count = claim["n_regions"]
    assert count == region_count(net, on)
    assert accepts(claim, *records)
    assert not accepts({**claim, "n_regions": count + 1}, *records)

    def rebuilt(new: Any, where: Any = on) -> bool:
        again = proved(new, where)
        return again[0]["n_regions"] == count and accepts(*again)

    place = rng.randrange(len(layers) - 1)
    width = len(layers[place])
    order = rng.sample(range(width), width)
    assert rebuilt(network(*changed_layers(layers, place, order, [Fraction(1)] * width)))
    factors = [Fraction(rng.randint(1, 5), rng.randint(1, 5)) for _ in order]
    assert rebuilt(network(*changed_layers(layers, place, list(range(width)), factors)))
    assert rebuilt(net, system(dim, *domain, ("gt", [0] * dim + [7])))
    assert rebuilt(net, system(dim, *((sense, [3 * x for x in row]) for sense, row in domain)))
    if domain:
        assert rebuilt(net, system(dim, *domain, domain[0]))


@pytest.mark.parametrize("seed", SEEDS)
def test_regions_at_least(seed: int) -> None:
    rng = random.Random(seed)
    dim = rng.randint(1, 2)
    layers = random_layers(rng, [dim, *(rng.randint(1, 3) for _ in range(rng.randint(1, 3))), 1])
    domain = [("gt", [*(rng.randint(-3, 3) for _ in range(dim)), rng.randint(1, 4)])]
    _, *records = proved(network(*layers), system(dim, *domain))
    points = [{**r, "record": "point"} for r in records if r["record"] == "cell"]

    def holds(of: list[Any], rows: Any = domain, net: Any = layers, count: int = 0) -> bool:
        subjects = {"domain": system(dim, *rows), "network": network(*net)}
        claim = {"count": count or len(of), "kind": "regions-at-least", **subjects}
        return accepts(claim, *of)

    assert holds(points)
    assert holds(rng.sample(points, len(points)))
    assert holds(rng.sample(points, rng.randint(1, len(points))))
    assert holds(points, [*domain, ("gt", [0] * dim + [7])])
    assert holds(points, [(sense, [3 * x for x in row]) for sense, row in domain])
    place = rng.randrange(len(layers) - 1)
    order = rng.sample(range(len(layers[place])), len(layers[place]))
    factors = [Fraction(rng.randint(1, 5), rng.randint(1, 5)) for _ in order]
    assert holds(points, net=changed_layers(layers, place, order, factors))
    assert not holds([*points, rng.choice(points)])
    assert not holds(points, count=len(points) + 1)
    assert not holds(points, [*domain, ("gt", [0] * dim + [0])])


def changed_layers(
    layers: list[list[list[Fraction]]], place: int, order: list[int], factors: list[Fraction]
) -> list[list[list[Fraction]]]:
    """Return the same function: neurons of a hidden layer permuted and scaled."""
    new = list(layers)
    new[place] = [[factors[i] * w for w in layers[place][i]] for i in order]
    new[place + 1] = [[*(row[i] / factors[i] for i in order), row[-1]] for row in layers[place + 1]]
    return new


@pytest.mark.parametrize("seed", seeds(40))
def test_sides_of_a_split_cannot_be_swapped(seed: int) -> None:
    rng = random.Random(seed)
    net, on = network(*random_layers(rng, [2, 3, 2, 1])), system(2)
    records = region_tree(net, on)
    claim = region_claim(net, on, cells(records))
    assert accepts(claim, *records)
    for start, record in enumerate(records):
        if record["record"] == "split":
            middle = subtree_end(records, start + 1)
            end = subtree_end(records, middle)
            swapped = [*records[: start + 1], *records[middle:end], *records[start + 1 : middle]]
            assert not accepts(claim, *swapped, *records[end:])
