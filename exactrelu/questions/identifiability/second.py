"""What keeps a network from being identifiable: signs that say so, and a second network.

*The sign theorem* for three-layer bottlenecks, n_0 ≥ n_1 (theory 3.5), and its volume (3.6).  A
generic network is *not* identifiable iff [W_2|b_2] has an all-negative row (a dead
neuron), an all-positive row (a linear one), or a column i ≤ n_1 such that every row is
positive at i and negative elsewhere, its bias included (H_i is hidden).  This is for
n_1 ≥ 2.  For n_1 = 1 there is a fourth case, all rows (−|+): the network has a mirror image
[S002-E02].  Signs alone decide, so that a fraction of all sign patterns is identifiable.

*A second network* has the same function and is not isomorphic (theory 3.2, 3.4, 3.5).  For one
hidden layer: :mod:`~exactrelu.questions.identifiability.shallow`; for two also other
orientations of layers 2 and 3 (theory 3.4).  Four moves keep the function of a network of any
depth:

- *dead*: the row and the outgoing weights of a neuron that is never positive are free;
- *linear*: a neuron that is never negative may have its bias moved by t, if the next layer
  takes −t times its outgoing weights;
- *translation*: a hidden neuron moves (3.2);
- *mirror*: three layers, one neuron in the first and all rows (−|+) in the second.  With
  y = w·x + b, rows (−a_j|b_j), p_j = b_j/a_j, p_1 the largest of them and v_j = V_j a_j,
  f(x) = c + Σ v_j s(p_j − s(y)) is also, with y' = p_1 − y [S002-E02],
  c' + Σ_{j>1} v_j s(p_1 − p_j − s(y')) − (Σ v_j)·s(p_1 − s(y')),
  where c' = c + p_1·Σ v_j − Σ_{j>1} v_j (p_1 − p_j).

Symbols: p_j ``zeros``, p_1 ``largest``, v_j ``weights``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Unpack

from flint import fmpq

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Certificate, Found, Verdict, claim
from exactrelu.certificates.moves import network_records, rewriting_claim
from exactrelu.certificates.pair_trees import uncut_proof
from exactrelu.digits import say
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.hiding import Hiding, hides, hiding, replaced
from exactrelu.network.network import Network
from exactrelu.network.rewriting import Translate
from exactrelu.network.roles import Role, neuron_roles
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.equivalence.canonical_forms import isomorphic, shallow_equal
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.fibers.shallow import shallow_fiber
from exactrelu.questions.identifiability.shallow import shallow_seconds
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words

#: Sizes of the change that are tried, until the second network is not isomorphic.
SIZES = (ONE, fmpq(1, 3), fmpq(7, 5))
#: Other orientations of layers 2 and 3 are tried for networks up to this size.
MAX_LAYERWISE = 10
MAX_STRATA = 64
MAX_CELLS = 2_000
#: Longer fractions are not written: nobody reads a megabyte of digits.
MAX_BITS = 10_000_000


@dataclass(frozen=True)
class SignObstruction:
    """Why a sign pattern is not identifiable; neurons from 0.

    ``dead`` and ``linear`` name neurons of layer 2, ``hidden`` one of layer 1.
    """

    kind: str
    neuron: int

    def text(self) -> str:
        i = self.neuron + 1
        return {
            "dead": f"neuron (2,{i}) is dead: its row of [W2|b2] is all negative",
            "linear": f"neuron (2,{i}) is linear: its row of [W2|b2] is all positive",
            "hidden": f"layer 2 hides neuron (1,{i}): positive at {i}, negative elsewhere",
            "mirror": "one neuron in layer 1 and all rows of [W2|b2] are (−|+): a mirror image",
        }[self.kind]


def obstructions(network: Network) -> tuple[SignObstruction, ...]:
    """What keeps a three-layer network from being identifiable, by the signs of [W_2|b_2]."""
    rows = network.layers[1].affine.flint_rows()
    found = [SignObstruction("dead", j) for j, row in enumerate(rows) if all(x < 0 for x in row)]
    found += [SignObstruction("linear", j) for j, row in enumerate(rows) if all(x > 0 for x in row)]
    n_1 = len(rows[0]) - 1
    found += [
        SignObstruction("hidden", i) for i in range(n_1) if all(hides(row, i) for row in rows)
    ]
    if n_1 == 1 and all(w < 0 < b for w, b in rows):
        found.append(SignObstruction("mirror", 0))
    return tuple(found)


def theorem_5(network: Network) -> list[str]:
    """The conditions of the published theorem that hold: dead, linear, hide1, hide2, …

    >>> net = Network.from_arrays(
    ...     [[[1, 0], [0, 1]], [[1, -1], [2, -1]], [[1, 1]]], [[0, 0], [-1, -3], [0]])
    >>> theorem_5(net)
    ['hide1']
    """
    names = {
        "dead": "dead",
        "linear": "linear",
    }
    found = [
        names.get(o.kind, f"hide{o.neuron + 1}")
        for o in obstructions(network)
        if o.kind != "mirror"
    ]
    return list(dict.fromkeys(found))


def _published(found: Volume, words: Words) -> Iterator[str]:
    least, most = found.published_lower, found.published_upper
    fails = "" if least <= found.fraction <= most else ", which do not hold for n1 = 1"
    yield f"published bounds: {words.number(least)} and {words.number(most)}{fails}"


@dataclass(frozen=True, repr=False)
class Volume(Outward, Found):
    """The identifiable fraction of a ball around 0, and the published bounds of it.

    For n_1 = 1 the published theorem counts too much, and the bounds need not hold.
    """

    PARTS = (
        Part("volume", "the fraction", unproved="the fraction", of="fraction"),
        Part("published_lower", "the published lower bound", said=_published),
        Part("published_upper", "the published upper bound"),
    )

    widths: tuple[int, int, int, int]
    fraction: fmpq
    published_lower: fmpq
    published_upper: fmpq

    def sentence(self, words: Words = PEOPLE) -> str:
        """The fraction."""
        widths = ",".join(map(str, self.widths))
        share = words.number(self.fraction)
        return f"the fraction {share} of the parameters of widths {widths} is identifiable"


@question
def volume(call: Call[Volume], widths: tuple[int, ...], **limits: Unpack[Limits]) -> Volume:
    """The exact fraction of parameters that are identifiable, for three-layer bottlenecks.

    Parameters
    ----------
    widths : tuple of int
        (n_0, n_1, n_2, n_3) with n_0 ≥ n_1.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Volume
        ``fraction`` of a ball around 0, and ``published_lower`` and ``published_upper``, the bounds
        of the paper.

    Raises
    ------
    Stopped
        If its denominator, a power of 2 with (n_1 + 1)·n_2 bits, is too long.

    References
    ----------
    *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), Section 6, corollary on the
    volume.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.identifiability.volume((2, 2, 2, 1)).fraction
    17/32
    """
    if len(widths) != 4 or min(widths) < 1 or widths[1] > widths[0]:
        shown = ",".join(map(str, widths))
        raise InputError(f"architecture {shown}: expected n0,n1,n2,n3 with n0 >= n1 >= 1")
    n_0, n_1, n_2, n_3 = widths
    n_bits = (n_1 + 1) * n_2
    call.effort.need(2 * n_bits, f"a fraction of {n_bits:,} bits")
    if n_bits > MAX_BITS:
        raise Stopped(f"a fraction of {n_bits:,} bits, more than {MAX_BITS:,}")
    fraction = sign_fraction(n_1, n_2) if n_1 > 1 else fmpq(2**n_2 - 2, 4**n_2)
    row = fmpq(1, 2 ** (n_1 + 1))
    lower = 1 - 2 * n_2 * row - n_1 * row**n_2
    return Volume((n_0, n_1, n_2, n_3), fraction, lower, (1 - row) ** n_2)


def sign_fraction(n_1: int, n_2: int) -> fmpq:
    """The fraction of sign patterns that the three published conditions leave.

    All n_2 rows are neither − nor +, but not all of them the same hiding row, of which
    there are n_1.
    """
    return fmpq((2 ** (n_1 + 1) - 2) ** n_2 - n_1, 2 ** ((n_1 + 1) * n_2))


def count_by_signs(n_1: int, n_2: int) -> tuple[int, int]:
    """Identifiable sign patterns and all of them, by trying each one; for small widths."""
    rows = list(product((-1, 1), repeat=n_1 + 1))
    n_identifiable = 0
    for pattern in product(rows, repeat=n_2):
        network = Network.from_arrays(
            [[[0]] * n_1, [row[:-1] for row in pattern], [[0] * n_2]],
            [[0] * n_1, [row[-1] for row in pattern], [0]],
        )
        n_identifiable += not obstructions(network)
    return n_identifiable, len(rows) ** n_2


@dataclass(frozen=True)
class Second:
    """Another network with the same function, not isomorphic to the first, and why."""

    network: Network
    reason: str
    certificate: Certificate


@dataclass(frozen=True)
class _ProvedMove:
    """Another network, and the proof that it is equal to the first."""

    network: Network
    reason: str
    records: tuple[str, ...]


def second_networks(
    network: Network, domain: DomainLike = None, effort: Effort = UNLIMITED
) -> Iterator[Second]:
    """Second networks by all moves that are found from the signs and bounds of the weights.

    They have the function everywhere; the certificate is about the domain.

    >>> net = Network.from_arrays(
    ...     [[[1, 0], [0, 1]], [[1, 2]], [[1]]], [[0, 0], [1], [0]])
    >>> next(second_networks(net)).reason
    'neuron (2,1) is linear: its bias moves by 1'
    """
    place = Domain.of(domain, network.n_inputs)
    for move in _moves(network, place, effort):
        effort.spend()
        found = second_network(network, place, move.network, move.records, effort)
        if found is not None:
            yield Second(move.network, move.reason, found)


def second_network(
    network: Network,
    place: Domain,
    other: Network,
    records: Iterable[str],
    effort: Effort = UNLIMITED,
) -> Certificate | None:
    """The claim that a network is not identifiable on a domain, as another one has its values.

    None if the two are isomorphic, or not told apart.
    """
    verdict = isomorphic(network, other, effort=effort)
    if verdict.answer is not False or not isinstance(verdict.certificate, Certificate):
        return None
    proof = (*network_records(other), *records, *verdict.certificate.evidence)
    about = {"network": network, "among": "all", "domain": place}
    return claim("identifiable", "equal", proof, holds=False, **about)


def _moves(network: Network, place: Domain, effort: Effort) -> Iterator[_ProvedMove]:
    n_hidden = len(network.hidden_widths)
    for size in SIZES:
        yield from _signed(network, place, size, effort)
        for l in range(n_hidden - 1):
            yield from _translated(network, place, l, size)
    yield from _mirrored(network, place, effort)
    if n_hidden == 1:
        for candidate in shallow_seconds(network, effort):
            effort.spend()
            equal = shallow_equal(network, candidate.network)
            if not equal.answer:
                raise ArithmeticError(f"{candidate.reason}, with another function: a bug")
            yield from _equal(candidate.network, candidate.reason, equal)
    if n_hidden == 2 and network.n_hidden_neurons <= MAX_LAYERWISE:
        yield from _layerwise(network, place, effort)


def _equal(other: Network, reason: str, equal: Verdict) -> Iterator[_ProvedMove]:
    """A network whose values are the same by a proof of their equality."""
    if equal.answer and isinstance(equal.certificate, Certificate):
        yield _ProvedMove(other, reason, tuple(equal.certificate.evidence))


def _layerwise(network: Network, place: Domain, effort: Effort) -> Iterator[_ProvedMove]:
    """Other layers 2 and 3 with the same values on the orthant."""
    orthant = LinearSystem.orthant(network.widths[1])
    few = effort.part(components=MAX_STRATA)
    rest = shallow_fiber(network.truncate(2, 3), orthant, effort=few)
    for component in rest.nonempty:
        effort.spend()
        if component.sample is not None:
            second = Network((network.layers[0], *component.sample.layers))
            equal = equivalent(network, second, place, effort=effort.part(regions=MAX_CELLS))
            yield from _equal(second, "layers 2 and 3 have another orientation", equal)


def _signed(network: Network, place: Domain, size: fmpq, effort: Effort) -> Iterator[_ProvedMove]:
    for l, roles in enumerate(neuron_roles(network, n_samples=0, effort=effort)):
        for j, role in enumerate(roles):
            if role not in (Role.DEAD, Role.LINEAR):
                continue
            here, after = (
                [list(row) for row in layer.affine.flint_rows()]
                for layer in network.layers[l : l + 2]
            )
            name = network.neuron_name(l + 1, j + 1)
            if role == Role.DEAD:
                here[j][-1] -= size
                reason = f"neuron {name} is dead: its bias moves by {say(-size)}"
            else:
                here[j][-1] += size
                for row in after:
                    row[-1] -= size * row[j]
                reason = f"neuron {name} is linear: its bias moves by {say(size)}"
            moved = replaced(network, l, here, after)
            equal = uncut_proof(network, moved, place, effort)
            if equal is not None:
                yield _ProvedMove(moved, reason, tuple(equal.evidence))


@dataclass(frozen=True)
class Translation:
    """A hidden neuron of layer ``layer`` and by how much its bias moves up, all from 0."""

    found: Hiding
    layer: int
    neuron: int
    size: fmpq


def translation(network: Network, layer: int, size: fmpq = ONE) -> Translation | None:
    """How far the neuron that layer + 1 hides may move, up to a size; from 1.  Less will do too."""
    found = hiding(network, layer=layer)
    if found is None:
        return None
    hidden, t = found.hidden - 1, size
    for row in network.layers[layer].affine.flint_rows():
        if row[hidden] < 0:  # a dead neuron, which must stay dead
            t = min(t, size / (1 + size) * row[-1] / row[hidden])
    return Translation(found, layer - 1, hidden, t) if t > 0 else None


def _translated(network: Network, place: Domain, layer: int, size: fmpq) -> Iterator[_ProvedMove]:
    move = translation(network, layer + 1, size)
    if move is not None:
        name = network.neuron_name(layer + 1, move.neuron + 1)
        reason = f"neuron {name} is hidden: its bias moves by {say(move.size)}"
        moved = move.found.translate(move.size, live_only=False)
        steps = [Translate(layer, move.neuron, move.size)]
        equal = rewriting_claim(network, moved, place, steps)
        yield _ProvedMove(moved, reason, tuple(equal.evidence))


def _mirrored(network: Network, place: Domain, effort: Effort) -> Iterator[_ProvedMove]:
    if len(network.layers) != 3 or network.widths[1] != 1:
        return
    first, second, last = (layer.affine.flint_rows() for layer in network.layers)
    if not all(w < 0 < b for w, b in second):
        return
    zeros = [-b / w for w, b in second]
    largest = max(zeros)
    top = zeros.index(largest)
    weights: list[Vector] = [
        tuple(-row[j] * second[j][0] for j in range(len(second))) for row in last
    ]
    new_first = [[*(-x for x in first[0][:-1]), largest - first[0][-1]]]
    new_second = [[-ONE, largest if j == top else largest - p] for j, p in enumerate(zeros)]
    new_last = []
    for row, v in zip(last, weights, strict=True):
        total = sum(v, ZERO)
        new = [-total if j == top else v[j] for j in range(len(v))]
        bias = row[-1] + largest * total
        bias -= sum((v[j] * (largest - zeros[j]) for j in range(len(v)) if j != top), ZERO)
        new_last.append([*new, bias])
    mirror = replaced(network, 0, new_first, new_second)
    mirror = replaced(mirror, 1, new_second, new_last)
    reason = "the mirror image of a network with one neuron in layer 1"
    yield from _equal(mirror, reason, equivalent(network, mirror, place, effort=effort))
