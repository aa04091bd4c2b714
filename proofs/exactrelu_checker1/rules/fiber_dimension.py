"""The dimension of the fiber of a network with one hidden layer, near the network.

Statement. The networks with the widths of N and its values on D, all of space or the open orthant,
whose neurons are on the same bends and the same sides as those of N, share other hyperplanes as
those of N do, and are linear or dead where those of N are, are near N, up to positive scaling of
each neuron, of dimension d.

Evidence. ``minor`` of the matrix V, of full rank; then, unless it has more columns than rows,
``minor`` of the matrix W, of full rank. W has the normals of the bends with neurons of both sides,
the normals of other hyperplanes with neurons of both sides, and on the orthant the weights of the
linear neurons. V has for each of these hyperplanes that are no bends the sum of the output columns
of the side -, times g > 0 for the row -g·(h, c), and the output columns of the linear neurons.

Sound. Near N such networks are given, up to scaling, by the output columns, where those on a bend
add up to its jump and those on another hyperplane to 0; by the directions of the other
hyperplanes, and on the orthant of the rows of linear and dead neurons, all free near N as no entry
is 0; and by the output bias, which the rest determines. They have the values of N iff A = V·W' - Σ
v·h is what it is, with W' the rows of V, and v the sums of output columns of the side - on bends
with both sides, which are free. The derivative of this map has rank n2·r + c·n0 - r·c, for r the
rank of W and c that of V: its image is R^n2 ⊗ (rows of W) + (columns of V) ⊗ R^n0. The ranks are
the largest possible, so they are the same near N, and the rank is constant; for c = n2 it is n0·n2
for any r.

A weight may be 0 in all linear rows if the linear neurons have independent output columns and
there are no bends with both sides and no other hyperplanes: then the column stays 0, as that of A
is 0.
"""

from collections.abc import Sequence
from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..domain import domain_text, read_domain
from ..evidence import check_minor
from ..integers import Rows, combine
from ..network import Network, read_network
from ..reader import Certificate
from ..shallow_form import require_simple, shallow_form
from ..shallow_roles import Neuron, has_both, read_parts
from ..statement import Claim, Rule, subject
from ..system import System
from ..values import read_index
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    domain = read_domain(claim["domain"], network, budget)
    dimension = read_index(claim["dimension"])
    return Claim(
        f"the networks with the widths {widths_text(network.widths())} of the network N, its "
        f"values on {domain_text(domain)}, neurons on its oriented hyperplanes and linear and dead "
        f"ones as in N are near N, up to positive scaling, of dimension {dimension}",
        (subject("N", network.as_json()), subject("D", claim["domain"])),
        partial(_check, network, domain, dimension),
        (network,),
    )


def _check(
    network: Network, domain: System, dimension: int, certificate: Certificate, budget: Budget
) -> None:
    orthant = require_simple(domain, budget)
    if len(network.layers) < 2:
        raise Refused(Reason.NOT_SHALLOW, "a network without hidden layer")
    form = shallow_form(network, orthant, budget)
    hidden, last = network.layers
    parts = read_parts(network, form, orthant, budget)
    n_inputs, n_outputs = hidden.width - 1, len(last.rows)
    doubled = [row[:-1] for row, group in parts.bends.items() if has_both(group)]
    others = {row: group for row, group in parts.others.items() if has_both(group)}
    columns = [_minus_side(last.rows, group, budget) for group in others.values()]
    rows: list[Sequence[int]] = [*doubled, *(row[:-1] for row in others)]
    if orthant:
        linear = [hidden.rows[number] for number in parts.linear]
        _require_interior(linear, not rows and len(linear) <= n_outputs)
        columns += [tuple(row[number] for row in last.rows) for number in parts.linear]
        rows += [row[:-1] for row in linear]
    _require_negative([hidden.rows[number] for number in parts.dead], orthant)
    r, c = min(len(rows), n_inputs), min(len(columns), n_outputs)
    outputs = [[column[place] for column in columns] for place in range(n_outputs)]
    check_minor(certificate, outputs, len(columns), c, budget)
    if len(columns) <= n_outputs:
        check_minor(certificate, rows, n_inputs, r, budget)
    groups = [*parts.bends.values(), *parts.others.values()]
    steady = len(parts.linear) + len(parts.dead)
    n_columns = sum(map(len, groups)) - len(groups) + steady
    n_rows = len(parts.others) + (steady if orthant else 0)
    expected = (n_columns - r) * n_outputs + (n_rows - c) * n_inputs + r * c
    if dimension != expected:
        raise Refused(Reason.WRONG_DIMENSION, f"the dimension is {expected}")


def _minus_side(outputs: Rows, group: Sequence[Neuron], budget: Budget) -> tuple[int, ...]:
    """Return the sum of the output columns of the side -, for the row -(h, c)."""
    minus = [neuron for neuron in group if neuron.side == "-"]
    factors = [neuron.factor for neuron in minus]
    return combine(factors, [[row[n.number] for n in minus] for row in outputs], budget)


def _require_interior(rows: Rows, zeros: bool) -> None:
    """Refuse entries 0 of the linear rows, but for weights that are 0 in all, if that may be."""
    for place, column in enumerate(zip(*rows, strict=True)):
        zero = zeros and place < len(rows[0]) - 1 and not any(column)
        if not zero and 0 in column:
            raise Refused(Reason.ON_THE_BOUNDARY, f"a linear neuron has the entry 0 at {place}")


def _require_negative(rows: Rows, orthant: bool) -> None:
    """Refuse entries 0 of the dead rows; on all of space only the bias counts."""
    if any(entry >= 0 for row in rows for entry in (row if orthant else row[-1:])):
        raise Refused(Reason.ON_THE_BOUNDARY, "a dead neuron has the entry 0")


RULE = Rule(frozenset({"dimension", "domain", "network"}), _read)
