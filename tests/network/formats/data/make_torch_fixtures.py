"""Writes the PyTorch files in ``torch/`` and what torch computes with them.

Run with torch installed (2.13.0 was used):  python make_torch_fixtures.py
Weights and inputs are small dyadic numbers and modules are float64, so torch's own
results, in ``torch/expected.json``, are exact.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path


def main() -> None:
    argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0]).parse_args()
    try:
        import torch
        from torch import nn
    except ModuleNotFoundError as missing:
        sys.exit(f"the package {missing.name!r} is not installed")

    torch.manual_seed(2)
    folder = Path(__file__).parent / "torch"
    folder.mkdir(exist_ok=True)

    def dyadic(*shape: int, low: int = -8, high: int = 9) -> torch.Tensor:
        return torch.randint(low, high, shape).double() / 8

    def fill(model: nn.Module) -> nn.Module:
        for module in model.modules():
            for parameter in module.parameters(recurse=False):
                parameter.data = dyadic(*parameter.shape)
            if isinstance(module, (nn.BatchNorm1d, nn.BatchNorm2d)):
                module.running_mean = dyadic(*module.running_mean.shape)
                # variance + eps is 4 or 1/4: the root is 2 or 1/2.
                choice = torch.randint(0, 2, module.running_var.shape).double()
                module.running_var = choice * 3.75 + 0.25 - module.eps
        return model.eval()

    mlp = fill(nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 4), nn.ReLU(), nn.Linear(4, 2)))
    conv = fill(
        nn.Sequential(
            nn.Conv2d(1, 2, 3, stride=1, padding=1),
            nn.BatchNorm2d(2, eps=2**-10),
            nn.ReLU(),
            nn.AvgPool2d(2),
            nn.Sequential(
                nn.Conv2d(2, 4, (2, 3), stride=(2, 1), padding="valid", groups=2, dilation=(1, 1)),
                nn.ReLU(),
            ),
            nn.Conv2d(4, 2, 2, padding="same", bias=False),
            nn.Identity(),
            nn.Flatten(),
            nn.Dropout(0.5),
            nn.Linear(8, 3),
        )
    )
    line = fill(
        nn.Sequential(
            nn.Conv1d(2, 3, 3, stride=2, padding=2, dilation=2),
            nn.BatchNorm1d(3, eps=2**-10, affine=False),
            nn.ReLU(),
            nn.AvgPool1d(2, stride=1, padding=1, count_include_pad=True),
            nn.Flatten(),
            nn.Linear(18, 2, bias=False),
            nn.ReLU(),
        )
    )
    expected = {}

    def record(name: str, model: nn.Module, shape: tuple[int, ...]) -> None:
        inputs = dyadic(6, *shape)
        outputs = model(inputs)
        expected[name] = {
            "input_shape": list(shape),
            "inputs": inputs.reshape(6, -1).tolist(),
            "outputs": outputs.reshape(6, -1).tolist(),
        }

    record("mlp_state_dict.pt", mlp, (3,))
    torch.save(mlp.state_dict(), folder / "mlp_state_dict.pt")
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        name = f"mlp_{str(dtype).removeprefix('torch.')}.pt"
        torch.save({k: v.to(dtype) for k, v in mlp.state_dict().items()}, folder / name)
        expected[name] = expected["mlp_state_dict.pt"]
    record("mlp_sequential.pt", mlp, (3,))
    torch.save(mlp, folder / "mlp_sequential.pt")
    record("mlp_protocol5.pt", mlp, (3,))
    torch.save(mlp, folder / "mlp_protocol5.pt", pickle_protocol=5)
    record("conv2d_sequential.pt", conv, (1, 8, 8))
    torch.save(conv, folder / "conv2d_sequential.pt")
    torch.save(conv.state_dict(), folder / "conv2d_state_dict.pt")
    record("conv1d_sequential.pt", line, (2, 9))
    torch.save(line, folder / "conv1d_sequential.pt")
    torch.save(mlp.state_dict(), folder / "legacy.pt", _use_new_zipfile_serialization=False)
    torch.save(nn.Sequential(nn.Linear(1, 1), nn.Sigmoid()), folder / "sigmoid.pt")
    torch.save([1, 2, 3], folder / "list.pt")
    torch.save({"epoch": 3, "state_dict": mlp.state_dict()}, folder / "checkpoint.pt")
    torch.jit.save(torch.jit.trace(mlp, torch.zeros(1, 3).double()), folder / "torchscript.pt")
    (folder / "expected.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()
