"""Formulas: no point of a domain, with what networks make of it, satisfies a case of every
clause.

x, y and cases are those of ``property``. A clause is a list of cases, of which one is to
hold; a formula is a list of clauses, all of which are. *Formula*: no point x of D, as it is
written, satisfies a case of each clause.

``point``: a point of D that satisfies a case of each clause.

``bounds``: the records of ``property`` by ``bounds``, for one case, which has no rows at
first, and

``clause k``   the clause k, from 0, before a box or in place of a record ``case``: the same
               box, or the same leaf, for each of its cases, whose rows come after those
               that are there.

A point of the box that satisfies a case of each clause satisfies one of clause k, so that
it is a point of one of these.

*in-range* negated, ``bounds``: that of ``property`` for one network and one case, that each
output is that of the value: equations den·y_k - num = 0 of coprime integers.
"""

from math import gcd

from . import claims, objects
from .evidence import point_in
from .file import Proof, form, need
from .numbers import bits, paired
from .objects import Network, System, Vector, system_of
from .property import Boxes, Networks, Systems, cases_text, holds_at, networks
from .property import property as of_cases
from .property import property_by_bounds as no_case


def _clauses_text(
    found: list[Systems], value: list[list[object]], book: claims.Book
) -> str:
    parts = [f"({cases_text(cases, each, book)})" for cases, each in paired(found, value)]
    return book.short(" and ".join(parts), parts)


@claims.kind(
    "no point x of {domain} has z = (x, y), y the outputs of {networks}, in {clauses}",
    "some point x of {domain} has z = (x, y), y the outputs of {networks}, in {clauses}",
    networks=networks,
    clauses=claims.listed(claims.listed(objects.read_system).read)._replace(
        text=_clauses_text
    ),
)
def formula(networks: Networks, domain: System, clauses: list[Systems]) -> int | None:
    """At least one case in each clause, and one clause; x and y as for a property."""
    form(
        clauses and all(clauses),
        "wrong-length",
        "at least one clause, and one case in each",
    )
    return of_cases.fits(networks, domain, [case for clause in clauses for case in clause])


def not_formula_by_point(
    proof: Proof, networks: Networks, domain: System, clauses: list[Systems]
) -> None:
    """A point of D satisfies a case of each clause."""
    both = holds_at(proof, networks, point_in(proof, domain))
    ok = all(
        any(objects.contains(proof, case, both) for case in clause) for clause in clauses
    )
    need(ok, "no-case", "in no case of a clause")


def formula_by_bounds(
    proof: Proof, networks: Networks, domain: System, clauses: list[Systems]
) -> None:
    """Every leaf refutes what is chosen of the clauses on the way."""
    boxes = Boxes(proof, networks, domain)
    found = [[boxes.case_of(case) for case in clause] for clause in clauses]
    boxes.require_none([[]], found)


def not_in_range_by_bounds(
    proof: Proof, network: Network, output: Vector, domain: System
) -> None:
    """Every leaf refutes that the outputs are the value."""
    n, rows = output.dim, []
    proof.spend(n * (n + domain.dim), output.den.bit_length(), bits(output.nums))
    for k, y in enumerate(output.nums):
        unit = [0] * (domain.dim + n)
        unit[k - n] = output.den // gcd(y, output.den)
        rows.append(("eq", (*unit, -y // gcd(y, output.den))))
    no_case(proof, [network], domain, [system_of(domain.dim + n, rows)])
