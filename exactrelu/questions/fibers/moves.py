"""Moving inside a simple stratum: biases, GL_k, and random members (theory 1.4).

The linear neurons (V_L, W_L, b_L) of a member can be changed in two ways without changing
the function: b_L + t with output bias c − V_L t, while b_L + t ≥ 0; and (V_L G⁻¹, G W_L, G b_L) for
G ∈ GL_k, while the rows stay ≥ 0.  If rank A_S = k, both together reach the whole stratum.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.exact.linear import inverse, rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, dot
from exactrelu.network.network import Layer, Network
from exactrelu.questions.fibers.strata import Stratum
from exactrelu.questions.fibers.target import Target


def linear_places(target: Target, stratum: Stratum) -> tuple[int, ...]:
    """The indices of the linear neurons of a member."""
    layout = stratum.layout(target)
    return tuple(i for i, neuron in enumerate(layout) if neuron.kind == "linear")


def translate(network: Network, places: Sequence[int], t: Sequence[fmpq]) -> Network:
    """The biases of the linear neurons moved by t, the output bias moved back."""
    if len(t) != len(places):
        raise InputError(f"{len(t)} shifts for {len(places)} linear neurons")
    first, last = network.layers
    rows = [list(row) for row in first.affine.rows()]
    for i, shift in zip(places, t, strict=True):
        rows[i][-1] += shift
        if any(x < 0 for x in rows[i]) or not any(rows[i]):
            least = first.bias[i]
            raise InputError(
                f"{network.neuron_name(1, i)}: a shift by {shift} leaves the component, "
                f"the bias is {least}"
            )
    out = [[*row[:-1], row[-1] - dot([row[i] for i in places], t)] for row in last.affine.rows()]
    return Network((Layer(Matrix(rows)), Layer(Matrix(out))), network.name)


def act(network: Network, places: Sequence[int], G: Matrix) -> Network:
    """(V_L G⁻¹, G W_L, G b_L) for an invertible G that keeps the rows ≥ 0."""
    k = len(places)
    if G.shape != (k, k):
        raise InputError(f"a {G.n_rows} × {G.n_columns} matrix for {k} linear neurons")
    first, last = network.layers
    rows = [list(row) for row in first.affine.rows()]
    moved = G @ first.affine.take(rows=places)
    columns = last.weights.take(columns=places) @ inverse(G)
    for number, i in enumerate(places):
        rows[i] = list(moved.row(number))
        if any(x < 0 for x in rows[i]):
            name = network.neuron_name(1, i)
            raise InputError(f"{name}: the matrix leaves the component, a weight becomes negative")
    out = [list(row) for row in last.affine.rows()]
    for o, row in enumerate(out):
        for number, i in enumerate(places):
            row[i] = columns[o, number]
    return Network((Layer(Matrix(rows)), Layer(Matrix(out))), network.name)


def random_member(network: Network, places: Sequence[int], rng: Random) -> Network:
    """Another member of small height in the stratum of ``network``."""
    k = len(places)
    if k == 0:
        return network
    first = network.layers[0]
    weights = first.affine.take(rows=places)
    # Small matrices that keep the rows positive are few: then nonnegative ones.
    for attempt in range(60):
        low = -2 if attempt < 40 else 0
        G = Matrix([[rng.randint(low, 3) for _ in range(k)] for _ in range(k)])
        if all(x >= 0 for x in (G @ weights).entries()) and rank(G) == k:
            network = act(network, places, G)
            break
    shifts = []
    for i in places:
        row = network.layers[0].affine.row(i)
        new = fmpq(rng.randint(0, 6), rng.randint(1, 3))
        shifts.append((new if any(row[:-1]) or new > 0 else ONE) - row[-1])
    return translate(network, places, shifts)
