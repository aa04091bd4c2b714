"""The questions that ``certify`` asks of every network.

Each entry takes a network and yields verdicts with a short name of what was asked.
To add a question, write it as a function from values to :class:`Verdict` and list it here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from exactrelu.certificates.evidence import rank_claim, value_claim
from exactrelu.exact.linear import rank_proof
from exactrelu.exact.scalar import ONE, ZERO
from exactrelu.exact.system import LinearSystem
from exactrelu.network.evaluate import trace_batch
from exactrelu.network.isomorphism.search import SearchLimit
from exactrelu.network.network import Network
from exactrelu.questions.cancellation_free import cancellation_free_verdict
from exactrelu.questions.fibers import fiber
from exactrelu.questions.folds.folds import folds
from exactrelu.questions.genericity.proportional import n_units
from exactrelu.questions.genericity.reduction import stages
from exactrelu.questions.genericity.senses import is_generic
from exactrelu.questions.genericity.supertransversal import supertransversal_verdict
from exactrelu.questions.genericity.zero_optimum import zero_optimum_verdict
from exactrelu.questions.honest import honest_verdict
from exactrelu.questions.identifiability.identifiable import identifiable
from exactrelu.questions.injectivity import is_injective
from exactrelu.questions.isomorphism import canonical
from exactrelu.questions.nonnegative_rank import nonnegative_column_rank
from exactrelu.questions.polyhedral_complex import polyhedral_complex
from exactrelu.questions.regions import regions
from exactrelu.questions.simplify import simplify
from exactrelu.questions.singular_values import sigma_min_bounds
from exactrelu.questions.transparency import is_transparent
from exactrelu.verdict import Verdict

#: Beyond these a network's regions are not counted by ``certify``: it would take long.
MAX_HIDDEN_NEURONS = 32
MAX_REGIONS = 2_000
#: Beyond this many regions their images are not compared in pairs.
MAX_PAIRED_REGIONS = 30
#: Beyond this many faces the questions that rest on all of them are not asked.
MAX_FACES = 600
#: Beyond this many minors or affine functions genericity is not asked.
MAX_MASKS = 20_000
#: Beyond this many parameters the canonical form is not written.
MAX_PARAMETERS = 100_000

#: Beyond this many hidden neurons the orientations of a fiber are not listed.
MAX_FIBER_NEURONS = 6

Question = Callable[[Network], Iterator[tuple[str, Verdict]]]


def values(network: Network) -> Iterator[tuple[str, Verdict]]:
    """The values at 0 and at (1, …, 1)."""
    n = network.n_inputs
    for name, evaluation in zip(
        ("value-at-0", "value-at-1"), trace_batch(network, [(ZERO,) * n, (ONE,) * n]), strict=True
    ):
        certificate = value_claim(network, evaluation)
        yield name, Verdict(True, "evaluated exactly", evaluation.output, certificate)


def ranks(network: Network) -> Iterator[tuple[str, Verdict]]:
    """The rank of every weight matrix."""
    for l, layer in enumerate(network.layers, 1):
        proof = rank_proof(layer.weights)
        certificate = rank_claim(layer.weights, proof)
        yield f"rank-W{l}", Verdict(True, f"rank {proof.rank}", proof.rank, certificate)


def nonnegative_ranks(network: Network) -> Iterator[tuple[str, Verdict]]:
    """The nonnegative column rank of every weight matrix."""
    for l, layer in enumerate(network.layers, 1):
        found = nonnegative_column_rank(layer.weights)
        reason = f"nonnegative column rank {found.value}"
        yield f"nnrank-W{l}", Verdict(True, reason, found.value, found.certificate)


def singular_values(network: Network) -> Iterator[tuple[str, Verdict]]:
    """Bounds of the least singular value of every weight matrix."""
    for l, layer in enumerate(network.layers, 1):
        bounds = sigma_min_bounds(layer.weights)
        if bounds.lower_certificate is not None:
            reason = f"σ_min ≥ {bounds.lower}"
            verdict = Verdict(True, reason, bounds.lower, bounds.lower_certificate)
            yield f"sigma-lower-W{l}", verdict
        reason = f"σ_min ≤ {bounds.upper}"
        yield f"sigma-upper-W{l}", Verdict(True, reason, bounds.upper, bounds.upper_certificate)


def activation_regions(network: Network) -> Iterator[tuple[str, Verdict]]:
    """The number of activation regions on all of space, for networks of moderate size."""
    if network.n_hidden_neurons > MAX_HIDDEN_NEURONS:
        return
    found = regions(network, max_regions=MAX_REGIONS)
    if found.is_complete:
        reason = f"{found.n_regions} activation regions"
        yield "regions", Verdict(True, reason, found.n_regions, found.certificate)
    else:
        yield "regions", Verdict(None, f"more than {MAX_REGIONS} activation regions")


def faces(network: Network) -> Iterator[tuple[str, Verdict]]:
    """The canonical complex on all of space, and what rests on all of its faces."""
    if network.n_hidden_neurons > MAX_HIDDEN_NEURONS:
        return
    found = polyhedral_complex(network, max_faces=MAX_FACES)
    if not found.is_complete:
        return
    f_vector = ", ".join(map(str, found.f_vector))
    yield "complex", Verdict(True, f"f-vector ({f_vector})", found.f_vector, found.certificate)
    yield "supertransversal", supertransversal_verdict(found)
    yield "honest", honest_verdict(found)
    yield "cancellation-free", cancellation_free_verdict(found)
    yield "no-zero-optimum", zero_optimum_verdict(found)


def fold_set(network: Network) -> Iterator[tuple[str, Verdict]]:
    """The fold-set on all of space, for networks of moderate size."""
    if network.n_hidden_neurons > MAX_HIDDEN_NEURONS:
        return
    found = folds(network, max_faces=MAX_FACES)
    if found.is_complete:
        reason = f"{len(found.facets)} facets in {len(found.hyperplanes)} hyperplanes"
        yield "folds", Verdict(True, reason, found, found.certificate)


def genericity(network: Network) -> Iterator[tuple[str, Verdict]]:
    """Masked ranks and proportional affine functions, where there are not too many."""
    if sum(stage.n_masks for stage in stages(network.widths)) <= MAX_MASKS:
        yield "masked-rank", is_generic(network, "masked-rank")
    if n_units(network.widths) <= MAX_MASKS:
        yield "non-proportional", is_generic(network, "non-proportional")


def transparency(network: Network) -> Iterator[tuple[str, Verdict]]:
    """Whether every layer has an active unit everywhere, for networks of moderate size."""
    if network.n_hidden_neurons <= MAX_HIDDEN_NEURONS:
        yield "transparent", is_transparent(network, max_regions=MAX_REGIONS)


def symmetries(network: Network) -> Iterator[tuple[str, Verdict]]:
    """The canonical network, isomorphic to this one."""
    if network.n_parameters > MAX_PARAMETERS:
        return
    try:
        found = canonical(network)
    except SearchLimit as limit:
        yield "canonical", Verdict(None, str(limit))
    else:
        reason = "isomorphic to its canonical form"
        yield "canonical", Verdict(True, reason, found.symmetry, found.certificate)


def fibers(network: Network) -> Iterator[tuple[str, Verdict]]:
    """The components of the fiber on R^n, and for one hidden layer on the orthant too."""
    if len(network.layers) not in (2, 3) or network.n_hidden_neurons > MAX_FIBER_NEURONS:
        return
    if len(network.layers) == 3:
        deep = fiber(network)
        if deep.certificate is not None:
            # Why a theorem does not apply is no part of this certificate.
            part = f"components with members: {len(deep.nonempty)}, perhaps not all"
            reason = deep.reason if deep.is_complete else part
            yield "fiber", Verdict(True, reason, deep, deep.certificate)
        return
    orthant = LinearSystem.orthant(network.n_inputs)
    for name, domain in (("fiber", None), ("fiber-on-orthant", orthant)):
        found = fiber(network, domain)
        if found.certificate is not None:
            reason = f"{len(found.nonempty)} of {len(found.components)} orientations have members"
            yield name, Verdict(True, reason, found, found.certificate)
        if found.minimality.answer is not None:
            yield name.replace("fiber", "minimal"), found.minimality


def smaller_network(network: Network) -> Iterator[tuple[str, Verdict]]:
    """A smaller network with the same function, where there is one."""
    found = simplify(network)
    if found.steps:
        widths = "-".join(map(str, found.network.widths))
        reason = f"the same function with widths {widths}"
        yield "simplify", Verdict(True, reason, found.network, found.certificate)


def identifiability(network: Network) -> Iterator[tuple[str, Verdict]]:
    """Whether the function determines the network; if undecided, the functional dimension."""
    small = sum(stage.n_masks for stage in stages(network.widths)) <= MAX_MASKS
    if not small or network.n_hidden_neurons > MAX_HIDDEN_NEURONS:
        return
    verdict = identifiable(network, max_masks=MAX_MASKS, max_regions=MAX_REGIONS)
    if verdict.answer is not None:
        yield "identifiable", verdict
    elif verdict.certificate is not None:
        value = verdict.witness.dimension.value
        reason = f"functional dimension at least {value}"
        yield "functional-dimension", Verdict(True, reason, value, verdict.certificate)


def injectivity(network: Network) -> Iterator[tuple[str, Verdict]]:
    """Whether each layer is injective: the first on all of space, the others on the orthant.

    And whether the whole network is, where there are not too many pairs of regions.
    """
    for l, layer in enumerate(network.layers, 1):
        if max(layer.weights.shape) <= MAX_HIDDEN_NEURONS:
            domain = None if l == 1 else LinearSystem.orthant(layer.n_inputs)
            verdict = is_injective(network, l, domain, max_regions=MAX_REGIONS)
            yield f"injective-layer-{l}", verdict
    if network.n_hidden_neurons <= MAX_HIDDEN_NEURONS:
        yield "injective", is_injective(network, max_regions=MAX_PAIRED_REGIONS)


CATALOGUE: tuple[Question, ...] = (
    values,
    ranks,
    nonnegative_ranks,
    singular_values,
    activation_regions,
    faces,
    fold_set,
    genericity,
    transparency,
    symmetries,
    smaller_network,
    fibers,
    identifiability,
    injectivity,
)
