"""The equations and inequalities of a component as a claim, about rows of layer 1 as wholes.

Let M be a member.  A network of its widths *does as M* if each of its neurons does what that of M
with its number does: on the same side of the same bend, on another hyperplane together with the
same neurons, linear, or dead.  Such a network has the function of M iff, for a positive scaling of
its neurons that makes its rows on bends those of M and the rows on any other hyperplane equal in
length, its output weights have the sums that those of M have on each hyperplane, and so has Σ v·r,
with the output bias, over the neurons that are linear or on the side − of their hyperplane.

These are equations in the rows r1, r2, … of [W1|b1] and the entries of W2 and b2; the signs of
linear and dead rows on the domain are the inequalities.  On the orthant they are those of entries,
on all of space of the bias; :mod:`~exactrelu.questions.fibers.description` writes the same system
entry by entry, with one scale for each row.

The checker writes the list by itself (rule ``fiber-equations``) and compares the texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from flint import fmpq, fmpz

from exactrelu.certificates.certificate import Certificate, claim
from exactrelu.certificates.moves import SideRecords
from exactrelu.network.network import Network
from exactrelu.network.shallow import Hyperplane, oriented
from exactrelu.questions.fibers.component import Component
from exactrelu.questions.fibers.description import Names
from exactrelu.questions.fibers.strata import Target, normalised

#: Longer numbers stand in hexadecimal in the texts of a claim, as they are.
_LONG = 192


@dataclass
class _MemberSides:
    """What the neurons of a member do: numbers, and on hyperplanes whether they are on the side −.

    ``others`` are hyperplanes that are no bends.
    """

    bends: dict[Hyperplane, list[tuple[int, bool]]]
    others: dict[Hyperplane, list[tuple[int, bool]]] = field(default_factory=dict)
    linear: list[int] = field(default_factory=list)
    dead: list[int] = field(default_factory=list)


def equations_certificate(network: Network, component: Component) -> Certificate | None:
    """That the members of a component of a network's fiber are given by its equations.

    None if there are no members.
    """
    target = component.target
    if component.sample is None:
        return None
    member = normalised(component.sample, target.sides)
    sides = SideRecords(target.sides)
    records = [*sides.of(network), *sides.of(member)]
    about: dict[str, Any] = {"network": network, "domain": target.place, "member": member}
    texts = constraints(target, member)
    return claim("fiber-equations", "member", records, **about, constraints=texts)


def constraints(target: Target, member: Network) -> list[str]:
    """The texts of the claim.  Rows of the member on one hyperplane have one length.

    >>> from exactrelu.questions.fibers.strata import target_of
    >>> net = Network.from_arrays([[[1], [-1]], [[1, 1]]], [["-1/2", "1/2"], [0]])
    >>> for text in constraints(target_of(net, "R"), normalised(net)):
    ...     print(text)
    r1 = 2/3, -1/3
    r2 = -2/3, 1/3
    W2_11 + W2_12 = 3
    W2_12*r2 + b2_1 = -1, 1/2
    """
    parts = _parts(target, member)
    names = Names(member.widths)
    first, den = _integers(member, 0)
    last, last_den = _integers(member, 1)
    found = []
    for h, on in (parts.bends | parts.others).items():
        lead, turned = on[0]
        for i, is_minus in on:
            if h in parts.bends:
                found.append(f"r{i + 1} = {_text(first[i], den)}")
            elif i != lead:
                found.append(f"r{i + 1} = {'-' * (is_minus != turned)}r{lead + 1}")
        for o, row in enumerate(last):
            sums = " + ".join(names.row(2, o)[i] for i, _ in on)
            found.append(f"{sums} = {_text([sum(row[i] for i, _ in on)], last_den)}")
    found += [f"r{i + 1} >= 0 on D" for i in parts.linear]
    found += [f"r{i + 1} <= 0 on D" for i in parts.dead]
    groups = (*parts.bends.values(), *parts.others.values())
    minus = [i for on in groups for i, is_minus in on if is_minus]
    active = sorted([*parts.linear, *minus])
    for o, row in enumerate(last):
        *weights, bias = names.row(2, o)
        terms = [*(f"{weights[i]}*r{i + 1}" for i in active), bias]
        values = [sum(row[i] * first[i][j] for i in active) for j in range(len(first[0]))]
        values[-1] += row[-1] * den
        found.append(f"{' + '.join(terms)} = {_text(values, den * last_den)}")
    return found


def _parts(target: Target, member: Network) -> _MemberSides:
    """The neurons on the bends, in the order of these, and the others."""
    found = _MemberSides({oriented(bend.row)[0]: [] for bend in target.bends})
    for i, row in enumerate(member.layers[0].affine.flint_rows()):
        h, factor = oriented(row)
        side = target.sides.sign(h)
        if not side:
            groups = found.bends if h in found.bends else found.others
            groups.setdefault(h, []).append((i, factor < 0))
        elif any(row) and factor * side > 0:
            found.linear.append(i)
        else:
            found.dead.append(i)
    return found


def _integers(network: Network, layer: int) -> tuple[list[list[int]], int]:
    """The rows of a layer over their least common denominator."""
    rows, den = network.layers[layer].affine.integer_form
    return [[int(x) for x in row] for row in rows.tolist()], int(den)


def _text(numerators: Sequence[int], den: int) -> str:
    """Fractions in lowest terms, with a comma between them."""
    found = []
    for x in numerators:
        is_long = max(x.bit_length(), den.bit_length()) > _LONG
        found.append(f"{x:#x}/{den:#x}" if is_long else str(fmpq(fmpz(x), fmpz(den))))
    return ", ".join(found)
