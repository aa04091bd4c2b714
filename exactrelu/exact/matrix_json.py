"""Matrix files: a JSON list of rows of exact numbers."""

from __future__ import annotations

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.strict_json import as_rows, parse_strict
from exactrelu.files import PathLike, errors_in, read_text


def load_matrix(path: PathLike) -> Matrix:
    """The matrix in a file such as ``[["1", "1/2"], ["0", "-3"]]``; ``[]`` is 0 × 0."""
    text = read_text(path)
    with errors_in(path):
        return Matrix(as_rows(parse_strict(text), "matrix"))
