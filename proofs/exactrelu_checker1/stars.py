"""Faces by their signs: which ones have a given face in their closure.

A face F lies in the closure of a face G iff every sign of F is 0 or that of G. Faces are kept in a
tree with one level for each sign, so that only those are visited that agree with F so far.
"""

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from .budget import Budget

Item = TypeVar("Item")
_ITEM = "item"  # the key of what is kept, after the last sign


class Stars(Generic[Item]):
    """Things with signs, all of the same number of neurons."""

    def __init__(self, budget: Budget) -> None:
        self._root: dict[str, Any] = {}
        self._budget = budget

    def add(self, signs: Sequence[str], item: Item) -> None:
        """Keep an item under its signs."""
        node = self._root
        for sign in "".join(signs):
            self._budget.spend(1)
            node = node.setdefault(sign, {})
        node[_ITEM] = item

    def around(self, signs: Sequence[str]) -> list[Item]:
        """Return the items of the faces that have the face with these signs in their closure."""
        nodes = [self._root]
        for sign in "".join(signs):
            self._budget.spend(len(nodes))
            nodes = [
                below for node in nodes for other, below in node.items() if sign in ("0", other)
            ]
        return [node[_ITEM] for node in nodes if _ITEM in node]
