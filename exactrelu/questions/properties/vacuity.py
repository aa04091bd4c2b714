"""Queries that say less than they seem to: what is true of them whatever the networks compute.

A query over networks is *vacuous* if its answer does not depend on them: no input satisfies it, the
outputs that it asks for contradict each other, or every output satisfies it.  Other queries have
gaps: no output is mentioned, an input has no bound, the inputs of two networks have nothing to do
with each other.  The answer stands, but whoever asked may have meant something else, and is told.

Contradiction and tautology are decided with the outputs y as free variables, by exact linear
programs over (x, y): cases and a domain D are given, and the complement of all cases is a
disjunction again, walked through one row of each case at a time.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from flint import fmpq

from exactrelu.display import clipped
from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Infeasible, Unbounded
from exactrelu.polyhedra.lp import feasible, maximize
from exactrelu.questions.properties.posed import Posed
from exactrelu.questions.properties.syntax import MAX_DEPTH

#: So many linear programs to see whether cases contradict themselves, and as many to see whether
#: every output satisfies a query.
MAX_PROGRAMS = 1000
_NO_INPUT = "no input satisfies the constraints on inputs"
_NO_NETWORK = "the constraints on outputs contradict each other: no network satisfies them"
_TOO_MANY = "too many cases: whether the query is vacuous was not found out"
_FALSE = "a constraint is false whatever the inputs and outputs are"
#: Outputs that are tried before that, by their size.
SIZES = (0, 1, 10**3, 10**6, 10**9)


@dataclass(frozen=True)
class Vacuity:
    """What is true of a query whatever its networks compute, a sentence each.

    ``answer`` is False where it is never satisfied for that reason, True where it always is, and
    None where it depends on the networks, or was not found out.
    """

    answer: bool | None
    flags: tuple[str, ...] = ()


def vacuity(posed: Posed, effort: Effort = UNLIMITED) -> Vacuity:
    """What is true of a query whatever its networks compute.

    >>> from exactrelu.network.network import Network
    >>> from exactrelu.questions.properties.posed import property_of
    >>> from exactrelu.questions.properties.versions import parse_query
    >>> query = parse_query(\"""
    ... (declare-const X_0 Real) (declare-const Y_0 Real)
    ... (assert (>= X_0 0)) (assert (< Y_0 1)) (assert (> Y_0 1))\""")
    >>> found = vacuity(property_of(query, Network.from_arrays([[[1]]], [[0]])))
    >>> found.answer, *found.flags
    (False, 'the constraints on outputs contradict each other: no network satisfies them',
     'input X_0 has no upper bound')
    """
    flags = []
    answer: bool | None = None
    try:
        if posed.domain is None:
            constants = (row for row in posed.system.rows if not any(row.flint_normal))
            is_false = any(not row.sense.holds(row.flint_offset) for row in constants)
            return Vacuity(False, (_FALSE if is_false else _NO_INPUT, *_links(posed)))
        if not posed.cases:
            # Then the domain is not that of the query.
            return not_found_out(posed)
        if posed.clauses:
            why = _contradiction(posed, effort)
            answer = False if why in (_NO_INPUT, _NO_NETWORK) else None
            flags += [why] if why else []
        contradictory = [] if posed.clauses else contradictory_cases(posed, effort)
        n = len(posed.cases)
        if len(contradictory) == n:
            answer = False
            flags.append(_NO_NETWORK)
        elif contradictory:
            flags.append(
                f"{len(contradictory):,} of {n:,} cases contradict themselves, "
                f"case {contradictory[0]} for instance"
            )
        if not _mentions_outputs(posed):
            flags.append("no output is mentioned: the answer is that of the inputs alone")
        if is_tautology(posed, effort):
            answer = True
            flags.append("all outputs satisfy the query at every input: so does every network")
        flags += _unbounded(posed, effort)
    except Stopped as stopped:
        flags.append(f"{stopped}: whether the query is vacuous was not found out")
    return Vacuity(answer, (*flags, *_links(posed)))


def not_found_out(posed: Posed) -> Vacuity:
    """What is known where a formula has too many cases."""
    return Vacuity(None, (_TOO_MANY, *_links(posed)))


def contradictory_cases(posed: Posed, effort: Effort = UNLIMITED) -> list[int]:
    """The cases, from 1, that have no solution with free outputs on the domain.

    Of very many cases the first are looked at.
    """
    found = []
    for k, case in enumerate(posed.cases[:MAX_PROGRAMS], 1):
        effort.spend()
        if not _is_possible(posed, case.rows, effort):
            found.append(k)
    return found


def _contradiction(posed: Posed, effort: Effort) -> str:
    """Why no x and y satisfy a case of each clause, or that this was not found out, or nothing."""
    part = effort.part(programs=MAX_PROGRAMS)
    n = posed.n_inputs
    about_inputs = [
        [
            replace(case, rows=tuple(row for row in case.rows if not any(row.flint_normal[n:])))
            for case in clause
        ]
        for clause in posed.clauses
    ]
    try:
        for clauses, why in ((about_inputs, _NO_INPUT), (posed.clauses, _NO_NETWORK)):
            if not _have_a_point(posed, clauses, part):
                return why
    except Stopped:
        effort.spend()
        return _TOO_MANY
    return ""


def _have_a_point(posed: Posed, clauses: Sequence[Sequence[LinearSystem]], part: Effort) -> bool:
    """Whether x in the domain and y satisfy a case of each clause, y being free.

    Of a point that satisfies what was chosen so far the first clause that it misses is next.
    """
    n = posed.cases[0].dimension
    beside = (ZERO,) * (n - posed.n_inputs)
    domain = tuple(
        Row((*row.flint_normal, *beside), row.flint_offset, row.sense) for row in posed.system.rows
    )
    waiting = [domain]
    while waiting:
        part.spend("programs")
        rows = waiting.pop()
        found = feasible(LinearSystem(n, rows), effort=part)
        if isinstance(found, Infeasible):
            continue
        point = found.flint_point
        missed = (one for one in clauses if not any(case.contains(point) for case in one))
        clause = next(missed, None)
        if clause is None:
            return True
        waiting += [(*rows, *case.rows) for case in reversed(clause)]
    return False


def is_tautology(posed: Posed, effort: Effort = UNLIMITED) -> bool:
    """Whether all outputs satisfy some case at every point of the domain.

    A query for which this takes long is taken for one that says something.
    """
    if posed.clauses:
        alone = (replace(posed, cases=clause, clauses=()) for clause in posed.clauses)
        return all(is_tautology(clause, effort) for clause in alone)
    if len(posed.cases) > MAX_DEPTH or _is_missed_somewhere(posed):
        return False
    part = effort.part(programs=MAX_PROGRAMS)
    # Those with few rows first: there are fewer ways to miss them.
    cases = sorted(posed.cases, key=lambda case: len(case.rows))

    def is_missed(chosen: tuple[Row, ...], k: int) -> bool:
        """Whether a point with these rows misses all cases from the k-th on."""
        part.spend("programs")
        if not _is_possible(posed, chosen, effort):
            return False
        if k == len(cases):
            return True
        rows = (missed for row in cases[k].rows for missed in _opposite(row))
        return any(is_missed((*chosen, row), k + 1) for row in rows)

    try:
        return not is_missed((), 0)
    except Stopped:
        effort.spend()
        return False


def _is_missed_somewhere(posed: Posed) -> bool:
    """Whether one of a few outputs satisfies no case, as most do that are far away."""
    if posed.domain is None or not posed.cases[0].rows:
        return False
    rng = random.Random(0)
    n_outputs = posed.cases[0].dimension - posed.n_inputs
    for size in SIZES:
        for _ in range(4):
            y = (fmpq(rng.randint(-size, size)) for _ in range(n_outputs))
            both = (*posed.domain.flint_point, *y)
            if not any(case.contains(both) for case in posed.cases):
                return True
    return False


def _is_possible(posed: Posed, rows: Sequence[Row], effort: Effort) -> bool:
    """Whether rows over (x, y) hold somewhere on the domain, y being free."""
    if posed.domain is None:
        return False
    n, n_outputs = posed.n_inputs, len(rows[0].flint_normal) - posed.n_inputs if rows else 0
    # At one point of the domain there are few variables, and mostly that is enough.
    at = _at(rows, posed.domain.flint_point)
    if not isinstance(feasible(LinearSystem(n_outputs, at), effort=effort), Infeasible):
        return True
    beside = (ZERO,) * n_outputs
    domain = (
        Row((*row.flint_normal, *beside), row.flint_offset, row.sense) for row in posed.system.rows
    )
    both = LinearSystem(n + n_outputs, (*domain, *rows))
    return not isinstance(feasible(both, effort=effort), Infeasible)


def _at(rows: Sequence[Row], x: Vector) -> tuple[Row, ...]:
    """The rows over y at a point x."""
    found = []
    for row in rows:
        normal, rest = row.flint_normal[: len(x)], row.flint_normal[len(x) :]
        offset = sum((a * b for a, b in zip(normal, x, strict=True)), row.flint_offset)
        found.append(Row(rest, offset, row.sense))
    return tuple(found)


def _opposite(row: Row) -> Iterator[Row]:
    """The rows of which one holds where this row does not."""
    minus = Row(tuple(-a for a in row.flint_normal), -row.flint_offset, Sense.GREATER)
    if row.sense is Sense.EQUAL:
        yield from (minus, row.of_sense(Sense.GREATER))
    else:
        is_strict = row.sense is Sense.GREATER
        yield minus.of_sense(Sense.AT_LEAST if is_strict else Sense.GREATER)


def _mentions_outputs(posed: Posed) -> bool:
    inputs = set(posed.query.inputs)
    return any(v not in inputs for atom in posed.query.formula.atoms() for v, _ in atom.terms)


# --- Bounds of inputs


def _unbounded(posed: Posed, effort: Effort) -> list[str]:
    """A sentence on the inputs that have no bound on one side, or none at all."""
    if posed.domain is None:
        return []
    known = _bounded(posed.system, effort)
    names = {posed.columns[v]: posed.query.name(v) for v in posed.query.inputs}
    sides: dict[str, list[str]] = {}
    for j, name in names.items():
        missing = [
            word
            for side, word in ((-1, "lower"), (1, "upper"))
            if (j, side) not in known and _grows(posed.system, j, side, effort)
        ]
        if missing:
            sides.setdefault(" and no ".join(missing), []).append(name)
    return [
        f"input{'s' if len(found) > 1 else ''} {clipped(', '.join(found), 60)} "
        f"ha{'ve' if len(found) > 1 else 's'} no {words} bound"
        for words, found in sides.items()
    ]


def _bounded(system: LinearSystem, effort: Effort) -> set[tuple[int, int]]:
    """Coordinates and sides (−1 below, 1 above) that a row bounds by others that are bounded."""
    known: set[tuple[int, int]] = set()
    waiting: list[list[tuple[int, int]]] = []
    for row in system.rows:
        signs = [(j, 1 if a > 0 else -1) for j, a in enumerate(row.flint_normal) if a]
        waiting.append(signs)
        if row.sense is Sense.EQUAL:
            waiting.append([(j, -sign) for j, sign in signs])
    is_new = True
    while is_new:
        is_new = False
        for signs in waiting:
            effort.spend()
            # Σ a·x + b ≥ 0 bounds a_j·x_j below if all other a_k·x_k are bounded above.
            unknown = [(j, sign) for j, sign in signs if (j, sign) not in known]
            for j, sign in signs if not unknown else unknown if len(unknown) == 1 else ():
                if (j, -sign) not in known:
                    known.add((j, -sign))
                    is_new = True
    return known


def _grows(system: LinearSystem, j: int, side: int, effort: Effort) -> bool:
    """Whether a coordinate has no bound on a side."""
    if not any(row.flint_normal[j] for row in system.rows):
        return True
    objective = [ZERO] * system.dimension
    objective[j] = ONE * side
    return isinstance(maximize(tuple(objective), system, effort=effort), Unbounded)


def _links(posed: Posed) -> list[str]:
    """A sentence on networks whose inputs no constraint brings together."""
    query = posed.query
    owner = {
        v: k
        for k, network in enumerate(query.networks)
        for tensor in network.inputs
        for v in query.variables(tensor)
    }
    group = list(range(len(query.networks)))
    for atom in query.formula.atoms():
        first, *others = sorted({group[owner[v]] for v, _ in atom.terms if v in owner}) or [0]
        group = [first if k in others else k for k in group]
    names = [query.networks[k].name for k in sorted(set(group))]
    if len(names) < 2:
        return []
    return [f"the inputs of {', '.join(names)} are not linked: each network has points of its own"]
