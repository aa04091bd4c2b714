"""The cone of a claim: the fields ``dim`` and ``generators``."""

from dataclasses import dataclass

from .budget import Budget
from .canonical import Fields
from .statement import Subject, subject
from .values import read_index, read_list, read_vector

CONE_FIELDS = frozenset({"dim", "generators"})


@dataclass(frozen=True)
class Cone:
    """The nonnegative combinations of some integer vectors in R^dim."""

    dim: int
    generators: tuple[tuple[int, ...], ...]

    def text(self) -> str:
        """Describe the cone in a few words."""
        return f"the cone G of {len(self.generators)} generators in R^{self.dim}"


def read_cone(claim: Fields, budget: Budget) -> Cone:
    """Return the cone of a claim."""
    dim = read_index(claim["dim"])
    vectors = read_list(claim["generators"])
    return Cone(dim, tuple(read_vector(vector, dim, budget) for vector in vectors))


def cone_subject(claim: Fields) -> Subject:
    """Name the cone by the hash of the canonical text of its two fields."""
    return subject("G", {name: claim[name] for name in sorted(CONE_FIELDS)})
