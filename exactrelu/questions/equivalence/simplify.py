"""A smaller network with provably the same function on a domain.

**By signs.**  Removes, until nothing is left to remove: dead neurons, neurons that lead nowhere,
duplicates (rows that are positive multiples), linear and constant neurons beyond rank₊ of their
map V_I W_I (theory 1.5: so many linear neurons are needed and suffice), and whole layers without
nonlinear neurons.  Roles are read off signs (theory 1.2).  With ``by_lp`` also what takes geometry
to see goes, in two steps:

**Neurons that are never active.**  A neuron that is ≤ 0 at all sample points is a *candidate*; dead
neurons are candidates.  Those that a bound tree (:mod:`exactrelu.cells.dead_neurons`) shows to be
dead are dropped with this proof.

**The rest of geometry.**  Neurons that are dead on the whole domain are dropped, and a layer of
linear and dead ones is joined with the next.  On a bounded domain r = rank(V_I W_I) of k > r
linear neurons are enough: with V_I W_I = C·R they take in R·u + β, β so large that they stay
linear.  Signs come from :mod:`exactrelu.cells.forms`.  What comes out is then proved, by a joint
tree of both networks that cuts nothing.

Symbols: the linear neurons I of layer l → ``linear``, W_I → ``incoming`` (``weights`` without
biases), V_I → ``outgoing``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Unpack

from flint import fmpq

from exactrelu.cells.dead_neurons import Active, Neuron, bound_tree
from exactrelu.cells.forms import Signs, root_signs
from exactrelu.certificates.certificate import Certificate, Found
from exactrelu.certificates.moves import rewriting_claim, uncut_proof
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, primitive
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Layer, Network, PlainNetwork, plain, trace_batch
from exactrelu.network.rewriting import (
    Compose,
    Drop,
    Merge,
    NeverActive,
    Refactor,
    Step,
    has_sign,
    positive_coordinates,
    rewritten,
)
from exactrelu.network.roles import Interval, activated, box_around, layer_bounds
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.equivalence.witness import samples
from exactrelu.questions.linear import nonnegative_column_rank

#: Nodes of the tree of one neuron.
MAX_NODES = 200
#: Inputs and neurons before it: linear programs in more variables take seconds each.
MAX_VARIABLES = 100
#: Isomorphism is one attempt of several: it may not take long.
MAX_REFINEMENTS = 1_000


@dataclass(frozen=True, repr=False)
class Simplified(Found):
    """``network`` computes the function of ``original`` on ``place``.

    On a flat domain the steps are those of the restriction to its affine hull, and the network
    looks at the free coordinates only.
    """

    original: Network
    network: Network
    place: Domain
    steps: tuple[Step, ...]
    #: The proof of the rest, if the steps do not lead all the way.
    cells: Certificate | None = None
    #: Why the search for further steps ended before all were found, if it did.
    stopped: str | None = None

    @property
    def certificate(self) -> Certificate:
        """The certificate of the claim ``equal`` by ``rewriting``."""
        networks = self.original, self.network
        return rewriting_claim(*networks, self.place, self.steps, then=self.cells)


def simplify(
    network: Network,
    domain: DomainLike = None,
    *,
    by_lp: bool = False,
    **limits: Unpack[Limits],
) -> Simplified:
    """The same function with fewer neurons: without dead, duplicate and needless linear ones.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    by_lp : bool, optional
        Also remove what it takes geometry to see, by linear programs.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Simplified
        ``network``, the ``steps`` that lead there, and the ``certificate`` that both are equal.

    Notes
    -----
    Over a bound the network after the steps found by then, and ``stopped`` says so.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1], [2], [0]], [[3, 1, 5]]], [[1, 2, 4], [0]])
    >>> er.simplify(net).network.widths
    (1, 1, 1)
    """
    effort = Effort.of(limits)
    network = plain(network, "simplification")
    work = _Work(network)
    try:
        place = work.place = Domain.of(domain, network.n_inputs, effort)
        work.network = place.restricted(network)
        with effort.knowing(lambda stopped: work.found(str(stopped))):
            work.by_signs(effort)
            if by_lp:
                work.by_lp(effort)
    except Stopped as stopped:
        return work.found(str(stopped))
    return work.found()


class _Work:
    """A network on its way to a smaller one, and the steps so far.

    On a flat domain it is the restriction to the affine hull.
    """

    def __init__(self, network: PlainNetwork) -> None:
        self.original: Network = network
        self.network: Network = network
        self.place = Domain.of(None, network.n_inputs)
        self.steps: list[Step] = []
        self.cells: Certificate | None = None

    def found(self, stopped: str | None = None) -> Simplified:
        """What is known by now."""
        place, steps = self.place, tuple(self.steps)
        network = _widened(self.network, place) if place.is_flat else self.network
        return Simplified(self.original, network, place, steps, self.cells, stopped)

    def take(self, steps: Iterable[tuple[Step, Network]]) -> int:
        """Take steps, one after the other; how many there were."""
        n_before = len(self.steps)
        for step, network in steps:
            self.steps.append(step)
            self.network = network
        return len(self.steps) - n_before

    def by_signs(self, effort: Effort) -> None:
        """All steps that signs show."""
        self.take(_sign_steps(self.network, positive_coordinates(self.place.inner.inside), effort))

    def by_lp(self, effort: Effort) -> None:
        """What linear programs show, and signs after that."""
        place = self.place.inner
        domain = place.inside
        points = samples(domain, effort, place.flint_point)
        while True:
            neurons = candidates(self.network, points)
            if not self.take(_dead_steps(self.network, domain, neurons, effort)):
                break
            self.by_signs(effort)
        small = self.network
        while (next_one := smaller(small, domain, effort)) is not None:
            small = by_signs(next_one, positive_coordinates(domain), effort)[0]
        if small is not self.network:
            cells = uncut_proof(self.network, small, place, effort)
            if cells is not None:
                self.network, self.cells = small, cells


def _widened(restriction: Network, place: Domain) -> Network:
    """A network in x with the values of one in the free coordinates of x."""
    first = Layer(
        Matrix([place.lift_row(row) for row in restriction.layers[0].affine.flint_rows()])
    )
    return Network((first, *restriction.layers[1:]), restriction.name, restriction.neuron_names)


# --- By signs


def by_signs(
    network: Network, positive: frozenset[int], effort: Effort
) -> tuple[Network, tuple[Step, ...]]:
    found = list(_sign_steps(network, positive, effort))
    return found[-1][1] if found else network, tuple(step for step, _ in found)


def _sign_steps(
    network: Network, positive: frozenset[int], effort: Effort
) -> Iterator[tuple[Step, Network]]:
    """The steps that signs show, each with the network after it."""
    while (step := _next_step(network, positive, effort)) is not None:
        network = rewritten(network, step, positive)
        effort.spend("steps")
        yield step, network


def _next_step(network: Network, positive: frozenset[int], effort: Effort) -> Step | None:
    for l in range(len(network.layers) - 1):
        effort.spend()
        step = _step_in(network, l, positive)
        if step is not None:
            return step
    return None


def _step_in(network: Network, l: int, positive: frozenset[int]) -> Step | None:
    """A step that makes hidden layer l smaller, if there is one."""
    rows = network.layers[l].affine.flint_rows()
    columns = list(zip(*network.layers[l + 1].affine.flint_rows(), strict=True))
    linear = [i for i, row in enumerate(rows) if has_sign(row, 1, l, positive)]
    dead = [
        i for i, row in enumerate(rows) if has_sign(row, -1, l, positive) or not any(columns[i])
    ]
    if len({*linear, *dead}) == len(rows):
        return Compose(l)
    if dead:
        return Drop(l, dead[0])
    return duplicate(l, rows) or _refactor(network, l, linear)


def duplicate(l: int, rows: tuple[Vector, ...]) -> Merge | None:
    """The step that removes a neuron whose row is a positive multiple of an earlier one."""
    first: dict[object, int] = {}
    for i, row in enumerate(rows):
        into = first.setdefault(primitive(row), i)
        if into != i:
            return Merge(l, i, into)
    return None


def _refactor(network: Network, l: int, linear: list[int]) -> Refactor | None:
    """Fewer linear neurons with the same map, if there are too many."""
    if not linear:
        return None
    step = minimal_refactor(network, l, linear)
    return step if step.right.n_rows < len(linear) else None


def minimal_refactor(network: Network, l: int, linear: list[int]) -> Refactor:
    """As few linear neurons as possible with the same map, without biases."""
    n_inputs = network.layers[l].n_inputs
    weights = network.layers[l].affine.take(linear, range(n_inputs))
    outgoing = network.layers[l + 1].affine.take(columns=linear)
    found = nonnegative_column_rank(outgoing @ weights)
    left = Matrix.from_entries(outgoing.n_rows, found.value, found.left.flint.entries())
    right = Matrix.from_entries(found.value, n_inputs, found.right.flint.entries())
    return Refactor(l, tuple(linear), left, right)


# --- Neurons that are never active


def candidates(network: Network, points: Iterable[Vector]) -> list[Neuron]:
    """The hidden neurons that are active at none of these points, layer by layer."""
    patterns = [evaluation.pattern for evaluation in trace_batch(network, points)]
    return [
        (l, i)
        for l, width in enumerate(network.hidden_widths)
        for i in range(width)
        if all(pattern[l][i] <= 0 for pattern in patterns)
    ]


def drop_dead(
    network: Network,
    domain: LinearSystem,
    neurons: Iterable[Neuron],
    effort: Effort = UNLIMITED,
) -> tuple[Network, tuple[NeverActive, ...]]:
    """The network without those of these neurons, in order, that are proved to be dead.

    The last neuron of a layer stays.
    """
    found = list(_dead_steps(network, domain, neurons, effort))
    return found[-1][1] if found else network, tuple(step for step, _ in found)


def _dead_steps(
    network: Network, domain: LinearSystem, neurons: Iterable[Neuron], effort: Effort
) -> Iterator[tuple[NeverActive, Network]]:
    """The steps that drop them, each with the network after it."""
    gone = [0] * len(network.hidden_widths)
    for l, i in neurons:
        place = i - gone[l]
        if network.hidden_widths[l] == 1 or sum(network.widths[: l + 1]) > MAX_VARIABLES:
            continue
        tree = bound_tree(network, domain, (l, place), MAX_NODES, effort)
        if tree is None or isinstance(tree, Active):
            continue
        step = NeverActive(l, place, tree)
        network = rewritten(network, step, frozenset())
        gone[l] += 1
        effort.spend("steps")
        yield step, network


# --- The rest of geometry


def smaller(network: Network, domain: LinearSystem, effort: Effort = UNLIMITED) -> Network | None:
    """The network after one round, or None if nothing changes."""
    signs = root_signs(network, domain, effort)
    for l, width in enumerate(network.hidden_widths):
        found = [signs.get((l, i), 0) for i in range(width)]
        if all(found):
            return _composed(network, l, found)
        if -1 in found:
            return _without_dead(network, signs)
    boxes = box_around(domain)
    for l, layer in enumerate(network.layers[:-1]):
        linear = [i for i in range(layer.n_outputs) if signs.get((l, i)) == 1]
        refactored = _refactored(network, l, linear, boxes)
        if refactored is not None:
            return refactored
        boxes = activated(layer, layer_bounds(layer, boxes, effort))
    return None


def _composed(network: Network, l: int, signs: Sequence[int]) -> Network:
    rows = network.layers[l].affine.flint_rows()
    kept = [row if s > 0 else (ZERO,) * len(row) for row, s in zip(rows, signs, strict=True)]
    after = network.layers[l + 1]
    joined = (after.weights @ Matrix(kept)).flint_rows()
    table = [(*row[:-1], row[-1] + b) for row, b in zip(joined, after.flint_bias, strict=True)]
    layers = network.layers
    return Network((*layers[:l], Layer(Matrix(table)), *layers[l + 2 :]), network.name)


def _without_dead(network: Network, signs: Signs) -> Network:
    """Without the dead neurons of every layer that has others too."""
    layers = list(network.layers)
    for l, width in enumerate(network.hidden_widths):
        kept = [i for i in range(width) if signs.get((l, i)) != -1]
        if kept:
            layers[l] = Layer(layers[l].affine.take(rows=kept))
            layers[l + 1] = Layer(layers[l + 1].affine.take(columns=[*kept, width]))
    return Network(tuple(layers), network.name)


def _refactored(
    network: Network, l: int, linear: Sequence[int], boxes: Sequence[Interval]
) -> Network | None:
    """As many linear neurons as the rank of their map, if they can be kept linear."""
    if len(linear) < 2:
        return None
    here, after = network.layers[l], network.layers[l + 1]
    incoming = here.affine.take(rows=linear)
    outgoing = after.affine.take(columns=linear)
    product = outgoing @ incoming.take(columns=range(here.n_inputs))
    reduced, rank = product.flint.rref()
    if rank >= len(linear):
        return None
    basis = [tuple(row) for row in reduced.table()[:rank]]
    pivots = [next(j for j, x in enumerate(row) if x != 0) for row in basis]
    rows: list[Vector] = []
    for row in basis:
        ((lower, _),) = layer_bounds(Layer(Matrix([(*row, ZERO)])), boxes)
        if lower is None:
            return None
        rows.append((*row, max(-lower, ZERO)))
    # rref: entry j of a row of the product at the pivots is its coefficient in the basis.
    left = [[row[j] for j in pivots] for row in product.flint_rows()]
    shifts = outgoing.flint_apply(incoming.flint_column(here.n_inputs))
    kept = [i for i in range(here.n_outputs) if i not in set(linear)]
    table: list[list[fmpq]] = []
    for out, weights, shift in zip(after.affine.flint_rows(), left, shifts, strict=True):
        taken = sum((w * row[-1] for w, row in zip(weights, rows, strict=True)), ZERO)
        table.append([*(out[i] for i in kept), *weights, out[-1] + shift - taken])
    new = Layer(Matrix([*(here.affine.flint_row(i) for i in kept), *rows]))
    layers = network.layers
    return Network((*layers[:l], new, Layer(Matrix(table)), *layers[l + 2 :]), network.name)
