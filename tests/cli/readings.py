"""Readings: what a certificate file says of each part of an answer that is called certified.

They are read without the library, from the claim and the records.  A plain field of the claim is
declared with the part.  ``READINGS`` has all others, by the command, or by the command and the kind
of the claim, and by the name of the part.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

from exactrelu.answer import Part
from exactrelu.cli.command import Command
from exactrelu.network.network import Network


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


def neurons(letter: str) -> Reading:
    """The neurons with a letter in a claim of their roles, [layer, number] from 1."""
    return lambda file: [
        [l, i]
        for l, layer in enumerate(file.claim["roles"], 1)
        for i, other in enumerate(layer, 1)
        if other == letter
    ]


def facts(file: File) -> list[tuple[str, bool]]:
    """The kinds of the facts of a claim, and whether they hold."""
    return [(fact["kind"], fact["holds"]) for fact in file.claim["facts"]["list"]]


def bound(k: int) -> Reading:
    """The bound of the k-th fact."""
    return lambda file: rational(file.claim["facts"]["list"][k]["bound"])


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


def strata(file: File) -> list[tuple[dict[str, Any], dict[str, Any] | None]]:
    """The strata that a claim lists, by their orientation, each with its member if there is one."""
    found: list[Any] = list(zip(file.claim["nonempty"], file.networks, strict=True))
    found += [(stratum, None) for stratum in file.claim["empty"]]
    return sorted(found, key=lambda pair: (pair[0]["bends"], pair[0]["dead"]))


def in_any_order(name: str) -> Reading:
    """Of all strata of a claim."""

    def read(file: File) -> Such:
        if file.claim["kind"] == "fiber-layerwise":
            both = (("nonempty", True), ("empty", False))
            return same(
                {**s, "nonempty": word}[name] for key, word in both for s in file.claim[key]
            )
        found = [{**s, "nonempty": m is not None, "sample": m} for s, m in strata(file)]
        return same(stratum[name] for stratum in found)

    return read


def same(expected: Any) -> Such:
    """The same things in any order."""
    listed = sorted(map(str, expected))
    return Such(lambda given: sorted(map(str, given)) == listed)


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


def layerwise(name: str) -> Reading:
    """Of the strata without dead neurons, and of all others that have a member."""

    def read(file: File) -> list[Any] | Such:
        if file.method == "members":
            return in_any_order(name)(file)
        found = [{**stratum, "nonempty": True} for stratum in file.claim["nonempty"]]
        empty = [stratum for stratum in file.claim["empty"] if stratum["dead"] == 0]
        found += [{**stratum, "nonempty": False} for stratum in empty]
        return [s[name] for s in sorted(found, key=lambda s: (s["bends"], s["dead"]))]

    return read


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
    return [[i + 1, x] for i, x in zip(numbers[::2], numbers[1::2], strict=True)]


def on_ray(word: str) -> Reading:
    """A positive multiple of the one record with this word."""
    return lambda file: multiple([f"{x:x}" for x in file.numbers(word)[0]])


def subject(file: File, name: str) -> Any:
    """An object of an instance, which is a subject of the facts."""
    number = int(file.claim["instance"][name].removeprefix("@"))
    return file.claim["facts"]["subjects"][number - 1]


def point(file: File) -> list[str]:
    """The first point of the proof."""
    return file.points()[0]


def verdict(command: str, file: File) -> str | None:
    """The word that a claim proves as the answer to the question of a command."""
    kind, holds = file.claim["kind"], file.claim.get("holds")
    if kind == "facts":
        proved = {"generic": GENERIC, "robust": RADIUS}.get(command)
        return "yes" if facts(file) == proved else None
    if kind == "roles":
        return None if neurons("?")(file) else "yes"
    if kind in ("determined", "counterexample"):
        return "yes"
    if kind == "largest-difference":
        return "yes" if file.claim["sense"] == "exactly" else None
    if kind == "no-chain":
        return "no"
    # A counterexample is a point at which the property fails.
    is_turned = kind == "zero-optimum" or command == "judge"
    return "yes" if holds is not is_turned else "no"


ROLES = {"dead": neurons("-"), "linear": neurons("+"), "nonlinear": neurons("*")}
STRATA = {"orientation": "bends", "n_dead": "dead", "n_linear": "linear"}
BOUND = claimed("bound", rational)


def counted(file: File) -> list[int]:
    """The f-vector, up to the dimension of a flat domain."""
    counts: list[int] = file.claim["counts"]
    return counts[: max(k + 1 for k, n in enumerate(counts) if n)]


#: By the command, or the command and the kind of the claim.
READINGS: Mapping[str, Mapping[str, Reading]] = {
    "eval": {"pattern": signs},
    "local": {
        "n_points": claimed("points", len),
        "n_regions": claimed("regions", lambda regions: len(set(regions))),
        "n_sharing": lambda file: sum(n > 1 for n in shares(file)),
        "n_on_boundary": claimed("linf", lambda r: sum(x != [] and x[1] == "0" for x in r)),
        "region_sizes": region_sizes,
        "points.point": claimed("points", lambda points: [vector(x) for x in points]),
        "points.region": claimed("regions", from_1),
        "points.linf.value": distances("linf"),
        "points.l2_squared.value": distances("squares"),
    },
    "robust": {"lower": lambda f: ball(f, 0), "upper": lambda f: ball(f, 1), "witness": point},
    "verify": {"witness": point},
    "holds": {"witness": point},
    "judge value": {
        "witness": claimed("point", vector),
        "values": claimed("output", lambda y: {"Y_0": vector(y)[0]}),
    },
    "judge": {"witness": point},
    "complex": {
        "f_vector": counted,
        "f_vector_at_least": counted,
        "n_facets": lambda file: counted(file)[-2],
    },
    "generic": {
        "failures.layers": layers_of_masks,
        "failures.masks": lambda file: [masks_of(file)[1]],
        "failures.expected_rank": full_rank,
        "failures.kernel": lambda file: [list(map(str, y)) for y in file.numbers("combination")],
        "failures.units.unit": two_units(lambda unit, masks: [len(masks) + 1, unit + 1]),
        "failures.units.indicator": two_units(lambda _, masks: list(map(in_mask, masks))),
        "failures.point": lambda file: file.points(),
        "failures.dependency": lambda file: [list(map(str, file.numbers("coefficients")[0]))],
    },
    "roles": ROLES,
    "transparent": {"witness.point": point},
    "folds": {
        "order": order,
        "n_pieces": claimed("pieces", len),
        "edges": claimed(
            "edges",
            lambda edges: [{"from": a + 1, "to": b + 1, "witness": vector(x)} for a, b, x in edges],
        ),
        "pieces.level": claimed("pieces", lambda pieces: [level for level, _, _ in pieces]),
        "pieces.hyperplane": claimed("pieces", lambda pieces: [integers(h) for _, h, _ in pieces]),
        "pieces.point": claimed("pieces", lambda pieces: [vector(x) for _, _, x in pieces]),
        "is_union_of_zero_sets": claimed("hidden", lambda n: n == 0),
        "longest_paths": longest_paths,
    },
    "isomorphic": {
        "permutations": lambda file: [from_1(p) for p, _ in symmetries(file)],
        "scalings": lambda file: [s for _, s in symmetries(file)],
    },
    "equivalent": {"witness": point},
    "equivalent facts": {"lower": bound(0), "upper": bound(1), "at": point},
    "difference": {
        "largest.value": BOUND,
        "largest.point": point,
        "largest.direction": on_ray("ray"),
        "lower": BOUND,
        "upper": BOUND,
        "at": point,
    },
    "difference facts": {"lower": bound(0), "upper": bound(1), "at": point},
    "identifiable": {
        "witness": lambda file: file.networks[0],
        "functional_dimension.value": claimed("rank"),
    },
    "injective": {"witness": File.points},
    "invert": {"point": point},
    "convolution": {
        "rows": claimed("network", lambda network: widths(network)[1]),
        "columns": claimed("network", lambda network: widths(network)[0]),
    },
    "stability": {
        "points": File.points,
        "factors": lambda file: [bound for (bound,) in file.points("factor")],
    },
    "theorem-class": {"chains": active_chains},
    "fiber fiber-strata": {
        **{f"components.{name}": in_any_order(key) for name, key in STRATA.items()},
        "components.cancelling": in_any_order("others"),
        "components.nonempty": in_any_order("nonempty"),
        "components.sample": in_any_order("sample"),
    },
    "fiber fiber-half-lines": {
        "flips": flips,
        "components.orientation": flips,
        "components.nonempty": lambda file: [True] * len(flips(file)),
        "components.t_above": lower_end,
        "components.sample": after_flips,
    },
    "fiber fiber-layerwise": {
        "components.nonempty": layerwise("nonempty"),
        **{f"components.{name}": layerwise(key) for name, key in STRATA.items()},
    },
    "fiber facts": {
        "dimension": lambda file: file.claim["facts"]["list"][1]["dimension"],
        "constraints": constraints,
    },
    "fiber": {
        "witness": point,
        "smaller": lambda file: file.networks[0],
    },
    "rank": {"kernel": kernel},
    "nnrank": {
        "factors": factors,
        "dependency": dependency,
    },
    "spark": {"rows": lambda file: from_1(file.numbers("combination")[0][: file.claim["spark"]])},
    "polyhedron": {"witness": point},
    "polyhedron bounded": {"witness": on_ray("ray")},
    "cone": {"functional": on_ray("functional"), "dependency": dependency},
    "refute": {"counterexample": lambda file: {"N": {"network": subject(file, "N")}}},
}


def forms(entry: Any) -> Iterator[Any]:
    """What a field of a claim says: itself, a number, a list, of a network its widths and hash."""
    yield entry
    if isinstance(entry, dict) and "layers" in entry:
        yield from (widths(entry), sha256(entry))
    for read in (rational, vector):
        with suppress(ValueError, TypeError):
            yield read(entry)


def declared(part: Part) -> Reading:
    """The field of the claim that a part declares, or that has its name."""
    return lambda file: Such(lambda value: value in [*forms(file.claim[part.claim or part.name])])


def reading(command: Command, file: File, name: str) -> Reading:
    """How a file says a part."""
    if name == "verdict":
        return lambda file: verdict(command.name, file)
    for place in (f"{command.name} {file.claim['kind']}", command.name):
        if name in READINGS.get(place, {}):
            return READINGS[place][name]
    parts = (part for cls in command.results for part in cls.PARTS if part.name == name)
    part = next((part for part in parts if (part.claim or name) in file.claim), None)
    assert part is not None, f"READINGS does not say how a file has {name}"
    return declared(part)
