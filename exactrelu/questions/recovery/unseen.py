"""Neurons of the original that no query can show, by name, with a proof where there is one.

With z the preactivation of a neuron as a function of the input: it is dead if s(z) = 0 everywhere
and linear if s(−z) = 0 everywhere, equalities of two networks that are proved like all others.  A
neuron whose z takes both signs, and whose function shows no boundary of it all the same, is hidden
by the layers after it; that nothing is missing without it is what the proof of the whole says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.network.evaluate import trace_batch
from exactrelu.network.network import Layer, Network
from exactrelu.network.roles import neuron_groups
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.recovery.obstructions import Obstruction
from exactrelu.questions.recovery.vectors import along, minus

#: Seconds for the proof that one neuron is dead, or linear.
PROOF_SECONDS = 10.0

#: A neuron (layer, index), from 0.
Neuron = tuple[int, int]


def unseen(
    original: Network,
    spots: Sequence[tuple[Vector, Vector]],
    samples: Sequence[Vector],
    *,
    is_proved: bool = True,
    seconds: Callable[[float], float] = float,
) -> Iterator[Obstruction]:
    """Why neurons of the original are not among those with a boundary at one of the spots.

    ``spots``: points on boundaries, with short steps across; ``samples``: points at which the signs
    of the others are looked at; ``is_proved``: whether nothing is missing without them.
    ``seconds``: how many of the seconds for a proof are left.

    >>> net = Network.from_arrays([[[1, 0], [0, 1]], [[-1, -1], [1, 2]], [[1, 1]]],
    ...                           [[0, 0], [0, -1], [0]])
    >>> spots = [((0, 3), (1, 0)), ((3, 0), (0, 1)), ((1, -1), (1, 0))]
    >>> [o.description for o in unseen(net, spots, [(1, 1), (-1, 2)])]
    ['neuron (2,1) of the original is never active']
    """
    seen = {neuron for x, step in spots for neuron in _crossed(original, x, step)}
    for group in neuron_groups(original):
        neurons = [(group.layer, i) for i in group.neurons]
        if not seen.isdisjoint(neurons):
            names = " and ".join(map(_name, neurons))
            text = f"neurons {names} of the original have one boundary, which shows only their sum"
            yield Obstruction("common boundary", text, original)
            seen.update(neurons)
    patterns = [e.pattern for e in trace_batch(original, samples)]
    for l, width in enumerate(original.hidden_widths):
        for i in range(width):
            if (l, i) not in seen:
                signs = {pattern[l][i] for pattern in patterns}
                yield _explained(original, (l, i), signs, is_proved, seconds)


def _crossed(original: Network, x: Vector, step: Vector) -> Iterator[Neuron]:
    """The neurons that change their sign at x along the step."""
    before, at, after = trace_batch(original, [minus(x, step), x, along(x, ONE, step)])
    for l, (p, q, r) in enumerate(zip(before.pattern, at.pattern, after.pattern, strict=True)):
        for i, signs in enumerate(zip(p, q, r, strict=True)):
            if signs in ((-1, 0, 1), (1, 0, -1)):
                yield l, i


def _explained(
    original: Network,
    neuron: Neuron,
    signs: set[int],
    is_proved: bool,
    seconds: Callable[[float], float],
) -> Obstruction:
    l, i = neuron
    name = _name(neuron)
    if not any(row[i] for row in original.layers[l + 1].weights.rows()):
        text = f"neuron {name} of the original has no weight in the next layer"
        return Obstruction("leads nowhere", text, original)
    for side, kind, text in ((1, "dead neuron", "active"), (-1, "linear neuron", "inactive")):
        if side in signs:
            continue
        proof = equivalent(*_halves(original, neuron, side), timeout=seconds(PROOF_SECONDS))
        if proof.answer:
            text = f"neuron {name} of the original is never {text}"
            return Obstruction(kind, text, original, proof.certificate)
    if is_proved and {1, -1} <= signs:
        text = f"the later layers hide the boundary of neuron {name} of the original everywhere"
        return Obstruction("hidden hyperplane", text, original)
    seen = {frozenset({1}): ", always active", frozenset({-1}): ", never active"}
    where = f"at the queries{seen.get(frozenset(signs - {0}), '')}"
    text = f"neuron {name} of the original does not show {where}"
    return Obstruction("invisible neuron", text, original)


def _halves(original: Network, neuron: Neuron, side: int) -> tuple[Network, Network]:
    """s(±z) beside a neuron that is constant and leads nowhere, and that neuron alone.

    So the networks are equal if a neuron is never active, and isomorphic without it.
    """
    l, i = neuron
    z = original.layers[l].affine.row(i)
    constant = (*(ZERO,) * (len(z) - 1), ONE)
    before = original.layers[:l]
    both = Layer(Matrix([[side * v for v in z], constant]))
    one = Layer(Matrix([constant]))
    return (
        Network((*before, both, Layer.of([[1, 0]], [0]))),
        Network((*before, one, Layer.of([[0]], [0]))),
    )


def _name(neuron: Neuron) -> str:
    return f"({neuron[0] + 1},{neuron[1] + 1})"
