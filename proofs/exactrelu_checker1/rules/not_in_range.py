"""A vector that a network does not take as a value.

Statement. No point of the polyhedron D is mapped to y by the network N.

Evidence. ``backward``: from the last layer back, what the layer before must pass on. The target of
the last layer is y, and its neurons say w·h + b = t, t their target; a neuron of a hidden layer
says so if t > 0, and w·h + b <= 0 if t = 0; t < 0 cannot be. Each step has a point h, and rows and
modulus of an invertible minor of such equations, which h solves: nothing else can be passed on.
Then the layers from ``first`` + 1 to the one reached are refuted: a tree of closed cells on D, or
on the orthant if first > 0, of the layers before the one reached, and after each ``cell`` a record
``multipliers`` on its rows and on what the neurons of the layer reached say.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..closed_tree import ClosedTree, orthant
from ..describe import vector_text, widths_text
from ..domain import polyhedron_text, read_polyhedron
from ..evidence import MULTIPLIERS_FIELDS, refute
from ..integers import dot, is_invertible_modulo, multiply
from ..network import Network, read_network
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..system import System
from ..tree import Row
from ..values import (
    RationalVector,
    read_index,
    read_indices,
    read_integer,
    read_list,
    read_rational_vector,
)
from ..verdicts import Reason, Refused

_BACKWARD_FIELDS = frozenset({"first", "moduli", "points", "rows"})


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    domain = read_polyhedron(claim["domain"], network, budget)
    output = read_rational_vector(claim["output"], network.widths()[-1], budget)
    return Claim(
        f"the network N of widths {widths_text(network.widths())} does not take the value "
        f"{vector_text(output)} on {polyhedron_text(domain)}",
        (subject("N", network.as_json()), subject("D", claim["domain"])),
        partial(_check, network, domain, output),
        (network,),
    )


def _check(
    network: Network,
    domain: System,
    output: RationalVector,
    certificate: Certificate,
    budget: Budget,
) -> None:
    record = certificate.record("backward", _BACKWARD_FIELDS)
    steps = read_list(record["points"])
    last = len(network.layers)
    target = output
    for point, rows, modulus in zip(
        steps,
        read_list(record["rows"], len(steps)),
        read_list(record["moduli"], len(steps)),
        strict=True,
    ):
        target = _step_back(network, last, target, (point, rows, modulus), budget)
        last -= 1
    first = read_index(record["first"])
    if first >= last:
        raise Refused(Reason.INDEX_OUT_OF_RANGE, f"no layers {first} < {last}")
    before = orthant(network.widths()[first], budget) if first else domain
    tree = ClosedTree(Network(network.layers[first:last]), before, budget)
    is_hidden = last < len(network.layers)
    for cell in tree.cells(certificate):
        system = tree.system(cell.rows)
        wanted = list(_wanted(cell.layers[-1], tree.scale, target, is_hidden, budget))
        senses = (*system.senses, *(sense for sense, _ in wanted))
        rows = (*system.rows, *(row for _, row in wanted))
        record = certificate.record("multipliers", MULTIPLIERS_FIELDS)
        refute(record, System(system.dim, senses, rows), budget)


def _step_back(
    network: Network,
    last: int,
    target: RationalVector,
    step: tuple[object, object, object],
    budget: Budget,
) -> RationalVector:
    """Return what layer ``last`` - 1 must pass on."""
    layer = network.layers[last - 1]
    width = layer.width - 1
    point = read_rational_vector(step[0], width, budget)
    chosen = read_indices(step[1], len(layer.rows))
    modulus = read_integer(step[2], budget)
    if len(chosen) != width:
        raise Refused(Reason.MINOR_SIZE, f"a minor of {len(chosen)} rows, {width} needed")
    if modulus < 2:
        raise Refused(Reason.MODULUS_TOO_SMALL, "modulo 1 every matrix is invertible")
    if not is_invertible_modulo([layer.rows[i][:-1] for i in chosen], modulus, budget):
        raise Refused(Reason.NO_UNIT_PIVOT, "elimination finds no unit in some column")
    is_hidden = last < len(network.layers)
    for i in chosen:
        if is_hidden and target.nums[i] <= 0:
            raise Refused(Reason.NOT_AN_EQUATION, f"neuron {i} of layer {last} may be inactive")
        value = dot(layer.rows[i], (*point.nums, point.den), budget)
        scale = multiply(layer.den, point.den, budget)
        if dot((value, target.nums[i]), (target.den, -scale), budget):
            raise Refused(Reason.WRONG_OUTPUT, f"neuron {i} of layer {last} misses its target")
    return point


def _wanted(
    rows: Sequence[Row], scale: int, target: RationalVector, is_hidden: bool, budget: Budget
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Return what the neurons of a layer say: the rows are ``scale`` times their preactivations."""
    for row, num in zip(rows, target.nums, strict=True):
        if not is_hidden or num > 0:
            *normal, offset = (multiply(entry, target.den, budget) for entry in row)
            yield "eq", (*normal, offset - multiply(num, scale, budget))
        elif num < 0:
            # ReLU is never negative: 0·x + t >= 0.
            *normal, _ = row
            yield "ge", (*(0 for _ in normal), num)
        else:
            yield "ge", tuple(-entry for entry in row)


RULE = Rule(frozenset({"domain", "network", "output"}), _read)
