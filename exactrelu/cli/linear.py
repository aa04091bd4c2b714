"""Commands about matrices, polyhedra and hyperplanes: linear algebra, no network."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from exactrelu.cli.command import BOUND, CERTIFICATE, MATRIX, Ask, argument, command, switch
from exactrelu.cli.outcome import Outcome
from exactrelu.errors import InputError

if TYPE_CHECKING:
    from exactrelu.certificates.certificate import CertifiedBounds
    from exactrelu.questions.regions import Regions

_TRIANGLE = "cases/three-layers/S002-P10-nonneg-column-rank/triangle.matrix.json"


@command(MATRIX, CERTIFICATE, results="questions.rank.ProvedRank", example=_TRIANGLE)
def rank(ask: Ask) -> Outcome:
    """Rank of a rational matrix, with a basis of its kernel."""
    from exactrelu.exact.linear import rank_proof
    from exactrelu.questions.linear import require_elimination
    from exactrelu.questions.rank import ProvedRank

    A = ask.matrix
    r = min(A.shape)
    require_elimination(A, r * (A.n_columns - r), ask.effort)
    return ask.told(ProvedRank(A, rank_proof(A, effort=ask.effort)))


@command(
    MATRIX,
    CERTIFICATE,
    asks="questions.linear.nonnegative_column_rank",
    example=_TRIANGLE,
)
def nnrank(ask: Ask) -> Outcome:
    """Rank and nonnegative column rank of a matrix, with the factors."""
    return ask.asked(ask.matrix)


@command(
    MATRIX,
    CERTIFICATE,
    BOUND,
    asks="questions.singular_values.sigma_min_bounds",
    example="cases/three-layers/S002-P10-nonneg-column-rank/full_col.matrix.json",
)
def sigma(ask: Ask) -> Outcome:
    """Certified rational bounds of the least singular value of a matrix."""
    bounds = ask.args.command.question(ask.matrix, effort=ask.effort)
    if ask.wants_certificate and ask.args.bound == "lower" and not bounds.lower_certificate:
        raise InputError("σ_min ≥ 0 needs no certificate: ask for --bound upper")
    return one_bound(ask, bounds)


def one_bound(ask: Ask, found: CertifiedBounds) -> Outcome:
    """Bounds, of which the certificate that is written proves one; the other may have one too."""
    told = ask.told(found)
    if not ask.wants_certificate:
        return told
    asked = ask.args.bound
    certificates = {"lower": found.lower_certificate, "upper": found.upper_certificate}
    other = {"lower": "upper", "upper": "lower"}[asked]
    left = () if certificates[other] is None else (f"the {other} bound (--bound {other})",)
    # Points show the upper bound.
    names = ("lower",) if asked == "lower" else ("upper", "points")
    return replace(
        told,
        certificate=certificates[asked],
        certified=tuple(name for name in told.certified if name in names),
        computed=(*left, *told.computed),
    )


@command(
    MATRIX,
    CERTIFICATE,
    asks="questions.injectivity.named_results.spark",
    example=_TRIANGLE,
)
def spark(ask: Ask) -> Outcome:
    """The size of the smallest dependent set of rows of a matrix."""
    return ask.asked(ask.matrix)


@command(MATRIX, CERTIFICATE, asks="questions.linear.is_pointed", example=_TRIANGLE)
def cone(ask: Ask) -> Outcome:
    """Does the cone of the rows of a matrix contain no line?"""
    generators = ask.matrix
    return ask.asked(generators.rows(), dimension=generators.n_columns, called="pointed")


@command(
    argument("file", metavar="FILE", help="exactrelu-polyhedron/1 JSON file"),
    switch("--bounded", "ask whether it is bounded"),
    switch("--describe", "dimension, vertices, rays, lines, faces"),
    argument(
        "--maximize", metavar="C1,C2,…", help="the greatest value of c·x, with its multipliers"
    ),
    CERTIFICATE,
    asks="questions.solutions.solutions",
    example="cases/polyhedra/unit-square/polyhedron.json --bounded",
)
def polyhedron(ask: Ask) -> Outcome:
    """Is a polyhedron nonempty? with --bounded: is it bounded?"""
    from exactrelu.exact.scalar import parse_vector
    from exactrelu.polyhedra.domain_text import load_polyhedron

    args = ask.args
    system = load_polyhedron(args.file, effort=ask.for_reading)
    objective = None if args.maximize is None else parse_vector(args.maximize, "--maximize")
    if objective is not None and len(objective) != system.dimension:
        raise InputError(f"--maximize {args.maximize}: expected {system.dimension} coefficients")
    return ask.asked(
        system,
        bounded=args.bounded,
        describe=args.describe,
        objective=objective,
        called="bounded" if args.bounded else "nonempty",
    )


@command(
    MATRIX,
    CERTIFICATE,
    results="questions.arrangement.ArrangementCells",
    example=_TRIANGLE,
)
def arrangement(ask: Ask) -> Outcome:
    """Cells, characteristic polynomial and general position of hyperplanes (rows a…, b).

    The cells of m hyperplanes are the activation regions of a layer of m neurons, so the
    certificate of their number is that of the regions of such a network.
    """
    from exactrelu.files import errors_in
    from exactrelu.network.network import Layer, Network
    from exactrelu.polyhedra.arrangement import Arrangement
    from exactrelu.questions.arrangement import ArrangementCells
    from exactrelu.questions.regions import regions

    rows = ask.matrix.rows()
    with errors_in(ask.args.matrix):
        if not rows or len(rows[0]) < 2:
            raise InputError("expected rows of a normal and an offset")
        dimension = len(rows[0]) - 1
        arrangement = Arrangement.of(dimension, [(row[:-1], row[-1]) for row in rows])
    layer = Layer.of([row[:-1] for row in rows], [row[-1] for row in rows])
    network = Network((layer, Layer.of([[0] * len(rows)], [0])))

    def told(cells: Regions) -> Outcome:
        return ask.told(ArrangementCells(arrangement, cells, ask.effort))

    shown = ask.showing(told)
    return shown(regions(network, certify=ask.wants_certificate, effort=ask.effort))
