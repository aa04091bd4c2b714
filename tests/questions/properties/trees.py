"""Trees of signs as other verifiers write them, made of proofs of ours; and queries to go with."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from flint import fmpq

from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.questions.properties.property import Property

_SENSES = {Sense.EQUAL: "=", Sense.AT_LEAST: ">=", Sense.GREATER: ">"}

#: The signs of a leaf, by neurons from 0 through all layers, in the order of their cuts.
Signs = tuple[tuple[int, int], ...]


def trees_of(records: Sequence[str], network: Network) -> list[list[Signs]]:
    """The leaves of the trees of a proof by splits, case by case."""
    layers = network.layers[:-1]
    linear = [j + 1 in layer.linear for layer in layers for j in range(layer.n_outputs)]
    neurons = [sum(not is_linear for is_linear in linear[:u]) for u in range(len(linear))]
    found: list[list[Signs]] = []
    stack: list[Signs] = []
    for line in records:
        word, *numbers = line.split()
        if word in ("cut", "leaf", "cells"):
            if not stack:
                stack, found = [()], [*found, []]
            path = stack.pop()
            if word == "cut":
                unit = neurons[int(numbers[0], 16)]
                stack += [(*path, (unit, sign)) for sign in (1, -1)]
            else:
                found[-1].append(path)
    assert not stack
    return found


def declared(network: Network) -> list[str]:
    """The inputs and outputs."""
    sizes = ("X", network.n_inputs), ("Y", network.n_outputs)
    return [f"(declare-const {name}_{i} Real)" for name, n in sizes for i in range(n)]


def query_text(asked: Property) -> str:
    """A property of one network as a query."""
    return "\n".join([*declared(asked.networks[0]), *asserted(asked.domain.system, asked.cases)])


def tree_text(
    asked: Property, cases: Iterable[LinearSystem], leaves: Iterable[Iterable[tuple[int, int]]]
) -> str:
    """A tree that is about some cases of a property of one network."""
    network = asked.networks[0]
    n = sum(layer.n_outputs - len(layer.linear) for layer in network.layers[:-1])
    names = " ".join(f"N_{k + 1}" for k in range(n))
    parts = [
        " ".join(f"({'<' if sign < 0 else '>='} N_{k + 1} 0)" for k, sign in leaf)
        for leaf in leaves
    ]
    tree = ["(assert (or", *(f"    (and {part})" for part in parts), "))"]
    rows = asserted(asked.domain.system, cases)
    return "\n".join([*declared(network), f"(declare-pwl {names} ReLU)", *rows, *tree, ""])


def asserted(domain: LinearSystem, cases: Iterable[LinearSystem]) -> list[str]:
    """The rows of a domain, and one of the cases."""
    n = domain.dimension
    rows = [f"(assert {_row(row, n)})" for row in domain.rows]
    parts = (" ".join(_row(row, n) for row in case.rows) for case in cases)
    return [*rows, f"(assert (or {' '.join(f'(and {part})' for part in parts)}))"]


def _row(row: Row, n: int) -> str:
    terms = [
        f"(* {_number(x)} {f'X_{k}' if k < n else f'Y_{k - n}'})"
        for k, x in enumerate(row.flint_normal)
        if x
    ]
    return f"({_SENSES[row.sense]} (+ {' '.join(terms)} {_number(row.flint_offset)}) 0)"


def _number(q: fmpq) -> str:
    text = f"(/ {abs(q.p)} {q.q})"
    return text if q >= 0 else f"(- {text})"


def shuffled(leaves: Sequence[Signs], rng: random.Random) -> list[Signs]:
    """The same leaves in any order, with their signs in any order."""
    return [tuple(rng.sample(leaf, len(leaf))) for leaf in rng.sample(leaves, len(leaves))]
