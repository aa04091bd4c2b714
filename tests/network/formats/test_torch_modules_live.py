"""Live torch modules; torch is no dependency, so these run only where it is installed."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pytest

from exactrelu.errors import InputError, UnsupportedFormat
from exactrelu.exact.scalar import rational
from exactrelu.network.formats.onnx_graph import from_onnx
from exactrelu.network.formats.torch_modules import from_torch, load_torch
from exactrelu.network.network import Network, widths_text
from exactrelu.questions.regions import regions

torch = pytest.importorskip("torch")
nn = torch.nn
pytest.importorskip("onnxscript")
onnx = pytest.importorskip("onnx")

from tests.network.formats import torch_examples  # noqa: E402


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
    assert load_torch(tmp_path / "m.pt", input_shape=shape) == net


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
    with pytest.raises(UnsupportedFormat, match="Mul: multiplies two tensors that both depend"):
        from_torch(nn.Sequential(nn.Linear(2, 2), Mine()))
    with pytest.raises(UnsupportedFormat, match=r"BatchNorm1d\): entry 1: the square root"):
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


EXAMPLES = torch_examples.EXAMPLES
#: Of the largest output: sums of fewer than a hundred products in float64, layer after layer.
BOUND = 1e-13


def shape_of(shapes: list[tuple[int, ...]]) -> Sequence[Any]:
    return shapes if len(shapes) > 1 else shapes[0]


def by_torchscript(model: Any, shapes: list[tuple[int, ...]], **asked: Any) -> Network:
    """As a user does it who exports a file; nothing is folded."""
    file = io.BytesIO()
    inputs = tuple(torch.zeros(1, *dims, dtype=next(model.parameters()).dtype) for dims in shapes)
    with pytest.warns(DeprecationWarning, match="TorchScript"):
        torch.onnx.export(model, inputs, file, dynamo=False, do_constant_folding=False)
    return from_onnx(onnx.load_model_from_string(file.getvalue()), **asked)


def with_dyadic_statistics(model: Any) -> Any:
    """Batch normalisations that divide by 2 or by 1/2."""
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.running_mean = dyadic(len(module.running_mean))
            choice = torch.randint(0, 2, module.running_var.shape).double()
            module.running_var = choice * 3.75 + 0.25 - module.eps
    return model


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_module_of_any_class_is_the_function_of_torch(name: str) -> None:
    """Numbers are dyadic and small, so that torch is exact too."""
    build, shapes, widths = EXAMPLES[name]
    model = with_dyadic_statistics(filled(build()))
    net = from_torch(model, shape_of(shapes))
    assert net.name == build.__name__
    assert widths_text(net) == widths
    other = by_torchscript(model, shapes)
    for _ in range(5):
        inputs = [dyadic(1, *dims) for dims in shapes]
        point = [number for x in inputs for number in x.flatten().tolist()]
        expected = tuple(map(rational, model(*inputs).flatten().tolist()))
        assert net(point) == other(point) == expected


@pytest.mark.parametrize("name", EXAMPLES)
def test_trained_weights_agree_with_double(name: str) -> None:
    build, shapes, _ = EXAMPLES[name]
    torch.manual_seed(1)
    model = build()
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.running_mean.normal_()
            module.running_var.uniform_(0.5, 2)
            nn.init.uniform_(module.weight, 0.5, 2)
            nn.init.normal_(module.bias)
        elif isinstance(module, torch_examples.Functional):
            nn.init.normal_(module.weight)
    networks = [from_torch(model, shape_of(shapes), roots="float64")]
    networks.append(by_torchscript(model.eval(), shapes, roots="float64"))
    model.double()
    for _ in range(5):
        inputs = [torch.randn(1, *dims).double() for dims in shapes]
        point = [number for x in inputs for number in x.flatten().tolist()]
        expected = model(*inputs).flatten().tolist()
        for net in networks:
            errors = [abs(float(a) - b) for a, b in zip(net(point), expected, strict=True)]
            assert max(errors) <= BOUND * max(map(abs, expected))


def test_what_skips_a_layer_bends_nothing() -> None:
    torch.manual_seed(3)
    stream, pairs = torch_examples.Stream(), torch_examples.Stream(as_pairs=True)
    pairs.load_state_dict(stream.state_dict())
    a, b = (from_torch(model, (2,)) for model in (stream, pairs))
    assert widths_text(a) == "2-5+3-5+3-1"
    found, of_pairs = regions(a), regions(b)
    assert found.n_linear_regions == of_pairs.n_linear_regions
    assert found.n_regions < of_pairs.n_regions


def test_the_module_stays_as_it_is() -> None:
    model = torch_examples.Residual()
    model.blocks[1].eval()
    flags = [module.training for module in model.modules()]
    before = {key: value.clone() for key, value in model.state_dict().items()}
    from_torch(model, (1, 4, 4), roots="float64")
    assert [module.training for module in model.modules()] == flags
    assert all(torch.equal(value, before[key]) for key, value in model.state_dict().items())


def test_batch_normalisation_is_not_folded() -> None:
    """Its root is irrational, and nobody has rounded it on the way."""
    with pytest.raises(UnsupportedFormat, match="BatchNormalization: entry 1: the square root is"):
        from_torch(torch_examples.Residual(), (1, 4, 4))
    sequential = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    net = from_torch(sequential, roots="float64", name="n")
    assert net.name == "n (roots: float64)"
    # The factor is 1, mean and shift are 0, the variance is 1; ε is 1e-5.
    plain = from_torch(sequential[0])([1, 2])
    divisor = plain[0] / net([1, 2])[0]
    assert divisor == rational(float(divisor))
    assert abs(divisor**2 - (1 + rational(1e-5))) < rational(2) ** -51


def test_modules_of_torch_that_are_exported() -> None:
    """The shape is that of the first layer, where that says it."""
    leaky = filled(nn.Sequential(nn.Linear(2, 3), nn.LeakyReLU(0.25), nn.Linear(3, 1)))
    assert widths_text(from_torch(leaky)) == "2-3+3-1"
    with pytest.raises(
        InputError, match=r"^module '1': LeakyReLU is exported to be read: give the"
    ):
        from_torch(nn.Sequential(nn.Conv2d(1, 1, 1), nn.LeakyReLU()))
    softmax = nn.Sequential(nn.Linear(2, 2), nn.Softmax(1))
    net = from_torch(softmax, drop_last="Softmax")
    assert net == from_torch(softmax[0])
    assert net.name == "Sequential (without the last Softmax)"
    assert from_torch(softmax, until="linear") == net


class LooksAtValues(nn.Module):
    def __init__(self, how: Any) -> None:
        super().__init__()
        self.how = how

    def forward(self, x: Any) -> Any:
        return self.how(x)


@pytest.mark.parametrize(
    "how",
    [
        lambda x: x if x.sum() >= 0 else -x,
        lambda x: x if torch.equal(x, x.abs()) else -x,
        lambda x: x * x.sum().item(),
        lambda x: x * x.tolist()[0][0],
        lambda x: x + torch.from_numpy(x.numpy()),
        lambda x: x + torch.rand(1, 2),
        lambda x: nn.functional.dropout(x),
        lambda x: torch.where(x > 0, x, 2 * x),
        lambda x: x.softmax(1),
    ],
)
def test_no_function_of_a_network_is_one_clear_error(how: Any, capfd: Any) -> None:
    """One run of it would be another function: code that looks at values, or at a random number."""
    with pytest.raises(UnsupportedFormat) as error:
        from_torch(LooksAtValues(how), (2,))
    assert "\n" not in str(error.value)
    assert capfd.readouterr() == ("", "")


def test_what_torch_cannot_export() -> None:
    words = r"^torch cannot export Residual for an input of shape \(1, 2\): RuntimeError: "
    with pytest.raises(UnsupportedFormat, match=words):
        from_torch(torch_examples.Residual(), (2,))
    with pytest.raises(InputError, match=r"^input shape: found \(\(2,\), 3\), expected sizes"):
        from_torch(torch_examples.Residual(), ((2,), 3))
    with pytest.raises(InputError, match="found a state_dict, and what is asked of a module"):
        from_torch(torch_examples.Residual().state_dict(), roots="float64")


def test_hooks_are_a_part_of_what_is_exported() -> None:
    model = filled(torch_examples.DenselyConnected())
    model.last.register_forward_hook(lambda module, inputs, output: output * 2)
    x = dyadic(1, 3)
    assert from_torch(model, (3,))(x[0].tolist()) == tuple(map(rational, model(x)[0].tolist()))
