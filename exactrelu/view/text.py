"""Exact values as text for people, long numbers shortened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flint import fmpq, fmpz

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
    """What there is to say about a network at a glance, but for its hash, each with its name."""
    from exactrelu.network.network import widths_text
    from exactrelu.network.roles import Role, neuron_groups, quick_roles

    roles = quick_roles(network)
    totals = Counter(role for layer in roles or () for role in layer)
    kinds = [role for role in Role if role is not Role.CARRIED and totals[role]]
    found = ", ".join(f"{totals[role]} {role.value}" for role in kinds)
    if roles is None:
        found = "so many that their roles are not looked for"
    lines = [
        ("name", network.name or "(none)"),
        ("widths", widths_text(network)),
        ("parameters", f"{network.n_parameters:,}"),
        ("size", f"at most {count(network.bits, 'bit')} in numerator or denominator"),
        ("neurons", f"{network.n_hidden_neurons:,} hidden" + (f": {found}" if found else "")),
    ]
    if network.n_linear_units:
        lines.append(("linear", f"{count(network.n_linear_units, 'unit')} without a ReLU"))
    sparse = sum(layer.affine.is_sparse for layer in network.layers)
    if sparse:
        n_entries = sum(layer.affine.n_entries for layer in network.layers)
        lines.append(("sparse", f"{count(sparse, 'layer')}; {n_entries:,} entries that are not 0"))
    if network.activation != "ReLU":
        lines.append(("activation", network.activation))
    groups = () if roles is None else neuron_groups(network)
    if groups:
        found_kinds = [("with duplicates", sum(g.has_duplicates for g in groups))]
        found_kinds.append(("cancelling", sum(g.is_cancelling for g in groups)))
        what = "".join(f", {n} {kind}" for kind, n in found_kinds if n)
        lines.append(("groups", f"{len(groups)} with one hyperplane{what}"))
    return lines


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
