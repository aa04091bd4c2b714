"""The stratum of a given member, and whether a network is a member at all."""

from __future__ import annotations

from flint import fmpz

from exactrelu.network.network import Network
from exactrelu.network.shallow import oriented
from exactrelu.questions.fibers.strata import Stratum
from exactrelu.questions.fibers.target import Target, signs_on


def stratum_of(target: Target, network: Network) -> Stratum:
    """The stratum of a member: what each of its neurons does."""
    bends = signs_on(target, network)
    if bends is None:
        raise ArithmeticError("a member has a neuron on each bend: a bug")
    visible = {_projective(bend.row) for bend in target.bends}
    groups: dict[tuple[fmpz, ...], list[str]] = {}
    n_linear = n_dead = 0
    for row in network.layers[0].affine.rows():
        h, factor = oriented(row)
        one_signed = all(x >= 0 for x in h) or all(x <= 0 for x in h)
        if not any(row[:-1]) or (target.on_orthant and one_signed):
            if any(x > 0 for x in row):
                n_linear += 1
            else:
                n_dead += 1
        elif h not in visible:
            groups.setdefault(h, []).append("+" if factor > 0 else "-")
    cancelling = sorted(map(_group, groups.values()), key=lambda signs: (-len(signs), signs))
    return Stratum(bends, n_linear, n_dead, tuple(cancelling))


def _projective(row: tuple[object, ...]) -> tuple[fmpz, ...]:
    return oriented(row)[0]  # type: ignore[arg-type]


def _group(signs: list[str]) -> str:
    """The signs of a canceling group; its mirror image counts as the same."""
    n_minus = min(signs.count("-"), signs.count("+"))
    return "+" * (len(signs) - n_minus) + "-" * n_minus
