"""Lemma 1 of Rolnick & Kording, and their Linear Regions Assumption.

Lemma 1: scaling the incoming weights of a neuron by c > 0 and the outgoing ones by 1/c does not
change the function.

The Linear Regions Assumption: N is another function on the two sides of a boundary B_z'.  The paper
assumes it of its networks.  **Not the paper's**: that generic networks satisfy it.  They do not, on
an open set of weights: where a later layer is inactive nothing is seen, and a whole first-layer
hyperplane may be hidden (theory 3.1, 5) though every unit is active somewhere.  Right for generic
networks at points where every later layer has an active unit (theory 2.4).
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.lemmas.families import (
    UNITS,
    bound,
    grid,
    random_network,
    random_number,
    random_vector,
    small_networks,
)
from exactrelu.lemmas.statement import (
    Fact,
    Family,
    Instance,
    Judgement,
    Level,
    Statement,
    value_fact,
)
from exactrelu.network.network import Layer, Network, trace
from exactrelu.network.symmetry import Symmetry
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.genericity.senses import is_generic

_SOURCE = "Rolnick & Kording, Appendix B"
#: Seconds for one question.
TIMEOUT = 3.0


def scaled(network: Network, l: int, i: int, c: fmpq) -> Network:
    """s_{z,c}(N) for neuron i of hidden layer l, from 0."""
    identity = Symmetry.identity(network)
    factors = [list(layer) for layer in identity.flint_scalings]
    factors[l][i] = c
    return network.transformed(Symmetry(identity.permutations, tuple(map(tuple, factors))))


def _is_neuron(instance: Instance) -> Iterator[Fact]:
    widths = instance.network().hidden_widths
    l, i = instance.integer("l"), instance.integer("i")
    yield Fact.plain("(l, i) is a hidden neuron", l < len(widths) and i < widths[l])
    yield Fact.plain("c > 0", instance.rational("c") > 0)


def _same(instance: Instance) -> Fact:
    network = instance.network()
    l, i = instance.integer("l"), instance.integer("i")
    other = scaled(network, l, i, instance.rational("c"))
    return Fact("N and s(N) are one function", equivalent(network, other, timeout=TIMEOUT))


def _scalings(widths: tuple[int, ...]) -> Level:
    def instances() -> Iterator[Instance]:
        for network in small_networks(widths):
            for l in range(len(widths) - 2):
                yield Instance.of(N=network, l=l, i=0, c=fmpq(2, 3))

    return Level(f"{bound(widths, UNITS)}, c = 2/3", instances)


def _drawn_scaling(rng: Random) -> Instance:
    widths = rng.choice(((1, 2, 1), (2, 2, 2), (2, 2, 2, 1)))
    l = rng.randrange(len(widths) - 2)
    c = abs(random_number(rng)) or ONE
    network = random_network(rng, widths)
    return Instance.of(N=network, l=l, i=rng.randrange(widths[l + 1]), c=c)


SCALING_STATEMENTS = (
    Statement(
        "S000-lemma-1",
        "Rolnick & Kording, Lemma 1",
        "Scaling the incoming weights and the bias of a neuron by c > 0 and its outgoing weights "
        "by 1/c does not change the function.",
        _is_neuron,
        _same,
        Family(
            (_scalings((1, 1, 1)), _scalings((1, 2, 1)), _scalings((1, 1, 1, 1))), _drawn_scaling
        ),
    ),
)


def _zeros(network: Network, p: Vector) -> list[tuple[int, int]]:
    """The hidden units (layer, index), from 0, that are 0 at p."""
    pattern = trace(network, p).pattern
    return [(l, i) for l, signs in enumerate(pattern) for i, s in enumerate(signs) if s == 0]


def _seen(network: Network, p: Vector, l: int, i: int) -> Vector:
    """What an increase of unit i of layer l does to the outputs at p."""
    pattern = trace(network, p).pattern
    effect = network.layers[l + 1].weights.flint_column(i)
    for layer, signs in zip(network.layers[l + 2 :], pattern[l + 1 :], strict=True):
        active = [e if s > 0 else ZERO for e, s in zip(effect, signs, strict=True)]
        effect = layer.weights.flint_apply(active)
    return effect


def _generic_at(instance: Instance) -> Iterator[Fact]:
    network, p = instance.network(), instance.vector("p")
    yield Fact.plain("just one unit is 0 at p", len(_zeros(network, p)) == 1)
    yield value_fact("its boundary passes through p", network, p, True)
    yield Fact("N is generic", is_generic(network, timeout=TIMEOUT))


def _later_active(instance: Instance) -> Iterator[Fact]:
    network, p = instance.network(), instance.vector("p")
    zeros = _zeros(network, p)
    pattern = trace(network, p).pattern
    later = pattern[zeros[0][0] + 1 :] if zeros else ()
    active = all(1 in signs for signs in later)
    yield Fact.plain("every later layer has an active unit at p", active)
    yield from _generic_at(instance)


def _jumps(instance: Instance) -> Fact:
    network, p = instance.network(), instance.vector("p")
    (unit,) = _zeros(network, p)
    return Fact.plain("∇N differs on the two sides of p", any(_seen(network, p, *unit)))


def _at_points(widths: tuple[int, ...]) -> Level:
    return Level(
        f"{bound(widths, UNITS)}, p in -1..1",
        lambda: (
            Instance.of(N=network, p=p)
            for network in small_networks(widths)
            for p in grid(widths[0], 1)[:-1]
        ),
    )


def _drawn_at_point(rng: Random) -> Instance:
    widths = rng.choice(((1, 1, 1), (2, 2, 1), (1, 1, 1, 1), (2, 2, 1, 1), (2, 2, 2, 1)))
    network = random_network(rng, widths)
    return Instance.of(N=network, p=random_vector(rng, widths[0]))


POINTS = Family(tuple(map(_at_points, ((1, 1, 1), (1, 1, 1, 1), (2, 1, 1, 1)))), _drawn_at_point)


def without_fold(network: Network, i: int) -> Network:
    """The network with the linear y_i = s(y_i) − s(−y_i) for s(y_i) in its first layer.

    Across no point of H_i its gradient jumps; so if it is the same function, H_i is invisible.
    """
    first, second = (layer.affine for layer in network.layers[:2])
    opposite = Matrix([tuple(-a for a in first.row(i))])
    column = Matrix.column_vector([-a for a in second.column(i)])
    m = first.n_rows
    wider = second.take(columns=range(m)).beside(column)
    bias = Matrix.column_vector(second.column(m))
    layers = (Layer(first.above(opposite)), Layer(wider.beside(bias)))
    return Network((*layers, *network.layers[2:]))


def _generic_live(instance: Instance) -> Iterator[Fact]:
    network = instance.network()
    n0, n1 = network.widths[:2]
    deep = len(network.layers) == 3 and n0 >= 2 and n1 >= 2 and instance.integer("i") < n1
    yield Fact.plain("two hidden layers, n_0 and n_1 at least 2", deep)
    rows = network.layers[1].affine.rows()
    live = all(any(a > 0 for a in row) for row in rows)
    yield Fact.plain("no row of [W_2|b_2] is nonpositive", live)
    yield Fact("N is generic", is_generic(network, timeout=TIMEOUT))


def _visible_somewhere(instance: Instance) -> Fact:
    network = instance.network()
    other = without_fold(network, instance.integer("i"))
    return Fact.negation(
        "N is not the function without the fold at H_i",
        equivalent(network, other, timeout=TIMEOUT),
    )


def _hyperplanes() -> Iterator[Instance]:
    """The first layer the identity: what is hidden does not depend on it."""
    plane = Layer(Matrix([[1, 0, 0], [0, 1, 0]]))
    for after in small_networks((2, 1, 1)):
        for i in (0, 1):
            yield Instance.of(N=Network((plane, *after.layers)), i=i)


def _drawn_hyperplane(rng: Random) -> Instance:
    network = random_network(rng, rng.choice(((2, 2, 1, 1), (2, 2, 2, 1), (3, 2, 1, 1))))
    return Instance.of(N=network, i=rng.randrange(2))


HYPERPLANES = Family(
    (Level("widths 2-2-1-1, y = x, entries -1..1", _hyperplanes),), _drawn_hyperplane
)

REGIONS_ASSUMPTION_STATEMENTS = (
    Statement(
        "S000-regions-assumption",
        _SOURCE,
        "For a generic network N, ∇N differs on the two sides of a boundary B_z' at a point on no "
        "other boundary.",
        _generic_at,
        _jumps,
        POINTS,
        known=("S000-D1-LRA-fails-open",),
        judgement=Judgement(
            "not the paper's",
            'Appendix B assumes it of the network at hand ("By the Linear Regions Assumption"); '
            "that generic networks satisfy it is our question, and no sentence of the text that "
            "we have.",
        ),
    ),
    Statement(
        "S000-regions-assumption-repaired",
        _SOURCE,
        "For a generic network N, ∇N differs on the two sides of a boundary B_z' at a point on no "
        "other boundary, if every later layer has an active unit there.",
        _later_active,
        _jumps,
        POINTS,
        repairs="S000-regions-assumption",
    ),
    Statement(
        "S000-visible",
        _SOURCE,
        "If N is generic with two hidden layers, n_0 and n_1 are at least 2 and no row of "
        "[W_2|b_2] is nonpositive, then ∇N jumps somewhere on every hyperplane of the first layer.",
        _generic_live,
        _visible_somewhere,
        HYPERPLANES,
        known=("S000-D1-LRA-fails-open",),
        judgement=Judgement(
            "not the paper's",
            "A weaker form of the Linear Regions Assumption, made up here to see how much of it "
            "is left for generic networks.",
        ),
    ),
)
