"""Commands about one network as it is: its values, its normal forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import (
    CERTIFICATE,
    DOMAIN,
    NETWORK,
    OUTPUT,
    Ask,
    argument,
    command,
    domain,
    limits,
    switch,
)
from exactrelu.cli.outcome import Outcome, done, stopped
from exactrelu.errors import InputError
from exactrelu.words import coefficients, count, equals

if TYPE_CHECKING:
    from exactrelu.network.network import Evaluation, Network


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
    example="example:xor --at 1,-1",
    name="eval",
)
def evaluate(ask: Ask) -> Outcome:
    """Exact value at a point, activation pattern, local affine map."""
    from exactrelu.certificates.evidence import value_claim
    from exactrelu.exact.scalar import parse_vector
    from exactrelu.network.network import trace_batch

    given = ask.args.at
    if ask.wants_certificate and len(given) > 1:
        raise InputError("--certificate proves the value at one point: give --at once")
    network = ask.network
    ask.effort.spend()
    evaluations = trace_batch(network, [parse_vector(at, f"--at {at}") for at in given])
    described = [_value(ask, network, evaluation) for evaluation in evaluations]
    reason = f"exact values of {network.name or 'the network'} at {len(given)} point(s)"
    lines = [line for shown, _ in described for line in shown]
    if len(given) > 1:
        computed = ("all of this (a certificate is about one point)",)
        return done(reason, lines, computed=computed, points=[fields for _, fields in described])
    return done(
        reason,
        lines,
        value_claim(network, evaluations[0]),
        certified=("point", "output", "pattern"),
        computed=("local affine map",),
        **described[0][1],
    )


def _value(ask: Ask, network: Network, evaluation: Evaluation) -> tuple[list[str], dict[str, Any]]:
    """The lines and the fields of one point."""
    from exactrelu.network.evaluation import pattern_numbers, pattern_text
    from exactrelu.network.network import local_affine_map

    pattern = evaluation.pattern
    local = local_affine_map(network, pattern)
    lines = [
        *_value_lines(ask, evaluation),
        f"  pattern  {pattern_text(pattern)}",
        *(f"  locally  {line}" for line in ask.words.affine_map(local)),
    ]
    if any(s == 0 for layer in pattern for s in layer):
        lines.append("  note     a preactivation is exactly 0: x lies on a breakpoint candidate")
    fields = {
        "point": evaluation.point,
        "output": evaluation.output,
        "pattern": pattern_numbers(pattern),
        "jacobian": local.matrix,
        "offset": local.offset,
    }
    return lines, fields


def _value_lines(ask: Ask, evaluation: Evaluation) -> list[str]:
    """``f(1, -1) = (1/2)``, or a line for x where it is long."""
    said = ask.words.said(evaluation.point)
    value = ask.words.point(evaluation.output)
    if said.startswith("("):
        return [equals(f"f{said}", value)]
    return [equals("x   ", ask.words.point(evaluation.point)), equals("f(x)", value)]


@command(
    NETWORK,
    OUTPUT,
    CERTIFICATE,
    limits("refinements"),
    result="questions.equivalence.canonical_forms.Canonical",
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
    result="questions.equivalence.simplify.Simplified",
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
    fields="hyperplanes jacobian offset",
    example="example:xor",
)
def shallow(ask: Ask) -> Outcome:
    """Canonical form of a network with one hidden layer: weighted hyperplanes, one affine map."""
    from exactrelu.exact.scalar import rational, vector
    from exactrelu.network.shallow import shallow_form

    form = shallow_form(ask.network, ask.domain)
    hyperplanes = count(len(form.bends), "weighted hyperplane")
    reason = f"the function{ask.where} is an affine map and {hyperplanes}"
    bends = [(vector(h[:-1]), rational(h[-1]), u) for h, u in form.bends]
    numbers = (value for w, b, u in bends for value in (*w, b, *u))
    words = ask.words.of_list([*coefficients(form.base), *numbers])
    lines = [
        *words.affine_map(form.base),
        *(f"+ {words.listed(u)} · s({words.linear_form(w, b)})" for w, b, u in bends),
        reason,
    ]
    return done(
        reason,
        lines,
        computed=("this form",),
        hyperplanes=[{"normal": w, "offset": b, "jump": u} for w, b, u in bends],
        jacobian=form.base.matrix,
        offset=form.base.offset,
    )
