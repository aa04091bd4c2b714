"""Several claims at once: every one of them holds.

``facts`` is {"list": […], "subjects": […]}. Each entry of the list is a claim as it would
stand in a file of its own, but objects among its fields (networks, domains, matrices, …)
are subjects: they stand in ``subjects``, once, and "@1", "@2", … names them, in the order
of first appearance. Claims that hold claims are not among them.

``facts``: the proofs of the claims one after the other, each with its own ``by``. Nothing
is shared between them but the subjects and the fuel; what one of them trusts, all of them
together trust.
"""

from typing import Any, NamedTuple

from .claims import Book, Field, kind, prove, read_claim
from .file import Json, Proof, canonical, form, limit
from .numbers import paired
from .objects import read_fields, read_list

_HOLDERS = ("counterexample", "facts")
_FACT = 2048  # fuel for a claim, whatever its size
_READING = 1 << 27  # fuel for reading subjects where they are named again


class Facts(NamedTuple):
    """Claims with their subjects in place, the subjects by name, and what reading them
    costs.
    """

    claims: list[Json]
    subjects: Json
    cost: int


def _read(value: Any) -> Facts:
    listed, given = (read_list(part) for part in read_fields(value, "list", "subjects"))
    form(listed, "no-facts", "a list of facts is empty")
    texts = {f"@{number}": canonical(subject) for number, subject in enumerate(given, 1)}
    subjects = dict(paired(texts, given))
    costs = {k: len(v) * (1 + max(map(len, v.split('"'))) // 256) for k, v in texts.items()}
    names: list[str] = []
    for fact in listed:
        form(isinstance(fact, dict), "wrong-fields", "a fact is a JSON object")
        form(fact.get("kind") not in _HOLDERS, "unknown-kind", "a fact that holds facts")
        nested = any(isinstance(entry, dict) for entry in fact.values())
        form(not nested, "subjects-not-normal", "an object is a subject, which is named")
        names += [
            entry for entry in fact.values() if isinstance(entry, str) and entry in texts
        ]
    ok = list(dict.fromkeys(names)) == [*texts] and len({*texts.values()}) == len(texts)
    ok = ok and all(isinstance(subject, dict) for subject in given)
    form(ok, "subjects-not-normal", "subjects are different objects, by first appearance")
    cost = sum(costs[name] for name in names)
    limit(
        cost - sum(costs.values()) <= _READING,
        "too-many-mentions",
        "long subjects, often named",
    )
    return Facts(
        [named(fact, subjects) for fact in listed], subjects, _FACT * len(listed) + cost
    )


def named(fields: Json, subjects: Json) -> Json:
    """Return fields with subjects in the place of their names."""
    return {k: subjects.get(v, v) if isinstance(v, str) else v for k, v in fields.items()}


def _text(facts: Facts, value: Any, book: Book) -> str:
    sentences = (read_claim(fact, book).sentence for fact in facts.claims)
    return "; ".join(
        f"({number}) {sentence}" for number, sentence in enumerate(sentences, 1)
    )


field = Field(_read, _text)


facts = kind("all of these hold: {facts}", facts=field)


def facts_by_facts(proof: Proof, facts: Facts) -> None:
    """One proof after the other."""
    proof.spend(facts.cost)
    for fact in facts.claims:
        prove(proof, read_claim(fact, Book()))
