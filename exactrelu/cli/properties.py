"""Commands about properties of networks, as queries in VNN-LIB ask for them.

A query names its networks, and ``--network NAME=FILE`` says which file each of them is; where it
has one network, the file alone will do.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import (
    CERTIFICATE,
    DOMAIN,
    NETWORK,
    NETWORK_FILE,
    WORKERS,
    Ask,
    Names,
    Outcome,
    answered,
    argument,
    command,
    done,
    switch,
)
from exactrelu.cli.shards import SHARDS, decided_in_pieces, is_in_pieces
from exactrelu.errors import InputError
from exactrelu.view import text

if TYPE_CHECKING:
    from exactrelu.questions.properties.judge import Judged, Weighed
    from exactrelu.questions.properties.robust import Radius
    from exactrelu.questions.properties.verify import Holds, Verified

QUERY = argument("query", metavar="QUERY", help="a query in VNN-LIB 1.0 or 2.0 (or .gz)")
NETWORKS = argument(
    "--network",
    metavar="NAME=FILE",
    action="append",
    dest="networks",
    required=True,
    help=f"the {NETWORK_FILE} of a network of the query, whose only one needs no NAME",
)

_NAMED = re.compile(r"([A-Za-z][A-Za-z0-9_]*)=(.+)", re.ASCII | re.DOTALL)


def given_networks(given: list[str]) -> dict[str, str]:
    """The files of ``--network`` by the names of the networks; a name may be missing.

    >>> given_networks(["f=a.onnx", "g=b.json"]), given_networks(["nets/f=1.onnx"])
    ({'f': 'a.onnx', 'g': 'b.json'}, {'': 'nets/f=1.onnx'})
    """
    found: dict[str, str] = {}
    for entry in given:
        named = _NAMED.fullmatch(entry)
        name, file = (named[1], named[2]) if named else ("", entry)
        if name in found:
            said = f"{name} has two files" if name else "two files without a name"
            raise InputError(f"--network: {said}, expected NAME=FILE once for each network")
        found[name] = file
    return found


def _in_a_word(outcome: Outcome) -> Outcome:
    """An undecided outcome in the words of VNN-LIB, whoever ended the work and whenever.

    Why it was ended may be known outside of its process only.
    """
    from exactrelu.questions.properties.results import undecided_word

    word = undecided_word(outcome.reason)
    fields = {**outcome.fields, "result": word}
    notes = outcome.notes or (outcome.reason,)
    return replace(outcome, text=word, fields=fields, notes=notes, is_bare=True)


@command(
    QUERY,
    NETWORKS,
    CERTIFICATE,
    WORKERS,
    SHARDS,
    fields="result witness assignment flags n_boxes share query_sha256",
    example="query.vnnlib --network net.onnx",
    undecided=_in_a_word,
)
def verify(ask: Ask) -> Outcome:
    """Does no input satisfy a query of VNN-LIB, in exact arithmetic? unsat, or sat with a point."""
    from exactrelu.questions.properties.verify import verify

    networks = given_networks(ask.args.networks)
    if is_in_pieces(ask):
        return _verified_in_pieces(ask, networks)
    shown = ask.showing(_verified)
    return shown(verify(ask.args.query, networks, effort=ask.effort))


def _verified_in_pieces(ask: Ask, networks: dict[str, str]) -> Outcome:
    """The same, asked piece by piece."""
    from exactrelu.questions.properties.posed import property_of
    from exactrelu.questions.properties.vacuity import vacuity
    from exactrelu.questions.properties.verify import told_of, verified
    from exactrelu.questions.properties.versions import read_query

    posed = property_of(read_query(ask.args.query, ask.effort), networks, ask.effort)
    flags = vacuity(posed, ask.effort).flags
    if posed.domain is None:
        return _verified(verified(posed, flags, ask.effort))
    return decided_in_pieces(
        ask, posed.property, lambda found: _verified(told_of(posed, flags, found))
    )


def _verified(found: Verified) -> Outcome:
    """The word alone, and the assignment; the rest is for stderr."""
    assignment = found.assignment
    lines = [found.result, *([] if assignment is None else [assignment.text])]
    fields: dict[str, Any] = {
        "result": found.result,
        "witness": found.witness,
        "assignment": None if assignment is None else assignment.named,
        "flags": found.flags,
        "n_boxes": found.n_boxes,
        "share": found.share,
        "query_sha256": None if found.query is None else found.query.sha256,
    }
    certified: Names = ("verdict", "witness") if found.answer is False else ("verdict",)
    computed: Names = () if found.answer is None else ("what the query means",)
    outcome = Outcome.of(found, "\n".join(lines), fields, certified, computed)
    notes = [found.reason, *(f"note: {flag}" for flag in found.flags)]
    if assignment is not None:
        notes += assignment.rounded
    return replace(outcome, notes=tuple(notes), is_bare=True)


@command(
    NETWORK,
    argument(
        "constraints",
        metavar="CONSTRAINT",
        nargs="+",
        help="what must hold, such as 'y1 <= 2' or '0 < y1 - x2 <= y2'",
    ),
    DOMAIN,
    CERTIFICATE,
    WORKERS,
    fields="witness output n_boxes share",
    example="example:xor '0 <= y1 <= 1' --domain box:-1..1",
)
def holds(ask: Ask) -> Outcome:
    """Do constraints on inputs and outputs hold at every point of a domain?"""
    from exactrelu.questions.properties.verify import holds

    shown = ask.showing(partial(_holds, ask))
    return shown(holds(ask.network, ask.domain, ask.args.constraints, effort=ask.effort))


def _holds(ask: Ask, found: Holds) -> Outcome:
    fields: dict[str, Any] = {
        "witness": found.witness,
        "output": found.output,
        "n_boxes": found.n_boxes,
        "share": found.share,
    }
    lines: list[str] = []
    certified: Names = ("verdict",)
    computed: Names = ()
    if found.witness is not None and found.output is not None:
        words = ask.words.of_list([*found.witness, *found.output])
        lines = [words.equation("  x", found.witness), words.equation("  y", found.output)]
        certified, computed = ("verdict", "witness"), ("the values at x",)
    question = f"holds on {ask.args.domain}"
    return answered(found, question, lines, certified=certified, computed=computed, **fields)


@command(
    NETWORK,
    argument(
        "--at", metavar="X1,X2,…", required=True, help="the point: integers, fractions or decimals"
    ),
    switch("--min", "the smallest output wins, not the largest"),
    DOMAIN,
    CERTIFICATE,
    WORKERS,
    fields="output lower upper attained witness",
    example="example:moons --at 1,1",
)
def robust(ask: Ask) -> Outcome:
    """How far from a point does the same output win? The exact radius, or bounds of it."""
    from exactrelu.exact.scalar import parse_vector
    from exactrelu.questions.properties.robust import robust_radius

    args, network = ask.args, ask.network
    point = parse_vector(args.at, f"--at {args.at}")
    shown = ask.showing(partial(_robust, ask))
    found = robust_radius(network, point, ask.domain, lowest=args.min, effort=ask.effort)
    return shown(found)


#: A single output is compared with 0.
_SIGNS = ("0", "the output")


def _robust(ask: Ask, found: Radius) -> Outcome:
    fields: dict[str, Any] = {
        "output": found.output,
        "lower": found.lower,
        "upper": found.upper,
        "attained": None if found.upper is None else found.is_attained,
        "witness": found.witness,
    }
    winner = f"output {found.output}" if ask.network.n_outputs > 1 else _SIGNS[found.output]
    lines = [f"{winner} wins at {ask.args.at}: {found.reason}"]
    if found.witness is not None:
        lines.append(f"  no longer at {ask.words.said(found.witness)}")
    # That nothing changes closer than 0 needs no proof.
    certified = ["lower"] if found.lower else []
    certified += [name for name in ("upper", "witness") if fields[name] is not None]
    computed = ["which output wins"]
    if not found.is_attained:
        certified.remove("upper")
        computed.append("that points come so near")
    elif found.answer:
        certified.insert(0, "verdict")
    return Outcome.of(found, "\n".join(lines), fields, tuple(certified), tuple(computed))


@command(
    QUERY,
    NETWORKS,
    argument(
        "--result", metavar="FILE", required=True, help="the result of a verifier, as in VNN-COMP"
    ),
    switch("--list", "every constraint"),
    CERTIFICATE,
    fields="margin constraints point values largest_error error_at flags query_sha256",
    example="query.vnnlib --network net.onnx --result result.txt",
)
def judge(ask: Ask) -> Outcome:
    """Is the counterexample of another verifier one, in exact arithmetic, and by how much?"""
    from exactrelu.questions.properties.judge import judge
    from exactrelu.questions.properties.versions import read_query

    args = ask.args
    query = read_query(args.query, ask.effort)
    found = judge(query, given_networks(args.networks), args.result, effort=ask.effort)
    if found.answer is None:
        return answered(found, "counterexample")
    fields: dict[str, Any] = {
        "margin": found.margin,
        "constraints": [_constraint(one) for one in found.constraints],
        "point": found.witness,
        "values": found.values,
        "largest_error": found.largest_error,
        "error_at": found.error_at or None,
        "flags": found.flags,
        "query_sha256": query.sha256,
    }
    certified: Names = ("verdict", "point") if found.answer else ("point", "values")
    computed: Names = ("what the query means", "the margins")
    if found.largest_error is not None:
        computed += ("the error of claimed outputs",)
    lines = _lines(ask, found)
    return answered(
        found, "counterexample", lines, certified=certified, computed=computed, **fields
    )


def _constraint(one: Weighed) -> dict[str, Any]:
    """A constraint, for ``--json``."""
    return {"line": one.line, "text": one.text, "holds": one.holds, "margin": one.margin}


def _lines(ask: Ask, found: Judged) -> list[str]:
    """The constraints that fail, or all of them, and what else is to be said."""
    shown = found.constraints if ask.args.list else found.failing
    if len(shown) == 1:
        # The reason has it already.
        shown = ()
    words = ask.words.of_list([abs(one.margin) for one in shown])
    lines = [
        f"  line {one.line}: {one.text} {'holds' if one.holds else 'fails'} by "
        f"{words.said(abs(one.margin))}"
        for one in shown
    ]
    if found.largest_error is not None:
        error = ask.words.number(found.largest_error)
        said = f"off by at most {error}, in {found.error_at}" if found.largest_error else "exact"
        lines.append(f"  claimed outputs are {said}")
    return [*lines, *(f"  note: {flag}" for flag in found.flags)]


#: What the standard asks every solver for, in its order: what it is, and what is answered.
#: Theories are parts of the language of queries.  Only ``real`` is decided: what a machine computes
#: with float32 is another function.  All cases of a query are decided on one tree of boxes.  ONNX
#: has no tensors of exact numbers, and certificates are not in Alethe.  (VNNLIB-Standard, chapters
#: *Theories and logics* and *Solver command-line interface*.)
CAPABILITIES = {
    "onnx-opset-versions": ("the oldest and the newest opset of ONNX", "6 21"),
    "onnx-element-types": ("types of tensors", "real"),
    "onnx-operators": ("operators of ONNX", ""),
    "onnx-operators-unsat-proofs": ("operators of networks with proofs of unsat", ""),
    "vnnlib-versions": ("the oldest and the newest version of VNN-LIB", "1.0 2.0"),
    "hidden-node-theories": ("hidden nodes in queries", "NH H"),
    "multiple-input-output-theories": ("several inputs and outputs", "SIO MIO"),
    "multiple-network-theories": ("several networks", "SNET MENET MINET MNET"),
    "multiple-node-comparison-theories": ("comparisons of several nodes", "SNC MNC"),
    "arithmetic-complexity-theories": ("arithmetic in queries", "BND OUTC LIN"),
    "optimised-disjunctive-reasoning": ("are disjunctions decided together?", "true"),
    "serialise-assignments": ("are points written as ONNX tensors?", "false"),
    "unsat-proofs": ("are proofs written in the format of the standard?", "false"),
}


@command(
    tuple(switch(f"--{name}", words) for name, (words, _) in CAPABILITIES.items()),
    fields="capabilities",
    example="--vnnlib-versions",
)
def supports(ask: Ask) -> Outcome:
    """What verify can be asked, in the words of VNN-LIB: all of it, or one capability."""
    from exactrelu.network.formats.support import RULES

    operators = sorted(name for rule in RULES for name in rule.names)
    asked = [name for name in CAPABILITIES if getattr(ask.args, name.replace("-", "_"))]
    found = {
        name: operators if name.startswith("onnx-operators") else CAPABILITIES[name][1].split()
        for name in asked or CAPABILITIES
    }
    lines = (
        found[asked[0]] if len(asked) == 1 else [f"{n}: {' '.join(v)}" for n, v in found.items()]
    )
    return done("what the standard asks for", lines, capabilities=found)


@command(
    argument("query", metavar="QUERY", help="a query in VNN-LIB 2.0 (or .gz)"),
    argument("-o", "--output", metavar="OUT", help="file to write; stdout without it"),
    fields="n_types output sha256 query_sha256",
    example="query.vnnlib -o real.vnnlib",
)
def real_query(ask: Ask) -> Outcome:
    """The same query over real numbers: floating point types become real, and nothing else."""
    from hashlib import sha256

    from exactrelu.files import errors_in, read_text, write_bytes
    from exactrelu.questions.properties.versions import is_version2, n_machine_types, real_query

    source, output = ask.args.query, ask.args.output
    given = read_text(source)
    with errors_in(source):
        n_types = n_machine_types(given, ask.effort)
        changed = real_query(given, effort=ask.effort)
        is_new = is_version2(given)
    reason = f"{source}: {text.count(n_types, 'type')} rewritten as real"
    if not n_types:
        reason = f"{source}: nothing to rewrite: "
        reason += "all types are real" if is_new else "VNN-LIB 1.0 is about real numbers"
    if output is not None:
        write_bytes(output, changed.encode())
    hashes: dict[str, Any] = {
        "sha256": sha256(changed.encode()).hexdigest(),
        "query_sha256": sha256(given.encode()).hexdigest(),
    }
    if output is None:
        # Whoever reads it wants the query alone; a last line ends in any case.
        found = done(reason, [changed.removesuffix("\n")], n_types=n_types, output=None, **hashes)
        return replace(found, notes=(reason,))
    return done(f"{reason}; written to {output}", n_types=n_types, output=output, **hashes)
