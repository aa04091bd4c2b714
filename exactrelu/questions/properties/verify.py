"""Verification: is there an input with outputs that nobody wants?

*Verify* answers a query of VNN-LIB about networks.  ``unsat``: no input satisfies it, the property
holds, and a tree of boxes and cells proves it.  ``sat``: an exact point satisfies it, as it is
written in decimals.  *Holds* asks the same without a file: do constraints on inputs and outputs
hold on a whole domain?

What is true whatever the networks compute is told beside the answer (:mod:`.vacuity`): an answer
that says nothing about a network should not be taken for one that does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Unpack

from exactrelu.answer import Names, Part, is_no
from exactrelu.certificates.certificate import all_of
from exactrelu.certificates.verdict import Verdict
from exactrelu.effort import Limits, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.rational import Point
from exactrelu.files import PathLike
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.linear import is_nonempty
from exactrelu.questions.properties.constraints import ConstraintsLike, rows_of, violations
from exactrelu.questions.properties.decide import Decision, decided
from exactrelu.questions.properties.given_trees import read_trees
from exactrelu.questions.properties.posed import NetworksLike, Posed, folded_in, posed_in_turn
from exactrelu.questions.properties.property import Property
from exactrelu.questions.properties.query import Query
from exactrelu.questions.properties.results import Assignment, undecided_word
from exactrelu.questions.properties.vacuity import not_found_out, vacuity
from exactrelu.questions.properties.versions import read_query
from exactrelu.questions.question import Call, question
from exactrelu.words import Words


@dataclass(frozen=True, eq=False, repr=False)
class Verified(Verdict):
    """The answer to a query: yes if no input satisfies it, that is, ``unsat``.

    Attributes
    ----------
    result : str
        ``"sat"``, ``"unsat"``, ``"unknown"`` or ``"timed-out"``, the words of VNN-LIB.
    witness : tuple of rationals or None
        The inputs of all networks, one after the other, that satisfy the query.
    assignment : Assignment or None
        All variables of the query there, exactly; ``.text`` in the format of its version.
    flags : tuple of str
        What is true of the query whatever the networks compute.
    n_boxes : int
        The boxes of the proof.
    share : float
        The part of the input box on which the search is done.
    query : Query or None
        The query as it was read; None if the time was over before.
    """

    PARTS = (
        Part("result", "the first line in text: `sat`, `unsat`, `unknown` or `timed-out`"),
        Part("witness", "null, or the inputs of all networks, one after the other", proved=is_no),
        Part("assignment", "null, or all variables of the query there, by name"),
        Part("flags", "what is true of the query whatever the networks compute"),
        Part("n_boxes", "the boxes of the proof, or its parts by signs of neurons"),
        Part("share", "the part of the input box on which the search is done, 1 once decided"),
        Part("query_sha256", "the hash of the query"),
    )

    assignment: Assignment | None = None
    flags: tuple[str, ...] = ()
    n_boxes: int = 0
    share: float = 1.0
    query: Query | None = None

    @property
    def result(self) -> str:
        """The word of VNN-LIB."""
        if self.answer is None:
            return undecided_word(self.reason)
        return "unsat" if self.answer else "sat"

    @property
    def query_sha256(self) -> str | None:
        """The hash of the query as it was read."""
        return None if self.query is None else self.query.sha256

    def _computed(self, *, lists: bool) -> Names:
        """What a certificate leaves to be believed."""
        return () if self.answer is None else ("what the query means",)


@question
def verify(
    call: Call[Verified],
    query: Query | PathLike,
    networks: NetworksLike,
    *,
    trees: Sequence[PathLike] = (),
    **limits: Unpack[Limits],
) -> Verified:
    """Whether no input satisfies a query about networks, in exact arithmetic.

    Parameters
    ----------
    query : str or path
        The file of the query, VNN-LIB 1.0 or 2.0.
    networks : mapping of str to Network or path
        The networks by their names in the query; one that stands alone needs no name.
    trees : sequence of paths, optional
        Trees of signs of neurons that another verifier wrote (APTP), for the proof to begin with.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Verified
        ``answer`` is True for ``unsat``: no input satisfies the query.  False is ``sat``, with
        ``witness`` and ``assignment``, which satisfy it exactly.

    Raises
    ------
    InputError
        If the query cannot be read, is about machine numbers, or does not fit the networks; if a
        tree is of another network, or is about other outputs.

    Examples
    --------
    >>> import exactrelu as er
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> text = '''(declare-const X_0 Real) (declare-const Y_0 Real)
    ... (assert (>= X_0 -1)) (assert (<= X_0 3)) (assert (>= Y_0 3))'''
    >>> absolute = er.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "query.vnnlib"
    ...     _ = path.write_text(text)
    ...     found = er.verify(path, absolute)
    >>> found.result, found.witness, found.check().is_accepted
    ('sat', (3,), True)
    """
    effort = call.effort

    def late(stopped: Stopped) -> Verified:
        return Verified.undecided(stopped, share=0.0)

    call.knows(late)
    asked = query if isinstance(query, Query) else read_query(query, effort)
    all_posed = posed_in_turn(asked, networks, effort)
    first, *others = all_posed
    known = not_found_out(first) if others else vacuity(first, effort)
    flags = (*known.flags, *folded_in(networks))
    if not others:
        return _of_one(call, first, flags, trees)
    if trees:
        raise InputError(f"found a tree, and {len(all_posed):,} alternatives that need one each")
    return _in_turn(call, all_posed, flags)


def _in_turn(call: Call[Verified], all_posed: Sequence[Posed], flags: tuple[str, ...]) -> Verified:
    """The answer to a query that is satisfied iff one of several alternatives is."""
    n, found = len(all_posed), list[Verified]()

    def so_far(stopped: Stopped) -> Verified:
        unasked = (n - len(found)) * [Verified.undecided(stopped, share=0.0)]
        return _together([*found, *unasked], flags, all_posed[0].query)

    call.knows(so_far)
    for posed in all_posed:
        part = call.effort.part(share=1 / (n - len(found)))
        found.append(verified(posed, flags, effort=part))
        if found[-1].answer is False:
            return found[-1]
    return _together(found, flags, all_posed[0].query)


def _together(found: Sequence[Verified], flags: tuple[str, ...], query: Query) -> Verified:
    """The answers about all alternatives, none of which is a no, as one."""
    n_boxes, share = sum(one.n_boxes for one in found), sum(one.share for one in found) / len(found)
    left = [one for one in found if one.answer is None]
    if left:
        reason = f"{left[0].reason} ({len(left):,} of {len(found):,} alternatives are left)"
        return Verified(None, reason, flags=flags, n_boxes=n_boxes, share=share, query=query)
    reason = f"no input satisfies one of {len(found):,} alternatives"
    certificate = all_of(one.certificate for one in found)
    return Verified(True, reason, None, certificate, None, flags, n_boxes, share, query)


@question
def verified(
    call: Call[Verified], posed: Posed, flags: tuple[str, ...], **limits: Unpack[Limits]
) -> Verified:
    """The answer to a query that is posed as a property."""
    return _of_one(call, posed, flags)


def _of_one(
    call: Call[Verified],
    posed: Posed,
    flags: tuple[str, ...],
    trees: Sequence[PathLike] = (),
) -> Verified:
    if posed.domain is None:
        empty = is_nonempty(posed.system, effort=call.effort).certificate
        return Verified(
            True, "no input satisfies the query", None, empty, flags=flags, query=posed.query
        )
    known = read_trees(trees, posed.property, call.effort)
    return decided(call, posed.property, partial(told_of, posed, flags), trees=known)


def told_of(posed: Posed, flags: tuple[str, ...], found: Decision) -> Verified:
    """What a decision about the property of a query says of the query."""
    x, n = found.witness, len(posed.query.inputs)
    return Verified(
        found.answer,
        found.reason,
        None if x is None else x[:n],
        found.certificate,
        None if x is None else Assignment(posed.query, posed.values(x)),
        flags=flags,
        n_boxes=found.n_leaves,
        share=found.share,
        query=posed.query,
    )


def _values(found: Holds, words: Words) -> Iterator[str]:
    """The point at which a constraint fails, and the outputs there."""
    if found.witness is not None and found.output is not None:
        both = words.of_list([*found.witness, *found.output])
        yield both.equation("  x", found.witness)
        yield both.equation("  y", found.output)


@dataclass(frozen=True, eq=False, repr=False)
class Holds(Verdict):
    """Whether constraints hold on a domain.

    Attributes
    ----------
    witness : tuple of rationals or None
        A point of the domain at which one does not hold.
    output : tuple of rationals or None
        The outputs there.
    n_boxes : int
        The boxes of the proof.
    share : float
        The part of the box of the domain on which the search is done.
    """

    PARTS = (
        Part("witness", "null, or a point at which one fails", proved=True, said=_values),
        Part("output", "null, or the outputs there", unproved="the values at x"),
        Part("n_boxes", "the boxes of the proof, or its parts by signs of neurons"),
        Part("share", "the part of the box on which the search is done, 1 once decided"),
    )

    output: Point | None = None
    n_boxes: int = 0
    share: float = 1.0


@question
def holds(
    call: Call[Holds],
    network: Network,
    domain: DomainLike,
    constraints: ConstraintsLike,
    **limits: Unpack[Limits],
) -> Holds:
    """Whether constraints on inputs and outputs hold at every point of a domain.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, path, pairs of ends, LinearSystem, Domain or None
        Where; None is all of space.
    constraints : str, Row, LinearSystem, or several of them
        What must hold: ``"y1 <= 2"``, ``"x1 + 1/2 y2 > 3 y1"``, ``"0 <= y1 < y2"``; rows over the
        outputs, or over inputs and outputs.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Holds
        ``answer``; if it is False, ``witness`` is a point where a constraint fails, and ``output``
        what the network makes of it.

    Raises
    ------
    InputError
        If the domain is empty, or a constraint cannot be read, or all of them are about numbers.

    Examples
    --------
    >>> import exactrelu as er
    >>> absolute = er.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> er.holds(absolute, "box:-1..3", "0 <= y1 <= 3").answer
    True
    >>> found = er.holds(absolute, "box:-1..3", ["y1 >= 0", "y1 < 3"])
    >>> found.answer, found.witness, found.output
    (False, (3,), (3,))
    """
    asked = held(network, call.place, constraints)

    def told(found: Decision) -> Holds:
        x = found.witness
        reason = found.reason
        if found.answer is not None:
            on = f", on each of {found.leaves}" if found.n_leaves > 1 else ""
            reason = f"the constraints hold{on}" if found.answer else "one fails at the witness"
        output = None if x is None else network(x)
        certificate, n_boxes = found.certificate, found.n_leaves
        return Holds(found.answer, reason, x, certificate, output, n_boxes, found.share)

    return decided(call, asked, told)


def held(
    network: Network,
    place: Domain,
    constraints: ConstraintsLike,
) -> Property:
    """That constraints hold on a domain, as a property: no point violates one."""
    rows = rows_of(constraints, network.n_inputs, network.n_outputs)
    if not any(any(row.flint_normal) for row in rows):
        raise InputError("the constraints say nothing about inputs or outputs")
    return Property((network,), place, tuple(violations(rows)))
