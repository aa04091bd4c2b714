"""What ``certify`` says beside a certificate is no more than the certificate proves."""

from pathlib import Path

from exactrelu.network.formats.load import load
from exactrelu.questions.catalogue import fibers, identifiability

CASES = Path(__file__).parents[2] / "cases"
PARALLEL = load(CASES / "S002-D2-ties" / "parallel.json")


def test_an_undecided_question_gives_a_lower_bound() -> None:
    ((question, verdict),) = identifiability(PARALLEL)
    assert question == "functional-dimension"
    # It is 7, and a certificate that it is not larger is not written.
    assert verdict.certificate.fields["rank"] == verdict.witness == 7
    assert verdict.reason == "functional dimension at least 7"


def test_a_part_of_a_fiber() -> None:
    ((question, verdict),) = fibers(PARALLEL)
    nonempty = [signs for members, _ in verdict.certificate.fields["strata"] for signs in members]
    assert (question, verdict.certificate.fields["complete"]) == ("fiber", "no")
    assert verdict.reason == f"components with members: {len(nonempty)}, perhaps not all"
