"""Two networks of a claim, A and B."""

from .budget import Budget
from .canonical import Fields
from .describe import widths_text
from .network import Network, read_network
from .statement import Subject, subject
from .verdicts import Reason, Refused

PAIR_FIELDS = frozenset({"a", "b"})


def read_pair(claim: Fields, budget: Budget) -> tuple[Network, Network]:
    """Return the two networks of a claim."""
    return read_network(claim["a"], budget), read_network(claim["b"], budget)


def read_comparable(claim: Fields, budget: Budget) -> tuple[Network, Network]:
    """Return two networks with the same numbers of inputs and of outputs."""
    a, b = read_pair(claim, budget)
    if (a.widths()[0], a.widths()[-1]) != (b.widths()[0], b.widths()[-1]):
        raise Refused(Reason.SHAPES_DIFFER, "the networks have other numbers of inputs or outputs")
    return a, b


def pair_text(a: Network, b: Network) -> str:
    """Describe the networks in a few words."""
    widths = f"widths {widths_text(a.widths())}"
    return f"the networks A of {widths} and B of widths {widths_text(b.widths())}"


def pair_subjects(a: Network, b: Network) -> tuple[Subject, Subject]:
    """Name the networks by the hashes of their canonical bytes."""
    return subject("A", a.as_json()), subject("B", b.as_json())
