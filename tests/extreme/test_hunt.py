"""A little of the hunt every day; ``EXTREME_HUNT=2000`` networks for each question, or more."""

import os
from collections import Counter

import pytest

from tests.extreme.hunt import HUNTS, compare

N_NETWORKS = int(os.environ.get("EXTREME_HUNT", "40"))


@pytest.mark.parametrize("question", HUNTS)
def test_extreme_numbers(question: str) -> None:
    answers = Counter(compare(question, number) for number in range(N_NETWORKS))
    # Yes and no, bounded and unbounded, one input and more.
    assert len(answers) > 1
