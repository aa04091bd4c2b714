"""What answers about fibers consist of: components as lines of text and as JSON has them.

A component has a name: signs on the bends, or flips of a half-line.  What costs, a description and
what the Jacobian says, is there where components are few.  Of a search that was stopped only the
names are told, and which components are known to have members.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from exactrelu.answer import Names, Part
from exactrelu.questions.fibers.component import Component
from exactrelu.questions.fibers.deep_components import HalfLine, Layerwise
from exactrelu.questions.fibers.description import to_text
from exactrelu.words import Words

AnyComponent = Component | HalfLine | Layerwise

#: So many components are shown, and so many have everything computed.
SHOWN = 16
DETAILED = 64


def orientation(component: AnyComponent) -> list[Any]:
    """The flipped neurons, or the signs on the bends."""
    if isinstance(component, HalfLine):
        return list(component.flipped)
    return list(component.rest.signs if isinstance(component, Layerwise) else component.signs)


def line(found: Any, component: AnyComponent, words: Words, *, detailed: bool = True) -> str:
    """A component of a fiber in words."""
    if isinstance(component, Component):
        return f"{component.name}  {', '.join(_traits(found, component, detailed))}"
    said = component.text(words.said) if isinstance(component, HalfLine) else component.text()
    if not component.is_nonempty:
        return f"{said}  empty"
    return said if component.dimension is None else f"{said}  dimension {component.dimension}"


def _traits(found: Any, component: Component, detailed: bool) -> Iterator[str]:
    """What is told of a component of one hidden layer."""
    stratum, dimension = component.stratum, component.dimension
    if not component.is_nonempty:
        yield "empty"
    if dimension is not None:
        yield f"dimension {dimension}"
        if detailed and component.tangent_dimension not in (None, dimension):
            yield f"{component.tangent_dimension} by the Jacobian at the sample"
    elif component.is_nonempty:
        yield f"dimension at most {component.tangent_dimension}"
    linear = "constant" if found.target.is_everywhere else "linear"
    numbers = ((stratum.n_linear, linear), (stratum.n_dead, "dead"))
    yield from (f"{n} {name}" for n, name in numbers if n)
    if stratum.cancelling:
        yield f"canceling {' '.join(stratum.cancelling)}"
    if stratum == found.own.stratum:
        yield "the given network"
    if detailed and component.is_nonempty and component.has_generic_points is False:
        yield "no generic point"


def entry(found: Any, component: AnyComponent, *, detailed: bool = True) -> dict[str, Any]:
    """What JSON has of a component of a fiber."""
    common = {
        "name": component.name,
        "orientation": orientation(component),
        "nonempty": component.is_nonempty,
        "dimension": component.dimension,
        "sample": component.sample if component.is_nonempty else None,
    }
    if isinstance(component, HalfLine):
        return {**common, "t_above": component.lower, "description": component.text()}
    if isinstance(component, Layerwise):
        stratum = component.rest.stratum
        numbers = {"n_linear": stratum.n_linear, "n_dead": stratum.n_dead}
        return {**common, **numbers, "description": component.text()}
    stratum = component.stratum
    has_text = detailed and component.has_description
    return {
        **common,
        "reversed": component.reversed_neurons(found.network),
        "n_linear": stratum.n_linear,
        "n_dead": stratum.n_dead,
        "cancelling": stratum.cancelling,
        "jacobian_dimension": component.tangent_dimension if detailed else None,
        "generic_points": component.has_generic_points if detailed else None,
        "compensation": component.compensation,
        "description": to_text(component.description) if has_text else None,
    }


def first(lines: Iterable[str], n: int) -> Iterator[str]:
    """The first of n lines."""
    yield from (line for line, _ in zip(lines, range(SHOWN), strict=False))
    if n > SHOWN:
        yield f"… {n - SHOWN:,} more"


def _is_detailed(found: Any) -> bool:
    return len(found.components) <= DETAILED


def _entries(found: Any) -> list[dict[str, Any]]:
    """All components; of a search that was stopped the names, and nothing that costs."""
    if not found.stopped:
        return [entry(found, c, detailed=_is_detailed(found)) for c in found.components]
    return [
        {"name": c.name, "orientation": orientation(c), "nonempty": c.is_nonempty}
        for c in found.components
    ]


def _lines(found: Any, words: Words) -> Iterator[str]:
    if found.stopped:
        return first((component.name for component in found.components), len(found.components))
    told = (line(found, c, words, detailed=_is_detailed(found)) for c in found.nonempty)
    return first(told, len(found.nonempty))


def components(proved: Callable[[Any], Names], unproved: Callable[[Any], str]) -> tuple[Part, ...]:
    """What all answers about fibers have: the components, and whether they are all."""
    return (
        Part(
            "components",
            "of each its `name`, `orientation`, whether it is `nonempty`, `dimension`, a `sample` "
            "and a `description`; of one hidden layer also `reversed`, `n_linear`, `n_dead`, "
            "`cancelling`, `jacobian_dimension`, `generic_points` and `compensation`; of "
            "half-lines `t_above`",
            of=_entries,
            proved=lambda found: () if found.stopped else proved(found),
            said=_lines,
            unproved=lambda f: "the components so far" if f.stopped else unproved(f),
            takes_work=True,
        ),
        Part(
            "complete",
            "whether these are all components (of two hidden layers: all generic members)",
            of="is_complete",
            proved=lambda found: found.proves_complete,
        ),
    )


def _when_done(value: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What is not looked for once a search was stopped."""
    return lambda found: None if found.stopped else value(found)


#: Of the fiber of one hidden layer.
SHALLOW = (
    *components(
        lambda _: ("orientation", "n_linear", "n_dead", "cancelling", "nonempty", "sample"),
        lambda _: "dimensions",
    ),
    Part(
        "case",
        "which case of the theorem on one hidden layer it is",
        of=_when_done(lambda f: f.case),
    ),
    Part("listed", "which members are listed, in words", of=_when_done(lambda f: f.listed)),
    Part(
        "minimal",
        "whether the network is minimal, or null",
        of=_when_done(lambda found: found.is_minimal),
        unproved="whether it is minimal (--minimal)",
        takes_work=True,
    ),
    Part(
        "smaller",
        "a narrower network with the same function, or null",
        of=_when_done(lambda found: found.smaller),
        takes_work=True,
    ),
)


def _deep(found: Any) -> Names:
    """What is proved of each component."""
    if not found.has_certificate:
        return ()
    if found.rest is not None:
        return ("orientation", "nonempty", "n_linear", "n_dead")
    return ("orientation", "nonempty", "t_above", "sample")


#: Of that of two hidden layers.
DEEP = (
    *components(_deep, lambda found: "dimensions" if found.has_certificate else "the components"),
    Part(
        "flips",
        "the sets of neurons that may be flipped",
        proved=lambda found: found.has_certificate and found.rest is None,
    ),
)
