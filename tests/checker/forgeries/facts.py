"""Cases of the claim kind ``facts``."""

from forge import Case, Json, certificate

from forgeries import layer_injective, spark

BOTH = (
    layer_injective.claim(layer_injective.BOTH),
    layer_injective.F,
    layer_injective.EACH,
)
SPARK = (spark.claim(spark.AXES, 3), spark.AXES_SUM, spark.MODULUS)
Fact = tuple[Json, ...]


def joined(*facts: Fact, **fields: object) -> bytes:
    """Return a certificate of several claims, each with its records."""
    kind = {"kind": "counterexample" if fields else "facts"}
    claim = {**kind, **fields, "facts": [fact[0] for fact in facts]}
    return certificate(claim, *(record for fact in facts for record in fact[1:]))


CASES = (
    Case("accept/one", joined(SPARK)),
    Case("accept/two", joined(SPARK, BOTH)),
    Case("accept/other-order", joined(BOTH, SPARK)),
    Case("accept/twice", joined(SPARK, SPARK)),
    Case(
        "accept/by-their-sentence",
        joined(BOTH, SPARK),
        (
            "--expect",
            "all of these hold: (1) layer 1 (ReLU) of the network N of widths 1-2-1 is injective "
            "on the polyhedron D of 0 rows in R^1; (2) the 4 x 3 matrix A has spark 3: some 3 "
            "rows are dependent, fewer are not",
        ),
    ),
    Case("reject/missing-record--second-fact", joined(SPARK, BOTH[:1])),
    Case(
        "reject/wrong-record--order-of-proofs", joined((SPARK[0], *BOTH[1:]), (BOTH[0], *SPARK[1:]))
    ),
    Case("reject/surplus-record--after-all", joined(SPARK, (*BOTH, spark.MODULUS))),
    Case("reject/minor-size--first-fact", joined((spark.claim(spark.AXES, 4), *SPARK[1:]), BOTH)),
    Case("reject/minor-size--last-fact", joined(BOTH, (spark.claim(spark.AXES, 4), *SPARK[1:]))),
    Case("malformed/no-facts--empty", joined()),
    Case("malformed/not-a-list--facts", certificate({"kind": "facts", "facts": SPARK[0]})),
    Case("malformed/not-an-object--fact", certificate({"kind": "facts", "facts": ["1"]})),
    Case("malformed/wrong-fields--extra", certificate({"kind": "facts", "facts": [], "more": 0})),
    Case(
        "malformed/wrong-fields--fact",
        certificate({"kind": "facts", "facts": [{**SPARK[0], "more": 0}]}, *SPARK[1:]),
    ),
    Case(
        "malformed/unknown-kind--list", certificate({"kind": "facts", "facts": [{"kind": ["x"]}]})
    ),
    Case("malformed/unknown-kind--fact", certificate({"kind": "facts", "facts": [{"kind": "x"}]})),
    Case(
        "malformed/unknown-kind--facts-in-facts",
        certificate(
            {"kind": "facts", "facts": [{"kind": "facts", "facts": [SPARK[0]]}]}, *SPARK[1:]
        ),
    ),
)
