"""The whole API, given a network with a linear unit.

What is about the function answers, as it does for the *pairs* network, where each linear unit z is
s(z) − s(−z); what is about parameters refuses.  Which is which the questions declare; another one
that takes a network fails here until it is compared.
"""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

import exactrelu as er
from exactrelu.errors import InputError, NotPlain
from exactrelu.lemmas.statement import Instance
from exactrelu.network.evaluation import pattern_lines, pattern_numbers, pattern_text
from exactrelu.network.network import CARRIED
from exactrelu.public.names import paths, questions
from tests.linear_units import as_pairs
from tests.public.right_calls import right

L = er.Layer.of

#: x1 + s(x2 − x1) is the first output, which is max(x1, x2); the second is s(x1 + x2 − 1).
NET = er.Network(
    (
        L([[-1, 1], [1, 0], [1, 1]], [0, 0, -1], linear=[2]),
        L([[1, 1, 0], [0, 0, 1]], [0, 0]),
    ),
    "two",
)
#: The same first output only: max(x1, x2).
MAX = er.Network((L([[-1, 1], [1, 0]], [0, 0], linear=[2]), L([[1, 1]], [0])), "max")
BOX = "box:-2..3"
POINTS = [[1, 2], [3, -1], [0, 0], ["1/2", "1/3"]]


PAIRS = as_pairs(NET)


def proved(found: Any) -> None:
    assert found.check().is_accepted, found


# --- Python: what answers


def _load(folder: Path) -> None:
    for name in ("net.json", "net.npz"):
        er.save(NET, folder / name)
        assert er.load(folder / name) == NET


def _from_onnx(folder: Path) -> None:
    pytest.importorskip("onnx")
    er.save(NET, folder / "net.onnx")
    assert er.is_equivalent(er.from_onnx(folder / "net.onnx"), NET).answer


def _points(folder: Path) -> None:
    for x in POINTS:
        assert er.evaluate(NET, x) == er.evaluate(PAIRS, x)
        assert er.trace(NET, x).output == er.trace(PAIRS, x).output
        here = er.trace(NET, x).pattern
        assert er.local_affine_map(NET, here)(x) == er.evaluate(NET, x)
        assert er.layers.pattern_polyhedron(NET, here).contains(er.vector(x))
    assert er.samples.evaluate_batch(NET, POINTS) == er.samples.evaluate_batch(PAIRS, POINTS)
    both = [er.samples.trace_batch(network, POINTS) for network in (NET, PAIRS)]
    assert [e.output for e in both[0]] == [e.output for e in both[1]]


def _judge(folder: Path) -> None:
    text = "(declare-const X_0 Real)(declare-const X_1 Real)"
    text += "".join(f"(declare-const Y_{i} Real)" for i in range(NET.n_outputs))
    (folder / "query.vnnlib").write_text(f"{text}(assert (<= Y_0 0))")
    for x in POINTS:
        (folder / "result.txt").write_text(f"sat ((X_0 {x[0]}) (X_1 {x[1]}))")
        found = er.judge(folder / "query.vnnlib", NET, folder / "result.txt")
        assert found.answer is (PAIRS(x)[0] <= 0)
        proved(found)


def _verify(folder: Path) -> None:
    text = "(declare-const X_0 Real)(declare-const X_1 Real)"
    text += "".join(f"(declare-const Y_{i} Real)" for i in range(NET.n_outputs))
    text += "".join(f"(assert (and (>= X_{i} -2) (<= X_{i} 2)))" for i in range(2))
    query = folder / "query.vnnlib"
    for threshold in range(-4, 12):
        query.write_text(f"{text}(assert (>= Y_0 {threshold}))")
        found, other = er.verify(query, NET), er.verify(query, PAIRS)
        assert found.result == other.result
        proved(found)
        proved(other)


def _holds(folder: Path) -> None:
    for threshold in range(-4, 12):
        found = er.holds(NET, "box:-2..2", f"y1 < {threshold}")
        assert found.answer is er.holds(PAIRS, "box:-2..2", f"y1 < {threshold}").answer
        proved(found)


def _robust(folder: Path) -> None:
    for x in POINTS:
        found, other = er.robust_radius(NET, x), er.robust_radius(PAIRS, x)
        assert (found.lower, found.upper, found.output) == (other.lower, other.upper, other.output)
        proved(found)


def _local(folder: Path) -> None:
    found, other = er.local(NET, POINTS), er.local(PAIRS, POINTS)
    proved(found)
    assert found.dual_matrices[0].shape == other.dual_matrices[0].shape
    for k, place in enumerate(found.places):
        x = place.evaluation.point
        duals = found.dual_points(k)
        values = tuple(sum(a * b for a, b in zip(row, (*x, 1), strict=True)) for row in duals)
        assert values == NET(x)
        # Only neurons have a boundary.
        nearest = place.boundary.linf
        assert nearest is None or nearest.neuron in ((1, 1), (1, 3))


def _samples(folder: Path) -> None:
    ours, theirs = er.local(NET, POINTS), er.local(PAIRS, POINTS)
    assert er.samples.network_classes(ours) == er.samples.network_classes(theirs)
    classes = er.samples.clustered_classes(ours, ours, 2)
    assert er.samples.n_correct(classes, classes) == len(POINTS)
    maps = er.samples.maps_between(ours, ours)
    assert er.samples.mapped_classes(maps, ours) == er.samples.network_classes(ours)


def _regions(folder: Path) -> None:
    found, other = er.regions(NET, BOX), er.regions(PAIRS, BOX)
    proved(found)
    assert (found.n_regions, found.n_linear_regions) == (4, 4)
    assert other.n_regions > found.n_regions
    assert other.n_linear_regions == found.n_linear_regions
    assert other.n_affine_maps == found.n_affine_maps
    assert {region.signs for region in found} == {"-=-", "-=+", "+=-", "+=+"}


def _complex(folder: Path) -> None:
    found, other = er.polyhedral_complex(NET, BOX), er.polyhedral_complex(PAIRS, BOX)
    proved(found)
    assert found.f_vector == (1, 4, 4)
    assert found.euler_characteristic == other.euler_characteristic
    assert len(found.bent_hyperplane(1, 1)) == len(found.bent_hyperplane(1, 3)) == 2
    with pytest.raises(InputError, match=r"unit \(1,2\) is a linear unit: only neurons"):
        found.bent_hyperplane(1, 2)
    for name in ("cancelled_facets", "dishonest_ridges"):
        with pytest.raises(NotPlain):
            getattr(found, name)


def _equivalent(folder: Path) -> None:
    for found in (er.is_equivalent(NET, PAIRS), er.is_equivalent(NET, PAIRS, BOX, within=0)):
        assert found.answer
        proved(found)
    relu = er.Network((er.Layer(NET.layers[0].affine), NET.layers[1]))
    found = er.is_equivalent(NET, relu)
    assert found.answer is False
    proved(found)


def _difference(folder: Path) -> None:
    relu = er.Network((er.Layer(NET.layers[0].affine), NET.layers[1]))
    found, other = (er.largest_difference(network, relu, BOX) for network in (NET, PAIRS))
    assert found.largest.value == other.largest.value == 2
    proved(found)


def _injective(folder: Path) -> None:
    for network in (NET, MAX):
        found = er.is_injective(network)
        assert found.answer is er.is_injective(as_pairs(network)).answer
        proved(found)
    # One-to-one, though the layer with ReLUs everywhere is not.
    through = er.Network((L([[1]], [0], linear=[1]), L([[1]], [0])))
    assert er.is_injective(through).answer


def _invert(folder: Path) -> None:
    for value in ([-5, 0], [1, 0], [-5, 1]):
        found = er.invert(NET, value, BOX)
        assert found.answer is er.invert(PAIRS, value, BOX).answer
        proved(found)


def _roles(folder: Path) -> None:
    for roles in (er.layers.exact_roles(NET), er.layers.neuron_roles(NET)):
        assert [role.value for role in roles[0]] == ["nonlinear", "carried", "nonlinear"]
    proved(er.roles(NET, BOX))
    assert [len(group.neurons) for group in er.layers.neuron_groups(NET)] == []


def _simplify(folder: Path) -> None:
    """All neurons are on: what is left is one affine map."""
    layers = L([[1, 2], [1, 1], [2, 1]], [9, 0, 9], linear=[2]), L([[1, 1, 1]], [0])
    network = er.Network(layers)
    on_box = er.simplify(network, "box:-1..1")
    assert (on_box.network.widths, on_box.network([1, 1])) == ((2, 1), network([1, 1]))
    proved(on_box)
    # One linear unit that leads nowhere, and two that carry one sum.
    rows = [[1, 2], [1, 1], [2, 1], [1, 0]]
    several = er.Network((L(rows, [9, 0, 9, 3], linear=[2, 3, 4]), L([[1, 1, 1, 0]], [0])))
    everywhere = er.simplify(several)
    assert (everywhere.network.widths, everywhere.network.n_linear_units) == ((2, 2, 1), 1)
    proved(everywhere)
    assert er.simplify(NET).network == NET


def _plot(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    found = er.plot(NET, BOX, path=folder / "a.svg")
    assert len(found.cells) == 4
    for panel in ("folds", "dependency"):
        with pytest.raises(NotPlain):
            er.plot(NET, BOX, path=folder / "b.svg", show=(panel,))


def _report(folder: Path) -> None:
    made = er.report(MAX, folder / "page.html", BOX)
    said = {entry.asked.question: entry for entry in made.checked}
    assert all(entry.is_accepted for entry in made.checked if entry.file)
    assert said["regions"].is_accepted
    assert said["complex"].is_accepted
    assert said["folds"].asked.verdict == "left out"
    page = (folder / "page.html").read_text()
    assert "2-1+1-1" in page
    assert "the fold-set is defined for layers of ReLUs" in page


def _certify(folder: Path) -> None:
    found = er.certify(MAX, folder)
    assert found.is_complete
    left_out = {entry.question for entry in found if entry.verdict == "left out"}
    assert {"folds", "masked-rank", "canonical", "fiber", "injective-layer-2"} <= left_out
    assert "injective" not in left_out
    asked = {entry.question for entry in found if entry.certificate is not None}
    assert {"value-at-0", "regions", "complex", "injective"} <= asked
    assert not any(question.startswith("injective-layer") for question in asked)


def _strictly(folder: Path) -> None:
    found = er.strictly(er.regions, NET, BOX, timeout=60)
    assert [region.signs for region in found] == [region.signs for region in er.regions(NET, BOX)]


def _in_shards(folder: Path) -> None:
    found = er.in_shards("regions", NET, BOX, folder=folder / "out", size=1)
    assert found.numbers == (er.regions(NET, BOX).n_regions,)
    assert found.check().is_accepted


def _iter_regions(folder: Path) -> None:
    assert [*er.iter_regions(NET, BOX)] == [*er.regions(NET, BOX, certify=False)]


def _network(folder: Path) -> None:
    assert (NET.n_linear_units, NET.n_hidden_neurons, NET.is_plain) == (1, 2, False)
    assert "2-2+1-2" in repr(NET)
    assert NET.truncate(1, 1).is_plain
    after = NET.then(er.from_arrays([[[1, 1]]], [[0]]))
    on_line = NET.slice([0, 0], [[1, 2]])
    for t in (-1, 0, 2):
        assert after([t, 1]) == (sum(NET([t, 1])),)
        assert on_line([t]) == NET([t, 2 * t])
    assert after.layers[0].linear == on_line.layers[0].linear == (2,)


ANSWERS: dict[str, Callable[[Path], None]] = {
    "Network": _network,
    "Layer": _network,
    "load": _load,
    "save": _load,
    "from_onnx": _from_onnx,
    "evaluate": _points,
    "trace": _points,
    "local_affine_map": _points,
    "layers.pattern_polyhedron": _points,
    "samples.evaluate_batch": _points,
    "samples.trace_batch": _points,
    "local": _local,
    "samples.clustered_classes": _samples,
    "samples.network_classes": _samples,
    "samples.maps_between": _samples,
    "samples.mapped_classes": _samples,
    "regions": _regions,
    "polyhedral_complex": _complex,
    "is_equivalent": _equivalent,
    "largest_difference": _difference,
    "simplify": _simplify,
    "is_injective": _injective,
    "verify": _verify,
    "holds": _holds,
    "robust_radius": _robust,
    "judge": _judge,
    "invert": _invert,
    "roles": _roles,
    "layers.exact_roles": _roles,
    "layers.neuron_roles": _roles,
    "layers.neuron_groups": _roles,
    "plot": _plot,
    "report": _report,
    "certify": _certify,
    "strictly": _strictly,
    "in_shards": _in_shards,
    "iter_regions": _iter_regions,
}


# --- Python: what refuses

#: What is about parameters, and declares it.
QUESTIONS = [path for path, declared in questions().items() if declared.is_about]
#: Others that refuse.
REFUSES: dict[str, Callable[[er.Network], Any]] = {
    "shallow_form": er.shallow_form,
    "layers.completion": lambda network: er.layers.completion(network.layers[0]),
    "identifiability.Symmetry": lambda network: er.identifiability.Symmetry.identity(network).apply(
        network
    ),
    "identifiability.hiding": er.identifiability.hiding,
    "identifiability.is_conserved": lambda network: er.identifiability.is_conserved(
        network, [((1, 1), (0, 0))], layer=1, neurons=[1]
    ),
}
SENSES = ("generic", "masked-rank", "supertransversal", "general", "non-proportional")
#: Other ways to ask them.
MORE: dict[str, Callable[[er.Network], Any]] = {
    "isomorphic, the first": lambda network: er.is_isomorphic(network, PAIRS),
    "shallow_equal, the first": lambda network: er.layers.shallow_equal(network, PAIRS),
    "one layer": lambda network: er.is_injective(network, layer=1),
    "the last layer": lambda network: er.is_injective(network, layer=2),
    "member": lambda network: er.fiber(PAIRS).member(network),
    "an instance of a statement": lambda network: Instance.of(N=network).network(),
    "transformed": lambda network: network.transformed(
        er.identifiability.Symmetry.identity(network)
    ),
    **{
        f"generic, {sense}": lambda network, sense=sense: er.is_generic(network, sense=sense)
        for sense in SENSES
    },
}

#: Classes of networks and their layers; functions say what they take.
TYPES = {"Network", "Layer", "identifiability.Symmetry"}
#: How networks, and what is made of them, are written as parameters.
NETWORKS = {"Network", "NetworksLike", "Network | BlackBox", "Layer", "Local"}
#: Those whose parameters do not say it: they read a network, or ask another question.
MAKERS = {"load", "from_onnx", "strictly", "in_shards"}


def takes_a_network(path: str) -> bool:
    thing = attrgetter(path)(er)
    if not inspect.isfunction(thing):
        return path in TYPES
    annotations = {str(p.annotation) for p in inspect.signature(thing).parameters.values()}
    return path in MAKERS or bool(annotations & NETWORKS)


#: Questions about the function of a network, but those that write: they ask others.
COMPARED = [
    path
    for path, declared in questions().items()
    if declared.gives(er.Result) and not declared.is_about
    if any(p.annotation in ("Network", "NetworksLike") for p in declared.parameters)
    if not any(p.name == "folder" for p in declared.parameters)
]


def test_whatever_takes_a_network_answers_or_refuses() -> None:
    taking = {path for path, _ in paths() if takes_a_network(path)}
    assert {*ANSWERS, *REFUSES, *QUESTIONS, *COMPARED} == taking
    assert not {*ANSWERS} & {*REFUSES, *QUESTIONS}


@pytest.mark.parametrize("path", COMPARED)
def test_a_question_about_the_function_has_one_answer(path: str) -> None:
    """Whether a layer has a linear unit, or a pair of neurons in its place."""
    function = attrgetter(path)(er)
    call = right(function.__name__)
    answers = []
    for network in (MAX, as_pairs(MAX)):
        args = [network if isinstance(value, er.Network) else value for value in call.args]
        answers.append(function(*args, **call.options))
        if answers[-1].certificate is not None:
            proved(answers[-1])
    assert answers[0].answer is answers[1].answer


@pytest.mark.parametrize(
    "answers", dict.fromkeys(ANSWERS.values()), ids=lambda f: f.__name__.strip("_")
)
def test_what_is_about_the_function_answers(answers, tmp_path: Path) -> None:
    answers(tmp_path)


REFUSED = r"layers? of ReLUs; this (network|one) has 1? ?linear unit"


@pytest.mark.parametrize("name", [*REFUSES, *MORE])
def test_what_is_about_parameters_refuses(name: str) -> None:
    with pytest.raises(NotPlain, match=REFUSED):
        {**REFUSES, **MORE}[name](NET)


@pytest.mark.parametrize("path", QUESTIONS)
def test_what_declares_that_it_is_about_parameters_refuses(path: str) -> None:
    """Each of its networks, one with a linear unit in its place."""
    function = attrgetter(path)(er)
    call = right(function.__name__)
    networks = [k for k, value in enumerate(call.args) if isinstance(value, er.Network)]
    assert networks
    for k in networks:
        with pytest.raises(NotPlain, match=REFUSED):
            function(*call.args[:k], NET, *call.args[k + 1 :], **call.options)


# --- Patterns outside


def test_a_linear_unit_has_no_sign() -> None:
    found = er.trace(NET, [1, 2])
    assert found.signs == "+=+"
    assert pattern_text(found.pattern) == "layer 1 +·+"
    assert pattern_lines(((CARRIED,), (1, -1))) == ["layer 1 ·", "layer 2 +-"]
    assert pattern_numbers(found.pattern) == [[1, None, 1]]
    assert repr(found.pattern) == "((1, =, 1),)"
    # Inside it is +1, and stays what it is on the way to another process.
    assert found.pattern == ((1, 1, 1),)
    assert pickle.loads(pickle.dumps(found.pattern))[0][1] is CARRIED
    assert er.local(NET, POINTS).regions[0].signs == "+=+"
    assert "signs=((-1, =, -1),)" in repr(er.polyhedral_complex(NET).faces[0])


def test_all_listings_of_regions_mark_linear_units() -> None:
    """The fast engine, vertices, the tree, samples: all have the same patterns."""
    deep = er.Network(
        (
            L([[1, 2], [3, -1], [1, 1]], [1, 0, 2], linear=[3]),
            L([[1, -1, 2], [1, 1, 1], [2, 0, 1]], [1, -1, 0], linear=[1]),
            L([[1, 1, 1]], [0]),
        )
    )
    for domain in (None, BOX, "box:1,1;0,2", "box:0,9;1,2"):
        for region in er.regions(deep, domain):
            first, second = region.signs.split()
            assert (first[2], second[0]) == ("=", "="), domain
            assert "=" not in first[:2] + second[1:]
