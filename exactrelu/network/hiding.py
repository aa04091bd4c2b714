"""Hidden hyperplanes of a first layer, and the symmetries that move them (theory 3.1–3.3).

Neuron j of the next layer *hides* neuron i if its weight from i is positive, and all its other
weights and its bias are negative.  Where all neurons of the next layer that are not dead
hide i, the hyperplane of i is invisible, and translations move it:

T_i:  b_i + t  and  b'_j − t·w_ji,  t > max_j b'_j / w_ji  (negative).

If just one neuron j of the next layer is live, flips act too: for A not containing i,
row a becomes −row a for a in A, and row i becomes row i − Σ_A (c_a/w)·row a, where w = w_ji
and c_a = −w_ja.  With w = c_a = 1 this is M_A = I − Σ_A (2e_a + e_i)e_aᵀ, and then
M_A M_B = M_{A xor B}.

Layers and neurons are counted from 1: ``layer`` is that of i, ``layer`` + 1 the next one.  Only
the functions on rows, at the end, have indices from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice

from flint import fmpq

from exactrelu.display import Shown
from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import ONE, ZERO, Vector, rational
from exactrelu.network.network import Layer, Network, plain


def is_dead_row(row: Vector) -> bool:
    """Whether a neuron whose inputs are activations is 0 by its signs alone."""
    return all(entry <= 0 for entry in row)


def is_linear_row(row: Vector) -> bool:
    """Whether ReLU does not change such a neuron, by its signs alone."""
    return all(entry >= 0 for entry in row)


def hides(row: Vector, i: int) -> bool:
    """Whether a neuron with the row [w|b] hides neuron i of the layer before."""
    return row[i] > 0 and all(entry < 0 for k, entry in enumerate(row) if k != i)


@dataclass(frozen=True, repr=False)
class Hiding(Outward, Shown):
    """Neuron ``hidden`` of hidden layer ``layer`` is hidden by all ``live`` neurons of the next.

    ``lower``: translations by t > lower keep the function, and at t = lower still do.
    """

    network: Network
    layer: int
    hidden: int
    live: tuple[int, ...]
    lower: fmpq

    def translate(self, t: object, live_only: bool = True) -> Network:
        """T_i by t; with ``live_only`` the dead neurons of the next layer stay as they are."""
        step = rational(t, "t")
        if step < self.lower:
            raise InputError(f"t = {step}: expected at least {self.lower}")
        here, after = self._rows
        moved = [j - 1 for j in self.live] if live_only else range(len(after))
        new = translated(here, after, self.hidden - 1, step, moved)
        return replaced(self.network, self.layer - 1, *new)

    def flip(self, neurons: Iterable[int]) -> Network:
        """M_A for a set A of other neurons, where just one neuron of the next layer is live.

        >>> net = Network.from_arrays(
        ...     [[[1, 0], [0, 1]], [[1, -1]], [[1]]], [[0, 0], [-1], [0]])
        >>> hiding(net).flip([2]).layers[0].weights
        Matrix([[1, -1], [0, -1]])
        """
        chosen = sorted(set(neurons))
        if chosen and len(self.live) != 1:
            raise InputError(f"{len(self.live)} live neurons: flips need exactly one")
        rows, after = self._rows
        if self.hidden in chosen or any(not 1 <= a <= len(rows) for a in chosen):
            raise InputError(f"flips of {chosen}: expected other neurons than {self.hidden}")
        indices = [a - 1 for a in chosen]
        if chosen:
            rows = flipped(rows, after[self.live[0] - 1], self.hidden - 1, indices)
        return replaced(self.network, self.layer - 1, rows, after)

    @property
    def _rows(self) -> tuple[Sequence[Vector], Sequence[Vector]]:
        """The rows of the layer and of the next one."""
        here, after = self.network.layers[self.layer - 1 : self.layer + 1]
        return here.affine.flint_rows(), after.affine.flint_rows()

    def all_flips(self, most: int | None = None) -> list[tuple[int, ...]]:
        """Every A, by size: 2^(n1 − 1) of them with one live neuron, else only the empty one.

        At most ``most`` of them, if that is given.
        """
        if len(self.live) != 1:
            return [()]
        width = self.network.hidden_widths[self.layer - 1]
        others = [a for a in range(1, width + 1) if a != self.hidden]
        by_size = (combinations(others, r) for r in range(len(others) + 1))
        return list(islice(chain.from_iterable(by_size), most))


def translated(
    here: Sequence[Vector],
    after: Sequence[Vector],
    hidden: int,
    shift: fmpq,
    moved: Iterable[int] | None = None,
) -> tuple[list[Vector], list[Vector]]:
    """The rows of both layers after T_i, where ``moved`` are the next neurons that see it."""
    new, later = list(here), list(after)
    new[hidden] = (*here[hidden][:-1], here[hidden][-1] + shift)
    for j in range(len(after)) if moved is None else moved:
        later[j] = (*after[j][:-1], after[j][-1] - shift * after[j][hidden])
    return new, later


def flipped(
    rows: Sequence[Vector], weights: Vector, hidden: int, neurons: Iterable[int]
) -> list[Vector]:
    """The rows of a layer after M_A; ``weights`` is a row of the next layer."""
    new = list(rows)
    for a in neurons:
        factor = weights[a] / weights[hidden]
        new[hidden] = tuple(x + factor * y for x, y in zip(new[hidden], rows[a], strict=True))
        new[a] = tuple(-x for x in rows[a])
    return new


def replaced(
    network: Network,
    layer: int,
    here: Sequence[Sequence[fmpq]],
    after: Sequence[Sequence[fmpq]],
) -> Network:
    """The network with other rows in two neighbouring layers."""
    new = (Layer(Matrix(here)), Layer(Matrix(after)))
    return Network((*network.layers[:layer], *new, *network.layers[layer + 2 :]), network.name)


def hiding(network: Network, *, layer: int = 1) -> Hiding | None:
    """The hidden neuron that all live neurons of the next layer hide, if there is one.

    Neuron j hides i if its weight of i is positive, its other weights and its bias are negative:
    where i bends, j is 0.  Then i can be moved without changing the function.

    Parameters
    ----------
    network : Network
        The network.
    layer : int, optional
        The hidden layer, from 1.

    Returns
    -------
    Hiding or None
        ``hidden`` and ``live``, neurons from 1; ``lower``, how far i can be moved;
        :meth:`translate` does it.

    References
    ----------
    *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), Section 5.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays(
    ...     [[[1, 0], [0, 1]], [[1, -1], [2, -1]], [[1, 1]]], [[0, 0], [-1, -3], [0]])
    >>> found = er.identifiability.hiding(net)
    >>> found.hidden, found.live, found.lower
    (1, (1, 2), -1)
    >>> er.is_equivalent(net, found.translate(1)).answer
    True
    """
    network = plain(network, "hiding")
    if layer < 1:
        raise InputError(f"layer {layer}: layers are counted from 1")
    if layer > len(network.layers) - 2:
        return None
    rows = network.layers[layer].affine.flint_rows()
    live = [j for j, row in enumerate(rows) if not is_dead_row(row)]
    for i in range(len(rows[0]) - 1):
        if live and all(hides(rows[j], i) for j in live):
            lower = max(rows[j][-1] / rows[j][i] for j in live)
            return Hiding(network, layer, i + 1, tuple(j + 1 for j in live), lower)
    return None


def flip_matrix(n: int, hidden: int, flipped: Iterable[int]) -> Matrix:
    """M_A of the normalised network, W2 = (1 at ``hidden``, −1 elsewhere).

    >>> A, B = flip_matrix(3, 0, [1]), flip_matrix(3, 0, [1, 2])
    >>> A @ B == flip_matrix(3, 0, [2])
    True
    """
    rows = [[ONE if i == j else ZERO for j in range(n)] for i in range(n)]
    for a in flipped:
        rows[a][a] -= 2
        rows[hidden][a] -= 1
    return Matrix(rows)
