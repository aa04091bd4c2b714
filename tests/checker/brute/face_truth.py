"""Decides claims about the faces of small networks by brute force with fractions.

Every sign vector is tried, by Fourier-Motzkin elimination; jumps are differences of the Jacobians
of the two cells beside a facet, found among all cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from truth import (
    Matrix,
    Row,
    has_solution,
    masked_ranks_are_maximal,
    no_two_are_proportional,
    rank,
    read_matrix,
)

Signs = tuple[str, ...]


@dataclass(frozen=True)
class Complex:
    """The network and the domain of a claim."""

    network: Any
    domain: Any

    @property
    def dim(self) -> int:
        """The number of inputs."""
        return int(self.domain["dim"])

    @cached_property
    def layers(self) -> list[Matrix]:
        """The matrices (W | b), the last one too."""
        return [read_matrix(layer["matrix"]) for layer in self.network["layers"]]

    def forms(self, signs: Signs) -> list[Matrix]:
        """Return the affine forms of the layers up to the first one without signs."""
        one = [Fraction(0)] * self.dim + [Fraction(1)]
        inputs = [[Fraction(i == j) for j in range(self.dim + 1)] for i in range(self.dim)] + [one]
        result = []
        for number, layer in enumerate(self.layers[: len(signs) + 1]):
            forms = [
                [
                    sum((w * m[k] for w, m in zip(row, inputs, strict=True)), Fraction(0))
                    for k in range(self.dim + 1)
                ]
                for row in layer
            ]
            result.append(forms)
            if number < len(signs):
                pairs = zip(forms, signs[number], strict=True)
                inputs = [[x * (sign == "+") for x in form] for form, sign in pairs] + [one]
        return result

    def rows(self, signs: Signs) -> list[Row]:
        """Return the rows that say that a point of the domain has these signs."""
        rows: list[Row] = [
            (True, [Fraction(int(x, 16)) for x in row]) for _, row in self.domain["rows"]
        ]
        for forms, layer in zip(self.forms(signs), signs, strict=False):
            for form, sign in zip(forms, layer, strict=True):
                opposite = [-x for x in form]
                if sign == "0":
                    rows += [(False, form), (False, opposite)]
                else:
                    rows.append((True, form if sign == "+" else opposite))
        return rows

    @cached_property
    def faces(self) -> dict[Signs, int]:
        """Every sign vector that occurs, with the dimension of its face."""
        found: list[Signs] = [()] if has_solution(self.rows(()), self.dim) else []
        for layer in self.layers[:-1]:
            longer = [
                (*signs, "".join(more))
                for signs in found
                for more in product("-0+", repeat=len(layer))
            ]
            found = [signs for signs in longer if has_solution(self.rows(signs), self.dim)]
        return {signs: self.dim - rank(self.normals(signs)) for signs in found}

    def normals(self, signs: Signs) -> Matrix:
        """Return the gradients of the neurons that are 0."""
        return [
            form[:-1]
            for forms, layer in zip(self.forms(signs), signs, strict=False)
            for form, sign in zip(forms, layer, strict=True)
            if sign == "0"
        ]

    def around(self, signs: Signs, codimension: int) -> list[Signs]:
        """Return the faces of a codimension that have a face in their closure."""
        here = "".join(signs)
        return [
            other
            for other, dimension in self.faces.items()
            if dimension == self.dim - codimension
            and all(s in ("0", t) for s, t in zip(here, "".join(other), strict=True))
        ]

    def jacobian(self, cell: Signs) -> Matrix:
        """Return the Jacobian on a cell."""
        return [form[:-1] for form in self.forms(cell)[-1]]

    def f_vector(self) -> list[int]:
        """Return the numbers of faces by dimension."""
        dimensions = list(self.faces.values())
        return [dimensions.count(k) for k in range(self.dim + 1)]

    def is_supertransversal(self) -> bool:
        """Tell whether zeros and codimensions agree."""
        return all("".join(s).count("0") == self.dim - d for s, d in self.faces.items())

    def facet(self, signs: Signs) -> tuple[list[Fraction], Matrix, set[int]]:
        """Return the unit normal (first entry 1), the jump and the bent layers of a facet."""
        normal = next(n for n in self.normals(signs) if any(n))
        first = next(x for x in normal if x)
        normal = [x / first for x in normal]
        offset = next(
            form[-1] / next(x for x in form if x)
            for forms, layer in zip(self.forms(signs), signs, strict=False)
            for form, sign in zip(forms, layer, strict=True)
            if sign == "0" and any(form[:-1])
        )
        low, high = self.around(signs, 0)
        if has_solution([*self.rows(low), (True, [*normal, offset])], self.dim):
            low, high = high, low
        pairs = zip(self.jacobian(high), self.jacobian(low), strict=True)
        jump = [[a - b for a, b in zip(up, down, strict=True)] for up, down in pairs]
        bent = {
            number
            for number, layer in enumerate(signs)
            if layer != low[number] or layer != high[number]
        }
        return normal, jump, bent

    def is_cancellation_free(self) -> bool:
        """Tell whether every facet without a jump has a dead layer after its first bent one."""
        for signs in self.of_codimension(1):
            _, jump, bent = self.facet(signs)
            if not any(map(any, jump)) and all("+" in layer for layer in signs[min(bent) + 1 :]):
                return False
        return True

    def of_codimension(self, k: int) -> list[Signs]:
        """Return the faces of a codimension."""
        return [signs for signs, dimension in self.faces.items() if dimension == self.dim - k]

    def is_honest(self) -> bool:
        """Tell whether every non-bending ridge is of one layer."""
        for ridge in self.of_codimension(2):
            facets = [self.facet(signs) for signs in self.around(ridge, 1)]
            visible = [(n, jump) for n, jump, _ in facets if any(map(any, jump))]
            bent = set().union(*(layers for _, _, layers in facets))
            if visible and len(bent) > 1 and all(visible.count(facet) > 1 for facet in visible):
                return False
        return True

    def has_zero_optimum(self) -> bool:
        """Tell whether a neuron is 0 on a face and not of both signs on the cells around."""
        for signs in self.faces:
            cells = ["".join(cell) for cell in self.around(signs, 0)]
            for number, sign in enumerate("".join(signs)):
                if sign == "0" and not {"+", "-"} <= {cell[number] for cell in cells}:
                    return True
        return False


FACE_KINDS: dict[str, Callable[[Any], bool]] = {
    "cancellation-free": lambda claim: complex_of(claim).is_cancellation_free(),
    "complex": lambda claim: complex_of(claim).f_vector() == claim["counts"],
    "honest": lambda claim: complex_of(claim).is_honest(),
    "supertransversal": lambda claim: complex_of(claim).is_supertransversal(),
    "zero-optimum": lambda claim: complex_of(claim).has_zero_optimum(),
}


def complex_of(claim: Any) -> Complex:
    """Return the complex of the network of a claim on its domain."""
    return Complex(claim["network"], claim["domain"])


def supertransversal(network: Any) -> bool:
    """Tell whether zeros and codimensions agree on all of space."""
    everywhere = {"dim": network["layers"][0]["inputs"], "rows": []}
    return Complex(network, everywhere).is_supertransversal()


def generic(network: Any) -> bool:
    """Tell whether a network is generic on all of space."""
    return masked_ranks_are_maximal({"network": network}) and supertransversal(network)


def general(network: Any, domain: Any) -> bool:
    """Tell whether a network is general in the sense of Phuong and Lampert on an open domain."""
    weights = {"network": network}
    ranks = masked_ranks_are_maximal(weights) and no_two_are_proportional(weights)
    return ranks and not Complex(network, domain).has_zero_optimum()
