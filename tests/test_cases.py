"""Every fact of every case that a question exists for; the rest is listed as pending."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import rational, to_text, to_texts, vector
from exactrelu.exact.system import LinearSystem
from exactrelu.exact.text import load_matrix
from exactrelu.lemmas.examine import Counterexample, examine
from exactrelu.lemmas.record import statement
from exactrelu.lemmas.statement import Instance, instance_of
from exactrelu.network.convolution import load_convolution
from exactrelu.network.formats.load import load
from exactrelu.network.network import (
    Layer,
    Network,
    evaluate,
    local_affine_map,
    pattern_polyhedron,
    trace,
)
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.polyhedra.domain_text import load_polyhedron, parse_domain
from exactrelu.questions.activity import is_transparent
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.faces import is_supertransversal
from exactrelu.questions.folds.folds import folds
from exactrelu.questions.folds.theorem_class import is_in_theorem_class
from exactrelu.questions.genericity.bottleneck import small_test, small_test_of_the_notes
from exactrelu.questions.genericity.senses import is_generic
from exactrelu.questions.identifiability.conserved import is_conserved
from exactrelu.questions.identifiability.functional_dimension import functional_dimension
from exactrelu.questions.identifiability.identifiable import identifiable
from exactrelu.questions.identifiability.second import sign_fraction, theorem_5
from exactrelu.questions.injectivity.blocks import convolution_injective
from exactrelu.questions.injectivity.collisions import Collision
from exactrelu.questions.injectivity.inversion import invert
from exactrelu.questions.injectivity.layer import LayerProof, layer_injective
from exactrelu.questions.injectivity.named_results import is_directed_spanning_set, shortcuts, spark
from exactrelu.questions.injectivity.network import LayerStage, injective_by_pairs, is_injective
from exactrelu.questions.injectivity.stability import stability
from exactrelu.questions.linear import is_bounded, is_nonempty, is_pointed, nonnegative_column_rank
from exactrelu.questions.recovery.recover import recover
from exactrelu.questions.regions import regions
from tests.questions.genericity.brute_force import float_masked_ranks_are_maximal

CASES = Path(__file__).parents[1] / "cases"

#: Facts whose questions are still to come.
PENDING: set[str] = set()


class Case:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = json.loads((folder / "expected.json").read_text())

    def network(self, name: str):
        return load(self.folder / self.data["networks"][name])

    def matrix(self, name: str) -> Matrix:
        return load_matrix(self.folder / self.data["matrices"][name])

    def polyhedron(self, name: str):
        return load_polyhedron(self.folder / self.data["polyhedra"][name])

    def layer(self, name: str) -> Layer:
        return Layer.of(self.data["layers"][name]["weights"], self.data["layers"][name]["bias"])

    def relu(self, name: str, x: list[str]):
        layer = self.layer(name)
        z = layer.affine.apply((*vector(x), rational(1)))
        return tuple(max(v, rational(0)) for v in z)


def _pattern(case: Case, a: str, signs: list[list[int]]) -> dict[str, Any]:
    network = case.network(a)
    pattern = tuple(map(tuple, signs))
    cell = pattern_polyhedron(network, pattern)
    nonempty = is_nonempty(cell).answer
    local = local_affine_map(network, pattern)
    rows = zip(local.matrix.rows(), local.offset, strict=True)
    return {
        "nonempty": nonempty,
        "bounded": is_bounded(cell).answer if nonempty else None,
        "affine": [to_texts((*row, c)) for row, c in rows],
    }


def _columns(A: Matrix):
    return [A.column(j) for j in range(A.n_columns)]


def _layer_injective(case: Case, layer: str, domain: str = "R") -> bool:
    """By flats and by the tree; a witness of a no is evaluated."""
    chosen = case.layer(layer)
    where = parse_domain(domain, chosen.n_inputs)
    answers = set()
    for method in ("flats", "tree"):
        found = layer_injective(chosen.weights, chosen.bias, where, method=method)
        if isinstance(found, Collision):
            assert found.x != found.y
            assert case.relu(layer, found.x) == case.relu(layer, found.y)
        answers.add(isinstance(found, LayerProof))
    (answer,) = answers
    return answer


def _injective(case: Case, a: str, layer: int | None = None, domain: str = "R") -> bool | None:
    network = case.network(a)
    n = network.n_inputs if layer is None else network.layers[layer - 1].n_inputs
    return is_injective(network, parse_domain(domain, n), layer=layer).answer


def _injective_on_image(case: Case, a: str, layer: int) -> bool | None:
    return injective_by_pairs(LayerStage.of(case.network(a), None, layer - 1, layer)).answer


def _convolution_injective(
    case: Case, convolution: str, box: list[int] | None = None
) -> bool | None:
    found = load_convolution(case.folder / case.data["convolutions"][convolution])
    shape = None if box is None else tuple(box)
    return convolution_injective(found, shape).answer


def _shortcut(case: Case, layer: str, name: str) -> bool | None:
    """What a named result says, which must not contradict the exact answer."""
    chosen = case.layer(layer)
    (result,) = (r for r in shortcuts(chosen.weights, chosen.bias) if r.name.startswith(name))
    exact = layer_injective(chosen.weights, chosen.bias)
    assert result.answer in (None, isinstance(exact, LayerProof))
    return result.answer


def _network_layer_injective(case: Case, a: str, layer: int, domain: str = "R") -> bool | None:
    network = case.network(a)
    n = network.widths[layer - 1]
    return is_injective(network, parse_domain(domain, n), layer=layer).answer


def _dss_at(case: Case, layer: str, x: list[str]) -> bool | None:
    return is_directed_spanning_set(case.layer(layer).weights, x).answer


def _active_rows(case: Case, layer: str, x: list[str]) -> list[int]:
    return list(is_directed_spanning_set(case.layer(layer).weights, x).witness)


def _stability_within(case: Case, layer: str, low: str, high: str, domain: str = "R") -> bool:
    first = case.layer(layer)
    network = Network((first, Layer.of([[1] * first.n_outputs], [0])))
    found = stability(network, parse_domain(domain, first.n_inputs), layer=1)
    return rational(low) <= found.lower <= found.upper <= rational(high)


def _lip_ratio_sq(case: Case, layer: str, x0: list[str], x1: list[str]) -> str:
    def squared(p, q):
        return sum(((a - b) ** 2 for a, b in zip(p, q, strict=True)), rational(0))

    images = squared(case.relu(layer, x0), case.relu(layer, x1))
    return to_text(images / squared(vector(x0), vector(x1)))


def _jump(case: Case, a: str, point: list[str], layer: int, neuron: int) -> dict[str, Any]:
    """u and n of theory 2.3 by products of masked weights, and the jump by Jacobians."""
    network = case.network(a)
    at = trace(network, point)
    masks = [Matrix.diagonal([rational(int(s > 0)) for s in z]) for z in at.pattern]
    n = Matrix.identity(network.n_inputs)
    for l in range(layer):
        n = masks[l] @ network.layers[l].weights @ n
    n = (network.layers[layer].weights @ n).take(rows=[neuron])
    u = network.layers[layer + 1].weights.take(columns=[neuron])
    for l in range(layer + 1, len(masks)):
        u = network.layers[l + 1].weights @ masks[l] @ u
    jumps = polyhedral_complex(network).facet_jumps
    (found,) = (jump.jump for jump in jumps if jump.facet.signs == at.pattern)
    return {
        "u": to_texts(u.column(0)),
        "n": to_texts(n.row(0)),
        "matches": found in (u @ n, -(u @ n)),
    }


def _supertransversal(case: Case, a: str) -> bool | None:
    """By all faces, with proof, and by the vertices alone."""
    by_faces, by_vertices = (is_supertransversal(case.network(a), certify=c) for c in (True, False))
    assert by_faces.answer == by_vertices.answer
    assert by_faces.certificate is not None
    return by_faces.answer


def _transparent(case: Case, a: str) -> bool:
    """On every box of the domain, which is the union of their interiors up to a null set."""
    boxes = case.data["domain"]["boxes"]
    domains = [LinearSystem.box([vector(side) for side in box]) for box in boxes]
    return all(is_transparent(case.network(a), domain).answer for domain in domains)


def _domain(case: Case) -> LinearSystem | BoxUnion:
    boxes = case.data["domain"]["boxes"]
    sides = tuple(tuple((a, b) for a, b in map(vector, box)) for box in boxes)
    return LinearSystem.box(sides[0]) if len(sides) == 1 else BoxUnion(sides)


def _folds(case: Case, a: str) -> dict[str, Any]:
    found = folds(case.network(a), _domain(case))
    return {
        "order": found.order,
        "n_pieces": len(found.representation.pieces),
        "n_edges": found.graph.number_of_edges(),
        "is_union_of_zero_sets": found.is_union_of_zero_sets,
    }


def _starts_of_paths(case: Case, a: str, length: int) -> list[list[int]]:
    """The units with a piece from which a dependency path of this length starts."""
    found = folds(case.network(a), _domain(case), certify=False)
    pieces = found.representation.pieces
    starts = [k for k, path in found.longest_paths.items() if len(path) == length + 1]
    return [list(unit) for unit in sorted({unit for k in starts for unit in pieces[k].units})]


def _forced_layers(case: Case, a: str) -> dict[str, list[int]]:
    found = folds(case.network(a), _domain(case), certify=False)
    assert found.layers is not None
    ranges = {}
    for piece in found.representation.pieces:
        (unit,) = piece.units
        forced = found.layers[piece.hyperplane]
        ranges[str(list(unit))] = [forced.lowest, forced.highest]
    return ranges


def _general(case: Case, a: str) -> bool | None:
    (box,) = case.data["domain"]["boxes"]
    domain = LinearSystem.box([vector(side) for side in box])
    return is_generic(case.network(a), domain, sense="general").answer


def _equal(case: Case, a: str, b: str, domain: str = "R") -> bool | None:
    left, right = case.network(a), case.network(b)
    verdict = equivalent(left, right, parse_domain(domain, left.n_inputs))
    if verdict.witness is not None:
        assert left(verdict.witness) != right(verdict.witness)
    return verdict.answer


def _recovered(case: Case, a: str) -> dict[str, Any]:
    """From values alone: proved to be the function, isomorphic where nothing is in the way."""
    found = recover(case.network(a))
    assert found.answer, found.reason
    assert found.certificate is not None
    assert found.is_isomorphic is (not found.obstructions)
    return {
        "widths": list(found.network.widths),
        "obstructions": sorted(o.name for o in found.obstructions),
    }


def _identifiable(case: Case, a: str) -> list[Any]:
    """The answer, and among which networks it is certified."""
    verdict = identifiable(case.network(a))
    return [verdict.answer, verdict.certificate.fields["among"]]


def _functional_dim(case: Case, a: str, domain: Any = "R") -> int:
    network = case.network(a)
    if isinstance(domain, dict):
        (box,) = domain["boxes"]
        inside = LinearSystem.box([vector(side) for side in box])
    else:
        inside = parse_domain(domain, network.n_inputs)
    found = functional_dimension(network, inside)
    assert found.is_complete
    return found.value


def _conserved(case: Case, a: str, layer: int, neurons: list[int], data: list[Any]) -> list[bool]:
    """With and without the square of the bias."""
    network = case.network(a)
    # The cases count from 0.
    where = {"layer": layer + 1, "neurons": [i + 1 for i in neurons]}
    return [is_conserved(network, data, **where, with_bias=b) for b in (True, False)]


def _union_bound_exceeds_1(case: Case, n: int, m: int) -> bool:
    """C(m, n−1)·2^−(m−n)·Σ_{i<n} C(m−n, i) > 1 (theory 6.7)."""
    return math.comb(m, n - 1) * sum(math.comb(m - n, i) for i in range(n)) > 2 ** (m - n)


def _refutes(case: Case, lemma: str) -> bool:
    """Whether the objects of the case are a counterexample to a published statement."""
    others = instance_of(case.data["instance"]).values
    networks = {name: case.network(name) for name in case.data["networks"]}
    return isinstance(examine(statement(lemma), Instance({**others, **networks})), Counterexample)


CHECKS: dict[str, Callable[..., Any]] = {
    "refutes": _refutes,
    "convolution_injective": _convolution_injective,
    "in_range": lambda case, a, y: invert(case.network(a), y).answer,
    "injective": _injective,
    "injective_on_image": _injective_on_image,
    "eval": lambda case, a, x: to_texts(evaluate(case.network(a), x)),
    "preact": lambda case, a, x: [to_texts(z) for z in trace(case.network(a), x).preactivations],
    "pattern": _pattern,
    "trivially_equivalent": lambda case, a, b: isomorphic(case.network(a), case.network(b)).answer,
    "equal": _equal,
    "decide_bottleneck": _equal,
    "widths": lambda case, a: list(case.network(a).widths),
    "nparams": lambda case, a: case.network(a).n_parameters,
    "jump": _jump,
    "masked_rank_ok": lambda case, a: is_generic(case.network(a), sense="masked-rank").answer,
    "float_masked_rank_ok": lambda case, a: float_masked_ranks_are_maximal(case.network(a)),
    "bottleneck_test": lambda case, a: small_test(case.network(a)),
    "bottleneck_test_of_the_notes": lambda case, a: small_test_of_the_notes(case.network(a)),
    "lemmaA11": lambda case, a: is_generic(case.network(a), sense="non-proportional").answer,
    "transparent": _transparent,
    "general": _general,
    "folds": _folds,
    "starts_of_paths": _starts_of_paths,
    "forced_layers": _forced_layers,
    "theorem_class": lambda case, a: is_in_theorem_class(case.network(a), _domain(case)).answer,
    "n_regions": lambda case, a: regions(case.network(a), certify=False).n_regions,
    "supertransversal": _supertransversal,
    "rank": lambda case, m: rank(case.matrix(m)),
    "rankplus": lambda case, m: nonnegative_column_rank(case.matrix(m)).value,
    "pointed": lambda case, m: (
        is_pointed(_columns(case.matrix(m)), dimension=case.matrix(m).n_rows).answer
    ),
    "factorization": lambda case, A, V, W: (
        case.matrix(V) @ case.matrix(W) == case.matrix(A)
        and all(x >= 0 for x in case.matrix(W).entries())
    ),
    "collide": lambda case, layer, x, y: x != y and case.relu(layer, x) == case.relu(layer, y),
    "layer_injective": _layer_injective,
    "network_layer_injective": _network_layer_injective,
    "shortcut": _shortcut,
    "dss_at": _dss_at,
    "active_rows": _active_rows,
    "spark": lambda case, layer: spark(case.layer(layer).weights).value,
    "stability_within": _stability_within,
    "lip_ratio_sq": _lip_ratio_sq,
    "nonempty": lambda case, p: is_nonempty(case.polyhedron(p)).answer,
    "bounded": lambda case, p: is_bounded(case.polyhedron(p)).answer,
    "conserved": _conserved,
    "identifiable": _identifiable,
    "functional_dim": _functional_dim,
    "recovered": _recovered,
    "thm5": lambda case, a: theorem_5(case.network(a)),
    "union_bound_exceeds_1": _union_bound_exceeds_1,
    "volume": lambda case, n1, n2: to_text(sign_fraction(n1, n2)),
}

ALL = [Case(path.parent) for path in sorted(CASES.rglob("expected.json"))]


#: Cases that take long; smaller ones of their kind are tried every day.
SLOW = {"widths-6-9-6-3-1"}


@pytest.mark.parametrize(
    "case",
    [pytest.param(c, marks=[pytest.mark.sweep] if c.folder.name in SLOW else []) for c in ALL],
    ids=lambda case: case.folder.name,
)
def test_facts(case: Case) -> None:
    for fact in case.data["facts"]:
        if fact["check"] not in PENDING:
            assert CHECKS[fact["check"]](case, **fact["args"]) == fact["expected"], fact


def test_every_check_is_known_and_used() -> None:
    found = {fact["check"] for case in ALL for fact in case.data["facts"]}
    assert found == CHECKS.keys() | PENDING
    assert not CHECKS.keys() & PENDING


def test_every_network_of_the_cases_loads() -> None:
    n = 0
    for case in ALL:
        for name in case.data.get("networks", {}):
            n += case.network(name).n_parameters > 0
    assert n > 70
