"""The questions that ``certify`` asks of every network, and how they are asked.

Each entry takes a network and an effort, and yields verdicts with a short name of what was asked.
To add a question, write it as a function from values to :class:`Verdict` and list it in
``CATALOGUE``.

Where there is a bound on time or memory they are asked in a second process.  It has the same
bounds, so that a question which is stopped says what is known; and it is ended where a question
does not stop.  What it had answered until then stays.  The answers are the same with and without
it.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Unpack

from exactrelu.certificates.certificate import Verdict
from exactrelu.certificates.evidence import rank_claim, value_claim
from exactrelu.digits import at_least, at_most
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.errors import ExactReluError, NotPlain
from exactrelu.exact.linear import rank_proof
from exactrelu.exact.scalar import ONE, ZERO
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network, plain, trace_batch, widths_text
from exactrelu.questions.activity import is_transparent
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.equivalence.canonical_forms import canonical
from exactrelu.questions.equivalence.simplify import simplify
from exactrelu.questions.faces import (
    cancellation_free_verdict,
    honest_verdict,
    supertransversal_verdict,
    zero_optimum_verdict,
)
from exactrelu.questions.fibers.shallow import shallow_fiber
from exactrelu.questions.fibers.three_layers import three_layer_fiber
from exactrelu.questions.folds.folds import folds
from exactrelu.questions.genericity.masked_products import stages
from exactrelu.questions.genericity.proportional import n_units
from exactrelu.questions.genericity.senses import is_generic
from exactrelu.questions.identifiability.identifiable import identifiable
from exactrelu.questions.injectivity.network import is_injective
from exactrelu.questions.linear import nonnegative_column_rank, require_elimination
from exactrelu.questions.regions import regions
from exactrelu.questions.singular_values import sigma_min_bounds
from exactrelu.worker import attach

#: Beyond these a network's regions are not counted by ``certify``: it would take long.
MAX_HIDDEN_NEURONS = 32
MAX_REGIONS = 2_000
#: Beyond this many regions their images are not compared in pairs.
MAX_PAIRED_REGIONS = 30
#: Beyond this many faces the questions that rest on all of them are not asked.
MAX_FACES = 600
#: Beyond this many minors or affine functions genericity is not asked.
MAX_MASKS = 20_000
#: Beyond this many parameters the canonical form is not written.
MAX_PARAMETERS = 100_000
#: Beyond this many hidden neurons the orientations of a fiber are not listed.
MAX_FIBER_NEURONS = 6

#: The share of the time that is left for a question, at least, if nothing is said.
SHARE = 0.2
#: Seconds that a question has to stop by itself before its process is ended.
GRACE = 0.5

#: The second process.
PROGRAM = (sys.executable, "-m", "exactrelu.questions.catalogue")

Question = Callable[[Network, Effort], Iterator[tuple[str, Verdict]]]


def values(network: Network, effort: Effort) -> Iterator[tuple[str, Verdict]]:
    """The values at 0 and at (1, …, 1)."""
    n = network.n_inputs
    for name, evaluation in zip(
        ("value-at-0", "value-at-1"), trace_batch(network, [(ZERO,) * n, (ONE,) * n]), strict=True
    ):
        certificate = value_claim(network, evaluation)
        yield name, Verdict(True, "evaluated exactly", evaluation.flint_output, certificate)


def ranks(network: Network, effort: Effort) -> Iterator[tuple[str, Verdict]]:
    """The rank of every weight matrix."""
    for l, layer in enumerate(network.layers, 1):
        r = min(layer.weights.shape)
        require_elimination(layer.weights, r * (layer.n_inputs - r), effort)
        proof = rank_proof(layer.weights)
        certificate = rank_claim(layer.weights, proof)
        yield f"rank-W{l}", Verdict(True, f"rank {proof.rank}", proof.rank, certificate)


def nonnegative_ranks(network: Network, effort: Effort) -> Iterator[tuple[str, Verdict]]:
    """The nonnegative column rank of every weight matrix."""
    for l, layer in enumerate(network.layers, 1):
        found = nonnegative_column_rank(layer.weights, effort=effort)
        reason = f"nonnegative column rank {found.value}"
        yield f"nnrank-W{l}", Verdict(True, reason, found.value, found.certificate)


def singular_values(network: Network, effort: Effort) -> Iterator[tuple[str, Verdict]]:
    """Bounds of the least singular value of every weight matrix."""
    for l, layer in enumerate(network.layers, 1):
        bounds = sigma_min_bounds(layer.weights, effort=effort)
        if bounds.lower_certificate is not None:
            reason = f"σ_min ≥ {at_least(bounds.lower)}"
            verdict = Verdict(True, reason, bounds.lower, bounds.lower_certificate)
            yield f"sigma-lower-W{l}", verdict
        reason = f"σ_min ≤ {at_most(bounds.upper)}"
        yield f"sigma-upper-W{l}", Verdict(True, reason, bounds.upper, bounds.upper_certificate)


def activation_regions(network: Network, effort: Effort) -> Iterator[tuple[str, Verdict]]:
    """The number of activation regions on all of space, for networks of moderate size."""
    if network.n_hidden_neurons > MAX_HIDDEN_NEURONS:
        return
    found = regions(network, effort=effort.part(regions=MAX_REGIONS))
    if found.is_complete:
        reason = f"{found.n_regions} activation regions"
        yield "regions", Verdict(True, reason, found.n_regions, found.certificate)
    else:
        try:
            effort.spend()
        except Stopped as stopped:
            so_far = f"at least {found.n_regions_at_least} activation regions"
            yield "regions", Verdict.undecided(stopped, so_far)
        else:
            yield "regions", Verdict(None, f"more than {MAX_REGIONS} activation regions")


def faces(network: Network, effort: Effort) -> Iterator[tuple[str, Verdict]]:
    """The canonical complex on all of space, and what rests on all of its faces."""
    if network.n_hidden_neurons > MAX_HIDDEN_NEURONS:
        return
    found = polyhedral_complex(network, effort=effort.part(faces=MAX_FACES))
    if not found.is_complete:
        effort.spend()
        return
    f_vector = ", ".join(map(str, found.f_vector_at_least))
    yield "complex", Verdict(True, f"f-vector ({f_vector})", found.f_vector, found.certificate)
    plain(network, "supertransversality, honesty or freedom from cancellation")
    yield "supertransversal", supertransversal_verdict(found)
    yield "honest", honest_verdict(found)
    yield "cancellation-free", cancellation_free_verdict(found)
    yield "no-zero-optimum", zero_optimum_verdict(found)


def fold_set(network: Network, effort: Effort) -> Iterator[tuple[str, Verdict]]:
    """The fold-set on all of space, for networks of moderate size."""
    if network.n_hidden_neurons > MAX_HIDDEN_NEURONS:
        return
    found = folds(network, effort=effort.part(faces=MAX_FACES))
    if found.is_complete:
        reason = f"{len(found.facets)} facets in {len(found.hyperplanes)} hyperplanes"
        yield "folds", Verdict(True, reason, found, found.certificate)
    else:
        effort.spend()


def genericity(network: Network, effort: Effort) -> Iterator[tuple[str, Verdict]]:
    """Masked ranks and proportional affine functions, where there are not too many."""
    if sum(stage.n_masks for stage in stages(network.widths)) <= MAX_MASKS:
        yield "masked-rank", is_generic(network, sense="masked-rank", effort=effort)
    if n_units(network.widths) <= MAX_MASKS:
        yield "non-proportional", is_generic(network, sense="non-proportional", effort=effort)


def transparency(network: Network, effort: Effort) -> Iterator[tuple[str, Verdict]]:
    """Whether every layer has an active unit everywhere, for networks of moderate size."""
    if network.n_hidden_neurons <= MAX_HIDDEN_NEURONS:
        yield "transparent", is_transparent(network, effort=effort.part(regions=MAX_REGIONS))


def symmetries(network: Network, effort: Effort) -> Iterator[tuple[str, Verdict]]:
    """The canonical network, isomorphic to this one."""
    if network.n_parameters > MAX_PARAMETERS:
        return
    try:
        found = canonical(network, effort=effort)
    except Stopped as stopped:
        yield "canonical", Verdict.undecided(stopped)
    else:
        reason = "isomorphic to its canonical form"
        yield "canonical", Verdict(True, reason, found.symmetry, found.certificate)


def fibers(network: Network, effort: Effort) -> Iterator[tuple[str, Verdict]]:
    """The components of the fiber on R^n, and for one hidden layer on the orthant too."""
    if len(network.layers) not in (2, 3) or network.n_hidden_neurons > MAX_FIBER_NEURONS:
        return
    if len(network.layers) == 3:
        deep = three_layer_fiber(network, effort=effort)
        if deep.certificate is not None:
            # Why a theorem does not apply is no part of this certificate.
            part = f"components with members: {len(deep.nonempty)}, perhaps not all"
            reason = deep.reason if deep.is_complete else part
            yield "fiber", Verdict(True, reason, deep, deep.certificate)
        return
    orthant = LinearSystem.orthant(network.n_inputs)
    for name, domain in (("fiber", None), ("fiber-on-orthant", orthant)):
        found = shallow_fiber(network, domain, effort=effort)
        if found.certificate is not None:
            reason = f"{len(found.nonempty)} of {len(found.components)} orientations have members"
            yield name, Verdict(True, reason, found, found.certificate)
        if found.minimality.answer is not None:
            yield name.replace("fiber", "minimal"), found.minimality


def smaller_network(network: Network, effort: Effort) -> Iterator[tuple[str, Verdict]]:
    """A smaller network with the same function, where there is one."""
    found = simplify(network, effort=effort)
    if found.steps:
        reason = f"the same function with widths {widths_text(found.network)}"
        yield "simplify", Verdict(True, reason, found.network, found.certificate)


def identifiability(network: Network, effort: Effort) -> Iterator[tuple[str, Verdict]]:
    """Whether the function determines the network; if undecided, the functional dimension."""
    small = sum(stage.n_masks for stage in stages(network.widths)) <= MAX_MASKS
    if not small or network.n_hidden_neurons > MAX_HIDDEN_NEURONS:
        return
    part = effort.part(masks=MAX_MASKS, regions=MAX_REGIONS)
    verdict = identifiable(network, effort=part)
    if verdict.answer is not None:
        yield "identifiable", verdict
    elif verdict.certificate is not None:
        value = verdict.witness.dimension.value
        reason = f"functional dimension at least {value}"
        yield "functional-dimension", Verdict(True, reason, value, verdict.certificate)


def injectivity(network: Network, effort: Effort) -> Iterator[tuple[str, Verdict]]:
    """Whether each layer is injective: the first on all of space, the others on the orthant.

    And whether the whole network is, where there are not too many pairs of regions.
    """
    layers = network.layers if network.is_plain else ()
    for l, layer in enumerate(layers, 1):
        if max(layer.weights.shape) <= MAX_HIDDEN_NEURONS:
            domain = None if l == 1 else LinearSystem.orthant(layer.n_inputs)
            part = effort.part(regions=MAX_REGIONS)
            verdict = is_injective(network, domain, layer=l, effort=part)
            yield f"injective-layer-{l}", verdict
    if network.n_hidden_neurons <= MAX_HIDDEN_NEURONS:
        yield "injective", is_injective(network, effort=effort.part(regions=MAX_PAIRED_REGIONS))
    plain(network, "injectivity of a single layer")


CATALOGUE: tuple[Question, ...] = (
    values,
    ranks,
    nonnegative_ranks,
    singular_values,
    activation_regions,
    faces,
    fold_set,
    genericity,
    transparency,
    symmetries,
    smaller_network,
    fibers,
    identifiability,
    injectivity,
)


# --- Asking them


@dataclass(frozen=True)
class Asked:
    """A question by its short name, the word of the verdict, its reason, its certificate.

    The word is "not asked" where the time was over before, and "left out" where the question is
    about layers of ReLUs and the network has linear units.
    """

    question: str
    verdict: str
    reason: str
    certificate: bytes | None


@dataclass(frozen=True)
class _Number:
    """A question by its number, and the bounds that it has in the second process."""

    number: int
    seconds: float | None
    memory: int | None


def ask_all(
    network: Network, *, seconds_each: float | None = None, **limits: Unpack[Limits]
) -> Iterator[Asked]:
    """What ``certify`` asks about a network; with at most ``seconds_each`` for each entry.

    A question that takes too long does not keep the next ones from being asked: of the whole time,
    if there is an end to it, each has a part.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> next(ask_all(xor)).reason
    'evaluated exactly'
    """
    effort = Effort.of(limits)
    number = 0
    try:
        if seconds_each is None and effort.seconds_left() is None:
            for number in range(len(CATALOGUE)):
                effort.spend("questions")
                yield from _ask(network, number, effort)
            return
        while number < len(CATALOGUE):
            effort.spend()
            with _second_process(network, effort) as answers:
                # One that was ended is followed by a new one, at the next question.
                while number < len(CATALOGUE) and answers.is_alive:
                    effort.spend("questions")
                    seconds = _seconds(effort, seconds_each, len(CATALOGUE) - number)
                    number += 1
                    yield from _answered(answers, _Number(number - 1, seconds, effort.memory))
    except Stopped as stopped:
        for late in range(number, len(CATALOGUE)):
            yield Asked(question_name(late), "not asked", str(stopped), None)


def _seconds(effort: Effort, seconds_each: float | None, n_left: int) -> float | None:
    """The seconds for one of so many questions."""
    left = effort.seconds_left()
    if left is None or (seconds_each is not None and seconds_each <= left):
        return seconds_each
    # Two digits are enough, and are what is said if it is over.
    share = max(SHARE, 1 / n_left) if seconds_each is None else 1.0
    return float(f"{share * left:.2g}")


def _ask(network: Network, number: int, effort: Effort = UNLIMITED) -> Iterator[Asked]:
    try:
        effort.spend()
        for question, verdict in CATALOGUE[number](network, effort):
            certificate = verdict.certificate
            content = None if certificate is None else certificate.to_bytes()
            yield Asked(question, verdict.word, verdict.reason, content)
    except Stopped as stopped:
        yield Asked(question_name(number), "undecided", str(stopped), None)
    except NotPlain as refused:
        yield Asked(question_name(number), "left out", str(refused), None)
    except MemoryError:
        yield Asked(question_name(number), "undecided", "stopped: memory was over", None)


class _Answers:
    """The second process: questions by number in, answers out, None after the last of each."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdin is None or process.stdout is None:
            raise OSError("the second process has no pipes")
        self.questions: IO[bytes] = process.stdin
        self.is_alive = True
        self.queue: SimpleQueue[Asked | BaseException | str | None] = SimpleQueue()
        Thread(target=self._read, args=(process.stdout,), daemon=True).start()

    def _read(self, pipe: IO[bytes]) -> None:
        try:
            while True:
                self.queue.put(pickle.load(pipe))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError) as ended:
            self.queue.put(ended)

    def send(self, value: Network | _Number) -> None:
        """The network, then numbers of questions; where the process has ended, its end is read."""
        with suppress(BrokenPipeError):
            pickle.dump(value, self.questions)
            self.questions.flush()


@contextmanager
def _second_process(network: Network, effort: Effort) -> Iterator[_Answers]:
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        answers = _Answers(process)
        try:
            answers.send(network)
            # What it takes to start is not on the time of a question.
            try:
                ready = answers.queue.get(timeout=effort.seconds_left())
            except Empty:
                effort.spend()
                raise Stopped("stopped before the first question") from None
            if isinstance(ready, BaseException):
                raise ExactReluError("the process that answers questions did not start")
            yield answers
        finally:
            process.kill()
            with suppress(BrokenPipeError):
                answers.questions.close()


def _answered(answers: _Answers, asked: _Number) -> Iterator[Asked]:
    """The answers to one question; a process that does not give them in time is ended after it."""
    effort = Effort(seconds=asked.seconds)
    answers.send(asked)
    while True:
        left = effort.seconds_left()
        reason = ""
        try:
            answer = answers.queue.get(timeout=None if left is None else left + GRACE)
        except Empty:
            reason = f"stopped after {asked.seconds:g} s"
        else:
            if isinstance(answer, BaseException):
                reason = "its process ended"
        if reason:
            yield Asked(question_name(asked.number), "undecided", reason, None)
            answers.is_alive = False
            return
        if not isinstance(answer, Asked):
            return
        yield answer


def question_name(number: int) -> str:
    """The name of an entry of the catalogue."""
    return CATALOGUE[number].__name__.replace("_", "-")


def _serve() -> None:
    """The second process: a network, then numbers of questions, until the pipe ends."""
    attach()
    network = pickle.load(sys.stdin.buffer)
    out = sys.stdout.buffer
    pickle.dump("ready", out)
    out.flush()
    while True:
        try:
            asked: _Number = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        if asked.memory is not None:
            _bound_memory(asked.memory)
        effort = Effort(seconds=asked.seconds, memory=asked.memory)
        for answer in _ask(network, asked.number, effort):
            pickle.dump(answer, out)
            out.flush()
        pickle.dump(None, out)
        out.flush()


def _bound_memory(n_bytes: int) -> None:
    """Beyond that nothing is allocated any more, whoever asks for it."""
    import resource

    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (n_bytes, most))


if __name__ == "__main__":
    # Not as a part of __main__: the classes of what is sent have their own module.
    from exactrelu.questions import catalogue as asking

    asking._serve()
