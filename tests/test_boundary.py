"""What leaves the library holds the numbers that users get, wherever one looks."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from flint import fmpq, fmpz

import exactrelu as er
from exactrelu.exact import rational
from tests.test_display import BOX, MATRIX, NET, RESULTS, SHALLOW, network
from tests.test_newcomers import XOR

#: More of them: what other questions give, and what values give when they are asked.
ABSOLUTE = er.Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
HALF = er.LinearSystem.orthant(1)
CONVOLUTION = Path(__file__).parent.parent / "cases/injective-layers/convolution-width-3/valid.json"
FLAT = "box:-1,1;1/3,1/3"
MORE: dict[str, Any] = {
    "arrangement": lambda: list(er.Arrangement.of(2, [([1, 2], 3), ([0, 1], "1/2")]).cells()),
    "breakpoints": lambda: er.certain_breakpoints(
        lambda x: [abs(x[0])], [-1], [2], error="1/100", halvings=5
    ),
    "neurons": lambda: er.certain_neurons(
        lambda x: [abs(x[0])], [([-1], [2])], error="1/100", halvings=5
    ),
    "centres": lambda: er.cluster_centres(er.Matrix([[1, 0], [0, "1/3"]]), 1),
    "maps": lambda: er.maps_between(er.local(NET, [(0, 1)]), er.local(NET, [(0, 1)])),
    "convolution": lambda: er.load_convolution(CONVOLUTION),
    "evaluate": lambda: (er.evaluate(NET, [1, 2]), er.evaluate_batch(NET, [(1, 2), (3, 4)])),
    "called": lambda: (NET([1, 2]), NET([[1, 2], [0, 0]])),
    "traces": lambda: er.trace_batch(NET, [(1, 2)]),
    "vector": lambda: (er.vector([1, "1/2"]), er.rational(2), er.Rational(3) ** 2),
    "zero optimum": lambda: er.has_no_zero_optimum(ABSOLUTE),
    "hiding": lambda: er.hiding(XOR),
    "identification": lambda: er.identify(XOR, XOR),
    "bounded": lambda: (er.is_bounded(er.LinearSystem.box([(0, 1)])), er.is_bounded(HALF)),
    "nonempty": lambda: er.is_nonempty(HALF),
    "pointed": lambda: (
        er.is_pointed([(1, 0)], dimension=2),
        er.is_pointed([(1, 0), (-1, 0)], dimension=2),
    ),
    "cancellation": lambda: er.is_cancellation_free(NET),
    "honest": lambda: er.is_honest(NET),
    "supertransversal": lambda: er.is_supertransversal(XOR, all_failures=True),
    "directed spanning set": lambda: er.is_directed_spanning_set(MATRIX),
    "layer injective": lambda: er.layer_injective(MATRIX, (0, 0)),
    "theorem class": lambda: er.is_in_theorem_class(XOR, BOX),
    "built": lambda: er.build_identifiable((2, 2, 1), BOX),
    "local map": lambda: er.local_affine_map(XOR, ((1, -1),)),
    "local map at a point": lambda: er.local_affine_map(XOR, ((1, -1),))([1, "1/3"]),
    "local polyhedron": lambda: er.pattern_polyhedron(NET, er.trace(NET, [1, 2]).pattern),
    "maximum": lambda: er.maximize([1, 0], er.LinearSystem.box([(0, "1/3"), (0, 1)])),
    "no maximum": lambda: er.maximize([1], HALF),
    "minimal layer": lambda: er.minimal_layer(er.Matrix([[1, 2], [0, 1]]), scales=[1, 3]),
    "network stability": lambda: er.network_stability(ABSOLUTE),
    "groups": lambda: er.neuron_groups(XOR),
    "not localizable": lambda: er.non_localizable((2, 2, 2, 2, 1)),
    "counterexample": lambda: er.refute("S003-lemma-1"),
    "conjecture": lambda: er.refute_conjecture(lambda N: True, lambda N: N([0])[0] == 0.5),
    "shallow equal": lambda: er.shallow_equal(SHALLOW, network(2, 2, 1)),
    "polyhedron": lambda: er.Polyhedron(er.LinearSystem.box([(0, "1/3"), (0, 1)])),
    "cone": lambda: er.Polyhedron(er.LinearSystem.orthant(2)),
    "line": lambda: er.Polyhedron(er.LinearSystem(1)),
    "random symmetry": lambda: er.Symmetry.random(NET, random.Random(0)),
    "flat domain": lambda: er.Domain.of(FLAT, 2),
    "lifted": lambda: (er.Domain.of(FLAT, 2).lift([1]), er.Domain.of(FLAT, 2).lift_direction([1])),
    "flat regions": lambda: er.regions(NET, FLAT),
    "flat complex": lambda: er.polyhedral_complex(NET, FLAT),
    "flat folds": lambda: er.folds(NET, FLAT),
    "flat difference": lambda: er.largest_difference(NET, network(2, 4, 1), FLAT),
    "no largest difference": lambda: er.largest_difference(NET, network(2, 4, 1)),
    "unfinished difference": lambda: er.largest_difference(
        NET, network(2, 4, 1), BOX, max_regions=1
    ),
    "dual graph": lambda: list(er.regions(XOR).dual_graph().edges(data="point")),
    "closure": lambda: er.regions(NET).polyhedron(er.regions(NET)[0]),
    "row": lambda: (er.Row.of([1, 2], "1/2").value([1, 2]), er.Row.of([1], 2).integers()),
    "entries": lambda: (
        *(MATRIX[0, 1], MATRIX.row(0), MATRIX.column(0), MATRIX.apply([1, 2, 3])),
        *(MATRIX.numpy(object), MATRIX.fractions()),
    ),
    "form at a point": lambda: er.shallow_form(SHALLOW)(er.vector([1, 2])),
}

#: Of many alike, so many are looked at.
MOST = 6
#: What values are made with inside.
INSIDE = {"integer_form", "hull", "chart", "effort", "search"}


def bare(value: Any, where: str = "", seen: set[int] | None = None) -> Iterator[str]:
    """Where numbers of FLINT lie open, below a value."""
    seen = set() if seen is None else seen
    if type(value) in (fmpq, fmpz):
        yield f"{where}: {type(value).__name__}"
        return
    if id(value) in seen or isinstance(value, str | bytes | int | float | Enum | er.Rational):
        return
    seen.add(id(value))
    # What is made by a property must live as long as its id is remembered.
    KEPT.append(value)
    if isinstance(value, Mapping):
        for key, entry in islice(value.items(), MOST):
            yield from bare(key, f"{where} key", seen)
            yield from bare(entry, f"{where}[…]", seen)
    elif isinstance(value, tuple | list | set | frozenset):
        for entry in islice(value, MOST):
            yield from bare(entry, f"{where}[]", seen)
    elif isinstance(value, np.ndarray):
        if value.dtype == object:
            yield from bare(list(value.flat), where, seen)
        return
    elif isinstance(value, nx.Graph):
        yield from bare(list(value.nodes(data=True)), f"{where} nodes", seen)
        yield from bare(list(value.edges(data=True)), f"{where} edges", seen)
        return
    if type(value).__module__.startswith("exactrelu") and not isinstance(value, type):
        for name in dir(type(value)) + list(getattr(value, "__dict__", {})):
            # What is FLINT's by its name is; the transpose of a transpose is new without end.
            if name.startswith(("_", "flint")) or name in INSIDE or name in dir(tuple):
                continue
            if name in where.split("."):
                continue
            yield from bare(_seen_as(value, name), f"{where}.{name}", seen)
        if hasattr(value, "__iter__") and not isinstance(value, tuple):
            yield from bare(list(islice(value, MOST)), f"{where}[]", seen)


KEPT: list[Any] = []


def _seen_as(value: Any, name: str) -> Any:
    """An attribute, or what a method gives that needs nothing."""
    try:
        found = getattr(value, name)
    except (er.ExactReluError, AttributeError, TypeError):
        return None
    if not inspect.ismethod(found):
        return None if callable(found) and not hasattr(found, "_plain") else found
    if name in {"save", "check", "plot", "to_json"} or isinstance(found.__self__, type):
        return None
    needed = (p for p in inspect.signature(found).parameters.values() if p.default is p.empty)
    if any(p.kind is not p.VAR_KEYWORD for p in needed):
        return None
    try:
        return found()
    except er.ExactReluError:
        return None


@pytest.mark.parametrize("name", [name for name in (*RESULTS, *MORE) if name != "report"])
def test_results_hold_rationals(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert sorted(set(bare({**RESULTS, **MORE}[name](), name))) == []


@pytest.mark.parametrize(
    "question",
    [
        lambda: er.regions(NET, certify=False),
        lambda: er.regions(NET),
        lambda: er.regions(network(2, 8, 8, 1), certify=False).n_linear_regions,
        lambda: er.polyhedral_complex(NET),
        lambda: er.is_generic(NET),
        lambda: er.trace_batch(NET, [(1, 2), ("1/3", 0)]),
        lambda: er.canonical(NET),
        lambda: er.simplify(NET),
        lambda: er.feasible(er.LinearSystem.box([(0, 1)] * 3)),
    ],
)
def test_inside_all_arithmetic_is_flints(
    question: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Rational is several times slower: none is made before somebody looks at the result."""
    made: list[object] = []
    monkeypatch.setattr(rational, "_made", made.append)
    question()
    assert made == []
