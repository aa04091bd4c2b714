"""What all fibers have, and what is asked of a fiber: members, paths, smaller networks.

A fiber is a listing of components (:mod:`~exactrelu.questions.fibers.shallow`,
:mod:`~exactrelu.questions.fibers.three_layers`).  That a network is a *member* means that it has
the same widths and the same function; a *path* leads through members.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from exactrelu.answer import Part, is_no
from exactrelu.certificates.certificate import Listing, Verdict
from exactrelu.effort import UNLIMITED
from exactrelu.errors import InputError
from exactrelu.network.formats.load import network_text
from exactrelu.network.network import Network, widths_text
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.fibers.answers import orientation
from exactrelu.words import Words, count


@dataclass(frozen=True, eq=False, repr=False)
class FiberMembership(Verdict):
    """Whether a network is a member, with proof; and the component that it lies in, if known."""

    PARTS = (
        Part(
            "component",
            "with `--member`: the orientation of its component, or null",
            of=lambda found: found.component and orientation(found.component),
            unproved=lambda found: "" if found.component is None else "the component",
        ),
        Part(
            "name",
            "the name of a component",
            of=lambda found: found.component and found.component.name,
        ),
        Part("witness", "with `--member`: a point where the networks differ, or null", proved=True),
    )

    component: Any = None

    def opening(self, question: str, words: Words) -> str:
        """Whether it is one, and where it lies, or a point where it has another value."""
        place = "" if self.component is None else f", in the component {self.component.name}"
        point = "" if self.witness is None else f": {words.point(self.witness)}"
        return f"{question}{words.where}: {self.word}{place}, {self.reason}{point}"


class Minimality(Verdict):
    """Whether no smaller network has the function; the ``witness`` of a no is one."""

    PARTS = (
        Part(
            "smaller",
            "a narrower network with the same function, or null",
            of="witness",
            proved=is_no,
        ),
    )


def _files(found: MemberPath, _: Words) -> Iterator[str]:
    if found.corners:
        yield "".join(map(network_text, found.corners)).rstrip()


class MemberPath(Verdict):
    """Whether a path of members leads to a network; the ``witness`` of a yes are its corners."""

    PARTS = (
        Part(
            "samples",
            "with `--sample` and `--translate`: the networks; with `--path` its corners; with "
            "`--parts` a member for each",
            of="corners",
            proved=True,
            said=_files,
            unproved=lambda f: "the segments from one network to the next" if f.corners else "",
        ),
    )

    @property
    def corners(self) -> list[Network]:
        """The corners of the path, if there is one."""
        return list(self.witness or ()) if self.answer else []

    @property
    def _proves_answer(self) -> bool:
        # That the corners are members is certified, and not that all between them are.
        return self.answer is False


def member_verdict(a: Network, b: Network, equal: Verdict) -> Verdict:
    """The verdict about membership, from that about equality, whose certificate it keeps.

    A network of other widths is no member of the fiber, though its function may be the same.  The
    claim shows the widths.
    """
    if not equal.answer or a.widths == b.widths:
        return equal
    ours, theirs = map(widths_text, (a, b))
    reason = f"the same function, but the widths {theirs} instead of {ours}"
    return Verdict(False, reason, None, equal.certificate)


class Fiber(Listing):
    """The components of a fiber: its length, and what it iterates over, are those with members."""

    if TYPE_CHECKING:

        @property
        def network(self) -> Network: ...

        @property
        def components(self) -> tuple[Any, ...]: ...

        @property
        def place(self) -> Domain: ...

        @property
        def own(self) -> Any: ...

        @property
        def stopped(self) -> str: ...

    def _items(self) -> Sequence[Any]:
        return self.nonempty

    @property
    def nonempty(self) -> tuple[Any, ...]:
        """The components that have members."""
        return tuple(c for c in self.components if c.is_nonempty)

    @property
    def empty(self) -> tuple[Any, ...]:
        """The components that were looked at and have none."""
        return tuple(c for c in self.components if not c.is_nonempty)

    @property
    def dimension(self) -> int | None:
        """The largest dimension of a component; None if one of them is not known."""
        found = [component.dimension for component in self.nonempty]
        return None if None in found else max(found, default=None)

    def samples(self, n: int, seed: int = 0) -> list[Network]:
        """Random members of small height, from random components; the same for one seed.

        If no component is listed they are from that of the given network.
        """
        if n < 0:
            raise InputError(f"found {n} members, expected 0 or more")
        UNLIMITED.need(1000 * n, "a list of so many networks")
        rng, nonempty = Random(seed), self.nonempty or (self.own,)
        return [rng.choice(nonempty).random(rng) for _ in range(n)]

    def _headline(self) -> str:
        n = len(self.nonempty) if self.is_complete else len(self.components)
        what = f"{n:,} component{'' if n == 1 else 's'}"
        return (
            f"Fiber: {what} of {widths_text(self.network)} on {self.place.text}, {self._ending()}"
        )

    def _entries(self) -> Iterator[tuple[str, object]]:
        for component in self.nonempty if self.is_complete else ():
            yield component.name or "all", f"dimension {component.dimension}"

    @property
    def word_told(self) -> str | None:
        """Undecided if the search was stopped; a subset that is known to be one is an answer."""
        return "undecided" if self.stopped else None

    def so_far(self, known: str) -> str:
        """The sentence about a search that was stopped."""
        return f"{self.stopped}: {count(len(self.components), 'component')} so far; {known}"
