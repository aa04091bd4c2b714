"""Questions in pieces, from the shell: ``--shards DIR``, ``--resume``, ``--piece N``.

A command that has these options asks its question piece by piece if a folder is named, and tells
the same as ever; the certificates are in the folder, and the manifest is the last of them.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from exactrelu.cli.command import Ask, argument, switch
from exactrelu.cli.given import positive_integer
from exactrelu.cli.outcome import Outcome
from exactrelu.errors import InputError

if TYPE_CHECKING:
    from exactrelu.certificates.certificate import Verdict
    from exactrelu.questions.properties.decide import Decision
    from exactrelu.questions.properties.property import Property
    from exactrelu.questions.shards.answers import Sharded
    from exactrelu.questions.shards.kinds import Shardable

#: The options of a command that can be asked in pieces.
SHARDS = (
    argument("--shards", metavar="DIR", help="ask piece by piece, certificates in a new folder"),
    switch("--resume", "with --shards: go on with the pieces that are there", needs="--shards"),
    argument(
        "--piece",
        metavar="N",
        type=positive_integer,
        needs="--shards",
        help="with --shards: a piece has at most N regions, faces, cells or boxes",
    ),
)


def is_in_pieces(ask: Ask) -> bool:
    """Whether the question is to be asked in pieces; options that do not fit are refused."""
    args = ask.args
    if args.shards is None:
        return False
    if args.certificate is not None:
        raise InputError("--certificate: with --shards the certificates are in the folder")
    for name in ("list", "stream"):
        if getattr(args, name, False):
            raise InputError(f"--{name}: found --shards too, which counts and keeps none of them")
    return True


def asked(
    ask: Ask,
    question: Shardable,
    no: Callable[[Verdict], Outcome],
    told: Callable[[Sharded], Outcome] | None = None,
) -> Outcome:
    """The outcome of a question in pieces; ``no`` tells the verdict of one that fails."""
    from exactrelu.questions.shards.sharded import in_pieces

    shown = ask.showing(partial(_told, ask.told if told is None else told, no))
    args = ask.args
    return shown(
        in_pieces(question, args.shards, resume=args.resume, size=args.piece, effort=ask.effort)
    )


def _told(
    told: Callable[[Sharded], Outcome], no: Callable[[Verdict], Outcome], found: Sharded
) -> Outcome:
    """What the command tells, and where the certificates are."""
    from exactrelu.questions.shards.answers import Sharded

    outcome = told(found) if found.failure is None else no(found.failure)
    manifest = None if found.manifest is None else str(found.manifest)
    pieces = {part.name: part.value(found) for part in Sharded.PARTS}
    fields = {**outcome.fields, **pieces, "certificate": manifest}
    # The whole alone owes its pieces: what is named is a call that checks them all.
    by_pieces = f", with its pieces: exactrelu-check {shlex.quote(str(found.folder))}"
    said = (f"certificate: {manifest}{by_pieces if found.answer else ''}",) if manifest else ()
    outcome = replace(outcome, files=(str(found.folder),) if manifest and found.answer else ())
    if outcome.is_bare:
        notes = (*outcome.notes, *said)
        return replace(outcome, fields=fields, notes=notes, certificate=None)
    shown = "\n".join((outcome.text, *said))
    return replace(outcome, text=shown, fields=fields, certificate=None)


def regions_in_pieces(ask: Ask) -> Outcome:
    """The regions, counted piece by piece."""
    from exactrelu.questions.shards.counted import RegionPieces

    return asked(ask, RegionPieces(ask.network, ask.domain), _never)


def complex_in_pieces(ask: Ask) -> Outcome:
    """The faces, counted piece by piece."""
    from exactrelu.questions.shards.counted import FacePieces

    return asked(ask, FacePieces(ask.network, ask.domain), _never)


def transparent_in_pieces(ask: Ask, no: Callable[[Verdict], Outcome]) -> Outcome:
    """Transparency, part by part."""
    from exactrelu.network.network import plain
    from exactrelu.questions.shards.everywhere import TransparentPieces

    return asked(ask, TransparentPieces(ask.domain, plain(ask.network, "transparency")), no)


def equivalent_in_pieces(ask: Ask, no: Callable[[Verdict], Outcome]) -> Outcome:
    """Equality of two networks, part by part."""
    from exactrelu.questions.shards.everywhere import EqualPieces

    a, b = ask.pair
    if ask.args.within is not None:
        raise InputError("--within: found --shards too; differences are bounded in one piece")
    return asked(ask, EqualPieces.of(a, b, ask.domain_in(a.n_inputs)), no)


def decided_in_pieces(ask: Ask, property: Property, told: Callable[[Decision], Outcome]) -> Outcome:
    """A property, part by part; ``told`` says what a decision means."""
    from exactrelu.questions.properties.decide import Decision
    from exactrelu.questions.shards.everywhere import PropertyPieces

    def shown(found: Sharded) -> Outcome:
        return told(Decision(found.answer, found.reason, share=1.0 if found.answer else 0.0))

    def no(verdict: Verdict) -> Outcome:
        certificate = verdict.certificate
        return told(Decision(False, verdict.reason, verdict.witness, certificate, share=0.0))

    return asked(ask, PropertyPieces.of(property), no, shown)


def _never(verdict: Verdict) -> Outcome:
    raise ArithmeticError("numbers have no negation: a bug")
