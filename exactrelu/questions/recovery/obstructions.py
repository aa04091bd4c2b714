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
from exactrelu.questions.identifiability.second import second_networks
from exactrelu.questions.recovery.layers import Assembly, Layered, NotLayered
from exactrelu.questions.recovery.oracle import Answers
from exactrelu.questions.recovery.rows import Rows

#: Changes of a weight that are tried, until all answers still fit.
CHANGES = tuple(fmpq(s, 2**k) for k in range(0, 24, 4) for s in (1, -1))


@dataclass(frozen=True)
class Obstruction:
    """Something that the answers leave open; ``second`` fits them all too, and is not isomorphic.

    ``certificate`` proves that the recovered network and the second are the same function and not
    isomorphic, where it is there; otherwise they agree at the queries.
    """

    name: str
    description: str
    second: Network | None = None
    certificate: Certificate | None = None


def from_layers(layered: Layered, rows: Rows, answers: Answers) -> Iterator[Obstruction]:
    """The obstructions that show in the parameters."""
    network = layered.network
    other = next(second_networks(network), None)
    for layer, index in layered.carriers:
        kind = "hidden hyperplane" if layer == 1 else "linear neuron"
        text = f"neuron ({layer},{index}) passes on a linear function and never bends it"
        yield _with(kind, text, other)
    for k in layered.ambiguous:
        second = _other_signs(rows, k)
        is_second = second is not None and second != network and fits(second, answers)
        text = f"the signs of layer {k} have several solutions"
        yield Obstruction("ambiguous signs", text, second if is_second else None)
    telling: list[tuple[Vector, Vector]] = []
    for layer, index, source in layered.open_weights:
        text = f"the weight of neuron ({layer},{index}) from ({layer - 1},{source}) hardly shows"
        second = _changed(network, layer, index, source, answers, telling)
        if second is not None:
            yield Obstruction("open weight", text.replace("hardly shows", "does not show"), second)
    if not layered.carriers and other is not None:
        yield _with("not identifiable", other.reason, other)


def _with(name: str, text: str, other: object) -> Obstruction:
    network = getattr(other, "network", None)
    return Obstruction(name, text, network, getattr(other, "certificate", None))


def _other_signs(rows: Rows, k: int) -> Network | None:
    try:
        return Assembly(rows.copy(), other=k).run().network
    except NotLayered:
        return None


def _changed(
    network: Network,
    layer: int,
    index: int,
    source: int,
    answers: Answers,
    telling: list[tuple[Vector, Vector]],
) -> Network | None:
    """The network with another weight, if it gives the same answers.

    ``telling``: answers that told other changes apart, which are tried first.
    """
    for change in CHANGES:
        here, after = (
            [list(row) for row in part.affine.rows()] for part in network.layers[layer - 1 :][:2]
        )
        here[index - 1][source - 1] += change
        second = replaced(network, layer - 1, here, after)
        if not fits(second, telling):
            continue
        misfit = first_misfit(second, answers)
        if misfit is None:
            return second
        telling.append(misfit)
    return None


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
