"""The search for a counterexample: exhaustive, then random, then guided; what is found is shrunk.

1. The levels of the family, in growing size: all instances of each.  Exponential in the number
   of parameters, which is what the widths of a level bound.
2. Random instances, with a bias to the edges.
3. Guided: instances for which the hypotheses hold are altered a little, towards the borders of
   the hypotheses, and those for which they still hold are altered again.

Phases 2 and 3 take turns at random.

Shrinking makes a counterexample as small as it gets, step by step.  A step leaves out an input, an
output or a hidden neuron of the networks, or a row or column of a matrix, or makes one number
simpler: 0, 1, −1, nearer to 0, without its denominator.  It counts if what is left is still a
counterexample and smaller.  The end is smallest for single steps.

A user's own statement, to be searched in the same way, is a Python file with two functions:

    \"\"\"The sum of two injective networks is injective.\"\"\"
    import exactrelu as er

    def hypotheses(N):              # one parameter for each network, with its name
        yield er.is_injective(N)    # a verdict, or a bool

    def conclusion(N):
        return er.is_injective(halved(N))

Optional: ``WIDTHS``, a list of architectures, smallest first (default: ``DEFAULT_WIDTHS``);
``ENTRIES``, the weights of the exhaustive levels (default −1, 0, 1); ``random_instance(rng)``,
which returns the networks as a tuple; a polyhedron can be among them, and an instance is outside
the hypotheses if it has no point.  The file is a program of the user's: it is run.
"""

from __future__ import annotations

import inspect
import runpy
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, product
from pathlib import Path
from random import Random
from typing import Any, Unpack

from flint import fmpq

from exactrelu.certificates.certificate import Verdict
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import InputError, ProgramError, ShapeError, Unanswered
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.text import canonical_json
from exactrelu.files import require_file, stem
from exactrelu.lemmas.examine import Counterexample, Finding, examine
from exactrelu.lemmas.families import UNITS, altered, bound, random_network, small_networks
from exactrelu.lemmas.statement import (
    Fact,
    Family,
    Instance,
    Level,
    Statement,
    instance_object,
)
from exactrelu.network.network import Layer, Network

#: How long to search, in seconds, where nothing else is said.
SECONDS = 60.0
#: The share of the time that the exhaustive phase may take.
EXHAUSTIVE_SHARE = 0.6
#: How many of the instances drawn after it are alterations of others.
GUIDED_SHARE = 0.5
#: How many instances within the hypotheses the guided phase keeps to alter.
POOL = 50


@dataclass
class Tally:
    """How many instances were examined, and for how many of them the hypotheses held."""

    examined: int = 0
    within: int = 0
    undecided: int = 0

    def count(self, finding: Finding | Counterexample) -> None:
        """Count one more instance."""
        self.examined += 1
        self.within += finding not in (Finding.OUTSIDE, Finding.UNDECIDED)
        self.undecided += finding is Finding.UNDECIDED


@dataclass(frozen=True)
class Completed:
    """A level all of whose instances were examined, without a counterexample."""

    bound: str
    examined: int
    within: int
    undecided: int


@dataclass(frozen=True)
class Search:
    """What a search found, or how far it got without finding anything."""

    statement: Statement
    counterexample: Counterexample | None
    phase: str
    completed: tuple[Completed, ...] = ()
    tally: Tally = field(default_factory=Tally)
    #: Why the search ended before its time, if it did.
    stopped: str = ""

    @property
    def status(self) -> str:
        """``refuted``, ``holds-to-bound`` (some level was completed) or ``open``."""
        if self.counterexample is not None:
            return "refuted"
        settled = any(level.within and not level.undecided for level in self.completed)
        return "holds-to-bound" if settled else "open"

    def _plain(self) -> dict[str, Any]:
        """What JSON has of it; statements are functions."""
        found = self.counterexample
        instance = None if found is None else instance_object(found.instance)
        known = {"statement": self.statement.id, "status": self.status, "phase": self.phase}
        return {**known, "examined": self.tally.examined, "counterexample": instance}


def _itself(found: Search) -> Search:
    return found


def search(
    statement: Statement,
    *,
    seconds: float | None = SECONDS,
    seed: int = 0,
    max_instances: int | None = None,
    told: Callable[[Search], object] = _itself,
    **limits: Unpack[Limits],
) -> Search:
    """Look for a counterexample for so many seconds; without an end, through the levels only.

    ``told``: what whoever asks makes of it, should the work be ended from outside.
    """
    effort = Effort.of(limits)
    run = _Run(statement, effort.part(seconds=seconds, instances=max_instances))
    has_end = run.effort.seconds_left() is not None or max_instances is not None
    found: tuple[Counterexample, str] | None = None
    stopped = ""
    try:
        with effort.knowing(lambda stopped: told(run.without(str(stopped)))):
            found = run.exhaustive()
            if found is None and has_end:
                found = run.random(Random(seed))
    except Stopped:
        # That its own time is over is how a search ends.
        try:
            effort.spend()
        except Stopped as over:
            stopped = str(over)
    if found is None:
        return run.without(stopped)
    smallest = shrink(found[0], run.effort)
    return Search(statement, smallest, found[1], tuple(run.completed), run.tally)


class _Run:
    """One search: how far it has come.  Its phases end with a counterexample and its origin."""

    def __init__(self, statement: Statement, effort: Effort) -> None:
        self.statement = statement
        self.effort = effort
        self.tally = Tally()
        self.completed: list[Completed] = []

    def exhaustive(self) -> tuple[Counterexample, str] | None:
        """All instances of the levels, in a share of the time."""
        share = self.effort.part(share=EXHAUSTIVE_SHARE)
        for level in self.statement.family.levels:
            tally = Tally()
            try:
                for instance in level.candidates():
                    if instance is None:
                        share.spend()
                        continue
                    finding = self._examined(instance, share)
                    tally.count(finding)
                    if isinstance(finding, Counterexample):
                        return finding, level.bound
            except Stopped:
                self.effort.spend()
                return None
            self.completed.append(
                Completed(level.bound, tally.examined, tally.within, tally.undecided)
            )
        return None

    def random(self, rng: Random) -> tuple[Counterexample, str] | None:
        """Random instances, and alterations of those within the hypotheses, until the end."""
        within: list[Instance] = []
        while True:
            guided = bool(within) and rng.random() < GUIDED_SHARE
            instance = (
                _tightened(self.statement, rng, rng.choice(within))
                if guided
                else self.statement.family.random(rng)
            )
            finding = self._examined(instance, self.effort)
            if isinstance(finding, Counterexample):
                return finding, "guided" if guided else "random"
            if finding is Finding.HOLDS:
                within = [*within[-POOL + 1 :], instance]

    def without(self, stopped: str) -> Search:
        """What there is to say without a counterexample."""
        return Search(self.statement, None, "", tuple(self.completed), self.tally, stopped)

    def _examined(self, instance: Instance, effort: Effort) -> Finding | Counterexample:
        effort.spend("instances")
        finding = examine(self.statement, instance)
        self.tally.count(finding)
        return finding


def _tightened(statement: Statement, rng: Random, instance: Instance) -> Instance:
    """An instance near another one, nearer to the borders of the hypotheses."""
    return statement.family.tighten(rng, instance) or altered(rng, instance)


def shrink(found: Counterexample, effort: Effort) -> Counterexample:
    """The counterexample after all steps that can be afforded."""
    best = found
    improved = True
    while improved:
        improved = False
        for candidate in _smaller(best):
            try:
                effort.spend()
            except Stopped:
                return best
            if candidate.size() >= best.instance.size():
                continue
            try:
                result = examine(best.statement, candidate)
            except (ShapeError, ProgramError):
                # An input less of a network, and a point that has it, or a program that expects it.
                continue
            if isinstance(result, Counterexample):
                best, improved = result, True
                break
    return best


def _smaller(found: Counterexample) -> Iterator[Instance]:
    instance = found.instance
    return chain(
        found.statement.family.reductions(instance),
        _narrower_together(instance),
        _narrower_alone(instance),
        _simpler_numbers(instance),
    )


def _narrower_together(instance: Instance) -> Iterator[Instance]:
    """One input or one output less of all networks, where they have the same number."""
    networks = instance.networks()
    for position in (0, -1):
        numbers = {network.widths[position] for network in networks.values()}
        for i in range(numbers.pop() if len(numbers) == 1 else 0):
            cut = {name: _without(network, position, i) for name, network in networks.items()}
            left = {name: network for name, network in cut.items() if network is not None}
            if len(left) == len(cut):
                yield Instance({**instance.values, **left})


def _narrower_alone(instance: Instance) -> Iterator[Instance]:
    """One hidden neuron, one input or one output less of one network."""
    for name, network in instance.networks().items():
        for position, n in enumerate(network.widths):
            for i in range(n):
                cut = _without(network, position, i)
                if cut is not None:
                    yield instance.replaced(name, cut)


def _without(network: Network, position: int, i: int) -> Network | None:
    """The network without coordinate i of the space between two layers; None if it is the last."""
    n = network.widths[position]
    if n == 1:
        return None
    position %= len(network.widths)
    affine = [layer.affine for layer in network.layers]
    if position > 0:
        rows = [j for j in range(n) if j != i]
        affine[position - 1] = affine[position - 1].take(rows=rows)
    if position < len(affine):
        columns = [j for j in range(n + 1) if j != i]
        affine[position] = affine[position].take(columns=columns)
    return Network(tuple(map(Layer, affine)))


def _simpler_numbers(instance: Instance) -> Iterator[Instance]:
    """One number simpler in one object."""
    for name, value in instance.values.items():
        if isinstance(value, Network):
            for l, layer in enumerate(value.layers):
                for affine in _simpler_matrices(layer.affine):
                    layers = (*value.layers[:l], Layer(affine), *value.layers[l + 1 :])
                    yield instance.replaced(name, Network(layers))
        elif isinstance(value, Matrix):
            yield from (instance.replaced(name, A) for A in _simpler_matrices(value))
        elif isinstance(value, tuple):
            yield from (
                instance.replaced(name, A.row(0)) for A in _simpler_matrices(Matrix([value]))
            )
        elif isinstance(value, fmpq):
            yield from (instance.replaced(name, number) for number in _simpler(value))


def _simpler_matrices(A: Matrix) -> Iterator[Matrix]:
    entries = A.entries()
    for k, entry in enumerate(entries):
        for number in _simpler(entry):
            yield Matrix.from_entries(*A.shape, [*entries[:k], number, *entries[k + 1 :]])


def _simpler(number: fmpq) -> Iterator[fmpq]:
    """0, ±1, the integers around it, and half of it."""
    candidates = (0, 1, -1, number.floor(), number.ceil(), (number / 2).floor(), -number)
    for candidate in candidates:
        if candidate != number:
            yield fmpq(candidate)


#: The architectures of a conjecture that names none.
DEFAULT_WIDTHS = ((1, 1, 1), (1, 2, 1), (2, 1, 1), (1, 1, 1, 1), (2, 2, 1), (1, 3, 1), (1, 2, 2, 1))


def load_conjecture(path: str) -> Statement:
    """The statement in a file."""
    require_file(path)
    with _program(path):
        names = runpy.run_path(path)
    return own_statement(names, path)


def own_statement(names: Mapping[str, Any], path: str) -> Statement:
    """The statement of two functions, by the names that they have in a file."""
    hypotheses, conclusion = (_function(names, path, name) for name in ("hypotheses", "conclusion"))
    parameters = tuple(inspect.signature(hypotheses).parameters)
    if not parameters or parameters != tuple(inspect.signature(conclusion).parameters):
        raise InputError(
            f"{path}: hypotheses({', '.join(parameters)}) and conclusion must take the same "
            "networks, at least one"
        )
    text = inspect.cleandoc(names.get("__doc__") or stem(path)).split("\n\n")[0].replace("\n", " ")
    return Statement(
        stem(path),
        Path(path).name,
        text,
        lambda instance: _facts(hypotheses, instance, path),
        lambda instance: _conclusion(conclusion, instance, path),
        _family(names, parameters, path),
        may_be_flat=True,
    )


def _function(names: Mapping[str, Any], path: str, name: str) -> Callable[..., Any]:
    found = names.get(name)
    if not callable(found):
        raise InputError(f"{path}: no function {name}, expected hypotheses and conclusion")
    return found  # type: ignore[no-any-return]


@contextmanager
def _program(
    path: str, function: Callable[..., Any] | None = None, instance: Instance | None = None
) -> Iterator[None]:
    """Whatever a user's program raises is bad input, in a line of its file."""
    try:
        yield
    except (Unanswered, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        about = ""
        if instance is not None:
            objects = instance_object(instance).items()
            shown = (f"{name} = {canonical_json(*entry.values())}" for name, entry in objects)
            about = f"on the instance {', '.join(shown)}"
        what = " ".join(f"{type(error).__name__}: {error}".split())
        raise ProgramError(f"{_place(error, path, function)}: {what}", about) from error


def _place(error: BaseException, path: str, function: Callable[..., Any] | None) -> str:
    """The last line of the file that ran, or where the function that did not begins."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == path]
    if isinstance(error, SyntaxError) and error.filename == path:
        lines.append(error.lineno)
    if not lines and inspect.isfunction(function):
        lines.append(function.__code__.co_firstlineno)
    return f"{path}:{lines[-1]}" if lines else path


def _facts(hypotheses: Callable[..., Any], instance: Instance, path: str) -> Iterator[Fact]:
    """Verdicts that the function yields or returns, one or several."""
    given = _entries(hypotheses, instance, path)
    for number, entry in enumerate(given, 1):
        yield _fact(entry, f"hypothesis {number}", path)


def _entries(hypotheses: Callable[..., Any], instance: Instance, path: str) -> Iterator[Any]:
    with _program(path, hypotheses, instance):
        given = hypotheses(*instance.values.values())
        yield from [given] if isinstance(given, bool | Verdict | Fact) else given


def _conclusion(conclusion: Callable[..., Any], instance: Instance, path: str) -> Fact:
    with _program(path, conclusion, instance):
        given = conclusion(*instance.values.values())
    return _fact(given, "conclusion", path)


def _fact(given: Any, name: str, path: str) -> Fact:
    if isinstance(given, Fact):
        return given
    if isinstance(given, Verdict):
        return Fact(f"{name}: {given.reason}", given)
    if isinstance(given, bool):
        return Fact.plain(name, given)
    raise InputError(f"{path}: {name} is a {type(given).__name__}, expected a Verdict or a bool")


def _family(names: Mapping[str, Any], parameters: Sequence[str], path: str) -> Family:
    with _program(path):
        widths = [tuple(entry) for entry in names.get("WIDTHS", DEFAULT_WIDTHS)]
    if not widths or any(len(entry) < 2 or min(entry) < 1 for entry in widths):
        raise InputError(f"{path}: WIDTHS: expected architectures such as (2, 3, 1)")
    entries = tuple(names.get("ENTRIES", UNITS))

    def level(shape: tuple[int, ...]) -> Level:
        def instances() -> Iterator[Instance]:
            for chosen in product(small_networks(shape, entries), repeat=len(parameters)):
                yield Instance(dict(zip(parameters, chosen, strict=True)))

        return Level(bound(shape, entries), instances)

    def random_instance(rng: Random) -> Instance:
        if "random_instance" in names:
            with _program(path, own := names["random_instance"]):
                return Instance(dict(zip(parameters, own(rng), strict=True)))
        shape = rng.choice(widths)
        return Instance({name: random_network(rng, shape) for name in parameters})

    return Family(tuple(map(level, widths)), random_instance)
