"""Pickles, and PyTorch files (``.pt``, ``.pth``), read without torch and without running any code.

Python's unpickler imports what a pickle names and calls it.  The machine below never
imports and never calls anything of the file's choosing: ``pickletools`` splits the
bytes into opcodes, and each opcode builds a number, a text, a tuple, a list
or a dictionary.  A *global* is looked up by the caller's ``find_global``; "calling"
it (REDUCE, NEWOBJ) runs the caller's own constructor of that stand-in; "setting its
state" (BUILD) is ``set_state`` of a stand-in that has one.  Every other opcode, and
every misuse of these, is an error.

A file of ``torch.save`` is a zip archive: a pickle ``data.pkl`` and one member of raw
numbers for each storage.  The pickle goes through :func:`read_pickle` with a fixed list
of names (:func:`find_global`); each stands for a record of our own, and any other name is
refused.  Sizes, strides and offsets are checked against the bytes that are there.

Not read: files from before torch 1.6 (no zip archive) and TorchScript (a program).
"""

from __future__ import annotations

import pickletools
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import FORMATS_PAGE, InputError, UnsupportedFormat, said
from exactrelu.files import PathLike, errors_in, read_bytes, unzip
from exactrelu.network.formats.arrays import Array
from exactrelu.network.graph.windows import MAX_ENTRIES


@dataclass(frozen=True)
class StandIn:
    """What stands for a callable that a pickle names: our own function of the arguments."""

    name: str
    construct: Callable[[tuple[Any, ...]], Any]


class Stateful:
    """A stand-in for an object whose state a pickle may set, once, to a dictionary."""

    def set_state(self, state: dict[Any, Any]) -> None:
        raise NotImplementedError


def read_pickle(
    data: bytes,
    find_global: Callable[[str, str], Any],
    persistent_load: Callable[[Any], Any],
    effort: Effort = UNLIMITED,
) -> Any:
    """The value that a pickle describes, made of plain data and the caller's stand-ins."""
    machine = _Machine(find_global, persistent_load)
    try:
        # Of names with a wrong escape in them Python warns.
        with warnings.catch_warnings(action="ignore"):
            for opcode, argument, _ in pickletools.genops(data):
                effort.spend()
                machine.step(opcode.name, argument)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"found a broken pickle: {said(error)}") from None
    return machine.pop()


@dataclass
class _Machine:
    find_global: Callable[[str, str], Any]
    persistent_load: Callable[[Any], Any]
    stack: list[Any] = field(default_factory=list)
    #: The stacks below each MARK.
    below: list[list[Any]] = field(default_factory=list)
    memo: dict[int, Any] = field(default_factory=dict)

    def step(self, name: str, argument: Any) -> None:
        if name in _IGNORED:
            return
        if name in _LITERALS:
            self.stack.append(argument)
        elif name in _CONSTANTS:
            self.stack.append(_CONSTANTS[name]())
        elif name in _OPCODES:
            _OPCODES[name](self, argument)
        else:
            raise UnsupportedFormat(f"found the pickle opcode {name}, expected plain data")

    def pop(self) -> Any:
        if not self.stack:
            raise InputError("found a broken pickle: it takes a value where there is none")
        return self.stack.pop()

    def top(self, kind: type, name: str) -> Any:
        if not self.stack or not isinstance(self.stack[-1], kind):
            raise InputError(f"found a broken pickle: {name} without its {kind.__name__}")
        return self.stack[-1]

    def mark(self, _: Any) -> None:
        self.below.append(self.stack)
        self.stack = []

    def pop_mark(self) -> list[Any]:
        if not self.below:
            raise InputError("found a broken pickle: it ends a group that it never began")
        items, self.stack = self.stack, self.below.pop()
        return items

    def make_tuple(self, _: Any) -> None:
        items = self.pop_mark()
        self.stack.append(tuple(items))

    def make_short_tuple(self, length: int) -> None:
        items = [self.pop() for _ in range(length)]
        self.stack.append(tuple(reversed(items)))

    def put(self, number: int) -> None:
        self.memo[number] = self.top(object, "PUT")

    def memoize(self, _: Any) -> None:
        self.put(len(self.memo))

    def get(self, number: int) -> None:
        if number not in self.memo:
            raise InputError(f"found a broken pickle: no memo {number}")
        self.stack.append(self.memo[number])

    def global_(self, argument: str) -> None:
        module, _, name = argument.partition(" ")
        self.stack.append(self.find_global(module, name))

    def stack_global(self, _: Any) -> None:
        name, module = self.pop(), self.pop()
        if not (isinstance(module, str) and isinstance(name, str)):
            raise InputError("found a broken pickle: a global whose name is no text")
        self.stack.append(self.find_global(module, name))

    def reduce(self, _: Any) -> None:
        arguments, function = self.pop(), self.pop()
        if not isinstance(function, StandIn) or not isinstance(arguments, tuple):
            raise UnsupportedFormat("found a pickle that calls something that is not callable here")
        self.stack.append(function.construct(arguments))

    def build(self, _: Any) -> None:
        state = self.pop()
        target = self.top(object, "BUILD")
        if isinstance(target, Stateful) and isinstance(state, dict):
            target.set_state(state)
        elif not isinstance(target, dict):
            raise UnsupportedFormat("found a pickle that sets the state of something without one")
        # Attributes of an OrderedDict (PyTorch's _metadata) are no part of its content.

    def persistent(self, _: Any) -> None:
        self.stack.append(self.persistent_load(self.pop()))

    def set_items(self, items: list[Any]) -> None:
        target = self.top(dict, "SETITEMS")
        if len(items) % 2:
            raise InputError("found a broken pickle: a key without a value")
        for key, value in zip(items[::2], items[1::2], strict=True):
            if not isinstance(key, (str, int)):
                raise UnsupportedFormat(
                    "found a dictionary whose keys are neither text nor integers"
                )
            target[key] = value

    def set_item(self, _: Any) -> None:
        value, key = self.pop(), self.pop()
        self.set_items([key, value])

    def set_marked_items(self, _: Any) -> None:
        self.set_items(self.pop_mark())

    def append(self, _: Any) -> None:
        item = self.pop()
        self.top(list, "APPEND").append(item)

    def extend(self, _: Any) -> None:
        items = self.pop_mark()
        self.top(list, "APPENDS").extend(items)


_IGNORED = {"PROTO", "FRAME", "STOP"}

#: Opcodes whose argument is the value itself.
_LITERALS = {
    *("BININT", "BININT1", "BININT2", "LONG1", "LONG4", "BINFLOAT"),
    *("BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"),
}

#: Sets are read as lists: nothing here needs one.
_CONSTANTS: dict[str, Callable[[], Any]] = {
    "NONE": lambda: None,
    "NEWTRUE": lambda: True,
    "NEWFALSE": lambda: False,
    "EMPTY_TUPLE": tuple,
    "EMPTY_LIST": list,
    "EMPTY_SET": list,
    "EMPTY_DICT": dict,
}

_OPCODES: dict[str, Callable[[_Machine, Any], None]] = {
    "MARK": _Machine.mark,
    "TUPLE": _Machine.make_tuple,
    "TUPLE1": lambda machine, _: machine.make_short_tuple(1),
    "TUPLE2": lambda machine, _: machine.make_short_tuple(2),
    "TUPLE3": lambda machine, _: machine.make_short_tuple(3),
    "BINPUT": _Machine.put,
    "LONG_BINPUT": _Machine.put,
    "MEMOIZE": _Machine.memoize,
    "BINGET": _Machine.get,
    "LONG_BINGET": _Machine.get,
    "GLOBAL": _Machine.global_,
    "STACK_GLOBAL": _Machine.stack_global,
    "REDUCE": _Machine.reduce,
    "NEWOBJ": _Machine.reduce,
    "BUILD": _Machine.build,
    "BINPERSID": _Machine.persistent,
    "SETITEM": _Machine.set_item,
    "SETITEMS": _Machine.set_marked_items,
    "APPEND": _Machine.append,
    "APPENDS": _Machine.extend,
    "ADDITEMS": _Machine.extend,
}


#: Storage class → numpy type of its bytes.  bfloat16 is the upper half of a float32.
_STORAGES = {
    "DoubleStorage": "f8",
    "FloatStorage": "f4",
    "HalfStorage": "f2",
    "BFloat16Storage": "bfloat16",
    "LongStorage": "i8",
    "IntStorage": "i4",
}

#: Module classes that a file may hold, by the module that defines them.
MODULES = {
    "torch.nn.modules.container": ("Sequential",),
    "torch.nn.modules.linear": ("Linear", "Identity"),
    "torch.nn.modules.activation": ("ReLU",),
    "torch.nn.modules.flatten": ("Flatten",),
    "torch.nn.modules.conv": ("Conv1d", "Conv2d"),
    "torch.nn.modules.pooling": ("AvgPool1d", "AvgPool2d", "MaxPool1d", "MaxPool2d"),
    "torch.nn.modules.batchnorm": ("BatchNorm1d", "BatchNorm2d"),
    "torch.nn.modules.dropout": ("Dropout", "Dropout1d", "Dropout2d"),
}


@dataclass(frozen=True)
class StorageType:
    """The class of a storage: how its bytes are numbers."""

    name: str
    dtype: str

    @property
    def item_size(self) -> int:
        return 2 if self.dtype == "bfloat16" else np.dtype(self.dtype).itemsize


@dataclass(frozen=True)
class TensorRecord:
    """A tensor of a file: a view of the numbers that its storage holds."""

    array: Array


class ModuleRecord(Stateful):
    """A ``torch.nn`` module of a file: its class's name and its attributes."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.state: dict[str, Any] = {}

    def set_state(self, state: dict[Any, Any]) -> None:
        if self.state or not all(isinstance(key, str) for key in state):
            raise InputError(f"found a broken pickle: a {self.kind} with a state that is none")
        self.state = state


def read_torch(path: PathLike, effort: Effort = UNLIMITED) -> Any:
    """What ``torch.save`` stored, with records in place of tensors and modules."""
    data = read_bytes(path, effort)
    with errors_in(path):
        if not data.startswith(b"PK"):
            raise UnsupportedFormat(
                "found no zip archive, expected a file of torch.save (torch 1.6 or newer); "
                "older and other pickles are not loaded, because loading them runs their code"
            )
        members = unzip(data, effort)
        return _TorchArchive(_root(members), members, effort).read()


def _root(members: Mapping[str, bytes]) -> str:
    """The folder of ``data.pkl`` in the archive."""
    roots = [name[: -len("data.pkl")] for name in members if re.fullmatch(r"[^/]+/data\.pkl", name)]
    if len(roots) != 1:
        raise UnsupportedFormat("found a zip archive without data.pkl, expected one of torch.save")
    if any(name.startswith((f"{roots[0]}code/", f"{roots[0]}constants.pkl")) for name in members):
        raise UnsupportedFormat(
            "found a TorchScript archive, expected a state_dict or an nn.Sequential "
            "(torch.save of the module, or export ONNX)"
        )
    return roots[0]


class _TorchArchive:
    def __init__(self, root: str, members: Mapping[str, bytes], effort: Effort) -> None:
        self._effort = effort
        self._root = root
        self._members = members
        self._storages: dict[tuple[str, str], Array] = {}
        order = members.get(f"{root}byteorder", b"little")
        if order not in (b"little", b"big"):
            raise InputError("byteorder: expected little or big")
        self._order = "<" if order == b"little" else ">"

    def read(self) -> Any:
        data = self._members[f"{self._root}data.pkl"]
        with errors_in("data.pkl"):
            return read_pickle(data, find_global, self._storage, self._effort)

    def _storage(self, persistent_id: Any) -> Array:
        """The numbers of the storage that ('storage', type, key, location, count) names."""
        match persistent_id:
            case ("storage", StorageType() as kind, str() as key, _, int() as count):
                pass
            case _:
                raise InputError("found a persistent id that names no storage")
        if (kind.name, key) in self._storages:
            return self._storages[kind.name, key]
        data = self._members.get(f"{self._root}data/{key}")
        if data is None:
            raise InputError(f"storage {key!r} is missing from the archive")
        if len(data) != count * kind.item_size:
            raise InputError(
                f"storage {key!r}: found {len(data)} bytes, "
                f"expected {count * kind.item_size} for {count} numbers of a {kind.name}"
            )
        self._storages[kind.name, key] = self._numbers(data, kind)
        return self._storages[kind.name, key]

    def _numbers(self, data: bytes, kind: StorageType) -> Array:
        if kind.dtype == "bfloat16":
            upper = np.frombuffer(data, f"{self._order}u2").astype(np.uint32)
            return (upper << np.uint32(16)).view(np.float32)
        return np.frombuffer(data, self._order + kind.dtype)


def find_global(module: str, name: str) -> Any:
    """The stand-in for a name, from a fixed list; nothing is ever imported."""
    if module == "torch" and name in _STORAGES:
        return StorageType(name, _STORAGES[name])
    if name in MODULES.get(module, ()):
        return StandIn(name, lambda arguments: _module(name, arguments))
    if (module, name) in _FUNCTIONS:
        return StandIn(name, _FUNCTIONS[module, name])
    raise UnsupportedFormat(
        f"the file names {f'{module}.{name}'[:100]!r}, which is not loaded (no code of a file is "
        "ever run); expected a state_dict or an nn.Sequential of supported layers "
        f"(see {FORMATS_PAGE} in the manual)"
    )


def _module(name: str, arguments: tuple[Any, ...]) -> ModuleRecord:
    if arguments:
        raise InputError(f"found a broken pickle: a {name} made with arguments")
    return ModuleRecord(name)


def _ordered_dict(arguments: tuple[Any, ...]) -> dict[Any, Any]:
    if arguments:
        raise InputError("found a broken pickle: an OrderedDict made with arguments")
    return {}


def _set(arguments: tuple[Any, ...]) -> list[Any]:
    match arguments:
        case (list() as items,):
            return list(items)
        case _:
            raise InputError("found a broken pickle: a set of something that is no list")


def _parameter(arguments: tuple[Any, ...]) -> TensorRecord:
    match arguments:
        case (TensorRecord() as tensor, _, _):
            return tensor
        case _:
            raise InputError("found a broken pickle: a parameter that is no tensor")


def _tensor(arguments: tuple[Any, ...]) -> TensorRecord:
    """The view (storage, offset, shape, strides), proved to lie inside the storage."""
    match arguments:
        case (np.ndarray() as numbers, int() as offset, tuple() as shape, tuple() as strides, *_):
            pass
        case _:
            raise InputError("found a broken pickle: a tensor of something that is no storage")
    if len(shape) != len(strides) or not all(
        isinstance(v, int) and v >= 0 for v in (offset, *shape, *strides)
    ):
        raise InputError("found a broken pickle: a tensor whose shape is none")
    # Prefix by prefix, so that the product itself stays small.
    size = 1
    for n in shape:
        size *= n
        if size > MAX_ENTRIES:
            raise UnsupportedFormat(f"a tensor with more than {MAX_ENTRIES} numbers")
    last = offset + sum((n - 1) * stride for n, stride in zip(shape, strides, strict=True))
    if size == 0:
        raise InputError(f"a tensor of shape {shape} holds no numbers")
    if last >= len(numbers):
        raise InputError(
            f"a tensor of shape {shape} ends at number {last} of a storage of {len(numbers)}"
        )
    steps = tuple(stride * numbers.itemsize for stride in strides)
    view = np.lib.stride_tricks.as_strided(numbers[offset:], shape, steps, writeable=False)
    return TensorRecord(view)


_FUNCTIONS = {
    ("collections", "OrderedDict"): _ordered_dict,
    ("__builtin__", "set"): _set,
    ("builtins", "set"): _set,
    ("torch._utils", "_rebuild_tensor_v2"): _tensor,
    ("torch._utils", "_rebuild_parameter"): _parameter,
}
