"""Find all units of a folded model of the black box, and its outputs over them.

Random lines are asked for their breakpoints.  A breakpoint on no known boundary is a part of a
unit of which something is open (``model.py``), or belongs to a new unit: its boundary is followed,
and if it bends at an unknown boundary, that one is followed first, down to a boundary that does not
bend, of the first layer.  A known unit that bends at the boundary which is followed comes later; it
is put aside and fitted again.  A place where the model has a breakpoint and the black box has
none shows a wrong guess of what is open, or a unit that has to be followed again.  When
several lines in a row show nothing new, the outputs are solved for and compared at random points;
a point that differs gets a line of its own.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations
from operator import is_

from flint import fmpq

from exactrelu.exact.scalar import ONE, Vector, rational, sign
from exactrelu.questions.recovery.evidence import BoundaryPiece, Evidence, Traced
from exactrelu.questions.recovery.folded import FoldedUnit, crossings, local, outputs, probe_points
from exactrelu.questions.recovery.follow import N_LOOKS, Bends, Follower, Lost, Misplaced
from exactrelu.questions.recovery.model import Model
from exactrelu.questions.recovery.queries import (
    Affine,
    Break,
    Oracle,
    affine_map,
    along,
    break_at,
    breakpoints,
    is_visible,
    minus,
    normalised,
    plus,
    steepest,
    value,
)
from exactrelu.questions.recovery.queries import unit as axis
from exactrelu.questions.recovery.rows import Folded

#: Lines in a row without anything new, before the outputs are solved for.
N_QUIET_LINES = 4
#: Rounds in a row without new pieces of boundaries: guesses will not do, algebra may.
MAX_IDLE = 8
#: More lines than this without rest are a sign that the model cannot be repaired.
MAX_LINES = 100
#: Random points at which the model is compared with the black box.
N_TESTS = 400
#: Earlier answers that it is compared with too.
N_SAMPLES = 2000
#: A break that was tried this often in vain is given up.
MAX_TRIES = 4
#: A chain of boundaries, each bending at the next, is followed no further than this.
MAX_DEPTH = 40
#: Lines on which the boundary of a joined unit is looked for.
N_BETWEEN = 15
#: A unit of a known layer that is not seen in as many places is followed again.
MAX_ABSENT = 12
#: Lines that are asked before the first boundary is followed.
N_FIRST_LINES = 4


class Discovery:
    """The search for units."""

    def __init__(self, oracle: Oracle, rng: random.Random) -> None:
        self.oracle = oracle
        self.rng = rng
        self.model = Model(oracle.n_inputs, oracle.effort)
        #: Evidence for units that wait for another one to come before them.
        self.aside: list[Evidence] = []
        self.pending: list[Break] = []
        self.tries: Counter[Affine] = Counter()
        self.unresolved: dict[Affine, tuple[Break, str]] = {}
        #: Units of which no two are parts of one.
        self.apart: list[Traced] = []
        #: Units (by serial) that seemed to be later than one that bends at them.
        self.earlier: set[int] = set()
        #: How often a unit was moved where it is not seen.
        self.pushes: Counter[int] = Counter()
        #: How often a unit was not seen where nothing is open.
        self.absent: Counter[int] = Counter()
        #: Hyperplanes that are taken to be hidden, not bent, where nothing tells.
        self.firm: set[Affine] = set()
        #: The outputs over the units, once they were solved for and until the units change.
        self.rows: Sequence[FoldedUnit] | None = None

    @property
    def traced(self) -> list[Traced]:
        return self.model.traced

    @property
    def units(self) -> list[FoldedUnit]:
        return self.model.units

    def run(self, through: Vector | None = None, max_rounds: int = 40) -> Folded:
        """All units that lines show, and the outputs.

        Called again with a point at which the last model was wrong, it goes on from there.
        """
        if not self.traced:
            self._first_lines()
        n_idle = n_pieces = 0
        for _ in range(max_rounds):
            quiet = 0
            for _ in range(MAX_LINES):
                quiet = 0 if self._line(through) else quiet + 1
                through = None
                if quiet == N_QUIET_LINES:
                    break
            self._join_parts()
            rows = self.rows = self._outputs()
            through = self._difference(rows)
            n_before, n_pieces = n_pieces, sum(len(t.evidence.pieces) for t in self.traced)
            n_idle = n_idle + 1 if n_pieces == n_before else 0
            if through is None or n_idle == MAX_IDLE:
                break
        unresolved = tuple(self.unresolved.values())
        return Folded(tuple(self.traced), tuple(rows), unresolved, through is None)

    def _random_point(self, size: int) -> Vector:
        return tuple(
            rational(self.rng.randint(-(2**12), 2**12)) * fmpq(size, 2**12)
            for _ in range(self.oracle.n_inputs)
        )

    def _random_line(self, through: Vector | None = None) -> tuple[Vector, Vector, list[fmpq]]:
        """Start, direction and breakpoints (at times in (0, 1)) of a line."""
        reach = 2 ** self.rng.choice((3, 6, 10))
        middle = self._random_point(4) if through is None else through
        d = self._random_point(1)
        if not any(d):
            d = axis(len(d), 0)
        start, end = along(middle, fmpq(-reach), d), along(middle, fmpq(reach), d)
        return start, minus(end, start), breakpoints(self.oracle, start, end)

    def _first_lines(self) -> None:
        """Follow the hyperplanes that several lines meet first: they are likely not to bend."""
        lines: list[dict[Affine, Break]] = []
        for _ in range(N_FIRST_LINES):
            start, d, places = self._random_line()
            breaks = (break_at(self.oracle, along(start, t, d), d) for t in places)
            lines.append({b.hyperplane: b for b in breaks if b is not None})
        counts = Counter(h for line in lines for h in line)
        by_hyperplane = {h: b for line in lines for h, b in line.items()}
        for h, _ in counts.most_common():
            self._resolve(by_hyperplane[h], ())

    def _line(self, through: Vector | None) -> bool:
        """Ask one line; whether it showed anything new."""
        is_new = bool(self.pending)
        while self.pending:
            self._resolve(self.pending.pop(), ())
        if self.aside:
            self._rebuild([*(t.evidence for t in self.traced), *self.aside])
        start, d, places = self._random_line(through)
        for t in places:
            x = along(start, t, d)
            if self._is_explained(x):
                continue
            found = break_at(self.oracle, x, d)
            if found is not None and found.hyperplane not in self.unresolved:
                self._resolve(found, ())
                is_new = True
        seen = set(places)
        for hit in list(crossings(self.units, start, d, ONE)):
            if hit.time in seen:
                continue
            x = along(start, hit.time, d)
            is_absent = self._shows(hit.unit, x, d) and affine_map(self.oracle, x) is not None
            if is_absent and self._repair(hit.unit, x):
                return True
        return is_new

    def _shows(self, i: int, x: Vector, d: Vector) -> bool:
        """Whether unit i should be seen at x: by the outputs or, without them, if it bends."""
        if self.rows is None:
            maps = affine_map(self.oracle, x)
            is_constant = maps is not None and not any(any(row[:-1]) for row in maps)
            return bool(self.traced[i].unit.folds) and not is_constant
        before = local(self.units, x, tuple(-v for v in d))
        after = local(self.units, x, d)
        return any(before.of(row) != after.of(row) for row in self.rows)

    def _is_explained(self, x: Vector) -> bool:
        here = local(self.units, x)
        return 0 in here.signs

    def _resolve(self, found: Break, waiting: Sequence[Break]) -> None:
        """Follow the boundary of a break, the ones that it bends at first.

        ``waiting``: those that wait for this one.
        """
        h = found.hyperplane
        chain = [*waiting, found]
        while not self._is_explained(found.point):
            self.tries[h] += 1
            if self.tries[h] > MAX_TRIES + len(self.traced) or len(waiting) > MAX_DEPTH:
                self.unresolved[h] = (found, "given up after several tries")
                return
            if self._extend([BoundaryPiece(found.point, h)]):
                continue
            follower = Follower(
                self.oracle,
                self.units,
                self.rng,
                is_firm=h in self.firm,
                trusted=self._trusted(),
            )
            try:
                pieces = follower.trace(found, partial(self._is_enough, found))
                self._add(self.model.evidence(found, pieces), follower.straight)
            except Bends as bend:
                if self._take_back(bend.other):
                    continue
                ring = [b for b in chain if b.hyperplane == bend.other.hyperplane]
                if ring:
                    # Each would bend at the next: the one that is seen in most places does not.
                    cycle = chain[chain.index(ring[0]) :]
                    self.firm.add(max(cycle, key=self._extent).hyperplane)
                    if h not in self.firm:
                        return
                elif bend.other.hyperplane not in self.unresolved:
                    self._resolve(bend.other, chain)
            except Misplaced as misplaced:
                self._put_aside(misplaced.unit)
            except Lost as lost:
                if self.tries[h] > MAX_TRIES:
                    self.unresolved[h] = (found, str(lost))
                    return

    def _trusted(self) -> frozenset[int]:
        """The units that do not come later than one that is followed, whatever it looks like."""
        kept = (j for j, t in enumerate(self.traced) if t.evidence.serial in self.earlier)
        return self.model.straight().union(kept)

    def _take_back(self, other: Break) -> bool:
        """Whether a unit that was put aside as later is the one at which the boundary bends."""
        for e in self.aside:
            if any(normalised(p.a) == other.hyperplane for p in e.pieces):
                self.earlier.add(e.serial)
                self._rebuild([*(t.evidence for t in self.traced), *self.aside])
                return True
        return False

    def _is_enough(self, start: Break, pieces: Sequence[BoundaryPiece]) -> bool:
        return self.model.is_settled(self.model.evidence(start, pieces))

    def _extent(self, found: Break) -> int:
        """At how many of a few random points of its hyperplane the break is seen."""
        k = steepest(found.hyperplane)
        n_seen = 0
        for i in range(N_LOOKS):
            x = list(plus(found.point, fmpq(2) ** (i % 12 - 4), self._random_point(1)))
            x[k] -= value(found.hyperplane, tuple(x)) / found.hyperplane[k]
            n_seen += is_visible(self.oracle, tuple(x), found.hyperplane)
        return n_seen

    def _add(self, new: Evidence, straight: Mapping[int, Sequence[BoundaryPiece]]) -> None:
        """A new unit, or another part of the boundary of a known one."""
        evidence = {i: t.evidence for i, t in enumerate(self.traced)}
        if self.model.fitted(new) is None:
            raise Lost("the bends contradict each other")
        for i, pieces in straight.items():
            evidence[i] = evidence[i].with_pieces(pieces)
        joined = self._joined(new.pieces)
        if joined is not None:
            evidence[joined[0]] = joined[1]
        else:
            evidence[len(evidence)] = new
        self._rebuild([*evidence.values(), *self.aside])

    def _rebuild(self, evidence: Sequence[Evidence]) -> None:
        """Fit all units again; those that do not fit have to be followed again."""
        self.oracle.effort.spend()
        self.rows = None
        self.aside = []
        self.pending += [e.start for e in self.model.rebuild(evidence)]

    def _extend(self, pieces: Sequence[BoundaryPiece]) -> bool:
        """Whether the pieces are parts of the boundary of a known unit, which is then extended."""
        joined = self._joined(pieces)
        if joined is None:
            return False
        before = [*(t.evidence for t in self.traced), *self.aside]
        evidence = list(before)
        evidence[joined[0]] = joined[1]
        self._rebuild(evidence)
        if self._is_explained(pieces[0].x):
            return True
        self._rebuild(before)
        return False

    def _joined(self, pieces: Sequence[BoundaryPiece]) -> tuple[int, Evidence] | None:
        """The unit to whose boundary the pieces belong, with the evidence for both."""
        for i in range(len(self.traced)):
            self.oracle.effort.spend()
            joined = self.model.joined(i, pieces)
            if joined is not None and self._is_seen_between(i, joined.unit, pieces[0].x):
                return i, joined.evidence
        return None

    def _join_parts(self) -> None:
        """Parts of one boundary that were followed apart, and that are known to be one by now."""
        if len(self.apart) == len(self.traced) and all(map(is_, self.apart, self.traced)):
            return
        self.apart = self.traced
        late = [i for i, t in enumerate(self.traced) if t.level > 1]
        for i, j in permutations(late, 2):
            old, other = self.traced[i], self.traced[j].evidence
            if not old.open:
                continue
            self.oracle.effort.spend()
            joined = self.model.joined(i, other.pieces, j)
            if joined is not None and self._is_seen_between(i, joined.unit, other.pieces[0].x):
                evidence = [t.evidence for t in self.traced if t.evidence is not other]
                evidence[evidence.index(old.evidence)] = joined.evidence
                self._rebuild(evidence)
                self._join_parts()
                return

    def _put_aside(self, i: int) -> None:
        """A unit was taken for known too soon: it comes back when the one before it is known."""
        gone = self.model.dependents(i)
        self.aside += [self.traced[j].evidence for j in sorted(gone)]
        kept = [t.evidence for j, t in enumerate(self.traced) if j not in gone]
        aside = self.aside
        self._rebuild(kept)
        self.aside = aside

    def _is_seen_between(self, i: int, joined: FoldedUnit, end: Vector) -> bool:
        """Whether the boundary of a joined unit is seen about its parts, hidden places aside.

        A neuron of the next layer can pass for a part of this one, where all others are open.
        """
        units = [*self.units, joined]
        start = self.traced[i].spot.x
        way = minus(end, start)
        size = max(map(abs, way))
        seen = []
        for k in range(N_BETWEEN):
            middle = along(start, fmpq(k % 5 - 1, 3), way)
            d = tuple(size * 2 * v for v in self._random_point(1))
            first = along(middle, fmpq(-1, 2), d)
            for hit in crossings(units, first, d, ONE):
                if hit.unit == len(units) - 1:
                    x = along(first, hit.time, d)
                    a = local(units, x).affine[-1]
                    seen.append(is_visible(self.oracle, x, a))
        return 3 * sum(seen) >= len(seen)

    def _repair(self, i: int, x: Vector) -> bool:
        """Unit i is 0 at x and the black box does not bend there; whether it is changed."""
        t = self.traced[i]
        evidence = [t.evidence for t in self.traced]
        here = local(self.units, x)
        changes = {j: here.of(unit) for j, unit in t.open.items()}
        far = [j for j, change in changes.items() if value(change, x)]
        if not far:
            self.absent[t.evidence.serial] += 1
            if (t.level == 1 or not t.is_loose) and self.absent[t.evidence.serial] < MAX_ABSENT:
                return False  # hidden there by the layers after it
            if t.level == 1 and not t.evidence.is_bent and i not in self.model.straight():
                evidence[i] = replace(t.evidence, is_bent=True)
                self._rebuild(evidence)
                return True
            del evidence[i]
            self._rebuild(evidence)
            self.pending.append(t.evidence.start)
            return True
        j = self.rng.choice(far)
        # The sign of the unit where the way back to its boundary meets that of j.
        way = minus(t.spot.x, x)
        toward = next((h for h in crossings(self.units, x, way, ONE) if h.unit == j), None)
        if toward is None:
            return False
        y = along(x, toward.time, way)
        epsilon = sign(value(local(self.units, y, way).affine[i], y)) * sign(value(changes[j], x))
        scale = max(map(abs, t.spot.a[:-1])) / max(map(abs, changes[j][:-1]))
        step = scale * 2 ** self.pushes[t.evidence.serial] * epsilon
        self.pushes[t.evidence.serial] += 1
        evidence[i] = t.evidence.guessing(self.traced[j].evidence.serial, step)
        self._rebuild(evidence)
        return True

    def _outputs(self) -> list[FoldedUnit]:
        """The outputs over the units, from the jump across each boundary."""
        units = self.units
        n = self.oracle.n_inputs
        x = self._random_point(4)
        maps = affine_map(self.oracle, x)
        while maps is None or 0 in local(units, x).signs:
            x = self._random_point(4)
            maps = affine_map(self.oracle, x)
        n_outputs = len(maps)
        coefficients: list[Sequence[fmpq]] = [()] * len(units)
        for j in reversed(range(len(units))):
            self.oracle.effort.spend()
            spot = self.traced[j].spot
            k = steepest(spot.a)
            found = break_at(self.oracle, spot.x, axis(n, k))
            before = local(units, spot.x, tuple(-v for v in axis(n, k)))
            after = local(units, spot.x, axis(n, k))
            u = before.affine[j]
            changes = {
                i: (after.signs[i] * after.affine[i][k] - before.signs[i] * before.affine[i][k])
                / u[k]
                for i in range(j, len(units))
            }
            row = []
            for o in range(n_outputs):
                jump = fmpq(0)
                if found is not None:
                    jump = (found.sides[1][o][k] - found.sides[0][o][k]) / u[k]
                rest = sum(
                    (coefficients[i][o] * changes[i] for i in range(j + 1, len(units))), fmpq(0)
                )
                row.append((jump - rest) / changes[j])
            coefficients[j] = row
        here = local(units, x)
        rows = []
        for o, affine in enumerate(maps):
            folds = {j: c[o] for j, c in enumerate(coefficients) if c[o]}
            for j, alpha in folds.items():
                affine = plus(affine, -alpha * here.signs[j], here.affine[j])
            rows.append(FoldedUnit(affine, folds))
        return rows

    def _difference(self, rows: Sequence[FoldedUnit]) -> Vector | None:
        """A query at which the model differs from the black box, after some more queries."""
        units = self.units
        pairs = [(t, j) for t, own in enumerate(self.traced) for j in own.open]
        points = []
        for point in probe_points(units, pairs, self.oracle.n_inputs, N_TESTS, self.rng):
            self.oracle.effort.spend()
            points.append(point)
        self.oracle.values(points)
        answers = self.oracle.answers
        # The tests and a sample of the rest: neighbours of one point tell the same.
        some = [*answers[-len(points) :], *answers[:: 1 + len(answers) // N_SAMPLES]]
        for x, found in some:
            self.oracle.effort.spend()
            if outputs(units, rows, x) != found:
                return x
        return None
