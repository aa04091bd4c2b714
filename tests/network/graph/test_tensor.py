"""Affine tensors against numpy's arithmetic on Fractions, and where layers begin."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from exactrelu.errors import ShapeError, UnsupportedFormat
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import rational
from exactrelu.network.formats import convolution as sparse
from exactrelu.network.formats.arrays import exact_array
from exactrelu.network.formats.convolution import SparseMatrix
from exactrelu.network.formats.tensors import AffineTensor, matmul


def exact(array: Any) -> Any:
    return exact_array(np.asarray(array), "test")


def value_at(tensor: AffineTensor, x: Any) -> Any:
    """The tensor's value where the network's input is x."""
    values = tensor.network("")(np.ravel(x))
    result = np.empty(len(values), dtype=object)
    result[:] = values
    return result.reshape(tensor.shape)


SHAPES = [
    ((4,), (4, 3)),
    ((3, 4), (4,)),
    ((4,), (4,)),
    ((1, 4), (4, 3)),
    ((2, 3, 4), (4, 5)),
    ((3, 4), (2, 4, 5)),
    ((2, 1, 3, 4), (5, 4, 2)),
    ((5, 3, 2), (2, 1, 2, 3)),
]


@pytest.mark.parametrize(("left", "right"), SHAPES)
@pytest.mark.parametrize("variable_is_left", [True, False])
def test_matmul_is_numpys(
    dyadic: Callable[..., Any],
    left: tuple[int, ...],
    right: tuple[int, ...],
    variable_is_left: bool,
) -> None:
    a, b = exact(dyadic(*left)), exact(dyadic(*right))
    x = AffineTensor.variable(left if variable_is_left else right)
    product = matmul(x, b) if variable_is_left else matmul(a, x)
    expected = np.asarray(np.matmul(a, b), dtype=object)
    assert product.shape == expected.shape
    assert value_at(product, a if variable_is_left else b).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("shape", "other"),
    [((2, 3), (3,)), ((3,), (2, 3)), ((2, 1), (1, 4)), ((2, 2), ()), ((1,), (5,))],
)
def test_elementwise_operations_broadcast_as_numpys(
    dyadic: Callable[..., Any], shape: tuple[int, ...], other: tuple[int, ...]
) -> None:
    x, c = exact(dyadic(*shape)), exact(dyadic(*other))
    tensor = AffineTensor.variable(shape)
    assert value_at(tensor.add_constant(c), x).tolist() == np.asarray(x + c).tolist()
    assert value_at(tensor.scale(c), x).tolist() == np.asarray(x * c).tolist()
    both = tensor.scale(c).add(tensor)
    assert value_at(both, x).tolist() == np.asarray(x * c + x).tolist()


def test_shapes_move_elements_as_numpy_does(dyadic: Callable[..., Any]) -> None:
    x = exact(dyadic(2, 3, 4))
    moved = AffineTensor.variable((2, 3, 4)).transpose((2, 0, 1)).reshape((4, 6)).transpose((1, 0))
    assert value_at(moved, x).tolist() == x.transpose((2, 0, 1)).reshape(4, 6).T.tolist()
    with pytest.raises(ShapeError, match="cannot reshape"):
        moved.reshape((5, 5))
    with pytest.raises(ShapeError, match="permutation"):
        moved.transpose((0, 0))


def test_affine_maps_merge_and_relu_separates(dyadic: Callable[..., Any]) -> None:
    A, B = exact(dyadic(5, 3)), exact(dyadic(2, 5))
    x = AffineTensor.variable((3,))
    merged = matmul(B, matmul(A, x)).network("")
    assert merged.widths == (3, 2)
    assert merged.layers[0].weights == Matrix(B.tolist()) @ Matrix(A.tolist())
    assert matmul(B, matmul(A, x).relu()).network("").widths == (3, 5, 2)


def test_a_final_relu_is_followed_by_the_identity() -> None:
    net = AffineTensor.variable((2,)).relu().network("")
    assert net.layers[1].affine == Matrix([[1, 0, 0], [0, 1, 0]])
    assert net([-3, 4]) == (0, 4)


def test_only_tensors_of_one_layer_can_meet() -> None:
    x = AffineTensor.variable((2,))
    y = x.relu()
    with pytest.raises(UnsupportedFormat, match="skip connection"):
        y.add(x)
    with pytest.raises(UnsupportedFormat, match="skip connection"):
        y.add(x.relu())
    with pytest.raises(UnsupportedFormat, match="both depend on the input"):
        matmul(x, x)
    assert y.add(y.scale(exact(2.0))).network("")([1, -1]) == (3, 0)


def test_batch_norm_is_its_definition(rng: random.Random, dyadic: Callable[..., Any]) -> None:
    scale, shift, mean = (exact(dyadic(3)) for _ in range(3))
    roots = [rational(rng.randint(1, 9)) / rng.randint(1, 9) for _ in range(3)]
    epsilon = rational("1e-5")
    variance = exact(np.zeros(3)) + np.array([r * r - epsilon for r in roots])
    x = exact(dyadic(1, 3, 2, 2))
    tensor = AffineTensor.variable(x.shape).batch_norm(scale, shift, mean, variance, epsilon)
    for c in range(3):
        expected = scale[c] * (x[0, c] - mean[c]) / roots[c] + shift[c]
        assert value_at(tensor, x)[0, c].tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("variance", "message"),
    [
        (3.0, "channel 2: the square root .* is irrational"),
        (-0.25, "channel 2: variance . epsilon is 0, expected more"),
        (-4.0, "expected more than 0"),
    ],
)
def test_batch_norm_that_is_not_rational(variance: float, message: str) -> None:
    ones = exact(np.ones(2))
    with pytest.raises(UnsupportedFormat, match=message):
        AffineTensor.variable((1, 2)).batch_norm(
            ones, ones, ones, exact([0.0, variance]), fmpq(1, 4)
        )


@pytest.mark.parametrize("density", [0.02, 0.3, 1.0])
def test_sparse_and_dense_products_agree(rng: random.Random, density: float) -> None:
    def random_matrix(m: int, n: int) -> SparseMatrix:
        return SparseMatrix(
            n,
            tuple(
                {j: fmpq(rng.choice([-3, -1, 2]), 4) for j in range(n) if rng.random() < density}
                for _ in range(m)
            ),
        )

    A, B = random_matrix(40, 30), random_matrix(30, 35)
    product = A @ B
    assert product.to_matrix() == A.to_matrix() @ B.to_matrix()
    assert all(all(row.values()) for row in product.rows)
    assert (A + A).to_matrix() == A.to_matrix().scale(2)
    assert A.n_entries == sum(v != 0 for v in A.to_matrix().entries())


def test_sizes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    for shape in [(10**7,), (10**4, 10**4), (2**40, 2**40)]:
        with pytest.raises(UnsupportedFormat, match="more than the limit"):
            AffineTensor.variable(shape)
    with pytest.raises(ShapeError, match="no elements"):
        AffineTensor.variable((0, 3))
    wide = AffineTensor.variable((10**4, 1))
    with pytest.raises(UnsupportedFormat, match="more than the limit"):
        wide.add(wide.transpose((1, 0)))
    monkeypatch.setattr(sparse, "MAX_ENTRIES", 100)
    with pytest.raises(UnsupportedFormat, match="matrix of 20 × 21 entries"):
        AffineTensor.variable((20,)).relu()
