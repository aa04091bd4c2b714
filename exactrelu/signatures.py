"""Signatures of earlier versions, which go on working."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

_Asked = ParamSpec("_Asked")
_Answer = TypeVar("_Answer")


def formerly(
    option: str, is_option: Callable[[Any], bool]
) -> Callable[[Callable[_Asked, _Answer]], Callable[_Asked, _Answer]]:
    """Let an option stand before the domain too, where it stood in earlier versions.

    ``question(subject, option, domain)`` goes on to mean what it meant, and what
    ``question(subject, x)`` means depends on x.
    """

    def decorated(question: Callable[_Asked, _Answer]) -> Callable[_Asked, _Answer]:
        @wraps(question)
        def asked(*args: _Asked.args, **kwargs: _Asked.kwargs) -> _Answer:
            if len(args) > 2 or (len(args) == 2 and is_option(args[1])):
                if option in kwargs:
                    raise TypeError(f"{question.__name__}: found two values for {option!r}")
                subject, value, *others = args
                return question(subject, *others, **{**kwargs, option: value})  # type: ignore
            return question(*args, **kwargs)

        return asked

    return decorated
