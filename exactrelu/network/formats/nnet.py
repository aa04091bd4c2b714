"""The ``.nnet`` text format (Kyle Julian, Stanford 2016) of the ACAS Xu networks.

After ``//`` comments, lines of comma-separated numbers: number of layers, inputs,
outputs, largest layer · layer sizes · an unused flag · minima and maxima of the
inputs · means and ranges · then, layer by layer, one line for each row of weights
and one for each bias.  Decimals are taken as those exact decimals.

The file's function is that of raw inputs and outputs:

    x ↦ f((x − mean)/range) · range_out + mean_out,

range_out and mean_out being the last entries of their lines.  Both affine maps are
folded into the first and the last layer; ``normalize=False`` gives f itself.  The
reference implementation also clips each input to its minimum and maximum before it
evaluates; that is not affine and not part of the function here.

More means and ranges than inputs + 1 are allowed, because the published ACAS Xu
files keep those of two inputs that were dropped: the first entries belong to the
inputs and the last one to the outputs, as in the reference reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, parse_rational
from exactrelu.files import PathLike, errors_in, read_text, stem
from exactrelu.network.network import Layer, Network


def load_nnet(path: PathLike, normalize: bool = True) -> Network:
    """The network of an ``.nnet`` file, with its normalisation or without."""
    text = read_text(path)
    with errors_in(path):
        return parse_nnet(text, normalize).renamed(stem(path))


@dataclass(frozen=True)
class _Line:
    number: int
    fields: tuple[str, ...]

    def numbers(self) -> Vector:
        return tuple(
            parse_rational(field, f"line {self.number}, entry {i}")
            for i, field in enumerate(self.fields, 1)
        )

    def integers(self) -> list[int]:
        values = []
        for i, value in enumerate(self.numbers(), 1):
            if value.q != 1 or not 0 <= value <= 10**9:
                raise InputError(
                    f"line {self.number}, entry {i}: found {self.fields[i - 1][:40]!r}, "
                    "expected a nonnegative integer"
                )
            values.append(int(value.p))
        return values

    def require(self, count: int, what: str, at_least: bool = False) -> None:
        found = len(self.fields)
        if found < count or (found > count and not at_least):
            raise InputError(
                f"line {self.number}: found {found} numbers, "
                f"expected {'at least ' if at_least else ''}{count}: {what}"
            )


class _Lines:
    """The lines that hold numbers, taken one by one; ``what`` says what is expected."""

    def __init__(self, text: str) -> None:
        numbered = enumerate(text.splitlines(), 1)
        stripped = [(number, line.strip()) for number, line in numbered]
        self._last = len(stripped)
        self._lines: Iterator[_Line] = (
            _Line(number, tuple(field.strip() for field in line.removesuffix(",").split(",")))
            for number, line in stripped
            if line and not line.startswith("//")
        )

    def take(self, what: str) -> _Line:
        line = next(self._lines, None)
        if line is None:
            raise InputError(f"line {self._last}: the file ends here, expected {what}")
        return line

    def require_end(self) -> None:
        line = next(self._lines, None)
        if line is not None:
            raise InputError(
                f"line {line.number}: found more numbers, expected the end of the file"
            )


def parse_nnet(text: str, normalize: bool = True) -> Network:
    """The network that ``.nnet`` text describes.

    >>> text = "1,1,1,1,\\n1,1,\\n0,\\n-9,\\n9,\\n2,5,\\n4,10,\\n3,\\n0.5,\\n"
    >>> parse_nnet(text, normalize=False).layers[0].affine
    Matrix([[3, 1/2]])
    >>> parse_nnet(text).layers[0].affine  # 10 (3 (x - 2)/4 + 1/2) + 5
    Matrix([[15/2, -5]])
    """
    lines = _Lines(text)
    sizes = _sizes(lines)
    lines.take("the flag line (unused)")
    n = sizes[0]
    for what in ("minimum", "maximum"):
        line = lines.take(f"the {what} of each input")
        line.require(n, f"the {what} of each input", at_least=True)
        line.numbers()
    means = _normalisation(lines, n, "mean")
    ranges = _normalisation(lines, n, "range")
    layers = [
        _layer(lines, l, m, k) for l, (m, k) in enumerate(zip(sizes[1:], sizes, strict=False), 1)
    ]
    lines.require_end()
    network = Network(tuple(layers))
    if not normalize:
        return network
    before = Matrix.diagonal([1 / r for r in ranges[:n]]).beside(
        Matrix.column_vector([-m / r for m, r in zip(means[:n], ranges[:n], strict=True)])
    )
    after = Matrix.diagonal([ranges[-1]] * sizes[-1]).beside(
        Matrix.column_vector([means[-1]] * sizes[-1])
    )
    return Network((Layer(before),)).then(network).then(Network((Layer(after),)))


def _sizes(lines: _Lines) -> list[int]:
    header = lines.take("the number of layers, inputs, outputs and the largest layer")
    header.require(4, "the number of layers, inputs, outputs and the largest layer")
    n_layers, n_inputs, n_outputs, _ = header.integers()
    line = lines.take("the layer sizes")
    line.require(n_layers + 1, f"the sizes of the input and of {n_layers} layers")
    sizes = line.integers()
    if n_layers == 0 or 0 in sizes:
        raise InputError(f"line {line.number}: found the sizes {sizes}, expected positive ones")
    if (sizes[0], sizes[-1]) != (n_inputs, n_outputs):
        raise InputError(
            f"line {line.number}: found sizes {sizes[0]} … {sizes[-1]}, expected "
            f"{n_inputs} inputs and {n_outputs} outputs as on line {header.number}"
        )
    return sizes


def _normalisation(lines: _Lines, n: int, what: str) -> Vector:
    line = lines.take(f"the {what} of each input and of the outputs")
    line.require(n + 1, f"the {what} of each input and of the outputs", at_least=True)
    values = line.numbers()
    if what == "range":
        for i, value in enumerate(values, 1):
            if value == 0:
                raise InputError(f"line {line.number}, entry {i}: found the range 0")
    return values


def _layer(lines: _Lines, l: int, n_rows: int, n_columns: int) -> Layer:
    rows: list[fmpq] = []
    for i in range(1, n_rows + 1):
        what = f"weights of layer {l}, row {i}"
        line = lines.take(what)
        line.require(n_columns, what)
        rows.extend(line.numbers())
    bias: list[fmpq] = []
    for i in range(1, n_rows + 1):
        what = f"bias of layer {l}, row {i}"
        line = lines.take(what)
        line.require(1, what)
        bias.extend(line.numbers())
    weights = Matrix.from_entries(n_rows, n_columns, rows)
    return Layer(weights.beside(Matrix.column_vector(bias)))
