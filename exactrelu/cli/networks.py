"""Commands about one network as it is: its values, its normal forms."""

from __future__ import annotations

from exactrelu.cli.command import (
    CERTIFICATE,
    DOMAIN,
    NETWORK,
    OUTPUT,
    Ask,
    argument,
    command,
    domain,
    switch,
)
from exactrelu.cli.outcome import Outcome, stopped
from exactrelu.errors import InputError


@command(
    NETWORK,
    argument(
        "--at",
        metavar="X1,X2,…",
        action="append",
        required=True,
        help="a point: integers, fractions or decimals; repeat it for several points",
    ),
    argument("--certificate", metavar="FILE", help="write the certificate of one value"),
    results="questions.values.PointValue questions.values.PointValues",
    example="example:xor --at 1,-1",
    name="eval",
)
def evaluate(ask: Ask) -> Outcome:
    """Exact value at a point, activation pattern, local affine map."""
    from exactrelu.exact.scalar import parse_vector
    from exactrelu.questions.values import values

    given = ask.args.at
    if ask.wants_certificate and len(given) > 1:
        raise InputError("--certificate proves the value at one point: give --at once")
    ask.effort.spend()
    return ask.told(values(ask.network, [parse_vector(at, f"--at {at}") for at in given]))


@command(
    NETWORK,
    OUTPUT,
    CERTIFICATE,
    asks="questions.equivalence.canonical_forms.canonical",
    example="example:moons -o canonical.json",
)
def canonical(ask: Ask) -> Outcome:
    """Write the canonical network: isomorphic networks give the same file."""
    from exactrelu.effort import Stopped
    from exactrelu.network.formats.load import save
    from exactrelu.questions.equivalence.canonical_forms import canonical

    args = ask.args
    try:
        found = canonical(ask.network, effort=ask.effort)
    except Stopped as limit:
        return stopped(str(limit))
    save(found.network, args.output)
    text = f"{args.output} is {found.sentence()}\nsha256 {found.sha256}"
    return ask.told(found, text=text)


@command(
    NETWORK,
    OUTPUT,
    DOMAIN,
    switch("--keep-weights", "only drop neurons: what is left has the weights that it had"),
    switch("--by-lp", "also what cells and linear programs show on a domain without bounds"),
    CERTIFICATE,
    asks="questions.equivalence.simplify.simplify",
    example="example:moons --domain orthant -o small.json",
)
def simplify(ask: Ask) -> Outcome:
    """Write a smaller network that provably has the same function."""
    from exactrelu.network.formats.load import save
    from exactrelu.questions.equivalence.simplify import simplify

    args = ask.args
    chosen = {"keep_weights": args.keep_weights, "by_lp": args.by_lp}
    found = simplify(ask.network, ask.domain, **chosen, effort=ask.effort)
    save(found.network, args.output)
    return ask.told(found)


@command(
    argument("network", metavar="NET", help="network file, at most one hidden layer"),
    domain("R or orthant"),
    results="questions.values.ShallowFormula",
    example="example:xor",
)
def shallow(ask: Ask) -> Outcome:
    """Canonical form of a network with one hidden layer: weighted hyperplanes, one affine map."""
    from exactrelu.network.shallow import shallow_form
    from exactrelu.questions.values import ShallowFormula

    return ask.told(ShallowFormula(shallow_form(ask.network, ask.domain)))
