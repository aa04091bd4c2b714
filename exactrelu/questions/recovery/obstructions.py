"""What queries cannot determine, by name, with two networks that fit all answers where possible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq

from exactrelu.certificates.certificate import Certificate
from exactrelu.exact.scalar import Vector
from exactrelu.network.evaluate import evaluate_batch
from exactrelu.network.hiding import replaced
from exactrelu.network.network import Network
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.identifiability.second import Second, second_networks
from exactrelu.questions.recovery.layers import Layered, other_choices
from exactrelu.questions.recovery.oracle import Answers, Oracle
from exactrelu.questions.recovery.rows import Rows
from exactrelu.verdict import Verdict

#: Changes of a weight that are tried, until all answers still fit.
CHANGES = tuple(fmpq(s, 2**k) for k in range(0, 24, 4) for s in (1, -1))
#: Seconds for the proof that such a change keeps the function.
PROOF_SECONDS = 5.0
_WHERE = {
    True: "does not show",
    False: "shows where no query came",
    None: "does not show at the queries",
}


@dataclass(frozen=True)
class Obstruction:
    """Something that the answers leave open; ``second`` fits them all too, and is not isomorphic.

    ``certificate`` proves what is said, where it is there: that the recovered network and the
    second are the same function, or that a neuron is dead or linear.  Otherwise they agree at the
    queries.
    """

    name: str
    description: str
    second: Network | None = None
    certificate: Certificate | None = None


def from_layers(layered: Layered, rows: Rows, oracle: Oracle) -> Iterator[Obstruction]:
    """The obstructions that show in the parameters."""
    network, answers = layered.network, oracle.answers
    other = next(second_networks(network), None)
    for layer, index in layered.carriers:
        kind = "hidden hyperplane" if layer == 1 else "linear neuron"
        text = f"neuron ({layer},{index}) passes on a linear function and never bends it"
        yield with_second(kind, text, other)
    for k in layered.ambiguous:
        text = f"the signs of layer {k} have several solutions"
        others = (o.network for o in other_choices(rows, [k]) if o.network != network)
        second = next((o for o in others if fits(o, answers)), None)
        if second is None:
            yield Obstruction("ambiguous signs", text)
            continue
        same = equivalent(network, second, timeout=oracle.seconds(PROOF_SECONDS))
        proof = same.certificate if same.answer else None
        yield Obstruction("ambiguous signs", f"{text}: which {_WHERE[same.answer]}", second, proof)
    telling: list[tuple[Vector, Vector]] = []
    for layer, index, source in layered.open_weights:
        seconds = oracle.seconds(PROOF_SECONDS)
        found = _changed(network, layer, index, source, answers, telling, seconds)
        if found is not None:
            second, same = found
            text = f"the weight of neuron ({layer},{index}) from ({layer - 1},{source}) "
            proof = same.certificate if same.answer else None
            yield Obstruction("open weight", text + _WHERE[same.answer], second, proof)
    if not layered.carriers and other is not None:
        yield with_second("not identifiable", other.reason, other)


def with_second(name: str, text: str, other: Second | None) -> Obstruction:
    """With another network of the same function, if there is one, and the proof that it is."""
    if other is None:
        return Obstruction(name, text)
    return Obstruction(name, text, other.network, other.certificate)


def _changed(
    network: Network,
    layer: int,
    index: int,
    source: int,
    answers: Answers,
    telling: list[tuple[Vector, Vector]],
    seconds: float,
) -> tuple[Network, Verdict] | None:
    """The network with another weight that gives the same answers, and whether it is equal.

    ``telling``: answers that told other changes apart, which are tried first.
    """
    best: tuple[Network, Verdict] | None = None
    for change in CHANGES:
        here, after = (
            [list(row) for row in part.affine.rows()] for part in network.layers[layer - 1 :][:2]
        )
        here[index - 1][source - 1] += change
        second = replaced(network, layer - 1, here, after)
        if not fits(second, telling):
            continue
        misfit = first_misfit(second, answers)
        if misfit is not None:
            telling.append(misfit)
            continue
        same = equivalent(network, second, timeout=seconds)
        best = best or (second, same)
        if same.answer is False and same.witness is not None:
            telling.append((same.witness, network(same.witness)))
        else:
            return second, same
    return best


def fits(network: Network, answers: Answers) -> bool:
    """Whether the network gives all these answers."""
    return first_misfit(network, answers) is None


def first_misfit(network: Network, answers: Answers) -> tuple[Vector, Vector] | None:
    """The first answer that the network does not give; most misfits show in a few answers."""
    start, size = 0, 64
    while start < len(answers):
        some = answers[start : start + size]
        values = evaluate_batch(network, (x for x, _ in some))
        for answer, value in zip(some, values, strict=True):
            if answer[1] != value:
                return answer
        start, size = start + size, 4 * size
    return None
