"""Makes the case tables importable; nothing of ``exactrelu`` is needed here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

# Tables of cases have no doctests, and it takes seconds to import them.
collect_ignore_glob = ["forgeries/*"]
