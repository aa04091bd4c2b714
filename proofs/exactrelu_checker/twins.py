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
from .objects import Network, System

Method = Callable[[Proof, Network, str, System], None]
Entries = list[list[list[Fraction]]]  # by layer and row


def _method(same_values: Callable[[Proof, Network, Network, System], None]) -> Method:
    """Make a method of the reason why A and B have the same values."""

    def method(proof: Proof, network: Network, among: str, domain: System) -> None:
        require_all(among)
        other = recorded_network(proof, network.widths[0])
        need(other.widths == network.widths, "shapes-differ", "the networks have other widths")
        same_values(proof, network, other, domain)
        prove(proof, Claim("isomorphic", False, {"a": network, "b": other}))

    return method


@_method
def identifiable_by_equal(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """Any proof that the values are the same."""
    prove_equal(proof, a, b, domain)


@_method
def identifiable_by_dead(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """A neuron that is never positive."""
    layer, neuron, (left, right), ends = _read(proof, a, b)
    ok = all(high is not None and high <= 0 for _, high in ends)
    need(ok, "neuron-not-dead", "the neuron may be positive")
    left[layer][neuron] = right[layer][neuron]
    for row, other in zip(left[layer + 1], right[layer + 1], strict=True):
        row[neuron] = other[neuron]
    need(left == right, "weights-differ", "a parameter differs that is not of the dead neuron")


@_method
def identifiable_by_linear(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """A neuron that is never negative."""
    layer, neuron, (left, right), ends = _read(proof, a, b)
    ok = all(low is not None and low >= 0 for low, _ in ends)
    need(ok, "neuron-not-linear", "the neuron may be negative")
    shift = right[layer][neuron][-1] - left[layer][neuron][-1]
    size = a.layers[layer].bits + b.layers[layer].bits + a.layers[layer + 1].bits
    proof.spend(64 * len(left[layer + 1]), size, size)
    left[layer][neuron][-1] += shift
    for row in left[layer + 1]:
        row[-1] -= shift * row[neuron]
    need(left == right, "weights-differ", "a parameter does not change as the shift says")


def _read(proof: Proof, *networks: Network) -> tuple[int, int, list[Entries], list[Range]]:
    """Read a hidden neuron; return it, the entries of both networks, and its ends in both."""
    layer, neuron = proof.numbers("neuron", 2)
    ok = 0 <= layer < len(networks[0].hidden) and 0 <= neuron < networks[0].widths[layer + 1]
    form(ok, "index-out-of-range", "no such hidden neuron")
    entries, ends = [], []
    for network in networks:
        for table in network.layers:
            proof.spend(64 * len(table.rows) * len(table.rows[0]), table.bits, 16 * table.bits)
        entries.append([[[Fraction(x, t.den) for x in r] for r in t.rows] for t in network.layers])
        free: list[Range] = [(None, None)] * network.widths[0]
        ends.append(ends_of(proof, network, free, 1)[layer][neuron])
    return layer, neuron, entries, ends
