"""Kept for format 2: files that the checker of format 1 accepts, or meets with an error of its own.

Format 1 is not mended for these; format 2 rules each of them out by construction. Whoever writes
its checker finds here the file, what happens today, and what has to happen.

Claims about nothing. D is {x > 1, x < 0}, or {x >= 1, x <= 0}: every claim "for all x in D" holds,
whatever it says, and the sentence does not tell. One file of each kind that is accepted; what it
says of the network is false on every interval. In format 2 a claim about an empty set cannot be
written, except the claim that a set is empty.

A counterexample about nothing. Its facts are about an empty set Z, on which every network is
general. The statement is about sets that are not empty.

Several gzip members. Python reads them as one file, another reader takes the first for the whole
of it: two readers, two files. Format 2 allows one member.

Steps back before the input. ``backward`` in ``not-in-range`` has more steps than the network has
layers; the checker counts from the end again, where its list of targets is too short. It refuses
(exit code 4, ``internal-error``), but no rule says why. Format 2 counts the steps by the layers.

A kernel that nothing ties to the claim. ``exactrelu convolution`` proves a claim about the matrix
of a convolution on a box. That it is the matrix of the user's kernel, the checker cannot be
asked: ``--network`` reads networks only. Format 2 derives the matrix from the kernel.
"""

from __future__ import annotations

from typing import NamedTuple

from face_networks import CANCELLED, NOTHING, PENCIL, STRAIGHT, VALLEY, by_tree
from forge import certificate, empty, network, stored_gzip, system
from forgeries import complex as complexes
from forgeries import (
    equal_by_cells,
    equal_by_rewriting,
    equal_within,
    fiber_member,
    folds,
    general,
    generic,
    injective,
    injective_by_layers,
    layer_injective,
    network_stability_at_least,
    no_chain,
    not_in_range,
    options,
    regions,
    stability_at_least,
    transparent,
)
from forgeries.masked_rank import PRIME, modulus
from lemma_cases import kept
from pair_trees import nothing

CLOSED = system(1, ("ge", [1, -1]), ("ge", [-1, 0]))
NOWHERE = system(2, ("gt", [1, 0, -1]), ("gt", [-1, 0, 0]))
EMPTY = empty([0, 1], [1, 1])
ABSOLUTE = network([[1, 0], [-1, 0]], [[1, 1, 0]])
IDENTITY, DOUBLE = network([[1, 0]]), network([[2, 5]])
DEAD = network([[0, -1]], [[1, 0]])
RELU = network([[1, 0]], [[1, 0]])


class Kept(NamedTuple):
    """A file, and what the checker of format 1 says of it."""

    data: bytes
    verdict: str = "ACCEPTED"
    code: str = ""


ABOUT_NOTHING = {
    # No region, no face and no fold.
    "regions": regions.tree(ABSOLUTE, NOTHING, 0, EMPTY),
    "complex": complexes.tree(ABSOLUTE, NOTHING, [0, 0], EMPTY),
    "folds": folds.proof(ABSOLUTE, NOTHING),
    # x is 2x + 5.
    "equal-by-cells": equal_by_cells.tree(IDENTITY, DOUBLE, NOTHING, nothing([0, 1], [1, 1])),
    "equal-within": equal_within.tree(IDENTITY, DOUBLE, NOTHING, 0, nothing([0, 1], [1, 1])),
    # s(x) is x, by the row x > 1 alone.
    "equal-by-rewriting": equal_by_rewriting.proof(
        RELU, IDENTITY, equal_by_rewriting.compose(0), domain=NOTHING
    ),
    # |x| is one-to-one, is never 1, and keeps points a million times as far apart.
    "injective": injective.proof(ABSOLUTE, EMPTY, on=CLOSED),
    "injective-by-layers": injective_by_layers.proof(
        RELU, layer_injective.F, layer_injective.cover((0, 1), (1, 1)), layer_injective.F, on=CLOSED
    ),
    "layer-injective": layer_injective.proof(
        DEAD, layer_injective.F, layer_injective.cover((0, 1), (1, 1)), on=CLOSED
    ),
    "not-in-range": certificate(
        not_in_range.claim(ABSOLUTE, 1, on=CLOSED), not_in_range.backward(0), EMPTY
    ),
    "stability-at-least": stability_at_least.proof(
        ABSOLUTE, 10**6, stability_at_least.H, EMPTY, on=CLOSED
    ),
    # A layer that is dead is transparent; x - x does not cancel; and so on.
    "transparent": transparent.proof(DEAD, EMPTY, on=NOTHING),
    "cancellation-free": by_tree("cancellation-free", CANCELLED, NOTHING),
    "honest": by_tree("honest", STRAIGHT, NOWHERE),
    "no-zero-optimum": by_tree("no-zero-optimum", VALLEY, NOTHING),
    "supertransversal": by_tree("supertransversal", PENCIL, NOWHERE),
    "generic": generic.proof("generic", PENCIL, NOWHERE, modulus(PENCIL, PRIME)),
    "general": generic.proof(
        "general", general.OPTIMUM, NOWHERE, modulus(general.OPTIMUM, PRIME), general.P
    ),
    "no-chain": no_chain.proof(no_chain.TWO, 0, 1, NOWHERE),
    "network-stability-at-least": network_stability_at_least.proof(
        network_stability_at_least.BOTH,
        10**6,
        network_stability_at_least.factors(10**6, 1),
        stability_at_least.H,
        EMPTY,
        *network_stability_at_least.PROOF[-2:],
        on=CLOSED,
    ),
    # |x| and a network of its shape that is 2 |2x + 5|.
    "fiber-member": fiber_member.proof(
        ABSOLUTE,
        network([[2, 5], [-2, -5]], [[2, 2, 0]]),
        NOTHING,
        fiber_member.by("equal-by-cells"),
        nothing([0, 1], [1, 1]),
    ),
}

# The weights of a general network are not 0: S001-nonzero-entries, on a set Z without a point.
_WITH_A_ZERO = network([[1, 0, 0]], [[1, 1]])
_KEPT_CLAIM, (_MODULUS, _POINTS, *_) = kept("S001-nonzero-entries")
_GENERAL = {"domain": NOWHERE, "kind": "general", "network": _WITH_A_ZERO}
COUNTEREXAMPLE = certificate(
    {**_KEPT_CLAIM, "facts": [_GENERAL], "instance": {"N": _WITH_A_ZERO, "Z": NOWHERE}},
    _MODULUS,
    _POINTS,
    EMPTY,
)

# A true file, cut after its first line into two gzip members.
_CUT = options.XOR_FILE.index(b"\n") + 1
TWO_MEMBERS = stored_gzip(options.XOR_FILE[:_CUT]) + stored_gzip(options.XOR_FILE[_CUT:])

# x and 2x after s(x): two layers, and three steps back. The third has two neurons and one target.
BEFORE_THE_INPUT = certificate(
    not_in_range.claim(network([[1, 0]], [[1, 0], [2, 0]]), 1, 2),
    not_in_range.backward(0, ((1,), (0,)), ((1,), (0,)), ((1,), (1,))),
)

KEPT = {
    **{f"about-nothing--{kind}": Kept(data) for kind, data in ABOUT_NOTHING.items()},
    "about-nothing--counterexample": Kept(COUNTEREXAMPLE),
    "several-gzip-members": Kept(TWO_MEMBERS),
    "steps-before-the-input": Kept(BEFORE_THE_INPUT, "LIMIT", "internal-error"),
}

# The kernel (1), and the certificate that the matrix of the kernels (1) and (-1) is one-to-one.
KERNEL_FILE = """{"format": "exactrelu-convolution/1", "kernels": [[["1"]]],
 "input": [1, 1], "padding": "valid"}
"""
OTHER_MATRIX = certificate(
    {"kind": "injective-by-blocks", "layer": 0, "network": ABSOLUTE},
    {"inputs": [[0]], "proofs": [0], "record": "blocks", "rows": [[0, 1]]},
    layer_injective.F,
    layer_injective.EACH,
)
