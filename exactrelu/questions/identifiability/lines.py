"""From a deficit of the functional dimension to a second network: lines of networks.

Let Φ_s(θ) be the coefficients of f on the region with the signs s, as polynomials in the
parameters θ = (W_1, b_1, …, W_L, b_L), and 𝒮 the signs of the regions of θ in the domain D.

*Lines.*  Let Q_l = {W_l, b_l, b_{l+1}, …, b_L} and Q_∞ all biases.  A monomial of Φ_s is a path: it
starts at an input and goes through one entry of each of W_1, …, W_L, or it starts at one entry of
some b_m and goes through one of each of W_{m+1}, …, W_L.  So it has at most one factor in Q_l: an
entry of W_l if it starts before layer l, else the b_m where it starts, m ≥ l, after which it does
not use W_l.  It has at most one in Q_∞.  Hence Φ_s is affine in Q_l, and in Q_∞, and for v in the
kernel of the derivative of all Φ_s, s in 𝒮, with its support in one of these sets,

    Φ_s(θ + t·v) = Φ_s(θ)     for all t and all s in 𝒮.

For fixed x, t ↦ f(x) is continuous; as long as the regions of θ + t·v have signs in 𝒮 its values
are among the finitely many Φ_s(θ)·(x, 1), so it is constant.  Scalings are not of this kind: they
move a row and the column after it.  So a small t ≠ 0 gives a second network, unless a new region
opens at once.  This contains weights that never show (a column of the derivative is 0), neurons
that are dead or linear on D, translations of hidden neurons (Q_∞), and what moves in one row and
is taken back in others.

*Pairs.*  Two neurons i, j of one layer that have equal signs on every region on which all later
layers have an active neuron: row_i + t·row_j and column_j − t·column_i, t > 0, keep f there, since

    c_i·(z_i + t·z_j) + (c_j − t·c_i)·z_j = c_i·z_i + c_j·z_j,

and elsewhere f is constant in what these neurons do.

Neither is trusted to give a second network: that the values are the same on D is proved by
:func:`~exactrelu.questions.equivalence.equivalent.equivalent`, that the networks are not isomorphic
by their canonical forms.  Where θ lies on a wall, every t may open a region: |x| = s(x) + s(−x) has
the deficit b_1 + t, b_2 + t, c − t, and is identifiable on R.

A network of full functional dimension has neither lines nor pairs, and a few points show that.

Symbols: t ``size``, v ``direction``, Q ``columns``, c_i ``column``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, permutations
from typing import Protocol

from flint import fmpq, fmpz, fmpz_mat

from exactrelu.certificates.certificate import Certificate
from exactrelu.digits import say
from exactrelu.effort import Effort
from exactrelu.exact.linear import tall_kernel
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, bits
from exactrelu.network.hiding import replaced
from exactrelu.network.network import Layer, Network, Pattern, PlainNetwork
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.identifiability.derivatives import jacobian
from exactrelu.questions.identifiability.functional_dimension import is_full_at_samples
from exactrelu.questions.identifiability.second import Second, second_network
from exactrelu.questions.regions import regions

#: Networks with more parameters, or more regions, are left alone.
MAX_PARAMETERS = 400
MAX_REGIONS = 2_000
#: What a proof of equality may take, in cells and as a part of the time.
MAX_CELLS = 4_000
SHARE_OF_EQUALITY = 0.3
#: Sizes that are tried: 1, 1/4, 1/16, …, of both signs if both make sense.
SIZES = tuple(fmpq(1, 4**k) for k in range(11))
#: Lines and pairs that are tried, the shortest first.
MAX_MOVES = 40


class _NetworkFamily(Protocol):
    """A family of networks through the network, which is at t = 0."""

    @property
    def sizes(self) -> Sequence[fmpq]: ...

    def moved(self, network: Network, size: fmpq) -> Network: ...

    def reason(self, network: Network, size: fmpq) -> str: ...


@dataclass(frozen=True)
class _ParameterLine:
    """The networks θ + t·v: v at (layer, row, column) of [W|b], from 0, where it is not 0."""

    direction: dict[tuple[int, int, int], fmpq]

    @property
    def sizes(self) -> Sequence[fmpq]:
        return [sign * size for size in SIZES for sign in (1, -1)]

    @property
    def length(self) -> tuple[int, int]:
        """How many parameters move, and how long the numbers are."""
        return len(self.direction), sum(map(bits, self.direction.values()))

    def moved(self, network: Network, size: fmpq) -> Network:
        layers = [[list(row) for row in layer.affine.flint_rows()] for layer in network.layers]
        for (l, j, k), x in self.direction.items():
            layers[l][j][k] += size * x
        new = tuple(Layer(Matrix(rows)) for rows in layers)
        return Network(new, network.name, network.neuron_names)

    def reason(self, network: Network, size: fmpq) -> str:
        if len(self.direction) == 1:
            (((l, j, k), x),) = self.direction.items()
            here = _unit(network, l + 1, j + 1)
            is_bias = k == network.widths[l]
            name = f"the bias of {here}"
            if not is_bias:
                name = f"the weight from {_unit(network, l, k + 1)} to {here}"
            return f"{name} never shows: it moves by {say(size * x)}"
        widths = network.widths
        weights = sorted({l + 1 for l, _, k in self.direction if k < widths[l]})
        biases = sorted({l + 1 for l, _, k in self.direction if k == widths[l]})
        parts = [
            f"{n} of {_layers(of)}" for n, of in (("weights", weights), ("biases", biases)) if of
        ]
        return (
            f"{len(self.direction)} parameters move together, {' and '.join(parts)}, "
            f"by {say(size)} times a direction that does not change the function"
        )


@dataclass(frozen=True)
class _NeuronPair:
    """row_i + t·row_j and column_j − t·column_i, neurons i and j of a layer, from 0."""

    layer: int
    i: int
    j: int

    @property
    def sizes(self) -> Sequence[fmpq]:
        return SIZES

    def moved(self, network: Network, size: fmpq) -> Network:
        here, after = (
            [list(row) for row in layer.affine.flint_rows()]
            for layer in network.layers[self.layer : self.layer + 2]
        )
        here[self.i] = [x + size * y for x, y in zip(here[self.i], here[self.j], strict=True)]
        for row in after:
            row[self.j] -= size * row[self.i]
        return replaced(network, self.layer, here, after)

    def reason(self, network: Network, size: fmpq) -> str:
        one, two = (_unit(network, self.layer + 1, k + 1) for k in (self.i, self.j))
        return (
            f"{one} and {two} are active together wherever it shows: "
            f"{say(size)} times the second is added to the first"
        )


def _unit(network: Network, layer: int, index: int) -> str:
    """A neuron, an input or an output in words; all from 1, inputs are layer 0."""
    if layer == 0:
        return f"input {index}"
    if layer == len(network.layers):
        return f"output {index}"
    return network.neuron_name(layer, index)


def _layers(numbers: Sequence[int]) -> str:
    return f"layer{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"


def seconds_on_lines(network: PlainNetwork, place: Domain, effort: Effort) -> Iterator[Second]:
    """Second networks on lines through the network, then by pairs of neurons; one for each.

    Their values are those of the network on the domain, which is not flat.  Over a bound on the
    regions there are none.

    >>> from exactrelu.network.network import plain
    >>> net = plain(Network.from_arrays(
    ...     [[[1], [-1]], [[1, -1]], [[1]]], [[0, -1], [-1], [0]]), "")
    >>> next(seconds_on_lines(net, Domain.of(None, 1), Effort())).reason
    'the bias of (1,2) never shows: it moves by 1'
    """
    if network.n_parameters > MAX_PARAMETERS or is_full_at_samples(network, place, effort):
        return
    found = regions(network, place, certify=False, effort=effort.part(regions=MAX_REGIONS))
    effort.spend()
    if not found.is_complete:
        return
    patterns = [region.pattern for region in found.regions]
    lines = sorted(_lines(network, patterns, effort), key=lambda line: line.length)
    moves: Iterator[_NetworkFamily] = chain(lines[:MAX_MOVES], islice(_pairs(patterns), MAX_MOVES))
    for move in moves:
        second = _second(network, place, move, effort)
        if second is not None:
            yield second


def _second(network: Network, place: Domain, move: _NetworkFamily, effort: Effort) -> Second | None:
    """The second network of the largest size that is proved to be one."""
    for size in move.sizes:
        effort.spend()
        other = move.moved(network, size)
        part = effort.part(regions=MAX_CELLS, share=SHARE_OF_EQUALITY)
        equal = equivalent(network, other, place, effort=part)
        effort.spend()
        if equal.answer and isinstance(equal.certificate, Certificate):
            records = equal.certificate.evidence
            proof = second_network(network, place, other, records, effort)
            if proof is not None:
                return Second(other, move.reason(network, size), proof)
    return None


def _lines(network: Network, patterns: Sequence[Pattern], effort: Effort) -> list[_ParameterLine]:
    """A basis of each kernel, as short as the order of its columns makes it; each line once."""
    blocks = []
    for pattern in patterns:
        effort.spend()
        blocks.append(jacobian(network, pattern).integer_form[0])
    places = _places(network)
    sets = _column_sets(network, places)
    found: dict[tuple[tuple[tuple[int, int, int], str], ...], _ParameterLine] = {}
    for columns in chain(sets, (one[::-1] for one in sets)):
        effort.spend()
        entries = [block[i, c] for block in blocks for i in range(block.nrows()) for c in columns]
        matrix = fmpz_mat(len(entries) // len(columns), len(columns), entries)
        for vector in tall_kernel(matrix).flint_vectors:
            direction = {places[c]: x for c, x in zip(columns, _scaled(vector), strict=True) if x}
            line = _ParameterLine(dict(sorted(direction.items())))
            found.setdefault(tuple((at, str(x)) for at, x in line.direction.items()), line)
    return list(found.values())


def _places(network: Network) -> list[tuple[int, int, int]]:
    """The parameters in the order of the Jacobian: layer, row and column, the last one the bias."""
    return [
        (l, j, k)
        for l, layer in enumerate(network.layers)
        for j in range(layer.n_outputs)
        for k in range(layer.n_inputs + 1)
    ]


def _column_sets(network: Network, places: Sequence[tuple[int, int, int]]) -> list[list[int]]:
    """The parameters that may change together: all biases; a layer and the biases after it."""
    is_bias = [k == network.widths[l] for l, _, k in places]
    return [
        [c for c in range(len(places)) if is_bias[c]],
        *(
            [c for c, (m, _, _) in enumerate(places) if m == l or (m > l and is_bias[c])]
            for l in range(len(network.layers))
        ),
    ]


def _scaled(vector: Sequence[fmpz]) -> Vector:
    """A multiple with short numbers, one of which is 1.

    >>> _scaled((fmpz(0), fmpz(20), fmpz(-6), fmpz(10)))
    (0, 2, -3/5, 1)
    """
    exact = tuple(map(fmpq, vector))
    scaled = (tuple(x / pivot for x in exact) for pivot in exact if pivot)
    return min(scaled, key=lambda one: sum(map(bits, one)))


def _pairs(patterns: Sequence[Pattern]) -> Iterator[_NeuronPair]:
    """The pairs that are active on the same regions, of those where all later layers are on.

    >>> list(_pairs([((1, 1, -1),), ((-1, -1, -1),), ((-1, -1, 1),)]))
    [_NeuronPair(layer=0, i=0, j=1), _NeuronPair(layer=0, i=1, j=0)]
    """
    for l, signs in enumerate(patterns[0]):
        live = [p[l] for p in patterns if all(max(later) > 0 for later in p[l + 1 :])]
        active = [tuple(one[i] > 0 for one in live) for i in range(len(signs))]
        for i, j in permutations(range(len(signs)), 2):
            if active[i] == active[j]:
                yield _NeuronPair(l, i, j)
