"""Proofs that no network of one hidden layer has a function with neurons in given parts.

The function has a form on D (``shallow``): terms u·s(h·x + c), one for each bend, and an
affine map. Let a network with this function have neurons of one side only on some bends,
with the signs S, and of both sides on others, Q. Let k of its neurons be *linear*, >= 0 on
D, with weights W, and let t hyperplanes that are no bends carry neurons of both sides, with
the normals c. Where all h·x + c <= 0 the neurons with the sign - are active. On a bend with
one side the output columns add up to u; on a hyperplane that is no bend they add up to 0
and matter only if there are both sides. So with A the linear part there, and u·h added for
each sign - in S,

    A = V·W - Σ_Q v_h·h - Σ v_c·c:

the rows of A are in the span of the h of Q, of k rows W and of t more. D has no end in the
directions of the cone C, where the weights of its rows are >= 0, so W·z >= 0 for z in C; on
all of space W = 0, and k = 0. Let B be A and the h of Q, and r >= 0 a bound of the rank of
the h of Q: by a ``kernel`` if Q is not empty.

``rank-too-large r``  and the kernel, and a ``minor`` of B of size r + k + t + 1: against
                      this.
``not-pointed r q``   and the kernel, and a ``minor`` of B of size r + k + t. So the rank of
                      B is that, and the rows of W are in the span of B. Then rays z in C,
                      the unit vectors on all of space and on the orthant, else by ``rays
                      z…``; and a ``dependency`` of some B·z, λ > 0 and Σ λ·B·z = 0. So Σ
                      λ·W·z = 0, and W·z = 0 for these z, Z. The rank of B·Z is that of the
                      h·Z of Q, at most q, plus at most t. If Q is empty and t = 0, then B·Z
                      = 0, but a dependency has no vectors that are 0. Otherwise a
                      ``kernel`` for q (if Q is not empty) and a ``minor`` of B·Z of size q
                      + t + 1, which is too large.
``on-lines q``        the same for any ranks, with a dependency of the rays z themselves, Σ
                      λ·z = 0, and always a minor.

Networks as narrow as possible, and networks that are not.

*Minimal.* No plain network with as many layers as N, none of them wider, and fewer neurons
is equal to N on the closure of D.

``rank``, ``cases``: N has one hidden layer, D has interior. Let N bend at m hyperplanes
inside D (``shallow``) and have m + s neurons. First the records of the form. If s = 0, or
there is one neuron: no others. Else

``rank``: for each orientation of the bends, + before -, the last one changing fastest, a
``minor`` of size s of A, the matrix above.
``cases``: for each number q = 0, …, s - 1, each set Q of q bends in lexicographic order,
and each orientation of the others, proofs above that there is no network with neurons of
both sides on the bends of Q, and with k and t: k = s - 1 - q, t = 0 on the orthant, k = 0,
t = ⌊(s - 1 - q)/2⌋ on all of space, and else k = s - 1 - q - 2t for each t = 0, …, ⌊(s - 1
- q)/2⌋.

A negation: ``equality``.

Networks that their function determines, among all networks (``identifiable``).

N has one hidden layer. Let its function f bend at m hyperplanes inside D. N must have on
each of them one neuron, or two on opposite sides, and no others; let Q be the bends with
two, s of them, so that N has m + s neurons.

``cases``: the records of the form; a ``minor`` of size s of the normals of the bends of Q;
then for q = 0, …, s, each set Q' of q bends in lexicographic order, and each orientation of
the other bends (+ before -, the last changing fastest), but for Q' = Q with the orientation
of N, the proofs above that there is no member, with the k and t of above for s - q instead
of s - 1 - q.

Why this is sound is on the pages ``minimal`` and ``identifiable`` of the rules.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from . import claims
from .file import Proof, form, need, sized
from .numbers import Row, paired
from .objects import Network, System
from .ranks import dependency, kernel, minor
from .shallow import Form, Place, oriented, shallow_form


def refute_member(
    proof: Proof, place: Place, of: Form, signs: list[str], k: int, t: int
) -> None:
    """Check that no network has the signs +, - or +- on the bends, and k and t as above."""
    slope = compensation(proof, of, signs)
    doubled = [row[:-1] for row, sign in paired(of.bends, signs) if sign == "+-"]
    matrix, width = [*slope, *doubled], len(slope[0])
    word, numbers = proof.record("rank-too-large", "not-pointed", "on-lines")
    pointed, lines = word == "not-pointed", word == "on-lines"
    form(
        min(sized(numbers, 1 + pointed)) >= 0,
        "index-out-of-range",
        "a rank is not negative",
    )
    if not lines:
        if doubled:
            kernel(proof, doubled, width, numbers[0])
        minor(proof, matrix, width, numbers[0] + k + t + (not pointed))
    if pointed or lines:
        proof.spend(4 * width * len(matrix))
        rays, columns = place.columns(matrix)
        chosen = dependency(proof, rays if lines else columns)
        inside = [[columns[j][i] for j in chosen] for i in range(len(matrix))]
        if doubled:
            kernel(proof, inside[len(slope) :], len(chosen), numbers[-1])
        if doubled or t or lines:
            minor(proof, inside, len(chosen), numbers[-1] + t + 1)


def orientations(n_bends: int, most: int) -> Iterator[list[str]]:
    """Yield the signs of all bends, + before -, both for 0, 1, … and at most so many of
    them.
    """
    for size in range(most + 1):
        for doubled in combinations(range(n_bends), size):
            for signs in product("+-", repeat=n_bends - size):
                others = iter(signs)
                yield [
                    "+-" if place in doubled else next(others) for place in range(n_bends)
                ]


def compensation(proof: Proof, of: Form, signs: Sequence[str]) -> list[list[int]]:
    """Return A, up to a positive factor."""
    slope = [row[:-1] for row in of.affine]
    proof.spend((len(of.bends) + 1) * len(slope) * (len(slope[0]) + 1), of.bits, of.bits)
    for sign, (row, jump) in paired(signs, of.bends.items()):
        if sign == "-":
            for out, entry in paired(slope, jump):
                out[:] = [x + entry * normal for x, normal in zip(out, row)]
    return slope


minimal = claims.kind(
    "no plain network with as many layers as {network}, none of them wider, and fewer "
    "neurons is equal to it on the closure of {domain}",
    "some plain network with as many layers as {network}, none of them wider, and fewer "
    "neurons is equal to it on the closure of {domain}",
)


def form_and_spare(
    proof: Proof, network: Network, domain: System
) -> tuple[Place, Form, int]:
    """Return the domain, the form, and the number of neurons more than bends."""
    need(network.hidden, "not-shallow", "a network without hidden layer")
    place = Place(proof, domain)
    form = shallow_form(proof, network, place)
    return place, form, network.widths[1] - len(form.bends)


def minimal_by_rank(proof: Proof, network: Network, domain: System) -> None:
    """The rank of A is at least s, whatever the orientation."""
    _, form, spare = form_and_spare(proof, network, domain)
    for signs in (
        orientations(len(form.bends), 0) if spare and network.widths[1] > 1 else ()
    ):
        slope = compensation(proof, form, signs)
        minor(proof, slope, len(slope[0]), spare)


def minimal_by_cases(proof: Proof, network: Network, domain: System) -> None:
    """No network has fewer neurons, on whichever sides of the bends they are."""
    place, form, spare = form_and_spare(proof, network, domain)
    for signs in orientations(len(form.bends), spare - 1) if network.widths[1] > 1 else ():
        for k, t in place.idle(spare - 1 - signs.count("+-")):
            refute_member(proof, place, form, signs, k, t)


def identifiable_by_cases(
    proof: Proof, network: Network, among: str, domain: System
) -> None:
    """No other sides of neurons have the function, and the doubled bends are
    independent.
    """
    need(among == "all", "wrong-method", "the method is about all networks")
    place, form, _ = form_and_spare(proof, network, domain)
    sides: dict[Row, str] = dict.fromkeys(form.bends, "")
    for entries in network.layers[0].rows:
        _, sign, row = oriented(entries)
        need(row in sides, "neuron-cancels", "a neuron is on no bend")
        side = "+" if sign > 0 else "-"
        need(side not in sides[row], "bend-shared", "a neuron is not alone on its side")
        sides[row] = "".join(sorted(sides[row] + side))
    own = list(sides.values())
    doubled = [
        row for row in sides if sides[row] == "+-"
    ]  # of which a minor takes the normals
    minor(proof, doubled, network.widths[0], len(doubled))
    for signs in orientations(len(own), len(doubled)):
        for k, t in place.idle(len(doubled) - signs.count("+-")) if signs != own else ():
            refute_member(proof, place, form, signs, k, t)
