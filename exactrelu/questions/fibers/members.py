"""Members of a stratum as networks: from rows of the linear neurons to parameters."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector, common_denominator
from exactrelu.network.network import Layer, Network
from exactrelu.network.shallow import oriented
from exactrelu.questions.fibers.filling import Filling
from exactrelu.questions.fibers.strata import Stratum
from exactrelu.questions.fibers.target import Target


def member(
    target: Target, stratum: Stratum, filling: Filling, biases: Sequence[fmpq], name: str = ""
) -> Network:
    """The network of a filling, with the given biases ≥ 0 of the linear neurons."""
    n, n_outputs = target.n_inputs, target.n_outputs
    zero, ones = (ZERO,) * n_outputs, (ONE,) * n_outputs
    hyperplanes, negatives = _groups(target, stratum, filling)
    rows: list[Vector] = []
    columns: list[Vector] = []
    seen: set[tuple[str, int, int]] = set()
    slope = target.on_orthant
    for neuron in stratum.layout(target):
        group = neuron.group
        if neuron.kind in ("bend", "cancelling"):
            is_bend = neuron.kind == "bend"
            row = target.bends[group].row if is_bend else hyperplanes[group]
            signs = (stratum.bends if is_bend else stratum.cancelling)[group]
            jump = target.bends[group].jump if is_bend else zero
            minus = negatives.get((neuron.kind, group), jump if "+" not in signs else zero)
            total = minus if neuron.sign < 0 else _minus(jump, minus)
            # The first neuron of a side takes all of it, the others nothing.
            key = (neuron.kind, group, neuron.sign)
            column = zero if key in seen else total
            seen.add(key)
            # Coprime integers have smaller numbers than rows of ℓ1 norm 1.
            scale = fmpq(common_denominator(row))
            rows.append(tuple(neuron.sign * scale * x for x in row))
            columns.append(tuple(v / scale for v in column))
        elif neuron.kind == "linear":
            weights = filling.rows[group] if slope else (ZERO,) * n
            rows.append((*weights, biases[group]))
            columns.append(filling.linear[group] if slope else ones)
        else:
            rows.append((*((-ONE if slope else ZERO),) * n, -ONE))
            columns.append(ones)
    base = _base(target, rows, columns)
    bias = _minus(target.affine.column(n), base)
    out = Matrix([[*(c[o] for c in columns), bias[o]] for o in range(n_outputs)])
    return Network((Layer(Matrix(rows, n + 1)), Layer(out)), name)


def _base(target: Target, rows: Sequence[Vector], columns: Sequence[Vector]) -> Vector:
    """The constant of Σ v·s(row) where every h ≤ 0, h the oriented rows."""
    total = [ZERO] * target.n_outputs
    for row, column in zip(rows, columns, strict=True):
        h, factor = oriented(row)
        fixed = not any(row[:-1]) or (target.on_orthant and all(x >= 0 for x in h))
        active = all(x >= 0 for x in row) if fixed else factor < 0
        if active:
            total = [t + row[-1] * v for t, v in zip(total, column, strict=True)]
    return tuple(total)


def _groups(
    target: Target, stratum: Stratum, filling: Filling
) -> tuple[list[Vector], dict[tuple[str, int], Vector]]:
    """A hyperplane for each canceling group, and Σ v over the − side of each mixed group."""
    sums: dict[tuple[str, int], Vector] = {
        ("bend", i): column for i, column in filling.doubled.items()
    }
    # A hyperplane may come with either sign.
    taken = {tuple(s * x for x in bend.row) for bend in target.bends for s in (ONE, -ONE)}
    free = iter(zip(filling.free, filling.cancelling, strict=True))
    rows: list[Vector] = []
    for g, signs in enumerate(stratum.cancelling):
        normal, column = (ONE,) * target.n_inputs, (ZERO,) * target.n_outputs
        if "-" in signs:
            normal, column = next(free)
        # β < 0 < some weight: the hyperplane meets the orthant.
        turn = ONE if any(x > 0 for x in normal) else -ONE
        candidates = ((*(turn * x for x in normal), fmpq(-t)) for t in range(1, len(taken) + 2))
        row, norm = next(
            (tuple(x / norm for x in c), norm)
            for c in candidates
            if tuple(x / (norm := sum(map(abs, c), ZERO)) for x in c) not in taken
        )
        taken |= {row, tuple(-x for x in row)}
        rows.append(row)
        if "-" in signs:
            # N·a = N'·(turn/norm)·a for the row that is used.
            sums["cancelling", g] = tuple(turn * norm * x for x in column)
    return rows, sums


def _minus(a: Vector, b: Vector) -> Vector:
    return tuple(x - y for x, y in zip(a, b, strict=True))
