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
    argument,
    command,
    output,
    switch,
)
from exactrelu.cli.outcome import Names, Outcome, done
from exactrelu.cli.shards import SHARDS, decided_in_pieces, is_in_pieces
from exactrelu.errors import InputError
from exactrelu.network.formats.support import NEWEST_OPSET
from exactrelu.words import count

if TYPE_CHECKING:
    from exactrelu.questions.properties.posed import NetworkLike
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
    argument(
        "--tree",
        metavar="FILE",
        action="append",
        dest="trees",
        default=[],
        excludes="--shards",
        help="begin with the tree of signs of neurons that another verifier wrote (APTP)",
    ),
    CERTIFICATE,
    WORKERS,
    SHARDS,
    asks="questions.properties.verify.verify",
    results="questions.shards.answers.Sharded",
    example="query.vnnlib --network net.onnx",
    undecided=_in_a_word,
)
def verify(ask: Ask) -> Outcome:
    """Does no input satisfy a query of VNN-LIB, in exact arithmetic? unsat, or sat with a point."""
    from exactrelu.questions.properties.verify import verify

    networks = _networks(ask)
    if is_in_pieces(ask):
        return _verified_in_pieces(ask, networks)
    shown = ask.showing(partial(_verified, ask))
    return shown(verify(ask.args.query, networks, trees=ask.args.trees, effort=ask.effort))


def _networks(ask: Ask) -> dict[str, NetworkLike]:
    """The networks of the query by name: files, and what is read as the command says."""
    given = given_networks(ask.args.networks)
    return {name: ask.load(path) if ask.reading(path) else path for name, path in given.items()}


def _folded(ask: Ask) -> Names:
    """A note on a network whose values are not those of its layers in the file."""
    from exactrelu.questions.properties.posed import folded_in

    path = ask.args.network
    return () if ask.reading(path) else tuple(f"note: {said}" for said in folded_in(path))


def _verified_in_pieces(ask: Ask, networks: dict[str, NetworkLike]) -> Outcome:
    """The same, asked piece by piece."""
    from exactrelu.questions.properties.posed import folded_in, property_of
    from exactrelu.questions.properties.vacuity import vacuity
    from exactrelu.questions.properties.verify import told_of, verified
    from exactrelu.questions.properties.versions import read_query

    posed = property_of(read_query(ask.args.query, ask.effort), networks, ask.effort)
    flags = (*vacuity(posed, ask.effort).flags, *folded_in(networks))
    if posed.domain is None:
        return _verified(ask, verified(posed, flags, effort=ask.effort))
    return decided_in_pieces(
        ask, posed.property, lambda found: _verified(ask, told_of(posed, flags, found))
    )


def _verified(ask: Ask, found: Verified) -> Outcome:
    """The word alone, and the assignment; the rest is for stderr."""
    assignment = found.assignment
    lines = [found.result, *([] if assignment is None else [assignment.text])]
    outcome = ask.told(found, text="\n".join(lines))
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
    asks="questions.properties.verify.holds",
    example="example:xor '0 <= y1 <= 1' --domain box:-1..1",
)
def holds(ask: Ask) -> Outcome:
    """Do constraints on inputs and outputs hold at every point of a domain?"""
    from exactrelu.questions.properties.verify import holds

    shown = ask.showing(partial(_holds, ask))
    return shown(holds(ask.network, ask.domain, ask.args.constraints, effort=ask.effort))


def _holds(ask: Ask, found: Holds) -> Outcome:
    return replace(ask.told(found), notes=_folded(ask))


@command(
    NETWORK,
    argument(
        "--at", metavar="X1,X2,…", required=True, help="the point: integers, fractions or decimals"
    ),
    switch("--min", "the smallest output wins, not the largest"),
    DOMAIN,
    CERTIFICATE,
    WORKERS,
    asks="questions.properties.robust.robust_radius",
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
    winner = f"output {found.output}" if ask.network.n_outputs > 1 else _SIGNS[found.output]
    return replace(ask.told(found, f"{winner} wins at {ask.args.at}"), notes=_folded(ask))


@command(
    QUERY,
    NETWORKS,
    argument(
        "--result", metavar="FILE", required=True, help="the result of a verifier, as in VNN-COMP"
    ),
    switch("--list", "every constraint"),
    CERTIFICATE,
    asks="questions.properties.judge.judge",
    example="query.vnnlib --network net.onnx --result result.txt",
)
def judge(ask: Ask) -> Outcome:
    """Is the counterexample of another verifier one, in exact arithmetic, and by how much?"""
    from exactrelu.questions.properties.judge import judge
    from exactrelu.questions.properties.versions import read_query

    query = read_query(ask.args.query, ask.effort)
    found = judge(query, _networks(ask), ask.args.result, effort=ask.effort)
    return ask.told(found, "counterexample")


#: What the standard asks every solver for, in its order: what it is, and what is answered.
#: Theories are parts of the language of queries.  Only ``real`` is decided: what a machine computes
#: with float32 is another function.  All cases of a query are decided on one tree of boxes.  ONNX
#: has no tensors of exact numbers, and certificates are not in Alethe.  (VNNLIB-Standard, chapters
#: *Theories and logics* and *Solver command-line interface*.)
CAPABILITIES = {
    "onnx-opset-versions": ("the oldest and the newest opset of ONNX", f"6 {NEWEST_OPSET}"),
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
    output("file to write; stdout without it", replaces=True),
    fields="n_types output sha256 query_sha256",
    example="query.vnnlib -o real.vnnlib",
)
def real_query(ask: Ask) -> Outcome:
    """The same query over real numbers: floating point types become real, and nothing else."""
    from hashlib import sha256

    from exactrelu.files import errors_in, read_text, write_bytes
    from exactrelu.questions.properties.versions import is_version2, n_machine_types, real_query

    source, output = ask.args.query, ask.args.output
    given = read_text(source, ask.effort)
    with errors_in(source):
        n_types = n_machine_types(given, ask.effort)
        changed = real_query(given, effort=ask.effort)
        is_new = is_version2(given)
    reason = f"{source}: {count(n_types, 'type')} rewritten as real"
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
