"""Covers of layers whose number is known."""

from __future__ import annotations

import random

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import vector
from exactrelu.questions.injectivity.layer import LayerProof, layer_injective


def test_pairs_need_n_covers() -> None:
    n = 12
    rng = random.Random(1)
    B = [[rng.randint(-9, 9) for _ in range(n)] for _ in range(n)]
    weights = Matrix([*B, *([-3 * x for x in row] for row in B)])
    proof = layer_injective(weights, vector([0] * (2 * n)), method="flats")
    assert isinstance(proof, LayerProof)
    assert proof.n_covers == n
