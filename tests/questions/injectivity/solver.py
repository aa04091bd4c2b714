"""Injectivity and ranges as questions to z3: a second opinion."""

from __future__ import annotations

from typing import Any

import z3
from flint import fmpq

from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Sense
from exactrelu.network.network import Network
from exactrelu.questions.injectivity.network import LayerStage


def number(value: fmpq) -> Any:
    return z3.Q(int(value.p), int(value.q))


def affine(row: Vector, offset: fmpq, x: list[Any]) -> Any:
    return z3.Sum([number(w) * v for w, v in zip(row, x, strict=True)]) + number(offset)


def inside(domain: LinearSystem, x: list[Any]) -> list[Any]:
    """The rows of a domain at x."""
    says = {
        Sense.EQUAL: lambda value: value == 0,
        Sense.AT_LEAST: lambda value: value >= 0,
        Sense.GREATER: lambda value: value > 0,
    }
    return [says[row.sense](affine(row.normal, row.offset, x)) for row in domain.rows]


def has_points(domain: LinearSystem) -> bool:
    solver = z3.Solver()
    solver.add(inside(domain, [z3.Real(f"x{i}") for i in range(domain.dimension)]))
    return bool(solver.check() == z3.sat)


def layers(network: Network, x: list[Any]) -> list[list[Any]]:
    """What every layer passes on, the input first."""
    passed = [x]
    for l, layer in enumerate(network.layers, 1):
        rows = zip(layer.weights.rows(), layer.bias, strict=True)
        values = [affine(row, b, passed[-1]) for row, b in rows]
        if l < len(network.layers):
            values = [z3.If(v > 0, v, 0) for v in values]
        passed.append(values)
    return passed


def is_one_to_one(stage: LayerStage) -> bool:
    x, y = ([z3.Real(f"{name}{i}") for i in range(stage.domain.dimension)] for name in "xy")
    at_x, at_y = layers(stage.network, x), layers(stage.network, y)
    solver = z3.Solver()
    solver.add(inside(stage.domain.system, x) + inside(stage.domain.system, y))
    solver.add([f == g for f, g in zip(at_x[stage.last], at_y[stage.last], strict=True)])
    first = zip(at_x[stage.first], at_y[stage.first], strict=True)
    solver.add(z3.Or([f != g for f, g in first]))
    return bool(solver.check() == z3.unsat)


def takes_value(network: Network, domain: LinearSystem, output: Vector) -> bool:
    x = [z3.Real(f"x{i}") for i in range(domain.dimension)]
    solver = z3.Solver()
    solver.add(inside(domain, x))
    pairs = zip(layers(network, x)[-1], output, strict=True)
    solver.add([value == number(wanted) for value, wanted in pairs])
    return bool(solver.check() == z3.sat)
