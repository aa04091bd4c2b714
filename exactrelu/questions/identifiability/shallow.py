"""Identifiability of a network with one hidden layer on a polyhedron D with interior: decided.

Theorem.  The values of N on D determine N among all networks of its widths, up to permutation and
positive scaling, iff

- every neuron lies on a bend of the function inside D, and no two of them on the same side of one;
- with Q the bends that have neurons on both sides, s of them, the normals a_h of Q are
  independent;
- no other stratum (theory 1.3) has a member: no bends Q' with both sides, k linear neurons, t
  canceling pairs, |Q'| + k + 2t ≤ s, and orientation of the other bends, but those of N.

If one of these fails there is a second network: an idle neuron moves, two neurons on one side
share their output otherwise, and so on.  If they hold, the output columns are determined:
see ``proofs/rules/identifiable.md``.

For s = 0 (generic networks are such) the last condition says: no sum of some of the matrices
V_i w_iᵀ is 0.  Subset sums of two halves are compared.  If the sum over I is 0, the neurons of I
can be turned around.

On a bounded D, s > 0 is a no: for h in Q, v·s(−h) + (u − v)·s(h) = u·s(h) − v·h, and −v·h is one
linear neuron, with a large bias.  So it is on every D on which h or −h has a least value for some h
in Q: |x − 1/2| is identifiable on R, but on [0, 1] it is 2s(x − 1/2) − s(x) + 1/2.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from math import comb

from flint import fmpq

from exactrelu.certificates.certificate import Certificate, Verdict, claim
from exactrelu.certificates.evidence import minor_record
from exactrelu.certificates.moves import SideRecords
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.linear import nullspace, rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, primitive
from exactrelu.network.network import Layer, Network
from exactrelu.network.shallow import oriented
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.equivalence.canonical_forms import shallow_equal
from exactrelu.questions.fibers.members import fill, member, no_member_records
from exactrelu.questions.fibers.minimal import idle, oriented_bends
from exactrelu.questions.fibers.strata import Stratum, Target, stratum_of, target_of

#: With more neurons subset sums are not compared: 2^(n/2) of them.
MAX_NEURONS = 36
#: More cases are not tried.
MAX_CASES = 20_000

SHALLOW = "one hidden layer, and no other way to share the bends among as many neurons"

#: Makes the claim that a second network has the same values; None if the two are isomorphic.
Seconds = Callable[
    [Network, Domain, Network, Iterable[str], Effort],
    Certificate | None,
]


@dataclass(frozen=True)
class Candidate:
    """Another network with the same function, and how it differs."""

    network: Network
    reason: str


def shallow_verdict(
    network: Network, place: Domain, seconds: Seconds, effort: Effort = UNLIMITED
) -> Verdict | None:
    """Whether a network is identifiable on a domain with interior; None if it is too large.

    ``seconds`` makes claims of second networks that have its values there.
    """
    for candidate in shallow_seconds(network, effort, place) if not place.is_everywhere else ():
        effort.spend()
        equal = shallow_equal(network, candidate.network, place)
        if not equal.answer or not isinstance(equal.certificate, Certificate):
            raise ArithmeticError(f"{candidate.reason}, with other values: a bug")
        evidence = equal.certificate.evidence
        found = seconds(network, place, candidate.network, evidence, effort)
        if found is not None:
            return Verdict(False, candidate.reason, candidate.network, found)
    proof = shallow_proof(network, effort, place)
    return None if proof is None else Verdict(True, SHALLOW, certificate=proof)


def shallow_seconds(
    network: Network, effort: Effort = UNLIMITED, place: Domain | None = None
) -> Iterator[Candidate]:
    """Networks with the same widths and values on a domain, perhaps isomorphic ones."""
    yield from _idle(network)
    yield from _shared(network, effort)
    effort.spend()
    target = target_of(network, place)
    yield from _one_sided(network, target)
    effort.spend()
    own = stratum_of(target, network)
    yield from _cancelling(network, own, effort)
    if not _is_rigid(own):
        return
    doubled = _doubled(own)
    if not doubled and len(own.bends) <= MAX_NEURONS:
        turned = zero_sum(network, effort)
        if turned:
            yield _turned(network, turned)
    elif doubled and n_cases(own) <= MAX_CASES:
        yield from _dependent(network, target, doubled)
        yield from _other_strata(network, target, own, effort)


def shallow_proof(
    network: Network, effort: Effort = UNLIMITED, place: Domain | None = None
) -> Certificate | None:
    """The proof that a network is identifiable; None if it is not, or is too large."""
    target = target_of(network, place)
    effort.spend()
    own = stratum_of(target, network)
    if not _is_rigid(own):
        return None
    doubled = _doubled(own)
    if not doubled:
        if len(own.bends) > MAX_NEURONS or zero_sum(network, effort):
            return None
        return _identifiable(network, target, "sums", [])
    if n_cases(own) > MAX_CASES:
        return None
    normals = Matrix([primitive(target.bends[i].row)[:-1] for i in doubled])
    minor = rank_proof(normals).minor
    if len(minor.rows) < len(doubled):
        return None
    proofs = []
    for bends, k, t in _cases(target, own):
        effort.spend()
        proof = no_member_records(target, bends, k, t, effort)
        if proof is None:
            return None
        proofs.append(proof)
    records = [minor_record(minor), *chain.from_iterable(proofs)]
    return _identifiable(network, target, "cases", records)


def _identifiable(
    network: Network, target: Target, method: str, records: Sequence[str]
) -> Certificate:
    about = {"network": network, "among": "all", "domain": target.place}
    sides = SideRecords(target.sides).of(network)
    return claim("identifiable", method, [*sides, *records], holds=True, **about)


def _is_rigid(own: Stratum) -> bool:
    """Whether each neuron is alone on a side of a bend."""
    alone = all(signs in ("+", "-", "+-") for signs in own.bends)
    return alone and not own.cancelling and not own.n_linear and not own.n_dead


def _doubled(own: Stratum) -> list[int]:
    return [i for i, signs in enumerate(own.bends) if len(signs) > 1]


def n_cases(own: Stratum) -> int:
    """How many other cases there are."""
    m, s = len(own.bends), len(_doubled(own))
    return sum(comb(m, q) << (m - q) for q in range(s + 1)) - 1


def _cases(target: Target, own: Stratum) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Signs on the bends, both on some, and how many linear neurons and canceling pairs."""
    s = len(_doubled(own))
    for q in range(s + 1):
        for bends in oriented_bends(len(own.bends), q):
            for k, t in idle(target, s - q) if bends != own.bends else ():
                yield bends, k, t


def zero_sum(network: Network, effort: Effort = UNLIMITED) -> tuple[int, ...] | None:
    """Some neurons, at least one, whose V_i w_iᵀ add up to 0; None if there are none.

    >>> net = Network.from_arrays([[[1], [1], [1]], [[1, 1, -2]]], [[0, 1, 2], [0]])
    >>> zero_sum(net)
    (0, 1, 2)
    """
    hidden, last = (layer.affine.integer_form[0] for layer in network.layers)
    n, n_inputs = network.hidden_widths[0], network.n_inputs
    vectors = [
        tuple(
            int(last[o, i] * hidden[i, j])
            for o in range(network.n_outputs)
            for j in range(n_inputs)
        )
        for i in range(n)
    ]
    return zero_subset(vectors, effort)


def zero_subset(
    vectors: Sequence[tuple[int, ...]], effort: Effort = UNLIMITED
) -> tuple[int, ...] | None:
    """Some of the vectors, at least one, that add up to 0; None if there are none.

    A random combination of the entries is compared first: where it is not 0, the sum is not.
    """
    rng = random.Random(0)
    weights = [rng.getrandbits(64) for _ in vectors[0]]
    values = [sum(w * x for w, x in zip(weights, vector, strict=True)) for vector in vectors]
    half = len(vectors) // 2
    left = _sums(values[:half], effort)
    known: dict[int, list[tuple[int, ...]]] = {}
    for subset, total in left:
        known.setdefault(total, []).append(subset)
    for subset, total in left[1:]:
        if total == 0 and _is_zero(vectors, subset):
            return subset
    for subset, total in _sums(values[half:], effort)[1:]:
        moved = tuple(i + half for i in subset)
        if total == 0 and _is_zero(vectors, moved):
            return moved
        for before in reversed(known.get(-total, ())):
            if _is_zero(vectors, (*before, *moved)):
                return (*before, *moved)
    return None


def _is_zero(vectors: Sequence[tuple[int, ...]], subset: tuple[int, ...]) -> bool:
    return not any(map(sum, zip(*(vectors[i] for i in subset), strict=True)))


def _sums(values: list[int], effort: Effort) -> list[tuple[tuple[int, ...], int]]:
    """All subsets with their sums, the empty one first."""
    sums: list[tuple[tuple[int, ...], int]] = [((), 0)]
    for i, value in enumerate(values):
        effort.spend()
        sums += [((*subset, i), total + value) for subset, total in sums]
    return sums


def _rows(network: Network) -> tuple[list[list[fmpq]], list[list[fmpq]]]:
    first, last = ([list(row) for row in layer.affine.flint_rows()] for layer in network.layers)
    return first, last


def _network(first: list[list[fmpq]], last: list[list[fmpq]]) -> Network:
    return Network((Layer(Matrix(first)), Layer(Matrix(last))))


def _name(i: int) -> str:
    return f"(1,{i + 1})"


def _turned(network: Network, turned: tuple[int, ...]) -> Candidate:
    """s(u) = s(−u) + u for the neurons of D; their Σ V_i u_i is constant."""
    first, last = _rows(network)
    for i in turned:
        for row in last:
            row[-1] += row[i] * first[i][-1]
        first[i] = [-x for x in first[i]]
    names = ", ".join(map(_name, turned))
    return Candidate(_network(first, last), f"neurons {names} can be turned around together")


def _one_sided(network: Network, target: Target) -> Iterator[Candidate]:
    """A neuron of one sign on the domain: its bias moves away from 0."""
    for i, row in enumerate(network.layers[0].affine.flint_rows()):
        h, factor = oriented(row)
        if target.is_everywhere or target.sides.sign(h) == 0:
            continue
        first, last = _rows(network)
        is_linear = any(row) and factor * target.sides.sign(h) > 0
        first[i][-1] += 1 if is_linear else -1
        for out in last if is_linear else ():
            out[-1] -= out[i]
        kind = "linear: its bias moves by 1" if is_linear else "dead: its bias moves by -1"
        yield Candidate(_network(first, last), f"neuron {_name(i)} is {kind}")


def _idle(network: Network) -> Iterator[Candidate]:
    """A neuron without output may do anything; one of two changes is no scaling."""
    _, outputs = _rows(network)
    idle = [i for i in range(network.hidden_widths[0]) if not any(row[i] for row in outputs)]
    for i, place in product(idle, (-1, 0)):
        first, last = _rows(network)
        first[i][place] += ONE
        yield Candidate(_network(first, last), f"neuron {_name(i)} has no output")


def _shared(network: Network, effort: Effort) -> Iterator[Candidate]:
    """Two neurons on one side of a hyperplane share their output as they like.

    One of two amounts does not just exchange them: (a, b) becomes (a + t, b − t), which is (b, a)
    for t = b − a alone.
    """
    rows = network.layers[0].affine.flint_rows()
    rays = []
    for row in rows:
        effort.spend()
        rays.append(primitive(row) if any(row) else None)
    for i, j in combinations(range(len(rows)), 2):
        if rays[i] is None or rays[i] != rays[j]:
            continue
        k = next(k for k, x in enumerate(rows[i]) if x != 0)
        ratio = rows[i][k] / rows[j][k]
        reason = f"neurons {_name(i)} and {_name(j)} share their output as they like"
        for amount in (1, 2):
            first, last = _rows(network)
            last[0][i] += amount
            last[0][j] -= amount * ratio
            yield Candidate(_network(first, last), reason)


def _cancelling(network: Network, own: Stratum, effort: Effort) -> Iterator[Candidate]:
    """Two neurons of opposite sides that do not bend together: their hyperplane moves."""
    if not own.cancelling:
        return
    rows = network.layers[0].affine.flint_rows()
    for i, j in combinations(range(len(rows)), 2):
        effort.spend()
        (h, factor), (g, other) = oriented(rows[i]), oriented(rows[j])
        outs = network.layers[1].affine.flint_rows()
        outputs = [(row[i] * abs(factor), row[j] * abs(other)) for row in outs]
        if h != g or not any(rows[i][:-1]) or factor * other > 0 or any(a + b for a, b in outputs):
            continue
        first, last = _rows(network)
        first[i][-1] += factor
        first[j][-1] += other
        up = i if factor > 0 else j
        for row, old in zip(last, outs, strict=True):
            # v·s(h + 1) − v·s(−h − 1) = v·(h + 1)
            row[-1] -= old[up] * abs(factor if up == i else other)
        names = f"{_name(i)} and {_name(j)}"
        yield Candidate(_network(first, last), f"neurons {names} cancel: their hyperplane moves")


def _dependent(network: Network, target: Target, doubled: list[int]) -> Iterator[Candidate]:
    """Σ c_h a_h = 0: on each side of h the outputs change by c_h, which adds a constant."""
    normals = Matrix([target.bends[i].row[:-1] for i in doubled])
    for weights in nullspace(normals.T)[:1]:
        first, last = _rows(network)
        shift = dict(zip((target.bends[i].row for i in doubled), weights, strict=True))
        for i, row in enumerate(network.layers[0].affine.flint_rows()):
            h, factor = oriented(row)
            norm = sum((abs(fmpq(x)) for x in h), ZERO)
            c = shift.get(tuple(fmpq(x) / norm for x in h))
            if c is None:
                continue
            last[0][i] += c / (abs(factor) * norm) * (1 if factor > 0 else -1)
        # c·s(h) − c·s(−h) = c·h, and the sum of these is Σ c_h β_h.
        last[0][-1] -= sum((c * row[-1] for row, c in shift.items()), ZERO)
        yield Candidate(_network(first, last), "neurons of both sides share their slopes")


def _other_strata(
    network: Network, target: Target, own: Stratum, effort: Effort
) -> Iterator[Candidate]:
    """A member of another stratum, with idle neurons where it needs fewer.

    First those with one neuron less on a bend of both sides, and a linear one.
    """
    singly = [
        ((*own.bends[:i], side, *own.bends[i + 1 :]), 1, 0)
        for i in (() if target.is_everywhere else _doubled(own))
        for side in "+-"
    ]
    for bends, k, t in chain(singly, _cases(target, own)):
        stratum = Stratum(bends, k, 0, ("+-",) * t)
        effort.spend()
        filling = fill(target, stratum, None, effort)
        if filling is None:
            continue
        first, last = _rows(member(target, stratum, filling, [ONE] * k))
        while len(first) < network.hidden_widths[0]:
            first.append([ZERO] * (target.n_inputs) + [-ONE])
            last = [[*row[:-1], ONE, row[-1]] for row in last]
        signs = " ".join(bends) or "·"
        yield Candidate(_network(first, last), f"the sides {signs} of the bends do as well")
