"""Values with a picture or a formula: what a notebook shows of them beside their lines.

A network knows nothing of pictures, which are made in a later room.  So whoever makes them says how
(``Drawn.draw_with``), once, where the public names are gathered; without it a value is shown by its
lines alone.  A picture is never the reason why a value cannot be shown.
"""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import Any, ClassVar, Protocol

from exactrelu.display import Shown


class Drawing(Protocol):
    """A picture, as far as it is known here."""

    @property
    def svg(self) -> str: ...

    def save(self, path: Any) -> object: ...


class Pictures(Protocol):
    """Who draws: a picture with options, or a quick SVG, None if it would be large or take long."""

    def plot(self, value: Any, **options: Any) -> Drawing: ...

    def sketch(self, value: Any) -> str | None: ...


class Formula(Shown):
    """A value that is a formula; where it has none of moderate size it is shown by its lines."""

    def _latex(self) -> str | None:
        raise NotImplementedError

    def _repr_latex_(self) -> str | None:
        text = self._latex()
        return None if text is None else rf"$\displaystyle {text}$"

    def _repr_html_(self) -> str:
        formula = self._repr_latex_()
        lines = super()._repr_html_()
        # Notebooks typeset what stands in HTML between dollars.
        return lines if formula is None else f"{lines}<div>{escape(formula)}</div>"


class Drawn(Shown):
    """A value with a picture, in at most two dimensions and of moderate size."""

    _pictures: ClassVar[Pictures | None] = None

    @staticmethod
    def draw_with(pictures: Pictures) -> None:
        """Say who draws."""
        Drawn._pictures = pictures

    def plot(self, **options: Any) -> Drawing:
        """The picture, with the options of ``er.plot``: ``path``, ``show``, ``colour``, limits."""
        if self._pictures is None:
            raise LookupError("pictures are made by the public functions: import exactrelu")
        return self._pictures.plot(self, **options)

    @cached_property
    def _sketch(self) -> str | None:
        # Front ends ask for HTML and for SVG, whichever they show.
        return None if self._pictures is None else self._pictures.sketch(self)

    def _repr_svg_(self) -> str | None:
        return self._sketch

    def _repr_html_(self) -> str:
        lines = super()._repr_html_()
        # Of HTML and SVG front ends choose HTML.
        return lines if self._sketch is None else f"{lines}<figure>{self._sketch}</figure>"
