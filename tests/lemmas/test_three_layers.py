"""The statements of S002: the false ones are found, the repaired ones survive, cases are known."""

from functools import cache
from itertools import chain, islice
from pathlib import Path
from random import Random

import pytest
from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import vector
from exactrelu.lemmas.examine import Counterexample, Finding, examine
from exactrelu.lemmas.record import STATEMENTS
from exactrelu.lemmas.search import search
from exactrelu.lemmas.statement import Instance, Statement
from exactrelu.lemmas.three_layers.common import same_first_layer
from exactrelu.lemmas.three_layers.components import weighted_sum
from exactrelu.lemmas.three_layers.global_claims import identifiable_patterns
from exactrelu.lemmas.three_layers.hiding import is_translate
from exactrelu.lemmas.three_layers.regions import vanishing
from exactrelu.network.formats.load import load
from exactrelu.network.hiding import hiding
from exactrelu.network.network import Network
from exactrelu.questions.identifiability.second import volume
from tests.checking import assert_accepted

CASES = Path(__file__).parents[2] / "cases"
#: Refuted statements, and after how many instances the search knows.
REFUTED = {
    "S002-visibility": 10,
    "S002-minimal-no-dead": 10,
    "S002-generic-minimal": 1_200,
    "S002-generic-point": 100,
    "S002-signs": 300,
    "S002-hiding": 900,
    "S002-hiding-single": 50,
    "S002-first-layer": 50,
    "S002-proposition-4": 100,
    "S002-theorem-5": 100,
    "S002-procedure": 10,
    "S002-procedure-case-2": 400,
    "S002-lemma-9-open": 150,
    "S002-bottleneck-test": 400,
    "S002-parallel-pairs": 100,
    "S002-lemma-20": 10,
    "S002-definition-22": 200,
    "S002-remark-23": 50,
}
S002 = [s for s in STATEMENTS.values() if s.id.startswith("S002-") and isinstance(s, Statement)]
SURVIVING = [s for s in S002 if s.id not in REFUTED]


def statement(name: str) -> Statement:
    found = STATEMENTS[name]
    assert isinstance(found, Statement)
    return found


def network(case: str, name: str) -> Network:
    return load(CASES / case / f"{name}.json")


@cache
def found(name: str) -> Counterexample:
    """The first counterexample that the search meets, not shrunk."""
    family = statement(name).family
    rng = Random(0)
    listed = (instance for level in family.levels for instance in level.instances())
    drawn = (family.random(rng) for _ in range(REFUTED[name]))
    for instance in islice(chain(listed, drawn), REFUTED[name]):
        finding = examine(statement(name), instance)
        if isinstance(finding, Counterexample):
            return finding
    raise AssertionError(f"{name}: nothing in {REFUTED[name]} instances, seed 0")


@pytest.mark.parametrize("name", REFUTED)
def test_search_refutes(name: str, tmp_path: Path) -> None:
    (sentence,) = assert_accepted([found(name).certificate()], tmp_path)
    assert sentence.startswith(f"{name} (")
    assert ") is false for " in sentence


@pytest.mark.parametrize("survivor", SURVIVING, ids=lambda s: s.id)
def test_others_survive(survivor: Statement) -> None:
    result = search(survivor, seconds=None, max_instances=60, seed=1)
    assert result.counterexample is None, result.counterexample


@pytest.mark.parametrize("repair", [s for s in S002 if s.repairs], ids=lambda s: s.id)
def test_repairs_do_not_meet_the_counterexample(repair: Statement) -> None:
    """It is outside the repair, or in accordance with it."""
    assert repair.repairs is not None
    finding = examine(repair, found(repair.repairs).instance)
    assert finding in (Finding.OUTSIDE, Finding.HOLDS)


PAIRS = [
    ("S002-theorem-5", "three-layers/S002-E02-n1eq1-mirror", "theta", "eta"),
    ("S002-theorem-5", "three-layers/S002-E02-n1eq1-mirror", "theta1", "eta1"),
    ("S002-theorem-5", "three-layers/S002-E02-n1eq1-mirror", "theta2", "eta2"),
    ("S002-hiding-single", "three-layers/S002-E03-n1eq1-hiding", "theta", "eta"),
    ("S002-procedure", "three-layers/S002-E04-all-dead", "theta", "eta"),
    ("S002-proposition-4", "three-layers/S002-E06-prop4-needs-minimal", "theta", "eta"),
    ("S002-definition-22", "three-layers/S002-E08-zero-row", "theta", "eta"),
]


@pytest.mark.parametrize(("name", "case", "a", "b"), PAIRS)
def test_known_pairs_are_counterexamples(name, case, a, b, tmp_path) -> None:
    finding = examine(statement(name), Instance.of(A=network(case, a), B=network(case, b)))
    assert isinstance(finding, Counterexample), finding
    assert_accepted([finding.certificate()], tmp_path)


def test_the_known_case_of_dead_neurons_is_not_generic() -> None:
    """E05: W3 W2 e_1 = 0.  The search finds generic networks that show the same."""
    case = "three-layers/S002-E05-dead-changes-case"
    pair = Instance.of(A=network(case, "theta"), B=network(case, "eta"))
    assert examine(statement("S002-procedure-case-2"), pair) is Finding.OUTSIDE
    theta = network(case, "theta")
    assert (theta.layers[2].weights @ theta.layers[1].weights)[0, 0] == 0


SINGLE = [
    ("S002-bottleneck-test", "generic/bottleneck-last-layer", "network"),
    ("S002-generic-minimal", "generic/not-minimal", "theta"),
]


@pytest.mark.parametrize(("name", "case", "network_name"), SINGLE)
def test_known_networks_are_counterexamples(name, case, network_name, tmp_path) -> None:
    finding = examine(statement(name), Instance.of(N=network(case, network_name)))
    assert isinstance(finding, Counterexample), finding
    assert_accepted([finding.certificate()], tmp_path)


def test_known_component_without_generic_points(tmp_path: Path) -> None:
    theta, eta = (
        network("three-layers/S002-E01-component-has-no-generic-point", n) for n in ("theta", "eta")
    )
    e = vector([0, 1, 1, -1])
    assert not any(x for row in weighted_sum(theta, e) for x in row)
    finding = examine(statement("S002-generic-point"), Instance.of(A=theta, M=eta, e=e))
    assert isinstance(finding, Counterexample), finding
    assert_accepted([finding.certificate()], tmp_path)


def test_theorem_on_dimensions_holds_for_the_known_fibers() -> None:
    holds = statement("S002-theorem-layerwise")
    for case in holds.known:
        finding = examine(holds, Instance.of(N=network(f"three-layers/{case}", "theta")))
        assert finding is Finding.HOLDS, case


def test_translates() -> None:
    theta = network("three-layers/S002-P13-hiding-translation", "theta")
    hides = hiding(theta)
    assert hides is not None
    assert is_translate(theta, hides.translate(hides.lower + 1))
    # At the closed end the function is the same, but b2 = 0: no member of T_i.
    assert not is_translate(theta, hides.translate(hides.lower))
    assert not is_translate(theta, network("three-layers/S002-P14-hiding-flips", "theta"))


def test_flips_are_translates_of_a_flip() -> None:
    theta = network("three-layers/S002-P14-hiding-flips", "theta")
    hides = hiding(theta)
    assert hides is not None
    for flips in hides.all_flips():
        flipped = hides.flip(flips)
        assert is_translate(theta, flipped)
        assert same_first_layer(theta, flipped) is not bool(flips)


def test_ray_of_the_known_case() -> None:
    """E09: W2 changes by Δ/t, and four neurons vanish at (0, 0, t) for all t."""
    theta = network("three-layers/S002-E09-generic-not-open", "theta")
    near = network("three-layers/S002-E09-generic-not-open", "theta_t1000")
    change = (near.layers[1].weights - theta.layers[1].weights).scale(1000)
    p, d = vector([0, 0, 0]), vector([0, 0, 1])
    assert vanishing(theta, change, p, d, fmpq(10)) == 4
    assert vanishing(theta, Matrix.zero(2, 5), p, d, fmpq(10)) == 2
    # At t = 1 a neuron of layer 1 vanishes, and changes its sign.
    assert vanishing(theta, change, p, d, fmpq(1)) is None


@pytest.mark.parametrize(("n1", "n2"), [(2, 1), (2, 2), (3, 2), (2, 3)])
def test_patterns_are_counted_by_the_formula(n1: int, n2: int) -> None:
    assert identifiable_patterns(n1, n2) == volume((n1, n1, n2, 1)).fraction
