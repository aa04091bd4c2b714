"""Signs of hidden neurons on a whole domain, as far as they are found without cutting it.

Interval arithmetic first (:mod:`exactrelu.network.bounds`); then, layer by layer, an LP for each
neuron that is left: with an affine preactivation it decides; for the others the relaxation
s(z) ≥ 0, s(z) ≥ z of earlier neurons may (:mod:`exactrelu.complex.relaxation`).  Each sign
that is found makes the preactivations of later layers simpler.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from exactrelu.complex.forms import Atoms, integer_layers
from exactrelu.complex.relaxation import refutation
from exactrelu.exact.system import LinearSystem
from exactrelu.network.bounds import bounded_signs
from exactrelu.network.network import Network

#: Hidden layer and number, from 0, to +1 (linear) or −1 (dead).
Signs = Mapping[tuple[int, int], int]


def root_signs(
    network: Network, domain: LinearSystem, tick: Callable[[], None] = lambda: None
) -> Signs:
    """The signs that are found; ``domain`` is open and not empty, ``tick`` may raise.

    s(x) + s(1 − x) − 1/2 is positive everywhere:

    >>> net = Network.from_arrays([[[1], [-1]], [[1, 1]], [[1]]], [[0, 1], ["-1/2"], [0]])
    >>> root_signs(net, LinearSystem(1))
    {(1, 0): 1}
    """
    atoms = Atoms(network.n_inputs, tick)
    layers = integer_layers(network)
    known = bounded_signs(network, domain)
    positive: dict[int, bool] = {}
    tried: set[int] = set()
    while True:
        passed = atoms.through(layers, positive)
        left = passed.neurons.items()
        new = sorted((place, number) for number, place in left if number not in tried)
        if not new:
            return passed.signs
        layer = new[0][0][0]
        for (l, i, factor), number in new:
            if l > layer:
                break
            tick()
            tried.add(number)
            sign = known.get((l, i)) or _sign(atoms, domain, number, factor)
            if sign is not None:
                positive[number] = sign * factor > 0


def _sign(atoms: Atoms, domain: LinearSystem, number: int, factor: int) -> int | None:
    """The sign of a neuron whose preactivation is ``factor`` times an atom."""
    form = atoms.forms[number]
    for sign in (1, -1):
        beyond = {term: -sign * value for term, value in form.items()}
        if refutation(atoms, domain, beyond) is not None:
            return sign if factor > 0 else -sign
    return None
