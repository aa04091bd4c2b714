"""What newcomers gave as files: packed ones, and graphs with operators that are not read."""

from __future__ import annotations

import gzip
from hashlib import sha256
from pathlib import Path

import onnx
import pytest
from onnx import TensorProto, helper

from exactrelu import files
from exactrelu.errors import FORMATS_PAGE, InputError
from exactrelu.network.formats.load import FORMATS, load, save
from exactrelu.network.formats.onnx_operators import KNOWN
from exactrelu.network.network import Network

XOR = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]], name="net")
TORCH = Path(__file__).parents[1] / "network" / "formats" / "data" / "torch"
NNET = "2,2,1,2\n2,2,1\n0\n-9,-9\n9,9\n0,0,0\n1,1,1\n1,1\n1,1\n1\n0\n2,-4\n-1\n"


def written(folder: Path, suffix: str) -> Path:
    """A network in this format."""
    path = folder / f"net{suffix}"
    if suffix == ".nnet":
        path.write_text(NNET)
    elif suffix == ".pt":
        path.write_bytes((TORCH / "mlp_state_dict.pt").read_bytes())
    else:
        save(XOR, path)
    return path


@pytest.mark.parametrize("suffix", [".json", ".npz", ".onnx", ".nnet", ".pt"])
def test_a_packed_network_is_read(run, tmp_path: Path, suffix: str) -> None:
    """As ``net.onnx.gz``, and where the name does not say that it is packed."""
    plain = written(tmp_path, suffix)
    expected, shown = load(plain), run("info", plain)
    assert shown.code == 0
    data = plain.read_bytes()
    packed = tmp_path / f"net{suffix}.gz"
    for path, content in ((packed, gzip.compress(data)), (plain, gzip.compress(data))):
        path.write_bytes(content)
        assert load(path) == expected
        assert load(path).name == expected.name
        found = run("info", path)
        digests = [sha256(content).hexdigest() for content in (data, path.read_bytes())]
        assert (found.code, found.out) == (0, shown.out.replace(*digests))
    # Some programs unpack what they fetch and keep the name.
    packed.write_bytes(data)
    assert load(packed) == expected


@pytest.mark.parametrize("suffix", [".json.gz", ".npz.gz", ".onnx.gz", ".ONNX.GZ"])
def test_a_packed_network_is_written(run, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"net{suffix}"
    assert run("convert", "example:xor", path).code == 0
    assert path.read_bytes().startswith(b"\x1f\x8b")
    assert load(path).layers == XOR.layers
    first = path.read_bytes()
    assert run("convert", "example:xor", path).code == 0
    assert path.read_bytes() == first


def test_packed_points_domains_and_matrices_are_read(run, tmp_path: Path) -> None:
    texts = {
        "points.csv": "1,1\n1,-1\n",
        "domain.json": '{"format": "exactrelu-polyhedron/1", "inequalities":'
        ' [{"normal": [1, 0], "offset": 0}]}',
        "matrix.json": "[[1, 2], [3, 4]]",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    for words in (
        ["local", "example:xor", "--points", "points.csv"],
        ["regions", "example:xor", "--domain", "domain.json"],
        ["rank", "matrix.json"],
    ):
        ends = (words[-1], f"{words[-1]}.gz")
        first, second = (run(*words[:-1], tmp_path / end) for end in ends)
        assert first.code == second.code == 0
        assert second.out.replace(".json.gz", ".json") == first.out


@pytest.mark.parametrize("suffix", [".json", ".npz", ".onnx", ".nnet", ".pt"])
def test_a_bomb_is_refused_by_its_size(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    monkeypatch.setattr(files, "MAX_UNPACKED_BYTES", 50_000)
    for name in (f"bomb{suffix}", f"bomb{suffix}.gz"):
        (tmp_path / name).write_bytes(gzip.compress(b" " * 50_001))
        found = run("info", tmp_path / name)
        assert (found.code, found.err.count("\n")) == (2, 1)
        assert f"{name}: unpacks to more than the limit of 50,000 bytes" in found.err


def test_what_is_packed_twice_or_cut_off_is_refused(run, tmp_path: Path) -> None:
    path = tmp_path / "net.json.gz"
    data = gzip.compress(written(tmp_path, ".json").read_bytes())
    for content in (gzip.compress(data), data[:-9], data[:5]):
        path.write_bytes(content)
        found = run("info", path)
        assert (found.code, found.err.count("\n")) == (2, 1)
        assert str(path) in found.err


def graph(folder: Path, operator: str, domain: str = "") -> Path:
    """A graph of this operator alone."""
    node = helper.make_node(operator, ["x"], ["y"], "act", domain=domain)
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 2]) for name in "xy"]
    opsets = [helper.make_opsetid(name, 13) for name in dict.fromkeys(("", domain))]
    model = helper.make_model(
        helper.make_graph([node], "net", ends[:1], ends[1:]), opset_imports=opsets
    )
    path = folder / "net.onnx"
    onnx.save(model, path)
    return path


@pytest.mark.parametrize(
    ("operator", "domain", "reason"),
    [
        ("Tanh", "", "it is curved, not piecewise affine"),
        ("Softmax", "", "it is curved, not piecewise affine"),
        ("Det", "", "no reader knows it"),
        ("Floor", "", "it jumps, and a network of ReLUs is continuous"),
        ("Relu", "com.example", "no reader knows it"),
    ],
)
def test_a_refused_operator_has_a_reason_and_a_page(
    run, tmp_path: Path, operator: str, domain: str, reason: str
) -> None:
    path = graph(tmp_path, operator, domain)
    found = run("info", path)
    name = f"{domain}.{operator}" if domain else operator
    assert (found.code, found.out) == (2, "")
    advice = ""
    if operator in ("Tanh", "Softmax"):
        advice = f": exactrelu convert {path} out.json --drop-last {operator} leaves it out"
    if operator == "Softmax":
        advice += "; arg max is the same on both sides, probabilities are not"
    assert found.err == (
        f"exactrelu info: error: {path}: node 'act': {operator}: the operator {name} is not "
        f"supported: {reason} (see {FORMATS_PAGE} in the manual){advice}\n"
    )


def test_what_is_refused_is_not_read() -> None:
    """The reasons are about operators that no reader knows."""
    from exactrelu.network.formats import support, torch_modules

    known = {name.lower() for name in (*KNOWN, *torch_modules._KINDS)}
    lists = (support.CURVED, support.JUMPING, support.PIECEWISE, support.CONTROL)
    assert not known & set().union(*lists)
    assert sum(map(len, lists)) == len(set().union(*lists))


def test_a_refused_module_has_a_reason_and_a_page() -> None:
    with pytest.raises(InputError, match=f"not loaded .*see {FORMATS_PAGE} in the manual"):
        load(TORCH / "sigmoid.pt")


def test_help_names_every_format(run) -> None:
    told = " ".join(run("info", "--help").out.split())
    for suffix in FORMATS:
        # What is said of .pt holds for .pth.
        assert f"{suffix.replace('.pth', '.pt')}, " in told
    assert "each also .gz" in told
