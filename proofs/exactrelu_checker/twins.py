"""Networks that their function does not determine: another one, B, with the values of A = N.

B stands in records (``equality``) and has the widths of A. By the method its values are those of A,
everywhere or on the closure of D. Last comes the proof, with its own ``by``, that A and B are not
isomorphic. ``neuron l j`` names neuron j of hidden layer l, from 0.

``dead``         after ``neuron l j``: neuron j is <= 0 for all inputs in A and in B; they differ in
                 its row and in the weights that lead on from it, at most. It adds nothing.
``linear``       after ``neuron l j``: neuron j is >= 0 for all inputs in A and in B; they differ in
                 its bias, by t, and in the biases of the next layer, by -t times the weights that
                 lead on from it. ReLU does not change the neuron; the next layer sees t more, times
                 the weight, and subtracts it.
``translation``  after ``neuron l i``: the next layer is hidden too, and its entries are <= 0 in A
                 and in B, biases too, but for the weights w from i; they differ as for ``linear``.
                 Let a next neuron be positive at x, in A say. Then w > 0, neuron i has y > 0 and
                 w·y > d, where -d is the bias. In B it has y + t in place of y and d + w·t >= 0 in
                 place of d; as w·(y + t) > d + w·t >= 0, y + t > 0 and the value is the same. By
                 symmetry both are positive at the same x.
``line``         three layers, one neuron in the first, its weights in B a multiple != 0 of those in
                 A, w. Both functions depend on w·x only, and on the line x = u·w they are affine
                 between neighbouring u at which some neuron of A or B vanishes, and beyond the last
                 ones. The checker evaluates both there, and at two points beyond.
``equal``        a proof, with its own ``by``, that A and B are equal on the closure of D.

That a neuron is <= 0 or >= 0 is shown by ``intervals``: inputs have no bounds, an activation is at
least 0.
"""

from collections.abc import Callable
from fractions import Fraction

from .claims import Claim, prove
from .equality import prove_equal, recorded_network
from .file import Proof, form, need
from .identifiable import require_all
from .intervals import Range, ends_of
from .numbers import dot
from .objects import Network, System, Vector

Method = Callable[[Proof, Network, str, System], None]
Entries = list[list[list[Fraction]]]  # by layer and row


def _method(same_values: Callable[[Proof, Network, Network, System], None]) -> Method:
    """Make a method of the reason why A and B have the same values."""

    def method(proof: Proof, network: Network, among: str, domain: System) -> None:
        require_all(among)
        other = recorded_network(proof, network.widths[0])
        need(other.widths == network.widths, "shapes-differ", "the networks have other widths")
        same_values(proof, network, other, domain)
        prove(proof, Claim("isomorphic", False, {"a": network, "b": other}, (), ""))

    return method


@_method
def identifiable_by_equal(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """Any proof that the values are the same."""
    prove_equal(proof, a, b, domain)


@_method
def identifiable_by_dead(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """A neuron that is never positive."""
    layer, neuron = _neuron(proof, a)
    left, right = _entries(proof, a), _entries(proof, b)
    for network in (a, b):
        high = _ends(proof, network, layer, neuron)[1]
        need(high is not None and high <= 0, "neuron-not-dead", "the neuron may be positive")
    left[layer][neuron] = right[layer][neuron]
    for row, other in zip(left[layer + 1], right[layer + 1], strict=True):
        row[neuron] = other[neuron]
    need(left == right, "weights-differ", "a parameter differs that is not of the dead neuron")


@_method
def identifiable_by_linear(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """A neuron that is never negative."""
    layer, neuron, _, _ = _shifted(proof, a, b)
    for network in (a, b):
        low = _ends(proof, network, layer, neuron)[0]
        need(low is not None and low >= 0, "neuron-not-linear", "the neuron may be negative")


@_method
def identifiable_by_translation(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """A neuron that the next layer hides."""
    layer, neuron, left, right = _shifted(proof, a, b)
    need(layer + 1 < len(a.hidden), "neuron-not-hidden", "ReLU does not cut the next layer")
    for row in (*left[layer + 1], *right[layer + 1]):
        ok = all(entry <= 0 for place, entry in enumerate(row) if place != neuron)
        need(ok, "neuron-not-hidden", "a positive weight or bias in the next layer")


@_method
def identifiable_by_line(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """Functions of one linear function."""
    ok = len(a.layers) == 3 and a.widths[1] == 1
    need(ok, "not-a-line", "three layers with one neuron in the first are needed")
    (*weights, _), (*others, _) = a.layers[0].rows[0], b.layers[0].rows[0]
    size = a.layers[0].bits + b.layers[0].bits
    proof.spend(4 * len(weights), size, 2 * size)
    square, product = dot(weights, weights), dot(weights, others)
    pairs = zip(weights, others, strict=True)
    ok = product != 0 and all(w * product == v * square for w, v in pairs)
    need(ok, "not-a-line", "the first neurons have other directions, or one is constant")
    zeros = []
    for network, slope in ((a, square), (b, product)):
        # The first neuron has (slope·u + bias)/den at x = u·w; the next ones are affine in that.
        first, second, _ = network.layers
        proof.spend(64 * len(second.rows), first.bits + second.bits, size + second.bits)
        bias = first.rows[0][-1]
        found = [Fraction(-offset * first.den, w) for w, offset in second.rows if w]
        zeros += [Fraction(z - bias, slope) for z in (Fraction(0), *found)]
    for u in (*zeros, max(zeros) + 1, min(zeros) - 1):
        proof.spend(len(weights), size, u.numerator.bit_length())
        point = Vector(u.denominator, tuple(u.numerator * w for w in weights))
        left, right = (network.values(proof, point)[-1] for network in (a, b))
        ok = all(x * right.den == y * left.den for x, y in zip(left.nums, right.nums, strict=True))
        need(ok, "forms-differ", "the networks differ on the line")


def _neuron(proof: Proof, network: Network) -> tuple[int, int]:
    """Read the layer and number of a hidden neuron."""
    layer, neuron = proof.numbers("neuron", 2)
    ok = 0 <= layer < len(network.hidden) and 0 <= neuron < network.widths[layer + 1]
    form(ok, "index-out-of-range", "no such hidden neuron")
    return layer, neuron


def _entries(proof: Proof, network: Network) -> Entries:
    """Return the entries of a network as fractions."""
    for layer in network.layers:
        proof.spend(64 * len(layer.rows) * len(layer.rows[0]), layer.bits, 16 * layer.bits)
    return [
        [[Fraction(x, layer.den) for x in row] for row in layer.rows] for layer in network.layers
    ]


def _shifted(proof: Proof, a: Network, b: Network) -> tuple[int, int, Entries, Entries]:
    """Read a neuron whose bias alone differs, by t, and next biases by -t times its weights."""
    layer, neuron = _neuron(proof, a)
    left, right, moved = _entries(proof, a), _entries(proof, b), _entries(proof, a)
    shift = right[layer][neuron][-1] - left[layer][neuron][-1]
    size = a.layers[layer].bits + b.layers[layer].bits
    size += a.layers[layer + 1].bits
    proof.spend(64 * len(left[layer + 1]), size, size)
    moved[layer][neuron][-1] += shift
    for row in moved[layer + 1]:
        row[-1] -= shift * row[neuron]
    need(moved == right, "weights-differ", "a parameter does not change as the shift says")
    return layer, neuron, left, right


def _ends(proof: Proof, network: Network, layer: int, neuron: int) -> Range:
    """Return bounds of a hidden neuron for all inputs, times a positive number."""
    return ends_of(proof, network, [(None, None)] * network.widths[0], 1)[layer][neuron]
