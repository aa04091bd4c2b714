"""Makes the cases and the brute force importable; nothing of ``exactrelu`` is needed here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
