"""The public names: groups, submodules, old spellings; and the gate of all questions."""

from __future__ import annotations

import inspect
import json
import pickle
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactrelu as er
from exactrelu import api
from exactrelu.cli.main import COMMANDS as DECLARED
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.progress import Bar
from exactrelu.public.arguments import READERS
from exactrelu.public.gate import gated, interruptible, teller
from exactrelu.public.names import COMMANDS, GROUPS, MODULES, OLD, public

XOR = er.load("example:xor")

#: Every name that ``er`` had before there were groups, and where it was defined.
FORMER = [
    "polyhedra.arrangement.Arrangement",
    "polyhedra.boxes.BoxUnion",
    "certificates.certificate.Certificate",
    "network.convolution.Convolution",
    "polyhedra.domain.Domain",
    "effort.Effort",
    "errors.ExactReluError",
    "errors.InputError",
    "network.network.Layer",
    "exact.system.LinearSystem",
    "exact.matrix.Matrix",
    "network.network.Network",
    "polyhedra.polyhedron.Polyhedron",
    "exact.system.Row",
    "exact.system.Sense",
    "network.shallow.ShallowForm",
    "effort.Stopped",
    "network.symmetry.Symmetry",
    "certificates.certificate.Verdict",
    "questions.identifiability.construction.build_identifiable",
    "questions.equivalence.canonical_forms.canonical",
    "questions.recovery.rounded.certain_breakpoints",
    "questions.recovery.rounded.certain_neurons",
    "questions.local.clusters.cluster_centres",
    "questions.local.clusters.clustered_classes",
    "questions.injectivity.constructions.completion",
    "questions.identifiability.conserved.conserved_identity",
    "questions.injectivity.blocks.convolution_injective",
    "questions.equivalence.equivalent.equivalent",
    "network.network.evaluate",
    "network.network.evaluate_batch",
    "questions.roles.exact_roles",
    "polyhedra.lp.feasible",
    "questions.fibers.three_layers.fiber",
    "questions.folds.folds.folds",
    "exact.scalar.fraction",
    "network.formats.torch_modules.from_torch",
    "questions.identifiability.functional_dimension.functional_dimension",
    "questions.faces.has_no_zero_optimum",
    "network.hiding.hiding",
    "questions.identifiability.identifiable.identifiable",
    "identifiable_volume=questions.identifiability.second.volume",
    "questions.folds.theorem_class.identify",
    "injectivity_shortcuts=questions.injectivity.named_results.shortcuts",
    "questions.injectivity.inversion.invert",
    "questions.linear.is_bounded",
    "questions.faces.is_cancellation_free",
    "questions.identifiability.conserved.is_conserved",
    "questions.injectivity.named_results.is_directed_spanning_set",
    "is_equivalent=questions.equivalence.equivalent.equivalent",
    "questions.genericity.senses.is_generic",
    "questions.faces.is_honest",
    "is_identifiable=questions.identifiability.identifiable.identifiable",
    "questions.folds.theorem_class.is_in_theorem_class",
    "questions.injectivity.network.is_injective",
    "is_isomorphic=questions.equivalence.canonical_forms.isomorphic",
    "questions.linear.is_nonempty",
    "questions.linear.is_pointed",
    "questions.faces.is_supertransversal",
    "questions.activity.is_transparent",
    "questions.equivalence.canonical_forms.isomorphic",
    "questions.equivalence.difference.largest_difference",
    "questions.injectivity.layer.layer_injective",
    "network.formats.load.load",
    "network.convolution.load_convolution",
    "exact.text.load_matrix",
    "questions.local.samples.load_points",
    "polyhedra.domain_text.load_polyhedron",
    "polyhedra.boxes.load_union",
    "questions.local.places.local",
    "network.network.local_affine_map",
    "questions.genericity.senses.make_generic",
    "questions.local.clusters.mapped_classes",
    "questions.local.clusters.maps_between",
    "polyhedra.lp.maximize",
    "questions.injectivity.constructions.minimal_layer",
    "questions.local.clusters.n_correct",
    "questions.local.clusters.network_classes",
    "questions.injectivity.network_stability.network_stability",
    "network.roles.neuron_groups",
    "network.roles.neuron_roles",
    "questions.identifiability.identifiable.non_localizable",
    "questions.linear.nonnegative_column_rank",
    "polyhedra.domain_text.parse_domain",
    "network.network.pattern_polyhedron",
    "view.plot.plot",
    "questions.complex.polyhedral_complex",
    "exact.linear.rank",
    "questions.rank.rank_proof",
    "exact.rational.rational",
    "questions.recovery.recover.recover",
    "lemmas.record.refute",
    "lemmas.record.refute_conjecture",
    "questions.regions.iter_regions",
    "questions.regions.regions",
    "view.report.report.report",
    "network.formats.load.save",
    "questions.equivalence.canonical_forms.shallow_equal",
    "network.shallow.shallow_form",
    "questions.singular_values.sigma_min_bounds",
    "questions.equivalence.simplify.simplify",
    "questions.injectivity.named_results.spark",
    "questions.injectivity.stability.stability",
    "statements=lemmas.record.STATEMENTS",
    "work.worker.strictly",
    "network.network.trace",
    "network.network.trace_batch",
    "exact.rational.vector",
]


# --- Names


@pytest.mark.parametrize("line", FORMER)
def test_names_of_earlier_versions_go_on_working(line: str) -> None:
    place = line.rpartition("=")[2]
    name = line.partition("=")[0].rpartition(".")[2]
    module, _, own = place.rpartition(".")
    original = getattr(import_module(f"exactrelu.{module}"), own)
    found = getattr(er, name)
    assert inspect.unwrap(found) is inspect.unwrap(original)
    assert getattr(api, name) is found


def test_there_are_about_sixty_names() -> None:
    names = list(public())
    assert len(set(names)) == len(names)
    # Where the front is full a new name lives in a submodule.
    assert 55 <= len(names) <= 70, "a name for MODULES of public/names.py, not for GROUPS"
    assert set(dir(er)) == {*names, "__version__"}
    assert er.__all__ == names
    for name in names:
        assert getattr(er, name) is not None


def test_every_name_is_in_one_place() -> None:
    for module, lines in MODULES.items():
        place = getattr(er, module)
        assert set(dir(place)) >= {name for name, _ in lines}
        for name, line in lines:
            found = getattr(place, name)
            assert line
            if name in public() or name in OLD:
                assert getattr(er, name) is found
    assert set(MODULES) == {name for name, _ in GROUPS["modules"]}
    assert er.identifiability.volume is er.identifiable_volume
    assert er.layers.shortcuts is er.injectivity_shortcuts
    assert {*public(), *OLD} == {*api.__all__, *MODULES}
    for module in ("polyhedra", "lemmas"):
        with pytest.raises(AttributeError, match=f"'exactrelu.{module}' has no attribute 'rank'"):
            getattr(er, module).rank  # noqa: B018


def resolved(name: str) -> Any:
    """What a dotted name below ``er`` is."""
    thing: Any = er
    for part in name.split("."):
        thing = getattr(thing, part)
    return thing


def test_one_table_ties_commands_and_functions() -> None:
    assert {command.name for command in DECLARED} == set(COMMANDS)
    for name in (*COMMANDS.values(), *OLD.values()):
        assert resolved(name) is not None, name
    for old, new in OLD.items():
        assert getattr(er, old) is resolved(new), old
    assert er.supports() == COMMANDS
    assert "er.polyhedra.Arrangement" in str(er.supports())


def test_other_names_are_not() -> None:
    assert not hasattr(er, "no_such_name")


def test_a_question_can_be_sent_to_another_process() -> None:
    for name in ("regions", "is_equivalent", "identifiable_volume", "rank"):
        found = getattr(er, name)
        assert pickle.loads(pickle.dumps(found)) is found
    assert er.strictly(er.regions, XOR, timeout=60).n_regions == 3


def modules(program: str) -> set[str]:
    """What a program prints, word by word."""
    run = [sys.executable, "-c", program]
    return set(subprocess.run(run, capture_output=True, text=True, check=True).stdout.split())


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    program = "import exactrelu as er, sys; dir(er); er.__doc__; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = {name for name in run.stdout.split() if name.startswith("exactrelu")}
    assert loaded == {"exactrelu", "exactrelu.public", "exactrelu.public.names"}


@pytest.mark.parametrize(
    "asked",
    [
        "main(['--help'])",
        "er.regions(er.load('example:xor')); er.fiber(er.load('example:xor')); "
        "main(['regions', 'example:xor'])",
    ],
)
def test_sympy_is_imported_only_when_it_is_used(asked: str) -> None:
    start = "import sys; import exactrelu as er; from exactrelu.cli.main import main"
    program = f"{start}\ntry:\n    {asked}\nexcept SystemExit: pass\nprint(*sys.modules)"
    loaded = modules(program)
    assert "exactrelu" in loaded
    assert "sympy" not in loaded


# --- What stands where


def test_options_are_given_by_name() -> None:
    allowed = {
        *("input_shape",),
        *("network", "domain", "a", "b", "weights", "biases", "bias", "system", "objective"),
        *("widths", "A", "W", "x", "points", "path", "output", "pattern", "layer", "basis"),
        *("black_box", "n_inputs", "start", "end", "segments", "duals", "k", "sample", "test"),
        *("convolution", "box", "generators", "value", "values", "where", "source", "target"),
        *("maps", "found", "labels", "lemma", "conjecture", "conclusion", "theta", "eta", "data"),
        *("model_or_state_dict", "n_neurons", "n_outputs", "text", "dimension", "question"),
        *("folder", "what", "q", "certificates", "path_or_model", "input_shape"),
        *("query", "networks", "result", "constraints"),
    }
    for name in api.__all__:
        thing = getattr(er, name)
        if inspect.isfunction(thing):
            parameters = inspect.signature(thing).parameters.values()
            subjects = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
            assert set(subjects) <= allowed, f"{name}: an option by position"
            # As in ``er.holds(net, domain, constraints)``: what must hold there.
            before = [subject for subject in subjects if subject != "constraints"]
            assert "domain" not in before or before[-1] == "domain", name
            assert not any(p.name == "effort" for p in parameters), name


#: Calls that were accepted once, or ended in an error of Python, with what is said of them now.
MISFITS: list[tuple[Callable[[], Any], str]] = [
    (lambda: er.is_generic(XOR, timeout="1s"), "timeout: found '1s', expected a number of seconds"),
    (
        lambda: er.recover(lambda x: x, (2, 8, 8, 1)),
        "recover: n_inputs: found a value of type tuple, expected an integer",
    ),
    (
        lambda: er.Network([[[1]], [[1]]], [[0], [0]]),
        "Network: layers[0]: found a value of type list, expected Layers; of arrays "
        "er.from_arrays(weights, biases) makes a network",
    ),
    (
        lambda: er.layers.neuron_roles(XOR, "box:0..1"),
        "neuron_roles: found 2 values without a name, expected at most these: network; options "
        "have names: n_samples=…",
    ),
    (
        lambda: er.plot(XOR, "box:-1..1", "x.png"),
        "plot: found 3 values without a name, expected at most these: network, domain; options "
        "have names: path=…, show=…, colour=…",
    ),
    (
        lambda: er.regions(XOR, timout=1),
        "regions: found the option 'timout', expected one of network, domain, certify, timeout, "
        "max_memory, progress, max_regions; did you mean 'timeout'?",
    ),
    (
        lambda: er.regions(XOR, max_masks=3),
        "regions: found the option 'max_masks', expected one of network, domain, certify, "
        "timeout, max_memory, progress, max_regions",
    ),
    (lambda: er.stability(XOR), "stability: found no layer, expected stability(…, layer=…)"),
    (lambda: er.regions(XOR, network=XOR), "regions: found two values of network, expected one"),
    (lambda: XOR.truncate("a", 1), "Network.truncate: first: found 'a', expected an integer"),
    (
        lambda: er.strictly(er.regions, XOR, effort=Effort()),
        "strictly: found an effort, expected timeout and max_memory",
    ),
    (lambda: er.Rational(1, 0), "found the denominator 0 of 1"),
    (lambda: er.matrices.Matrix.zero(-1, 2), "found -1 rows and 2 columns, expected none or more"),
]


@pytest.mark.parametrize(("ask", "words"), MISFITS)
def test_a_call_that_does_not_fit_says_so(ask: Callable[[], Any], words: str) -> None:
    with pytest.raises(er.InputError, match=f"^{re.escape(words)}$"):
        ask()


def test_what_is_as_good_is_taken() -> None:
    assert er.matrices.rank([[1, 2], [3, 4]]) == 2
    assert er.matrices.rank(np.eye(3)) == 3
    assert er.matrices.rank(iter([[1, 2], [2, 4]])) == 1
    assert er.matrices.is_pointed([[1, 0], ["-1", 0]]).answer is False
    assert er.layers.layer_injective([[1], [-1]], [0, 0]).answer is True
    layer = er.layers.minimal_layer([[1, 2], [0, 1]], scales=[1, "3"])
    assert layer == er.layers.minimal_layer(er.Matrix([[1, 2], [0, 1]]), scales=(1, 3))
    assert er.identifiability.build_identifiable([2, 2, 1], "box:-1,1").answer is True
    assert er.polyhedra.maximize(["1/2"], er.polyhedra.LinearSystem.box([(0, 3)])).value == 1.5
    assert er.polyhedra.LinearSystem.box([(0, 1)]).contains([0.5])
    assert er.plot(XOR, np.array([[0, 1], [0, 1]])).cells
    assert er.regions(XOR, max_regions=np.int64(3)).n_regions == 3


def test_every_annotation_of_a_public_function_has_a_reader() -> None:
    for name in api.__all__:
        thing = getattr(er, name)
        if inspect.isfunction(thing):
            for parameter in inspect.signature(thing).parameters.values():
                if parameter.kind is not parameter.VAR_KEYWORD:
                    assert str(parameter.annotation).removesuffix(" | None") in READERS, name


def test_a_search_has_a_timeout() -> None:
    parameters = inspect.signature(er.refute).parameters
    assert parameters["timeout"].default == 60
    assert er.refute("S003-lemma-1", timeout=20).answer is True
    assert er.refute("S003-lemma-1", seconds=20).answer is True
    assert er.refute("S000-lemma-1", timeout=0).answer is None


class Model:
    def state_dict(self) -> dict[str, Any]:
        return {}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("net.onnx", r"found the path 'net.onnx', expected a Network: er.load\('net.onnx'\)"),
        (Path("a/b.json"), r"er.load\('a/b.json'\)"),
        (Model(), r"found a model of type Model, expected a Network: er.from_torch\(model\)"),
        ({"weight": 1}, r"er.from_torch\(dict\) of a state_dict"),
        (3, "found a value of type int, expected a Network"),
    ],
)
def test_what_is_no_network_is_refused_by_every_question(given: Any, words: str) -> None:
    for ask in (er.regions, er.evaluate, er.is_generic, er.plot, er.hiding):
        subjects = (given, [1, 2]) if ask is er.evaluate else (given,)
        with pytest.raises(TypeError, match=words) as raised:
            ask(*subjects)
        assert isinstance(raised.value, er.InputError)
    with pytest.raises(TypeError, match="is_equivalent: found"):
        er.is_equivalent(XOR, b=given)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: er.is_generic(XOR, sense="supertransversl"), "did you mean 'supertransversal'"),
        (lambda: er.make_generic(XOR, senses=["Generic"]), "did you mean 'generic'"),
        (lambda: er.is_injective(XOR, layer=1, method="tre"), "did you mean 'tree'"),
        (lambda: er.plot(XOR, colour="patern"), "did you mean 'pattern'"),
        (lambda: er.plot(XOR, show=["fold"]), "did you mean 'folds'"),
        (lambda: er.is_generic(XOR, sense=3), "sense 3: expected one of generic"),
    ],
)
def test_options_of_some_words_have_the_nearest_spelling(ask: Any, words: str) -> None:
    with pytest.raises(er.InputError, match=words):
        ask()


# --- Makers


def test_domains_by_hand(tmp_path: Path) -> None:
    assert er.box((-1, 1), (0, 2)) == er.Domain.of("box:-1,1;0,2", 2)
    assert er.regions(XOR, er.box((-1, 1), dimension=2)).n_regions == 3
    assert er.orthant(3) == er.Domain.of("orthant", 3)
    path = tmp_path / "d.json"
    path.write_text(
        '{"format": "exactrelu-polyhedron/1", "inequalities": [{"normal": ["1"], "offset": "2"}]}'
    )
    assert er.load_domain(path).dimension == 1
    assert er.load_domain("box:0,1", 2) == er.box((0, 1), (0, 1))
    for wrong, words in (
        (lambda: er.load_domain("box:0,1"), "a text needs a dimension"),
        (lambda: er.box(), "found no sides"),
        (lambda: er.box((1, 2, 3)), "side 1: found 3 numbers"),
        (lambda: er.box((0, 1), (0, 1), dimension=2), "found 2 sides and a dimension"),
        (lambda: er.box((1, 0)), "the domain is empty"),
    ):
        with pytest.raises(er.InputError, match=words):
            wrong()


def test_results_certificates_and_files_are_checked(tmp_path: Path) -> None:
    found = er.regions(XOR)
    path = found.save(tmp_path / "r.cert.jsonl")
    assert found.certificate is not None
    for what in (found, found.certificate, path, str(path)):
        assert er.check(what).is_accepted
    path.write_text(path.read_text().replace('"count":3', '"count":4'))
    assert not er.check(path).is_accepted
    with pytest.raises(TypeError, match="check: found a value of type Network"):
        er.check(XOR)
    with pytest.raises(er.InputError, match="no such file"):
        er.check(tmp_path / "none.cert.jsonl")


def test_a_network_is_certified(tmp_path: Path) -> None:
    net = er.from_arrays([[[1]]], [[0]], name="one to one")
    found = er.certify(net, tmp_path / "certs")
    assert (found.is_complete, found.word, found.certificate) == (True, "yes", None)
    assert {Path(path).name for path in found.files} == {
        path.name for path in (tmp_path / "certs").glob("*.cert.jsonl")
    }
    assert set(found.files) == found.accepted
    assert json.loads((tmp_path / "certs/summary.json").read_text()) == found.summary
    assert any(entry.question == "value-at-0" for entry in found)
    late = er.certify(net, tmp_path / "late", timeout=0)
    assert (late.is_complete, late.answer) == (False, None)


# --- The gate


def searching(network: er.Network, **limits: Any) -> er.Verdict:
    """A question without an end, which answers with what it knows."""
    effort = Effort.of(limits)
    effort.expect("minors", 4_301_650_338)
    found = 0
    try:
        while True:
            effort.spend("minors")
            found += 1
            if found == 1000:
                signal.raise_signal(signal.SIGINT)
    except Stopped as stopped:
        return er.Verdict.undecided(stopped, f"{found:,} minors are not 0")


def test_ctrl_c_gives_what_is_known() -> None:
    before = signal.getsignal(signal.SIGINT)
    verdict = gated(searching, "searching")(XOR)
    assert verdict.answer is None
    assert verdict.reason == "interrupted: 1,000 minors are not 0"
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("name", ["is_generic", "regions", "polyhedral_complex", "fiber", "folds"])
def test_every_question_can_be_interrupted(name: str) -> None:
    net = er.load("example:moons") if name != "fiber" else XOR

    def interrupt(thing: str, n: int) -> None:
        signal.raise_signal(signal.SIGINT)

    found = getattr(er, name)(net, progress=interrupt)
    assert found.answer is None
    assert "interrupted" in found.reason
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_ctrl_c_ends_it_and_a_plain_value_is_returned() -> None:
    def stubborn(**limits: Any) -> None:
        Effort.of(limits)
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    def plain(**limits: Any) -> int:
        signal.raise_signal(signal.SIGINT)
        Effort.of(limits).spend()
        return 1

    for question in (stubborn, plain):
        with pytest.raises(KeyboardInterrupt):
            gated(question, "question")()
    with pytest.raises(Stopped, match="after 0 s"):
        er.rank(er.Matrix([[1]]), timeout=0)


def test_questions_inside_a_question_are_over_too() -> None:
    outer, inner = Effort(is_watched=True), Effort(is_watched=True)
    with interruptible(outer), interruptible(inner):
        signal.raise_signal(signal.SIGINT)
    for effort in (outer, inner):
        with pytest.raises(Stopped, match="interrupted"):
            effort.part(share=0.5).spend()


def test_other_handlers_are_left_alone() -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        with interruptible(Effort(is_watched=True)):
            signal.raise_signal(signal.SIGINT)
        assert seen == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)


def test_a_person_who_looks_has_a_bar(watched: None) -> None:
    assert isinstance(teller(None), Bar)
    assert isinstance(teller(True), Bar)
    assert teller(False) is None
    assert teller(print) is print


def test_the_estimate_is_in_the_bar(watched: None, monkeypatch: pytest.MonkeyPatch) -> None:
    bars: list[tuple[int, int]] = []
    told = Bar.__call__

    def call(bar: Bar, thing: str, n: int) -> None:
        told(bar, thing, n)
        bars.append((bar._bar.total, bar._bar.delay))
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Bar, "__call__", call)
    rng = random.Random("the estimate")
    rows = [[[rng.randint(-999, 999) for _ in range(n)] for _ in range(m)] for m, n in PAIRS]
    net = er.from_arrays(rows, [[rng.randint(-999, 999) for _ in range(m)] for m, _ in PAIRS])
    verdict = er.is_generic(net, sense="masked-rank")
    assert verdict.answer is None
    assert bars[0] == (4_301_650_338, 1)
    assert not Bar.is_shown


PAIRS = ((16, 2), (16, 16), (1, 16))


def test_without_a_person_there_is_no_bar() -> None:
    assert teller(None) is None
    told: list[str] = []
    er.regions(XOR, progress=lambda thing, n: told.append(thing))
    assert "regions" in told


def test_every_limit_has_one_name() -> None:
    for name in api.__all__:
        thing = getattr(er, name)
        if inspect.isfunction(thing):
            names = set(inspect.signature(thing).parameters)
            assert not names & (Limits.__annotations__.keys() - {"timeout", "max_memory"}), name


def test_a_verdict_is_not_a_truth_value() -> None:
    verdict = er.Verdict(None, "not decided")
    assert verdict.word == "undecided"
    with pytest.raises(TypeError, match="undecided"):
        bool(verdict)
