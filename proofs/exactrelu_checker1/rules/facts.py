"""Several claims at once.

Statement. Every one of the claims in ``facts`` holds.

Evidence. The records of each, one after the other. Claims that hold claims are not among them.
"""

from collections.abc import Mapping

from ..budget import Budget
from ..canonical import Fields, as_fields, require_fields
from ..reader import Certificate
from ..statement import Claim, Rule
from ..values import read_list
from ..verdicts import Reason, Refused

Rules = Mapping[str, Rule]


def read_claim(rules: Rules, fields: Fields, budget: Budget) -> tuple[str, Claim]:
    """Return the kind of a claim and what its rule makes of it."""
    kind = fields.get("kind")
    if not isinstance(kind, str) or kind not in rules:
        raise Refused(Reason.UNKNOWN_KIND, "the kind of the claim is not known")
    rule = rules[kind]
    require_fields(fields, rule.fields | {"kind"}, f"a claim of kind {kind}")
    return kind, rule.read(fields, budget)


def read_facts(rules: Rules, value: object, budget: Budget) -> tuple[list[Fields], list[Claim]]:
    """Return claims as they stand, and what their rules make of them."""
    given = [as_fields(entry, "a fact") for entry in read_list(value)]
    if not given:
        raise Refused(Reason.NO_FACTS, "a list of facts is empty")
    return given, [read_claim(rules, fields, budget)[1] for fields in given]


def all_of(intro: str, claims: list[Claim]) -> Claim:
    """Return the claim that all hold; a sentence of each follows the introduction."""

    def check(certificate: Certificate, budget: Budget) -> None:
        for claim in claims:
            claim.check(certificate, budget)

    said = "; ".join(f"({number}) {claim.sentence}" for number, claim in enumerate(claims, 1))
    subjects = tuple(subject for claim in claims for subject in claim.subjects)
    networks = tuple(network for claim in claims for network in claim.networks)
    return Claim(f"{intro}: {said}", subjects, check, networks)


def facts_rule(rules: Rules) -> Rule:
    """Return the rule, for claims of the given kinds."""

    def read(claim: Fields, budget: Budget) -> Claim:
        return all_of("all of these hold", read_facts(rules, claim["facts"], budget)[1])

    return Rule(frozenset({"facts"}), read)
