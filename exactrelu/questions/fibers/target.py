"""The function that the members of a fiber share: its bends, and one affine map (theory 1.1).

On X = R^n or the orthant f = Σ_h U_h·s(h(x)) + (A0 x + c0) with one term for each hyperplane
at which f bends.  Here h has ℓ1 norm 1, the rational normalisation of theory 1.3, and its
first nonzero weight is positive; A0 x + c0 is f where every h(x) ≤ 0.

Symbols: h ``row`` (a…, β), U_h ``jump``, [A0|c0] ``affine``.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq, fmpz

from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.network.network import Layer, Network
from exactrelu.network.shallow import Hyperplane, ShallowForm, oriented, shallow_form
from exactrelu.polyhedra.domain import DomainLike


@dataclass(frozen=True)
class Bend:
    """``jump``·s(``row``·(x, 1)); ``place`` is the first neuron on it in the given network."""

    row: Vector
    jump: Vector
    place: int


@dataclass(frozen=True)
class Target:
    """What a network of one hidden layer with ``n_neurons`` neurons has to compute."""

    form: ShallowForm
    bends: tuple[Bend, ...]
    n_neurons: int
    #: A multiple of all denominators of jumps times normals and of the affine map.
    denominator: fmpz

    @property
    def n_inputs(self) -> int:
        return self.form.n_inputs

    @property
    def n_outputs(self) -> int:
        return self.form.n_outputs

    @property
    def on_orthant(self) -> bool:
        return self.form.on_orthant

    @property
    def affine(self) -> Matrix:
        return self.form.affine

    @property
    def is_constant(self) -> bool:
        """Whether the function is constant."""
        slopes = self.affine.take(columns=range(self.n_inputs))
        return not self.bends and slopes.is_zero

    @property
    def n_spare(self) -> int:
        """The neurons that are left when each bend has one."""
        return self.n_neurons - len(self.bends)


def target_of(network: Network, domain: DomainLike = None) -> Target:
    """The function of a network with one hidden layer, its bends in the order of its neurons."""
    if len(network.layers) != 2:
        hidden = len(network.layers) - 1
        raise InputError(f"a network with {hidden} hidden layers, expected one")
    form = shallow_form(network, domain)
    places: dict[Hyperplane, int] = {}
    for i, row in enumerate(network.layers[0].affine.rows()):
        places.setdefault(oriented(row)[0], i)
    bends = sorted(
        (Bend(*_normal(h, u), places[h]) for h, u in form.bends), key=lambda bend: bend.place
    )
    first, last = (layer.affine.integer_form[1] for layer in network.layers)
    return Target(form, tuple(bends), network.hidden_widths[0], first * last)


def _normal(h: Hyperplane, jump: Vector) -> tuple[Vector, Vector]:
    norm = sum((abs(fmpq(x)) for x in h), ZERO)
    return tuple(fmpq(x) / norm for x in h), tuple(u * norm for u in jump)


def normalised(network: Network) -> Network:
    """The same function; every hidden row that is not 0 has ℓ1 norm 1."""
    first, last = network.layers
    norms = [sum(map(abs, row), ZERO) or ONE for row in first.affine.rows()]
    rows = [[x / norm for x in row] for row, norm in zip(first.affine.rows(), norms, strict=True)]
    out = last.affine @ Matrix.diagonal([*norms, ONE])
    return Network((Layer(Matrix(rows)), Layer(out)), network.name)


def signs_on(target: Target, network: Network) -> tuple[str, ...] | None:
    """The signs of the neurons on each bend, or None where a bend has no neuron."""
    index = {bend.row: i for i, bend in enumerate(target.bends)}
    found = [""] * len(index)
    for row in network.layers[0].affine.rows():
        h, factor = oriented(row)
        norm = sum((abs(fmpq(x)) for x in h), ZERO) or ONE
        place = index.get(tuple(fmpq(x) / norm for x in h))
        if place is not None:
            found[place] += "+" if factor > 0 else "-"
    return tuple("".join(sorted(signs)) for signs in found) if all(found) else None
