"""Equality by steps that change networks, but not their values on the closure of a domain.

``equal`` by ``rewriting``: steps change A and, after a record ``other``, change B. At the end
``result``: both are the same network; or ``then``, and a proof of ``equality`` for what they are
now, with its own ``by``. A step names a hidden layer l and neurons of it from 0, as they stand when
it is made. [W|b] is the matrix of the layer, V that of the next one, s is ReLU. If D is flat, A, B
and D are in the coordinates t of its affine hull, which the restrictions have as inputs, their
layers in lowest terms, D in normal form: A and B are equal on cl D if and only if these are.

An input of a layer is *nonnegative* if the layer is not the first, or if D has a row c·x_j + b with
c > 0 >= b: it is >= 0 on cl D. A row is *linear* if its weights from nonnegative inputs and its
bias are >= 0 and its other weights are 0: then it is >= 0, and ReLU does not change it. It is
*dead* if they are <= 0 and 0: then it is <= 0, and the neuron gives 0.

``drop l k``            row k is dead, or its column in V is 0. Both go.
``merge l k i``         k != i, row k = c·row i, c > 0, neither is 0. c times column k of V is added
                        to column i, and k goes: s(c·t) = c·s(t).
``compose l``           each row is linear, or dead, or its column in V is 0. The layer and the next
                        become V·[W|b] + [0|bias], where rows that are not linear count as 0.
``refactor l r p q m k_1…k_m L R``  the m rows I = k_1 < … < k_m are linear, and so are the r
                        rows R, with biases; V_I·[W_I|b_I] = L·R + [0|δ], integers L over p > 0 and
                        R over q > 0. The neurons I go, those of R with the columns L are appended,
                        δ is added to the next bias.
``never-active l k``    and a tree, below: k is <= 0 on cl D. Row and column of k go.

These steps keep the preactivations of the next layer at every point of cl D. The last one needs
that the next layer is hidden too, and that its entries, biases included, are <= 0 but for the
weights from neuron i, before and after the step, and one of these is > 0.

``move l i t u a…``     u > 0, and for each a of a set I without i the quotient r_a = -w_a/w is the
                        same for all neurons of the next layer whose weight w from i is > 0. Row i
                        becomes (row i) - Σ r_a·(row a) + t/u, and row a becomes -(row a). -w·t/u is
                        added to each bias of the next layer.

*Why.* Let τ = t/u, y be the preactivations of the layer, z = w·s(y_i) - Σ c_l·s(y_l) - d one of the
next; c, d >= 0. The step keeps s(z). Let z > 0; then w > 0, y_i > 0 and w·y_i = z + Σ c_l·s(y_l) +
d. After it d' = d + w·τ >= 0, y_a' = -y_a and, as s(y_a) - y_a = s(-y_a), w·y_i' = w·y_i - Σ_I
c_a·y_a + w·τ = z + d' + Σ_{not I} c_l·s(y_l) + Σ_I c_a·s(y_a') > 0, so that z' = z. The step with
-τ and the same I leads back under the same conditions, so z' > 0 implies z > 0. Where w <= 0, z <=
0 before and after.

*The tree of never-active.* Neurons of the layers before l are numbered from 0. A node has decided
some of them, active (z >= 0) or inactive (z <= 0); nodes come in preorder.

``branch j``            j is not decided: the node where j is active, then where it is inactive.
                        Each point of the node is in one of them.
``bound f σ… m r λ…``   a leaf: f >= 0, an integer σ_j for each neuron before l, λ > 0 for some rows
                        of D. Start with f times the integer row of k, a
                        function of the layer before. Layer by layer, back to the first: let a_j be
                        the coefficient of neuron j so far, and n_j = σ_j·den. If j is not inactive,
                        n_j >= a_j; if j is not active, n_j <= 0. Then a_j·s(z_j) <= n_j·z_j on the
                        node, and n_j·z_j is σ_j times the integer row of j, a function of the layer
                        before: the sum does not become smaller. What is left, a function of x, and
                        Σ λ·row, which is >= 0, are a constant c with f·den·z_k <= c. It is < 0, or
                        0 with f > 0: so z_k > 0 at no point of the node.
"""

from collections.abc import Iterable, Sequence
from math import gcd

from .equality import prove_equal
from .evidence import combination, require_contradiction, weighted
from .file import Proof, form, need
from .numbers import Row, Rows, bits, longest, multiplied, primitive, total
from .objects import Layer, Network, System, chart, layer_of, normal_form, system_of

_STEPS = ("compose", "drop", "merge", "move", "never-active", "refactor")
Table = tuple[int, Rows]  # a denominator, and rows over it


def equal_by_rewriting(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """Follow the steps, and compare what A and B have become."""
    need(a.is_plain and b.is_plain, "linear-units", "networks without linear units are needed")
    domain, both = _on_hull(proof, domain, a, b)
    left, right = (_Rewriting(proof, network, domain) for network in both)
    side, word = left, ""
    while word not in ("result", "then"):
        word, numbers = proof.record("other", "result", "then", *_STEPS)
        if word in _STEPS:
            side.step(word, numbers)
        else:
            form(not numbers, "wrong-length", "the record has no numbers")
            side = right
    if word == "result":
        need(left.layers == right.layers, "result-differs", "the steps lead to other networks")
    else:
        now = Network(tuple(left.layers)), Network(tuple(right.layers))
        prove_equal(proof, *now, domain, without="rewriting")


def _on_hull(proof: Proof, domain: System, *networks: Network) -> tuple[System, list[Network]]:
    """Return a domain in the coordinates of its affine hull, and networks on it."""
    if "eq" not in domain.senses:
        return domain, [*networks]
    base = chart(proof, domain)
    given = [*domain.rows, *(row for network in networks for row in network.layers[0].rows)]
    size = max(bits([base.factor]), longest(base.inputs)) + longest(given) + bits([domain.dim + 1])
    proof.spend(sum(16 + sum(map(bool, row)) for row in given) * (base.dim + 1), size, size)
    pairs = [(sense, base.pulled(row)) for sense, row in domain.pairs]
    kept = [pair for pair in pairs if any(pair[1][:-1])]  # others, constant on D, hold there
    found = [
        Network((_lowest(base.factor * first.den, map(base.pulled, first.rows)), *others))
        for first, *others in (network.layers for network in networks)
    ]
    return normal_form(system_of(base.dim, kept)), found


def _lowest(den: int, rows: Iterable[Sequence[int]]) -> Layer:
    """Return a layer in lowest terms: equal ones are the same, and numbers stay short."""
    found = list(rows)
    common = gcd(den, *(entry for row in found for entry in row))
    return layer_of(den // common, ([entry // common for entry in row] for row in found))


class _Rewriting:
    """A network on a domain, after some steps; each replaces two neighbouring layers."""

    def __init__(self, proof: Proof, network: Network, domain: System) -> None:
        self.proof, self.domain, self.layers = proof, domain, list(network.layers)
        lower = [row[:-1] for row in domain.rows if row[-1] <= 0]
        alone = [row for row in lower if sum(map(bool, row)) == 1 and max(row) > 0]
        # Nonnegative inputs of the first layer; the last one is the constant 1 of the biases.
        self.nonnegative = {domain.dim, *(row.index(max(row)) for row in alone)}

    def step(self, word: str, numbers: list[int]) -> None:
        """Make a step."""
        ok = numbers and 0 <= numbers[0] < len(self.layers) - 1
        form(ok, "index-out-of-range", "no such hidden layer")
        self.at, *self.numbers = numbers
        self.here, self.after = self.layers[self.at : self.at + 2]
        self.width = len(self.here.rows[0])
        count = len(self.here.rows) * (self.width + len(self.after.rows))
        size = 2 * (self.here.bits + self.after.bits + bits(numbers))
        self.proof.spend(64 * count, size, size)
        tables: Sequence[Table] = getattr(self, "_" + word.replace("-", "_"))()
        need(tables[0][1], "layer-empty", "no neuron would be left in the layer")
        self.layers[self.at : self.at + 2] = [_lowest(*table) for table in tables]

    def _drop(self) -> Sequence[Table]:
        (k,) = self._neurons(1)
        need(self._is_dead(k), "neuron-not-dead", "the neuron is not dead by its signs")
        return self._without([k])

    def _merge(self) -> Sequence[Table]:
        k, i = self._neurons(2)
        source, target = self.here.rows[k], self.here.rows[i]
        top, bottom = gcd(*source), gcd(*target)
        same = primitive(source) == primitive(target)
        need(k != i and top and bottom and same, "not-proportional", "no positive multiple")
        rows = self.after.rows
        new = [[bottom * x + (j == i) * top * row[k] for j, x in enumerate(row)] for row in rows]
        return self._without([k], bottom, new)

    def _compose(self) -> Sequence[Table]:
        self._neurons(0)
        kept: list[Row] = []
        for k, row in enumerate(self.here.rows):
            linear = self._has_sign(row, 1)
            need(linear or self._is_dead(k), "neuron-not-linear", "neither linear nor dead")
            kept.append(row if linear else (0,) * self.width)
        bias = (0,) * (self.width - 1) + (self.here.den,)
        rows = multiplied(self.proof, self.after.rows, [*kept, bias], self.width)
        return [(self.here.den * self.after.den, rows)]

    def _refactor(self) -> Sequence[Table]:
        r, p, q, m = [*self.numbers, 0, 0, 0, 0][:4]
        height, width, d = len(self.after.rows), self.width, self.here.den
        ok = min(r, m) >= 0 and len(self.numbers) == 4 + m + r * (height + width)
        form(ok, "wrong-length", "r, p, q, m, then m neurons, L and R")
        form(min(p, q) > 0, "denominator-not-positive", "a denominator is positive")
        gone, entries = self._increasing(self.numbers[4 : 4 + m]), self.numbers[4 + m :]
        left = [entries[r * i : r * (i + 1)] for i in range(height)]
        right = [entries[r * height + width * i :][:width] for i in range(r)]
        both = [*(self.here.rows[k] for k in gone), *right]
        need(all(self._has_sign(row, 1) for row in both), "neuron-not-linear", "not by its signs")
        new = [[d * self.after.den * x for x in row] for row in left]
        weights = [[p * q * row[k] for k in gone] for row in self.after.rows]
        maps = [[*x, *(-z for z in y)] for x, y in zip(weights, new, strict=True)]
        rest = multiplied(self.proof, maps, both, width)
        need(not any(any(row[:-1]) for row in rest), "product-differs", "L times R is another map")
        (_, here), (den, after) = self._without(gone, d * p * q)
        wide = [[q * x for x in row] for row in here] + [[d * x for x in row] for row in right]
        triples = zip(after, new, rest, strict=True)
        joined = [(*x[:-1], *(q * z for z in y), x[-1] + delta[-1]) for x, y, delta in triples]
        return (q * d, wide), (den, joined)

    def _move(self) -> Sequence[Table]:
        form(len(self.numbers) >= 3, "wrong-length", "i, t, u and other neurons")
        i, shift, over, *others = self.numbers
        form(0 <= i < len(self.here.rows), "index-out-of-range", "no such neuron")
        form(over > 0, "denominator-not-positive", "a denominator is positive")
        live = [row for row in self.after.rows if row[i] > 0]
        ok = live and i not in self._increasing(others)
        need(ok, "neuron-not-hidden", "no weight from it is positive, or it is turned around")
        first, used = live[0], (i, *others)
        ok = all(row[a] * first[i] == first[a] * row[i] for row in live for a in others)
        need(ok, "not-proportional", "the next layer weighs a neuron in other ways")
        here = [[over * first[i] * x for x in row] for row in self.here.rows]
        for a in others:
            here[a] = [-x for x in here[a]]
        sums = total([first[k] for k in used], [self.here.rows[k] for k in used], self.width)
        here[i] = [over * x for x in sums]
        here[i][-1] += shift * first[i] * self.here.den
        moves = [(row[:-1], over * row[-1] - shift * row[i]) for row in self.after.rows]
        after = [[*(over * x for x in weights), bias] for weights, bias in moves]
        rest = [x for row in (*self.after.rows, *after) for j, x in enumerate(row) if j != i]
        ok = self.at + 2 < len(self.layers) and max(rest) <= 0
        need(ok, "neuron-not-hidden", "the next layer is the last, or a positive entry in it")
        return (over * first[i] * self.here.den, here), (over * self.after.den, after)

    def _never_active(self) -> Sequence[Table]:
        (k,) = self._neurons(1)
        n_units = sum(len(layer.rows) for layer in self.layers[: self.at])
        stack = [(0, 0)]  # sets of active and of inactive neurons, a bit for each
        while stack:
            active, inactive = stack.pop()
            self.proof.spend(n_units, n_units, 1 << 12)
            word, numbers = self.proof.record("branch", "bound")
            if word == "bound":
                self._bound(k, n_units, active, inactive, numbers)
                continue
            ok = len(numbers) == 1 and 0 <= numbers[0] < n_units
            form(ok, "index-out-of-range", "a neuron before the layer is needed")
            bit = 1 << numbers[0]
            need(not (active | inactive) & bit, "neuron-decided", "the neuron has a sign already")
            stack += [(active, inactive | bit), (active | bit, inactive)]
        return self._without([k])

    def _bound(self, k: int, n_units: int, active: int, inactive: int, numbers: list[int]) -> None:
        """Refuse unless neuron k is <= 0 on a node; there are so many units before its layer."""
        form(len(numbers) > n_units, "wrong-length", "f and slopes")
        factor, slopes = numbers[0], numbers[1 : n_units + 1]
        need(factor >= 0, "multiplier-not-positive", "the factor is negative")
        found = tuple([factor * x for x in self.here.rows[k]])
        for layer in reversed(self.layers[: self.at]):
            start = len(slopes) - len(layer.rows)
            slopes, chosen = slopes[:start], slopes[start:]
            self.proof.spend(len(chosen) * (len(layer.rows[0]) + 1), layer.bits, bits(chosen))
            for j, slope in enumerate(chosen):
                ok = inactive >> start + j & 1 or slope * layer.den >= found[j]
                need(ok, "slope-too-small", "a slope is too small where z >= 0")
                need(active >> start + j & 1 or slope <= 0, "slope-positive", "where z may be < 0")
            bound = (0,) * (len(layer.rows[0]) - 1) + (found[-1],)
            found = total([*chosen, 1], [*layer.rows, bound])
        used, values = weighted(numbers[n_units + 1 :], len(self.domain.rows))
        rows = [found, *(self.domain.rows[r] for r in used)]
        constant = combination(self.proof, rows, [1, *values], max(map(bits, rows)))
        require_contradiction(constant, factor > 0)

    # Conditions and parts.

    def _neurons(self, count: int) -> list[int]:
        """Return the numbers of a record: so many neurons."""
        form(len(self.numbers) == count, "wrong-length", "other numbers are needed")
        ok = all(0 <= k < len(self.here.rows) for k in self.numbers)
        form(ok, "index-out-of-range", "no such neuron")
        return self.numbers

    def _increasing(self, neurons: list[int]) -> list[int]:
        ok = neurons == sorted({*neurons} & {*range(len(self.here.rows))})
        form(ok, "not-increasing", "neurons in increasing order are needed")
        return neurons

    def _has_sign(self, row: Sequence[int], sign: int) -> bool:
        """Tell whether a row is linear (sign 1) or dead (sign -1)."""
        known = self.nonnegative if self.at == 0 else range(self.width)
        return all(sign * w >= 0 and (not w or j in known) for j, w in enumerate(row))

    def _is_dead(self, k: int) -> bool:
        return not any(row[k] for row in self.after.rows) or self._has_sign(self.here.rows[k], -1)

    def _without(self, gone: list[int], factor: int = 1, after: Rows = ()) -> tuple[Table, Table]:
        """Leave out neurons, and their columns in the next layer, or in factor times its rows."""
        kept = sorted({*range(len(self.here.rows))} - {*gone})
        rows = after or [[factor * x for x in row] for row in self.after.rows]
        columns = [[row[k] for k in (*kept, -1)] for row in rows]
        here = [self.here.rows[k] for k in kept]
        return (self.here.den, here), (factor * self.after.den, columns)
