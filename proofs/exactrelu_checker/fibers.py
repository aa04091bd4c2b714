"""Fibers of networks with one hidden layer: strata that occur or do not, and dimensions.

N has one hidden layer, D is all of space or the orthant x >= 0, open or not; N bends on D
at m hyperplanes (``shallow``), numbered by the first neurons on them and oriented so that
the first nonzero weight is positive. A neuron is on a bend, on another hyperplane that
meets the interior of D (where the output columns, for rows of one length, add up to 0), or
it does not bend: it is *linear* if its row is >= 0 and not 0, *dead* if its row is <= 0. On
all of space linear and dead neurons have no weights.

**fiber-strata.** A *stratum* {"bends", "dead", "linear", "others"} has a string of sides
for each bend, one side + or - for each neuron on it, + first; the same for each other
hyperplane, up to turning it around, so that there are not more - than +, sorted; and the
numbers of linear and dead neurons. For each stratum in ``nonempty`` there is a network in
it with the widths of N and its values on D, and for those in ``empty`` there is none.

``members``  for each stratum in ``nonempty`` a network in records (``equality``): it has
             the form of N, hence its values, and its rows show its stratum. Then for each
             in ``empty`` the proof of ``shallow`` that it has no member, with Q the bends
             with both sides, the others oriented as they are, k the linear neurons (on all
             of space 0), t the other hyperplanes with both sides.

**fiber-parts.** The *sides* of a network with the widths of N and its values on D are, for
each bend, +, - or both (+-), where it has neurons on these sides of it. They are in one of
the lists, the *parts*; and no path of such networks leads from one with sides in a part to
one with sides in another.

``cases``    the records of the form of N, m bends and m + s neurons; then for q = 0, …, s,
each set Q of q bends in lexicographic order and each orientation of the others (+ before -,
the last changing fastest), both sides on Q: if they are in no part, the proofs of
``minimal`` that no network has them, with the k and t of ``minimal`` for s - q in the place
of s - 1 - q; if they are in a part, and some sides in another part have no bend with + in
one and - in the other, the proofs for s - 1 - q, unless that is negative: no network with a
neuron less has them.

**fiber-equations.** M has the widths of N and its values on D. A network with these *does
as M* if each of its neurons does what that of M with its number does: it is on the same
bend of N and the same side of it; or on another hyperplane, with the same neurons, on the
same side as each or on the other side as in M; or it is linear; or dead. Every such network
satisfies the constraints after positive scaling of its neurons, and every network with
these widths that satisfies them has the values of N on D.

``member``   the records of the forms of N and M. On one hyperplane rows of M are of one
length. The constraints are texts. Let r1, r2, … be the rows of layer 1, weights and then
the bias, counted from 1 as those of W2 and b2 are, with _ between two numbers if a width
exceeds 9. First, bend by bend, then for each other hyperplane in the order of the first
neurons of M on them: for each neuron on a bend r = its value in M; for each neuron i on
another hyperplane but the first one, j, ri = rj or ri = -rj; and for each output the sum of
the W2 of these neurons = its value in M. Then ``ri >= 0 on D`` for the linear neurons, ``ri
<= 0 on D`` for the dead ones. At last, for each output, the sum of W2·r over the neurons
that are linear or on the side - in M, and of b2 in the place of the bias, = its value in M.

**fiber-dimension.** Consider the networks with the widths of N and its values on D, whose
neurons are on the same bends of N and the same sides of them, share other hyperplanes as
those of N do, and are linear or dead where those of N are. Near N, up to positive scaling
of each neuron, their set has the given dimension.

``minors``   Let W have the normals of the bends with neurons on both sides, then of the
other hyperplanes with both, in the order of their first neurons, and on the orthant the
weights of the linear neurons. Let V have a column for each row of W that is no bend: for a
hyperplane (h, c) the sum of g·(output column) over the neurons with the row -g·(h, c), g >
0; for a linear neuron its output column. A ``minor`` of V of size min(columns of V, n2), n2
the outputs; then, unless V has more columns than rows, a ``minor`` of W of size min(rows of
W, n0), n0 the inputs. Entries of linear rows are positive and those of dead rows negative
(on all of space: their biases). But if there are no bends and no other hyperplanes with
both sides, and V has at most n2 columns, a weight may be 0 in all linear rows.

Fibers of networks with three layers, by what layer 2 sees of layer 1.

A neuron of layer 2 is *dead* if its row of [W_2 | b_2] is <= 0, else *live*. A live one
*hides* neuron i of layer 1 if its weight from i is positive, and its other weights and its
bias are negative. N is *generic* if its masked ranks are maximal and it is supertransversal
on R^n0.

**fiber-half-lines.** There is a live neuron of layer 2, and all live ones hide neuron i of
layer 1. For a set A of other neurons of layer 1 let N_A be N after the flips of A: with w
the row of the one live neuron, row a of layer 1 becomes -(row a) for a in A, and Σ_{a in A}
(w_a/w_i)·(row a) is added to row i. For more live neurons only A = ∅ is allowed, and N_∅ =
N. Let N_A(t) be N_A with t added to the bias of i and t·W_2[j,i] taken from the bias of
each live neuron j. For each A and each t > max_j b_2[j]/W_2[j,i] (j live) N_A(t) has the
values of N on R^n0.

``flips``       no records: the checker finds i.

``bottleneck``  the same, ``complete``: N is also generic, with n_0 >= n_1 >= 2, and every
generic network of its widths with its values is some N_A(t), t as above, up to permutation
and positive scaling of hidden neurons and up to the rows and output weights of dead neurons
of layer 2, with A any set (one live neuron) or A = ∅ (more). These half-lines (2^(n_1 - 1)
of them, or one) are disjoint, and no path of such networks leads from one to another. The
proofs of masked-rank and supertransversal follow, each with its ``by``. The page of the
kind proves that these are all, and apart.

**fiber-layerwise.** Let R be layers 2 and 3 of N, and D the orthant of their inputs. The
networks with the first layer of N, and on top of it a network with the widths of R and its
values on D, have the values of N, as the activations of layer 1 are in D. Strata are those
of ``fibers`` about R on D: each one in ``nonempty`` has a member, and none in ``empty`` has
one.

``members``     as for ``fiber-strata`` about R and D.

``visibility``  the same, ``complete``: N is also generic, with n_0 >= n_1 >= 2; some neuron
of layer 2 is live, and no neuron of layer 1 is hidden; every stratum with one neuron on
each bend and no other hyperplanes is listed; and every generic network with the widths and
the values of N is in one of these, listed as nonempty, up to permutation and positive
scaling of hidden neurons. The proofs of masked-rank and supertransversal come first.

Why this is sound is on the pages ``fiber-parts``, ``fiber-equations``, ``fiber-dimension``,
``fiber-half-lines`` and ``fiber-layerwise`` of the rules.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from . import claims
from .claims import Claim, Field, kind, prove
from .equality import recorded_network
from .file import Numbers, Proof, form, need
from .minimal import form_and_spare, orientations, refute_member
from .numbers import Row, Rows, bits, paired, total
from .objects import Layer, Network, System, read_fields, read_flag, read_index, read_list
from .ranks import minor
from .shallow import Form, Place, oriented, orthant, require_same, shallow_form


class Stratum(NamedTuple):
    """The sides of the neurons on each bend and other hyperplane, and the numbers of
    others.
    """

    bends: tuple[str, ...]
    others: tuple[str, ...]
    linear: int
    dead: int


def _read_stratum(value: Any) -> Stratum:
    bends, dead, linear, others = read_fields(value, "bends", "dead", "linear", "others")
    sides, turned = _read_sides(bends), _read_sides(others)
    ok = all(x.count("+") >= x.count("-") for x in turned) and turned == tuple(
        sorted(turned)
    )
    form(ok, "bad-sides", "other hyperplanes have at least as many + as -, and are sorted")
    return Stratum(sides, turned, read_index(linear), read_index(dead))


def _read_sides(value: Any) -> tuple[str, ...]:
    for sides in read_list(value):
        ok = isinstance(sides, str) and re.fullmatch("[+]*-*", sides)
        form(sides and ok, "bad-sides", "sides are + and then -, at least one")
    return tuple(value)


strata = claims.listed(_read_stratum)
Strata = list[Stratum]


def strata_fit(width: int, nonempty: Strata, empty: Strata) -> None:
    """Refuse strata of another number of neurons, and lists that are both empty."""
    form(nonempty or empty, "nothing-listed", "no stratum is listed")
    for bends, others, linear, dead in (*nonempty, *empty):
        ok = len("".join((*bends, *others))) + linear + dead == width
        form(ok, "stratum-size", f"a stratum has all {width} neurons")


def _shallow_fits(network: Network, **others: Any) -> None:
    """One hidden layer."""
    form(
        len(network.layers) == 2, "not-shallow", "a network with one hidden layer is needed"
    )


@kind(
    "of the networks with the widths of {network} and its values on {domain}, each of the "
    "strata {nonempty} of sides of neurons has one, and none of {empty} has one",
    nonempty=strata,
    empty=strata,
)
def fiber_strata(network: Network, domain: System, **said: Strata) -> None:
    """One hidden layer; strata with all of its neurons."""
    _shallow_fits(network)
    strata_fit(network.widths[1], **said)


def fiber_strata_by_members(
    proof: Proof, network: Network, domain: System, **said: Strata
) -> int:
    """Members of the first strata; of the others there are none. Return the number of
    bends.
    """
    place, shape, _ = form_and_spare(proof, network, domain)
    m = len(shape.bends)
    for stratum in said["nonempty"]:
        member = recorded_network(proof, network.widths[0])
        found = _member_parts(proof, network, member, shape, place).stratum()
        need(found == stratum, "other-stratum", "the member is in another stratum")
    for stratum in said["empty"]:
        need(len(stratum.bends) == m, "other-stratum", f"a stratum has sides for {m} bends")
        bends = ["".join(sorted(set(sides))) for sides in stratum.bends]
        k = 0 if place.everywhere else stratum.linear
        refute_member(
            proof, place, shape, bends, k, sum("-" in on for on in stratum.others)
        )
    return m


_Neuron = tuple[
    int, int
]  # on a hyperplane (h, c): its number, and g != 0 with the row g·(h, c)


def _sides(group: list[_Neuron], turn: int = 1) -> str:
    """Return the sides of neurons on a hyperplane, or (-1) on the same one turned
    around.
    """
    return "".join(sorted("+" if turn * g > 0 else "-" for _, g in group))


class _Parts(NamedTuple):
    """The neurons on each bend and each other hyperplane, the linear and the dead ones."""

    bends: dict[Row, list[_Neuron]]
    others: dict[Row, list[_Neuron]]
    linear: Numbers
    dead: Numbers

    @property
    def planes(self) -> dict[Row, list[_Neuron]]:
        """The bends, then the other hyperplanes."""
        return self.bends | self.others

    def stratum(self) -> Stratum:
        """Return the stratum of the network."""
        others = sorted(
            min(_sides(group), _sides(group, -1)) for group in self.others.values()
        )
        bends = tuple(map(_sides, self.bends.values()))
        return Stratum(bends, tuple(others), len(self.linear), len(self.dead))


def _parts(proof: Proof, network: Network, shape: Form, place: Place) -> _Parts:
    """Return what the neurons of a network with a form do."""
    layer = network.layers[0]
    proof.spend(16 * layer.entries, layer.bits, layer.bits)
    found = _Parts({row: [] for row in shape.bends}, {}, [], [])
    for number, entries in enumerate(layer.rows):
        factor, sign, row = oriented(entries)
        side = factor * sign * place.side(row)
        if any(row) and not side:
            group = (
                found.bends[row] if row in shape.bends else found.others.setdefault(row, [])
            )
            group.append((number, sign * factor))
        else:
            (found.linear if side > 0 else found.dead).append(number)
    return found


_lists = claims.listed(claims.listed(claims.listed(*claims.word("+", "-", "+-")).read).read)
fiber_parts = kind(
    "each network with the widths of {network} and its values on {domain} has neurons on "
    "sides of its bends as {parts} list them, and no path of such networks leads from a "
    "part to another",
    parts=_lists,
)(_shallow_fits)


def fiber_parts_by_cases(
    proof: Proof, network: Network, domain: System, parts: Any
) -> None:
    """Other sides have no members, and those beside another part none with a neuron to
    spare.
    """
    place, shape, spare = form_and_spare(proof, network, domain)
    part = {tuple(sides): number for number, listed in enumerate(parts) for sides in listed}
    need(len(part) == sum(map(len, parts)), "sides-twice", "sides are listed twice")
    for signs in orientations(len(shape.bends), spare):
        own = part.get(tuple(signs))
        proof.spend(len(part) * (len(signs) + 1))
        beside = {part[s] for s in part if {"+", "-"} not in map(set, zip(s, signs))}
        left = spare - signs.count("+-") - (own is not None)
        for k, t in (
            place.idle(left) if left >= 0 and (own is None or beside > {own}) else ()
        ):
            refute_member(proof, place, shape, signs, k, t)


def _member_parts(
    proof: Proof, of: Network, member: Network, shape: Form, place: Place
) -> _Parts:
    """Return what the neurons do of a network with the widths and the form of another
    one.
    """
    need(member.widths == of.widths, "other-widths", "the member has other widths")
    require_same(proof, shape, shallow_form(proof, member, place))
    return _parts(proof, member, shape, place)


fiber_equations = kind(
    "of the networks with the widths of {network} and its values on {domain} those whose "
    "neurons, one by one, are on bends and sides, share other hyperplanes, are linear and "
    "dead as those of {member} satisfy {constraints} after positive scaling of neurons, "
    "where r1, r2, ... are the rows of layer 1, and all networks of its widths that "
    "satisfy this have its values",
    constraints=claims.listed(str),
)(_shallow_fits)


def fiber_equations_by_member(
    proof: Proof, network: Network, domain: System, **said: Any
) -> None:
    """Write the constraints, and compare."""
    place, shape, _ = form_and_spare(proof, network, domain)
    parts = _member_parts(proof, network, said["member"], shape, place)
    found = list(_constraints(proof, said["member"], parts))
    need(found == said["constraints"], "other-constraints", "these are not the constraints")


def _constraints(proof: Proof, member: Network, parts: _Parts) -> Iterator[str]:
    """Yield what holds of parameters: values that are those of the member, signs on D."""
    first, last = member.layers
    size = len(last.rows) * first.entries
    proof.spend(64 * size, first.bits, last.bits)
    weight = f"W2_{{}}{'_' * (max(member.widths) > 9)}{{}}".format
    for on in parts.bends.values():
        yield from (_equal(f"r{i + 1}", first.den, first.rows[i]) for i, _ in on)
        yield from _sums(last, on, weight)
    for on in parts.others.values():
        (lead, side), *others = on
        yield from (f"r{i + 1} = {'-' * (g * side < 0)}r{lead + 1}" for i, g in others)
        yield from _sums(last, on, weight)
    yield from (f"r{i + 1} >= 0 on D" for i in parts.linear)
    yield from (f"r{i + 1} <= 0 on D" for i in parts.dead)
    turned = (i for on in parts.planes.values() for i, g in on if g < 0)
    active = sorted([*parts.linear, *turned])
    rows = [*(first.rows[i] for i in active), [0] * member.widths[0] + [first.den]]
    for o, out in enumerate(last.rows, 1):
        terms = [*(f"{weight(o, i + 1)}*r{i + 1}" for i in active), f"b2_{o}"]
        values = total([*(out[i] for i in active), out[-1]], rows)
        yield _equal(" + ".join(terms), first.den * last.den, values)


def _sums(
    last: Layer, on: list[_Neuron], weight: Callable[[int, int], str]
) -> Iterator[str]:
    """Yield for each output what the weights of the neurons on a hyperplane add up to."""
    need(
        len({abs(g) for _, g in on}) == 1, "lengths-differ", "rows of other lengths on one"
    )
    for o, out in enumerate(last.rows, 1):
        terms = (weight(o, i + 1) for i, _ in on)
        yield _equal(" + ".join(terms), last.den, [sum(out[i] for i, _ in on)])


def _equal(text: str, den: int, nums: Sequence[int]) -> str:
    return f"{text} = {', '.join(claims.quotient(x, den) for x in nums)}"


fiber_dimension = kind(
    "the networks with the widths of {network} and its values on {domain}, with neurons on "
    "its bends and sides, sharing other hyperplanes, linear and dead as in it, are near "
    "it, up to positive scaling, of dimension {dimension}"
)(_shallow_fits)


def fiber_dimension_by_minors(
    proof: Proof, network: Network, domain: System, dimension: int
) -> None:
    """The ranks of V and W are as large as can be."""
    place = Place(proof, domain)
    parts = _parts(proof, network, shallow_form(proof, network, place), place)
    hidden, last = network.layers
    n_inputs, n_neurons, n_outputs = network.widths
    both = [(h, on) for h, on in parts.planes.items() if "+-" in _sides(on)]
    columns = [_minus_side(proof, last.rows, on) for h, on in both if h in parts.others]
    rows = [h for h, _ in both]  # of which a minor takes the normals
    may_vanish = not rows and len(parts.linear) <= n_outputs
    if not place.everywhere:
        columns += [tuple(row[number] for row in last.rows) for number in parts.linear]
        rows += [hidden.rows[i] for i in parts.linear]
    _require_inner(proof, hidden, parts, place, may_vanish)
    r, c = min(len(rows), n_inputs), min(len(columns), n_outputs)
    matrix = [[column[i] for column in columns] for i in range(n_outputs)]
    minor(proof, matrix, len(columns), c)
    if len(columns) <= n_outputs:
        minor(proof, rows, n_inputs, r)
    p = n_neurons - len(parts.planes)
    q = len(parts.others)
    if not place.everywhere:
        q += len(parts.linear) + len(parts.dead)
    expected = (p - r) * n_outputs + (q - c) * n_inputs + r * c
    need(dimension == expected, "wrong-dimension", f"the dimension is {expected}")


def _require_inner(
    proof: Proof, layer: Layer, parts: _Parts, place: Place, may_vanish: bool
) -> None:
    """Refuse linear and dead neurons that are not so nearby; a weight may be 0 in all."""
    n = layer.width - 1
    linear, dead = ([layer.rows[i] for i in part] for part in (parts.linear, parts.dead))
    if place.everywhere or place.orthant:
        for at, column in enumerate(paired(*linear) if place.orthant else ()):
            ok = all(column) or (may_vanish and at < n and not any(column))
            need(ok, "on-the-boundary", f"a linear neuron has the entry 0 at {at}")
        ok = all(max(row if place.orthant else row[-1:]) < 0 for row in dead)
        need(ok, "on-the-boundary", "a dead neuron has the entry 0")
    else:
        for row in (*linear, *dead):
            used = place.sided(row, proof.record("sided")[1])[1]
            minor(proof, [place.rows[i] for i in used], n + 1, n + 1)


def _minus_side(proof: Proof, outputs: Rows, group: list[_Neuron]) -> Row:
    """Return the sum of g·(output column) of the side -, for the rows -g·(h, c)."""
    minus = [(number, -g) for number, g in group if g < 0]
    proof.spend(
        len(outputs) * len(minus), bits(g for _, g in minus), max(map(bits, outputs))
    )
    return tuple(sum(g * row[number] for number, g in minus) for row in outputs)


def _complete(words: str) -> Field:
    """Return a field that adds words to the sentence if it is true."""
    return Field(read_flag, lambda found, value, book: words if found else "")


def _three_layers(network: Network, **others: Any) -> None:
    form(
        len(network.layers) == 3,
        "not-three-layers",
        "a network with three layers is needed",
    )


fiber_half_lines = kind(
    "layer 2 of {network} hides a neuron of layer 1: its translations on a half-line, "
    "those after flips too if one neuron of layer 2 is live, have its values{complete}",
    complete=_complete(
        "; it is generic, and these are all generic networks with its widths and its "
        "values, up to permutation and positive scaling of hidden neurons and up to dead "
        "neurons of layer 2; no path of such networks leads from one half-line to another"
    ),
)(_three_layers)


def fiber_half_lines_by_flips(proof: Proof, network: Network, complete: bool) -> None:
    """Layer 2 hides a neuron."""
    need(not complete, "wrong-method", "flips do not show that these are all")
    need(hidden_neuron(network) is not None, "neuron-not-hidden", "layer 2 hides no neuron")


def fiber_half_lines_by_bottleneck(proof: Proof, network: Network, complete: bool) -> None:
    """Layer 2 hides a neuron, and the network is a generic bottleneck."""
    fiber_half_lines_by_flips(proof, network, False)
    _prove_generic(proof, network)


@kind(
    "of the networks with the widths, the first layer and the values of {network} whose "
    "layers 2 and 3 have the values of its own on the orthant, each of the strata "
    "{nonempty} of sides of neurons of layer 2 has one, and none of {empty} has "
    "one{complete}",
    nonempty=strata,
    empty=strata,
    complete=_complete(
        "; it is generic, and all generic networks with its widths and its values are in "
        "the former, up to permutation and positive scaling of hidden neurons"
    ),
)
def fiber_layerwise(network: Network, complete: bool, **said: Strata) -> None:
    """Three layers; strata with all neurons of layer 2."""
    _three_layers(network)
    strata_fit(network.widths[2], **said)


def fiber_layerwise_by_members(
    proof: Proof, network: Network, complete: bool, **of: Any
) -> int:
    """Members of the first strata; of the others there are none. Return the number of
    bends.
    """
    need(not complete, "wrong-method", "members do not show that these are all")
    upper = Network(network.layers[1:])
    return fiber_strata_by_members(proof, upper, orthant(proof, upper.widths[0]), **of)


def fiber_layerwise_by_visibility(proof: Proof, network: Network, **said: Any) -> None:
    """The same about all strata of generic networks; layer 2 hides nothing."""
    need(
        live_neurons(network) and hidden_neuron(network) is None,
        "neuron-hidden",
        "one is hidden",
    )
    _prove_generic(proof, network)
    m = fiber_layerwise_by_members(proof, network, **{**said, "complete": False})
    alone = sum(
        len("".join(s.bends + s.others)) == m for s in {*said["nonempty"], *said["empty"]}
    )
    many = (network.widths[2] - m + 1) << m
    need(alone == many, "not-all-listed", f"{many} strata have one neuron on each bend")


def _prove_generic(proof: Proof, network: Network) -> None:
    """Check that a bottleneck with n_0 >= n_1 >= 2 is generic on all of space."""
    n, n1, *_ = network.widths
    need(n >= n1 >= 2, "not-a-bottleneck", "n_0 >= n_1 >= 2 is needed")
    prove(proof, Claim("masked-rank", True, {"network": network}))
    prove(
        proof,
        Claim("supertransversal", True, {"network": network, "domain": System(n, (), ())}),
    )


def live_neurons(network: Network) -> list[Row]:
    """Return the rows of the neurons of layer 2 that are not dead."""
    return [row for row in network.layers[1].rows if max(row) > 0]


def hidden_neuron(network: Network) -> int | None:
    """Return the neuron of layer 1 that all live neurons of layer 2 hide, and there is
    one.
    """
    sets = {
        tuple(i for i, entry in enumerate(row) if entry >= 0)
        for row in live_neurons(network)
    }
    return next(
        (p[0] for p in sets if len(sets) == len(p) == 1 and p[0] < network.widths[1]), None
    )
