"""Value of a network at a point.

Statement. The network N maps the point x to y, and the preactivations of the neurons of hidden
layer l at x have the signs ``signs[l]`` ("+", "-" or "0").

Sound because the checker evaluates the network itself. There is no evidence.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..describe import signs_text, vector_text, widths_text
from ..integers import dot
from ..network import Network, read_network
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..values import RationalVector, read_rational_vector, read_strings
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    widths = network.widths()
    point = read_rational_vector(claim["point"], widths[0], budget)
    output = read_rational_vector(claim["output"], widths[-1], budget)
    signs = tuple(read_strings(claim["signs"], len(network.layers) - 1))
    return Claim(
        f"the network N of widths {widths_text(widths)} maps {vector_text(point)} "
        f"to {vector_text(output)}, with hidden signs {signs_text(signs)}",
        (subject("N", network.as_json()),),
        partial(_check, network, point, output, signs),
        (network,),
    )


def _check(
    network: Network,
    point: RationalVector,
    output: RationalVector,
    signs: tuple[str, ...],
    certificate: Certificate,
    budget: Budget,
) -> None:
    result, actual_signs = network.evaluate(point, budget)
    if actual_signs != signs:
        raise Refused(Reason.WRONG_SIGNS, "the signs of the preactivations differ")
    for number, (found, said) in enumerate(zip(result.nums, output.nums, strict=True), start=1):
        if dot((found, said), (output.den, -result.den), budget) != 0:
            raise Refused(Reason.WRONG_OUTPUT, f"output {number} differs")


RULE = Rule(frozenset({"network", "output", "point", "signs"}), _read)
