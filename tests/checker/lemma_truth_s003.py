"""Statements of *Globally injective ReLU networks*, decided on small instances."""

from __future__ import annotations

from typing import Any

from forge import network
from injectivity_truth import is_injective
from truth import read_matrix


def layer_is_injective(rows: Any) -> bool:
    """Tell whether s(Wx + b) is injective on R^n, given the rows (w | b)."""
    return is_injective(
        {
            "domain": {"dim": len(rows[0]) - 1, "rows": []},
            "layer": 0,
            "network": network(rows, [[0] * (len(rows) + 1)]),
        }
    )


def lemma_1(instance: Any) -> bool:
    """Injective, but not with the rows with b >= 0 alone, without b."""
    rows = read_matrix(instance["N"]["layers"][0]["matrix"])
    kept = [[*row[:-1], 0] for row in rows if row[-1] >= 0]
    return layer_is_injective(rows) and not layer_is_injective(kept)


REFUTES = {"S003-lemma-1": lemma_1}
