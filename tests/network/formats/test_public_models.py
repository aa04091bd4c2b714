"""The public models: what they are read as, and their values against onnxruntime.

The files are no part of the project: where the folder is not there, these tests are skipped.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactrelu.errors import UnsupportedFormat
from exactrelu.exact.scalar import vector
from exactrelu.files import read_bytes
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network, evaluate_batch, widths_text
from tests.network.formats.onnx_nodes import runtime_values

DATA = Path(__file__).parents[4] / "shared" / "data"
pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="the public models are not beside the project"
)
N_POINTS = 20
#: At fewer points every day.
LARGE = ("resnet_3b2.onnx.gz",)

#: What has to be asked for.
OPTIONS = {
    "linear_bn_linear.onnx": {"roots": "float64"},
    "zoo_batchnorm.onnx": {"roots": "float64"},
    "softmax_last.onnx.gz": {"drop_last": "Softmax"},
}
#: Neurons and linear units of every layer.
WIDTHS = {
    "cersyve_double_integrator_finetune_inv.onnx": "2-33+2-33+2-2+1-2+1-32+1-32+1-2",
    "cersyve_double_integrator_pretrain_con.onnx": "2-33+1-32+1-2",
    "cersyve_pendulum_pretrain_con.onnx": "2-33+1-32+1-2",
    "cersyve_unicycle_finetune_con.onnx": "3-48-32+1-2",
    "certificate_and_controller.onnx": "8-80-80-4",
    "cnn_max_mnist3.onnx.gz": "784-1250-576+576-288+288-64-32-10",
    "collins_rul_20.onnx.gz": "400-1600-2400-800-600-100-1",
    "linear_bn_linear.onnx": "2-1",
    "linearizenn_120_30.onnx.gz": "4-256+2-256+2-256+2-256+2-16+2-8+2-8+2-2",
    "lunarlander.onnx": "8-64-64-4",
    "malbeware_linear.onnx.gz": "4096-25",
    "mnist5x20_leaky.onnx.gz": "784-20+20-20+20-20+20-20+20-20+20-20+20-10",
    "mnist_256x2.onnx.gz": "784-256-256-10",
    "multi_input.onnx": "10-10-10",
    "pensieve_small_simple.onnx.gz": "48-640+1-128-6",
    "relucent_ckpt10_d2_w8_nh1.pt": "2-8-1",
    "relucent_ckpt5490_d4_w10_nh3.pt": "4-10-10-10-1",
    "relucent_ckpt5795_d4_w10_nh4.pt": "4-10-10-10-10-1",
    "resize_4d.onnx": "12-48",
    "resnet_3b2.onnx.gz": "3072-4096-2048+1024-2048-1024+512-1024-512+256-512-100-10",
    "safenlp_medical.onnx": "30-128-2",
    "sat_v6_c27.onnx": "6-39-2",
    "slice.onnx": "5-3",
    "softmax_last.onnx.gz": "784-32-32-10",
    "split_2d.onnx": "12-12",
    "test_nano.onnx": "1-1-1",
    "test_small.onnx": "1-2-2-1",
    "test_tiny.onnx": "1-1-1",
    "tiny_taxi.onnx": "128-16-8-8-2",
    "tll_8.onnx.gz": "2-128-64-32-16-8-4-1",
    "two_branches.onnx": "12-12-24-24",
    "unsat_v6_c30.onnx": "6-42-2",
    "zoo_batchnorm.onnx": "6-6",
    "zoo_dropout.onnx": "4-4",
    "zoo_leaky.onnx": "4-4+4-4",
    "zoo_unsqueeze.onnx": "6-6",
}
TINY_YOLO = (
    "8112-43264+8112-0+43264-43264+43264-43264-0+10816-10816+10816-10816-0+2704-5408+2704-0+5408-"
    "10816+5408-0+10816-21125"
)
#: Of the files that were read before there were linear units.
FROZEN = {
    "ACASXU_run2a_1_1_batch_2000.nnet": (
        "a0b4ee5c9041f9930ff23e542a333baa42d27278432494aa8e93c31129086ad8"
    ),
    "ACASXU_run2a_1_1_batch_2000.onnx": (
        "f26d0930d2cf0cb50545e87155f3cff77249eb8a7cb16f90029d4ed0af95be68"
    ),
    "ACASXU_run2a_1_1_batch_2000_pruned5.onnx": (
        "56b45865c202ec9cbeca1753f878622dc7276668fb1dc04da35ea0ad65ca032d"
    ),
    "ACASXU_run2a_2_9_batch_2000.onnx": (
        "a1c8e2ec1215cec98765ce77c83ce77c9d3984ae441266b10f9fdb81693b54e3"
    ),
    "collins_rul_20.onnx.gz": "21382bc915060d4ff70465c588b5e396eeeb98145682d82ca0542be25356e287",
    "lunarlander.onnx": "299fbe9957361426f11c00de2a5fc8b1c3045a01d3b8cc4f2f6c816597443a6c",
    "malbeware_linear.onnx.gz": "44b4146dce72ee74851e71a49665afa532e3840b1c89fa6f14e4a62dcbf72226",
    "mnist_256x2.onnx.gz": "eff7f0c949c611074e0485b6d2f0c29ad877220915b652eb47fee37eb5e6fdc9",
    "relucent_ckpt10_d2_w8_nh1.pt": (
        "14063c74aebc131fb3e4e1a2de3ce26865be162cf5398cbfaae71b3ac2e20474"
    ),
    "relucent_ckpt5490_d4_w10_nh3.pt": (
        "831a3df00484dd039e14d24efe936ec725517bfa48ab0815d0dca199f2b9c27b"
    ),
    "relucent_ckpt5795_d4_w10_nh4.pt": (
        "1f8e2be1eea9c60e8a0fcbce417beba7413937d1d3f88cab18f4c95e825711b3"
    ),
    "safenlp_medical.onnx": "57f656e5368b9001bed8238887acf21f451bb201d84b0d740c5f21016cdd2f2b",
    "sat_v6_c27.onnx": "4d7af74d28b87f1377da5c68ec8b5c7bbb8467be4b8106465572e40893a2e3bd",
    "test_nano.onnx": "fbd6626dd55fda4a6fafc242e317bf65510f7aa5257848b15128daae6772dd27",
    "test_small.onnx": "10c17ac1269827344b090cb5e8bd65c5dc24d8deb478bb9918ed4505a1ea6e41",
    "test_tiny.onnx": "0afd17735efd4c28d4bd3c30ba954620e7cf9a145cab045beddecf2957bd69c1",
    "tll_8.onnx.gz": "829d8b48b9620fdc3d8c718384aab525c5b39985b0efdecafcc046623addbb8c",
    "unsat_v6_c30.onnx": "b16a4b09357ee6bd28f04752c6805792e0592aa31e6318c1c90216d19371a06c",
    "nets/1_1.onnx.gz": "f26d0930d2cf0cb50545e87155f3cff77249eb8a7cb16f90029d4ed0af95be68",
    "nets/1_1_perturbed.onnx.gz": (
        "d888448ae05dfb6a675cb687659c9c3923e69e8a0c3e4bc28d1a042ee7ed1225"
    ),
    "nets/1_2.onnx.gz": "e3c14a8432c97f66748ca0895e3dc3b08b0cac628a169ca7ae5624b1f9544d67",
    "nets/1_3.onnx.gz": "ab42ee04a804520a2b496300855dc0da99626d51915631a2e66b38e3c6e8befd",
    "nets/1_4.onnx.gz": "3646f7f0b46cb489153b77855e90f8c8b87e32c0660810edf64d6aa35f087440",
    "nets/1_5.onnx.gz": "376054c98664f926b0af1514460911f3ba809facaba7e36b2560f748043ec679",
    "nets/1_6.onnx.gz": "7495663c3ab878622a0554ca8ccb74c0a9a5861cea237e015cd30c1b9a4a0b70",
    "nets/2_1.onnx.gz": "e7289a7b8ae7b17770a519ca56454d46139552405aec6843c77b9e8d88bfe0f9",
    "nets/2_5.onnx.gz": "7b448d6733e215b49b0c7573314cabda10d8434d804f69f769f77f582b36865f",
    "nets/2_6.onnx.gz": "c004c2fd8286205a34aecaaf09390772ddc5389d33ee6e8fa669b5b3193643e0",
    "nets/2_8.onnx.gz": "1a8ad5280016ebb80b0f645521b768785ed164ee3975325f2d8265a853aba30e",
    "nets/2_9.onnx.gz": "a1c8e2ec1215cec98765ce77c83ce77c9d3984ae441266b10f9fdb81693b54e3",
    "nets/3_2.onnx.gz": "4beae260190058a3f999f890d291f2ff243eac40059fb6acae53cec2996efe48",
    "nets/3_5.onnx.gz": "59d0944404d445cea9ea5867c7144bbd32b5de330627134be2e49394f835fb20",
    "nets/3_7.onnx.gz": "568d28c4c1a79b1b7517bc738d78c0ff601d2476004aae0df907c9098eb3ff3b",
    "nets/3_8.onnx.gz": "1aaf4e5047f180ec15e83db6ee8642107b6514119f294418c7ada885d6dfde81",
    "nets/4_1.onnx.gz": "137685556f7b5042201de79c7b38a7ec6abdf09547ab51ea8ff324f89dd6beb0",
    "nets/4_2.onnx.gz": "103ca4d27d996b32abb1cd2ee19e678fbbbeaac6859d66cac461ba9db4bf1faa",
    "nets/4_3.onnx.gz": "7748e365c786e742c4e0771d30ea7bee52476cab1f62bd3359293bbb4ec3ae70",
    "nets/4_4.onnx.gz": "69e06445d97fa398b1ff1f0182fca6b1d22bf70f8100fc30e9b51a8633321e6c",
    "nets/4_5.onnx.gz": "f9d7522eb09efe60e0f4ec0703b7ba64d2e8261eef7ef0ca165c34567c518680",
    "nets/4_6.onnx.gz": "72f575e05aeafcac775a2ecd92ae48a61c8929b2a48977a9cd1e90ed67016c0e",
    "nets/4_7.onnx.gz": "2cd540aa2150af1e0d23dcf1f350344a5cb850a1901c807d445aed3718442f4b",
    "nets/4_9.onnx.gz": "3acb4e69bc14c04ec936c91a78fe8a21ed49a56abc0403ae76efdb86ab9b6bfe",
    "nets/5_2.onnx.gz": "085103b1f1aadb304d5774205c25897556565761068d8ddb4089f564fece52ff",
    "nets/5_3.onnx.gz": "4ab5b78ea034f0a49dc87c5a3a0b21fb2bd9151cfbfb8e79fe6d88cc1d4a15d8",
    "nets/5_5.onnx.gz": "4ce09187969e315448e107290b3b621d13bc7ee4d5bc1e9a162bb3a194e3309a",
    "nets/5_6.onnx.gz": "4f2bd85ce03246fb9d764306c932735294bea188f4a9ebb4447babdb7110c8d5",
    "nets/5_8.onnx.gz": "582ca4f5b48630edd63d7ffb9956fd6db10f2fac22f6968c11ecc5aaa7e552f4",
    "nets/5_9.onnx.gz": "90e89553589dd9eb80ca4211ac13782baf4afcea22be170b302c6cd8746881d3",
}
REFUSED = {
    "ml4acopf_14_linear.onnx.gz": "node 'Mulpow_0': Mul: multiplies two tensors that both depend",
    "refuse_mscn_128d.onnx.gz": "node 'Mul_39': Mul: multiplies two tensors that both depend",
    "refuse_tanh.onnx.gz": "node 'model/model/fc_1/Tanh': Tanh: .*it is curved",
}


def path_of(name: str) -> Path:
    is_acasxu = name.startswith(("ACASXU", "nets/"))
    return DATA / ("acasxu" if is_acasxu else "models") / name


def test_every_model_is_in_a_list() -> None:
    found = {path.name for path in (DATA / "models").iterdir()}
    assert found == {*WIDTHS, *REFUSED, "tiny_yolo.onnx.gz"}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_refused_by_name(name: str) -> None:
    with pytest.raises(UnsupportedFormat, match=f"{re.escape(name)}: {REFUSED[name]}"):
        load(path_of(name))


@pytest.mark.parametrize("name", FROZEN)
def test_the_hash_of_a_plain_network_is_what_it_was(name: str) -> None:
    network = load(path_of(name))
    assert network.is_plain
    assert network.sha256 == FROZEN[name]


def points_of(data: bytes, n: int) -> list[dict[str, Any]]:
    """Random points for all inputs of a model."""
    runtime = pytest.importorskip("onnxruntime")
    options = runtime.SessionOptions()
    options.log_severity_level = 4
    session = runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    rng = np.random.default_rng(7)
    kinds = {"tensor(float)": np.float32, "tensor(double)": np.float64}
    points = []
    for _ in range(n):
        point = {}
        for source in session.get_inputs():
            shape = [d if isinstance(d, int) and d > 0 else 1 for d in source.shape]
            point[source.name] = rng.uniform(-1, 1, shape).astype(kinds[source.type])
        points.append(point)
    return points


def largest_error(network: Network, data: bytes, n: int, is_softmax: bool = False) -> float:
    """Against onnxruntime, which computes in float32, in terms of the largest output."""
    points = points_of(data, n)
    flat = [np.concatenate([v.ravel() for v in p.values()]).tolist() for p in points]
    ours = evaluate_batch(network, [vector(p) for p in flat])
    largest, worst = 1e-9, 0.0
    for values, row in zip(ours, runtime_values(data, points), strict=True):
        found = np.array([float(v) for v in values])
        if is_softmax:
            found = np.exp(found - found.max())
            found /= found.sum()
        assert found.shape == row.shape
        worst = max(worst, float(np.abs(found - row).max()))
        largest = max(largest, float(np.abs(row).max()))
    return worst / largest


@pytest.mark.parametrize("name", WIDTHS)
def test_a_public_model(name: str) -> None:
    network = load(path_of(name), **OPTIONS.get(name, {}))
    assert widths_text(network) == WIDTHS[name]
    if name.endswith(".pt"):
        return
    n_points = 3 if name in LARGE else N_POINTS
    error = largest_error(network, read_bytes(path_of(name)), n_points, name.startswith("softmax"))
    assert error < 1e-5


@pytest.mark.sweep
@pytest.mark.parametrize("name", LARGE)
def test_a_large_one(name: str) -> None:
    """Seconds for all points."""
    assert largest_error(load(path_of(name)), read_bytes(path_of(name)), N_POINTS) < 1e-5


@pytest.mark.sweep
def test_tiny_yolo() -> None:
    """35 million entries that are not 0, in sparse layers; at one point."""
    path = path_of("tiny_yolo.onnx.gz")
    network = load(path, max_memory="3G")
    assert widths_text(network) == TINY_YOLO
    assert all(layer.affine.is_sparse for layer in network.layers)
    assert largest_error(network, read_bytes(path), 1) < 1e-5
