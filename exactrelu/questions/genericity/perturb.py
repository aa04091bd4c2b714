"""A nearby network that is generic.

The networks that are not generic in a sense lie on finitely many hypersurfaces (density:
theory 2.2), so a random small change leaves them.  All parameters are moved by random
multiples of a small power of 2, first by few of them, then by more, until every sense asked
for is certified.  The random numbers depend on the seed only.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flint import fmpq

from exactrelu.errors import InputError, Unanswered
from exactrelu.exact.matrix import Matrix
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import DomainLike
from exactrelu.questions.genericity.senses import is_generic
from exactrelu.verdict import Verdict

#: What is aimed at unless other senses are asked for.
PERTURBED_SENSES = ("generic",)
#: Parameters move by multiples of 2^−STEP_BITS.
STEP_BITS = 20
#: The number of tries; the last one moves parameters by up to 2.
TRIES = STEP_BITS


@dataclass(frozen=True)
class Perturbed:
    """A generic network, how far it is, and the verdict with certificate for each sense."""

    network: Network
    #: The largest absolute change of a parameter.
    distance: fmpq
    verdicts: Mapping[str, Verdict]


def make_generic(
    network: Network,
    senses: Sequence[str] = PERTURBED_SENSES,
    domain: DomainLike = None,
    *,
    seed: int = 0,
    timeout: float | None = None,
) -> Perturbed:
    """The network itself if it is generic on a domain in all ``senses``, or one nearby that is.

    ``timeout`` bounds each question in seconds.

    >>> net = Network.from_arrays([[[1, 0], [1, 0]], [[1, 2]]], [[0, 1], [0]])
    >>> found = make_generic(net, ["masked-rank"])
    >>> found.distance, found.verdicts["masked-rank"].answer
    (1/262144, True)
    """
    rng = random.Random(seed)
    candidate, distance = network, fmpq(0)
    for attempt in range(TRIES + 1):
        verdicts = _verdicts(candidate, senses, domain, timeout)
        if all(verdict.answer for verdict in verdicts.values()):
            return Perturbed(candidate, distance, verdicts)
        undecided = [sense for sense, verdict in verdicts.items() if verdict.answer is None]
        if undecided:
            raise Unanswered(f"{undecided[0]}: {verdicts[undecided[0]].reason}")
        candidate, distance = _moved(network, rng, 4 << attempt)
    raise InputError(f"no generic network found within {distance}")


def _verdicts(
    network: Network, senses: Sequence[str], domain: DomainLike, timeout: float | None
) -> dict[str, Verdict]:
    """The verdicts up to the first that is not a yes."""
    verdicts: dict[str, Verdict] = {}
    for sense in senses:
        verdicts[sense] = is_generic(network, sense, domain, timeout=timeout)
        if not verdicts[sense].answer:
            break
    return verdicts


def _moved(network: Network, rng: random.Random, n_steps: int) -> tuple[Network, fmpq]:
    """Every parameter moved by at most n_steps multiples, and the largest change."""
    largest = 0
    layers = []
    for layer in network.layers:
        entries = layer.affine.entries()
        changes = [rng.randint(-n_steps, n_steps) for _ in entries]
        largest = max(largest, *map(abs, changes))
        moved = (x + fmpq(c, 1 << STEP_BITS) for x, c in zip(entries, changes, strict=True))
        layers.append(Layer(Matrix.from_entries(*layer.affine.shape, moved)))
    return Network(tuple(layers), network.name, network.neuron_names), fmpq(largest, 1 << STEP_BITS)
