"""Exact values as text: strict JSON, the encoding of certificates, matrix files.

*Strict JSON.*  Numbers are strings (``"3"``, ``"-3/4"``, ``"0.125"``: that decimal exactly) or
JSON integers, of any length.  A JSON float is refused: whether ``0.1`` is the decimal or the
double is for the author to say.  Duplicate and unknown keys are refused.  Errors name the place.

*Certificates and canonical bytes.*  Integers are lowercase hexadecimal; a rational vector or
matrix is its least common denominator and its integer numerators, so nobody who reads it needs a
fraction.  ``proofs/FORMAT.md`` states the same from the reader's side.

*Matrix files* are a JSON list of rows of exact numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from flint import fmpq, fmpz

from exactrelu.bounded import bounded
from exactrelu.effort import UNLIMITED, Effort, Limits
from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import (
    Vector,
    common_denominator,
    parse_rational,
    primitive,
    rational,
    to_hex,
    to_text,
)
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.files import PathLike, errors_in, read_text

#: Bytes of memory for a letter of a JSON file that holds numbers.
BYTES_OF_LETTER = 10


@dataclass(frozen=True)
class NotExact:
    """A JSON float or constant as it stands in the text, kept until its place is known."""

    text: str


def parse_strict(text: str) -> Any:
    """JSON with exact integers; floats wait as :class:`NotExact` for their place."""
    try:
        return json.loads(
            text,
            parse_int=parse_rational,
            parse_float=NotExact,
            parse_constant=NotExact,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        raise InputError(
            f"line {error.lineno}, column {error.colno}: not valid JSON: {error.msg}"
        ) from None
    except RecursionError:
        raise InputError("the JSON is nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"the key {twice!r} appears twice in one object")
    return result


def require_keys(
    value: Any, where: str, required: Iterable[str], optional: Iterable[str] = ()
) -> None:
    """An object with all required keys and no others than those and the optional ones."""
    at = f"{where}: " if where else ""
    if not isinstance(value, dict):
        raise InputError(f"{at}found {shown(value)}, expected an object")
    for key in required:
        if key not in value:
            raise InputError(f"{at}the key {key!r} is missing")
    known = {*required, *optional}
    for key in value:
        if key not in known:
            raise InputError(f"{at}unknown key {key!r}, expected {', '.join(sorted(known))}")


def require_format(value: Any, expected: str) -> None:
    """The ``format`` of a file is exactly the expected one."""
    if value != expected:
        raise InputError(f"format: found {shown(value)}, expected {expected!r}")


def as_list(value: Any, where: str, of: str) -> list[Any]:
    """The value, which must be a list."""
    if not isinstance(value, list):
        raise InputError(f"{where}: found {shown(value)}, expected a list of {of}")
    return value


def as_string(value: Any, where: str) -> str:
    """The value, which must be a string."""
    if not isinstance(value, str):
        raise InputError(f"{where}: found {shown(value)}, expected a string")
    return value


def as_vector(value: Any, where: str) -> Vector:
    """A list of exact numbers."""
    entries = as_list(value, where, "numbers")
    return tuple(as_number(entry, f"{where}[{i}]") for i, entry in enumerate(entries))


def as_rows(value: Any, where: str, effort: Effort = UNLIMITED) -> list[Vector]:
    """A list of lists of exact numbers."""
    found = []
    for i, row in enumerate(as_list(value, where, "rows")):
        effort.spend()
        found.append(as_vector(row, f"{where}[{i}]"))
    return found


def as_number(value: Any, where: str) -> fmpq:
    """An exact number: a JSON integer, or a string."""
    if isinstance(value, fmpq):
        return value
    if isinstance(value, NotExact):
        if value.text in ("NaN", "Infinity", "-Infinity"):
            raise InputError(f"{where}: found {value.text}, expected a finite number")
        raise InputError(
            f"{where}: found the JSON float {value.text[:40]}, expected a string or an integer "
            f'(is it the decimal or the double? write "{value.text[:40]}" for the decimal, '
            "a fraction for the double)"
        )
    if not isinstance(value, str):
        raise InputError(f"{where}: found {shown(value)}, expected a number as a string")
    return rational(value, where)


def shown(value: Any) -> str:
    """A value of a file in a few words."""
    if isinstance(value, str):
        return f"the string {value[:40]!r}"
    if isinstance(value, fmpq):
        return f"the number {to_text(value)[:40]}"
    if isinstance(value, NotExact):
        return f"the number {value.text[:40]}"
    if isinstance(value, bool):
        return f"the truth value {str(value).lower()}"
    kinds: dict[type, str] = {list: "a list", dict: "an object", type(None): "null"}
    return kinds.get(type(value), "something else")


def canonical_json(value: Any) -> str:
    """The one JSON text of a value: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def encode_integers(values: Iterable[fmpz | int]) -> list[str]:
    """Integers in hexadecimal."""
    return [to_hex(v) for v in values]


def encode_rational(value: fmpq) -> list[str]:
    """[denominator, numerator]."""
    return [to_hex(value.q), to_hex(value.p)]


def encode_vector(values: Sequence[fmpq]) -> list[Any]:
    """[denominator, numerators] in lowest terms.

    >>> encode_vector((fmpq(1, 2), fmpq(-16)))
    ['2', ['1', '-20']]
    """
    denominator = common_denominator(values)
    return [to_hex(denominator), encode_integers(v.p * (denominator // v.q) for v in values)]


def encode_matrix(A: Matrix) -> list[Any]:
    """[denominator, rows of numerators] in lowest terms."""
    numerators, denominator = A.integer_form
    return [to_hex(denominator), [encode_integers(row) for row in numerators.tolist()]]


def matrix_pieces(A: Matrix) -> Iterator[bytes]:
    """The canonical JSON of :func:`encode_matrix`, in pieces, without a list of its zeros.

    >>> b"".join(matrix_pieces(Matrix([[0, "1/2", 0], [0, 0, 0]])))
    b'["2",[["0","1","0"],["0","0","0"]]]'
    """
    yield f'["{to_hex(A.denominator)}",['.encode()
    for i, row in enumerate(A.integer_nonzeros()):
        parts = [b",[" if i else b"["]
        after = 0
        for j, value in row:
            parts += [b'"0",' * (j - after), f'"{to_hex(value)}",'.encode()]
            after = j + 1
        parts.append(b'"0",' * (A.n_columns - after))
        yield b"".join(parts)[:-1] + b"]"
    yield b"]]"


def encode_system(system: LinearSystem) -> dict[str, Any]:
    """The rows of a linear system, each scaled to the smallest integers [a…, b]."""
    rows = [
        [row.sense.value, _encode_row((*row.flint_normal, row.flint_offset))] for row in system.rows
    ]
    return {"dim": system.dimension, "rows": rows}


def _encode_row(values: Vector) -> list[str]:
    """The smallest integers on the ray; nearly all entries of the rows of a box are 0."""
    places = [j for j, value in enumerate(values) if value]
    encoded = ["0"] * len(values)
    integers = primitive([values[j] for j in places])
    for j, text in zip(places, encode_integers(integers), strict=True):
        encoded[j] = text
    return encoded


def decode_integers(values: Iterable[str]) -> list[int]:
    """The integers of their hexadecimal."""
    return [int(v, 16) for v in values]


def decode_system(value: Mapping[str, Any]) -> LinearSystem:
    """The linear system of its rows.

    >>> box = LinearSystem.box([(0, fmpq(17, 2))])
    >>> encode_system(decode_system(encode_system(box))) == encode_system(box)
    True
    """
    numbers = ((Sense(sense), decode_integers(row)) for sense, row in value["rows"])
    rows = (Row.of(row[:-1], row[-1], sense) for sense, row in numbers)
    return LinearSystem(value["dim"], tuple(rows))


@bounded
def load_matrix(effort: Effort, /, path: PathLike, **limits: Unpack[Limits]) -> Matrix:
    """The matrix in a JSON file such as ``[["1", "1/2"], ["0", "-3"]]``.

    Parameters
    ----------
    path : str or path
        The file; ``[]`` in it is a matrix of 0 rows and 0 columns.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Matrix
        Its entries are exactly those of the file.

    Raises
    ------
    InputError
        If the file is not a list of rows of exact numbers.

    Examples
    --------
    >>> import exactrelu as er
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "matrix.json"
    ...     _ = path.write_text('[["1", "1/2"], ["0", "-3"]]')
    ...     er.matrices.load_matrix(path)
    Matrix([[1, 1/2], [0, -3]])
    """
    value = read_strict(path, effort)
    with errors_in(path):
        return Matrix(as_rows(value, "matrix", effort))


def read_strict(path: PathLike, effort: Effort) -> Any:
    """The value in a file of exact JSON, within the memory of an effort."""
    text = read_text(path, effort)
    with errors_in(path):
        effort.need(BYTES_OF_LETTER * len(text), f"a file of {len(text):,} letters")
        return parse_strict(text)
