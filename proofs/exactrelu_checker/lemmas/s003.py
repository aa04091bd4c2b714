"""Statements of Puthawala et al., *Globally injective ReLU networks*."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from .lemma import Instance, Lemma, Need, derived, everywhere, require


def _lemma_1(instance: Instance) -> Iterator[Need]:
    layer = instance.hidden_layer("N")
    kept = [row for row in layer.rows if row[-1] >= 0]
    require(bool(kept), "no bias is nonnegative: the rows that are left are no layer")
    place = {"domain": everywhere(layer.width - 1), "layer": 0}
    yield Need(("layer-injective",), {"network": instance.network("N").as_json(), **place})
    fewer = [(layer.den, [[*row[:-1], 0] for row in kept]), (1, [[0] * (len(kept) + 1)])]
    yield Need(("layer-not-injective",), {"network": derived(fewer, instance.budget), **place})


LEMMAS: Mapping[str, Lemma] = MappingProxyType(
    {
        "S003-lemma-1": Lemma(
            "if ReLU(Wx + b) is injective, so is ReLU(W'x), W' the rows of W with b >= 0",
            frozenset({"N"}),
            _lemma_1,
        ),
    }
)
