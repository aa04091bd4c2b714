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

from exactrelu.answer import Names, Part
from exactrelu.certificates.certificate import Certificate, Verdict
from exactrelu.effort import Effort, Stopped
from exactrelu.network.network import Network, PlainNetwork, plain
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.identifiability.functional_dimension import (
    FunctionalDimension,
    is_full_at_samples,
)
from exactrelu.questions.identifiability.general_position import is_in_general_position
from exactrelu.questions.identifiability.settled import (
    Neuron,
    NeuronSearch,
    SettledNeurons,
    all_determined,
)
from exactrelu.words import Words

#: Beyond this many hidden neurons, or faces of codimension at most 2, a no is left as it is.
MAX_HIDDEN = 24
MAX_FACES = 2_000
#: The parts of the time that is left for the three of them.
SHARE = 0.3


@dataclass(frozen=True, eq=False, repr=False)
class Identifiability(Verdict):
    """The verdict, and what is known beside it, None where it is not.

    ``locally_identifiable`` is whether the network is locally identifiable, ``settled`` which of
    its neurons are determined or free, ``second_in_general_position`` is about the ``witness`` of a
    no.
    """

    PARTS = (
        Part("witness", "null, or of a no a second network", proved=True, of="second"),
        Part("among", "null, or among which networks the answer is certified", proved=True),
        Part(
            "functional_dimension",
            "of an undecided answer: its `value`, whether that `is_exact`, the `upper_bound`, and "
            "whether the network is therefore `locally_identifiable`",
            proved=("value",),
        ),
        Part(
            "identifiable_if_generic",
            "of an undecided answer: whether it is identifiable if it is generic, or null",
        ),
        Part(
            "locally_identifiable",
            "whether every network near by with its function is a scaling of it, or null",
        ),
        Part(
            "settled",
            "neurons that are determined or free: `neuron` and `how`",
            of="settled_neurons",
        ),
        Part("open", "the others, where it was asked which are settled"),
        Part(
            "second_in_general_position",
            "whether the second network is in general position, or null",
        ),
    )

    locally_identifiable: bool | None = None
    settled: SettledNeurons | None = None
    second_in_general_position: bool | None = None

    @property
    def among(self) -> str | None:
        """Among which networks the answer is certified; the word that the claim has for them."""
        if self.answer is None or not isinstance(self.certificate, Certificate):
            return None
        return str(self.certificate.fields.get("among", "general"))

    @property
    def second(self) -> Network | None:
        """The second network of a no."""
        return self.witness if self.answer is False else None

    @property
    def dimension(self) -> FunctionalDimension | None:
        """What is known of the functional dimension where nothing else is."""
        return self.witness.dimension if self.answer is None and self.witness else None

    @property
    def functional_dimension(self) -> dict[str, Any] | None:
        """The same in numbers."""
        return None if self.dimension is None else self.dimension.fields

    @property
    def identifiable_if_generic(self) -> bool | None:
        """Whether it is identifiable if it is generic, where nothing else is known."""
        return self.witness.identifiable_if_generic if self.dimension is not None else None

    @property
    def settled_neurons(self) -> list[dict[str, Any]]:
        """The neurons that are determined or free, each with how."""
        return [] if self.settled is None else self.settled.listed

    @property
    def open(self) -> tuple[Neuron, ...]:
        """The others, as far as it was asked."""
        return () if self.settled is None else self.settled.open

    @property
    def _proves_answer(self) -> bool:
        return self.answer is not None

    @property
    def lines(self) -> list[str]:
        """What is known beside, in words; a yes needs none."""
        return [line for _, line in self._said()]

    def said(self, _words: Words) -> list[str]:
        """The second network of a no, and what is known beside."""
        second = ["  a second network has the same function, and is not isomorphic"]
        return [*(second if self.answer is False else []), *(f"  {line}" for line in self.lines)]

    def _computed(self, *, lists: bool) -> Names:
        """What the lines are about, and what of the functional dimension is not proved."""
        names = tuple(name for name, _ in self._said())
        if self.dimension is not None and self.certificate is None:
            return (*names, "the functional dimension")
        if (
            self.dimension is not None
            and self.dimension.is_complete
            and not self.locally_identifiable
        ):
            return (*names, "that the functional dimension is not larger")
        return names

    def _said(self) -> Iterator[tuple[str, str]]:
        if self.answer:
            return
        if self.answer is False:
            if self.locally_identifiable is not None:
                yield "local identifiability", _LOCALLY[self.locally_identifiable]
            if self.second_in_general_position is not None:
                word = "in" if self.second_in_general_position else "not in"
                yield "general position", f"the second network is {word} general position"
        if self.settled is not None:
            yield "which neurons are settled", self.settled.text()


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
        return Identifiability(*said, locally_identifiable=True if answer and among_all else None)
    is_full = (answer is True and among_all) or _is_full(network, place, effort)
    if answer:
        return Identifiability(
            *said, locally_identifiable=is_full or None, settled=all_determined(network)
        )
    settled = all_determined(network) if is_full else _settled(network, place, effort)
    is_free = place.is_flat or settled.is_free
    part = effort.part(share=SHARE, faces=MAX_FACES)
    is_general = is_in_general_position(plain(witness, "identifiability"), place, part).answer
    locally = True if is_full else (False if is_free else None)
    return Identifiability(
        *said, locally_identifiable=locally, settled=settled, second_in_general_position=is_general
    )


def _is_full(network: PlainNetwork, place: Domain, effort: Effort) -> bool:
    # On a flat domain the dimension is that of the restriction, which has fewer parameters.
    with suppress(Stopped):
        return not place.is_flat and is_full_at_samples(network, place, effort.part(share=SHARE))
    return False


def _settled(network: PlainNetwork, place: Domain, effort: Effort) -> SettledNeurons:
    search = NeuronSearch(network, place, effort.part(share=SHARE))
    with suppress(Stopped):
        search.run()
    return search.found
