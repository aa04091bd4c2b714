"""Masked ranks of a network.

Statement. For all layers k <= l and all sets of neurons I_k, ..., I_l of them, the matrix
I_l W_l I_(l-1) W_(l-1) ... I_k W_k has the rank min(n_(k-1), |I_k|, ..., |I_l|): the largest that
its shape and the masks allow.

Evidence. A modulus q >= 2, and integers x_0, x_1, ... (``nodes``), as many as the widest layer. The
checker computes modulo q the minors that decide all of these ranks, by the theorem on the page of
this kind; none is 0. The nodes choose combinations of columns where there are too many of them.
"""

from collections.abc import Iterator
from functools import partial
from operator import mul

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..integers import Rows, is_invertible_modulo, modular_cost, residues
from ..masked import Step, masked_products
from ..minors import Minors, column_sets, first_columns
from ..network import Network, read_network
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..values import read_integer, read_vector
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    return Claim(
        f"every masked rank of the network N of widths {widths_text(network.widths())} is maximal",
        (subject("N", network.as_json()),),
        partial(check_masked_ranks, network),
        (network,),
    )


def check_masked_ranks(network: Network, certificate: Certificate, budget: Budget) -> None:
    """Check that all masked ranks are maximal."""
    record = certificate.record("modulus", frozenset({"modulus", "nodes"}))
    modulus = read_integer(record["modulus"], budget)
    if modulus < 2:
        raise Refused(Reason.MODULUS_TOO_SMALL, "modulo 1 every minor is 0")
    nodes = read_vector(record["nodes"], max(network.widths()), budget)
    weights = [
        residues([row[:-1] for row in layer.rows], modulus, budget) for layer in network.layers
    ]
    (reduced,) = residues([nodes], modulus, budget)
    ranks = _MaskedRanks(network.widths(), weights, reduced, modulus, budget)
    for last in range(1, len(network.layers) + 1):
        for start in range(last):
            ranks.check_square(start, last)
            ranks.check_full(start, last)
            ranks.check_wide(start, last)


class _MaskedRanks:
    """The products M = W_l I_(l-1) ... I_(c+1) W_(c+1) from c (``start``) to l (``last``)."""

    def __init__(
        self,
        widths: tuple[int, ...],
        weights: list[list[list[int]]],
        nodes: list[int],
        modulus: int,
        budget: Budget,
    ) -> None:
        self._widths = widths
        self._weights = weights
        self._nodes = nodes
        self._modulus = modulus
        self._budget = budget

    def check_square(self, start: int, last: int) -> None:
        """Check the square submatrices that are smaller than every mask, up to a size."""
        largest = min(self._before(start), self._widths[start], self._widths[last])
        for size in range(1, largest + 1):
            sets = column_sets(self._widths[start], size, self._budget)
            self._check_minors(start, last, sets)

    def check_full(self, start: int, last: int) -> None:
        """Check the submatrices of all columns, if there are not more columns than rows."""
        size = self._widths[start]
        if size > self._before(start) and size <= self._widths[last]:
            self._check_minors(start, last, first_columns(size))

    def _check_minors(self, start: int, last: int, sets: list[list[tuple[int, ...]]]) -> None:
        minors = Minors(self._widths[last], sets, self._modulus, self._budget)
        for matrix in self._products(start, last, len(sets), self._weights[start]):
            self._require_nonzero(minors.of(matrix), start, last)

    def check_wide(self, start: int, last: int) -> None:
        """Check that all rows are independent, if there are fewer rows than columns."""
        size, width = self._widths[last], self._widths[start]
        if size <= self._before(start) or size >= width:
            return
        if last > start + 1 and self._widths[start + 1] <= width:
            return
        # If M·V is invertible, M has independent rows; V has the powers of the nodes as columns.
        products = len(self._weights[start]) + 2 * width.bit_length()
        self._budget.spend(width * size * products * modular_cost(self._modulus))
        powers = [[pow(x, i, self._modulus) for i in range(width)] for x in self._nodes[:size]]
        first = [
            [sum(map(mul, row, column)) % self._modulus for column in powers]
            for row in self._weights[start]
        ]
        for matrix in self._products(start, last, size, first):
            if size > 1:
                self._require_invertible(matrix, start, last)
            else:  # a scalar output: most products end so
                self._require_nonzero(matrix, start, last)

    def _require_invertible(self, matrix: Rows, start: int, last: int) -> None:
        if not is_invertible_modulo(matrix, self._modulus, self._budget):
            raise Refused(Reason.NO_UNIT_PIVOT, f"rows from {start} to {last}: no unit")

    def _before(self, start: int) -> int:
        """Return the width of the layer before the first, 0 if there is none."""
        return self._widths[start - 1] if start else 0

    def _products(self, start: int, last: int, larger_than: int, first: Rows) -> Iterator[Rows]:
        width = len(first[0])
        steps = [
            Step(weights, [[0] * width] * len(weights))
            for weights in self._weights[start + 1 : last]
        ]
        return masked_products(first, steps, larger_than, self._modulus, self._budget)

    def _require_nonzero(self, table: Rows, start: int, last: int) -> None:
        if not all(map(all, table)):
            raise Refused(Reason.MINOR_ZERO, f"a minor from {start} to {last} is 0 modulo q")


RULE = Rule(frozenset({"network"}), _read)
