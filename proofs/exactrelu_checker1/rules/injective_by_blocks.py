"""Injectivity of a layer, block by block.

Statement. Layer l of the network N, x -> ReLU(Wx + b), is one-to-one on all of R^n.

Evidence. ``blocks``: lists of ``inputs`` and of ``rows`` of the layer, and for each block the
number of its ``proofs``; then the proofs, as for ``layer-injective``. The rows of a block have
weights on its inputs only; blocks with one number have one matrix (W | b) on their inputs, in the
order in which these are listed; and every input is in a block. Sound because at every x the active
rows of a block span the space of its inputs, so that the active rows of all blocks span R^n.
"""

from collections.abc import Sequence
from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..integers import Rows
from ..network import read_network
from ..reader import Certificate
from ..spanning import check_layer
from ..statement import Claim, Rule, subject
from ..system import System
from ..values import RationalMatrix, read_index, read_list
from ..verdicts import Reason, Refused

_BLOCKS_FIELDS = frozenset({"inputs", "proofs", "rows"})


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    number = read_index(claim["layer"])
    if number >= len(network.layers) - 1:
        raise Refused(Reason.INDEX_OUT_OF_RANGE, f"the network has no hidden layer {number}")
    layer = network.layers[number]
    return Claim(
        f"layer {number + 1} (ReLU) of the network N of widths {widths_text(network.widths())} is "
        f"injective on R^{layer.width - 1}",
        (subject("N", network.as_json()),),
        partial(_check, layer),
        (network,),
    )


def _check(layer: RationalMatrix, certificate: Certificate, budget: Budget) -> None:
    record = certificate.record("blocks", _BLOCKS_FIELDS)
    lists = read_list(record["inputs"])
    rows = read_list(record["rows"], len(lists))
    numbers = [read_index(number) for number in read_list(record["proofs"], len(lists))]
    covered: set[int] = set()
    matrices: list[Rows] = []
    for inputs, chosen, number in zip(lists, rows, numbers, strict=True):
        seen = _read_distinct(inputs, layer.width - 1)
        covered.update(seen)
        matrix = _block(layer, seen, _read_distinct(chosen, len(layer.rows)), budget)
        if number == len(matrices):
            matrices.append(matrix)
            check_layer(matrix, System(len(seen), (), ()), certificate, budget)
        elif matrices[number : number + 1] != [matrix]:
            raise Refused(Reason.BLOCKS_DIFFER, f"a block that is not like that of proof {number}")
    if len(covered) < layer.width - 1:
        raise Refused(Reason.INPUT_NOT_COVERED, f"blocks on {len(covered)} inputs only")


def _read_distinct(value: object, below: int) -> list[int]:
    """Return a list of indices, in any order, none of them twice."""
    indices = [read_index(entry) for entry in read_list(value)]
    if len(set(indices)) < len(indices):
        raise Refused(Reason.INPUT_REPEATED, "an index that is listed twice")
    if any(index >= below for index in indices):
        raise Refused(Reason.INDEX_OUT_OF_RANGE, f"an index that is not below {below}")
    return indices


def _block(
    layer: RationalMatrix, inputs: Sequence[int], chosen: Sequence[int], budget: Budget
) -> Rows:
    """Return the rows of a block on its inputs, with their biases."""
    budget.spend(len(chosen) * layer.width)
    outside = set(range(layer.width - 1)).difference(inputs)
    matrix: list[tuple[int, ...]] = []
    for number in chosen:
        *weights, bias = layer.rows[number]
        if any(weights[column] for column in outside):
            raise Refused(Reason.INPUT_OUTSIDE, f"row {number} sees inputs outside its block")
        matrix.append((*(weights[column] for column in inputs), bias))
    return matrix


RULE = Rule(frozenset({"layer", "network"}), _read)
