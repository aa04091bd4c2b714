"""Face trees built by Fourier-Motzkin elimination: the claims are true, and changes that keep them
true keep them accepted."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import chain, pairwise
from typing import Any

import pytest
from face_trees import face_tree, subtree_end
from face_truth import Complex
from forge import network, system
from test_checker_metamorphic import accepts, changed_layers, random_layers

from tests.seeds import seeds


def complex_claim(of: Any, on: Any, counts: list[int]) -> Any:
    """Return a claim about the numbers of faces."""
    return {"domain": on, "f_vector": counts, "kind": "complex", "network": of}


def property_claim(kind: str, of: Any, on: Any) -> Any:
    """Return the claim that a network has a property on a domain."""
    return {"domain": on, "kind": kind, "network": of}


def random_case(seed: int) -> tuple[random.Random, list[list[list[Fraction]]], Any]:
    """Return a small network and the rows of a domain."""
    rng = random.Random(seed)
    dim = rng.randint(1, 2)
    layers = random_layers(rng, [dim, *(rng.randint(1, 2) for _ in range(rng.randint(1, 2))), 1])
    domain = [
        ("gt", [*(rng.randint(-3, 3) for _ in range(dim)), rng.randint(0, 4)])
        for _ in range(rng.randint(0, 2))
    ]
    return rng, layers, system(dim, *domain)


@pytest.mark.parametrize("seed", seeds(40))
def test_complex(seed: int) -> None:
    rng, layers, on = random_case(seed)
    net = network(*layers)
    counts = Complex(net, on).f_vector()
    tree = face_tree(net, on)
    assert accepts(complex_claim(net, on, counts), *tree)
    wrong = [*counts[:-1], counts[-1] + 1]
    assert not accepts(complex_claim(net, on, wrong), *tree)

    place = rng.randrange(len(layers) - 1)
    width = len(layers[place])
    order = rng.sample(range(width), width)
    factors = [Fraction(rng.randint(1, 5), rng.randint(1, 5)) for _ in order]
    other = network(*changed_layers(layers, place, order, factors))
    assert accepts(complex_claim(other, on, counts), *face_tree(other, on))


@pytest.mark.parametrize("seed", seeds(40))
def test_properties(seed: int) -> None:
    """A property and its opposite: the tree proves the one that is true."""
    _, layers, on = random_case(seed)
    net = network(*layers)
    tree = face_tree(net, on)
    of = Complex(net, on)
    part = {"record": "part", "rows": []}
    answers = {
        "supertransversal": of.is_supertransversal(),
        "cancellation-free": of.is_cancellation_free(),
        "honest": of.is_honest(),
        "no-zero-optimum": not of.has_zero_optimum(),
    }
    for kind, answer in answers.items():
        assert accepts(property_claim(kind, net, on), *tree) == answer, kind
    not_honest = property_claim("not-honest", net, on)
    assert accepts(not_honest, part, *tree) != answers["honest"]


@pytest.mark.parametrize("seed", seeds(20))
def test_parts_of_a_cut_cannot_be_swapped(seed: int) -> None:
    rng = random.Random(seed)
    net, on = network(*random_layers(rng, [2, 2, 1, 1])), system(2)
    claim = complex_claim(net, on, Complex(net, on).f_vector())
    tree = face_tree(net, on)
    assert accepts(claim, *tree)
    for start, record in enumerate(tree):
        if record["record"] == "cut":
            ends = [start + 1]
            for _ in range(3):
                ends.append(subtree_end(tree, ends[-1]))
            below, zero, above = (tree[a:b] for a, b in pairwise(ends))
            for swapped in ((zero, below, above), (above, zero, below), (below, above, zero)):
                forged = [*tree[: start + 1], *chain(*swapped), *tree[ends[-1] :]]
                assert not accepts(claim, *forged)
