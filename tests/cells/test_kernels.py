"""Compiled loops: the same bits as numpy, everywhere; and what they refuse."""

import importlib.util
import pickle
import random
import shutil
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from exactrelu.cells import kernels
from exactrelu.cells import regions as engines
from exactrelu.cells.cuts import Cuts, NotSimple, Tied
from exactrelu.cells.regions import list_regions
from exactrelu.cells.simple import SimpleComplex
from exactrelu.cells.simple_proof import SimpleProof, is_in_order
from exactrelu.cells.simple_regions import listed, region_table, simple_complex
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.questions.regions import regions
from tests.cells.simple_networks import KINDS, random_domain, random_network
from tests.seeds import seeds

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
hatch_build = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(hatch_build)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """The loops as they are built now, whether or not the package was installed with them."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    path = tmp_path_factory.mktemp("kernels") / "_kernels.so"
    assert hatch_build.build(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "LIBRARY", path)
        found = kernels.library.__wrapped__()
    assert found is not None
    return found


def both(monkeypatch, compiled, action):
    """The results with the compiled loops and with numpy; a refusal is one too."""
    found = []
    for library in (compiled, None):
        monkeypatch.setattr(kernels, "library", lambda library=library: library)
        try:
            found.append(action())
        except NotSimple as refused:
            found.append(str(refused))
    return found


def whole(net: Network, domain: LinearSystem):
    """All numbers of a complex and of its regions, as bytes."""
    cuts = Cuts(net, domain)
    try:
        found = simple_complex(cuts, keeps_stages=True)
    except Tied:
        found = simple_complex(cuts, breaks_ties=True)
    table = region_table(found)
    arrays = [
        part[name] for part in (found.vertices, found.edges, found.rays) for name in part.names
    ]
    points = listed(found, table)
    arrays += table[:-1]
    if is_in_order(cuts) and not found.breaks_ties:
        proof = SimpleProof(found, table, points)
        arrays += [proof.differs_at, *proof.cones]
    return [bits_of(a) for a in arrays], list(points)


def bits_of(array: np.ndarray) -> bytes:
    """Its bits, where −0 is 0, and what is not a number has no sign: compilers turn operands."""
    if array.dtype == float:
        array = np.where(np.isnan(array), np.nan, array + 0)
    return array.tobytes()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", seeds(12))
def test_the_same_bits(kind: str, seed: int, compiled, monkeypatch) -> None:
    rng = random.Random(f"kernels {kind} {seed}")
    n = rng.randint(1, 4)
    widths = [n, *(rng.randint(n, 8) for _ in range(rng.randint(1, 3))), 1]
    net, domain = random_network(rng, kind, widths), random_domain(rng, n)
    one, two = both(monkeypatch, compiled, lambda: whole(net, domain))
    assert one == two


@pytest.mark.parametrize("widths", [(2, 24, 20, 1), (3, 8, 7, 6, 1), (2, 66, 1), (4, 6, 6, 1)])
def test_the_same_regions_and_the_same_proof(widths, compiled, monkeypatch) -> None:
    """Beyond 64 cuts bits have a second word."""
    rng = np.random.default_rng(sum(widths))
    weights = [rng.standard_normal((m, n)) for n, m in pairwise(widths)]
    net = Network.from_arrays(weights, [rng.standard_normal(m) for m in widths[1:]])
    one, two = both(
        monkeypatch,
        compiled,
        lambda: (
            pickle.dumps(list(list_regions(net, LinearSystem(widths[0])))),
            regions(net).certificate.to_bytes(),
        ),
    )
    assert one == two


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", seeds(8))
def test_the_same_proof(kind: str, seed: int, compiled, monkeypatch) -> None:
    """On domains some rows of which settle neurons, and on flat ones."""
    monkeypatch.setattr(engines, "MIN_NEURONS", 0)
    monkeypatch.setattr(kernels, "TEXT", 1)
    rng = random.Random(f"proofs {kind} {seed}")
    n = rng.randint(2, 4)
    net = random_network(rng, kind, [n, *(rng.randint(n, 6) for _ in range(rng.randint(1, 3))), 1])
    rows = list(random_domain(rng, n).rows)
    # All of them hold at the point (1/2, …, 1/2).
    *weights, bias = net.layers[0].affine.flint_rows()[1]
    value = bias + sum(weights) / 2
    if value and rng.random() < 0.5:
        side = 1 if value > 0 else -1
        rows.append(Row(tuple(side * w for w in weights), side * bias))
    if rng.random() < 0.3:
        normal = [rng.randint(1, 3) for _ in range(n)]
        rows.append(Row.of(normal, -Fraction(sum(normal), 2), Sense.EQUAL))
    domain = LinearSystem(n, tuple(rows))
    one, two = both(monkeypatch, compiled, lambda: regions(net, domain).certificate.to_bytes())
    assert one == two


def test_the_same_points_where_they_are_not_integers(compiled, monkeypatch) -> None:
    """Far away and near together: a numerator needs more than 64 bits, or an LP finds the point."""
    monkeypatch.setattr(engines, "MIN_NEURONS", 0)
    far, near = Fraction(2) ** 70, Fraction(1, 2**70)
    for size in (far, near):
        rows = [[1, 0], [0, 1], [1, 1], [1, -1], [2, 1], [3, 1]]
        net = Network.from_arrays([rows, [[1] * 6]], [[size * k * k for k in range(1, 7)], [1]])
        one, two = both(monkeypatch, compiled, lambda net=net: regions(net).certificate.to_bytes())
        assert one == two


def test_degenerate_networks(compiled, monkeypatch) -> None:
    same = [[1, 2], [1, 2], [3, -1]]
    through_a_point = [[1, 0], [0, 1], [1, 1]]
    for rows, bias in ((same, [0, 0, 1]), (through_a_point, [0, 0, 0]), (same, [1, 0, 0])):
        net = Network.from_arrays([rows, [[1, 1, 1]]], [bias, [0]])
        one, two = both(monkeypatch, compiled, lambda net=net: whole(net, LinearSystem(2)))
        assert one == two
        assert not isinstance(one, str)


@pytest.mark.parametrize("exponent", [-1000, -160, 300, 1000])
def test_numbers_at_the_ends_of_floats(exponent: int, compiled, monkeypatch) -> None:
    rng, factor = random.Random(exponent), Fraction(2) ** exponent / 7
    rows = [[rng.randint(1, 999) * (factor if i > 2 else 1) for _ in range(2)] for i in range(9)]
    bias = [rng.randint(-(10**6), 10**6) * (factor if i > 2 else 1) for i in range(9)]
    later = [[factor * rng.randint(-9, 9) for _ in range(9)] for _ in range(4)]
    net = Network.from_arrays([rows, later, [[1] * 4]], [bias, [1, 2, 3, 4], [0]])
    one, two = both(monkeypatch, compiled, lambda: whole(net, LinearSystem(2)))
    assert one == two


def all_cuts(cuts: Cuts, collision: str):
    """The regions where all hashes of one kind are the same."""
    found = SimpleComplex(cuts)
    getattr(found, collision)[:] = 0
    for number in range(found.n, cuts.n_cuts):
        found.cut(number)
    return region_table(found)


@pytest.mark.parametrize("collision", ["if_positive", "_if_zero"])
def test_equal_hashes_are_seen(collision: str, compiled, monkeypatch) -> None:
    """Sign vectors with one hash are told apart by their bits, and refused."""
    net = random_network(random.Random(2), "rational", [2, 9, 1])
    cuts = Cuts(net, LinearSystem(2))
    for refused in both(monkeypatch, compiled, lambda: all_cuts(cuts, collision)):
        assert isinstance(refused, str)


def test_a_library_of_another_source_is_left_alone(compiled, tmp_path, monkeypatch) -> None:
    assert compiled is not None
    other = tmp_path / "kernels.c"
    other.write_text(kernels.SOURCE.read_text() + "\n")
    path = tmp_path / "_kernels.so"
    assert hatch_build.build(path)
    monkeypatch.setattr(kernels, "LIBRARY", path)
    assert kernels.library.__wrapped__() is not None
    monkeypatch.setattr(kernels, "SOURCE", other)
    assert kernels.library.__wrapped__() is None
    monkeypatch.setattr(kernels, "LIBRARY", tmp_path / "nothing.so")
    assert kernels.library.__wrapped__() is None


@pytest.mark.parametrize("compiler", ["no-compiler", "false", "cc --no-such-option"])
def test_without_a_compiler_nothing_is_built(compiler, tmp_path, monkeypatch) -> None:
    path = tmp_path / "_kernels.so"
    path.write_bytes(b"old")
    monkeypatch.setenv("CC", compiler)
    assert not hatch_build.build(path)
    assert not path.exists()


def test_where_nothing_can_be_written_nothing_is_built(tmp_path) -> None:
    assert not hatch_build.build(tmp_path / "no-folder" / "_kernels.so")
    (tmp_path / "_kernels.so").mkdir()
    assert not hatch_build.build(tmp_path / "_kernels.so")
