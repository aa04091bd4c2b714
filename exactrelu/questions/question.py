"""What every question does before it begins and when it is stopped, done in one place.

    @question(plain="transparency")
    def is_transparent(
        call: Call[Transparency],
        network: Network,
        domain: DomainLike = None,
        **limits: Unpack[Limits],
    ) -> Transparency:
        network = call.plain(network)
        walk = _Walk(network, call.place, call.effort)
        call.knows(walk.so_far)
        return walk.result()

Callers see the signature without ``call``, and so do type checkers, ``help()`` and the manual.  The
body begins with a :class:`Call`: the keywords of the call as one *effort*, its domain as a *place*.
Nobody behind it makes either of them again.

*What is known.*  ``call.knows(so_far)`` says what is answered from now on if the work is stopped:
over a bound, by whoever waits, or from outside (:meth:`Effort.knowing`).  Before, the answer is the
``undecided`` of the class that the question returns; one that has none raises :class:`Stopped`.  Of
questions that ask others it is the first that answers for all of them.

*What is declared* is kept as :class:`Question` beside the function, for the table of public names
(:mod:`exactrelu.public.questions`), the manual and the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from inspect import Parameter, Signature, isclass
from types import UnionType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, get_args, overload

from exactrelu.bounded import declared, options_of, signature_of, taken
from exactrelu.cells.knowledge import Knowledge
from exactrelu.cells.portfolio import known_of_many
from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.network.network import Network, PlainNetwork, plain
from exactrelu.polyhedra.domain import Domain, DomainLike

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")
#: Whoever can tell one answer takes a call that wants this one or others.
Told = TypeVar("Told", contravariant=True)

#: A domain of so few coordinates is read whatever the time: the question has more to say.
SMALL_DIMENSION = 20


@dataclass(frozen=True, eq=False)
class Question:
    """What a question declares: its signature, its answers, and which networks it is about."""

    name: str
    module: str
    signature: Signature
    function: Callable[..., Any]
    #: What is defined for layers of ReLUs only, in words; empty where all networks are taken.
    is_about: str

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What is asked about, and options; bounds aside."""
        found = self.signature.parameters.values()
        return tuple(p for p in found if p.kind is not p.VAR_KEYWORD)

    @cached_property
    def place_of_domain(self) -> int:
        """Which of the parameters is the domain; their number if none is."""
        names = [p.name for p in self.parameters]
        return names.index("domain") if self.has_domain else len(names)

    @property
    def has_domain(self) -> bool:
        """Whether it is asked on a domain."""
        return "domain" in self.signature.parameters

    @cached_property
    def results(self) -> tuple[type, ...]:
        """The classes of its answers, that of the plain question first."""
        names = str(self.signature.return_annotation).split(" | ")
        found = (self.function.__globals__.get(name) for name in names)
        several = (get_args(one) if isinstance(one, UnionType) else (one,) for one in found)
        return tuple(cls for some in several for cls in some if isclass(cls))

    def gives(self, kind: type) -> bool:
        """Whether it is answered by one of a kind of results."""
        return any(issubclass(cls, kind) for cls in self.results)

    def undecided(self, stopped: Stopped) -> Any:
        """What is answered if nothing is known; None if no class of its answers can say that."""
        made = (getattr(cls, "undecided", None) for cls in self.results)
        return next((make(stopped) for make in made if make is not None), None)


class Call(Generic[Told]):
    """One call of a question: how much work may be done, where it is asked, what is known so far.

    Attributes
    ----------
    effort : Effort
        The bounds of the call.
    """

    __slots__ = ("_domain", "_place", "_question", "_so_far", "_subject", "effort")

    def __init__(
        self, question: Question, effort: Effort, subject: Any = None, domain: DomainLike = None
    ) -> None:
        self.effort = effort
        self._question, self._subject, self._domain = question, subject, domain
        self._place: Domain | None = None
        self._so_far: Callable[[Stopped], Told] | None = None

    @property
    def place(self) -> Domain:
        """The domain, in the space of the inputs of what is asked about."""
        if self._place is None:
            self._place = self.place_in(_dimension(self._subject))
        return self._place

    def place_in(self, dimension: int) -> Domain:
        """The same in a space that is not that of its inputs."""
        return place_in(dimension, self._domain, self.effort)

    def plain(self, network: Network) -> PlainNetwork:
        """A network that has to be one of layers of ReLUs."""
        return plain(network, self._question.is_about)

    @property
    def signs(self) -> Knowledge:
        """What bounds show of the signs of neurons there, of a network that is large."""
        return known_of_many(self._subject, self.place, self.effort)

    def knows(self, so_far: Callable[[Stopped], Told]) -> None:
        """From here on this is what is answered if the question is stopped."""
        self._so_far = so_far

    def so_far(self, stopped: Stopped) -> Any:
        """What is known, None if nothing can be said."""
        so_far = self._question.undecided if self._so_far is None else self._so_far
        return so_far(stopped)


def as_it_is(found: Answer) -> Answer:
    """How an answer is told that needs nothing more."""
    return found


def place_in(dimension: int, domain: DomainLike, effort: Effort) -> Domain:
    """A domain in a space; a small one is read whatever the time is."""
    if dimension <= SMALL_DIMENSION:
        effort = UNLIMITED if effort.memory is None else Effort(memory=effort.memory)
    return Domain.of(domain, dimension, effort)


def _dimension(subject: Any) -> int:
    """The number of inputs of what is asked about: a network, a matrix, widths."""
    if isinstance(subject, Network):
        return subject.n_inputs
    n_columns: int | None = getattr(subject, "n_columns", None)
    return subject[0] if n_columns is None else n_columns


_Body = Callable[Concatenate[Call[Answer], Asked], Answer]


@overload
def question(body: _Body[Answer, Asked], /) -> Callable[Asked, Answer]: ...


@overload
def question(*, plain: str) -> Callable[[_Body[Answer, Asked]], Callable[Asked, Answer]]: ...


def question(body: Any = None, /, *, plain: str = "") -> Any:
    """Make a question of a function of a call and of what is asked about."""
    return _made(body, plain) if body is not None else lambda body: _made(body, plain)


def _made(body: _Body[Answer, Asked], is_about: str) -> Callable[Asked, Answer]:
    signature = signature_of(body, n_hidden=1)
    own = options_of(signature)
    made = Question(body.__name__, body.__module__, signature, body, is_about)
    first = next(iter(signature.parameters))
    place = made.place_of_domain

    @wraps(body)
    def asked(*args: Asked.args, **options: Asked.kwargs) -> Answer:
        effort = taken(options, own) if options else UNLIMITED
        domain: Any = args[place] if len(args) > place else options.get("domain")
        call: Call[Answer] = Call(made, effort, args[0] if args else options.get(first), domain)
        is_first = effort.asks(call.so_far)
        try:
            return body(call, *args, **options)
        except Stopped as stopped:
            found: Answer | None = call.so_far(stopped)
            if found is None:
                raise
            return found
        finally:
            if is_first:
                effort.asks_no_more()

    asked.question = made  # type: ignore[attr-defined]
    return declared(asked, signature)


def question_of(function: Callable[..., Any]) -> Question | None:
    """What a function declares as a question, if it is one."""
    found: Question | None = getattr(function, "question", None)
    return found
