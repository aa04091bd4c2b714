"""Injective layers by construction (Puthawala et al., Corollary 2; theory 6.3).

[B; −DB] with B invertible and D > 0 diagonal has the least number of rows, 2n; with biases it is
injective iff b'' + D·b' ≥ 0.

*Completion.*  Given W of full column rank, add opposite rows −(w_j, b_j), j in S.  Two points
x ≠ y with one image under W collide after that iff w_j·(x − y) = 0 for all j in S: where an
active row could tell them apart it would have done so before, and of ±(w_j, b_j) one is
active.  So the completion is injective iff S meets, for every such direction v = x − y, the
rows with w_j·v ≠ 0.  Directions are collected one by one from collisions of the completion
so far, and S is always a smallest set that meets all of them; when no collision is
left, no completion by opposite rows has fewer.  If W lacks rank, unit vectors come first.

*Random layers* show how often a layer of so many rows is injective.

Symbols: B → ``basis``, D → ``scales``, S → ``chosen``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Unpack

from flint import fmpq

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Certificate, Found, Verdict
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import InputError, NotPlain
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector, dot, point
from exactrelu.network.network import Layer, Network
from exactrelu.questions.injectivity.layer import LayerProof, LayerUndecided, layer_injective
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words

#: Entries of random layers.
LARGEST = 9


#: Bytes of an entry of a dense matrix of rationals, with what it takes to make it.
ENTRY_BYTES = 48


def need_matrices(m: int, n: int, effort: Effort) -> None:
    """Refuse a network of an m × n layer and the identity that cannot fit in the memory."""
    effort.need(ENTRY_BYTES * m * (m + n), f"a network with {m:,} × {m + n:,} weights")


def as_network(layer: Layer) -> Network:
    """ReLU of a layer, followed by the identity."""
    n = layer.n_outputs
    return Network((layer, Layer.of(Matrix.identity(n), [ZERO] * n)))


def minimal_layer(
    basis: Matrix, *, scales: Sequence[fmpq] | None = None, bias: Vector = ()
) -> Layer:
    """A one-to-one layer [B; −DB] with the least number of rows, twice the inputs.

    Parameters
    ----------
    basis : Matrix
        B, invertible.
    scales : sequence of rationals, optional
        The diagonal of D, positive; 1 by default.
    bias : tuple of rationals, optional
        b' for the rows of B; the others have −D·b'.

    Returns
    -------
    Layer
        The layer.

    References
    ----------
    Puthawala et al., *Globally injective ReLU networks*, Corollary 2.

    Examples
    --------
    >>> import exactrelu as er
    >>> scales = er.matrices.vector([1, 3])
    >>> er.layers.minimal_layer(er.Matrix([[1, 2], [0, 1]]), scales=scales).weights
    Matrix([[1, 2], [0, 1], [-1, -2], [0, -3]])
    """
    n = basis.n_rows
    if basis.shape != (n, n) or rank(basis) < n:
        raise InputError(f"found a {n} × {basis.n_columns} matrix, expected an invertible one")
    scales = [ONE] * n if scales is None else list(scales)
    if len(scales) != n or any(d <= 0 for d in scales):
        raise InputError(f"expected {n} positive scales, one for each row")
    bias = point(bias, n, "bias") if bias else (ZERO,) * n
    opposite = (Matrix.diagonal(scales) @ basis).scale(-1)
    more = tuple(-d * b for d, b in zip(scales, bias, strict=True))
    return Layer.of(basis.above(opposite), (*bias, *more))


@dataclass(frozen=True, repr=False)
class Completion(Found):
    """An injective layer with the rows of another one first.

    ``layer`` and ``n_added`` are None if the work was ``stopped``; it takes at least
    ``n_added_at_least`` rows then.
    """

    layer: Layer | None
    n_added_at_least: int
    stopped: str | None = None

    @property
    def n_added(self) -> int | None:
        """How many rows it takes."""
        return None if self.layer is None else self.n_added_at_least


@question
def completion(
    call: Call[Completion],
    layer: Layer,
    **limits: Unpack[Limits],
) -> Completion:
    """A layer with the fewest opposite rows added that make it one-to-one.

    Parameters
    ----------
    layer : Layer
        The layer; where its rows do not span, unit rows are added first.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Completion
        ``layer``, with the given rows first, and ``n_added``; over a bound ``layer`` is None and at
        least so many are needed.

    References
    ----------
    Puthawala et al., *Globally injective ReLU networks*, Corollary 2.

    Examples
    --------
    >>> import exactrelu as er
    >>> three = er.Layer.of([[1, 0], [0, 1], [-1, -1]], [0, 0, 0])
    >>> er.layers.completion(three).n_added
    2
    """
    effort = call.effort
    if not layer.is_plain:
        units = f"linear unit{'s' * (len(layer.linear) > 1)} {', '.join(map(str, layer.linear))}"
        raise NotPlain(f"the completion is that of a layer of ReLUs; this one has {units}")
    directions: list[Vector] = []
    n_added = 0
    call.knows(lambda stopped: Completion(None, n_added, str(stopped)))
    full = _of_full_rank(layer, effort)
    while True:
        chosen = _smallest_meeting_set(full, directions, effort)
        completed = _with_opposites(full, chosen)
        n_added = completed.n_outputs - layer.n_outputs
        answer = layer_injective(completed.weights, completed.flint_bias, effort=effort)
        if isinstance(answer, LayerProof):
            return Completion(completed, n_added)
        if isinstance(answer, LayerUndecided):
            return Completion(None, n_added, answer.reason)
        directions.append(tuple(a - b for a, b in zip(answer.x, answer.y, strict=True)))


def _of_full_rank(layer: Layer, effort: Effort) -> Layer:
    """The layer with unit rows added until its rows span."""
    rows, bias = list(layer.weights.flint_rows()), list(layer.flint_bias)
    n = layer.n_inputs
    have = rank(layer.weights)
    for unit in Matrix.identity(n).flint_rows():
        effort.spend()
        if have == n:
            break
        more = rank(Matrix([*rows, unit]))
        if more > have:
            rows.append(unit)
            bias.append(ZERO)
            have = more
    return Layer.of(Matrix(rows), bias)


def _with_opposites(layer: Layer, chosen: Sequence[int]) -> Layer:
    opposite = [tuple(-w for w in layer.affine.flint_row(j)) for j in chosen]
    rows = [*layer.affine.flint_rows(), *opposite]
    return Layer.of(Matrix([row[:-1] for row in rows]), [row[-1] for row in rows])


def _smallest_meeting_set(
    layer: Layer, directions: Sequence[Vector], effort: Effort
) -> tuple[int, ...]:
    """A smallest set of rows that has, for every direction v, a row with w·v ≠ 0.

    The rows span, so that n of them always do: the depth of the search is at most n.
    """
    rows = layer.weights.flint_rows()
    seen = [frozenset(j for j, w in enumerate(rows) if dot(w, v)) for v in directions]
    size = 0
    while (found := _meeting_set(seen, size, effort)) is None:
        size += 1
    return tuple(sorted(found))


def _meeting_set(
    sets: Sequence[frozenset[int]], size: int, effort: Effort
) -> frozenset[int] | None:
    """A set of at most ``size`` elements that meets all sets, if there is one."""
    stack: list[frozenset[int]] = [frozenset()]
    while stack:
        effort.spend()
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
    pairs = minimal_layer(basis, scales=[fmpq(rng.randint(1, LARGEST)) for _ in range(n)])
    rows = [*pairs.weights.flint_rows(), *_random_matrix(rng, m - 2 * n, n).flint_rows()]
    rng.shuffle(rows)
    return Layer.of(Matrix(rows), [ZERO] * m)


def _random_matrix(rng: random.Random, m: int, n: int) -> Matrix:
    return Matrix([[rng.randint(-LARGEST, LARGEST) for _ in range(n)] for _ in range(m)], n)


def random_layer(m: int, n: int, seed: int) -> Layer:
    """An m × n layer without bias whose entries are integers of one digit."""
    return Layer.of(_random_matrix(random.Random(f"{m} {n} {seed}"), m, n), [ZERO] * m)


WIDTHS = Part(
    "widths", "its widths", proved=True, claim="network", of=lambda found: found.network.widths
)


@dataclass(frozen=True, repr=False)
class Built(Found):
    """A network that was built, and the verdict that it is what was asked for."""

    PARTS = (WIDTHS,)
    IS_TRUE_OR_FALSE = True

    network: Network
    verdict: Verdict

    @property
    def answer(self) -> bool | None:
        """Whether it is."""
        return self.verdict.answer

    @property
    def reason(self) -> str:
        """Why."""
        return self.verdict.reason

    @property
    def is_complete(self) -> bool:
        """Whether that is known."""
        return self.answer is not None

    @property
    def certificate(self) -> Certificate | None:
        """The proof."""
        return self.verdict.certificate


@dataclass(frozen=True)
class Fraction:
    """How many of so many random m × n layers were proved injective, and how many were not."""

    m: int
    n: int
    n_injective: int
    n_not: int
    n_undecided: int


def _rows(found: FractionTable, _: Words) -> Iterator[str]:
    yield "  m    m/n   injective  not  undecided"
    for row in found.fractions:
        numbers = f"{row.n_injective:10}  {row.n_not:3}  {row.n_undecided:9}"
        yield f"{row.m:3}  {row.m / row.n:5.2f}  {numbers}"


@dataclass(frozen=True, repr=False)
class FractionTable(Found):
    """The fractions for several numbers of rows; ``stopped`` where not all layers were decided."""

    PARTS = (
        Part(
            "table",
            "for each number of `rows` how many layers are `injective`, how many `not`, and how "
            "many are `undecided`",
            of=lambda found: [
                {
                    "rows": row.m,
                    "injective": row.n_injective,
                    "not": row.n_not,
                    "undecided": row.n_undecided,
                }
                for row in found.fractions
            ],
            said=_rows,
            unproved="these numbers",
        ),
    )

    fractions: tuple[Fraction, ...]
    stopped: str | None = None
    samples: int = field(default=0, compare=False)

    def sentence(self, _words: Words = PEOPLE) -> str:
        """How many layers there are, and how many are left."""
        layers = f"{self.samples} random layers of {self.fractions[0].n} inputs"
        n_left = sum(row.n_undecided for row in self.fractions)
        left = "" if self.stopped is None else f"{self.stopped}: {n_left:,} layers left of "
        return f"{left}{layers} for each number of rows"

    def told(self, _question: str, words: Words) -> list[str]:
        """The table, and what is left of it."""
        return [*self.said(words), *([] if self.stopped is None else [self.sentence(words)])]


@question
def injective_fractions(
    call: Call[FractionTable],
    n: int,
    rows: Sequence[int],
    samples: int,
    seed: int = 0,
    **limits: Unpack[Limits],
) -> FractionTable:
    """For each number of rows, how many random layers are injective: exact, and the same
    for the same seed.  Layers that were not decided over a bound are counted as such.
    """
    effort = call.effort
    counts = [(m, {True: 0, False: 0}) for m in rows]

    def table(stopped: Stopped | str | None = None) -> FractionTable:
        pairs = ((m, found[True], found[False]) for m, found in counts)
        rows = tuple(Fraction(m, n, a, b, samples - a - b) for m, a, b in pairs)
        return FractionTable(rows, None if stopped is None else str(stopped), samples)

    call.knows(table)
    effort.expect("layers", len(counts) * samples)
    for m, found in counts:
        for k in range(samples):
            effort.spend("layers")
            layer = random_layer(m, n, seed * samples + k)
            answer = layer_injective(layer.weights, layer.flint_bias, effort=effort)
            if isinstance(answer, LayerUndecided):
                return table(answer.reason)
            found[isinstance(answer, LayerProof)] += 1
    return table()
