"""The methods of what users hold, whose errors are explained as those of functions are.

Methods are called inside as well, a million times in some questions, and do not pass the gate.  A
call that fails is looked at afterwards: if it does not fit the method, or an argument is of another
type than the one that is expected, that is what is said (:mod:`exactrelu.public.arguments`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any

from exactrelu.certificates.certificate import Certificate, Result, Verdict
from exactrelu.errors import ExactReluError, Unanswered
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Rational
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.convolution import Convolution
from exactrelu.network.evaluation import AffineMap
from exactrelu.network.network import Layer, Network
from exactrelu.network.shallow import ShallowForm
from exactrelu.network.symmetry import Symmetry
from exactrelu.polyhedra.arrangement import Arrangement
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.public.arguments import arguments, read_all
from exactrelu.public.gate import CallShape
from exactrelu.questions.complex import PolyhedralComplex
from exactrelu.questions.fibers.shallow import ShallowFiber
from exactrelu.questions.fibers.three_layers import ThreeLayerFiber
from exactrelu.questions.identifiability.share import Share
from exactrelu.questions.local.places import Local
from exactrelu.questions.regions import Regions

#: The public methods, by their class.
METHODS: Mapping[type, tuple[str, ...]] = {
    type(Rational): ("__call__",),
    Network: (
        *("__init__", "__call__", "from_arrays", "neuron_name", "truncate", "then", "slice"),
        *("transformed", "renamed"),
    ),
    Layer: ("__init__", "of", "with_affine"),
    Matrix: (
        *("__init__", "apply", "row", "column", "scale", "take", "beside", "above"),
        *("diagonal", "column_vector", "identity", "zero", "from_entries"),
    ),
    Domain: ("__init__", "of", "lift", "lift_direction", "restricted"),
    Verdict: ("__init__",),
    Result: ("check", "save"),
    Certificate: ("check", "save", "from_bytes"),
    LinearSystem: ("__init__", "box", "orthant", "contains", "slice"),
    Row: ("__init__", "of", "value", "of_sense"),
    Polyhedron: ("__init__", "contains", "from_generators"),
    Arrangement: ("__init__", "of", "signs_at", "cells"),
    BoxUnion: ("__init__", "box_around", "contains_inside"),
    AffineMap: ("__call__",),
    ShallowForm: ("__call__",),
    Symmetry: ("apply", "then", "from_indices", "identity", "random"),
    Convolution: ("with_opposites",),
    Regions: ("affine_map", "polyhedron"),
    PolyhedralComplex: ("bent_hyperplane",),
    ShallowFiber: ("component", "member", "minimal", "parts", "path", "samples"),
    ThreeLayerFiber: ("component", "member", "parts", "path", "samples"),
    Local: ("dual_points",),
    Share: ("network",),
}


#: What is called by another name than that of its class.
_NAMES: Mapping[type, str] = {type(Rational): "Rational"}


def explain(cls: type, names: Iterable[str]) -> None:
    """Let methods of a class explain their errors."""
    for name in names:
        found = inspect.getattr_static(cls, name)
        kind = type(found) if isinstance(found, classmethod | staticmethod) else None
        method = found.__func__ if kind else found
        is_call = name in ("__init__", "__call__")
        called = _NAMES.get(cls, cls.__name__) if is_call else f"{cls.__name__}.{name}"
        wrapped = explained(method, called, n_bound=kind is not staticmethod)
        setattr(cls, name, kind(wrapped) if kind else wrapped)


def explained(method: Callable[..., Any], name: str, *, n_bound: int = 1) -> Callable[..., Any]:
    """The method with errors that say what is wrong about its arguments, if that is it."""

    parameters = dict([*inspect.signature(method).parameters.items()][n_bound:])
    has_limits, shape = "limits" in parameters, CallShape(name, parameters)

    @wraps(method)
    def asked(*args: Any, **options: Any) -> Any:
        if has_limits:
            # A bound that the method does not know would do nothing.
            shape.fit(args[n_bound:], options)
        try:
            return method(*args, **options)
        except Unanswered:
            raise
        except Exception as error:
            given, by_name = [*args[n_bound:]], dict(options)
            shape.fit(given, options)
            read_all(name, arguments(parameters), given, by_name)
            is_ours = isinstance(error, ExactReluError)
            if is_ours or _same([*given, *by_name.values()], [*args[n_bound:], *options.values()]):
                raise
        # What was read may do: numbers of FLINT for those that were given, a list for an iterator.
        return method(*args[:n_bound], *given, **by_name)

    return asked


def _same(read: Iterable[object], given: Iterable[object]) -> bool:
    """Whether nothing was changed by reading."""
    return all(a is b for a, b in zip(read, given, strict=True))
