"""The units that are known, each with the evidence for it; rows are solved for again at no cost.

Queries give pieces of boundaries, and those stay right whatever else turns out.  The rows depend on
what is known of other units: their order, their own rows, the signs of their layers.  So when a
unit is added, extended or put behind another one, the rows are fitted to their evidence again,
in the order of layers, and a unit that no longer fits goes back to the search.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from flint import fmpq

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import ZERO, Vector, primitive
from exactrelu.questions.recovery.evidence import (
    Axis,
    BoundaryPiece,
    Evidence,
    Feature,
    System,
    Traced,
    UnitPart,
    Whole,
    combined,
    find_signs,
)
from exactrelu.questions.recovery.folded import NOTHING, FoldedUnit, LocalUnits, local
from exactrelu.questions.recovery.queries import Break

#: Pieces that are kept to test a row which others tell.
N_TESTS = 12
#: Rounds of fitting and finding signs.
MAX_ROUNDS = 6
#: Units of its own layer or later ones that a boundary has to cross before it is left.
MIN_CROSSED = 2
#: By how many dimensions a layer has to be smaller than the loose family to be believed.
MARGIN = 2


@dataclass(frozen=True)
class _SeenPiece:
    """A piece with the units near it, and whether those are as they are whatever is open."""

    piece: BoundaryPiece
    here: LocalUnits
    sure: Sequence[bool]


@dataclass(frozen=True)
class _Fitted:
    """A unit, None if none fits, and all that it depends on."""

    evidence: Evidence
    over: Sequence[Traced]
    signs: Sequence[int]
    found: Traced | None

    def is_for(self, evidence: Evidence, over: Sequence[Traced], signs: Sequence[int]) -> bool:
        known = self.evidence if self.found is None else self.found.evidence
        return (
            (evidence is self.evidence or evidence is known)
            and len(over) == len(self.over)
            and all(t is s for t, s in zip(over, self.over, strict=True))
            and signs == self.signs
        )


@dataclass(frozen=True)
class JoinedEvidence:
    """Evidence for one unit from two, and its row over the units as they are."""

    evidence: Evidence
    unit: FoldedUnit


class Model:
    """Units, in an order in which each folds over units before it."""

    def __init__(self, n_inputs: int, effort: Effort = UNLIMITED) -> None:
        self.n_inputs = n_inputs
        self.effort = effort
        self.traced: list[Traced] = []
        #: Signs of units, by the serial numbers of their evidence.
        self.signs: dict[int, int] = {}
        self._serials = count()
        #: What was fitted last for each serial number, and over what.
        self._last: dict[int, _Fitted] = {}
        #: The units near the points of pieces, by the numbers of the points.
        self._near: dict[int, tuple[Vector, Sequence[FoldedUnit], LocalUnits]] = {}

    @property
    def units(self) -> list[FoldedUnit]:
        return [t.unit for t in self.traced]

    def evidence(self, start: Break, pieces: Sequence[BoundaryPiece]) -> Evidence:
        """Evidence for a new unit: the pieces that tell its row, and some more to test it."""
        seen = self._seen(pieces)
        features = self._loose(seen, range(len(self.traced)))
        system = self._system(features, [seen])
        telling = system.telling_pieces()
        others = [s.piece for s in seen if s.piece not in telling]
        more = others[:: 1 + len(others) // N_TESTS]
        return Evidence(start, (*telling, *more), next(self._serials))

    def fitted(self, evidence: Evidence) -> Traced | None:
        """The unit with this evidence, over all that are known; None if its bends do not fit."""
        signs = [self.signs.get(t.evidence.serial, 0) for t in self.traced]
        last = self._last.get(evidence.serial)
        if last is None or not last.is_for(evidence, self.traced, signs):
            found = self._fitted(evidence)
            last = _Fitted(evidence, tuple(self.traced), signs, found)
            self._last[evidence.serial] = last
        return last.found

    def _fitted(self, evidence: Evidence) -> Traced | None:
        seen = self._seen(evidence.pieces)
        if 2 * len(seen) <= len(evidence.pieces):
            return None  # the boundary of a known unit
        everything = self._loose(seen, range(len(self.traced)))
        for level, features in self._families(seen):
            if evidence.is_bent and len(features) == self.n_inputs + 1:
                continue
            for system in self._systems(features, [seen]):
                if level is not None:
                    most = System(everything, system.groups, self.n_inputs, self.effort)
                    if system.rank() + MARGIN > most.rank():
                        continue  # it would fit whatever was seen
                found = self._solved(system, evidence, level)
                if found is not None:
                    return found
        return None

    def _families(self, seen: Sequence[_SeenPiece]) -> Iterator[tuple[int | None, list[Feature]]]:
        """Features for each layer in turn: first, with its number, those that signs make fewer."""
        for level in range(1, 2 + max((t.level for t in self.traced), default=0)):
            if (features := self._features(level)) is not None:
                yield level, features
            yield None, self._loose(seen, [j for j, t in enumerate(self.traced) if t.level < level])

    def _features(self, level: int) -> list[Feature] | None:
        """The features of a layer, if some signs of the layer before it are known."""
        before = [j for j, t in enumerate(self.traced) if t.level == level - 1]
        signs = {j: self.signs.get(self.traced[j].evidence.serial) for j in before}
        if not any(signs.values()):
            return None
        features: list[Feature] = [Axis(self.n_inputs)]
        for j, sigma in signs.items():
            if sigma is None:
                features += [UnitPart(j, 0, 1), UnitPart(j, 1, 0)]
            else:
                features.append(UnitPart(j, 1, sigma))
            # What is open in it shows here, if it is active where it is open.
            features += [Whole(i, row) for i, row in self.traced[j].open.items()]
        return features

    def _seen(self, pieces: Sequence[BoundaryPiece], own: Collection[int] = ()) -> list[_SeenPiece]:
        """The known units near pieces on no boundary but their own, and which are sure there."""
        found = []
        for piece in pieces:
            self.effort.spend()
            here = self._local(piece.x)
            if any(s == 0 and j not in own for j, s in enumerate(here.signs)):
                continue
            sure: list[bool] = []
            for t in self.traced:
                changes = (here.of(unit) for unit in t.open.values())
                sure.append(all(sure[j] for j in t.unit.folds) and not any(any(c) for c in changes))
            found.append(_SeenPiece(piece, here, sure))
        return found

    def _local(self, x: Vector) -> LocalUnits:
        """The units near x, from what was known there before as far as they are the same."""
        units = self.units
        _, before, known = self._near.get(id(x), (x, (), NOTHING))
        n = next((k for k, (u, v) in enumerate(zip(units, before, strict=False)) if u is not v), -1)
        if n < 0:
            n = min(len(units), len(before))
        here = local(units, x, known=known.first(n))
        # The point is kept, so that no other one has its number.
        self._near[id(x)] = (x, units, here)
        return here

    def _systems(
        self, features: Sequence[Feature], groups: Sequence[Sequence[_SeenPiece]]
    ) -> Iterator[System]:
        """The equations at all pieces, then those where all units that show are sure."""
        yield self._system(features, groups)
        parts = [f for f in features if isinstance(f, UnitPart)]
        shown = {f.of for f in parts if any(f.factor(s.here) for g in groups for s in g)}
        sure = [[s for s in g if all(s.sure[j] for j in shown)] for g in groups]
        if all(sure) and sum(map(len, sure)) < sum(map(len, groups)):
            yield self._system(features, sure)

    def _system(
        self, features: Sequence[Feature], groups: Sequence[Sequence[_SeenPiece]]
    ) -> System:
        at = [[(s.piece, s.here) for s in group] for group in groups]
        return System(features, at, self.n_inputs, self.effort)

    def is_settled(self, evidence: Evidence) -> bool:
        """Whether more pieces would say no more of the unit.

        All of a layer's row is determined, and units that do not come before it are crossed: in a
        cell of its own layer a later unit looks like one of that layer.
        """
        found = self.fitted(evidence)
        if found is None or found.level == 1 or found.open:
            return False
        return self._is_told_apart(found.level, self._seen(evidence.pieces))

    def straight(self) -> frozenset[int]:
        """The units of the first layer that were seen to go straight through others."""
        first = ((j, t) for j, t in enumerate(self.traced) if t.level == 1)
        return frozenset(
            j for j, t in first if self._is_told_apart(1, self._seen(t.evidence.pieces, {j}))
        )

    def _is_told_apart(self, level: int, seen: Sequence[_SeenPiece]) -> bool:
        others = (j for j, t in enumerate(self.traced) if t.level >= level)
        crossed = [j for j in others if {s.here.signs[j] for s in seen} >= {1, -1}]
        return len(crossed) >= MIN_CROSSED

    def _solved(self, system: System, evidence: Evidence, level: int | None) -> Traced | None:
        features = system.features
        guesses = {
            f: evidence.guesses.get(self.traced[feature.of].evidence.serial, ZERO)
            for f, feature in enumerate(features)
            if isinstance(feature, UnitPart)
        }
        fit = system.solve(guesses)
        if fit is None or not any(fit.coefficients):
            return None
        row = self._row(features, fit.coefficients)
        free = [(features[f], change) for f, change in fit.free.items()]
        changes = {f.of: change for f, change in free if not isinstance(f, Axis)}
        is_loose = level is None
        if level is None:
            below = (self.traced[j].level for j in row.folds if j not in changes)
            level = 1 + max(below, default=int(evidence.is_bent))
        left = {
            j: self._row(features, c) for j, c in changes.items() if self.traced[j].level < level
        }
        # One positive factor is free: the one that makes coprime integers of the row.
        integers = tuple(map(fmpq, primitive((*row.affine, *row.folds.values()))))
        n = len(row.affine)
        whole = FoldedUnit(integers[:n], dict(zip(row.folds, integers[n:], strict=True)))
        factor = _factor(row, whole)
        spot = system.groups[0][0][0].scaled(factor)
        return Traced(whole, evidence.scaled(factor), level, is_loose, spot, left)

    def _row(self, features: Sequence[Feature], coefficients: Vector) -> FoldedUnit:
        return combined(features, coefficients, self.units, self.n_inputs)

    def _loose(self, seen: Sequence[_SeenPiece], over: Sequence[int]) -> list[Feature]:
        """x, 1 and |u_j| for the units j that have both signs near the pieces.

        For a unit j that has one sign, |u_j| ± u_j, which is 0 near all of them.
        """
        features: list[Feature] = [Axis(k) for k in range(self.n_inputs + 1)]
        for j in over:
            signs = {s.here.signs[j] for s in seen}
            features.append(UnitPart(j, 1, -signs.pop() if len(signs) == 1 else 0))
        return features

    def rebuild(self, evidence: Sequence[Evidence]) -> list[Evidence]:
        """Fit all units again; returns the evidence that no unit fits any more."""
        order = {t.evidence.serial: t.level for t in self.traced}
        last = 1 + len(evidence)
        self._forget_all_but(evidence)
        lost: list[Evidence] = []
        for _ in range(MAX_ROUNDS):
            n_lost = len(lost)
            self.traced, lost = [], []
            for e in sorted(evidence, key=lambda e: order.get(e.serial, last)):
                found = self.fitted(e)
                if found is None:
                    lost.append(e)
                else:
                    self.traced.append(found)
            order = {t.evidence.serial: t.level for t in self.traced}
            levels = list(order.values())
            before = self.signs
            signs = find_signs(self.traced)
            self.signs = {self.traced[j].evidence.serial: s for j, s in signs.items()}
            # Those that were lost come last in the next round, over all others.
            is_lost = bool(lost) and len(lost) != n_lost
            if self.signs == before and levels == sorted(levels) and not is_lost:
                break
        return lost

    def _forget_all_but(self, evidence: Sequence[Evidence]) -> None:
        serials = {e.serial for e in evidence}
        points = {id(p.x) for e in evidence for p in e.pieces}
        self._last = {k: v for k, v in self._last.items() if k in serials}
        self._near = {k: v for k, v in self._near.items() if k in points}

    def dependents(self, i: int) -> set[int]:
        """Unit i and all that fold over it."""
        found = {i}
        for j, t in enumerate(self.traced):
            if found & set(t.unit.folds):
                found.add(j)
        return found

    def joined(
        self, i: int, new: Sequence[BoundaryPiece], other: int | None = None
    ) -> JoinedEvidence | None:
        """One unit that has the boundary of unit i and these pieces, if only one can.

        ``other``: the unit that the pieces made so far.
        """
        old = self.traced[i]
        if old.level == 1:
            return None
        parts = {i} if other is None else {i, other}
        groups = [self._seen(old.evidence.pieces, parts), self._seen(new, parts)]
        if not old.open and self._is_told_apart(old.level, groups[0]):
            return None
        own: set[int] = set().union(*map(self.dependents, parts))
        for level, every in self._families([*groups[0], *groups[1]]):
            if level is not None and (level < old.level or (level == old.level and not old.open)):
                continue
            features = [f for f in every if isinstance(f, Axis) or f.of not in own]
            for system in self._systems(features, groups) if all(groups) else ():
                if system.is_telling() and (fit := system.solve()) is not None:
                    evidence = old.evidence.with_pieces(new, fit.factors[0])
                    return JoinedEvidence(evidence, self._row(features, fit.coefficients))
        return None


def _factor(row: FoldedUnit, whole: FoldedUnit) -> fmpq:
    """The factor between two rows on one ray."""
    entries, integers = ((*u.affine, *u.folds.values()) for u in (row, whole))
    return next(b / a for a, b in zip(entries, integers, strict=True) if a)
