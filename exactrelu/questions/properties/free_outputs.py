"""Cases that contradict themselves, whatever the networks compute.

Let the outputs y be any numbers.  If the rows of a case and those of the domain have no solution
(t, y) then, by Motzkin, multipliers add them up to a contradiction; all coefficients of y cancel,
so that no bound of a network is needed, and one leaf of a proof refutes the case on the whole
domain.  Bounds in floats come near such a sum, but miss it: what is left of y is never exactly 0.

Published queries have such cases: y_1 > y_2 + 1/20 and y_1 < y_2 − 1/20.
"""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq

from exactrelu.certificates.certificate import Certificate, record
from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.exact.scalar import ZERO
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Infeasible
from exactrelu.polyhedra.lp import feasible
from exactrelu.questions.properties.cells import property_claim
from exactrelu.questions.properties.property import Property

#: The part of the time that may be spent on this.
SHARE = 0.1

#: Of a case, by its place from 0: the numbers m r λ … of a leaf that refutes it.
Contradictions = dict[int, list[int]]


def contradictions(asked: Property, effort: Effort = UNLIMITED) -> Contradictions:
    """The cases without a solution even for free outputs, each with its multipliers.

    With clauses those of one clause, if that is true of all of them, or none.

    Row 0 of a leaf is 1 > 0, then come the rows of the domain, then those of the case.

    >>> from exactrelu.network.network import Network
    >>> from exactrelu.polyhedra.domain import Domain
    >>> identity = Network.from_arrays([[[1]]], [[0]])
    >>> above, below = Row.of((-1, 1), -1), Row.of((1, -1), -1)
    >>> case = LinearSystem(2, (above, below))
    >>> contradictions(Property((identity,), Domain.of("box:0,1", 1), (case,)))
    {0: [2, 3, 1, 4, 1]}
    """
    found: Contradictions = {}
    part = effort.part(share=SHARE)
    try:
        for group in asked.groups:
            for k in group:
                numbers = _contradiction(asked, asked.cases[k], part)
                if numbers:
                    found[k] = numbers
                elif asked.clauses:
                    # This clause is not refuted, and that is all that counts.
                    break
            if asked.clauses and all(k in found for k in group):
                return {k: found[k] for k in group}
    except Stopped:
        effort.spend()
    return {} if asked.clauses else found


def _contradiction(asked: Property, case: LinearSystem, effort: Effort) -> list[int]:
    """The numbers m r λ … of a leaf that refutes a case; none if it has a solution."""
    if _is_possible(asked, case):
        return []
    dimension = asked.domain.inner_dimension + asked.n_outputs
    rows = (*_rows_of_domain(asked), *_rows_of_case(asked, case))
    answer = feasible(LinearSystem(dimension, rows), effort=effort)
    if not isinstance(answer, Infeasible):
        return []
    pairs = [(r + 1, int(value)) for r, value in answer.multipliers]
    return [len(pairs), *(x for pair in pairs for x in pair)]


def _is_possible(asked: Property, case: LinearSystem) -> bool:
    """Whether a case has a solution for free outputs, as can be seen without a linear program.

    So has a single row with an output, at each input.
    """
    rows = case.rows
    return not rows or (len(rows) == 1 and any(rows[0].flint_normal[asked.n_inputs :]))


def contradiction_claim(asked: Property, found: Contradictions) -> Certificate:
    """The claim that a property holds as each case, or each of a clause, contradicts itself.

    >>> from exactrelu.network.network import Network
    >>> from exactrelu.polyhedra.domain import Domain
    >>> identity = Network.from_arrays([[[1]]], [[0]])
    >>> case = LinearSystem(2, (Row.of((0, 1), -1), Row.of((0, -1), 0)))
    >>> asked = Property((identity,), Domain.of("box:0,1", 1), (case,))
    >>> contradiction_claim(asked, contradictions(asked)).records
    ('joined', 'leaf 2 3 1 4 1')
    """
    if asked.clauses:
        clause = next(i for i, group in enumerate(asked.groups) if group[0] in found)
        leaves = [record("leaf", *found[k]) for k in asked.groups[clause]]
        records = [record("joined"), record("clause", clause), *leaves]
    else:
        numbers = [x for k in range(len(asked.cases)) for x in found[k]]
        records = [record("joined"), record("leaf", *numbers)]
    return property_claim(asked, "bounds", records, holds=True)


def _rows_of_domain(asked: Property) -> Iterator[Row]:
    """The rows of the domain over (t, y), as the checker has them."""
    senses = [Sense(sense) for sense, _ in asked.domain.rows if sense != Sense.EQUAL.value]
    for (*normal, offset), sense in zip(asked.domain.rows_over_t, senses, strict=True):
        yield Row((*map(fmpq, normal), *(ZERO,) * asked.n_outputs), fmpq(offset), sense)


def _rows_of_case(asked: Property, case: LinearSystem) -> Iterator[Row]:
    """The rows of a case over (t, y), times the factor of the chart."""
    n, chart = asked.n_inputs, asked.domain.chart
    factor = 1 if chart.is_identity else chart.factor
    for row in case.rows:
        integers = row.integers()
        *normal, offset = chart.pulled((*integers[:n], integers[-1]))
        outputs = (fmpq(factor * y) for y in integers[n:-1])
        yield Row((*map(fmpq, normal), *outputs), fmpq(offset), row.sense)
