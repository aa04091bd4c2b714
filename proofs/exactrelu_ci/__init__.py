"""Certificates in CI: which there must be, what each must say, and reports that CI reads.

``manifest`` reads the user's list, ``pins`` compares the claims of accepted certificates with it,
``report`` writes annotations and summaries. Nothing here decides about a proof: a file is accepted
if the checker accepts it and it says what was asked for.
"""
