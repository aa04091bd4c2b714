#!/usr/bin/env -S python3 -I
"""Run the program from a copy of the folder: ``python exactrelu_checker FILE…``."""

import sys

# Before any import that an older Python fails at, with an exit code that would mean
# REJECTED.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.stderr.write("exactrelu-check: needs Python 3.11 or newer\n")
    sys.exit(2)

if __name__ == "__main__":
    from pathlib import Path

    if not __package__:
        here = Path(__file__).resolve().parent
        # Without the folder itself, whose ``numbers`` is not that of the standard library.
        sys.path[:] = [
            str(here.parent),
            *(p for p in sys.path if Path(p).resolve() != here),
        ]
    from exactrelu_checker.program import run

    sys.exit(run())
