"""Formulas for notebooks."""

from __future__ import annotations

import pytest
from flint import fmpq

import exactrelu as er
from exactrelu.exact import latex
from exactrelu.exact.matrix import Matrix

XOR = er.load("example:xor")


def test_an_affine_map_is_a_formula() -> None:
    found = er.regions(XOR)
    maps = [found.affine_map(region) for region in found]
    assert {m._repr_latex_() for m in maps} == {
        r"$\displaystyle x \mapsto -1$",
        r"$\displaystyle x \mapsto 2 x_1 + 2 x_2 + 1$",
        r"$\displaystyle x \mapsto -2 x_1 - 2 x_2 + 1$",
    }
    page = maps[0]._repr_html_()
    assert page.startswith("<table>")
    assert page.endswith(r"<div>$\displaystyle x \mapsto -1$</div>")
    several = er.local_affine_map(er.from_arrays([[[1, 2], [3, "1/2"]]], [[0, -1]]), ())
    assert several._repr_latex_() == (
        r"$\displaystyle x \mapsto \begin{pmatrix}1 & 2 \\ 3 & \frac{1}{2}\end{pmatrix} x + "
        r"\begin{pmatrix}0 \\ -1\end{pmatrix}$"
    )
    wide = er.local_affine_map(er.from_arrays([[[1] * 40] * 2], [[0, 0]]), ())
    assert wide._repr_latex_() is None
    assert "<div>" not in wide._repr_html_()


@pytest.mark.parametrize(
    ("sense", "relation"),
    [(er.Sense.AT_LEAST, r"\ge"), (er.Sense.GREATER, ">"), (er.Sense.EQUAL, "=")],
)
def test_rows(sense: er.Sense, relation: str) -> None:
    row = er.Row.of([1, "-1/2"] + [0] * 8 + [3], 0, sense)
    wanted = rf"x_1 - \frac{{1}}{{2}} x_2 + 3 x_{{11}} {relation} 0"
    assert row._repr_latex_() == rf"$\displaystyle {wanted}$"


def test_the_equations_of_a_fiber() -> None:
    net = er.from_arrays([[[1], [1]], [[1, 1]]], [[1, -1], [0]])
    description = er.fiber(net, "orthant")[0].description
    text = description._repr_latex_()
    assert text.startswith(r"$\displaystyle \begin{aligned}&")
    assert text.count("{") == text.count("}")
    for equation in description.equations:
        assert equation._repr_latex_().endswith("= 0$")
        assert equation._latex() in text


def test_long_numbers_and_lists_are_shortened() -> None:
    long = fmpq(10**50 + 1, 10**49 + 3)
    assert latex.number(long) == r"\frac{100000\ldots 000001}{100000\ldots 000003}"
    assert latex.number(fmpq(-(10**50))) == r"-100000\ldots 000000"
    assert latex.form([]) == "0"
    assert latex.lines(["a"] * 30).endswith(r"&\ldots\ 6\text{ more}\end{aligned}")
    assert latex.parameter("t") == r"\mathrm{t}"
    assert latex.matrix(Matrix([[1] * 61])) is None
