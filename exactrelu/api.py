"""The public names of exactrelu, gathered from their modules."""

from difflib import get_close_matches

from exactrelu.certificates.certificate import Certificate, Verdict
from exactrelu.certificates.manifest import pin
from exactrelu.effort import Effort, Stopped
from exactrelu.errors import ExactReluError, InputError
from exactrelu.exact.linear import rank, rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import fraction, rational, vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.exact.text import load_matrix
from exactrelu.lemmas.record import STATEMENTS as statements
from exactrelu.lemmas.record import refute, refute_conjecture
from exactrelu.network.convolution import Convolution, load_convolution
from exactrelu.network.formats.load import load, save
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
from exactrelu.polyhedra.domain import Domain, load_polyhedron, parse_domain
from exactrelu.polyhedra.lp import feasible, maximize
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.complex import (
    has_no_zero_optimum,
    is_cancellation_free,
    is_honest,
    is_supertransversal,
    polyhedral_complex,
)
from exactrelu.questions.equivalence.canonical_forms import canonical, isomorphic, shallow_equal
from exactrelu.questions.equivalence.difference import largest_difference
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.equivalence.simplify import simplify
from exactrelu.questions.fibers.three_layers import fiber
from exactrelu.questions.folds.construction import build_identifiable
from exactrelu.questions.folds.folds import folds
from exactrelu.questions.folds.theorem_class import identify, is_in_theorem_class
from exactrelu.questions.genericity.senses import is_generic, make_generic
from exactrelu.questions.identifiability.conserved import conserved_identity, is_conserved
from exactrelu.questions.identifiability.functional_dimension import functional_dimension
from exactrelu.questions.identifiability.identifiable import identifiable, non_localizable
from exactrelu.questions.identifiability.second import volume as identifiable_volume
from exactrelu.questions.injectivity.blocks import convolution_injective
from exactrelu.questions.injectivity.inversion import invert
from exactrelu.questions.injectivity.layer import layer_injective
from exactrelu.questions.injectivity.named_results import (
    completion,
    is_directed_spanning_set,
    minimal_layer,
    spark,
)
from exactrelu.questions.injectivity.named_results import shortcuts as injectivity_shortcuts
from exactrelu.questions.injectivity.network import is_injective
from exactrelu.questions.injectivity.stability import network_stability, stability
from exactrelu.questions.linear import (
    is_bounded,
    is_nonempty,
    is_pointed,
    nonnegative_column_rank,
    sigma_min_bounds,
)
from exactrelu.questions.local.clusters import (
    cluster_centres,
    clustered_classes,
    mapped_classes,
    maps_between,
    n_correct,
    network_classes,
)
from exactrelu.questions.local.places import load_points, local
from exactrelu.questions.recovery.recover import recover
from exactrelu.questions.recovery.rounded import certain_breakpoints, certain_neurons
from exactrelu.questions.regions import exact_roles, is_transparent, regions
from exactrelu.view.plot import plot
from exactrelu.view.report.report import report
from exactrelu.worker import strictly

#: Questions whose answer is yes or no begin with ``is_``; these names without it are promised too.
SPELLINGS = ("equivalent", "identifiable", "isomorphic")
is_equivalent = equivalent
is_identifiable = identifiable
is_isomorphic = isomorphic

__all__ = [
    "Arrangement",
    "BoxUnion",
    "Certificate",
    "Convolution",
    "Domain",
    "Effort",
    "ExactReluError",
    "InputError",
    "Layer",
    "LinearSystem",
    "Matrix",
    "Network",
    "Polyhedron",
    "Row",
    "Sense",
    "ShallowForm",
    "Stopped",
    "Symmetry",
    "Verdict",
    "build_identifiable",
    "canonical",
    "certain_breakpoints",
    "certain_neurons",
    "cluster_centres",
    "clustered_classes",
    "completion",
    "conserved_identity",
    "convolution_injective",
    "equivalent",
    "evaluate",
    "evaluate_batch",
    "exact_roles",
    "feasible",
    "fiber",
    "folds",
    "fraction",
    "from_torch",
    "functional_dimension",
    "has_no_zero_optimum",
    "hiding",
    "identifiable",
    "identifiable_volume",
    "identify",
    "injectivity_shortcuts",
    "invert",
    "is_bounded",
    "is_cancellation_free",
    "is_conserved",
    "is_directed_spanning_set",
    "is_equivalent",
    "is_generic",
    "is_honest",
    "is_identifiable",
    "is_in_theorem_class",
    "is_injective",
    "is_isomorphic",
    "is_nonempty",
    "is_pointed",
    "is_supertransversal",
    "is_transparent",
    "isomorphic",
    "largest_difference",
    "layer_injective",
    "load",
    "load_convolution",
    "load_matrix",
    "load_points",
    "load_polyhedron",
    "load_union",
    "local",
    "local_affine_map",
    "make_generic",
    "mapped_classes",
    "maps_between",
    "maximize",
    "minimal_layer",
    "n_correct",
    "network_classes",
    "network_stability",
    "neuron_groups",
    "neuron_roles",
    "non_localizable",
    "nonnegative_column_rank",
    "parse_domain",
    "pattern_polyhedron",
    "pin",
    "plot",
    "polyhedral_complex",
    "rank",
    "rank_proof",
    "rational",
    "recover",
    "refute",
    "refute_conjecture",
    "regions",
    "report",
    "save",
    "shallow_equal",
    "shallow_form",
    "sigma_min_bounds",
    "simplify",
    "spark",
    "stability",
    "statements",
    "strictly",
    "trace",
    "trace_batch",
    "vector",
]

#: The function of a command of another name.
COMMANDS = {
    "arrangement": "Arrangement",
    "build": "build_identifiable",
    "cancellation_free": "is_cancellation_free",
    "certify": "report",
    "check": "Certificate.check",
    "complex": "polyhedral_complex",
    "cone": "is_pointed",
    "conjecture": "refute_conjecture",
    "convert": "save",
    "convolution": "convolution_injective",
    "difference": "largest_difference",
    "eval": "evaluate",
    "generic": "is_generic",
    "honest": "is_honest",
    "info": "Network",
    "injective": "is_injective",
    "injective_table": "injectivity_shortcuts",
    "lemmas": "statements",
    "nnrank": "nonnegative_column_rank",
    "polyhedron": "Polyhedron",
    "shallow": "shallow_form",
    "sigma": "sigma_min_bounds",
    "theorem_class": "is_in_theorem_class",
    "transparent": "is_transparent",
}


def hint(name: str) -> str:
    """What may be meant by a name that is not there, by the commands and by its spelling.

    >>> hint("difference"), hint("regionz"), hint("__path__")
    (": did you mean 'er.largest_difference'?", ": did you mean 'er.regions'?", '')
    """
    if name.startswith("_"):
        return ""
    meant = COMMANDS.get(name.lower().replace("-", "_"))
    if meant is None:
        names = {known.lower(): known for known in (*__all__, *COMMANDS)}
        close = get_close_matches(name.lower(), names, n=1, cutoff=0.7)
        if not close:
            return ""
        meant = COMMANDS.get(names[close[0]], names[close[0]])
    return f": did you mean 'er.{meant}'?"
