"""Commands about matrices, polyhedra and hyperplanes: linear algebra, no network."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import BOUND, CERTIFICATE, MATRIX, Ask, argument, command, limits, switch
from exactrelu.cli.outcome import UNDECIDED, Names, Outcome, answered
from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError

if TYPE_CHECKING:
    from exactrelu.certificates.certificate import CertifiedBounds
    from exactrelu.exact.system import LinearSystem
    from exactrelu.questions.regions import Regions
    from exactrelu.words import Words

_TRIANGLE = "cases/three-layers/S002-P10-nonneg-column-rank/triangle.matrix.json"


@command(MATRIX, CERTIFICATE, result="questions.rank.ProvedRank", example=_TRIANGLE)
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
    result="questions.linear.NonnegativeColumnRank",
    example=_TRIANGLE,
)
def nnrank(ask: Ask) -> Outcome:
    """Rank and nonnegative column rank of a matrix, with the factors."""
    from exactrelu.questions.linear import nonnegative_column_rank

    return ask.asked(nonnegative_column_rank, ask.matrix)


@command(
    MATRIX,
    CERTIFICATE,
    BOUND,
    result="questions.singular_values.SigmaMinBounds",
    example="cases/three-layers/S002-P10-nonneg-column-rank/full_col.matrix.json",
)
def sigma(ask: Ask) -> Outcome:
    """Certified rational bounds of the least singular value of a matrix."""
    from exactrelu.questions.singular_values import sigma_min_bounds

    bounds = sigma_min_bounds(ask.matrix, effort=ask.effort)
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
    limits("sets"),
    result="questions.injectivity.named_results.Spark",
    example=_TRIANGLE,
)
def spark(ask: Ask) -> Outcome:
    """The size of the smallest dependent set of rows of a matrix."""
    from exactrelu.questions.injectivity.named_results import spark

    return ask.asked(spark, ask.matrix)


@command(MATRIX, CERTIFICATE, result="questions.linear.Pointedness", example=_TRIANGLE)
def cone(ask: Ask) -> Outcome:
    """Does the cone of the rows of a matrix contain no line?"""
    from exactrelu.questions.linear import is_pointed

    generators = ask.matrix
    verdict = is_pointed(generators.rows(), dimension=generators.n_columns, effort=ask.effort)
    return ask.told(verdict, "pointed")


@command(
    argument("file", metavar="FILE", help="exactrelu-polyhedron/1 JSON file"),
    switch("--bounded", "ask whether it is bounded"),
    switch("--describe", "dimension, vertices, rays, lines, faces"),
    argument(
        "--maximize", metavar="C1,C2,…", help="the greatest value of c·x, with its multipliers"
    ),
    CERTIFICATE,
    fields="witness",
    example="cases/polyhedra/unit-square/polyhedron.json --bounded",
)
def polyhedron(ask: Ask) -> Outcome:
    """Is a polyhedron nonempty? with --bounded: is it bounded?"""
    from exactrelu.polyhedra.domain_text import load_polyhedron
    from exactrelu.questions.linear import is_bounded, is_nonempty

    args = ask.args
    system = load_polyhedron(args.file, effort=ask.for_reading)
    verdict = (is_bounded if args.bounded else is_nonempty)(system, effort=ask.effort)
    question = "bounded" if args.bounded else "nonempty"
    certified: Names = ("verdict",)
    computed: Names = ()
    lines = []
    if verdict.witness is not None:
        lines.append(f"  {'ray' if args.bounded else 'point'} {ask.words.point(verdict.witness)}")
        certified += ("witness",)
    fields: dict[str, Any] = {"witness": verdict.witness}

    def outcome(stop: Stopped | None) -> Outcome:
        """The answer, with all that was computed, or as far as it got."""
        # One that is undecided says already why it was stopped.
        is_said = stop is None or verdict.answer is None
        told = verdict if is_said else replace(verdict, reason=f"{verdict.reason}; {stop}")
        found = answered(told, question, lines, certified=certified, computed=computed, **fields)
        if stop is None:
            return found
        # The certificate proves the answer, but not all that was asked was answered.
        proved = tuple(name for name in found.certified if name != "verdict")
        return replace(found, verdict="undecided", exit_code=UNDECIDED, certified=proved)

    shown = ask.showing(outcome)
    try:
        with ask.effort.knowing(lambda stop: stop):
            for compute, words in (
                (_generators, "dimension, faces, vertices, rays and lines"),
                (_maximum, "the maximum"),
            ):
                more = compute(system, args, ask.effort)
                fields |= more
                computed += (words,) if more else ()
                for name, value in more.items():
                    lines.append(f"  {name.removeprefix('is_')} {_told(ask.words, value)}")
    except Stopped as stop:
        return shown(stop)
    return shown(None)


def _told(words: Words, value: Any) -> str:
    """A number, a point, or a list of points or of numbered multipliers."""
    from flint import fmpq

    if isinstance(value, tuple | list):
        if value and isinstance(value[0], tuple) and isinstance(value[0][0], int):
            return ", ".join(f"{words.said(v)} of row {i}" for i, v in value)
        if all(isinstance(entry, tuple) for entry in value):
            listed = words.of_list(x for point in value for x in point)
            return " ".join(map(listed.listed, value)) or "none"
        return words.point(value)
    return words.number(value) if isinstance(value, fmpq) else str(value)


def _generators(system: LinearSystem, args: Namespace, effort: Effort) -> dict[str, Any]:
    from exactrelu.polyhedra.polyhedron import Polyhedron

    if not args.describe:
        return {}
    polyhedron = Polyhedron(system, effort)
    return {
        "dimension": polyhedron.dimension,
        "f_vector": polyhedron.f_vector(),
        # With a line in it a polyhedron has no vertices.
        "vertices": [] if polyhedron.lineality else polyhedron.vertices,
        "rays": polyhedron.rays,
        "lines": polyhedron.lineality,
    }


def _maximum(system: LinearSystem, args: Namespace, effort: Effort) -> dict[str, Any]:
    from exactrelu.exact.scalar import parse_vector
    from exactrelu.polyhedra.answers import Infeasible, Optimum
    from exactrelu.polyhedra.lp import maximize

    given = args.maximize
    if given is None:
        return {}
    objective = parse_vector(given, "--maximize")
    if len(objective) != system.dimension:
        raise InputError(f"--maximize {given}: expected {system.dimension} coefficients")
    answer = maximize(objective, system, effort=effort)
    if isinstance(answer, Infeasible):
        return {"maximum": None}
    if isinstance(answer, Optimum):
        return {
            "maximum": answer.value,
            "is_attained": answer.is_attained,
            "at": answer.point,
            "multipliers": [(i + 1, value) for i, value in answer.multipliers],
        }
    return {"maximum": "unbounded", "at": answer.point, "ray": answer.ray}


@command(
    MATRIX,
    CERTIFICATE,
    result="questions.arrangement.ArrangementCells",
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
