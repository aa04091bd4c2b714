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

from fractions import Fraction

from .claims import Claim, prove
from .equality import prove_equal, recorded_network
from .file import Proof, form, need
from .identifiable import require_all
from .intervals import Range
from .objects import Network, System
from .ranges import ends_of

Entries = list[list[list[Fraction]]]  # by layer and row


def _other(proof: Proof, network: Network, among: str) -> Network:
    """Read B."""
    require_all(among)
    other = recorded_network(proof, network.widths[0])
    need(other.widths == network.widths, "shapes-differ", "the networks have other widths")
    return other


def identifiable_by_equal(proof: Proof, network: Network, among: str, domain: System) -> None:
    """Any proof that the values are the same."""
    other = _other(proof, network, among)
    prove_equal(proof, network, other, domain)
    prove(proof, Claim("isomorphic", False, {"a": network, "b": other}))


def identifiable_by_dead(proof: Proof, network: Network, among: str, domain: System) -> None:
    """A neuron that is never positive."""
    other = _other(proof, network, among)
    layer, neuron, (left, right), ends = _read(proof, network, other)
    need(all(top is not None and top <= 0 for _, top in ends), "neuron-not-dead", "it may be > 0")
    left[layer][neuron] = right[layer][neuron]
    for row, new in zip(left[layer + 1], right[layer + 1], strict=True):
        row[neuron] = new[neuron]
    need(left == right, "weights-differ", "a parameter differs that is not of the dead neuron")
    prove(proof, Claim("isomorphic", False, {"a": network, "b": other}))


def identifiable_by_linear(proof: Proof, network: Network, among: str, domain: System) -> None:
    """A neuron that is never negative."""
    other = _other(proof, network, among)
    layer, neuron, (left, right), ends = _read(proof, network, other)
    need(all(low is not None and low >= 0 for low, _ in ends), "neuron-not-linear", "it may be < 0")
    shift = right[layer][neuron][-1] - left[layer][neuron][-1]
    size = sum(table.bits for table in (*network.layers[layer : layer + 2], other.layers[layer]))
    proof.spend(64 * len(left[layer + 1]), size, size)
    left[layer][neuron][-1] += shift
    for row in left[layer + 1]:
        row[-1] -= shift * row[neuron]
    need(left == right, "weights-differ", "a parameter does not change as the shift says")
    prove(proof, Claim("isomorphic", False, {"a": network, "b": other}))


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
        ends.append(ends_of(proof, network, [(None, None)] * network.widths[0], 1)[layer][neuron])
    return layer, neuron, entries, ends
