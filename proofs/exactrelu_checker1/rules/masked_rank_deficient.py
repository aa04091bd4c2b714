"""A masked product of a network whose rank is not maximal.

Statement. The matrix I_l W_l I_(l-1) ... I_k W_k of the network N, for the sets of neurons given
(k is ``first``, from 0), has a rank smaller than min(n_(k-1), |I_k|, ..., |I_l|).

Evidence. ``combination``: integers y, not all 0, one for each neuron of the last mask, with
y·(I_l W_l ... I_k W_k) = 0. So the rank is less than |I_l|; and |I_l| is the minimum.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..masks import masks_text, pulled_back, read_masks
from ..network import Network, read_network
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..values import read_index, read_vector
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    first = read_index(claim["first"])
    masks = read_masks(claim["masks"], network, first)
    return Claim(
        f"in the network N of widths {widths_text(network.widths())} the product of the layers "
        f"{first + 1} to {first + len(masks)} with the given masks of {masks_text(masks)} neurons "
        "has a rank that is not maximal",
        (subject("N", network.as_json()),),
        partial(_check, network, first, masks),
        (network,),
    )


def _check(
    network: Network, first: int, masks: list[list[int]], certificate: Certificate, budget: Budget
) -> None:
    if not masks:
        raise Refused(Reason.MASK_EMPTY, "no masks")
    smallest = min(network.layers[first].width - 1, *map(len, masks))
    if len(masks[-1]) > smallest:
        raise Refused(
            Reason.MASK_NOT_SMALLEST, f"the last mask has {len(masks[-1])} neurons, not {smallest}"
        )
    record = certificate.record("combination", frozenset({"values"}))
    values = read_vector(record["values"], smallest, budget)
    if not any(values):
        raise Refused(Reason.VECTOR_ZERO, "the combination is 0")
    if any(pulled_back(values, network, first, masks, budget)):
        raise Refused(Reason.COMBINATION_NOT_ZERO, "the combination of the rows is not 0")


RULE = Rule(frozenset({"first", "masks", "network"}), _read)
