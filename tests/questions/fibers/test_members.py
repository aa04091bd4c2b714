"""Members of strata, and why a stratum has none: against the search, stratum by stratum."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from flint import fmpq

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.sides import FunctionSides
from exactrelu.questions.fibers.members import fill, member, no_member_records, spanning_rows
from exactrelu.questions.fibers.strata import Stratum, all_strata, stratum_of, target_of
from exactrelu.questions.fibers.three_layers import fiber
from tests.checking import assert_accepted
from tests.questions.fibers.networks import any_network, generic_network, in_case
from tests.seeds import seeds


@pytest.mark.parametrize("seed", seeds(6))
def test_records_just_where_there_is_no_member(seed: int) -> None:
    """With no canceling groups of one sign, and on the orthant or without linear neurons."""
    rng = random.Random(seed)
    counts: Counter[bool] = Counter()
    for number in range(12):
        net = any_network(rng, 2, 3) if number % 2 else in_case(rng, rng.randint(1, 4))[0]
        for domain in (None, LinearSystem.orthant(net.n_inputs)):
            whole = target_of(net, domain)
            for n_neurons in range(1, whole.n_neurons + 1):
                target = replace(whole, n_neurons=n_neurons)
                for stratum in all_strata(target):
                    k = stratum.n_linear if target.on_orthant else 0
                    t = sum("-" in signs for signs in stratum.cancelling)
                    records = no_member_records(target, stratum.bends, k, t)
                    has_member = fill(target, stratum) is not None
                    assert (records is None) is has_member, (seed, number, stratum)
                    counts[has_member] += 1
    assert min(counts[True], counts[False]) > 0


#: x1 − x2, of rank 1, needs two linear neurons; so it does beside a bend, on which there might be
#: two neurons; and three linear ones for rank 2, as λ = (1, 1, 1) is in the kernel.
NOT_POINTED = {
    "difference": ([[1, 0], [0, 1]], [0, 0], [[1, -1]]),
    "beside-a-bend": ([[1, 0], [0, 1], [1, 1]], [0, 0, -1], [[3, -3, 1]]),
    "three": (
        [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, -1]],
        [1, 1, 1, 2],
        [[1, -1, 0, 1], [0, 1, -1, 2]],
    ),
}


@pytest.mark.parametrize("name", NOT_POINTED)
def test_ranks_alone_do_not_show_it(name: str, tmp_path) -> None:
    first, bias, last = NOT_POINTED[name]
    net = Network.from_arrays([first, last], [bias, [0] * len(last)])
    verdict = fiber(net, LinearSystem.orthant(net.n_inputs)).minimality
    assert verdict.answer is True
    words = [record.split()[0] for record in verdict.certificate.records]
    assert "dependency" in words
    assert_accepted([verdict.certificate], tmp_path)


def test_compensation_is_that_of_the_theorem() -> None:
    """A_S = V I_{Lin ∪ D} W and d_S = V I_{Lin ∪ D} b + c (theory 1.4)."""
    net = generic_network(Random(1), 3, 3, 2, 2)
    found = fiber(net, LinearSystem.orthant(net.n_inputs))
    layout = found.own.stratum.layout(found.target)
    bending = [i for i, neuron in enumerate(layout) if neuron.kind == "bend"]
    for component in found.components:
        turned = {bending[d - 1] for d in component.reversed_neurons(net)}
        kept = [fmpq(int(i in turned or i not in bending)) for i in range(len(layout))]
        first, last = net.layers
        product = last.weights @ Matrix.diagonal(kept) @ first.affine
        bias = Matrix.zero(2, 3).beside(Matrix.column_vector(last.bias))
        assert component.compensation == product + bias


@pytest.mark.parametrize("signs", ["+", "-", "+-", "++-"])
@pytest.mark.parametrize("groups", [("+-",), ("+-", "+-"), ("+-", "+")])
def test_groups_that_cancel_stand_beside_bends_with_both_signs(
    signs: str, groups: tuple[str, ...]
) -> None:
    """s(x1 + 1) + 2·x2 + 3·x3 on R^3: the groups make the slopes that the bend cannot."""
    net = Network.from_arrays(
        [[[1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], [[1, 2, -2, 3, -3]]],
        [[1, 0, 0, 0, 0], [0]],
    )
    stratum = Stratum((signs,), 0, 0, groups)
    target = replace(target_of(net), n_neurons=stratum.n_neurons)
    filling = fill(target, stratum)
    n_pairs = groups.count("+-")
    # x2 and x3 along one group together, the slope of the bend too if it has one sign, −.
    assert (filling is not None) is (n_pairs >= 1)
    if filling is not None:
        found = member(target, stratum, filling, [])
        assert stratum_of(target, found) == stratum
        for x in product((-3, -1, 0, 2), repeat=3):
            assert found(x) == net(x)


@pytest.mark.parametrize("n_free", [2, 3])
def test_rows_that_are_no_sides_span_what_lines_need(n_free: int) -> None:
    """On the half-space x ≥ 0 of R³ only x is bounded below: y and z need free rows."""
    half = LinearSystem(3, [Row((fmpq(1), fmpq(0), fmpq(0)), fmpq(0))])
    sides = FunctionSides(Domain.of(half, 3))
    A = Matrix([[1, 1, 0], [2, 1, 1], [0, 3, 1]])
    assert spanning_rows(A, (), 3 - n_free, n_free - 1, sides) is None
    rows, free = spanning_rows(A, (), 3 - n_free, n_free, sides) or ((), ())
    assert (len(rows), len(free)) == (3 - n_free, n_free)
    assert all(row[0] > 0 and not any(row[1:]) for row in rows)
    everything = [*rows, *free]
    assert rank(Matrix(everything)) == rank(Matrix([*everything, *A.flint_rows()])) == 3
