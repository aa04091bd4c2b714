"""Tensors of a graph against numpy's arithmetic on rationals, and what bends by its definition."""

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
from exactrelu.network.formats.arrays import exact_array
from exactrelu.network.graph import tensor as module
from exactrelu.network.graph.forms import Forms
from exactrelu.network.graph.roots import Normalisation
from exactrelu.network.graph.tensor import Tensor, matmul
from exactrelu.network.network import widths_text


def exact(array: Any) -> Any:
    return exact_array(np.asarray(array), "test")


def value_at(tensor: Tensor, x: Any) -> Any:
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
    x = Tensor.variable(left if variable_is_left else right)
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
    tensor = Tensor.variable(shape)
    assert value_at(tensor.add_constant(c), x).tolist() == np.asarray(x + c).tolist()
    assert value_at(tensor.scale(c), x).tolist() == np.asarray(x * c).tolist()
    both = tensor.scale(c).add(tensor)
    assert value_at(both, x).tolist() == np.asarray(x * c + x).tolist()


def test_shapes_move_elements_as_numpy_does(dyadic: Callable[..., Any]) -> None:
    x = exact(dyadic(2, 3, 4))
    moved = Tensor.variable((2, 3, 4)).transpose((2, 0, 1)).reshape((4, 6)).transpose((1, 0))
    assert value_at(moved, x).tolist() == x.transpose((2, 0, 1)).reshape(4, 6).T.tolist()
    with pytest.raises(ShapeError, match="cannot reshape"):
        moved.reshape((5, 5))
    with pytest.raises(ShapeError, match="permutation"):
        moved.transpose((0, 0))


def test_affine_maps_merge_and_relu_separates(dyadic: Callable[..., Any]) -> None:
    A, B = exact(dyadic(5, 3)), exact(dyadic(2, 5))
    x = Tensor.variable((3,))
    merged = matmul(B, matmul(A, x)).network("")
    assert merged.widths == (3, 2)
    assert merged.layers[0].weights == Matrix(B.tolist()) @ Matrix(A.tolist())
    assert matmul(B, matmul(A, x).relu()).network("").widths == (3, 5, 2)


def test_a_final_relu_is_followed_by_the_identity() -> None:
    net = Tensor.variable((2,)).relu().network("")
    assert net.layers[1].affine == Matrix([[1, 0, 0], [0, 1, 0]])
    assert net([-3, 4]) == (0, 4)


def test_tensors_of_any_layers_meet() -> None:
    x = Tensor.variable((2,))
    y = x.relu()
    assert y.add(x).network("")([1, -3]) == (2, -3)
    assert widths_text(y.add(x).network("")) == "2-2+2-2"
    with pytest.raises(UnsupportedFormat, match="both depend on the input"):
        matmul(x, x)
    with pytest.raises(UnsupportedFormat, match="both depend on the input"):
        x.multiply(y)
    assert y.add(y.scale(exact(2.0))).network("")([1, -1]) == (3, 0)


def test_one_factor_is_constant_for_each_element() -> None:
    """(x, 2)·(3, y): for each element another of the two."""
    x = Tensor.variable((2,))
    two, three = x.constant(np.array([2.0])), x.constant(np.array([3.0]))
    first, second = x.gather(np.array([0])), x.gather(np.array([1]))
    left = x.of(Forms.joined([first.forms, two.forms]), (2,))
    right = x.of(Forms.joined([three.forms, second.forms]), (2,))
    assert left.multiply(right).network("")([5, 7]) == (15, 14)


BENDS: dict[str, tuple[Callable[[Tensor], Tensor], Callable[[Any], Any], str]] = {
    "relu": (Tensor.relu, lambda v: max(v, 0), "4-4-4"),
    "leaky": (lambda x: x.leaky(np.array(0.25)), lambda v: max(v, v / 4), "4-4+4-4"),
    "leaky, upside down": (lambda x: x.leaky(np.array(3.0)), lambda v: min(v, 3 * v), "4-4+4-4"),
    "absolute": (Tensor.absolute, abs, "4-4+4-4"),
    "clipped": (
        lambda x: x.clip(np.array(-1.0), np.array(0.5)),
        lambda v: min(max(v, -1), fmpq(1, 2)),
        "4-8-4",
    ),
    "clipped above": (lambda x: x.clip(None, np.array(1.0)), lambda v: min(v, 1), "4-4+4-4"),
    "clipped below": (lambda x: x.clip(np.array(1.0), None), lambda v: max(v, 1), "4-4-4"),
    "not clipped": (lambda x: x.clip(None, None), lambda v: v, "4-4"),
}


@pytest.mark.parametrize("name", BENDS)
def test_what_bends_is_its_definition(dyadic: Callable[..., Any], name: str) -> None:
    bent, expected, widths = BENDS[name]
    network = bent(Tensor.variable((4,))).network("")
    assert widths_text(network) == widths
    for _ in range(5):
        x = exact(dyadic(4))
        assert list(network(x)) == [expected(v) for v in x]


def test_a_maximum_of_equals_needs_no_neuron() -> None:
    x = Tensor.variable((2,))
    assert x.maximum(x).network("").widths == (2, 2)
    # Activations are ≥ 0 by their sign: so is what is added to one.
    y = x.relu()
    assert widths_text(y.positive_part().network("")) == "2-2-2"
    below = y.maximum(y.negated())
    assert [below.network("")([v, -v])[0] for v in (-2, 3)] == [0, 3]


def test_batch_norm_is_its_definition(rng: random.Random, dyadic: Callable[..., Any]) -> None:
    scale, shift, mean = (exact(dyadic(3)) for _ in range(3))
    roots = [rational(rng.randint(1, 9)) / rng.randint(1, 9) for _ in range(3)]
    epsilon = rational("1e-5")
    variance = exact(np.zeros(3)) + np.array([r * r - epsilon for r in roots])
    x = exact(dyadic(1, 3, 2, 2))
    by = Normalisation.of(scale, shift, mean, variance, np.array(epsilon, dtype=object))
    tensor = Tensor.variable(x.shape).normalised(by)
    for c in range(3):
        expected = scale[c] * (x[0, c] - mean[c]) / roots[c] + shift[c]
        assert value_at(tensor, x)[0, c].tolist() == expected.tolist()


def test_normalisation_has_one_number_for_each_channel() -> None:
    by = Normalisation(np.ones(3), np.ones(3))
    with pytest.raises(ShapeError, match="expected one number for 2 channels"):
        Tensor.variable((1, 2)).normalised(by)
    with pytest.raises(ShapeError, match=r"expected \(batch, channels"):
        Tensor.variable((3,)).normalised(by)


def test_sizes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    for shape in [(10**7,), (10**4, 10**4), (2**40, 2**40)]:
        with pytest.raises(UnsupportedFormat, match="more than the limit"):
            Tensor.variable(shape)
    with pytest.raises(ShapeError, match="no elements"):
        Tensor.variable((0, 3))
    wide = Tensor.variable((10**4, 1))
    with pytest.raises(UnsupportedFormat, match="more than the limit"):
        wide.add(wide.transpose((1, 0)))
    monkeypatch.setattr(module, "MAX_ENTRIES", 100)
    with pytest.raises(UnsupportedFormat, match="layers would have 420 entries or more"):
        Tensor.variable((20,)).relu().network("")
