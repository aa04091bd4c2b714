"""PyTorch modules and state dicts as exact networks.

A *module* is a live ``torch.nn`` module, or the record of one from a file: its
class's name and its attributes say everything.  Supported, nested in Sequential or
alone: Linear, ReLU, Flatten, Conv1d, Conv2d (zero padding), AvgPool1d, AvgPool2d,
MaxPool1d, MaxPool2d, BatchNorm1d, BatchNorm2d, Identity and Dropout.  Modules are taken in
inference form (``model.eval()``), whatever mode they were saved in.  For these torch is not
imported, and no code is run.  Any other module that is live is exported, if the shape of its input
is known (:mod:`~exactrelu.network.formats.torch_export`).

State dicts are in :mod:`~exactrelu.network.formats.state_dicts`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Unpack

from exactrelu.bounded import bounded
from exactrelu.effort import UNLIMITED, Effort, Limits
from exactrelu.errors import InputError, ShapeError, UnsupportedFormat, one_line
from exactrelu.exact.scalar import ONE, ZERO, rational
from exactrelu.files import PathLike, errors_in, stem
from exactrelu.network.formats.arrays import Array
from exactrelu.network.formats.onnx_graph import Reading, network_of_model
from exactrelu.network.formats.pickles import MODULES, ModuleRecord, read_torch
from exactrelu.network.formats.state_dicts import (
    exact_tensor,
    filled,
    from_state_dict,
    is_tensor,
    kind_of,
)
from exactrelu.network.formats.support import is_no_function_of_a_network, not_supported
from exactrelu.network.formats.torch_export import exported
from exactrelu.network.graph.dyadics import floats_if_exact
from exactrelu.network.graph.roots import Normalisation, Roots
from exactrelu.network.graph.tensor import Tensor, matmul
from exactrelu.network.graph.windows import KernelWindow
from exactrelu.network.network import Network

#: More modules than this in one file are a file that contains itself.
MAX_MODULES = 10_000


def load_torch(
    path: PathLike, effort: Effort = UNLIMITED, *, input_shape: Sequence[int] | None = None
) -> Network:
    """The network of a ``.pt`` file, named after the file; see :func:`from_torch`."""
    value = read_torch(path, effort)
    with errors_in(path):
        return from_torch(value, input_shape=input_shape, name=stem(path), effort=effort)


@bounded
def from_torch(
    effort: Effort,
    /,
    model_or_state_dict: Any,
    input_shape: Sequence[Any] | None = None,
    *,
    name: str = "",
    until: str | None = None,
    drop_last: str | None = None,
    roots: Literal["exact", "float32", "float64"] | None = None,
    outputs: str | Sequence[str] = (),
    **limits: Unpack[Limits],
) -> Network:
    """The exact network of a PyTorch module or ``state_dict``.

    Parameters
    ----------
    model_or_state_dict : torch.nn.Module or mapping
        Any module that torch can export to ONNX, or weights and biases by name; of a ``state_dict``
        it is assumed that hidden layers have ReLU.
    input_shape : sequence of int, optional
        The shape of the input without the batch, as (channels, height, width); one for each input
        if there are several.  An ``nn.Sequential`` that begins with a linear layer tells it.
    name : str, optional
        What texts call the network.
    until : str, optional
        A value or a node of the exported graph: the network up to there.
    drop_last : str, optional
        The operator that the output comes from, and that is left out, as ``"Softmax"``.
    roots : {"exact", "float32", "float64"}, optional
        What becomes of irrational square roots of batch normalisations: refused, or the nearest
        float; the name of the network says so.
    outputs : str or sequence of str, optional
        Which outputs of the exported graph, by name; all of them if nothing is said.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Network
        Every float as the dyadic rational that it stores.

    Raises
    ------
    InputError
        If a module is not supported, or cannot be exported: the message names it.

    Notes
    -----
    The module is read as it is used, in eval mode, and not changed.

    Examples
    --------
    >>> import exactrelu as er
    >>> import numpy as np
    >>> state = {"0.weight": np.array([[1.0], [-1.0]]), "0.bias": np.zeros(2),
    ...          "2.weight": np.array([[0.5, 0.5]]), "2.bias": np.zeros(1)}
    >>> er.from_torch(state)([-3])
    (3/2,)
    """
    reading = Reading.of(until=until, drop_last=drop_last, roots=roots, outputs=outputs)
    if isinstance(model_or_state_dict, Mapping):
        if reading.words:
            asked = one_line(reading.words)
            raise InputError(f"found a state_dict, and what is asked of a module:{asked}")
        return from_state_dict(model_or_state_dict, name, effort)
    if not _is_module(model_or_state_dict):
        raise InputError(
            f"found {kind_of(model_or_state_dict)}, expected a state_dict or a module of PyTorch"
        )
    modules = _leaves(model_or_state_dict, effort)
    is_part = bool(until or drop_last or outputs)
    unknown = [m for m in modules if not m.is_known] or modules[:is_part]
    if not unknown or isinstance(model_or_state_dict, ModuleRecord):
        network = _by_modules(modules, input_shape, reading, effort)
        return network.renamed((name + reading.words).strip())
    if unknown[0].is_curved and not is_part:
        raise UnsupportedFormat(f"{unknown[0].label}: {unknown[0].refusal}")
    shape = _told_shape(modules) if input_shape is None else input_shape
    if shape is None:
        raise InputError(unknown[0].needs_a_shape)
    graph = exported(model_or_state_dict, shape)
    name = name or type(model_or_state_dict).__name__
    return network_of_model(graph, "", "", effort, reading).renamed(name + reading.words)


def _by_modules(
    modules: Sequence[_Module], shape: Sequence[int] | None, reading: Reading, effort: Effort
) -> Network:
    """The network of known modules, one after the other."""
    shape = _told_shape(modules) if shape is None else shape
    if shape is None:
        raise InputError(
            "the first layers do not say the shape of the input: give it, as load(path, "
            "input_shape=(channels, height, width)) or convert --input-shape channels,height,width"
        )
    x = Tensor.variable((1, *shape), effort)
    for module in modules:
        effort.spend()
        with errors_in(module.label):
            x = module.apply(x, reading.roots)
    return x.network("")


def _is_module(value: Any) -> bool:
    return isinstance(value, ModuleRecord) or all(
        hasattr(value, attribute) for attribute in ("_modules", "_parameters", "_buffers")
    )


@dataclass(frozen=True)
class _Module:
    """A module that is no container: the name of its class, its place, its attributes."""

    kind: str
    place: str
    state: Mapping[str, Any]
    effort: Effort

    @property
    def label(self) -> str:
        return f"module {self.place!r} ({self.kind})" if self.place else f"module {self.kind}"

    @property
    def is_known(self) -> bool:
        """Whether its attributes say what it computes."""
        return self.kind in _KINDS

    @property
    def is_own(self) -> bool:
        """Whether the class is the user's, which may have any name."""
        return "." in self.kind and not self.kind.startswith("torch.")

    @property
    def is_curved(self) -> bool:
        return not self.is_own and is_no_function_of_a_network(self.kind.rpartition(".")[2])

    @property
    def refusal(self) -> str:
        return not_supported("" if self.is_own else self.kind.rpartition(".")[2])

    @property
    def needs_a_shape(self) -> str:
        """What is said where it is to be exported, and nothing tells the shape of the input."""
        where = f"module {self.place!r}: " if self.place else ""
        what = self.kind.rpartition(".")[2] + (
            " is a class of your own" if self.is_own else " is exported to be read"
        )
        return (
            f"{where}{what}: give the shape of its input, as er.from_torch(model, (3, 32, 32)), "
            "or pass model.state_dict() (ReLU is then assumed)"
        )

    def apply(self, x: Tensor, roots: Roots) -> Tensor:
        self.require_no_hooks()
        if not self.is_known:
            raise UnsupportedFormat(self.refusal)
        if self.kind.startswith("BatchNorm"):
            return _batch_norm(self, x, roots)
        return _KINDS[self.kind](self, x)

    def require_no_hooks(self) -> None:
        if self.state.get("_forward_hooks") or self.state.get("_forward_pre_hooks"):
            raise UnsupportedFormat("found forward hooks, which change what it computes")

    def attribute(self, name: str) -> Any:
        if name not in self.state:
            raise InputError(f"the attribute {name!r} is missing")
        return self.state[name]

    def tensor(self, name: str) -> Array | None:
        """A parameter or buffer, or None where the module has none."""
        for group in ("_parameters", "_buffers"):
            tensors = self.attribute(group)
            if isinstance(tensors, Mapping) and tensors.get(name) is not None:
                if not is_tensor(tensors[name]):
                    raise InputError(f"{name}: found {kind_of(tensors[name])}, expected a tensor")
                return floats_if_exact(exact_tensor(tensors[name], name, self.effort))
        return None

    def weight(self, ndim: int) -> Array:
        weight = self.tensor("weight")
        if weight is None or weight.ndim != ndim:
            found = "none" if weight is None else f"shape {weight.shape}"
            raise InputError(f"weight: found {found}, expected a tensor of {ndim} dimensions")
        return weight

    def integer(self, name: str) -> int:
        value = self.attribute(name)
        if not isinstance(value, int):
            raise InputError(f"{name}: found {kind_of(value)}, expected an integer")
        return value

    def integers(self, name: str, n: int) -> tuple[int, ...]:
        """An attribute that is one integer for all axes or one for each."""
        value = self.attribute(name)
        values = (value,) * n if isinstance(value, int) else value
        if (
            not isinstance(values, (tuple, list))
            or len(values) != n
            or not all(isinstance(v, int) for v in values)
        ):
            raise InputError(f"{name}: found {kind_of(value)}, expected {n} integers")
        return tuple(values)


def _leaves(root: Any, effort: Effort) -> list[_Module]:
    """The modules inside nested Sequentials, in the order in which they are applied."""
    leaves: list[_Module] = []
    waiting: list[tuple[str, Any]] = [("", root)]
    for _ in range(MAX_MODULES):
        if not waiting:
            return leaves
        place, module = waiting.pop()
        if not _is_module(module):
            raise InputError(f"module {place!r}: found {kind_of(module)}, expected a module")
        kind, state = _describe(module)
        leaf = _Module(kind, place, state, effort)
        if kind != "Sequential":
            leaves.append(leaf)
            continue
        with errors_in(leaf.label):
            children = leaf.attribute("_modules")
            if not isinstance(children, Mapping):
                raise InputError(f"_modules: found {kind_of(children)}, expected a mapping")
            leaf.require_no_hooks()
        inside = [(f"{place}.{key}".lstrip("."), child) for key, child in children.items()]
        waiting.extend(reversed(inside))
    raise UnsupportedFormat(f"found more than {MAX_MODULES} modules")


def _describe(module: Any) -> tuple[str, Mapping[str, Any]]:
    """The class's name, qualified unless it is one of torch's own, and the attributes."""
    if isinstance(module, ModuleRecord):
        return module.kind, module.state
    cls = type(module)
    known = cls.__name__ in MODULES.get(cls.__module__, ())
    return cls.__name__ if known else f"{cls.__module__}.{cls.__name__}", vars(module)


def _told_shape(modules: Sequence[_Module]) -> tuple[int, ...] | None:
    """The shape that the first layer asks for, where it says so."""
    for module in modules:
        if module.kind == "Linear":
            with errors_in(module.label):
                return (module.weight(2).shape[1],)
        if module.kind not in ("ReLU", "Flatten", "Identity", "Dropout"):
            break
    return None


def _linear(module: _Module, x: Tensor) -> Tensor:
    result = matmul(x, module.weight(2).T)
    bias = module.tensor("bias")
    if bias is None:
        return result
    if bias.shape != result.shape[-1:]:
        raise ShapeError(f"bias: found shape {bias.shape}, expected {result.shape[-1:]}")
    return result.add_constant(bias)


def _flatten(module: _Module, x: Tensor) -> Tensor:
    rank = len(x.shape)
    start, end = (module.integer(name) for name in ("start_dim", "end_dim"))
    first, last = (d + rank if d < 0 else d for d in (start, end))
    if not 0 <= first <= last < rank:
        raise ShapeError(f"cannot flatten axes {start} … {end} of shape {x.shape}")
    together = math.prod(x.shape[first : last + 1])
    return x.reshape((*x.shape[:first], together, *x.shape[last + 1 :]))


def _convolution(module: _Module, x: Tensor) -> Tensor:
    n = 1 if module.kind == "Conv1d" else 2
    if module.attribute("padding_mode") != "zeros":
        raise UnsupportedFormat("found a padding_mode other than zeros")
    kernel = module.weight(n + 2)
    strides, dilations = module.integers("stride", n), module.integers("dilation", n)
    size = kernel.shape[2:]
    padding = module.attribute("padding")
    if padding == "same":
        window = KernelWindow.same(size, strides, dilations, x.shape[2:])
    else:
        pads = (0,) * n if padding == "valid" else module.integers("padding", n)
        window = KernelWindow(size, strides, tuple((p, p) for p in pads), dilations)
    return x.convolve(kernel, module.tensor("bias"), window, module.integer("groups"))


def _average_pool(module: _Module, x: Tensor) -> Tensor:
    n = 1 if module.kind == "AvgPool1d" else 2
    if module.state.get("divisor_override") is not None:
        raise UnsupportedFormat("found a divisor_override")
    pads = module.integers("padding", n)
    window = KernelWindow(
        module.integers("kernel_size", n),
        module.integers("stride", n),
        tuple((p, p) for p in pads),
        (1,) * n,
        bool(module.attribute("ceil_mode")),
    )
    return x.average_pool(window, bool(module.attribute("count_include_pad")))


def _max_pool(module: _Module, x: Tensor) -> Tensor:
    n = 1 if module.kind == "MaxPool1d" else 2
    if module.attribute("return_indices"):
        raise UnsupportedFormat("found return_indices")
    pads = module.integers("padding", n)
    window = KernelWindow(
        module.integers("kernel_size", n),
        module.integers("stride", n),
        tuple((p, p) for p in pads),
        module.integers("dilation", n),
        bool(module.attribute("ceil_mode")),
    )
    return x.max_pool(window)


def _batch_norm(module: _Module, x: Tensor, roots: Roots = Roots.EXACT) -> Tensor:
    mean, variance = module.tensor("running_mean"), module.tensor("running_var")
    if mean is None or variance is None or mean.ndim != 1 or mean.shape != variance.shape:
        raise UnsupportedFormat("found no running mean and variance, expected the inference form")
    scale, shift = module.tensor("weight"), module.tensor("bias")
    n = len(mean)
    epsilon = rational(module.attribute("eps"), "eps")
    by = Normalisation.of(
        filled(n, ONE) if scale is None else scale,
        filled(n, ZERO) if shift is None else shift,
        mean,
        variance,
        filled(n, epsilon),
        roots,
    )
    return x.normalised(by)


def _unchanged(module: _Module, x: Tensor) -> Tensor:
    return x


_KINDS: dict[str, Callable[[_Module, Tensor], Tensor]] = {
    "Linear": _linear,
    "ReLU": lambda module, x: x.relu(),
    "Flatten": _flatten,
    "Conv1d": _convolution,
    "Conv2d": _convolution,
    "AvgPool1d": _average_pool,
    "AvgPool2d": _average_pool,
    "MaxPool1d": _max_pool,
    "MaxPool2d": _max_pool,
    "BatchNorm1d": _batch_norm,
    "BatchNorm2d": _batch_norm,
    "Identity": _unchanged,
    "Dropout": _unchanged,
    "Dropout1d": _unchanged,
    "Dropout2d": _unchanged,
}
