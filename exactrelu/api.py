"""The public names of exactrelu, gathered from their modules; each function behind the gate.

Which of them are shown, and in which group, says :mod:`exactrelu.public.names`.  They are written
out here too, as type checkers read imports and this list, and no table; a test compares both.
"""

from inspect import isfunction
from typing import Any

from exactrelu.certificates.certificate import Certificate, Result, Verdict
from exactrelu.certificates.manifest import pin
from exactrelu.digits import show
from exactrelu.drawn import Drawn
from exactrelu.effort import Effort, Stopped
from exactrelu.errors import ExactReluError, InputError
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Rational, rational, vector
from exactrelu.exact.scalar import fraction
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.exact.text import load_matrix
from exactrelu.lemmas.record import STATEMENTS as statements
from exactrelu.lemmas.record import refute
from exactrelu.lemmas.record import refute_conjecture as conjecture
from exactrelu.network.convolution import Convolution, load_convolution
from exactrelu.network.formats.load import load, save
from exactrelu.network.formats.onnx_graph import from_onnx
from exactrelu.network.formats.torch_modules import from_torch
from exactrelu.network.hiding import hiding
from exactrelu.network.network import (
    Layer,
    Network,
    evaluate,
    evaluate_batch,
    local_affine_map,
    pattern_polyhedron,
    trace,
    trace_batch,
)
from exactrelu.network.roles import neuron_groups, neuron_roles
from exactrelu.network.shallow import ShallowForm, shallow_form
from exactrelu.network.symmetry import Symmetry
from exactrelu.polyhedra.arrangement import Arrangement
from exactrelu.polyhedra.boxes import BoxUnion, load_union
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.domain_text import load_polyhedron, parse_domain
from exactrelu.polyhedra.lp import feasible, maximize
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.public.certify import certify
from exactrelu.public.gate import gated
from exactrelu.public.makers import box, check, from_arrays, load_domain, orthant, supports
from exactrelu.public.methods import METHODS, explain
from exactrelu.questions.activity import is_transparent
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.equivalence.canonical_forms import canonical, shallow_equal
from exactrelu.questions.equivalence.canonical_forms import isomorphic as is_isomorphic
from exactrelu.questions.equivalence.difference import largest_difference
from exactrelu.questions.equivalence.equivalent import equivalent as is_equivalent
from exactrelu.questions.equivalence.simplify import simplify
from exactrelu.questions.faces import (
    has_no_zero_optimum,
    is_cancellation_free,
    is_honest,
    is_supertransversal,
)
from exactrelu.questions.fibers.three_layers import fiber
from exactrelu.questions.folds.folds import folds
from exactrelu.questions.folds.theorem_class import identify, is_in_theorem_class
from exactrelu.questions.genericity.senses import is_generic, make_generic
from exactrelu.questions.identifiability.conserved import conserved_identity, is_conserved
from exactrelu.questions.identifiability.construction import build_identifiable
from exactrelu.questions.identifiability.functional_dimension import functional_dimension
from exactrelu.questions.identifiability.identifiable import identifiable as is_identifiable
from exactrelu.questions.identifiability.identifiable import non_localizable
from exactrelu.questions.identifiability.second import volume as identifiable_volume
from exactrelu.questions.identifiability.share import share
from exactrelu.questions.injectivity.blocks import convolution_injective
from exactrelu.questions.injectivity.constructions import completion, minimal_layer
from exactrelu.questions.injectivity.inversion import invert
from exactrelu.questions.injectivity.layer import layer_injective
from exactrelu.questions.injectivity.named_results import is_directed_spanning_set, spark
from exactrelu.questions.injectivity.named_results import shortcuts as injectivity_shortcuts
from exactrelu.questions.injectivity.network import is_injective
from exactrelu.questions.injectivity.network_stability import network_stability
from exactrelu.questions.injectivity.stability import stability
from exactrelu.questions.linear import is_bounded, is_nonempty, is_pointed, nonnegative_column_rank
from exactrelu.questions.local.clusters import (
    cluster_centres,
    clustered_classes,
    mapped_classes,
    maps_between,
    n_correct,
    network_classes,
)
from exactrelu.questions.local.places import local
from exactrelu.questions.local.samples import load_points
from exactrelu.questions.properties.judge import judge
from exactrelu.questions.properties.robust import robust_radius
from exactrelu.questions.properties.verify import holds, verify
from exactrelu.questions.properties.versions import real_query
from exactrelu.questions.rank import rank_proof
from exactrelu.questions.recovery.recover import recover
from exactrelu.questions.recovery.rounded import certain_breakpoints, certain_neurons
from exactrelu.questions.regions import iter_regions, regions
from exactrelu.questions.roles import exact_roles, roles
from exactrelu.questions.shards.sharded import in_shards
from exactrelu.questions.singular_values import sigma_min_bounds
from exactrelu.view.plot import plot
from exactrelu.view.report.report import report
from exactrelu.view.svg import Notebook
from exactrelu.work.worker import strictly

__all__ = [  # noqa: RUF022 - by group
    # types
    "Network",
    "Layer",
    "Matrix",
    "Domain",
    "Result",
    "Verdict",
    "Certificate",
    "ExactReluError",
    "InputError",
    "Rational",
    # files
    "show",
    "load",
    "save",
    "from_arrays",
    "from_torch",
    "from_onnx",
    "load_domain",
    "load_points",
    "box",
    "orthant",
    # points
    "evaluate",
    "trace",
    "local",
    "local_affine_map",
    # geometry
    "regions",
    "iter_regions",
    "roles",
    "polyhedral_complex",
    "folds",
    "is_generic",
    "is_transparent",
    "is_honest",
    "is_cancellation_free",
    # compare
    "is_equivalent",
    "is_isomorphic",
    "largest_difference",
    "canonical",
    "simplify",
    "shallow_form",
    # properties
    "verify",
    "holds",
    "robust_radius",
    "judge",
    "real_query",
    # parameters
    "fiber",
    "is_identifiable",
    "functional_dimension",
    "recover",
    "make_generic",
    "is_in_theorem_class",
    # maps
    "is_injective",
    "invert",
    "stability",
    # papers
    "statements",
    "refute",
    "conjecture",
    # view
    "plot",
    "report",
    # trust
    "check",
    "certify",
    "pin",
    "in_shards",
    "strictly",
    "supports",
    # matrices
    "load_matrix",
    "rational",
    "vector",
    "fraction",
    "rank",
    "rank_proof",
    "nonnegative_column_rank",
    "sigma_min_bounds",
    "spark",
    "is_pointed",
    # polyhedra
    "LinearSystem",
    "Row",
    "Sense",
    "Polyhedron",
    "Arrangement",
    "BoxUnion",
    "load_polyhedron",
    "load_union",
    "parse_domain",
    "feasible",
    "maximize",
    "is_bounded",
    "is_nonempty",
    # layers
    "layer_injective",
    "is_directed_spanning_set",
    "completion",
    "minimal_layer",
    "network_stability",
    "Convolution",
    "load_convolution",
    "convolution_injective",
    "exact_roles",
    "neuron_roles",
    "neuron_groups",
    "pattern_polyhedron",
    "ShallowForm",
    "shallow_equal",
    # samples
    "evaluate_batch",
    "trace_batch",
    "cluster_centres",
    "clustered_classes",
    "network_classes",
    "maps_between",
    "mapped_classes",
    "n_correct",
    # identifiability
    "Symmetry",
    "is_supertransversal",
    "has_no_zero_optimum",
    "identify",
    "share",
    "build_identifiable",
    "non_localizable",
    "hiding",
    "conserved_identity",
    "is_conserved",
    "certain_breakpoints",
    "certain_neurons",
    # old names
    "equivalent",
    "identifiable",
    "isomorphic",
    "refute_conjecture",
    "identifiable_volume",
    "injectivity_shortcuts",
    "Effort",
    "Stopped",
]

_names: dict[str, Any] = globals()
for _name in [name for name in __all__ if isfunction(_names.get(name))]:
    _names[_name] = gated(_names[_name], _name)

for _class, _methods in METHODS.items():
    explain(_class, _methods)

Drawn.draw_with(Notebook())

# Spellings of earlier versions, some of them promised.
equivalent = is_equivalent
identifiable = is_identifiable
isomorphic = is_isomorphic
refute_conjecture = conjecture
