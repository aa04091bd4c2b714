"""Run the program from a copy of the folder: ``python exactrelu_checker FILE…``."""

import sys
from pathlib import Path

if __name__ == "__main__":
    if not __package__:
        # In place of the folder itself, whose ``numbers`` is not that of the standard library.
        sys.path[0] = str(Path(__file__).resolve().parent.parent)
    from exactrelu_checker.main import main

    sys.exit(main())
