"""The command about the parameters with the same function, component by component.

A fiber of one hidden layer has components named by signs on the bends; one of two hidden layers
has half-lines, named by flips, or the components of its second layer.  All of them are listed,
shown by equations, sampled and asked for members in the same way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exactrelu.cli.command import CERTIFICATE, Ask, argument, command, domain, seed, switch
from exactrelu.cli.given import positive_integer
from exactrelu.cli.outcome import Outcome, done
from exactrelu.errors import InputError
from exactrelu.words import count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from exactrelu.certificates.certificate import Verdict
    from exactrelu.network.network import Network
    from exactrelu.questions.fibers.component import Component
    from exactrelu.questions.fibers.deep_components import HalfLine, Layerwise
    from exactrelu.questions.fibers.shallow import ShallowFiber
    from exactrelu.questions.fibers.three_layers import ThreeLayerFiber

    AnyComponent = Component | HalfLine | Layerwise


@command(
    argument("network", metavar="NET", help="network file, one or two hidden layers"),
    domain("R; for one hidden layer also orthant, a box, or a polyhedron with interior"),
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
    seed("of --sample", needs="--sample"),
    CERTIFICATE,
    asks="questions.fibers.three_layers.fiber",
    results="questions.fibers.fiber.FiberMembership questions.fibers.fiber.Minimality "
    "questions.fibers.fiber.MemberPath questions.fibers.parts.Parts "
    "questions.fibers.one_component.OneComponent",
    example="example:xor --domain orthant",
)
def fiber(ask: Ask) -> Outcome:
    """The parameters with the same function: orientations, dimensions, equations, members."""
    from exactrelu.questions.fibers.fiber import FiberMembership, MemberPath
    from exactrelu.questions.fibers.one_component import OneComponent
    from exactrelu.questions.fibers.three_layers import ThreeLayerFiber, fiber

    args = ask.args
    shown = ask.showing(ask.told)
    found = fiber(ask.network, ask.domain, general=args.general, effort=ask.effort)
    if args.minimal:
        if isinstance(found, ThreeLayerFiber):
            raise InputError("--minimal: expected a network with one hidden layer")
        return ask.told(found.minimal(effort=ask.effort), "minimal")
    if args.member is not None:
        other = ask.load(args.member)
        return _telling(ask, FiberMembership, "member")(found.member(other, effort=ask.effort))
    if args.path is not None:
        other = ask.load(args.path)
        return _telling(ask, MemberPath, "path")(found.path(other, effort=ask.effort))
    if args.parts:
        return ask.told(found.parts(effort=ask.effort))
    if args.sample is not None:
        subset = "" if found.is_complete else found.reason
        return _members(found.samples(args.sample, args.seed), subset)
    if args.translate is not None:
        return _members([_translated(_chosen(found, args.component), args.translate)])
    if args.component is None and args.format is None:
        return shown(found)
    component = _chosen(found, args.component)
    # It may be proved by asking whether its sample is a member.
    ask.asking_more()
    return ask.told(OneComponent(found, component, args.format or "text", ask.effort))


def _telling(ask: Ask, cls: type[Verdict], question: str) -> Callable[[Verdict], Outcome]:
    """How an answer is told, or what is known of another question that comes before it."""
    return ask.showing(
        lambda found: ask.told(found if isinstance(found, cls) else cls.of(found), question)
    )


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
    return found.own if name is None else found.component(name)


def _translated(component: AnyComponent, given: str) -> Network:
    from exactrelu.questions.fibers.deep_components import HalfLine

    shifts = given.split(",")
    if not isinstance(component, HalfLine):
        return component.translate(shifts)
    if len(shifts) != 1:
        raise InputError(f"--translate {given}: expected one number for a half-line")
    return component.translate(shifts[0])
