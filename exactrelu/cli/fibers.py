"""The command about the parameters with the same function, component by component.

A fiber of one hidden layer has components named by signs on the bends; one of two hidden layers
has half-lines, named by flips, or the components of its second layer.  All of them are listed,
shown by equations, sampled and asked for members in the same way.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import CERTIFICATE, Ask, argument, command, limits, switch
from exactrelu.cli.given import positive_integer
from exactrelu.cli.outcome import Names, Outcome, answered, done, stopped
from exactrelu.errors import InputError
from exactrelu.words import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exactrelu.certificates.certificate import Verdict
    from exactrelu.network.network import Network
    from exactrelu.questions.fibers.component import Component
    from exactrelu.questions.fibers.deep_components import HalfLine, Layerwise
    from exactrelu.questions.fibers.shallow import FiberMembership, ShallowFiber
    from exactrelu.questions.fibers.three_layers import ThreeLayerFiber

    AnyComponent = Component | HalfLine | Layerwise

#: So many components are shown, and so many have everything computed.
SHOWN = 16
DETAILED = 64


@command(
    argument("network", metavar="NET", help="network file, one or two hidden layers"),
    argument(
        "--domain",
        metavar="D",
        default="R",
        help="R; for one hidden layer also orthant, a box, or a polyhedron with interior",
    ),
    switch("--general", "also shared hyperplanes and canceling neurons"),
    argument(
        "--component",
        metavar="NAME",
        excludes="--minimal --member --path --parts --sample",
        help="one component as it is listed: by the signs on each bend, as in +,-, canceling "
        "groups and dead neurons, as in '+,+- (+-) 0', or by flips, as in {2,3}",
    ),
    argument(
        "--format",
        choices=("text", "latex", "smt2", "json"),
        excludes="--minimal --member --path --parts --sample --translate",
        help="print the equations and inequalities of a component",
    ),
    argument("--member", metavar="OTHER", excludes="--sample", help="has OTHER the same function?"),
    argument("--sample", metavar="N", type=positive_integer, help="N random members"),
    switch("--minimal", "has no smaller network the same function?", excludes="--member --sample"),
    switch(
        "--parts", "which components are joined by paths?", excludes="--member --sample --minimal"
    ),
    argument(
        "--path",
        metavar="OTHER",
        excludes="--member --sample --minimal --parts",
        help="does a path of such networks lead to OTHER?",
    ),
    argument(
        "--translate",
        metavar="T1,T2,…",
        excludes="--member --sample --minimal --parts --path",
        help="move along a component: by t along a half-line, or the biases of linear neurons",
    ),
    argument("--seed", metavar="N", type=int, default=0, needs="--sample", help="of --sample"),
    limits("components"),
    CERTIFICATE,
    fields="complete components",
    example="example:xor --domain orthant",
)
def fiber(ask: Ask) -> Outcome:
    """The parameters with the same function: orientations, dimensions, equations, members."""
    from exactrelu.questions.fibers.three_layers import ThreeLayerFiber, fiber

    args = ask.args
    ask.showing(partial(_so_far, ask))
    found = fiber(ask.network, ask.domain, general=args.general, effort=ask.effort)
    if args.minimal:
        if isinstance(found, ThreeLayerFiber):
            raise InputError("--minimal: expected a network with one hidden layer")
        return _minimal(ask, found.minimal(effort=ask.effort))
    if args.member is not None:
        other = ask.load(args.member)
        ask.showing(partial(_compared, ask))
        return _member(ask, found.member(other, effort=ask.effort))
    if args.path is not None:
        ask.showing(partial(_path, ask))
        return _path(ask, found.path(ask.load(args.path), effort=ask.effort))
    if args.parts:
        return _parts(ask, found)
    if args.sample is not None:
        return _members(
            found.samples(args.sample, args.seed), "" if found.is_complete else found.reason
        )
    if args.translate is not None:
        return _members([_translated(_chosen(found, args.component), args.translate)])
    one = args.component is not None or args.format is not None
    if isinstance(found, ThreeLayerFiber):
        return _deep_component(ask, found) if one else _deep_listing(ask, found)
    return _component(ask, found) if one else _listing(ask, found)


def _minimal(ask: Ask, verdict: Verdict) -> Outcome:
    certified = ("verdict",) if verdict.witness is None else ("verdict", "smaller")
    return answered(verdict, f"minimal{ask.where}", certified=certified, smaller=verdict.witness)


def _member(ask: Ask, membership: FiberMembership[Any]) -> Outcome:
    """Whether a network is a member, and the component that it lies in."""
    verdict, component = membership.verdict, membership.component
    where, fields = "", {"component": None, "name": None, "witness": verdict.witness}
    if component is not None:
        fields |= {"component": _orientation(component), "name": component.name}
        where = f", in the component {component.name}"
    line = f"member{ask.where}: {verdict.word}{where}, {verdict.reason}"
    certified: Names = ("verdict",)
    if verdict.witness is not None:
        line += f": {ask.words.point(verdict.witness)}"
        certified = ("verdict", "witness")
    computed = () if component is None else ("the component",)
    return Outcome.of(verdict, line, fields, certified, computed)


def _compared(ask: Ask, equal: Verdict) -> Outcome:
    """What is known of a network before it is known where it lies."""
    from exactrelu.questions.fibers.shallow import FiberMembership

    return _member(ask, FiberMembership(equal, None))


def _path(ask: Ask, verdict: Verdict) -> Outcome:
    """Whether a path leads to a network, and its corners."""
    from exactrelu.network.formats.load import network_text

    corners = list(verdict.witness or ()) if verdict.answer else []
    line = f"path{ask.where}: {verdict.word}, {verdict.reason}"
    lines = [line, "".join(map(network_text, corners)).rstrip()] if corners else [line]
    computed: Names = ("the segments from one network to the next",) if corners else ()
    certified: Names = ("samples",) if corners else ("verdict",)
    return Outcome.of(verdict, "\n".join(lines), {"samples": corners}, certified, computed)


def _parts(ask: Ask, found: ShallowFiber | ThreeLayerFiber) -> Outcome:
    """Parts between which there is no path, and what is joined in them."""
    parts = found.parts(effort=ask.effort)
    lines = []
    for part in parts.parts:
        groups = [group for group in parts.joined if group[0] in part]
        words = [", ".join(item.name for item in group) for group in groups]
        lines.append("; perhaps not joined to ".join(words))
    reason = f"1 part, of {parts.among} with this function"
    if len(parts.parts) > 1:
        reason = (
            f"{len(parts.parts)} parts: no path of {parts.among} with this function leads from one "
            "to another"
        )
    if not parts.is_exact:
        reason += "; in some of them not all are known to be joined"
    return done(
        reason,
        _shown(lines[:SHOWN], len(lines), reason),
        parts.certificate if ask.wants_certificate else None,
        certified=("parts",) if parts.certificate else (),
        computed=("which are joined",),
        parts=[[_sides(item) for item in part] for part in parts.parts],
        joined=[[_sides(item) for item in group] for group in parts.joined],
        samples=[item.sample for part in parts.parts for item in part],
    )


def _sides(item: Any) -> list[Any]:
    """The sides of neurons, or the flips of a half-line."""
    from exactrelu.questions.fibers.deep_components import HalfLine

    return list(item.flipped if isinstance(item, HalfLine) else item.sides)


def _members(members: Sequence[Network], subset: str = "") -> Outcome:
    """Members as network files; why the components that they may lie in are not all, if so."""
    from exactrelu.network.formats.load import network_text

    files = "".join(map(network_text, members)).rstrip()
    reason = count(len(members), "member")
    if subset:
        reason += f" of the components that are listed, or of that of the given network: {subset}"
    return done(reason, [files], samples=list(members))


def _chosen(found: ShallowFiber | ThreeLayerFiber, name: str | None) -> Any:
    """The component of this name, or that of the given network."""
    if name is None:
        return found.own
    return found.component(name)


def _translated(component: AnyComponent, given: str) -> Network:
    from exactrelu.questions.fibers.deep_components import HalfLine

    shifts = given.split(",")
    if not isinstance(component, HalfLine):
        return component.translate(shifts)
    if len(shifts) != 1:
        raise InputError(f"--translate {given}: expected one number for a half-line")
    return component.translate(shifts[0])


def _orientation(component: AnyComponent) -> list[Any]:
    """The flipped neurons, or the signs on the bends."""
    from exactrelu.questions.fibers.deep_components import HalfLine, Layerwise

    if isinstance(component, HalfLine):
        return list(component.flipped)
    return list(component.rest.signs if isinstance(component, Layerwise) else component.signs)


def _shown(lines: Sequence[str], n: int, reason: str) -> list[str]:
    """The first of n components, and the sentence."""
    more = [f"… {n - SHOWN:,} more"] if n > SHOWN else []
    return [*lines, *more, reason]


def _of_components(*names: str) -> Names:
    return tuple(f"components.{name}" for name in names)


def _equations(ask: Ask, component: AnyComponent) -> str:
    from exactrelu.questions.fibers import description as printing

    return printing.WRITERS[ask.args.format or "text"](component.description)


def _constraints(component: AnyComponent) -> Any:
    from exactrelu.questions.fibers import description as printing

    return printing.to_json(component.description)


def _equations_computed(ask: Ask) -> Names:
    """That equations are not certified; a file for another program is left as it is."""
    return ("the equations",) if ask.args.format in (None, "text") else ()


# One hidden layer.


def _listing(ask: Ask, found: ShallowFiber) -> Outcome:
    if not found.is_complete:
        return _so_far(ask, found)
    bending = _bending(ask, found)
    nonempty = found.nonempty
    detailed = len(found.components) <= DETAILED
    kind = "orientation" if found.is_simple else "component"
    reason = f"{bending}; {len(nonempty):,} of {count(len(found.components), kind)} have members"
    reason += {True: "; it is minimal", False: "; it is not minimal", None: ""}[found.is_minimal]
    if found.leaves_out:
        reason += f"; listed are the {found.listed}, all with --general"
    lines = [_line(found, component, detailed) for component in nonempty[:SHOWN]]
    computed: Names = ("dimensions",)
    if found.is_minimal is not None:
        computed += ("whether it is minimal (--minimal)",)
    return done(
        reason,
        _shown(lines, len(nonempty), reason),
        found.certificate if ask.wants_certificate else None,
        certified=_of_components(
            "orientation", "n_linear", "n_dead", "cancelling", "nonempty", "sample"
        ),
        computed=computed,
        case=found.case,
        complete=True,
        listed=found.listed,
        minimal=found.is_minimal,
        smaller=found.smaller,
        components=lambda: [_fields(found, c, detailed) for c in found.components],
    )


def _bending(ask: Ask, found: ShallowFiber) -> str:
    bends = count(len(found.target.bends), "hyperplane")
    return f"the network bends at {bends}{ask.where}"


def _so_far(ask: Ask, found: ShallowFiber | ThreeLayerFiber) -> Outcome:
    """The components of a search that was stopped: what they are called, and nothing that costs."""
    from exactrelu.questions.fibers.three_layers import ThreeLayerFiber

    n_found = count(len(found.components), "component")
    is_deep = isinstance(found, ThreeLayerFiber)
    known = found.reason if isinstance(found, ThreeLayerFiber) else _bending(ask, found)
    reason = f"{found.stopped}: {n_found} so far; {known}"
    names = [component.name for component in found.components[:SHOWN]]
    return stopped(
        reason,
        _shown(names, len(found.components), reason)[:-1],
        computed=("the components so far",),
        components=lambda: [_named(component) for component in found.components],
        complete=False,
        **({"flips": []} if is_deep else {}),
    )


def _named(component: AnyComponent) -> dict[str, Any]:
    return {
        "name": component.name,
        "orientation": _orientation(component),
        "nonempty": component.is_nonempty,
    }


def _component(ask: Ask, found: ShallowFiber) -> Outcome:
    """One component: its description, with the certificate of that and of its dimension."""
    from exactrelu.certificates.certificate import joined

    component = _chosen(found, ask.args.component)
    known = [found.equations(component), component.dimension_certificate]
    facts = [certificate for certificate in known if certificate is not None]
    # It is about the component near its sample; where that is not all of it, nothing is proved.
    is_proved = facts[1:] and facts[1].fields["dimension"] == component.dimension
    vertices = _from_vertices(found, component) if facts else _equations_computed(ask)
    certified: Names = () if vertices else ("constraints",)
    return done(
        _line(found, component, True),
        [_equations(ask, component)],
        joined("facts", facts) if len(facts) > 1 else next(iter(facts), None),
        certified=(*certified, "dimension") if is_proved else certified,
        computed=vertices,
        **_fields(found, component, True),
        constraints=_constraints(component),
    )


def _from_vertices(found: ShallowFiber, component: Component) -> Names:
    """That rows of one sign on a domain are written out at its vertices is not certified."""
    n_signed = component.stratum.n_linear + component.stratum.n_dead
    is_plain = found.target.sides.is_simple or not n_signed
    return () if is_plain else ("the vertices of the domain",)


def _line(found: ShallowFiber, component: Component, detailed: bool) -> str:
    stratum = component.stratum
    parts = [] if component.is_nonempty else ["empty"]
    if component.dimension is not None:
        parts.append(f"dimension {component.dimension}")
        if detailed and component.tangent_dimension not in (None, component.dimension):
            parts.append(f"{component.tangent_dimension} by the Jacobian at the sample")
    elif component.is_nonempty:
        parts.append(f"dimension at most {component.tangent_dimension}")
    linear = "constant" if found.target.is_everywhere else "linear"
    numbers = ((stratum.n_linear, linear), (stratum.n_dead, "dead"))
    parts += [f"{n} {name}" for n, name in numbers if n]
    if stratum.cancelling:
        parts.append(f"canceling {' '.join(stratum.cancelling)}")
    if stratum == found.own.stratum:
        parts.append("the given network")
    if detailed and component.is_nonempty and component.has_generic_points is False:
        parts.append("no generic point")
    return f"{component.name}  {', '.join(parts)}"


def _fields(found: ShallowFiber, component: Component, detailed: bool) -> dict[str, Any]:
    from exactrelu.questions.fibers.description import to_text

    stratum = component.stratum
    has_text = detailed and component.has_description
    return {
        "name": component.name,
        "orientation": list(stratum.bends),
        "reversed": component.reversed_neurons(found.network),
        "n_linear": stratum.n_linear,
        "n_dead": stratum.n_dead,
        "cancelling": stratum.cancelling,
        "nonempty": component.is_nonempty,
        "dimension": component.dimension,
        "jacobian_dimension": component.tangent_dimension if detailed else None,
        "generic_points": component.has_generic_points if detailed else None,
        "compensation": component.compensation,
        "sample": component.sample if component.is_nonempty else None,
        "description": to_text(component.description) if has_text else None,
    }


# Two hidden layers.


def _deep_listing(ask: Ask, found: ThreeLayerFiber) -> Outcome:
    if found.stopped:
        return _so_far(ask, found)
    nonempty = found.nonempty
    n_empty = len(found.components) - len(nonempty)
    empty = f", {n_empty} more are empty" if n_empty else ""
    reason = f"{count(len(nonempty), 'component')}{empty}: {found.reason}"
    lines = [_deep_line(ask, component) for component in nonempty[:SHOWN]]
    return done(
        reason,
        _shown(lines, len(nonempty), reason),
        found.certificate if ask.wants_certificate else None,
        certified=_deep_certified(found),
        computed=("dimensions",) if found.has_certificate else ("the components",),
        complete=found.is_complete,
        components=lambda: [_deep_fields(component) for component in found.components],
        flips=[list(flipped) for flipped in found.flips],
    )


def _deep_certified(found: ThreeLayerFiber) -> Names:
    """The fields that a certificate of all components proves."""
    if not found.has_certificate:
        return ()
    complete: Names = ("complete",) if found.is_complete else ()
    if found.rest is not None:
        return (*complete, *_of_components("orientation", "nonempty", "n_linear", "n_dead"))
    return (*complete, "flips", *_of_components("orientation", "nonempty", "t_above", "sample"))


def _deep_component(ask: Ask, found: ThreeLayerFiber) -> Outcome:
    """One component: its equations, and the certificate that its sample is a member."""
    component = _chosen(found, ask.args.component)
    certificate = None
    if ask.wants_certificate and component.sample is not None:
        ask.asking_more()
        membership = found.member(component.sample, effort=ask.effort)
        certificate = membership.verdict.certificate
    return done(
        _deep_line(ask, component),
        [_equations(ask, component)],
        certificate,
        certified=() if component.sample is None else ("nonempty", "sample"),
        computed=_equations_computed(ask),
        **_deep_fields(component),
        constraints=_constraints(component),
    )


def _deep_line(ask: Ask, component: HalfLine | Layerwise) -> str:
    from exactrelu.questions.fibers.deep_components import HalfLine

    words = component.text()
    if isinstance(component, HalfLine):
        words = component.text(ask.words.said)
    if not component.is_nonempty:
        return f"{words}  empty"
    return words if component.dimension is None else f"{words}  dimension {component.dimension}"


def _deep_fields(component: HalfLine | Layerwise) -> dict[str, Any]:
    from exactrelu.questions.fibers.deep_components import HalfLine

    fields = {
        "nonempty": component.is_nonempty,
        "dimension": component.dimension,
        "sample": component.sample if component.is_nonempty else None,
        "name": component.name,
        "orientation": _orientation(component),
        "description": component.text(),
    }
    if isinstance(component, HalfLine):
        return {"t_above": component.lower, **fields}
    stratum = component.rest.stratum
    return {**fields, "n_linear": stratum.n_linear, "n_dead": stratum.n_dead}
