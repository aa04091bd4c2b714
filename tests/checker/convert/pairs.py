"""From format 1: two networks cell by cell, and at a point.

Throw-away and untrusted: what it writes is checked. The trees of both checkers are followed side by
side. What the old rules see by themselves (a sum of things >= 0 is >= 0) gets a record ``side``; an
atom is named by the first neuron that has it, so that a cut may change its sides. Once a record
does not fit its cell (in refused files), it and what follows below are written word for word.
"""

from __future__ import annotations

import io
import json
import sys
from fractions import Fraction
from math import gcd, lcm
from pathlib import Path
from typing import Any, NamedTuple

from exactrelu_checker import objects
from exactrelu_checker.file import Limits, Proof
from exactrelu_checker.file import Refused as NewRefused
from exactrelu_checker.forms import FormTree
from flint import fmpq

from exactrelu.certificates.format2 import point2, record2
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.domain import Domain

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "proofs"))

from exactrelu_checker1.bounds import is_linear, ranges
from exactrelu_checker1.budget import Budget
from exactrelu_checker1.budget import Limits as OldLimits
from exactrelu_checker1.network import read_network
from exactrelu_checker1.pair_tree import PairCell, PairTree
from exactrelu_checker1.system import read_system
from exactrelu_checker1.verdicts import Refused

KINDS = (
    "different", "equal-by-cells", "equal-within", "largest-difference", "not-equal-within",
    "unbounded-difference",
)  # fmt: skip
FAILED = (Refused, NewRefused, ValueError, LookupError, TypeError)


def integer(text: Any) -> int:
    """The integer of its hexadecimal."""
    return int(text, 16)


def point(word: str, value: Any) -> str:
    """A rational point as a record."""
    den, nums = value
    return record2(word, *map(integer, nums), integer(den))


def converted(lines: list[str]) -> list[str]:
    """The lines of format 2, without footer, of those of format 1, without footer."""
    claim = json.loads(lines[0])["claim"]
    records = [json.loads(line) for line in lines[1:]]
    kind = claim.pop("kind")
    new = {**claim}
    rows = [
        Row(tuple(fmpq(integer(x)) for x in row[:-1]), fmpq(integer(row[-1])), Sense(sense))
        for sense, row in claim["domain"]["rows"]
    ]
    dim = claim["domain"]["dim"]
    domain = Domain.of(LinearSystem(dim, tuple(rows)), dim)
    new["domain"] = {
        "dim": dim,
        "rows": [[sense, [f"{x:x}" for x in row]] for sense, row in domain.rows],
    }
    new["kind"] = {
        "different": "equal", "equal-by-cells": "equal", "equal-within": "within",
        "not-equal-within": "within",
    }.get(kind, "largest-difference")  # fmt: skip
    if new["kind"] == "largest-difference":
        new["sense"] = "exactly"
    else:
        new["holds"] = kind in ("equal-by-cells", "equal-within")
    method = {"different": "point", "not-equal-within": "point", "unbounded-difference": "ray"}
    body = [f"by {method.get(kind, 'cells')}", point2("inside", domain.point)]
    if kind == "unbounded-difference":
        new["bound"] = None
        for record in records:
            if record["record"] == "ray":
                if not contains(claim["domain"], record["point"]):
                    raise ValueError("the point of a ray is not needed any more")
                body.append(record2("ray", *map(integer, record["direction"])))
            else:
                body.append(record["record"])
    elif method.get(kind) == "point":
        body += [
            point("point", r["point"]) if r["record"] == "point" else r["record"] for r in records
        ]
    else:
        if kind == "largest-difference" and records and records[0]["record"] == "limit":
            limit = records.pop(0)
            if not contains(claim["domain"], limit["inside"]):
                raise ValueError("the converter finds a point inside")
            body.append(point("point", limit["point"]))
        body += Pair(claim, new).tree(records)
    first = json.dumps(
        {"claim": new, "format": "exactrelu-certificate/2"}, sort_keys=True, separators=(",", ":")
    )
    return [first, *body]


def contains(domain: Any, value: Any) -> bool:
    """Whether all rows of an old domain are positive at a point."""
    den, nums = value
    at = [*map(integer, nums), integer(den)]
    rows = [list(map(integer, row)) for _, row in domain["rows"]]
    return all(sum(x * y for x, y in zip(row, at, strict=True)) > 0 for row in rows)


class Place(NamedTuple):
    """A cell in both trees; old rows are factors times new ones, which have numbers.

    The number -1 - k stands for the fact that is left of a cut by neuron k.
    """

    old: PairCell
    new: Any
    rows: tuple[tuple[int, Fraction], ...]


class Known(Exception):
    """A neuron has a sign: the neuron that shows it, the sign of the first one, and g."""


class Unused(Exception):
    """A refutation of a side that refutes the cell: the lines of that."""


class Pair:
    """The trees of a claim."""

    def __init__(self, claim: Any, new: Any) -> None:
        self.budget = Budget(OldLimits(fuel=10**15))
        self.networks = [read_network(claim[name], self.budget) for name in "ab"]
        domain = read_system(claim["domain"], self.budget)
        self.old = PairTree(*self.networks, domain, self.budget)
        stream = io.BufferedReader(io.BytesIO(b""))  # type: ignore[arg-type]
        self.outputs = self.networks[0].widths()[-1]
        system = objects.read_domain(new["domain"])
        self.tree_ = FormTree(
            Proof(stream, Limits(fuel=10**15)),
            [objects.read_network(new[name]) for name in "ab"], system,
        )  # fmt: skip
        places = []
        for row in domain.rows:
            common = gcd(*row)
            if not any(row[:-1]):
                places.append((0, Fraction(row[-1])))
            else:
                primitive = tuple(x // common for x in row)
                places.append((1 + system.rows.index(primitive), Fraction(common)))
        self.start = Place(PairCell(domain.rows, {}), self.tree_.root(), tuple(places))

    def tree(self, records: list[Any]) -> list[str]:
        """The lines of a tree."""
        self.records = records
        lines = self.node(self.start)
        while self.records:
            lines += self.plain(self.records.pop(0))
        return lines

    def node(self, place: Place | None) -> list[str]:
        """The lines of a node, whose records are taken from the list."""
        if not self.records:
            return []
        record = self.records.pop(0)
        if place is None:
            return [*self.plain(record), *self.below(record)]
        try:
            implied, place = self.implied(place)
            lines, parts, reverse = self.visit(place, record)
        except Unused as empty:
            lines = list(empty.args[0])
            self.below(record)
            return lines
        except FAILED:
            return [*self.plain(record, place), *self.below(record)]
        found = []
        for part in parts:
            lines_ = self.node(None if part == "dropped" else part)
            found.append([] if part == "dropped" else lines_)
        return [*implied, *lines, *(line for part in found[::reverse] for line in part)]

    def below(self, record: Any) -> list[str]:
        """The lines of the parts of a node that is followed word for word."""
        count = {"split": 2, "sides": 1, "bounds": 1}.get(record.get("record"), 0)
        return [line for _ in range(count) for line in self.node(None)]

    # Neurons.

    def number(self, neuron: Any) -> int:
        """The number of a neuron [network, layer, number]."""
        network, layer, unit = neuron
        widths = [n.widths()[1:-1] for n in self.networks]
        if min(neuron) < 0 or unit >= widths[network][layer]:
            raise LookupError
        before = sum(sum(w) for w in widths[:network]) + sum(widths[network][:layer])
        return int(before + unit)

    def named(self, place: Place, k: int) -> tuple[int, int, int, int]:
        """The neuron that names the atom of a neuron, whether it is turned round, and both g.

        A neuron that has a sign raises Known: the old rules forget signs where forms change.
        """
        forms = place.new.stages[0]

        def parts(number: int) -> tuple[int, Any]:
            at, u = self.tree_._unit(number)
            z = forms.levels[at].before[u]
            g = gcd(*z.values())
            g = g if z[min(z)] > 0 else -g
            return g, tuple(sorted((term, x // g) for term, x in z.items()))

        g, h = parts(k)
        sign, name = forms.levels[self.tree_._unit(k)[0]].met[h]
        if k in forms.signs:
            raise Known(k, forms.signs[k], abs(g))
        if sign:
            raise Known(name, sign if g > 0 else -sign, abs(parts(name)[0]))
        other = parts(name)[0]
        return name, 1 if (g > 0) == (other > 0) else -1, abs(other), abs(g)

    def implied(self, place: Place) -> tuple[list[str], Place]:
        """Signs that the old rules see without a record."""
        lines: list[str] = []
        passed = self.old._passed(place.old)
        atoms, n = self.old._atoms, place.new.dim
        while True:
            known = place.new.stages[0].levels
            open_ = {name for level in known for sign, name in level.met.values() if not sign}
            for k in sorted(open_):
                at, unit = self.tree_._unit(k)
                network, layer = self.tree_._places[at]
                form = passed[network].before[layer][unit]
                for version in (form, atoms.plain(form)):
                    signs = {value > 0 for value in version.values()}
                    if min(version, default=0) >= n and len(signs) == 1:
                        record = self.by_facts(passed, k, version, signs.pop())
                        lines.append(record)
                        numbers = [int(x, 16) for x in record.split()[1:]]
                        (new,) = self.tree_.visit(place.new, "side", numbers)
                        place = place._replace(new=new)
                        break
                else:
                    continue
                break
            else:
                return lines, place

    def by_facts(self, passed: Any, k: int, form: Any, positive: bool) -> str:
        """A record: a neuron is ± a sum of things that are >= 0."""
        atoms, n = self.old._atoms, self.start.new.dim
        rows, facts = [], []
        for term, value in form.items():
            if term == n:
                rows = [(0, Fraction(abs(value)))]
                continue
            number, is_reversed = divmod(term - n - 1, 2)
            for j in range(self.tree_._starts[-1]):
                at, unit = self.tree_._unit(j)
                network, layer = self.tree_._places[at]
                z = atoms.plain(passed[network].before[layer][unit])
                if not z.keys() - {n}:
                    continue
                common, upright, found = atoms.atom(z)
                if found == number:
                    weight = Fraction(abs(value), common)
                    above = upright != bool(is_reversed)
                    facts.append((j, weight if above else 0, 0 if above else weight))
                    break
            else:
                raise LookupError
        return side(2 * k + positive, Fraction(1), rows, facts)

    # Records.

    def refutation(
        self, place: Place, positions: Any, values: Any, facts: Any, goal: Fraction | None
    ) -> tuple[Fraction, list[tuple[int, Fraction]], list[Any]]:
        """The weight of a form, rows and facts; without a form all of it is a refutation."""
        rows: list[tuple[int, Fraction]] = []
        more: list[Any] = []
        weight = Fraction(0)
        for position, value in zip(positions, values, strict=True):
            if goal is not None and position == len(place.rows):
                weight = integer(value) * goal
            else:
                index, factor = place.rows[position]
                if index >= 0:
                    rows.append((index, integer(value) * factor))
                else:
                    weight_ = integer(value) * factor
                    positive = place.new.stages[0].signs[-1 - index] > 0
                    zero = Fraction(0)
                    more.append((-1 - index, *((weight_, zero) if positive else (zero, weight_))))
        found = [(self.number(neuron), integer(u), integer(v)) for neuron, u, v in facts] + more
        if goal is not None and not weight:
            raise Unused([weighted("empty", [], rows, found)])
        return weight, rows, found

    def visit(self, place: Place, record: Any) -> tuple[list[str], list[Any], int]:
        """Lines, parts in the order of the old file, and the order in which they are written."""
        word = record["record"]
        if word == "split":
            parts = self.old._halves(place.old, record)
            try:
                k, turned, g, _ = self.named(place, self.number(record["neuron"]))
            except Known as known:
                name, sign, g = known.args
                rows = (*place.rows, (-1 - name, Fraction(1, g)))
                kept = [Place(part, place.new, rows) for part in reversed(parts)]
                kept[sign < 0] = None  # type: ignore[call-overload]
                return [], [part or "dropped" for part in kept], 1
            halves = self.tree_.visit(place.new, "split", [k])
            rows = place.rows
            if len(halves[0].rows) > len(place.new.rows):
                rows = (*rows, (len(place.new.rows), Fraction(1, g)))
            return (
                [record2("split", k)],
                [
                    Place(old, new, rows)
                    for old, new in zip(reversed(parts), halves[::turned], strict=True)
                ],
                turned,
            )
        if word == "sides":
            lines = []
            fields = (record[name] for name in ("neurons", "signs", "rows", "values", "facts"))
            first = place  # the old refutations are about the cell before all of these signs
            for neuron, sign, *proof in zip(*fields, strict=True):
                try:
                    k, turned, g, own = self.named(place, self.number(neuron))
                    *_, before = self.named(first, self.number(neuron))
                except Known:
                    continue
                goal = Fraction(own, g * before)
                positive = (sign == "+") == (turned > 0)
                weight, rows, facts = self.refutation(place, *proof, goal=goal)
                lines.append(side(2 * k + positive, weight, rows, facts))
                numbers = [int(x, 16) for x in lines[-1].split()[1:]]
                (new,) = self.tree_.visit(place.new, "side", numbers)
                place = place._replace(new=new)
            old = self.old._with_sides(place.old, record)
            return lines, [place._replace(old=old)], 1
        if word == "bounds":
            numbers = []
            for neuron in record["neurons"]:
                try:
                    k, turned, *_ = self.named(place, self.number(neuron))
                except Known:
                    continue
                network, layer, unit = neuron
                found = ranges(self.networks[network], place.old.rows, self.budget)
                up = is_linear(found[layer][unit])
                numbers.append(2 * k + (up == (turned > 0)))
            (new,) = self.tree_.visit(place.new, "intervals", numbers)
            old = self.old._within_bounds(place.old, record)
            return [record2("intervals", *numbers)], [place._replace(old=old, new=new)], 1
        fields = (record.get(name) for name in ("rows", "values", "facts"))
        if word == "empty":
            _, rows, facts = self.refutation(place, *fields, goal=None)
            return [weighted("empty", [], rows, facts)], [], 1
        if word == "within":
            lines = ["within"]
            proofs = list(zip(*fields, strict=True))
            for proof in proofs:
                weight, rows, facts = self.refutation(place, *proof, goal=Fraction(1))
                lines.append(weighted("beyond", [weight], rows, facts))
            return lines, [], 1
        return [leaf(record)], [], 1

    def plain(self, record: Any, place: Place | None = None) -> list[str]:
        """A record word for word, as far as it goes."""
        word = str(record.get("record"))
        numbers_ = [row for row, _ in (place or self.start).rows]

        def neuron(value: Any) -> int:
            try:
                return self.number(value)
            except FAILED:
                return 0xFFFF

        def multipliers(rows: Any, values: Any, facts: Any) -> list[int]:
            pairs = []
            for row, value in zip(rows, values, strict=False):
                pairs += [numbers_[row] if row < len(numbers_) else row + 1, integer(value)]
            more = [x for at, u, v in facts for x in (neuron(at), integer(u), integer(v), 0)]
            return [len(pairs) // 2, *pairs, *more]

        if word == "split":
            return [record2("split", neuron(record["neuron"]))]
        if word == "bounds":
            return [record2("intervals", *(2 * neuron(at) + 1 for at in record["neurons"]))]
        if word == "empty":
            return [
                record2("empty", *multipliers(record["rows"], record["values"], record["facts"]))
            ]
        if word == "sides":
            lines = []
            fields = (record[name] for name in ("neurons", "signs", "rows", "values", "facts"))
            for at, sign, rows, values, facts in zip(*fields, strict=True):
                if sign not in ("+", "-"):
                    raise ValueError("no line has another sign")
                if len(rows) != len(values):
                    raise ValueError("no line has lists of two lengths")
                goal = int(bool(rows) and rows[-1] == len(numbers_))
                weight = integer(values[-1]) if goal else 0
                numbers = multipliers(rows[: len(rows) - goal], values, facts)
                lines.append(record2("side", 2 * neuron(at) + (sign == "+"), weight, *numbers))
            return lines
        if word == "within":
            lines = ["within"]
            fields = (record[name] for name in ("rows", "values", "facts"))
            for rows, values, facts in zip(*fields, strict=True):
                if len(rows) != len(values):
                    raise ValueError("no line has lists of two lengths")
                goal = int(bool(rows) and rows[-1] == len(numbers_))
                weight = integer(values[-1]) if goal else 0
                numbers = multipliers(rows[: len(rows) - goal], values, facts)
                lines.append(record2("beyond", weight, *numbers))
            return lines
        return [leaf(record)]


def leaf(record: Any) -> str:
    """A record without numbers, or with one for each field that should not be there."""
    word = {"intervals": "bounded"}.get(record["record"], record["record"])
    return record2(word, *range(len(record) - 1))


def side(s: int, weight: Fraction, rows: Any, facts: Any) -> str:
    """A record ``side``."""
    word, *numbers = weighted("side", [weight], rows, facts).split()
    return " ".join([word, f"{s:x}", *numbers])


def weighted(word: str, first: list[Fraction], rows: Any, facts: Any) -> str:
    """A record with multipliers, which are made integers."""
    sums: dict[int, Fraction] = {}
    for row, value in rows:
        sums[row] = sums.get(row, Fraction(0)) + value
    all_ = [*first, *sums.values(), *(Fraction(x) for fact in facts for x in fact[1:])]
    scale = lcm(*(value.denominator for value in all_))
    numbers = [int(x * scale) for x in first] + [len(sums)]
    for row, value in sums.items():
        numbers += [row, int(value * scale)]
    for k, u, v in facts:
        numbers += [k, int(u * scale), int(v * scale), 0]
    return record2(word, *numbers)
