"""The .nnet text format."""

from __future__ import annotations

from pathlib import Path

import pytest

from exactrelu.errors import InputError
from exactrelu.exact.scalar import rational, vector
from exactrelu.network.formats.arrays import load_nnet, parse_nnet
from exactrelu.network.formats.load import load

LINES = [
    "// a comment",  # 1
    "2,2,1,3,",  # 2
    "2,3,1,",  # 3
    "0,",  # 4
    "-1,-1,",  # 5
    "1,1,",  # 6
    "0.5,1.0,7.5,",  # 7
    "2.0,4.0,10.0,",  # 8
    "1.0,2.0,",  # 9
    "-1.0e-01,0.25,",  # 10
    "3,-2",  # 11
    "0.1,",  # 12
    "0.2,",  # 13
    "-0.3,",  # 14
    "1,-1,0.5,",  # 15
    "0.125,",  # 16
]


def text(**changes: str) -> str:
    """The file with some lines (line_7="…") replaced."""
    lines = list(LINES)
    for key, line in changes.items():
        lines[int(key.removeprefix("line_")) - 1] = line
    return "\n".join(lines) + "\n"


def test_without_normalisation() -> None:
    net = parse_nnet(text(), normalize=False)
    assert net.widths == (2, 3, 1)
    assert [list(map(str, r)) for r in net.layers[0].affine.rows()] == [
        ["1", "2", "1/10"],
        ["-1/10", "1/4", "1/5"],
        ["3", "-2", "-3/10"],
    ]


def test_normalisation_is_folded_exactly() -> None:
    raw, net = parse_nnet(text(), normalize=False), parse_nnet(text())
    for x in [(0, 0), ("1/3", 5), (-7, "0.25")]:
        u, v = vector(x)
        inner = raw([(u - rational("0.5")) / 2, (v - 1) / 4])
        assert net(x) == (inner[0] * 10 + rational("7.5"),)


def test_one_layer_is_normalised_on_both_sides() -> None:
    net = parse_nnet("1,1,1,1,\n1,1,\n0,\n0,\n1,\n3,5,\n2,7,\n1,\n0,\n")
    assert net([9]) == (rational(7) * 3 + 5,)


def test_more_means_than_inputs_as_in_acas_xu() -> None:
    longer = text(line_7="0.5,1.0,99,98,7.5", line_8="2.0,4.0,97,96,10.0", line_5="0,0,0,0")
    assert parse_nnet(longer) == parse_nnet(text())


def test_the_file_and_its_name(tmp_path: Path) -> None:
    path = tmp_path / "two.nnet"
    path.write_text(text().replace("\n", "\r\n") + "\n\n")
    assert load(path) == parse_nnet(text())
    assert load(path).name == "two"
    assert load_nnet(path, normalize=False) == parse_nnet(text(), normalize=False)


MALFORMED = [
    ("// nothing", "line 1: the file ends here, expected the number of layers"),
    (text(line_2="2,2,1,"), "line 2: found 3 numbers, expected 4: the number of layers"),
    (text(line_2="2,2,x,3,"), "line 2, entry 3: found 'x', expected an integer"),
    (text(line_2="2,2,1.5,3,"), "line 2, entry 3: found '1.5', expected a nonnegative integer"),
    (text(line_2="3,2,1,3,"), "line 3: found 3 numbers, expected 4: the sizes"),
    (text(line_2="2,9,1,3,"), "line 3: found sizes 2 … 1, expected 9 inputs and 1 outputs"),
    (text(line_2="0,2,2,2", line_3="2"), "line 3: found the sizes"),
    (text(line_3="2,0,1,"), r"line 3: found the sizes \[2, 0, 1\], expected positive"),
    (text(line_3="2,-3,1,"), "line 3, entry 2: found '-3', expected a nonnegative integer"),
    (
        text(line_3="2,999999999,1,"),
        "line 12: found 1 numbers, expected 2: weights of layer 1, row 4",
    ),
    (text(line_5="-1,"), "line 5: found 1 numbers, expected at least 2: the minimum"),
    (text(line_6="1,NaN,"), "line 6, entry 2: found 'NaN'"),
    (text(line_7="0.5,1.0,"), "line 7: found 2 numbers, expected at least 3: the mean"),
    (text(line_8="2,0,1,"), "line 8, entry 2: found the range 0"),
    (text(line_9="1.0,"), "line 9: found 1 numbers, expected 2: weights of layer 1, row 1"),
    (text(line_9="1.0,2.0,3.0"), "line 9: found 3 numbers, expected 2: weights of layer 1, row 1"),
    (text(line_9="1.0,inf,"), "line 9, entry 2: found 'inf'"),
    (text(line_9="1.0,,"), "line 9, entry 2: found ''"),
    (text(line_9="1.0 2.0"), "line 9: found 1 numbers"),
    (text(line_13="1,2,"), "line 13: found 2 numbers, expected 1: bias of layer 1, row 2"),
    (text() + "7,\n", "line 17: found more numbers, expected the end of the file"),
    ("\n".join(LINES[:12]), "line 12: the file ends here, expected bias of layer 1, row 2"),
]


@pytest.mark.parametrize(("content", "message"), MALFORMED, ids=[m for _, m in MALFORMED])
def test_malformed(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "net.nnet"
    path.write_text(content)
    with pytest.raises(InputError, match=message) as error:
        load(path)
    assert str(error.value).startswith(f"{path}: line ")
    assert "\n" not in str(error.value)
