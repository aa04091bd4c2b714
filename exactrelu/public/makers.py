"""Small functions that a newcomer looks for first: networks and domains by hand, ``check``.

A domain may always be given as text or as pairs of ends; these make the object, once, where it is
used many times, or has a name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, Unpack

from exactrelu.certificates.certificate import Certificate, Checked, Result
from exactrelu.display import Shown
from exactrelu.effort import Effort, Limits
from exactrelu.errors import InputError, WrongType
from exactrelu.exact.scalar import vector
from exactrelu.exact.system import LinearSystem
from exactrelu.files import PathLike, kind_named, require_file
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain, load_polyhedron
from exactrelu.public.names import COMMANDS


def from_arrays(weights: Sequence[Any], biases: Sequence[Any], *, name: str = "") -> Network:
    """The network of weight matrices and bias vectors, one of each per layer.

    >>> import exactrelu as er
    >>> er.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]], name="xor")
    Network xor: 2-2-1, 9 parameters, 3 bits
    """
    return Network.from_arrays(weights, biases, name)


def box(*sides: Sequence[Any], dimension: int | None = None) -> Domain:
    """The box of pairs of ends, one for each coordinate; one pair for all, with a ``dimension``.

    >>> import exactrelu as er
    >>> er.box((-1, 1), (0, "1/2")).text, er.box((-1, 1), dimension=3).text
    ('box:-1,1;0,1/2', 'box:-1,1')
    """
    ends = [vector(side, f"side {k}") for k, side in enumerate(sides, 1)]
    if dimension is not None:
        if len(ends) != 1:
            raise InputError(f"found {len(ends)} sides and a dimension, expected one side or none")
        ends *= dimension
    for k, pair in enumerate(ends, 1):
        if len(pair) != 2:
            raise InputError(f"side {k}: found {len(pair)} numbers, expected two ends")
    if not ends:
        raise InputError("found no sides, expected pairs of ends such as (-1, 1)")
    return Domain.of(LinearSystem.box((lower, upper) for lower, upper in ends), len(ends))


def orthant(dimension: int) -> Domain:
    """All points of R^dimension without a negative coordinate.

    >>> import exactrelu as er
    >>> er.orthant(2).text
    'orthant'
    """
    return Domain.of("orthant", dimension)


def load_domain(path: PathLike, dimension: int | None = None) -> Domain:
    """The domain in a file, or of a text such as "box:-1..1", which needs the ``dimension``.

    >>> import exactrelu as er
    >>> er.load_domain("box:-1..1,0..2", 2).text
    'box:-1,1;0,2'
    """
    if dimension is None:
        text = os.fspath(path)
        if text in ("R", "orthant") or kind_named(text):
            raise InputError(f"{text}: a text needs a dimension, as load_domain({text!r}, 2)")
        system = load_polyhedron(path)
        return Domain.of(system, system.dimension)
    return Domain.of(path, dimension)


def check(what: Result | Certificate | PathLike, **limits: Unpack[Limits]) -> Checked:
    """What the independent checker says of a result, a certificate, or a file of one.

    >>> import exactrelu as er
    >>> net = er.from_arrays([[[1]]], [[0]])
    >>> er.check(er.is_injective(net)).status
    'ACCEPTED'
    """
    effort = Effort.of(limits)
    if isinstance(what, Result | Certificate):
        return what.check(effort=effort)
    if not isinstance(what, str | os.PathLike):
        found = f"a value of type {type(what).__name__}"
        raise WrongType(f"check: found {found}, expected a result, a certificate or a file")
    require_file(what)
    return Checked.of(what, effort)


class Supported(dict[str, str], Shown):
    """The functions of Python, by the command of the same question."""

    __repr__ = Shown.__repr__

    def _headline(self) -> str:
        return f"Supported: {len(self)} commands and their functions, as {{'eval': 'evaluate', …}}"

    def _facts(self) -> Iterator[tuple[str, object]]:
        yield from ((command, f"er.{name}") for command, name in self.items())


def supports() -> Supported:
    """Which function asks the question of which command.

    >>> import exactrelu as er
    >>> er.supports()["difference"]
    'largest_difference'
    """
    return Supported(COMMANDS)
