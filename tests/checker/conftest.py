"""Makes the cases importable; nothing of ``exactrelu`` is needed for them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
