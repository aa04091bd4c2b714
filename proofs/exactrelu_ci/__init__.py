"""Certificates in CI: which there must be, what each must say, and reports that CI reads.

``manifest`` reads the user's list, ``pins`` compares the claims of accepted certificates with it,
``report`` writes annotations and summaries. Nothing here decides about a proof: a file is accepted
if the checker accepts it and it says what was asked for.
"""

from exactrelu_checker import refuse_module

FORMAT = "exactrelu-manifest/1"
PROGRAM = "exactrelu-check"

refuse_module(__name__)
