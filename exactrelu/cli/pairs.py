"""Commands about two networks: the same up to symmetry, the same function, how far apart."""

from __future__ import annotations

from exactrelu.cli.command import CERTIFICATE, DOMAIN, WORKERS, Ask, argument, command
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
    asks="questions.equivalence.canonical_forms.isomorphic",
    example="example:spike example:zero",
)
def isomorphic(ask: Ask) -> Outcome:
    """Are two networks equal up to permutation and positive scaling of hidden neurons?"""
    return ask.asked(*ask.pair)


@command(
    _PAIR,
    argument("--within", metavar="EPS", help="ask whether no output differs by more than EPS"),
    CERTIFICATE,
    WORKERS,
    SHARDS,
    asks="questions.equivalence.equivalent.equivalent",
    results="questions.shards.answers.Sharded",
    example="example:spike example:zero --domain box:-1..1 --within 1/100",
)
def equivalent(ask: Ask) -> Outcome:
    """Do two networks compute the same function on a domain, or nearly the same?"""
    from exactrelu.questions.equivalence.equivalent import compared

    a, b = ask.pair
    within = ask.args.within
    if is_in_pieces(ask):
        return equivalent_in_pieces(ask, lambda found: ask.told(compared(a, b, found)))
    called = "" if within is None else f"equivalent within {within}"
    return ask.asked(a, b, ask.domain_in(a.n_inputs), within=within, called=called)


@command(
    _PAIR,
    CERTIFICATE,
    WORKERS,
    asks="questions.equivalence.difference.largest_difference",
    example="example:spike example:zero --domain box:-1..1",
)
def difference(ask: Ask) -> Outcome:
    """The exact largest difference of any output of two networks on a domain."""
    a, b = ask.pair
    return ask.asked(a, b, ask.domain_in(a.n_inputs))
