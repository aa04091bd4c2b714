"""A unit z of layer 2 at a point p where its boundary B_z meets boundaries of layer 1.

Instances have a network N, whose output is z and whose hidden layer is the layer before; the point
p; a direction d, for the two sides p_r = p − εd and p_s = p + εd; and the number h of z' = y_h.
No w_i·d is 0 where y_i(p) = 0, so that for all small ε > 0 each side lies in one cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, dot, vector
from exactrelu.lemmas.families import (
    TWOS,
    UNITS,
    bound,
    grid,
    random_network,
    random_vector,
    small_networks,
)
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.statement import Fact, Family, Level
from exactrelu.lemmas.values import value_fact
from exactrelu.network.evaluate import trace
from exactrelu.network.network import Layer, Network

#: Not orthogonal to a vector of one or two small integers that is not 0.
_ODD = (5, 3, 1)


@dataclass(frozen=True)
class Corner:
    """The cells on the two sides of p, by their active neurons, and ∇z on them."""

    network: Network
    h: int
    preactivations: Vector
    slopes: Vector

    @property
    def n_inputs(self) -> int:
        return self.network.n_inputs

    @property
    def normal(self) -> Vector:
        """∇z'."""
        return self.network.layers[0].weights.row(self.h)

    @property
    def weight(self) -> fmpq:
        """The weight of z' in z."""
        return self.network.layers[1].weights[0, self.h]

    def is_active(self, i: int, side: int) -> bool:
        """Whether neuron i is active at p + side·εd."""
        y = self.preactivations[i]
        return bool(y > 0 or (y == 0 and side * self.slopes[i] > 0))

    def gradient(self, side: int) -> Vector:
        """∇z at p + side·εd."""
        first, second = self.network.layers
        rows = first.weights.rows()
        weights = second.weights.row(0)
        kept = [i for i in range(len(rows)) if self.is_active(i, side)]
        return tuple(
            sum((weights[i] * rows[i][k] for i in kept), ZERO) for k in range(self.n_inputs)
        )


def corner(instance: Instance) -> Corner | None:
    """The corner of an instance; None if z' is not 0 at p, or a side is not in one cell."""
    network, p, d = instance.network(), instance.vector("p"), instance.vector("d")
    h = instance.integer("h")
    first = network.layers[0]
    if h >= first.n_outputs or network.n_outputs != 1:
        return None
    y = trace(network, p).preactivations[0]
    slopes = first.weights.apply(d)
    if y[h] != 0 or any(a == 0 == b for a, b in zip(y, slopes, strict=True)):
        return None
    return Corner(network, h, y, slopes)


def at_corner(
    instance: Instance, more: Callable[[Corner], Iterable[Fact]] = lambda _: ()
) -> Iterator[Fact]:
    """That p is on B_z and on B_z', then what else is asked for."""
    found = corner(instance)
    yield Fact.plain("z'(p) = 0, and each side is in one cell", found is not None)
    if found is not None:
        yield from more(found)
        on_boundary = trace(found.network, instance.vector("p")).output == (ZERO,)
        yield value_fact("z(p) = 0", found.network, instance.vector("p"), on_boundary)


def the_corner(instance: Instance) -> Corner:
    """The corner, where the hypotheses hold."""
    found = corner(instance)
    if found is None:
        raise ValueError("no corner")
    return found


def crossing(corner: Corner) -> Iterator[Fact]:
    """That no other neuron of the layer of z' is 0 at p, and that z depends on z'."""
    zeros = sum(y == 0 for y in corner.preactivations)
    yield Fact.plain("no other boundary of the layer passes through p", zeros == 1)
    yield Fact.plain("the weight of z' in z is not 0", corner.weight != 0)


def are_parallel(left: Vector, right: Vector) -> bool:
    """Whether one vector is a multiple of the other."""
    n = len(left)
    return all(left[i] * right[j] == left[j] * right[i] for i in range(n) for j in range(i))


Complete = Callable[[Instance], Iterable[Instance]]


def _corners(
    networks: Iterable[Network], complete: Complete, points: Sequence[Vector]
) -> Iterator[Instance]:
    """All corners at the points, for one direction and the opposite one."""
    for network in networks:
        n = network.n_inputs
        for p in points:
            found = trace(network, p)
            if found.output != (ZERO,):
                continue
            for h, y in enumerate(found.preactivations[0]):
                if y == 0:
                    for side in (1, -1):
                        d = vector([side * a for a in _ODD[:n]])
                        yield from complete(Instance.of(N=network, p=p, d=d, h=h))


def _random_corner(rng: Random, complete: Complete) -> Instance:
    """A random network, with biases that make z' and z vanish at a random point."""
    n = rng.choice((2, 2, 3))
    network = random_network(rng, (n, rng.randint(1, 3), 1))
    p = random_vector(rng, n)
    h = rng.randrange(network.widths[1])
    first, second = (layer.affine.rows() for layer in network.layers)
    row = first[h][:-1]
    through = [(*r[:-1], -dot(row, p)) if i == h else r for i, r in enumerate(first)]
    layer = Layer(Matrix(through))
    z = trace(Network((layer, network.layers[1])), p).output[0]
    last = Layer(Matrix([(*second[0][:-1], second[0][-1] - z)]))
    network = Network((layer, last))
    d = tuple(fmpq(rng.randint(-5, 5)) for _ in range(n))
    found = list(complete(Instance.of(N=network, p=p, d=d, h=h)))
    return rng.choice(found)


def corners(complete: Complete = lambda instance: (instance,)) -> Family:
    """Corners of small networks; ``complete`` adds what else an instance has."""

    around, origin = grid(2, 1)[:-1], grid(2, 0)[:1]

    def level(
        widths: tuple[int, ...], entries: tuple[int, ...], points: list[Vector], where: str
    ) -> Level:
        return Level(
            f"{bound(widths, entries)}, p {where}",
            lambda: _corners(small_networks(widths, entries), complete, points),
        )

    return Family(
        (
            level((2, 1, 1), UNITS, around, "in -1..1"),
            level((2, 1, 1), TWOS, origin, "= 0"),
            level((2, 2, 1), UNITS, origin, "= 0"),
        ),
        lambda rng: _random_corner(rng, complete),
    )
