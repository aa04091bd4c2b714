"""The questions that ``certify`` asks of every network, and how they are asked.

Each entry takes a network and yields verdicts with a short name of what was asked.  To add a
question, write it as a function from values to :class:`Verdict` and list it in ``CATALOGUE``.

With a time limit they are asked in a second process, which is ended where an answer takes too
long; what it had answered until then stays.  The answers are the same with and without it.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import IO

from exactrelu.certificates.certificate import Verdict
from exactrelu.certificates.evidence import rank_claim, value_claim
from exactrelu.effort import Stopped
from exactrelu.errors import ExactReluError
from exactrelu.exact.linear import rank_proof
from exactrelu.exact.scalar import ONE, ZERO
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network, trace_batch
from exactrelu.questions.complex import (
    cancellation_free_verdict,
    honest_verdict,
    polyhedral_complex,
    supertransversal_verdict,
    zero_optimum_verdict,
)
from exactrelu.questions.equivalence.canonical_forms import canonical
from exactrelu.questions.equivalence.simplify import simplify
from exactrelu.questions.fibers.three_layers import fiber
from exactrelu.questions.folds.folds import folds
from exactrelu.questions.genericity.masked_products import stages
from exactrelu.questions.genericity.proportional import n_units
from exactrelu.questions.genericity.senses import is_generic
from exactrelu.questions.identifiability.identifiable import identifiable
from exactrelu.questions.injectivity.network import is_injective
from exactrelu.questions.linear import nonnegative_column_rank, sigma_min_bounds
from exactrelu.questions.regions import is_transparent, regions
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

#: The second process.
PROGRAM = (sys.executable, "-m", "exactrelu.questions.catalogue")

Question = Callable[[Network], Iterator[tuple[str, Verdict]]]


def values(network: Network) -> Iterator[tuple[str, Verdict]]:
    """The values at 0 and at (1, …, 1)."""
    n = network.n_inputs
    for name, evaluation in zip(
        ("value-at-0", "value-at-1"), trace_batch(network, [(ZERO,) * n, (ONE,) * n]), strict=True
    ):
        certificate = value_claim(network, evaluation)
        yield name, Verdict(True, "evaluated exactly", evaluation.output, certificate)


def ranks(network: Network) -> Iterator[tuple[str, Verdict]]:
    """The rank of every weight matrix."""
    for l, layer in enumerate(network.layers, 1):
        proof = rank_proof(layer.weights)
        certificate = rank_claim(layer.weights, proof)
        yield f"rank-W{l}", Verdict(True, f"rank {proof.rank}", proof.rank, certificate)


def nonnegative_ranks(network: Network) -> Iterator[tuple[str, Verdict]]:
    """The nonnegative column rank of every weight matrix."""
    for l, layer in enumerate(network.layers, 1):
        found = nonnegative_column_rank(layer.weights)
        reason = f"nonnegative column rank {found.value}"
        yield f"nnrank-W{l}", Verdict(True, reason, found.value, found.certificate)


def singular_values(network: Network) -> Iterator[tuple[str, Verdict]]:
    """Bounds of the least singular value of every weight matrix."""
    for l, layer in enumerate(network.layers, 1):
        bounds = sigma_min_bounds(layer.weights)
        if bounds.lower_certificate is not None:
            reason = f"σ_min ≥ {bounds.lower}"
            verdict = Verdict(True, reason, bounds.lower, bounds.lower_certificate)
            yield f"sigma-lower-W{l}", verdict
        reason = f"σ_min ≤ {bounds.upper}"
        yield f"sigma-upper-W{l}", Verdict(True, reason, bounds.upper, bounds.upper_certificate)


def activation_regions(network: Network) -> Iterator[tuple[str, Verdict]]:
    """The number of activation regions on all of space, for networks of moderate size."""
    if network.n_hidden_neurons > MAX_HIDDEN_NEURONS:
        return
    found = regions(network, max_regions=MAX_REGIONS)
    if found.is_complete:
        reason = f"{found.n_regions} activation regions"
        yield "regions", Verdict(True, reason, found.n_regions, found.certificate)
    else:
        yield "regions", Verdict(None, f"more than {MAX_REGIONS} activation regions")


def faces(network: Network) -> Iterator[tuple[str, Verdict]]:
    """The canonical complex on all of space, and what rests on all of its faces."""
    if network.n_hidden_neurons > MAX_HIDDEN_NEURONS:
        return
    found = polyhedral_complex(network, max_faces=MAX_FACES)
    if not found.is_complete:
        return
    f_vector = ", ".join(map(str, found.f_vector_at_least))
    yield "complex", Verdict(True, f"f-vector ({f_vector})", found.f_vector, found.certificate)
    yield "supertransversal", supertransversal_verdict(found)
    yield "honest", honest_verdict(found)
    yield "cancellation-free", cancellation_free_verdict(found)
    yield "no-zero-optimum", zero_optimum_verdict(found)


def fold_set(network: Network) -> Iterator[tuple[str, Verdict]]:
    """The fold-set on all of space, for networks of moderate size."""
    if network.n_hidden_neurons > MAX_HIDDEN_NEURONS:
        return
    found = folds(network, max_faces=MAX_FACES)
    if found.is_complete:
        reason = f"{len(found.facets)} facets in {len(found.hyperplanes)} hyperplanes"
        yield "folds", Verdict(True, reason, found, found.certificate)


def genericity(network: Network) -> Iterator[tuple[str, Verdict]]:
    """Masked ranks and proportional affine functions, where there are not too many."""
    if sum(stage.n_masks for stage in stages(network.widths)) <= MAX_MASKS:
        yield "masked-rank", is_generic(network, "masked-rank")
    if n_units(network.widths) <= MAX_MASKS:
        yield "non-proportional", is_generic(network, "non-proportional")


def transparency(network: Network) -> Iterator[tuple[str, Verdict]]:
    """Whether every layer has an active unit everywhere, for networks of moderate size."""
    if network.n_hidden_neurons <= MAX_HIDDEN_NEURONS:
        yield "transparent", is_transparent(network, max_regions=MAX_REGIONS)


def symmetries(network: Network) -> Iterator[tuple[str, Verdict]]:
    """The canonical network, isomorphic to this one."""
    if network.n_parameters > MAX_PARAMETERS:
        return
    try:
        found = canonical(network)
    except Stopped as limit:
        yield "canonical", Verdict(None, str(limit))
    else:
        reason = "isomorphic to its canonical form"
        yield "canonical", Verdict(True, reason, found.symmetry, found.certificate)


def fibers(network: Network) -> Iterator[tuple[str, Verdict]]:
    """The components of the fiber on R^n, and for one hidden layer on the orthant too."""
    if len(network.layers) not in (2, 3) or network.n_hidden_neurons > MAX_FIBER_NEURONS:
        return
    if len(network.layers) == 3:
        deep = fiber(network)
        if deep.certificate is not None:
            # Why a theorem does not apply is no part of this certificate.
            part = f"components with members: {len(deep.nonempty)}, perhaps not all"
            reason = deep.reason if deep.is_complete else part
            yield "fiber", Verdict(True, reason, deep, deep.certificate)
        return
    orthant = LinearSystem.orthant(network.n_inputs)
    for name, domain in (("fiber", None), ("fiber-on-orthant", orthant)):
        found = fiber(network, domain)
        if found.certificate is not None:
            reason = f"{len(found.nonempty)} of {len(found.components)} orientations have members"
            yield name, Verdict(True, reason, found, found.certificate)
        if found.minimality.answer is not None:
            yield name.replace("fiber", "minimal"), found.minimality


def smaller_network(network: Network) -> Iterator[tuple[str, Verdict]]:
    """A smaller network with the same function, where there is one."""
    found = simplify(network)
    if found.steps:
        widths = "-".join(map(str, found.network.widths))
        reason = f"the same function with widths {widths}"
        yield "simplify", Verdict(True, reason, found.network, found.certificate)


def identifiability(network: Network) -> Iterator[tuple[str, Verdict]]:
    """Whether the function determines the network; if undecided, the functional dimension."""
    small = sum(stage.n_masks for stage in stages(network.widths)) <= MAX_MASKS
    if not small or network.n_hidden_neurons > MAX_HIDDEN_NEURONS:
        return
    verdict = identifiable(network, max_masks=MAX_MASKS, max_regions=MAX_REGIONS)
    if verdict.answer is not None:
        yield "identifiable", verdict
    elif verdict.certificate is not None:
        value = verdict.witness.dimension.value
        reason = f"functional dimension at least {value}"
        yield "functional-dimension", Verdict(True, reason, value, verdict.certificate)


def injectivity(network: Network) -> Iterator[tuple[str, Verdict]]:
    """Whether each layer is injective: the first on all of space, the others on the orthant.

    And whether the whole network is, where there are not too many pairs of regions.
    """
    for l, layer in enumerate(network.layers, 1):
        if max(layer.weights.shape) <= MAX_HIDDEN_NEURONS:
            domain = None if l == 1 else LinearSystem.orthant(layer.n_inputs)
            verdict = is_injective(network, l, domain, max_regions=MAX_REGIONS)
            yield f"injective-layer-{l}", verdict
    if network.n_hidden_neurons <= MAX_HIDDEN_NEURONS:
        yield "injective", is_injective(network, max_regions=MAX_PAIRED_REGIONS)


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
    """A question by its short name, the word of the verdict, its reason, its certificate."""

    question: str
    verdict: str
    reason: str
    certificate: bytes | None


def ask_all(network: Network, timeout: float | None = None) -> Iterator[Asked]:
    """What ``certify`` asks about a network; with at most ``timeout`` seconds for each entry.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> next(ask_all(xor)).reason
    'evaluated exactly'
    """
    if timeout is None:
        for number in range(len(CATALOGUE)):
            yield from _ask(network, number)
        return
    number = 0
    while number < len(CATALOGUE):
        with _second_process(network) as answers:
            # One that was ended is followed by a new one, at the next question.
            number = yield from _until_late(answers, number, timeout)


def _ask(network: Network, number: int) -> Iterator[Asked]:
    for question, verdict in CATALOGUE[number](network):
        certificate = verdict.certificate
        content = None if certificate is None else certificate.to_bytes()
        yield Asked(question, verdict.word, verdict.reason, content)


class _Answers:
    """The second process: questions by number in, answers out, None after the last of each."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdin is None or process.stdout is None:
            raise OSError("the second process has no pipes")
        self.questions: IO[bytes] = process.stdin
        self.queue: SimpleQueue[Asked | BaseException | str | None] = SimpleQueue()
        Thread(target=self._read, args=(process.stdout,), daemon=True).start()

    def _read(self, pipe: IO[bytes]) -> None:
        try:
            while True:
                self.queue.put(pickle.load(pipe))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError) as ended:
            self.queue.put(ended)

    def send(self, value: Network | int) -> None:
        """The network, then numbers of questions; where the process has ended, its end is read."""
        with suppress(BrokenPipeError):
            pickle.dump(value, self.questions)
            self.questions.flush()


@contextmanager
def _second_process(network: Network) -> Iterator[_Answers]:
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        answers = _Answers(process)
        try:
            answers.send(network)
            # What it takes to start is on nobody's time.
            if isinstance(answers.queue.get(), BaseException):
                raise ExactReluError("the process that answers questions did not start")
            yield answers
        finally:
            process.kill()
            with suppress(BrokenPipeError):
                answers.questions.close()


def _until_late(answers: _Answers, first: int, timeout: float) -> Generator[Asked, None, int]:
    """Answers from one process; returns the number of the next question."""
    for number in range(first, len(CATALOGUE)):
        deadline = monotonic() + timeout
        answers.send(number)
        while True:
            try:
                answer = answers.queue.get(timeout=max(0.0, deadline - monotonic()))
            except Empty:
                reason = f"stopped after {timeout:g} s"
                yield Asked(_name(number), "undecided", reason, None)
                return number + 1
            if isinstance(answer, BaseException):
                yield Asked(_name(number), "undecided", "its process ended", None)
                return number + 1
            if not isinstance(answer, Asked):
                break
            yield answer
    return len(CATALOGUE)


def _name(number: int) -> str:
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
            number = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        for answer in _ask(network, number):
            pickle.dump(answer, out)
            out.flush()
        pickle.dump(None, out)
        out.flush()


if __name__ == "__main__":
    # Not as a part of __main__: the classes of what is sent have their own module.
    from exactrelu.questions import catalogue as asking

    asking._serve()
