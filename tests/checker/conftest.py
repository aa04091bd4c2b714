"""Makes the cases and the brute force importable; nothing of ``exactrelu`` is needed for them."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "brute")]
