"""Masks: sets of neurons of layers in a row, that stand for the active ones.

A mask in a record is an integer: bit i is neuron i. Products of layers with masks between them are
computed modulo q for all masks, by a Gray code, in which one neuron comes or goes at a time; or
exactly for given masks, as the combination of the inputs that one of neurons of the last mask is.
"""

from collections.abc import Iterator, Sequence

from .file import Proof, form
from .numbers import Row, Rows, bits, total
from .objects import Network

MEMORY = 128  # fuel for keeping a number, or a step
Step = tuple[Rows, Sequence[int]]  # weights after a mask, and what no mask takes away; () is 0


def all_masked(
    proof: Proof, first: Rows, steps: Sequence[Step], larger_than: int, modulus: int
) -> Iterator[tuple[int, Rows]]:
    """Yield the number of steps and the product for all masks of more neurons before each step."""
    stack = [iter([first])]
    while stack:
        product = next(stack[-1], None)
        if product is None:
            stack.pop()
            continue
        done = len(stack) - 1
        yield done, product
        if done < len(steps):
            stack.append(_continued(proof, product, steps[done], larger_than, modulus))


def _continued(
    proof: Proof, product: Rows, step: Step, larger_than: int, modulus: int
) -> Iterator[Rows]:
    """Yield weights·mask·product + constant for all masks of more neurons, by a Gray code."""
    weights, constant = step
    width, neurons, size = len(product[0]), len(product), modulus.bit_length()
    proof.spend(((1 << neurons) + neurons) * (len(weights) * width + 1), size, size)
    terms = [[row[i] * x for row in weights for x in product[i]] for i in range(neurons)]
    found = list(constant) or [0] * (len(weights) * width)
    mask = 0
    for number in range(1 << neurons):
        if number:
            place = (number & -number).bit_length() - 1  # that of the lowest bit changes
            mask ^= 1 << place
            sign = 1 if mask >> place & 1 else -1
            found = [(x + sign * y) % modulus for x, y in zip(found, terms[place], strict=True)]
        if mask.bit_count() > larger_than:
            yield [found[i * width : (i + 1) * width] for i in range(len(weights))]


def read_masks(network: Network, first: int, masks: Sequence[int]) -> list[list[int]]:
    """Return the neurons of masks of the layers from the first on."""
    ok = first >= 0 and first + len(masks) <= len(network.layers)
    form(ok, "index-out-of-range", "masks of layers that the network does not have")
    heights = network.widths[first + 1 :]
    ok = all(0 <= mask < 1 << n for mask, n in zip(masks, heights, strict=False))
    form(ok, "index-out-of-range", "a mask of neurons that the layer does not have")
    return [[i for i, bit in enumerate(f"{mask:b}"[::-1]) if bit == "1"] for mask in masks]


def pulled_back(
    proof: Proof, network: Network, first: int, masks: list[list[int]], row: Sequence[int]
) -> Row:
    """Return a combination of neurons of the last mask over the inputs of a layer, and 1.

    It is multiplied by the denominators of these layers. The bias of a layer takes those before it.
    """
    constant = 0
    for number in reversed(range(len(masks))):
        layer = network.layers[first + number]
        size = max(bits(row), constant.bit_length())
        proof.spend((len(row) + 1) * len(layer.rows[0]), size, layer.bits)
        *weights, bias = total(row, [layer.rows[i] for i in masks[number]], len(layer.rows[0]))
        constant = constant * layer.den + bias
        row = [weights[i] for i in masks[number - 1]] if number else weights
    return (*row, constant)
