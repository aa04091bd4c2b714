"""Equality by steps that change layers of networks, but not their values on a domain.

``equal`` by ``rewriting``: steps change A and, after a record ``other``, change B. At the
end ``result``: both are the same network; or ``then``, and a proof of ``equality`` for what
they are now, with its own ``by``. If D is flat, A, B and D are in the coordinates t of its
affine hull, which the restrictions have as inputs, their layers in lowest terms, D in
normal form: A and B are equal on cl D if and only if these are.

``replace k l``, layers from 0, as they stand when the step is made; then a network in
records, and a proof of ``equality``, with its own ``by``, that it is equal to the layers k
to l, without the ReLU after layer l, on what they take in: the closure of D if k = 0, else
the points >= 0. They become the layers of this network.

Why this is sound is on the page ``equal`` of the rules.
"""

from math import gcd

from .equality import prove_equal, recorded_network
from .file import Proof, form, need, sized
from .inputs import taken_in
from .numbers import Rows, paired
from .objects import (
    Layer,
    Network,
    System,
    chart,
    layer_of,
    normal_form,
    pulled,
    system_of,
)


def equal_by_rewriting(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """Follow the steps, and compare what A and B have become."""
    ok = a.is_plain and b.is_plain
    need(ok, "linear-units", "networks without linear units are needed")
    domain, (left, right) = _on_hull(proof, domain, a, b)
    now, word = left, ""
    while word not in ("result", "then"):
        word, numbers = proof.record("other", "replace", "result", "then")
        if word == "replace":
            _replace(proof, now, domain, numbers)
        else:
            sized(numbers, 0)
            now = right
    if word == "result":
        need(left == right, "result-differs", "the steps lead to other networks")
    else:
        both = Network(tuple(left)), Network(tuple(right))
        prove_equal(proof, *both, domain, without="rewriting")


def _replace(proof: Proof, now: list[Layer], domain: System, numbers: list[int]) -> None:
    """Replace layers k to l by others, which are read with a proof that they are equal."""
    ok = len(numbers) == 2 and 0 <= numbers[0] <= numbers[1] < len(now)
    form(ok, "index-out-of-range", "the first and the last of some layers")
    first, last = numbers
    old = Network(tuple(now[first : last + 1]))
    new = recorded_network(proof, old.widths[0])
    ok = new.widths[-1] == old.widths[-1]
    need(ok, "shapes-differ", "other outputs than the layers")
    place = taken_in(proof, now, first, domain)
    prove_equal(proof, old, new, place, without="rewriting")
    now[first : last + 1] = new.layers


def _on_hull(
    proof: Proof, domain: System, *networks: Network
) -> tuple[System, list[list[Layer]]]:
    """Return a domain in the coordinates of its affine hull, and the layers of networks on
    it.
    """
    if "eq" not in domain.senses:
        return domain, [list(network.layers) for network in networks]
    base = chart(proof, domain)
    pairs = paired(domain.senses, pulled(proof, base, domain.rows))
    # Others, constant on D, hold there.
    kept = [pair for pair in pairs if any(pair[1][:-1])]
    found = [
        [_lowest(base.factor * first.den, pulled(proof, base, first.rows)), *others]
        for first, *others in (network.layers for network in networks)
    ]
    return normal_form(system_of(base.dim, kept)), found


def _lowest(den: int, rows: Rows) -> Layer:
    """Return a layer in lowest terms: equal ones are the same."""
    common = gcd(den, *(entry for row in rows for entry in row))
    return layer_of(den // common, ([entry // common for entry in row] for row in rows))
