"""Faces by their signs: which ones have a given face in their closure.

F ⊂ cl G iff every sign of F is 0 or that of G (theory 2.1).  The faces are kept in a
tree with one level for each neuron, so that only those are visited that agree so far.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any, Generic, TypeVar

from exactrelu.network.evaluate import Pattern

Item = TypeVar("Item")


class Stars(Generic[Item]):
    """Items by the signs of their faces.

    >>> stars = Stars([(((1, 0),), "edge"), (((1, 1),), "cell"), (((0, 0),), "vertex")])
    >>> stars.around(((1, 0),))
    ['edge', 'cell']
    """

    def __init__(self, items: Iterable[tuple[Pattern, Item]]) -> None:
        self._root: dict[int, Any] = {}
        for signs, item in items:
            *path, last = (*chain.from_iterable(signs), 0)
            node = self._root
            for s in path:
                node = node.setdefault(s, {})
            node[last] = item

    def around(self, signs: Pattern) -> list[Item]:
        """The items of the faces whose closure contains the face with these signs."""
        nodes = [self._root]
        for s in chain.from_iterable(signs):
            if s == 0:
                nodes = [below for node in nodes for below in node.values()]
            else:
                nodes = [node[s] for node in nodes if s in node]
        return [node[0] for node in nodes]
