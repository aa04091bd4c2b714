import subprocess
import sys

import pytest

from exactrelu.exact.system import LinearSystem
from exactrelu.polyhedra import ppl


def test_floats_still_round_to_nearest() -> None:
    """Importing pplpy 0.9 leaves the processor rounding upward; we must not."""
    code = (
        "import exactrelu\n"
        "from exactrelu.polyhedra.polyhedron import Polyhedron\n"
        "from exactrelu.exact.system import LinearSystem\n"
        "Polyhedron(LinearSystem.box([(0, 1)])).vertices\n"
        "one, tiny = float('1'), float('1e-30')\n"
        "print(one + tiny == 1.0, -one - tiny == -1.0)\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "True True\n"


@pytest.mark.parametrize(
    ("row", "sides"),
    [((1, 1, 0), [1]), ((-1, -1, 0), [-1]), ((1, 0, 1), [1]), ((2, 0, -1), [-1, 1])],
)
def test_a_hyperplane_that_only_touches_does_not_cut(row, sides: list[int]) -> None:
    square = ppl.from_system(LinearSystem.box([(0, 1), (0, 1)]))
    parts = ppl.halves(square, row)
    assert sorted(parts) == sides
    for part in parts.values():
        assert part.affine_dimension() == 2
