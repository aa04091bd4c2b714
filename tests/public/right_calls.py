"""A right call of every public function, class and method: what wrong ones are made of."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import exactrelu as er

CASES = Path(__file__).parents[2] / "cases"
#: Where right calls write.
FOLDER = Path(tempfile.mkdtemp(prefix="exactrelu-calls-"))

XOR = er.load("example:xor")
ABSOLUTE = er.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
DEEP = er.from_arrays([[[1, 2], [-1, 1]], [[1, -1], [2, 1]], [[1, 1]]], [[0, 1], [-1, 0], [0]])
LAYER = XOR.layers[0]
MATRIX = er.Matrix([[1, 2], [3, 4]])
ONE = er.matrices.vector([1, 2])
SYSTEM = er.polyhedra.LinearSystem.box([(0, 1)])
QUERY = CASES / "xor" / "query.vnnlib"
CONVOLUTION = er.layers.load_convolution(
    CASES / "injective-layers/convolution-width-3" / "valid.json"
)
UNION = CASES / "phuong-lampert/S001-E1-thmA1-nonconvex" / "domain.json"
LOCAL = er.local(XOR, [(0, 1), (1, 2)])
CERTIFICATE = er.is_injective(XOR).certificate
assert CERTIFICATE is not None
(FOLDER / "pinned").mkdir()
PINNED = CERTIFICATE.save(FOLDER / "pinned" / "injective.cert.jsonl")
NETWORK = FOLDER / "pinned" / "xor.json"
er.save(XOR, NETWORK)
POINTS = FOLDER / "points.csv"
POINTS.write_text("0,1\n1,2\n")
TABLE = FOLDER / "matrix.json"
TABLE.write_text("[[1, 2], [3, 4]]")
POLYHEDRON = FOLDER / "polyhedron.json"
POLYHEDRON.write_text(
    '{"format": "exactrelu-polyhedron/1", "inequalities": [{"normal": ["1"], "offset": "2"}]}'
)
FIBER, DEEP_FIBER = er.fiber(XOR), er.fiber(DEEP)


class Call(NamedTuple):
    """What a right call has, of a method the value that it is a method of."""

    args: tuple[Any, ...] = ()
    options: dict[str, Any] = {}  # noqa: RUF012 - never written to
    subject: Any = None


def _absolute(x: Any) -> list[Any]:
    return [abs(x[0])]


#: Every public function and class.
RIGHT: dict[str, Call] = {
    "Network": Call((XOR.layers,)),
    "Layer": Call((LAYER.affine,)),
    "Matrix": Call(([[1, 2], [3, 4]],)),
    "Domain": Call((SYSTEM, er.matrices.vector(["1/2"]))),
    "Verdict": Call((None, "not decided")),
    "Rational": Call((1, 2)),
    "LinearSystem": Call((1, SYSTEM.rows)),
    "Row": Call((ONE, er.rational(1))),
    "Sense": Call(("ge",)),
    "Polyhedron": Call((SYSTEM,)),
    "Arrangement": Call((1, er.polyhedra.Arrangement.of(1, [([1], 0)]).rows)),
    "show": Call((er.rational("1/3"),)),
    "load": Call((NETWORK,)),
    "save": Call((XOR, FOLDER / "saved.json")),
    "from_arrays": Call(([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])),
    "from_torch": Call(({"0.weight": [[1]], "0.bias": [0]},)),
    "from_onnx": Call((FOLDER / "none.onnx",)),
    "load_domain": Call(("box:-1..1", 2)),
    "load_points": Call((POINTS, 2)),
    "load_matrix": Call((TABLE,)),
    "load_polyhedron": Call((POLYHEDRON,)),
    "load_union": Call((UNION,)),
    "load_convolution": Call((CASES / "injective-layers/convolution-width-3" / "valid.json",)),
    "parse_domain": Call(("box:0..1", 2)),
    "box": Call(((0, 1), (0, 1))),
    "orthant": Call((2,)),
    "evaluate": Call((XOR, [1, 2])),
    "trace": Call((XOR, [1, 2])),
    "evaluate_batch": Call((XOR, [[1, 2]])),
    "trace_batch": Call((XOR, [[1, 2]])),
    "local": Call((XOR, [[1, 2]])),
    "local_affine_map": Call((XOR, ((1, -1),))),
    "pattern_polyhedron": Call((XOR, ((1, -1),))),
    **{
        name: Call((XOR, "box:-1..1"))
        for name in (
            *("regions", "iter_regions", "roles", "polyhedral_complex", "folds", "is_generic"),
            *("is_transparent", "is_honest", "is_cancellation_free", "simplify", "shallow_form"),
            *("fiber", "is_identifiable", "functional_dimension", "make_generic", "is_injective"),
            *("is_in_theorem_class", "plot", "network_stability", "exact_roles"),
            *("is_supertransversal", "has_no_zero_optimum"),
        )
    },
    "is_equivalent": Call((XOR, XOR, "box:-1..1")),
    "shallow_equal": Call((XOR, XOR, "orthant")),
    "largest_difference": Call((XOR, XOR, "box:-1..1")),
    "is_isomorphic": Call((XOR, XOR)),
    "canonical": Call((XOR,)),
    "neuron_roles": Call((XOR,)),
    "neuron_groups": Call((XOR,)),
    "hiding": Call((DEEP,)),
    "verify": Call((QUERY, XOR)),
    "judge": Call((QUERY, XOR, QUERY.parent / "result.txt")),
    "real_query": Call((QUERY.read_text(),)),
    "holds": Call((XOR, "box:-1..1", "y1 <= 1")),
    "robust_radius": Call((XOR, [1, 1])),
    "recover": Call((ABSOLUTE, 1), {"timeout": 5}),
    "invert": Call((XOR, [1], "box:-1..1")),
    "stability": Call((ABSOLUTE, None), {"layer": 1}),
    "refute": Call(("S003-lemma-1",), {"timeout": 2}),
    "conjecture": Call((lambda N: True, lambda N: True), {"timeout": 1, "widths": [(1, 1)]}),
    "report": Call((XOR, FOLDER / "r.html", "box:-1..1"), {"seconds_each": 0.1, "timeout": 1}),
    "check": Call((PINNED,)),
    "certify": Call((ABSOLUTE, FOLDER / "certified"), {"timeout": 1}),
    "pin": Call(([PINNED], FOLDER / "pinned" / "pinned.toml"), {"networks": {"xor": NETWORK}}),
    "in_shards": Call(("regions", XOR), {"folder": FOLDER / "shards", "timeout": 2}),
    "strictly": Call((er.regions, XOR), {"timeout": 5}),
    "supports": Call(),
    "rational": Call(("1/3",)),
    "vector": Call(([1, 2],)),
    "fraction": Call((er.rational("1/3"),)),
    "rank": Call((MATRIX,)),
    "rank_proof": Call((MATRIX,)),
    "nonnegative_column_rank": Call((MATRIX,)),
    "sigma_min_bounds": Call((MATRIX,)),
    "spark": Call((MATRIX,)),
    "is_pointed": Call(([ONE],)),
    "feasible": Call((SYSTEM,)),
    "maximize": Call(([1], SYSTEM)),
    "is_bounded": Call((SYSTEM,)),
    "is_nonempty": Call((SYSTEM,)),
    "layer_injective": Call((MATRIX, [0, 0], "box:-1..1")),
    "injectivity_shortcuts": Call((MATRIX, [0, 0])),
    "is_directed_spanning_set": Call((MATRIX, [1, 1])),
    "completion": Call((LAYER,)),
    "minimal_layer": Call((MATRIX,), {"scales": [1, 2], "bias": [0, 0]}),
    "convolution_injective": Call((CONVOLUTION,)),
    "cluster_centres": Call((MATRIX, 1)),
    "clustered_classes": Call((LOCAL, LOCAL, 1)),
    "network_classes": Call((LOCAL,)),
    "maps_between": Call((LOCAL, LOCAL)),
    "mapped_classes": Call(([er.Matrix.identity(3)], LOCAL)),
    "n_correct": Call(([1, 2], [1, 3])),
    "identify": Call((XOR, XOR)),
    "share": Call(((2, 2, 1), "box:-1..1"), {"count": 1, "timeout": 2}),
    "build_identifiable": Call(((2, 2, 1), "box:-1..1"), {"timeout": 5}),
    "identifiable_volume": Call(((2, 2, 2, 1),)),
    "non_localizable": Call(((2, 2, 2, 2, 1),), {"timeout": 5}),
    "conserved_identity": Call((1, 1, 1)),
    "is_conserved": Call((XOR, [([1, 1], [0])]), {"layer": 1, "neurons": [1]}),
    "certain_breakpoints": Call(
        (_absolute, [-1], [2]), {"error": "1/100", "halvings": 3, "timeout": 2}
    ),
    "certain_neurons": Call(
        (_absolute, [([-1], [2])]), {"error": "1/100", "halvings": 3, "timeout": 2}
    ),
}

#: What is public and cannot be called by users, or only to raise it.
NOT_CALLED = {"Result", "Certificate", "ExactReluError", "InputError", "Effort", "Stopped"} | {
    *("BoxUnion", "Convolution", "ShallowForm", "Symmetry"),
    # Other names of functions that are here.
    *("equivalent", "identifiable", "isomorphic", "refute_conjecture"),
}

_REGIONS = er.regions(XOR, "box:-1..1")
_SYMMETRY = er.is_isomorphic(XOR, XOR).witness
_UNION = er.polyhedra.load_union(UNION)
_ARRANGEMENT = er.polyhedra.Arrangement.of(1, [([1], 0)])

#: Every method behind :mod:`exactrelu.public.methods`.
RIGHT_METHODS: dict[str, Call] = {
    "Network.__call__": Call(([1, 2],), {}, XOR),
    "Network.from_arrays": Call(([[[1], [-1]], [[1, 1]]], [[0, 0], [0]]), {}, XOR),
    "Network.neuron_name": Call((1, 1), {}, XOR),
    "Network.truncate": Call((1, 1), {}, XOR),
    "Network.then": Call((ABSOLUTE,), {}, XOR),
    "Network.slice": Call(([0, 0], [[1, 1]]), {}, XOR),
    "Network.transformed": Call((_SYMMETRY,), {}, XOR),
    "Network.renamed": Call(("name",), {}, XOR),
    "Layer.of": Call(([[1, 2]], [0]), {}, LAYER),
    "Layer.with_affine": Call((LAYER.affine,), {}, LAYER),
    "Matrix.apply": Call(([1, 2],), {}, MATRIX),
    "Matrix.row": Call((0,), {}, MATRIX),
    "Matrix.column": Call((0,), {}, MATRIX),
    "Matrix.scale": Call((2,), {}, MATRIX),
    "Matrix.take": Call(([0], [1]), {}, MATRIX),
    "Matrix.beside": Call((MATRIX,), {}, MATRIX),
    "Matrix.above": Call((MATRIX,), {}, MATRIX),
    "Matrix.diagonal": Call(([1, 2],), {}, MATRIX),
    "Matrix.column_vector": Call(([1, 2],), {}, MATRIX),
    "Matrix.identity": Call((2,), {}, MATRIX),
    "Matrix.zero": Call((2, 2), {}, MATRIX),
    "Matrix.from_entries": Call((1, 2, [1, 2]), {}, MATRIX),
    "Domain.of": Call(("box:0..1", 2), {}, er.box((0, 1))),
    "Domain.lift": Call(([0],), {}, er.box((0, 1))),
    "Domain.lift_direction": Call(([0],), {}, er.box((0, 1))),
    "Domain.restricted": Call((ABSOLUTE,), {}, er.box((0, 0))),
    "Result.check": Call((), {}, _REGIONS),
    "Result.save": Call((FOLDER / "r.cert.jsonl",), {}, _REGIONS),
    "Certificate.check": Call((), {}, CERTIFICATE),
    "Certificate.save": Call((FOLDER / "c.cert.jsonl",), {}, CERTIFICATE),
    "Certificate.from_bytes": Call((CERTIFICATE.to_bytes(),), {}, CERTIFICATE),
    "LinearSystem.box": Call(([(0, 1)],), {}, SYSTEM),
    "LinearSystem.orthant": Call((2,), {}, SYSTEM),
    "LinearSystem.contains": Call(([1],), {}, SYSTEM),
    "LinearSystem.slice": Call(([0], [[1]]), {}, SYSTEM),
    "Row.of": Call(([1], 0), {}, SYSTEM.rows[0]),
    "Row.value": Call(([1],), {}, SYSTEM.rows[0]),
    "Row.of_sense": Call((SYSTEM.rows[0].sense,), {}, SYSTEM.rows[0]),
    "Polyhedron.contains": Call(([0],), {}, er.polyhedra.Polyhedron(SYSTEM)),
    "Polyhedron.from_generators": Call((1, [[0]], [[1]]), {}, er.polyhedra.Polyhedron(SYSTEM)),
    "Arrangement.of": Call((1, [([1], 0)]), {}, _ARRANGEMENT),
    "Arrangement.signs_at": Call(([1],), {}, _ARRANGEMENT),
    "Arrangement.cells": Call((SYSTEM,), {}, _ARRANGEMENT),
    "BoxUnion.box_around": Call(([0, 0],), {}, _UNION),
    "BoxUnion.contains_inside": Call(([0, 0],), {}, _UNION),
    "AffineMap.__call__": Call(([1, 2],), {}, er.local_affine_map(XOR, ((1, -1),))),
    "ShallowForm.__call__": Call(([1, 2],), {}, er.shallow_form(XOR)),
    "Symmetry.apply": Call((XOR,), {}, _SYMMETRY),
    "Symmetry.then": Call((_SYMMETRY,), {}, _SYMMETRY),
    "Symmetry.from_indices": Call(([[0, 1]], [[1, 1]]), {}, _SYMMETRY),
    "Symmetry.identity": Call((XOR,), {}, _SYMMETRY),
    "Symmetry.random": Call((XOR, random.Random(0)), {}, _SYMMETRY),
    "Convolution.with_opposites": Call((), {}, CONVOLUTION),
    "Regions.affine_map": Call((_REGIONS[0],), {}, _REGIONS),
    "Regions.polyhedron": Call((_REGIONS[0],), {}, _REGIONS),
    "PolyhedralComplex.bent_hyperplane": Call((1, 1), {}, er.polyhedral_complex(XOR)),
    "ShallowFiber.component": Call((FIBER[0].name,), {}, FIBER),
    "ShallowFiber.member": Call((XOR,), {}, FIBER),
    "ShallowFiber.path": Call((XOR,), {}, FIBER),
    "ShallowFiber.samples": Call((1,), {}, FIBER),
    "ThreeLayerFiber.component": Call((DEEP_FIBER[0].name,), {}, DEEP_FIBER),
    "ThreeLayerFiber.member": Call((DEEP,), {}, DEEP_FIBER),
    "ThreeLayerFiber.path": Call((DEEP,), {}, DEEP_FIBER),
    "ThreeLayerFiber.samples": Call((1,), {}, DEEP_FIBER),
    "Local.dual_points": Call((1,), {}, LOCAL),
    "Share.network": Call((1,), {}, er.identifiability.share((2, 2, 1), count=1)),
}
