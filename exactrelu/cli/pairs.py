"""Commands about two networks: the same up to symmetry, the same function, how far apart."""

from __future__ import annotations

from exactrelu.cli.command import CERTIFICATE, DOMAIN, WORKERS, Ask, argument, command, limits
from exactrelu.cli.outcome import Outcome
from exactrelu.cli.shards import SHARDS, equivalent_in_pieces, is_in_pieces

_A = argument("a", metavar="A", help="network file")
_PAIR = (
    _A,
    argument("b", metavar="B", help="network file, same numbers of inputs and outputs"),
    DOMAIN,
)


@command(
    _A,
    argument("b", metavar="B", help="network file"),
    CERTIFICATE,
    limits("refinements"),
    result="questions.equivalence.canonical_forms.Isomorphism",
    example="example:spike example:zero",
)
def isomorphic(ask: Ask) -> Outcome:
    """Are two networks equal up to permutation and positive scaling of hidden neurons?"""
    from exactrelu.questions.equivalence.canonical_forms import isomorphic

    return ask.told(isomorphic(*ask.pair, effort=ask.effort))


@command(
    _PAIR,
    argument("--within", metavar="EPS", help="ask whether no output differs by more than EPS"),
    CERTIFICATE,
    WORKERS,
    limits("regions"),
    SHARDS,
    result="questions.equivalence.equivalent.Equivalence questions.equivalence.within.Within",
    example="example:spike example:zero --domain box:-1..1 --within 1/100",
)
def equivalent(ask: Ask) -> Outcome:
    """Do two networks compute the same function on a domain, or nearly the same?"""
    from exactrelu.questions.equivalence.equivalent import compared, equivalent

    a, b = ask.pair
    within = ask.args.within
    telling = ask.telling("equivalent" if within is None else f"equivalent within {within}")
    if is_in_pieces(ask):
        return equivalent_in_pieces(ask, lambda found: telling(compared(a, b, found)))
    domain = ask.domain_in(a.n_inputs)
    shown = ask.showing(telling)
    return shown(equivalent(a, b, domain, within=within, effort=ask.effort))


@command(
    _PAIR,
    CERTIFICATE,
    WORKERS,
    limits("regions"),
    result="questions.equivalence.largest.Difference",
    example="example:spike example:zero --domain box:-1..1",
)
def difference(ask: Ask) -> Outcome:
    """The exact largest difference of any output of two networks on a domain."""
    from exactrelu.questions.equivalence.difference import largest_difference

    a, b = ask.pair
    return ask.asked(largest_difference, a, b, ask.domain_in(a.n_inputs))
