"""Queries for tests: public files, and random formulas in both versions of VNN-LIB.

A random formula is a nested list of words, written in either version, and judged over Fraction by
a few lines that know nothing of the library.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[4] / "shared" / "data"
needs_data = pytest.mark.skipif(
    not DATA.is_dir(), reason="the public queries are not beside the project"
)
ACAS = sorted((DATA / "acasxu").glob("*.vnnlib"))
OTHERS = sorted((DATA / "queries").glob("*.vnnlib"))
FIRST = sorted((DATA / "acasxu" / "version1").glob("*.vnnlib"))

#: A nested list: ("and", …), ("or", …), ("<=", term, term), and terms ("+", …), "X_0", Fraction.
Tree = Any

COMPARISONS = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "==": operator.eq,
    "!=": operator.ne,
}
NUMBERS = [Fraction(n, 4) for n in range(-6, 7)]


def random_formula(rng: random.Random, names: list[str], depth: int) -> Tree:
    """And, or, comparisons of linear terms; numbers are few, so that ties are frequent."""
    if depth and rng.random() < 0.7:
        parts = [random_formula(rng, names, depth - 1) for _ in range(rng.randint(1, 3))]
        return (rng.choice(["and", "or"]), *parts)
    return (rng.choice([*COMPARISONS]), random_term(rng, names, 2), random_term(rng, names, 1))


def random_term(rng: random.Random, names: list[str], depth: int) -> Tree:
    """A linear term."""
    kind = rng.randrange(6) if depth else rng.randrange(2)
    if kind == 0:
        return rng.choice(NUMBERS)
    if kind < 3:
        return rng.choice(names)
    if kind == 3:
        return ("*", rng.choice(NUMBERS), random_term(rng, names, depth - 1))
    if kind == 4:
        return ("-", random_term(rng, names, depth - 1))
    parts = [random_term(rng, names, depth - 1) for _ in range(rng.randint(2, 3))]
    return (rng.choice("+-"), *parts)


def value(tree: Tree, at: Mapping[str, Fraction]) -> Any:
    """What a formula or a term is at a point."""
    if isinstance(tree, Fraction):
        return tree
    if isinstance(tree, str):
        return at[tree]
    head, *parts = tree
    found = [value(part, at) for part in parts]
    if head in COMPARISONS:
        return COMPARISONS[head](*found)
    if head in ("and", "or"):
        return all(found) if head == "and" else any(found)
    if head == "*":
        return found[0] * found[1]
    if head == "+":
        return sum(found)
    return -found[0] if len(found) == 1 else found[0] - sum(found[1:])


def version1(trees: list[Tree], n_inputs: int, n_outputs: int) -> str:
    """The text of a query in version 1.0."""
    lines = [f"(declare-const X_{i} Real)" for i in range(n_inputs)]
    lines += [f"(declare-const Y_{i} Real)" for i in range(n_outputs)]
    return "\n".join([*lines, *(f"(assert {written(tree)})" for tree in trees)])


def version2(trees: list[Tree], n_inputs: int, n_outputs: int, kind: str = "real") -> str:
    """The text of the same query in version 2.0."""
    lines = [
        "(vnnlib-version <2.0>)",
        f"(declare-network N (declare-input X {kind} [1,{n_inputs}])",
        f"  (declare-output Y {kind} [{n_outputs}]))",
    ]
    return "\n".join([*lines, *(f"(assert {written(tree, is_first=False)})" for tree in trees)])


def written(tree: Tree, *, is_first: bool = True) -> str:
    """A formula or a term in one of the versions."""
    if isinstance(tree, Fraction):
        return str(float(tree))
    if isinstance(tree, str):
        letter, i = tree.split("_")
        return tree if is_first else f"X[0,{i}]" if letter == "X" else f"Y[{i}]"
    head, *parts = tree
    return f"({' '.join([head, *(written(part, is_first=is_first) for part in parts)])})"
