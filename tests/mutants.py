"""Mutants of files: by bytes, words, values of JSON, members of archives, fields of ONNX.

A mutant is one to three small changes.  What is chosen depends on the random generator alone.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from random import Random
from typing import Any

#: What a reader of numbers and names may stumble over.
ODD = [
    *(
        "",
        "0",
        "-0",
        "1",
        "-1",
        "00",
        "1/0",
        "0/1",
        "1/3",
        "-1/-1",
        "1e5",
        "1e-5",
        "1e400",
        "1e9999",
    ),
    *(
        "1e99999999",
        "NaN",
        "inf",
        "-Infinity",
        "0x10",
        "1_0",
        "+1",
        "１",
        "9" * 40,
        "9" * 4000,
        "true",
    ),
    *(
        "null",
        "X_0",
        "Y_0",
        "X_99",
        "X[0]",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ";",
        '"',
        "and",
        "or",
    ),
    *(
        "not",
        "(not",
        "<=",
        "==",
        "real",
        "float32",
        "sat",
        "\x00",
        "\n",
        "\r",
        "\t",
        "\u2028",
        "é",
        "\ud7ff",
    ),
    "a" * 300,
]
_WORD = re.compile(r"\s+|[()\[\]{},:;]|[^\s()\[\]{},:;]+")

Mutation = Callable[[bytes, Random], bytes]


def by_bytes(data: bytes, rng: Random) -> bytes:
    """A byte changed, some taken out or put in, an end cut off, a piece twice or elsewhere."""
    found = bytearray(data)
    at = rng.randrange(len(found) + 1)
    to = min(len(found), at + rng.choice([1, 1, 2, 4, 16, 64]))
    match rng.randrange(7):
        case 0 if at < len(found):
            found[at] ^= 1 << rng.randrange(8)
        case 1 if at < len(found):
            found[at] = rng.randrange(256)
        case 2:
            del found[at:to]
        case 3:
            found[at:at] = rng.randbytes(rng.choice([1, 2, 8]))
        case 4:
            del found[at:]
        case 5:
            found[at:at] = found[at:to]
        case _:
            piece = found[at:to]
            del found[at:to]
            other = rng.randrange(len(found) + 1)
            found[other:other] = piece
    return bytes(found)


def by_words(data: bytes, rng: Random) -> bytes:
    """A word taken out, doubled, exchanged with another one, or an odd one in its place."""
    words = _WORD.findall(data.decode("utf-8", "replace"))
    solid = [k for k, word in enumerate(words) if word.strip()]
    if not solid:
        return by_bytes(data, rng)
    k, other = rng.choice(solid), rng.choice(solid)
    match rng.randrange(5):
        case 0:
            words[k] = ""
        case 1:
            words[k] = f"{words[k]} {words[k]}"
        case 2:
            words[k], words[other] = words[other], words[k]
        case 3:
            words[k] = words[other]
        case _:
            words[k] = rng.choice(ODD)
    return "".join(words).encode("utf-8", "replace")


def by_values(data: bytes, rng: Random) -> bytes:
    """A value of JSON taken out, doubled, or an odd one in its place."""
    try:
        value = json.loads(data)
    except ValueError:
        return by_words(data, rng)
    places: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict | list):
            pairs = list(one.items() if isinstance(one, dict) else enumerate(one))
            places += [(one, key) for key, _ in pairs]
            waiting += [inner for _, inner in pairs]
    if not places:
        return by_words(data, rng)
    parent, key = rng.choice(places)
    odd = [*ODD, 0, -1, 1, 2**70, 0.5, True, None, [], {}, [[]], [1], {"a": 1}, "1/7"]
    match rng.randrange(4):
        case 0:
            del parent[key]
        case 1 if isinstance(parent, list):
            parent.insert(key, parent[key])
        case 2:
            other, name = rng.choice(places)
            # A copy, so that nothing is inside itself.
            parent[key] = json.loads(json.dumps(other.get(name) if isinstance(other, dict) else 1))
        case _:
            parent[key] = rng.choice(odd)
    return json.dumps(value).encode("utf-8", "replace")


def by_members(data: bytes, rng: Random) -> bytes:
    """A member of an archive mutated, taken out, renamed or added again."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    except Exception:
        return by_bytes(data, rng)
    if not members:
        return by_bytes(data, rng)
    k = rng.randrange(len(members))
    name, content = members[k]
    match rng.randrange(8):
        case 0:
            del members[k]
        case 1:
            members[k] = (
                rng.choice([n for n, _ in members] + ["W1.npy", "../x", "x"]),
                content,
            )
        case 2:
            members[k] = (name, rng.choice(members)[1])
        case 3:
            members[k] = (name, by_words(content, rng))
        case _:
            members[k] = (name, by_bytes(content, rng))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for member in dict(members).items():
            archive.writestr(*member)
    return buffer.getvalue()


def by_fields(data: bytes, rng: Random) -> bytes:
    """A field of an ONNX model, wherever in it, set to an odd value, cleared, doubled or moved."""
    import onnx

    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
    except Exception:
        return by_bytes(data, rng)
    places: list[tuple[Any, Any]] = []
    waiting: list[Any] = [model]
    while waiting:
        message = waiting.pop()
        for field, value in message.ListFields():
            places.append((message, field))
            if field.message_type is not None:
                waiting += [value] if hasattr(value, "ListFields") else list(value)
        unset = rng.choice(message.DESCRIPTOR.fields)
        if rng.random() < 0.05:
            places.append((message, unset))
    if not places:
        return by_bytes(data, rng)
    message, field = rng.choice(places)
    try:
        _change(message, field, rng)
    except (ValueError, TypeError, AttributeError):
        return by_bytes(data, rng)
    return bytes(model.SerializeToString())


_NUMBERS = [
    -(2**63),
    -(2**31),
    -100,
    -3,
    -2,
    -1,
    0,
    1,
    2,
    3,
    4,
    7,
    13,
    17,
    99,
    2**31 - 1,
    2**40,
    2**62,
]
_FLOATS = [float("nan"), float("inf"), -float("inf"), -0.0, 0.0, 1.0, -1.0, 0.5, 2.0, 3.4e38, 1e-45]
_NAMES = [
    "",
    "x",
    "y",
    "W",
    "SAME_UPPER",
    "VALID",
    "linear",
    "reflect",
    "CRD",
    "é\n",
    "Relu",
    "Add",
    "Clip",
]


def _change(message: Any, field: Any, rng: Random) -> None:
    value = getattr(message, field.name)
    if hasattr(value, "ListFields"):
        message.ClearField(field.name)
    elif field.message_type is not None:
        k = rng.randrange(len(value)) if len(value) else 0
        match rng.randrange(4):
            case 0 if len(value):
                del value[k]
            case 1 if len(value):
                value.add().CopyFrom(value[k])
            case 2 if len(value):
                value[k].CopyFrom(rng.choice(list(value)))
            case _:
                value.add()
    elif isinstance(value, int | float | str | bytes):
        setattr(message, field.name, _odd(field, value, rng))
    else:
        numbers = list(value)
        k = rng.randrange(len(numbers) + 1)
        numbers[k : k + rng.randrange(2)] = [_odd(field, "", rng)] * rng.randrange(3)
        del value[:]
        value.extend(numbers)


def _odd(field: Any, value: Any, rng: Random) -> Any:
    """An odd value of the type of a field."""
    match field.cpp_type:
        case field.CPPTYPE_FLOAT | field.CPPTYPE_DOUBLE:
            return rng.choice(_FLOATS)
        case field.CPPTYPE_STRING:
            old = value if isinstance(value, bytes) else b"abcd"
            return by_bytes(old, rng) if field.type == field.TYPE_BYTES else rng.choice(_NAMES)
        case field.CPPTYPE_ENUM:
            return rng.choice([number.number for number in field.enum_type.values])
        case _:
            return rng.choice(_NUMBERS)


def mutant(data: bytes, kinds: list[Mutation], rng: Random) -> bytes:
    """One to three changes."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        data = rng.choice(kinds)(data, rng)
    return data
