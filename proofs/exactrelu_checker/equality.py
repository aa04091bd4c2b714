"""Proofs within proofs: two networks are equal on the closure of a domain.

``by METHOD`` names a method of the kind ``equal``; then follow its records, but for
``inside``.

Matrices and networks in records.

``widths w_1…w_k``         the units of each layer
``layer den entries…``     for each layer: rows·(x, 1)/den, one row after the other, den > 0

Networks that are not ``minimal``, by ``smaller``: another one in records has as many
layers, none of them wider, and fewer neurons; then the proof, with its own ``by``, that it
is equal to N.

Networks that their function determines.

*identifiable* among a class of networks: those of the class that have the widths of N and
its values on the closure of D are equal to N up to permutation and positive scaling of
hidden neurons. The class *all* has every network; the class *general-position* is that of
``tracks``, and N is in it. The negation says that the class has another network with the
widths of N and its values on the closure of D, to which no permutation and scaling takes N.
One hidden layer: ``signs``, ``minimal``; three layers: ``signs``; any depth: ``peeling``.

The negation by ``equal``: a network B in records, with the widths of N; the proof, with its
own ``by``, that B is equal to N on the closure of D; and the proof that it is not
isomorphic to N.
"""

from . import claims
from .file import Proof, form, need
from .numbers import paired
from .objects import Network, System, layer_of, read_table


def prove_equal(
    proof: Proof, a: Network, b: Network, domain: System, without: str = ""
) -> None:
    """Check that A and B are equal on the closure of a domain, by a method that is named.

    A method that calls this leaves itself out, so that proofs are nested three deep at
    most.
    """
    both = {"a": a, "b": b, "domain": domain}
    claims.prove(proof, claims.Claim("equal", True, both), without)


def recorded_network(proof: Proof, inputs: int) -> Network:
    """Read a network, without linear units, with so many inputs."""
    widths = proof.record("widths")[1]
    form(
        widths and min(widths) >= 1,
        "zero-width",
        "a network has layers, and these have units",
    )
    sizes = zip(widths, [inputs, *widths])
    return Network(
        tuple([layer_of(*read_table(proof, "layer", n, m + 1)) for n, m in sizes])
    )


def not_minimal_by_smaller(proof: Proof, network: Network, domain: System) -> None:
    """Another network has fewer neurons, and is equal."""
    other = recorded_network(proof, network.widths[0])
    ours, theirs = network.widths, other.widths
    need(
        len(ours) == len(theirs) and ours[-1] == theirs[-1],
        "shapes-differ",
        "another shape",
    )
    wider = any(new > old for old, new in paired(ours, theirs))
    need(not wider and sum(theirs) < sum(ours), "not-smaller", "the network is not smaller")
    prove_equal(proof, network, other, domain)


identifiable = claims.kind(
    "{network} is identifiable among {among} networks on {domain}: those with its widths "
    "and its values on the closure of this set are equal to it up to permutation and "
    "positive scaling of hidden neurons",
    "{network} is not identifiable among {among} networks on {domain}: one with its "
    "widths and its values on the closure of this set is not equal to it up to "
    "permutation and positive scaling of hidden neurons",
    among=claims.word("all", "general-position"),
)


def require_all(among: str, domain: System | None = None) -> None:
    """Refuse another class than that of all networks, and a domain that is not all of
    space.
    """
    need(among == "all", "wrong-method", "the method is about all networks")
    need(
        not (domain and domain.rows), "domain-not-simple", "the domain is not all of space"
    )


def not_identifiable_by_equal(
    proof: Proof, network: Network, among: str, domain: System
) -> None:
    """Another network has the same values."""
    require_all(among)
    other = recorded_network(proof, network.widths[0])
    need(other.widths == network.widths, "shapes-differ", "the networks have other widths")
    prove_equal(proof, network, other, domain)
    claims.prove(proof, claims.Claim("isomorphic", False, {"a": network, "b": other}))
