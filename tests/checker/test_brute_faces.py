"""Claims about faces: a tree is accepted exactly if the claim is true, by brute force."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from bundles import cases, sealed
from claim_truth import is_true as is_true_claim
from exactrelu_checker.objects import read_domain, read_network
from exactrelu_checker.unions import rows_on
from face_writer import Written, record, whole, with_faces
from flint import fmpq
from test_brute_force import claim_of, mutants, random_domain, random_network
from test_cases import check_bytes

from exactrelu.certificates.certificate import Certificate, claim
from exactrelu.errors import InputError
from exactrelu.network.network import Network
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.faces import (
    has_no_zero_optimum,
    is_cancellation_free,
    is_honest,
    is_supertransversal,
)
from exactrelu.questions.folds.folds import folds
from tests.seeds import SEED, seeds

MUTANTS = 3000


def small_case(seed: int) -> tuple[Network, Domain]:
    rng = random.Random(f"{SEED} faces {seed}")
    n = rng.choice([1, 2, 2, 2, 3])
    hidden = rng.choice([[1], [2], [3], [1, 1], [2, 1], [1, 2], [2, 2], [1, 1, 1]])
    if n == 3:
        hidden = rng.choice([[1], [2], [1, 1], [2, 1]])
    return random_network(rng, [n, *hidden, rng.choice([1, 1, 2])]), random_domain(rng, n)


@cache
def is_true(text: str) -> bool:
    return is_true_claim(json.loads(text)) is True


def accepted(data: bytes) -> bool:
    outcome = check_bytes(data)
    assert outcome.code != "internal-error", outcome
    return outcome.verdict == "ACCEPTED"


def files(network: Network, domain: Domain) -> dict[str, list[bytes]]:
    """For each kind and holds, files with different evidence."""
    subjects: dict[str, Any] = {"network": network, "domain": domain}
    base = claim_of(claim("honest", "faces", [], holds=True, **subjects).to_bytes())
    net, dom = read_network(base["network"]), read_domain(base["domain"])
    tree = Written([net], dom)
    counts = [0] * (dom.dim + 1)
    for node, _ in tree.leaves:
        counts[node.dim] += 1
    wrong = [counts[0] + 1, *counts[1:]]

    def made(kind: str, method: str, lines: list[str], holds: bool | None = None,
             **more: Any) -> bytes:  # fmt: skip
        return claim(kind, method, lines, holds=holds, **subjects, **more).to_bytes()

    listed = with_faces([net], dom, tree.lines)
    points = [(node, tree.point("point", node, t)) for node, t in tree.leaves]
    return {
        "complex": [made("complex", "faces", tree.lines, counts=counts)],
        "complex wrong": [made("complex", "faces", tree.lines, counts=wrong)],
        "supertransversal": [made("supertransversal", "faces", listed, True)],
        "supertransversal not": [
            made("supertransversal", "overfull", [at, _coefficients(tree, node, net)], False)
            for node, at in points
        ],
        "cancellation-free": [made("cancellation-free", "faces", listed, True)],
        "cancellation-free not": [made("cancellation-free", "part", ["part", *listed], False)],
        "honest": [made("honest", "faces", listed, True)],
        "honest not": [made("honest", "part", ["part", *listed], False)],
        "zero-optimum": [made("zero-optimum", "part", ["part", *listed], True)],
        "zero-optimum not": [made("zero-optimum", "faces", listed, False)],
    }


def _coefficients(tree: Written, node: Any, net: Any) -> str:
    """A dependency of the normals of neurons that are 0, or zeros."""
    signs = [sign for layer in node.stages[0].decided for sign in layer]
    layers = rows_on(tree.tree.proof, net, tree.tree.chart, tuple(signs))
    known = zip((row for layer in layers for row in layer), signs, strict=False)
    rows = [row for row, sign in known if sign == 0]
    normals = [[Fraction(x) for x in row[:-1]] for row in rows]
    size = len(rows)
    table = [[*row, *(Fraction(i == j) for j in range(size))] for i, row in enumerate(normals)]
    done = 0
    for k in range(tree.tree.chart.dim):
        at = next((i for i in range(done, size) if table[i][k]), None)
        if at is None:
            continue
        table[done], table[at] = table[at], table[done]
        for i in range(size):
            if i != done:
                factor = table[i][k] / table[done][k]
                table[i] = [x - factor * y for x, y in zip(table[i], table[done], strict=True)]
        done += 1
    weights = table[done][-size:] if done < size else [Fraction(0)] * size
    return record("coefficients", *whole(weights)[0])


@pytest.mark.parametrize("seed", seeds(50, 150))
def test_accepted_exactly_if_true(seed: int) -> None:
    """Flat domains, points, zero rows, ties and long numbers too."""
    network, domain = small_case(seed)
    for name, listed in files(network, domain).items():
        if not listed:
            continue
        truth = is_true(json.dumps(claim_of(listed[0]), sort_keys=True))
        said = any(map(accepted, listed))
        assert truth is said, (name, seed)


@pytest.mark.parametrize("seed", range(60))
def test_verdicts_of_the_library_are_accepted_and_true(seed: int) -> None:
    """On flat domains too, with the evidence that the library writes."""
    network, domain = small_case(seed)
    found = [polyhedral_complex(network, domain).certificate]
    for question in (is_cancellation_free, is_honest, is_supertransversal, has_no_zero_optimum):
        verdict = question(network, domain)
        assert verdict.answer is not None
        found.append(verdict.certificate)
    for certificate in found:
        lines = lines_of(certificate)
        assert accepted(sealed(lines))
        assert is_true(json.dumps(json.loads(lines[0])["claim"], sort_keys=True))


# Folds and chains, as the library writes them.


def lines_of(certificate: Certificate | None) -> list[str]:
    assert certificate is not None
    return certificate.to_bytes().decode().splitlines()[:-1]


def random_union(rng: random.Random, n: int) -> BoxUnion:
    """Two or three boxes with small ends, some of them flat, often side by side."""
    while True:
        sides = [
            tuple(sorted(rng.sample([fmpq(k, 2) for k in range(-3, 4)], 2))) if rng.random() < 0.95
            else (fmpq(0),) * 2
            for _ in range(n * rng.choice([2, 3]))
        ]  # fmt: skip
        boxes: Any = tuple(tuple(sides[k : k + n]) for k in range(0, len(sides), n))
        try:
            return BoxUnion(boxes)
        except InputError:
            continue


def union_case(seed: int) -> tuple[Network, BoxUnion]:
    rng = random.Random(f"{SEED} unions {seed}")
    n = rng.choice([1, 2, 2])
    hidden = rng.choice([[1], [2], [1, 1], [2, 1], [1, 2]])
    return random_network(rng, [n, *hidden, 1]), random_union(rng, n)


@pytest.mark.parametrize("seed", seeds(25, 75))
def test_folds_are_accepted_and_true(seed: int) -> None:
    """On flat domains too: hyperplanes are written over the free coordinates."""
    network, domain = small_case(seed)
    lines = lines_of(folds(network, domain).certificate)
    assert accepted(sealed(lines))
    if domain.inner_dimension:
        assert is_true(json.dumps(json.loads(lines[0])["claim"], sort_keys=True))


@pytest.mark.parametrize("seed", seeds(20, 60))
def test_folds_on_unions_are_accepted_and_true(seed: int) -> None:
    lines = lines_of(folds(*union_case(seed)).certificate)
    assert accepted(sealed(lines))
    assert is_true(json.dumps(json.loads(lines[0])["claim"], sort_keys=True))


def mutated_claim(rng: random.Random, line: str) -> str:
    """One number of a claim changed by 1, or an entry of a list dropped, doubled or moved."""
    value = json.loads(line)
    holders: list[tuple[Any, Any]] = []
    stack: list[Any] = [value["claim"]]
    while stack:
        node = stack.pop()
        for key, child in node.items() if isinstance(node, dict) else enumerate(node):
            holders.append((node, key))
            if isinstance(child, dict | list):
                stack.append(child)
    node, key = rng.choice(holders)
    child, by = node[key], rng.choice([-1, 1])
    if isinstance(child, bool):
        node[key] = not child
    elif isinstance(child, int):
        node[key] = child + by
    elif isinstance(child, str) and child.strip("-0123456789abcdef") == "":
        node[key] = f"{int(child, 16) + by:x}"
    elif isinstance(child, list) and child and key not in ("matrix",):
        what = rng.randrange(3)
        if what == 0:
            child.pop(rng.randrange(len(child)))
        elif what == 1:
            child.append(rng.choice(child))
        else:
            rng.shuffle(child)
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


#: Kinds whose claims list what there is, and a method without a tree.
LISTING = ("folds", "no-chain", "determined", "supertransversal")


def sources() -> list[list[str]]:
    """Accepted files: about random networks, and cases."""
    found = [
        data.decode().splitlines()[:-1] for seed in range(30)
        for listed in files(*small_case(seed)).values() for data in listed[:3] if accepted(data)
    ]  # fmt: skip
    found += [lines_of(folds(*small_case(seed)).certificate) for seed in range(0, 40, 2)
              if small_case(seed)[1].inner_dimension]  # fmt: skip
    found += [lines_of(folds(*union_case(seed)).certificate) for seed in range(10)]
    for case in cases().values():
        is_small = case.verdict == "ACCEPTED" and len(case.data) < 6000
        if is_small and case.lines and json.loads(case.lines[0])["claim"]["kind"] in LISTING:
            found += [list(case.lines)] * 3
    return found


@pytest.mark.parametrize("part", seeds(1, 4))
def test_mutants_that_are_accepted_are_true(part: int) -> None:
    rng = random.Random(f"{SEED} faces mutants {part}")
    known = sources()
    n_accepted = 0
    for _ in range(MUTANTS // 4):
        lines = rng.choice(known)
        what = rng.randrange(5)
        if what < 3:
            lines = mutants(rng, lines)
        if what == 2:
            lines = mutants(rng, lines) if len(lines) > 1 else lines
        if what > 1:
            lines = [mutated_claim(rng, lines[0]), *lines[1:]]
        if len(lines) < 2:
            continue
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if outcome.verdict == "ACCEPTED":
            n_accepted += 1
            text = json.dumps(json.loads(lines[0])["claim"], sort_keys=True)
            assert is_true(text), lines
    assert n_accepted > MUTANTS // 200
