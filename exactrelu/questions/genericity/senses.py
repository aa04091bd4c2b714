"""The senses in which a network can be generic, and the question.

A *sense* is a list of conditions, each a function from a network to a verdict.  A
sense holds if all its conditions do.  To add a condition, write its question, and list
it here.  The certificate of a sense with several conditions holds the records of all of
them, one after the other; that of a no is the certificate of the condition that fails.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol

from exactrelu.certificates.certificate import Certificate
from exactrelu.errors import InputError
from exactrelu.network.network import Network
from exactrelu.questions.genericity.masked_rank import masked_rank
from exactrelu.questions.genericity.proportional import non_proportional
from exactrelu.verdict import Verdict


class Failure(Protocol):
    """What violates a condition, with its witness."""

    def text(self) -> str:
        """For people."""

    def fields(self) -> dict[str, Any]:
        """For ``--json``."""


class Condition(Protocol):
    """A question whose verdict has the failures, smallest first, as the witness of a no."""

    def __call__(
        self,
        network: Network,
        *,
        all_failures: bool = False,
        max_masks: int | None = None,
        timeout: float | None = None,
        progress: Callable[[int], object] = ...,
    ) -> Verdict:
        """The verdict; undecided over a limit."""


@dataclass(frozen=True)
class Sense:
    """A name, what it means, and the conditions."""

    name: str
    meaning: str
    conditions: tuple[Condition, ...] = field(repr=False)


SENSES: Mapping[str, Sense] = MappingProxyType(
    {
        sense.name: sense
        for sense in (
            Sense("masked-rank", "all masked ranks are maximal", (masked_rank,)),
            Sense(
                "non-proportional",
                "no two units with nontrivial indicators have proportional affine functions",
                (non_proportional,),
            ),
        )
    }
)
DEFAULT_SENSE = "masked-rank"
#: What ``make_generic`` aims at.
PERTURBED_SENSES = ("masked-rank", "non-proportional")


def is_generic(
    network: Network,
    sense: str = DEFAULT_SENSE,
    *,
    all_failures: bool = False,
    max_masks: int | None = None,
    timeout: float | None = None,
    progress: Callable[[int], object] = lambda n: None,
) -> Verdict:
    """Whether the network is generic in a sense of ``SENSES``.

    The witness of a no is the tuple of failures found: one, or with ``all_failures`` all.
    Limits bound each condition of the sense.

    >>> net = Network.from_arrays([[[1, 0], [1, 0]], [[1, 2]]], [[0, 1], [0]])
    >>> is_generic(net, "masked-rank").reason
    'rank(I1 W1) < 2 with I1={1,2}: -1·row 1 + 1·row 2 = 0'
    """
    if sense not in SENSES:
        raise InputError(f"sense {sense!r}: expected one of {', '.join(SENSES)}")
    verdicts = []
    for condition in SENSES[sense].conditions:
        verdict = condition(
            network,
            all_failures=all_failures,
            max_masks=max_masks,
            timeout=timeout,
            progress=progress,
        )
        verdicts.append(verdict)
        if verdict.answer is False and not all_failures:
            return verdict
    return _conjunction(network, sense, verdicts)


def _conjunction(network: Network, sense: str, verdicts: list[Verdict]) -> Verdict:
    """All conditions together."""
    if len(verdicts) == 1:
        return verdicts[0]
    reason = "; ".join(verdict.reason for verdict in verdicts)
    failures = tuple(failure for verdict in verdicts for failure in verdict.witness or ())
    failing = [verdict for verdict in verdicts if verdict.answer is False]
    if failing:
        return Verdict(False, reason, failures, failing[0].certificate)
    if any(verdict.answer is None for verdict in verdicts):
        return Verdict(None, reason)
    certificates = (verdict.certificate for verdict in verdicts)
    records = tuple(record for c in certificates if c is not None for record in c.records)
    fields = {"network": network.canonical_form()}
    return Verdict(True, reason, certificate=Certificate(sense, fields, records))
