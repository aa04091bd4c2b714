"""What ``exactrelu fiber`` says in the same way about networks of two and of three layers."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from exactrelu.cli.command import Names, Outcome
from exactrelu.exact.scalar import to_texts
from exactrelu.network.formats.exact_json import network_text
from exactrelu.network.network import Network
from exactrelu.questions.fibers.membership import Membership
from exactrelu.view.text import network_json

C = TypeVar("C")


def member_outcome(
    membership: Membership[C], name: Callable[[C], str], orientation: Callable[[C], list[Any]]
) -> Outcome:
    """Whether a network is a member, and the component that it lies in."""
    verdict, component = membership.verdict, membership.component
    where = "" if component is None else f", in the component {name(component)}"
    witness = None if verdict.witness is None else to_texts(verdict.witness)
    fields = {
        "component": None if component is None else orientation(component),
        "name": None if component is None else name(component),
        "witness": witness,
    }
    point = "" if witness is None else f": ({', '.join(witness)})"
    text = f"member: {verdict.word}{where}, {verdict.reason}{point}"
    certified = ("verdict",) if witness is None else ("verdict", "witness")
    computed = () if component is None else ("the component",)
    return Outcome.of(verdict, text, fields, certified, computed)


def equations_computed(args: argparse.Namespace) -> Names:
    """That equations are not certified; a file for another program is left as it is."""
    return ("the equations",) if args.format in (None, "text") else ()


def samples_outcome(members: Sequence[Network]) -> Outcome:
    """Members as network files."""
    text = "".join(map(network_text, members)).rstrip()
    fields = {"samples": list(map(network_json, members))}
    return Outcome(text, f"{len(members)} members", fields)
