"""A network that its function does not determine.

Statement. The network B has the widths of A and the same values on the whole space, and no
permutations and positive scalings of the hidden neurons of A give B.

Evidence. A move that takes A to B and keeps the function (see ``moves``), or a proof that their
values are the same (see ``equality``); then that of ``not-isomorphic``.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..equality import EQUALITIES, check_equal_by
from ..moves import MOVES, check_move
from ..network import Network
from ..pair import PAIR_FIELDS, pair_subjects, read_pair
from ..reader import Certificate
from ..statement import Claim, Rule
from ..system import System
from ..verdicts import Reason, Refused
from .not_isomorphic import check_not_isomorphic


def _read(claim: Fields, budget: Budget) -> Claim:
    a, b = read_pair(claim, budget)
    return Claim(
        f"the network A of widths {widths_text(a.widths())} is not identifiable: the network B of "
        "the same widths has the same values on the whole space, and is not equal to A up to "
        "permutation and positive scaling of hidden neurons",
        pair_subjects(a, b),
        partial(_check, a, b),
        (a, b),
    )


def _check(a: Network, b: Network, certificate: Certificate, budget: Budget) -> None:
    if a.widths() != b.widths():
        raise Refused(Reason.SHAPES_DIFFER, "the networks have other widths")
    name, record = certificate.one_of({**EQUALITIES, **MOVES})
    if name in MOVES:
        check_move(name, record, a, b, budget)
    else:
        everywhere = System(a.widths()[0], (), ())
        check_equal_by(name, a, b, everywhere, certificate, budget)
    check_not_isomorphic(a, b, certificate, budget)


RULE = Rule(PAIR_FIELDS, _read)
