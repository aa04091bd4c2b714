"""Decides claims about the equations of a component by brute force with fractions.

The texts are read again, and compared with what a member says: the parts of its neurons from
proportional rows and signs, the functions of both networks at all sign patterns.  Order, and how a
number is written, does not matter here.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from typing import Any

from fiber_truth import Place, bends, bends_at_most, is_positive, place_of, quotient
from truth import Matrix, differ, weight_matrices

#: What is said to be equal, by its terms; rows that are ± another one; signs.
Said = tuple[Any, ...]
_TERM = re.compile(r"(?:W2_(\d)_?(\d+)(?:\*r(\d+))?|b2_(\d)|r(\d+))")


def equations_claim(claim: Any) -> bool:
    """Whether the member has the values of the network, and the texts are its constraints."""
    shapes = [
        [len(rows) for rows in weight_matrices(claim[name])] for name in ("network", "member")
    ]
    layers = weight_matrices(claim["member"])
    if len(layers) != 2 or shapes[0] != shapes[1]:
        return False
    if differ(claim["network"], claim["member"], claim["domain"]):
        return False
    texts = claim["constraints"]
    if not all(isinstance(text, str) for text in texts):
        return False
    found = [_read(text) for text in texts]
    hidden, last = layers
    expected = _expected(hidden, last, place_of(claim["domain"]))
    return None not in found and len(set(found)) == len(found) and set(found) == expected


def _expected(hidden: Matrix, last: Matrix, orthant: Place) -> set[Said] | None:
    """The constraints of a member; None if rows on a hyperplane are of other lengths."""
    kinks = [normal for normal, _ in bends(hidden, last, orthant)]
    planes: list[list[Fraction]] = [*kinks]
    on: list[list[tuple[int, Fraction]]] = [[] for _ in planes]
    found: set[Said] = set()
    active = []
    for i, row in enumerate(hidden):
        if not bends_at_most(row, orthant):
            is_linear = is_positive(row, orthant)
            found.add(("sign", i + 1, is_linear))
            active += [i] if is_linear else []
            continue
        factors = [quotient(row, plane) for plane in planes]
        at = next((k for k, factor in enumerate(factors) if factor is not None), len(planes))
        if at == len(planes):
            planes.append([x * (1 if next(filter(None, row)) > 0 else -1) for x in row])
            on.append([])
        factor = quotient(row, planes[at])
        assert factor is not None
        on[at].append((i, factor))
        active += [i] if factor < 0 else []
    for k, group in enumerate(on):
        if len({abs(factor) for _, factor in group}) != 1:
            return None
        (lead, side), *others = group
        if k < len(kinks):
            found |= {((("r", i + 1),), tuple(hidden[i])) for i, _ in group}
        else:
            found |= {("like", i + 1, lead + 1, factor * side > 0) for i, factor in others}
        for o, row in enumerate(last, 1):
            terms = frozenset(("W", o, i + 1) for i, _ in group)
            found.add((terms, (sum(row[i] for i, _ in group),)))
    for o, row in enumerate(last, 1):
        terms = frozenset([*(("Wr", o, i + 1) for i in active), ("b", o)])
        values = [sum(row[i] * hidden[i][j] for i in active) for j in range(len(hidden[0]))]
        found.add((terms, (*values[:-1], values[-1] + row[-1])))
    return found


def _read(text: str) -> Said | None:
    """What a text says; None if it is not understood."""
    if match := re.fullmatch(r"r(\d+) ([<>])= 0 on D", text):
        return ("sign", int(match[1]), match[2] == ">")
    if match := re.fullmatch(r"r(\d+) = (-?)r(\d+)", text):
        return ("like", int(match[1]), int(match[3]), not match[2])
    left, _, right = text.partition(" = ")
    try:
        values = tuple(Fraction(x) for x in right.split(", "))
    except (ValueError, ZeroDivisionError):
        return None
    terms = [_TERM.fullmatch(term) for term in left.split(" + ")]
    if not all(terms):
        return None
    said = [_term(term) for term in terms if term is not None]
    if any(a == b for a, b in pairwise(sorted(map(str, said)))):
        return None
    return (tuple(said) if said[0][0] == "r" else frozenset(said), values)


def _term(match: re.Match[str]) -> Said:
    o, i, row, bias, alone = match.groups()
    if alone:
        return ("r", int(alone))
    if bias:
        return ("b", int(bias))
    return ("W" if row is None else "Wr" if row == i else "other", int(o), int(i))
