"""The domain of a claim about a network: a polyhedron in the space of its inputs, mostly open."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from .budget import Budget
from .canonical import Fields
from .describe import widths_text
from .network import Network, read_network
from .reader import Certificate
from .statement import Claim, Rule, subject
from .system import System, read_system
from .values import read_index, read_list, read_vector
from .verdicts import Reason, Refused

Place = TypeVar("Place")
Check = Callable[[Network, Place, Certificate, Budget], None]
CountCheck = Callable[[int, Network, System, Certificate, Budget], None]


def read_polyhedron(value: object, network: Network, budget: Budget) -> System:
    """Return a system with as many variables as the network has inputs."""
    domain = read_system(value, budget)
    inputs = network.widths()[0]
    if domain.dim != inputs:
        raise Refused(
            Reason.DIMENSIONS_DIFFER, f"a domain in R^{domain.dim}, the network has {inputs} inputs"
        )
    return domain


def read_domain(value: object, network: Network, budget: Budget) -> System:
    """Return a system of strict rows, with as many variables as the network has inputs."""
    domain = read_polyhedron(value, network, budget)
    if any(sense != "gt" for sense in domain.senses):
        raise Refused(Reason.DOMAIN_NOT_OPEN, "a row of a domain is strict (gt)")
    return domain


def polyhedron_text(domain: System) -> str:
    """Describe a polyhedron that may be open, closed or neither, in a few words."""
    return f"the polyhedron D of {len(domain.rows)} rows in R^{domain.dim}"


def domain_text(domain: System) -> str:
    """Describe the domain in a few words."""
    return f"the open polyhedron D of {len(domain.rows)} rows in R^{domain.dim}"


def domain_rule(predicate: str, check: Check[System]) -> Rule:
    """Return the rule of a property that a network has or has not on a domain."""
    return place_rule(predicate, check, read_domain, domain_text)


def count_rule(field: str, predicate: str, check: CountCheck) -> Rule:
    """Return the rule of a number that a network has on a domain, which is put into the sentence.

    ``field`` is the name of the number in the claim.
    """

    def read(claim: Fields, budget: Budget) -> Claim:
        count = read_index(claim[field])
        says, proof = predicate.format(count), partial(check, count)
        return _read(says, proof, read_domain, domain_text, claim, budget)

    return Rule(frozenset({"domain", "network", field}), read)


def place_rule(
    predicate: str,
    check: Check[Place],
    place_of: Callable[[object, Network, Budget], Place],
    words_for: Callable[[Place], str],
) -> Rule:
    """Return the rule of a property on a domain that is read and described in this way."""
    fields = frozenset({"domain", "network"})
    return Rule(fields, partial(_read, predicate, check, place_of, words_for))


def _read(
    predicate: str,
    check: Check[Place],
    place_of: Callable[[object, Network, Budget], Place],
    words_for: Callable[[Place], str],
    claim: Fields,
    budget: Budget,
) -> Claim:
    network = read_network(claim["network"], budget)
    place = place_of(claim["domain"], network, budget)
    return Claim(
        f"the network N of widths {widths_text(network.widths())} {predicate} "
        f"on {words_for(place)}",
        (subject("N", network.as_json()), subject("D", claim["domain"])),
        partial(check, network, place),
        (network,),
    )


def read_part(value: object, domain: System, budget: Budget) -> System:
    """Return an open part of a domain: its rows, and the strict rows of a record."""
    rows = [read_vector(row, domain.dim + 1, budget) for row in read_list(value)]
    return System(domain.dim, domain.senses + ("gt",) * len(rows), (*domain.rows, *rows))
