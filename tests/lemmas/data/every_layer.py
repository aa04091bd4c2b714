"""Every hidden layer of an injective network is injective."""

import exactrelu as er

WIDTHS = [(1, 1, 1, 1), (1, 2, 1, 1), (1, 2, 2, 1)]


def hypotheses(N):
    yield er.is_injective(N)


def conclusion(N):
    return er.is_injective(N, layer=2)
