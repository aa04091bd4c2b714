"""Masked ranks (theory 2.2b), decided exactly.

For 1 ≤ k ≤ l ≤ L and all masks, rank(I_l W_l I_{l−1} … I_k W_k) = min(n_{k−1}, |I_k|, …, |I_l|);
L counts the last layer too.  :mod:`.masked_products` says which minors decide this.  They are
computed modulo a prime; one that is 0 there is computed exactly.  If it is 0, the rows
where y·M = 0 has y ≠ 0 form the last mask of a failing product, and y proves it: rank <
|I_l|.  If none is 0 modulo the prime, the prime is the certificate.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Unpack

from flint import fmpz

from exactrelu.certificates.certificate import Verdict, claim, record
from exactrelu.digits import say
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.exact.linear import kernel
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.modular import residues, word_primes
from exactrelu.exact.rational import Outward
from exactrelu.network.network import Network
from exactrelu.questions.genericity.masked_products import (
    Shape,
    ZeroMinor,
    mask_number,
    n_all_masks,
    stages,
    zero_minors,
)
from exactrelu.questions.question import Call, question
from exactrelu.words import figure

#: If nothing is said: what takes from ten minutes to an hour, at 3 to 20 million minors a second.
MAX_MASKS = 10_000_000_000


@dataclass(frozen=True)
class DeficientMask(Outward):
    """Masks of layers ``first`` … (layers from 1, neurons from 0) with a deficient product.

    Σ ``combination[i]`` · (row ``masks[-1][i]``) of W_l I_{l−1} … I_k W_k is 0, although no
    mask and no input width is smaller than the last mask.
    """

    PROVED: ClassVar[tuple[str, ...]] = ("layers", "masks", "expected_rank", "kernel")
    COMPUTED: ClassVar[str] = ""

    first: int
    masks: tuple[tuple[int, ...], ...]
    combination: tuple[fmpz, ...]

    @property
    def last(self) -> int:
        return self.first + len(self.masks) - 1

    @property
    def expected_rank(self) -> int:
        return len(self.masks[-1])

    @property
    def n_neurons(self) -> int:
        """How many neurons the masks have."""
        return sum(map(len, self.masks))

    @property
    def order(self) -> tuple[Any, ...]:
        """Small ones first."""
        return self.n_neurons, len(self.masks), self.first, self.masks

    def text(self) -> str:
        """The product, its expected rank, and why it has less."""
        layers = range(self.last, self.first - 1, -1)
        parts = [
            f"I{l}={{{','.join(str(i + 1) for i in self.masks[l - self.first])}}}" for l in layers
        ]
        product = " ".join(f"I{l} W{l}" for l in layers)
        terms = zip(self.combination, self.masks[-1], strict=True)
        zero = " + ".join(f"{say(y)}·row {i + 1}" for y, i in terms).replace("+ -", "- ")
        return f"rank({product}) < {self.expected_rank} with {', '.join(parts)}: {zero} = 0"

    def _plain(self) -> dict[str, Any]:
        return {
            "condition": "masked-rank",
            "layers": [self.first, self.last],
            "masks": [[i + 1 for i in mask] for mask in self.masks],
            "expected_rank": self.expected_rank,
            "kernel": [str(y) for y in self.combination],
        }


@question
def masked_rank(
    call: Call[Verdict],
    network: Network,
    *,
    all_failures: bool = False,
    **limits: Unpack[Limits],
) -> Verdict:
    """Whether all masked ranks are as large as possible.

    The witness of a no is a tuple of :class:`DeficientMask`: the smallest one found, or with
    ``all_failures`` every minimal one (others are failing because a part of them is).
    ``max_masks`` bounds the number of minors, by default to ``MAX_MASKS``.  The products are
    gone through from short ones to long ones, as far as their minors are few enough: how many
    there are is known ahead, and those that are too many are not begun.

    >>> net = Network.from_arrays([[[1, 2], [2, 4]], [[1, 1]]], [[0, 1], [0]])
    >>> verdict = masked_rank(net)
    >>> verdict.answer, verdict.witness[0].masks, verdict.witness[0].combination
    (False, ((0, 1),), (-2, 1))
    """
    search = _MinorSearch(network, call.effort.unless_given(masks=MAX_MASKS))
    call.knows(search.so_far)
    for prime in word_primes():
        search.run(prime, all_failures=all_failures)
        if search.found or not search.is_misled:
            break
    if search.found:
        return search.no()
    # Where a product has more columns than rows, the powers of the nodes combine them.
    modulus = record("modulus", prime, *_nodes(network, prime))
    return Verdict(
        True,
        f"all {n_all_masks(network.widths):,} masked ranks are maximal ({search.total:,} minors)",
        certificate=claim("masked-rank", "modulus", [modulus], holds=True, network=network),
    )


class _MinorSearch:
    """The minors of a network, stage by stage, modulo one prime after another."""

    def __init__(self, network: Network, effort: Effort) -> None:
        self._network = network
        self._effort = effort
        self._stages = tuple(stages(network.widths))
        #: How many minors there are to compute.
        self.total = sum(stage.n_masks for stage in self._stages)
        self._n_masks = 0
        self.found: set[DeficientMask] = set()
        #: Some minor is 0 modulo the prime, or for the nodes, but not 0.
        self.is_misled = False

    def run(self, prime: int, *, all_failures: bool) -> None:
        """Find one failure, or all that are minimal."""
        weights = [residues(layer.weights, prime) for layer in self._network.layers]
        nodes = _nodes(self._network, prime)
        self._n_masks, self.is_misled = 0, False
        refused = self._refused()
        for stage in self._stages:
            left = self._effort.left("masks")
            if refused is not None and left is not None and stage.n_masks > left:
                raise refused
            for batch in zero_minors(stage, weights, nodes, prime, self._effort):
                zeros = sorted(batch.zeros, key=lambda zero: zero.n_neurons)
                self.found |= set(self._confirmed(zeros, every=all_failures))
                if self.found and not all_failures:
                    return
                self._n_masks += batch.n_masks
                self._effort.spend("masks", batch.n_masks)

    def _refused(self) -> Stopped | None:
        """Why not all stages are gone through, if their minors are too many."""
        try:
            self._effort.expect("masks", self.total)
        except Stopped as stopped:
            return stopped
        return None

    def so_far(self, stopped: Stopped) -> Verdict:
        """What is known by now."""
        how_far = f"{self._n_masks:,} of {figure(self.total)} minors"
        if self.found:
            return self.no(f"; {stopped}: {how_far}")
        return Verdict.undecided(stopped, how_far)

    def no(self, more: str = "") -> Verdict:
        """The verdict about the failures that were found, small ones first."""
        failures = sorted(self.found, key=lambda failure: failure.order)
        smallest = failures[0]
        if len(failures) > 1:
            more = f"; {len(failures):,} minimal failures in all{more}"
        records = (
            record("masks", smallest.first - 1, *map(mask_number, smallest.masks)),
            record("combination", *smallest.combination),
        )
        certificate = claim(
            "masked-rank", "combination", records, holds=False, network=self._network
        )
        return Verdict(False, smallest.text() + more, tuple(failures), certificate)

    def _confirmed(self, zeros: Iterable[ZeroMinor], *, every: bool) -> Iterator[DeficientMask]:
        """Those that are 0 exactly: the first of the smallest size, or all minimal ones."""
        for zero in zeros:
            self._effort.spend()
            failure = self._failure(zero)
            if failure is None:
                self.is_misled = True
            elif not every:
                yield failure
                return
            elif zero.stage.shape is not Shape.SQUARE or len(failure.masks[-1]) == len(zero.rows):
                yield failure

    def _failure(self, zero: ZeroMinor) -> DeficientMask | None:
        """The deficient product of a minor that is 0, if it is."""
        M = self._product(zero)
        null = kernel(M.take(columns=zero.columns).T.integer_form[0]).flint_vectors
        if not null:
            return None
        support, combination = min(
            ((tuple(i for i, y in enumerate(v) if y), v) for v in null),
            key=lambda pair: (len(pair[0]), pair[0]),
        )
        rows = tuple(zero.rows[i] for i in support)
        middle = tuple(_members(mask) for mask in zero.middle)
        values = tuple(combination[i] for i in support)
        first = zero.stage.start + 1
        if (Matrix([combination]) @ M).is_zero:
            return DeficientMask(first, (*middle, rows), values)
        # Fewer rows need as many columns only: the combination vanishes on each of them.
        columns = zero.columns[: len(rows)]
        return DeficientMask(first - 1, (columns, *middle, rows), values)

    def _product(self, zero: ZeroMinor) -> Matrix:
        """The rows of M, with all columns, exactly."""
        selections = [range(zero.stage.n_columns), *map(_members, zero.middle), zero.rows]
        layers = self._network.layers[zero.stage.start : zero.stage.last]
        result = Matrix.identity(zero.stage.n_columns)
        for layer, (columns, rows) in zip(layers, pairwise(selections), strict=True):
            result = layer.weights.take(rows, columns) @ result
        return result


def _nodes(network: Network, prime: int) -> list[int]:
    """Random numbers, the same for one prime."""
    rng = random.Random(prime)
    return [rng.randrange(prime) for _ in range(max(network.widths))]


def _members(mask: int) -> tuple[int, ...]:
    """The positions of the bits of a mask."""
    return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)
