"""Claims: kinds, their fields and sentences, and how a claim meets its proof.

A kind is a statement, a sentence with fields, and another one for ``holds`` false. What a
field is its name says (``FIELDS``: a network has no linear units unless the kind lets it
have some). A field's text determines the field up to SHA-256 of what is long, so that two
claims never share a sentence. Networks and long objects are numbered N1, N2, D1, A1, … by
first appearance; equal texts share a number.

The function that a kind decorates says whether the fields of a claim fit together. Domains
and points must be in the space of the inputs of the network, unless the function returns
another width, and an output in that of its outputs. The method, named by the first record,
is the function KIND_by_METHOD, or not_KIND_by_METHOD for the negation, in the module of the
kind or where ``_ELSEWHERE`` says. It is called with the proof and the fields by name; it
returns if the claim is proved and refuses otherwise.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from typing import Any, NamedTuple

from . import objects
from .evidence import inside
from .file import Proof, canonical, form, need
from .numbers import longest, paired, pivot_place
from .objects import Domain, Matrix, Network, System, Vector

_SHOWN = 60
_SHOWN_DOMAIN = 200
_SHOWN_BITS = 192
_SHOWN_WIDTHS = 12


class Book:
    """The subjects of a sentence by their canonical texts, numbered by first appearance."""

    def __init__(self) -> None:
        self._names: dict[str, dict[str, str]] = {}  # by letter and text
        self.networks: dict[str, Network] = {}
        self.domains: dict[str, System] = {}

    def name(self, letter: str, value: Any, about: str) -> str:
        """Return N1 (about, sha256 …) where a text is new, then N1."""
        text, names = canonical(value), self._names.setdefault(letter, {})
        if text in names:
            return names[text]
        names[text] = f"{letter}{len(names) + 1}"
        return f"{names[text]} ({about}, sha256 {sha256(text)})"

    def short(self, text: str, entries: Sequence[str] = ()) -> str:
        """Return a text, of a list that of its entries, or its start and the SHA-256 of
        all.
        """
        return shortened(text)


class Field(NamedTuple):
    """How a field of a claim is read from its JSON, and said in a sentence."""

    read: Callable[[Any], Any]
    text: Callable[[Any, Any, Book], str]  # value, JSON, book


class Kind:
    """A statement about fields; without a negation it has no ``holds``."""

    def __init__(
        self, sentence: str, negation: str | None = None, /, **others: Field
    ) -> None:
        self.sentence, self.negation = sentence, negation
        names = re.findall(r"{(\w+)}", sentence)
        self.fields: Mapping[str, Field] = {
            name: {**FIELDS, **others}[name] for name in names
        }
        self.fits: Callable[..., int | None] = lambda **values: None

    def __call__(self, fits: Callable[..., int | None]) -> "Kind":
        """Take a test whether the fields fit together: a kind is a decorator of it."""
        self.fits = fits
        return self


class Claim(NamedTuple):
    """A claim: kind, whether the statement or its negation, fields, and the sentence."""

    kind: str
    holds: bool
    values: Mapping[str, Any]
    domains: tuple[System, ...] = ()
    sentence: str = ""

    @property
    def title(self) -> str:
        """The name of the kind, or not and that."""
        return "not " * (not self.holds) + self.kind


kind = Kind

# The module of each kind.
KINDS: Mapping[str, str] = {
    "bounded": "linear",
    "cancellation-free": "facets",
    "complex": "faces",
    "counterexample": "counterexample",
    "determined": "chains",
    "equal": "pairs",
    "facts": "facts",
    "fiber-dimension": "fibers",
    "fiber-equations": "fibers",
    "fiber-half-lines": "fibers",
    "fiber-layerwise": "fibers",
    "fiber-parts": "fibers",
    "fiber-strata": "fibers",
    "folds": "folds",
    "formula": "formula",
    "functional-dimension": "dimension",
    "functional-dimension-on": "dimension",
    "honest": "facets",
    "identifiable": "equality",
    "in-range": "range",
    "injective": "pairs",
    "isomorphic": "symmetry",
    "largest-difference": "pairs",
    "layer-injective": "pairs",
    "local-regions": "cells",
    "masked-rank": "masks",
    "minimal": "minimal",
    "no-chain": "chains",
    "non-proportional": "masks",
    "nonempty": "linear",
    "nonnegative-column-rank": "linear",
    "pointed": "linear",
    "property": "property",
    "rank": "linear",
    "regions": "cells",
    "roles": "roles",
    "sigma-min": "stability",
    "sign-vectors": "faces",
    "spark": "linear",
    "stability": "stability",
    "supertransversal": "zeros",
    "transparent": "cells",
    "value": "points",
    "within": "pairs",
    "zero-optimum": "zeros",
}
# Methods that are in other modules than that of their kind.
_ELSEWHERE: Mapping[str, str] = {
    "apart": "largest_difference_by_bounds largest_difference_by_splits "
    "within_by_bounds within_by_splits",
    "equality": "not_minimal_by_smaller",
    "forms": "equal_by_cells largest_difference_by_cells within_by_cells "
    "within_by_intervals",
    "formula": "not_in_range_by_bounds",
    "injectivity": "not_in_range_by_backward injective_by_pairs",
    "minimal": "identifiable_by_cases",
    "peeling": "identifiable_by_ridges identifiable_by_tracks",
    "points": "not_equal_by_point not_injective_by_points largest_difference_by_point "
    "largest_difference_by_ray not_layer_injective_by_points stability_by_points "
    "not_within_by_point",
    "rewriting": "equal_by_rewriting",
    "shallow": "equal_by_shallow equal_by_sides",
    "shards": "complex_by_shards equal_by_shards property_by_shards regions_by_shards "
    "transparent_by_shards within_by_shards",
    "signs": "identifiable_by_signs identifiable_by_sums",
    "spanning": "injective_by_layers layer_injective_by_blocks layer_injective_by_spanning",
    "splits": "property_by_splits",
    "symmetry": "equal_by_isomorphic",
}


def methods(title: str) -> dict[str, tuple[str, str]]:
    """Return the methods of a kind or its negation, each with its module and function."""
    own = KINDS[title.removeprefix("not ")]
    known = {**_ELSEWHERE, own: " ".join(from_module(own, "__dict__"))}
    start = re.sub("[ -]", "_", f"{title}_by_")
    return {
        name.removeprefix(start).replace("_", "-"): (module, name)
        for module, names in known.items()
        for name in names.split()
        if name.startswith(start)
    }


def read_claim(value: dict[str, Any], book: Book) -> Claim:
    """Return the claim of its JSON, with its sentence."""
    name = str(value.get("kind"))
    form(name in KINDS, "unknown-kind", "no kind of this name")
    known: Kind = from_module(KINDS[name], name)
    names = {"kind", *known.fields, *["holds"] * (known.negation is not None)}
    form(
        value.keys() == names,
        "wrong-fields",
        f"{name} has the fields {', '.join(sorted(names))}",
    )
    holds = objects.read_flag(value.get("holds", True))
    values = {field: known.fields[field].read(value[field]) for field in known.fields}
    _require_spaces(values, known.fits(**values))
    template = known.sentence if holds else str(known.negation)
    # In the order of the sentence, so that the numbers are those of first appearance.
    order = sorted(known.fields, key=lambda field: template.find(f"{{{field}}}"))
    texts = {f: known.fields[f].text(values[f], value[f], book) for f in order}
    domains = tuple(values[f] for f in order if isinstance(values[f], Domain))
    return Claim(name, holds, values, domains, template.format(**texts))


def prove(proof: Proof, claim: Claim, without: str = "") -> str:
    """Check the proof of one claim, by any method but one; return its method."""
    method, known = proof.method(), methods(claim.title)
    ok = method in known and method != without
    need(ok, "wrong-method", f"no method {method} proves this claim")
    for subject in claim.domains:
        inside(proof, subject)
    from_module(*known[method])(proof, **claim.values)
    return method


def fits(thing: System | Vector, width: int) -> None:
    """Refuse what is in another space than R^width."""
    ok = thing.dim == width
    form(ok, "dimensions-differ", f"something in R^{thing.dim}, not R^{width}")


def _require_spaces(values: Mapping[str, Any], width: Any) -> None:
    """Refuse a domain or points that are not in the space of the inputs, or in R^width, and
    what is no output.
    """
    of = values.get("network", values.get("a"))
    inputs = of.widths[0] if of and width is None else width
    there = values.get("domain"), values.get("point"), *values.get("points", ())
    for each in filter(None, there):
        fits(each, inputs)
    if "output" in values:
        fits(values["output"], of.widths[-1])


# Types of fields.


def _network_text(network: Network, value: Any, book: Book) -> str:
    book.networks[canonical(value)] = network
    units = paired(network.widths, [0, *(len(layer.linear) for layer in network.layers)])
    widths = [f"{n - linear}+{linear}" if linear else str(n) for n, linear in units]
    if len(widths) > _SHOWN_WIDTHS:
        widths[_SHOWN_WIDTHS - 1 : -1] = ["..."]
    return book.name("N", value, "-".join(widths))


def _domain_text(system: System, value: Any, book: Book) -> str:
    book.domains[canonical(value)] = system
    flat = " (flat: said in its affine hull)" if "eq" in system.senses else ""
    return (_box_text(system) or _set_text(system, value, book, "D")) + flat


def _set_text(system: System, value: Any, book: Book, letter: str) -> str:
    """Write the rows out if that is short: no text of a row is shorter than its entries not
    0.
    """
    entries = sum(len(row) - row.count(0) for row in system.rows)
    if entries <= _SHOWN_DOMAIN and longest(system.rows) <= _SHOWN_BITS:
        listed = ", ".join(row_text(sense, row) for sense, row in system.pairs)
        text = (
            f"{{x in R^{system.dim} : {listed}}}"
            if system.rows
            else f"all of R^{system.dim}"
        )
        if len(text) <= _SHOWN_DOMAIN:
            return text
    return book.name(letter, value, f"{len(system.rows)} rows in R^{system.dim}")


def row_text(sense: str, row: tuple[int, ...]) -> str:
    """Return x1 - 2 x2 + 3 >= 0."""
    terms = [f"{x:+} x{i}" for i, x in enumerate(row[:-1], 1) if x]
    if row[-1] or not terms:
        terms.append(f"{row[-1]:+}")
    # +1 x1 -2 x2 +3, then + x1 - 2 x2 + 3, then without the sign + at its start.
    text = " ".join(terms).replace("+", "+ ").replace("-", "- ").replace(" 1 x", " x")
    return (
        text[0].strip("+") + text[2:] + {"eq": " = 0", "ge": " >= 0", "gt": " > 0"}[sense]
    )


def _box_text(system: System) -> str:
    """Return the text of a box whose sides are closed, if the rows are those of one."""
    if len(system.rows) < system.dim:
        return ""  # an end without a row, and a dimension that no row has
    ends = [["", ""] for _ in range(system.dim)]
    for sense, row in system.pairs:
        place = pivot_place(row) or 0
        sides = (0, 1) if sense == "eq" else (0,) if row[place] > 0 else (1,)
        if (
            sense == "gt"
            or any(row[place + 1 : -1])
            or any(ends[place][side] for side in sides)
        ):
            return ""
        for side in sides:
            ends[place][side] = quotient(
                -row[-1] if row[place] > 0 else row[-1], abs(row[place])
            )
    text = "the box " + " x ".join(f"[{low},{high}]" for low, high in ends)
    return text if ends and all(map(all, ends)) and len(text) <= _SHOWN_DOMAIN else ""


def quotient(num: int, den: int) -> str:
    """Return num/den in lowest terms; long numbers in hexadecimal, as they are."""
    if max(num.bit_length(), den.bit_length()) > _SHOWN_BITS:
        return f"{num:#x}/{den:#x}"
    return str(Fraction(num, den))


def _rational_text(number: Vector, value: Any, book: Book) -> str:
    return book.short(quotient(number.nums[0], number.den))


def _vector_text(vector: Vector, value: Any, book: Book) -> str:
    return book.short(f"({', '.join(quotient(num, vector.den) for num in vector.nums)})")


def _json_text(found: Any, value: Any, book: Book) -> str:
    return canonical(value)


def _matrix_text(matrix: Matrix, value: Any, book: Book) -> str:
    return book.name("A", value, f"{len(matrix.rows)} x {matrix.width}")


def shortened(text: str) -> str:
    """Return a text, or its start and the SHA-256 of all of it."""
    return text if len(text) <= _SHOWN else f"{text[:20]}...{{sha256 {sha256(text)}}}"


def sha256(text: str) -> str:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def from_module(module: str, name: str) -> Any:
    """Return what a module of this package calls by a name with dashes."""
    return getattr(import_module(f".{module}", __package__), name.replace("-", "_"))


def word(*choices: str) -> Field:
    """Return a field that is one of some words."""

    def read(value: Any) -> str:
        form(value in choices, "unknown-word", f"one of {', '.join(choices)} is needed")
        return str(value)

    return Field(read, lambda found, value, book: found.replace("-", " "))


def listed(read: Callable[[Any], Any], text: Callable[..., str] = _json_text) -> Field:
    """Return a field that is a list; an entry is read and said on its own."""

    def said(found: list[Any], value: list[Any], book: Book) -> str:
        texts = [*map(text, found, value, [book] * len(found))]
        return book.short(f"[{', '.join(texts)}]", texts)

    return Field(lambda value: [read(item) for item in objects.read_list(value)], said)


def either(field: Field, other: Any, text: str) -> Field:
    """Return a field that may also have one other value, which is read as None."""
    return Field(
        lambda value: None if value == other else field.read(value),
        lambda found, value, book: (
            text if found is None else field.text(found, value, book)
        ),
    )


network = Field(objects.read_network, _network_text)
plain_network = Field(objects.read_plain_network, _network_text)
domain = Field(objects.read_domain, _domain_text)
system = Field(
    objects.read_system, lambda found, value, book: _set_text(found, value, book, "S")
)
matrix = Field(objects.read_matrix, _matrix_text)
count = Field(objects.read_index, lambda found, value, book: str(found))
rational = Field(objects.read_rational, _rational_text)
bound = Field(objects.read_bound, _rational_text)
vector = Field(objects.read_vector, _vector_text)
counts = listed(*count)
points = listed(*vector)
limit = either(bound, None, "infinite")
distances = listed(*either(rational, [], "none"))
sense = word("exactly", "at-least")
side = word("at-least", "at-most")
# What a field is by its name, unless its kind says otherwise.
FIELDS: Mapping[str, Field] = {
    name: field
    for field, names in (
        (bound, "bound"),
        (
            count,
            "columns count dimension facets first hidden hyperplanes last layer neuron "
            "rank remaining spark",
        ),
        (counts, "counts"),
        (domain, "domain"),
        (matrix, "generators matrix"),
        (network, "a b"),
        (plain_network, "member network"),
        (points, "points"),
        (sense, "sense"),
        (system, "system"),
        (vector, "output point"),
    )
    for name in names.split()
}
