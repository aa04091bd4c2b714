"""Many questions about one small network, each compared with splitting segments and polygons.

``python -m tests.differential.hunt SECONDS [SEED]`` takes networks of small integers, degenerate
ones first, on the line and in the plane, on all of space, the orthant, boxes, flat ones and strict
ones, for so many seconds, and prints what differs; the exit code is then 1.  The
oracle (:mod:`.polygons`) uses neither PPL nor any other linear program.  Of every few networks all
certificates are checked.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import exactrelu as er
from tests.budget import tries
from tests.checking import verdicts
from tests.differential import gains, polygons, ranks
from tests.differential.faces import (
    Faces,
    Point,
    dependencies,
    middle,
    number_of,
    rows_of,
    signs_at,
)
from tests.differential.polygons import Form, Piece, Vertex

#: Of so many networks the certificates of one are checked.
CHECKED = 20

#: By how much, relatively, a bound of a layer may be smaller than the best one of its kind.
ROUNDED = Fraction(1, 2**16)

WIDTHS = {1: ([2], [3], [2, 2], [3, 2], [1, 1, 1], [4]), 2: ([2], [3], [2, 2], [1, 2], [3, 1])}


class Case(NamedTuple):
    """A network, another of its widths, a domain, and the same domain as cells."""

    network: er.Network
    other: er.Network
    domain: Any
    cells: Sequence[Sequence[Vertex]]
    #: Whether the domain has interior points.
    is_full: bool


def any_network(rng: random.Random, widths: Sequence[int], kind: int) -> er.Network:
    """Small integers; the kinds have zero rows, equal and opposite rows, ties, dead layers."""
    weights, biases = [], []
    for n, m in pairwise(widths):
        rows = [[rng.choice((-2, -1, 0, 0, 1, 2)) for _ in range(n + 1)] for _ in range(m)]
        for i in range(m):
            change = rng.randrange(6) if kind else 5
            if change == 0:
                rows[i] = [0] * (n + 1)
            elif change == 1 and i:
                factor = rng.choice((-2, -1, 1, 2))
                rows[i] = [factor * x for x in rows[rng.randrange(i)]]
            elif change == 2:
                rows[i][-1] = 0
            elif change == 3:
                rows[i] = [-abs(x) for x in rows[i]]
        weights.append([row[:-1] for row in rows])
        biases.append([row[-1] for row in rows])
    return er.from_arrays(weights, biases)


def any_case(rng: random.Random) -> Case:
    """A case of any kind; three of four are degenerate."""
    n = rng.choice((1, 2))
    widths = [n, *rng.choice(WIDTHS[n]), rng.choice((1, 1, 2))]
    network = any_network(rng, widths, rng.randrange(4))
    other = any_network(rng, widths, rng.randrange(4))
    if rng.random() < 0.3:
        other = er.identifiability.Symmetry.random(network, rng).apply(network)
    kind = rng.choice(("R", "orthant", "box", "box", "flat", "strict"))
    if kind == "R":
        return Case(network, other, None, polygons.whole(n), True)
    if kind == "orthant":
        return Case(network, other, "orthant", polygons.orthant(n), True)
    sides = []
    for _ in range(n):
        low = Fraction(rng.randint(-4, 3), rng.choice((1, 2)))
        sides.append((low, low + Fraction(rng.randint(1, 6), rng.choice((1, 3)))))
    if kind == "flat" and n == 2:
        k = rng.randrange(n)
        sides[k] = (sides[k][0], sides[k][0])
    domain: Any = [tuple(side) for side in sides]
    if kind == "strict":
        domain = er.polyhedra.LinearSystem.box(sides).open()
    return Case(network, other, domain, polygons.box(sides), kind != "flat" or n == 1)


# --- What is asked: each yields the certificates, and raises AssertionError where answers differ

Answers = Iterator[Any]


def _fractions(x: Sequence[Any]) -> Point:
    return tuple(map(Fraction, x))


def _signs(found: Sequence[Piece], k: int = 0) -> set[Any]:
    return {piece.patterns[k] for piece in found}


def ask_regions(case: Case, found: Sequence[Piece]) -> Answers:
    listed = er.regions(case.network, case.domain)
    assert {region.pattern for region in listed} == _signs(found), "patterns"
    assert listed.n_regions == len(_signs(found)), "n_regions"
    for region in listed:
        assert er.trace(case.network, region.point).pattern == region.pattern, "point"
    yield listed.certificate


def ask_faces(case: Case, found: Sequence[Piece]) -> Answers:
    faces = Faces(case.network, case.cells, found)
    yield from _ask_complex(case, faces)
    yield from _ask_generic(case, faces)
    yield from _ask_folds(case, faces)


def _ask_complex(case: Case, faces: Faces) -> Answers:
    complex_ = er.polyhedral_complex(case.network, case.domain)
    assert complex_.f_vector == faces.f_vector, "faces of each dimension"
    assert {face.signs for face in complex_.faces} == {face.signs for face in faces.all}, "faces"
    yield complex_.certificate
    free = er.is_cancellation_free(case.network, case.domain)
    assert free.answer is not faces.is_cancelled, "cancellation-free"
    yield free.certificate


def _ask_generic(case: Case, faces: Faces) -> Answers:
    layers = rows_of(case.network)
    maximal, free = ranks.masked_ranks_are_maximal(layers), ranks.are_non_proportional(layers)
    expected = {
        "masked-rank": maximal,
        "supertransversal": faces.is_supertransversal,
        "generic": maximal and faces.is_supertransversal,
        "non-proportional": free,
        "general": maximal and free and not faces.has_zero_optimum,
    }
    for sense, answer in expected.items():
        verdict = er.is_generic(case.network, case.domain, sense=sense)
        assert verdict.answer is answer, sense
        yield verdict.certificate
        if sense == "supertransversal" and not answer:
            for failure in verdict.witness:
                signs = signs_at(layers, _fractions(failure.point))
                assert failure.signs == signs, "signs of a witness"
                n_zeros = sum(layer.count(0) for layer in signs)
                assert n_zeros > faces.dimension - failure.dimension, "too many zeros"


def ask_transparent(case: Case, found: Sequence[Piece]) -> Answers:
    verdict = er.is_transparent(case.network, case.domain)
    expected = all(max(layer) >= 0 for pattern in _signs(found) for layer in pattern)
    assert verdict.answer is expected, "transparent"
    yield verdict.certificate


def ask_roles(case: Case, found: Sequence[Piece]) -> Answers:
    roles = er.layers.exact_roles(case.network, case.domain)
    for l, layer in enumerate(roles):
        for i, role in enumerate(layer):
            signs = {pattern[l][i] for pattern in _signs(found)}
            if signs == {0}:
                continue
            expected = {1: "linear", -1: "dead", 0: "nonlinear"}[
                (1 not in signs) * -1 if -1 in signs else 1
            ]
            assert role.value == expected, f"role of ({l + 1},{i + 1})"
    yield from ()


def _differences(both: Sequence[Piece], output: int, sign: int) -> list[Form]:
    return [
        tuple(sign * (x - y) for x, y in zip(p.maps[0][output], p.maps[1][output], strict=True))
        for p in both
    ]


def _largest(case: Case, a: er.Network, b: er.Network) -> Fraction | None:
    both = list(polygons.pieces(case.cells, a, b))
    tops = [
        polygons.highest(both, _differences(both, k, sign))
        for k in range(a.n_outputs)
        for sign in (-1, 1)
    ]
    known = [top for top in tops if top is not None]
    return max(known) if len(known) == len(tops) else None


def ask_pair(case: Case, found: Sequence[Piece]) -> Answers:
    expected = _largest(case, case.network, case.other)
    verdict = er.is_equivalent(case.network, case.other, case.domain)
    assert verdict.answer is (expected == 0), "equivalent"
    if not verdict.answer:
        x = verdict.witness
        assert case.network(x) != case.other(x), "witness"
    yield verdict.certificate
    difference = er.largest_difference(case.network, case.other, case.domain)
    assert difference.largest is not None
    assert difference.largest.value == expected, "difference"
    yield difference.certificate
    if expected:
        within = er.is_equivalent(case.network, case.other, case.domain, within=expected)
        assert within.answer is True, "within"
        closer = er.is_equivalent(case.network, case.other, case.domain, within=expected / 2)
        assert closer.answer is False, "not within"
        yield from (within.certificate, closer.certificate)


def ask_holds(case: Case, found: Sequence[Piece]) -> Answers:
    top = polygons.highest(found, [piece.maps[0][0] for piece in found])
    if top is None:
        verdict = er.holds(case.network, case.domain, "y1 <= 1000")
        assert verdict.answer is False, "not bounded"
        yield verdict.certificate
        return
    for bound, answer in ((top, True), (top - Fraction(1, 7), False)):
        verdict = er.holds(case.network, case.domain, f"y1 <= {bound}")
        assert verdict.answer is answer, f"y1 <= {bound}"
        yield verdict.certificate
    above = [top + 1] + [Fraction(0)] * (case.network.n_outputs - 1)
    inverse = er.invert(case.network, above, case.domain)
    assert inverse.answer is False, "no point has a value above the largest"
    yield inverse.certificate


def ask_invert(case: Case, found: Sequence[Piece]) -> Answers:
    inside = [
        tuple(x / piece.vertices[0][-1] for x in piece.vertices[0][:-1])
        for piece in found
        if piece.vertices[0][-1] != 0
    ]
    if not inside or isinstance(case.domain, er.polyhedra.LinearSystem):
        return
    taken = case.network(inside[0])
    inverse = er.invert(case.network, taken, case.domain)
    assert inverse.answer is True, "the value of a point is taken"
    assert case.network(inverse.witness.point) == taken, "point"
    yield inverse.certificate


def ask_injective(case: Case, found: Sequence[Piece]) -> Answers:
    verdict = er.is_injective(case.network, case.domain)
    on_line = len(found[0].vertices) == 2
    if on_line and case.network.n_outputs == 1:
        signs = set()
        for piece in found:
            v, w = piece.vertices
            form = piece.maps[0][0]
            # Along the coordinate that changes, from the lower end to the upper one.
            j = next(j for j in range(len(v) - 1) if v[j] * w[-1] != w[j] * v[-1])
            signs.add((form[j] > 0) - (form[j] < 0))
        assert verdict.answer is (signs in ({1}, {-1})), "monotone"
    if verdict.answer is False:
        x, y = verdict.witness
        assert x != y, "two points"
        assert case.network(x) == case.network(y), "one image"
    yield verdict.certificate


def ask_simplify(case: Case, found: Sequence[Piece]) -> Answers:
    simpler = er.simplify(case.network, case.domain)
    assert _largest(case, case.network, simpler.network) == 0, "simplified"
    yield simpler.certificate
    if case.domain is None:
        second = er.canonical(case.network).network
        assert _largest(case, case.network, second) == 0, "canonical"


def ask_identifiable(case: Case, found: Sequence[Piece]) -> Answers:
    verdict = er.is_identifiable(case.network, case.domain)
    if verdict.answer is False:
        assert _largest(case, case.network, verdict.witness) == 0, "second network"
        assert er.is_isomorphic(case.network, verdict.witness).answer is False, "isomorphic"
    yield verdict.certificate


def ask_fiber(case: Case, found: Sequence[Piece]) -> Answers:
    if len(case.network.layers) != 2 or not case.is_full:
        return
    domain = case.domain
    fiber = er.fiber(case.network, domain)
    for member in fiber.samples(2):
        assert _largest(case, case.network, member) == 0, "member"
    for component in fiber:
        assert fiber.component(component.name) == component, "name"
    yield fiber.certificate


def ask_local(case: Case, found: Sequence[Piece]) -> Answers:
    for piece in found[:3]:
        total = [sum(xs) for xs in zip(*piece.vertices, strict=True)]
        if total[-1] == 0 or 0 in (s for layer in piece.patterns[0] for s in layer):
            continue
        point = [x / total[-1] for x in total[:-1]]
        forms = tuple(tuple(row) for row in er.local(case.network, [point]).dual_points(0))
        assert forms == piece.maps[0], "affine map"
        assert er.trace(case.network, point).pattern == piece.patterns[0], "signs"
    yield from ()


def _ask_folds(case: Case, faces: Faces) -> Answers:
    folds = er.folds(case.network, case.domain)
    assert {jump.facet.signs for jump in folds.facets} == {f.signs for f in faces.facets}, "facets"
    hidden = {face.signs for face in faces.all if face.n_zeros and not face.is_fold}
    assert {face.signs for face in folds.hidden_faces} == hidden, "zero sets that are not seen"
    if faces.dimension == 2:
        _compare_pieces(folds, faces)
    else:
        # On the line every fold is a point, a piece of level 1, and depends on nothing.
        levels = [piece.level for piece in folds.representation.pieces]
        assert levels == [1] * len(faces.facets), "points"
        assert folds.order == min(1, len(levels)), "order on a line"
        assert not folds.graph.edges, "dependencies on a line"
    yield folds.certificate


def _compare_pieces(folds: Any, faces: Faces) -> None:
    """Levels, lines, intervals and dependencies in the plane."""
    expected = faces.representation()
    number = {}
    for k, piece in enumerate(folds.representation.pieces):
        points = [_fractions(jump.facet.point) for jump in piece.facets]
        places = {number_of(expected, x) for x in points}
        assert len(places) == 1, "the facets of a piece"
        number[k] = places.pop()
        level, line, _ = expected[number[k]]
        assert (piece.level, piece.hyperplane) == (level, line), "a piece"
    assert sorted(number.values()) == list(range(len(expected))), "pieces"
    left = {f.signs for f in faces.facets if number_of(expected, f.point) is None}
    assert {jump.facet.signs for jump in folds.representation.remainder} == left, "in no piece"
    assert folds.order == (None if left else max((p.level for p in expected), default=0)), "order"
    edges = {(number[a], number[b]): _fractions(x) for a, b, x in folds.graph.edges(data="witness")}
    assert edges == dependencies(expected), "dependencies"


def ask_stability(case: Case, found: Sequence[Piece]) -> Answers:
    n = case.network.n_inputs
    for l, layer in enumerate(case.network.layers, 1):
        if layer.n_inputs > 2:
            continue
        domain, cells = case.domain, case.cells
        if layer.n_inputs != n:
            domain, cells = "orthant", polygons.orthant(layer.n_inputs)
        rows = layer.affine.fractions()
        is_last = l == len(case.network.layers)
        stable = er.stability(case.network, domain, layer=l)
        gain = gains.Gain(rows, cells, is_last)
        lower, upper = Fraction(stable.lower), Fraction(stable.upper)
        assert stable.stopped is None, "stopped"
        # The least eigenvalue, over cells, of the rows that are on, twice those that always are.
        assert gain.is_at_least(2 * lower**2), "too large"
        more = 2 * lower**2 * (1 + ROUNDED) if lower else ROUNDED
        assert not gain.is_at_least(more), "too small"
        assert upper**2 <= 2 * lower**2 * (1 + ROUNDED), "the bounds are too far apart"
        x, y = map(_fractions, stable.points)
        assert x != y, "two points"
        assert gain.squared(x, y) <= upper**2 * gains.squared(x, y), "upper"
        for a, b in combinations(gain.points, 2):
            assert gain.squared(a, b) >= lower**2 * gains.squared(a, b), "lower"
        yield stable.lower_certificate
        yield stable.upper_certificate
    yield from _ask_network_stability(case, found)


def _ask_network_stability(case: Case, found: Sequence[Piece]) -> Answers:
    whole = er.layers.network_stability(case.network, case.domain)
    lower, upper = Fraction(whole.lower), Fraction(whole.upper)
    x, y = map(_fractions, whole.points)
    assert gains.squared(*_images(case, x, y)) <= upper**2 * gains.squared(x, y), "upper"
    inside = {middle(piece.vertices) for piece in found} - {None}
    for a, b in combinations(sorted(inside), 2):
        assert gains.squared(*_images(case, a, b)) >= lower**2 * gains.squared(a, b), "lower"
    if lower:
        assert er.is_injective(case.network, case.domain).answer is True, "one-to-one"
    yield whole.certificate


def _images(case: Case, *points: Point) -> list[Point]:
    return [_fractions(case.network(x)) for x in points]


QUESTIONS: dict[str, Callable[[Case, Sequence[Piece]], Answers]] = {
    name.removeprefix("ask_"): ask for name, ask in list(globals().items()) if name[:4] == "ask_"
}


def compare(number: str) -> list[Any]:
    """Ask everything about one case; the certificates."""
    case = any_case(random.Random(number))
    found = list(polygons.pieces(case.cells, case.network))
    certificates = []
    for name, ask in QUESTIONS.items():
        try:
            certificates += [c for c in ask(case, found) if c is not None]
        except Exception as error:
            domain = case.domain if isinstance(case.domain, str | None) else str(case.domain)
            network = er.Network.canonical_form(case.network)
            error.add_note(f"case {number!r}, {name} of {network} on {domain}")
            raise
    return certificates


def hunt(n: int, seconds: float, seed: int) -> tuple[Counter[str], list[str]]:
    """So many cases, or as many as so many seconds are enough for, and what differs."""
    counts: Counter[str] = Counter()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        for k in tries(n, seconds, "networks"):
            number = f"{seed} {k}"
            counts["networks"] += 1
            try:
                certificates = compare(number)
            except Exception as error:
                notes = " ".join(getattr(error, "__notes__", ()))
                faults.append(f"{type(error).__name__}: {error}: {notes}")
                continue
            counts["certificates"] += len(certificates)
            if counts["networks"] % CHECKED == 0:
                for certificate, said in zip(
                    certificates, verdicts(certificates, Path(name)), strict=True
                ):
                    counts["checked"] += 1
                    if said["verdict"] != "ACCEPTED":
                        faults.append(f"case {number!r}: {certificate.kind}: {said}")
    return counts, faults


def main() -> int:
    """Say what was found."""
    parser = argparse.ArgumentParser(description="Small networks, compared with an oracle.")
    parser.add_argument("seconds", type=float)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    given = parser.parse_args()
    counts, faults = hunt(1_000_000, given.seconds, given.seed)
    rate = 60 * counts["networks"] / given.seconds
    said = ", ".join(f"{n:,} {what}" for what, n in counts.items())
    print(f"{said}, {len(faults)} faults; {rate:,.0f} networks in a minute")
    for fault in faults:
        print(fault)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
