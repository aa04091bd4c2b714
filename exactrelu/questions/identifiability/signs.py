"""The sign theorem for three-layer bottlenecks, n_0 ≥ n_1 (theory 3.5), and its volume (3.6).

A generic network is *not* identifiable iff [W_2|b_2] has an all-negative row (a dead
neuron), an all-positive row (a linear one), or a column i ≤ n_1 such that every row is
positive at i and negative elsewhere, its bias included (H_i is hidden).  This is for
n_1 ≥ 2.  For n_1 = 1 there is a fourth case, all rows (−|+): the network has a mirror image
[S002-E02].  Signs alone decide, so that a fraction of all sign patterns is identifiable.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.network.hiding import hides
from exactrelu.network.network import Network


@dataclass(frozen=True)
class Obstruction:
    """Why a sign pattern is not identifiable; neurons from 0.

    ``dead`` and ``linear`` name neurons of layer 2, ``hidden`` one of layer 1.
    """

    kind: str
    neuron: int

    def text(self) -> str:
        i = self.neuron + 1
        return {
            "dead": f"neuron (2,{i}) is dead: its row of [W2|b2] is all negative",
            "linear": f"neuron (2,{i}) is linear: its row of [W2|b2] is all positive",
            "hidden": f"layer 2 hides neuron (1,{i}): positive at {i}, negative elsewhere",
            "mirror": "one neuron in layer 1 and all rows of [W2|b2] are (−|+): a mirror image",
        }[self.kind]


def obstructions(network: Network) -> tuple[Obstruction, ...]:
    """What keeps a three-layer network from being identifiable, by the signs of [W_2|b_2]."""
    rows = network.layers[1].affine.rows()
    found = [Obstruction("dead", j) for j, row in enumerate(rows) if all(x < 0 for x in row)]
    found += [Obstruction("linear", j) for j, row in enumerate(rows) if all(x > 0 for x in row)]
    n_1 = len(rows[0]) - 1
    found += [Obstruction("hidden", i) for i in range(n_1) if all(hides(row, i) for row in rows)]
    if n_1 == 1 and all(w < 0 < b for w, b in rows):
        found.append(Obstruction("mirror", 0))
    return tuple(found)


def theorem_5(network: Network) -> list[str]:
    """The conditions of the published theorem that hold: dead, linear, hide1, hide2, …

    >>> net = Network.from_arrays(
    ...     [[[1, 0], [0, 1]], [[1, -1], [2, -1]], [[1, 1]]], [[0, 0], [-1, -3], [0]])
    >>> theorem_5(net)
    ['hide1']
    """
    names = {
        "dead": "dead",
        "linear": "linear",
    }
    found = [
        names.get(o.kind, f"hide{o.neuron + 1}")
        for o in obstructions(network)
        if o.kind != "mirror"
    ]
    return list(dict.fromkeys(found))


@dataclass(frozen=True)
class Volume:
    """The identifiable fraction of a ball around 0, and the published bounds of it.

    For n_1 = 1 the published theorem counts too much, and the bounds need not hold.
    """

    widths: tuple[int, int, int, int]
    fraction: fmpq
    published_lower: fmpq
    published_upper: fmpq


def volume(widths: tuple[int, ...]) -> Volume:
    """The exact identifiable fraction of the parameters of a bottleneck architecture.

    >>> volume((2, 2, 2, 1)).fraction
    17/32
    """
    if len(widths) != 4 or min(widths) < 1 or widths[1] > widths[0]:
        shown = ",".join(map(str, widths))
        raise InputError(f"architecture {shown}: expected n0,n1,n2,n3 with n0 >= n1 >= 1")
    n_0, n_1, n_2, n_3 = widths
    fraction = sign_fraction(n_1, n_2) if n_1 > 1 else fmpq(2**n_2 - 2, 4**n_2)
    row = fmpq(1, 2 ** (n_1 + 1))
    lower = 1 - 2 * n_2 * row - n_1 * row**n_2
    return Volume((n_0, n_1, n_2, n_3), fraction, lower, (1 - row) ** n_2)


def sign_fraction(n_1: int, n_2: int) -> fmpq:
    """The fraction of sign patterns that the three published conditions leave.

    All n_2 rows are neither − nor +, but not all of them the same hiding row, of which
    there are n_1.
    """
    return fmpq((2 ** (n_1 + 1) - 2) ** n_2 - n_1, 2 ** ((n_1 + 1) * n_2))


def count_by_signs(n_1: int, n_2: int) -> tuple[int, int]:
    """Identifiable sign patterns and all of them, by trying each one; for small widths."""
    rows = list(product((-1, 1), repeat=n_1 + 1))
    n_identifiable = 0
    for pattern in product(rows, repeat=n_2):
        network = Network.from_arrays(
            [[[0]] * n_1, [row[:-1] for row in pattern], [[0] * n_2]],
            [[0] * n_1, [row[-1] for row in pattern], [0]],
        )
        n_identifiable += not obstructions(network)
    return n_identifiable, len(rows) ** n_2
