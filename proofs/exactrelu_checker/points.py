"""What is shown by points: the checker evaluates the networks itself.

value: no evidence. equal, within (negations): ``point``, in the closure of D, where an
output differs (by more than ε). largest-difference: ``point`` where it is at least ε;
``ray``. injective, layer-injective (negations), stability at-most: two points of D, each a
record ``point``.

The value of a network at a point: what layer after layer gives is dots.
"""

from typing import Any

from . import claims
from .evidence import point_in
from .file import Proof, form, need
from .numbers import bits, dot
from .objects import Network, System, Vector, contains, difference, passed_on
from .pairs import closure, gaps_at


def value_by_evaluation(proof: Proof, network: Network, point: Vector, **said: Any) -> None:
    """Compute the value and the signs."""
    values = network.values(proof, point)
    need(_same(values[-1], said["output"]), "wrong-output", "the output differs")
    need(
        network.signs(values) == said["signs"],
        "wrong-signs",
        "signs of preactivations differ",
    )


def _same(x: Vector, y: Vector) -> bool:
    """Tell whether two rational vectors of one length are equal."""
    return not any(difference(x, y).nums)


def not_equal_by_point(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """The outputs differ at a point."""
    not_within_by_point(proof, a, b, Vector(1, (0,)), domain)


def not_within_by_point(
    proof: Proof, a: Network, b: Network, bound: Vector, domain: System
) -> None:
    """Some output differs by more than the bound at a point."""
    need(
        max(gaps_at(proof, a, b, domain, bound)) > 0,
        "outputs-agree",
        "none differs by more",
    )


def largest_difference_by_point(proof: Proof, sense: str, **pair_and_bound: Any) -> None:
    """Some output differs by at least the bound at a point; at least infinity is no
    claim.
    """
    need(sense == "at-least", "wrong-method", "a point shows a lower bound")
    need(
        max(gaps_at(proof, **pair_and_bound)) >= 0,
        "outputs-agree",
        "all differ by less there",
    )


def largest_difference_by_ray(
    proof: Proof, domain: System, bound: Any, **about: Any
) -> None:
    """Far out on a ray some output of A grows away from that of B.

    D has a point p, and p + s·r, s >= 0, lies in it. By induction over layers, from some s
    on each preactivation is affine in s with the slope that is computed: one that is affine
    with another slope than 0 keeps a sign from some s on, and one that is constant has a
    constant ReLU.
    """
    need(bound is None, "wrong-method", "a ray shows that the difference has no bound")
    ray = Vector(1, tuple(proof.numbers("ray", domain.dim)))
    need(
        contains(proof, closure(_linear(domain)), ray),
        "ray-leaves",
        "the direction leaves it",
    )
    slopes = [
        Network(tuple(map(_linear, about[n].layers))).values(proof, ray)[-1] for n in "ab"
    ]
    need(not _same(*slopes), "outputs-agree", "no output grows away from the other")


def _linear(affine: Any) -> Any:
    """Return a layer or a system without its constants."""
    return affine._replace(rows=tuple((*row[:-1], 0) for row in affine.rows))


def _two_points(proof: Proof, domain: System) -> tuple[Vector, Vector]:
    """Read two different points of a domain."""
    x, y = point_in(proof, domain), point_in(proof, domain)
    need(not _same(x, y), "points-equal", "the two points are the same")
    return x, y


def _images(
    proof: Proof, network: Network, points: Any, first: int, last: int
) -> list[Vector]:
    """Return what layer ``last`` passes on where layer ``first`` passes points on."""
    part, found = Network(network.layers[first:]), []
    for point in points:
        values = part.values(proof, point)
        found.append(
            [point, *map(passed_on, part.hidden, values), values[-1]][last - first]
        )
    return found


def not_injective_by_points(
    proof: Proof, network: Network, domain: System, **layers: int
) -> None:
    """Two points that layer ``last`` does not tell apart, and layer ``first`` does."""
    points = _two_points(proof, domain)
    at_last = _images(proof, network, points, 0, layers["last"])
    need(_same(*at_last), "outputs-differ", "the later layer differs at the points")
    at_first = _images(proof, network, points, 0, layers["first"])
    need(
        not _same(*at_first), "outputs-agree", "the earlier layer is the same at the points"
    )


def not_layer_injective_by_points(
    proof: Proof, network: Network, layer: int, domain: System
) -> None:
    """Two points with one image."""
    images = _images(proof, network, _two_points(proof, domain), layer - 1, layer)
    need(_same(*images), "outputs-differ", "the images of the points differ")


def stability_by_points(proof: Proof, network: Network, layer: int, **said: Any) -> None:
    """Two points with |F(x) - F(y)| <= r|x - y|; squares of what is not negative are
    compared.
    """
    need(said["sense"] == "at-most", "wrong-method", "points show an upper bound")
    points, bound = _two_points(proof, said["domain"]), said["bound"]
    layers = (layer - 1, layer) if layer else (0, len(network.layers))
    images = _images(proof, network, points, *layers)
    (den, moved), (scale, apart) = (difference(*pair) for pair in (images, points))
    size = bits([*moved, *apart, den, scale, bound.den, *bound.nums])
    proof.spend(len(moved) + len(apart) + 8, 4 * size, 4 * size)
    left = dot(moved, moved) * (scale * bound.den) ** 2
    right = dot(apart, apart) * (den * bound.nums[0]) ** 2
    need(left <= right, "image-too-long", "|F(x) - F(y)| exceeds r|x - y|")


def _signs(value: Any) -> str:
    form(
        isinstance(value, str) and not value.strip("+-0="),
        "unknown-word",
        "signs are +, -, 0, =",
    )
    return str(value)


value = claims.kind(
    "{network} maps {point} to {output}, with hidden signs {signs}",
    network=claims.network,
    signs=claims.listed(_signs),
)
