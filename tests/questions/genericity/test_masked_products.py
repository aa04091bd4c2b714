"""Masked products: batches, counts, and the minors they are searched by."""

import random
from math import comb

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.modular import all_minors, are_invertible, residues, row_minors, subsets
from exactrelu.questions.genericity import masked_products
from exactrelu.questions.genericity.masked_products import n_all_masks, stages
from exactrelu.questions.genericity.masked_rank import masked_rank
from tests.questions.genericity.brute_force import degenerate_network

PRIME = 2**31 - 1


def test_batches_of_every_size(monkeypatch) -> None:
    """Nothing depends on how the masks are cut into batches."""
    rng = random.Random(6)
    networks = [degenerate_network(rng, widths) for widths in ([2, 4, 3, 1], [3, 4, 4], [1, 5, 2])]
    expected = [masked_rank(network, all_failures=True).witness for network in networks]
    for entries in (1, 7, 100):
        monkeypatch.setattr(masked_products, "MAX_ENTRIES", entries)
        assert [masked_rank(n, all_failures=True).witness for n in networks] == expected


def test_counts() -> None:
    """What a search computes is what the formula says, and each progress call adds up."""
    rng = random.Random(8)
    for widths in ([2, 3, 2, 1], [3, 2, 4], [1, 3, 3], [2, 4, 4, 1], [4, 2, 3, 2]):
        network = degenerate_network(rng, widths)
        while masked_rank(network).answer is not True:
            network = degenerate_network(rng, widths)
        counted: list[int] = []
        masked_rank(network, progress=lambda _, n, counted=counted: counted.append(n))
        assert sum(counted) == sum(stage.n_masks for stage in stages(widths))
    assert n_all_masks([2, 3, 1]) == 2**3 + 2**1 + 2**4


def test_minors_against_determinants() -> None:
    rng = random.Random(9)
    for m, n in ((3, 4), (4, 3), (4, 4), (1, 3)):
        A = Matrix([[rng.randint(-9, 9) for _ in range(n)] for _ in range(m)])
        batch = residues(A, PRIME)[None]
        for r, minors in enumerate(all_minors(batch, min(m, n), PRIME), 1):
            assert minors.shape == (1, comb(m, r), comb(n, r))
            for i, rows in enumerate(subsets(m, r)):
                for j, columns in enumerate(subsets(n, r)):
                    assert minors[0, i, j] == int(A.take(rows, columns).flint.det().p) % PRIME
        if m >= n:
            for i, rows in enumerate(subsets(m, n)):
                minor = A.take(rows)
                assert row_minors(batch, PRIME)[0, i] == int(minor.flint.det().p) % PRIME
                square = residues(minor, PRIME)[None]
                assert bool(are_invertible(square, PRIME)[0]) is (minor.flint.det() != 0)
