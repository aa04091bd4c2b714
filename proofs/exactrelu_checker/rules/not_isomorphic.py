"""Two networks that are not isomorphic.

Statement. No permutations and positive scalings of the hidden neurons of A give B.

Evidence. None where widths, output biases, or the colours of neurons settle it; otherwise a tree.
The hidden neurons of both, in their normal scaling, are coloured by what they see of inputs,
biases and outputs, then again and again by the weights that join them to each colour, until no
colour splits. An isomorphism keeps colours, so both must have every colour equally often; if not,
the case is closed. If they do, ``individualise`` names a neuron of one of the networks. An
isomorphism takes it to a neuron of its colour in the other, and each of these is a case of its
own, in which the two get a new colour. Every isomorphism falls in a case; all are closed.
"""

from collections import Counter
from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..integers import dot
from ..network import Network
from ..normal_scaling import Neuron, Ratio, normal_form
from ..pair import PAIR_FIELDS, pair_subjects, pair_text, read_pair
from ..reader import Certificate
from ..statement import Claim, Rule
from ..values import RationalMatrix, read_index
from ..verdicts import Reason, Refused

_FIELDS = frozenset({"layer", "network", "neuron"})
Pairs = tuple[tuple[Neuron, Neuron], ...]  # neurons of A and of B that correspond
Colours = tuple[dict[Neuron, int], dict[Neuron, int]]


def _read(claim: Fields, budget: Budget) -> Claim:
    a, b = read_pair(claim, budget)
    return Claim(
        f"{pair_text(a, b)} are not equal up to permutation and positive scaling of hidden neurons",
        pair_subjects(a, b),
        partial(_check, a, b),
        (a, b),
    )


def _check(a: Network, b: Network, certificate: Certificate, budget: Budget) -> None:
    if a.widths() != b.widths() or not _same_root(a.layers, b.layers, budget):
        return
    cases: list[Pairs] = [()]
    while cases:
        pairs = cases.pop()
        colours = _stable_colours(a, b, pairs, budget)
        if Counter(colours[0].values()) != Counter(colours[1].values()):
            continue
        record = certificate.record("individualise", _FIELDS)
        side = read_index(record["network"])
        if side > 1:
            raise Refused(Reason.INDEX_OUT_OF_RANGE, "the network is 0 (A) or 1 (B)")
        chosen = (read_index(record["layer"]), read_index(record["neuron"]))
        if chosen not in colours[side]:
            raise Refused(Reason.INDEX_OUT_OF_RANGE, "there is no such hidden neuron")
        others = colours[1 - side]
        alike = [neuron for neuron in others if others[neuron] == colours[side][chosen]]
        for other in reversed(alike):
            cases.append((*pairs, (other, chosen) if side else (chosen, other)))


def _same_root(
    a: tuple[RationalMatrix, ...], b: tuple[RationalMatrix, ...], budget: Budget
) -> bool:
    """Compare what belongs to no hidden neuron: the output bias, all of an affine network."""
    first = -1 if len(a) > 1 else 0
    left = [entry for row in a[-1].rows for entry in row[first:]]
    right = [entry for row in b[-1].rows for entry in row[first:]]
    pairs = zip(left, right, strict=True)
    return not any(dot(pair, (b[-1].den, -a[-1].den), budget) for pair in pairs)


def _stable_colours(a: Network, b: Network, pairs: Pairs, budget: Budget) -> Colours:
    """Colour the hidden neurons of both networks, corresponding pairs by their number."""
    sides = tuple(normal_form(n, [pair[k] for pair in pairs], budget) for k, n in enumerate((a, b)))
    marks = tuple({pair[k]: number for number, pair in enumerate(pairs)} for k in (0, 1))
    signatures = [
        {neuron: (mark.get(neuron), label) for neuron, label in side.labels.items()}
        for side, mark in zip(sides, marks, strict=True)
    ]
    n_colours = 0
    while True:
        # Equal signatures get equal colours, in both networks.
        names: dict[object, int] = {}
        colours = tuple(
            {neuron: names.setdefault(key, len(names)) for neuron, key in part.items()}
            for part in signatures
        )
        if len(names) == n_colours:
            return colours[0], colours[1]
        n_colours = len(names)
        signatures = []
        for side, colour in zip(sides, colours, strict=True):
            seen: dict[Neuron, list[tuple[int, int, Ratio]]] = {neuron: [] for neuron in colour}
            for neuron, edges in side.edges.items():
                budget.spend(8 * len(edges) + 8)
                for before, weight in edges:
                    seen[neuron].append((0, colour[before], weight))
                    seen[before].append((1, colour[neuron], weight))
            signatures.append({v: (colour[v], tuple(sorted(seen[v]))) for v in colour})


RULE = Rule(PAIR_FIELDS, _read)
