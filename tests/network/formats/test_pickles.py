"""PyTorch files without torch: none of them runs anything, and abuse is refused in one line."""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError, UnsupportedFormat
from exactrelu.network.formats.load import load

FOLDER = Path(__file__).parent / "data" / "torch"


WATCHED = """
import sys
sys.modules["torch"] = None
from exactrelu.network.formats.torch_modules import load_torch
def watch(event, arguments):
    if event in ("pickle.find_class", "import", "exec", "compile", "os.system", "subprocess.Popen"):
        print(event, arguments, file=sys.stderr)
        raise SystemExit(7)
load_torch(sys.argv[1])
sys.addaudithook(watch)
load_torch(sys.argv[1])
"""


def test_reading_imports_and_runs_nothing() -> None:
    """Python's own audit events, watched from the second reading on (the first is lazy)."""
    command = [sys.executable, "-c", WATCHED, str(FOLDER / "mlp_sequential.pt")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("legacy", r"found no zip archive, expected a file of torch.save"),
        ("sigmoid", r"names 'torch.nn.modules.activation.Sigmoid', which is not loaded"),
        ("list", r"found a value of type list, expected a state_dict or a module of PyTorch"),
        ("torchscript", r"found a TorchScript archive"),
        ("conv2d_sequential", r"the first layers do not say the shape.*input_shape="),
        ("conv2d_state_dict", r"entry '1.running_mean': expected only the weight and bias"),
    ],
)
def test_files_that_are_refused(name: str, message: str) -> None:
    path = FOLDER / f"{name}.pt"
    with pytest.raises(InputError, match=message) as error:
        load(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


# A small assembler of pickles, for files that torch.save would never write.


def name(module: str, attribute: str) -> bytes:
    return f"c{module}\n{attribute}\n".encode()


def text(value: str) -> bytes:
    return b"X" + struct.pack("<I", len(value.encode())) + value.encode()


def integer(value: int) -> bytes:
    if -(2**31) <= value < 2**31:
        return b"J" + struct.pack("<i", value)
    data = value.to_bytes(20, "little", signed=True)
    return b"\x8a" + bytes([len(data)]) + data


def group(*items: bytes) -> bytes:
    return b"(" + b"".join(items) + b"t"


def mapping(**items: bytes) -> bytes:
    return b"}(" + b"".join(text(k) + v for k, v in items.items()) + b"u"


FLOATS = name("torch", "FloatStorage")
ORDERED_DICT = name("collections", "OrderedDict") + b")R"
LINEAR = name("torch.nn.modules.linear", "Linear")
SEQUENTIAL = name("torch.nn.modules.container", "Sequential")


def storage(key: str = "0", count: int = 6, kind: bytes = FLOATS) -> bytes:
    return group(text("storage"), kind, text(key), text("cpu"), integer(count)) + b"Q"


def tensor(
    shape: tuple[int, ...] = (2, 3), strides: tuple[int, ...] = (3, 1), offset: int = 0, **kw: Any
) -> bytes:
    parts = (
        storage(**kw),
        integer(offset),
        group(*map(integer, shape)),
        group(*map(integer, strides)),
        b"\x89",
        ORDERED_DICT,
    )
    return name("torch._utils", "_rebuild_tensor_v2") + group(*parts) + b"R"


def module(cls: bytes, **state: bytes) -> bytes:
    return cls + b")\x81" + mapping(**state) + b"b"


def linear(**more: bytes) -> bytes:
    return module(LINEAR, _parameters=mapping(weight=tensor()), _buffers=b"}", **more)


def sequential(**children: bytes) -> bytes:
    return module(SEQUENTIAL, _modules=mapping(**children))


def archive(path: Path, program: bytes, floats: int = 6) -> Path:
    """A .pt file with this pickle and one storage of the numbers 0, 1, 2, …"""
    with zipfile.ZipFile(path / "net.pt", "w") as file:
        file.writestr("a/data.pkl", program)
        file.writestr("a/data/0", np.arange(floats, dtype="<f4").tobytes())
        file.writestr("a/version", "3\n")
    return path / "net.pt"


def pickled(body: bytes) -> bytes:
    return b"\x80\x02" + body + b"."


def test_the_assembler_writes_good_files(tmp_path: Path) -> None:
    expected = [[0, 1, 2], [3, 4, 5]]
    for body in [linear(), sequential(a=linear()), mapping(**{"a.weight": tensor()})]:
        net = load(archive(tmp_path, pickled(body)))
        assert [list(map(int, map(str, row))) for row in net.layers[0].weights.rows()] == expected
    transposed = mapping(weight=tensor((3, 2), (1, 3)))
    net = load(archive(tmp_path, pickled(transposed)))
    assert [str(v) for v in net.layers[0].weights.column(0)] == ["0", "1", "2"]


def evil(protocol: int, function: Any, *arguments: Any) -> bytes:
    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return function, arguments

    return pickle.dumps({"0.weight": Evil()}, protocol=protocol)


@pytest.mark.parametrize("protocol", range(6))
def test_a_malicious_pickle_runs_nothing(tmp_path: Path, protocol: int) -> None:
    ran = tmp_path / "ran"
    command = f"touch {ran}"
    attacks = [
        (os.system, command),
        (eval, f"__import__('os').system({command!r})"),
        (exec, f"import os; os.system({command!r})"),
        (Path.touch, ran),
        (getattr, "os", "system"),
        (__import__, "os"),
        (open, str(ran), "w"),
    ]
    for function, *arguments in attacks:
        program = evil(protocol, function, *arguments)
        with pytest.raises(UnsupportedFormat, match=r"which is not loaded|opcode") as error:
            load(archive(tmp_path, program))
        assert "\n" not in str(error.value)
        assert not ran.exists()
    # The same pickles without an archive.
    (tmp_path / "bare.pt").write_bytes(evil(protocol, os.system, command))
    with pytest.raises(UnsupportedFormat, match="found no zip archive"):
        load(tmp_path / "bare.pt")
    assert not ran.exists()
    # They do run where they are trusted: the attack is real.
    pickle.loads(evil(protocol, os.system, command))
    assert ran.exists()


ABUSES: list[tuple[bytes, str]] = [
    # What stands for a callable is neither importable, nor changeable, nor general.
    (name("posix", "system") + group(text("true")) + b"R", "'posix.system', which is not loaded"),
    (name("builtins", "eval") + group(text("1")) + b"R", "'builtins.eval'"),
    (name("torch.hub", "load") + group(text("x")) + b"R", "'torch.hub.load'"),
    (name("torch", "load") + b")R", "'torch.load'"),
    (name("torch.nn.modules.linear", "__builtins__"), "which is not loaded"),
    (name("torch._utils", "_rebuild_tensor_v2.__globals__"), "which is not loaded"),
    (name("collections", "OrderedDict.__init__"), "which is not loaded"),
    (LINEAR + mapping(forward=b"N") + b"b", "sets the state of something without one"),
    (FLOATS + mapping(dtype=text("O")) + b"b", "sets the state of something without one"),
    (name("builtins", "set") + mapping(a=b"N") + b"b", "sets the state of something"),
    (LINEAR + b")\x81" + group(b"N", mapping(a=b"N")) + b"b", "sets the state of something"),
    (LINEAR + b")\x81N" + b"b", "sets the state of something"),
    (linear() + mapping(_parameters=b"}") + b"b", "Linear with a state that is none"),
    (tensor() + mapping(array=b"N") + b"b", "sets the state of something"),
    (LINEAR + group(integer(3)) + b"R", "Linear made with arguments"),
    (name("collections", "OrderedDict") + group(b"]") + b"R", "OrderedDict made with arguments"),
    (name("builtins", "set") + group(text("abc")) + b"R", "a set of something that is no list"),
    (FLOATS + b")R", "calls something that is not callable"),
    (text("os.system") + group(text("true")) + b"R", "calls something that is not callable"),
    (LINEAR + text("no tuple") + b"R", "calls something that is not callable"),
    (ORDERED_DICT + b")R", "calls something that is not callable"),
    (
        name("torch._utils", "_rebuild_parameter") + group(integer(1), b"\x89", b"N") + b"R",
        "a parameter that is no tensor",
    ),
    # Opcodes outside the list.
    (b"(iposix\nsystem\n", "opcode INST"),
    (b"(" + name("posix", "system") + text("true") + b"o", "which is not loaded"),
    (b"\x82\x01", "opcode EXT1"),
    (b"P0\n", "opcode PERSID"),
    (b"N2", "opcode DUP"),
    (b"C\x01a", "opcode SHORT_BINBYTES"),
    # Broken programs.
    (b"", "takes a value where there is none"),
    (b"t", "ends a group that it never began"),
    (b"\x85", "takes a value where there is none"),
    (b"h\x07", "no memo 7"),
    (b"q\x01", "PUT without its object"),
    (b"j" + b"\xff" * 4, "no memo 4294967295"),
    (b"Nr" + b"\xff" * 4, "found a value of type NoneType"),
    (b"N" + integer(1) + b"a", "APPEND without its list"),
    (b"N" + text("a") + b"Ns", "SETITEMS without its dict"),
    (b"}(" + text("a") + b"u", "a key without a value"),
    (b"}(]Nu", "keys are neither text nor integers"),
    (integer(1) + integer(2) + b"\x93", "a global whose name is no text"),
    (b"X\xff\xff\xff\xffshort", "broken pickle"),
    (b"\x8d" + b"\xff" * 8 + b"short", "broken pickle"),
    (b"\xf9", "broken pickle"),
    # pickletools warns of the escape.
    (b"c\\orch\nFloatStorage\n.", r"\\\\orch"),
    # Storages and tensors that are not there.
    (integer(7) + b"Q", "a persistent id that names no storage"),
    (group(text("storage"), text("f4"), text("0"), text("cpu"), integer(6)) + b"Q", "names no sto"),
    (group(text("module"), FLOATS, text("0"), text("cpu"), integer(6)) + b"Q", "names no storage"),
    (
        group(text("storage"), FLOATS, integer(0), text("cpu"), integer(6)) + b"Q",
        "names no storage",
    ),
    (group(text("storage"), FLOATS, text("0")) + b"Q", "names no storage"),
    (tensor(key="1"), "storage '1' is missing"),
    (tensor(key="../data.pkl"), "is missing"),
    (tensor(count=7), "storage '0': found 24 bytes, expected 28 for 7 numbers of a FloatStorage"),
    (tensor(count=-6), "storage '0': found 24 bytes"),
    (tensor(count=10**30), "storage '0': found 24 bytes"),
    (tensor(kind=name("torch", "DoubleStorage")), "expected 48"),
    (tensor(kind=name("torch", "ComplexFloatStorage")), "'torch.ComplexFloatStorage'"),
    (tensor((2, 4), (4, 1)), r"shape \(2, 4\) ends at number 7 of a storage of 6"),
    (tensor((2, 3), (3, 1), offset=1), "ends at number 6 of a storage of 6"),
    (tensor((2, 3), (3, 1), offset=-1), "whose shape is none"),
    (tensor((2, 3), (-3, 1), offset=3), "whose shape is none"),
    (tensor((2, 3), (3,)), "whose shape is none"),
    (tensor((0, 3)), "holds no numbers"),
    (tensor((10**6, 10**6), (0, 0)), "a tensor with more than"),
    (tensor((10**40,), (0,)), "a tensor with more than"),
    (tensor((1,), (10**40,), offset=10**40), "ends at number"),
    (tensor((1,) * 100, (1,) * 100), "broken pickle"),
    # Things that are no network.
    (mapping(), "found no entries"),
    (mapping(weight=integer(3)), "entry 'weight': found a value of type int"),
    (b"}(" + integer(1) + tensor() + b"u", "entry '1': expected only the weight and bias"),
    (mapping(**{"a.bias": tensor((3,), (1,))}), "entry 'a.weight' is missing, beside 'a.bias'"),
    (
        mapping(**{"a.weight": tensor((3,), (1,))}),
        r"found shape \(3,\).*what a normalisation needs",
    ),
    (
        mapping(**{"a.weight": tensor((1, 2, 3, 1), (0, 3, 1, 0))}),
        r"stride and padding of a convolution are not in a state_dict: save the nn.Sequential",
    ),
    (
        mapping(**{"a.weight": tensor(), "b.weight": tensor()}),
        r"layer 2 takes 3 inputs, but layer 1 has 2 outputs",
    ),
    (sequential(), "do not say the shape"),
    (sequential(a=integer(3)), "module 'a': found a value of type int, expected a module"),
    (module(SEQUENTIAL, _modules=b"N"), "_modules: found a value of type NoneType"),
    (SEQUENTIAL + b")\x81", "the attribute '_modules' is missing"),
    (LINEAR + b")\x81", r"module Linear: the attribute '_parameters' is missing"),
    (module(LINEAR, _parameters=mapping(weight=text("w")), _buffers=b"}"), "expected a tensor"),
    (linear(_forward_hooks=mapping(a=b"N")), "found forward hooks"),
    (module(SEQUENTIAL, _modules=b"}", _forward_pre_hooks=mapping(a=b"N")), "found forward hooks"),
    (
        sequential(a=linear(), b=module(name("torch.nn.modules.flatten", "Flatten"))),
        r"module 'b' \(Flatten\): the attribute 'start_dim' is missing",
    ),
]


@pytest.mark.parametrize(("body", "message"), ABUSES, ids=[f"{i}" for i in range(len(ABUSES))])
def test_abuse_is_one_clear_line(tmp_path: Path, body: bytes, message: str) -> None:
    path = archive(tmp_path, pickled(body))
    with (
        warnings.catch_warnings(action="error"),
        pytest.raises(InputError, match=message) as error,
    ):
        load(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 500
    # Nothing of one file is left for the next.
    assert load(FOLDER / "mlp_sequential.pt").widths == (3, 5, 4, 2)


def test_a_sequential_that_contains_itself(tmp_path: Path) -> None:
    around = SEQUENTIAL + b")\x81q\x01" + mapping(_modules=mapping(a=b"h\x01")) + b"b"
    with pytest.raises(UnsupportedFormat, match="found more than 10000 modules"):
        load(archive(tmp_path, pickled(around)))
    doubled = module(LINEAR)
    for i in range(40):
        doubled += bytes([ord("q"), i])
        doubled += module(
            SEQUENTIAL, _modules=mapping(a=bytes([ord("h"), i]), b=bytes([ord("h"), i]))
        )
    with pytest.raises(UnsupportedFormat, match="found more than 10000 modules"):
        load(archive(tmp_path, pickled(doubled)))


def test_nan_in_a_file_has_a_place(tmp_path: Path) -> None:
    path = archive(tmp_path, pickled(mapping(**{"0.weight": tensor()})))
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a/data.pkl", pickled(mapping(**{"0.weight": tensor()})))
        file.writestr("a/data/0", np.array([0, 1, 2, 3, np.nan, 5], "<f4").tobytes())
    with pytest.raises(InputError, match=r"entry '0.weight'\[1\]\[1\]: found nan"):
        load(path)


def test_big_endian_storages(tmp_path: Path) -> None:
    path = tmp_path / "net.pt"
    for order, dtype in [("little", "<f4"), ("big", ">f4")]:
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("a/data.pkl", pickled(mapping(weight=tensor())))
            file.writestr("a/data/0", np.arange(6, dtype=dtype).tobytes())
            file.writestr("a/byteorder", order)
        assert load(path).layers[0].weights.row(1) == (3, 4, 5)
    with zipfile.ZipFile(path, "a") as file:
        file.writestr("b/data.pkl", b"N.")
    with pytest.raises(UnsupportedFormat, match=r"without data\.pkl"):
        load(path)


def test_over_a_bound() -> None:
    path = FOLDER / "mlp_sequential.pt"
    with pytest.raises(Stopped, match="stopped after 0 s"):
        load(path, effort=Effort(seconds=0))
    with pytest.raises(Stopped, match="64 bytes"):
        load(path, max_memory=64)
