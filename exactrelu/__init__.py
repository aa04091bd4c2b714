"""exactrelu: exact answers about ReLU networks, each with a certificate.

>>> import exactrelu as er
>>> xor = er.Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]], name="xor")
>>> xor([1, "-1"])
(1,)

A question is ``question(subject, domain, options by name)``; a domain is text such as
"box:-1,1", pairs of ends, or an object, and all of space by default.

Values
    Network                   a ReLU network with rational weights
    Layer                     one of its affine maps
    Matrix                    an exact matrix
    Domain                    where a question is asked
    Verdict                   yes, no or undecided, with a reason and a certificate
    Certificate               a claim and its proof: .check() asks the independent checker
    Symmetry                  permutations and positive scalings of hidden neurons
    ShallowForm               the canonical form of one hidden layer
    Convolution               a convolutional layer
    ExactReluError            the base of all errors
    InputError                bad input
    Stopped                   a bound was reached

Files and numbers
    load                      a network from a file
    save                      a network into a file
    from_torch                a network from a PyTorch module or state dict
    load_matrix               a matrix from a file
    load_points               points from a file
    load_polyhedron           a polyhedron from a file
    load_union                a union of boxes from a file
    load_convolution          a convolutional layer from a file
    parse_domain              the rows of a domain that is given as text
    rational                  any number, exactly
    vector                    many numbers, exactly
    fraction                  a rational as the standard library has it

Points
    evaluate                  the value at a point
    evaluate_batch            the values at many points
    trace                     all preactivations at a point
    trace_batch               all preactivations at many points
    local                     regions, affine maps and distances around points
    local_affine_map          the affine map of an activation pattern
    pattern_polyhedron        the polyhedron of an activation pattern

Geometry
    regions                   the activation regions, and the linear regions
    polyhedral_complex        all faces of the canonical complex
    folds                     where the function bends
    is_generic                generic, in a sense of the papers?
    make_generic              a generic network nearby
    is_supertransversal       do bent hyperplanes meet in general position?
    is_transparent            is some neuron of each layer active everywhere?
    is_honest                 does the breakpoint complex bend wherever several layers meet?
    is_cancellation_free      does the function bend at every facet?
    has_no_zero_optimum       is no local optimum of a neuron 0?
    exact_roles               which neurons are dead, linear or nonlinear on a domain
    neuron_roles              the same as far as it is easily seen
    neuron_groups             neurons with one hyperplane

Two networks
    is_equivalent             the same function?
    is_isomorphic             the same up to permutation and scaling?
    largest_difference        how far apart at most?
    shallow_equal             the same function, of one hidden layer?
    canonical                 the canonical representative up to permutation and scaling
    simplify                  the same function with fewer neurons
    shallow_form              the canonical form of one hidden layer

Parameters
    fiber                     all parameters with this function
    is_identifiable           does the function determine the parameters?
    identifiable_volume       the fraction of parameters that are identifiable
    functional_dimension      how many directions of parameters change the function
    recover                   the network behind a black box
    certain_breakpoints       breakpoints that rounding cannot explain away
    certain_neurons           how many neurons a rounded black box has at least
    is_in_theorem_class       do the hypotheses of the theorem on folds hold?
    identify                  the symmetry between two networks of that class
    build_identifiable        a network of that class
    non_localizable           identifiable parts of a whole that is not
    hiding                    a neuron that all neurons of the next layer hide
    conserved_identity        what gradient flow conserves, as an identity
    is_conserved              is it conserved on these data?

One-to-one
    is_injective              is a network, or a layer, one-to-one?
    layer_injective           is the layer of a matrix and a bias?
    convolution_injective     is a convolutional layer?
    injectivity_shortcuts     what named results say of a layer
    is_directed_spanning_set  do the active rows span?
    completion                the fewest rows that make a layer one-to-one
    minimal_layer             the smallest layers that are
    invert                    is a value taken, and where?
    stability                 bounds of the inverse Lipschitz constant of a layer
    network_stability         the same for a network

Clusters
    cluster_centres           centres of dual points
    clustered_classes         classes by such centres
    network_classes           classes that the network gives
    maps_between              maps between the dual points of two networks
    mapped_classes            classes after such a map
    n_correct                 how many classes are right

Matrices and polyhedra
    rank                      the rank
    rank_proof                the rank with its proof
    nonnegative_column_rank   the nonnegative column rank with its factors
    sigma_min_bounds          bounds of the smallest singular value
    spark                     the smallest number of dependent rows
    LinearSystem              rows in some variables
    Row                       a row: a·x + b ≥ 0, > 0 or = 0
    Sense                     which of the three
    Polyhedron                the solutions: vertices, rays, faces
    BoxUnion                  a union of boxes
    Arrangement               hyperplanes and their cells
    feasible                  a solution, or a proof that there is none
    maximize                  the largest value of a linear function
    is_nonempty               is there a solution?
    is_bounded                are the solutions bounded?
    is_pointed                does a cone contain no line?

Papers
    statements                published statements, by id
    refute                    a counterexample to one of them
    refute_conjecture         a counterexample to your own

View and effort
    plot                      a picture
    report                    a page with all answers
    pin                       the manifest of a CI job, from certificates
    Effort                    bounds of the work
    strictly                  a question in a process of its own, whose bounds are kept

The names are those of :mod:`exactrelu.api`, imported when first used, so that the command line
starts without them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactrelu.api import *  # noqa: F403

__version__ = "0.1.0"


if not TYPE_CHECKING:
    # Hidden from type checkers, for which any name would do otherwise.
    def __getattr__(name: str) -> Any:
        # `from exactrelu import api` would come back here to look for the submodule.
        api = import_module("exactrelu.api")
        if name in api.__all__:
            return getattr(api, name)
        raise AttributeError(f"module 'exactrelu' has no attribute '{name}'{api.hint(name)}")


def __dir__() -> list[str]:
    api = import_module("exactrelu.api")
    return ["__version__", *(name for name in api.__all__ if name not in api.SPELLINGS)]
