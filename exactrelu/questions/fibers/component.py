"""One component of a fiber: a stratum, with everything that can be asked about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from exactrelu.certificates.certificate import Certificate, claim
from exactrelu.certificates.evidence import minor_record
from exactrelu.errors import InputError
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, vector
from exactrelu.network.network import Network
from exactrelu.questions.fibers.classify import stratum_of
from exactrelu.questions.fibers.description import Description, describe, parameters
from exactrelu.questions.fibers.dimension import (
    LocalDimension,
    local_dimension,
    simple_dimension,
    tangent_dimension,
)
from exactrelu.questions.fibers.filling import compensation, fill
from exactrelu.questions.fibers.generic_points import has_generic_points
from exactrelu.questions.fibers.members import member
from exactrelu.questions.fibers.moves import act, linear_places, random_member, translate
from exactrelu.questions.fibers.orientations import Orientation
from exactrelu.questions.fibers.strata import Stratum
from exactrelu.questions.fibers.target import Target, normalised


@dataclass(frozen=True)
class Component:
    """The members of a fiber whose neurons play the parts that ``stratum`` says."""

    target: Target
    stratum: Stratum
    #: What is known of A_S, for a simple stratum.
    orientation: Orientation | None = None

    @property
    def signs(self) -> tuple[str, ...]:
        """The signs of the neurons on each bend."""
        return self.stratum.bends

    @property
    def name(self) -> str:
        """What no other component of the fiber is called."""
        return self.stratum.name

    @property
    def compensation(self) -> Matrix:
        """[A_S|d_S] of theory 1.4."""
        return compensation(self.target, self.signs)

    @cached_property
    def is_nonempty(self) -> bool:
        if self.orientation is not None:
            k = self.stratum.n_linear if self.target.on_orthant else 0
            return self.orientation.least <= k
        return self.sample is not None

    @cached_property
    def sample(self) -> Network | None:
        """A member with small numbers; None if there is none."""
        known = self.orientation
        functional = None if known is None else known.functional
        filling = fill(self.target, self.stratum, functional)
        if filling is None:
            return None
        return member(self.target, self.stratum, filling, [ONE] * self.stratum.n_linear)

    @cached_property
    def description(self) -> Description:
        """The equations and inequalities of the members with rows of ℓ1 norm 1."""
        return describe(self.target, self.stratum)

    def contains(self, network: Network) -> bool:
        """Whether a member of the fiber lies in this component, its neurons in any order."""
        return stratum_of(self.target, network) == self.stratum

    @cached_property
    def tangent_dimension(self) -> int | None:
        """The parameters less the rank of the Jacobian of the equations at the sample."""
        if self.sample is None:
            return None
        point = parameters(normalised(self.sample))
        # The scale of canceling rows is not fixed by the description.
        return tangent_dimension(self.description, point) - len(self.stratum.cancelling)

    @cached_property
    def dimension(self) -> int | None:
        """The dimension with rows of ℓ1 norm 1; None if it is not known, or there is no member.

        For a simple stratum by theorem.  Else that near the sample, by the constant rank theorem.
        """
        if not self.is_nonempty:
            return None
        stratum = self.stratum
        if stratum.is_simple:
            A = self.compensation.take(columns=range(self.target.n_inputs))
            known = self.orientation
            r = known.rank if known else rank(A)
            pointed = (
                known.is_pointed
                if known
                else fill(self.target, Stratum(stratum.bends, r)) is not None
            )
            return simple_dimension(self.target, r, pointed, stratum.n_linear, stratum.n_dead)
        return None if self._local is None else self._local.value

    @cached_property
    def dimension_certificate(self) -> Certificate | None:
        """Of the dimension near the sample; None where ranks may change near it."""
        if self.sample is None or self._local is None:
            return None
        domain, found = self.target.form.domain, self._local
        return claim(
            "fiber-dimension",
            map(minor_record, found.minors),
            network=self.sample,
            domain=domain,
            dimension=found.value,
        )

    @cached_property
    def _local(self) -> LocalDimension | None:
        return None if self.sample is None else local_dimension(self.target, self.sample)

    @cached_property
    def has_generic_points(self) -> bool | None:
        """Whether some member has all masked ranks (theory 2.2b); None if unknown."""
        return has_generic_points(self.target, self.stratum, self.sample)

    def reversed_neurons(self, network: Network) -> tuple[int, ...] | None:
        """D: the bends, from 1, on which the one neuron is turned; None if there are more."""
        ours = stratum_of(self.target, network).bends
        if any(len(signs) != 1 for signs in (*ours, *self.signs)):
            return None
        return tuple(i for i, (a, b) in enumerate(zip(ours, self.signs, strict=True), 1) if a != b)

    def translate(self, t: Iterable[Any], at: Network | None = None) -> Network:
        """A member with the biases of the linear neurons moved by t."""
        network = self._start(at)
        return translate(network, linear_places(self.target, self.stratum), vector(t))

    def act(self, G: Any, at: Network | None = None) -> Network:
        """A member with the linear neurons mixed by an invertible matrix: (V G⁻¹, G W, G b)."""
        network = self._start(at)
        matrix = G if isinstance(G, Matrix) else Matrix(G)
        return act(network, linear_places(self.target, self.stratum), matrix)

    def random(self, rng: Random) -> Network:
        """A random member of small height."""
        if not self.target.on_orthant:
            return self._start(None)
        return random_member(self._start(None), linear_places(self.target, self.stratum), rng)

    def _start(self, at: Network | None) -> Network:
        network = at or self.sample
        if network is None:
            raise InputError("the component is empty")
        if at is not None and not self.contains(at):
            raise InputError("the network is not in this component")
        return network
