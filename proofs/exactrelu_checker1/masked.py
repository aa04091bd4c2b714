"""Products of weight matrices with masks between them, modulo q.

A mask keeps some neurons of a layer. From a product M with one row for each neuron of a layer, the
product of the next layer with the mask I is the sum over i in I of (column i of W)·(row i of M),
and a constant part. The masks are visited in the order of the Gray code, in which one neuron comes
or goes at a time.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .budget import Budget
from .integers import Rows, modular_cost


class Step(NamedTuple):
    """The next layer modulo q: its weights, and the part that no mask takes away."""

    weights: Rows
    constant: Rows


def masked_products(
    first: Rows, steps: Sequence[Step], larger_than: int, modulus: int, budget: Budget
) -> Iterator[Rows]:
    """Return the products that go on from the first by all steps, with all masks of some size.

    There is a mask before each step; it keeps more neurons than ``larger_than``.
    """
    products: Iterator[Rows] = iter([first])
    for step in steps:
        products = _continued(products, step, larger_than, modulus, budget)
    return products


def _continued(
    products: Iterator[Rows], step: Step, larger_than: int, modulus: int, budget: Budget
) -> Iterator[Rows]:
    neurons, width = len(step.weights[0]), len(step.constant[0])
    size = len(step.weights) * width
    for product in products:
        budget.spend(((1 << neurons) + neurons * modular_cost(modulus)) * (size + 1))
        terms = [
            [row[i] * entry for row in step.weights for entry in product[i]] for i in range(neurons)
        ]
        total = [entry for row in step.constant for entry in row]
        mask = 0
        for number in range(1 << neurons):
            if number:
                # The Gray code: the place of the lowest bit of the number changes.
                place = (number & -number).bit_length() - 1
                mask ^= 1 << place
                sign = 1 if mask >> place & 1 else -1
                total = [(a + sign * b) % modulus for a, b in zip(total, terms[place], strict=True)]
            if mask.bit_count() > larger_than:
                yield [total[start : start + width] for start in range(0, size, width)]
