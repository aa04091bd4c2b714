"""Modules of PyTorch that are no Sequential: blocks as they are found in practice, small."""

from __future__ import annotations

from typing import Any

import pytest

# Looked at by doctest too, where there may be no torch.
torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional


class Block(nn.Module):
    """Two convolutions with batch normalisation, and what comes in is added."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.conv1, self.conv2 = (nn.Conv2d(n, n, 3, padding=1, bias=False) for _ in range(2))
        self.norm1, self.norm2 = (nn.BatchNorm2d(n, eps=2**-10) for _ in range(2))

    def forward(self, x: Any) -> Any:
        inner = F.relu(self.norm1(self.conv1(x)))
        return F.relu(self.norm2(self.conv2(inner)) + x)


class Residual(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(1, 2, 3, stride=2, padding=1)
        self.blocks = nn.Sequential(Block(2), Block(2))
        self.last = nn.Linear(2, 2)

    def forward(self, x: Any) -> Any:
        return self.last(F.adaptive_avg_pool2d(self.blocks(self.stem(x)), 1).flatten(1))


class DenselyConnected(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.ModuleList([nn.Linear(3, 4), nn.Linear(7, 4)])
        self.last = nn.Linear(11, 2)

    def forward(self, x: Any) -> Any:
        for layer in self.inner:
            x = torch.cat([x, layer(x).relu()], 1)
        return self.last(x)


class Inception(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.one = nn.Conv2d(2, 1, 1)
        self.three = nn.Sequential(nn.Conv2d(2, 1, 1), nn.ReLU(), nn.Conv2d(1, 2, 3, padding=1))
        self.pooled = nn.Conv2d(2, 1, 1)
        self.last = nn.Linear(36, 2)

    def forward(self, x: Any) -> Any:
        pooled = self.pooled(F.max_pool2d(x, 3, stride=1, padding=1))
        return self.last(torch.cat([self.one(x), self.three(x), pooled], 1).relu().flatten(1))


class Deconvolution(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(3, 8)
        self.up = nn.ConvTranspose2d(2, 2, 3, stride=2, padding=1, output_padding=1)
        self.last = nn.Conv2d(2, 1, 3)

    def forward(self, x: Any) -> Any:
        return self.last(self.up(self.first(x).relu().view(-1, 2, 2, 2)).relu())


class Leaky(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second, self.last = nn.Linear(3, 4), nn.Linear(4, 4), nn.Linear(4, 2)

    def forward(self, x: Any) -> Any:
        h = F.leaky_relu(self.first(x), 0.25)
        return self.last(F.leaky_relu(self.second(h), 0.125))


class Parametric(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.bend, self.last = nn.Linear(3, 4), nn.PReLU(4), nn.Linear(4, 2)

    def forward(self, x: Any) -> Any:
        return self.last(self.bend(self.first(x)))


class MaxPooled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv, self.last = nn.Conv1d(1, 2, 3), nn.Linear(6, 2)

    def forward(self, x: Any) -> Any:
        return self.last(F.max_pool1d(self.conv(x), 2).flatten(1))


class Clipped(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second, self.last = nn.Linear(3, 4), nn.Linear(4, 4), nn.Linear(4, 2)

    def forward(self, x: Any) -> Any:
        h = F.hardtanh(self.first(x), -0.5, 1.5)
        return self.last(F.relu6(4 * self.second(h)))


class Functional(nn.Module):
    """Parts of tensors, maxima, absolute values, a mean: nothing of it is a module."""

    def __init__(self) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.zeros(5, 3)), nn.Parameter(torch.zeros(5))

    def forward(self, x: Any) -> Any:
        y = F.linear(x, self.weight, self.bias)
        z = torch.maximum(y, -0.5 * y).abs()
        a, b, c = z.chunk(3, 1)
        _, last = z.split([1, 4], 1)
        mean = torch.minimum(a, b).mean(1, keepdim=True)
        return torch.clamp(a - b, min=-1) + 2 * y[:, :2] - mean * 3 + c + last[:, ::2]


class TwoInputs(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.left, self.right, self.last = nn.Linear(2, 4), nn.Linear(3, 4), nn.Linear(4, 2)

    def forward(self, x: Any, y: Any) -> Any:
        return self.last((self.left(x) + self.right(y)).relu()) + x


class Hourglass(nn.Module):
    """Down and up again, with a connection across."""

    def __init__(self) -> None:
        super().__init__()
        self.down, self.low, self.last = (
            nn.Conv2d(1, 2, 3, padding=1),
            nn.Conv2d(2, 2, 1),
            nn.Conv2d(4, 1, 1),
        )

    def forward(self, x: Any) -> Any:
        across = self.down(x).relu()
        low = self.low(F.avg_pool2d(across, 2)).relu()
        return self.last(torch.cat([across, F.interpolate(low, scale_factor=2)], 1))


#: By name: the module, the shapes of its inputs, the widths as they are written.
EXAMPLES: dict[str, tuple[Any, list[tuple[int, ...]], str]] = {
    "residual": (Residual, [(1, 4, 4)], "16-8+8-8-8+8-8-2"),
    "dense connections": (DenselyConnected, [(3,)], "3-4+3-4+2-2"),
    "inception": (Inception, [(2, 3, 3)], "18-25+18-14+39-10+33-2+28-36-2"),
    "deconvolution": (Deconvolution, [(3,)], "3-8-32-4"),
    "leaky": (Leaky, [(3,)], "3-4+4-4+4-2"),
    "parametric": (Parametric, [(3,)], "3-4+4-2"),
    "max pool": (MaxPooled, [(1, 8)], "8-6+6-2"),
    "clipped": (Clipped, [(3,)], "3-8-8-2"),
    "functional": (Functional, [(3,)], "3-5+5-5+7-4+9-2"),
    "two inputs": (TwoInputs, [(2,), (3,)], "5-4+2-2"),
    "hourglass": (Hourglass, [(1, 4, 4)], "16-32-8+16-16"),
}


class Stream(nn.Module):
    """A residual stream; with pairs, what skips a layer is carried as s(z) − s(−z)."""

    def __init__(self, as_pairs: bool = False) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(2, 3), nn.Linear(3, 1)
        self.inner = nn.ModuleList(nn.Linear(*shape) for shape in ((3, 5), (5, 3)) * 2)
        self.as_pairs = as_pairs

    def forward(self, x: Any) -> Any:
        z = self.first(x)
        for read, write in zip(self.inner[::2], self.inner[1::2], strict=True):
            carried = z.relu() - (-z).relu() if self.as_pairs else z
            z = carried + write(read(z).relu())
        return self.last(z)
