"""The program: ``exactrelu``, or ``python -m exactrelu``.

Exit codes 0, 1 and 3 are answers, and 1 is also Python's own code for a crash.  So a command ends
in :func:`run` whatever happens: while modules are loaded, in another process, at the last line.
"""

import os
import sys
import traceback

BAD_INPUT, INTERNAL_ERROR, INTERRUPTED = 2, 70, 130


def run() -> int:
    """Run one command; one that fails says so in one line, with an exit code of no answer."""
    err = ""
    try:
        from exactrelu.cli.streams import prepare

        prepare()
        from exactrelu.cli.main import main

        code = main()
    except SystemExit as stop:
        # Of the parser: after --help, or a mistake of usage.  Nothing else may leave so.
        code = BAD_INPUT if stop.code else 0
        if stop.code not in (0, BAD_INPUT):
            err, code = _internal(stop), INTERNAL_ERROR
    except KeyboardInterrupt:
        err, code = "interrupted", INTERRUPTED
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        err, code = f"error: {place}{error.strerror or error}", BAD_INPUT
    except BaseException as error:
        err, code = _internal(error), INTERNAL_ERROR
    return _ended(f"exactrelu: {err}\n" if err else "", code)


def _internal(error: BaseException) -> str:
    if os.environ.get("EXACTRELU_TRACEBACK"):
        traceback.print_exception(error)
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return f"error: internal error, please report it: {what}"


def _ended(err: str, code: int) -> int:
    """Write what is left to be written; the exit code if that is possible."""
    try:
        from exactrelu.cli.streams import write
    except BaseException:
        # What is broken is the installation.
        sys.stderr.write(err)
        return code
    return write("", err, code, BAD_INPUT)


if __name__ == "__main__":
    sys.exit(run())
