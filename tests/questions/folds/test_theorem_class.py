"""Networks determined by their function: the class, and the argument on pairs."""

import random
from itertools import pairwise, product
from pathlib import Path

import pytest

import exactrelu as er
from exactrelu import effort as effort_module
from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.system import Row, Sense
from exactrelu.network.symmetry import Symmetry
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.questions.folds.chains import Chains, NoChain, find_chains
from exactrelu.questions.folds.theorem_class import ClassMembership, have_same_function
from tests.checking import assert_accepted
from tests.questions.folds.test_construction import cube
from tests.seeds import shifted

CASES = Path(__file__).parents[3] / "cases"
SQUARE = er.LinearSystem.box([(-1, 1), (-1, 1)])


def test_identification_of_isomorphic_networks():
    rng = random.Random(seed := 3)
    print(f"seed {seed}")
    for widths in ((2, 2, 1), (3, 3, 2, 1), (4, 3, 3, 2, 1)):
        theta = er.build_identifiable(widths, cube(widths[0])).network
        for _ in range(5):
            symmetry = Symmetry.random(theta, rng)
            eta = theta.transformed(symmetry)
            found = er.identify(theta, eta)
            assert found.symmetry is not None
            assert eta.transformed(found.symmetry) == theta
            assert found.symmetry == symmetry.inverse()
            assert have_same_function(theta, eta, cube(widths[0])) is True


def test_identification_says_where_it_stops():
    theta = er.load(CASES / "phuong-lampert/S001-P1-transparent/N.json")
    layers = [(layer.weights.rows(), layer.bias) for layer in theta.layers]

    def changed(l, weights, bias):
        new = [*layers[:l], (weights, bias), *layers[l + 1 :]]
        return er.Network.from_arrays([w for w, _ in new], [b for _, b in new])

    (w1, b1), (w2, b2), (w3, b3) = layers
    turned = changed(0, [[-x for x in w1[0]], w1[1]], [-b1[0], b1[1]])
    assert er.identify(theta, turned).reason.endswith("turned round")
    moved = changed(1, w2, [b2[0] + 1, b2[1]])
    assert er.identify(theta, moved).layer == 2
    assert er.identify(theta, changed(2, w3, [b3[0] + 1])).layer == 3
    assert have_same_function(theta, moved, SQUARE) is False
    assert er.identify(theta, er.build_identifiable((2, 2, 1), SQUARE).network).symmetry is None


def test_counterexamples_are_not_in_the_class(tmp_path):
    theta = er.load(CASES / "phuong-lampert/S001-E3-bends/theta.json")
    verdict = er.is_in_theorem_class(theta, cube(3))
    assert verdict.answer is False
    assert verdict.witness == NoChain(1, 3)
    assert_accepted([verdict.certificate], tmp_path)
    union = er.load_union(CASES / "phuong-lampert/S001-E1-thmA1-nonconvex/domain.json")
    hidden = er.load(CASES / "phuong-lampert/S001-E1-thmA1-nonconvex/theta.json")
    verdict = er.is_in_theorem_class(hidden, union)
    assert (verdict.answer, verdict.witness) == (False, NoChain(2, 2))
    assert_accepted([verdict.certificate], tmp_path)


def test_unions_of_boxes(tmp_path):
    """Cut into boxes a square is still one domain: each half alone has too few folds."""
    network = er.load(CASES / "phuong-lampert/S001-P1-transparent/N.json")
    ends = [er.rational(x) for x in (-1, "1/8", 1)]
    halves = [((a, b), (ends[0], ends[-1])) for a, b in pairwise(ends)]
    assert [er.is_in_theorem_class(network, er.LinearSystem.box(h)).answer for h in halves] == [
        False,
        False,
    ]
    verdict = er.is_in_theorem_class(network, BoxUnion(tuple(halves)))
    assert verdict.answer is True
    # A fold on the common side, as a local optimum 0, is in no box.
    valley = er.Network.from_arrays(
        [[[1, 0], [-1, "1/3"]], [[1, 1], [2, 3]], [[1, 2]]], [[0, 9], [0, 1], [1]]
    )
    valley_verdict = er.is_in_theorem_class(valley, BoxUnion(tuple(halves)))
    print(valley_verdict.reason)
    assert valley_verdict.answer is False
    # A box without interior points adds nothing.
    flat = ((ends[0], ends[0]), (ends[0], er.rational(9)))
    more = er.is_in_theorem_class(network, BoxUnion((*halves, flat)))
    assert more.answer is True
    certificates = [v.certificate for v in (verdict, valley_verdict, more)]
    assert_accepted(certificates, tmp_path)


def test_domains_without_interior(tmp_path):
    """The theorem is about open sets: a flat polyhedron is a no, other sets are refused."""
    network = er.load(CASES / "phuong-lampert/S001-P1-transparent/N.json")
    one = er.rational(1)
    line = er.LinearSystem(2, (Row.of((1, -1), 0, Sense.EQUAL),))
    for flat in (er.LinearSystem.box([(-1, -1), (-1, 1)]), er.LinearSystem.box([(1, 1)] * 2), line):
        verdict = er.is_in_theorem_class(network, flat)
        assert (verdict.answer, verdict.witness) == (False, None)
        assert "the domain has no interior points" in verdict.reason
        (sentence,) = assert_accepted([verdict.certificate], tmp_path)
        assert sentence.endswith("has no solution")
    with pytest.raises(InputError, match="no interior points"):
        BoxUnion((((-one, -one), (-one, one)),))
    with pytest.raises(InputError, match="the domain is empty"):
        er.is_in_theorem_class(network, er.LinearSystem.box([(1, 0), (0, 1)]))


def test_one_box_of_a_union_is_enough(tmp_path):
    network = er.load(CASES / "phuong-lampert/S001-P1-transparent/N.json")
    one, zero, five = map(er.rational, (1, 0, 5))
    union = BoxUnion((((zero, one), (four := er.rational(4), five)), ((-one, one), (-one, one))))
    assert four < five
    verdict = er.is_in_theorem_class(network, union)
    assert verdict.answer is True
    assert_accepted([verdict.certificate], tmp_path)


def test_what_is_known_between_two_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the union has a verdict that is what is known: stopped there, it was a crash."""
    monkeypatch.setattr(effort_module, "INTERVAL", 0.0)
    seen: list[object] = []
    folder = CASES / "phuong-lampert/S001-E1-thmA1-nonconvex"
    union, hidden = er.load_union(folder / "domain.json"), er.load(folder / "theta.json")
    effort = Effort(report=lambda effort: seen.append(effort.known(Stopped("ended"))))
    assert er.is_in_theorem_class(hidden, union, effort=effort).answer is False
    assert {type(found) for found in seen} == {ClassMembership}
    assert {found.answer for found in seen} == {None, False}


def test_other_widths_are_not_in_the_class():
    """The widths say it: there is nothing to certify."""
    for widths in ((1, 2, 1), (2, 2, 2), (2, 1), (3, 2, 3, 1)):
        zeros = er.Network.from_arrays(
            [[[0] * n] * m for n, m in pairwise(widths)],
            [[0] * m for m in widths[1:]],
        )
        verdict = er.is_in_theorem_class(zeros, cube(widths[0]))
        assert (verdict.answer, verdict.certificate) == (False, None)


def test_every_no_has_a_certificate(tmp_path):
    """Whatever hypothesis fails, on boxes, cones, unions and flat domains."""
    rng = random.Random(seed := shifted(7))
    print(f"seed {seed}")
    verdicts = []
    for k in range(60):
        widths = rng.choice([(2, 2, 1), (2, 2, 2, 1), (1, 1, 1), (2, 1, 1), (3, 2, 1)])
        network = er.Network.from_arrays(
            [
                [[rng.randint(-3, 3) for _ in range(n)] for _ in range(m)]
                for n, m in pairwise(widths)
            ],
            [[rng.randint(-2, 2) for _ in range(m)] for m in widths[1:]],
        )
        left, right = [(er.rational(a), er.rational(b)) for a, b in ((-2, 0), (-1, 3))]
        union = BoxUnion(((left,) * widths[0], (right,) * widths[0]))
        place = ("box:-1,1", "box:0,0", None, "orthant", union)[k % 5]
        verdicts.append(er.is_in_theorem_class(network, place))
    assert all(verdict.answer is not None for verdict in verdicts)
    assert_accepted([verdict.certificate for verdict in verdicts], tmp_path)


def test_limits_leave_the_question_undecided():
    network = er.build_identifiable((3, 3, 2, 1), cube(3)).network
    ranks, functions = "masked ranks are maximal", "no affine functions are proportional"
    for limits, proved in (
        ({"timeout": 1e-9}, "nothing"),
        ({"max_masks": 3}, "transparent"),
        ({"max_faces": 20}, f"transparent, {ranks}, {functions}"),
    ):
        verdict = er.is_in_theorem_class(network, cube(3), **limits)
        assert verdict.answer is None
        assert verdict.reason.endswith(f"; proved so far: {proved}")


def brute_force_class(widths, signs):
    """The chains by search over all sequences of faces, for up to three hidden layers."""
    last = len(widths) - 2

    def zeros(s):
        return [(l, i) for l, row in enumerate(s, 1) for i, x in enumerate(row) if x == 0]

    def is_open(s, l):
        return all(0 not in row and row.count(1) >= widths[l - 1] for row in s[: l - 1])

    def is_bend(layers, k):
        return layers[:1] == [k] and layers.count(k) == 1 and k + 1 in layers

    def goes_on(s, t, l, m):
        """Whether the unit of layer m + 1 that is 0 at s and at t is on one hyperplane."""
        (_, i), *others = zeros(s)
        if zeros(t)[0] not in others or zeros(t)[0][0] != m + 1:
            return False
        rows = [list(row) for row in s[l - 1 : m]]
        for sign in (-1, 1):
            rows[-1][i] = sign
            if [list(row) for row in t[l - 1 : m]] == rows:
                return True
        return False

    for l in range(1, last + 1):
        usable = [s for s in signs if is_open(s, l)]
        for i in range(widths[l]):
            if l == last:
                if not any((l, i) in zeros(s) for s in usable):
                    return False
                continue
            steps = [
                [s for s in usable if is_bend([m for m, _ in zeros(s)], k)] for k in range(l, last)
            ]
            chains = (
                chain
                for chain in product(*steps)
                if zeros(chain[0])[0] == (l, i)
                and all(goes_on(chain[k], chain[k + 1], l, l + k) for k in range(len(chain) - 1))
            )
            if next(chains, None) is None:
                return False
    return any(not zeros(s) and is_open(s, last + 1) for s in signs)


def test_chains_beside_a_search_over_all_sequences(tmp_path):
    """Built networks, moved a little or much: in the class or not, two ways, and certified."""
    rng = random.Random(seed := 17)
    print(f"seed {seed}")
    answers, certificates = [], []
    for k in range(24):
        widths = [(2, 2, 1), (2, 2, 2, 1), (3, 2, 2, 1), (2, 2, 2, 2, 1)][k % 4]
        domain = cube(widths[0])
        built = er.build_identifiable(widths, domain, seed=k % 3).network
        size = er.rational(f"1/{rng.choice((3, 8, 40))}")
        network = er.Network.from_arrays(
            [layer.weights.rows() for layer in built.layers],
            [
                [b + (1 + abs(b)) * size * rng.randint(-2, 2) for b in layer.bias]
                for layer in built.layers
            ],
        )
        verdict = er.is_in_theorem_class(network, domain)
        certificates.append(verdict.certificate)
        if isinstance(verdict.witness, Chains | NoChain):
            faces = er.polyhedral_complex(network, domain).faces
            assert brute_force_class(widths, [face.signs for face in faces]) == verdict.answer
            answers.append(verdict.answer)
    assert answers.count(True) >= 3
    assert answers.count(False) >= 3
    assert_accepted(certificates, tmp_path)


def test_chains_in_lists_of_signs():
    """Any list of signs, with many zeros at a point too: as the search over all sequences."""
    rng = random.Random(seed := 23)
    print(f"seed {seed}")
    answers, many = [], 0
    for k in range(400):
        widths = [(2, 2, 2, 1), (2, 2, 2, 2, 1), (3, 2, 2, 1)][k % 3]
        signs = [((1,) * 2,) * (len(widths) - 2)]
        for _ in range(14):
            start = rng.randrange(len(widths) - 2)
            rows = [(1, 1)] * start
            rows += [
                rng.choices((0, 1, -1), (4, 4, 1), k=2) for _ in range(len(widths) - 2 - start)
            ]
            signs.append(tuple(map(tuple, rows)))
        points = [(s, (er.rational(number),)) for number, s in enumerate(signs)]
        found = find_chains(points, widths)
        assert isinstance(found, Chains) == brute_force_class(widths, signs)
        answers.append(isinstance(found, Chains))
        if isinstance(found, Chains):
            used = {int(x.p) for layer in found.points for chain in layer for (x,) in chain}
            many += any(sum(row.count(0) for row in signs[number]) > 2 for number in used)
    assert min(answers.count(True), answers.count(False), many) >= 20
