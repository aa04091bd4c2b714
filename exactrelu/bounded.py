"""Functions whose work is bounded: the keywords of a call become one :class:`Effort`, once.

    @bounded
    def load_matrix(effort: Effort, path: PathLike, **limits: Unpack[Limits]) -> Matrix: ...

    load_matrix(path, timeout=3, max_memory="2G")       # as users call it
    load_matrix(path, effort=effort)                    # as others do, who have one already

``timeout``, ``max_memory``, ``progress`` and the like are declared as ``**limits``, which is what
users, type checkers and the manual see; the body has the effort, in front of its arguments, and
nothing of them.  Questions have more than an effort (:mod:`exactrelu.questions.question`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from exactrelu.effort import UNLIMITED, Effort

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")
_Self = TypeVar("_Self")


def bounded(function: Callable[Concatenate[Effort, Asked], Answer], /) -> Callable[Asked, Answer]:
    """The function as it is called: without the effort, with the keywords that it is made of."""
    parameters = signature_of(function, n_hidden=1)
    own = options_of(parameters)

    @wraps(function)
    def asked(*args: Asked.args, **options: Asked.kwargs) -> Answer:
        effort = taken(options, own) if options else UNLIMITED
        return function(effort, *args, **options)

    return declared(asked, parameters)


def bounded_method(
    method: Callable[Concatenate[_Self, Effort, Asked], Answer], /
) -> Callable[Concatenate[_Self, Asked], Answer]:
    """The same of a method, whose effort stands after the object."""
    parameters = signature_of(method, n_hidden=1, place=1)
    own = options_of(parameters)

    @wraps(method)
    def asked(this: _Self, /, *args: Asked.args, **options: Asked.kwargs) -> Answer:
        effort = taken(options, own) if options else UNLIMITED
        return method(this, effort, *args, **options)

    return declared(asked, parameters)


def signature_of(
    function: Callable[..., Any], *, n_hidden: int, place: int = 0
) -> inspect.Signature:
    """The signature without parameters that callers do not see, from a place on."""
    found = inspect.signature(function)
    parameters = list(found.parameters.values())
    del parameters[place : place + n_hidden]
    return found.replace(parameters=parameters)


def options_of(signature: inspect.Signature) -> frozenset[str]:
    """The parameters that have a name of their own: all other options are bounds."""
    found = signature.parameters.values()
    return frozenset(p.name for p in found if p.kind is not p.VAR_KEYWORD)


def taken(options: dict[str, Any], own: frozenset[str]) -> Effort:
    """Take the bounds out of the options of a call, and make the effort of them."""
    if len(options) == 1 and type(effort := options.get("effort")) is Effort:
        # Nearly all calls: of somebody who has one already.
        options.clear()
        return effort
    given: Any = {name: options.pop(name) for name in [*options] if name not in own}
    return Effort.of(given) if given else UNLIMITED


Function = TypeVar("Function", bound=Callable[..., Any])


def declared(asked: Function, signature: inspect.Signature) -> Function:
    """Give a function the signature that callers see."""
    asked.__signature__ = signature  # type: ignore[attr-defined]
    annotations = {p.name: p.annotation for p in signature.parameters.values()}
    annotations["return"] = signature.return_annotation
    hidden = asked.__annotations__.keys() - annotations.keys()
    asked.__annotations__ = {k: v for k, v in asked.__annotations__.items() if k not in hidden}
    return asked
