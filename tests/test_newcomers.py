"""What a newcomer types first: each test is named after a row of the table of stumbles."""

from __future__ import annotations

import doctest
import inspect
import json
import pydoc
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from operator import eq, ne
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy
import pytest

import exactrelu as er
from exactrelu import api
from exactrelu.words import EXACT

ROOT = Path(__file__).parent.parent
XOR = er.Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]], name="xor")


def subclasses(cls: type) -> list[type]:
    """All classes below a class, and itself."""
    return [cls, *(found for below in cls.__subclasses__() for found in subclasses(below))]


# --- Types


def test_types_are_there_for_type_checkers() -> None:
    for package in ("exactrelu", "proofs/exactrelu_checker"):
        assert (ROOT / package / "py.typed").read_bytes() == b""
    source = (ROOT / "exactrelu" / "__init__.py").read_text()
    assert "\nif not TYPE_CHECKING:" in source
    assert "\ndef __getattr__" not in source, "type checkers would take any name for one of ours"


@pytest.mark.sweep
def test_the_wheel_has_the_types(tmp_path: Path) -> None:
    wheel = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(tmp_path)]
    subprocess.run([*wheel, str(ROOT)], check=True)
    (path,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(path) as file:
        assert {"exactrelu/py.typed", "exactrelu_checker/py.typed"} <= set(file.namelist())


@pytest.mark.parametrize("name", api.__all__)
def test_a_signature_can_be_read(name: str) -> None:
    thing = getattr(er, name)
    is_error = inspect.isclass(thing) and issubclass(thing, Exception)
    if callable(thing) and not is_error:
        assert " at 0x" not in str(inspect.signature(thing))


# --- Results


def test_results_are_sequences() -> None:
    found = er.regions(XOR)
    assert len(found) == found.n_regions == 3
    assert list(found) == list(found.regions)
    assert found[0] == found.regions[0]
    assert found[-2:] == found.regions[-2:]
    complex_ = er.polyhedral_complex(XOR)
    assert len(complex_) == sum(complex_.f_vector or ()) == 5
    assert [face.dimension for face in complex_].count(1) == 2
    folded = er.folds(XOR)
    assert list(folded) == list(folded.facets)
    assert len(folded) == 2


def test_an_unfinished_list_has_what_was_found() -> None:
    found = er.regions(XOR, max_regions=1)
    assert found.n_regions is None
    assert len(found) == len(found.regions) <= found.n_regions_at_least
    assert (found.answer, found.word, found.is_complete) == (None, "undecided", False)


def test_a_fiber_has_the_components_that_exist() -> None:
    net = er.Network.from_arrays([[[1, 2], [3, -1]], [[1, -2]]], [[1, -1], [5]])
    found = er.fiber(net)
    assert len(found) == len(found.nonempty) == 1
    assert len(found.components) == len(found.nonempty) + len(found.empty)
    assert found.dimension == found[0].dimension


@pytest.mark.parametrize(
    "ask",
    [
        er.regions,
        er.polyhedral_complex,
        er.folds,
        er.fiber,
        er.is_injective,
        lambda net: er.largest_difference(net, net),
    ],
)
def test_results_have_one_base(ask: Callable[[er.Network], Any], tmp_path: Path) -> None:
    found = ask(XOR)
    assert found.is_complete
    assert found.word == {True: "yes", False: "no"}[found.answer]
    assert found.check().is_accepted
    path = found.save(tmp_path / "r.cert.jsonl")
    assert path.read_bytes() == found.certificate.to_bytes()
    known = json.loads(found.to_json())
    assert known.get("verdict", "yes") == found.word
    assert known["reason"] == found.sentence(EXACT)
    assert found.certificate.claim == json.loads(path.read_text().splitlines()[0])["claim"]


def test_without_a_certificate_nothing_is_saved(tmp_path: Path) -> None:
    found = er.regions(XOR, certify=False)
    assert json.loads(found.to_json())["certificate"] is None
    with pytest.raises(er.ExactReluError, match="no certificate"):
        found.save(tmp_path / "r.cert.jsonl")
    assert not list(tmp_path.iterdir())


# --- Domains


TILTED = er.Network.from_arrays([[[1, 2], [3, -1], [1, 1]], [[1, -2, 1]]], [[1, -1, 0], [5]])


@pytest.mark.parametrize(
    "ask",
    {
        "regions": er.regions,
        "complex": er.polyhedral_complex,
        "folds": er.folds,
        "transparent": er.is_transparent,
        "generic": er.is_generic,
        "injective": er.is_injective,
        "honest": er.is_honest,
        "equivalent": lambda net, domain: er.equivalent(net, net, domain),
        "difference": lambda net, domain: er.largest_difference(net, net, domain),
        "simplify": er.simplify,
        "identifiable": er.identifiable,
        "functional dimension": er.functional_dimension,
    }.values(),
)
def test_a_domain_is_text_pairs_or_an_object(ask: Callable[..., Any]) -> None:
    box = er.LinearSystem.box([(-1, 1), (0, "1/2")])
    pairs = [(-1, 1), (0, 0.5)]
    ways = ("box:-1,1;0,1/2", pairs, numpy.array(pairs), box, er.Domain.of(box, 2))
    first, *others = (ask(TILTED, domain) for domain in ways)
    for other in others:
        assert repr(other) == repr(first)
        assert getattr(other, "certificate", None) == getattr(first, "certificate", None)


@pytest.mark.parametrize("wrong", [3, XOR, [(0, 1)], [(0, 1, 2), (0, 1)], {"x": 1}, [0, 1]])
def test_what_is_no_domain_says_what_is_one(wrong: Any) -> None:
    with pytest.raises(er.InputError, match="domain"):
        er.regions(XOR, wrong)


def test_the_domain_comes_second() -> None:
    box = er.LinearSystem.box([(-1, 1)] * 2)
    verdict = er.is_generic(TILTED, box, sense="supertransversal")
    assert verdict == er.is_generic(TILTED, sense="supertransversal", domain=box)
    assert er.is_generic(TILTED) == er.is_generic(TILTED, sense="generic")
    with pytest.raises(er.InputError, match="sense 'odd': expected one of generic"):
        er.is_generic(TILTED, sense="odd")
    assert er.is_generic(TILTED, "orthant").answer is not None
    for ask in (er.is_generic, er.is_injective, er.make_generic, er.stability, er.plot):
        assert list(inspect.signature(ask).parameters)[:2] == ["network", "domain"]


# --- Points, pictures, conjectures


class Tensor:
    """What a tensor of PyTorch is here: an array that is no number until it is detached."""

    def __init__(self, values: Any) -> None:
        self._values = numpy.array(values, dtype="float32")

    @property
    def ndim(self) -> int:
        return self._values.ndim

    def __iter__(self) -> Iterator[Tensor]:
        return (Tensor(value) for value in self._values)

    def detach(self) -> Tensor:
        return self

    def tolist(self) -> Any:
        return self._values.tolist()

    def item(self) -> float:
        return float(self._values)


@pytest.mark.parametrize("kind", [list, tuple, numpy.array, Tensor])
def test_a_network_takes_one_point_or_many(kind: Callable[[Any], Any]) -> None:
    rows = [[1.0, 0.1], [-1.0, 3.0], [0.5, -0.25]]
    # Not the decimal 0.1, and not the double either where it is stored as a float32.
    stored = numpy.array(rows, dtype="float32").tolist() if kind is Tensor else rows
    expected = [er.evaluate(XOR, row) for row in stored]
    assert XOR(kind(rows)) == expected
    assert [XOR(kind(row)) for row in rows] == expected
    assert XOR([kind(row) for row in rows]) == expected
    assert XOR(numpy.zeros((0, 2))) == []
    assert XOR(["1/2", 3]) == er.evaluate(XOR, ["1/2", 3])


def test_numbers_in_tensors_are_read() -> None:
    assert er.vector([Tensor(0.5), Tensor(0.1)])[1] == er.rational(numpy.float32(0.1))
    assert XOR([Tensor(0.5), Tensor(0.25)]) == XOR([0.5, 0.25])
    with pytest.raises(er.InputError, match="point 2 has 3 coordinates, expected 2"):
        XOR([[1, 2], [1, 2, 3]])
    assert XOR(numpy.array([[1, 2], [3, 4]])) == [XOR([1, 2]), XOR([3, 4])]


class M:
    """What a module of PyTorch is here, of a class that the user has written."""

    _modules, _parameters, _buffers = {}, {}, {}  # type: ignore[var-annotated]

    def forward(self, x: Any) -> Any:
        return x


class Sequential(M):
    """torch.nn.Sequential, as far as it is looked at."""

    __module__ = "torch.nn.modules.container"

    def __init__(self, *modules: M) -> None:
        self._modules = {str(k): module for k, module in enumerate(modules)}


def test_a_class_of_your_own_is_told_what_it_needs() -> None:
    words = (
        r"M is a class of your own: give the shape of its input, "
        r"as er\.from_torch\(model, \(3, 32, 32\)\), "
        r"or pass model\.state_dict\(\) \(ReLU is then assumed\)"
    )
    with pytest.raises(er.InputError, match=f"^{words}$"):
        er.from_torch(M())
    with pytest.raises(er.InputError, match=f"^module '0': {words}$"):
        er.from_torch(Sequential(M()))


def test_what_only_looks_like_a_module_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a shape it is torch's turn, which is no dependency."""
    torch = ModuleType("torch")
    torch.nn = SimpleNamespace(Module=dict)  # type: ignore[attr-defined]
    for name in ("torch", "torch.onnx", "onnxscript"):
        monkeypatch.setitem(sys.modules, name, torch)
    with pytest.raises(
        er.InputError, match=r"^found a value of type M, expected a state_dict or a"
    ):
        er.from_torch(M(), (2,))
    monkeypatch.setitem(sys.modules, "onnxscript", None)
    install = r"pip install 'exactrelu\[torch\]'$"
    with pytest.raises(er.ExactReluError, match=f"^exporting .* 'onnxscript': {install}"):
        er.from_torch(M(), (2,))
    monkeypatch.setitem(sys.modules, "torch.onnx", None)
    with pytest.raises(er.ExactReluError, match=f"^exporting .* 'torch': {install}"):
        er.from_torch(M(), (2,))


def test_a_plot_is_a_picture(tmp_path: Path) -> None:
    picture = er.plot(XOR)
    assert picture._repr_svg_().startswith("<svg")
    assert "<svg" in picture._repr_html_()
    assert repr(picture) == "Picture: 3 regions, 2 facets of 2-2-1"
    assert len(er.plot(XOR, "box:0,1").cells) == 1
    picture.save(tmp_path / "later.svg")
    er.plot(XOR, path=tmp_path / "p.svg", domain="R")
    er.plot(XOR, None, path=str(tmp_path / "other.svg"))
    first, *others = (path.read_bytes() for path in sorted(tmp_path.iterdir()))
    assert others == [first, first]
    with pytest.raises(er.InputError, match=r"expected a name that ends in \.svg"):
        er.plot(XOR, path="p.gif")


def one_to_one_first(N: er.Network) -> er.Verdict:
    return er.is_injective(N, layer=1)


def one_to_one(N: er.Network) -> er.Verdict:
    """A network is one-to-one if its first layer is."""
    return er.is_injective(N)


def test_a_conjecture_is_two_functions() -> None:
    found = er.refute_conjecture(one_to_one_first, one_to_one, widths=[(1, 2, 1)], seconds=20)
    assert found.answer is True
    example = found.witness.counterexample
    assert example.statement.text == "A network is one-to-one if its first layer is."
    network = example.instance.networks()["N"]
    assert network.widths == (1, 2, 1)
    assert one_to_one_first(network).answer is True
    assert one_to_one(network).answer is False
    assert found.check().is_accepted


def test_what_is_no_conjecture_is_refused() -> None:
    with pytest.raises(er.InputError, match="no function conclusion"):
        er.refute_conjecture(one_to_one_first)
    with pytest.raises(er.InputError, match="two functions"):
        er.refute_conjecture("mine.py", one_to_one)
    with pytest.raises(er.InputError, match="WIDTHS: expected architectures"):
        er.refute_conjecture(one_to_one_first, one_to_one, widths=[(1,)])


# --- Verdicts and names


def test_a_verdict_is_not_compared_with_a_bool() -> None:
    verdict = er.is_transparent(XOR, "box:-1,1")
    assert verdict == er.is_transparent(XOR, "box:-1,1")
    assert verdict != er.is_transparent(XOR, "box:0,1")
    assert verdict != "no"
    for truth in (True, False):
        for compare in (eq, ne):
            for pair in ((verdict, truth), (truth, verdict)):
                with pytest.raises(TypeError, match=r"use \.answer"):
                    compare(*pair)
    for cls in subclasses(er.Verdict):
        assert cls.__eq__ is er.Verdict.__eq__, cls


@pytest.mark.parametrize(
    ("typed", "meant"),
    {
        "difference": "largest_difference",
        "transparent": "is_transparent",
        "complex": "polyhedral_complex",
        "regionz": "regions",
        "netwrk": "Network",
        "is_identifable": "is_identifiable",
        "is_equal": "is_equivalent",
        "nnrank": "matrices.nonnegative_column_rank",
        "sigma_min": "matrices.sigma_min_bounds",
    }.items(),
)
def test_an_unknown_name_gets_a_hint(typed: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=f"did you mean 'er.{meant}'"):
        getattr(er, typed)


def test_a_certificate_is_checked_from_python() -> None:
    certificate = er.regions(XOR).certificate
    assert certificate is not None
    found = certificate.check()
    assert found.is_accepted
    assert str(found).startswith("ACCEPTED: N1 (2-2-1")
    forged = replace(certificate, fields={**certificate.fields, "count": 4}).check()
    assert not forged.is_accepted
    assert forged.sentence


def test_help_has_every_name_in_a_group() -> None:
    lines = [line for line in (er.__doc__ or "").splitlines() if line.startswith("    ")]
    names = [line.split()[0] for line in lines if not line.lstrip().startswith(("...", ">>>"))]
    assert len(set(names)) == len(names)
    assert {*names, "__version__"} == set(dir(er))
    for line in lines:
        assert line.split(maxsplit=1)[1:], f"{line}: what is it?"
    text = pydoc.plain(pydoc.render_doc(er))
    for group in ("Types", "Geometry", "Compare", "Parameters", "Maps", "Papers", "Modules"):
        assert f"    {group}\n" in text


@pytest.mark.parametrize("name", dir(er))
def test_an_example_can_be_pasted(name: str) -> None:
    thing = getattr(er, name)
    text = (thing.__doc__ or "") if callable(thing) else ""
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    if example.examples:
        assert example.examples[0].source == "import exactrelu as er\n"
        doctest.DebugRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example)


def test_dir_has_public_names_only() -> None:
    for name in ("Any", "TYPE_CHECKING", "annotations", "import_module", "equivalent"):
        assert name not in dir(er)
    assert "is_equivalent" in dir(er)


def test_questions_of_yes_and_no_have_their_prefix() -> None:
    assert er.is_equivalent is er.equivalent
    assert er.is_isomorphic is er.isomorphic
    assert er.is_identifiable is er.identifiable
