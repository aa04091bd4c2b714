"""Statements of arXiv 2605.18319, *The symmetries of three-layer ReLU networks*.

The rows (w | b) of a layer hold integers over one positive denominator: signs are those of
the entries. On the orthant a neuron is dead if its row is <= 0, and linear if it is >= 0
and not dead.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from ..fibers import hidden_neuron, live_neurons
from ..file import Proof
from ..numbers import Row
from ..objects import Network
from .asked import about, derived, equal, everywhere, generic, orthant
from .exact import dot, evaluate, multiply
from .lemma import Instance, Need, lemma, require, table


def _one_function(instance: Instance, dim: int) -> Iterator[Need]:
    """Ask for two generic networks A and B with the same values everywhere."""
    a, b = instance.fields["A"], instance.fields["B"]
    yield from generic(a, dim)
    yield from generic(b, dim)
    yield equal(a, b, everywhere(dim))


def _same_widths(instance: Instance, names: str, n_layers: int) -> list[Network]:
    """Return networks of one architecture with so many layers."""
    networks = [instance.network(name) for name in names]
    for network in networks:
        require(network.widths == networks[0].widths, "the networks have different widths")
    require(len(networks[0].layers) == n_layers, "another number of layers is needed")
    return networks


def _direction(a: Row, b: Row, proof: Proof) -> int:
    """Return 1 if b is a positive multiple of a != 0, -1 if a negative one, else 0."""
    both = dot(a, b, proof)
    squares = multiply(dot(a, a, proof), dot(b, b, proof), proof)
    if multiply(both, both, proof) < squares:
        return 0
    return (both > 0) - (both < 0)


def _is_bent(row: Row) -> bool:
    """Tell whether the row of a neuron on the orthant has both signs."""
    return min(row) < 0 and max(row) > 0


def _bottlenecks(instance: Instance, least: int) -> tuple[Network, Network]:
    a, b = _same_widths(instance, "AB", 3)
    n0, n1, *_ = a.widths
    require(n0 >= n1, "the first layer is wider than the input")
    require(n1 >= least, "the first layer is too narrow")
    return a, b


def _hides(network: Network) -> bool:
    """Tell whether all neurons of layer 2, dead ones too, hide one neuron of layer 1."""
    is_live = len(live_neurons(network)) == network.widths[2]
    return is_live and hidden_neuron(network) is not None


def _not_a_row(row: Row, rows: Sequence[Row], proof: Proof) -> bool:
    return all(_direction(row, other, proof) <= 0 for other in rows)


@lemma(
    "S002-visibility: A B i x",
    "if A and B are generic, of one architecture with three layers and n0 >= 2, and "
    "compute one function, and x is on the hyperplane of neuron i (from 0) of layer 1 of "
    "A and some neuron of layer 2 is positive there, then this is a hyperplane of layer 1 "
    "of B",
)
def visibility(instance: Instance) -> Iterator[Need]:
    """A hyperplane of A that layer 2 sees is none of B."""
    a, b = _same_widths(instance, "AB", 3)
    n0, n1, *_ = a.widths
    require(n0 >= 2, "n0 < 2")
    i, x = instance.index("i"), instance.vector("x", n0)
    require(i < n1, "no such neuron")
    first, second = evaluate(a, x, instance.proof)[1]
    require(first[i] == "0", "x is not on the hyperplane")
    require("+" in second, "no neuron of layer 2 is positive at x")
    row = a.layers[0].rows[i]
    found = [_direction(row, other, instance.proof) for other in b.layers[0].rows]
    require(not any(found), "the hyperplane is one of B")
    yield from _one_function(instance, a.widths[0])


@lemma(
    "S002-theorem-5: A B",
    "if A and B are generic, of one architecture with three layers and n0 >= n1, and "
    "compute one function, and no row of [W2|b2] of A has one sign, nor do all hide one "
    "neuron, then A is B up to order and scaling of hidden neurons",
)
def theorem_5(instance: Instance) -> Iterator[Need]:
    """No condition on the signs holds for A, which is not B."""
    a, _ = _bottlenecks(instance, 1)
    for row in a.layers[1].rows:
        require(min(row) <= 0, "a row of layer 2 is positive")
        require(max(row) >= 0, "a row of layer 2 is negative")
    require(not _hides(a), "A hides a neuron")
    yield from _one_function(instance, a.widths[0])
    pair = {"a": instance.fields["A"], "b": instance.fields["B"]}
    yield Need("isomorphic", {**pair, "holds": False})


def _hiding(instance: Instance, single: bool) -> Iterator[Need]:
    """A hides a neuron, and B does not."""
    a, b = _bottlenecks(instance, 1)
    require((a.widths[2] < 2) is single, "another width of layer 2 is needed")
    require(_hides(a), "A hides no neuron")
    require(not _hides(b), "B hides a neuron, as translates do")
    yield from _one_function(instance, a.widths[0])


@lemma(
    "S002-hiding: A B",
    "if A and B are generic, of one architecture with three layers, n0 >= n1 and n2 >= 2, "
    "and compute one function, and all neurons of layer 2 of A hide neuron i, then B is a "
    "translate of A, so that layer 2 of B hides a neuron",
)
def hiding(instance: Instance) -> Iterator[Need]:
    return _hiding(instance, single=False)


@lemma(
    "S002-hiding-single: A B",
    "if A and B are generic, of one architecture with three layers, n0 >= n1 and n2 = 1, "
    "and compute one function, and layer 2 of A hides neuron i, then B is a translate of "
    "a flip of A, so that layer 2 of B hides a neuron",
)
def hiding_single(instance: Instance) -> Iterator[Need]:
    return _hiding(instance, single=True)


def _fixed(instance: Instance, least: int, may_be_dead: bool) -> Iterator[Need]:
    """A hides nothing, and a row of its first layer is none of B."""
    a, b = _bottlenecks(instance, least)
    require(may_be_dead or len(live_neurons(a)) >= a.widths[2], "a neuron of A is dead")
    require(not _hides(a), "A hides a neuron")
    others = b.layers[0].rows
    new = [_not_a_row(row, others, instance.proof) for row in a.layers[0].rows]
    require(any(new), "the first layers are the same")
    yield from _one_function(instance, a.widths[0])


@lemma(
    "S002-first-layer: A B",
    "if A and B are generic, of one architecture with three layers and n0 >= n1, and "
    "compute one function, and layer 2 of A has no dead neuron and hides nothing, then "
    "the rows of [W1|b1] are the same up to order and positive scaling",
)
def first_layer(instance: Instance) -> Iterator[Need]:
    return _fixed(instance, 1, may_be_dead=False)


@lemma(
    "S002-procedure: A B",
    "if A and B are generic, of one architecture with three layers and n0 >= n1 >= 2, and "
    "compute one function, and A hides nothing, then the rows of [W1|b1] are the same up "
    "to order and positive scaling",
)
def procedure(instance: Instance) -> Iterator[Need]:
    return _fixed(instance, 2, may_be_dead=True)


@lemma(
    "S002-proposition-4: A B",
    "if A and B are generic, of one architecture with three layers and n0 >= n1 >= 2, and "
    "compute one function, and layer 2 of A has no dead neuron and hides nothing, then "
    "layer 2 of B has no dead neuron",
)
def proposition_4(instance: Instance) -> Iterator[Need]:
    """A hides nothing and has no dead neuron, and B has one."""
    a, b = _bottlenecks(instance, 2)
    n2 = a.widths[2]
    require(len(live_neurons(a)) >= n2, "a neuron of A is dead")
    require(not _hides(a), "A hides a neuron")
    require(len(live_neurons(b)) < n2, "no neuron of B is dead")
    yield from _one_function(instance, a.widths[0])


@lemma(
    "S002-procedure-case-2: A B",
    "if A and B are generic, of one architecture with three layers, n0 >= n1 >= 2 and n2 "
    ">= 2, and compute one function, and the live neurons of layer 2 of A hide neuron i, "
    "then the other rows of [W1|b1] of A are positive multiples of rows of B",
)
def case_2(instance: Instance) -> Iterator[Need]:
    """The live neurons of A hide one, and another row of A is none of B."""
    a, b = _bottlenecks(instance, 2)
    require(a.widths[2] > 1, "layer 2 has one neuron")
    hidden = hidden_neuron(a)
    require(hidden is not None, "the live neurons hide none")
    others = [row for i, row in enumerate(a.layers[0].rows) if i != hidden]
    new = [_not_a_row(row, b.layers[0].rows, instance.proof) for row in others]
    require(any(new), "the other rows of the first layers are the same")
    yield from _one_function(instance, a.widths[0])


@lemma(
    "S002-lemma-9-open: D N d p t0",
    "if N is generic, with three layers, then networks near it are: for no D, p, d, t0 do "
    "more than n0 neurons of the network with W2 + D/t vanish at p + t d for all t >= t0",
)
def lemma_9(instance: Instance) -> Iterator[Need]:
    """More than n0 neurons vanish on a ray, at each of its points for another network."""
    (network,) = _same_widths(instance, "N", 3)
    proof = instance.proof
    n0, n1, n2, _ = network.widths
    p, d, change = (
        instance.vector("p", n0),
        instance.vector("d", n0),
        instance.matrix("D", n2, n1),
    )
    t = instance.rational("t0")
    require(t.nums[0] > 0, "t0 <= 0")
    first, second = network.layers[:2]
    # Preactivations of layer 1 on the ray are (slope·t + start) / scale.
    scale = multiply(first.den, multiply(p.den, d.den, proof), proof)
    slopes, starts, count = [], [], 0
    for row in first.rows:
        slope = multiply(dot(row[:-1], d.nums, proof), p.den, proof)
        start = multiply(dot(row, (*p.nums, p.den), proof), d.den, proof)
        value = dot((slope, start), (t.nums[0], t.den), proof)
        count += not (slope or start)
        require(value != 0 or not slope, "a neuron of layer 1 vanishes at t0 only")
        require(slope * value >= 0, "a neuron of layer 1 changes its sign after t0")
        slopes.append(slope if value > 0 else 0)
        starts.append(start if value > 0 else 0)
    for row, more in zip(second.rows, change.rows, strict=True):
        constant = dot((*row,), (*starts, scale), proof)
        middle = dot((constant, dot(more, slopes, proof)), (change.den, second.den), proof)
        ends = dot(row[:-1], slopes, proof), middle, dot(more, starts, proof)
        count += not any(ends)
    require(count > n0, "at most n0 neurons vanish on the ray")
    yield from generic(instance.fields["N"], n0)


@lemma(
    "S002-parallel-pairs: N x y",
    "if N is generic, with three layers and n0 >= n1, different facets of layer 2, which "
    "contain x and y, are parallel only if they lie in one region of layer 1 with one "
    "active neuron",
)
def parallel_pairs(instance: Instance) -> Iterator[Need]:
    """Two facets of one neuron, where two neurons of layer 1 or more are active."""
    (network,) = _same_widths(instance, "N", 3)
    n0, n1, *_ = network.widths
    require(n0 >= n1, "the first layer is wider than the input")
    points = [instance.vector(name, n0) for name in "xy"]
    (first, left), (there, right) = (
        evaluate(network, x, instance.proof)[1] for x in points
    )
    require(first == there, "x and y are not in one region of layer 1")
    require("0" not in first, "a neuron of layer 1 is 0")
    require(left.count("0") == 1, "x is in no facet of layer 2")
    require(right.count("0") == 1, "y is in no facet of layer 2")
    require(left.index("0") == right.index("0"), "x and y are in facets of two neurons")
    # With one active neuron or none, all of layer 2 would have the same signs at x and y.
    require(left != right, "x and y are in one facet")
    yield from generic(instance.fields["N"], n0)


@lemma(
    "S002-bottleneck-test: N",
    "if n0 >= n1, rank W1 = n1, every square submatrix of W2 is nonsingular and the rank "
    "of W3[I,J] W2[J,A] is min(|I|, |J|, |A|) for all I, J, A, then all masked ranks are "
    "maximal",
)
def bottleneck_test(instance: Instance) -> Iterator[Need]:
    """Neurons of layer 2 see one number, and W3 has not full rank."""
    (network,) = _same_widths(instance, "N", 3)
    _, n1, n2, _ = network.widths
    require(n1 < 2, "the table has the case n1 = 1 only")
    first, second, last = network.layers
    require(any(first.rows[0][:-1]), "rank W1 is 0")
    weights = [row[0] for row in second.rows]
    for mask in product((0, 1), repeat=n2):
        masked = [kept * weight for kept, weight in zip(mask, weights, strict=True)]
        for row in last.rows:
            value = dot(row[:-1], masked, instance.proof)
            require(value != 0 or not any(mask), "a product of W3 and W2 is 0")
    yield Need("masked-rank", {"network": instance.fields["N"], "holds": False})


def _member(instance: Instance, network: Network) -> Need:
    """Ask for a member M of the fiber of A on the orthant."""
    domain = orthant(network.widths[0], instance.proof)
    return equal(instance.fields["A"], instance.fields["M"], domain)


def _minimal(network: object, dim: int, proof: Proof, holds: bool = True) -> Iterator[Need]:
    """Ask for a generic network that is minimal on the orthant, or is not."""
    yield from generic(network, dim)
    yield about("minimal", network, orthant(dim, proof), holds)


@lemma(
    "S002-definition-22: A B",
    "if A and B have one hidden layer of one width and are equal on the orthant, then the "
    "rows of W of B can be scaled to norm 1",
)
def definition_22(instance: Instance) -> Iterator[Need]:
    """A row of W of B is 0."""
    a, b = _same_widths(instance, "AB", 2)
    require(any(not any(row[:-1]) for row in b.layers[0].rows), "no row of W is 0")
    yield equal(
        instance.fields["A"], instance.fields["B"], orthant(a.widths[0], instance.proof)
    )


@lemma(
    "S002-remark-23: N i",
    "on R^n fibers are finite unions of varieties: if w_i = 0 and b_i <= 0 in N, so that "
    "all smaller b_i give the same function, then so does b_i = 1",
)
def remark_23(instance: Instance) -> Iterator[Need]:
    """A constant neuron is dead, and not if its bias is raised."""
    layer, network, i = (
        instance.hidden_layer("N"),
        instance.network("N"),
        instance.index("i"),
    )
    require(i < len(layer.rows), "no such neuron")
    *weights, bias = layer.rows[i]
    require(not any(weights), "w is not 0")
    require(bias <= 0, "b > 0")
    rows = [list(row) for row in layer.rows]
    rows[i][-1] = layer.den
    last = network.layers[1]
    raised = derived([(layer.den, rows), (last.den, last.rows)], instance.proof)
    yield equal(instance.fields["N"], raised, everywhere(layer.width - 1), holds=False)


@lemma(
    "S002-minimal-no-dead: N",
    "if N has one hidden layer, is generic and minimal on the orthant, then none of its "
    "neurons is dead there",
)
def minimal_no_dead(instance: Instance) -> Iterator[Need]:
    """A minimal network with a dead neuron."""
    layer = instance.hidden_layer("N")
    require(any(max(row) <= 0 for row in layer.rows), "no neuron is dead")
    yield from _minimal(instance.fields["N"], layer.width - 1, instance.proof)


@lemma(
    "S002-generic-minimal: N",
    "if N has one hidden layer, is generic, and has on the orthant no dead neuron and at "
    "most min(n0, n2 + 1) linear ones, then it is minimal there",
)
def generic_minimal(instance: Instance) -> Iterator[Need]:
    """A generic network without dead neurons that is not minimal."""
    layer, network = instance.hidden_layer("N"), instance.network("N")
    require(all(max(row) > 0 for row in layer.rows), "a neuron is dead")
    linear = sum(min(row) >= 0 for row in layer.rows)
    n0, _, n2 = network.widths
    require(linear <= min(n0, n2 + 1), "too many linear neurons")
    yield from _minimal(instance.fields["N"], n0, instance.proof, holds=False)


@lemma(
    "S002-lemma-20: N j x",
    "if N is supertransversal, then each point x of the bent hyperplane of a neuron j of "
    "the last hidden layer is a breakpoint",
)
def lemma_20(instance: Instance) -> Iterator[Need]:
    """The last hidden neuron at x has no part in the output."""
    layer, network, j = (
        instance.hidden_layer("N"),
        instance.network("N"),
        instance.index("j"),
    )
    x = instance.vector("x", layer.width - 1)
    require(j < len(layer.rows), "no such neuron")
    require(any(layer.rows[j]), "the neuron is 0 everywhere")
    (signs,) = evaluate(network, x, instance.proof)[1]
    require(signs[j] == "0", "x is not on the hyperplane of the neuron")
    require(signs.count("0") < 2, "another neuron is 0 at x")
    require(
        not any(row[j] for row in network.layers[1].rows),
        "the output depends on the neuron",
    )
    yield about("supertransversal", instance.fields["N"], everywhere(layer.width - 1))


def _require_member(a: Network, member: Network, e: Row, proof: Proof) -> None:
    """Refuse a network whose rows are not those of A, turned around where e = -1."""
    for row, other, turn in zip(a.layers[0].rows, member.layers[0].rows, e, strict=True):
        require(turn in (-1, 0, 1), "e has other entries than -1, 0 and 1")
        if _is_bent(row):
            side = _direction(row, other, proof)
            require(side == (-1 if turn < 0 else 1), "a row of the member is another one")
        else:
            require(turn == 0, "a neuron that is not bent is turned")
            require(min(*row, *other) >= 0, "a neuron is dead or does not stay linear")


def _sum(network: Network, e: Sequence[int], proof: Proof) -> list[list[int]]:
    """Return the matrix of the sum of e_i times output column i times weights i, scaled."""
    columns = list(zip(*network.layers[0].rows, strict=True))[:-1]
    outputs = network.layers[1].rows
    terms = [[sign * v for sign, v in zip(e, row[:-1], strict=True)] for row in outputs]
    return [[dot(term, column, proof) for column in columns] for term in terms]


def _turns(instance: Instance, network: Network) -> Row:
    e = instance.vector("e", network.widths[1])
    require(e.den < 2, "e has other entries than -1, 0 and 1")
    return e.nums


@lemma(
    "S002-generic-point: A M e",
    "if A has one hidden layer, is generic and minimal on the orthant, M is in its fiber "
    "there, with bent rows turned where e = -1, then the sum of e_i V_i w_i is not 0, as "
    "in any generic network with these bent neurons",
)
def generic_point(instance: Instance) -> Iterator[Need]:
    """A signed sum vanishes that no generic member of the component allows."""
    a, member = _same_widths(instance, "AM", 2)
    e = _turns(instance, a)
    require(any(e), "e is 0")
    _require_member(a, member, e, instance.proof)
    total = _sum(a, e, instance.proof)
    require(not any(map(any, total)), "the sum is not 0")
    yield from _minimal(instance.fields["A"], a.widths[0], instance.proof)
    yield _member(instance, a)


@lemma(
    "S002-signs: A B M e",
    "if A and B have one hidden layer with one linear neuron, one output, the same signs, "
    "and are generic and minimal on the orthant, and M is in the fiber of A there, with "
    "bent rows turned where e = -1, then B has such a member too",
)
def signs(instance: Instance) -> Iterator[Need]:
    """A component of B is empty, with the signs of A, where it is not."""
    a, b, member = _same_widths(instance, "ABM", 2)
    e = _turns(instance, a)
    require(a.widths[2] < 2, "more than one output")
    linear = [min(row) >= 0 for row in b.layers[0].rows]
    require(sum(linear) == 1, "not one linear neuron")
    for mine, theirs in zip(a.layers, b.layers, strict=True):
        for row, other in zip(mine.rows, theirs.rows, strict=True):
            for x, y in zip(row, other, strict=True):
                same = (x > 0) is (y > 0) and (x < 0) is (y < 0)
                require(same, "the signs of A and B differ")
    _require_member(a, member, e, instance.proof)
    chosen = [int(turn < 0 or line) for turn, line in zip(e, linear, strict=True)]
    (total,) = _sum(b, chosen, instance.proof)
    require(_is_bent(tuple(total)), "the component of B is not empty")
    for name in "AB":
        yield from _minimal(instance.fields[name], a.widths[0], instance.proof)
    yield _member(instance, a)


LEMMAS = table(vars())
