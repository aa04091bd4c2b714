"""Sign vectors: a list is accepted exactly if it is that of brute force, and so are its mutants."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest
from bundles import sealed
from exactrelu_checker.objects import Network, layer_of, read_domain, read_network
from face_writer import Written, with_faces
from test_brute_force import mutants, random_domain, random_network
from test_cases import check_bytes

from exactrelu.certificates.certificate import claim
from tests.seeds import SEED

MUTANTS = 1500


@cache
def written(network: str, domain: str, planes: str) -> tuple[list[list[str]], list[str]]:
    """All faces as a claim lists them, and their tree."""
    networks = [read_network(json.loads(network))]
    rows = [[int(x, 16) for x in row] for row in json.loads(planes)]
    if rows:
        networks.append(Network((layer_of(1, rows), layer_of(1, [[0] * (len(rows) + 1)]))))
    place = read_domain(json.loads(domain))
    tree = Written(networks, place).lines
    lines = with_faces(networks, place, tree)
    return [line.split()[1:] for line in lines[1 : lines.index("by faces")]], tree


def faces_of(claim: dict[str, Any]) -> tuple[list[list[str]], list[str]]:
    parts = (json.dumps(claim[name]) for name in ("network", "domain", "planes"))
    return written(*parts)


def lines_of(seed: int) -> list[str]:
    """The lines of a true claim; domains may be flat, rows constant or repeated."""
    rng = random.Random(f"{SEED} vectors {seed}")
    n = rng.choice([1, 2, 2, 3])
    hidden = rng.choice([[1], [2], [1, 1], [2, 1], *([] if n == 3 else [[2, 2], [1, 1, 1]])])
    network, domain = random_network(rng, [n, *hidden, 1]), random_domain(rng, n)
    planes = [[f"{rng.randint(-1, 1):x}" for _ in range(n + 1)] for _ in range(rng.randint(0, 2))]
    subjects: dict[str, Any] = {"network": network, "domain": domain, "planes": planes}
    faces, tree = faces_of(claim("sign-vectors", "faces", **subjects).claim)
    data = claim("sign-vectors", "faces", tree, faces=faces, **subjects).to_bytes()
    return data.decode().splitlines()[:-1]


@pytest.mark.parametrize("seed", range(60))
def test_the_list_of_all_faces_is_accepted(seed: int) -> None:
    lines = lines_of(seed)
    assert check_bytes(sealed(lines)).verdict == "ACCEPTED"
    claim = json.loads(lines[0])["claim"]
    for faces in (claim["faces"][1:], [*claim["faces"], claim["faces"][0]]):
        changed = {"claim": {**claim, "faces": faces}, "format": "exactrelu-certificate/2"}
        text = json.dumps(changed, sort_keys=True, separators=(",", ":"))
        assert check_bytes(sealed([text, *lines[1:]])).verdict == "REJECTED"


def test_mutants_that_are_accepted_are_true() -> None:
    """Numbers of claims and of records are changed, records moved, dropped and doubled."""
    rng = random.Random(f"{SEED} vectors mutants")
    known = [lines_of(seed) for seed in range(25)]
    n_accepted = 0
    for _ in range(MUTANTS):
        lines = rng.choice(known)
        if rng.random() < 0.5:
            lines = mutants(rng, lines)
        if rng.random() < 0.7 and lines:
            lines = [changed(rng, lines[0]), *lines[1:]]
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if outcome.verdict == "ACCEPTED":
            n_accepted += 1
            claim = json.loads(lines[0])["claim"]
            assert sorted(claim["faces"]) == sorted(faces_of(claim)[0]), lines
    assert n_accepted > MUTANTS // 50


def changed(rng: random.Random, line: str) -> str:
    """A claim with one of its hexadecimal strings changed by 1."""
    value = json.loads(line)
    holders: list[tuple[Any, Any]] = []
    stack: list[Any] = [value["claim"]]
    while stack:
        node = stack.pop()
        for key, child in node.items() if isinstance(node, dict) else enumerate(node):
            if isinstance(child, dict | list):
                stack.append(child)
            elif isinstance(child, str) and not child.strip("-0123456789abcdef"):
                holders.append((node, key))
    node, key = rng.choice(holders)
    node[key] = f"{int(node[key], 16) + rng.choice([-1, 1]):x}"
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
