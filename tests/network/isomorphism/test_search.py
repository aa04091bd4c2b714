"""The search stops at its limit."""

import pytest

from exactrelu.effort import Effort, Stopped
from exactrelu.network.isomorphism.canonical import canonical_form
from tests.network.isomorphism.brute_force import ROOK, between


def test_over_a_limit() -> None:
    with pytest.raises(Stopped):
        canonical_form(between(ROOK), Effort(refinements=3))
    with pytest.raises(Stopped):
        canonical_form(between(ROOK), Effort(seconds=0))
