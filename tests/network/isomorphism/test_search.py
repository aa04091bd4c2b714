"""The search stops at its limit."""

import pytest

from exactrelu.network.isomorphism.canonical import canonical_form
from exactrelu.network.isomorphism.search import Effort, SearchLimit
from tests.network.isomorphism.brute_force import ROOK, between


def test_over_a_limit() -> None:
    with pytest.raises(SearchLimit):
        canonical_form(between(ROOK), Effort(3))
    with pytest.raises(SearchLimit):
        canonical_form(between(ROOK), Effort(timeout=0))
