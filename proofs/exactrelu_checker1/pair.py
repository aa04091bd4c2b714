"""Two networks of a claim, A and B, and what is said about them on a domain."""

from collections.abc import Callable
from functools import partial

from .bound import read_bound
from .budget import Budget
from .canonical import Fields
from .describe import rational_text, widths_text
from .domain import domain_text, polyhedron_text, read_domain, read_polyhedron
from .integers import dot, multiply
from .network import Network, read_network
from .reader import Certificate
from .statement import Claim, Rule, Subject, subject
from .system import System
from .values import RationalVector
from .verdicts import Reason, Refused

PAIR_FIELDS = frozenset({"a", "b"})
Check = Callable[[Network, Network, System, Certificate, Budget], None]
BoundedCheck = Callable[[Network, Network, System, RationalVector, Certificate, Budget], None]


def read_pair(claim: Fields, budget: Budget) -> tuple[Network, Network]:
    """Return the two networks of a claim."""
    return read_network(claim["a"], budget), read_network(claim["b"], budget)


def pair_text(a: Network, b: Network) -> str:
    """Describe the networks in a few words."""
    widths = f"widths {widths_text(a.widths())}"
    return f"the networks A of {widths} and B of widths {widths_text(b.widths())}"


def pair_subjects(a: Network, b: Network) -> tuple[Subject, Subject]:
    """Name the networks by the hashes of their canonical bytes."""
    return subject("A", a.as_json()), subject("B", b.as_json())


def differences_at(
    a: Network, b: Network, point: RationalVector, budget: Budget
) -> tuple[int, list[int]]:
    """Return by how much each output differs at a point, without sign, over a denominator."""
    left, right = a.evaluate(point, budget)[0], b.evaluate(point, budget)[0]
    pairs = zip(left.nums, right.nums, strict=True)
    den = multiply(left.den, right.den, budget)
    return den, [abs(dot(pair, (right.den, -left.den), budget)) for pair in pairs]


def excesses_at(
    a: Network, b: Network, point: RationalVector, bound: RationalVector, budget: Budget
) -> list[int]:
    """Return by how much each output differs at a point beyond a bound, up to a factor > 0."""
    den, sizes = differences_at(a, b, point, budget)
    limit = multiply(den, bound.nums[0], budget)
    return [multiply(size, bound.den, budget) - limit for size in sizes]


def pair_rule(says: str, check: Check) -> Rule:
    """Return the rule of a claim about two networks with the same inputs and outputs."""

    def read(claim: Fields, budget: Budget) -> Claim:
        a, b = _read_alike(claim, budget)
        domain = read_domain(claim["domain"], a, budget)
        says_where = f"{says} {domain_text(domain)}"
        return _claim(says_where, claim, a, b, partial(check, a, b, domain))

    return Rule(PAIR_FIELDS | {"domain"}, read)


def bounded_pair_rule(says: str, check: BoundedCheck, *, is_open: bool = True) -> Rule:
    """Return the rule of such a claim with a bound >= 0, which is put into the sentence.

    The rows of the domain may have any sense if it need not be open.
    """
    place_of, words_for = (
        (read_domain, domain_text) if is_open else (read_polyhedron, polyhedron_text)
    )

    def read(claim: Fields, budget: Budget) -> Claim:
        a, b = _read_alike(claim, budget)
        domain = place_of(claim["domain"], a, budget)
        bound = read_bound(claim["bound"], budget)
        says_where = f"{says.format(rational_text(bound))} {words_for(domain)}"
        return _claim(says_where, claim, a, b, partial(check, a, b, domain, bound))

    return Rule(PAIR_FIELDS | {"bound", "domain"}, read)


def _read_alike(claim: Fields, budget: Budget) -> tuple[Network, Network]:
    a, b = read_pair(claim, budget)
    if (a.widths()[0], a.widths()[-1]) != (b.widths()[0], b.widths()[-1]):
        raise Refused(Reason.SHAPES_DIFFER, "the networks have other numbers of inputs or outputs")
    return a, b


def _claim(
    says: str, claim: Fields, a: Network, b: Network, check: Callable[[Certificate, Budget], None]
) -> Claim:
    return Claim(
        f"{pair_text(a, b)} {says}",
        (*pair_subjects(a, b), subject("D", claim["domain"])),
        check,
        (a, b),
    )
