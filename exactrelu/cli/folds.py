"""Commands about folds, and about what a function tells of its network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from exactrelu.cli.architectures import SHARE_OPTIONS, about_widths
from exactrelu.cli.command import (
    CERTIFICATE,
    DOMAIN_OR_UNION,
    NETWORK,
    WORKERS,
    Ask,
    argument,
    command,
    domain,
    switch,
)
from exactrelu.cli.outcome import Outcome
from exactrelu.errors import InputError

if TYPE_CHECKING:
    from exactrelu.questions.identifiability.functional_dimension import FunctionalDimension


@command(
    NETWORK,
    DOMAIN_OR_UNION,
    switch("--list", "list the facets with their vertices"),
    argument("--graph", metavar="OUT", help="write the dependency graph: .dot, .json or .graphml"),
    CERTIFICATE,
    WORKERS,
    asks="questions.folds.folds.folds",
    example="example:transparent --domain box:-1..1",
)
def folds(ask: Ask) -> Outcome:
    """Fold-set, canonical representation and dependency graph."""
    from exactrelu.questions.folds.folds import folds

    write = _graph_writer(ask.args.graph)
    certify = ask.wants_certificate
    found = folds(ask.network, ask.domain_or_union, certify=certify, effort=ask.effort)
    if write is not None and found.is_complete:
        write(found.graph)
    return ask.told(found)


def _graph_writer(path: str | None) -> Callable[[Any], object] | None:
    """A function that writes the graph, by the name of the file."""
    import json

    from exactrelu.files import write_bytes
    from exactrelu.questions.folds.pieces import dot_text, graph_json, graphml_text

    if path is None:
        return None
    formats: dict[str, Callable[[Any], str]] = {
        ".dot": dot_text,
        ".json": lambda graph: json.dumps(graph_json(graph), indent=1) + "\n",
        ".graphml": graphml_text,
    }
    for suffix, make in formats.items():
        if path.endswith(suffix):
            return lambda graph: write_bytes(path, make(graph).encode())
    raise InputError(f"{path}: expected a name that ends in {', '.join(formats)}")


@command(
    NETWORK,
    DOMAIN_OR_UNION,
    argument("--other", metavar="NET2", help="run the identification argument on a second network"),
    CERTIFICATE,
    WORKERS,
    asks="questions.folds.theorem_class.is_in_theorem_class",
    example="example:transparent --domain box:-1..1",
)
def theorem_class(ask: Ask) -> Outcome:
    """Does its function determine a deep network, by the theorem of Phuong and Lampert?"""
    from exactrelu.questions.folds.theorem_class import have_same_function, identify

    network, domain = ask.network, ask.domain_or_union
    told = ask.asked(network, domain, called="in the theorem's class")
    if ask.args.other is None:
        return told
    other = ask.load(ask.args.other)
    ask.asking_more()
    same = have_same_function(network, other, domain, effort=ask.effort)
    found = identify(network, other)
    word = {True: "yes", False: "no", None: "undecided"}[same]
    said = found.told("", ask.words)
    fields = {**told.fields, "identification": {"same_function": same, **found.known()}}
    computed = (*told.computed, "the comparison with NET2")
    lines = (f"the same function: {word}", f"identification: {said[0]}", *said[1:])
    return replace(told.saying(*lines), fields=fields, computed=computed)


@command(
    argument("network", metavar="NET", nargs="?", help="network file"),
    CERTIFICATE,
    domain("by the values there alone: R, orthant, box:a..b[,a..b…] or a polyhedron file", None),
    argument(
        "--second",
        metavar="OUT",
        excludes="--dimension",
        help="write the second network of a no to OUT",
    ),
    argument(
        "--architecture",
        metavar="n0,n1,n2,n3",
        needs="--volume",
        excludes="NET --share --dimension --domain --second --certificate",
        help="ask about all networks of these widths",
    ),
    switch("--volume", "the exact fraction of identifiable parameters", needs="--architecture"),
    switch(
        "--dimension",
        "the functional dimension, and whether it is the largest possible",
        needs="NET",
    ),
    argument(
        "--at",
        metavar="X1,X2,…",
        needs="--dimension",
        help="--dimension: on the region of this point alone",
    ),
    SHARE_OPTIONS,
    asks="questions.identifiability.identifiable.identifiable",
    results="questions.identifiability.functional_dimension.FunctionalDimension "
    "questions.identifiability.second.Volume questions.identifiability.share.Share",
    example="example:identifiable",
)
def identifiable(ask: Ask) -> Outcome:
    """Does its function determine a network, up to permutation and scaling?"""
    from exactrelu.network.formats.load import save

    args = ask.args
    if (of_widths := about_widths(ask)) is not None:
        return of_widths
    if args.dimension:
        return _dimension(ask)
    told = ask.asked(ask.network, None if args.domain is None else ask.domain)
    if told.verdict == "no" and args.second is not None:
        save(told.fields["witness"](), args.second)
        return told.saying(f"  second network: {args.second}")
    return told


def _dimension(ask: Ask) -> Outcome:
    """How many directions of parameters change the function, on a domain or a region."""
    from exactrelu.exact.scalar import parse_vector
    from exactrelu.questions.identifiability.functional_dimension import functional_dimension

    at = None if ask.args.at is None else parse_vector(ask.args.at, f"--at {ask.args.at}")
    domain = None if ask.args.domain is None else ask.domain

    def told(found: FunctionalDimension) -> Outcome:
        certificate = found.proof if ask.wants_certificate else None
        return replace(ask.told(found), certificate=certificate)

    shown = ask.showing(told)
    return shown(functional_dimension(ask.network, domain, at=at, effort=ask.effort))
