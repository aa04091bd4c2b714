"""What the arguments of a public function may be, and what is said of others.

The annotation of a parameter, as it is written, says how its argument is read (:data:`READERS`).  A
list of lists is as good as a matrix there, and whatever can be iterated over as good as a tuple.
What cannot be read is refused in one line.

Values that their function reads itself, such as domains, are handed on as they are.
"""

from __future__ import annotations

import operator
import os
import random
from collections.abc import Callable, Iterable, Mapping
from inspect import Parameter
from typing import Any, NamedTuple, TypeAlias

from exactrelu.cells.faces import Face
from exactrelu.cells.tree import Region
from exactrelu.certificates.certificate import Certificate, Result
from exactrelu.effort import Effort, number_of_seconds
from exactrelu.errors import WrongType, attempted, pair_of, shortened
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import rational, vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.convolution import Convolution
from exactrelu.network.declared import Declared
from exactrelu.network.network import Layer, Network
from exactrelu.network.symmetry import Symmetry
from exactrelu.polyhedra.interior import Engine
from exactrelu.questions.local.places import Local
from exactrelu.questions.properties.query import Query

Parameters: TypeAlias = Mapping[str, Parameter]
#: Reads a value; the second argument is what an error calls it.
Reader: TypeAlias = Callable[[Any, str], Any]


def _as_is(given: Any, where: str) -> Any:
    return given


def refused(given: object, where: str, expected: str) -> WrongType:
    """The error of a value that is none of what is expected."""
    return WrongType(f"{where}: found {shortened(given)}, expected {expected}")


def _network(given: Any, where: str) -> Network:
    """A network, or how to make one of what was found."""
    if isinstance(given, Network):
        return given
    raise WrongType(f"{where.partition(':')[0]}: {_not_a_network(given)}")


def _not_a_network(given: object) -> str:
    """What was found in place of a network, and how to make one of it."""
    expected = "expected a Network"
    if isinstance(given, str | os.PathLike):
        name = shortened(attempted(os.fspath, given, ""))
        return f"found the path {name}, {expected}: er.load({name})"
    name = type(given).__name__
    if isinstance(given, Mapping):
        return f"found a {name}, {expected}: er.from_torch({name.lower()}) of a state_dict"
    if hasattr(given, "state_dict"):
        return f"found a model of type {name}, {expected}: er.from_torch(model)"
    return f"found a value of type {name}, {expected}"


def instance(kind: type, expected: str) -> Reader:
    """Values of this type only."""

    def read(given: Any, where: str) -> Any:
        if isinstance(given, kind):
            return given
        raise refused(given, where, expected)

    return read


def integer(given: Any, where: str) -> int:
    """An integer of any library; a truth value is none."""
    if not isinstance(given, bool) and hasattr(given, "__index__"):
        return int(attempted(operator.index, given, where))
    raise refused(given, where, "an integer")


def _bool(given: Any, where: str) -> bool:
    if isinstance(given, bool) or type(given).__name__ == "bool":
        return bool(given)
    raise refused(given, where, "True or False")


def _path(given: Any, where: str) -> Any:
    if isinstance(given, str | os.PathLike):
        name = attempted(os.fspath, given, where)
        if isinstance(name, str) and name and "\0" not in name:
            return given
    raise refused(given, where, "a path")


def listed(given: Any, where: str, expected: str = "a list") -> list[Any]:
    """The values of anything that can be iterated over, a text aside."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise refused(given, where, expected)
    return attempted(list, given, where)


def each(read: Reader, expected: str) -> Reader:
    """A tuple of values that are read alike."""

    def read_all(given: Any, where: str) -> tuple[Any, ...]:
        return tuple(
            read(value, f"{where}[{i}]") for i, value in enumerate(listed(given, where, expected))
        )

    return read_all


def _numbers(given: Any, where: str) -> Any:
    """Exact numbers; arrays and tensors as they are, which are read at once."""
    if hasattr(given, "dtype"):
        return vector(given, where)
    return vector(listed(given, where, "a list of numbers"), where)


def _rows(given: Any, where: str) -> Any:
    """Points, of which only that they are rows is seen here."""
    return listed(given, where, "a list of points")


def _matrix(given: Any, where: str) -> Matrix:
    if isinstance(given, Matrix):
        return given
    return Matrix(attempted(_rows_of_table, given, where), where=where)


def _rows_of_table(given: Any) -> Any:
    return given if hasattr(given, "dtype") or isinstance(given, str) else [*given]


def _callable(given: Any, where: str) -> Any:
    if callable(given):
        return given
    raise refused(given, where, "a function")


def _mapping(given: Any, where: str) -> Mapping[str, Any]:
    if isinstance(given, Mapping) and all(isinstance(key, str) for key in given):
        return given
    raise refused(given, where, "a dict whose keys are names")


def _sizes(given: Any, where: str) -> dict[str, int]:
    return {key: integer(n, f"{where}[{key!r}]") for key, n in _mapping(given, where).items()}


def _paths(given: Any, where: str) -> dict[str, Any]:
    return {key: _path(path, f"{where}[{key!r}]") for key, path in _mapping(given, where).items()}


def _texts(given: Any, where: str) -> dict[str, Any]:
    return {key: _text(text, f"{where}[{key!r}]") for key, text in _mapping(given, where).items()}


def _plane(given: Any, where: str) -> Any:
    base, directions = pair_of(given, where, "a point and a list of directions")
    listed = each(_numbers, "a list of directions")(directions, where)
    return _numbers(base, where), listed


def _pair(given: Any, where: str) -> Any:
    return pair_of(given, where, "a pair of points")


def _senses(given: Any, where: str) -> Any:
    return listed(given, where, "a list of senses")


def _panels(given: Any, where: str) -> Any:
    return listed(given, where, "a list of panels")


def _networks(given: Any, where: str) -> Any:
    """A network or a file of one, or several by name."""
    if isinstance(given, Mapping):
        named = _mapping(given, where).items()
        return {name: _networks_one(one, f"{where}[{name!r}]") for name, one in named}
    return _networks_one(given, where)


def _networks_one(given: Any, where: str) -> Any:
    if isinstance(given, Network):
        return given
    if isinstance(given, str | os.PathLike):
        return _path(given, where)
    raise refused(given, where, "a Network, a file, or a dict of them by name")


def _query(given: Any, where: str) -> Any:
    return given if isinstance(given, Query) else _path(given, where)


def _words(given: Any, where: str) -> Any:
    return given if isinstance(given, str) else each(_text, "a list of names")(given, where)


def _checkable(given: Any, where: str) -> Any:
    if isinstance(given, Result | Certificate | str | os.PathLike):
        return given
    name = where.partition(":")[0]
    raise WrongType(f"{name}: found {shortened(given)}, expected a result, a certificate or a file")


def _path_or_function(given: Any, where: str) -> Any:
    return given if callable(given) else _path(given, where)


def _integers_or_text(given: Any, where: str) -> Any:
    return given if isinstance(given, str) else _integers(given, where)


_LAYERS = "Layers; of arrays er.from_arrays(weights, biases) makes a network"
_text = instance(str, "a text")
_integers = each(integer, "a list of integers")

#: How an argument is read, by its annotation; one that may be None is read if it is not.
READERS: Mapping[str, Reader] = {
    "Any": _as_is,
    "Network": _network,
    "Matrix": _matrix,
    "Vector": _numbers,
    "fmpq": rational,
    "Sequence[fmpq]": _numbers,
    "Sequence[Vector]": each(_numbers, "a list of vectors"),
    "Sequence[Matrix]": each(_matrix, "a list of matrices"),
    "Symmetry": instance(Symmetry, "a Symmetry, as er.is_isomorphic finds"),
    "Sense": instance(Sense, "a Sense, such as er.polyhedra.Sense.AT_LEAST"),
    "Row": instance(Row, "a Row, as er.polyhedra.Row.of makes"),
    "tuple[Row, ...]": each(instance(Row, "a Row, as er.polyhedra.Row.of makes"), "a list of rows"),
    "tuple[Layer, ...]": each(instance(Layer, _LAYERS), _LAYERS),
    "Effort": instance(Effort, "an Effort"),
    "bytes": instance(bytes, "bytes"),
    "str | Path": _path,
    "random.Random": instance(random.Random, "a random.Random"),
    "Sequence[Iterable[Any]]": _rows,
    "Layer": instance(Layer, "a Layer, such as network.layers[0]"),
    "LinearSystem": instance(LinearSystem, "a LinearSystem, as er.polyhedra.parse_domain gives"),
    "Convolution": instance(Convolution, "a Convolution, as er.layers.load_convolution gives"),
    "Engine": instance(Engine, "an engine of linear programs"),
    "Literal['exact', 'float32', 'float64']": _text,
    "Region": instance(Region, "a region of the same list"),
    "Face": instance(Face, "a face of the same complex"),
    "Plane": _plane,
    "NetworksLike": _networks,
    "Query | PathLike": _query,
    "Restrictable": _network,
    "tuple[tuple[str, ...], ...]": each(each(_text, "a list of names"), "a list of lists of names"),
    "tuple[Declared, ...]": each(instance(Declared, "a tensor"), "a list of tensors"),
    "Iterable[int]": _integers,
    "Iterable[Sequence[int]]": each(_integers, "a list of lists of integers"),
    "Iterable[Sequence[fmpq]]": each(_numbers, "a list of vectors"),
    "Iterable[tuple[Any, Any]]": listed,
    "Iterable[tuple[Iterable[Any], Any]]": listed,
    "Box": _integers,
    "Data": listed,
    "Sequence[GenericSense]": _senses,
    "Sequence[Panel]": _panels,
    "Sequence[int] | str": _integers_or_text,
    "Local": instance(Local, "what er.local gives"),
    "int": integer,
    "float": number_of_seconds,
    "bool": _bool,
    "str": _text,
    "PathLike": _path,
    "str | os.PathLike[str]": _path,
    "str | os.PathLike[str] | Callable[..., Any]": _path_or_function,
    "str | Sequence[str]": _words,
    "Sequence[int]": _integers,
    "tuple[int, ...]": _integers,
    "Sequence[Sequence[int]]": each(_integers, "a list of lists of integers"),
    "Sequence[PathLike]": each(_path, "a list of paths"),
    "Mapping[str, int]": _sizes,
    "Mapping[str, PathLike]": _paths,
    "Mapping[str, str]": _texts,
    "Callable[..., Any]": _callable,
    "Callable[[Vector], Iterable[Any]]": _callable,
    "Sequence[Any]": listed,
    "Iterable[Any]": _numbers,
    "Iterable[Iterable[Any]]": _rows,
    "Iterable[Any] | Iterable[Iterable[Any]]": _rows,
    "Iterable[tuple[Sequence[Any], Sequence[Any]]]": each(_pair, "a list of pairs of points"),
    "Result | Certificate | PathLike": _checkable,
    # What is read where it is used.
    **dict.fromkeys(
        (
            *("DomainLike", "RegionLike", "ConstraintsLike"),
            *("GenericSense", "Method"),
            *(
                "Colour",
                "Pattern",
            ),
            *("Network | BlackBox", "int | str"),
        ),
        _as_is,
    ),
}


def reader(parameter: Parameter) -> Reader | None:
    """How the argument of a parameter is read; None: it is handed on as it is."""
    annotation = str(parameter.annotation)
    read = READERS.get(annotation.removesuffix(" | None"), _as_is)
    if read is _as_is:
        return None
    may_be_none = annotation.endswith(" | None")

    def read_or_none(given: Any, where: str) -> Any:
        return None if given is None and may_be_none else read(given, where)

    return read_or_none


class ReadArgument(NamedTuple):
    """A parameter whose argument is read: its place, if it may be given by position."""

    name: str
    place: int | None
    read: Reader


def arguments(parameters: Parameters) -> tuple[ReadArgument, ...]:
    """The parameters whose arguments are read."""
    made = []
    for k, parameter in enumerate(parameters.values()):
        is_subject = parameter.kind is Parameter.POSITIONAL_OR_KEYWORD
        if is_subject or parameter.kind is Parameter.KEYWORD_ONLY:
            read = reader(parameter)
            if read is not None:
                made.append(ReadArgument(parameter.name, k if is_subject else None, read))
    return tuple(made)


def read_all(
    name: str, taken: Iterable[ReadArgument], args: list[Any], options: dict[str, Any]
) -> None:
    """Read the arguments of a call, each in its place."""
    for argument, place, read in taken:
        if place is not None and place < len(args):
            args[place] = read(args[place], f"{name}: {argument}")
        elif argument in options:
            options[argument] = read(options[argument], f"{name}: {argument}")
