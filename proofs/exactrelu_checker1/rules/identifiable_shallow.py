"""A network with one hidden layer that its function determines.

Statement. N has one hidden layer. Every network of its widths with its values on the whole space
equals N up to permutation and positive scaling of hidden neurons.

Evidence. N has on each bend one neuron, or two of opposite sides (on a set Q of s bends), and no
other neurons. ``sums``, if s = 0: nothing more; the checker computes the matrices V_i·w_i, output
column times weights, and finds that no sum of some of them is 0. Or ``cases``: a ``minor`` of the
normals of Q, of size s; then for q = 0, …, s, each set of q bends and each orientation of the
others, but that of N itself, the proof that no network with neurons of both sides on these bends,
and on the others as in the orientation, has the function, with half of s - q more hyperplanes (see
``no_member``).

Sound. A network with the function has neurons on each bend. Let it have as many as N, both sides on
the bends of Q', and neurons of both sides on t hyperplanes that are no bends: |Q'| + 2t <= s, and
the only case that is left is Q' = Q with the orientation of N. So it has one neuron on each side
that N has one on, and no others. With A as in ``no_member``, A = - Σ_Q v_h·h, and as the h of Q are
independent, the v_h are those of N, and so are all output columns and the output bias. If s = 0,
its orientation differs from that of N in a set of neurons, and A, which must be 0, is up to sign
the sum of the V_i·w_i over this set.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..evidence import check_minor
from ..integers import multiply
from ..network import Network, read_network
from ..no_member import check_no_member, orientations
from ..reader import Certificate
from ..shallow_form import Form, Row, oriented, shallow_form
from ..statement import Claim, Rule, subject
from ..verdicts import Reason, Refused

_BY: Mapping[str, frozenset[str]] = MappingProxyType({"cases": frozenset(), "sums": frozenset()})
_SIGNS = "0+-"
_STORED = 16  # fuel for keeping a sum


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    return Claim(
        f"the network N of widths {widths_text(network.widths())} is identifiable: every network "
        "with its widths and its values on the whole space equals it up to permutation and "
        "positive scaling of hidden neurons",
        (subject("N", network.as_json()),),
        partial(_check, network),
        (network,),
    )


def _check(network: Network, certificate: Certificate, budget: Budget) -> None:
    if len(network.layers) < 2:
        raise Refused(Reason.NOT_SHALLOW, "a network without hidden layer")
    form = shallow_form(network, False, budget)
    own = _sides(network, form, budget)
    doubled = [row[:-1] for row, signs in zip(form[1], own, strict=True) if signs == "+-"]
    kind, _ = certificate.one_of(_BY)
    if kind == "sums":
        if doubled:
            raise Refused(Reason.BEND_SHARED, "sums are for one neuron on each bend")
        _require_no_zero_sum(_products(network, budget), budget)
        return
    spare = len(doubled)
    check_minor(certificate, doubled, network.widths()[0], spare, budget)
    for size in range(spare + 1):
        for bends in orientations(len(own), size):
            if bends != own:
                check_no_member(form, bends, 0, (spare - size) // 2, certificate, budget)


def _sides(network: Network, form: Form, budget: Budget) -> list[str]:
    """Return for each bend the sides of its neurons, if there are no others and no two alike."""
    found: dict[Row, str] = dict.fromkeys(form[1], "")
    for number, entries in enumerate(network.layers[0].rows):
        _, sign, row = oriented(entries, budget)
        side = _SIGNS[sign]
        if row not in found:
            raise Refused(Reason.NEURON_CANCELS, f"neuron {number} is on no bend")
        if side in found[row]:
            raise Refused(Reason.BEND_SHARED, f"neuron {number} is not alone on its side")
        found[row] = "".join(sorted(found[row] + side))
    return list(found.values())


def _products(network: Network, budget: Budget) -> list[Row]:
    hidden, last = network.layers
    return [
        tuple(multiply(out[number], weight, budget) for out in last.rows for weight in entries[:-1])
        for number, entries in enumerate(hidden.rows)
    ]


def _require_no_zero_sum(vectors: Sequence[Row], budget: Budget) -> None:
    """Refuse vectors of which some, at least one, add up to 0: sums of each half are compared."""
    half = len(vectors) // 2
    width = len(vectors[0])
    left, right = (_sums(part, width, budget) for part in (vectors[:half], vectors[half:]))
    known = set(left)
    for number, total in enumerate(right):
        if number and tuple(-entry for entry in total) in known:
            raise Refused(Reason.NOT_IDENTIFIABLE, "neurons can be turned around together")
    if left[0] in left[1:]:
        raise Refused(Reason.NOT_IDENTIFIABLE, "neurons can be turned around together")


def _sums(vectors: Sequence[Row], width: int, budget: Budget) -> list[Row]:
    """Return the sums of all subsets, that of the empty one first."""
    sums: list[Row] = [(0,) * width]
    for vector in vectors:
        cost = sum(1 + entry.bit_length() // 64 for entry in vector)
        budget.spend(len(sums) * (_STORED + cost))
        sums += [tuple(map(sum, zip(total, vector, strict=True))) for total in sums]
    return sums


RULE = Rule(frozenset({"network"}), _read)
