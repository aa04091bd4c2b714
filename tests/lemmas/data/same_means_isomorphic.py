"""Two networks without zero weights that compute the same function are isomorphic."""

import exactrelu as er

WIDTHS = [(1, 1, 1), (1, 2, 1)]
ENTRIES = (-1, 1)


def hypotheses(A, B):
    yield er.equivalent(A, B)


def conclusion(A, B):
    return er.isomorphic(A, B)
