"""What is said beside the answer: near the network, of single neurons, of the second network.

*Globally* the answer itself: all networks of the class count, however far they are.  *Locally*
identifiable is a network if every network of its widths that is close enough to it and has its
values on the domain is a scaling of it.  That follows from a yes among all networks, and from a
full functional dimension (:mod:`.functional_dimension`); a neuron that is free
(:mod:`.settled`) shows the contrary, and so does a flat domain, of whose equations any multiple can
be added to a row.  Else nothing is said: one second network says nothing about those near by.

*Settled* are neurons that are determined near the network, or free.  Where the network is not
identifiable, it is these that are known of it all the same.

*The second network* of a no may be special.  Whether it is in general position
(:mod:`.general_position`) says if the network is identifiable among such networks at least.

None of this is certified.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from exactrelu.certificates.certificate import Certificate, Verdict
from exactrelu.effort import Effort, Stopped
from exactrelu.network.network import PlainNetwork, plain
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.identifiability.functional_dimension import is_full_at_samples
from exactrelu.questions.identifiability.general_position import is_in_general_position
from exactrelu.questions.identifiability.settled import Search, Settled, all_determined

#: Beyond this many hidden neurons, or faces of codimension at most 2, a no is left as it is.
MAX_HIDDEN = 24
MAX_FACES = 2_000
#: The parts of the time that is left for the three of them.
SHARE = 0.3


@dataclass(frozen=True, eq=False, repr=False)
class Identifiability(Verdict):
    """The verdict, and what is known beside it, None where it is not.

    ``locally`` is whether the network is locally identifiable, ``settled`` which of its neurons are
    determined or free, ``second_in_general_position`` is about the ``witness`` of a no.
    """

    locally: bool | None = None
    settled: Settled | None = None
    second_in_general_position: bool | None = None

    @property
    def among(self) -> str | None:
        """Among which networks the answer is certified; the word that the claim has for them."""
        if self.answer is None or not isinstance(self.certificate, Certificate):
            return None
        return str(self.certificate.fields.get("among", "general"))

    @property
    def lines(self) -> list[str]:
        """The same in words; a yes needs none."""
        return [line for _, line in self._said()]

    @property
    def computed(self) -> tuple[str, ...]:
        """What the lines are about."""
        return tuple(name for name, _ in self._said())

    def _said(self) -> Iterator[tuple[str, str]]:
        if self.answer:
            return
        if self.answer is False:
            if self.locally is not None:
                yield "local identifiability", _LOCALLY[self.locally]
            if self.second_in_general_position is not None:
                word = "in" if self.second_in_general_position else "not in"
                yield "general position", f"the second network is {word} general position"
        if self.settled is not None:
            yield "which neurons are settled", self.settled.text()

    @property
    def fields(self) -> dict[str, Any]:
        """The same as ``--json`` has it."""
        return {
            "among": self.among,
            "locally_identifiable": self.locally,
            **(Settled({}, ()) if self.settled is None else self.settled).fields,
            "second_in_general_position": self.second_in_general_position,
        }

    def _known(self) -> dict[str, Any]:
        return {"witness": self.witness, **self.fields}


_LOCALLY = {
    True: "locally it is identifiable: networks near by with its function are scalings of it",
    False: "not locally either: there are such networks as near as one likes",
}


def told(verdict: Verdict, network: PlainNetwork, place: Domain, effort: Effort) -> Identifiability:
    """A yes or a no with all that is found out beside it in the time that is left."""
    answer, witness, proof = verdict.answer, verdict.witness, verdict.certificate
    among_all = isinstance(proof, Certificate) and proof.fields.get("among") == "all"
    said = answer, verdict.reason, witness, proof
    if network.n_hidden_neurons > MAX_HIDDEN:
        return Identifiability(*said, locally=True if answer and among_all else None)
    is_full = (answer is True and among_all) or _is_full(network, place, effort)
    if answer:
        return Identifiability(*said, locally=is_full or None, settled=all_determined(network))
    settled = all_determined(network) if is_full else _settled(network, place, effort)
    is_free = place.is_flat or settled.is_free
    part = effort.part(share=SHARE, faces=MAX_FACES)
    is_general = is_in_general_position(plain(witness, "identifiability"), place, part).answer
    locally = True if is_full else (False if is_free else None)
    return Identifiability(
        *said, locally=locally, settled=settled, second_in_general_position=is_general
    )


def _is_full(network: PlainNetwork, place: Domain, effort: Effort) -> bool:
    # On a flat domain the dimension is that of the restriction, which has fewer parameters.
    with suppress(Stopped):
        return not place.is_flat and is_full_at_samples(network, place, effort.part(share=SHARE))
    return False


def _settled(network: PlainNetwork, place: Domain, effort: Effort) -> Settled:
    search = Search(network, place, effort.part(share=SHARE))
    with suppress(Stopped):
        search.run()
    return search.found
