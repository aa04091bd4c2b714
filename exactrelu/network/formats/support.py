"""Which operators of ONNX are read, and where exactly; which are refused, and why.

The table is what the manual shows.  Refused are operators of ONNX and modules of PyTorch that are
curved, that jump, or that no reader knows; a reason in words is part of every error.
"""

from __future__ import annotations

from typing import NamedTuple

from exactrelu.errors import FORMATS_PAGE

#: The newest version of ONNX's operators whose changes were read here, one by one.
NEWEST_OPSET = 28


class Rule(NamedTuple):
    """Operators that are read in one way."""

    operators: str
    #: What they become.
    rule: str
    #: Where that is exact; anything else is refused, with the node and the reason.
    condition: str = "always"

    @property
    def names(self) -> list[str]:
        return self.operators.split()


#: In the order of the manual.
RULES = (
    Rule("Relu", "a neuron for each element"),
    Rule("LeakyRelu PRelu", "a·z + (1 − a)·s(z), z a linear unit", "the slope is a constant"),
    Rule("Abs ReduceL1", "2·s(z) − z, and sums of it"),
    Rule("Max Min ReduceMax ReduceMin", "a + s(b − a), by halving; min(z) = −max(−z)"),
    Rule(
        "MaxPool GlobalMaxPool",
        "the greatest of each window, by halving",
        "no output of indices; no window of nothing but padding",
    ),
    Rule(
        "Clip",
        "lo + s(z − lo) − s(z − hi), or one side of it",
        "constant bounds; lo > hi gives hi; hi = ∞ or the largest float32 is none, nor lo = −∞",
    ),
    Rule("HardSigmoid", "clip(αz + β, 0, 1)"),
    Rule("ThresholdedRelu", "a neuron for each element", "alpha is 0: else it jumps"),
    Rule(
        "Shrink",
        "s(z − λ) − s(−z − λ)",
        "bias = lambd ≥ 0, or 0 ≥ lambd and bias = 0: else it jumps",
    ),
    Rule("Add Sub Neg Sum Mean", "a linear map"),
    Rule("Mul", "scaling", "one factor is constant, for each element"),
    Rule("Div", "scaling", "the divisor is a constant and nowhere 0"),
    Rule("Gemm MatMul", "a linear map", "one factor is a constant"),
    Rule(
        "Conv",
        "a sparse linear map",
        "the kernel is a constant; any padding, stride, dilation and group",
    ),
    Rule(
        "ConvTranspose",
        "a sparse linear map",
        "the kernel is a constant; auto_pad is NOTSET or VALID; output_shape within reach",
    ),
    Rule(
        "AveragePool GlobalAveragePool",
        "a sparse linear map",
        "not with ceil_mode and count_include_pad where a window leaves the padding",
    ),
    Rule("ReduceSum ReduceMean", "sums", "the axes are constants, none is named twice"),
    Rule("CumSum", "sums", "the axis is a constant"),
    Rule(
        "BatchNormalization",
        "scaling of each channel by γ/√(σ² + ε), and a shift",
        "inference form, statistics are constants; the root is rational, or --roots",
    ),
    Rule("DequantizeLinear", "(q − zero)·scale", "of constants, for a tensor or along an axis"),
    Rule(
        "Resize Upsample",
        "a sparse linear map, axis by axis, in rational coordinates",
        "nearest or linear; no roi, antialias, exclude_outside or aspect ratio policy",
    ),
    Rule(
        "Concat DepthToSpace Expand Flatten Identity Reshape SpaceToDepth Split Squeeze Tile "
        "Transpose Trilu Unsqueeze CenterCropPad",
        "elements are moved; a zero is filled in where the operator does",
        "shapes, axes and parts are constants",
    ),
    Rule(
        "Compress Gather GatherElements GatherND ReverseSequence Slice",
        "elements are moved",
        "indices are constants",
    ),
    Rule("Pad", "elements are moved", "mode constant; pads are constants, and crop where negative"),
    Rule("ScatterElements ScatterND", "elements are moved", "indices are constants; no reduction"),
    Rule("Where", "elements are moved", "the condition is a constant"),
    Rule(
        "Cast CastLike",
        "the identity",
        "of tensors: to float32 or float64; constants are converted",
    ),
    Rule("Dropout", "the identity", "no training mode"),
    Rule("Constant ConstantOfShape Shape Size", "a constant"),
    Rule("Sqrt", "a constant", "of constants; the root is rational, or --roots"),
    Rule("Ceil Floor", "a constant", "of constants"),
    Rule(
        "And Equal Greater GreaterOrEqual Less LessOrEqual Mod NonZero Not Or Range "
        "ReduceProd Sign Xor",
        "integers and truth values, for shapes and conditions",
        "of constants that are no floats",
    ),
)

#: In small letters, what is curved: no network of ReLUs computes it.
CURVED = frozenset(
    [
        *("acos", "acosh", "asin", "asinh", "atan", "atanh", "bilinear", "celu", "cos", "cosh"),
        *("elu", "erf", "exp", "gelu", "glu", "groupnorm", "groupnormalization", "gru"),
        *("hardswish", "instancenormalization", "layernorm", "layernormalization", "log"),
        *("logsigmoid", "logsoftmax", "lppool", "lpnormalization", "lrn", "lstm"),
        *("meanvariancenormalization", "mish", "multiheadattention", "pow", "reciprocal"),
        *("reducel2", "reducelogsum", "reducelogsumexp", "reducesumsquare", "rnn", "selu"),
        *("sigmoid", "silu", "sin", "sinh", "softmax", "softmin", "softplus", "softsign"),
        *("swish", "tan", "tanh", "tanhshrink"),
    ]
)
#: What jumps.
JUMPING = frozenset(
    [
        *("argmax", "argmin", "bitshift", "dynamicquantizelinear", "hardmax", "isinf", "isnan"),
        *("nonmaxsuppression", "onehot", "quantizelinear", "round", "hardshrink", "threshold"),
        *("topk", "unique"),
    ]
)
#: What jumps, and is read where it is asked of integers that are constant.
JUMPING_ON_TENSORS = frozenset(
    [
        *("and", "ceil", "equal", "floor", "greater", "greaterorequal", "less", "lessorequal"),
        *("mod", "nonzero", "not", "or", "sign", "xor"),
    ]
)
#: What is piecewise affine, and read from ONNX only, or not at all.
PIECEWISE = frozenset(
    [
        *("adaptiveavgpool1d", "adaptiveavgpool2d", "adaptivemaxpool1d", "adaptivemaxpool2d"),
        *("convtranspose1d", "convtranspose2d", "hardtanh", "maxunpool", "relu6"),
        *("rrelu", "softshrink", "zeropad2d"),
    ]
)
#: What runs parts of a graph, or makes lists of tensors.
CONTROL = frozenset(
    [
        *("if", "loop", "scan", "optional", "optionalgetelement", "optionalhaselement"),
        *("sequenceat", "sequenceconstruct", "sequenceempty", "sequenceerase", "sequenceinsert"),
        *("sequencelength", "sequencemap", "splittosequence", "concatfromsequence"),
    ]
)


def not_supported(name: str) -> str:
    """Why an operator or a module of this name is refused, and where to read on.

    >>> not_supported("Tanh")
    'is not supported: it is curved, not piecewise affine (see howto/load in the manual)'
    """
    why = "no reader knows it"
    small = name.lower()
    if small in CURVED or small == "reduceprod":
        why = "it is curved, not piecewise affine"
    elif small in JUMPING or small in JUMPING_ON_TENSORS:
        why = "it jumps, and a network of ReLUs is continuous"
    elif small in PIECEWISE:
        why = "it is piecewise affine, but no reader knows it yet: export ONNX"
    elif small in CONTROL:
        why = "control flow and sequences are not read: export the graph without them"
    return f"is not supported: {why} (see {FORMATS_PAGE} in the manual)"


def is_no_function_of_a_network(name: str) -> bool:
    """Whether an operator of this name is curved or jumps, so that no reader will ever know it."""
    return name.lower() in CURVED | JUMPING


def operator_table() -> str:
    """The operators of ONNX that are read, as a table in Markdown for the manual.

    >>> print(operator_table().splitlines()[2])
    | `Relu` | a neuron for each element | always |
    """
    lines = ["| operators | read as | exact where; else refused by name |", "|---|---|---|"]
    for rule in RULES:
        named = ", ".join(f"`{name}`" for name in rule.names)
        lines.append(f"| {named} | {rule.rule} | {rule.condition} |")
    return "\n".join(lines) + "\n"
