"""The values of networks."""

from typing import Any

from . import claims
from .claims import kind
from .file import form
from .objects import Network, Vector


def _read_signs(value: Any) -> str:
    ok = isinstance(value, str) and not value.strip("+-0=")
    form(ok, "unknown-word", "signs are +, -, 0 and =")
    return str(value)


@kind(
    "value",
    "{network} maps {point} to {output}, with hidden signs {signs}",
    network=claims.network,
    point=claims.vector,
    output=claims.vector,
    signs=claims.listed(_read_signs),
)
def value(network: Network, point: Vector, output: Vector, signs: list[str]) -> None:
    """Signs are +, -, 0, or = for a linear unit, a string for each hidden layer."""
    ok = len(point.nums) == network.widths[0] and len(output.nums) == network.widths[-1]
    form(ok, "dimensions-differ", "a point and an output of the network")
