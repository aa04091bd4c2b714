"""Orientations that occur in the fiber of a network with one hidden layer, and others that do not.

Statement. N bends on D, all of space or the open orthant, at m hyperplanes, numbered by the first
neurons on them. Let M(S) be the set of networks with the widths of N and its values on D, with
one neuron on each of these hyperplanes, oriented by S, d dead neurons, and all others linear.
M(S) is nonempty for the S listed as nonempty, and empty for the S listed as empty.

Evidence. For each S listed as nonempty, ``member``: a network in M(S). For each S listed as empty
either ``rank-too-large`` and a ``minor``: rank A > k; or ``not-pointed``, a ``minor``:
rank A >= k, and a ``dependency``: λ > 0 on some nonzero columns of A with A·λ = 0. Here k is the
number of linear neurons (on all of space they are constant, and k stands for 0), and A the
linear part of N where all h·x + c <= 0, plus u·h for each bend u·s(h·x + c) with the sign -.

Sound. Members have the form of N and the roles of M(S): the checker computes both. If a network is
in M(S), its linear part where all h·x + c <= 0 is V·W - Σ u·h with W >= 0 the k rows of its linear
neurons, the sum over the signs -. So A = V·W has rank <= k; and if it is k, then V has independent
columns, so that A·λ = 0 gives W·λ = 0, and W, hence A, is 0 on the columns where λ > 0.
"""

from functools import partial
from itertools import pairwise

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..domain import domain_text, read_domain
from ..network import Network, read_network
from ..no_member import check_no_member
from ..reader import Certificate
from ..shallow_form import Form, require_equal, require_simple, shallow_form
from ..shallow_roles import read_roles
from ..statement import Claim, Rule, subject
from ..system import System
from ..values import read_index, read_list, read_strings
from ..verdicts import Reason, Refused

Listed = tuple[list[str], list[str]]  # nonempty and empty orientations


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    domain = read_domain(claim["domain"], network, budget)
    n_dead = read_index(claim["dead"])
    nonempty, empty = (read_orientations(claim[name]) for name in ("nonempty", "empty"))
    return Claim(
        f"among the networks with one neuron on each bend of the network N of widths "
        f"{widths_text(network.widths())} on {domain_text(domain)}, {n_dead} dead neurons, all "
        f"others linear, and the values of N on D, {len(nonempty)} orientations of the bends occur "
        f"and {len(empty)} do not",
        (subject("N", network.as_json()), subject("D", claim["domain"])),
        partial(_check, network, domain, n_dead, (nonempty, empty)),
        (network,),
    )


def read_orientations(value: object) -> list[str]:
    """Return a list of strings, as many as there are."""
    return read_strings(value, len(read_list(value)))


def _check(
    network: Network,
    domain: System,
    n_dead: int,
    listed: Listed,
    certificate: Certificate,
    budget: Budget,
) -> None:
    orthant = require_simple(domain, budget)
    if len(network.layers) < 2:
        raise Refused(Reason.NOT_SHALLOW, "a network without hidden layer")
    form = shallow_form(network, orthant, budget)
    check_components(network, form, orthant, n_dead, listed, certificate, budget)


def check_components(
    network: Network,
    form: Form,
    orthant: bool,
    n_dead: int,
    lists: Listed,
    certificate: Certificate,
    budget: Budget,
) -> None:
    """Check the orientations listed as nonempty, then those listed as empty."""
    nonempty, empty = lists
    n_linear = len(network.layers[0].rows) - len(form[1]) - n_dead
    for listed in (nonempty, empty):
        if any(signs >= later for signs, later in pairwise(listed)):
            raise Refused(Reason.NOT_INCREASING, "orientations are not in increasing order")
    for signs in (*nonempty, *empty):
        budget.spend(1 + len(signs))
        if len(signs) != len(form[1]) or not set(signs) <= {"+", "-"}:
            raise Refused(Reason.WRONG_SIGNS, f"an orientation has {len(form[1])} signs + or -")
    for signs in nonempty:
        _check_member(network, form, orthant, signs, n_dead, certificate, budget)
    for signs in empty:
        check_no_member(form, signs, n_linear if orthant else 0, 0, certificate, budget)


def _check_member(
    network: Network,
    form: Form,
    orthant: bool,
    signs: str,
    n_dead: int,
    certificate: Certificate,
    budget: Budget,
) -> None:
    record = certificate.record("member", frozenset({"network"}))
    member = read_network(record["network"], budget)
    if member.widths() != network.widths():
        raise Refused(Reason.SHAPES_DIFFER, "the member has other widths")
    require_equal(form, shallow_form(member, orthant, budget), budget)
    roles = read_roles(member, form, orthant, budget)
    if roles.signs != signs:
        raise Refused(Reason.WRONG_SIGNS, f"the member has the signs {roles.signs}")
    if len(roles.dead) != n_dead:
        raise Refused(Reason.WRONG_ROLES, f"the member has {len(roles.dead)} dead neurons")


RULE = Rule(frozenset({"dead", "domain", "empty", "network", "nonempty"}), _read)
