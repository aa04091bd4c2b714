"""Networks built to be determined by their function."""

import pytest

import exactrelu as er
from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.system import Row
from exactrelu.network.network import trace
from exactrelu.questions.folds.construction import construct
from tests.checking import assert_accepted

WIDTHS = [(2, 2, 1), (2, 2, 2, 1), (3, 3, 2, 1), (4, 3, 3, 2, 1)]


def cube(n):
    """[-1, 1]^n."""
    return er.LinearSystem.box([(-1, 1)] * n)


def zeros_at(network, point):
    """The units that are 0 at a point."""
    rows = enumerate(trace(network, point).pattern, 1)
    return [(l, i) for l, row in rows for i, s in enumerate(row, 1) if s == 0]


@pytest.mark.parametrize(
    "widths", [*WIDTHS, pytest.param((5, 4, 3, 2, 2, 1), marks=pytest.mark.sweep)], ids=str
)
def test_construction(widths, tmp_path):
    built = construct(widths, cube(widths[0]))
    network, verdict = built.network, built.verdict
    assert network.widths == widths
    assert verdict.answer is True
    assert_accepted([verdict.certificate], tmp_path)
    assert network == construct(widths, cube(widths[0])).network
    # By the definition: two units of neighbouring layers are 0, or one of the last layer.
    last = len(widths) - 2
    for l, layer in enumerate(verdict.witness.points, 1):
        for i, chain in enumerate(layer, 1):
            assert len(chain) == max(1, last - l)
            for k, point in enumerate(chain):
                zeros = zeros_at(network, point)
                assert [m for m, _ in zeros] == ([l] if l == last else [l + k, l + k + 1])
            assert zeros_at(network, chain[0])[0] == (l, i)
    assert not zeros_at(network, verdict.witness.image)


def test_construction_on_other_domains(tmp_path):
    triangle = er.LinearSystem(
        2, tuple(Row.of(a, b) for a, b in (((1, 0), 0), ((0, 1), 0), ((-1, -1), 1)))
    )
    far = er.LinearSystem.box([(1000, 1001), (-3, "-29/10"), (0, 7)])
    certificates = []
    for widths, domain in (((2, 2, 2, 1), triangle), ((3, 2, 2, 1), far)):
        for seed in (1, 2):
            built = construct(widths, domain, seed=seed)
            assert built.verdict.answer is True
            certificates += [v.certificate for v in built.bundle().values()]
    assert len(certificates) == 16
    assert_accepted(certificates, tmp_path)


@pytest.mark.parametrize(
    ("widths", "domain"),
    [
        ((2, 3, 1), cube(2)),
        ((2, 2, 2), cube(2)),
        ((2, 1, 1), cube(2)),
        ((2, 1), cube(2)),
        ((3, 2, 1), cube(2)),
        ((2, 2, 1), er.LinearSystem(2)),
        ((2, 2, 1), er.LinearSystem.orthant(2)),
        ((2, 2, 1), er.LinearSystem.box([(0, 0), (0, 1)])),
    ],
)
def test_bad_input_of_the_construction(widths, domain):
    with pytest.raises(InputError):
        construct(widths, domain)


def test_networks_that_do_not_fit_are_refused():
    with pytest.raises(Stopped, match="1,000,002,000,001 parameters needs about"):
        construct((10**6, 10**6, 1), "box:0,1")


def test_the_time_is_kept():
    with pytest.raises(Stopped, match="stopped after 0 s"):
        construct((3, 3, 2, 1), cube(3), effort=Effort(seconds=0))
    built = construct((2, 2, 1), cube(2), max_faces=3)
    assert built.verdict.answer is None
    assert "proved so far: transparent" in built.verdict.reason


def test_claims_are_about_the_domain_as_it_was_given(tmp_path):
    certificates = [v.certificate for v in construct((2, 2, 1), "box:-1,1").bundle().values()]
    for sentence in assert_accepted(certificates, tmp_path):
        assert "the box [-1,1] x [-1,1]" in sentence
