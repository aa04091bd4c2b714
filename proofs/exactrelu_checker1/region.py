"""Domains that need not be convex: an open polyhedron, or the interior of a union of boxes.

A union is ``{"boxes":[den,[[a_1,b_1,…,a_n,b_n],…]]}``: the box of a row has the points with a_i <=
den·x_i <= b_i. Its *frame* is the smallest open box around all of them, its *grid* the hyperplanes
den·x_i = c inside the frame, c an entry of a box. The grid is made part of the network, as neurons
of the first layer after its own that no other neuron listens to: the faces of this network in the
frame refine those of the network, and each of them lies inside the union or outside. A cell, a
face of dimension n, lies inside iff it is in a box; any other face iff all cells around it do.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from .budget import Budget
from .canonical import as_fields, require_fields
from .domain import domain_text, read_domain
from .face_tree import Face, FaceTree
from .network import Network
from .reader import Certificate
from .shallow_form import oriented
from .stars import Stars
from .system import System
from .tree import opposite
from .values import RationalMatrix, RationalVector, read_list, read_rational_matrix
from .verdicts import Reason, Refused

Row = tuple[int, ...]
Signs = tuple[str, ...]

_EVERYWHERE: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True)
class Region:
    """An open set in a frame; a box is the signs that rows of the grid have on it."""

    frame: System
    text: str
    is_union: bool = False
    grid: tuple[Row, ...] = ()
    boxes: Sequence[Mapping[int, str]] = (_EVERYWHERE,)

    def faces(
        self,
        network: Network,
        certificate: Certificate,
        budget: Budget,
        more: tuple[Row, ...] = (),
    ) -> tuple[Network, list[Face]]:
        """Read a face tree; return the network refined by the grid and more rows, and its faces."""
        fine = _refined(network, self.grid + more)
        faces = list(FaceTree(fine, self.frame, budget).faces(certificate))
        if _EVERYWHERE in self.boxes:
            return fine, faces
        cells = Stars[bool](budget)
        for face in faces:
            if face.dimension < self.frame.dim:
                continue
            grid = "".join(face.signs[:1])[_own_width(network) :]
            cells.add(face.signs, self._has(grid, budget))
        return fine, [face for face in faces if all(cells.around(face.signs))]

    def signs_at(
        self, network: Network, faces: Collection[Signs], point: RationalVector, budget: Budget
    ) -> Signs:
        """Return the signs of a refined network, whose faces are known, at a point."""
        self.frame.require_point(point, budget)
        _, signs = network.evaluate(point, budget)
        if signs not in faces:
            raise Refused(Reason.POINT_OUTSIDE, "the point is in the frame, not in the union")
        return signs

    def _has(self, signs: str, budget: Budget) -> bool:
        """Tell whether a cell, by its signs on the grid, is in a box."""
        budget.spend(len(self.boxes) * self.frame.dim)
        return any(all(signs[k] == sign for k, sign in box.items()) for box in self.boxes)


def read_region(value: object, network: Network, budget: Budget) -> Region:
    """Return a domain in the space of the inputs of a network."""
    fields = as_fields(value, "a domain")
    if "boxes" not in fields:
        domain = read_domain(value, network, budget)
        return Region(domain, domain_text(domain))
    require_fields(fields, frozenset({"boxes"}), "a union")
    dim = network.widths()[0]
    count = len(read_list(read_list(fields["boxes"], 2)[1]))
    if not count:
        raise Refused(Reason.WRONG_LENGTH, "a union of no boxes")
    boxes = read_rational_matrix(fields["boxes"], count, 2 * dim, budget)
    text = f"the interior of the union D of {count} boxes in R^{dim}"
    budget.spend(count * dim * dim)
    frame: list[Row] = []
    grid: dict[Row, int] = {}
    for i in range(dim):
        ends = sorted({entry for box in boxes.rows for entry in box[2 * i : 2 * i + 2]})
        sides = [_side(boxes.den, i, dim, end, budget) for end in ends]
        frame += [*sides[:1], *(tuple(opposite(side)) for side in sides[-1:])]
        grid |= {side: len(grid) + k for k, side in enumerate(sides[1:-1])}
    return Region(
        System(dim, ("gt",) * len(frame), tuple(frame)),
        text,
        True,
        tuple(grid),
        [
            _signs(box, boxes.den, dim, grid, budget)
            for box in boxes.rows
            if all(box[2 * i] < box[2 * i + 1] for i in range(dim))
        ],
    )


def _refined(network: Network, rows: Sequence[Row]) -> Network:
    """Return the network with more neurons in its first layer, which no other one listens to.

    An affine network gets a hidden layer and the function 0: it does not bend either.
    """
    if not rows:
        return network
    first, *others = network.layers
    if not others:
        first, others = RationalMatrix(1, (), first.width), [RationalMatrix(1, ((0,),), 1)]
    second, *rest = others
    zeros = (0,) * len(rows)
    listening = tuple((*row[:-1], *zeros, row[-1]) for row in second.rows)
    return Network(
        (
            RationalMatrix(first.den, (*first.rows, *rows), first.width),
            RationalMatrix(second.den, listening, len(listening[0])),
            *rest,
        )
    )


def own_signs(network: Network, signs: Signs) -> Signs:
    """Return the signs of the neurons of a network among those of a refined one."""
    width = _own_width(network)
    return (*(layer[:width] for layer in signs[:1]), *signs[1:])


def _own_width(network: Network) -> int:
    return len(network.layers[0].rows) if len(network.layers) > 1 else 0


def _side(den: int, i: int, dim: int, end: int, budget: Budget) -> Row:
    """Return the row of den·x_i - end, in lowest terms."""
    return oriented([*(den * int(i == j) for j in range(dim)), -end], budget)[2]


def _signs(
    box: Sequence[int], den: int, dim: int, grid: Mapping[Row, int], budget: Budget
) -> Mapping[int, str]:
    """Return the signs on a box of the rows of the grid that bound it."""
    sides = [(_side(den, k // 2, dim, end, budget), "+-"[k % 2]) for k, end in enumerate(box)]
    return MappingProxyType({grid[side]: sign for side, sign in sides if side in grid})
