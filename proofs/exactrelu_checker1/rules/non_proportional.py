"""Affine functions of units of a network that are not proportional.

Statement. A unit (layer, neuron) with an indicator, which names for each layer before it some
active neurons, at least one, has an affine function [w, b] of the input: its preactivation where
just these neurons are active. For no two different pairs of a unit and an indicator, one of the
functions is a multiple of the other.

Evidence. A modulus q >= 2 and two integer vectors s, t. For the function v of every pair, s·v is a
unit modulo q, and the quotients t·v / s·v are different. Proportional functions v and c·v, c not 0,
would have one quotient; and no v is 0.
"""

from collections.abc import Iterator
from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..integers import Rows, modular_cost, pay_euclid, residues
from ..masked import Step, masked_products
from ..network import Network, read_network
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..values import read_integer, read_list, read_vector
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    return Claim(
        f"in the network N of widths {widths_text(network.widths())} no two units with nontrivial "
        "indicators have proportional affine functions",
        (subject("N", network.as_json()),),
        partial(check_non_proportional, network),
        (network,),
    )


def check_non_proportional(network: Network, certificate: Certificate, budget: Budget) -> None:
    """Check that the affine functions of all units and indicators are not proportional."""
    record = certificate.record("points", frozenset({"modulus", "points"}))
    modulus = read_integer(record["modulus"], budget)
    if modulus < 2:
        raise Refused(Reason.MODULUS_TOO_SMALL, "modulo 1 nothing is a unit")
    width = network.layers[0].width
    points = [read_vector(point, width, budget) for point in read_list(record["points"], 2)]
    if network.widths()[1:] > (1,):  # else one unit without indicators: there are no two
        _check_quotients(network, points, modulus, budget)


def _check_quotients(
    network: Network, points: list[tuple[int, ...]], modulus: int, budget: Budget
) -> None:
    seen: set[int] = set()
    for last in range(len(network.layers)):
        for matrix in _values(network, last, points, modulus, budget):
            for below, above in matrix:
                quotient = _quotient(above, below, modulus, budget)
                if quotient in seen:
                    raise Refused(Reason.QUOTIENT_REPEATED, f"a unit of layer {last + 1}")
                seen.add(quotient)


def _values(
    network: Network, last: int, points: list[tuple[int, ...]], modulus: int, budget: Budget
) -> Iterator[Rows]:
    """Return s·v and t·v modulo q for the units of a layer, for all indicators.

    They follow the layers like a point with the coordinates s or t does, where masks take the
    place of ReLU. The last coordinate is that of the constant 1, scaled by the denominators.
    """
    columns = residues(points, modulus, budget)
    ones = [column[-1] for column in columns]
    steps = []
    for layer in network.layers[: last + 1]:
        rows = residues(layer.rows, modulus, budget)
        budget.spend(len(rows) * len(columns) * layer.width * modular_cost(modulus))
        weights = [row[:-1] for row in rows]
        constant = [[row[-1] * one % modulus for one in ones] for row in rows]
        steps.append(Step(weights, constant))
        ones = [one * layer.den % modulus for one in ones]
    first = [
        [
            (sum(a * x for a, x in zip(row, column[:-1], strict=True)) + b) % modulus
            for column, b in zip(columns, constants, strict=True)
        ]
        for row, constants in zip(steps[0].weights, steps[0].constant, strict=True)
    ]
    return masked_products(first, steps[1:], 0, modulus, budget)


def _quotient(above: int, below: int, modulus: int, budget: Budget) -> int:
    pay_euclid(below, modulus, budget)
    budget.spend(modular_cost(modulus))
    try:
        return above * pow(below, -1, modulus) % modulus
    except ValueError:
        raise Refused(Reason.NOT_A_UNIT, "a denominator is not a unit modulo q") from None


RULE = Rule(frozenset({"network"}), _read)
