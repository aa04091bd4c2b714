"""Docstrings that a user can live with: what each public name takes, gives back, and an example.

The sections are those of numpydoc: *Parameters* with exactly the parameters of the signature, in
its order, *Returns*, *Notes* on what it costs, *References*, and *Examples*, which begin with
``import exactrelu as er`` and are run by pytest like every doctest of the package.  The classes
that public functions return, and those that they hold, are public too: every method has a sentence.
"""

from __future__ import annotations

import doctest
import enum
import inspect
import re
import typing
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from typing import Any

import pytest

from exactrelu import api

#: Where public names live, besides the front of the package.
SUBMODULES = ("matrices", "polyhedra", "layers", "samples", "identifiability", "lemmas")
#: The sections of numpydoc that are used here, in their order.
SECTIONS = (
    *("Parameters", "Attributes", "Returns", "Yields", "Raises"),
    *("Notes", "References", "Examples"),
)
#: What is said in the same words wherever it is said.
AGREED = {
    "**limits": 'Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, '
    "``progress``.",
    "domain": 'Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; '
    "all of space by default.",
    "effort": "Bounds of the work; none by default.",
    "seed": "The same seed gives the same result.",
}
#: Questions that are known on few domains only, or take one for another purpose.
OWN_DOMAIN = ("fiber", "holds", "report", "shallow_equal", "shallow_form")
#: The classes that newcomers meet first say which attributes they need.
FIRST = ("Network", "Verdict", "Regions", "ShallowFiber", "ThreeLayerFiber", "Domain")


def _public() -> dict[str, Any]:
    """The public names and what they name, those of the submodules by their own path."""
    found = {name: getattr(api, name) for name in api.__all__}
    for module in SUBMODULES:
        value = import_module(f"exactrelu.{module}")
        found |= {f"{module}.{name}": getattr(value, name) for name in dir(value)}
    return {name: value for name, value in found.items() if callable(value)}


PUBLIC = _public()
FUNCTIONS = {name: f for name, f in PUBLIC.items() if not inspect.isclass(f)}
CLASSES = {name: cls for name, cls in PUBLIC.items() if inspect.isclass(cls)}


def sections(documented: Any) -> dict[str, list[str]]:
    """The lines of each section of a docstring; what stands before the first is the one of ''."""
    lines = (inspect.getdoc(documented) or "").splitlines()
    found: dict[str, list[str]] = {"": []}
    current = found[""]
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line and below == "-" * len(line):
            assert line in SECTIONS, f"no section of numpydoc: {line}"
            assert line not in found
            current = found.setdefault(line, [])
        elif not (line and set(line) == {"-"}):
            current.append(line)
    return found


def entries(lines: list[str]) -> dict[str, str]:
    """The entries of a section and what is said of each."""
    found: dict[str, str] = {}
    name = ""
    for line in lines:
        if line and not line.startswith(" "):
            name = line.split(" : ")[0]
            assert name not in found
            found[name] = ""
        elif line:
            found[name] = f"{found[name]} {line.strip()}".strip()
    return found


def parameters(function: Any) -> list[str]:
    """The parameters as numpydoc writes them; those for FLINT's numbers by their public names."""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    found = inspect.signature(function).parameters.values()
    return [f"{stars.get(p.kind, '')}{p.name.removeprefix('flint_')}" for p in found]


def test_there_are_names_to_hold() -> None:
    assert len(FUNCTIONS) > 60
    assert {"Network", "Verdict", "Domain"} <= CLASSES.keys()


def test_sections_are_told_apart() -> None:
    def documented(a: int, *b: int) -> None:
        """A sentence.

        Parameters
        ----------
        a : int
            The first.
        *b
            The others,
            if any.
        """

    found = sections(documented)
    assert found[""] == ["A sentence.", ""]
    assert entries(found["Parameters"]) == {"a": "The first.", "*b": "The others, if any."}
    assert parameters(documented) == ["a", "*b"]


@pytest.mark.parametrize("name", PUBLIC)
def test_a_docstring_begins_with_one_sentence_and_has_an_example(name: str) -> None:
    found = sections(PUBLIC[name])
    assert re.fullmatch(r"[A-Z\d].*\.", found[""][0]), "one sentence in the first line"
    assert found[""][1:2] in ([], [""])
    order = [section for section in found if section]
    assert order == sorted(order, key=SECTIONS.index)
    examples = doctest.DocTestParser().get_examples("\n".join(found["Examples"]))
    assert examples[0].source == "import exactrelu as er\n"
    assert any(example.want or example.exc_msg for example in examples), "it shows an answer"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_what_it_takes_and_gives(name: str) -> None:
    function = FUNCTIONS[name]
    found = sections(function)
    said = entries(found.get("Parameters", []))
    assert list(said) == parameters(function)
    assert all(text.endswith(".") for text in said.values())
    for key in AGREED.keys() & said:
        own = key == "domain" and name.rpartition(".")[2] in OWN_DOMAIN
        assert (said[key] == AGREED[key]) is not own, key
    gives = inspect.signature(function).return_annotation not in (None, "None")
    assert ("Returns" in found) == gives
    if gives:
        assert all(entries(found["Returns"]).values())


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_says_what_it_is_made_of(name: str) -> None:
    cls = CLASSES[name]
    found = sections(cls)
    if issubclass(cls, Exception | enum.Enum):
        assert "Parameters" not in found
        return
    said = entries(found.get("Parameters", []))
    assert list(said) == parameters(cls)
    assert all(text.endswith(".") for text in said.values())


def _classes(annotation: Any) -> Iterator[type]:
    """The classes of the package in an annotation."""
    if isinstance(annotation, type) and annotation.__module__.startswith("exactrelu."):
        yield annotation
    for inner in typing.get_args(annotation):
        yield from _classes(inner)


def _hints(documented: Any) -> dict[str, Any]:
    """Its annotations, without those that are known to type checkers only."""
    try:
        return typing.get_type_hints(documented)
    except NameError:
        return {}


def _function(member: Any) -> Any:
    """The function of a method or a property; None for anything else."""
    if isinstance(member, property):
        return member.fget
    if isinstance(member, cached_property):
        return member.func
    if isinstance(member, classmethod | staticmethod):
        return member.__func__
    return member if inspect.isfunction(member) else None


def _members(cls: type) -> dict[str, Any]:
    """The public methods and properties that a class has of its own."""
    fields = getattr(cls, "__dataclass_fields__", {})
    own = ((name, _function(member)) for name, member in vars(cls).items() if name not in fields)
    return {name: f for name, f in own if f is not None and not name.startswith("_")}


def _results() -> list[type]:
    """The public classes, those of results, and those that their attributes hold."""
    todo = [*CLASSES.values()]
    for function in FUNCTIONS.values():
        todo += _classes(_hints(function).get("return"))
    found: dict[type, None] = {}
    while todo:
        cls = todo.pop()
        is_ours = cls.__module__.startswith("exactrelu.") and not getattr(
            cls, "_is_protocol", False
        )
        if cls in found or not is_ours:
            continue
        found[cls] = None
        todo += [base for base in cls.__mro__[1:] if base.__module__.startswith("exactrelu.")]
        for annotation in _hints(cls).values():
            todo += _classes(annotation)
        for member in _members(cls).values():
            todo += _classes(_hints(member).get("return"))
    return sorted(found, key=lambda cls: (cls.__module__, cls.__qualname__))


RESULTS = _results()


def test_results_are_found() -> None:
    names = {cls.__name__ for cls in RESULTS}
    assert {"Regions", "PolyhedralComplex", "Folds", "Recovery", "Component", "Face"} <= names


@pytest.mark.parametrize("cls", RESULTS, ids=lambda cls: f"{cls.__module__}.{cls.__qualname__}")
def test_every_public_method_has_a_sentence(cls: type) -> None:
    assert cls.__doc__
    assert not cls.__doc__.startswith(f"{cls.__name__}("), "the signature is no docstring"
    for name, member in _members(cls).items():
        text = inspect.getdoc(member) or ""
        assert text.split("\n\n")[0].endswith((".", ".''")), f"{name}: a sentence"


@pytest.mark.parametrize("name", FIRST)
def test_the_first_classes_name_their_attributes(name: str) -> None:
    cls = next(cls for cls in RESULTS if cls.__name__ == name)
    found = sections(cls)
    assert found["Examples"][0] == ">>> import exactrelu as er"
    for attribute in entries(found["Attributes"]):
        declared = {key for base in cls.__mro__ for key in getattr(base, "__annotations__", {})}
        assert hasattr(cls, attribute) or attribute in declared


#: Two bars, as in |x − y|, are a substitution of reST.
BARS = re.compile(r"(?<![`\w])\|\S[^|`]*\S\|(?![`\w])|(?<![`\w])\|\S\|")


@pytest.mark.parametrize("cls", RESULTS, ids=lambda cls: f"{cls.__module__}.{cls.__qualname__}")
def test_docstrings_are_read_as_they_are_meant(cls: type) -> None:
    """A page takes what stands before a colon in a property's first line for its type."""
    members = _members(cls)
    for text in (cls.__doc__ or "", *(member.__doc__ or "" for member in members.values())):
        assert not BARS.search(re.sub(r":math:`[^`]*`|``[^`]*``", "", text))
    for name, member in vars(cls).items():
        if name in members and isinstance(member, property | cached_property):
            first = (inspect.getdoc(members[name]) or "").splitlines()[0]
            assert ":" not in re.sub(r":\w+:`[^`]*`|``[^`]*``", "", first), name
