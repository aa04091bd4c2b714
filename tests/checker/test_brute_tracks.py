"""Tracks and ridges accept no network that has a twin among all small integer networks.

Networks of some widths are grouped by their function; the list of faces is written by fractions.
Competitors may be in special position: none was ever found for a yes by tracks, so that one is
reported here as well.
"""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from bundles import sealed
from exactrelu_checker.objects import read_domain, read_network
from face_writer import Written, with_faces
from test_cases import check_bytes

from tests.questions.identifiability.enumeration import Family, Groups
from tests.questions.identifiability.test_enumeration import assert_alone
from tests.seeds import SEED, shifted

AMONG = {"tracks": "general-position", "ridges": "all"}
DAILY = [
    ((1, 2, 1), (3, 3)),
    ((1, 1, 2, 1), (2, 2, 2)),
    ((2, 2, 1, 1), (1, 1, 1)),
    ((2, 1, 2, 1), (1, 2, 1)),
]
#: Widths, heights, and of how many parts of all functions one is taken.
SWEEP = [
    ((1, 2, 1), (5, 4), 1),
    ((1, 1, 2, 1), (4, 4, 3), 1),
    ((2, 2, 1, 1), (2, 2, 1), 1),
    ((2, 1, 2, 1), (2, 3, 3), 1),
    ((2, 2, 2, 1), (1, 2, 1), 8),
]


def codes(layers: list[list[list[int]]]) -> dict[str, str]:
    """What the checker says, by method, to the honest list of faces; the last layer has no bias."""
    *hidden, last = layers
    rows = [*hidden, [[*row, 0] for row in last]]
    network = {
        "layers": [
            {
                "inputs": len(layer[0]) - 1,
                "matrix": ["1", [[f"{x:x}" for x in row] for row in layer]],
                "outputs": len(layer),
            }
            for layer in rows
        ]
    }
    n = len(rows[0][0]) - 1
    domain = {"dim": n, "rows": list[str]()}
    read, place = read_network(network), read_domain(domain)
    faces = with_faces([read], place, Written([read], place).lines)
    found = {}
    for method, among in AMONG.items():
        about = {"among": among, "domain": domain, "holds": True, "network": network}
        value = {"claim": {"kind": "identifiable", **about}, "format": "exactrelu-certificate/2"}
        head = json.dumps(value, sort_keys=True, separators=(",", ":"))
        lines = [head, f"by {method}", "inside" + " 0" * n + " 1", *faces]
        outcome = check_bytes(sealed(lines))
        assert outcome.verdict in ("ACCEPTED", "REJECTED"), (outcome, lines)
        found[method] = outcome.code
    return found


def judged(groups: Groups, rng: random.Random, n_groups: int, n_members: int) -> Counter[str]:
    """The codes for members of some groups; whoever is accepted is alone."""
    tally: Counter[str] = Counter()
    for group in rng.sample(groups.groups, min(n_groups, len(groups.groups))):
        members = group.tolist()
        for number in rng.sample(members, min(n_members, len(members))):
            found = codes(groups.family.parameters(number))
            tally.update(found.values())
            if "" in found.values():
                assert_alone(number, groups.family, members)
    return tally


@pytest.mark.parametrize(("widths", "heights"), DAILY)
def test_nobody_with_a_twin_is_accepted(widths: tuple[int, ...], heights: tuple[int, ...]) -> None:
    tally = judged(Groups.of(Family(widths, heights)), random.Random(0), 15, 2)
    assert tally


@pytest.mark.sweep
@pytest.mark.parametrize(("widths", "heights", "parts"), SWEEP)
def test_nobody_with_a_twin_is_accepted_in_a_part(
    widths: tuple[int, ...], heights: tuple[int, ...], parts: int
) -> None:
    groups = Groups.of(Family(widths, heights), SEED % parts, parts)
    tally = judged(groups, random.Random(shifted(0)), 300, 4)
    print(f"{widths}: {groups.n_networks} networks, {len(groups.groups)} groups, {dict(tally)}")
    assert tally


def test_others_are_accepted() -> None:
    """Such as s(s(x) + s(y) - 1), which has a chain; and a twin of its own would be found."""
    assert codes([[[1, 0, 0], [0, 1, 0]], [[1, 1, -1]], [[1]]])["tracks"] == ""
    assert codes([[[1, 0, 0], [0, 1, 0]], [[1, -1, -1]], [[1]]])["tracks"] == "no-sure-track"
    groups = Groups.of(Family((2, 2, 1, 1), (1, 1, 1)))
    group = next(g for g in groups.groups if any(k in groups.lively for k in g.tolist()))
    with pytest.raises(AssertionError):
        assert_alone(group.tolist()[0], groups.family, group.tolist())
