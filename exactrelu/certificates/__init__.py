"""Writers of certificates: one module per claim kind, mirrored by a rule of the checker.

Kind ``some-claim`` is written by ``some_claim.py`` here, accepted or refused by
``proofs/exactrelu_checker/rules/some_claim.py``, explained in
``proofs/rules/some-claim.md`` and tested by ``tests/checker/cases``.
"""
