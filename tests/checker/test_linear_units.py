"""Honest proofs with another list of linear units: those that are accepted are true.

Claims about plain networks know no such list, and a list that is none is no claim.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from bundles import Case, cases, sealed
from exactrelu_checker.check import Outcome
from exactrelu_checker.claims import KINDS
from mutating import rearranged
from test_cases import check_bytes
from units_truth import TRUE

from exactrelu.certificates.certificate import Certificate, claim
from exactrelu.exact.scalar import fraction
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.network import trace
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.equivalence.difference import largest_difference
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.injectivity.inversion import invert
from exactrelu.questions.injectivity.network import is_injective
from exactrelu.questions.local.places import local
from exactrelu.questions.properties.decide import decide
from exactrelu.questions.properties.property import Property
from exactrelu.questions.regions import regions
from tests.linear_units import as_pairs, random_domain, random_network, signs_at, value_of
from tests.seeds import SEED, seeds

MUTANTS = 500
SOURCES = 12


def certificates(rng: random.Random) -> list[Certificate | None]:
    """All that is proved of two small networks."""
    n = rng.randint(1, 2)
    kind = rng.choice(("signs", "small"))
    a, b = (
        random_network(rng, n_inputs=n, n_outputs=1, most=3, deepest=2, kind=kind) for _ in range(2)
    )
    domain = random_domain(rng, n)
    point = [fraction(x) for x in regions(a, domain).regions[0].point]
    most = largest_difference(a, b, domain)
    within = 3 if most.largest.value is None else most.largest.value
    at = trace(a, point)
    above = LinearSystem(n + 1, (Row.of((*[0] * n, 1), rng.randint(-3, 1)),))
    below = LinearSystem(n + 1, (Row.of((*[0] * n, -1), rng.randint(-3, 1)),))
    clauses = ((above, below), (above,), (below,))
    return [
        decide(
            Property((a,), Domain.of(domain, n), sum(clauses, ()), clauses),
            few_neurons=rng.choice((0, 9)),
        ).certificate,
        decide(
            Property((a,), Domain.of(domain, n), (above,)), few_neurons=rng.choice((0, 9))
        ).certificate,
        regions(a, domain).certificate,
        polyhedral_complex(a, domain).certificate,
        equivalent(a, as_pairs(a), domain).certificate,
        equivalent(a, b, domain).certificate,
        equivalent(a, b, domain, within=within).certificate,
        most.certificate,
        is_injective(a, domain).certificate,
        invert(a, [rng.randint(-2, 2)], domain).certificate,
        invert(a, value_of(a, point), domain).certificate,
        local(a, [point, [0] * n]).certificate,
        claim(
            "value",
            "evaluation",
            network=a,
            point=at.flint_point,
            output=at.flint_output,
            signs=list(signs_at(a, point)),
        ),
    ]


@cache
def sources(seed: int) -> list[list[str]]:
    """The lines of certificates, without their footers."""
    rng = random.Random(f"{SEED} linear units {seed}")
    found = [c for _ in range(SOURCES) for c in certificates(rng) if c is not None]
    return [[line.rstrip("\n") for line in c.lines()][:-1] for c in found]


def relisted(rng: random.Random, line: str) -> str:
    """The claim with another list of linear units in a hidden layer of one of its networks."""
    given = json.loads(line)
    networks = [given["claim"][name] for name in ("network", "a", "b") if name in given["claim"]]
    networks += given["claim"].get("networks", [])
    hidden = [layer for network in networks for layer in network["layers"][:-1]]
    layer = rng.choice(hidden)
    before = {*layer.pop("linear", [])}
    units = {i for i in range(layer["outputs"]) if rng.random() < 0.5}
    if units == before or rng.random() < 0.7:
        units = before ^ {rng.randrange(layer["outputs"])}
    if units:
        layer["linear"] = sorted(units)
    if rng.random() < 0.3:
        renumbered(rng, given["claim"])
    return json.dumps(given, sort_keys=True, separators=(",", ":"))


def renumbered(rng: random.Random, value: Any) -> None:
    """Another number, answer or sign that the claim says, which may be right for the new list."""
    step = rng.choice((-1, 1))
    if "count" in value:
        value["count"] = max(value["count"] + step, 0)
    elif "counts" in value:
        k = rng.randrange(len(value["counts"]))
        value["counts"][k] = max(value["counts"][k] + step, 0)
    elif value.get("bound"):
        value["bound"][1] = format(max(int(value["bound"][1], 16) + step, 0), "x")
    elif "signs" in value:
        k = rng.randrange(len(value["signs"]))
        changed = [*value["signs"][k]]
        changed[rng.randrange(len(changed))] = rng.choice("+-0=")
        value["signs"][k] = "".join(changed)


@pytest.mark.parametrize("seed", seeds(1, 20))
def test_what_is_accepted_with_another_list_is_true(seed: int) -> None:
    rng = random.Random(f"{SEED} other lists {seed}")
    known = sources(seed)
    kinds = set()
    for lines in known:
        assert check_bytes(sealed(lines)).verdict == "ACCEPTED"
        said = json.loads(lines[0])["claim"]
        kinds.add(said["kind"])
        assert TRUE[said["kind"]](said), lines
    assert kinds == {*TRUE}
    n_accepted = 0
    for _ in range(MUTANTS):
        lines = list(rng.choice(known))
        lines[0] = relisted(rng, lines[0])
        if rng.random() < 0.2 and len(lines) > 2:
            lines = rearranged(rng, lines, 2)
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if outcome.verdict == "ACCEPTED":
            n_accepted += 1
            said = json.loads(lines[0])["claim"]
            assert TRUE[said["kind"]](said), lines
    assert n_accepted > MUTANTS // 50


# --- Lists that are none, and kinds that know of no linear units

#: Kinds of claims about networks of ReLUs only; with those of ``TRUE`` all that name networks.
PLAIN = {
    "cancellation-free", "determined", "fiber-dimension", "fiber-equations", "fiber-half-lines",
    "fiber-layerwise", "fiber-parts", "fiber-strata", "folds", "functional-dimension",
    "functional-dimension-on", "honest", "identifiable", "isomorphic",
    "layer-injective", "masked-rank", "minimal", "no-chain", "non-proportional", "sign-vectors",
    "stability", "supertransversal", "transparent", "zero-optimum",
}  # fmt: skip
#: Kinds about matrices and systems, and those that are made of other claims.
OTHERS = {
    "bounded", "nonempty", "nonnegative-column-rank", "pointed", "rank", "sigma-min", "spark",
    "counterexample", "facts",
}  # fmt: skip
#: Kinds about all networks, linear units among them, that are judged by a test of their own.
ELSEWHERE = {"roles": "test_brute_roles"}


def accepted_cases() -> Iterator[tuple[str, Case, Any]]:
    """Kind, case and first line of what is accepted, without options."""
    for case in cases().values():
        if case.verdict == "ACCEPTED" and not case.options and case.bundle != "file":
            given = json.loads(case.lines[0])
            yield given["claim"]["kind"], case, given


def networks_in(value: Any) -> Iterator[Any]:
    """All networks with hidden layers in a value of JSON."""
    if isinstance(value, dict):
        if len(value.get("layers", [])) > 1:
            yield value
        value = [*value.values()]
    if isinstance(value, list):
        for item in value:
            yield from networks_in(item)


def is_small(given: Any) -> bool:
    """Whether the truth is found soon: it is exponential in the hidden neurons."""
    layers = [layer for network in networks_in(given) for layer in network["layers"][:-1]]
    return sum(layer["outputs"] for layer in layers) < 12


def changed(case: Case, given: Any) -> Outcome:
    """What is said of a case with another first line."""
    line = json.dumps(given, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return check_bytes(sealed([line, *case.lines[1:]]))


def test_every_kind_is_about_plain_networks_or_about_all() -> None:
    assert {*KINDS} == PLAIN | OTHERS | {*TRUE} | {*ELSEWHERE}


def test_plain_kinds_refuse_linear_units() -> None:
    """Each accepted case of theirs, with a linear unit in one network after the other."""
    refused = set()
    for kind, case, given in accepted_cases():
        for network in networks_in(given) if kind in PLAIN else ():
            layer = network["layers"][0]
            if layer["outputs"]:
                layer["linear"] = [layer["outputs"] - 1]
                assert changed(case, given).code == "linear-units", case.name
                del layer["linear"]
                refused.add(kind)
    assert refused == PLAIN


def test_cases_with_a_linear_unit_more_are_refused_or_true() -> None:
    """The small ones of the kinds that know linear units."""
    verdicts = Counter[str]()
    for kind, case, given in accepted_cases():
        if kind not in TRUE or len(case.data) > 1500 or not is_small(given):
            continue
        for network in networks_in(given):
            layer = network["layers"][0]
            if "linear" in layer or not layer["outputs"]:
                continue
            layer["linear"] = [0]
            outcome = changed(case, given)
            verdicts[outcome.verdict] += 1
            if outcome.verdict == "ACCEPTED":
                assert TRUE[kind](given["claim"]) is not False, case.name
            del layer["linear"]
    assert verdicts["ACCEPTED"] > 20
    assert verdicts["REJECTED"] > 100


@pytest.mark.parametrize(
    "wrong", [[], [0, 0], [1, 0], [9], [-1], ["0"], [0.5], [True], 0, None, {"0": 0}]
)
def test_lists_that_are_none_are_malformed(wrong: Any) -> None:
    for lines in sources(0)[:11]:
        given = json.loads(lines[0])
        for network in networks_in(given["claim"]):
            for layer in network["layers"]:
                before = layer.pop("linear", None)
                layer["linear"] = wrong
                line = json.dumps(given, sort_keys=True, separators=(",", ":"))
                assert check_bytes(sealed([line, *lines[1:]])).verdict == "MALFORMED"
                del layer["linear"]
                if before is not None:
                    layer["linear"] = before


def test_no_list_on_the_last_layer() -> None:
    for lines in sources(0)[:11]:
        given = json.loads(lines[0])
        for network in networks_in(given["claim"]):
            network["layers"][-1]["linear"] = [0]
            line = json.dumps(given, sort_keys=True, separators=(",", ":"))
            assert check_bytes(sealed([line, *lines[1:]])).code == "bad-linear"
            del network["layers"][-1]["linear"]
