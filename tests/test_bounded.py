"""The keywords of a call become one effort, and a function is called and shown without it."""

from __future__ import annotations

import inspect
from typing import Unpack

import pytest

from exactrelu.bounded import bounded, bounded_method
from exactrelu.effort import UNLIMITED, Effort, Limits
from exactrelu.errors import InputError


@bounded
def counted(effort: Effort, /, n: int, *, timeout: float = 1, **limits: Unpack[Limits]) -> Effort:  # type: ignore[misc]
    """An effort, and nothing else in the body."""
    assert limits == {}
    assert (n, timeout) in ((3, 1), (3, 2))
    return effort


class Counted:
    @bounded_method
    def times(self, effort: Effort, /, n: int, **limits: Unpack[Limits]) -> tuple[int, Effort]:
        return n, effort


def test_an_effort_is_made_once() -> None:
    assert counted(3) is UNLIMITED
    effort = Effort(regions=5)
    assert counted(3, effort=effort) is effort
    assert counted(n=3, effort=effort) is effort
    made = counted(3, effort=effort, max_regions=2, max_faces=7)
    assert (made.left("regions"), made.left("faces"), effort.left("faces")) == (2, 7, None)
    assert Counted().times(2, effort=effort) == (2, effort)
    assert Counted().times(2) == (2, UNLIMITED)


def test_a_parameter_of_that_name_is_no_bound() -> None:
    assert counted(3, timeout=2) is UNLIMITED


def test_what_is_no_bound_is_refused() -> None:
    for wrong, words in (
        ({"max_region": 1}, "found the option 'max_region', .*did you mean 'max_regions'"),
        ({"effort": 3}, "effort: found 3, expected an Effort"),
        ({"max_regions": -1}, "max_regions: found -1"),
    ):
        with pytest.raises(InputError, match=words):
            counted(3, **wrong)


def test_callers_see_what_they_give() -> None:
    assert list(inspect.signature(counted).parameters) == ["n", "timeout", "limits"]
    assert list(inspect.signature(Counted.times).parameters) == ["self", "n", "limits"]
    assert list(inspect.signature(Counted().times).parameters) == ["n", "limits"]
    assert "effort" not in counted.__annotations__
    assert (counted.__name__, counted.__module__) == ("counted", __name__)


def test_bounds_that_were_given_go_before_those_that_were_not() -> None:
    effort = Effort(regions=5)
    assert effort.unless_given(regions=9) is effort
    part = effort.unless_given(regions=9, masks=4)
    assert (part.left("regions"), part.left("masks")) == (5, 4)
    assert part.part().unless_given(masks=9).left("masks") == 4
