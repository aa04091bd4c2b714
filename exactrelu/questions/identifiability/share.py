"""Which share of the networks of some widths is identifiable?  Random ones are asked, exactly.

Network number k = 1, 2, … of a seed has weights and biases that are drawn one by one, layer by
layer, row by row, the bias after the weights of its row, by the generator ``random.Random`` of
Python, seeded with the text ``"WIDTHS WEIGHTS SEED k"`` (for instance ``"2,3,2,1 normal 0 1"``):
``gauss(0, 1)`` or ``uniform(-1, 1)``, rounded to a multiple of 1/10000, which is then taken
exactly.  So a network does not depend on how many others there are, nor on who asks it.

Each is decided by :func:`~exactrelu.questions.identifiability.identifiable.identifiable`: yes, no,
or undecided.  Of n networks let y be identifiable and u be undecided or, when the time was over,
not asked; the number K of identifiable ones is between y and y + u.  The interval of Clopper and
Pearson for a share p, of which K in n were found, is

    {p : P(X ≥ K) > α/2 and P(X ≤ K) > α/2},   X ~ Bin(n, p), α = 1/20;

it contains the true share with a probability of at least 1 − α, whatever the share is.  Both of its
ends grow with K; the lower end of y and the upper end of y + u, rounded outward to multiples of
1/10000, therefore make an interval of which the same is true.  n is fixed before anything is asked,
so that it does not matter that hard networks take longer.

For three-layer bottlenecks the share is known: by the sign theorem it depends on the signs of
the second layer alone, which are independent and fair for either kind of weights (but for those
that are rounded to 0, or not generic).
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Unpack

from flint import arb, ctx, fmpq

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Found
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import InputError, require_word
from exactrelu.exact.rational import Outward
from exactrelu.files import make_folder
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.folds.construction import forecast
from exactrelu.questions.identifiability.identifiable import identifiable
from exactrelu.questions.identifiability.second import volume
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words
from exactrelu.work.crew import n_workers, shared

#: How weights are drawn.
WEIGHTS = ("normal", "uniform")
#: Weights, and the ends of intervals, are multiples of 1 over this.
GRID = 10_000
#: 2/α: each tail of a binomial distribution has at most the probability of 1 in so many.
TAILS = 40
#: Bits of the balls that contain probabilities.
PRECISION = 128
#: Of the even part of the time, how many times as much a network may have.
PATIENCE = 10

#: Yes, no or undecided.
Answer = bool | None


@dataclass(frozen=True, repr=False)
class Share(Outward, Found):
    """How many of some random networks are identifiable, and what follows for their share.

    Attributes
    ----------
    widths : tuple of int
        The widths of the networks.
    weights : str
        How they were drawn: ``"normal"`` or ``"uniform"``.
    seed, count : int
        The seed, and how many networks there are.
    answers : tuple of bool or None
        The answers about the networks 1, 2, …, as far as they were asked.
    lower, upper : rational
        With a probability of at least 95 % the share is between them.
    volume : rational or None
        The share itself, for three-layer bottlenecks on all of space.
    stopped : str or None
        Why the other networks were not asked.
    """

    PARTS = (
        Part("widths", "of `--share`: the widths"),
        Part("count", "how many networks there are"),
        Part("weights", "how they are drawn"),
        Part("seed", "from which seed"),
        Part("n_yes", "how many are identifiable"),
        Part("n_no", "how many are not"),
        Part("n_undecided", "how many are open"),
        Part("n_unasked", "how many were not asked"),
        Part("answers", "the answers one by one: true, false or null"),
        Part("lower", "the share is at least so large, with this confidence", unproved="the share"),
        Part("upper", "and at most so large"),
        Part("confidence", "the confidence"),
        Part("volume", "the share itself, where a theorem has it, or null"),
    )
    #: Of the interval.
    confidence: ClassVar[str] = "19/20"

    widths: tuple[int, ...]
    weights: str
    seed: int
    count: int
    answers: tuple[Answer, ...]
    lower: fmpq
    upper: fmpq
    volume: fmpq | None
    stopped: str | None = None

    @property
    def counts(self) -> str:
        """How many are what, in words."""
        said = f"{self.n_yes:,} identifiable, {self.n_no:,} not, {self.n_undecided:,} undecided"
        return f"{said}, {self.n_unasked:,} not asked" if self.n_unasked else said

    @property
    def interval(self) -> str:
        """Where the share lies, in words."""
        lower, upper = (f"{end:.4f}" for end in (self.lower, self.upper))
        return f"the share is between {lower} and {upper}, with a confidence of 95 %"

    def sentence(self, _words: Words = PEOPLE) -> str:
        """How many, and what follows for the share."""
        return self.stopped or f"{self.counts}; {self.interval}"

    @property
    def n_yes(self) -> int:
        """How many are identifiable."""
        return self.answers.count(True)

    @property
    def n_no(self) -> int:
        """How many are not."""
        return self.answers.count(False)

    @property
    def n_undecided(self) -> int:
        """How many were asked and are open."""
        return self.answers.count(None)

    @property
    def n_unasked(self) -> int:
        """How many were not asked, or not answered, when the time was over."""
        return self.count - len(self.answers)

    def network(self, number: int) -> Network:
        """The network of a number, from 1 to the count."""
        if not 1 <= number <= self.count:
            raise InputError(f"network {number}: expected a number from 1 to {self.count}")
        return drawn(self.widths, self.weights, self.seed, number)


@dataclass(frozen=True)
class _NetworkSample:
    """Which networks are asked, where, and what one of them may cost."""

    widths: tuple[int, ...]
    domain: Domain | None
    weights: str
    seed: int
    count: int
    seconds_each: float | None
    folder: Path | None

    def answer(self, number: int, effort: Effort) -> Answer:
        """The answer about one of them; its certificate is written if it is wanted."""
        network = drawn(self.widths, self.weights, self.seed, number)
        verdict = identifiable(network, self.domain, effort=effort)
        if self.folder is not None and verdict.certificate is not None:
            verdict.certificate.save(self.folder / file_name(number, verdict.word))
        return verdict.answer


def file_name(number: int, word: str) -> str:
    """The name of the certificate of an answer."""
    return f"{number}-{word}.cert.jsonl.gz"


@question
def share(
    call: Call[Share],
    widths: tuple[int, ...],
    domain: DomainLike = None,
    *,
    count: int = 100,
    weights: str = "normal",
    seed: int = 0,
    seconds_each: float | None = None,
    certificates: str | os.PathLike[str] | None = None,
    **limits: Unpack[Limits],
) -> Share:
    """The share of identifiable networks among random ones of some widths.

    Parameters
    ----------
    widths : tuple of int
        The widths, inputs first.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    count : int, optional
        How many networks are asked.
    weights : str, optional
        ``"normal"`` with mean 0 and variance 1, or ``"uniform"`` between −1 and 1.
    seed : int, optional
        The same seed gives the same result.
    seconds_each : float, optional
        What a network may take; then it is undecided.
    certificates : str or path, optional
        A folder, into which the certificate of each answer is written.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Share
        ``lower`` and ``upper``, the ``answers`` and their numbers ``n_yes``, ``n_no``,
        ``n_undecided``; the exact ``volume`` where it is known.

    Notes
    -----
    Undecided networks, and over a bound those that were not asked, count as not identifiable for
    ``lower`` and as identifiable for ``upper``. With a ``timeout`` no network has more than ten
    times its even part. ``jobs`` is the number of processes; bounds that begin with ``max_`` are
    for each network.

    Examples
    --------
    >>> import exactrelu as er
    >>> found = er.identifiability.share((2, 2, 1, 1), count=20)
    >>> found.n_yes, found.n_no, found.lower, found.upper, found.volume
    (12, 8, 721/2000, 8089/10000, 1/2)
    """
    sizes = tuple(widths)
    if len(sizes) < 3 or min(sizes) < 1:
        raise InputError(f"widths {','.join(map(str, sizes))}: expected n0,n1,…,nL with L >= 2")
    if count < 1:
        raise InputError(f"count: found {count}, expected a positive integer")
    require_word(weights, WEIGHTS, "weights")
    effort = call.effort
    forecast(sizes, effort)
    place = None if domain is None else call.place
    left = effort.seconds_left()
    if left is not None:
        fair = PATIENCE * left * n_workers(effort) / count
        seconds_each = fair if seconds_each is None else min(fair, seconds_each)
    folder = None if certificates is None else Path(certificates)
    if folder is not None:
        make_folder(folder)
    sample = _NetworkSample(sizes, place, weights, seed, count, seconds_each, folder)
    known = _volume(sample, effort)
    answers: list[Answer] = []

    def so_far(stopped: Stopped | None = None) -> Share:
        return _found(sample, tuple(answers), known, None if stopped is None else str(stopped))

    call.knows(so_far)
    effort.expect("networks", count)
    for answer in _answers(sample, effort):
        # Of a network that was being asked at the end nothing is known.
        effort.spend("networks")
        answers.append(answer)
    return so_far()


def _answers(sample: _NetworkSample, effort: Effort) -> Iterator[Answer]:
    """The answers in order, which are the same for any number of processes."""
    work = partial(_answer, sample, dict(effort.most))
    numbers = range(1, sample.count + 1)
    return shared(work, numbers, effort, describe=lambda number: f"network {number}", at_once=True)


def _answer(sample: _NetworkSample, most: dict[str, int], number: int, effort: Effort) -> Answer:
    """The answer about one network, wherever that is; its bounds are its own."""
    bounds: dict[str, Any] = {**most}
    return sample.answer(number, effort.apart(seconds=sample.seconds_each, **bounds))


def _volume(sample: _NetworkSample, effort: Effort) -> fmpq | None:
    """The share of parameters, where a theorem says it."""
    widths, place = sample.widths, sample.domain
    is_everywhere = place is None or place.is_everywhere
    if len(widths) == 4 and widths[1] <= widths[0] and is_everywhere:
        # Unless it is too long to be written.
        with suppress(Stopped):
            return fmpq(volume(widths, effort=effort).fraction)
    return None


def _found(
    sample: _NetworkSample, answers: tuple[Answer, ...], known: fmpq | None, stopped: str | None
) -> Share:
    n_no = answers.count(False)
    lower = fmpq(least(answers.count(True), sample.count), GRID)
    upper = 1 - fmpq(least(n_no, sample.count), GRID)
    return Share(
        sample.widths,
        sample.weights,
        sample.seed,
        sample.count,
        answers,
        lower,
        upper,
        known,
        stopped,
    )


def drawn(widths: tuple[int, ...], weights: str, seed: int, number: int) -> Network:
    """A random network, as the head of this file says.

    >>> drawn((1, 1, 1), "normal", 0, 1).layers[0].weights[0, 0]
    92/625
    """
    rng = random.Random(f"{','.join(map(str, widths))} {weights} {seed} {number}")

    def entry() -> fmpq:
        value = rng.gauss(0.0, 1.0) if weights == "normal" else rng.uniform(-1.0, 1.0)
        return fmpq(round(value * GRID), GRID)

    rows = [[[entry() for _ in range(n + 1)] for _ in range(m)] for n, m in pairwise(widths)]
    return Network.from_arrays(
        [[row[:-1] for row in layer] for layer in rows],
        [[row[-1] for row in layer] for layer in rows],
        name=f"{weights}-{seed}-{number}",
    )


# --- The interval of Clopper and Pearson


def least(n_found: int, count: int) -> int:
    """The lower end, in parts of ``GRID``: the largest m with P(X ≥ k) ≤ α/2 for p = m/GRID.

    Where the two are equal, which no ball can show, it is the m before.

    >>> least(0, 10), least(5, 10), least(10, 10)
    (0, 1870, 6915)
    """
    low, high = 0, GRID
    while n_found and high - low > 1:
        middle = (low + high) // 2
        if TAILS * tail(n_found, count, fmpq(middle, GRID)) <= 1:
            low = middle
        else:
            high = middle
    return low


def tail(n_found: int, count: int, share: fmpq) -> arb:
    """A ball around P(X ≥ k), X ~ Bin(n, p), k ≥ 1: the incomplete beta function I_p(k, n − k + 1).

    A ball is at most a number only if all that it contains is.

    >>> tail(1, 2, fmpq(1, 2)).contains(arb(fmpq(3, 4)))
    True
    """
    with ctx.workprec(PRECISION):
        return arb(share).beta_lower(n_found, count - n_found + 1, regularized=True)
