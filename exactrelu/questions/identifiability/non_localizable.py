"""Identifiable parts of a network that is not identifiable (theory 3.8).

Four layers, n_0 ≥ n_1 ≥ n_2 ≥ 2: W_2 and W_3 are negative and b_2 and b_3 positive, so that
layers 1–3 and 2–4 are identifiable by the sign theorem.  The second layer takes values in
[0, b_2], and b_3 ≥ |W_3|·b_2: the neurons of layer 3 never vanish, and b_3 + δ with
b_4 − W_4·δ is the same function.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from exactrelu.errors import ExactReluError, InputError
from exactrelu.network.network import Network
from exactrelu.questions.identifiability.identifiable import identifiable
from exactrelu.verdict import Verdict

#: Networks that are tried; the first is nearly always generic.
N_TRIES = 50


@dataclass(frozen=True)
class NonLocalizable:
    """The network, and the verdicts about layers 1–3, layers 2–4, and all of them."""

    network: Network
    first: Verdict
    second: Verdict
    whole: Verdict

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        return {"layers-1-3": self.first, "layers-2-4": self.second, "layers-1-4": self.whole}


def non_localizable(widths: tuple[int, ...], seed: int = 0) -> NonLocalizable:
    """A network of widths n_0, …, n_4 whose parts are identifiable, but not the whole.

    >>> found = non_localizable((2, 2, 2, 2, 1))
    >>> found.first.answer, found.second.answer, found.whole.answer
    (True, True, False)
    """
    if len(widths) != 5 or min(widths) < 1 or not widths[0] >= widths[1] >= widths[2] >= 2:
        shown = ",".join(map(str, widths))
        raise InputError(f"widths {shown}: expected n0,n1,n2,n3,n4 with n0 >= n1 >= n2 >= 2")
    rng = random.Random(seed)
    for _ in range(N_TRIES):
        network = _candidate(widths, rng)
        parts = identifiable(network.truncate(1, 3)), identifiable(network.truncate(2, 4))
        if all(part.answer for part in parts):
            return NonLocalizable(network, *parts, identifiable(network))
    raise ExactReluError(f"no generic network among {N_TRIES}")


def _candidate(widths: tuple[int, ...], rng: random.Random) -> Network:
    height = 4 * max(widths) ** 2
    signs = (0, -1, -1, 0)
    weights = [
        [
            [(sign or rng.choice((-1, 1))) * rng.randint(1, height) for _ in range(n)]
            for _ in range(m)
        ]
        for sign, n, m in zip(signs, widths, widths[1:], strict=False)
    ]
    b_2 = [rng.randint(1, height) for _ in range(widths[2])]
    b_3 = [
        rng.randint(1, height) - sum(w * b for w, b in zip(row, b_2, strict=True))
        for row in weights[2]
    ]
    b_1, b_4 = ([rng.randint(-height, height) for _ in range(n)] for n in (widths[1], widths[4]))
    return Network.from_arrays(weights, [b_1, b_2, b_3, b_4], "non-localizable")
