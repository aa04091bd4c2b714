"""Where instances come from: all small networks modulo symmetry, random ones, altered ones.

Permuting the hidden neurons of a layer permutes the rows of W_l and the columns of W_{l+1}, so
that one network of each class has its hidden rows [w|b] in nondecreasing order: only those are
listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, pairwise, product
from random import Random

from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, dot, vector
from exactrelu.lemmas.statement import Instance, Level
from exactrelu.network.network import Layer, Network, evaluate_batch, trace

#: Weights of the exhaustive levels.
UNITS = (-1, 0, 1)
TWOS = (-2, -1, 0, 1, 2)


def small_networks(widths: Sequence[int], entries: Sequence[int] = UNITS) -> Iterator[Network]:
    """All networks of the widths with weights and biases among ``entries``, modulo permutation."""
    choices: list[list[Layer]] = []
    for l, (before, after) in enumerate(pairwise(widths), 1):
        rows = list(product(entries, repeat=before + 1))
        is_last = l == len(widths) - 1
        layers = (
            product(rows, repeat=after) if is_last else combinations_with_replacement(rows, after)
        )
        choices.append([Layer(Matrix([vector(row) for row in layer])) for layer in layers])
    for chosen in product(*choices):
        yield Network(chosen)


def small_matrices(n_rows: int, n_columns: int, entries: Sequence[int] = UNITS) -> Iterator[Matrix]:
    """All matrices with the entries, modulo permutation of rows."""
    rows = list(product(entries, repeat=n_columns))
    for chosen in combinations_with_replacement(rows, n_rows):
        yield Matrix([vector(row) for row in chosen])


def network_levels(
    widths: Iterable[Sequence[int]], entries: Sequence[int] = UNITS, name: str = "N"
) -> tuple[Level, ...]:
    """A level for each architecture: all its networks with the entries."""

    def level(n: tuple[int, ...]) -> Level:
        return Level(
            bound(n, entries), lambda: (Instance({name: N}) for N in small_networks(n, entries))
        )

    return tuple(level(tuple(n)) for n in widths)


def bound(widths: Sequence[int], entries: Sequence[int]) -> str:
    """The description of a level: widths and entries."""
    return f"widths {'-'.join(map(str, widths))}, {entries_text(entries)}"


def entries_text(entries: Sequence[int]) -> str:
    """``entries -1..1``, or all of them if some integer between is missing."""
    first, last = min(entries), max(entries)
    if len(set(entries)) == last - first + 1:
        return f"entries {first}..{last}"
    return f"entries {', '.join(map(str, entries))}"


def equal_pairs(
    networks: Callable[[], Iterator[Network]], points: Sequence[Vector]
) -> Iterator[tuple[Network, Network]]:
    """Ordered pairs of different networks that agree at the points: few are not the same function.

    Networks are put into buckets by their values, so that the work is that of evaluating each
    once, not that of comparing each with each.
    """
    buckets: dict[tuple[Vector, ...], list[Network]] = {}
    for network in networks():
        values = tuple(evaluate_batch(network, points))
        seen = buckets.setdefault(values, [])
        for other in seen:
            yield other, network
            yield network, other
        seen.append(network)


def grid(dimension: int, radius: int = 2) -> list[Vector]:
    """Integer points, and one that is not on any hyperplane with small coefficients."""
    corners = product(range(-radius, radius + 1), repeat=dimension)
    odd = tuple(fmpq(7 * i + 1, 3 * i + 5) for i in range(1, dimension + 1))
    return [*map(vector, corners), odd]


def random_number(rng: Random) -> fmpq:
    """Small, often 0 or ±1, sometimes a fraction."""
    kind = rng.random()
    if kind < 0.25:
        return fmpq(0)
    if kind < 0.6:
        return fmpq(rng.choice((-1, 1)))
    numerator = rng.randint(-6, 6)
    return fmpq(numerator, rng.choice((2, 3, 4))) if kind > 0.85 else fmpq(numerator)


def random_vector(rng: Random, n: int) -> Vector:
    """A vector of such numbers."""
    return tuple(random_number(rng) for _ in range(n))


def random_rows(rng: Random, n_rows: int, n_columns: int) -> Matrix:
    """Rows of which some are 0, equal, parallel or opposite to another one."""
    rows: list[Vector] = []
    for _ in range(n_rows):
        kind = rng.random()
        if rows and kind < 0.2:
            factor = rng.choice((-2, -1, -1, 1, 2))
            rows.append(tuple(factor * entry for entry in rng.choice(rows)))
        elif kind < 0.25:
            rows.append((fmpq(0),) * n_columns)
        else:
            rows.append(random_vector(rng, n_columns))
    return Matrix(rows, n_columns=n_columns)


def random_network(rng: Random, widths: Sequence[int]) -> Network:
    """A network of the widths with such rows; now and then a layer is dead."""
    layers = []
    for before, after in pairwise(widths):
        affine = random_rows(rng, after, before + 1)
        if rng.random() < 0.03:
            affine = Matrix([tuple(-abs(entry) for entry in row) for row in affine])
        layers.append(Layer(affine))
    return Network(tuple(layers))


def random_networks(
    widths: Sequence[Sequence[int]], name: str = "N"
) -> Callable[[Random], Instance]:
    """Draws a network of one of the architectures."""
    return lambda rng: Instance({name: random_network(rng, rng.choice(widths))})


def altered(rng: Random, instance: Instance) -> Instance:
    """The instance with a small change in one of its networks, matrices or vectors."""
    name = rng.choice(sorted(instance.values))
    value = instance.values[name]
    if isinstance(value, Network):
        return instance.replaced(name, altered_network(rng, value))
    if isinstance(value, Matrix):
        return instance.replaced(name, _altered_matrix(rng, value))
    if isinstance(value, tuple):
        return instance.replaced(name, _altered_matrix(rng, Matrix([value])).row(0))
    return instance


def altered_network(rng: Random, network: Network) -> Network:
    """One number changed, one row copied or turned around, or a bias that makes a tie."""
    l = rng.randrange(len(network.layers))
    layer = network.layers[l]
    if rng.random() < 0.3:
        x = tuple(fmpq(rng.randint(-2, 2)) for _ in range(network.n_inputs))
        inputs = (
            x if l == 0 else tuple(max(y, fmpq(0)) for y in trace(network, x).preactivations[l - 1])
        )
        i = rng.randrange(layer.n_outputs)
        rows = list(layer.affine)
        rows[i] = (*rows[i][:-1], -dot(rows[i][:-1], inputs))
        changed = Matrix(rows)
    else:
        changed = _altered_matrix(rng, layer.affine)
    return Network((*network.layers[:l], Layer(changed), *network.layers[l + 1 :]))


def _altered_matrix(rng: Random, A: Matrix) -> Matrix:
    rows = list(A)
    i = rng.randrange(A.n_rows)
    if A.n_rows > 1 and rng.random() < 0.3:
        factor = rng.choice((-1, 1))
        rows[i] = tuple(factor * entry for entry in rng.choice(rows))
    else:
        j = rng.randrange(A.n_columns)
        rows[i] = (*rows[i][:j], random_number(rng), *rows[i][j + 1 :])
    return Matrix(rows)
