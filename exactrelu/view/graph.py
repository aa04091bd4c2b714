"""The graph of a network with one input as SVG, from its exact breakpoints."""

from __future__ import annotations

import html

from flint import fmpq

from exactrelu.exact.scalar import Vector, to_float, to_text
from exactrelu.network.evaluate import evaluate_batch
from exactrelu.network.network import Network
from exactrelu.questions.polyhedral_complex import polyhedral_complex

_WIDTH, _HEIGHT, _MARGIN = 320, 170, 18


def graph(network: Network) -> str:
    """One line for each output, a dot and its exact coordinate at each vertex of the complex."""
    vertices = [face.point for face in polyhedral_complex(network).faces if face.dimension == 0]
    ticks = sorted({point[0] for point in vertices})
    span = max(ticks) - min(ticks) if ticks else fmpq(0)
    margin = span / 3 + 1
    left, right = (ticks[0] - margin, ticks[-1] + margin) if ticks else (-margin, margin)
    xs = [left, *ticks, right]
    values = evaluate_batch(network, [(x,) for x in xs])
    low = min(min(value) for value in values)
    high = max(max(value) for value in values)
    rise = high - low or fmpq(1)

    def place(x: fmpq, y: fmpq) -> tuple[float, float]:
        across = to_float((x - left) / (right - left)) * (_WIDTH - 2 * _MARGIN)
        up = to_float((y - low) / rise) * (_HEIGHT - 3 * _MARGIN)
        return _MARGIN + across, _HEIGHT - 2 * _MARGIN - up

    lines = [
        _line([place(x, value[i]) for x, value in zip(xs, values, strict=True)])
        for i in range(network.n_outputs)
    ]
    dots = [
        _dot(place(x, value[i]), x, value)
        for x, value in zip(xs[1:-1], values[1:-1], strict=True)
        for i in range(network.n_outputs)
    ]
    labels = [_label(place(x, low)[0], x) for x in ticks]
    body = "".join([*lines, *dots, *labels])
    return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img">{body}</svg>'


def _line(points: list[tuple[float, float]]) -> str:
    text = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    return f'<polyline points="{text}" fill="none" stroke="#0072B2" stroke-width="2"/>'


def _dot(place: tuple[float, float], x: fmpq, value: Vector) -> str:
    title = html.escape(f"x = {to_text(x)}: {', '.join(map(to_text, value))}")
    return (
        f'<circle cx="{place[0]:.2f}" cy="{place[1]:.2f}" r="3.5" fill="#D55E00">'
        f"<title>{title}</title></circle>"
    )


def _label(across: float, x: fmpq) -> str:
    return (
        f'<text x="{across:.2f}" y="{_HEIGHT - 6}" font-size="11" text-anchor="middle">'
        f"{html.escape(to_text(x))}</text>"
    )
