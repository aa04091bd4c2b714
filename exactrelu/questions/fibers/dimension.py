"""The dimension of a simple stratum, by theorem and by the Jacobian (theory 1.6).

With rows of ℓ1 norm 1 the neurons on bends are fixed; what is left are V, W ≥ 0 with
V W = A_S (n2 × n0, of rank r), k biases, and k norms that are fixed.  For given
ρ = rank V the column space of V contains that of A_S, so the pairs (V, W) have dimension

    g(ρ) = (ρ − r)(n2 − ρ) + ρ k + (k − ρ) n0,       r ≤ ρ ≤ min(k, n2).

ρ < k is always attained with W > 0: an open set of such V has a positive vector in its
kernel.  ρ = k is attained iff the columns of A_S are pointed: W ≥ 0 kills every
λ ≥ 0 with A_S λ = 0.  The dimension is the largest g(ρ).  For generic networks r = k or
r = n2, which gives k², or n2(n2+1) + n0 if k = n2 + 1: the theorem of the paper.  Each dead
neuron adds n0 + n2.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO
from exactrelu.questions.fibers.description import Description
from exactrelu.questions.fibers.target import Target


def simple_dimension(target: Target, r: int, is_pointed: bool, k: int, n_dead: int) -> int:
    """The dimension of the nonempty simple stratum with k linear and ``n_dead`` dead neurons."""
    n0, n2 = target.n_inputs, target.n_outputs
    if not target.on_orthant:
        # Constant and dead neurons are (0, ±1); their output columns are free.
        return (k + n_dead) * n2
    ranks = range(r, min(k if is_pointed else k - 1, n2) + 1)
    return max((p - r) * (n2 - p) + p * k + (k - p) * n0 for p in ranks) + n_dead * (n0 + n2)


def tangent_dimension(description: Description, point: Sequence[fmpq]) -> int:
    """The number of parameters less the rank of the Jacobian of the equations at a point.

    An upper bound for the dimension there; the dimension, if the rank is that at all points
    near by.
    """
    index = {name: i for i, name in enumerate(description.variables)}
    gradients = []
    for equation in description.equations:
        gradient = [ZERO] * len(index)
        for coefficient, names in equation.terms:
            for k, name in enumerate(names):
                others = names[:k] + names[k + 1 :]
                factor = coefficient
                for other in others:
                    factor *= point[index[other]]
                gradient[index[name]] += factor
        gradients.append(gradient)
    if not gradients:
        return len(index)
    return len(index) - rank(Matrix(gradients))
