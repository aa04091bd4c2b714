"""Networks as narrow as possible, and networks that are not.

*Minimal.* No network with as many layers as N, none of them wider, and fewer neurons is equal to N
on the closure of D.

``rank``, ``cases``: N has one hidden layer, D is all of space or the orthant. Let N bend at m
hyperplanes (``shallow``) and have m + s neurons. If s = 0, or there is one neuron: no records. Else

``rank``: for each orientation of the bends, + before -, the last one changing fastest, a ``minor``
of size s of A, the matrix of ``members``.
``cases``: for each number q = 0, …, s - 1, each set Q of q bends in lexicographic order, and each
orientation of the others, the proof of ``members`` that there is no network with neurons of both
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
"""

from . import claims
from .claims import kind
from .equality import prove_equal, recorded_network
from .file import Proof, need
from .members import compensation, orientations, require_no_member
from .objects import Network, System
from .ranks import minor
from .shallow import Form, is_orthant, shallow_form


@kind(
    "minimal",
    "no network with as many layers as {network}, none of them wider, and fewer neurons is equal "
    "to it on the closure of {domain}",
    "some network with as many layers as {network}, none of them wider, and fewer neurons is equal "
    "to it on the closure of {domain}",
    network=claims.plain_network,
    domain=claims.domain,
)
def minimal(network: Network, domain: System) -> None:
    """A domain in the space of the inputs."""
    claims.fits(domain, network.widths[0])


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
