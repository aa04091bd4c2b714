"""The lemma laboratory: published statements under test.

A *statement* says: if the hypotheses hold for an instance, so does the conclusion.  Both are
exact decision procedures that return verdicts with certificates, so that an instance either
supports the statement, or is outside it, or refutes it with a proof.
"""
