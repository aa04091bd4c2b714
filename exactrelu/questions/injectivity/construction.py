"""Injective layers by construction (Puthawala et al., corollary 2; theory 6.3).

[B; −DB] with B invertible and D > 0 diagonal has the least number of rows, 2n; with
biases it is injective iff b'' + D·b' ≥ 0.

*Completion.*  Given W of full column rank, add opposite rows −(w_j, b_j), j in S.  Two points
x ≠ y with one image under W collide after that iff w_j·(x − y) = 0 for all j in S: where an
active row could tell them apart it would have done so before, and of ±(w_j, b_j) one is
active.  So the completion is injective iff S meets, for every such direction v = x − y, the
rows with w_j·v ≠ 0.  Directions are collected one by one from collisions of the completion
so far, and S is always a smallest set that meets all of them; when no collision is
left, no completion by opposite rows has fewer.  If W lacks rank, unit vectors come first.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flint import fmpq

from exactrelu.complex.search import Limit
from exactrelu.errors import InputError
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector, dot
from exactrelu.network.network import Layer, Network
from exactrelu.questions.injectivity.collisions import Collision
from exactrelu.questions.injectivity.layer import LayerUndecided, layer_injective

#: Entries of random layers.
LARGEST = 9


def as_network(layer: Layer) -> Network:
    """ReLU of a layer, followed by the identity."""
    n = layer.n_outputs
    return Network((layer, Layer.of(Matrix.identity(n), [ZERO] * n)))


def minimal_layer(basis: Matrix, scales: Sequence[fmpq] | None = None, bias: Vector = ()) -> Layer:
    """[B; −DB] with the bias (b', −D·b'), by default D = 1 and b' = 0.

    >>> minimal_layer(Matrix([[1, 2], [0, 1]]), [fmpq(1), fmpq(3)]).affine
    Matrix([[1, 2, 0], [0, 1, 0], [-1, -2, 0], [0, -3, 0]])
    """
    n = basis.n_rows
    if basis.shape != (n, n) or rank(basis) < n:
        raise InputError(f"found a {n} × {basis.n_columns} matrix, expected an invertible one")
    scales = [ONE] * n if scales is None else list(scales)
    if len(scales) != n or any(d <= 0 for d in scales):
        raise InputError(f"expected {n} positive scales, one for each row")
    bias = bias or (ZERO,) * n
    opposite = (Matrix.diagonal(scales) @ basis).scale(-1)
    more = tuple(-d * b for d, b in zip(scales, bias, strict=True))
    return Layer.of(basis.above(opposite), (*bias, *more))


@dataclass(frozen=True)
class Completion:
    """An injective layer with the rows of another one first; None in it if time ran out."""

    layer: Layer
    n_added: int


def completion(
    layer: Layer, *, timeout: float | None = None, progress: Callable[[], object] = lambda: None
) -> Completion | None:
    """The layer with the fewest opposite rows (and unit rows for rank) that make it injective.

    >>> three = Layer.of([[1, 0], [0, 1], [-1, -1]], [0, 0, 0])
    >>> completion(three).n_added
    2
    """
    limit = Limit(None, timeout)
    full = _of_full_rank(layer)
    directions: list[Vector] = []
    while True:
        chosen = _smallest_meeting_set(full, directions)
        completed = _with_opposites(full, chosen)
        answer = layer_injective(
            completed.weights, completed.bias, timeout=limit.remaining(), progress=progress
        )
        if isinstance(answer, LayerUndecided):
            return None
        if not isinstance(answer, Collision):
            return Completion(completed, completed.n_outputs - layer.n_outputs)
        directions.append(tuple(a - b for a, b in zip(answer.x, answer.y, strict=True)))


def _of_full_rank(layer: Layer) -> Layer:
    """The layer with unit rows added until its rows span."""
    rows, bias = list(layer.weights.rows()), list(layer.bias)
    n = layer.n_inputs
    have = rank(layer.weights)
    for unit in Matrix.identity(n).rows():
        if have == n:
            break
        more = rank(Matrix([*rows, unit]))
        if more > have:
            rows.append(unit)
            bias.append(ZERO)
            have = more
    return Layer.of(Matrix(rows), bias)


def _with_opposites(layer: Layer, chosen: Sequence[int]) -> Layer:
    opposite = [tuple(-w for w in layer.affine.row(j)) for j in chosen]
    rows = [*layer.affine.rows(), *opposite]
    return Layer.of(Matrix([row[:-1] for row in rows]), [row[-1] for row in rows])


def _smallest_meeting_set(layer: Layer, directions: Sequence[Vector]) -> tuple[int, ...]:
    """A smallest set of rows that has, for every direction v, a row with w·v ≠ 0.

    The rows span, so that n of them always do: the depth of the search is at most n.
    """
    rows = layer.weights.rows()
    seen = [frozenset(j for j, w in enumerate(rows) if dot(w, v)) for v in directions]
    size = 0
    while (found := _meeting_set(seen, size)) is None:
        size += 1
    return tuple(sorted(found))


def _meeting_set(sets: Sequence[frozenset[int]], size: int) -> frozenset[int] | None:
    """A set of at most ``size`` elements that meets all sets, if there is one."""
    stack: list[frozenset[int]] = [frozenset()]
    while stack:
        chosen = stack.pop()
        missed = next((s for s in sets if not s & chosen), None)
        if missed is None:
            return chosen
        if len(chosen) < size:
            stack += [chosen | {j} for j in sorted(missed, reverse=True)]
    return None


def random_injective_layer(m: int, n: int, seed: int) -> Layer:
    """An m × n layer, m ≥ 2n: [B; −DB] for a random B, and random rows, in random order."""
    if m < 2 * n:
        raise InputError(f"{m} rows for {n} inputs: fewer than {2 * n} are never injective")
    rng = random.Random(f"injective {m} {n} {seed}")
    while rank(basis := _random_matrix(rng, n, n)) < n:
        pass
    pairs = minimal_layer(basis, [fmpq(rng.randint(1, LARGEST)) for _ in range(n)])
    rows = [*pairs.weights.rows(), *_random_matrix(rng, m - 2 * n, n).rows()]
    rng.shuffle(rows)
    return Layer.of(Matrix(rows), [ZERO] * m)


def _random_matrix(rng: random.Random, m: int, n: int) -> Matrix:
    return Matrix([[rng.randint(-LARGEST, LARGEST) for _ in range(n)] for _ in range(m)], n)


def random_layer(m: int, n: int, seed: int) -> Layer:
    """An m × n layer without bias whose entries are integers of one digit."""
    return Layer.of(_random_matrix(random.Random(f"{m} {n} {seed}"), m, n), [ZERO] * m)


@dataclass(frozen=True)
class Fraction:
    """How many of so many random m × n layers were proved injective, and how many were not."""

    m: int
    n: int
    n_injective: int
    n_not: int
    n_undecided: int


def injective_fractions(
    n: int,
    rows: Sequence[int],
    samples: int,
    seed: int = 0,
    *,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
) -> list[Fraction]:
    """For each number of rows, how many random layers are injective: exact, and the same
    for the same seed.
    """
    limit = Limit(None, timeout)
    table = []
    for m in rows:
        counts = {True: 0, False: 0, None: 0}
        for k in range(samples):
            layer = random_layer(m, n, seed * samples + k)
            answer = layer_injective(layer.weights, layer.bias, timeout=limit.remaining())
            progress()
            is_undecided = isinstance(answer, LayerUndecided)
            counts[None if is_undecided else not isinstance(answer, Collision)] += 1
        table.append(Fraction(m, n, counts[True], counts[False], counts[None]))
    return table
