"""Signs of neurons on all of a domain: what a tree begins with, and a claim of its own.

*Known signs.* A tree (``tree``) of some networks on D may begin with records that show
signs s = 2k + (1 if +) of neurons k of any layers, numbered as in the tree: ±z >= 0 on the
closure of D.

``bounds s…``    only as the first record: on the box that rows of D with just one
                 coordinate show, the ends of the units of each network have the signs s, by
                 ``intervals`` or else by ``bounds``, where the box has all its ends.
``decided s…``   of neurons of one network: then follows an OPEN tree of this network alone
                 on D, its neurons numbered from 0, with leaves ``shown``, on which each of
                 the neurons has the sign, or is 0. Signs that are known already hold in it.

*In a tree* a neuron with a known sign passes z or 0 on at all points, as max(z, 0) is that.
What is said of signs in OPEN trees, on faces too, speaks of z > 0 and z < 0: on a node all
neurons of the layers before are decided, so z is affine there; if it is constant it has the
sign of the constant, 0 too, and else ±z >= 0 on a set that is open in the coordinates of
the node is ±z > 0.

Roles: which neurons are on, off and bent on a domain.

*Roles.* On the closure of D the preactivation of a hidden neuron is never negative (+),
never positive (-), or takes both signs (*); of others (?) nothing is said. A neuron that is
0 on all of D is both + and -. Linear units are =.

``signs``: the records of a tree that show signs, then ``bent``, and records ``point``,
points of D, until each neuron of both signs was seen with z > 0 and with z < 0.

Why this is sound is on the page ``roles`` of the rules.
"""

from collections.abc import Mapping
from typing import Any

from . import claims
from .bounds import FINE, PLACES, Bounds, Node, chain_of, rounded
from .ends import ends_of
from .evidence import point_in
from .file import Numbers, Proof, canonical, form, limit, need, sized
from .intervals import Range, box_of
from .numbers import paired, sign_of
from .objects import Network, System, read_list
from .tree import OPEN, Tree

_MEMORY = 16  # fuel for an entry of what is known
Signs = Mapping[int, Mapping[int, int]]  # by layer and unit


def opened(tree: Tree, record: tuple[str, Numbers], *words: str) -> tuple[str, Numbers]:
    """Read records that show signs on the whole domain; return the first other one."""
    while record[0] in ("bounds", "decided"):
        shown = bounds if record[0] == "bounds" else decided
        tree.known = {**tree.known, **shown(tree, record[1])}
        record = tree.proof.record("decided", *words)
    return record


def bounds(tree: Tree, numbers: Numbers) -> Mapping[int, int]:
    """Return signs s… that bounds on the box of the domain show."""
    named, space = _named(tree, numbers), tree.space()
    scale, box = box_of(tree.proof, space.rows, space.dim, space.bits)
    for i, layers in named.items():
        network, chart = tree.networks[i], tree.chart
        ends = ends_of(tree.proof, network, chart, scale, box, space.bits)
        left = {
            l: {unit: sign for unit, sign in signs.items() if _sign(ends[l][unit]) != sign}
            for l, signs in layers.items()
        }
        if any(left.values()):
            chain = Bounds(tree.proof, chain_of(tree.proof, network, chart))
            _require_shown(chain, chain.anchored(rounded(scale, box)), left)
    return _signs(numbers)


def _sign(ends: Range) -> int:
    low, high = ends
    return (
        -1 if high is not None and high <= 0 else 1 if low is not None and low >= 0 else 0
    )


def _require_shown(chain: Bounds, node: Node, left: Signs) -> None:
    """Refuse unless a box after an anchor shows the signs of units, by layer."""
    for l, signs in left.items():
        shown = chain.signs(node)[l]
        for unit in (unit for unit, sign in signs.items() if shown[unit] != sign):
            ok = not shown[unit] and _missing(chain, node, l, unit, signs[unit])
            need(ok, "bounds-have-no-sign", "the bounds of a neuron do not show its sign")
            limit(
                False, "bounds-too-rough", "what is missing is no more than what is rounded"
            )


def _missing(chain: Bounds, node: Node, l: int, unit: int, sign: int) -> bool:
    """Tell whether an end misses a sign by no more than what is rounded."""
    before, _, units, rows, _ = node.bends[l]
    row = sign * rows[[*units].index(unit)]
    _, rough = chain.below(node._replace(bends=node.bends[:l]), row, before.error)
    low, high = node.ends[l][unit]
    end = low if sign > 0 else high
    return end is not None and abs(end) <= 1 + (rough << PLACES >> FINE)


def decided(tree: Tree, numbers: Numbers) -> Mapping[int, int]:
    """Read a tree on whose leaves neurons of one network have the signs s…."""
    (i, layers), *others = _named(tree, numbers).items()
    need(not others, "other-network", "the neurons are those of several networks")
    first = tree.firsts[i, 0]
    known = {k - first: sign for k, sign in tree.known.items()}
    inner = Tree(tree.proof, [tree.networks[i]], tree.domain, OPEN)
    for node, *_ in inner.leaves("shown", bare=True, known=known):
        (stage,) = node.stages
        found = [*stage.decided, stage.signs]
        for l, signs in layers.items():
            tree.proof.spend(len(signs))
            on_it = found[l] if l < len(found) else ()
            ok = on_it and all(on_it[unit] in (0, sign) for unit, sign in signs.items())
            need(ok, "sign-not-shown", "a neuron does not have its sign on the leaf")
    return _signs(numbers)


def _signs(numbers: Numbers) -> Mapping[int, int]:
    return {s >> 1: 1 if s & 1 else -1 for s in numbers}


def _named(tree: Tree, numbers: Numbers) -> Mapping[int, Signs]:
    """Return signs s… by place; refuse neurons that are none, or whose sign is known."""
    form(numbers, "wrong-length", "at least one neuron")
    tree.proof.spend(_MEMORY * (len(numbers) + len(tree.known) + len(tree.firsts)))
    found: dict[int, dict[int, dict[int, int]]] = {}
    for k, sign in _signs(numbers).items():
        _, unit, i, l = tree.unit(k)
        need(unit not in tree.networks[i].layers[l].linear, "linear-unit", "it has no sign")
        need(k not in tree.known, "neuron-decided", "the neuron has a sign already")
        found.setdefault(i, {}).setdefault(l, {})[unit] = sign
    need(len(_signs(numbers)) == len(numbers), "neuron-decided", "a neuron is named twice")
    return found


def _read_layer(value: Any) -> str:
    """Return the roles of the units of a layer."""
    form(
        isinstance(value, str) and not set(value) - set("+-*?="),
        "unknown-role",
        "+, -, *, ?, =",
    )
    return str(value)


def _text(found: list[str], value: Any, book: claims.Book) -> str:
    """Return how many there are of each, and then all of them."""
    counts = (f"{sum(layer.count(role) for layer in found)} {role}" for role in "+-*?")
    return f"{', '.join(counts)} in {book.short(canonical(value), found)}"


@claims.kind(
    "on the closure of {domain} the preactivations of the hidden neurons of {network} "
    "are, layer by layer, {roles}: + is never negative, - never positive, * takes both "
    "signs",
    network=claims.network,
    roles=claims.Field(
        lambda value: [_read_layer(layer) for layer in read_list(value)], _text
    ),
)
def roles(network: Network, domain: System, roles: list[str]) -> None:
    """A role for each hidden unit, = for those that are linear."""
    form(
        [*map(len, roles)] == [*network.widths[1:-1]],
        "wrong-length",
        "a role for each unit",
    )
    for layer, said in paired(network.hidden, roles):
        ok = all((role == "=") == (unit in layer.linear) for unit, role in enumerate(said))
        form(ok, "bad-linear", "= stands for linear units, and for no others")


def roles_by_signs(
    proof: Proof, network: Network, domain: System, roles: list[str]
) -> None:
    """All signs are known, and points show both signs of the neurons that bend."""
    tree = Tree(proof, [network], domain, OPEN)
    record = opened(tree, proof.record("bounds", "decided", "bent"), "bent")
    sized(record[1], 0)
    said = "".join(roles)
    proof.spend(_MEMORY * len(said))
    for k, role in enumerate(said):
        sign = {"+": 1, "-": -1}.get(role)
        need(sign in (None, tree.known.get(k)), "sign-not-known", "a sign is not shown")
    left = {(k, sign) for k, role in enumerate(said) if role == "*" for sign in (1, -1)}
    while left:
        values = network.values(proof, point_in(proof, domain))
        nums = [z for layer in values for z in layer.nums]
        proof.spend(len(nums))
        left -= {(k, sign_of(z)) for k, z in enumerate(nums)}
