"""What ``--json`` calls certified is what the certificate proves, for every command.

Each example is run with a certificate where there can be one; every field of its answer is listed
here, as certified or as computed.  The value of a certified field is read again from the file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

from exactrelu.certificates.certificate import Verdict
from exactrelu.cli.command import Outcome
from exactrelu.cli.main import COMMANDS
from exactrelu.network.formats.load import network_from_object, save
from exactrelu.network.network import Network
from tests.checking import printed

CASES = Path(__file__).parents[2] / "cases"
DATA = Path(__file__).parents[1] / "lemmas" / "data"
ACCEPTED = Path(__file__).parents[2] / "proofs/certificates/xor.value-at-1.cert.jsonl"


class File:
    """A certificate file: its claim and its records, read without the library."""

    def __init__(self, path: Path) -> None:
        first, *lines, _end = path.read_text().splitlines()
        self.claim: dict[str, Any] = json.loads(first)["claim"]
        self.lines = [line.split() for line in lines]

    @property
    def method(self) -> str:
        return self.lines[0][1]

    def numbers(self, word: str) -> list[list[int]]:
        """The integers of all records with this word."""
        return [[int(x, 16) for x in rest] for first, *rest in self.lines if first == word]

    @property
    def networks(self) -> list[dict[str, Any]]:
        """The networks in records, as claims have them."""
        lines = iter(self.lines)
        return [
            {"layers": [_layer(int(width, 16), next(lines)) for width in rest]}
            for word, *rest in lines
            if word == "widths"
        ]

    def points(self, word: str = "point") -> list[list[str]]:
        """The points of all records with this word: numerators, denominator."""
        return [[str(Fraction(x, den)) for x in nums] for *nums, den in self.numbers(word)]


def _layer(width: int, line: list[str]) -> dict[str, Any]:
    """A layer of a network in a record ``layer den entries…``."""
    _, den, *entries = line
    n = len(entries) // width
    rows = [entries[n * i : n * (i + 1)] for i in range(width)]
    return {"inputs": n - 1, "matrix": [den, rows], "outputs": width}


@dataclass(frozen=True)
class Such:
    """Equal to every value with a property."""

    test: Callable[[Any], bool]

    def __eq__(self, other: object) -> bool:
        return self.test(other)


Reading = Callable[[File], Any]


def rational(given: list[str]) -> str:
    den, num = given
    return str(Fraction(int(num, 16), int(den, 16)))


def vector(given: list[Any]) -> list[str]:
    den, nums = given
    return [str(Fraction(int(num, 16), int(den, 16))) for num in nums]


def matrix(given: list[Any]) -> list[list[str]]:
    den, rows = given
    return [vector([den, row]) for row in rows]


def integers(given: list[str]) -> list[str]:
    return [str(int(number, 16)) for number in given]


def multiple(given: list[str]) -> Such:
    """A positive multiple of a vector of integers."""
    ours = [Fraction(int(number, 16)) for number in given]
    pivot = next(k for k, value in enumerate(ours) if value)

    def test(value: Any) -> bool:
        theirs = [Fraction(number) for number in value]
        factor = theirs[pivot] / ours[pivot]
        return factor > 0 and theirs == [factor * a for a in ours]

    return Such(test)


def from_1(given: Any) -> Any:
    """Numbers that count from 0, as people count."""
    return [from_1(entry) for entry in given] if isinstance(given, list) else given + 1


def widths(network: dict[str, Any]) -> list[int]:
    layers = network["layers"]
    return [layers[0]["inputs"], *(layer["outputs"] for layer in layers)]


def sha256(network: dict[str, Any]) -> str:
    text = json.dumps(network, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def claimed(name: str, read: Callable[[Any], Any] = lambda value: value) -> Reading:
    """A field of the claim."""
    return lambda file: read(file.claim[name])


def proved(kind: str, word: str) -> Reading:
    """The verdict that a claim of this kind proves."""
    return lambda file: word if file.claim["kind"] == kind else None


def holds(kind: str, yes: Any = "yes", no: Any = "no") -> Reading:
    """The verdict that a claim of this kind, or its negation, proves."""
    return lambda file: (yes if file.claim["holds"] else no) if file.claim["kind"] == kind else None


def facts(file: File) -> list[tuple[str, bool]]:
    """The kinds of the facts of a claim, and whether they hold."""
    return [(fact["kind"], fact["holds"]) for fact in file.claim["facts"]["list"]]


GENERIC = [("masked-rank", True), ("supertransversal", True)]
#: Nothing changes closer than a radius, and something does at that distance.
RADIUS = [("property", True), ("property", False)]


def ball(file: File, k: int) -> str | None:
    """The radius of the ball around 0 that is the domain of the k-th fact."""
    found = file.claim["facts"]
    named = found["list"][k]["domain"]
    domain = found["subjects"][int(named.removeprefix("@")) - 1]
    radii = set()
    for sense, row in domain["rows"]:
        *normal, offset = (int(x, 16) for x in row)
        radii.add((sense, Fraction(offset, sum(map(abs, normal)))))
    (one,) = radii
    return str(one[1]) if one[0] == ("gt", "ge")[k] else None


def elsewhere(_: File) -> Any:
    """A field that a test of its own compares."""
    raise NotImplementedError


@dataclass(frozen=True)
class Example:
    """A command line; the readings of its certified fields; the names of all other fields."""

    line: str
    certified: Mapping[str, Reading] = field(default_factory=dict)
    computed: str = ""
    words: str = ""
    code: int = 0
    writes: bool = True


def signs(file: File) -> list[list[int]]:
    return [[{"+": 1, "-": 0, "0": -1}[s] for s in layer] for layer in file.claim["signs"]]


def shares(file: File) -> list[int]:
    """How many points lie in the region of each."""
    regions = file.claim["regions"]
    return [regions.count(region) for region in regions]


def region_sizes(file: File) -> dict[str, int]:
    regions = file.claim["regions"]
    sizes = sorted(regions.count(region) for region in set(regions))
    return {str(size): sizes.count(size) for size in sizes}


LOCAL = {
    "n_points": claimed("points", len),
    "n_regions": claimed("regions", lambda regions: len(set(regions))),
    "n_sharing": lambda file: sum(n > 1 for n in shares(file)),
    "n_on_boundary": claimed("linf", lambda values: sum(r != [] and r[1] == "0" for r in values)),
    "region_sizes": region_sizes,
}


def distances(name: str) -> Reading:
    return claimed(name, lambda values: [None if r == [] else rational(r) for r in values])


def order(file: File) -> int | None:
    levels = [level for level, _, _ in file.claim["pieces"]]
    return None if file.claim["remaining"] else max(levels, default=0)


def longest_paths(file: File) -> Such:
    """For each piece a path of the edges that is as long as any from there."""
    after: dict[int, list[int]] = {k: [] for k in range(len(file.claim["pieces"]))}
    for tail, head, _ in file.claim["edges"]:
        after[tail].append(head)

    def length(piece: int) -> int:
        return 1 + max(map(length, after[piece]), default=0)

    def test(paths: Any) -> bool:
        steps = {(a, b) for path in paths for a, b in pairwise(path)}
        return [(path[0], len(path)) for path in paths] == [
            (k + 1, length(k)) for k in after
        ] and steps <= {(a + 1, b + 1) for a, heads in after.items() for b in heads}

    return Such(test)


FOLDS = {
    "order": order,
    "n_pieces": claimed("pieces", len),
    "edges": claimed(
        "edges",
        lambda edges: [{"from": a + 1, "to": b + 1, "witness": vector(x)} for a, b, x in edges],
    ),
    "pieces.level": claimed("pieces", lambda pieces: [level for level, _, _ in pieces]),
    "pieces.hyperplane": claimed("pieces", lambda pieces: [integers(h) for _, h, _ in pieces]),
    "pieces.point": claimed("pieces", lambda pieces: [vector(x) for _, _, x in pieces]),
    "n_facets": claimed("facets"),
    "n_hyperplanes": claimed("hyperplanes"),
    "n_remaining_facets": claimed("remaining"),
    "is_union_of_zero_sets": claimed("hidden", lambda n: n == 0),
    "longest_paths": longest_paths,
}
FOLDS_COMPUTED = "pieces.piece pieces.units pieces.layers pieces.n_facets invisible no_layers"


def strata(file: File) -> list[tuple[dict[str, Any], dict[str, Any] | None]]:
    """The strata that a claim lists, by their orientation, each with its member if there is one."""
    found: list[Any] = list(zip(file.claim["nonempty"], file.networks, strict=True))
    found += [(stratum, None) for stratum in file.claim["empty"]]
    return sorted(found, key=lambda pair: (pair[0]["bends"], pair[0]["dead"]))


def of_strata(name: str) -> Reading:
    return lambda file: [stratum[name] for stratum, _ in strata(file)]


COMPONENTS = {
    "components.orientation": of_strata("bends"),
    "components.nonempty": lambda file: [member is not None for _, member in strata(file)],
    "components.n_dead": of_strata("dead"),
    "components.n_linear": of_strata("linear"),
    "components.cancelling": of_strata("others"),
    "components.sample": lambda file: [member for _, member in strata(file)],
}
#: All of them have members there, and are in the order of the claim.
STRATA = {
    **{
        f"components.{name}": claimed("nonempty", lambda found, key=key: [s[key] for s in found])
        for name, key in (
            ("orientation", "bends"),
            ("n_dead", "dead"),
            ("n_linear", "linear"),
            ("cancelling", "others"),
        )
    },
    "components.nonempty": claimed("nonempty", lambda found: [True for _ in found]),
    "components.sample": lambda file: file.networks,
}
COMPONENTS_COMPUTED = " ".join(
    f"components.{name}"
    for name in (
        "name",
        "reversed",
        "dimension",
        "jacobian_dimension",
        "generic_points",
        "compensation",
        "description",
    )
)


def layer_rows(file: File, layer: int) -> list[list[Fraction]]:
    """The rows [W|b] of a layer of the network, from 1."""
    den, rows = file.claim["network"]["layers"][layer - 1]["matrix"]
    return [list(map(Fraction, vector([den, row]))) for row in rows]


def constraints(file: File) -> dict[str, Any]:
    """The constraints of a claim about the orthant, entry by entry, each linear row of sum 1."""
    equations, subjects = file.claim["facts"]["list"][0], file.claim["facts"]["subjects"]
    assert equations["kind"] == "fiber-equations"
    texts = dict(text.split(" = ") for text in equations["constraints"] if " = " in text)
    linear = {text.split()[0] for text in equations["constraints"] if ">= 0 on D" in text}
    layers = subjects[int(equations["member"][1:]) - 1]["layers"]
    columns = range(1, layers[0]["inputs"] + 1)
    rows = {
        f"r{i}": [*(f"W1_{i}{j}" for j in columns), f"b1_{i}"]
        for i in range(1, layers[0]["outputs"] + 1)
    }
    found: list[Any] = []

    def add(terms: list[list[str]], value: str, relation: str = "=") -> None:
        constant = -Fraction(value)
        listed = [*terms, *([[str(constant)]] if constant else [])]
        found.append({"terms": listed, "relation": relation})

    values = {r: texts.pop(r).split(", ") for r in rows if r not in linear}
    for r, names in rows.items():
        for name, entry in zip(names, values.get(r, ["0"] * len(names)), strict=True):
            add([["1", name]], entry, ">=" if r in linear else "=")
        if r in linear:
            add([["1", name] for name in names], "1")
    for left, right in texts.items():
        for j, value in enumerate(right.split(", ")):
            terms = []
            for name, *row in (term.split("*") for term in left.split(" + ")):
                if row and row[0] in values:
                    terms.append([values[row[0]][j], name])
                elif row:
                    terms.append(["1", *sorted([name, rows[row[0]][j]])])
                elif name[0] == "W" or j == len(columns):
                    terms.insert(0, ["1", name])
            add(terms, value)
    biases = [name for row in rows.values() for name in row[-1:]]
    weights = [name for row in rows.values() for name in row[:-1]]
    last = [f"W2_1{i}" for i in range(1, len(rows) + 1)]
    return {"variables": [*weights, *biases, *last, "b2_1"], "constraints": found}


def flips(file: File) -> list[list[int]]:
    """All sets of other neurons: here the one neuron of layer 2 is live, and hides the first."""
    ((weight, *others, bias),) = layer_rows(file, 2)
    assert weight > 0 > max(*others, bias)
    places = range(2, len(others) + 2)
    return [list(A) for size in range(len(others) + 1) for A in combinations(places, size)]


def lower_end(file: File) -> list[str]:
    """t > max_j b_2[j] / W_2[j,i], j the one live neuron."""
    ((weight, *_, bias),) = layer_rows(file, 2)
    return [str(bias / weight)] * len(flips(file))


def after_flips(file: File) -> list[dict[str, Any]]:
    """N_A: rows a of A are negated, and (w_a/w_i)·(row a) is added to row i."""
    (weights,) = layer_rows(file, 2)
    found = []
    for flipped in flips(file):
        first, *others = (layer_rows(file, layer) for layer in (1, 2, 3))
        rows = [[-x for x in row] if k in flipped else row for k, row in enumerate(first, 1)]
        for k in flipped:
            factor = weights[k - 1] / weights[0]
            rows[0] = [x + factor * y for x, y in zip(rows[0], first[k - 1], strict=True)]
        layers = [rows, *others]
        arrays = [[[str(x) for x in row] for row in layer] for layer in layers]
        network = Network.from_arrays(
            [[row[:-1] for row in layer] for layer in arrays],
            [[row[-1] for row in layer] for layer in arrays],
        )
        found.append(network.canonical_form())
    return found


HALF_LINES = {
    "complete": claimed("complete"),
    "flips": flips,
    "components.orientation": flips,
    "components.nonempty": lambda file: [True] * len(flips(file)),
    "components.t_above": lower_end,
    "components.sample": after_flips,
}


def layerwise(name: str) -> Reading:
    """Of the strata without dead neurons, and of all others that have a member."""

    def read(file: File) -> list[Any]:
        found = [{**stratum, "nonempty": True} for stratum in file.claim["nonempty"]]
        empty = [stratum for stratum in file.claim["empty"] if stratum["dead"] == 0]
        found += [{**stratum, "nonempty": False} for stratum in empty]
        return [s[name] for s in sorted(found, key=lambda s: (s["bends"], s["dead"]))]

    return read


LAYERWISE = {
    "complete": claimed("complete"),
    "components.orientation": layerwise("bends"),
    "components.nonempty": layerwise("nonempty"),
    "components.n_dead": layerwise("dead"),
    "components.n_linear": layerwise("linear"),
}


def in_any_order(name: str) -> Reading:
    """Of all strata, those with members and those without."""

    def read(file: File) -> Such:
        both = (("nonempty", True), ("empty", False))
        found = [{**s, "nonempty": value} for key, value in both for s in file.claim[key]]
        return Such(lambda given: sorted(given) == sorted(s[name] for s in found))

    return read


ALL_STRATA = {
    "components.orientation": in_any_order("bends"),
    "components.nonempty": in_any_order("nonempty"),
    "components.n_dead": in_any_order("dead"),
    "components.n_linear": in_any_order("linear"),
}


def two_units(read: Callable[[int, list[int]], Any]) -> Reading:
    """Of the one failure, both units, with their masks."""
    return lambda file: [[read(unit, masks) for unit, *masks in file.numbers("unit")]]


def in_mask(mask: int) -> list[int]:
    """The neurons of a mask, from 1."""
    return [i + 1 for i in range(mask.bit_length()) if mask >> i & 1]


def masks_of(file: File) -> tuple[int, list[list[int]]]:
    """The first layer, from 1, and the masks."""
    ((first, *masks),) = file.numbers("masks")
    return first + 1, list(map(in_mask, masks))


def layers_of_masks(file: File) -> list[list[int]]:
    first, masks = masks_of(file)
    return [[first, first + len(masks) - 1]]


def full_rank(file: File) -> list[int]:
    first, masks = masks_of(file)
    return [min(widths(file.claim["network"])[first - 1], *map(len, masks))]


MASKED = {
    "verdict": holds("masked-rank"),
    "failures.layers": layers_of_masks,
    "failures.masks": lambda file: [masks_of(file)[1]],
    "failures.expected_rank": full_rank,
    "failures.kernel": lambda file: [list(map(str, y)) for y in file.numbers("combination")],
}
PAIR = {"verdict": holds("equal"), "witness": lambda file: file.points()[0]}


def symmetries(file: File) -> list[tuple[list[int], list[str]]]:
    """The permutation and the scalings of each hidden layer."""
    found = []
    for numbers in file.numbers("symmetry"):
        n = len(numbers) // 3
        pairs = zip(numbers[n::2], numbers[n + 1 :: 2], strict=True)
        found.append((numbers[:n], [str(Fraction(*pair)) for pair in pairs]))
    return found


def active_chains(file: File) -> Such:
    """The points of the chains, unit by unit: one for each layer after it, at least one."""
    hidden = widths(file.claim["network"])[1:-1]
    points = iter(file.points())
    chains = [
        {"unit": [l, i], "points": [next(points) for _ in range(max(len(hidden) - l, 1))]}
        for l, n in enumerate(hidden, 1)
        for i in range(1, n + 1)
    ]
    return Such(lambda value: value == chains)


def kernel(file: File) -> list[list[str]]:
    """The vectors of a kernel, after their free columns."""
    (numbers,) = file.numbers("kernel")
    width = file.claim["matrix"]["cols"]
    k = len(numbers) // (1 + width)
    return [[*map(str, numbers[k + i * width : k + (i + 1) * width])] for i in range(k)]


def factors(file: File) -> dict[str, list[list[str]]]:
    """The two factors of a matrix."""
    shape, k = file.claim["matrix"], file.claim["columns"]
    found = {}
    for name, n, m in (("left", shape["rows"], k), ("right", k, shape["cols"])):
        ((den, *nums),) = file.numbers(name)
        entries = [str(Fraction(x, den)) for x in nums]
        found[name] = [entries[i * m : (i + 1) * m] for i in range(n)]
    return found


def dependency(file: File) -> list[list[Any]]:
    """The rows or columns, from 1, and their coefficients."""
    ((_, *numbers),) = file.numbers("dependency")
    return [[i + 1, str(x)] for i, x in zip(numbers[::2], numbers[1::2], strict=True)]


def on_ray(word: str) -> Reading:
    """A positive multiple of the one record with this word."""
    return lambda file: multiple([f"{x:x}" for x in file.numbers(word)[0]])


def subject(file: File, name: str) -> Any:
    """An object of an instance, which is a subject of the facts."""
    number = int(file.claim["instance"][name].removeprefix("@"))
    return file.claim["facts"]["subjects"][number - 1]


EXAMPLES = (
    Example(
        "info {xor}",
        computed="name widths parameters bits sha256 activation neurons roles groups "
        "linear_units layers file_sha256 options",
        words="roles of neurons",
        writes=False,
    ),
    Example(
        "eval {xor} --at 1,-1",
        {
            "point": claimed("point", vector),
            "output": claimed("output", vector),
            "pattern": signs,
        },
        "jacobian offset",
        "local affine map",
    ),
    Example(
        "eval {xor} --at 1,-1 --at 0,0",
        computed="points",
        words="all of this (a certificate is about one point)",
        writes=False,
    ),
    Example("local {xor} --points {tmp}/points.json", LOCAL),
    Example(
        "local {xor} --points {cases}/xor/points.csv --list --other {xor} --clusters 1 "
        "--duals {tmp}/duals.json",
        {
            **LOCAL,
            "points.point": claimed("points", lambda points: [vector(x) for x in points]),
            "points.region": claimed("regions", from_1),
            "points.linf.value": distances("linf"),
            "points.l2_squared.value": distances("squares"),
        },
        "points.output points.pattern points.dual_points points.ties points.linf.neuron "
        "points.l2_squared.neuron n_tests n_correct other clusters",
        "signs, affine maps and nearest neurons of points, how many are right, these matrices",
    ),
    Example(
        "robust {xor} --at 0,0",
        {
            "verdict": lambda file: "yes" if facts(file) == RADIUS else None,
            "lower": lambda file: ball(file, 0),
            "upper": lambda file: ball(file, 1),
            "witness": lambda file: file.points()[0],
        },
        "output attained",
        "which output wins",
    ),
    Example(
        "robust {xor} --at 0,0 --domain box:-1/8..1/8",
        {"verdict": holds("property", "yes", "no")},
        "output lower upper attained witness",
        "which output wins",
    ),
    Example(
        "verify {cases}/xor/query.vnnlib --network {xor}",
        {
            "verdict": holds("property", "yes", "no"),
            "witness": lambda file: file.points()[0],
        },
        "result assignment flags n_boxes share query_sha256",
        "what the query means",
        code=1,
    ),
    Example(
        "verify {tmp}/above.vnnlib --network {xor}",
        {"verdict": holds("property", "yes", "no")},
        "result witness assignment flags n_boxes share query_sha256",
        "what the query means",
    ),
    Example(
        "holds {xor} 'y1 <= 1' '-1 <= y1' --domain box:-1/2..1/2",
        {"verdict": holds("property", "yes", "no")},
        "witness output n_boxes share",
    ),
    Example(
        "holds {xor} 'y1 < 1' --domain box:-1..1",
        {
            "verdict": holds("property", "yes", "no"),
            "witness": lambda file: file.points()[0],
        },
        "output n_boxes share",
        "the values at x",
        code=1,
    ),
    Example(
        "judge {cases}/xor/query.vnnlib --network {xor} --result {cases}/xor/result.txt",
        {
            "point": claimed("point", vector),
            "values": claimed("output", lambda y: {"Y_0": vector(y)[0]}),
        },
        "verdict margin constraints largest_error error_at flags query_sha256",
        "what the query means, the margins, the error of claimed outputs",
        code=1,
    ),
    Example(
        "judge {cases}/xor/query.vnnlib --network N={xor} --result {tmp}/exact.txt --list",
        {
            "verdict": holds("property", "no", "yes"),
            "point": lambda file: file.points()[0],
        },
        "values margin constraints largest_error error_at flags query_sha256",
        "what the query means, the margins",
    ),
    Example("supports --vnnlib-versions", computed="capabilities", writes=False),
    Example(
        "real-query {cases}/xor/float32.vnnlib -o {tmp}/real.vnnlib",
        computed="n_types output sha256 query_sha256",
        writes=False,
    ),
    Example(
        "convert {xor} {tmp}/out.json",
        computed="widths sha256 file_sha256 options",
        writes=False,
    ),
    Example(
        "regions {xor} --list",
        {"n_regions": claimed("count"), "n_regions_at_least": claimed("count")},
        "n_linear_regions n_affine_maps regions",
        "the list of regions, linear regions, affine maps",
    ),
    Example(
        "regions {xor} --domain box:-3,3;1,1",
        {"n_regions": claimed("count"), "n_regions_at_least": claimed("count")},
        "n_linear_regions n_affine_maps",
        "linear regions, affine maps",
    ),
    Example(
        "regions {xor} --slice 0,0;1,0",
        {"n_regions": claimed("count"), "n_regions_at_least": claimed("count")},
        "n_linear_regions n_affine_maps",
        "the restriction to the slice, linear regions, affine maps",
    ),
    Example(
        "regions {xor} --max-regions 1",
        {"n_regions_at_least": claimed("count")},
        "verdict n_regions n_linear_regions n_affine_maps",
        code=3,
    ),
    Example(
        "complex {xor}",
        {
            "f_vector": claimed("counts"),
            "f_vector_at_least": claimed("counts"),
            "n_facets": claimed("counts", lambda f: f[-2]),
        },
        "bent_hyperplanes breakpoint_facets cancelled_facets n_ridges n_bending_ridges "
        "dishonest_ridges",
        "bent hyperplanes, breakpoint facets, ridges",
    ),
    Example(
        "complex {xor} --domain box:0,1;1,1",
        {
            "f_vector": claimed("counts", lambda f: f[:-1]),
            "f_vector_at_least": claimed("counts", lambda f: f[:-1]),
            "n_facets": claimed("counts", lambda f: f[-3]),
        },
        "bent_hyperplanes breakpoint_facets cancelled_facets n_ridges n_bending_ridges "
        "dishonest_ridges",
        "bent hyperplanes, breakpoint facets, ridges",
    ),
    Example("honest {xor} --domain box:0,1;1,1", {"verdict": holds("honest")}, "failures"),
    Example("honest {xor}", {"verdict": holds("honest")}, "failures"),
    Example(
        "honest {tmp}/straight.json",
        {"verdict": holds("honest")},
        "failures",
        "which ridge it is",
        code=1,
    ),
    Example("cancellation-free {xor}", {"verdict": holds("cancellation-free")}, "failures"),
    Example(
        "cancellation-free {tmp}/cancelled.json",
        {"verdict": holds("cancellation-free")},
        "failures",
        "which neurons bend there",
        code=1,
    ),
    Example(
        "generic {ties}/ok.json",
        {"verdict": lambda file: "yes" if facts(file) == GENERIC else None},
        "sense failures",
    ),
    Example("generic {ties}/parallel.json", MASKED, "sense failures.condition", code=1),
    Example(
        "generic {cases}/regions-dup/network.json --sense non-proportional",
        {
            "verdict": holds("non-proportional"),
            "failures.units.unit": two_units(lambda unit, masks: [len(masks) + 1, unit + 1]),
            "failures.units.indicator": two_units(lambda _, masks: list(map(in_mask, masks))),
        },
        "sense failures.condition failures.units.function",
        "the two functions",
        code=1,
    ),
    Example(
        "generic {cases}/regions-concurrent3/network.json --sense supertransversal",
        {
            "verdict": holds("supertransversal"),
            "failures.point": lambda file: file.points(),
            "failures.dependency": lambda file: [list(map(str, file.numbers("coefficients")[0]))],
        },
        "sense failures.condition failures.neurons failures.dimension",
        "neurons and dimension of the face",
        code=1,
    ),
    Example(
        "generic {cases}/regions-dup/network.json --sense supertransversal --domain box:-1,1",
        {"verdict": holds("supertransversal")},
        "sense failures",
        "neurons and dimension of the face",
        code=1,
    ),
    Example(
        "generic {tmp}/optimum.json --sense general",
        {"verdict": holds("zero-optimum", yes="no", no="yes")},
        "sense failures",
        "neuron, place and kind of the optimum",
        code=1,
    ),
    Example(
        "generic {tmp}/flat.json --all --sense masked-rank",
        {"verdict": holds("masked-rank")},
        "sense failures",
        "all failures but one",
        code=1,
    ),
    Example(
        "generic {ties}/parallel.json --sense masked-rank --perturb {tmp}/near.json",
        {"sense": claimed("kind")},
        "distance network",
        "how far they moved",
    ),
    Example(
        "transparent {cases}/S001-P1-transparent/N.json --domain box:-1,1",
        {"verdict": holds("transparent")},
        "witness",
    ),
    Example(
        "transparent {cases}/S001-P1-transparent/N.json --domain box:-1,1;0,0",
        {"verdict": holds("transparent")},
        "witness",
    ),
    Example(
        "transparent {cases}/S001-P1-transparent/N.json",
        {
            "verdict": holds("transparent"),
            "witness.point": lambda file: file.points()[0],
        },
        "witness.layer",
        "which layer it is",
        code=1,
    ),
    Example(
        "folds {cases}/S001-P1-transparent/N.json --domain box:-1,1 --list",
        FOLDS,
        f"{FOLDS_COMPUTED} facets",
        "units and layers of pieces, vertices and rays of facets",
    ),
    Example(
        "folds {nonconvex}/theta.json --domain {nonconvex}/domain.json",
        FOLDS,
        FOLDS_COMPUTED,
        "units and layers of pieces",
    ),
    Example(
        "folds {cases}/S001-P1-transparent/N.json --domain box:0,0;-1,1",
        FOLDS,
        FOLDS_COMPUTED,
        "units and layers of pieces",
    ),
    Example("folds {tmp}/cancelled.json", FOLDS, FOLDS_COMPUTED, "invisible facets"),
    Example(
        "folds {cases}/S001-P1-transparent/N.json --max-faces 1",
        computed="verdict order n_pieces pieces edges longest_paths n_facets n_hyperplanes "
        "n_remaining_facets is_union_of_zero_sets no_layers invisible",
        words="the numbers so far",
        code=3,
        writes=False,
    ),
    Example(
        "isomorphic {permuted}/A.json {permuted}/B.json",
        {
            "verdict": holds("isomorphic"),
            "permutations": lambda file: [from_1(p) for p, _ in symmetries(file)],
            "scalings": lambda file: [s for _, s in symmetries(file)],
        },
    ),
    Example(
        "isomorphic {xor} {tmp}/doubled.json",
        {"verdict": holds("isomorphic")},
        "permutations scalings",
        code=1,
    ),
    Example(
        "equivalent {xor} {xor}",
        {"verdict": holds("equal")},
        "witness n_cells share",
    ),
    Example(
        "equivalent {spike}/spike.json {spike}/zero.json",
        PAIR,
        "outputs n_cells share",
        "the values at x",
        code=1,
    ),
    Example(
        "equivalent {spike}/spike.json {spike}/zero.json --within 2",
        {"verdict": holds("within")},
        "witness largest_difference lower upper at n_cells share",
        "the largest difference",
    ),
    Example(
        "equivalent {spike}/spike.json {spike}/zero.json --within 1/2",
        {"verdict": holds("within"), "witness": lambda file: file.points()[0]},
        "outputs largest_difference lower upper at n_cells share",
        "the values at x, the largest difference",
        code=1,
    ),
    Example(
        "difference {spike}/spike.json {spike}/zero.json",
        {
            "verdict": proved("largest-difference", "yes"),
            "largest_difference.value": claimed("bound", rational),
            "largest_difference.point": lambda file: file.points()[0],
            "lower": claimed("bound", rational),
            "upper": claimed("bound", rational),
            "at": lambda file: file.points()[0],
        },
        "largest_difference.output largest_difference.attained largest_difference.direction",
        "which output it is",
    ),
    Example(
        "difference {spike}/spike.json {spike}/zero.json --domain box:-1,1 --max-regions 1",
        {"lower": claimed("bound", rational), "at": lambda file: file.points()[0]},
        "verdict largest_difference upper",
        "the upper bound",
        code=3,
    ),
    Example(
        "equivalent {spike}/spike.json {spike}/zero.json --within 1 --domain box:-1,1 "
        "--max-regions 1",
        {"lower": claimed("bound", rational), "at": lambda file: file.points()[0]},
        "verdict witness n_cells share largest_difference upper",
        "on how much they were compared",
        code=3,
    ),
    Example(
        "difference {tmp}/doubled.json {tmp}/constant.json",
        {
            "verdict": lambda file: "yes" if file.claim["bound"] is None else None,
            "largest_difference.direction": on_ray("ray"),
        },
        "largest_difference.output largest_difference.attained largest_difference.value "
        "largest_difference.point lower upper at",
        "which output it is, where the ray begins",
    ),
    Example(
        "identifiable {cases}/S002-P16-ident-ppm/N.json",
        {"verdict": holds("identifiable"), "among": claimed("among")},
        "witness functional_dimension locally_identifiable settled open second_in_general_position",
    ),
    Example(
        "identifiable {cases}/S002-P13-hiding-translation/theta.json",
        {
            "verdict": holds("identifiable"),
            "witness": lambda file: file.networks[0],
            "among": claimed("among"),
        },
        "functional_dimension locally_identifiable settled open second_in_general_position",
        "local identifiability, general position, which neurons are settled",
        code=1,
    ),
    Example(
        "identifiable {cases}/tracks-open/N.json",
        {"functional_dimension.value": claimed("rank")},
        "verdict among witness identifiable_if_generic functional_dimension.is_exact settled open "
        "locally_identifiable second_in_general_position functional_dimension.upper_bound "
        "functional_dimension.locally_identifiable",
        "which neurons are settled",
        code=3,
    ),
    Example(
        "identifiable {tmp}/thin.json",
        {"functional_dimension.value": claimed("rank")},
        "verdict among witness identifiable_if_generic functional_dimension.is_exact settled open "
        "locally_identifiable second_in_general_position functional_dimension.upper_bound "
        "functional_dimension.locally_identifiable",
        "which neurons are settled, that the functional dimension is not larger",
        code=3,
    ),
    Example(
        "identifiable {cases}/tracks-open/N.json --dimension --domain box:-1..1",
        {"functional_dimension.value": claimed("rank")},
        "witness functional_dimension.is_exact functional_dimension.upper_bound "
        "functional_dimension.locally_identifiable",
    ),
    Example(
        "identifiable --architecture 2,2,2,1 --volume",
        computed="volume published_lower published_upper",
        words="the fraction",
        writes=False,
    ),
    Example(
        "identifiable --share 2,2,1,1 --count 3",
        computed="widths count weights seed yes no undecided not_asked answers lower upper "
        "confidence volume",
        words="the share, the answers (--certificates DIR)",
        writes=False,
    ),
    Example(
        "injective {biased}/tight.json --layer 1",
        {"verdict": holds("layer-injective")},
        "witness injective_layers n_covers n_regions n_pairs n_left",
    ),
    Example(
        "injective {biased}/viol.json --layer 1",
        {
            "verdict": holds("layer-injective"),
            "witness": File.points,
        },
        "injective_layers n_covers n_regions n_pairs n_left",
        code=1,
    ),
    Example(
        "injective {lossy}",
        {"verdict": holds("injective")},
        "witness injective_layers n_covers n_regions n_pairs n_left",
    ),
    Example(
        "injective {lossy} --layer 2 --domain image",
        {"verdict": holds("injective")},
        "witness injective_layers n_covers n_regions n_pairs n_left",
    ),
    Example(
        "injective {xor}",
        {
            "verdict": holds("injective"),
            "witness": File.points,
        },
        "injective_layers n_covers n_regions n_pairs n_left",
        code=1,
    ),
    Example(
        "injective {biased}/tight.json --layer 1 --at 1,1",
        {"rank": claimed("rank")},
        "verdict active",
        "which rows are active",
    ),
    Example(
        "injective {biased}/tight.json --layer 1 --shortcuts",
        computed="shortcuts",
        words="what the theorems say (without --shortcuts the answer is proved)",
        writes=False,
    ),
    Example(
        "invert {xor} --value 1",
        {"verdict": holds("in-range"), "point": lambda file: file.points()[0]},
        "is_unique n_excluded",
    ),
    Example(
        "invert {xor} --value 1 --domain box:-2,2",
        {"verdict": holds("in-range"), "point": lambda file: file.points()[0]},
        "is_unique n_excluded",
    ),
    Example(
        "invert {lossy} --value 1,1,0,0",
        {"verdict": holds("in-range"), "point": lambda file: file.points()[0]},
        "is_unique n_excluded",
    ),
    Example(
        "invert {tmp}/pair.json --value 2,0",
        {"verdict": holds("in-range"), "point": lambda file: file.points()[0]},
        "is_unique n_excluded",
        "that there is no other point",
    ),
    Example(
        "invert {xor} --value 2",
        {"verdict": holds("in-range")},
        "point is_unique n_excluded",
        code=1,
    ),
    Example(
        "convolution {cases}/convolution-width-3/valid.json",
        {
            "verdict": holds("layer-injective"),
            "rows": claimed("network", lambda network: widths(network)[1]),
            "columns": claimed("network", lambda network: widths(network)[0]),
        },
        "witness box tried n_covered",
        "that the layer is this convolution",
    ),
    Example(
        "injective-table 1 --samples 2",
        computed="table",
        words="these numbers",
        writes=False,
    ),
    Example(
        "stability {cases}/S003-E7-sharp-constant/L.json --layer 1 --domain orthant",
        {"lower": claimed("bound", rational)},
        "upper published active points n_cells",
        "the upper bound (--bound upper), where it is least",
    ),
    Example(
        "stability {cases}/S003-E7-sharp-constant/L.json --layer 1 --bound upper",
        {
            "upper": claimed("bound", rational),
            "points": File.points,
        },
        "lower published active n_cells",
        "the lower bound (--bound lower), where it is least, the published bound",
    ),
    Example(
        "stability {cases}/xor/network.json",
        {
            "lower": claimed("bound", rational),
            "upper": claimed("bound", rational),
            "points": File.points,
        },
        "trivial factors",
    ),
    Example(
        "stability {tmp}/pair.json",
        {
            "lower": claimed("bound", rational),
            "factors": lambda file: [bound for (bound,) in file.points("factor")],
        },
        "upper trivial points",
    ),
    Example(
        "theorem-class {cases}/S001-P1-transparent/N.json --domain box:-1,1",
        {"verdict": proved("determined", "yes"), "chains": active_chains},
    ),
    Example(
        "theorem-class {cases}/S001-E3-bends/theta.json --domain box:-1,1 "
        "--other {cases}/S001-E3-bends/eta.json",
        {"verdict": proved("no-chain", "no")},
        "chains identification",
        "the comparison with NET2",
        code=1,
    ),
    Example(
        "theorem-class {cases}/S001-P1-transparent/N.json --domain box:0,0;-1,1",
        {"verdict": holds("nonempty")},
        "chains",
        code=1,
    ),
    Example(
        "build identifiable 2,2,1 -o {tmp}/built.json",
        {"verdict": proved("determined", "yes"), "widths": claimed("network", widths)},
        "network domain",
    ),
    Example(
        "build injective 2,8 -o {tmp}/built.json",
        {"verdict": holds("layer-injective"), "widths": claimed("network", widths)},
        "network",
    ),
    Example(
        "build non-localizable 2,2,2,2,1 -o {tmp}/built.json",
        {"widths": claimed("network", widths)},
        "network",
        "that the parts are identifiable (--certificates DIR)",
    ),
    Example(
        "canonical {xor} -o {tmp}/canonical.json",
        {"widths": claimed("b", widths), "sha256": claimed("b", sha256)},
    ),
    Example(
        "simplify {cases}/S002-E05-dead-changes-case/theta.json -o {tmp}/small.json",
        {"widths": claimed("b", widths)},
        "n_steps",
    ),
    Example(
        "shallow {xor}",
        computed="hyperplanes jacobian offset",
        words="this form",
        writes=False,
    ),
    Example(
        "fiber {both}/theta.json --domain orthant",
        COMPONENTS,
        f"case complete listed minimal smaller {COMPONENTS_COMPUTED}",
        "dimensions, whether it is minimal (--minimal)",
    ),
    Example(
        "fiber {cases}/S002-P01-fiber-case1-k0/theta.json --domain orthant",
        COMPONENTS,
        f"case complete listed minimal smaller {COMPONENTS_COMPUTED}",
        "dimensions, whether it is minimal (--minimal)",
    ),
    Example(
        "fiber {cases}/S002-E08-zero-row/theta.json --general",
        STRATA,
        f"case complete listed minimal smaller {COMPONENTS_COMPUTED}",
        "dimensions, whether it is minimal (--minimal)",
    ),
    Example(
        "fiber {flips}/theta.json",
        HALF_LINES,
        "components.name components.dimension components.description",
        "dimensions",
    ),
    Example(
        "fiber {cases}/S002-P16-ident-ppm/N.json",
        LAYERWISE,
        "flips components.name components.dimension components.description components.sample",
        "dimensions",
    ),
    Example(
        "fiber {tmp}/twins.json",
        ALL_STRATA,
        "complete flips components.name components.dimension components.description "
        "components.sample",
        "dimensions",
    ),
    Example(
        "fiber {both}/theta.json --domain orthant --component -",
        {
            "dimension": lambda file: file.claim["facts"]["list"][1]["dimension"],
            "constraints": constraints,
        },
        "name orientation reversed n_linear n_dead cancelling nonempty jacobian_dimension "
        "generic_points compensation sample description",
    ),
    Example(
        "fiber {flips}/theta.json --component 2 --format latex",
        {"nonempty": holds("equal", True), "sample": claimed("b")},
        "name dimension orientation description t_above constraints",
    ),
    Example(
        "fiber {flips}/theta.json --member {flips}/A23_t5.json",
        {"verdict": holds("equal")},
        "component name witness",
        "the component",
    ),
    Example(
        "fiber {both}/theta.json --member {cases}/S002-P08-fiber-case4/theta.json --domain orthant",
        PAIR,
        "component name",
        code=1,
    ),
    Example(
        "fiber {both}/theta.json --domain orthant --minimal",
        {"verdict": holds("minimal")},
        "smaller",
    ),
    Example(
        "fiber {tmp}/doubled.json --minimal",
        {"verdict": holds("minimal"), "smaller": lambda file: file.networks[0]},
        code=1,
    ),
    Example("fiber {both}/theta.json --sample 1", computed="samples", writes=False),
    Example(
        "fiber {cases}/S002-P01-fiber-case1-k0/theta.json --max-components 3",
        computed="verdict components complete",
        words="the components so far",
        code=3,
        writes=False,
    ),
    Example(
        "recover {tmp}/small.json",
        {
            "verdict": holds("isomorphic"),
            "network": claimed("b"),
            "isomorphic": holds("isomorphic", True),
        },
        "n_queries n_counterexamples obstructions neurons",
    ),
    Example(
        "recover {cases}/S000-D1-LRA-fails-open/shift.json",
        {"verdict": holds("equal"), "network": claimed("b")},
        "isomorphic n_queries n_counterexamples obstructions neurons",
        "that it is not isomorphic, what the function does not show",
    ),
    Example(
        "rank {triangle}",
        {
            "rank": claimed("rank"),
            "kernel": kernel,
        },
    ),
    Example(
        "nnrank {triangle}",
        {
            "rank": claimed("rank"),
            "nonnegative_column_rank": claimed("columns"),
            "factors": factors,
            "dependency": dependency,
        },
    ),
    Example(
        "nnrank {tmp}/pointed.json",
        {
            "rank": claimed("rank"),
            "nonnegative_column_rank": claimed("columns"),
            "factors": factors,
        },
        "dependency",
    ),
    Example(
        "sigma {tmp}/pointed.json",
        {"lower": claimed("bound", rational)},
        "upper",
        "the upper bound (--bound upper)",
    ),
    Example(
        "sigma {tmp}/pointed.json --bound upper",
        {"upper": claimed("bound", rational)},
        "lower",
        "the lower bound (--bound lower)",
    ),
    Example(
        "spark {tmp}/dependent.json",
        {
            "spark": claimed("spark"),
            "at_least": claimed("spark"),
            "rows": lambda file: from_1(file.numbers("combination")[0][: file.claim["spark"]]),
        },
    ),
    Example("spark {tmp}/pointed.json", {"at_least": claimed("spark")}, "spark rows"),
    Example(
        "spark {tmp}/dependent.json --max-sets 1",
        computed="verdict spark at_least rows",
        words="this bound",
        code=3,
        writes=False,
    ),
    Example(
        "polyhedron {square} --describe --maximize 1,1",
        {"verdict": holds("nonempty"), "witness": lambda file: file.points()[0]},
        "question dimension f_vector vertices rays lines maximum attained at multipliers",
        "dimension, faces, vertices, rays and lines, the maximum",
    ),
    Example(
        "polyhedron {square} --bounded",
        {"verdict": holds("bounded")},
        "question witness",
    ),
    Example(
        "polyhedron {tmp}/quadrant.json --bounded",
        {
            "verdict": holds("bounded"),
            "witness": on_ray("ray"),
        },
        "question",
        code=1,
    ),
    Example(
        "cone {triangle}",
        {
            "verdict": holds("pointed"),
            "functional": on_ray("functional"),
        },
    ),
    Example(
        "cone {tmp}/line.json",
        {
            "verdict": holds("pointed"),
            "dependency": dependency,
        },
        code=1,
    ),
    Example(
        "arrangement {triangle}",
        {"n_cells": claimed("count"), "n_cells_at_least": claimed("count")},
        "characteristic_polynomial general_position dependent_hyperplanes",
        "general position, characteristic polynomial",
    ),
    Example(
        "plot {xor} -o {tmp}/xor.svg",
        computed="output n_regions n_facets n_invisible_facets window",
        writes=False,
    ),
    Example(
        "report {tmp}/doubled.json -o {tmp}/page.html",
        computed="output n_verdicts n_undecided n_certificates n_accepted n_regions",
        writes=False,
    ),
    Example("lemmas S000-bend", computed="lemmas", writes=False),
    Example(
        "refute S003-lemma-1",
        {
            "verdict": proved("counterexample", "yes"),
            "counterexample": lambda file: {"N": {"network": subject(file, "N")}},
        },
        "examined within_hypotheses undecided completed class class_reason mended_by",
    ),
    Example(
        "conjecture {data}/same_means_isomorphic.py",
        computed="verdict examined within_hypotheses undecided completed counterexample class "
        "class_reason mended_by",
        words="that these facts refute the statement",
    ),
    Example(
        "conjecture {data}/same_means_isomorphic.py --seconds 0.001",
        computed="verdict examined within_hypotheses undecided completed counterexample class "
        "class_reason mended_by",
        words="that there is none among them",
        code=3,
        writes=False,
    ),
    Example(
        "check {tmp}/value.cert.jsonl",
        {"results.claim": elsewhere},
        "verdict results.file results.verdict results.kind results.line results.code results.why "
        "results.trusts",
        writes=False,
    ),
    Example(
        "pin {tmp}/value.cert.jsonl --unnamed -o {tmp}/pins.toml",
        {"pins.claim": elsewhere},
        "output n_certificates pins.file",
        writes=False,
    ),
    Example(
        "certify {tmp}/doubled.json -o {tmp}/certified",
        {"summary.claim": elsewhere},
        "n_certificates n_accepted n_undecided n_not_asked n_left_out "
        "summary.network summary.question summary.verdict summary.reason summary.certificate",
        writes=False,
    ),
)


def places(folder: Path) -> dict[str, str]:
    """The short names of files in the examples."""
    named = {
        "xor": "xor/network.json",
        "ties": "S002-D2-ties",
        "nonconvex": "S001-E1-thmA1-nonconvex",
        "permuted": "equal-permuted-2-4-1",
        "spike": "equal-spike-2-10",
        "biased": "S003-P1-2n-biased",
        "lossy": "injective-lossy-layer/N.json",
        "both": "S002-P04-fiber-case3-both",
        "flips": "S002-P14-hiding-flips",
        "triangle": "S002-P10-nonneg-column-rank/triangle.matrix.json",
        "square": "unit-square/polyhedron.json",
    }
    found = {name: str(CASES / path) for name, path in named.items()}
    return {**found, "cases": str(CASES), "data": str(DATA), "tmp": str(folder)}


NETWORKS = {
    "straight": (
        [[[1, 0], [0, 1], [0, -1]], [[1, 0, 0], [0, 1, -1]], [[1, 1]]],
        [[0, 0, 0], [0, 0], [0]],
    ),
    "cancelled": ([[[1], [2]], [[-2, 1]]], [[0, 0], [0]]),
    "optimum": ([[[1, 0], [0, 1], [1, 1]], [[-3, -4, 1]], [[1]]], [[0, 0, 1], [-1], [5]]),
    "flat": ([[[1, 2], [2, 4], [3, 6]], [[1, 1, 1]]], [[0, 1, 3], [0]]),
    "doubled": ([[[1], [1]], [[1, 2]]], [[0, 0], [0]]),
    "constant": ([[[0]], [[0]]], [[0], [1]]),
    "thin": (
        [[["1"], ["-1"]], [["1", "-2"]], [["1"]]],
        [["0", "0"], ["1"], ["0"]],
    ),
    "pair": ([[[1], [-1]], [[1, 0], [0, 1]]], [[0, 0], [0, 0]]),
    "twins": ([[[1, 0], [0, 1]], [[1, 1], [2, 2]], [[1, 1]]], [[0, 0], [-1, -2], [0]]),
    "small": ([[[1, 2], [3, -1]], [[1, -2]]], [[1, -1], [5]]),
}
MATRICES = {
    "pointed": [[1, 0], [0, 1]],
    "dependent": [[1, 0], [0, 1], [2, 0]],
    "line": [[1, 0], [-2, 0], [0, 1]],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The small files of the examples."""
    for name, (weights, biases) in NETWORKS.items():
        save(Network.from_arrays(weights, biases), tmp_path / f"{name}.json")
    for name, rows in MATRICES.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(rows))
    quadrant = [{"normal": [1, 0], "offset": 0}, {"normal": [0, 1], "offset": 0}]
    polyhedron = {"format": "exactrelu-polyhedron/1", "inequalities": quadrant}
    shutil.copy(ACCEPTED, tmp_path / "value.cert.jsonl")
    (tmp_path / "points.json").write_text("[[1, 2], [0, 0], [2, 3]]")
    above = (CASES / "xor" / "query.vnnlib").read_text().replace("(>= Y_0 1)", "(> Y_0 1)")
    (tmp_path / "above.vnnlib").write_text(above)
    (tmp_path / "exact.txt").write_text("sat ((X_0 0.3) (X_1 -0.3))")
    (tmp_path / "quadrant.json").write_text(json.dumps(polyhedron))
    return tmp_path


def at(value: Any, path: str) -> Any:
    """The value of ``a.b``, for a list a that of each entry; None where a is None."""
    for k, name in enumerate(path.split(".")):
        if isinstance(value, list):
            return [at(entry, ".".join(path.split(".")[k:])) for entry in value]
        if value is None:
            return None
        value = value[name]
    return value


def names_of(value: Any, name: str, listed: set[str]) -> set[str]:
    """The names in the list that make up a field, or its own names if it is not there."""
    parts = {entry for entry in listed if entry.startswith(f"{name}.")}
    if name in listed or not parts:
        return {name}
    if value is None or value == []:
        return parts
    if isinstance(value, list):
        return set().union(*(names_of(entry, name, listed) for entry in value))
    return set().union(*(names_of(entry, f"{name}.{key}", listed) for key, entry in value.items()))


def encoded(value: Any) -> Any:
    """Networks as certificates write them."""
    if isinstance(value, list):
        return [encoded(entry) for entry in value]
    if isinstance(value, dict):
        if value.get("format") == "exactrelu-network/1":
            return network_from_object(value).canonical_form()
        return {key: encoded(entry) for key, entry in value.items()}
    return value


def accepted_sentence(path: Path | str) -> str:
    """What the checker says of a file, which it must accept."""
    (outcome,) = json.loads(printed("--json", str(path)))["results"]
    assert outcome["verdict"] == "ACCEPTED", outcome
    return str(outcome["claim"])


def arguments(example: Example, folder: Path) -> list[str]:
    proof = f" --certificate {folder}/proof.cert.jsonl" if example.writes else ""
    return shlex.split(example.line.format(**places(folder)) + proof)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.line)
def test_what_is_certified(run, folder: Path, example: Example) -> None:
    given = arguments(example, folder)
    result = run(*given, "--json")
    assert result.code == example.code, result.err
    answer = json.loads(result.out)
    assert set(answer["certified"]) == set(example.certified)
    listed = {*example.certified, *example.computed.split()}
    found = set()
    for name in answer.keys() - {"reason", "certificate", "certified"}:
        found |= names_of(answer[name], name, listed)
    assert found == listed
    if example.writes:
        file = File(folder / "proof.cert.jsonl")
        for name, reading in example.certified.items():
            assert reading(file) == encoded(at(answer, name)), name
        assert accepted_sentence(folder / "proof.cert.jsonl")
        again = json.loads(run(*given[:-2], "--json").out)
        assert (again["certificate"], again["certified"]) == (None, answer["certified"])


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.line)
def test_what_the_text_says(run, folder: Path, example: Example) -> None:
    found = run(*arguments(example, folder))
    # The stdout of ``verify`` is for programs.
    lines = (found.err if example.line.startswith("verify ") else found.out).splitlines()
    marks = [line for line in lines if line.startswith("computed, not certified")]
    assert marks == ([f"computed, not certified: {example.words}"] if example.words else [])


def test_every_command_has_an_example() -> None:
    assert {command.name for command in COMMANDS} == {e.line.split()[0] for e in EXAMPLES}
    for command in COMMANDS:
        parser = argparse.ArgumentParser()
        command.add_arguments(parser)
        can_write = "--certificate" in parser._option_string_actions
        written = [e for e in EXAMPLES if e.writes and e.line.split()[0] == command.name]
        assert bool(written) == can_write, command.name


def test_the_fields_of_a_full_answer_are_declared() -> None:
    """Those that all examples of a command have, and nothing that none has."""
    for command in COMMANDS:
        full = [
            {name.split(".")[0] for name in (*e.certified, *e.computed.split())} - {"verdict"}
            for e in EXAMPLES
            if e.line.split()[0] == command.name and e.code != 3
        ]
        assert set.intersection(*full) <= set(command.fields) <= set.union(*full), command.name


def test_sentences_of_the_checker(run, folder: Path) -> None:
    path = folder / "value.cert.jsonl"
    answer = json.loads(run("check", path, "--json").out)
    assert at(answer, "results.claim") == [accepted_sentence(path)]
    changed = folder / "changed.cert.jsonl"
    changed.write_text(path.read_text().replace('"kind":"value"', '"kind":"rank"'))
    assert json.loads(run("check", path, changed, "--json").out)["certified"] == []


def test_sentences_of_certify(run, folder: Path) -> None:
    given = ("certify", folder / "doubled.json", "-o", folder / "all", "--json")
    answer = json.loads(run(*given).out)
    assert answer["certified"] == ["summary.claim"]
    certified = [entry for entry in answer["summary"] if entry["certificate"] is not None]
    assert [entry["claim"] for entry in certified] == [
        accepted_sentence(entry["certificate"]) for entry in certified
    ]
    assert json.loads(run(*given, "--together").out)["certified"] == []


def test_without_a_certificate_nothing_is_certified(run, folder: Path) -> None:
    layer = (places(folder)["biased"] + "/tight.json", "--layer", 1, "--shortcuts")
    result = run("injective", *layer, "--json", "--certificate", folder / "no.cert.jsonl")
    assert json.loads(result.out)["certified"] == []
    assert result.err == "no certificate is written: there is none for this answer\n"
    assert not (folder / "no.cert.jsonl").exists()
    answer = Outcome.of(Verdict(True, "by hand"), "yes", {})
    assert (answer.certified, answer.computed) == ((), ("the answer",))
    answer = Outcome.of(Verdict(None, "stopped"), "undecided", {})
    assert (answer.certified, answer.computed) == ((), ())
