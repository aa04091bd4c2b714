"""Is a network in the fiber of another one: the same widths, the same function?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from exactrelu.certificates.certificate import claim
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.verdict import Verdict

C = TypeVar("C")


@dataclass(frozen=True)
class Membership(Generic[C]):
    """Whether a network is a member, with proof; and the component that it lies in, if known."""

    verdict: Verdict
    component: C | None

    @property
    def answer(self) -> bool | None:
        return self.verdict.answer


def member_verdict(a: Network, b: Network, domain: LinearSystem, equal: Verdict) -> Verdict:
    """The verdict about membership, from that about equality on the domain.

    A network of other widths is no member of the fiber; of its function only equality is said.
    """
    if not equal.answer or equal.certificate is None or a.widths != b.widths:
        return equal
    certificate = claim("fiber-member", equal.certificate.evidence, a=a, b=b, domain=domain)
    return Verdict(True, equal.reason, None, certificate)
