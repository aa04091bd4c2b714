"""The program: it has an exit code of a verdict only if it has come to one.

The codes 0 to 4 are verdicts, and 1 is also Python's own for a crash. So all that may fail
happens within ``run``: the rest of the checker is loaded there, and what is printed is
written there to its last line. Before it nothing is loaded but the package, ``__main__``
and this file.
"""

import os
import sys

CRASHED, INTERRUPTED = 70, 130

if not __package__:
    sys.stderr.write(
        "exactrelu-check: no program; python -m exactrelu_checker FILE checks\n"
    )
    sys.exit(2)


def run() -> int:
    """Check the files named in the arguments; return the exit code."""
    try:
        code, why = _ended()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the lines went away: what is left unchecked is not accepted.
        code, why = CRASHED, ""
        _silence()
    except BaseException as error:
        code, why = CRASHED, f"no verdict: {type(error).__name__}: {str(error)!a}"
        _silence()
    try:
        sys.stderr.write(why and f"exactrelu-check: {why}\n")
    except (OSError, AttributeError):
        # There is nowhere left to say it.
        return code
    return code


def _ended() -> tuple[int, str]:
    """Return the exit code of the program, and what there is to say of it."""
    try:
        from .main import main

        return main(), ""
    except KeyboardInterrupt:
        return INTERRUPTED, "interrupted"
    except SystemExit as stop:
        # Of the parser, after --help or a mistake of usage; of nothing else.
        if stop.code in (0, 2):
            return int(stop.code or 0), ""
        raise


def _silence() -> None:
    """Leave what could not be written: Python would try once more, and change the exit
    code.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
