"""The exact polyhedral kernel: linear programs, polyhedra, cones, arrangements, domains.

Users of Python find public names here, as ``er.polyhedra``; the rooms import from the files.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactrelu.exact.system import LinearSystem as LinearSystem
    from exactrelu.exact.system import Row as Row
    from exactrelu.exact.system import Sense as Sense
    from exactrelu.polyhedra.arrangement import Arrangement as Arrangement
    from exactrelu.polyhedra.boxes import BoxUnion as BoxUnion
    from exactrelu.polyhedra.boxes import load_union as load_union
    from exactrelu.polyhedra.domain_text import load_polyhedron as load_polyhedron
    from exactrelu.polyhedra.domain_text import parse_domain as parse_domain
    from exactrelu.polyhedra.lp import feasible as feasible
    from exactrelu.polyhedra.lp import maximize as maximize
    from exactrelu.polyhedra.polyhedron import Polyhedron as Polyhedron
    from exactrelu.questions.linear import is_bounded as is_bounded
    from exactrelu.questions.linear import is_nonempty as is_nonempty
else:

    def __getattr__(name: str) -> Any:
        from exactrelu.public.names import found

        return found("polyhedra", name)


def __dir__() -> list[str]:
    from exactrelu.public.names import listed

    return listed("polyhedra")
