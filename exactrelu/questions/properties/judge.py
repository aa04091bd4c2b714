"""Is another program's counterexample one?  In exact arithmetic, with the margin of everything.

A verifier that answers ``sat`` gives a point: inputs as decimals, mostly with the outputs that it
computed in floating point.  The inputs are taken as they are written, the networks are evaluated
exactly, and every constraint has its *margin*: by how much it holds, or fails.  The margin of a
conjunction is the least of its parts, that of a disjunction the largest, of the part that is
nearest to be true.  The point is a counterexample if the formula is true there: with a margin of 0
it depends on ≤ or <.

A yes is proved by the point (claim ``property``, or ``formula``, negated), a no by the exact values
of the networks at the point (claims ``value``), of which everybody can see which constraint fails.
To evaluate a formula takes as long as to read it: where its cases are too many to be written, a yes
is about the one case of constraints that hold at the point.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Unpack

from flint import fmpq

from exactrelu.answer import Names, Part, is_no
from exactrelu.certificates.certificate import Certificate, all_of
from exactrelu.certificates.evidence import value_claim
from exactrelu.certificates.verdict import Verdict
from exactrelu.digits import say
from exactrelu.display import Shown, clipped
from exactrelu.effort import Effort, Limits
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import Vector
from exactrelu.files import PathLike, errors_in, read_text
from exactrelu.network.evaluation import trace
from exactrelu.questions.properties.cases import TooManyCases
from exactrelu.questions.properties.cells import fails_at
from exactrelu.questions.properties.posed import (
    NetworksLike,
    Posed,
    folded_in,
    posed_at_points,
    property_of,
    with_case_at,
)
from exactrelu.questions.properties.query import Atom, Formula, Or, Query
from exactrelu.questions.properties.results import parse_result
from exactrelu.questions.properties.vacuity import vacuity
from exactrelu.questions.properties.versions import read_query
from exactrelu.questions.question import Call, question
from exactrelu.words import Words


@dataclass(frozen=True, repr=False)
class Weighed(Outward, Shown):
    """A constraint at the point: its line and text, whether it holds, and by how much.

    Attributes
    ----------
    line : int
        Where the query has it.
    text : str
        As it stands there.
    holds : bool
        Whether it is true at the point.
    margin : Rational
        By how much it holds, or, negative, fails; 0 at its edge.
    """

    line: int
    text: str
    holds: bool
    margin: fmpq

    def _headline(self) -> str:
        return f"line {self.line}: {clipped(self.text, 60)} {self.words}"

    @property
    def words(self) -> str:
        """Whether it holds, and by how much."""
        return f"{'holds' if self.holds else 'fails'} by {say(abs(self.margin))}"


def _weighed(found: Judged, words: Words) -> Iterator[str]:
    """The constraints that fail, or all of them; a single one stands in the reason."""
    shown = found.constraints if words.lists else found.failing
    words = words.of_list([abs(one.margin) for one in shown])
    for one in shown if len(shown) > 1 else ():
        verb = "holds" if one.holds else "fails"
        yield f"  line {one.line}: {one.text} {verb} by {words.said(abs(one.margin))}"


def _error(found: Judged, words: Words) -> Iterator[str]:
    if found.largest_error is not None:
        off = f"off by at most {words.number(found.largest_error)}, in {found.error_at}"
        yield f"  claimed outputs are {off if found.largest_error else 'exact'}"


def _notes(found: Judged, _: Words) -> Iterator[str]:
    yield from (f"  note: {flag}" for flag in found.flags)


@dataclass(frozen=True, eq=False, repr=False)
class Judged(Verdict):
    """Whether a point is a counterexample, the margins, and how far off claimed outputs are.

    Attributes
    ----------
    witness : tuple of rationals
        The inputs of all networks, one after the other.
    margin : Rational or None
        That of the whole formula.
    constraints : tuple of Weighed
        The constraints that count, of disjunctions those of the part that is nearest to be true.
    values : mapping
        The exact hidden nodes and outputs by their names in the query.
    largest_error : Rational or None
        The largest difference of a claimed output from the exact one; None if none is claimed.
    error_at : str or None
        Of which output.
    flags : tuple of str
        What is true of the query whatever the networks compute.
    query_sha256 : str or None
        The hash of the query; None if the time was over before.
    """

    PARTS = (
        Part(
            "margin",
            "by how much the whole formula holds, or, negative, fails",
            unproved="the margins",
        ),
        Part(
            "constraints",
            "each with its `line`, `text`, whether it `holds` and its `margin`; of a disjunction "
            "those of the part that is nearest to be true",
            said=_weighed,
        ),
        Part("witness", "the inputs of all networks, one after the other", proved=True),
        Part("values", "the exact hidden nodes and outputs by their names", proved=is_no),
        Part(
            "largest_error",
            "null, or the largest difference of a claimed output from the exact one",
            said=_error,
            unproved="the error of claimed outputs",
        ),
        Part("error_at", "null, or of which output"),
        Part("flags", "what is true of the query whatever the networks compute", said=_notes),
        Part("query_sha256", "the hash of the query"),
    )

    margin: fmpq | None = None
    constraints: tuple[Weighed, ...] = ()
    values: Mapping[str, fmpq] | None = None
    largest_error: fmpq | None = None
    error_at: str | None = None
    flags: tuple[str, ...] = ()
    query_sha256: str | None = None

    @property
    def _proves_answer(self) -> bool:
        # The point and its values are certified, and that they fail to be a counterexample is not.
        return self.answer is True

    def _computed(self, *, lists: bool) -> Names:
        """What a certificate leaves to be believed."""
        computed = super()._computed(lists=lists)
        return () if self.answer is None else ("what the query means", *computed)

    @property
    def failing(self) -> tuple[Weighed, ...]:
        """The constraints that fail."""
        return tuple(one for one in self.constraints if not one.holds)


@question
def judge(
    call: Call[Judged],
    query: Query | PathLike,
    networks: NetworksLike,
    result: PathLike,
    **limits: Unpack[Limits],
) -> Judged:
    """Whether the counterexample of another verifier is one, in exact arithmetic.

    Parameters
    ----------
    query : str or path
        The file of the query, VNN-LIB 1.0 or 2.0.
    networks : mapping of str to Network or path
        The networks by their names in the query; one that stands alone needs no name.
    result : str or path
        The file of the result, as in VNN-COMP: ``sat``, then inputs and perhaps outputs.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Judged
        ``answer``; ``margin``, by how much the whole formula holds or fails; ``constraints``, each
        with its own; ``largest_error`` of the outputs that the result claims.

    Raises
    ------
    InputError
        If the result is not ``sat``, or has no value for an input, or networks do not fit.

    Examples
    --------
    >>> import exactrelu as er
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> query = "(declare-const X_0 Real) (declare-const Y_0 Real) (assert (>= Y_0 (/ 1 3)))"
    >>> identity = er.from_arrays([[[1]]], [[0]])
    >>> with TemporaryDirectory() as folder:
    ...     asked, found = Path(folder) / "query.vnnlib", Path(folder) / "result.txt"
    ...     _ = asked.write_text(query), found.write_text("sat ((X_0 0.3333) (Y_0 0.3334))")
    ...     judged = er.judge(asked, identity, found)
    >>> judged.word, judged.margin, judged.largest_error
    ('no', -1/30000, 1/10000)
    """
    effort = call.effort
    asked = query if isinstance(query, Query) else read_query(query, effort)
    posed = _posed(asked, networks, effort)
    text = read_text(result, effort)
    with errors_in(result):
        claimed = parse_result(text, asked, effort)
    found = judged(posed, claimed, effort)
    return replace(found, flags=(*found.flags, *folded_in(networks)))


def _posed(asked: Query, networks: NetworksLike, effort: Effort) -> Posed:
    """The query as a property; without cases if there are too many."""
    try:
        return property_of(asked, networks, effort)
    except TooManyCases:
        return posed_at_points(asked, networks, effort)


def judged(posed: Posed, claimed: Mapping[int, fmpq], effort: Effort) -> Judged:
    """Whether these inputs satisfy a query, and how far off claimed outputs are."""
    query = posed.query
    inputs = tuple(claimed[v] for v in query.inputs)
    x = posed.point(inputs)
    values = posed.values(x)
    found = weighed(query.formula, values)
    constraints = tuple(
        Weighed(atom.line, atom.text, atom.holds(values), atom.margin(values))
        for atom in found.atoms
    )
    is_input = set(query.inputs)
    errors = [(abs(q - values[v]), v) for v, q in claimed.items() if v not in is_input]
    # Of several that are largest the first.
    error, at = max(errors, key=lambda pair: (pair[0], -pair[1]), default=(None, 0))
    return Judged(
        found.holds,
        _reason(found, constraints),
        inputs,
        _certificate(posed, x, found, values),
        margin=found.margin,
        constraints=constraints,
        values={query.name(v): q for v, q in enumerate(values) if v not in is_input},
        largest_error=error,
        error_at=None if error is None else query.name(at),
        flags=vacuity(posed, effort).flags,
        query_sha256=query.sha256,
    )


class Weighing(NamedTuple):
    """Whether a formula holds, its margin (None if it has no atoms) and the atoms that decide."""

    holds: bool
    margin: fmpq | None
    atoms: tuple[Atom, ...]


def weighed(formula: Formula, at: Sequence[fmpq]) -> Weighing:
    """A formula at values of all variables.

    >>> from exactrelu.questions.properties.query import And, Linear, Relation
    >>> x = Linear.variable(0)
    >>> low, high = x.compared(Relation.LESS, 1, "low"), x.compared(Relation.AT_LEAST, 2, "high")
    >>> weighed(Or((low, And((high, low)))), (fmpq(1),)).margin
    -1
    """
    if isinstance(formula, Atom):
        return Weighing(formula.holds(at), formula.margin(at), (formula,))
    parts = [weighed(part, at) for part in formula.parts]
    if isinstance(formula, Or):
        return max(parts, key=_nearness, default=Weighing(False, None, ()))
    margins = [part.margin for part in parts if part.margin is not None]
    return Weighing(
        all(part.holds for part in parts),
        min(margins, default=None),
        tuple(atom for part in parts for atom in part.atoms),
    )


def _nearness(part: Weighing) -> tuple[bool, bool, fmpq]:
    """How near to be true; what has no atoms comes last."""
    margin = part.margin
    return part.holds, margin is not None, fmpq(0) if margin is None else margin


def _reason(found: Weighing, constraints: Sequence[Weighed]) -> str:
    failing = [one for one in constraints if not one.holds]
    if failing:
        worst = min(failing, key=lambda one: one.margin)
        others = f", and {len(failing) - 1:,} more" if len(failing) > 1 else ""
        return f"{worst!r}{others}"
    if not found.holds:
        return "the query is false whatever the values are"
    if found.margin is None:
        return "the query is true whatever the values are"
    least = min(constraints, key=lambda one: one.margin)
    return f"all constraints hold, the least by {say(found.margin)}: line {least.line}"


def _certificate(
    posed: Posed, x: Vector, found: Weighing, values: Sequence[fmpq]
) -> Certificate | None:
    """The point in a case, or the values of all networks at it."""
    if found.holds:
        if not posed.cases:
            posed = with_case_at(posed, found.atoms, values)
        return fails_at(posed.property, x).certificate
    facts, start = [], 0
    for network in posed.networks:
        here: Vector = tuple(x[start : start + network.n_inputs])
        facts.append(value_claim(network, trace(network, here)))
        start += network.n_inputs
    return all_of(facts)
