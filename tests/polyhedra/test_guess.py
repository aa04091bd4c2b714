"""What is computed in floats, to be guessed from."""

from __future__ import annotations

from exactrelu.polyhedra.guess import DepthModel, float_row


def test_float_row_of_any_size() -> None:
    huge = 7**900
    assert float_row((huge, -2 * huge, huge)) == [0.5, -1.0, 0.5]
    assert float_row((1, huge))[1] == -float_row((1, -huge))[1] > 1e18
    assert float_row((0, 5)) == [0.0, 5.0]


def test_depth_model_forgets_what_is_popped() -> None:
    model = DepthModel(1)
    model.push([1.0, 0.0])
    model.push([-1.0, 1.0])
    first = model.solve()
    model.push([1.0, -5.0])
    assert model.solve().depth < 0
    model.pop()
    assert model.solve() == first
    assert first.depth == 0.5
