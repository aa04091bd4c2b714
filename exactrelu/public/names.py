"""The one table of public names: groups, submodules, old spellings, commands.

It ties the commands of the shell to the functions of Python, and feeds ``dir(er)``, ``help(er)``,
the hints for names that are not there, the pages of the documentation and ``er.supports()``.  It
is plain data and imports nothing of the package before somebody asks for a name, so that ``import
exactrelu`` and the command line start without what they do not need.

``GROUPS``      group -> (name, one line), what ``dir(er)`` shows
``MODULES``     submodule -> (name, one line)
``OLD``         names that go on working, by the place where they live now
``COMMANDS``    command -> function
``BOUNDS``      function or method -> the things of which it may find no more than so many
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from operator import attrgetter
from typing import Any

Lines = tuple[tuple[str, str], ...]

GROUPS: Mapping[str, Lines] = {
    "types": (
        ("Network", "a ReLU network with rational weights"),
        ("Layer", "one of its affine maps"),
        ("Matrix", "an exact matrix"),
        ("Rational", "an exact number, which behaves like a Fraction"),
        ("Domain", "where a question is asked"),
        ("Result", "the base of all answers"),
        ("Verdict", "yes, no or undecided, with a reason and a certificate"),
        ("Certificate", "a claim and its proof: .check() asks the independent checker"),
        ("ExactReluError", "the base of all errors"),
        ("InputError", "bad input"),
    ),
    "files": (
        ("load", "a network from a file"),
        ("save", "a network into a file"),
        ("from_arrays", "a network from weights and biases"),
        ("from_torch", "a network from a PyTorch module or state dict"),
        ("from_onnx", "a network from an ONNX file or model"),
        ("load_domain", "a domain from a file, or from text"),
        ("load_points", "points from a file"),
        ("box", "a box as a domain"),
        ("orthant", "all points with no negative coordinate"),
        ("show", "a number or a point for people: 1/3 ≈ 0.3333"),
    ),
    "points": (
        ("evaluate", "the value at a point"),
        ("trace", "all preactivations at a point"),
        ("local", "regions, affine maps and distances around points"),
        ("local_affine_map", "the affine map of an activation pattern"),
    ),
    "geometry": (
        ("regions", "the activation regions, and the linear regions"),
        ("iter_regions", "the activation regions one by one, none of them kept"),
        ("roles", "which neurons are dead, linear or nonlinear on a domain"),
        ("polyhedral_complex", "all faces of the canonical complex"),
        ("folds", "where the function bends"),
        ("is_generic", "generic, in a sense of the papers?"),
        ("is_transparent", "is some neuron of each layer active everywhere?"),
        ("is_honest", "does the breakpoint complex bend wherever several layers meet?"),
        ("is_cancellation_free", "does the function bend at every facet?"),
    ),
    "compare": (
        ("is_equivalent", "the same function?"),
        ("is_isomorphic", "the same up to permutation and scaling?"),
        ("largest_difference", "how far apart at most?"),
        ("canonical", "the canonical representative up to permutation and scaling"),
        ("simplify", "the same function with fewer neurons"),
        ("shallow_form", "the canonical form of one hidden layer"),
    ),
    "properties": (
        ("verify", "does no input satisfy a query in VNN-LIB?"),
        ("holds", "do constraints hold at every point of a domain?"),
        ("robust_radius", "how far from a point does the same output win?"),
        ("judge", "is the counterexample of another verifier one?"),
        ("real_query", "a query in VNN-LIB, asked about real numbers"),
    ),
    "parameters": (
        ("fiber", "all parameters with this function"),
        ("is_identifiable", "does the function determine the parameters?"),
        ("functional_dimension", "how many directions of parameters change the function"),
        ("recover", "the network behind a black box"),
        ("make_generic", "a generic network nearby"),
        ("is_in_theorem_class", "do the hypotheses of the theorem on folds hold?"),
    ),
    "maps": (
        ("is_injective", "is a network, or a layer, one-to-one?"),
        ("invert", "is a value taken, and where?"),
        ("stability", "bounds of the inverse Lipschitz constant of a layer"),
    ),
    "papers": (
        ("statements", "published statements, by id"),
        ("refute", "a counterexample to one of them"),
        ("conjecture", "a counterexample to your own"),
    ),
    "view": (
        ("plot", "a picture"),
        ("report", "a page with all answers"),
    ),
    "trust": (
        ("check", "what the independent checker says of a certificate"),
        ("certify", "every question about a network, a certificate for each"),
        ("pin", "the manifest of a CI job, from certificates"),
        ("strictly", "a question in a process of its own, whose bounds are kept"),
        ("in_shards", "a large question piece by piece, each with a certificate"),
        ("supports", "this table: which command is which function"),
    ),
    "modules": (
        ("matrices", "numbers, ranks, factors, singular values"),
        ("polyhedra", "linear programs, polyhedra, arrangements"),
        ("layers", "layers that are one-to-one, neurons and what they do"),
        ("samples", "many points: dual points, clusters, maps between networks"),
        ("identifiability", "symmetries, volumes, what is conserved, networks by construction"),
        ("lemmas", "the statements of the papers under test"),
    ),
}

MODULES: Mapping[str, Lines] = {
    "matrices": (
        ("Matrix", "an exact matrix"),
        ("load_matrix", "a matrix from a file"),
        ("rational", "any number, exactly"),
        ("vector", "many numbers, exactly"),
        ("fraction", "a rational as the standard library has it"),
        ("rank", "the rank"),
        ("rank_proof", "the rank with its proof"),
        ("nonnegative_column_rank", "the nonnegative column rank with its factors"),
        ("sigma_min_bounds", "bounds of the smallest singular value"),
        ("spark", "the smallest number of dependent rows"),
        ("is_pointed", "does a cone contain no line?"),
    ),
    "polyhedra": (
        ("LinearSystem", "rows in some variables"),
        ("Row", "a row: a·x + b ≥ 0, > 0 or = 0"),
        ("Sense", "which of the three"),
        ("Polyhedron", "the solutions: vertices, rays, faces"),
        ("Arrangement", "hyperplanes and their cells"),
        ("BoxUnion", "a union of boxes"),
        ("load_polyhedron", "a polyhedron from a file"),
        ("load_union", "a union of boxes from a file"),
        ("parse_domain", "the rows of a domain that is given as text"),
        ("feasible", "a solution, or a proof that there is none"),
        ("maximize", "the largest value of a linear function"),
        ("is_bounded", "are the solutions bounded?"),
        ("is_nonempty", "is there a solution?"),
    ),
    "layers": (
        ("layer_injective", "is the layer of a matrix and a bias one-to-one?"),
        ("shortcuts", "what named results say of a layer"),
        ("is_directed_spanning_set", "do the active rows span?"),
        ("completion", "the fewest rows that make a layer one-to-one"),
        ("minimal_layer", "the smallest layers that are"),
        ("network_stability", "the inverse Lipschitz constant of a network"),
        ("Convolution", "a convolutional layer"),
        ("load_convolution", "a convolutional layer from a file"),
        ("convolution_injective", "is a convolutional layer one-to-one?"),
        ("exact_roles", "which neurons are dead, linear or nonlinear on a domain, as a table"),
        ("neuron_roles", "the same on all of space, as far as it is easily seen"),
        ("neuron_groups", "neurons with one hyperplane"),
        ("pattern_polyhedron", "the polyhedron of an activation pattern"),
        ("ShallowForm", "the canonical form of one hidden layer"),
        ("shallow_equal", "the same function, of one hidden layer?"),
    ),
    "samples": (
        ("evaluate_batch", "the values at many points"),
        ("trace_batch", "all preactivations at many points"),
        ("cluster_centres", "centres of dual points"),
        ("clustered_classes", "classes by such centres"),
        ("network_classes", "classes that the network gives"),
        ("maps_between", "maps between the dual points of two networks"),
        ("mapped_classes", "classes after such a map"),
        ("n_correct", "how many classes are right"),
    ),
    "identifiability": (
        ("Symmetry", "permutations and positive scalings of hidden neurons"),
        ("volume", "the fraction of parameters that are identifiable"),
        ("share", "the share of random networks that are, with a confidence interval"),
        ("is_supertransversal", "do bent hyperplanes meet in general position?"),
        ("has_no_zero_optimum", "is no local optimum of a neuron 0?"),
        ("identify", "the symmetry between two networks of the theorem on folds"),
        ("build_identifiable", "a network that is identifiable, with the proof"),
        ("non_localizable", "identifiable parts of a whole that is not"),
        ("hiding", "a neuron that all neurons of the next layer hide"),
        ("conserved_identity", "what gradient flow conserves, as an identity"),
        ("is_conserved", "is it conserved on these data?"),
        ("certain_breakpoints", "breakpoints that rounding cannot explain away"),
        ("certain_neurons", "how many neurons a rounded black box has at least"),
    ),
    "lemmas": (
        ("statements", "published statements, by id"),
        ("refute", "a counterexample to one of them"),
        ("conjecture", "a counterexample to your own"),
        ("Statement", "hypotheses, a conclusion, and where to search"),
        ("Counterexample", "an instance, and the facts that refute a statement by it"),
    ),
}

_FIRST = {name for lines in GROUPS.values() for name, _ in lines}
_NEW = {"volume", "shortcuts", "Statement", "Counterexample"}
#: Names of earlier versions that go on working.  What is not written here as another name lives
#: under its own in one of the submodules, or in ``exactrelu.effort``.
OLD: Mapping[str, str] = {
    "equivalent": "is_equivalent",
    "identifiable": "is_identifiable",
    "isomorphic": "is_isomorphic",
    "refute_conjecture": "conjecture",
    "identifiable_volume": "identifiability.volume",
    "injectivity_shortcuts": "layers.shortcuts",
    "Effort": "effort.Effort",
    "Stopped": "effort.Stopped",
    **{
        name: f"{module}.{name}"
        for module, lines in MODULES.items()
        for name, _ in lines
        if name not in (*_FIRST, *_NEW)
    },
}

#: The function, or the class, of each command.
COMMANDS: Mapping[str, str] = {
    "arrangement": "polyhedra.Arrangement",
    "build": "identifiability.build_identifiable",
    "canonical": "canonical",
    "cancellation-free": "is_cancellation_free",
    "certify": "certify",
    "check": "check",
    "complex": "polyhedral_complex",
    "cone": "matrices.is_pointed",
    "conjecture": "conjecture",
    "convert": "save",
    "convolution": "layers.convolution_injective",
    "difference": "largest_difference",
    "equivalent": "is_equivalent",
    "eval": "evaluate",
    "fiber": "fiber",
    "folds": "folds",
    "generic": "is_generic",
    "holds": "holds",
    "honest": "is_honest",
    "identifiable": "is_identifiable",
    "info": "Network",
    "injective": "is_injective",
    "injective-table": "layers.shortcuts",
    "invert": "invert",
    "isomorphic": "is_isomorphic",
    "judge": "judge",
    "lemmas": "statements",
    "local": "local",
    "nnrank": "matrices.nonnegative_column_rank",
    "pin": "pin",
    "plot": "plot",
    "polyhedron": "polyhedra.Polyhedron",
    "rank": "matrices.rank_proof",
    "real-query": "real_query",
    "recover": "recover",
    "refute": "refute",
    "regions": "regions",
    "report": "report",
    "robust": "robust_radius",
    "roles": "roles",
    "shallow": "shallow_form",
    "sigma": "matrices.sigma_min_bounds",
    "simplify": "simplify",
    "spark": "matrices.spark",
    "stability": "stability",
    "supports": "verify",
    "theorem-class": "is_in_theorem_class",
    "transparent": "is_transparent",
    "verify": "verify",
}

#: What each function counts: ``max_regions`` of Python, ``--max-regions`` of the shell.  Others are
#: refused, as nothing would come of them.  Each has ``timeout`` and ``max_memory`` beside.
BOUNDS: Mapping[str, str] = {
    "regions": "regions",
    "iter_regions": "regions",
    "roles": "regions",
    "exact_roles": "regions",
    "polyhedral_complex": "faces regions",
    "folds": "faces regions",
    "is_generic": "masks faces regions",
    "is_transparent": "regions",
    "is_honest": "faces regions",
    "is_cancellation_free": "faces regions",
    "is_supertransversal": "faces regions",
    "has_no_zero_optimum": "faces regions",
    "is_equivalent": "regions",
    "largest_difference": "regions",
    "is_isomorphic": "refinements",
    "canonical": "refinements",
    "fiber": "components",
    "ShallowFiber.parts": "components",
    "ThreeLayerFiber.parts": "components",
    "is_identifiable": "masks faces regions",
    "functional_dimension": "regions",
    "is_in_theorem_class": "masks faces regions",
    "recover": "queries",
    "certain_breakpoints": "queries",
    "certain_neurons": "queries",
    "is_injective": "regions covers",
    "layer_injective": "regions covers",
    "convolution_injective": "regions covers",
    "completion": "regions covers",
    "invert": "regions",
    "stability": "regions covers cells",
    "network_stability": "regions covers cells",
    "spark": "sets",
    "plot": "regions",
}


def bounds_of(name: str) -> tuple[str, ...]:
    """What a function counts, by the last part of its name."""
    return tuple(BOUNDS.get(name, "").split())


def public() -> Iterator[str]:
    """The names that ``dir(er)`` shows, group by group."""
    return (name for lines in GROUPS.values() for name, _ in lines)


def paths() -> Iterator[tuple[str, str]]:
    """Every public name as it is written after ``er.``, and its line; each name once."""
    yield from (
        (name, line)
        for group, lines in GROUPS.items()
        if group != "modules"
        for name, line in lines
    )
    for module, lines in MODULES.items():
        yield from ((f"{module}.{name}", line) for name, line in lines if name not in _FIRST)


def questions() -> dict[str, Any]:
    """What each public question declares (:class:`~exactrelu.questions.question.Question`)."""
    api = import_module("exactrelu")
    found = ((path, getattr(attrgetter(path)(api), "question", None)) for path, _ in paths())
    return {path: declared for path, declared in found if declared is not None}


def help_text() -> str:
    """The groups, a line for each name, as ``help(er)`` prints them."""
    width = max(map(len, public())) + 2
    parts = []
    for group, lines in GROUPS.items():
        listed = "\n".join(f"    {name:<{width}}{line}" for name, line in lines)
        parts.append(f"{group.capitalize()}\n{listed}\n")
    return "\n".join(parts)


def hint(name: str, known: Iterator[str] | None = None) -> str:
    """What may be meant by a name that is not there, by the commands and by its spelling.

    >>> hint("difference"), hint("regionz"), hint("__path__")
    (": did you mean 'er.largest_difference'?", ": did you mean 'er.regions'?", '')
    """
    if name.startswith("_"):
        return ""
    meant = COMMANDS.get(name.lower().replace("_", "-"))
    if meant is None:
        commands = {command.replace("-", "_"): called for command, called in COMMANDS.items()}
        places = {**commands, **OLD, **{other: other for other in known or public()}}
        spellings = {place.lower(): called for place, called in places.items()}
        close = get_close_matches(name.lower(), spellings, n=1, cutoff=0.7)
        if not close:
            return ""
        meant = spellings[close[0]]
    return f": did you mean 'er.{meant}'?"


# --- Doors: where names are found

#: Of the submodules' names, those that are found elsewhere than in ``exactrelu.api``.
PLACES = {
    "Counterexample": "exactrelu.lemmas.examine",
    "Statement": "exactrelu.lemmas.statement",
}


def found(module: str, name: str) -> Any:
    """A public name of a room, the same object that ``er`` has."""
    if name not in listed(module):
        raise AttributeError(f"module 'exactrelu.{module}' has no attribute '{name}'")
    return getattr(import_module(PLACES.get(name, "exactrelu.api")), name)


def listed(module: str) -> list[str]:
    """The public names of a submodule."""
    return [name for name, _ in MODULES[module]]


def found_first(name: str) -> Any:
    """A name of ``exactrelu`` itself: public, a submodule, or of an earlier version."""
    if name in MODULES:
        return import_module(f"exactrelu.{name}")
    if name in OLD or name in public():
        return getattr(import_module("exactrelu.api"), name)
    raise AttributeError(f"module 'exactrelu' has no attribute '{name}'{hint(name)}")
