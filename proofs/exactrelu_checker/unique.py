"""Networks with one hidden layer that their function determines, among all networks.

Let f, the function of N, bend at m hyperplanes (``shallow``, on all of space). N must have on each
of them one neuron, or two on opposite sides, and no others; let Q be the bends with two, s of them,
so that N has m + s neurons.

``cases``: a ``minor`` of size s of the normals of the bends of Q; then for q = 0, …, s, each set Q'
of q bends in lexicographic order, and each orientation of the other bends (+ before -, the last
changing fastest), but for Q' = Q with the orientation of N, the proof of ``shallow`` that there is
no member, with k = 0 and t = ⌊(s - q)/2⌋.

*Sound.* Let η have the widths and the values of N. It has neurons on each bend; let Q' be the bends
on which it has neurons of both sides, and t the number of hyperplanes that are no bends and carry
neurons of both sides. As it has m + s neurons, |Q'| + 2t <= s. As in ``shallow`` the rows of A are
in the span of the normals of Q' and of t more rows, so that the case of Q' and of its orientation
cannot be refuted (t is at most the number there). So Q' = Q, and the orientation is that of N; then
all m + s neurons of η are used: one for each side on which N has one, t = 0, and no idle neurons.
On a bend outside Q the output column is the jump of f, for the scaling of the row of N. On a bend h
of Q let v_h be the column on the side -, with the row -h; that of the side + is the jump less v_h.
Now A = -Σ_Q v_h·h, and A is the same for N and for η; as the h of Q are independent, so are the
v_h. The output biases agree as the values do.
"""

from .file import Proof, need
from .identifiable import require_all
from .numbers import Row
from .objects import Network, System
from .ranks import minor
from .shallow import orientations, oriented, require_no_member, shallow_form


def identifiable_by_cases(proof: Proof, network: Network, among: str, domain: System) -> None:
    """No other sides of neurons have the function, and the doubled bends are independent."""
    require_all(among, domain)
    need(network.hidden, "not-shallow", "a network without hidden layer")
    form = shallow_form(proof, network, orthant=False)
    sides: dict[Row, str] = dict.fromkeys(form.bends, "")
    for entries in network.layers[0].rows:
        _, sign, row = oriented(entries)
        need(row in sides, "neuron-cancels", "a neuron is on no bend")
        side = "+" if sign > 0 else "-"
        need(side not in sides[row], "bend-shared", "a neuron is not alone on its side")
        sides[row] = "".join(sorted(sides[row] + side))
    own = list(sides.values())
    doubled = [row[:-1] for row in sides if sides[row] == "+-"]
    minor(proof, doubled, network.widths[0], len(doubled))
    for size in range(len(doubled) + 1):
        for signs in orientations(len(own), size):
            if signs != own:
                require_no_member(proof, form, signs, 0, (len(doubled) - size) // 2)
