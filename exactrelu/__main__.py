"""The program: ``exactrelu``, or ``python -m exactrelu``."""

import sys


def run() -> int:
    """Run one command; one that is interrupted while it is being loaded says so in one line."""
    try:
        from exactrelu.cli.main import main
    except KeyboardInterrupt:
        sys.stderr.write("exactrelu: interrupted\n")
        return 130
    return main()


if __name__ == "__main__":
    sys.exit(run())
