"""What a network computes, as results: its value at points, and the formula of a shallow one.

Both are found elsewhere (:mod:`exactrelu.network.evaluation`, :mod:`exactrelu.network.shallow`).
Here the value, the activation pattern and the affine map at a point are one result, of which the
certificate proves the first two: the checker computes them itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Certificate, Found
from exactrelu.certificates.evidence import value_claim
from exactrelu.exact.scalar import Vector, rational, vector
from exactrelu.network.evaluation import pattern_numbers, pattern_text
from exactrelu.network.network import (
    AffineMap,
    Evaluation,
    Network,
    local_affine_map,
    trace_batch,
)
from exactrelu.network.shallow import ShallowForm
from exactrelu.words import PEOPLE, Words, coefficients, count, equals


def _value(found: PointValue, words: Words) -> Iterator[str]:
    """``f(1, -1) = (1/2)``, or a line for x where it is long."""
    said, value = words.said(found.evaluation.point), words.point(found.evaluation.output)
    if said.startswith("("):
        yield equals(f"f{said}", value)
    else:
        yield equals("x   ", words.point(found.evaluation.point))
        yield equals("f(x)", value)


def _locally(found: PointValue, words: Words) -> Iterator[str]:
    yield from (f"  locally  {line}" for line in words.affine_map(found.local))
    if any(s == 0 for layer in found.evaluation.pattern for s in layer):
        yield "  note     a preactivation is exactly 0: x lies on a breakpoint candidate"


@dataclass(frozen=True, repr=False)
class PointValue(Found):
    """The value at a point, the activation pattern and the affine map there."""

    PARTS = (
        Part("point", "the point", proved=True, of=lambda found: found.evaluation.point),
        Part(
            "output",
            "the value, exactly",
            proved=True,
            of=lambda found: found.evaluation.output,
            said=_value,
        ),
        Part(
            "pattern",
            "for each hidden layer a list of 1 (active), 0 (inactive) and -1 (the preactivation is "
            "exactly 0); null for a linear unit",
            proved=True,
            of=lambda found: pattern_numbers(found.evaluation.pattern),
            said=lambda found, _: (f"  pattern  {pattern_text(found.evaluation.pattern)}",),
        ),
        Part(
            "jacobian",
            "the matrix of the local affine map",
            of=lambda found: found.local.matrix,
            said=_locally,
            unproved="local affine map",
        ),
        Part("offset", "its constant", of=lambda found: found.local.offset),
    )

    network: Network
    evaluation: Evaluation

    @cached_property
    def local(self) -> AffineMap:
        """The affine map of the pattern."""
        return local_affine_map(self.network, self.evaluation.pattern)

    @cached_property
    def certificate(self) -> Certificate:
        """The claim ``value``."""
        return value_claim(self.network, self.evaluation)

    def sentence(self, _words: Words = PEOPLE) -> str:
        """Of which network."""
        return f"exact values of {self.network.name or 'the network'} at 1 point"

    def told(self, _question: str, words: Words) -> list[str]:
        """The value and what belongs to it."""
        return self.said(words)


@dataclass(frozen=True, repr=False)
class PointValues(Found):
    """The values at several points; a certificate is about one."""

    PARTS = (
        Part(
            "points",
            "with several points, a list of objects with the fields above",
            of=lambda found: [_entries(value) for value in found.values],
            said=lambda found, words: (line for v in found.values for line in v.said(words)),
            unproved="all of this (a certificate is about one point)",
        ),
    )

    network: Network
    values: tuple[PointValue, ...]

    def sentence(self, _words: Words = PEOPLE) -> str:
        """Of which network, and how many."""
        name = self.network.name or "the network"
        return f"exact values of {name} at {count(len(self.values), 'point')}"

    def told(self, _question: str, words: Words) -> list[str]:
        """The values one after the other."""
        return self.said(words)


def _entries(value: PointValue) -> dict[str, Any]:
    return {part.name: part.value(value) for part in value.PARTS}


def values(network: Network, points: Sequence[Vector]) -> PointValue | PointValues:
    """What there is to say about a point, or about several."""
    found = tuple(PointValue(network, e) for e in trace_batch(network, points))
    return found[0] if len(found) == 1 else PointValues(network, found)


def _formula(found: ShallowFormula, words: Words) -> Iterator[str]:
    """The affine map, and a term for each hyperplane, their numbers in one list."""
    base, bends = found.form.base, found.bends
    numbers = (value for w, b, u in bends for value in (*w, b, *u))
    words = words.of_list([*coefficients(base), *numbers])
    yield from words.affine_map(base)
    yield from (f"+ {words.listed(u)} · s({words.linear_form(w, b)})" for w, b, u in bends)


@dataclass(frozen=True, repr=False)
class ShallowFormula(Found):
    """The function of one hidden layer as weighted hyperplanes and one affine map."""

    PARTS = (
        Part(
            "hyperplanes",
            "a list of `normal`, `offset` and `jump`, the weight of the hyperplane in each output",
            of=lambda f: [{"normal": w, "offset": b, "jump": u} for w, b, u in f.bends],
            said=_formula,
        ),
        Part("jacobian", "the matrix of the affine map", of=lambda found: found.form.base.matrix),
        Part("offset", "its constant", of=lambda found: found.form.base.offset),
    )

    form: ShallowForm

    @property
    def bends(self) -> list[tuple[Any, Any, Vector]]:
        """The normal, the offset and the jump of each hyperplane."""
        return [(vector(h[:-1]), rational(h[-1]), u) for h, u in self.form.bends]

    def _computed(self, *, lists: bool) -> tuple[str, ...]:
        return ("this form",)

    def sentence(self, words: Words = PEOPLE) -> str:
        """How many hyperplanes there are."""
        hyperplanes = count(len(self.form.bends), "weighted hyperplane")
        return f"the function{words.where} is an affine map and {hyperplanes}"

    def told(self, question: str, words: Words) -> list[str]:
        """The formula, and what it consists of."""
        opening, *said = super().told(question, words)
        return [*said, opening]
