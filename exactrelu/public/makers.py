"""Small functions that a newcomer looks for first: networks and domains by hand, ``check``.

A domain may always be given as text or as pairs of ends; these make the object, once, where it is
used many times, or has a name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, Unpack

from exactrelu.bounded import bounded
from exactrelu.certificates.certificate import Certificate, Result
from exactrelu.certificates.program import Checked
from exactrelu.display import Shown
from exactrelu.effort import Effort, Limits
from exactrelu.errors import InputError, WrongType
from exactrelu.exact.scalar import vector
from exactrelu.exact.system import LinearSystem
from exactrelu.files import PathLike, kind_named, require_file
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.domain_text import load_polyhedron
from exactrelu.public.names import COMMANDS


def from_arrays(weights: Sequence[Any], biases: Sequence[Any], *, name: str = "") -> Network:
    """The network of weight matrices and bias vectors.

    Parameters
    ----------
    weights : sequence of matrices
        For each layer nested sequences or an array; row i is neuron i.  Floats are the dyadic
        rationals that they store.
    biases : sequence of vectors
        For each layer one number for each neuron.
    name : str, optional
        What texts call it.

    Returns
    -------
    Network
        Its hidden layers have ReLU, the last one is affine.

    Examples
    --------
    >>> import exactrelu as er
    >>> absolute = er.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]], name="absolute")
    >>> absolute.widths, absolute([-3])
    ((1, 2, 1), (3,))
    """
    return Network.from_arrays(weights, biases, name)


def box(*sides: Sequence[Any], dimension: int | None = None) -> Domain:
    """A box as a domain.

    Parameters
    ----------
    *sides
        Pairs of ends, one for each coordinate, or one for all.
    dimension : int, optional
        The number of coordinates, where one pair is for all.

    Returns
    -------
    Domain
        The closed box.

    Raises
    ------
    InputError
        If it is empty.

    Examples
    --------
    >>> import exactrelu as er
    >>> square = er.box((-1, 1), dimension=2)
    >>> square == er.box((-1, 1), (-1, 1)), square.dimension
    (True, 2)
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
    """All points without a negative coordinate.

    Parameters
    ----------
    dimension : int
        The number of coordinates.

    Returns
    -------
    Domain
        The set {x : x ≥ 0}.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.regions(er.load("example:xor"), er.orthant(2)).n_regions
    1
    """
    return Domain.of("orthant", dimension)


@bounded
def load_domain(
    effort: Effort, /, path: PathLike, dimension: int | None = None, **limits: Unpack[Limits]
) -> Domain:
    """The domain in a file, or of a text such as ``"box:-1..1"``.

    Parameters
    ----------
    path : str or path
        A JSON file with ``"format": "exactrelu-polyhedron/1"``, or the text of a domain.
    dimension : int, optional
        The number of coordinates, which a text does not tell.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Domain
        Never empty.

    Raises
    ------
    InputError
        If the set is empty, or in another number of coordinates.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.load_domain("box:-1..1", 2) == er.box((-1, 1), dimension=2)
    True
    """
    if dimension is None:
        text = os.fspath(path)
        if text in ("R", "orthant") or kind_named(text):
            raise InputError(f"{text}: a text needs a dimension, as load_domain({text!r}, 2)")
        system = load_polyhedron(path, effort=effort)
        return Domain.of(system, system.dimension, effort)
    return Domain.of(path, dimension, effort)


@bounded
def check(
    effort: Effort, /, what: Result | Certificate | PathLike, **limits: Unpack[Limits]
) -> Checked:
    """What the independent checker says of a result, a certificate, or a file of one.

    Parameters
    ----------
    what : Result, Certificate, str or path
        What is to be checked, in a process of its own.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Checked
        ``is_accepted``; ``status``, the word of the checker; ``sentence``, what it proves.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.check(er.regions(er.load("example:xor"))).is_accepted
    True
    """
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
    """Which function of Python asks the question of which command.

    Returns
    -------
    Supported
        A dict from commands to the names of functions.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.supports()["difference"]
    'largest_difference'
    """
    return Supported(COMMANDS)
