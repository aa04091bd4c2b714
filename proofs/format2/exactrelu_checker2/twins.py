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

That a neuron is <= 0 or >= 0 is shown by intervals from layer to layer: inputs have no bounds, an
activation is at least 0.
"""

from collections.abc import Sequence

from .claims import Claim, prove
from .equality import prove_equal, recorded_network
from .file import Proof, form, need
from .identifiable import require_all
from .numbers import Row, bits, dot
from .objects import Layer, Network, System, Vector

Range = tuple[int | None, int | None]  # None is no bound


def identifiable_by_dead(proof: Proof, network: Network, among: str, domain: System) -> None:
    """A neuron that is never positive."""
    other = _other(proof, network, among)
    layer, neuron = _neuron(proof, network)
    for number, (a, b) in enumerate(zip(network.layers, other.layers, strict=True)):
        row, column = neuron if number == layer else None, neuron if number == layer + 1 else None
        _require_alike(proof, a, b, row, column)
    for side in (network, other):
        high = _ranges(proof, side, layer)[neuron][1]
        need(high is not None and high <= 0, "neuron-not-dead", "the neuron may be positive")
    _require_not_isomorphic(proof, network, other)


def identifiable_by_linear(proof: Proof, network: Network, among: str, domain: System) -> None:
    """A neuron that is never negative."""
    other = _other(proof, network, among)
    layer, neuron = _shifted(proof, network, other)
    for side in (network, other):
        low = _ranges(proof, side, layer)[neuron][0]
        need(low is not None and low >= 0, "neuron-not-linear", "the neuron may be negative")
    _require_not_isomorphic(proof, network, other)


def identifiable_by_translation(proof: Proof, network: Network, among: str, domain: System) -> None:
    """A neuron that the next layer hides."""
    other = _other(proof, network, among)
    layer, neuron = _shifted(proof, network, other)
    need(layer + 1 < len(network.hidden), "neuron-not-hidden", "ReLU does not cut the next layer")
    for row in (*network.layers[layer + 1].rows, *other.layers[layer + 1].rows):
        ok = all(entry <= 0 for place, entry in enumerate(row) if place != neuron)
        need(ok, "neuron-not-hidden", "a positive weight or bias in the next layer")
    _require_not_isomorphic(proof, network, other)


def identifiable_by_equal(proof: Proof, network: Network, among: str, domain: System) -> None:
    """Any proof that the values are the same."""
    other = _other(proof, network, among)
    prove_equal(proof, network, other, domain)
    _require_not_isomorphic(proof, network, other)


def identifiable_by_line(proof: Proof, network: Network, among: str, domain: System) -> None:
    """Functions of one linear function."""
    other = _other(proof, network, among)
    ok = len(network.layers) == 3 and network.widths[1] == 1
    need(ok, "not-a-line", "three layers with one neuron in the first are needed")
    (*weights, _), (*others, _) = network.layers[0].rows[0], other.layers[0].rows[0]
    size = network.layers[0].bits + other.layers[0].bits
    proof.spend(4 * len(weights), size, 2 * size)
    square, product = dot(weights, weights), dot(weights, others)
    pairs = zip(weights, others, strict=True)
    ok = product != 0 and all(w * product == v * square for w, v in pairs)
    need(ok, "not-a-line", "the first neurons have other directions, or one is constant")
    zeros = [*_zeros(proof, network, square), *_zeros(proof, other, product)]
    far = 1 + max(abs(num) for num, _ in zeros)
    for num, den in (*zeros, (far, 1), (-far, 1)):
        proof.spend(len(weights), size, num.bit_length())
        point = Vector(den, tuple(num * w for w in weights))
        left, right = (side.values(proof, point)[-1] for side in (network, other))
        values = zip(left.nums, right.nums, strict=True)
        ok = all(x * right.den == y * left.den for x, y in values)
        need(ok, "forms-differ", "the networks differ on the line")
    _require_not_isomorphic(proof, network, other)


def _zeros(proof: Proof, network: Network, slope: int) -> list[tuple[int, int]]:
    """Return u = num/den, den > 0, where neurons vanish; the first is (slope·u + bias)/den_1."""
    first, second, _ = network.layers
    size = first.bits + second.bits + slope.bit_length()
    proof.spend(4 * len(second.rows), size, size)
    bias = first.rows[0][-1]
    found = [(-bias, slope)]
    # Where w·(slope·u + bias)/den_1 + offset = 0.
    found += [(-w * bias - offset * first.den, w * slope) for w, offset in second.rows if w]
    return [(num * den, den * den) for num, den in found]


def _other(proof: Proof, network: Network, among: str) -> Network:
    """Read another network of the same widths."""
    require_all(among)
    other = recorded_network(proof, network.widths[0])
    need(other.widths == network.widths, "shapes-differ", "the networks have other widths")
    return other


def _require_not_isomorphic(proof: Proof, network: Network, other: Network) -> None:
    prove(proof, Claim("isomorphic", False, {"a": network, "b": other}, (), ""))


def _neuron(proof: Proof, network: Network) -> tuple[int, int]:
    """Read the layer and number of a hidden neuron."""
    layer, neuron = proof.numbers("neuron", 2)
    ok = 0 <= layer < len(network.hidden) and 0 <= neuron < network.widths[layer + 1]
    form(ok, "index-out-of-range", "no such hidden neuron")
    return layer, neuron


def _require_alike(
    proof: Proof, a: Layer, b: Layer, row: int | None = None, column: int | None = None
) -> None:
    """Refuse layers that differ elsewhere than in a row or a column; the bias is the last one."""
    proof.spend(2 * len(a.rows) * len(a.rows[0]), a.bits, b.bits)
    for number, (left, right) in enumerate(zip(a.rows, b.rows, strict=True)):
        if number != row:
            pairs = enumerate(zip(left, right, strict=True))
            ok = all(x * b.den == y * a.den for place, (x, y) in pairs if place != column)
            need(ok, "weights-differ", "a parameter differs that the move does not touch")


def _shifted(proof: Proof, network: Network, other: Network) -> tuple[int, int]:
    """Read a neuron whose bias alone differs, by t, and next biases by -t times its weights."""
    layer, neuron = _neuron(proof, network)
    for number, (a, b) in enumerate(zip(network.layers, other.layers, strict=True)):
        bias = len(a.rows[0]) - 1
        if number == layer:
            _require_alike(proof, a, b, row=neuron)
            one, two = (side._replace(rows=side.rows[neuron : neuron + 1]) for side in (a, b))
            _require_alike(proof, one, two, column=bias)
        else:
            _require_alike(proof, a, b, column=bias if number == layer + 1 else None)
    (a, after), (b, moved) = (side.layers[layer : layer + 2] for side in (network, other))
    shift = b.rows[neuron][-1] * a.den - a.rows[neuron][-1] * b.den  # t·a.den·b.den
    scale = a.den * b.den
    size = bits((shift, scale)) + after.bits
    proof.spend(4 * len(after.rows), size, after.bits + moved.bits)
    for left, right in zip(after.rows, moved.rows, strict=True):
        change = right[-1] * after.den - left[-1] * moved.den
        ok = change * scale + left[neuron] * moved.den * shift == 0
        need(ok, "weights-differ", "a bias of the next layer does not compensate")
    return layer, neuron


def _ranges(proof: Proof, network: Network, last: int) -> list[Range]:
    """Return bounds of the preactivations of a hidden layer, times its denominators."""
    inputs: Sequence[Range] = [(None, None)] * network.widths[0]
    found: list[Range] = []
    scale, size = 1, 0
    for layer in network.layers[: last + 1]:
        proof.spend(4 * len(layer.rows) * (len(inputs) + 1), size, layer.bits)
        found = []
        for row in layer.rows:
            low = _highest(tuple(-entry for entry in row), inputs, scale)
            found.append((None if low is None else -low, _highest(row, inputs, scale)))
        inputs = [(max(low or 0, 0), high if high is None else max(high, 0)) for low, high in found]
        scale, size = scale * layer.den, size + layer.bits
    return found


def _highest(row: Row, inputs: Sequence[Range], scale: int) -> int | None:
    """Return an upper bound of w·x + b for x in ranges, if there is one."""
    found = row[-1] * scale
    for weight, (low, high) in zip(row, inputs, strict=False):
        end = high if weight > 0 else low
        if weight and end is None:
            return None
        found += weight * (end or 0)
    return found
