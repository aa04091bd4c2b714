"""Tokens and forms: brackets, comments, strings, and texts that want to do harm."""

from __future__ import annotations

import pytest

from exactrelu.errors import InputError
from exactrelu.questions.properties.syntax import MAX_DEPTH, forms, shown, tokens


def test_a_text_is_its_tokens_at_their_places() -> None:
    text = '(a ; (\n [1,2] "b ; c")'
    found = list(tokens(text))
    assert [token.text for token in found] == ["(", "a", "[", "1", ",", "2", "]", '"b ; c"', ")"]
    assert all(text.startswith(token.text, token.start) for token in found)
    assert [token.line for token in found] == [1, 1, *[2] * 7]


def test_a_form_is_shown_as_people_write_it() -> None:
    (form,) = forms("(<=  X[0, 1]\n ( + Y[2] -1.5 ) ) ; end")
    assert shown(form) == "(<= X[0,1] (+ Y[2] -1.5))"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(a\n(b)", r"line 1: found '\(' that is not closed"),
        ("(a))", r"line 1: found '\)', expected '\('"),
        ("\nword", r"line 2: found 'word', expected '\('"),
        ('(a "b\n")', "line 1: found a string that does not end on its line"),
        ("\n" + "(" * 10**6, f"line 2: nested more than {MAX_DEPTH} deep"),
    ],
)
def test_what_is_no_list_is_refused_by_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        list(forms(text))
    assert "\n" not in str(error.value)


def test_lists_may_be_as_deep_as_the_limit() -> None:
    (form,) = forms("(" * MAX_DEPTH + ")" * MAX_DEPTH)
    assert shown(form) == "(" * MAX_DEPTH + ")" * MAX_DEPTH
