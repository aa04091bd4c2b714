"""Cases and kept certificates of format 1 about two networks, converted, get the same verdict."""

from __future__ import annotations

import pytest
from bundles2 import sealed
from convert.pairs import KINDS, converted
from old_files import old_files
from test_cases2 import check_bytes

from exactrelu.errors import ExactReluError

#: Refused in format 1, and accepted after conversion.
LISTED = {
    "different/domain-not-open--closed": "values are claimed on the closure",
    "different/point-outside--boundary": "values are claimed on the closure",
    "equal-by-cells/domain-not-open--closed": "values are claimed on the closure",
    "not-equal-within/domain-not-open--closed": "values are claimed on the closure",
    "not-equal-within/point-outside--boundary": "values are claimed on the closure",
    "unbounded-difference/domain-not-open--closed": "values are claimed on the closure",
    "unbounded-difference/wrong-length--point": "a ray needs no point but inside",
}
#: Accepted in format 1: claims about the empty set.
ABOUT_NOTHING = {
    "equal-by-cells/empty-domain", "equal-by-cells/no-hidden-layer", "equal-within/empty-domain",
}  # fmt: skip
#: Refused in format 1; on an empty set, or with a fault that no line of format 2 can have.
NOT_CONVERTED = {
    "bounded-cells/not-a-list--bounds",
    "equal-by-cells/combination-not-zero--empty",
    "equal-by-cells/index-out-of-range--row-of-empty",
    "equal-by-cells/multiplier-not-positive--zero",
    "equal-by-cells/not-a-list--facts",
    "equal-by-cells/not-an-integer--fact",
    "equal-by-cells/unknown-sense--sign",
    "equal-by-cells/wrong-fields--empty-without-facts",
    "equal-by-cells/wrong-fields--split-without-neuron",
    "equal-by-cells/wrong-length--fact",
    "equal-by-cells/wrong-length--facts",
    "equal-by-cells/wrong-length--signs",
    "equal-by-cells/wrong-length--values",
    "largest-difference/point-outside--inside-is-not",
    "largest-difference/point-outside--inside-is-on-the-boundary",
    "largest-difference/point-outside--the-domain-is-empty",
    "largest-difference/wrong-fields--no-inside",
    "largest-difference/wrong-length--inside",
    "unbounded-difference/point-outside--of-the-domain",
    "unbounded-difference/point-outside--on-the-boundary",
    "unbounded-difference/wrong-fields--no-direction",
}

OLD = old_files(KINDS)


@pytest.mark.parametrize("name", sorted(OLD))
def test_converted(name: str) -> None:
    accepted, lines = OLD[name]
    try:
        new = converted(lines)
    except (ValueError, LookupError, TypeError, AttributeError, ExactReluError):
        assert name in (ABOUT_NOTHING if accepted else NOT_CONVERTED)
        return
    outcome = check_bytes(sealed(new))
    assert outcome.code != "internal-error"
    is_accepted = accepted or name in LISTED
    assert (outcome.verdict == "ACCEPTED") is is_accepted, (outcome, new)


def test_lists_are_short() -> None:
    assert {*LISTED, *ABOUT_NOTHING, *NOT_CONVERTED} <= OLD.keys()
    assert sum(accepted for accepted, _ in OLD.values()) > 100
