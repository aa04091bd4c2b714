"""Published queries about published networks, each decided and its certificate accepted.

What was published with them agrees: names say sat or unsat, benchmarks were answered by others.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import exactrelu as er
from exactrelu.questions.properties.versions import parse_query, real_query
from tests.checking import assert_accepted

DATA = Path(__file__).parents[4] / "shared" / "data"
MODELS, QUERIES, ACASXU = DATA / "models", DATA / "queries", DATA / "acasxu"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the public data are not there")

#: Query, model, answer; whether it takes long.
PUBLISHED = (
    ("cersyve_double_integrator", "cersyve_double_integrator_finetune_inv.onnx", "unsat", False),
    ("cersyve_double_integrator", "cersyve_double_integrator_pretrain_con.onnx", "sat", False),
    ("cersyve_pendulum", "cersyve_pendulum_pretrain_con.onnx", "sat", False),
    ("linearizenn_120_30", "linearizenn_120_30.onnx.gz", "unsat", True),
    ("safenlp_medical_0", "safenlp_medical.onnx", "unsat", False),
    ("safenlp_medical_1", "safenlp_medical.onnx", "unsat", False),
    ("sat_v6_c27", "sat_v6_c27.onnx", "sat", False),
    ("unsat_v6_c30", "unsat_v6_c30.onnx", "unsat", False),
    ("test_nano", "test_nano.onnx", "unsat", False),
    ("test_small", "test_small.onnx", "unsat", False),
    ("test_tiny", "test_tiny.onnx", "unsat", False),
    ("tll_8_0", "tll_8.onnx.gz", "unsat", False),
)
#: Property, network, answer.
AIRCRAFT = (
    *((1, "1_1", "unsat"), (2, "1_2", "sat"), (2, "4_4", "sat"), (3, "1_4", "unsat")),
    *((3, "5_2", "unsat"), (4, "3_2", "unsat"), (4, "5_8", "unsat"), (8, "2_9", "sat")),
)


def long(is_long: bool) -> list[pytest.MarkDecorator]:
    return [pytest.mark.sweep] if is_long else []


@pytest.mark.parametrize(
    ("query", "model", "answer"),
    [
        pytest.param(query, model, answer, marks=long(is_long), id=f"{query}-{model.split('.')[0]}")
        for query, model, answer, is_long in PUBLISHED
    ],
)
def test_published(query: str, model: str, answer: str, tmp_path: Path) -> None:
    found = er.verify(QUERIES / f"{query}.vnnlib", MODELS / model)
    assert found.result == answer
    assert found.certificate is not None
    assert_accepted([found.certificate], tmp_path)


@pytest.mark.parametrize(("number", "net", "answer"), AIRCRAFT)
def test_collision_avoidance(number: int, net: str, answer: str, tmp_path: Path) -> None:
    text = real_query((ACASXU / f"prop_{number}.vnnlib").read_text())
    found = er.verify(parse_query(text), ACASXU / "nets" / f"{net}.onnx.gz")
    assert found.result == answer
    assert found.certificate is not None
    assert_accepted([found.certificate], tmp_path)


def test_two_networks(tmp_path: Path) -> None:
    """One pair of constraints contradicts itself, another is nearly always true."""
    pair = {"f": ACASXU / "nets" / "1_1.onnx.gz", "g": ACASXU / "nets" / "1_1_perturbed.onnx.gz"}
    vacuous = er.verify(QUERIES / "isomorphic_acasxu_instance_0.vnnlib", pair)
    assert vacuous.result == "unsat"
    assert any("contradict each other" in flag for flag in vacuous.flags)
    near = er.verify(ACASXU / "pruned_equivalence.vnnlib", pair)
    assert near.result == "sat"
    certificates = [vacuous.certificate, near.certificate]
    assert_accepted([found for found in certificates if found is not None], tmp_path)
    assert None not in certificates


def test_a_query_that_the_standard_does_not_know_is_mended_as_it_says(tmp_path: Path) -> None:
    path = QUERIES / "monotonic_acasxu_instance_0.vnnlib"
    with pytest.raises(er.InputError, match=r"line 30: .* as in \(< Y_f\[3\] Y_g\[3\]\)"):
        er.verify(path, {"f": ACASXU / "nets" / "1_1.onnx.gz"})
    text = path.read_text().replace("(Y_f[3] < Y_g[3])", "(< Y_f[3] Y_g[3])")
    found = er.verify(parse_query(text), {"f": ACASXU / "nets" / "1_1.onnx.gz"}, timeout=5)
    assert found.result in ("sat", "timed-out")
    if found.certificate is not None:
        assert_accepted([found.certificate], tmp_path)
