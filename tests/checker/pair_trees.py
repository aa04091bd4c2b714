"""Records of the split tree of two networks, by hand."""

from __future__ import annotations

from collections.abc import Sequence

from forge import Json, hexes

Neuron = tuple[int, int, int]  # network, hidden layer, number
Fact = tuple[Neuron, int, int]
Refutation = tuple[Sequence[int], Sequence[int], Sequence[Fact]]

SAME: Json = {"record": "same"}


def cut(network: int, layer: int, neuron: int) -> Json:
    """Return a split record."""
    return {"neuron": [network, layer, neuron], "record": "split"}


def bounded(*neurons: Neuron) -> Json:
    """Return a bounds record."""
    return {"neurons": [list(neuron) for neuron in neurons], "record": "bounds"}


def nothing(rows: Sequence[int], values: Sequence[int], *facts: Fact) -> Json:
    """Return an empty record."""
    return {"record": "empty", **_fields([(rows, values, facts)], single=True)}


def decided(
    sign: str, neuron: Neuron, rows: Sequence[int], values: Sequence[int], *facts: Fact
) -> Json:
    """Return a sides record of one neuron."""
    return decided_all((sign, neuron, (rows, values, facts)))


def decided_all(*sides: tuple[str, Neuron, Refutation]) -> Json:
    """Return a sides record."""
    return {
        "neurons": [list(neuron) for _, neuron, _ in sides],
        "record": "sides",
        "signs": [sign for sign, _, _ in sides],
        **_fields([proof for _, _, proof in sides]),
    }


def within(*proofs: Refutation) -> Json:
    """Return a within record."""
    return {"record": "within", **_fields(proofs)}


def _fields(proofs: Sequence[Refutation], single: bool = False) -> Json:
    facts = [[[list(n), *hexes([u, v])] for n, u, v in used] for _, _, used in proofs]
    rows = [list(rows) for rows, _, _ in proofs]
    values = [hexes(values) for _, values, _ in proofs]
    fields = {"facts": facts, "rows": rows, "values": values}
    return {name: value[0] for name, value in fields.items()} if single else fields
