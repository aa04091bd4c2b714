"""A statement of the table is false.

Statement. For the instance the hypotheses of the statement ``lemma`` hold and its conclusion
fails. The statements are in ``lemmas``, in words and as what has to be shown.

Evidence. The claims that the statement asks for, with their records. What is plain arithmetic
about the instance is computed by the checker.
"""

from ..budget import Budget
from ..canonical import Fields, as_fields, canonical, require_fields
from ..lemmas import LEMMAS
from ..lemmas.lemma import Instance, Need
from ..statement import Claim, Rule
from ..verdicts import Reason, Refused
from .facts import Rules, all_of, read_facts


def counterexample_rule(rules: Rules) -> Rule:
    """Return the rule, for claims of the given kinds."""

    def read(claim: Fields, budget: Budget) -> Claim:
        name = claim["lemma"]
        if not isinstance(name, str) or name not in LEMMAS:
            raise Refused(Reason.UNKNOWN_LEMMA, "the statement is not known")
        lemma = LEMMAS[name]
        instance = as_fields(claim["instance"], "the instance")
        require_fields(instance, lemma.names, f"an instance of {name}")
        given, claims = read_facts(rules, claim["facts"], budget)
        needs = list(lemma.needs(Instance(instance, budget)))
        if len(given) != len(needs):
            raise Refused(Reason.WRONG_FACTS, f"{len(given)} facts, {len(needs)} needed")
        for number, (fact, need) in enumerate(zip(given, needs, strict=True), 1):
            if not _answers(fact, need):
                raise Refused(Reason.WRONG_FACTS, f"fact {number} is not what must be shown")
            need.look(fact)
        return all_of(f"{name} is false ({lemma.statement}), as", claims)

    return Rule(frozenset({"facts", "instance", "lemma"}), read)


def _answers(fact: Fields, need: Need) -> bool:
    """Tell whether a claim is of a kind that is asked for, about the objects asked for."""
    return fact["kind"] in need.kinds and all(
        canonical(fact.get(name)) == canonical(value)
        for name, value in need.fields.items()
        if name in fact or name not in need.optional
    )
