"""What there is to say of a network at a glance, and of the file that it was read from.

A network for which somebody else's file was read has two hashes: that of the bytes of the file, and
that of the exact parameters.  Of an ONNX graph a part may be read; which part is told too.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from exactrelu.answer import Names, Part
from exactrelu.certificates.certificate import Found
from exactrelu.files import kind_named, unpacked_name
from exactrelu.network.formats.load import network_file
from exactrelu.network.formats.onnx_graph import Reading
from exactrelu.network.network import Network, widths_text
from exactrelu.network.roles import Role, described, has_roles, neuron_groups, quick_roles
from exactrelu.view.layers import drawn, layer_sizes, takes_long_to_hash
from exactrelu.words import PEOPLE, Words, count


@dataclass(frozen=True)
class Source:
    """The file of a network, and what was read of it, as :func:`exactrelu.load` takes it."""

    path: str
    options: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def sha256(self) -> str:
        """The hash of the file as it is stored."""
        with open(network_file(self.path), "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @property
    def rows(self) -> Iterator[tuple[str, str]]:
        """What was read, and the hash of what is the work of other programs.

        Exact JSON is the network as it is.
        """
        if self.options:
            yield "read", Reading.of(**self.options).words.strip(" ()")
        if not kind_named(self.path) and not unpacked_name(self.path).lower().endswith(".json"):
            yield "file", f"sha256 {self.sha256}"


@dataclass(frozen=True, repr=False)
class _FromFile(Found):
    """A network and its file."""

    network: Network
    source: Source

    @property
    def sha256(self) -> str | None:
        """The hash of the exact parameters."""
        return self.network.sha256


_WIDTHS = Part(
    "widths",
    "numbers of neurons from the inputs to the outputs",
    of=lambda found: found.network.widths,
)
_SHA256 = Part("sha256", "of the exact parameters")
_FILE = (
    Part(
        "file_sha256", "of the bytes of the file that is read", of=lambda found: found.source.sha256
    ),
    Part(
        "options",
        "what was read of an ONNX graph, if not all of it",
        of=lambda found: found.source.options,
    ),
)


def _of(name: str, about: str, of: str = "") -> Part:
    """What a network has itself."""
    return Part(name, about, of=lambda found: getattr(found.network, of or name))


def _groups(found: Summary) -> list[dict[str, Any]]:
    return [
        {
            "layer": group.layer,
            "neurons": list(group.neurons),
            "duplicates": group.has_duplicates,
            "cancelling": group.is_cancelling,
        }
        for group in neuron_groups(found.network)
    ]


@dataclass(frozen=True, repr=False)
class Summary(_FromFile):
    """A network at a glance."""

    PARTS = (
        _of("name", "the name in the file, or an empty text"),
        _WIDTHS,
        _of("parameters", "number of weights and biases", "n_parameters"),
        _of("bits", "of the longest numerator or denominator"),
        _SHA256,
        _of("activation", "the activation function, and whether it was assumed"),
        Part("neurons", "how many hidden neurons are `dead`, `linear`, `nonlinear`, `undecided`"),
        Part("roles", "the role of each hidden neuron, layer by layer"),
        Part(
            "groups",
            "neurons of a layer with one hyperplane, and whether they are duplicates or cancel",
            of=_groups,
        ),
        _of("linear_units", "number of linear units", "n_linear_units"),
        Part(
            "layers",
            "of each layer its `neurons`, its `linear` units, the `entries` of its matrix that are "
            "not 0, whether it is `sparse`, and its `bits`",
            of=lambda found: [size.to_object() for size in layer_sizes(found.network)],
        ),
        *_FILE,
    )

    #: Whether to hash the network even where that takes minutes.
    is_hashed: bool = False
    #: Whether to draw the layers, a line each.
    has_graph: bool = False

    @cached_property
    def sha256(self) -> str | None:
        """The hash of the exact parameters; None where it takes minutes."""
        is_long = takes_long_to_hash(self.network) and not self.is_hashed
        return None if is_long else self.network.sha256

    @cached_property
    def roles(self) -> list[list[str]] | None:
        """The roles of all neurons; None in a network too large for that."""
        roles = quick_roles(self.network)
        return None if roles is None else [[role.value for role in layer] for layer in roles]

    @property
    def neurons(self) -> dict[str, int] | None:
        """How many neurons have each role."""
        totals = Counter(name for layer in self.roles or () for name in layer)
        return None if self.roles is None else {role.value: totals[role.value] for role in Role}

    def _computed(self, *, lists: bool) -> Names:
        has_any = self.network.n_hidden_neurons and has_roles(self.network)
        return ("roles of neurons",) if has_any else ()

    def sentence(self, _words: Words = PEOPLE) -> str:
        """Its name and its size."""
        network = self.network
        return (
            f"{network.name or 'the network'} is a {widths_text(network)} ReLU network with "
            f"{count(network.n_parameters, 'parameter')} "
            f"of at most {count(network.bits, 'bit')}"
        )

    def told(self, _question: str, _words: Words) -> list[str]:
        """A line for each thing that there is to say."""
        late = "takes minutes for so large a network: --sha256 computes it"
        rows = [*described(self.network), *self.source.rows, ("sha256", self.sha256 or late)]
        lines = [f"{name:<11} {words}" for name, words in rows]
        return [*lines, *drawn(self.network)] if self.has_graph else lines


@dataclass(frozen=True, repr=False)
class Converted(_FromFile):
    """A network that was written into another file, of the same parameters."""

    PARTS = (_WIDTHS, _SHA256, *_FILE)

    target: str

    def sentence(self, _words: Words = PEOPLE) -> str:
        """What the file holds."""
        return f"{self.target} holds the same {self.network.n_parameters:,} parameters exactly"

    def said(self, _words: Words) -> list[str]:
        """What was read, and the hashes."""
        # The file comes before what was read of it.
        rows = [*reversed([*self.source.rows]), ("sha256", self.sha256)]
        if self.network.activation != "ReLU":
            rows.append(("activation", self.network.activation))
        return [f"{name} {words}" for name, words in rows]
