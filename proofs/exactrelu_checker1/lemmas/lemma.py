"""A published statement, the objects of an instance of it, and what must be proved of them.

A statement says: if the hypotheses hold for an instance, so does the conclusion. ``needs`` goes
through an instance: it computes what is plain arithmetic itself, and refuses the instance if a
hypothesis fails or the conclusion holds; for the rest it names the claims that must be proved.
Networks that the statement derives from others are derived here, not read from the file.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ..budget import Budget
from ..canonical import Fields
from ..domain import read_domain
from ..integers import Rows, dot, lowest_terms
from ..network import Network, read_network
from ..system import System
from ..values import (
    RationalMatrix,
    RationalVector,
    read_index,
    read_list,
    read_rational,
    read_rational_matrix,
    read_rational_vector,
)
from ..verdicts import Reason, Refused


class Instance:
    """The named objects of an instance, each read as what the statement says that it is."""

    def __init__(self, fields: Fields, budget: Budget) -> None:
        self._fields = fields
        self.budget = budget

    def network(self, name: str) -> Network:
        """Return a network."""
        return read_network(self._fields[name], self.budget)

    def hidden_layer(self, name: str) -> RationalMatrix:
        """Return the rows (w | b) of the one hidden layer of a network."""
        network = self.network(name)
        require(len(network.layers) == 2, f"{name} has not one hidden layer")
        return network.layers[0]

    def index(self, name: str) -> int:
        """Return a small non-negative integer."""
        return read_index(self._fields[name])

    def rational(self, name: str) -> RationalVector:
        """Return a rational number."""
        return read_rational(self._fields[name], self.budget)

    def vector(self, name: str, length: int) -> RationalVector:
        """Return a rational vector."""
        return read_rational_vector(self._fields[name], length, self.budget)

    def sign(self, name: str) -> int:
        """Return 1 or -1, given as a rational number."""
        given = self.rational(name)
        require(given in (RationalVector(1, (1,)), RationalVector(1, (-1,))), f"{name} is no sign")
        return given.nums[0]

    def matrix(self, name: str, height: int, width: int) -> RationalMatrix:
        """Return a rational matrix."""
        return read_rational_matrix(self._fields[name], height, width, self.budget)

    def boxes(self, name: str, dim: int) -> RationalMatrix:
        """Return the boxes of a union, one in each row: a_1, b_1, a_2, b_2, ..."""
        rows = read_list(read_list(self._fields[name], 2)[1])
        return self.matrix(name, len(rows), 2 * dim)

    def domain(self, name: str, network: Network) -> System:
        """Return an open polyhedron in the space of the inputs of a network."""
        return read_domain(self._fields[name], network, self.budget)

    def given(self, name: str) -> object:
        """Return an object as it stands."""
        return self._fields[name]

    def points(self, name: str, number: int, dim: int) -> list[RationalVector]:
        """Return points, given as the rows of a matrix."""
        matrix = self.matrix(name, number, dim)
        found: list[RationalVector] = []
        for row in matrix.rows:
            den, (nums,) = lowest_terms(matrix.den, [row], self.budget)
            found.append(RationalVector(den, tuple(nums)))
        return found


def _nothing(_: Fields) -> None:
    """Look at nothing."""


@dataclass(frozen=True)
class Need:
    """A claim that must be proved: of one of the kinds, with these values in these fields.

    A kind that does not have a field that is ``optional`` says nothing less without it.
    ``look`` reads what else the claim says, and refuses it if that is not what is needed.
    """

    kinds: tuple[str, ...]
    fields: Mapping[str, object]
    optional: frozenset[str] = frozenset()
    look: Callable[[Fields], None] = _nothing


@dataclass(frozen=True)
class Lemma:
    """A statement in words, the names of the objects of an instance, and what they must satisfy."""

    statement: str
    names: frozenset[str]
    needs: Callable[[Instance], Iterator[Need]]


def require(condition: bool, why: str) -> None:
    """Refuse an instance that breaks a hypothesis or for which the conclusion holds."""
    if not condition:
        raise Refused(Reason.NOT_A_COUNTEREXAMPLE, why)


def everywhere(dim: int) -> Fields:
    """Return all of R^dim, as a domain of a claim."""
    return {"dim": dim, "rows": []}


def derived(layers: Iterable[tuple[int, Rows]], budget: Budget) -> Fields:
    """Return, as a claim holds it, the network with the layers (W | b) = rows / den."""
    matrices: list[RationalMatrix] = []
    for given, rows in layers:
        den, reduced = lowest_terms(given, rows, budget)
        matrices.append(RationalMatrix(den, reduced, len(reduced[0])))
    return Network(tuple(matrices)).as_json()


def active_units(signs: Sequence[str]) -> list[list[int]]:
    """Return the units that are active in each hidden layer."""
    return [[unit for unit, sign in enumerate(layer) if sign == "+"] for layer in signs]


def parallel(left: Sequence[int], right: Sequence[int], budget: Budget) -> bool:
    """Tell whether one vector is a multiple of the other, or 0."""
    return all(
        dot((left[i], -left[j]), (right[j], right[i]), budget) == 0
        for i, j in combinations(range(len(left)), 2)
    )


def gt_row(row: Sequence[int], budget: Budget) -> list[object]:
    """Return a·x + b > 0 as a row of a system, in smallest integers; (a, b) is not 0."""
    return ["gt", [f"{entry:x}" for entry in lowest_terms(0, [row], budget)[1][0]]]


#: The kinds of claims that two networks have the same values on a domain.
EQUAL = ("equal-by-cells", "equal-by-rewriting", "equal-shallow")


def vector_json(vector: RationalVector) -> list[object]:
    """Return a vector in lowest terms as a claim holds it."""
    return [f"{vector.den:x}", [f"{entry:x}" for entry in vector.nums]]


def value_need(network: Network, point: RationalVector, **more: object) -> Need:
    """Return the claim of the value at a point; ``more`` says what it has to be."""
    place = {"network": network.as_json(), "point": vector_json(point)}
    return Need(("value",), {**place, **more})
