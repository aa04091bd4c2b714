"""Networks with at most one hidden layer, on all of space or the orthant: their form; equality.

*Form.* Let s = ReLU. The row of a neuron is ±g·(h, c) with g > 0, h and c coprime integers and the
first nonzero entry of h positive (the sign is + if h = 0). The neuron computes

    s(±gc), a constant, if h = 0;
    g·(h·x + c) for the sign +, and 0 for -, if D is the orthant and (h, c) >= 0;
    g·s(h·x + c) for the sign +, and g·s(h·x + c) - g·(h·x + c) for -, otherwise,

as s(-t) = s(t) - t, and s(t) = t for t >= 0. Weighted by the outgoing columns and added up, this is
one vector u for each (h, c), the *bends*, and an affine map. Vectors that are 0 are left out. The
order of the bends is that of the first neurons on them.

The orthant is x >= 0: a domain with these n rows, and perhaps others without negative entries,
which say nothing more of its closure.

``equal`` by ``shallow``: no records. If D is the orthant, each network is its form there at every
point of the closure of D; else its form on all of space, which contains D. The forms are equal.
(Forms of equal functions are equal on these two; this is not needed.) Networks with linear units
are refused.

Proofs that no network of one hidden layer has a function with neurons in given parts.

The function has a form (``shallow``) on all of space or the orthant: terms u·s(h·x + c), one for
each bend, and an affine map. Let a network with this function have neurons of one side only on some
bends, with the signs S, and of both sides on others, Q. Let k of its neurons be linear, with rows W
>= 0 (on all of space k = 0), and let t hyperplanes that are no bends carry neurons of both sides,
with the normals c. Where all h·x + c <= 0 the neurons with the sign - are active. On a bend with
one side the output columns add up to u; on a hyperplane that is no bend they add up to 0 and matter
only if there are both sides. So with A the linear part there, and u·h added for each sign - in S,

    A = V·W - Σ_Q v_h·h - Σ v_c·c:

the rows of A are in the span of the h of Q, of k rows W >= 0 and of t more. Let B be A and the h of
Q, and r >= 0 a bound of the rank of the h of Q: by a ``kernel`` if Q is not empty.

``rank-too-large r``  and the kernel, and a ``minor`` of B of size r + k + t + 1: against this.
``not-pointed r q``   and the kernel, and a ``minor`` of B of size r + k + t. So the rank of B is
                      that, and the rows of W are in the span of B. Then a ``dependency`` of columns
                      Z of B: λ > 0 on them and B·λ = 0. So W·λ = 0, and W is 0 on Z. On Z the rank
                      of B is that of the h of Q there, at most q, plus at most t. If Q is empty and
                      t = 0, then B is 0 on Z, but a dependency has no columns that are 0. Otherwise
                      a ``kernel`` for q (if Q is not empty) and a ``minor`` of B on Z of size
                      q + t + 1, which is too large.

Networks as narrow as possible, and networks that are not.

*Minimal.* No plain network with as many layers as N, none of them wider, and fewer neurons is equal
to N on the closure of D.

``rank``, ``cases``: N has one hidden layer, D is all of space or the orthant. Let N bend at m
hyperplanes (``shallow``) and have m + s neurons. If s = 0, or there is one neuron: no records. Else

``rank``: for each orientation of the bends, + before -, the last one changing fastest, a ``minor``
of size s of A, the matrix above.
``cases``: for each number q = 0, …, s - 1, each set Q of q bends in lexicographic order, and each
orientation of the others, the proof above that there is no network with neurons of both
sides on the bends of Q, and k = s - 1 - q, t = 0 on the orthant, k = 0, t = ⌊(s - 1 - q)/2⌋ on all
of space.

*Sound.* A layer has at least one neuron: one neuron is as few as possible. Let a network with one
hidden layer have the values of N, and at most m + s - 1 neurons. It has neurons on each bend. Let Q
be the bends on which it has neurons of both sides, k the number of its linear neurons on the
orthant (on all of space a neuron without bend is constant: k = 0), t the number of hyperplanes that
are no bends and carry neurons of both sides. Then m + |Q| + k + 2t <= m + s - 1. The rank of A is
at most |Q| + k + t < s: against ``rank``. On the orthant a row c is (c + σ·1) - σ·1, a difference
of two rows >= 0: k + 2t rows W >= 0 and no c will do, and so will s - 1 - |Q| of them; on all of
space t is at most half of s - 1 - |Q|, and so will that many do. ``cases`` refutes this.

``smaller``: a network in records ``widths``, ``layer`` (``equality``) with as many layers, none of
them wider, and fewer neurons, and the proof, with its own ``by``, that it is equal to N.

Networks that their function determines, among all networks (``identifiable``).

N has one hidden layer. Let its function f bend at m hyperplanes, on all of space. N must have on
each of them one neuron, or two on opposite sides, and no others; let Q be the bends with two, s of
them, so that N has m + s neurons.

``cases``: a ``minor`` of size s of the normals of the bends of Q; then for q = 0, …, s, each set Q'
of q bends in lexicographic order, and each orientation of the other bends (+ before -, the last
changing fastest), but for Q' = Q with the orientation of N, the proof above that there is no
member, with k = 0 and t = ⌊(s - q)/2⌋.

*Sound.* Let η have the widths and the values of N. It has neurons on each bend; let Q' be the bends
on which it has neurons of both sides, and t the number of hyperplanes that are no bends and carry
neurons of both sides. As it has m + s neurons, |Q'| + 2t <= s. As above the rows of A are
in the span of the normals of Q' and of t more rows, so that the case of Q' and of its orientation
cannot be refuted (t is at most the number there). So Q' = Q, and the orientation is that of N; then
all m + s neurons of η are used: one for each side on which N has one, t = 0, and no idle neurons.
On a bend outside Q the output column is the jump of f, for the scaling of the row of N. On a bend h
of Q let v_h be the column on the side -, with the row -h; that of the side + is the jump less v_h.
Now A = -Σ_Q v_h·h, and A is the same for N and for η; as the h of Q are independent, so are the
v_h. The output biases agree as the values do.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import gcd
from typing import NamedTuple

from . import claims
from .equality import prove_equal, recorded_network
from .file import Proof, form, need
from .numbers import Row
from .objects import Network, System
from .ranks import dependency, kernel, minor


class Form(NamedTuple):
    """Vectors of the bends (h, c) and rows of the affine map, all over den > 0."""

    den: int
    bends: dict[Row, list[int]]
    affine: list[list[int]]
    bits: int  # of all entries


def is_orthant(domain: System, simple: bool = True) -> bool:
    """Tell whether the closure of a domain is x >= 0; a simple one is that or all of space."""
    n, rows = domain.dim, set(domain.rows)
    units = {(0,) * i + (1,) + (0,) * (n - i) for i in range(n)} if len(rows) >= n else {()}
    orthant = units <= rows and "eq" not in domain.senses and min(map(min, rows), default=-1) >= 0
    need(not simple or not rows or orthant, "domain-not-simple", "not all of space or the orthant")
    return orthant


def shallow_form(proof: Proof, network: Network, orthant: bool) -> Form:
    """Return the form of a network with at most one hidden layer."""
    need(len(network.layers) <= 2, "not-shallow", "a network with more than one hidden layer")
    need(network.is_plain, "linear-units", "a network without linear units is needed")
    hidden, last = network.layers[0], network.layers[-1]
    if not network.hidden:
        return Form(last.den, {}, [list(row) for row in last.rows], last.bits)
    n, size = len(hidden.rows[0]), hidden.bits + last.bits
    proof.spend(16 * len(hidden.rows) * n, hidden.bits, hidden.bits)
    proof.spend(4 * len(hidden.rows) * len(last.rows) * n, hidden.bits, last.bits)
    jumps: dict[Row, list[int]] = {}
    affine = [[0] * (n - 1) + [row[-1] * hidden.den] for row in last.rows]
    for number, entries in enumerate(hidden.rows):
        column = [row[number] for row in last.rows]
        common, sign, row = oriented(entries)
        if not any(row[:-1]) or (orthant and min(row) >= 0):
            # Constant, or of one sign on the orthant: linear or 0.
            share = common * max(sign, 0) if row[-1] >= 0 else 0
        else:
            old = jumps.get(row, [0] * len(column))
            jumps[row] = [u + common * weight for u, weight in zip(old, column, strict=True)]
            share = common * min(sign, 0)
        for out, weight in zip(affine, column, strict=True):
            out[:] = [x + weight * share * entry for x, entry in zip(out, row, strict=True)]
    bends = {row: jump for row, jump in jumps.items() if any(jump)}
    return Form(hidden.den * last.den, bends, affine, size)


def oriented(entries: Sequence[int]) -> tuple[int, int, Row]:
    """Return g, the sign and (h, c) with entries = sign·g·(h, c); a constant row has the sign +."""
    common = gcd(*entries)
    sign = -1 if next((entry for entry in entries[:-1] if entry), 1) < 0 else 1
    return common, sign, tuple(sign * (entry // (common or 1)) for entry in entries)


def require_same(proof: Proof, form: Form, other: Form) -> None:
    """Refuse two forms that differ."""
    need(form.bends.keys() == other.bends.keys(), "forms-differ", "other hyperplanes of bends")
    ours, theirs = ([*(f.bends[row] for row in form.bends), *f.affine] for f in (form, other))
    proof.spend(2 * sum(map(len, ours)), form.bits, other.bits)
    left = [[x * other.den for x in row] for row in ours]
    right = [[y * form.den for y in row] for row in theirs]
    need(left == right, "forms-differ", "a bend or the affine map differs")


def equal_by_shallow(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """Compare the forms of both networks, on all of space if D is not the orthant."""
    orthant = is_orthant(domain, simple=False)
    require_same(proof, *(shallow_form(proof, network, orthant) for network in (a, b)))


def require_no_member(proof: Proof, of: Form, signs: Sequence[str], k: int, t: int) -> None:
    """Check that no network has the signs +, - or +- on the bends, and k and t as above."""
    slope = compensation(proof, of, signs)
    doubled = [row[:-1] for row, sign in zip(of.bends, signs, strict=True) if sign == "+-"]
    matrix, width = [*slope, *doubled], len(slope[0])
    word, numbers = proof.record("rank-too-large", "not-pointed")
    pointed = word == "not-pointed"
    form(len(numbers) == 1 + pointed, "wrong-length", "bounds of ranks are needed")
    form(min(numbers) >= 0, "index-out-of-range", "a rank is not negative")
    if doubled:
        kernel(proof, doubled, width, numbers[0])
    minor(proof, matrix, width, numbers[0] + k + t + (not pointed))
    if pointed:
        proof.spend(4 * width * len(matrix))
        chosen = dependency(proof, [*zip(*matrix, strict=True)])
        inside = [[row[j] for j in chosen] for row in matrix]
        if doubled:
            kernel(proof, inside[len(slope) :], len(chosen), numbers[1])
        if doubled or t:
            minor(proof, inside, len(chosen), numbers[1] + t + 1)


def orientations(n_bends: int, size: int) -> Iterator[list[str]]:
    """Yield the signs of all bends, + before -, both for as many of them as the size says."""
    for doubled in combinations(range(n_bends), size):
        for signs in product("+-", repeat=n_bends - size):
            others = iter(signs)
            yield ["+-" if place in doubled else next(others) for place in range(n_bends)]


def compensation(proof: Proof, of: Form, signs: Sequence[str]) -> list[list[int]]:
    """Return A, up to a positive factor."""
    slope = [row[:-1] for row in of.affine]
    proof.spend((len(of.bends) + 1) * len(slope) * (len(slope[0]) + 1), of.bits, of.bits)
    for sign, (row, jump) in zip(signs, of.bends.items(), strict=True):
        if sign == "-":
            for out, entry in zip(slope, jump, strict=True):
                out[:] = [x + entry * normal for x, normal in zip(out, row, strict=False)]
    return slope


minimal = claims.kind(
    "no plain network with as many layers as {network}, none of them wider, and fewer neurons is "
    "equal to it on the closure of {domain}",
    "some plain network with as many layers as {network}, none of them wider, and fewer neurons is "
    "equal to it on the closure of {domain}",
).of(network=claims.plain_network, domain=claims.domain)


def _form_and_spare(proof: Proof, network: Network, domain: System) -> tuple[Form, int, bool]:
    """Return the form, the number of neurons that must be shown to be needed, orthant or not."""
    orthant = is_orthant(domain)
    need(network.hidden, "not-shallow", "a network without hidden layer")
    form = shallow_form(proof, network, orthant)
    n_neurons = network.widths[1]
    return form, n_neurons - len(form.bends) if n_neurons > 1 else 0, orthant


def minimal_by_rank(proof: Proof, network: Network, domain: System) -> None:
    """The rank of A is at least s, whatever the orientation."""
    form, spare, _ = _form_and_spare(proof, network, domain)
    for signs in orientations(len(form.bends), 0) if spare else ():
        slope = compensation(proof, form, signs)
        minor(proof, slope, len(slope[0]), spare)


def minimal_by_cases(proof: Proof, network: Network, domain: System) -> None:
    """No network has fewer neurons, on whichever sides of the bends they are."""
    form, spare, orthant = _form_and_spare(proof, network, domain)
    for size in range(spare):
        left = spare - 1 - size
        k, t = (left, 0) if orthant else (0, left // 2)
        for signs in orientations(len(form.bends), size):
            require_no_member(proof, form, signs, k, t)


def minimal_by_smaller(proof: Proof, network: Network, domain: System) -> None:
    """Another network has fewer neurons, and is equal."""
    other = recorded_network(proof, network.widths[0])
    ours, theirs = network.widths, other.widths
    ok = len(ours) == len(theirs) and ours[-1] == theirs[-1]
    need(ok, "shapes-differ", "as many layers and outputs are needed")
    wider = any(new > old for old, new in zip(ours, theirs, strict=True))
    need(not wider and sum(theirs) < sum(ours), "not-smaller", "the network is not smaller")
    prove_equal(proof, network, other, domain)


def identifiable_by_cases(proof: Proof, network: Network, among: str, domain: System) -> None:
    """No other sides of neurons have the function, and the doubled bends are independent."""
    need(among == "all", "wrong-method", "the method is about all networks")
    need(not domain.rows, "domain-not-simple", "the domain is not all of space")
    form, _, _ = _form_and_spare(proof, network, domain)
    sides: dict[Row, str] = dict.fromkeys(form.bends, "")
    for entries in network.layers[0].rows:
        _, sign, row = oriented(entries)
        need(row in sides, "neuron-cancels", "a neuron is on no bend")
        side = "+" if sign > 0 else "-"
        need(side not in sides[row], "bend-shared", "a neuron is not alone on its side")
        sides[row] = "".join(sorted(sides[row] + side))
    own = list(sides.values())
    doubled = [row for row in sides if sides[row] == "+-"]  # of which a minor takes the normals
    minor(proof, doubled, network.widths[0], len(doubled))
    for size in range(len(doubled) + 1):
        for signs in orientations(len(own), size):
            if signs != own:
                require_no_member(proof, form, signs, 0, (len(doubled) - size) // 2)
