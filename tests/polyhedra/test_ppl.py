import subprocess
import sys


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
