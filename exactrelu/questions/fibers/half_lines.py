"""Half-lines of a three-layer fiber: a hidden neuron moves, others are flipped (theory 3.2–3.4).

The parameters of T_i(θ_A) in the scaling of θ are those of θ_A, but for b1_i and b2_j of the live
neurons j, with b2_j + W2_ji·b1_i fixed and b2_j < 0; and the rows of dead neurons, which
are negative and here of ℓ1 norm 1, and their outgoing weights, which are free.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE
from exactrelu.network.hiding import Hiding, hiding, is_dead_row
from exactrelu.network.network import Layer, Network
from exactrelu.questions.fibers.description import (
    Constraint,
    Description,
    Names,
    equation,
    fixed,
)
from exactrelu.questions.isomorphism import isomorphic


@dataclass(frozen=True)
class HalfLine:
    """T_i of the network after the flips of A: one member for each t > ``lower``."""

    hiding: Hiding
    flipped: tuple[int, ...]

    @property
    def is_nonempty(self) -> bool:
        return True

    @cached_property
    def sample(self) -> Network:
        """The member with t = 0."""
        return self.hiding.flip(self.flipped)

    @property
    def lower(self) -> fmpq:
        return self.hiding.lower

    @property
    def dimension(self) -> int:
        """1, and for each dead neuron its direction and its outgoing weights."""
        widths = self.hiding.network.widths
        return 1 + len(self._dead) * (widths[1] + widths[3])

    @property
    def _dead(self) -> list[int]:
        live = set(self.hiding.live)
        return [j for j in range(self.hiding.network.widths[2]) if j not in live]

    def translate(self, t: Any) -> Network:
        """The member at t; at t = ``lower`` still the same function, but not generic."""
        found = hiding(self.sample)
        if found is None:
            raise ArithmeticError("a flip does not hide: a bug")
        return found.translate(t)

    def flip(self, flipped: Iterable[int]) -> HalfLine:
        """The half-line after more flips, neurons from 0: A becomes A xor B."""
        return HalfLine(self.hiding, tuple(sorted(set(self.flipped) ^ set(flipped))))

    def random(self, rng: Random) -> Network:
        """A random member of small height, with other dead neurons."""
        t = self.lower + fmpq(rng.randint(1, 12), rng.randint(1, 4))
        first, second, last = (
            [list(row) for row in layer.affine.rows()] for layer in self.translate(t).layers
        )
        for j in self._dead:
            second[j] = [fmpq(-rng.randint(1, 5)) for _ in second[j]]
            for row in last:
                row[j] = fmpq(rng.randint(-5, 5))
        return Network(tuple(Layer(Matrix(rows)) for rows in (first, second, last)))

    def contains(self, other: Network) -> bool:
        """Whether a network lies on this half-line, up to symmetry and dead neurons.

        Both are moved to the closed end of their half-lines, which has no freedom left.
        """
        theirs = hiding(_live(other))
        ours = hiding(_live(self.sample))
        if theirs is None or ours is None:
            return False
        ends = ours.translate(ours.lower), theirs.translate(theirs.lower)
        return bool(isomorphic(*ends).answer)

    @cached_property
    def description(self) -> Description:
        """The equations and inequalities of the members in the scaling of the network."""
        sample, i = self.sample, self.hiding.hidden
        names = Names(sample.widths)
        first, second, last = (layer.affine.rows() for layer in sample.layers)
        dead = set(self._dead)
        found = []
        for a, row in enumerate(first):
            cut = len(row) - (a == i)
            found += fixed([names.row(1, a)[:cut]], [row[:cut]])
        hidden_bias = names.row(1, i)[-1]
        for j, row in enumerate(second):
            named = names.row(2, j)
            if j in dead:
                found += [Constraint(((-ONE, (name,)),), ">") for name in named]
                found.append(equation([(ONE, (name,)) for name in named], -ONE))
                continue
            found += fixed([named[:-1]], [row[:-1]])
            terms = [(ONE, (named[-1],)), (row[i], (hidden_bias,))]
            found.append(equation(terms, row[-1] + row[i] * first[i][-1]))
            found.append(Constraint(((-ONE, (named[-1],)),), ">"))
        live = [k for k in range(len(last[0])) if k not in dead]
        found += fixed(
            [[row[k] for k in live] for row in names.rows(3)],
            [tuple(row[k] for k in live) for row in last],
        )
        return Description(names.all(), tuple(found))

    def text(self) -> str:
        i = self.hiding.hidden + 1
        flips = ",".join(str(a + 1) for a in self.flipped)
        after = f", after the flips {{{flips}}}" if flips else ""
        return f"b1[{i}] + t and b2 − t·W2[:,{i}] for t > {self.lower}{after}"


def _live(network: Network) -> Network:
    """Without the dead neurons of layer 2."""
    first, second, last = network.layers
    live = [j for j, row in enumerate(second.affine.rows()) if not is_dead_row(row)]
    if not live:
        return network
    return Network(
        (
            first,
            Layer(second.affine.take(rows=live)),
            Layer(last.affine.take(columns=[*live, last.n_inputs])),
        )
    )
