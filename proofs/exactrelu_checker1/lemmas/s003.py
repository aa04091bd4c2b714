"""Statements of Puthawala et al., *Globally injective ReLU networks*."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from . import s003_kernels as kernels
from . import s003_layers as layers
from .lemma import Instance, Lemma, Need


def _lemma(needs: Callable[[Instance], Iterator[Need]], names: str, statement: str) -> Lemma:
    return Lemma(statement, frozenset(names.split()), needs)


LEMMAS: Mapping[str, Lemma] = MappingProxyType(
    {
        "S003-definition-1-basis": _lemma(
            layers.basis,
            "N x",
            "if the rows of W with w.x >= 0 span R^n, the set of them is a basis",
        ),
        "S003-lemma-1": _lemma(
            layers.lemma_1,
            "N",
            "if ReLU(Wx + b) is injective, so is ReLU(W'x), W' the rows of W with b >= 0",
        ),
        "S003-corollary-1": _lemma(
            layers.corollary_1, "N", "if every hidden layer is injective, so is the network"
        ),
        "S003-corollary-1-converse": _lemma(
            layers.converse,
            "N",
            "if a network with two hidden layers is injective, so is its second layer",
        ),
        "S003-necessary-near-origin": _lemma(
            layers.near_origin,
            "N",
            "if ReLU(Wx + b) is injective for -1 <= x <= 1, it is injective on R^n",
        ),
        "S003-closed-half-space": _lemma(
            layers.half_space,
            "N p",
            "if p is not 0 and w.p >= 0 for more than m - n rows, ReLU(Wx) is not injective",
        ),
        "S003-mean-row": _lemma(
            layers.mean_row,
            "N",
            "if w.v >= 0 for more than m - n rows, v the mean of the rows, ReLU(Wx) is not "
            "injective",
        ),
        "S003-theorem-3": _lemma(
            kernels.theorem_3,
            "N P n",
            "if O <= P <= n and the layer of all shifts of the kernels within P is injective, so "
            "is the convolution (Cx)_J = sum of c_(O-I+1) x_(J+I) with zeros beyond the edges",
        ),
        "S003-lemma-3": _lemma(
            kernels.lemma_3,
            "N V n",
            "if V + O <= n, the kernel shifted by V is a row of the convolution (Cx)_J = sum of "
            "c_(O-I+1) x_(J+I) with zeros beyond the edges",
        ),
        "S003-kernel-count": _lemma(
            kernels.kernel_count,
            "N P n",
            "if the layer of all shifts of q kernels of width O within P > O is injective, "
            "q >= 2/(1 - O/P)",
        ),
        "S003-example-1": _lemma(
            kernels.example_1,
            "height width",
            "the layer with the 2 x 2 kernels 3 at one place and -1 elsewhere and their "
            "opposites is injective on periodic images",
        ),
        "S003-appendix-F": _lemma(
            kernels.appendix_f,
            "N s",
            "if C and s are not 0, the layer ReLU([C; -ssC]x) is injective",
        ),
        "S003-renormalization": _lemma(
            layers.shift,
            "N c t",
            "if a network with two hidden layers is injective, it is with x -> cx + t, c not 0, "
            "between them",
        ),
        "S003-spectral-normalization": _lemma(
            layers.factor,
            "N c t",
            "if a network with two hidden layers is injective, it is with x -> cx, c > 0, "
            "between them",
        ),
        "S003-weight-normalization": _lemma(
            layers.row_factors,
            "N d",
            "if ReLU(Wx + b) is injective, so is ReLU(DWx + b), D a positive diagonal matrix",
        ),
        "S003-lemma-4": _lemma(
            layers.lemma_4, "N", "if ReLU(Wx) is injective, so is the network ReLU(Wx + b)"
        ),
        "S003-theorem-4-wedges": _lemma(
            layers.wedges,
            "N x y",
            "if ReLU(Wx) is injective, the segment from x to y passes through at most m wedges",
        ),
        "S003-proposition-1-if": _lemma(
            layers.frame_bound,
            "N",
            "if no row of W is 0 and every x has a row with w.x >= 0, so that A_0 > 0, ReLU(Wx) "
            "is injective",
        ),
        "S003-proposition-1-lower": _lemma(
            layers.lower_bound,
            "N x y",
            "if ReLU(Wx) is injective, n = 1, A_0 |x - y| <= |ReLU(Wx) - ReLU(Wy)|",
        ),
        "S003-zero-column": _lemma(
            layers.zero_column,
            "N x",
            "if a column of W is 0, every x has a row with w.x = 0: no set is admissible",
        ),
    }
)
