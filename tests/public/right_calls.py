"""A right call of every public function, class and method: what wrong ones are made of."""

from __future__ import annotations

import inspect
import random
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import exactrelu as er
from exactrelu import api

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


#: Every public function by its first name.
FUNCTIONS = [
    name
    for name in api.__all__
    if inspect.isfunction(found := getattr(er, name)) and found.__name__ == name
]


def _absolute(x: Any) -> list[Any]:
    return [abs(x[0])]


#: What is given for a parameter, by its name; for one of a function alone by "function.parameter".
VALUES: dict[str, Any] = {
    **dict.fromkeys(("network", "networks", "a", "b", "theta", "eta"), XOR),
    "domain": "box:-1..1",
    "layer": 1,
    "points": [[1, 2]],
    "x": [1, 1],
    "pattern": ((1, -1),),
    "constraints": "y1 <= 1",
    "output": [1],
    "query": QUERY,
    "result": QUERY.parent / "result.txt",
    **dict.fromkeys(("A", "W", "weights", "basis", "duals"), MATRIX),
    "bias": [0, 0],
    "scales": [1, 2],
    "generators": [ONE],
    "system": SYSTEM,
    "objective": [1],
    "convolution": CONVOLUTION,
    "widths": (2, 2, 1),
    "value": er.rational("1/3"),
    "values": [1, 2],
    "dimension": 2,
    "text": "box:0..1",
    "black_box": _absolute,
    "start": [-1],
    "end": [2],
    "segments": [([-1], [2])],
    "error": "1/100",
    **dict.fromkeys(("sample", "test", "source", "target", "found"), LOCAL),
    "k": 1,
    **dict.fromkeys(("n_inputs", "n_neurons", "n_outputs"), 1),
    "neurons": [1],
    "data": [([1, 1], [0])],
    "folder": FOLDER / "folder",
    "path": NETWORK,
    "q": er.rational("1/3"),
    "hiding.network": DEEP,
    "recover.black_box": ABSOLUTE,
    "recover.n_inputs": 1,
    "stability.network": ABSOLUTE,
    "network_stability.network": ABSOLUTE,
    "certify.network": ABSOLUTE,
    "certify.folder": FOLDER / "certified",
    "completion.layer": LAYER,
    "cluster_centres.k": 1,
    "mapped_classes.maps": [er.Matrix.identity(3)],
    "n_correct.found": [1, 2],
    "n_correct.labels": [1, 3],
    "identifiable_volume.widths": (2, 2, 2, 1),
    "non_localizable.widths": (2, 2, 2, 2, 1),
    "from_arrays.weights": [[[1], [-1]], [[1, 1]]],
    "from_arrays.biases": [[0, 0], [0]],
    "from_torch.model_or_state_dict": {"0.weight": [[1]], "0.bias": [0]},
    "from_onnx.path_or_model": FOLDER / "none.onnx",
    "save.path": FOLDER / "saved.json",
    "load_domain.path": "box:-1..1",
    "load_points.path": POINTS,
    "load_points.n_inputs": 2,
    "load_matrix.path": TABLE,
    "load_polyhedron.path": POLYHEDRON,
    "load_union.path": UNION,
    "load_convolution.path": CASES / "injective-layers/convolution-width-3" / "valid.json",
    "real_query.text": QUERY.read_text(),
    "rational.value": "1/3",
    "refute.lemma": "S003-lemma-1",
    "conjecture.conjecture": lambda N: True,
    "conjecture.conclusion": lambda N: True,
    "report.path": FOLDER / "r.html",
    "check.what": PINNED,
    "pin.certificates": [PINNED],
    "pin.path": FOLDER / "pinned" / "pinned.toml",
    "pin.networks": {"xor": NETWORK},
    "in_shards.question": "regions",
    "in_shards.folder": FOLDER / "shards",
    "strictly.question": er.regions,
    "robust_radius.domain": None,
}
#: Of parameters that may be left out only these are given.
GIVEN = {
    "domain",
    "load_domain.dimension",
    "recover.n_inputs",
    "scales",
    "pin.path",
    "pin.networks",
}
GIVEN |= {"conjecture.conclusion", "is_directed_spanning_set.x", "minimal_layer.bias"}
#: Values without a name.
MORE: dict[str, tuple[Any, ...]] = {
    "box": ((0, 1), (0, 1)),
    "in_shards": (XOR,),
    "strictly": (XOR,),
}
#: Options of searches that have no end of their own.
SHORT: dict[str, dict[str, Any]] = {
    "conjecture": {"timeout": 1, "widths": [(1, 1)]},
    "report": {"timeout": 1, "seconds_each": 0.1},
    "share": {"timeout": 2, "count": 1},
    "certain_breakpoints": {"timeout": 2, "halvings": 3},
    "certain_neurons": {"timeout": 2, "halvings": 3},
    "certify": {"timeout": 1},
    **{name: {"timeout": 2} for name in ("refute", "in_shards")},
    **{
        name: {"timeout": 5}
        for name in ("recover", "strictly", "build_identifiable", "non_localizable")
    },
}


def right(name: str) -> Call:
    """A right call of a public function, from the parameters that it declares."""
    args: list[Any] = []
    options: dict[str, Any] = {}
    for parameter in inspect.signature(getattr(er, name)).parameters.values():
        own = f"{name}.{parameter.name}"
        is_given = parameter.default is parameter.empty or GIVEN & {own, parameter.name}
        if parameter.kind is parameter.VAR_POSITIONAL:
            args += MORE[name]
        elif is_given and parameter.kind is not parameter.VAR_KEYWORD:
            value = VALUES[own] if own in VALUES else VALUES[parameter.name]
            if parameter.kind is parameter.KEYWORD_ONLY:
                options[parameter.name] = value
            else:
                args.append(value)
    return Call(tuple(args), {**options, **SHORT.get(name, {})})


#: Every public class, and every public function.
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
    **{name: right(name) for name in FUNCTIONS},
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
    "ShallowFiber.minimal": Call((), {}, FIBER),
    "ShallowFiber.parts": Call((), {}, FIBER),
    "ShallowFiber.path": Call((XOR,), {}, FIBER),
    "ShallowFiber.samples": Call((1,), {}, FIBER),
    "ThreeLayerFiber.component": Call((DEEP_FIBER[0].name,), {}, DEEP_FIBER),
    "ThreeLayerFiber.member": Call((DEEP,), {}, DEEP_FIBER),
    "ThreeLayerFiber.parts": Call((), {}, DEEP_FIBER),
    "ThreeLayerFiber.path": Call((DEEP,), {}, DEEP_FIBER),
    "ThreeLayerFiber.samples": Call((1,), {}, DEEP_FIBER),
    "Local.dual_points": Call((1,), {}, LOCAL),
    "Share.network": Call((1,), {}, er.identifiability.share((2, 2, 1), count=1)),
}
