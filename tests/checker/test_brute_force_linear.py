"""Claims about matrices and systems: mutants that the checker accepts are true, by brute force."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from brute_force import has_solution, integer, rows_of
from bundles import cases, sealed
from test_cases import check_bytes

from exactrelu.certificates.evidence import rank_claim
from exactrelu.exact.linear import rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.questions.injectivity.named_results import spark
from exactrelu.questions.linear import is_bounded, is_nonempty, is_pointed, nonnegative_column_rank
from exactrelu.questions.singular_values import sigma_min_bounds
from tests.seeds import SEED

MUTANTS = 6000
Entries = list[list[Fraction]]


def entries(value: Any) -> Entries:
    den, rows = value["matrix"]
    return [[Fraction(integer(x), integer(den)) for x in row] for row in rows]


def rank(rows: Entries) -> int:
    rows = [row[:] for row in rows]
    found = 0
    for k in range(len(rows[0]) if rows else 0):
        at = next((i for i in range(found, len(rows)) if rows[i][k]), None)
        if at is None:
            continue
        rows[found], rows[at] = rows[at], rows[found]
        top = rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][k] / top[k]
            rows[i] = [x - factor * y for x, y in zip(rows[i], top, strict=True)]
        found += 1
    return found


def determinant(square: Entries) -> Fraction:
    """By the first row."""
    if not square:
        return Fraction(1)
    first, *rest = square
    minors = ([row[:k] + row[k + 1 :] for row in rest] for k in range(len(first)))
    pairs = enumerate(zip(first, minors, strict=True))
    return sum(((-1) ** k * x * determinant(part) for k, (x, part) in pairs), Fraction(0))


def contains_a_line(vectors: Entries, n: int) -> bool:
    """Whether Σ μ·g = 0 for some μ >= 0, > 0 on a g that is not 0."""
    vectors = [v for v in vectors if any(v)]
    m = len(vectors)
    unknown: list[tuple[str, list[Fraction]]] = [
        ("ge", [Fraction(i == j) for j in range(m + 1)]) for i in range(m)
    ]
    for k in range(n):
        unknown.append(("eq", [*(v[k] for v in vectors), Fraction(0)]))
    unknown.append(("gt", [*[Fraction(1)] * m, Fraction(0)]))
    return has_solution(unknown, m)


def is_bounded_by_force(system: Any) -> bool:
    """No solution, or no direction of recession that is not 0."""
    n, rows = system["dim"], rows_of(system)
    if not has_solution(rows, n):
        return True
    cone = [("eq" if s == "eq" else "ge", [*row[:-1], Fraction(0)]) for s, row in rows]
    units = [
        [Fraction(sign * (i == j)) for j in range(n + 1)] for i in range(n) for sign in (1, -1)
    ]
    return not any(has_solution([*cone, ("gt", unit)], n) for unit in units)


def spark_of(rows: Entries) -> int:
    sizes = range(1, len(rows) + 1)
    dependent = (s for s in sizes if any(rank([*c]) < s for c in combinations(rows, s)))
    return next(dependent, len(rows) + 1)


def sigma(claim: Any) -> bool:
    """By the principal minors of AᵀA − r²: semidefinite, or not definite."""
    rows, n = entries(claim["matrix"]), claim["matrix"]["cols"]
    den, num = claim["bound"]
    r = Fraction(integer(num), integer(den))
    columns = [[row[j] for row in rows] for j in range(n)]
    gram = [
        [sum(x * y for x, y in zip(a, b, strict=True)) - (r * r if i == j else 0)
         for j, b in enumerate(columns)]
        for i, a in enumerate(columns)
    ]  # fmt: skip
    chosen = [c for size in range(1, n + 1) for c in combinations(range(n), size)]
    if claim["sense"] == "at-least":
        return all(determinant([[gram[i][j] for j in c] for i in c]) >= 0 for c in chosen)
    leading = [tuple(range(size)) for size in range(1, n + 1)]
    return not all(determinant([[gram[i][j] for j in c] for i in c]) > 0 for c in leading)


def nonnegative_rank(claim: Any) -> bool:
    rows, n = entries(claim["matrix"]), claim["matrix"]["cols"]
    columns = [[row[j] for row in rows] for j in range(n)]
    r = rank(rows)
    return [claim["rank"], claim["columns"]] == [r, r + contains_a_line(columns, len(rows))]


TRUE: dict[str, Callable[[Any], bool]] = {
    "nonempty": lambda c: has_solution(rows_of(c["system"]), c["system"]["dim"]) is c["holds"],
    "bounded": lambda c: is_bounded_by_force(c["system"]) is c["holds"],
    "pointed": lambda c: (
        contains_a_line(entries(c["generators"]), c["generators"]["cols"]) is not c["holds"]
    ),
    "rank": lambda c: rank(entries(c["matrix"])) == c["rank"],
    "spark": lambda c: spark_of(entries(c["matrix"])) == c["spark"],
    "nonnegative-column-rank": nonnegative_rank,
    "sigma-min": sigma,
}


def random_matrix(rng: random.Random, columns: int) -> Matrix:
    rows = [
        [Fraction(rng.choice([0, 0, 1, -1, 2, -3]), rng.choice([1, 1, 2])) for _ in range(columns)]
        for _ in range(rng.randint(0, 3))
    ]
    return Matrix(rows, columns)


def random_system(rng: random.Random) -> LinearSystem:
    d = rng.randint(0, 2)
    rows = (
        Row.of([rng.randint(-1, 1) for _ in range(d)], rng.randint(-1, 2), rng.choice([*Sense]))
        for _ in range(rng.randint(0, 5))
    )
    return LinearSystem(d, tuple(rows))


def written(seed: int) -> list[list[str]]:
    """The lines of certificates of all questions about a random matrix and a random system."""
    rng = random.Random(f"{SEED} linear {seed}")
    A, system = random_matrix(rng, rng.randint(0, 3)), random_system(rng)
    found = [
        rank_claim(A, rank_proof(A)),
        nonnegative_column_rank(A).certificate,
        spark(A).certificate,
        is_pointed([vector(row) for row in A.rows()], dimension=A.n_columns).certificate,
        is_nonempty(system).certificate,
        is_bounded(system).certificate,
    ]
    if A.n_columns:
        bounds = sigma_min_bounds(A)
        found += [bounds.lower_certificate, bounds.upper_certificate]
    return [[*certificate.lines()][:-1] for certificate in found if certificate is not None]


@pytest.mark.parametrize("seed", range(60))
def test_what_is_written_is_accepted_and_true(seed: int) -> None:
    for lines in written(seed):
        outcome = check_bytes(sealed([line.rstrip("\n") for line in lines]))
        assert outcome.verdict == "ACCEPTED", outcome
        claim = json.loads(lines[0])["claim"]
        assert TRUE[claim["kind"]](claim), lines


def changed(rng: random.Random, text: str) -> str:
    return format(int(text, 16) + rng.choice([-1, 1]), "x")


def mutate_claim(rng: random.Random, claim: Any) -> None:
    """Another number, sense or answer."""
    choice = rng.random()
    counts = [name for name in ("rank", "columns", "spark") if name in claim]
    if counts and choice < 0.3:
        name = rng.choice(counts)
        claim[name] = max(0, claim[name] + rng.choice([-1, 1]))
    elif "holds" in claim and choice < 0.3:
        claim["holds"] = not claim["holds"]
    elif "bound" in claim and choice < 0.5:
        k = rng.randrange(2)
        claim["bound"][k] = changed(rng, claim["bound"][k])
    else:
        holder = claim.get("matrix") or claim.get("generators") or claim["system"]
        rows = holder["matrix"][1] if "matrix" in holder else holder["rows"]
        if not rows:
            return
        row = rng.choice(rows)
        if "matrix" not in holder and choice < 0.5:
            row[0] = rng.choice(["eq", "ge", "gt"])
            return
        numbers = row if "matrix" in holder else row[1]
        if numbers:
            k = rng.randrange(len(numbers))
            numbers[k] = changed(rng, numbers[k])


def mutant(rng: random.Random, lines: list[str]) -> list[str]:
    """A change of the claim, of a number of a record, of a record."""
    lines = list(lines)
    at = rng.randrange(len(lines))
    if at == 0 or rng.random() < 0.3:
        value = json.loads(lines[0])
        mutate_claim(rng, value["claim"])
        lines[0] = json.dumps(value, sort_keys=True, separators=(",", ":"))
    elif at == 1:
        methods = ("empty", "multipliers", "ray", "point", "functional", "dependency", "vector",
                   "cholesky")  # fmt: skip
        lines[1] = f"by {rng.choice(methods)}"
    else:
        word, *numbers = lines[at].split()
        if numbers and rng.random() < 0.8:
            k = rng.randrange(len(numbers))
            numbers[k] = rng.choice([changed(rng, numbers[k]), rng.choice(numbers)])
            lines[at] = " ".join([word, *numbers])
        else:
            lines[at] = rng.choice(lines[2:])
    return lines


def test_mutants_that_are_accepted_are_true() -> None:
    rng = random.Random(f"{SEED} mutants of matrices")
    known = [[line.rstrip("\n") for line in lines] for seed in range(40) for lines in written(seed)]
    known += [
        list(case.lines) for case in cases().values()
        if case.bundle == "linear" and case.verdict == "ACCEPTED" and len(case.lines[0]) < 2000
        and json.loads(case.lines[0])["claim"]["kind"] in TRUE
    ]  # fmt: skip
    accepted: dict[str, int] = dict.fromkeys(TRUE, 0)
    for _ in range(MUTANTS):
        lines = rng.choice(known)
        for _ in range(rng.choice([1, 1, 2])):
            lines = mutant(rng, lines)
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if outcome.verdict == "ACCEPTED":
            claim = json.loads(lines[0])["claim"]
            accepted[claim["kind"]] += 1
            assert TRUE[claim["kind"]](claim), lines
    assert min(accepted.values()) > 10, accepted
