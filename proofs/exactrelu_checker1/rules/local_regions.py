"""Which points of a sample share an activation region, and how far its boundary is.

Statement. The points lie in the regions with the given numbers: two points have the same number
exactly if all hidden neurons have the same signs at both, and numbers count from 0 in the order
in which the points meet them. The distance of point k to the nearest bent hyperplane that its
region touches or lies in is ``linf[k]`` in the maximum norm, and ``l2-squared[k]`` is its square
in the Euclidean norm; an empty list says that there is none: the region is all of space.

Sound because the checker evaluates signs and gradients itself. Where the signs of x hold, the
neurons are affine functions a·y + b, so that the points with the same signs are an intersection
of half-spaces and hyperplanes, one for each neuron with a != 0. Its boundary is met first on the
hyperplane that is nearest: at |a·x + b|/|a|_1, or at (a·x + b)²/|a|² for squares. A neuron with
a != 0 and value 0 makes this 0. A constant neuron has no boundary.
"""

from functools import partial

from ..affine import hidden_rows
from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..integers import dot, multiply
from ..network import Network, read_network
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..values import RationalVector, read_index, read_list, read_rational, read_rational_vector
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    widths = network.widths()
    points = [read_rational_vector(x, widths[0], budget) for x in read_list(claim["points"])]
    regions = [read_index(number) for number in read_list(claim["regions"], len(points))]
    linf, l2 = (
        [read_rational(r, budget) if r != [] else None for r in read_list(claim[name], len(points))]
        for name in ("linf", "l2-squared")
    )
    return Claim(
        f"{len(points)} points lie in {len(set(regions))} regions of equal signs of the network N "
        f"of widths {widths_text(widths)}, with the listed distances to their boundaries",
        (subject("N", network.as_json()),),
        partial(_check, network, points, regions, linf, l2),
        (network,),
    )


def _check(
    network: Network,
    points: list[RationalVector],
    regions: list[int],
    linf: list[RationalVector | None],
    l2: list[RationalVector | None],
    certificate: Certificate,
    budget: Budget,
) -> None:
    numbers: dict[tuple[str, ...], int] = {}
    for k, point in enumerate(points):
        _, signs = network.evaluate(point, budget)
        if numbers.setdefault(signs, len(numbers)) != regions[k]:
            raise Refused(Reason.WRONG_SIGNS, f"the region of point {k + 1} has another number")
        values: list[tuple[int, int]] = []
        squares: list[tuple[int, int]] = []
        for _, _, row in hidden_rows(network, signs, budget):
            if any(row[:-1]):
                value = abs(dot(row, (*point.nums, point.den), budget))
                sum_of_sizes = sum(map(abs, row[:-1]))
                values.append((value, multiply(point.den, sum_of_sizes, budget)))
                length = multiply(point.den, point.den, budget)
                sum_of_squares = dot(row[:-1], row[:-1], budget)
                squares.append(
                    (multiply(value, value, budget), multiply(length, sum_of_squares, budget))
                )
        _require_least(values, linf[k], f"point {k + 1} in the maximum norm", budget)
        _require_least(squares, l2[k], f"point {k + 1} in the Euclidean norm", budget)


def _require_least(
    quotients: list[tuple[int, int]], said: RationalVector | None, where: str, budget: Budget
) -> None:
    """Refuse a number that is not the least of the quotients; None if there are none."""
    if said is None or not quotients:
        if said is not None or quotients:
            raise Refused(
                Reason.WRONG_DISTANCE, f"{where}: a distance where there is none, or none"
            )
        return
    gaps = [dot((num, den), (said.den, -said.nums[0]), budget) for num, den in quotients]
    if min(gaps) != 0:
        raise Refused(Reason.WRONG_DISTANCE, f"the distance of {where} differs")


RULE = Rule(frozenset({"l2-squared", "linf", "network", "points", "regions"}), _read)
