"""One component of a fiber as an answer: its equations, and what is proved of it.

Of a fiber of one hidden layer the certificate proves the equations, and the dimension near a
sample.  Of two hidden layers it proves that the sample is a member.  A description is text for
people, or for another program (:mod:`exactrelu.questions.fibers.description`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from exactrelu.answer import Names, Part
from exactrelu.certificates.certificate import Certificate, Found, all_of
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.questions.fibers.answers import AnyComponent, entry, line
from exactrelu.questions.fibers.component import Component
from exactrelu.questions.fibers.description import WRITERS, to_json
from exactrelu.words import PEOPLE, Words


def _of(
    name: str, about: str, proved: Callable[[Any], bool] | bool = False, claim: str = ""
) -> Part:
    """An entry of the component; which there are depends on its kind."""
    return Part(name, about, proved=proved, claim=claim, of=lambda found: found.entries.get(name))


def _has_member(found: OneComponent) -> bool:
    """Whether a certificate proves that the sample is one."""
    return not found.is_shallow and found.component.sample is not None


@dataclass(frozen=True, repr=False)
class OneComponent(Found):
    """A component of a fiber, described in some format."""

    PARTS = (
        _of("name", "its name"),
        _of("orientation", "its signs on the bends, or its flips"),
        _of("nonempty", "whether it has a member", _has_member, "holds"),
        _of("dimension", "its dimension", lambda found: found.has_dimension),
        _of("sample", "a member", _has_member, "b"),
        _of("t_above", "the end of a half-line"),
        _of("reversed", "neurons that are turned around"),
        _of("n_linear", "number of linear neurons"),
        _of("n_dead", "number of dead neurons"),
        _of("cancelling", "groups of neurons that cancel"),
        _of("jacobian_dimension", "the dimension by the Jacobian at the sample"),
        _of("generic_points", "whether it has generic points"),
        _of("compensation", "the rows [A|d] that linear neurons have to make up for"),
        _of("description", "its equations as text"),
        Part(
            "constraints",
            "its equations and inequalities as data",
            proved=lambda found: found.has_equations,
            of=lambda found: to_json(found.component.description),
        ),
    )

    fiber: Any
    component: AnyComponent
    #: One of ``WRITERS``.
    form: str = "text"
    effort: Effort = UNLIMITED

    @property
    def is_shallow(self) -> bool:
        """Whether it is one of one hidden layer."""
        return isinstance(self.component, Component)

    @cached_property
    def entries(self) -> dict[str, Any]:
        """What there is to say of such a component."""
        return entry(self.fiber, self.component)

    @cached_property
    def _facts_proved(self) -> tuple[Certificate | None, Certificate | None]:
        """The certificates of the equations and of the dimension, of one hidden layer."""
        component = self.component
        if not isinstance(component, Component):
            return None, None
        return self.fiber.equations(component), component.dimension_certificate

    @cached_property
    def certificate(self) -> Certificate | None:
        """The equations with the dimension, or that the sample is a member."""
        if not _has_member(self):
            return all_of(self._facts_proved)
        found: Certificate | None = self.fiber.member(
            self.component.sample, effort=self.effort
        ).certificate
        return found

    @property
    def _has_proof(self) -> bool:
        return _has_member(self) or any(self._facts_proved)

    @property
    def has_dimension(self) -> bool:
        """Whether the dimension is proved.

        It is about the component near its sample; where that is not all of it, nothing is proved.
        """
        equations, near = self._facts_proved
        if equations is None or near is None:
            return False
        is_all: bool = near.fields["dimension"] == self.component.dimension
        return is_all

    @property
    def has_equations(self) -> bool:
        """Whether the certificate proves all that is said of the equations.

        That rows of one sign on a domain are written out at its vertices is not certified.
        """
        if not isinstance(self.component, Component) or not any(self._facts_proved):
            return False
        stratum = self.component.stratum
        return self.fiber.target.sides.is_simple or not stratum.n_linear + stratum.n_dead

    def _computed(self, *, lists: bool) -> Names:
        if self.is_shallow and self._has_proof:
            return () if self.has_equations else ("the vertices of the domain",)
        # A file for another program is left as it is.
        return ("the equations",) if self.form == "text" else ()

    def known(self, *, lists: bool = False) -> dict[str, Any]:
        """What such a component has."""
        names = {*self.entries, "constraints"}
        return {name: v for name, v in super().known(lists=lists).items() if name in names}

    def sentence(self, words: Words = PEOPLE) -> str:
        """Its name, and its dimension."""
        return line(self.fiber, self.component, words)

    def told(self, _question: str, _words: Words) -> list[str]:
        """Its description."""
        return [WRITERS[self.form](self.component.description)]
