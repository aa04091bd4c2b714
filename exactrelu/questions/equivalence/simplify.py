"""A smaller network with provably the same function on a domain.

**By signs of weights.**  Removes, until nothing is left to remove: dead neurons, neurons that lead
nowhere, duplicates (rows that are positive multiples), linear and constant neurons beyond rank₊ of
their map V_I W_I (theory 1.5: so many linear neurons are needed and suffice), and whole layers
without nonlinear neurons.  Roles are read off signs (theory 1.2).  That is all on all of space.

**By what is known on the domain** (:mod:`exactrelu.cells.portfolio`).  Where some neurons are off
or on, the network without them has a linear unit for each that is on, and merging
(:mod:`exactrelu.network.merging`) makes as few of them as carry what they carry.  On a bounded
domain they become neurons again: with a bias β they are on, and the next layer takes β away.  So a
plain network stays plain, with as many parameters.  The proof is one tree of both networks that
cuts nothing: it opens with the known signs of both, and then they are the same form.

**By linear programs**, on a domain without bounds, if they are asked for.  A neuron that is ≤ 0 at
all sample points is a *candidate*; those that a bound tree shows to be dead are dropped with this
proof.  Then signs that a relaxation shows (:mod:`exactrelu.cells.forms`) are taken as known; the
tree of both networks proves them again.

Symbols: the linear neurons I of layer l → ``linear``, W_I → ``incoming`` (``weights`` without
biases), V_I → ``outgoing``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Unpack

from exactrelu.answer import Part
from exactrelu.cells.box_bounds import has_box
from exactrelu.cells.knowledge import Knowledge, Unit
from exactrelu.cells.portfolio import KnowledgeStage, by_programs, known, never_active
from exactrelu.certificates.certificate import Certificate, Found, claim
from exactrelu.certificates.moves import rewriting_claim
from exactrelu.certificates.opening import KnownPair
from exactrelu.certificates.pair_trees import uncut_proof
from exactrelu.effort import UNLIMITED, Effort, Limits
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector
from exactrelu.network.network import Network, trace_batch, widths_text
from exactrelu.network.rewriting import (
    Compose,
    Drop,
    Merge,
    NeverActive,
    Refactor,
    Step,
    duplicate,
    has_sign,
    positive_coordinates,
    rewritten,
)
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.equivalence.smaller import smaller, widened, with_given_weights
from exactrelu.questions.equivalence.witness import samples
from exactrelu.questions.linear import nonnegative_column_rank
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words, count

#: What steps do.
_DONE: dict[type[Step], tuple[str, str]] = {
    Drop: ("dead neuron", "dropped"),
    NeverActive: ("neuron", "dropped that a tree of bounds shows to be dead"),
    Merge: ("duplicate", "merged"),
    Refactor: ("group", "of linear neurons made smaller"),
    Compose: ("layer", "without nonlinear neurons joined with the next"),
}


def _saved(found: Simplified, _: Words) -> Iterator[str]:
    """What a simplification saves, and how."""
    if found.is_same:
        return
    numbers = [
        f"{getattr(found.original, name):,} → {count(getattr(found.network, name), noun)}"
        for name, noun in (("n_hidden_neurons", "neuron"), ("n_parameters", "parameter"))
    ]
    yield "  " + ", ".join(numbers)
    n_off, n_on = found.n_off, found.n_on
    if n_off or n_on:
        n_left = found.original.n_hidden_neurons - n_off - n_on
        yield f"  off on the domain: {n_off:,}, on: {n_on:,}, may bend: {n_left:,}"
    n_steps = Counter(map(type, found.steps))
    for step, (noun, what) in _DONE.items():
        if n_steps[step]:
            yield f"  {count(n_steps[step], noun)} {what}"


@dataclass(frozen=True, repr=False)
class Simplified(Found):
    """``network`` computes the function of ``original`` on ``place``.

    On a flat domain the steps are those of the restriction to its affine hull, and the network
    looks at the free coordinates only.
    """

    PARTS = (
        Part("widths", "the widths of the small network", proved=True, claim="b"),
        Part("n_neurons", "how many hidden neurons it has"),
        Part("n_parameters", "and how many parameters"),
        Part("n_steps", "how many steps lead there", said=_saved),
    )

    original: Network
    network: Network
    place: Domain
    steps: tuple[Step, ...]
    #: The proof of the rest, about the restrictions, if the steps do not lead all the way.
    cells: Certificate | None = None
    #: The proof that known signs give at once.
    equality: Certificate | None = None
    #: How many neurons of the original are off on the domain, and how many on, by this proof.
    n_off: int = 0
    n_on: int = 0
    #: Why the search for further steps ended before all were found, if it did.
    stopped: str | None = None

    @property
    def widths(self) -> tuple[int, ...]:
        """The widths of the small network."""
        return self.network.widths

    @property
    def n_neurons(self) -> int:
        """How many hidden neurons it has."""
        return self.network.n_hidden_neurons

    @property
    def n_parameters(self) -> int:
        """How many parameters."""
        return self.network.n_parameters

    @property
    def n_steps(self) -> int:
        """How many steps lead there."""
        return len(self.steps)

    @property
    def is_same(self) -> bool:
        """Whether nothing was removed."""
        # On a flat domain the network that is written looks at the free coordinates only.
        is_flat = self.place.is_flat and self.network.widths == self.original.widths
        return self.network == self.original or is_flat

    def sentence(self, words: Words = PEOPLE) -> str:
        """What became of the network."""
        before, after = map(widths_text, (self.original, self.network))
        if self.stopped is not None:
            so_far = f"{before} became {after} so far, with the same function"
            return f"{self.stopped}: {so_far}{words.where}"
        if self.is_same:
            return f"{before}: nothing to remove{words.where}"
        return f"{before} became {after}, with the same function{words.where}"

    @property
    def certificate(self) -> Certificate:
        """The certificate of the claim ``equal``, by ``cells`` from known signs, or steps."""
        if self.equality is not None:
            return self.equality
        about = self.original, self.network, self.place
        if not self.original.is_plain:
            # Nothing was found: steps are about layers of ReLUs.
            return claim(
                "equal", "cells", ["same"], holds=True, a=about[0], b=about[1], domain=about[2]
            )
        return rewriting_claim(*about, self.steps, then=self.cells)


@question
def simplify(
    call: Call[Simplified],
    network: Network,
    domain: DomainLike = None,
    *,
    keep_weights: bool = False,
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
    keep_weights : bool, optional
        Only drop neurons: each weight that is left is one of the given network.
    by_lp : bool, optional
        On a domain without bounds, also remove what it takes cells and linear programs to see.
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
    >>> net = er.Network.from_arrays([[[1, 1], [1, -1]], [[3, 1]]], [[-2, 0], [0]])
    >>> er.simplify(net, "box:0..1").network.widths
    (2, 1, 1)
    """
    call.knows(lambda stopped: _nothing(network, keep_weights, str(stopped)))
    effort, place = call.effort, call.place
    work = _Work(network, keep_weights, place)
    call.knows(lambda stopped: work.found(str(stopped)))
    has_cells, is_plain = by_lp or not place.is_everywhere, network.is_plain
    if has_cells or not is_plain:
        work.by_known(effort, has_cells=has_cells)
    with_lp = by_lp and not keep_weights and not has_box(place)
    if is_plain and work.equality is None:
        work.by_steps(effort, with_lp)
    elif is_plain and with_lp:
        other = _Work(network, keep_weights, place)
        other.by_steps(effort, with_lp)
        if _size(other.found().network) < _size(work.found().network):
            work = other
    return work.found()


def _nothing(network: Network, keep_weights: bool, stopped: str) -> Simplified:
    """What is known before the domain is: the network itself."""
    return _Work(network, keep_weights, Domain.of(None, network.n_inputs)).found(stopped)


class _Work:
    """A network on its way to a smaller one, and the steps so far.

    By steps it is the restriction to the affine hull on a flat domain.
    """

    def __init__(self, network: Network, keep_weights: bool, place: Domain) -> None:
        self.original = self.network = network
        self._keep_weights, self.place = keep_weights, place
        self.steps: list[Step] = []
        self.cells: Certificate | None = None
        self.equality: Certificate | None = None
        #: How many neurons the equality takes as off, and as on.
        self.signs = 0, 0

    def found(self, stopped: str | None = None) -> Simplified:
        """What is known by now."""
        place, network = self.place, self.network
        if self.equality is None:
            network = self.original
            if self.steps or self.cells:
                network = widened(self.network, place)
        proofs = self.cells, self.equality
        return Simplified(
            self.original, network, place, tuple(self.steps), *proofs, *self.signs, stopped
        )

    def take(self, steps: Iterable[tuple[Step, Network]]) -> int:
        """Take steps, one after the other; how many there were."""
        n_before = len(self.steps)
        for step, network in steps:
            self.steps.append(step)
            self.network = network
        return len(self.steps) - n_before

    def by_known(self, effort: Effort, *, has_cells: bool) -> None:
        """What is known on the domain, and the merging of linear units."""
        stage = KnowledgeStage.CELLS if has_cells else KnowledgeStage.BOUNDS
        first = found = known(self.original, self.place, effort, stage)
        while found or not self.original.is_plain:
            small = self._proved(first, found, effort)
            if small is None:
                return
            signs = [*first.settled.values()]
            self.network, self.signs = small, (signs.count(-1), signs.count(1))
            # Its neurons bend where those of the original do: cells would show no more.
            found = known(small, self.place, effort)

    def _proved(self, first: Knowledge, found: Knowledge, effort: Effort) -> Network | None:
        """A smaller network than that of ``found``, proved to be equal to the first one."""
        for small in self._candidates(found, effort):
            if _size(small) < _size(found.network):
                pair = KnownPair(first, known(small, self.place, effort))
                equality = uncut_proof(self.original, small, self.place, effort, pair)
                if equality is not None:
                    self.equality = equality
                    return small
        return None

    def _candidates(self, found: Knowledge, effort: Effort) -> Iterator[Network]:
        """Networks that known signs make equal to the given one, the smallest first."""
        if self._keep_weights:
            yield with_given_weights(found)
            return
        positive = positive_coordinates(self.place.inner.inside)
        for small in smaller(found, effort):
            simple = by_signs(small, positive, effort)[0] if small.is_plain else small
            yield widened(simple, self.place)

    def by_steps(self, effort: Effort, with_lp: bool) -> None:
        """All steps that signs show, and linear programs."""
        if self._keep_weights and self.place.is_flat:
            return
        self.network = self.place.restricted(self.original)
        self.by_signs(effort)
        if with_lp:
            self.by_lp(effort)

    def by_signs(self, effort: Effort) -> None:
        """All steps that signs show."""
        positive = positive_coordinates(self.place.inner.inside)
        self.take(_sign_steps(self.network, positive, effort, self._keep_weights))

    def by_lp(self, effort: Effort) -> None:
        """What linear programs show, and signs after that."""
        place = self.place.inner
        domain = place.inside
        points = samples(domain, effort, place.flint_point)
        while True:
            neurons = candidates(self.network, points)
            if not self.take(_dead_steps(self.network, place, neurons, effort)):
                break
            self.by_signs(effort)
        small = self.network
        while (found := by_programs(small, place, effort)) and small.hidden_widths:
            smallest = next(smaller(found, effort))
            smallest = by_signs(smallest, positive_coordinates(domain), effort)[0]
            if _size(smallest) >= _size(small):
                break
            small = smallest
        if small is not self.network:
            cells = uncut_proof(self.network, small, place, effort)
            if cells is not None:
                self.network, self.cells = small, cells


def _size(network: Network) -> tuple[int, int]:
    return sum(network.hidden_widths), network.n_parameters


# --- By signs


def by_signs(
    network: Network, positive: frozenset[int], effort: Effort
) -> tuple[Network, tuple[Step, ...]]:
    found = list(_sign_steps(network, positive, effort))
    return found[-1][1] if found else network, tuple(step for step, _ in found)


def _sign_steps(
    network: Network, positive: frozenset[int], effort: Effort, only_drops: bool = False
) -> Iterator[tuple[Step, Network]]:
    """The steps that signs show, each with the network after it."""
    while (step := _next_step(network, positive, effort, only_drops)) is not None:
        network = rewritten(network, step, positive)
        effort.spend("steps")
        yield step, network


def _next_step(
    network: Network, positive: frozenset[int], effort: Effort, only_drops: bool
) -> Step | None:
    for l in range(len(network.layers) - 1):
        effort.spend()
        step = _step_in(network, l, positive, only_drops)
        if step is not None:
            return step
    return None


def _step_in(network: Network, l: int, positive: frozenset[int], only_drops: bool) -> Step | None:
    """A step that makes hidden layer l smaller, if there is one."""
    rows = network.layers[l].affine.flint_rows()
    columns = list(zip(*network.layers[l + 1].affine.flint_rows(), strict=True))
    linear = [i for i, row in enumerate(rows) if has_sign(row, 1, l, positive)]
    dead = [
        i for i, row in enumerate(rows) if has_sign(row, -1, l, positive) or not any(columns[i])
    ]
    if only_drops:
        return Drop(l, dead[0]) if dead and len(rows) > 1 else None
    if len({*linear, *dead}) == len(rows):
        return Compose(l)
    if dead:
        return Drop(l, dead[0])
    return duplicate(l, rows) or _refactor(network, l, linear)


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


def candidates(network: Network, points: Iterable[Vector]) -> list[Unit]:
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
    place: Domain,
    neurons: Iterable[Unit],
    effort: Effort = UNLIMITED,
) -> tuple[Network, tuple[NeverActive, ...]]:
    """The network without those of these neurons, in order, that are proved to be dead.

    The last neuron of a layer stays.
    """
    found = list(_dead_steps(network, place, neurons, effort))
    return found[-1][1] if found else network, tuple(step for step, _ in found)


def _dead_steps(
    network: Network, place: Domain, neurons: Iterable[Unit], effort: Effort
) -> Iterator[tuple[NeverActive, Network]]:
    """The steps that drop them, each with the network after it."""
    gone = [0] * len(network.hidden_widths)
    for l, i in neurons:
        now = i - gone[l]
        tree = never_active(network, place.inside, (l, now), effort)
        if network.hidden_widths[l] == 1 or tree is None:
            continue
        step = NeverActive(l, now, tree)
        network = rewritten(network, step, frozenset())
        gone[l] += 1
        effort.spend("steps")
        yield step, network
