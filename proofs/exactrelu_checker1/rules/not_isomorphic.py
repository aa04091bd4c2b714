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
from collections.abc import Sequence
from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..integers import dot
from ..network import Network
from ..normal_scaling import Neuron, Normal, Ratio, normal_form
from ..pair import PAIR_FIELDS, pair_subjects, pair_text, read_pair
from ..reader import Certificate
from ..statement import Claim, Rule
from ..values import RationalMatrix, read_index
from ..verdicts import Reason, Refused

_FIELDS = frozenset({"layer", "network", "neuron"})
Pairs = tuple[tuple[Neuron, Neuron], ...]  # neurons of A and of B that correspond
Signatures = dict[Neuron, object]
Colouring = dict[Neuron, int]
Colours = tuple[Colouring, Colouring]


def _read(claim: Fields, budget: Budget) -> Claim:
    a, b = read_pair(claim, budget)
    return Claim(
        f"{pair_text(a, b)} are not equal up to permutation and positive scaling of hidden neurons",
        pair_subjects(a, b),
        partial(check_not_isomorphic, a, b),
        (a, b),
    )


def check_not_isomorphic(a: Network, b: Network, certificate: Certificate, budget: Budget) -> None:
    """Check that every case of the tree is closed."""
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
    signatures: list[Signatures] = [
        {neuron: (mark.get(neuron), label) for neuron, label in side.labels.items()}
        for side, mark in zip(sides, marks, strict=True)
    ]
    before = 0
    colours, count = _named(signatures)
    while count > before:
        before = count
        signatures = [
            _signatures(side, colour, budget) for side, colour in zip(sides, colours, strict=True)
        ]
        colours, count = _named(signatures)
    return colours


def _signatures(side: Normal, colour: Colouring, budget: Budget) -> Signatures:
    """Return what each neuron sees: its colour, and direction, colour and weight of its edges."""
    seen: dict[Neuron, list[tuple[int, int, Ratio]]] = {neuron: [] for neuron in colour}
    for neuron, edges in side.edges.items():
        budget.spend(8 * len(edges) + 8)
        for start, weight in edges:
            seen[neuron].append((0, colour[start], weight))
            seen[start].append((1, colour[neuron], weight))
    return {neuron: (colour[neuron], tuple(sorted(seen[neuron]))) for neuron in colour}


def _named(signatures: Sequence[Signatures]) -> tuple[Colours, int]:
    """Give equal signatures equal colours, in both networks, and count the colours."""
    names: dict[object, int] = {}
    first, second = (
        {neuron: names.setdefault(key, len(names)) for neuron, key in part.items()}
        for part in signatures
    )
    return (first, second), len(names)


RULE = Rule(PAIR_FIELDS, _read)
