"""Convolutions by boxes: against the exact decision on the whole operator."""

import random
from pathlib import Path

import pytest

from exactrelu.effort import Effort
from exactrelu.errors import InputError
from exactrelu.network.convolution import load_convolution
from exactrelu.questions.injectivity.blocks import boxes, convolution_injective, parse_box
from exactrelu.questions.injectivity.collisions import Collision
from exactrelu.questions.injectivity.layer import LayerProof, layer_injective
from tests.checking import assert_accepted
from tests.network.test_convolution import random_convolution
from tests.seeds import shifted

SEED = shifted(96)
CASES = Path(__file__).parents[3] / "cases"


def test_against_the_whole_operator(tmp_path) -> None:
    """A yes by boxes is a yes, a collision is one, and the largest box decides."""
    rng = random.Random(SEED)
    certificates, answers = [], []
    k = 0
    while len(answers) < 60:
        k += 1
        convolution = random_convolution(rng)
        if rng.random() < 0.7:
            convolution = convolution.with_opposites()
        layer = convolution.layer()
        if layer.n_inputs > 8:
            continue
        truth = layer_injective(layer.weights, layer.bias)
        verdict = convolution_injective(convolution)
        assert isinstance(truth, LayerProof | Collision)
        assert verdict.answer is isinstance(truth, LayerProof), (SEED, k)
        certificates.append(verdict.certificate)
        answers.append(verdict.answer)
    assert 10 < sum(answers) < 50
    methods = {(certificate.kind, certificate.method) for certificate in certificates}
    assert methods == {("layer-injective", name) for name in ("blocks", "spanning", "points")}
    assert_accepted(certificates, tmp_path)


def test_box_shapes() -> None:
    convolution = random_convolution(random.Random(4))
    shapes = list(boxes(convolution))
    assert shapes[-1] == convolution.spatial
    assert shapes[0] == convolution.window
    with pytest.raises(InputError, match="expected a shape that fits"):
        parse_box("99", convolution)
    with pytest.raises(InputError, match="expected integers"):
        parse_box("x", convolution)


def test_over_a_bound() -> None:
    """What boxes of a shape cover so far; and a matrix that cannot fit is not made."""
    width_3 = load_convolution(CASES / "injective-layers/convolution-width-3" / "valid.json")
    full = convolution_injective(width_3)
    assert (full.answer, full.witness, full.tried) == (True, (4,), ((3,),))
    for n_covers in range(3):
        part = convolution_injective(width_3, max_covers=n_covers)
        assert part.answer is None
        assert part.reason.startswith(f"stopped at {n_covers} covers: ")
        assert part.n_covered < 6
    assert convolution_injective(width_3, effort=Effort(seconds=0)).tried == ()
    refused = convolution_injective(width_3, max_memory=10_000)
    assert refused.reason.startswith("a network with 16 × 22 weights needs about ")
