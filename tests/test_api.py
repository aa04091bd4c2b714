import exactrelu as er
from exactrelu import api


def test_every_public_name_is_there() -> None:
    assert len(set(api.__all__)) == len(api.__all__)
    for name in api.__all__:
        assert getattr(er, name) is getattr(api, name)
    assert set(api.__all__) == {*dir(er), *api.SPELLINGS} - {"__version__"}


def test_other_names_are_not() -> None:
    assert not hasattr(er, "no_such_name")


def test_a_verdict_is_not_a_truth_value() -> None:
    import pytest

    verdict = er.Verdict(None, "not decided")
    assert verdict.word == "undecided"
    with pytest.raises(TypeError, match="undecided"):
        bool(verdict)
