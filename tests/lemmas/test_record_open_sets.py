"""What is classed as false fails on more than a null set: near the instances below, everywhere.

Each entry moves all numbers that the statement leaves free, independently, and what comes out is a
counterexample again.  Example 1 of S003 is about eight fixed kernels, so that nothing is free.
"""

from collections.abc import Callable
from random import Random

import pytest
from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, Vector, dot, vector
from exactrelu.lemmas.examine import Counterexample, examine
from exactrelu.lemmas.phuong_lampert.theorem import shifted
from exactrelu.lemmas.record import STATEMENTS, load_record
from exactrelu.lemmas.statement import Instance, Statement
from exactrelu.network.network import Layer, Network, local_affine_map, trace

RECORD = load_record()
Draw = Callable[[Random], Instance]


def kept(name: str) -> Instance:
    instance = RECORD[name].instance()
    assert instance is not None
    return instance


def near(
    rng: Random, network: Network, *, fixed: tuple[int, ...] = (), has_bias: bool = True
) -> Network:
    """The network with its numbers moved by up to 1/100, in all layers but the fixed ones."""

    def moved(row: Vector) -> Vector:
        n = len(row) - (not has_bias)
        return (*(a + fmpq(rng.randint(-999, 999), 99_999) for a in row[:n]), *row[n:])

    layers = (
        layer if l in fixed else Layer(Matrix([moved(row) for row in layer.affine]))
        for l, layer in enumerate(network.layers)
    )
    return Network(tuple(layers))


def moving(instance: Instance, *, fixed: tuple[int, ...] = (), has_bias: bool = True) -> Draw:
    """Draws the instance with its network N moved."""
    N = instance.network()
    return lambda rng: instance.replaced("N", near(rng, N, fixed=fixed, has_bias=has_bias))


def layer(W: list[list[int]], b: list[object]) -> Network:
    """A layer, with an output that is not used."""
    return Network.from_arrays([W, [[0] * len(b)]], [b, [0]])


def constraints(rng: Random) -> Instance:
    """Points of B_z moved along ∇z, and one more solution of the system of rank n_in = 2."""
    instance = kept("S000-constraints")
    N = near(rng, instance.network())
    points = []
    for p in instance.matrix("P"):
        found = local_affine_map(N, trace(N, p).pattern)
        g = found.matrix.row(0)
        t = trace(N, p).output[0] / dot(g, g)
        points.append(tuple(a - t * b for a, b in zip(p, g, strict=True)))
    first, second = (layer.weights for layer in N.layers)
    v = [tuple(w * a for a in row) for row, w in zip(first, second.row(0), strict=True)]

    def det(i: int, j: int) -> fmpq:
        return v[i][0] * v[j][1] - v[i][1] * v[j][0]

    u = (ONE, 1 + det(1, 2), 1 + det(2, 0), 1 + det(0, 1))
    return Instance.of(N=N, P=Matrix(points), u=u)


def theorem_a1(rng: Random) -> Instance:
    """Layers 2 and 3 of θ moved, and a bias of η shifted; here the first layer is s(x)."""
    instance = kept("S001-theorem-A1")
    theta = near(rng, instance.network("theta"), fixed=(0,))
    return instance.replaced("theta", theta).replaced("eta", shifted(theta, 1))


def proposition_4(rng: Random) -> Instance:
    """Two linear neurons with output weights of one sign, and one neuron that does for both."""
    instance = kept("S002-proposition-4")
    A = near(rng, instance.network("A"))
    first, second, last = A.layers
    *weights, bias = last.affine.row(0)
    merged = tuple(
        -weights[0] * a - weights[1] * b for a, b in zip(*second.affine.rows(), strict=True)
    )
    dead = near(rng, Network((Layer(Matrix([[-1, -1, -1]])),))).layers[0].affine.row(0)
    rows = Layer(Matrix([dead, merged]))
    B = Network((first, rows, Layer(Matrix([[fmpq(3, 2), -1, bias]]))))
    return Instance.of(A=A, B=B)


def procedure(rng: Random) -> Instance:
    """All neurons of layer 2 dead: both functions are the constant b3."""
    instance = kept("S002-procedure")
    networks = {
        name: near(rng, network, fixed=(2,)) for name, network in instance.networks().items()
    }
    return Instance(networks)


def deep(W: list[list[int]], b: list[int]) -> Network:
    """s(x + 1), s(1 − x), then another layer that takes both, far from its kinks."""
    unit = [[1, 0], [0, 1]]
    return Network.from_arrays([[[1], [-1]], W, unit], [[1, 1], b, [0, 0]])


COVERING = layer([[1], [-1]], [1, fmpq(-1, 2)])
DRAWS: dict[str, Draw] = {
    "S000-constraints": constraints,
    "S001-condition-3": moving(kept("S001-condition-3")),
    "S001-lemma-3": moving(kept("S001-lemma-3")),
    "S001-one-piece": moving(kept("S001-one-piece")),
    "S001-theorem-A1": theorem_a1,
    "S002-proposition-4": proposition_4,
    "S002-procedure": procedure,
    "S003-lemma-1": moving(Instance.of(N=COVERING), fixed=(1,)),
    "S003-corollary-1": moving(
        Instance.of(N=Network.from_arrays([[[1], [-1]], [[1, 1]]], [[1, 1], [0]]))
    ),
    "S003-kernel-count": moving(kept("S003-kernel-count"), fixed=(1,), has_bias=False),
    "S003-renormalization": moving(
        Instance.of(N=deep([[1, 0], [0, 1]], [1, 1]), c=ONE, t=vector((-5, -5)))
    ),
    "S003-spectral-normalization": moving(
        Instance.of(N=deep([[4, 0], [0, 4]], [-1, -1]), c=fmpq(1, 8), t=vector((0, 0)))
    ),
    "S003-weight-normalization": moving(Instance.of(N=COVERING, d=vector((4, 1))), fixed=(1,)),
    "S003-theorem-4-wedges": moving(kept("S003-theorem-4-wedges"), fixed=(1,), has_bias=False),
    "S004-distinct-maps": moving(
        Instance.of(
            N=Network.from_arrays([[[1]], [[-1]], [[1]]], [[0], [-1], [0]]),
            p=vector([-1]),
            q=vector([1]),
        )
    ),
    "S004-width-two": moving(kept("S004-width-two")),
}


def test_they_are_the_false_ones() -> None:
    judged = {
        name
        for name, statement in STATEMENTS.items()
        if isinstance(statement, Statement)
        and statement.judgement is not None
        and statement.judgement.name == "false"
    }
    assert judged == {*DRAWS, "S003-example-1"}


@pytest.mark.parametrize("name", DRAWS)
def test_every_instance_nearby_is_a_counterexample(name: str) -> None:
    statement = STATEMENTS[name]
    assert isinstance(statement, Statement)
    for seed in range(8):
        found = examine(statement, DRAWS[name](Random(seed)))
        assert isinstance(found, Counterexample), (seed, found)
