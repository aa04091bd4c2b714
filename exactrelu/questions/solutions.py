"""A polyhedron: is it nonempty or bounded, what does it consist of, how large is a linear function?

The verdict has a certificate (:mod:`exactrelu.questions.linear`).  What else is asked for, the
generators and a maximum with its multipliers, is computed and told beside it.  Where the time is
over before all of that, the verdict is known and the answer is not complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Unpack

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Verdict
from exactrelu.effort import Effort, Limits
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.polyhedra.answers import Infeasible, Optimum
from exactrelu.polyhedra.lp import maximize
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.linear import is_bounded, is_nonempty
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words

#: How a value is said.
_Said = Callable[[Any, Words], str]


def _points(points: Any, words: Words) -> str:
    listed = words.of_list(x for point in points for x in point)
    return " ".join(map(listed.listed, points))


def _point(point: Any, words: Words) -> str:
    return words.point(point)


def _rows(multipliers: Any, words: Words) -> str:
    return ", ".join(f"{words.said(value)} of row {i}" for i, value in multipliers)


def _number(value: Any, words: Words) -> str:
    return str(value) if value is None or isinstance(value, str) else words.number(value)


def _plainly(value: Any, _: Words) -> str:
    return str(value)


def _more(name: str, about: str, said: _Said = _plainly, unproved: str = "") -> Part:
    """A part that is there if it was asked for."""

    def line(found: Solutions, words: Words) -> Iterable[str]:
        if name in found.more:
            value = found.more[name]
            text = "none" if value in ((), []) else said(value, words)
            yield f"  {name.removeprefix('is_')} {text}"

    def computed(found: Solutions) -> str:
        return unproved if name in found.more else ""

    return Part(name, about, of=lambda f: f.more.get(name), said=line, unproved=computed)


def _witness(found: Solutions, words: Words) -> Iterable[str]:
    if found.witness is not None:
        yield f"  {'ray' if found.is_about_bounds else 'point'} {words.point(found.witness)}"


@dataclass(frozen=True, eq=False, repr=False)
class Solutions(Verdict):
    """Whether a polyhedron is nonempty, or bounded, and what else was asked of it.

    ``more`` is that, by the names of the parts; ``late`` says why it is not all.
    """

    PARTS = (
        Part(
            "witness",
            "a point of it, or a ray of one that is unbounded, or null",
            proved=True,
            said=_witness,
        ),
        _more(
            "dimension",
            "with `--describe`: its dimension",
            unproved="dimension, faces, vertices, rays and lines",
        ),
        _more("f_vector", "with `--describe`: numbers of faces of dimension 0, 1, …", _point),
        _more("vertices", "with `--describe`: its vertices", _points),
        _more("rays", "with `--describe`: its extreme rays", _points),
        _more("lines", "with `--describe`: a basis of the lines in it", _points),
        _more(
            "maximum",
            "with `--maximize`: the greatest value, `unbounded`, or null",
            _number,
            unproved="the maximum",
        ),
        _more("is_attained", "with `--maximize`: whether it is taken"),
        _more("at", "with `--maximize`: where", _point),
        _more(
            "multipliers", "with `--maximize`: rows and their multipliers, which prove it", _rows
        ),
        _more("ray", "with `--maximize`: a direction along which it grows without bound", _point),
    )

    is_about_bounds: bool = False
    more: Mapping[str, Any] = field(default_factory=dict)
    late: str = ""

    @property
    def left_open(self) -> str:
        """Why not all that was asked is known; a verdict that is open says it already."""
        return "" if self.answer is None else self.late

    @property
    def _proves_answer(self) -> bool:
        return not self.left_open

    def known(self, *, lists: bool = False) -> dict[str, Any]:
        """The witness, and what was asked for."""
        found = super().known(lists=lists)
        return {name: found[name] for name in found if name == "witness" or name in self.more}

    def sentence(self, _words: Words = PEOPLE) -> str:
        """Why, and what is missing."""
        return f"{self.reason}; {self.left_open}" if self.left_open else self.reason


@question
def solutions(
    call: Call[Solutions],
    system: LinearSystem,
    *,
    bounded: bool = False,
    describe: bool = False,
    objective: Vector | None = None,
    **limits: Unpack[Limits],
) -> Solutions:
    """Whether the solutions of some rows are none, or bounded, and what else is asked of them.

    Parameters
    ----------
    system : LinearSystem
        The rows; some may be strict.
    bounded : bool, optional
        Whether to ask if they are bounded, and not whether there is one.
    describe : bool, optional
        Whether to find their dimension, faces, vertices, rays and lines.
    objective : sequence of numbers, optional
        The coefficients of a linear function, of which the greatest value is found.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Solutions
        The verdict; ``more`` has what else was asked, by name.
    """
    verdict = (is_bounded if bounded else is_nonempty)(system, effort=call.effort)
    more: dict[str, Any] = {}
    found = partial(Solutions.of, verdict, is_about_bounds=bounded, more=more)
    call.knows(lambda stopped: found(late=str(stopped)))
    if describe:
        more |= _generators(system, call.effort)
    if objective is not None:
        more |= _maximum(system, objective, call.effort)
    return found()


def _generators(system: LinearSystem, effort: Effort) -> dict[str, Any]:
    polyhedron = Polyhedron(system, effort)
    return {
        "dimension": polyhedron.dimension,
        "f_vector": polyhedron.f_vector(),
        # With a line in it a polyhedron has no vertices.
        "vertices": [] if polyhedron.lineality else polyhedron.vertices,
        "rays": polyhedron.rays,
        "lines": polyhedron.lineality,
    }


def _maximum(system: LinearSystem, objective: Vector, effort: Effort) -> dict[str, Any]:
    answer = maximize(objective, system, effort=effort)
    if isinstance(answer, Infeasible):
        return {"maximum": None}
    if isinstance(answer, Optimum):
        return {
            "maximum": answer.value,
            "is_attained": answer.is_attained,
            "at": answer.point,
            "multipliers": [(i + 1, value) for i, value in answer.multipliers],
        }
    return {"maximum": "unbounded", "at": answer.point, "ray": answer.ray}
