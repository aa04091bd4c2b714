"""Trees of faces: their leaves are the faces that the library finds, dimension by dimension."""

from __future__ import annotations

import io
from collections import Counter
from fractions import Fraction

import pytest
from brute_force import has_solution
from exactrelu_checker.faces import FaceTree
from exactrelu_checker.file import Limits, Proof
from exactrelu_checker.objects import chart, read_domain, read_network
from exactrelu_checker.tree import OPEN
from test_brute_force import random_case

from exactrelu.cells.faces import Face
from exactrelu.cells.tree import faces, tree
from exactrelu.certificates.certificate import encoded


@pytest.mark.parametrize("seed", range(60))
def test_face_counts(seed: int) -> None:
    """Parts without points are dropped by Fourier-Motzkin instead of by records."""
    network, domain = random_case(seed)
    if len(network.hidden_widths) > 2:
        pytest.skip("too many faces for brute force")
    restricted = domain.restricted(network)
    if domain.inner_dimension == 0:
        expected = Counter({0: 1})
    else:
        nodes = tree(restricted, domain.inside, faces, zero_sets=True)
        expected = Counter(node.dimension for node in nodes if isinstance(node, Face))
    proof = Proof(io.BufferedReader(io.BytesIO(b"")), Limits(fuel=10**15))  # type: ignore[arg-type]
    net, dom = read_network(encoded(network)), read_domain(encoded(domain))
    walked = FaceTree(proof, [net], dom, OPEN)
    found: Counter[int] = Counter()
    stack = [walked.root()]
    while stack:
        node = stack.pop()
        assert all(len(row) == node.dim + 1 for row in node.rows)
        assert max(abs(x) for row in node.rows for x in row) < 1 << node.bits
        rows = [("gt", [Fraction(x) for x in row]) for row in node.rows]
        if not has_solution(rows, node.dim):
            continue
        stage = node.stages[0]
        if stage.layer == len(net.hidden):
            found[node.dim] += 1
        else:
            start = sum(len(layer.rows) for layer in net.hidden[: stage.layer])
            stack.extend(walked.visit(node, "split", [start + stage.signs.index(None)]))
    assert found == expected
    assert chart(proof, dom).dim == domain.inner_dimension
