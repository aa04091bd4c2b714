"""Decides by brute force whether an instance refutes a statement, with fractions.

The statements are read from the papers again, not from the checker's table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lemma_truth_s000
import lemma_truth_s001
import lemma_truth_s002
import lemma_truth_s003
import lemma_truth_s004

REFUTES: dict[str, Callable[[Any], bool]] = {
    **lemma_truth_s000.REFUTES,
    **lemma_truth_s001.REFUTES,
    **lemma_truth_s002.REFUTES,
    **lemma_truth_s003.REFUTES,
    **lemma_truth_s004.REFUTES,
}


def refutes(claim: Any) -> bool:
    """Tell whether the instance of a claim has the hypotheses and not the conclusion.

    Subjects stand in their places in it. Functions of nothing are no instances.
    """
    objects = claim["instance"].values()
    networks = [value for value in objects if isinstance(value, dict) and "layers" in value]
    if not all(network["layers"][0]["inputs"] for network in networks):
        return False
    return REFUTES[claim["lemma"]](claim["instance"])
