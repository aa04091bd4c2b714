"""Two networks, cell by cell: equal, within a bound of each other, how far apart.

A tree of both networks with forms (``forms``); the units of A come first. With f/p the output of A
and g/q that of B on a node, q·f - p·g is p·q > 0 times their difference.

*equal* ``cells``: leaves ``same``, where these differences are the form 0. Equal forms are equal
functions. The leaves cover a dense part of relint D, and networks are continuous, so that A = B on
the closure of D.

*within* ε ``cells``: leaves ``within``, each followed by two records ``beyond λ m r λ… k u v w…``
for every output: λ > 0 times what is positive where A is above B by more than ε, and then where it
is below, with the one inequality of ``forms``: nowhere on the node. |A - B| <= ε is closed.

*largest-difference* exactly ε ``cells``: ``point``, in the closure of D, where some output differs
by just ε, and then the tree of *within*.
"""

from .file import Proof, form, need
from .forms import Form, FormTree
from .objects import Network, System, Vector
from .pairs import gaps_at
from .tree import Node


def equal_by_cells(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """On every leaf the outputs are the same forms."""
    tree = FormTree(proof, [a, b], domain)
    for node, _, numbers in tree.leaves("same"):
        form(not numbers, "wrong-length", "same has no numbers")
        need(not any(_differences(tree, node)[0]), "forms-differ", "the outputs are other forms")


def within_by_cells(proof: Proof, a: Network, b: Network, bound: Vector, domain: System) -> None:
    """On every leaf no output is above or below the other by more than the bound."""
    tree = FormTree(proof, [a, b], domain)
    for node, _, numbers in tree.leaves("within"):
        form(not numbers, "wrong-length", "within has no numbers")
        gaps, den = _differences(tree, node)
        for gap in gaps:
            for sign in (1, -1):
                weight, *rest = proof.record("beyond")[1] or [0]
                ok = weight > 0
                need(ok, "multiplier-not-positive", "the multiplier of the output is not positive")
                limit = (-weight * bound.nums[0] * den, tree.one)
                tree.require_never(node, [(sign * weight * bound.den, gap), limit], rest)


def largest_difference_by_cells(
    proof: Proof, a: Network, b: Network, domain: System, sense: str, bound: Vector | None
) -> None:
    """The bound is taken at a point, and exceeded nowhere."""
    need(bound and sense == "exactly", "wrong-method", "cells show the exact number")
    most = bound or Vector(1, (0,))
    gaps, den = gaps_at(proof, a, b, domain)
    taken = any(abs(gap) * most.den == most.nums[0] * den for gap in gaps)
    need(taken, "bound-not-taken", "no output differs by just the bound at the point")
    within_by_cells(proof, a, b, most, domain)


def _differences(tree: FormTree, node: Node) -> tuple[list[Form], int]:
    """Return the outputs of A minus those of B, times a number > 0, and this number."""
    (left, p), (right, q) = (tree.outputs_of(node, i) for i in (0, 1))
    pairs = zip(left, right, strict=True)
    return [tree.total([(q, f), (-p, g)], node.bits) for f, g in pairs], p * q
