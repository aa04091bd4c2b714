"""Networks that are not identifiable though their consecutive parts are."""

from pathlib import Path

import pytest

from exactrelu.errors import InputError
from exactrelu.questions.identifiability.identifiable import non_localizable
from tests.checking import assert_accepted
from tests.questions.identifiability.pairs import same_function


@pytest.mark.parametrize("widths", [(2, 2, 2, 2, 1), (3, 2, 2, 1, 1), (3, 3, 2, 3, 2)])
def test_parts_and_whole(widths: tuple[int, ...], tmp_path: Path) -> None:
    found = non_localizable(widths)
    assert found.network.widths == widths
    assert [v.answer for v in found.verdicts.values()] == [True, True, False]
    assert same_function(found.network, found.whole.witness)
    certificates = [v.certificate for v in found.verdicts.values() if v.certificate is not None]
    assert len(certificates) == 3
    assert_accepted(certificates, tmp_path)


def test_other_widths_are_refused() -> None:
    with pytest.raises(InputError, match="n0 >= n1 >= n2 >= 2"):
        non_localizable((2, 2, 1, 1, 1))
