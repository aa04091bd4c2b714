"""Makes the checker and the case tables importable; nothing of ``exactrelu`` is needed here."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
for folder in (HERE, HERE.parents[1] / "proofs"):
    sys.path.insert(0, str(folder))
