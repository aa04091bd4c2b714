"""Commands about one network as it is: its values, its normal forms."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import (
    CERTIFICATE,
    DOMAIN,
    NETWORK,
    OUTPUT,
    UNDECIDED,
    Ask,
    Outcome,
    argument,
    command,
    done,
    limits,
    stopped,
    switch,
)
from exactrelu.errors import InputError
from exactrelu.view import text

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
    from exactrelu.network.network import local_affine_map

    pattern = evaluation.pattern
    local = local_affine_map(network, pattern)
    lines = [
        *_value_lines(ask, evaluation),
        f"  pattern  {text.pattern(pattern)}",
        *(f"  locally  {line}" for line in ask.words.affine_map(local)),
    ]
    if any(s == 0 for layer in pattern for s in layer):
        lines.append("  note     a preactivation is exactly 0: x lies on a breakpoint candidate")
    fields = {
        "point": evaluation.point,
        "output": evaluation.output,
        "pattern": text.pattern_numbers(pattern),
        "jacobian": local.matrix,
        "offset": local.offset,
    }
    return lines, fields


def _value_lines(ask: Ask, evaluation: Evaluation) -> list[str]:
    """``f(1, -1) = (1/2)``, or a line for x where it is long."""
    said = ask.words.said(evaluation.point)
    value = ask.words.point(evaluation.output)
    if said.startswith("("):
        return [text.equals(f"f{said}", value)]
    return [text.equals("x   ", ask.words.point(evaluation.point)), text.equals("f(x)", value)]


@command(
    NETWORK,
    OUTPUT,
    CERTIFICATE,
    limits("refinements"),
    fields="widths sha256",
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
    reason = f"{args.output} is equal to it up to permutation and positive scaling"
    return done(
        reason,
        [reason, f"sha256 {found.network.sha256}"],
        found.certificate if ask.wants_certificate else None,
        certified=("widths", "sha256"),
        widths=found.network.widths,
        sha256=found.network.sha256,
    )


#: What the steps of a simplification do, by the names of their types.
_DONE = {
    "Drop": ("dead neuron", "dropped"),
    "NeverActive": ("neuron", "dropped that a tree of bounds shows to be dead"),
    "Merge": ("duplicate", "merged"),
    "Refactor": ("group", "of linear neurons made smaller"),
    "Compose": ("layer", "without nonlinear neurons joined with the next"),
}


@command(
    NETWORK,
    OUTPUT,
    DOMAIN,
    switch("--by-lp", "also what linear programs show on the domain"),
    CERTIFICATE,
    fields="widths n_steps",
    example="example:moons --domain orthant -o small.json",
)
def simplify(ask: Ask) -> Outcome:
    """Write a smaller network that provably has the same function."""
    from exactrelu.network.formats.load import save
    from exactrelu.network.network import widths_text
    from exactrelu.questions.equivalence.simplify import simplify

    args, network, domain = ask.args, ask.network, ask.domain
    found = simplify(network, domain, by_lp=args.by_lp, effort=ask.effort)
    save(found.network, args.output)
    before, after = map(widths_text, (network, found.network))
    same = f"with the same function{ask.where}"
    reason = f"{before} became {after}, {same}"
    # On a flat domain the network that is written looks at the free coordinates only.
    is_same = found.network == network
    if is_same or (domain.is_flat and found.network.widths == network.widths):
        what = "linear programs" if args.by_lp else "signs"
        reason = f"{before}: nothing to remove by {what}{ask.where}"
    if found.stopped is not None:
        reason = f"{found.stopped}: {before} became {after} so far, {same}"
    n_steps = Counter(type(step).__name__ for step in found.steps)
    lines = [
        f"  {text.count(n_steps[name], noun)} {what}"
        for name, (noun, what) in _DONE.items()
        if n_steps[name]
    ]
    outcome = done(
        reason,
        [reason, *lines],
        found.certificate,
        certified=("widths",),
        widths=found.network.widths,
        n_steps=len(found.steps),
    )
    if found.stopped is None:
        return outcome
    return replace(outcome, verdict="undecided", exit_code=UNDECIDED)


@command(
    argument("network", metavar="NET", help="network file, at most one hidden layer"),
    argument("--domain", metavar="D", default="R", help="R or orthant"),
    fields="hyperplanes jacobian offset",
    example="example:xor",
)
def shallow(ask: Ask) -> Outcome:
    """Canonical form of a network with one hidden layer: weighted hyperplanes, one affine map."""
    from exactrelu.exact.scalar import rational, vector
    from exactrelu.network.shallow import shallow_form

    form = shallow_form(ask.network, ask.domain)
    hyperplanes = text.count(len(form.bends), "weighted hyperplane")
    reason = f"the function{ask.where} is an affine map and {hyperplanes}"
    bends = [(vector(h[:-1]), rational(h[-1]), u) for h, u in form.bends]
    numbers = (value for w, b, u in bends for value in (*w, b, *u))
    words = ask.words.of_list([*text.coefficients(form.base), *numbers])
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
