"""Exact values as text: for people, long numbers shortened; for ``--json``, with all digits."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flint import fmpq, fmpz

    from exactrelu.exact.matrix import Matrix
    from exactrelu.lemmas.statement import Instance
    from exactrelu.network.network import AffineMap, Network, Pattern

#: Longer numbers are shortened for people; ``--json`` always has all digits.
MAX_DIGITS = 60

_SIGN = {-1: "-", 0: "0", 1: "+"}


def number(value: fmpq | fmpz) -> str:
    """The number, or its beginning, end and length."""
    text = str(value)
    if len(text) <= MAX_DIGITS:
        return text
    return f"{text[:12]}…{text[-8:]} ({len(text)} characters)"


def point(values: Sequence[fmpq]) -> str:
    """(1, -1/2)."""
    return "(" + ", ".join(map(number, values)) + ")"


def vectors(name: str, rows: Iterable[Sequence[fmpq] | Sequence[fmpz]]) -> list[str]:
    """One line for each vector, the first with a name in front."""
    lines = ["(" + ", ".join(number(v) for v in row) + ")" for row in rows]
    return [f"{name if i == 0 else ' ' * len(name)} {line}" for i, line in enumerate(lines)]


def pattern(signs: Pattern) -> str:
    """``layer 1 +-0 · layer 2 ++``."""
    layers = ("".join(_SIGN[s] for s in layer) for layer in signs)
    return " · ".join(f"layer {l} {text}" for l, text in enumerate(layers, 1)) or "no hidden layer"


def pattern_numbers(signs: Pattern) -> list[list[int]]:
    """The pattern as ``--json`` writes it: 1 active, 0 inactive, -1 exactly 0."""
    return [[{1: 1, -1: 0, 0: -1}[s] for s in layer] for layer in signs]


def plain(value: Any) -> Any:
    """What ``--json`` writes: an exact number as a string, a network as its file has it.

    A function stands for what it returns, and is called here.
    """
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {name: plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    numbers, matrix, network = _exact_types()
    if isinstance(value, numbers):
        return str(value)
    if isinstance(value, matrix):
        return plain(value.rows())
    if isinstance(value, network):
        from exactrelu.network.formats.load import network_text

        return json.loads(network_text(value))
    if callable(value):
        return plain(value())
    raise TypeError(f"{type(value).__name__}: no exact value")


@cache
def _exact_types() -> tuple[tuple[type, ...], type[Matrix], type[Network]]:
    """Numbers, matrices, networks: imported where there is one."""
    from flint import fmpq, fmpz

    from exactrelu.exact.matrix import Matrix
    from exactrelu.network.network import Network

    return (fmpq, fmpz), Matrix, Network


def affine_map(f: AffineMap) -> list[str]:
    """One line ``y1 = 2 x1 - 4 x2 - 1`` for each output."""
    rows = zip(f.matrix.rows(), f.offset, strict=True)
    return [f"y{i} = {linear_form(row, c)}" for i, (row, c) in enumerate(rows, 1)]


def linear_form(row: Sequence[fmpq], constant: fmpq) -> str:
    """``2 x1 - 4 x2 - 1``."""
    terms = [(a, f" x{j}") for j, a in enumerate(row, 1) if a != 0]
    if constant != 0 or not terms:
        terms.append((constant, ""))
    text = ""
    for coefficient, name in terms:
        is_one = name and abs(coefficient) == 1
        size = name.strip() if is_one else number(abs(coefficient)) + name
        lead = "-" if coefficient < 0 else ""
        text += (f" {'-' if coefficient < 0 else '+'} {size}") if text else lead + size
    return text


def described(network: Network) -> list[tuple[str, str]]:
    """What there is to say about a network at a glance, each with its name."""
    from exactrelu.network.roles import Role, neuron_groups, neuron_roles

    totals = Counter(role for layer in neuron_roles(network) for role in layer)
    roles = ", ".join(f"{totals[role]} {role.value}" for role in Role if totals[role])
    lines = [
        ("name", network.name or "(none)"),
        ("widths", "-".join(map(str, network.widths))),
        ("parameters", f"{network.n_parameters:,}"),
        ("size", f"at most {count(network.bits, 'bit')} in numerator or denominator"),
        ("neurons", f"{network.n_hidden_neurons:,} hidden" + (f": {roles}" if roles else "")),
    ]
    if network.activation != "ReLU":
        lines.append(("activation", network.activation))
    groups = neuron_groups(network)
    if groups:
        kinds = [("with duplicates", sum(g.has_duplicates for g in groups))]
        kinds.append(("cancelling", sum(g.is_cancelling for g in groups)))
        what = "".join(f", {n} {kind}" for kind, n in kinds if n)
        lines.append(("groups", f"{len(groups)} with one hyperplane{what}"))
    return [*lines, ("sha256", network.sha256)]


def instance_lines(instance: Instance) -> list[str]:
    """The objects of an instance: of a network the rows (w | b) of each layer."""
    lines = []
    for name, value in instance.values.items():
        if name in instance.networks():
            network = instance.network(name)
            lines.append(f"  {name}: widths {'-'.join(map(str, network.widths))}, rows (w | b)")
            for l, layer in enumerate(network.layers, 1):
                rows = zip(layer.weights.rows(), layer.bias, strict=True)
                shown = ", ".join(f"({' '.join(map(number, w))} | {number(b)})" for w, b in rows)
                lines.append(f"     layer {l}: {shown}")
        else:
            lines.append(f"  {name}: {value}")
    return lines


def count(n: int, noun: str) -> str:
    """``1 region``, ``2 regions``."""
    return f"{n:,} {noun}" + ("" if n == 1 else "s")
