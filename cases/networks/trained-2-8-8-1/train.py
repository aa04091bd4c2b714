"""How network.json was made: gradient descent with numpy, on two half-moons.

    python cases/networks/trained-2-8-8-1/train.py OUT.json [CHECKPOINTS]

200 points, one half-moon above and one below, no noise; logistic loss, Adam, fixed seed.  At the
end, and at each checkpoint, weights are rounded to multiples of 1/256: the network in the file
is exactly what it says.  (Another numpy may train to other weights: the kept file counts.)
"""

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np

from exactrelu.network.formats.load import save
from exactrelu.network.network import Network

WIDTHS = (2, 8, 8, 1)
STEPS, RATE, SEED = 1500, 0.02, 3
CHECKPOINTS = (0, 10, 20, 30, 40, 60, 80, 100, 130, 160, 200, 300, 400, 600, 800, 1100, 1500)


def half_moons() -> tuple[np.ndarray, np.ndarray]:
    """The points, multiples of 1/256, and their labels 1 and 0."""
    angle = np.linspace(0, np.pi, 100)
    upper = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    lower = np.stack([1 - np.cos(angle), 0.5 - np.sin(angle)], axis=1)
    points = np.round(np.concatenate([upper, lower]) * 256) / 256
    return points, np.repeat([1.0, 0.0], 100)


def main(out: str, checkpoints: str | None = None) -> None:
    """Train, and write what was asked for."""
    x, label = half_moons()
    random = np.random.default_rng(SEED)
    parameters = []
    for n, m in pairwise(WIDTHS):
        parameters += [random.normal(size=(m, n)) * np.sqrt(2 / n), random.normal(size=m) / 4]
    first = [np.zeros_like(p) for p in parameters]
    second = [np.zeros_like(p) for p in parameters]
    for step in range(STEPS + 1):
        if checkpoints is not None and step in CHECKPOINTS:
            Path(checkpoints).mkdir(parents=True, exist_ok=True)
            save(rounded(parameters), Path(checkpoints) / f"step-{step}.json")
        for k, g in enumerate(gradients(parameters, x, label)):
            first[k] = 0.9 * first[k] + 0.1 * g
            second[k] = 0.999 * second[k] + 0.001 * g**2
            size = np.sqrt(second[k] / (1 - 0.999 ** (step + 1))) + 1e-8
            parameters[k] = parameters[k] - RATE * first[k] / (1 - 0.9 ** (step + 1)) / size
    save(rounded(parameters), out)


def gradients(parameters: list[np.ndarray], x: np.ndarray, label: np.ndarray) -> list[np.ndarray]:
    """The gradients of the mean logistic loss, by back-propagation."""
    inputs, active, value = [], [], x
    for k in range(0, len(parameters), 2):
        inputs.append(value)
        value = value @ parameters[k].T + parameters[k + 1]
        active.append(value > 0)
        if k + 2 < len(parameters):
            value = np.maximum(value, 0)
    back = (1 / (1 + np.exp(-value)) - label[:, None]) / len(x)
    found: list[np.ndarray] = []
    for k in reversed(range(0, len(parameters), 2)):
        found = [back.T @ inputs[k // 2], back.sum(axis=0), *found]
        if k:
            back = (back @ parameters[k]) * active[k // 2 - 1]
    return found


def rounded(parameters: list[np.ndarray]) -> Network:
    """The network with all parameters rounded to multiples of 1/256."""
    exact = [np.round(p * 256) / 256 for p in parameters]
    return Network.from_arrays(exact[::2], exact[1::2], name="trained-2-8-8-1")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("out", metavar="OUT.json")
    parser.add_argument("checkpoints", nargs="?", metavar="CHECKPOINTS", help="a folder")
    main(**vars(parser.parse_args()))
