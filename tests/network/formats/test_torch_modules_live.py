"""Live torch modules; torch is no dependency, so these run only where it is installed."""

from __future__ import annotations

from typing import Any

import pytest

from exactrelu.errors import InputError, UnsupportedFormat
from exactrelu.exact.scalar import rational
from exactrelu.network.formats.torch_modules import from_torch, load_torch

torch = pytest.importorskip("torch")
nn = torch.nn


def dyadic(*shape: int) -> Any:
    return torch.randint(-8, 9, shape).double() / 4


def filled(model: Any) -> Any:
    """Small dyadic parameters: float64 computes with them exactly."""
    torch.manual_seed(7)
    for parameter in model.parameters():
        parameter.data = dyadic(*parameter.shape)
    return model.double().eval()


MODELS = {
    "mlp": (lambda: nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)), (3,)),
    "one-linear": (lambda: nn.Linear(3, 2), (3,)),
    "no-bias": (lambda: nn.Sequential(nn.Linear(3, 4, bias=False), nn.ReLU()), (3,)),
    "nested": (
        lambda: nn.Sequential(
            nn.Flatten(),
            nn.Sequential(nn.Linear(6, 4), nn.ReLU(), nn.Dropout()),
            nn.Sequential(nn.Identity(), nn.Linear(4, 4)),
            nn.Linear(4, 1),
        ),
        (2, 3),
    ),
    "conv2d": (
        lambda: nn.Sequential(
            nn.Conv2d(2, 4, (3, 2), stride=(2, 1), padding=(1, 0), dilation=(1, 2), groups=2),
            nn.ReLU(),
            nn.AvgPool2d((2, 2), stride=1, padding=1, count_include_pad=True),
            nn.Flatten(1, -1),
            nn.LazyLinear(2),
        ),
        (2, 6, 5),
    ),
    "conv1d-same": (
        lambda: nn.Sequential(
            nn.Conv1d(1, 2, 4, padding="same", dilation=3), nn.ReLU(), nn.AvgPool1d(2)
        ),
        (1, 8),
    ),
    "max-pool": (
        lambda: nn.Sequential(
            nn.Conv2d(1, 2, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(2, 2, 2),
            nn.MaxPool2d((2, 1), stride=1, padding=(1, 0), dilation=(2, 1)),
            nn.ReLU(),
            nn.Flatten(),
            nn.LazyLinear(2),
        ),
        (1, 6, 6),
    ),
    "max-pool1d": (lambda: nn.Sequential(nn.MaxPool1d(3, stride=2), nn.ReLU()), (2, 7)),
    "linear-on-rows": (lambda: nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.Flatten()), (4, 3)),
}


@pytest.mark.parametrize("name", MODELS)
def test_the_same_function_as_torch(name: str, tmp_path: Any) -> None:
    build, shape = MODELS[name]
    model = build()
    model(torch.zeros(1, *shape))
    model = filled(model)
    net = from_torch(model, input_shape=shape, name=name)
    assert net.name == name
    points = dyadic(5, *shape)
    for x, y in zip(points.reshape(5, -1).tolist(), model(points).reshape(5, -1), strict=True):
        assert net(x) == tuple(map(rational, y.tolist()))
    torch.save(model, tmp_path / "m.pt")
    assert load_torch(tmp_path / "m.pt", shape) == net


def test_state_dict_and_module_are_one_network() -> None:
    model = filled(nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2, bias=False)))
    assert from_torch(model.state_dict()) == from_torch(model)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_every_float_type_is_exact(dtype: str) -> None:
    weight = torch.tensor([[0.1, -2.7]], dtype=getattr(torch, dtype))
    row = from_torch({"weight": weight}).layers[0].weights.row(0)
    assert row == tuple(map(rational, weight.double()[0].tolist()))


def test_refusals() -> None:
    class Mine(nn.Module):
        def forward(self, x: Any) -> Any:
            return x * x

    with pytest.raises(
        UnsupportedFormat, match=r"module '1' \(torch\..*Sigmoid\): is not supported"
    ):
        from_torch(nn.Sequential(nn.Linear(2, 2), nn.Sigmoid()))
    with pytest.raises(UnsupportedFormat, match=r"module '1' \(.*Mine\): is not supported"):
        from_torch(nn.Sequential(nn.Linear(2, 2), Mine()))
    with pytest.raises(UnsupportedFormat, match=r"BatchNorm1d\): channel 1: the square root"):
        from_torch(nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)))
    with pytest.raises(UnsupportedFormat, match="padding_mode"):
        from_torch(nn.Conv1d(1, 1, 3, padding=1, padding_mode="circular"), input_shape=(1, 5))
    with pytest.raises(UnsupportedFormat, match="divisor_override"):
        from_torch(nn.AvgPool2d(2, divisor_override=3), input_shape=(1, 4, 4))
    with pytest.raises(InputError, match="do not say the shape"):
        from_torch(nn.Conv2d(1, 1, 3))
    with pytest.raises(UnsupportedFormat, match="expected floats"):
        from_torch({"weight": torch.ones(1, 1, dtype=torch.int32)})
    hooked = nn.Sequential(nn.Linear(2, 2))
    hooked[0].register_forward_hook(lambda module, inputs, output: output * 2)
    with pytest.raises(UnsupportedFormat, match="forward hooks"):
        from_torch(hooked)
