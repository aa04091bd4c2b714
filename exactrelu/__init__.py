"""exactrelu: exact answers about ReLU networks, each with a certificate.

>>> import exactrelu as er
>>> xor = er.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]], name="xor")
>>> xor([1, "-1"])
(1,)

A question is ``question(subject, domain, options by name)``; a domain is text such as
"box:-1,1", pairs of ends, or an object, and all of space by default.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactrelu.public.names import help_text as _help_text
from exactrelu.public.names import public as _public

if TYPE_CHECKING:
    from exactrelu import identifiability as identifiability
    from exactrelu import layers as layers
    from exactrelu import lemmas as lemmas
    from exactrelu import matrices as matrices
    from exactrelu import polyhedra as polyhedra
    from exactrelu import samples as samples
    from exactrelu.api import *  # noqa: F403

__version__ = "0.1.0"
__all__ = [*_public()]
__doc__ = f"{__doc__}\n{_help_text()}"
_PROGRAMS = ("", "__main__", "cli.main", "questions.catalogue")


def _refuse_module() -> None:
    """End a program that is a module on its own: exit code 0 would be an answer."""
    if sys.argv[:1] == ["-m"]:
        # Python comes here before it runs the module, which is a word of the command only.
        name = sys.orig_argv[-len(sys.argv)].partition("exactrelu.")[2]
    else:
        path, here = Path(*sys.argv[:1]).resolve(), Path(__file__).resolve().parent
        parts = path.relative_to(here).with_suffix("").parts if path.is_relative_to(here) else ()
        name = ".".join(parts)
    if name not in _PROGRAMS:
        sys.stderr.write(f"exactrelu: {name} is no program; python -m exactrelu COMMAND is one\n")
        sys.exit(2)


_refuse_module()


if not TYPE_CHECKING:
    # Hidden from type checkers, for which any name would do otherwise.
    def __getattr__(name: str) -> Any:
        from exactrelu.public.names import found_first

        return found_first(name)


def __dir__() -> list[str]:
    return ["__version__", *_public()]
