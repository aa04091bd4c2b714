"""What queries cannot determine, by name, with two networks that fit all answers where possible.

Some of it shows in the parameters that were recovered: signs with several solutions, weights that
may change, neurons that never bend.  The rest are neurons of the original that no query can show,
with a proof where there is one.  With z the preactivation of a neuron as a function of the input:
it is dead if s(z) = 0 everywhere and linear if s(−z) = 0 everywhere, equalities of two networks
that are proved like all others.  A neuron whose z takes both signs, and whose function shows no
boundary of it all the same, is hidden by the layers after it; that nothing is missing without it
is what the proof of the whole says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from exactrelu.certificates.certificate import Certificate, Verdict
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.network.hiding import replaced
from exactrelu.network.network import Layer, Network, evaluate_batch, trace_batch
from exactrelu.network.roles import neuron_groups
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.identifiability.second import Second, second_networks
from exactrelu.questions.recovery.layers import Layered, other_choices
from exactrelu.questions.recovery.queries import MAX_PRODUCTS, Answers, Oracle, along, minus
from exactrelu.questions.recovery.rows import UnitRows

#: Changes of a weight that are tried, until all answers still fit.
CHANGES = tuple(fmpq(s, 2**k) for k in range(0, 24, 4) for s in (1, -1))
#: Seconds for the proof that such a change keeps the function.
CHANGE_SECONDS = 5.0
#: Seconds for the proof that one neuron is dead, or linear.
ROLE_SECONDS = 10.0

#: A neuron (layer, index), from 0.
Neuron = tuple[int, int]

_WHERE = {
    True: "does not show",
    False: "shows where no query came",
    None: "does not show at the queries",
}


@dataclass(frozen=True)
class RecoveryObstruction:
    """Something that the answers leave open; ``second`` fits them all too, and is not isomorphic.

    ``certificate`` proves what is said, where it is there: that the recovered network and the
    second are the same function, or that a neuron is dead or linear.  Otherwise they agree at the
    queries.
    """

    name: str
    description: str
    second: Network | None = None
    certificate: Certificate | None = None

    def _plain(self) -> dict[str, Any]:
        return {"name": self.name, "description": self.description, "second": self.second}


def from_layers(layered: Layered, rows: UnitRows, oracle: Oracle) -> Iterator[RecoveryObstruction]:
    """The obstructions that show in the parameters."""
    network, answers = layered.network, oracle.answers
    other = next(second_networks(network, effort=oracle.effort), None)
    for layer, index in layered.carriers:
        kind = "hidden hyperplane" if layer == 1 else "linear neuron"
        text = f"neuron ({layer},{index}) passes on a linear function and never bends it"
        yield with_second(kind, text, other)
    for k in layered.ambiguous:
        text = f"the signs of layer {k} have several solutions"
        choices = other_choices(rows, [k], oracle.effort)
        others = (o.network for o in choices if o.network != network)
        second = next((o for o in others if fits(o, answers, oracle.effort)), None)
        if second is None:
            yield RecoveryObstruction("ambiguous signs", text)
            continue
        same = _is_same(network, second, CHANGE_SECONDS, oracle.effort)
        proof = same.certificate if same.answer else None
        yield RecoveryObstruction(
            "ambiguous signs", f"{text}: which {_WHERE[same.answer]}", second, proof
        )
    telling: list[tuple[Vector, Vector]] = []
    for layer, index, source in layered.open_weights:
        found = _changed(network, layer, index, source, answers, telling, oracle.effort)
        if found is not None:
            second, same = found
            text = f"the weight of neuron ({layer},{index}) from ({layer - 1},{source}) "
            proof = same.certificate if same.answer else None
            yield RecoveryObstruction("open weight", text + _WHERE[same.answer], second, proof)
    if not layered.carriers and other is not None:
        yield with_second("not identifiable", other.reason, other)


def with_second(name: str, text: str, other: Second | None) -> RecoveryObstruction:
    """With another network of the same function, if there is one, and the proof that it is."""
    if other is None:
        return RecoveryObstruction(name, text)
    return RecoveryObstruction(name, text, other.network, other.certificate)


def _changed(
    network: Network,
    layer: int,
    index: int,
    source: int,
    answers: Answers,
    telling: list[tuple[Vector, Vector]],
    effort: Effort,
) -> tuple[Network, Verdict] | None:
    """The network with another weight that gives the same answers, and whether it is equal.

    ``telling``: answers that told other changes apart, which are tried first.
    """
    best: tuple[Network, Verdict] | None = None
    for change in CHANGES:
        here, after = (
            [list(row) for row in part.affine.flint_rows()]
            for part in network.layers[layer - 1 :][:2]
        )
        here[index - 1][source - 1] += change
        second = replaced(network, layer - 1, here, after)
        if not fits(second, telling, effort):
            continue
        misfit = first_misfit(second, answers, effort)
        if misfit is not None:
            telling.append(misfit)
            continue
        same = _is_same(network, second, CHANGE_SECONDS, effort)
        best = best or (second, same)
        if same.answer is False and same.witness is not None:
            telling.append((same.witness, network(same.witness)))
        else:
            return second, same
    return best


def _is_same(a: Network, b: Network, seconds: float, effort: Effort) -> Verdict:
    """Whether two networks are one function, undecided after these seconds."""
    same = equivalent(a, b, effort=effort.part(seconds=seconds))
    if same.answer is None:
        effort.spend()
    return same


def fits(network: Network, answers: Answers, effort: Effort = UNLIMITED) -> bool:
    """Whether the network gives all these answers."""
    return first_misfit(network, answers, effort) is None


def first_misfit(
    network: Network, answers: Answers, effort: Effort = UNLIMITED
) -> tuple[Vector, Vector] | None:
    """The first answer that the network does not give; most misfits show in a few answers."""
    start, size, most = 0, 64, max(64, MAX_PRODUCTS // network.n_parameters)
    while start < len(answers):
        effort.spend()
        some = answers[start : start + size]
        values = evaluate_batch(network, (x for x, _ in some))
        for answer, value in zip(some, values, strict=True):
            if answer[1] != value:
                return answer
        start, size = start + size, min(4 * size, most)
    return None


def unseen(
    original: Network,
    spots: Sequence[tuple[Vector, Vector]],
    samples: Sequence[Vector],
    *,
    is_proved: bool = True,
    effort: Effort = UNLIMITED,
) -> Iterator[RecoveryObstruction]:
    """Why neurons of the original are not among those with a boundary at one of the spots.

    ``spots``: points on boundaries, with short steps across; ``samples``: points at which the signs
    of the others are looked at; ``is_proved``: whether nothing is missing without them.

    >>> net = Network.from_arrays([[[1, 0], [0, 1]], [[-1, -1], [1, 2]], [[1, 1]]],
    ...                           [[0, 0], [0, -1], [0]])
    >>> spots = [((0, 3), (1, 0)), ((3, 0), (0, 1)), ((1, -1), (1, 0))]
    >>> [o.description for o in unseen(net, spots, [(1, 1), (-1, 2)])]
    ['neuron (2,1) of the original is never active']
    """
    seen = {neuron for x, step in spots for neuron in _crossed(original, x, step)}
    for group in neuron_groups(original):
        neurons = [(group.layer - 1, i - 1) for i in group.neurons]
        if not seen.isdisjoint(neurons):
            names = " and ".join(map(_name, neurons))
            text = f"neurons {names} of the original have one boundary, which shows only their sum"
            yield RecoveryObstruction("common boundary", text, original)
            seen.update(neurons)
    patterns = [e.pattern for e in trace_batch(original, samples)]
    for l, width in enumerate(original.hidden_widths):
        for i in range(width):
            if (l, i) not in seen:
                signs = {pattern[l][i] for pattern in patterns}
                yield _explained(original, (l, i), signs, is_proved, effort)


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
    effort: Effort,
) -> RecoveryObstruction:
    l, i = neuron
    name = _name(neuron)
    if not any(row[i] for row in original.layers[l + 1].weights.flint_rows()):
        text = f"neuron {name} of the original has no weight in the next layer"
        return RecoveryObstruction("leads nowhere", text, original)
    for side, kind, text in ((1, "dead neuron", "active"), (-1, "linear neuron", "inactive")):
        if side in signs:
            continue
        proof = _is_same(*_halves(original, neuron, side), ROLE_SECONDS, effort)
        if proof.answer:
            text = f"neuron {name} of the original is never {text}"
            return RecoveryObstruction(kind, text, original, proof.certificate)
    if is_proved and {1, -1} <= signs:
        text = f"the later layers hide the boundary of neuron {name} of the original everywhere"
        return RecoveryObstruction("hidden hyperplane", text, original)
    seen = {frozenset({1}): ", always active", frozenset({-1}): ", never active"}
    where = f"at the queries{seen.get(frozenset(signs - {0}), '')}"
    text = f"neuron {name} of the original does not show {where}"
    return RecoveryObstruction("invisible neuron", text, original)


def _halves(original: Network, neuron: Neuron, side: int) -> tuple[Network, Network]:
    """s(±z) beside a neuron that is constant and leads nowhere, and that neuron alone.

    So the networks are equal if a neuron is never active, and isomorphic without it.
    """
    l, i = neuron
    z = original.layers[l].affine.flint_row(i)
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
