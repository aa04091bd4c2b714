"""How a proof is written: claims about subjects, and the records that prove them.

A question makes its claim itself, with :func:`~exactrelu.certificates.certificate.claim`.  Kind
``some-claim`` is accepted or refused by ``proofs/exactrelu_checker/rules/some_claim.py``,
explained in ``proofs/rules/some-claim.md`` and tested by ``tests/checker/cases/some-claim/``.
"""
