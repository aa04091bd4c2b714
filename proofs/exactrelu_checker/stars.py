"""Faces are counted; which have a given face in their closure; local optima 0 of preactivations.

*Complex.* On relint D the network has exactly counts[k] faces of dimension k, k = 0, …, n. (If D is
flat, there are none of more than its dimension.) ``faces``: a tree of faces, whose leaves are
counted. Linear units cut nothing.

*A face F lies in the closure of a face G iff every sign of F is 0 or that of G.* If F does, a
preactivation that is not 0 on F has the same sign nearby, so on G. Conversely let x be in F and y
in G. By induction over the layers every preactivation is affine on the segment from x to y, since
a neuron that is 0 at x passes 0 there whether it is called active or not; and its sign is that of
G on the whole segment but for x. So the segment lies in G but for x, and x is in the closure.

*Zero optimum.* Some hidden preactivation has a local minimum or maximum on relint D, strict or
not, with the value 0. ``faces``, the negation: a tree of faces. For each neuron that is 0 on a face
F, among the faces with F in their closure there is one where it is negative and one where it is
positive: near each x in F it has values of both signs. ``part``: ``optimum k a… b a… b…``, neuron
k, counted through the layers from 0, and rows that cut the part of D where they are > 0; then a
tree of faces on this part, on which the neuron is 0 somewhere and has not both other signs. The
part is open in the affine hull of D.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from . import claims
from .claims import kind
from .faces import FaceTree, Signs, about_faces
from .file import Proof, form, need
from .objects import Network, System, read_index

zero_optimum = about_faces(
    "some hidden preactivation of {network} has a local optimum with the value 0 on the relative "
    "interior of {domain}",
    "no hidden preactivation of {network} has a local optimum with the value 0 on the relative "
    "interior of {domain}",
)
_MEMORY = 16  # fuel for a place in a tree of signs


class Stars:
    """Things that are kept by the signs of faces, in a tree with a level for each neuron."""

    def __init__(self, proof: Proof, items: Mapping[Signs, Any]) -> None:
        self._proof, self._root = proof, dict[Any, Any]()
        for signs, item in items.items():
            node = self._root
            for sign in flat(signs):
                proof.spend(_MEMORY)
                node = node.setdefault(sign, {})
            node["item"] = item

    def around(self, signs: Signs) -> list[Any]:
        """Return the items of the faces that have the face with these signs in their closure."""
        nodes = [self._root]
        for sign in flat(signs):
            self._proof.spend(len(nodes) + 1)
            nodes = [n[s] for n in nodes for s in ((-1, 0, 1) if sign == 0 else (sign,)) if s in n]
        return [node["item"] for node in nodes if "item" in node]


def flat(signs: Signs) -> list[int]:
    """Return the signs of all neurons."""
    return [sign for layer in signs for sign in layer]


def part_of(domain: System, numbers: list[int]) -> System:
    """Return the part of a domain where rows a·x + b, one after the other, are > 0."""
    size = domain.dim + 1
    form(len(numbers) % size == 0, "wrong-length", "rows of the part")
    rows = [tuple(numbers[i : i + size]) for i in range(0, len(numbers), size)]
    senses = (*domain.senses, *("gt" for _ in rows))
    return System(domain.dim, senses, (*domain.rows, *rows))


def require_no_optimum(proof: Proof, faces: Iterable[Signs]) -> None:
    """Refuse if a neuron is 0 on a face, and not of both signs on those around it."""
    known = {signs: flat(signs) for signs in faces}
    stars = Stars(proof, known)
    for signs, here in known.items():
        around = stars.around(signs)
        proof.spend(len(around) * len(here))
        for sign, beside in zip(here, zip(*around, strict=True), strict=True):
            ok = sign or len(set(beside)) == 3
            need(ok, "zero-optimum", "a neuron has a local optimum 0")


def zero_optimum_by_faces(proof: Proof, network: Network, domain: System) -> None:
    """Every neuron that is 0 on a face has both signs around it."""
    require_no_optimum(proof, (s for _, s in FaceTree(proof, [network], domain).faces()))


def zero_optimum_by_part(proof: Proof, network: Network, domain: System) -> None:
    """A neuron is 0 somewhere on a part and has not both signs on it."""
    numbers = proof.record("optimum")[1]
    n_neurons = sum(len(layer.rows) for layer in network.hidden)
    form(numbers and 0 <= numbers[0] < n_neurons, "index-out-of-range", "no such neuron")
    tree = FaceTree(proof, [network], part_of(domain, numbers[1:]))
    signs = {flat(signs)[numbers[0]] for _, signs in tree.faces()}
    ok = 0 in signs and len(signs) < 3
    need(ok, "not-an-optimum", "the neuron is not 0, or changes its sign, on the part")


@kind(
    "the complex of {network} on the relative interior of {domain} has {counts} faces of dimension "
    "0, 1, ...",
    network=claims.network,
    counts=claims.listed(read_index),
    domain=claims.domain,
).fitting
def complex(network: Network, counts: list[int], domain: System) -> None:
    """A number for each dimension up to that of the inputs."""
    claims.fits(domain, network.widths[0])
    form(len(counts) == domain.dim + 1, "wrong-length", "a number for each dimension")


def complex_by_faces(proof: Proof, network: Network, counts: list[int], domain: System) -> None:
    """Count the leaves by dimension."""
    tree = FaceTree(proof, [network], domain)
    found = [0] * len(counts)
    for codimension, _ in tree.faces():
        found[tree.chart.dim - codimension] += 1
    need(found == counts, "face-count", f"the proof has {found} faces")
