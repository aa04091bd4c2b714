"""A statement of the table is false.

For the instance the hypotheses of the statement ``lemma`` hold and its conclusion fails.
The table is in ``lemmas``, by paper: the words of each statement, the names of the objects
of an instance, and a function from an instance to what a counterexample must show. The
function computes what is plain arithmetic, and refuses the instance if a hypothesis fails
or if nothing would be shown; networks that the statement derives from others are derived by
it. For the rest it gives the claims that must be proved.

``facts`` as in ``facts``; ``instance``: an object with the names of the statement; a
subject of the facts is named in it too.

``facts``: the facts are exactly the claims that must be proved, in this order (a fact may
say more where the table leaves a field open, and what it says there is looked at); then
their proofs. Nothing of the table is taken to be true, as the page of the kind says.
"""

from typing import Any

from . import claims
from .claims import Book, Field, kind, word
from .facts import Facts, facts_by_facts, field, named
from .file import Json, Proof, canonical, form, need
from .lemmas import LEMMAS
from .lemmas.lemma import Instance
from .numbers import paired


def _read_instance(value: Any) -> Json:
    form(isinstance(value, dict), "wrong-fields", "an instance is a JSON object")
    return dict(value)


def _instance_text(found: Json, value: Any, book: Book) -> str:
    return ", ".join(
        f"{name} = {_object_text(found[name], book)}" for name in sorted(found)
    )


def _object_text(value: Any, book: Book) -> str:
    for name, known in _OBJECTS:
        if isinstance(value, dict) and name in value:
            return known.text(known.read(value), value, book)
    return book.short(canonical(value))


_OBJECTS = (("layers", claims.network), ("dim", claims.domain), ("matrix", claims.matrix))


@kind(
    "{lemma} is false for {instance}, as {facts}",
    lemma=Field(
        word(*LEMMAS).read, lambda name, value, book: f"{name} ({LEMMAS[name].statement})"
    ),
    instance=Field(_read_instance, _instance_text),
    facts=field,
)
def counterexample(lemma: str, instance: Json, facts: Facts) -> None:
    """An instance with the names of the statement, and subjects in the place of theirs."""
    names = LEMMAS[lemma].names
    form(
        instance.keys() == names,
        "wrong-fields",
        f"an instance has {', '.join(sorted(names))}",
    )
    ok = {*map(canonical, facts.subjects.values())}.isdisjoint(
        map(canonical, instance.values())
    )
    form(ok, "subjects-not-normal", "a subject is named in the instance too")
    instance.update(named(instance, facts.subjects))


def counterexample_by_facts(proof: Proof, lemma: str, instance: Any, facts: Facts) -> None:
    """The facts are what has to be shown, and they hold."""
    asked = list(LEMMAS[lemma].needs(Instance(instance, proof)))
    need(len(asked) == len(facts.claims), "wrong-facts", f"{len(asked)} facts are needed")
    for number, (fact, wanted) in enumerate(paired(facts.claims, asked), 1):
        ok = canonical(fact | {"kind": wanted.kind, **wanted.fields}) == canonical(fact)
        need(ok, "wrong-facts", f"fact {number} is not what must be shown")
        wanted.look(fact)
    facts_by_facts(proof, facts)
