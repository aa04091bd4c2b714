"""Operators of ONNX and modules of PyTorch that are refused, and why."""

from __future__ import annotations

from exactrelu.errors import FORMATS_PAGE

#: In small letters, what is curved: no network of ReLUs computes it.
CURVED = frozenset(
    """
    acos acosh asin asinh atan atanh bilinear celu cos cosh elu erf exp gelu glu groupnorm
    groupnormalization gru hardswish instancenormalization layernorm layernormalization log
    logsigmoid logsoftmax lpnormalization lrn lstm meanvariancenormalization mish
    multiheadattention pow reciprocal reducel2 reducelogsum reducelogsumexp reduceprod
    reducesumsquare rnn selu sigmoid silu sin sinh softmax softmin softplus softsign swish tan tanh
    tanhshrink
    """.split()
)
#: What jumps.
JUMPING = frozenset(
    """
    and argmax argmin bitshift ceil dynamicquantizelinear equal floor greater greaterorequal hardmax
    isinf isnan less lessorequal mod nonmaxsuppression nonzero not onehot or quantizelinear round
    shrink sign threshold topk unique xor
    """.split()
)
#: What is piecewise affine, and read from ONNX only, or not at all.
PIECEWISE = frozenset(
    """
    adaptiveavgpool1d adaptiveavgpool2d adaptivemaxpool1d adaptivemaxpool2d convtranspose1d
    convtranspose2d hardshrink hardtanh maxunpool relu6 rrelu softshrink zeropad2d
    """.split()
)


def not_supported(name: str) -> str:
    """Why an operator or a module of this name is refused, and where to read on.

    >>> not_supported("Tanh")
    'is not supported: it is curved, not piecewise affine (see howto/load in the manual)'
    """
    why = "no reader knows it"
    if name.lower() in CURVED:
        why = "it is curved, not piecewise affine"
    elif name.lower() in JUMPING:
        why = "it jumps, and a network of ReLUs is continuous"
    elif name.lower() in PIECEWISE:
        why = "it is piecewise affine, but no reader knows it yet: export ONNX"
    return f"is not supported: {why} (see {FORMATS_PAGE} in the manual)"
