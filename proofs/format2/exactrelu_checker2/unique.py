"""Networks with one hidden layer that their function determines, among all networks.

Let f, the function of N, bend at m hyperplanes (``shallow``, on all of space). N must have on each
of them one neuron, or two on opposite sides, and no others; let Q be the bends with two, s of them,
so that N has m + s neurons.

``sums``, if s = 0: no records. The checker computes the matrices V_i·w_i of all neurons, output
column times weights; no sum of some of them, at least one, is 0.

``cases``: a ``minor`` of size s of the normals of the bends of Q; then for q = 0, …, s, each set Q'
of q bends in lexicographic order, and each orientation of the other bends (+ before -, the last
changing fastest), but for Q' = Q with the orientation of N, the proof of ``members`` that there is
no member, with k = 0 and t = ⌊(s - q)/2⌋.

*Sound.* Let η have the widths and the values of N. It has neurons on each bend; let Q' be the bends
on which it has neurons of both sides, and t the number of hyperplanes that are no bends and carry
neurons of both sides. As it has m + s neurons, |Q'| + 2t <= s. As in ``members`` the rows of A are
in the span of the normals of Q' and of t more rows, so that the case of Q' and of its orientation
cannot be refuted (t is at most the number there). So Q' = Q, and the orientation is that of N; then
all m + s neurons of η are used: one for each side on which N has one, t = 0, and no idle neurons.
On a bend outside Q the output column is the jump of f, for the scaling of the row of N. On a bend h
of Q let v_h be the column on the side -, with the row -h; that of the side + is the jump less v_h.
Now A = -Σ_Q v_h·h, and A is the same for N and for η; as the h of Q are independent, so are the
v_h. The output biases agree as the values do.

*sums*: s = 0, so η has one neuron on each bend. Let I be the bends on which it has the other side
than N. With the row of N for neuron i, s(u) = s(-u) + u, so η(x) = N(x) - Σ_I V_i·(w_i·x + b_i) +
const, and as η = N, Σ_I V_i·w_i = 0. So I is empty.
"""

from .file import Proof, need
from .identifiable import require_all, require_no_zero_sum
from .members import orientations, require_no_member
from .numbers import Row
from .objects import Network, System
from .ranks import minor
from .shallow import Form, oriented, shallow_form


def identifiable_by_sums(proof: Proof, network: Network, among: str, domain: System) -> None:
    """One neuron on each bend, and no set of them can be turned around."""
    _, sides = _form_and_sides(proof, network, among, domain)
    need("+-" not in sides, "bend-shared", "sums are for one neuron on each bend")
    hidden, last = network.layers
    proof.spend(len(hidden.rows) * len(hidden.rows[0]) * len(last.rows), hidden.bits, last.bits)
    columns = zip(*last.rows, strict=True)
    pairs = zip(hidden.rows, columns, strict=False)
    require_no_zero_sum(
        proof, [tuple(x * w for x in column for w in row[:-1]) for row, column in pairs]
    )


def identifiable_by_cases(proof: Proof, network: Network, among: str, domain: System) -> None:
    """No other sides of neurons have the function, and the doubled bends are independent."""
    form, own = _form_and_sides(proof, network, among, domain)
    doubled = [row[:-1] for row, side in zip(form.bends, own, strict=True) if side == "+-"]
    minor(proof, doubled, network.widths[0], len(doubled))
    for size in range(len(doubled) + 1):
        for signs in orientations(len(own), size):
            if signs != own:
                require_no_member(proof, form, signs, 0, (len(doubled) - size) // 2)


def _form_and_sides(
    proof: Proof, network: Network, among: str, domain: System
) -> tuple[Form, list[str]]:
    """Return the form, and for each bend the sides of its neurons: no others and no two alike."""
    require_all(among, domain)
    need(network.hidden, "not-shallow", "a network without hidden layer")
    form = shallow_form(proof, network, orthant=False)
    found: dict[Row, str] = dict.fromkeys(form.bends, "")
    for entries in network.layers[0].rows:
        _, sign, row = oriented(entries)
        side = "+" if sign > 0 else "-"
        need(row in found, "neuron-cancels", "a neuron is on no bend")
        need(side not in found[row], "bend-shared", "a neuron is not alone on its side")
        found[row] = "".join(sorted(found[row] + side))
    return form, list(found.values())
