"""Random exact input that likes degenerate cases: zeros, repeated and dependent rows."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

small = st.one_of(
    st.integers(-3, 3).map(Fraction),
    st.fractions(min_value=-5, max_value=5, max_denominator=6),
    st.floats(-1e6, 1e6, allow_nan=False).map(Fraction),
)


@st.composite
def matrices(draw: st.DrawFn, rows: tuple[int, int] = (1, 4), columns: tuple[int, int] = (1, 4)):
    n = draw(st.integers(*columns))
    table = draw(
        st.lists(st.lists(small, min_size=n, max_size=n), min_size=rows[0], max_size=rows[1])
    )
    if len(table) > 1 and draw(st.booleans()):
        # Make a row depend on the others.
        a, b = draw(small), draw(small)
        table[-1] = [a * x + b * y for x, y in zip(table[0], table[len(table) // 2], strict=True)]
    return table


@st.composite
def square_matrices(draw: st.DrawFn, largest: int = 4):
    n = draw(st.integers(1, largest))
    return draw(matrices((n, n), (n, n)))
