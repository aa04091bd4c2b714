"""Cases of ``--network`` and ``--expect``. Paths in options are relative to the case folder."""

from fractions import Fraction

from forge import Case, canonical, certificate, network, sha256, vector

from . import rank as rank_cases

XOR = network([[1, 1, 1], [1, 1, 0]], [[2, -4, -1]])
HALVES = network([[Fraction(1, 2), Fraction(-1, 8), 3]])
# Integers of several thousand digits, which int() alone does not read.
LONG = 10**9000 + 12345 * 10**4500 + 678
LONGER = 77 * 10**8000 + 5
LONG_NETWORK = network([[LONG, -LONGER, Fraction(-LONG, 7)]])
LONG_FILE = certificate(
    {
        "kind": "value",
        "network": LONG_NETWORK,
        "output": vector(Fraction(-LONG, 7)),
        "point": vector(0, 0),
        "signs": [],
    }
)
XOR_CLAIM = {
    "kind": "value",
    "network": XOR,
    "output": vector(1),
    "point": vector(1, -1),
    "signs": ["+0"],
}
XOR_FILE = certificate(XOR_CLAIM)
HALVES_FILE = certificate(
    {"kind": "value", "network": HALVES, "output": vector(3), "point": vector(0, 0), "signs": []}
)
RANK_FILE = certificate(rank_cases.claim(rank_cases.A, 2), rank_cases.MINOR, rank_cases.KERNEL)
SENTENCE = "the network N of widths 2-2-1 maps (1, -1) to (1), with hidden signs (+0)"

FULL_SENTENCE = f"{SENTENCE} [N sha256 {sha256(XOR)}, claim sha256 {sha256(XOR_CLAIM)}]"

NETWORKS = {
    "xor.json": '{"format": "exactrelu-network/1", "name": "xor",\n'
    ' "layers": [{"weights": [["1","1"],["1","1"]], "bias": ["1","0"]},\n'
    '            {"weights": [[2, -4]], "bias": ["-1"]}]}\n',
    "xor-scaled.json": '{"format": "exactrelu-network/1",\n'
    ' "layers": [{"weights": [["2","2"],["1","1"]], "bias": ["2","0"]},\n'
    '            {"weights": [["1", "-4"]], "bias": ["-1"]}]}\n',
    "halves.json": '{"format": "exactrelu-network/1",\n'
    ' "layers": [{"weights": [["1/2", "-0.125"]], "bias": [3]}]}\n',
    "halves-decimals.json": '{"format": "exactrelu-network/1",\n'
    ' "layers": [{"weights": [[".5", "-125.e-3"]], "bias": ["+0.3E1"]}]}\n',
    "halves-named.json": '{"format": "exactrelu-network/1",\n'
    ' "layers": [{"weights": [["1/2", "-1/8"]], "bias": ["3"], "neurons": ["gate"]}]}\n',
    "xor-canonical.json": canonical(XOR),
}
XOR_PATH = "./networks/xor.json"


def exact_json(weights: str, bias: str, more: str = "", version: int = 1) -> str:
    """Return a network file of one layer."""
    return (
        f'{{"format": "exactrelu-network/{version}", {more}'
        f'"layers": [{{"weights": {weights}, "bias": {bias}}}]}}\n'
    )


def digits(number: int) -> str:
    """Return the decimal digits of a positive integer; str() alone stops at 4,300."""
    high, low = divmod(number, 10**4000)
    return (digits(high) + f"{low:04000d}" if high else f"{low:d}").lstrip("0")


NETWORKS["long.json"] = exact_json(
    f'[[{digits(LONG)}, "-{digits(LONGER)}"]]', f'["-{digits(LONG)}/7"]'
)
# Files that --network refuses to read, one defect each.
BAD_NETWORKS = {
    "version-zero": exact_json("[[1]]", "[0]", version=0),
    "version-two": exact_json("[[1]]", "[0]", version=2),
    "unknown-field": exact_json("[[1]]", "[0]", '"activation": "tanh", '),
    "no-layers-field": '{"format": "exactrelu-network/1"}\n',
    "no-layers": '{"format": "exactrelu-network/1", "layers": []}\n',
    "layer-without-bias": '{"format": "exactrelu-network/1", "layers": [{"weights": [[1]]}]}\n',
    "layer-with-activation": exact_json("[[1]]", '[0], "activation": "tanh"'),
    "bias-too-short": exact_json("[[1], [1]]", "[0]"),
    "bias-too-long": exact_json("[[1]]", "[0, 0]"),
    "no-neurons": exact_json("[]", "[]"),
    "ragged-weights": exact_json("[[1, 2], [1]]", "[0, 0]"),
    "json-float": exact_json("[[0.1]]", "[0]"),
    "true-for-one": exact_json("[[true]]", "[0]"),
    "lone-point": exact_json('[["."]]', "[0]"),
    "empty-text": exact_json('[[""]]', "[0]"),
    "word": exact_json('[["one"]]', "[0]"),
    "underscore": exact_json('[["1_0"]]', "[0]"),
    "division-by-zero": exact_json('[["1/0"]]', "[0]"),
    "huge-exponent": exact_json('[["1e99999"]]', "[0]"),
    "not-json": "layers\n",
    "a-list": "[]\n",
}
NETWORKS |= {f"bad-{name}.json": text for name, text in BAD_NETWORKS.items()}

CASES = (
    Case("accept/network", XOR_FILE, ("--network", XOR_PATH)),
    Case(
        "accept/network-canonical-bytes", XOR_FILE, ("--network", "./networks/xor-canonical.json")
    ),
    Case("accept/network-fractions", HALVES_FILE, ("--network", "./networks/halves.json")),
    Case("accept/network-decimals", HALVES_FILE, ("--network", "./networks/halves-decimals.json")),
    Case("accept/network-long-numbers", LONG_FILE, ("--network", "./networks/long.json")),
    Case("accept/network-names", HALVES_FILE, ("--network", "./networks/halves-named.json")),
    Case("accept/expect-kind", XOR_FILE, ("--expect", "value")),
    Case("accept/expect-sentence", XOR_FILE, ("--expect", SENTENCE)),
    Case("accept/expect-sentence-with-hashes", XOR_FILE, ("--expect", FULL_SENTENCE)),
    Case(
        "reject/claim-mismatch--other-hash",
        XOR_FILE,
        ("--expect", FULL_SENTENCE.replace(sha256(XOR), sha256(HALVES))),
    ),
    Case(
        "reject/network-mismatch--same-function-other-weights",
        XOR_FILE,
        ("--network", "./networks/xor-scaled.json"),
    ),
    Case("reject/network-mismatch--other-network", HALVES_FILE, ("--network", XOR_PATH)),
    Case("reject/network-mismatch--claim-without-network", RANK_FILE, ("--network", XOR_PATH)),
    Case(
        "reject/network-mismatch--one-network-too-many",
        XOR_FILE,
        ("--network", XOR_PATH, "--network", XOR_PATH),
    ),
    Case("reject/claim-mismatch--other-kind", XOR_FILE, ("--expect", "rank")),
    Case(
        "reject/claim-mismatch--other-value",
        XOR_FILE,
        ("--expect", SENTENCE.replace("(1),", "(2),")),
    ),
    Case("reject/claim-mismatch--part-of-the-sentence", XOR_FILE, ("--expect", SENTENCE[:-1])),
    Case("reject/claim-mismatch--empty", XOR_FILE, ("--expect", "")),
    *(
        Case(f"usage/network--{name}", XOR_FILE, ("--network", f"./networks/bad-{name}.json"))
        for name in BAD_NETWORKS
    ),
    Case("usage/network--no-such-file", XOR_FILE, ("--network", "./networks/none.json")),
)
