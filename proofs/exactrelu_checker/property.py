"""Properties: no point of a domain, with what networks make of it, satisfies a case.

x is the inputs of some networks, one after the other, and y all their outputs. A case is a
system over (x, y). *Property*: no point x of D, as it is written, satisfies a case.

``point``: a point of D that satisfies a case.

``bounds``: after ``joined`` or, for two networks with the same widths, ``gaps``, which says
how the units are bounded (``bounds``), a tree of boxes over the coordinates t of D. Its
root has the ends that rows of D with just one coordinate show, rounded outwards to integers
over 2^40.

``cut i v``             the parts t_i <= v/2^40 and t_i >= v/2^40, i from 0.
``anchor``              bounds of all units are computed on the box; the same node follows.
``leaf m r λ… m r λ…``  for every case a sum of rows with multipliers λ > 0, of any sign for
                        equations: row 0 is 1 > 0, then come those of D that are no
                        equations, then those of the case. Were all rows true at a point of
                        the box, the sum would be >= 0 there, > 0 with a strict row; by its
                        upper bound it is not.
``cells``               a tree of neurons on this box (``box_cells``) refutes every case.

The parts of a node cover it, and each leaf has no point that satisfies a case.
"""

from collections.abc import Sequence
from math import lcm
from operator import mul
from typing import Any, NamedTuple

from . import claims, objects
from .bounds import Bounds, Chain, Node, chain_of, rounded
from .claims import from_module
from .evidence import point_in, require_contradiction, weighted
from .file import Numbers, Proof, form, limit, need, sized
from .intervals import box_of
from .numbers import Row, bits, paired, total
from .objects import (
    Layer,
    Network,
    System,
    Vector,
    chart,
    contains,
    coordinates,
    layer_of,
    placed,
    pulled,
)

_MEMORY = 16  # fuel for an entry of a list that is kept


class Line(NamedTuple):
    """A row (inputs·t)/factor + outputs·y of a case, strict or not, or None for an
    equation.
    """

    strict: bool | None
    inputs: Row
    outputs: Row


Case = list[Line]
Networks = list[Network]
Systems = list[System]


def _networks_text(found: Networks, value: list[Any], book: claims.Book) -> str:
    return " and ".join(map(claims.network.text, found, value, [book] * len(found)))


def cases_text(found: Systems, value: list[Any], book: claims.Book) -> str:
    """Return cases in words."""
    return " or ".join(map(claims.system.text, found, value, [book] * len(found))).replace(
        "x", "z"
    )


networks = claims.listed(objects.read_network)._replace(text=_networks_text)


@claims.kind(
    "no point x of {domain} has z = (x, y), y the outputs of {networks}, in {cases}",
    "some point x of {domain} has z = (x, y), y the outputs of {networks}, in {cases}",
    networks=networks,
    cases=claims.listed(objects.read_system)._replace(text=cases_text),
)
def property(networks: Networks, domain: System, cases: Systems) -> int:
    """At least one network and one case; x and y have as many entries as the networks
    say.
    """
    form(networks and cases, "wrong-length", "at least one network and one case")
    for case in cases:
        claims.fits(case, domain.dim + sum(network.widths[-1] for network in networks))
    return sum(network.widths[0] for network in networks)


def not_property_by_point(
    proof: Proof, networks: Networks, domain: System, cases: Systems
) -> None:
    """A point of D satisfies a case."""
    both = holds_at(proof, networks, point_in(proof, domain))
    need(any(contains(proof, case, both) for case in cases), "no-case", "in no case")


def holds_at(proof: Proof, networks: Networks, point: Vector) -> Vector:
    """Return (x, y) at a point x."""
    den, outputs = joined(proof, networks).values(proof, point)[-1]
    return Vector(den, (*(den // point.den * x for x in point.nums), *outputs))


def property_by_bounds(
    proof: Proof, networks: Networks, domain: System, cases: Systems
) -> None:
    """Every leaf refutes every case."""
    boxes = Boxes(proof, networks, domain)
    boxes.require_none([boxes.case_of(case) for case in cases])


class Boxes:
    """The tree of boxes of networks on a domain."""

    def __init__(
        self,
        proof: Proof,
        networks: Networks,
        domain: System,
        copies: int = 1,
    ) -> None:
        """The inputs of all networks, one after the other, are so many copies of x."""
        self.proof, self.domain = proof, domain
        self._clauses: Sequence[Sequence[Case]] = ()
        self.network = joined(proof, networks)
        base = chart(proof, domain)
        self.chart = base._replace(inputs=base.inputs * copies)
        rows, strict, _, self._size = placed(proof, base, domain)
        self.lines = self.lines_of(rows, strict)  # what holds on the domain
        self.bounds = Bounds(proof, self._chain(networks))

    def case_of(self, case: System) -> Case:
        """Return a case over t."""
        n = self.domain.dim
        inputs = pulled(self.proof, self.chart, [(*row[:n], row[-1]) for row in case.rows])
        return [*map(Line, case.strict, inputs, (row[n:-1] for row in case.rows))]

    def lines_of(self, rows: Sequence[Row], strict: Sequence[bool]) -> Case:
        """Return rows over t as lines of a case."""
        none = (0,) * self.network.widths[-1]
        return [Line(is_strict, row, none) for is_strict, row in paired(strict, rows)]

    def _chain(self, networks: Networks) -> Chain:
        """Return the chain that the first record names."""
        word, numbers = self.proof.record("joined", "gaps")
        sized(numbers, 0)
        shapes = [[(len(layer.rows), layer.linear) for layer in x.layers] for x in networks]
        ok = word == "joined" or (len(shapes) == 2 and shapes[0] == shapes[1])
        need(ok, "widths-differ", "gaps are those of two networks with the same units")
        return chain_of(self.proof, self.network, self.chart, word == "gaps")

    def whole(self) -> Node:
        """Return the box of the domain, its ends rounded outwards."""
        rows = [line.inputs for line in self.lines]
        scale, box = box_of(self.proof, rows, self.chart.dim, self._size)
        return rounded(scale, box)

    def require_none(
        self, cases: list[Case], clauses: Sequence[Sequence[Case]] = ()
    ) -> None:
        """Refuse unless no point satisfies a case, and one of each clause."""
        self._clauses = clauses
        stack = [(self.whole(), cases)]
        while stack:
            node, cases = stack.pop()
            word, numbers = self.proof.record("cut", "anchor", "leaf", "cells", "clause")
            ok = word in ("cut", "leaf", "clause") or not numbers
            form(ok, "wrong-length", f"{word} has no numbers")
            if word == "cut":
                self.proof.spend(_MEMORY * (len(node.box) + 8))
                stack.extend((part, cases) for part in reversed(parts(node, numbers)))
            elif word == "clause":
                chosen = [one for case in cases for one in self.chosen(case, numbers)]
                stack.extend((node, [one]) for one in reversed(chosen))
            elif word == "anchor":
                stack.append((self.bounds.anchored(node), cases))
            elif word == "leaf":
                self.leaf(self.bounds.narrowed(node), cases, numbers)
            else:
                from_module("box_cells", "require_none")(
                    self, self.bounds.narrowed(node), cases
                )

    def chosen(self, case: Case, numbers: Numbers) -> list[Case]:
        """Return a case with those of a clause, of which one holds."""
        (k,) = sized(numbers, 1)
        form(0 <= k < len(self._clauses), "index-out-of-range", "no such clause")
        clause = self._clauses[k]
        self.proof.spend(_MEMORY * sum(len(case) + len(other) + 8 for other in clause))
        return [[*case, *other] for other in clause]

    def leaf(self, node: Node, cases: list[Case], numbers: Numbers) -> None:
        """Refuse unless m r λ … for every case refute it on a box with its ends."""
        start = 0
        for case in cases:
            end = start + 1 + 2 * numbers[start] if start < len(numbers) else start
            row, weights, strict = self.sum_of(self.lines, case, numbers[start:end], 1)
            most, rough = self.bounds.most(node, row, weights, self.chart.factor)
            need(most is not None, "box-unbounded", "the sum has no upper bound on the box")
            constant = most or 0
            ok = not 0 < constant + (not strict) <= rough
            limit(ok, "bounds-too-rough", "what is missing is no more than what is rounded")
            require_contradiction(constant, strict)
            start = end
        form(start == len(numbers), "wrong-length", "m r l... for every case, and no more")

    def sum_of(
        self, known: Case, case: Case, numbers: Numbers, factor: int
    ) -> tuple[Row, Row, bool]:
        """Return Σ λ·line of known lines and factor·case: over t, over outputs; if it is >
        0.
        """
        lines, n = [*known, *case], len(known)
        self.proof.spend(len(lines))
        used, values = weighted(numbers, [line.strict for line in lines])
        chosen, scales = [lines[r] for r in used], [factor if r >= n else 1 for r in used]
        width, height = self.chart.dim + 1, self.network.widths[-1]
        size = factor.bit_length() + bits(
            x for line in chosen for row in line[1:] for x in row
        )
        self.proof.spend(len(chosen) * (width + height), size, bits(values))
        row = total([*map(mul, values, scales)], [line.inputs for line in chosen], width)
        weights = total(values, [line.outputs for line in chosen], height)
        return row, weights, any(line.strict for line in chosen)


def parts(node: Node, numbers: Numbers) -> list[Node]:
    """Return the parts of a box where a coordinate is at most, and at least, a number."""
    form(
        len(numbers) == 2 and 0 <= numbers[0] < len(node.box),
        "wrong-length",
        "i, v are needed",
    )
    i, value = numbers
    low, high = node.box[i]
    ok = (low is None or low <= value) and (high is None or value <= high)
    need(ok, "cut-outside", "the cut does not meet the box")
    sides = (low, value), (value, high)
    return [node._replace(box=(*node.box[:i], side, *node.box[i + 1 :])) for side in sides]


def joined(proof: Proof, networks: Networks) -> Network:
    """Return networks side by side; linear units carry the outputs of those with fewer
    layers.
    """
    layers: list[Layer] = []
    for l in range(max(len(network.layers) for network in networks)):
        parts = [_continued(proof, network, l) for network in networks]
        den, width = (
            lcm(*(part.den for part in parts)),
            sum(part.width - 1 for part in parts),
        )
        rows: list[Row] = []
        linear: Numbers = []
        start = 0
        for part in parts:
            proof.spend(_MEMORY * len(part.rows) * (width + 1), den.bit_length(), part.bits)
            linear += [len(rows) + unit for unit in part.linear]
            before, after = (0,) * start, (0,) * (width - start - part.width + 1)
            for *weights, bias in ([den // part.den * x for x in row] for row in part.rows):
                rows.append((*before, *weights, *after, bias))
            start = width - len(after)
        layers.append(layer_of(den, rows, linear))
    return Network(tuple(layers))


def _continued(proof: Proof, network: Network, l: int) -> Layer:
    """Return a layer of a network that goes on with linear units after its last one."""
    n, last = network.widths[-1], len(network.layers) - 1
    found = network.layers[l] if l <= last else layer_of(1, coordinates(proof, n))
    return found if l < last else found._replace(linear=frozenset(range(n)))
