"""The lemma laboratory: published statements under test.

A *statement* says: if the hypotheses hold for an instance, so does the conclusion.  Both are
exact decision procedures that return verdicts with certificates, so that an instance either
supports the statement, or is outside it, or refutes it with a proof.

Users of Python find public names here, as ``er.lemmas``; the rooms import from the files.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactrelu.lemmas.examine import Counterexample as Counterexample
    from exactrelu.lemmas.record import STATEMENTS as statements  # noqa: F401
    from exactrelu.lemmas.record import refute as refute
    from exactrelu.lemmas.record import refute_conjecture as conjecture  # noqa: F401
    from exactrelu.lemmas.statement import Statement as Statement
else:

    def __getattr__(name: str) -> Any:
        from exactrelu.public.names import found

        return found("lemmas", name)


def __dir__() -> list[str]:
    from exactrelu.public.names import listed

    return listed("lemmas")
