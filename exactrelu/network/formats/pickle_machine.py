"""A reader of pickles that runs no code: the opcodes of plain data, interpreted as data.

Python's unpickler imports what a pickle names and calls it.  This machine never
imports and never calls anything of the file's choosing: ``pickletools`` splits the
bytes into opcodes, and each opcode below builds a number, a text, a tuple, a list
or a dictionary.  A *global* is looked up by the caller's ``find_global``; "calling"
it (REDUCE, NEWOBJ) runs the caller's own constructor of that stand-in; "setting its
state" (BUILD) is ``set_state`` of a stand-in that has one.  Every other opcode, and
every misuse of these, is an error.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from exactrelu.errors import InputError, UnsupportedFormat


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
) -> Any:
    """The value that a pickle describes, made of plain data and the caller's stand-ins."""
    machine = _Machine(find_global, persistent_load)
    try:
        for opcode, argument, _ in pickletools.genops(data):
            machine.step(opcode.name, argument)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"found a broken pickle: {error}") from None
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
